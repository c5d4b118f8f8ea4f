/* The optimal-path rule in a convex subnet (Horng 1992, 5.3.2). */
#include "base/error.h"
#include "routing/faults/fault.h"
#include "routing/rules/routing.h"
#include "routing/subnets/subnet.h"

/* state: by node, the ports whose link works and leads to a survivor. */
static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    const uint64_t *good = routing->state;
    (void)class;
    cni_allow(entry, (node ^ target) & good[node], CNI_FREE_LANE);
}

static cn_status check_network(const char *function, const cn_topology *t)
{
    if (cni_is_hypercube(t))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: optimal-path is for hypercubes, not for %s", function,
                    t->name);
}

/* The routing serves the survivors from now on. */
static cn_status take_survivors(const char *function, const cn_subnet *subnet, cn_routing *routing)
{
    const cn_topology *t = routing->topology;
    size_t words = (size_t)((t->nodes + 63) / 64);
    CNI_TRY(check_network(function, t));
    uint64_t other, unsafe = cni_first_unsafe(subnet, &other);
    if (unsafe < t->nodes)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: the subnet must be convex, but no optimal path leads from its "
                        "survivor %llu to its survivor %llu",
                        function, (unsigned long long)unsafe, (unsigned long long)other);
    uint64_t *good = cni_allocate((size_t)t->nodes, sizeof *good);
    routing->state = good;
    cni_release(routing->served);
    routing->served = cni_allocate(words, sizeof *routing->served);
    if (good == NULL || routing->served == NULL)
        return CN_ERR_MEMORY;
    for (size_t w = 0; w < words; w++)
        routing->served[w] = subnet->alive[w];
    for (uint64_t v = 0; v < t->nodes; v++)
        good[v] = ~subnet->nodes[v].bad & cni_all_ports(t, v);
    routing->served_count = subnet->survivors;
    cni_routing_count_ends(routing);
    return CN_OK;
}

/* Builds the convex subnet of the damaged network, and takes its survivors. */
static cn_status open(const char *function, cn_routing *routing)
{
    cn_faults *faults;
    cn_subnet *convex = NULL;
    CNI_TRY(check_network(function, routing->topology));
    CNI_TRY(cni_faults_copy_or_none(routing->topology, routing->faults, &faults));
    cn_status status = cni_subnet_make(function, faults, CNI_RULE_CONVEX, &convex);
    if (status == CN_OK)
        status = cni_subnet_build(convex, convex->faults, routing->budget);
    if (status == CN_OK)
        status = take_survivors(function, convex, routing);
    cn_subnet_free(&convex);
    cn_faults_free(&faults);
    return status;
}

cn_status cn_routing_optimal_path(const cn_subnet *subnet, cn_routing **routing)
{
    CNI_REQUIRE_OUT(routing);
    CNI_REQUIRE(subnet);
    cn_routing *made;
    CNI_TRY(cni_routing_make(__func__, &cni_optimal_path, subnet->faults->topology, subnet->faults,
                             NULL, &made));
    return cni_routing_finish(made, take_survivors(__func__, subnet, made), routing);
}

static void put_disabled(cni_io *io, size_t node, void *of)
{
    const cn_routing *routing = of;
    if (!cni_routing_serves(routing, node) &&
        (routing->faults == NULL || !cni_node_faulty(routing->faults, node)))
        cni_io_put(io, node);
}

static void visit(cni_io *io, void *object)
{
    cni_routing_form *f = object;
    cn_faults *own = NULL;
    cn_subnet *subnet = NULL;
    if (cni_io_reads(io))
        cni_io_blame(io, NULL, cni_faults_copy_or_none(f->topology, f->faults, &own));
    cni_io_disabled(io, f->topology, own, put_disabled, f->routing, &subnet);
    if (cni_io_reads(io))
        cni_io_blame(io, "disabled", cn_routing_optimal_path(subnet, &f->routing));
    cn_subnet_free(&subnet);
    cn_faults_free(&own);
}

const cni_routing_kind cni_optimal_path = {
    .name = "optimal-path",
    .summary = "every channel on a shortest path in a convex subnet of a damaged hypercube",
    .classes = 1,
    .legs = 1,
    .open = open,
    .entry = entry,
    .visit = visit,
};

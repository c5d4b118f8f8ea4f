/*
 * A network whose links take several cycles: each link is a chain of relays, a wire with registers.
 * Two arrays of sums locate the relays: links up to a node, and relays up to a link.
 */
#include "topology/families/composed.h"

#include <stdio.h>
#include <string.h>

#include "cubenet/experimental/hosts.h"

#include "base/error.h"
#include "topology/distances/breadth_first.h"

enum { MOST_LENGTH = 64 };
#define MOST_NODES (UINT64_C(1) << 27) /* as many as a search stores */

static const cni_with_lengths *of(const cn_topology *topology)
{
    return (const cni_with_lengths *)topology;
}

int cni_begins_link(const cn_topology *base, uint64_t node, uint32_t port)
{
    return base->ops->back_port(base, node, port) == CN_NO_PORT ||
           node < base->ops->neighbor(base, node, port);
}

/* ---- links and relays ---- */

/* The number of the link whose first end is at a port. */
static uint64_t link_at(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint64_t link = of(t)->first[node];
    for (uint32_t p = 0; p < port; p++)
        link += (uint64_t)cni_begins_link(t->base, node, p);
    return link;
}

/* Relays of all links before this one. */
static uint64_t relays_before(const cn_topology *t, uint64_t link)
{
    return of(t)->start != NULL ? of(t)->start[link] : link * (of(t)->length - 1);
}

/* The last place of an ascending list whose value is at most this one. */
static uint64_t find(const uint64_t list[], uint64_t count, uint64_t value)
{
    uint64_t low = 0, high = count - 1;
    while (low < high) {
        uint64_t middle = (low + high + 1) / 2;
        if (list[middle] <= value)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

cni_relay cni_relay_at(const cn_topology *t, uint64_t index)
{
    const cn_topology *base = t->base;
    uint64_t links = of(t)->first[base->nodes];
    uint64_t link =
        of(t)->start != NULL ? find(of(t)->start, links + 1, index) : index / (of(t)->length - 1);
    cni_relay r = {.first_end = find(of(t)->first, base->nodes + 1, link),
                   .before = index - relays_before(t, link),
                   .count = relays_before(t, link + 1) - relays_before(t, link)};
    for (uint64_t left = link - of(t)->first[r.first_end];; r.port++)
        if (cni_begins_link(base, r.first_end, r.port) && left-- == 0)
            break;
    r.second_end = base->ops->neighbor(base, r.first_end, r.port);
    r.goes_back = base->ops->back_port(base, r.first_end, r.port) != CN_NO_PORT;
    return r;
}

/* The number of relays of the link at a port of the base, and the first of them. */
static uint64_t relays_at(const cn_topology *t, uint64_t node, uint32_t port, uint64_t *first)
{
    const cn_topology *base = t->base;
    uint64_t owner = node;
    uint32_t from = port;
    if (!cni_begins_link(base, node, port)) {
        owner = base->ops->neighbor(base, node, port);
        from = base->ops->back_port(base, node, port);
    }
    uint64_t link = link_at(t, owner, from);
    *first = base->nodes + relays_before(t, link);
    return relays_before(t, link + 1) - relays_before(t, link);
}

/* ---- what a topology says ---- */

static uint32_t degree(const cn_topology *t, uint64_t node)
{
    if (node < t->base->nodes)
        return t->base->ops->degree(t->base, node);
    return cni_relay_at(t, node - t->base->nodes).goes_back ? 2 : 1;
}

static uint64_t neighbor(const cn_topology *t, uint64_t node, uint32_t port)
{
    const cn_topology *base = t->base;
    if (node < base->nodes) {
        uint64_t first, count = relays_at(t, node, port, &first);
        if (count == 0)
            return base->ops->neighbor(base, node, port);
        return cni_begins_link(base, node, port) ? first : first + count - 1;
    }
    cni_relay r = cni_relay_at(t, node - base->nodes);
    if (r.goes_back && port == 0)
        return r.before == 0 ? r.first_end : node - 1;
    return r.before == r.count - 1 ? r.second_end : node + 1;
}

static uint32_t back_port(const cn_topology *t, uint64_t node, uint32_t port)
{
    const cn_topology *base = t->base;
    if (node < base->nodes) {
        uint64_t first;
        uint32_t back = base->ops->back_port(base, node, port);
        if (back == CN_NO_PORT || relays_at(t, node, port, &first) == 0)
            return back;
        return cni_begins_link(base, node, port) ? 0 : 1;
    }
    cni_relay r = cni_relay_at(t, node - base->nodes);
    if (!r.goes_back)
        return CN_NO_PORT;
    if (port == 0)
        return r.before == 0 ? r.port : 1;
    return r.before == r.count - 1 ? base->ops->back_port(base, r.first_end, r.port) : 0;
}

static cn_status link_count(const cn_topology *t, uint64_t *links)
{
    *links = of(t)->first[t->base->nodes] + t->relays;
    if (t->bidirectional)
        return CN_OK;
    CNI_TRY(t->base->ops->link_count(t->base, links)); /* channels */
    for (uint64_t v = t->base->nodes; v < t->nodes; v++)
        *links += degree(t, v);
    return CN_OK;
}

/* The nodes of the base that a node leads to, or is reached from, and the hops to them. */
typedef struct ends {
    uint64_t node[2], hops[2];
    int count;
} ends;

static ends ends_of(const cn_topology *t, uint64_t node, int is_source)
{
    if (node < t->base->nodes)
        return (ends){{node}, {0}, 1};
    cni_relay r = cni_relay_at(t, node - t->base->nodes);
    if (!r.goes_back && !is_source)
        return (ends){{r.first_end}, {r.before + 1}, 1};
    return (ends){
        {r.second_end, r.first_end}, {r.count - r.before, r.before + 1}, r.goes_back ? 2 : 1};
}

/* Where all links are as long. */
static cn_status distance(const cn_topology *t, uint64_t source, uint64_t destination,
                          uint64_t *distance)
{
    const cn_topology *base = t->base;
    ends from = ends_of(t, source, 1), to = ends_of(t, destination, 0);
    *distance = UINT64_MAX;
    if (source >= base->nodes && destination >= base->nodes) { /* maybe on one link */
        cni_relay a = cni_relay_at(t, source - base->nodes);
        if (destination >= source && destination - source + a.before < a.count)
            *distance = destination - source;
        else if (a.goes_back && source > destination && source - destination <= a.before)
            *distance = source - destination;
    }
    for (int i = 0; i < from.count; i++)
        for (int j = 0; j < to.count; j++) {
            uint64_t hops;
            CNI_TRY(base->ops->distance(base, from.node[i], to.node[j], &hops));
            hops = hops * of(t)->length + from.hops[i] + to.hops[j];
            *distance = hops < *distance ? hops : *distance;
        }
    return CN_OK;
}

static cn_status diameter(const cn_topology *t, uint64_t *diameter)
{
    CNI_TRY(t->base->ops->diameter(t->base, diameter));
    *diameter *= of(t)->length;
    return CN_OK;
}

static cn_status mean_distance(const cn_topology *t, double *mean)
{
    CNI_TRY(t->base->ops->mean_distance(t->base, mean));
    *mean *= of(t)->length;
    return CN_OK;
}

static int same(const cn_topology *a, const cn_topology *b)
{
    const cni_with_lengths *x = of(a), *y = of(b);
    if (x->length != y->length || !cn_topology_equal(a->base, b->base))
        return 0;
    size_t links = (size_t)x->first[a->base->nodes];
    return x->start == NULL || memcmp(x->start, y->start, (links + 1) * sizeof *x->start) == 0;
}

static void destroy(cn_topology *t)
{
    cni_with_lengths *made = (cni_with_lengths *)t;
    cni_release(made->first);
    cni_release(made->start);
    cni_release(made->host_rank);
    cni_topology_release(t->base);
}

static const cni_topology_ops ops = {
    .degree = degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .link_count = link_count,
    .distance = distance,
    .diameter = diameter,
    .mean_distance = mean_distance,
    .same = same,
    .destroy = destroy,
};

/* ---- making one ---- */

static cn_status count_links(cni_with_lengths *made, cni_budget *budget)
{
    const cn_topology *base = made->common.base;
    made->first = cni_allocate(base->nodes + 1, sizeof *made->first);
    CNI_TRY_MEMORY(made->first);
    for (uint64_t v = 0; v < base->nodes; v++) {
        uint32_t ports = base->ops->degree(base, v);
        CNI_TRY(cni_budget_go_on(budget, 1 + 4 * (uint64_t)ports));
        made->first[v + 1] = made->first[v];
        for (uint32_t p = 0; p < ports; p++)
            made->first[v + 1] += (uint64_t)cni_begins_link(base, v, p);
    }
    return CN_OK;
}

static cn_status fail_size(const char *function, const cn_topology *base)
{
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: with the relays of its links %s has more than 2^27 nodes", function,
                    base->name);
}

static cn_status check_length(const char *function, size_t i, uint32_t length)
{
    if (length >= 1 && length <= MOST_LENGTH)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: lengths[%zu] = %lu, but a link takes 1 to %d cycles",
                    function, i, (unsigned long)length, MOST_LENGTH);
}

/* The number of relays. Links of one length need no list. */
static cn_status sum_lengths(cni_with_lengths *made, const uint32_t lengths[], size_t count,
                             cni_budget *budget)
{
    uint64_t links = made->first[made->common.base->nodes];
    int is_even = 1;
    if (count != 1 && count != links)
        return cni_fail(
            CN_ERR_ARGUMENT, "%s: count = %zu, but %s has %llu links: 1 length is that of all",
            budget->function, count, made->common.base->name, (unsigned long long)links);
    for (size_t i = 0; i < count; i++) {
        CNI_TRY(check_length(budget->function, i, lengths[i]));
        is_even &= lengths[i] == lengths[0];
    }
    made->length = is_even ? lengths[0] : 0;
    made->common.relays = links * (lengths[0] - 1);
    if (is_even)
        return CN_OK;
    made->start = cni_allocate(links + 1, sizeof *made->start);
    CNI_TRY_MEMORY(made->start);
    for (uint64_t link = 0; link < links; link++)
        made->start[link + 1] = made->start[link] + lengths[link] - 1;
    made->common.relays = made->start[links];
    return cni_budget_go_on(budget, 2 * links);
}

/* Hosts are those of the base. */
static cn_status take_hosts(cni_with_lengths *made)
{
    cn_topology *t = &made->common;
    t->hosts = t->base->hosts;
    t->hosts_forward = t->base->hosts_forward;
    t->host_at = t->base->host_at;
    if (t->base->host_rank == NULL)
        return CN_OK;
    t->host_rank = made->host_rank = cni_allocate(t->nodes, sizeof *made->host_rank);
    CNI_TRY_MEMORY(made->host_rank);
    for (uint64_t v = 0; v < t->nodes; v++)
        made->host_rank[v] = v < t->base->nodes ? t->base->host_rank[v] : CNI_NO_HOST;
    return CN_OK;
}

static cn_status fill(cni_with_lengths *made, const uint32_t lengths[], size_t count,
                      cni_budget *budget)
{
    cn_topology *t = &made->common;
    const cn_topology *base = t->base;
    CNI_TRY(count_links(made, budget));
    CNI_TRY(sum_lengths(made, lengths, count, budget));
    if (base->nodes + t->relays > MOST_NODES)
        return fail_size(budget->function, base);
    t->nodes = base->nodes + t->relays;
    t->first_relay = base->nodes;
    uint32_t of_relays = t->relays == 0 ? 0 : base->bidirectional ? 2 : 1;
    for (uint64_t v = base->nodes; of_relays == 1 && v < t->nodes; v++)
        of_relays = degree(t, v); /* some links of a one-way network may go both ways */
    t->max_degree = base->max_degree > of_relays ? base->max_degree : of_relays;
    if (made->start != NULL || base->ops->distance == cni_search_distance)
        made->own.distance = cni_search_distance;
    if (made->start != NULL || base->ops->diameter == NULL)
        made->own.diameter = NULL;
    if (made->start != NULL || base->ops->mean_distance == NULL)
        made->own.mean_distance = NULL;
    if (made->start == NULL)
        snprintf(t->name, sizeof t->name, "%.100s.with_lengths(%lu)", base->name,
                 (unsigned long)made->length);
    else
        snprintf(t->name, sizeof t->name, "%.100s.with_lengths(%llu relays)", base->name,
                 (unsigned long long)t->relays);
    return take_hosts(made);
}

cn_status cn_topology_with_lengths(const cn_topology *base, const uint32_t lengths[], size_t count,
                                   const cn_control *control, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE_BOTH(base, lengths);
    CNI_BUDGET(budget, control, 0);
    if (base->base != NULL)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s is composed already; a network gets lengths once, and before its "
                        "hosts",
                        __func__, base->name);
    if (base->nodes > MOST_NODES)
        return fail_size(__func__, base);
    cni_with_lengths *made = cni_allocate(1, sizeof *made);
    CNI_TRY_MEMORY(made);
    made->own = ops;
    cni_topology_init(&made->common, &made->own, CNI_WITH_LENGTHS, base->nodes);
    made->common.base = cni_topology_retain(base);
    made->common.bidirectional = base->bidirectional;
    cn_status status = fill(made, lengths, count, &budget);
    *topology = &made->common;
    if (status != CN_OK)
        cn_topology_free(topology);
    return status;
}

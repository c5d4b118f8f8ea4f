/* Patterns that are a list: one destination for each host. */
#include "scenario/traffic/pattern.h"

#include <stdio.h>

#include "base/error.h"
#include "topology/topology.h"

static uint64_t listed(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    (void)word;
    return traffic->table->destination[source];
}

/* A traffic with room for the destination of each node. */
static cn_status new_listed(const char *function, const cn_topology *topology, cn_pattern pattern,
                            cn_traffic **made)
{
    if (topology->hosts > CNI_TRAFFIC_TABLE_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but a list of destinations holds at most %llu",
                        function, topology->name, (unsigned long long)topology->hosts,
                        (unsigned long long)CNI_TRAFFIC_TABLE_NODES);
    return cni_traffic_create(function, topology, pattern, topology->hosts, sizeof(uint32_t), made);
}

/* ---- a random permutation ---- */

cn_status cn_traffic_permutation(const cn_topology *topology, uint64_t seed, cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE(topology);
    CNI_TRY(new_listed(__func__, topology, CN_PATTERN_PERMUTATION, traffic));
    uint32_t *list = (*traffic)->table->destination;
    uint64_t stream = cni_random_derive(seed, topology->hosts);
    for (uint64_t s = 0; s < topology->hosts; s++) { /* Fisher and Yates */
        uint64_t other = cni_random_scale(cni_random_word(stream, s), s + 1);
        list[s] = list[other];
        list[other] = (uint32_t)s;
    }
    return CN_OK;
}

/* ---- as JSON: the list, whichever function made it ---- */

static void put_destination(cni_io *io, size_t source, void *of)
{
    cni_io_put(io, cni_host_at(((const cn_traffic *)of)->topology, listed(of, source, 0)));
}

/* Puts a list of destinations, which are nodes, into the traffic, which has ranks. */
static cn_status fill(const char *function, cn_traffic *made, const uint64_t destinations[])
{
    const cn_topology *t = made->topology;
    for (uint64_t s = 0; s < t->hosts; s++) {
        char argument[64];
        snprintf(argument, sizeof argument, "destinations[%llu]", (unsigned long long)s);
        CNI_TRY(cni_check_host(function, argument, t, destinations[s]));
        made->table->destination[s] = (uint32_t)cni_host_rank(t, destinations[s]);
    }
    if (made->pattern == CN_PATTERN_PERMUTATION || cni_senders_of(made) > 0)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: every node is its own destination, so no node would send",
                    function);
}

/* Checks that every node is a destination once. */
static void check_permutation(cni_io *io, const cn_traffic *made)
{
    const cn_topology *t = made->topology;
    unsigned char *seen = cni_allocate(t->hosts, 1);
    if (seen == NULL)
        io->status = CN_ERR_MEMORY;
    for (uint64_t s = 0; s < t->hosts && cni_io_reads(io); s++)
        if (seen[made->table->destination[s]]++ > 0)
            cni_io_fail(io, NULL, "node %llu is a destination more than once in a permutation",
                        (unsigned long long)cni_host_at(t, made->table->destination[s]));
    cni_release(seen);
}

static void visit(cni_io *io, cni_traffic_form *f, cn_pattern pattern)
{
    const cn_topology *topology = f->topology;
    uint64_t *list = NULL;
    size_t count;
    if (cni_io_writes(io)) {
        cni_io_array(io, "destinations", (size_t)topology->hosts, put_destination, f->traffic);
        return;
    }
    cni_io_list(io, "destinations", &list, &count, topology->nodes - 1);
    if (cni_io_reads(io) && count != topology->hosts)
        cni_io_fail(io, "destinations", "the list has %zu elements, but %s has %llu nodes", count,
                    topology->name, (unsigned long long)topology->hosts);
    CNI_IO_CALL(io, NULL, new_listed(io->json->function, topology, pattern, &f->traffic));
    CNI_IO_CALL(io, NULL, fill(io->json->function, f->traffic, list));
    if (cni_io_reads(io) && pattern == CN_PATTERN_PERMUTATION)
        check_permutation(io, f->traffic);
    cni_release(list);
}

static void visit_permutation(cni_io *io, void *object)
{
    visit(io, object, CN_PATTERN_PERMUTATION);
}

static void visit_destinations(cni_io *io, void *object)
{
    visit(io, object, CN_PATTERN_DESTINATIONS);
}

const cni_pattern_row cni_permutation_pattern = {
    .destination = listed,
    CNI_SINGLE,
    .visit = visit_permutation,
};

/* ---- destinations of the caller ---- */

cn_status cn_traffic_destinations(const cn_topology *topology, const uint64_t destinations[],
                                  size_t count, cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE_BOTH(topology, destinations);
    if (count != topology->hosts)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s has %llu nodes", __func__, count,
                        topology->name, (unsigned long long)topology->hosts);
    cn_traffic *made = NULL;
    CNI_TRY(new_listed(__func__, topology, CN_PATTERN_DESTINATIONS, &made));
    return cni_traffic_finish(fill(__func__, made, destinations), made, traffic);
}

const cni_pattern_row cni_destinations_pattern = {
    .destination = listed,
    CNI_SINGLE,
    .visit = visit_destinations,
};

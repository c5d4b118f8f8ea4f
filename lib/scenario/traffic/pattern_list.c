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
    CNI_TRY(cni_traffic_create(function, topology, pattern, 1, made));
    uint32_t *list = cni_allocate(topology->hosts, sizeof *list);
    (*made)->table->destination = list;
    if (list == NULL)
        cn_traffic_free(made);
    return list == NULL ? CN_ERR_MEMORY : CN_OK;
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

/* Writes the list of a traffic, or reads a list, which the caller releases in any case. */
static void visit_list(cni_io *io, const cni_traffic_form *f, uint64_t **list)
{
    const cn_topology *topology = f->topology;
    size_t count;
    *list = NULL;
    if (cni_io_writes(io)) {
        cni_io_array(io, "destinations", (size_t)topology->hosts, put_destination, f->traffic);
        return;
    }
    cni_io_list(io, "destinations", list, &count, topology->nodes - 1);
    if (cni_io_reads(io) && count != topology->hosts)
        cni_io_fail(io, "destinations", "the list has %zu elements, but %s has %llu nodes", count,
                    topology->name, (unsigned long long)topology->hosts);
}

/* Every node is a destination once: a set of the nodes finds repetitions. */
static void fill_permutation(cni_io *io, cn_traffic *made, const uint64_t list[])
{
    const cn_topology *t = made->topology;
    uint64_t nodes = t->hosts, again = CN_NO_NODE;
    uint64_t *seen = cni_allocate((t->nodes + 63) / 64, sizeof *seen);
    cn_status status = seen == NULL ? CN_ERR_MEMORY : CN_OK;
    for (uint64_t s = 0; s < nodes && status == CN_OK; s++) {
        uint64_t bit = UINT64_C(1) << (list[s] & 63);
        status = cni_check_host(io->json->function, "destinations", t, list[s]);
        again = (seen[list[s] >> 6] & bit) != 0 ? list[s] : again;
        seen[list[s] >> 6] |= bit;
        if (status == CN_OK)
            made->table->destination[s] = (uint32_t)cni_host_rank(t, list[s]);
    }
    if (status != CN_OK)
        cni_io_blame(io, NULL, status);
    else if (again != CN_NO_NODE)
        cni_io_fail(io, NULL, "node %llu is a destination more than once in a permutation",
                    (unsigned long long)again);
    cni_release(seen);
}

static void visit_permutation(cni_io *io, void *object)
{
    cni_traffic_form *f = object;
    uint64_t *list;
    visit_list(io, f, &list);
    if (cni_io_reads(io))
        cni_io_blame(
            io, NULL,
            new_listed(io->json->function, f->topology, CN_PATTERN_PERMUTATION, &f->traffic));
    if (cni_io_reads(io))
        fill_permutation(io, f->traffic, list);
    cni_release(list);
}

static void visit_destinations(cni_io *io, void *object)
{
    cni_traffic_form *f = object;
    uint64_t *list;
    visit_list(io, f, &list);
    if (cni_io_reads(io))
        cni_io_blame(
            io, NULL,
            cn_traffic_destinations(f->topology, list, (size_t)f->topology->hosts, &f->traffic));
    cni_release(list);
}

const cni_pattern_row cni_permutation_pattern = {
    .senders = cni_count_senders,
    .destination = listed,
    CNI_SINGLE,
    .visit = visit_permutation,
};

/* ---- destinations of the caller ---- */

static cn_status fill_destinations(const char *function, cn_traffic *made,
                                   const uint64_t destinations[])
{
    const cn_topology *t = made->topology;
    uint64_t nodes = t->hosts, senders = 0;
    for (uint64_t s = 0; s < nodes; s++) {
        char argument[64];
        snprintf(argument, sizeof argument, "destinations[%llu]", (unsigned long long)s);
        CNI_TRY(cni_check_host(function, argument, t, destinations[s]));
        made->table->destination[s] = (uint32_t)cni_host_rank(t, destinations[s]);
        senders += made->table->destination[s] != s;
    }
    if (senders == 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: every node is its own destination, so no node would send", function);
    return CN_OK;
}

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
    return cni_traffic_finish(fill_destinations(__func__, made, destinations), made, traffic);
}

static cn_status find_busiest(const cn_traffic *traffic, double *busiest)
{
    uint64_t nodes = traffic->topology->hosts;
    uint32_t *received = cni_allocate(nodes, sizeof *received), most = 0;
    CNI_TRY_MEMORY(received);
    for (uint64_t s = 0; s < nodes; s++) {
        uint64_t d = listed(traffic, s, 0);
        received[d] += d != s;
        most = received[d] > most ? received[d] : most;
    }
    cni_release(received);
    *busiest = most;
    return CN_OK;
}

const cni_pattern_row cni_destinations_pattern = {
    .senders = cni_count_senders,
    .destination = listed,
    CNI_SINGLE,
    .busiest = find_busiest,
    .visit = visit_destinations,
};

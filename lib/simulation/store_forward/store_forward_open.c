/* Opening and closing the kernels that store and forward. */
#include "simulation/store_forward/store_forward.h"

#include "cubenet/enum.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/decisions/channels.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "simulation/kernel/processor.h"
#include "topology/distances/breadth_first.h"

enum {
    WORDS_OF_CACHE_LINE = 8,
    /* tables by header have at most 2^20 entries, 8 MB for channels and 2 MB for distances;
     * larger networks compute both at each use */
    HEADERS = 1 << 20,
    /* with more endpoints the table of searched distances would take more than 8 GiB, and its 16
     * bits a distance might not be enough */
    SEARCHED_NODES = 1 << 16
};

/* The form of the messages. The name of the routing decides, so an attached routing takes the
 * general form. */
static cni_store_form form_of(const cn_scenario *scenario)
{
    const cn_topology *t = scenario->topology;
    const char *name = cn_scenario_routing_name(scenario);
    const cn_faults *faults = cni_faults_of(scenario);
    if (cni_routing_of(scenario) != NULL || cni_subnet_of(scenario) != NULL ||
        (faults != NULL && faults->node_count + faults->link_count > 0) || !cni_is_kary_ncube(t) ||
        t->max_degree > CNI_MOST_PORTS)
        return CNI_STORE_CLASSED;
    if (cni_is_hypercube(t) &&
        (strcmp(name, cni_preferred.name) == 0 || strcmp(name, cni_minimal.name) == 0))
        return CNI_STORE_CUBE;
    return strcmp(name, cni_preferred.name) == 0 ? CNI_STORE_RINGS : CNI_STORE_CLASSED;
}

int cni_store_has_headers(const cn_scenario *scenario)
{
    return form_of(scenario) != CNI_STORE_CLASSED;
}

cn_status cni_store_open_network(const cn_scenario *scenario, cni_network *network,
                                 cni_store_form *form)
{
    *form = form_of(scenario);
    if (*form == CNI_STORE_CUBE)
        return cni_network_open_whole("cn_sim_open", scenario->topology, network);
    CNI_TRY(cni_network_open("cn_sim_open", scenario, network));
    if (*form == CNI_STORE_CLASSED && network->routing->classes == 1 &&
        network->routing->kind->legs == 1)
        *form = CNI_STORE_ROUTED;
    return CN_OK;
}

static void lay_out_messages(cni_store *k, const cn_traffic *traffic)
{
    cni_store_shape *s = &k->shape;
    s->nodes = k->network.nodes;
    s->first = k->base.part.first;
    s->stride = cni_store_nodes(k) + WORDS_OF_CACHE_LINE;
    s->ports = k->network.ports;
    k->queues = k->separate ? s->ports : 1;
    cni_store_lay_out(k, cni_trace_most(traffic));
}

/* Lists distances and preferred channels by header. Distances on very long rings exceed 16 bits,
 * and are not listed. */
static cn_status list_headers(cni_store *k)
{
    const cn_topology *t = k->network.topology;
    int is_rings = k->shape.form == CNI_STORE_RINGS;
    if (k->shape.form == CNI_STORE_CUBE || !cni_adds_digits(t) || t->nodes > HEADERS)
        return CN_OK;
    if (t->diameter > UINT16_MAX)
        return CN_OK;
    k->hops_by_header = 1;
    k->hops = cni_allocate(t->nodes, sizeof *k->hops);
    if (is_rings)
        k->by_header = cni_allocate(t->nodes, sizeof *k->by_header);
    if (k->hops == NULL || (is_rings && k->by_header == NULL))
        return CN_ERR_MEMORY;
    for (uint64_t header = 0; header < t->nodes; header++) {
        uint64_t hops;
        t->ops->distance(t, header, 0, &hops); /* a closed form, which cannot fail */
        k->hops[header] = (uint16_t)hops;
        if (is_rings)
            k->by_header[header] = cni_preferred_channels(t, header);
    }
    return CN_OK;
}

/* Finds distances by search, by the ranks of destination and source, on networks without a
 * closed form. */
static cn_status search_distances(cni_store *k, cni_budget *budget)
{
    const cn_topology *t = k->network.topology;
    cni_inlets inlets = {0};
    if (t->ops->distance != cni_search_distance)
        return CN_OK;
    if (k->network.endpoints > SEARCHED_NODES)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "cn_sim_open: distances on %s are found by search, for which it may have at "
            "most %d %s, but it has %lu",
            t->name, SEARCHED_NODES, cni_all_are_hosts(t) ? "nodes" : "hosts",
            (unsigned long)k->network.endpoints);
    cn_status status = cni_inlets_open(&inlets, t, NULL, NULL);
    if (status == CN_OK)
        status =
            cni_network_hops(&inlets, k->network.node_of, k->network.endpoints, budget, &k->hops);
    cni_inlets_close(&inlets);
    return status;
}

/* Refuses a source that is not Poisson in continuous time. */
static cn_status check_source(const cni_store *k, const cn_traffic *traffic)
{
    cn_source source = traffic == NULL ? CN_SOURCE_OF_SYSTEM : traffic->source;
    if (k->slotted_clock || (!cni_traffic_is_trace(traffic) &&
                             (source == CN_SOURCE_OF_SYSTEM || source == CN_SOURCE_GEOMETRIC ||
                              source == CN_SOURCE_POISSON)))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_sim_open: in continuous time (slotted = no) arrivals are Poisson, but the "
                    "traffic has the source %s; slotted = yes takes all sources and traces",
                    cni_traffic_is_trace(traffic) ? "trace"
                                                  : cn_enum_name(CN_ENUM_SOURCE, (int)source));
}

static cn_status open_network(cni_store *k, const cn_scenario *scenario, uint64_t seed)
{
    CNI_TRY(cni_store_open_network(scenario, &k->network, &k->shape.form));
    lay_out_messages(k, cni_traffic_of(scenario));
    if (k->shape.form == CNI_STORE_ROUTED || k->shape.form == CNI_STORE_CLASSED)
        CNI_TRY(cni_network_list_ports(&k->network, scenario->budget));
    CNI_TRY(check_source(k, cni_traffic_of(scenario)));
    CNI_TRY(cni_network_check_traffic("cn_sim_open", &k->network, cni_traffic_of(scenario),
                                      scenario->budget));
    CNI_TRY(
        cni_slotted_open(scenario, seed, k->base.part.first, cni_store_nodes(k), &k->base.slotted));
    CNI_TRY(list_headers(k));
    CNI_TRY(search_distances(k, scenario->budget));
    CNI_TRY(cni_store_list_inlets(k));
    cni_network_count(&k->network, k->base.part.first, k->base.part.end, &k->endpoints,
                      &k->channels);
    return cni_store_open_part(k);
}

/* Opens a worker. The nodes of a worker fill whole cache lines of channel words, so that two
 * workers seldom write to the same line. */
static cn_status open_worker(cni_store *k, uint32_t i, uint32_t workers)
{
    uint64_t share = ((cni_store_nodes(k) + workers - 1) / workers + WORDS_OF_CACHE_LINE - 1) /
                     WORDS_OF_CACHE_LINE * WORDS_OF_CACHE_LINE;
    const uint64_t first = k->base.part.first + i * share, last = k->base.part.end;
    cni_store_worker *w = cni_store_worker_at(k, i);
    w->first_node = first < last ? first : last;
    w->end_node = first + share < last ? first + share : last;
    atomic_init(&w->failed, UINT64_MAX);
    /* a shared buffer begins with room for the arrivals of two cycles */
    uint32_t size = CNI_STORE_HOME;
    while (!k->separate && 1u << size < 2 * k->shape.ports)
        size++;
    uint64_t queues = cni_store_queues(k->queues, w->end_node - w->first_node);
    CNI_TRY(cni_pool_open(&w->pool, queues, size, k->shape.width));
    w->queue = k->queue + cni_store_queue(k->queues, cni_store_at(k, w->first_node), 0);
    for (uint64_t q = 0; q < queues; q++)
        w->queue[q] = cni_queue_at_home(&w->pool, (uint32_t)q);
    return CN_OK;
}

static cn_status open_state(cni_store *k, uint32_t threads)
{
    const cni_store_shape *s = &k->shape;
    uint64_t nodes = cni_store_nodes(k), channels = cni_store_queues(s->ports, nodes);
    k->queue = cni_allocate(cni_store_queues(k->queues, nodes), sizeof *k->queue);
    CNI_TRY_MEMORY(k->queue);
    CNI_TRY(cni_store_open_banks(k, k->channel));
    if (k->slotted_clock && s->selection == CN_SELECTION_LEAST_LOADED &&
        (k->seen_length = cni_allocate(channels, sizeof *k->seen_length)) == NULL)
        return CN_ERR_MEMORY;
    if (!k->slotted_clock && (k->busy = cni_allocate(channels + 1, sizeof *k->busy)) == NULL)
        return CN_ERR_MEMORY;
    CNI_TRY(cni_divided_open_hands(&k->base, k->slotted_clock ? threads : 1, nodes,
                                   sizeof(cni_store_worker)));
    uint32_t workers = cni_team_workers(k->base.team);
    for (uint32_t i = 0; i < workers; i++)
        CNI_TRY(open_worker(k, i, workers));
    return CN_OK;
}

void cni_store_close(void *state)
{
    cni_store *k = state;
    for (uint32_t i = 0; k->base.hands != NULL && i < cni_team_workers(k->base.team); i++)
        if (k->base.hands[i] != NULL)
            cni_release(cni_store_worker_at(k, i)->pool.words);
    cni_divided_close(&k->base);
    cni_network_close(&k->network);
    cni_release(k->by_header);
    cni_release(k->hops);
    cni_release(k->from);
    cni_release(k->from_first);
    cni_release(k->queue);
    cni_release(k->channel[0]);
    cni_release(k->channel[1]);
    cni_release(k->busy);
    cni_release(k->seen_length);
    cni_release(k);
}

/* Refuses to divide a simulation in continuous time: its next event may be in any part. */
static cn_status check_clock(const cni_store *k, const cn_scenario *scenario)
{
    if (k->slotted_clock || scenario->part == NULL)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_sim_open_part: in continuous time (slotted = no) the system %s cannot be "
                    "divided into parts; slotted = yes can",
                    scenario->system->name);
}

cn_status cni_store_open(const cn_scenario *scenario, uint64_t seed, void **state)
{
    cni_store *k = cni_allocate(1, sizeof *k);
    CNI_TRY_MEMORY(k);
    k->separate = scenario->system->kernel->variant == CNI_STORE_SEPARATE;
    k->slotted_clock = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    k->load = scenario->value[CN_PARAM_LOAD];
    k->shape.selection = (cn_selection)scenario->value[CN_PARAM_SELECTION];
    k->base.seed = seed;
    k->stream = cni_random_derive(seed, 0);
    cni_part_begin(scenario, &k->base.part);
    k->shape.is_wide = k->base.part.parts > 1;
    k->shape.has_pdep = cni_has_pdep();
    k->by_lanes = cni_has_lanes();
    cn_status status = check_clock(k, scenario);
    if (status == CN_OK)
        status = open_network(k, scenario, seed);
    if (status == CN_OK && scenario->value[CN_PARAM_STATISTICS] != 0.0)
        status = cni_counts_open_nodes(scenario->topology, cni_store_nodes(k), CNI_ALL_COUNTS,
                                       &k->base.counts);
    if (status == CN_OK)
        status = open_state(k, (uint32_t)scenario->value[CN_PARAM_THREADS]);
    k->arrivals = k->load * k->network.endpoints;
    if (status == CN_OK)
        *state = k;
    else
        cni_store_close(k);
    return status;
}

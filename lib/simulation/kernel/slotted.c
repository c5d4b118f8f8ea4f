/* The traffic that a scenario brings to a slotted kernel: a pattern, a source, or a trace. */
#include "simulation/kernel/slotted.h"

#include "cubenet/simulation.h"

#include "base/error.h"
#include "scenario/system.h"
#include "topology/topology.h"

static cn_status open_trace(cni_slotted *slotted)
{
    const cni_traffic_table *table = slotted->traffic->table;
    slotted->trace = table->trace;
    slotted->trace_count = table->trace_count;
    if (!table->trace_has_flits)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_sim_open: the trace has messages of more than one flit, but in this system "
                    "all messages have one length");
}

/* Draws the states of on-off sources before the first cycle, from a sequence that no cycle uses. */
static cn_status open_states(cni_slotted *slotted, uint64_t seed)
{
    slotted->on = cni_allocate(slotted->nodes, sizeof *slotted->on);
    CNI_TRY_MEMORY(slotted->on);
    uint64_t stream = cni_random_derive(seed, UINT64_MAX);
    for (uint64_t i = 0; i < slotted->nodes; i++)
        slotted->on[i] =
            cni_source_first_state(&slotted->source, cni_random_word(stream, slotted->first + i));
    return CN_OK;
}

cn_status cni_slotted_open(const cn_scenario *scenario, uint64_t seed, uint64_t first,
                           uint64_t nodes, cni_slotted *slotted)
{
    double load = scenario->value[CN_PARAM_LOAD];
    cn_source of_system = scenario->system->source;
    slotted->first = first;
    slotted->nodes = nodes;
    if (!cni_traffic_is_plain(cni_traffic_of(scenario), CN_SOURCE_GEOMETRIC))
        slotted->traffic = cni_traffic_of(scenario);
    if (cni_traffic_is_trace(slotted->traffic))
        return open_trace(slotted);
    slotted->load = load;
    cni_geometric_start(&slotted->geometric, load);
    CNI_TRY(cni_source_start("cn_sim_open", slotted->traffic, of_system, load, &slotted->source));
    if (slotted->source.kind == CN_SOURCE_ON_OFF)
        return open_states(slotted, seed);
    return CN_OK;
}

void cni_slotted_close(cni_slotted *slotted)
{
    cni_release(slotted->on);
}

cn_status cni_slotted_visit(cni_archive *archive, cni_slotted *slotted)
{
    if (slotted->on == NULL)
        return CN_OK;
    cni_archive_u8s(archive, slotted->on, slotted->nodes);
    for (uint64_t i = 0; i < slotted->nodes; i++)
        CNI_ALLOW(slotted->on[i] <= 1, "the state of a source");
    return CN_OK;
}

uint64_t cni_slotted_offered(const cni_slotted *slotted, uint64_t node, uint64_t stream)
{
    if (slotted->traffic != NULL && !cni_traffic_sends(slotted->traffic, node))
        return 0;
    if (slotted->source.kind == CN_SOURCE_GEOMETRIC)
        return cni_geometric_offered(&slotted->geometric, stream);
    return cni_source_offered(&slotted->source, stream, CNI_WORDS_OFFERED,
                              slotted->on == NULL ? NULL : &slotted->on[node - slotted->first]);
}

size_t cni_slotted_between(const cni_slotted *slotted, uint64_t first, uint64_t last)
{
    return cni_trace_find(slotted->traffic, last + 1, 0) -
           cni_trace_find(slotted->traffic, first, 0);
}

const cni_trace_message *cni_slotted_find(const cni_slotted *slotted, uint64_t cycle, uint64_t node,
                                          uint64_t index)
{
    size_t at = cni_trace_find(slotted->traffic, cycle, node);
    if (index >= slotted->trace_count - at)
        return NULL;
    const cni_trace_message *m = slotted->trace + at + index;
    return m->cycle == cycle && m->source == node ? m : NULL;
}

uint64_t cni_slotted_next(const cni_slotted *slotted, uint64_t cycle)
{
    if (slotted->trace != NULL)
        return cni_trace_next(slotted->traffic, cycle);
    return slotted->load > 0.0 ? cycle + 1 : CN_NEVER;
}

/* Deadlock verdicts on rules of wormhole routing (Dally & Seitz 1987; Duato 1993). */
#include "routing/deadlock/dependency.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/names.h"
#include "routing/faults/fault.h"
#include "topology/topology.h"

static const cni_named verdicts[] = {
    [CN_VERDICT_ACYCLIC] = {"acyclic", "no deadlock: there is no dependency cycle"},
    [CN_VERDICT_ESCAPE] = {"escape",
                           "no deadlock: there are dependency cycles, but always an escape "
                           "channel, and none of them among escape channels"},
    [CN_VERDICT_CYCLIC] = {"cyclic", "there is a dependency cycle, and there are no escape "
                                     "channels"},
    [CN_VERDICT_ESCAPE_CYCLIC] = {"escape-cyclic", "the escape channels have a dependency cycle"},
    [CN_VERDICT_ESCAPE_MISSING] = {"escape-missing",
                                   "somewhere a message may take no escape channel"},
    [CN_VERDICT_STUCK] = {"stuck", "somewhere a message may take no channel at all"},
};
const cni_names cni_verdicts = CNI_NAMES("verdict", verdicts, 0);

struct cn_deadlock {
    cni_object head;
    cni_references references;
    cn_verdict verdict;
    uint64_t channels, dependencies, escape_channels, escape_dependencies;
    size_t length;
    struct hop {
        uint64_t node, destination;
        uint32_t port, virtual_channel;
    } * cycle;
};

const char *cn_verdict_text(cn_verdict verdict)
{
    return cni_text_of(&cni_verdicts, (int)verdict, "unknown verdict");
}

cn_deadlock *cni_deadlock_retain(cn_deadlock *check)
{
    cni_retain(&check->references);
    return check;
}

static cn_status keep_cycle(cn_deadlock *check, const cni_dependencies *d, const cni_wait waits[],
                            size_t length)
{
    check->cycle = cni_allocate(length, sizeof *check->cycle);
    CNI_TRY_MEMORY(check->cycle);
    check->length = length;
    for (size_t i = 0; i < length; i++) {
        struct hop *hop = &check->cycle[i];
        uint64_t destination = waits[i].destination % d->rules.topology->nodes;
        *hop = (struct hop){waits[i].node, destination, CN_NO_PORT, 0};
        if (waits[i].pair == CNI_NO_PAIR)
            continue;
        const cni_pair *pair = &d->pairs[waits[i].pair];
        hop->node = pair->tail;
        hop->port = pair->port;
        hop->virtual_channel = pair->virtual_channel;
    }
    return CN_OK;
}

/* Finds a shortest cycle of a graph, as pairs. *length is 0 when there is no cycle. */
static cn_status find_cycle(const cni_dependencies *d, cni_dependency_graph of, cni_wait waits[],
                            size_t *length)
{
    const cni_bit_graph *graph = of == CNI_EXTENDED_GRAPH ? &d->extended : &d->direct;
    uint32_t *cycle = cni_allocate(graph->vertices, sizeof *cycle);
    cn_status status =
        cycle == NULL ? CN_ERR_MEMORY : cni_shortest_cycle(graph, d->budget, cycle, length);
    for (size_t i = 0; status == CN_OK && i < *length; i++)
        waits[i].pair = of == CNI_EXTENDED_GRAPH ? d->escapes[cycle[i]] : cycle[i];
    cni_release(cycle);
    return status;
}

/* Keeps the verdict and the cycle of a graph that shows it. */
static cn_status conclude(cn_deadlock *check, cni_dependencies *d, cn_verdict verdict,
                          cni_dependency_graph of, cni_wait waits[], size_t length)
{
    check->verdict = verdict;
    CNI_TRY(cni_find_destinations(d, of, waits, length));
    return keep_cycle(check, d, waits, length);
}

/* Finds the verdict, with the cycle or the message that shows it. waits has room for every pair. */
static cn_status judge(cn_deadlock *check, cni_dependencies *d, cni_wait waits[])
{
    size_t length = 0, escape_length = 0;
    int has_escapes = d->rules.escape != NULL || d->rules.escape_set != 0;
    CNI_TRY(cni_find_direct(d));
    if (d->is_stuck) {
        check->verdict = CN_VERDICT_STUCK;
        return keep_cycle(check, d, &d->stuck, 1);
    }
    CNI_TRY(find_cycle(d, CNI_DIRECT_GRAPH, waits, &length));
    if (length == 0) {
        check->verdict = CN_VERDICT_ACYCLIC;
        return CN_OK;
    }
    if (!has_escapes)
        return conclude(check, d, CN_VERDICT_CYCLIC, CNI_DIRECT_GRAPH, waits, length);
    if (d->is_missing) {
        check->verdict = CN_VERDICT_ESCAPE_MISSING;
        return keep_cycle(check, d, &d->missing, 1);
    }
    CNI_TRY(cni_find_extended(d));
    CNI_TRY(find_cycle(d, CNI_EXTENDED_GRAPH, waits, &escape_length));
    if (escape_length > 0)
        return conclude(check, d, CN_VERDICT_ESCAPE_CYCLIC, CNI_EXTENDED_GRAPH, waits,
                        escape_length);
    return conclude(check, d, CN_VERDICT_ESCAPE, CNI_DIRECT_GRAPH, waits, length);
}

static void count(cn_deadlock *check, const cni_dependencies *d)
{
    for (uint32_t p = 0; p < d->pair_count; p++)
        check->channels += (uint64_t)cni_has_bit(d->used, p);
    check->dependencies = cni_bit_graph_edges(&d->direct);
    check->escape_channels = d->escape_count;
    if (d->extended.rows != NULL)
        check->escape_dependencies = cni_bit_graph_edges(&d->extended);
}

cn_status cni_deadlock_make(cni_dependencies *d, cn_deadlock **check)
{
    cn_deadlock *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->references = 1;
    cni_wait *waits = NULL;
    cn_status status = cni_dependencies_open(d);
    if (status == CN_OK) {
        waits = cni_allocate(d->pair_count, sizeof *waits);
        status = waits == NULL ? CN_ERR_MEMORY : judge(made, d, waits);
    }
    if (status == CN_OK)
        count(made, d);
    else
        cn_deadlock_free(&made);
    cni_release(waits);
    cni_dependencies_close(d);
    *check = made;
    return status;
}

cn_status cn_deadlock_check(const cn_topology *topology, uint32_t virtual_channels, cn_vc_rule rule,
                            cn_vc_rule escape, uint64_t escape_set, void *user,
                            const cn_control *control, cn_deadlock **check)
{
    CNI_REQUIRE_OUT(check);
    CNI_REQUIRE(topology);
    CNI_BUDGET(budget, control, 0);
    CNI_REQUIRE_FUNCTION(rule);
    CNI_TRY(cni_check_range(__func__, "virtual_channels", virtual_channels, 1,
                            CN_MAX_VIRTUAL_CHANNELS));
    if (escape != NULL && escape_set != 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: escape_set = 0x%llx, but must be 0 when escape is given", __func__,
                        (unsigned long long)escape_set);
    if ((escape_set & ~(UINT64_MAX >> (CN_MAX_VIRTUAL_CHANNELS - virtual_channels))) != 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: escape_set = 0x%llx, but the virtual channels are 0 to %lu", __func__,
                        (unsigned long long)escape_set, (unsigned long)(virtual_channels - 1));
    cni_dependencies d = {
        .rules = {__func__, topology, virtual_channels, rule, escape, escape_set, user,
                  topology->max_degree},
        .legs = 1,
        .budget = &budget,
    };
    return cni_deadlock_make(&d, check);
}

void cn_deadlock_free(cn_deadlock **deadlock)
{
    if (deadlock == NULL || !CNI_IS_VALID(*deadlock))
        return;
    cn_deadlock *check = *deadlock;
    *deadlock = NULL;
    if (!cni_drop(&check->references))
        return;
    cni_release(check->cycle);
    cni_object_release(check);
}

cn_status cn_deadlock_verdict(const cn_deadlock *check, cn_verdict *verdict)
{
    CNI_REQUIRE_BOTH(check, verdict);
    *verdict = check->verdict;
    return CN_OK;
}

int cn_deadlock_is_free(const cn_deadlock *check)
{
    return CNI_IS_VALID(check) &&
           (check->verdict == CN_VERDICT_ACYCLIC || check->verdict == CN_VERDICT_ESCAPE);
}

cn_status cn_deadlock_counts(const cn_deadlock *check, uint64_t *channels, uint64_t *dependencies,
                             uint64_t *escape_channels, uint64_t *escape_dependencies)
{
    CNI_REQUIRE(check);
    CNI_GIVE(channels, check->channels);
    CNI_GIVE(dependencies, check->dependencies);
    CNI_GIVE(escape_channels, check->escape_channels);
    CNI_GIVE(escape_dependencies, check->escape_dependencies);
    return CN_OK;
}

cn_status cn_deadlock_cycle(const cn_deadlock *check, uint64_t nodes[], uint32_t ports[],
                            uint32_t virtual_channels[], uint64_t destinations[], size_t capacity,
                            size_t *count)
{
    CNI_REQUIRE(check);
    CNI_REQUIRE_ARRAY(nodes, capacity);
    CNI_REQUIRE_ARRAY(ports, capacity);
    CNI_REQUIRE_ARRAY(virtual_channels, capacity);
    CNI_REQUIRE_ARRAY(destinations, capacity);
    CNI_REQUIRE_FIT(check->length, capacity, count, "the dependency cycle has length %zu",
                    check->length);
    for (size_t i = 0; i < check->length; i++) {
        nodes[i] = check->cycle[i].node;
        ports[i] = check->cycle[i].port;
        virtual_channels[i] = check->cycle[i].virtual_channel;
        destinations[i] = check->cycle[i].destination;
    }
    return CN_OK;
}

void cni_deadlock_show(const cn_deadlock *check, const cn_topology *topology, char text[],
                       size_t size)
{
    enum { SHOWN = 6 };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < check->length && i < SHOWN; i++)
        if (check->cycle[i].port != CN_NO_PORT)
            used += (size_t)snprintf(text + used, size - used, "%s%llu->%llu",
                                     i == 0 ? ": channels " : ", ",
                                     (unsigned long long)check->cycle[i].node,
                                     (unsigned long long)cni_neighbor(
                                         topology, check->cycle[i].node, check->cycle[i].port));
    if (check->length > SHOWN)
        snprintf(text + used, size - used, ", ...");
}

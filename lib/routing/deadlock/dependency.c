/*
 * Dependencies between virtual channels. For one destination at a time, a depth-first search from
 * every source finds all pairs of channel and virtual channel that a message may hold. The search
 * sets the dependencies in matrices of bits.
 */
#include "routing/deadlock/dependency.h"

#include "base/error.h"
#include "base/memory.h"
#include "topology/topology.h"

enum { MOST_LOG2 = 13 };
#define MOST (UINT64_C(1) << MOST_LOG2)

static cn_status too_large(const cni_dependencies *d)
{
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: %s with virtual_channels = %lu, but at most 2^%d nodes and 2^%d virtual "
                    "channels in all are allowed",
                    d->rules.function, d->rules.topology->name,
                    (unsigned long)d->rules.virtual_channels, MOST_LOG2, MOST_LOG2);
}

static cn_status fail_fickle(const cni_dependencies *d)
{
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: rule or escape returned different channels for the same arguments",
                    d->rules.function);
}

static cn_status number_pairs(cni_dependencies *d)
{
    const cn_topology *t = d->rules.topology;
    uint64_t count = 0;
    if (t->nodes > MOST)
        return too_large(d);
    d->first = cni_allocate(t->nodes, sizeof *d->first);
    CNI_TRY_MEMORY(d->first);
    for (uint64_t node = 0; node < t->nodes; node++) {
        d->first[node] = (uint32_t)count;
        count += (uint64_t)t->ops->degree(t, node) * d->rules.virtual_channels;
        if (count > MOST)
            return too_large(d);
    }
    d->pair_count = (uint32_t)count;
    d->pairs = cni_allocate(count, sizeof *d->pairs);
    CNI_TRY_MEMORY(d->pairs);
    cni_pair *pair = d->pairs;
    for (uint64_t node = 0; node < t->nodes; node++)
        for (uint32_t port = 0; port < t->ops->degree(t, node); port++) {
            uint32_t head = (uint32_t)t->ops->neighbor(t, node, port);
            for (uint32_t v = 0; v < d->rules.virtual_channels; v++)
                *pair++ = (cni_pair){(uint32_t)node, head, port, v};
        }
    return CN_OK;
}

cn_status cni_dependencies_open(cni_dependencies *d)
{
    CNI_TRY(number_pairs(d));
    size_t pairs = d->pair_count, words = (pairs + 63) / 64;
    const cni_array arrays[] = {
        CNI_ARRAY(d->sets, d->rules.ports), CNI_ARRAY(d->escape_sets, d->rules.ports),
        CNI_ARRAY(d->seen, words),          CNI_ARRAY(d->choices, pairs),
        CNI_ARRAY(d->order, pairs),         CNI_ARRAY(d->stack, pairs),
        CNI_ARRAY(d->next, pairs),          CNI_ARRAY(d->used, words),
        CNI_ARRAY(d->column, pairs),        CNI_ARRAY(d->escapes, pairs),
    };
    CNI_TRY(cni_allocate_arrays(&d->block, arrays));
    for (size_t p = 0; p < pairs; p++)
        d->column[p] = CNI_NO_PAIR;
    return cni_bit_graph_open(&d->direct, pairs);
}

void cni_dependencies_close(cni_dependencies *d)
{
    cni_release(d->first);
    cni_release(d->pairs);
    cni_release(d->block);
    cni_release(d->targets);
    cni_bit_graph_close(&d->direct);
    cni_bit_graph_close(&d->extended);
    cni_bit_graph_close(&d->reach);
}

static uint32_t target_count(const cni_dependencies *d)
{
    return d->legs * (uint32_t)d->rules.topology->nodes;
}

/* The node of a target: there its leg ends. */
static uint32_t node_of(const cni_dependencies *d, uint32_t target)
{
    return target % (uint32_t)d->rules.topology->nodes;
}

/* Whether the leg to the target is the last one. */
static int is_last(const cni_dependencies *d, uint32_t target)
{
    return target >= target_count(d) - d->rules.topology->nodes;
}

static int is_end(const cni_dependencies *d, uint32_t node, int is_middle)
{
    return d->is_end == NULL || d->is_end(d->rules.user, node, is_middle);
}

static int is_target(const cni_dependencies *d, uint32_t target)
{
    return is_end(d, node_of(d, target), !is_last(d, target));
}

/* ---- what one message may ask for ---- */

/* Appends the pairs of the sets of a node to `targets`, and numbers new escapes. */
static cn_status append(cni_dependencies *d, uint32_t node, uint32_t degree, const uint64_t sets[],
                        int escapes)
{
    for (uint32_t p = 0; p < degree; p++)
        for (uint32_t v = 0; v < d->rules.virtual_channels; v++) {
            if ((sets[p] >> v & 1) == 0)
                continue;
            uint32_t pair = d->first[node] + p * d->rules.virtual_channels + v;
            CNI_TRY(cni_grow(&d->targets, &d->target_capacity, d->target_count + 1,
                             sizeof *d->targets));
            d->targets[d->target_count++] = pair;
            if (escapes && d->column[pair] == CNI_NO_PAIR) {
                d->column[pair] = d->escape_count;
                d->escapes[d->escape_count++] = pair;
            }
        }
    return CN_OK;
}

/* The choices of a message, its escapes first. */
static cn_status expand(cni_dependencies *d, const cni_wait *at, cni_choices *choices)
{
    uint32_t degree = d->rules.topology->ops->degree(d->rules.topology, at->node);
    cni_origin from = {at->node, CN_NO_PORT, 0};
    if (at->pair != CNI_NO_PAIR)
        from = (cni_origin){d->pairs[at->pair].tail, d->pairs[at->pair].port,
                            d->pairs[at->pair].virtual_channel};
    CNI_TRY(cni_ask_rules(&d->rules, at->node, at->destination, &from, d->sets, d->escape_sets));
    choices->begin = d->target_count;
    CNI_TRY(append(d, at->node, degree, d->escape_sets, 1));
    choices->escapes = d->target_count;
    for (uint32_t p = 0; p < degree; p++)
        d->sets[p] &= ~d->escape_sets[p];
    CNI_TRY(append(d, at->node, degree, d->sets, 0));
    choices->end = d->target_count;
    if (choices->begin == choices->end && !d->is_stuck) {
        d->is_stuck = 1;
        d->stuck = *at;
    }
    if (choices->begin == choices->escapes && !d->is_missing) {
        d->is_missing = 1;
        d->missing = *at;
    }
    return CN_OK;
}

/* ---- all walks of messages for one destination ---- */

/* A message comes to hold the pair: finds its choices, and puts the pair on the stack. */
static cn_status enter_pair(cni_dependencies *d, uint32_t pair, uint32_t destination,
                            size_t *height)
{
    cni_wait at = {pair, d->pairs[pair].head, destination};
    cni_set_bit(d->seen, pair);
    cni_set_bit(d->used, pair);
    d->choices[pair] = (cni_choices){d->target_count, d->target_count, d->target_count};
    int ends = at.node == node_of(d, destination);
    if (!ends || !is_last(d, destination))
        CNI_TRY(expand(d, &at, &d->choices[pair]));
    d->stack[(*height)++] = pair;
    /* the walk to this target ends with its leg */
    d->next[pair] = (ends ? d->choices[pair].end : d->choices[pair].begin) + 1;
    return CN_OK;
}

/* Depth-first search over all pairs that a message may hold after this one. */
static cn_status walk(cni_dependencies *d, uint32_t pair, uint32_t destination)
{
    size_t height = 0;
    if (cni_has_bit(d->seen, pair))
        return CN_OK;
    CNI_TRY(enter_pair(d, pair, destination, &height));
    while (height > 0) {
        uint32_t top = d->stack[height - 1];
        CNI_TRY(cni_budget_go_on(d->budget, 8));
        if (d->next[top] > d->choices[top].end) {
            d->order[d->order_count++] = top;
            d->next[top] = 0;
            height--;
            continue;
        }
        uint32_t target = d->targets[d->next[top]++ - 1];
        if (!cni_has_bit(d->seen, target))
            CNI_TRY(enter_pair(d, target, destination, &height));
        else if (d->next[target] != 0)
            d->loops = 1;
    }
    return CN_OK;
}

/* Follows all messages for one destination, and fills the members that belong to it. */
static cn_status explore(cni_dependencies *d, uint32_t destination)
{
    for (size_t w = 0; w < (d->pair_count + 63) / 64; w++)
        d->seen[w] = 0;
    for (size_t p = 0; p < d->pair_count; p++)
        d->next[p] = 0;
    d->target_count = 0;
    d->order_count = 0;
    d->loops = 0;
    for (uint32_t source = 0; source < d->rules.topology->nodes; source++) {
        cni_wait at = {CNI_NO_PAIR, source, destination};
        cni_choices choices;
        if (source == node_of(d, destination) ||
            !is_end(d, source, destination >= d->rules.topology->nodes))
            continue;
        CNI_TRY(expand(d, &at, &choices));
        for (size_t c = choices.begin; c < choices.end; c++)
            CNI_TRY(walk(d, d->targets[c], destination));
        CNI_TRY(cni_budget_go_on(d->budget, 16));
    }
    return CN_OK;
}

cn_status cni_find_direct(cni_dependencies *d)
{
    for (uint32_t destination = 0; destination < target_count(d); destination++) {
        if (!is_target(d, destination))
            continue;
        CNI_TRY(explore(d, destination));
        for (size_t i = 0; i < d->order_count; i++) {
            const cni_choices *choices = &d->choices[d->order[i]];
            for (size_t c = choices->begin; c < choices->end; c++)
                cni_set_bit(cni_bit_row(&d->direct, d->order[i]), d->targets[c]);
        }
        if (d->is_stuck)
            return CN_OK;
    }
    return CN_OK;
}

/* ---- escapes ---- */

/* Adds to the row of a pair in `reach` the rows of its choices that are no escapes; returns whether
 * any escape was new. */
static int spread_targets(cni_dependencies *d, uint32_t pair)
{
    uint64_t *row = cni_bit_row(&d->reach, pair), added = 0;
    for (size_t c = d->choices[pair].escapes; c < d->choices[pair].end; c++) {
        const uint64_t *from = cni_bit_row(&d->reach, d->targets[c]);
        for (size_t w = 0; w < d->reach.words; w++) {
            added |= from[w] & ~row[w];
            row[w] |= from[w];
        }
    }
    return added != 0;
}

/* For every pair: the escapes that a message on the pair may ask for before it takes another
 * escape. */
static cn_status find_reach(cni_dependencies *d, uint32_t destination)
{
    CNI_TRY(explore(d, destination));
    if (d->escape_count != d->extended.vertices)
        return fail_fickle(d);
    for (size_t i = 0; i < d->order_count; i++) {
        uint32_t pair = d->order[i];
        uint64_t *row = cni_bit_row(&d->reach, pair);
        for (size_t w = 0; w < d->reach.words; w++)
            row[w] = 0;
        for (size_t c = d->choices[pair].begin; c < d->choices[pair].escapes; c++)
            cni_set_bit(row, d->column[d->targets[c]]);
    }
    int again = 1;
    while (again) { /* once, unless a message may come back to a pair */
        again = 0;
        for (size_t i = 0; i < d->order_count; i++) {
            again |= spread_targets(d, d->order[i]);
            CNI_TRY(cni_budget_go_on(d->budget, d->reach.words));
        }
        again &= d->loops;
    }
    return CN_OK;
}

cn_status cni_find_extended(cni_dependencies *d)
{
    CNI_TRY(cni_bit_graph_open(&d->extended, d->escape_count));
    d->reach.vertices = d->pair_count;
    d->reach.words = d->extended.words;
    d->reach.rows =
        cni_allocate((uint64_t)d->reach.vertices * d->reach.words, sizeof *d->reach.rows);
    CNI_TRY_MEMORY(d->reach.rows);
    for (uint32_t destination = 0; destination < target_count(d); destination++) {
        if (!is_target(d, destination))
            continue;
        CNI_TRY(find_reach(d, destination));
        for (size_t i = 0; i < d->order_count; i++) {
            uint32_t pair = d->order[i];
            if (d->column[pair] == CNI_NO_PAIR)
                continue;
            uint64_t *row = cni_bit_row(&d->extended, d->column[pair]);
            for (size_t w = 0; w < d->reach.words; w++)
                row[w] |= cni_bit_row(&d->reach, pair)[w];
        }
    }
    return CN_OK;
}

/* Whether a message for the last explored destination may hold a and ask for b. */
static int depends(const cni_dependencies *d, cni_dependency_graph of, uint32_t a, uint32_t b)
{
    if (!cni_has_bit(d->seen, a))
        return 0;
    if (of == CNI_EXTENDED_GRAPH)
        return cni_has_bit(cni_bit_row(&d->reach, a), d->column[b]);
    for (size_t c = d->choices[a].begin; c < d->choices[a].end; c++)
        if (d->targets[c] == b)
            return 1;
    return 0;
}

cn_status cni_find_destinations(cni_dependencies *d, cni_dependency_graph of, cni_wait waits[],
                                size_t count)
{
    size_t left = count;
    for (size_t i = 0; i < count; i++)
        waits[i].destination = UINT32_MAX;
    for (uint32_t destination = 0; left > 0 && destination < target_count(d); destination++) {
        if (!is_target(d, destination))
            continue;
        CNI_TRY(of == CNI_EXTENDED_GRAPH ? find_reach(d, destination) : explore(d, destination));
        for (size_t i = 0; i < count; i++)
            if (waits[i].destination == UINT32_MAX &&
                depends(d, of, waits[i].pair, waits[(i + 1) % count].pair)) {
                waits[i].destination = destination;
                left--;
            }
    }
    if (left == 0)
        return CN_OK;
    return fail_fickle(d);
}

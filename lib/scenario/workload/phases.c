/*
 * Collective operations by phases. In a phase of a reduce-scatter each node of a group has a
 * partial sum of the same data, and the nodes divide these data among themselves. An allgather goes
 * back through the same phases: the nodes of a group bring together the data that each of them has.
 * A group is the nodes of a ring, the nodes that differ in one digit only, or two partners. The
 * superblock of a node in a phase is the data that the node has before this phase of the allgather.
 *
 * The data may be split into parts, which are independent of each other. Each part goes through all
 * dimensions and begins with another dimension.
 */
#include "scenario/workload/collectives.h"

#include <string.h>

#include "base/bits.h"
#include "base/error.h"

/* A phase: which digit changes from a node to the others of its group, and how. Where the node
 * numbers are the only dimension, the whole number is the digit. */
typedef struct phase {
    uint64_t stride, radix;
    uint64_t group;    /* nodes of a group */
    uint64_t distance; /* between partners; 1 between neighbours in a ring */
    int up;            /* 1: to greater digits; of two partners, from the even digit */
} phase;

typedef struct list {
    uint64_t *number;
    size_t count, room;
} list;

typedef struct run {
    int round; /* 1: messages go around a ring in a group; 0: each node sends to each other */
    int split; /* 1: the data are split into a part for each dimension and direction */
    /* 1: a group is two partners, and a dimension has a phase for each halving of its nodes */
    int halves;
    /* 1: the digits of partners differ in one bit; 0: one partner looks up, the other down */
    int flips;
    const cni_making *making;
    uint32_t dimensions; /* to go through; 1 where is_whole() */
    uint64_t nodes, parts;
    uint32_t phases;
    phase phase[CNI_MAX_DIMENSIONS];
    /* by place in a cycle of all nodes: the node there; NULL: the place is the node's number */
    uint64_t *cycle;
    uint64_t *place; /* by node: its place in the cycle */
    uint64_t *held;  /* by phase and node: flits of the superblock */
    list *heard;     /* by node: the messages that brought its data */
    size_t *known;   /* by node: the number of these messages at the beginning of the phase */
    /* by node: the message that comes to it in the step before, and in this step */
    uint64_t *last, *next;
    list waits; /* of the transfer at hand */
} run;

/* ---- phases ---- */

/* Whether the numbers of all nodes are the only dimension. */
static int is_whole(const run *r)
{
    return !r->split || r->making->topology->dimensions == 0;
}

/* Adds phase t of a dimension. On two-way rings half of the parts go up, and half go down. Partners
 * that do not flip a bit are (2^(t+1) + (-1)^t) / 3 apart, and their direction alternates from
 * phase to phase. */
static void add_phase(run *r, uint64_t part, uint32_t d, uint64_t radix, uint32_t t)
{
    int odd = t % 2, is_low = part < r->dimensions;
    phase *p = &r->phase[r->phases++];
    *p = (phase){.stride = is_whole(r) ? 1 : r->making->topology->stride[d],
                 .radix = radix,
                 .group = radix,
                 .distance = 1,
                 .up = !is_low || is_whole(r)};
    if (!r->halves)
        return;
    p->group = 2;
    p->distance = r->flips ? UINT64_C(1) << t : ((UINT64_C(2) << t) + 1 - 2 * (uint64_t)odd) / 3;
    p->up = is_low != odd;
}

/* Lists the phases of a part. The dimensions take turns; a finished dimension is left out. */
static void set_phases(run *r, uint64_t part)
{
    uint32_t through = 0;
    r->phases = 0;
    for (uint32_t t = 0; through < r->dimensions; t++) {
        through = 0;
        for (uint32_t i = 0; i < r->dimensions; i++) {
            uint32_t d = (uint32_t)((part + i) % r->dimensions);
            uint64_t radix = is_whole(r) ? r->nodes : r->making->topology->radix[d];
            if (t < (r->halves ? cni_lowest_bit(radix) : 1))
                add_phase(r, part, d, radix, t);
            else
                through++;
        }
    }
}

/* ---- groups ---- */

/* The digit of the j-th node of a group; for 0 the node's own digit. */
static uint64_t other(const run *r, const phase *p, uint64_t digit, uint64_t j)
{
    uint64_t away = j * p->distance;
    int up = r->halves && digit % 2 != 0 ? !p->up : p->up;
    return r->flips ? digit ^ away : (digit + (up ? away : p->radix - away)) % p->radix;
}

/* The j-th node of the group of a node. */
static uint64_t member(const run *r, const phase *p, uint64_t node, uint64_t j)
{
    uint64_t at = r->place == NULL ? node : r->place[node];
    uint64_t digit = at / p->stride % p->radix;
    at = at - digit * p->stride + other(r, p, digit, j) * p->stride;
    return r->cycle == NULL ? at : r->cycle[at];
}

/* ---- waits ---- */

static cn_status append(list *l, uint64_t number)
{
    CNI_TRY(cni_grow(&l->number, &l->room, l->count + 1, sizeof *l->number));
    l->number[l->count++] = number;
    return CN_OK;
}

/* Notes the messages of a transfer that brings data to a node. */
static cn_status receive_message(run *r, uint64_t node, uint64_t first, uint64_t flits)
{
    for (uint64_t i = 0; i < cni_count_pieces(r->making, flits); i++)
        CNI_TRY(append(&r->heard[node], first + i));
    return CN_OK;
}

/* Gives a node that has heard several messages one message to itself, which waits for all of them.
 * Later messages then wait for this one. */
static cn_status join_messages(run *r, uint64_t node)
{
    list *heard = &r->heard[node];
    if (heard->count < 2)
        return CN_OK;
    cni_transfer joined = {node, node, 0, heard->number, heard->count, 0, 0, CNI_NOT_BEHIND};
    CNI_TRY(cni_add_transfer(r->making, &joined));
    heard->number[0] = cn_workload_count(r->making->workload) - 1;
    heard->count = 1;
    return CN_OK;
}

/* ---- a phase ---- */

/* In step i of phase f a node sends the superblock of a node of its group. `gathers` is 0 in a
 * reduce-scatter, else 1. */
static cn_status send_superblock(run *r, uint32_t f, uint64_t i, uint64_t node, int gathers)
{
    const phase *p = &r->phase[f];
    uint64_t to = member(r, p, node, r->round ? 1 : i + 1), of = gathers ? node : to;
    if (r->round)
        of = member(r, p, node, gathers ? (p->group - i) % p->group : p->group - 1 - i);
    uint64_t flits = r->held[f * r->nodes + of];
    size_t forwards = r->round && i > 0;
    r->next[to] = CNI_NOT_BEHIND;
    if (flits == 0)
        return CN_OK;
    r->waits.count = 0;
    for (size_t w = 0; w < r->known[node] && !(forwards && gathers); w++)
        CNI_TRY(append(&r->waits, r->heard[node].number[w]));
    if (forwards)
        CNI_TRY(append(&r->waits, r->last[node]));
    r->next[to] = cn_workload_count(r->making->workload);
    cni_transfer sent = {.source = node,
                         .destination = to,
                         .flits = flits,
                         .after = r->waits.number,
                         .count = r->waits.count,
                         .alike = forwards,
                         .behind = CNI_NOT_BEHIND};
    CNI_TRY(cni_add_transfer(r->making, &sent));
    if (r->round && !gathers && i + 2 < p->group)
        return CN_OK; /* the receiver only passes the sum on */
    return receive_message(r, to, r->next[to], flits);
}

/* Makes all steps of phase f. */
static cn_status pass_through(run *r, uint32_t f, int gathers)
{
    uint64_t steps = r->phase[f].group - 1;
    /* whether only one message of each node waits for what the node has heard */
    int one = r->making->most == 0 && (steps == 1 || (r->round && gathers));
    for (uint64_t v = 0; v < r->nodes; v++) {
        if (!one)
            CNI_TRY(join_messages(r, v));
        r->known[v] = r->heard[v].count;
    }
    for (uint64_t i = 0; i < steps; i++) {
        for (uint64_t v = 0; v < r->nodes; v++)
            CNI_TRY(send_superblock(r, f, i, v, gathers));
        uint64_t *last = r->last;
        r->last = r->next;
        r->next = last;
    }
    return CN_OK;
}

/* ---- a part ---- */

/* Finds the superblocks of a part, from the last phase, where they are the blocks of the nodes,
 * back to the first phase. */
static void fill_held(run *r, uint64_t part)
{
    const cni_making *making = r->making;
    uint64_t n = r->nodes, *held = r->held + (r->phases - 1) * n;
    int divides = making->operation != CN_COLLECTIVE_ALLGATHER;
    memset(r->held, 0, r->phases * n * sizeof *r->held);
    for (uint64_t v = 0; v < n; v++)
        held[v] = divides ? cni_block_flits(making->flits, r->parts * n, part * n + v)
                          : cni_block_flits(making->flits, r->parts, part);
    for (uint32_t f = r->phases - 1; f > 0; f--) {
        uint64_t *before = held - n;
        for (uint64_t v = 0; v < n; v++)
            for (uint64_t j = 0; j < r->phase[f].group; j++)
                before[v] += held[member(r, &r->phase[f], v, j)];
        held = before;
    }
}

/* In each phase of an all-to-all a node sends to each node of its group the data for the nodes
 * that agree with that node in the digit: the same amount between any two nodes. */
static void fill_exchanged(run *r, uint64_t part)
{
    uint64_t each = cni_block_flits(r->making->flits, r->parts, part);
    for (uint32_t f = 0; f < r->phases; f++)
        for (uint64_t v = 0; v < r->nodes; v++)
            r->held[f * r->nodes + v] = each * (r->nodes / r->phase[f].group);
}

/* Adds the messages of a part: forward through the phases where data are reduced, then back where
 * data are gathered or exchanged. */
static cn_status make_part(run *r, uint64_t part)
{
    cn_collective_operation operation = r->making->operation;
    set_phases(r, part);
    for (uint64_t v = 0; v < r->nodes; v++)
        r->heard[v].count = 0;
    if (operation == CN_COLLECTIVE_ALL_TO_ALL)
        fill_exchanged(r, part);
    else
        fill_held(r, part);
    if (operation == CN_COLLECTIVE_ALLREDUCE || operation == CN_COLLECTIVE_REDUCE_SCATTER)
        for (uint32_t f = 0; f < r->phases; f++)
            CNI_TRY(pass_through(r, f, 0));
    if (operation != CN_COLLECTIVE_REDUCE_SCATTER)
        for (uint32_t f = r->phases; f-- > 0;)
            CNI_TRY(pass_through(r, f, 1));
    return CN_OK;
}

/* ---- a cycle of all nodes ---- */

/* The node at a place of a cycle in which one digit of each node is 1 less than in the node before:
 * the k-ary Gray code, downward. */
static uint64_t downward(const cn_topology *topology, uint64_t place)
{
    uint64_t node = 0, k = topology->radix[0];
    for (uint32_t d = 0; d < topology->dimensions; d++) {
        uint64_t above = d + 1 < topology->dimensions ? cni_digit(topology, place, d + 1) : 0;
        node += (above + k - cni_digit(topology, place, d)) % k * topology->stride[d];
    }
    return node;
}

/*
 * The node at a place of a cycle that goes to and fro. The most significant digit is the row, and
 * the column is the place in the cycle of the lower digits. The cycle goes through row 0 from the
 * first column to the last, then through the rows above to and fro without column 0, then back
 * through column 0. When the number of the last row is even, the step from this row to column 0
 * goes round the columns.
 */
static uint64_t to_and_fro(const cn_topology *topology, uint64_t place)
{
    uint64_t node = 0;
    for (uint32_t d = topology->dimensions - 1; d > 0; d--) {
        uint64_t rows = topology->radix[d], columns = topology->stride[d];
        uint64_t left = place - columns, middle = (rows - 1) * (columns - 1), row = 0;
        if (place < columns)
            continue; /* row 0 */
        row = left < middle ? 1 + left / (columns - 1) : rows - 1 - (left - middle);
        place = left >= middle ? 0
                : row % 2 == 0 ? 1 + left % (columns - 1)
                               : columns - 1 - left % (columns - 1);
        node += row * columns;
    }
    return node + place;
}

/* The node at a place of a cycle of all nodes. In the networks named here nodes that follow each
 * other are neighbours; elsewhere their numbers ascend. */
static uint64_t node_in_cycle(const cn_topology *topology, uint64_t place)
{
    if (cni_has_rings(topology) && !topology->bidirectional)
        return downward(topology, place);
    if (cni_has_rings(topology) || cni_is_mesh(topology) || cni_sets_digits(topology) ||
        cni_is_hypercube(topology))
        return to_and_fro(topology, place);
    return place;
}

/* ---- the algorithms ---- */

static const run algorithms[] = {
    [CN_ALGORITHM_RING] = {.round = 1},
    [CN_ALGORITHM_RINGS] = {.round = 1, .split = 1},
    [CN_ALGORITHM_RECURSIVE] = {.halves = 1, .flips = 1},
    [CN_ALGORITHM_SWING] = {.halves = 1, .split = 1},
    [CN_ALGORITHM_BINE] = {.halves = 1},
    [CN_ALGORITHM_DIMENSIONS] = {.split = 1},
};

/* The number of transfers of all parts, transfers of empty blocks included. */
static uint64_t count_transfers(const run *r)
{
    uint64_t sends = 0;
    for (uint32_t f = 0; f < r->phases; f++)
        sends += r->phase[f].group - 1;
    return sends * r->nodes * r->parts;
}

cn_status cni_make_phases(const cni_making *making)
{
    const cn_topology *topology = making->topology;
    run r = algorithms[making->algorithm];
    uint64_t n = topology->hosts;
    int both_ways = cni_has_rings(topology) && topology->bidirectional;
    void *block = NULL;
    if (n == 1)
        return CN_OK; /* nothing to send */
    r.making = making;
    r.nodes = n;
    r.dimensions = is_whole(&r) ? 1 : topology->dimensions;
    r.parts = is_whole(&r) ? 1 : r.dimensions * (both_ways ? 2 : 1);
    set_phases(&r, 0);
    CNI_TRY(cni_check_transfers(making, count_transfers(&r), 1));
    const cni_array arrays[] = {CNI_ARRAY_IF(making->algorithm == CN_ALGORITHM_RING, r.cycle, n),
                                CNI_ARRAY_IF(making->algorithm == CN_ALGORITHM_RING, r.place, n),
                                CNI_ARRAY(r.held, r.phases * n),
                                CNI_ARRAY(r.heard, n),
                                CNI_ARRAY(r.known, n),
                                CNI_ARRAY(r.last, n),
                                CNI_ARRAY(r.next, n)};
    CNI_TRY(cni_allocate_arrays(&block, arrays));
    for (uint64_t i = 0; i < n && r.cycle != NULL; i++)
        r.place[r.cycle[i] = node_in_cycle(topology, i)] = i;
    cn_status status = CN_OK;
    for (uint64_t part = 0; part < r.parts && status == CN_OK; part++)
        status = make_part(&r, part);
    for (uint64_t v = 0; v < n; v++)
        cni_release(r.heard[v].number);
    cni_release(r.waits.number);
    cni_release(block);
    return status;
}

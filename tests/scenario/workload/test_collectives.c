/*
 * Collective operations as workloads: what they move. A plain interpreter goes through the messages
 * in their order and carries, for each block, the set of nodes whose contributions are in it; the
 * sets are bits of a word, so networks have at most 64 nodes. What a message carries follows from
 * what waits for what:
 * - in an allgather a message carries what it waits for, and the block of its source as well,
 *   unless it passes on the one message of as many flits that it waits for;
 * - a reduce-scatter is the same backwards: a message carries the blocks of the messages that wait
 *   for it, and that of its destination as well, unless the one message that waits for it has as
 *   many flits.
 * What joins carries on the sum of the block of its node.
 */
#include "collective_cases.h"

#include <stdio.h>
#include <string.h>

#include "cubenet/experimental/collectives.h"

enum { MOST = 64 };

typedef struct sent {
    cn_workload_entry is;
    uint64_t *waits;
    uint64_t blocks;     /* bit v: it carries block v of its part */
    uint64_t from[MOST]; /* by block: whose contributions */
} sent;

typedef struct operation {
    cn_collective_operation kind;
    uint64_t nodes, parts, flits;
    size_t count;
    sent *message;
} operation;

static int joins(const sent *m)
{
    return m->is.source == m->is.destination;
}

static operation load(uint64_t nodes, cn_workload *workload, cn_collective_operation kind,
                      uint64_t parts, uint64_t flits)
{
    operation o = {kind, nodes, parts, flits, cn_workload_count(workload), NULL};
    o.message = calloc(o.count + 1, sizeof *o.message);
    for (size_t i = 0; i < o.count; i++) {
        sent *m = &o.message[i];
        size_t waits;
        assert_ok(cn_workload_message(workload, i, &m->is, sizeof m->is));
        assert_true(joins(m) == (m->is.flits == 0)); /* nothing empty is sent */
        waits = m->is.after + m->is.after_sent;
        m->waits = calloc(waits + 1, sizeof *m->waits);
        assert_ok(cn_workload_waits(workload, i, m->waits, waits, NULL));
    }
    cn_workload_free(&workload);
    return o;
}

static operation make(const cn_topology *topology, cn_collective_operation kind,
                      cn_algorithm algorithm, uint64_t parts, uint64_t flits, uint64_t most)
{
    cn_workload *workload;
    assert_ok(cn_workload_collective(topology, kind, algorithm, flits, most, &workload));
    return load(cn_topology_node_count(topology), workload, kind, parts, flits);
}

static void give_up(operation *o)
{
    for (size_t i = 0; i < o->count; i++)
        free(o->message[i].waits);
    free(o->message);
}

/* ---- what messages carry ---- */

static uint64_t block_flits(const operation *o, uint64_t part, uint64_t block)
{
    int divides = o->kind != CN_COLLECTIVE_ALLGATHER;
    uint64_t blocks = divides ? o->parts * o->nodes : o->parts;
    uint64_t i = divides ? part * o->nodes + block : part;
    return (i + 1) * o->flits / blocks - i * o->flits / blocks;
}

static uint64_t flits_of(const operation *o, uint64_t part, uint64_t blocks)
{
    uint64_t flits = 0;
    for (uint64_t b = 0; b < o->nodes; b++)
        flits += (blocks >> b & 1) * block_flits(o, part, b);
    return flits;
}

/* Messages first .. end - 1, which wait only for each other here. */
static void gather_blocks(operation *o, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        sent *m = &o->message[i];
        const sent *only = m->is.after == 1 ? &o->message[m->waits[0]] : NULL;
        int passes_on = only != NULL && m->waits[0] >= first && only->is.flits == m->is.flits;
        m->blocks = passes_on ? 0 : UINT64_C(1) << m->is.source;
        for (size_t w = 0; w < m->is.after; w++)
            if (m->waits[w] >= first)
                m->blocks |= o->message[m->waits[w]].blocks;
    }
}

static void scatter_blocks(operation *o, size_t first, size_t end)
{
    size_t *waiting =
        calloc(o->count, sizeof *waiting); /* how many wait for it, and the flits of one */
    uint64_t *flits = calloc(o->count, sizeof *flits);
    for (size_t i = end; i-- > first;) {
        sent *m = &o->message[i];
        int passes_on = waiting[i] == 1 && flits[i] == m->is.flits;
        if (!passes_on)
            m->blocks |= UINT64_C(1) << m->is.destination;
        for (size_t w = 0; w < m->is.after; w++) {
            o->message[m->waits[w]].blocks |= m->blocks;
            waiting[m->waits[w]]++;
            flits[m->waits[w]] = m->is.flits;
        }
    }
    free(waiting);
    free(flits);
}

/* ---- what comes of it ---- */

static void add(uint64_t *sum, uint64_t more)
{
    assert_true((*sum & more) == 0); /* no contribution twice */
    *sum |= more;
}

/* The partial sums of a message: what came to its source with what it waits for, and what the
 * source has. */
static void sum_up(operation *o, size_t i)
{
    sent *m = &o->message[i];
    for (uint64_t b = 0; b < o->nodes; b++)
        m->from[b] = joins(m) || (m->blocks >> b & 1) == 0 ? 0 : UINT64_C(1) << m->is.source;
    for (size_t w = 0; w < m->is.after; w++) {
        const sent *before = &o->message[m->waits[w]];
        uint64_t both = m->blocks & before->blocks;
        for (uint64_t b = 0; both >> b != 0; b += b < MOST - 1)
            if ((both >> b & 1) != 0) {
                add(&m->from[b], before->from[b]);
                both ^= UINT64_C(1) << b;
            }
    }
}

static uint64_t all_of(const operation *o)
{
    return o->nodes == MOST ? UINT64_MAX : (UINT64_C(1) << o->nodes) - 1;
}

/* Every node has its own block, with all contributions, or will have when what it waits for has
 * come. */
static void check_scattered(const operation *o, size_t first, size_t end)
{
    uint64_t has[MOST];
    for (uint64_t v = 0; v < o->nodes; v++)
        has[v] = UINT64_C(1) << v;
    for (size_t i = first; i < end; i++) {
        const sent *m = &o->message[i];
        if (!joins(m) && (m->blocks >> m->is.destination & 1) != 0)
            add(&has[m->is.destination], m->from[m->is.destination]);
    }
    for (uint64_t v = 0; v < o->nodes; v++)
        assert_true(has[v] == all_of(o));
}

/* No block comes to a node twice, and all come. With a reduce-scatter before it, the sum is
 * complete when it leaves. */
static void check_gathered(operation *o, size_t first, size_t middle, size_t end)
{
    uint64_t has[MOST];
    for (uint64_t v = 0; v < o->nodes; v++)
        has[v] = UINT64_C(1) << v;
    for (size_t i = middle; i < end; i++) {
        sent *m = &o->message[i];
        uint64_t own = m->is.source, complete = joins(m) ? 0 : UINT64_C(1) << own;
        if (middle > first && (m->blocks >> own & 1) != 0) {
            for (size_t w = 0; w < m->is.after; w++) {
                const sent *before = &o->message[m->waits[w]];
                if ((before->blocks >> own & 1) != 0)
                    add(&complete, before->from[own]);
            }
            m->from[own] = complete;
            assert_true(joins(m) || complete == all_of(o));
        }
        if (!joins(m))
            add(&has[m->is.destination], m->blocks);
    }
    for (uint64_t v = 0; v < o->nodes; v++)
        assert_true(has[v] == all_of(o));
}

static void check_part(operation *o, uint64_t part, size_t first, size_t middle, size_t end)
{
    scatter_blocks(o, first, middle);
    gather_blocks(o, middle, end);
    for (size_t i = first; i < end; i++)
        assert_true(joins(&o->message[i]) ||
                    o->message[i].is.flits == flits_of(o, part, o->message[i].blocks));
    for (size_t i = first; i < middle; i++)
        sum_up(o, i);
    if (middle > first)
        check_scattered(o, first, middle);
    if (end > middle)
        check_gathered(o, first, middle, end);
}

/* Where the next so many messages end; those that join belong to what comes after them. */
static size_t after_next(const operation *o, size_t first, size_t many)
{
    for (; many > 0; first++)
        many -= !joins(&o->message[first]);
    return first;
}

static void check_moves(operation *o)
{
    size_t all = 0, first = 0;
    for (size_t i = 0; i < o->count; i++)
        all += !joins(&o->message[i]);
    for (uint64_t part = 0; part < o->parts; part++) {
        size_t scatters = o->kind == CN_COLLECTIVE_ALLREDUCE        ? all / o->parts / 2
                          : o->kind == CN_COLLECTIVE_REDUCE_SCATTER ? all / o->parts
                                                                    : 0;
        size_t middle = after_next(o, first, scatters);
        size_t end = after_next(o, middle, all / o->parts - scatters);
        check_part(o, part, first, middle, end);
        first = end;
    }
    assert_int_equal(first, o->count);
}

/* ---- personalised ---- */

typedef struct pairs {
    uint8_t is[MOST][MOST]; /* what a message carries: from whom, for whom */
} pairs;

static uint64_t digit(const uint64_t radices[], uint32_t d, uint64_t node)
{
    for (uint32_t i = 0; i < d; i++)
        node /= radices[i];
    return node % radices[d];
}

static uint32_t changed(const uint64_t radices[], const sent *m)
{
    uint32_t d = 0;
    while (digit(radices, d, m->is.source) == digit(radices, d, m->is.destination))
        d++;
    return d;
}

/* By dimensions a message carries what its source has for the nodes that agree with its destination
 * in this dimension, and with its source in the dimensions before. */
static void take_pairs(const operation *o, const uint64_t radices[], uint32_t before, pairs *p,
                       size_t i)
{
    const sent *m = &o->message[i];
    for (uint64_t to = 0; to < o->nodes; to++) {
        int fits = 1;
        for (uint32_t d = 0; !joins(m) && before >> d != 0; d++)
            if ((before >> d & 1) != 0)
                fits &= digit(radices, d, to) == digit(radices, d, m->is.source);
        uint32_t d = joins(m) ? 0 : changed(radices, m);
        fits &= joins(m) || digit(radices, d, to) == digit(radices, d, m->is.destination);
        p[i].is[m->is.source][to] = (uint8_t)(fits && !joins(m));
        for (uint64_t from = 0; from < o->nodes; from++)
            for (size_t w = 0; w < m->is.after; w++)
                p[i].is[from][to] |= (uint8_t)(fits && p[m->waits[w]].is[from][to]);
    }
}

static void check_exchanged(const operation *o, const uint64_t radices[])
{
    pairs *p = calloc(o->count, sizeof *p), *come = calloc(o->parts, sizeof *come);
    size_t i = 0, per_part = 0;
    for (size_t m = 0; m < o->count; m++)
        per_part += !joins(&o->message[m]);
    per_part /= o->parts;
    for (uint64_t part = 0; part < o->parts; part++) {
        uint64_t share = (part + 1) * o->flits / o->parts - part * o->flits / o->parts;
        uint32_t before = 0, now = 0;
        for (size_t end = after_next(o, i, per_part); i < end; i++) {
            const sent *m = &o->message[i];
            uint64_t count = 0;
            if (!joins(m) && 1u << changed(radices, m) != now) {
                before |= now;
                now = 1u << changed(radices, m);
            }
            take_pairs(o, radices, before, p, i);
            for (uint64_t from = 0; from < o->nodes && !joins(m); from++)
                for (uint64_t to = 0; to < o->nodes; to++) {
                    count += p[i].is[from][to];
                    if (p[i].is[from][to] && to == m->is.destination)
                        assert_int_equal(come[part].is[from][to]++, 0);
                }
            assert_int_equal(m->is.flits, count * share);
        }
        for (uint64_t from = 0; from < o->nodes; from++)
            for (uint64_t to = 0; to < o->nodes; to++)
                assert_int_equal(come[part].is[from][to], from != to);
    }
    free(p);
    free(come);
}

/* ---- all networks with up to 64 nodes ---- */

static void check_reducing(const network_case *network)
{
    int last =
        network->nodes > 32 ? CN_COLLECTIVE_ALLREDUCE : CN_COLLECTIVE_ALLGATHER; /* it has both */
    for (cn_algorithm a = 0; a <= CN_ALGORITHM_DIMENSIONS; a++) {
        uint64_t parts = case_parts(network, a), flits = 2 * parts * network->nodes;
        for (int kind = 0; kind <= last && case_has(network, a); kind++) {
            operation o =
                make(network->topology, (cn_collective_operation)kind, a, parts, flits, 0);
            check_moves(&o);
            give_up(&o);
        }
    }
}

static void reductions_and_gatherings_move_each_block_once(void **state)
{
    (void)state;
    each_case(2, is_sanitized() ? 16 : MOST, check_reducing);
}

static void check_personalised(const network_case *network)
{
    if (!case_has(network, CN_ALGORITHM_DIMENSIONS))
        return;
    for (uint64_t flits = 1; flits < 4; flits += 2) {
        operation o = make(network->topology, CN_COLLECTIVE_ALL_TO_ALL, CN_ALGORITHM_DIMENSIONS,
                           network->n, flits * network->n, 0);
        check_exchanged(&o, network->radix);
        give_up(&o);
    }
}

static void all_to_all_by_dimensions_brings_each_pair_once(void **state)
{
    (void)state;
    each_case(2, is_sanitized() ? 16 : 32, check_personalised);
}

static void check_rotated(const network_case *network)
{
    uint64_t n = network->nodes;
    operation o = make(network->topology, CN_COLLECTIVE_ALL_TO_ALL, CN_ALGORITHM_ROTATED, 1, 5, 2);
    uint8_t *came = calloc(n * n, 1);
    uint64_t *last = calloc(n, sizeof *last);
    assert_int_equal(o.count, n * (n - 1) * 3);
    for (size_t i = 0; i < o.count; i++) {
        const sent *m = &o.message[i];
        uint64_t s = m->is.source, step = came[s * n + m->is.destination]++;
        assert_int_equal(m->is.flits, step < 2 ? 2 : 1);
        assert_int_equal(m->is.after, 0);
        assert_int_equal(m->is.after_sent, last[s] > 0);
        assert_true(last[s] == 0 || m->waits[0] == last[s] - 1);
        last[s] = i + 1;
    }
    for (uint64_t pair = 0; pair < n * n; pair++)
        assert_int_equal(came[pair], pair / n == pair % n ? 0 : 3);
    free(came);
    free(last);
    give_up(&o);
}

static void all_to_all_rotated_sends_one_after_the_other(void **state)
{
    (void)state;
    each_case(2, 12, check_rotated);
}

/* Each message has one block, and no node gets one twice. */
static void check_interleaved(const network_case *network)
{
    if (!case_has(network, CN_ALGORITHM_INTERLEAVED))
        return;
    uint64_t has[MOST];
    operation o =
        make(network->topology, CN_COLLECTIVE_ALLGATHER, CN_ALGORITHM_INTERLEAVED, 1, 7, 0);
    for (uint64_t v = 0; v < o.nodes; v++)
        has[v] = UINT64_C(1) << v;
    for (size_t i = 0; i < o.count; i++) {
        sent *m = &o.message[i];
        assert_true(m->is.after <= 1);
        m->blocks = m->is.after == 1 ? o.message[m->waits[0]].blocks : UINT64_C(1) << m->is.source;
        assert_int_equal(m->is.flits, 7);
        add(&has[m->is.destination], m->blocks);
    }
    for (uint64_t v = 0; v < o.nodes; v++)
        assert_true(has[v] == all_of(&o));
    give_up(&o);
}

static void all_to_all_broadcast_brings_each_block_once(void **state)
{
    (void)state;
    each_case(2, MOST, check_interleaved);
}

/* ---- flits that do not divide, and messages in pieces ---- */

/* The same messages, but that those whose blocks have no flits are not there. */
static void check_uneven(const network_case *network, cn_algorithm a, cn_collective_operation kind,
                         uint64_t flits)
{
    uint64_t parts = case_parts(network, a);
    operation even = make(network->topology, kind, a, parts, parts * network->nodes, 0);
    operation uneven = make(network->topology, kind, a, parts, flits, 0);
    size_t at = 0;
    check_moves(&even);
    for (uint64_t part = 0, i = 0; part < parts; part++) {
        size_t all = 0;
        for (size_t m = 0; m < even.count; m++)
            all += !joins(&even.message[m]);
        for (size_t end = after_next(&even, i, all / parts); i < end; i++) {
            const sent *m = &even.message[i];
            uint64_t expected = flits_of(&uneven, part, m->blocks);
            if (joins(m) || expected == 0)
                continue;
            while (joins(&uneven.message[at]))
                at++;
            assert_int_equal(uneven.message[at].is.source, m->is.source);
            assert_int_equal(uneven.message[at].is.destination, m->is.destination);
            assert_int_equal(uneven.message[at++].is.flits, expected);
        }
    }
    assert_int_equal(at, uneven.count);
    give_up(&even);
    give_up(&uneven);
}

static void check_remainders(const network_case *network)
{
    for (cn_algorithm a = 0; a <= CN_ALGORITHM_DIMENSIONS; a++)
        for (cn_collective_operation kind = 0;
             kind <= CN_COLLECTIVE_ALLGATHER && case_has(network, a); kind++)
            for (uint64_t flits = 1; flits < 200; flits = 3 * flits + 4)
                check_uneven(network, a, kind, flits);
}

static void the_remainder_is_spread_over_the_blocks(void **state)
{
    (void)state;
    each_case(2, 18, check_remainders);
}

/* Marks what a message waits for, and what that joins. */
static void mark(const operation *o, size_t i, uint8_t waited[])
{
    for (size_t w = 0; w < o->message[i].is.after; w++) {
        size_t before = o->message[i].waits[w];
        waited[before] = 1;
        if (joins(&o->message[before]))
            mark(o, before, waited);
    }
}

/* A piece waits for all pieces of what its message waits for, or for the same piece of as many
 * flits. */
static void check_piece(const operation *whole, size_t i, const operation *pieces,
                        const size_t first[], size_t piece)
{
    uint8_t *expected = calloc(whole->count, 1), *waited = calloc(pieces->count, 1);
    mark(whole, i, expected);
    mark(pieces, first[i] + piece, waited);
    for (size_t of = 0; of < i; of++) {
        size_t missing = 0;
        if (!expected[of] || joins(&whole->message[of]))
            continue;
        for (size_t k = first[of]; k < first[of + 1]; k++)
            missing += !waited[k] && !joins(&pieces->message[k]);
        assert_true(missing == 0 || (waited[first[of] + piece] &&
                                     whole->message[of].is.flits == whole->message[i].is.flits));
    }
    free(expected);
    free(waited);
}

static void check_pieces(const operation *whole, const operation *pieces, uint64_t most)
{
    size_t *first = calloc(whole->count + 1, sizeof *first), at = 0;
    for (size_t i = 0; i < whole->count; i++) {
        const sent *m = &whole->message[i];
        uint64_t left = m->is.flits;
        while (!joins(m) && joins(&pieces->message[at]))
            at++;
        for (first[i] = at; left > 0; at++) {
            const sent *p = &pieces->message[at];
            assert_int_equal(p->is.source, m->is.source);
            assert_int_equal(p->is.destination, m->is.destination);
            assert_int_equal(p->is.flits, left < most ? left : most);
            left -= p->is.flits;
        }
        first[i + 1] = at;
    }
    assert_int_equal(at, pieces->count);
    for (size_t i = 0; i < whole->count; i++)
        for (size_t piece = 0;
             !joins(&whole->message[i]) && piece * most < whole->message[i].is.flits; piece++)
            check_piece(whole, i, pieces, first, piece);
    free(first);
}

static void check_most(const network_case *network)
{
    for (cn_algorithm a = 0; a <= CN_ALGORITHM_DIMENSIONS; a++)
        for (cn_collective_operation kind = 0;
             kind <= CN_COLLECTIVE_ALLGATHER && case_has(network, a); kind++)
            for (uint64_t most = 1; most < 5; most += 3) {
                uint64_t parts = case_parts(network, a), flits = 2 * parts * network->nodes + 1;
                operation whole = make(network->topology, kind, a, parts, flits, 0);
                operation pieces = make(network->topology, kind, a, parts, flits, most);
                check_pieces(&whole, &pieces, most);
                give_up(&whole);
                give_up(&pieces);
            }
}

static void pieces_wait_for_what_their_message_waits_for(void **state)
{
    (void)state;
    each_case(2, 9, check_most);
}

/* ---- trees ---- */

static void check_tree(cn_tree *tree, uint64_t nodes, uint64_t most)
{
    uint64_t pieces = most == 0 ? 1 : (5 + most - 1) / most, parent;
    for (cn_collective_operation kind = CN_COLLECTIVE_BROADCAST; kind <= CN_COLLECTIVE_REDUCE;
         kind++) {
        cn_workload *workload;
        assert_ok(cn_workload_tree(tree, kind, 5, most, &workload));
        operation o = load(nodes, workload, kind, 1, 5);
        uint64_t *has = calloc(nodes * pieces, sizeof *has); /* by node and piece: whose */
        assert_int_equal(o.count, (nodes - 1) * pieces);
        for (uint64_t v = 0; v < nodes * pieces; v++)
            has[v] = UINT64_C(1) << v / pieces;
        for (size_t i = 0; i < o.count; i++) {
            sent *m = &o.message[i];
            size_t piece = i % pieces;
            int out = kind == CN_COLLECTIVE_BROADCAST;
            assert_ok(cn_tree_parent(tree, out ? m->is.destination : m->is.source, &parent));
            assert_int_equal(parent, out ? m->is.source : m->is.destination);
            m->from[0] = UINT64_C(1) << m->is.source;
            for (size_t w = 0; w < m->is.after; w++) {
                assert_int_equal(m->waits[w] % pieces, piece);
                add(&m->from[0], o.message[m->waits[w]].from[0]);
            }
            add(&has[m->is.destination * pieces + piece], m->from[0]);
        }
        for (uint64_t v = 0; v < nodes * pieces; v++) {
            uint64_t root = UINT64_C(1) << cn_tree_root(tree), self = UINT64_C(1) << v / pieces;
            assert_true(kind == CN_COLLECTIVE_BROADCAST ? (has[v] & root) != 0
                        : self == root                  ? has[v] == all_of(&o)
                                                        : 1);
        }
        free(has);
        give_up(&o);
    }
    cn_tree_free(&tree);
}

static void check_trees(const network_case *network)
{
    cn_tree *tree;
    uint64_t n = network->nodes;
    assert_ok(cn_tree_breadth_first(network->topology, n / 3, NULL, &tree));
    check_tree(tree, n, 0);
    if (!case_has(network, CN_ALGORITHM_INTERLEAVED))
        return;
    assert_ok(cn_tree_balanced(network->topology, n - 1, &tree));
    check_tree(tree, n, 2);
    if (!case_is_cube(network))
        return;
    assert_ok(cn_tree_binomial(network->topology, 0, network->n - 1, &tree));
    check_tree(tree, n, 5);
    assert_ok(cn_tree_edge_disjoint(network->topology, 1, 0, &tree));
    check_tree(tree, n, 1);
}

static void trees_bring_all_to_all_nodes_or_to_the_root(void **state)
{
    (void)state;
    each_case(2, MOST, check_trees);
}

/* ---- what is refused ---- */

static cn_status by(const network_case *network, cn_collective_operation kind,
                    cn_algorithm algorithm)
{
    cn_workload *workload = (cn_workload *)network;
    cn_status status = cn_workload_collective(network->topology, kind, algorithm, 64, 0, &workload);
    assert_true((workload != NULL) == (status == CN_OK));
    cn_workload_free(&workload);
    return status;
}

static void check_refusals(const network_case *network)
{
    for (cn_algorithm a = CN_ALGORITHM_RING; a <= CN_ALGORITHM_DIMENSIONS; a++)
        if (!case_has(network, a))
            assert_fails(by(network, CN_COLLECTIVE_ALLREDUCE, a), CN_ERR_UNSUPPORTED, " needs a");
    if (!case_has(network, CN_ALGORITHM_INTERLEAVED))
        assert_fails(by(network, CN_COLLECTIVE_ALLGATHER, CN_ALGORITHM_INTERLEAVED),
                     CN_ERR_UNSUPPORTED,
                     "interleaved needs a hypercube or a generalized hypercube");
}

static void networks_without_an_algorithm_are_refused(void **state)
{
    (void)state;
    each_case(2, 16, check_refusals);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const uint64_t radices[] = {4, 4};
    cn_workload *workload;
    cn_tree *tree;
    network_case torus = {.topology = case_topology(CASE_TORUS, radices, 2)};
    cn_topology *large;
    assert_fails(by(&torus, CN_COLLECTIVE_ALL_TO_ALL, CN_ALGORITHM_SWING), CN_ERR_UNSUPPORTED,
                 "no all-to-all by swing, only by dimensions, rotated");
    assert_fails(by(&torus, CN_COLLECTIVE_BROADCAST, CN_ALGORITHM_RING), CN_ERR_UNSUPPORTED,
                 "broadcast goes along a tree");
    assert_fails(by(&torus, (cn_collective_operation)9, CN_ALGORITHM_RING), CN_ERR_ARGUMENT,
                 "operation = 9");
    assert_fails(by(&torus, CN_COLLECTIVE_ALLREDUCE, (cn_algorithm)-1), CN_ERR_ARGUMENT,
                 "algorithm = -1");
    assert_fails(cn_workload_collective(torus.topology, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RING,
                                        0, 0, &workload),
                 CN_ERR_ARGUMENT, "flits = 0");
    assert_fails(cn_workload_collective(torus.topology, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RING,
                                        1, UINT64_C(1) << 32, &workload),
                 CN_ERR_ARGUMENT, "most = 4294967296");
    assert_fails(
        cn_workload_collective(NULL, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RING, 1, 0, &workload),
        CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_workload_collective(torus.topology, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RING,
                                        1, 0, NULL),
                 CN_ERR_ARGUMENT, "workload");
    assert_fails(cn_workload_collective(torus.topology, CN_COLLECTIVE_ALLGATHER,
                                        CN_ALGORITHM_RECURSIVE, UINT32_MAX, 0, &workload),
                 CN_ERR_UNSUPPORTED, "flits = 4294967295");
    assert_ok(cn_tree_breadth_first(torus.topology, 0, NULL, &tree));
    assert_fails(cn_workload_tree(tree, CN_COLLECTIVE_ALLREDUCE, 1, 0, &workload),
                 CN_ERR_UNSUPPORTED, "operation = allreduce");
    assert_fails(cn_workload_tree(NULL, CN_COLLECTIVE_REDUCE, 1, 0, &workload), CN_ERR_ARGUMENT,
                 "tree");
    cn_tree_free(&tree);
    cn_topology_free(&torus.topology);
    assert_ok(cn_topology_hypercube(21, &large));
    assert_fails(cn_workload_collective(large, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RECURSIVE, 1,
                                        0, &workload),
                 CN_ERR_UNSUPPORTED, "2097152 hosts");
    cn_topology_free(&large);
    assert_ok(cn_topology_hypercube(12, &large));
    assert_fails(cn_workload_collective(large, CN_COLLECTIVE_ALL_TO_ALL, CN_ALGORITHM_ROTATED, 2, 1,
                                        &workload),
                 CN_ERR_UNSUPPORTED, "more than 16777216 messages");
    assert_fails(cn_workload_collective(large, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RECURSIVE,
                                        UINT32_MAX, 1, &workload),
                 CN_ERR_UNSUPPORTED, "more than 16777216 messages");
    cn_topology_free(&large);
    assert_ok(cn_topology_hypercube(20, &large)); /* refused before a message is made */
    assert_fails(cn_workload_collective(large, CN_COLLECTIVE_ALLGATHER, CN_ALGORITHM_INTERLEAVED, 1,
                                        0, &workload),
                 CN_ERR_UNSUPPORTED, "more than 16777216 messages");
    assert_fails(cn_workload_collective(large, CN_COLLECTIVE_REDUCE_SCATTER, CN_ALGORITHM_RING, 1,
                                        0, &workload),
                 CN_ERR_UNSUPPORTED, "more than 16777216 messages");
    cn_topology_free(&large);
}

static void one_node_has_nothing_to_send(void **state)
{
    (void)state;
    cn_topology *one;
    cn_tree *tree;
    cn_workload *workload;
    assert_ok(cn_topology_from_edges(1, NULL, 0, NULL, &one));
    for (cn_algorithm a = 0; a <= CN_ALGORITHM_ROTATED; a++) {
        cn_collective_operation kind =
            a == CN_ALGORITHM_ROTATED ? CN_COLLECTIVE_ALL_TO_ALL : CN_COLLECTIVE_ALLREDUCE;
        if (cn_workload_collective(one, kind, a, 9, 0, &workload) != CN_OK)
            continue; /* rings, swing, dimensions */
        assert_int_equal(cn_workload_count(workload), 0);
        cn_workload_free(&workload);
    }
    assert_ok(cn_tree_breadth_first(one, 0, NULL, &tree));
    assert_ok(cn_workload_tree(tree, CN_COLLECTIVE_REDUCE, 9, 0, &workload));
    assert_int_equal(cn_workload_count(workload), 0);
    cn_workload_free(&workload);
    cn_tree_free(&tree);
    cn_topology_free(&one);
}

static cn_status make_some(void *context)
{
    static const cn_algorithm algorithms[] = {CN_ALGORITHM_RING, CN_ALGORITHM_DIMENSIONS,
                                              CN_ALGORITHM_INTERLEAVED};
    cn_topology *topology = NULL;
    cn_tree *tree = NULL;
    cn_workload *workload = NULL;
    (void)context;
    cn_status status = cn_topology_generalized_hypercube(3, 2, &topology);
    for (size_t i = 0; i < 3 && status == CN_OK; i++) {
        status = cn_workload_collective(topology, CN_COLLECTIVE_ALLGATHER, algorithms[i], 5, 2,
                                        &workload);
        cn_workload_free(&workload);
    }
    if (status == CN_OK)
        status = cn_tree_balanced(topology, 4, &tree);
    if (status == CN_OK)
        status = cn_workload_tree(tree, CN_COLLECTIVE_REDUCE, 5, 2, &workload);
    cn_workload_free(&workload);
    cn_tree_free(&tree);
    cn_topology_free(&topology);
    return status;
}

static void memory_may_be_short(void **state)
{
    (void)state;
    support_fail_every_allocation(make_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_and_gatherings_move_each_block_once),
        cmocka_unit_test(all_to_all_by_dimensions_brings_each_pair_once),
        cmocka_unit_test(all_to_all_rotated_sends_one_after_the_other),
        cmocka_unit_test(all_to_all_broadcast_brings_each_block_once),
        cmocka_unit_test(the_remainder_is_spread_over_the_blocks),
        cmocka_unit_test(pieces_wait_for_what_their_message_waits_for),
        cmocka_unit_test(trees_bring_all_to_all_nodes_or_to_the_root),
        cmocka_unit_test(networks_without_an_algorithm_are_refused),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(one_node_has_nothing_to_send),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

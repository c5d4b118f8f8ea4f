#include "topology/oracle.h"

#include <string.h>

static void check_ports(const cn_topology *t)
{
    uint64_t nodes = cn_topology_node_count(t), ends = 0, links;
    uint32_t most = 0;
    for (uint64_t v = 0; v < nodes; v++) {
        uint32_t degree;
        assert_ok(cn_topology_degree(t, v, &degree));
        ends += degree;
        most = degree > most ? degree : most;
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t w, back;
            uint32_t back_port, port;
            assert_ok(cn_topology_neighbor(t, v, p, &w));
            assert_true(w < nodes);
            assert_true(w != v);
            assert_ok(cn_topology_port_to(t, v, w, &port)); /* the first: fails on a double link */
            assert_int_equal(port, p);
            assert_ok(cn_topology_back_port(t, v, p, &back_port));
            if (!cn_topology_is_bidirectional(t)) {
                assert_int_equal(back_port, CN_NO_PORT);
                continue;
            }
            assert_ok(cn_topology_neighbor(t, w, back_port, &back));
            assert_int_equal(back, v);
        }
    }
    assert_int_equal(most, cn_topology_max_degree(t));
    assert_ok(cn_topology_link_count(t, &links));
    assert_int_equal(cn_topology_is_bidirectional(t) ? 2 * links : links, ends);
}

static void search(const cn_topology *t, uint64_t source, uint64_t hops[])
{
    uint64_t nodes = cn_topology_node_count(t);
    for (uint64_t v = 0; v < nodes; v++)
        hops[v] = CN_UNREACHABLE;
    hops[source] = 0;
    int changed = 1;
    for (uint64_t level = 0; changed; level++) {
        changed = 0;
        for (uint64_t v = 0; v < nodes; v++) {
            uint32_t degree;
            if (hops[v] != level)
                continue;
            assert_ok(cn_topology_degree(t, v, &degree));
            for (uint32_t p = 0; p < degree; p++) {
                uint64_t w;
                assert_ok(cn_topology_neighbor(t, v, p, &w));
                if (hops[w] == CN_UNREACHABLE) {
                    hops[w] = level + 1;
                    changed = 1;
                }
            }
        }
    }
}

static void check_distances(const cn_topology *t)
{
    uint64_t nodes = cn_topology_node_count(t), sum = 0, greatest = 0, diameter;
    uint64_t *hops = malloc(nodes * sizeof *hops), *counts = malloc(nodes * sizeof *counts);
    uint64_t *expected = malloc(nodes * sizeof *expected);
    for (uint64_t u = 0; u < nodes; u++) {
        uint64_t farthest = 0, distance;
        search(t, u, hops);
        memset(expected, 0, nodes * sizeof *expected);
        for (uint64_t v = 0; v < nodes; v++) {
            assert_true(hops[v] != CN_UNREACHABLE);
            if (u < 8 || u + 8 > nodes) { /* a search each where there is no closed form */
                assert_ok(cn_topology_distance(t, u, v, NULL, &distance));
                assert_int_equal(distance, hops[v]);
            }
            expected[hops[v]] += 1;
            sum += hops[v];
            farthest = hops[v] > farthest ? hops[v] : farthest;
        }
        greatest = farthest > greatest ? farthest : greatest;
        size_t count;
        assert_fails(cn_topology_distance_counts(t, u, NULL, NULL, 0, &count), CN_ERR_CAPACITY,
                     "capacity = 0");
        assert_int_equal(count, farthest + 1);
        assert_ok(cn_topology_distance_counts(t, u, NULL, counts, (size_t)nodes, NULL));
        assert_memory_equal(counts, expected, (size_t)(farthest + 1) * sizeof *counts);
    }
    assert_ok(cn_topology_diameter(t, NULL, &diameter));
    assert_int_equal(diameter, greatest);
    double mean, exact = (double)sum / (double)nodes / (double)(nodes - 1);
    assert_ok(cn_topology_mean_distance(t, NULL, &mean));
    assert_near(mean, exact, 1e-13 * exact);
    free(hops);
    free(counts);
    free(expected);
}

void oracle_check_network(cn_topology *topology)
{
    check_ports(topology);
    check_distances(topology);
    cn_topology_free(&topology);
}

/* Neighbours of every node as bits of a word, in either direction. */
static void adjacency(const cn_topology *t, uint64_t adjacent[])
{
    uint64_t nodes = cn_topology_node_count(t);
    assert_true(nodes <= 64);
    memset(adjacent, 0, nodes * sizeof *adjacent);
    for (uint64_t v = 0; v < nodes; v++) {
        uint32_t degree;
        assert_ok(cn_topology_degree(t, v, &degree));
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t w;
            assert_ok(cn_topology_neighbor(t, v, p, &w));
            adjacent[v] |= UINT64_C(1) << w;
            if (!cn_topology_is_bidirectional(t))
                adjacent[w] |= UINT64_C(1) << v;
        }
    }
}

static uint32_t ones(uint64_t word)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

uint64_t oracle_bisection(const cn_topology *topology)
{
    uint64_t adjacent[64], nodes = cn_topology_node_count(topology), best = UINT64_MAX;
    assert_true(nodes <= 24);
    adjacency(topology, adjacent);
    for (uint64_t half = 0; half < UINT64_C(1) << nodes; half++) {
        if (ones(half) != nodes / 2)
            continue;
        uint64_t cut = 0;
        for (uint64_t v = 0; v < nodes; v++)
            if (half >> v & 1)
                cut += ones(adjacent[v] & ~half);
        best = cut < best ? cut : best;
    }
    return best;
}

uint64_t oracle_cut(const cn_topology *topology, const uint8_t side[])
{
    uint64_t nodes = cn_topology_node_count(topology), cut = 0, ones_there = 0;
    for (uint64_t v = 0; v < nodes; v++) {
        uint32_t degree;
        assert_true(side[v] <= 1);
        ones_there += side[v];
        assert_ok(cn_topology_degree(topology, v, &degree));
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t w;
            assert_ok(cn_topology_neighbor(topology, v, p, &w));
            cut += side[v] != side[w];
        }
    }
    assert_true(ones_there == nodes / 2 || ones_there == (nodes + 1) / 2);
    return cn_topology_is_bidirectional(topology) ? cut / 2 : cut;
}

/* Every informed set that can be reached in one step from `informed`, marked in next. */
static void send(const uint64_t adjacent[], uint64_t nodes, uint64_t informed, uint64_t v,
                 uint64_t receivers, uint8_t *next)
{
    while (v < nodes && !(informed >> v & 1))
        v++;
    if (v == nodes) {
        next[informed | receivers] = 1;
        return;
    }
    send(adjacent, nodes, informed, v + 1, receivers, next);
    for (uint64_t free_ones = adjacent[v] & ~informed & ~receivers; free_ones != 0;
         free_ones &= free_ones - 1)
        send(adjacent, nodes, informed, v + 1, receivers | (free_ones & (0 - free_ones)), next);
}

uint64_t oracle_broadcast(const cn_topology *topology, uint64_t source)
{
    uint64_t adjacent[64], nodes = cn_topology_node_count(topology), steps = 0;
    assert_true(nodes <= 16 && cn_topology_is_bidirectional(topology));
    adjacency(topology, adjacent);
    size_t sets = (size_t)1 << nodes;
    uint8_t *now = calloc(sets, 1), *next = calloc(sets, 1);
    now[(size_t)1 << source] = 1;
    for (; !now[sets - 1]; steps++) {
        memset(next, 0, sets);
        for (size_t set = 0; set < sets; set++)
            if (now[set])
                send(adjacent, nodes, set, 0, 0, next);
        uint8_t *swap = now;
        now = next;
        next = swap;
    }
    free(now);
    free(next);
    return steps;
}

static uint64_t draw(uint64_t *seed, uint64_t bound)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*seed >> 33) % bound;
}

cn_topology *oracle_random(uint64_t nodes, uint64_t more, uint64_t seed)
{
    uint64_t edges[2 * 128];
    size_t count = 0;
    assert_true(nodes - 1 + more <= 128);
    for (uint64_t v = 1; v < nodes + more; v++) {
        uint64_t a = v < nodes ? v : draw(&seed, nodes), b = draw(&seed, v < nodes ? v : nodes);
        int fresh = a != b;
        for (size_t e = 0; e < count; e++)
            if ((edges[2 * e] == a && edges[2 * e + 1] == b) ||
                (edges[2 * e] == b && edges[2 * e + 1] == a))
                fresh = 0;
        if (!fresh)
            continue;
        edges[2 * count] = a;
        edges[2 * count + 1] = b;
        count++;
    }
    cn_topology *t;
    assert_ok(cn_topology_from_edges(nodes, edges, count, NULL, &t));
    return t;
}

cn_topology *oracle_network(size_t index)
{
    static const uint64_t radices[][3] = {{3, 4, 2}, {5, 3, 0}, {4, 4, 0}, {2, 2, 2}};
    static const uint64_t edges[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 1, 4, 0, 5, 5, 6};
    cn_topology *t = NULL;
    switch (index) {
    case 0:
        assert_ok(cn_topology_hypercube(4, &t));
        break;
    case 1:
        assert_ok(cn_topology_kary_ncube(3, 2, 1, &t));
        break;
    case 2:
        assert_ok(cn_topology_ring(9, 1, &t));
        break;
    case 3:
        assert_ok(cn_topology_torus(radices[1], 2, &t));
        break;
    case 4:
        assert_ok(cn_topology_torus(radices[0], 2, &t));
        break;
    case 5:
        assert_ok(cn_topology_mesh(radices[1], 2, &t));
        break;
    case 6:
        assert_ok(cn_topology_mesh(radices[2], 2, &t));
        break;
    case 7:
        assert_ok(cn_topology_complete(7, &t));
        break;
    case 8:
        assert_ok(cn_topology_star(8, &t));
        break;
    case 9:
        assert_ok(cn_topology_tree(2, 3, &t));
        break;
    case 10:
        assert_ok(cn_topology_tree(3, 2, &t));
        break;
    case 11:
        assert_ok(cn_topology_chordal_ring(12, 5, 0, &t));
        break;
    case 12:
        assert_ok(cn_topology_chordal_ring(13, 4, 1, &t));
        break;
    case 13:
        assert_ok(cn_topology_psnn(3, &t));
        break;
    case 14:
        assert_ok(cn_topology_psnn(4, &t));
        break;
    case 15:
        assert_ok(cn_topology_shuffle_exchange(4, &t));
        break;
    case 16:
        assert_ok(cn_topology_de_bruijn(4, &t));
        break;
    case 17:
        assert_ok(cn_topology_tree(1, 5, &t));
        break;
    case 18:
        assert_ok(cn_topology_from_edges(7, edges, 8, NULL, &t));
        break;
    default:
        break;
    }
    return t;
}

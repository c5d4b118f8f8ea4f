#include "topology/adjacency.h"

#include <string.h>

void graph_open(graph *g, uint32_t nodes, uint32_t ports)
{
    g->nodes = nodes;
    g->ports = ports;
    g->degree = calloc(nodes, sizeof g->degree[0]);
    g->to = calloc((size_t)nodes * ports + 1, sizeof g->to[0]);
    assert_non_null(g->degree);
    assert_non_null(g->to);
}

void graph_close(graph *g)
{
    free(g->degree);
    free(g->to);
}

void graph_join(graph *g, uint32_t from, uint32_t to)
{
    assert_true(from < g->nodes && to < g->nodes && g->degree[from] < g->ports);
    g->to[(size_t)from * g->ports + g->degree[from]] = to;
    g->degree[from]++;
}

void graph_distances(const graph *g, uint32_t source, uint32_t distance[])
{
    uint32_t *queue = calloc(g->nodes, sizeof queue[0]);
    size_t head = 0, tail = 0;
    memset(distance, 0xff, g->nodes * sizeof distance[0]);
    distance[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t p = 0; p < g->degree[v]; p++) {
            uint32_t u = g->to[(size_t)v * g->ports + p];
            if (distance[u] == UINT32_MAX) {
                distance[u] = distance[v] + 1;
                queue[tail++] = u;
            }
        }
    }
    free(queue);
}

static uint32_t port_to(const graph *g, uint32_t from, uint32_t to)
{
    for (uint32_t p = 0; p < g->degree[from]; p++)
        if (g->to[(size_t)from * g->ports + p] == to)
            return p;
    return CN_NO_PORT;
}

static void check_node(const graph *g, const cn_topology *topology, uint32_t v)
{
    uint64_t neighbors[256], neighbor, back;
    uint32_t degree, port, back_port;
    size_t count = 0;
    assert_ok(cn_topology_degree(topology, v, &degree));
    assert_int_equal(degree, g->degree[v]);
    assert_ok(cn_topology_neighbors(topology, v, neighbors, 256, &count));
    assert_int_equal(count, degree);
    for (uint32_t p = 0; p < degree; p++) {
        uint32_t expected = g->to[(size_t)v * g->ports + p];
        assert_ok(cn_topology_neighbor(topology, v, p, &neighbor));
        assert_int_equal(neighbor, expected);
        assert_int_equal(neighbors[p], expected);
        assert_ok(cn_topology_back_port(topology, v, p, &back_port));
        assert_int_equal(back_port, port_to(g, expected, v));
        if (back_port != CN_NO_PORT) {
            assert_ok(cn_topology_neighbor(topology, neighbor, back_port, &back));
            assert_int_equal(back, v);
        }
    }
    uint32_t step = g->nodes > 300 ? 13 : 1; /* of the nodes that are mostly no neighbours */
    for (uint32_t u = v % step; u < g->nodes; u += step) {
        assert_ok(cn_topology_port_to(topology, v, u, &port));
        assert_int_equal(port, port_to(g, v, u));
    }
    for (uint32_t p = 0; p < degree; p++) {
        assert_ok(cn_topology_port_to(topology, v, neighbors[p], &port));
        assert_int_equal(port, p);
    }
}

static void check_size(const graph *g, const cn_topology *topology)
{
    uint64_t channels = 0, both_ways = 0, links;
    uint32_t most = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        channels += g->degree[v];
        most = g->degree[v] > most ? g->degree[v] : most;
        for (uint32_t p = 0; p < g->degree[v]; p++)
            both_ways += port_to(g, g->to[(size_t)v * g->ports + p], v) != CN_NO_PORT;
    }
    assert_true(both_ways == 0 || both_ways == channels);
    int bidirectional = both_ways == channels;
    assert_int_equal(cn_topology_node_count(topology), g->nodes);
    assert_int_equal(cn_topology_max_degree(topology), most);
    assert_int_equal(cn_topology_is_bidirectional(topology), bidirectional);
    assert_ok(cn_topology_link_count(topology, &links));
    assert_int_equal(links, bidirectional ? channels / 2 : channels);
}

static void check_counts(const graph *g, const cn_topology *topology, uint32_t source,
                         const uint32_t distance[], uint32_t eccentricity)
{
    uint64_t *counts = calloc(g->nodes + 1, sizeof counts[0]);
    uint64_t *expected = calloc(g->nodes + 1, sizeof expected[0]);
    size_t count = 0, room = (size_t)eccentricity + 1;
    for (uint32_t v = 0; v < g->nodes; v++)
        if (distance[v] != UINT32_MAX)
            expected[distance[v]]++;
    counts[room] = 12345; /* past the end: not to be touched */
    assert_ok(cn_topology_distance_counts(topology, source, NULL, counts, room, &count));
    assert_int_equal(count, room);
    assert_memory_equal(counts, expected, room * sizeof counts[0]);
    assert_int_equal(counts[room], 12345);
    count = 0;
    assert_fails(cn_topology_distance_counts(topology, source, NULL, counts, room - 1, &count),
                 CN_ERR_CAPACITY, "capacity = ");
    assert_int_equal(count, room);
    free(counts);
    free(expected);
}

void graph_check(const graph *g, const cn_topology *topology, uint32_t stride)
{
    uint32_t *distance = calloc(g->nodes, sizeof distance[0]);
    uint64_t found, greatest = 0, pairs = 0, sum = 0;
    int connected = 1;
    check_size(g, topology);
    for (uint32_t v = 0; v < g->nodes; v++)
        check_node(g, topology, v);
    for (uint32_t source = 0; source < g->nodes; source += stride) {
        uint32_t eccentricity = 0;
        graph_distances(g, source, distance);
        for (uint32_t v = 0; v < g->nodes; v++) {
            assert_ok(cn_topology_distance(topology, source, v, NULL, &found));
            if (distance[v] == UINT32_MAX) {
                connected = 0;
                assert_true(found == CN_UNREACHABLE);
                continue;
            }
            assert_int_equal(found, distance[v]);
            eccentricity = distance[v] > eccentricity ? distance[v] : eccentricity;
            sum += distance[v];
            pairs += v != source;
        }
        greatest = eccentricity > greatest ? eccentricity : greatest;
        check_counts(g, topology, source, distance, eccentricity);
    }
    double mean = 17;
    found = 17;
    if (connected) {
        assert_ok(cn_topology_diameter(topology, NULL, &found));
        assert_int_equal(found, greatest);
        assert_ok(cn_topology_mean_distance(topology, NULL, &mean));
        double expected = pairs == 0 ? 0 : (double)sum / (double)pairs;
        assert_near(mean, expected, 1e-14 * expected);
    } else {
        assert_fails(cn_topology_diameter(topology, NULL, &found), CN_ERR_DISCONNECTED, "reach");
        assert_fails(cn_topology_mean_distance(topology, NULL, &mean), CN_ERR_DISCONNECTED,
                     "reach");
        assert_true(found == 17 && mean == 17);
    }
    free(distance);
}

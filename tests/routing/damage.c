#include "damage.h"

#include "base/random.h"

#include <string.h>

void damage_open(uint32_t n, cn_topology **cube, cn_faults **faults)
{
    assert_ok(cn_topology_hypercube(n, cube));
    assert_ok(cn_faults_new(*cube, faults));
}

void damage_figure_5_1(cn_topology **cube, cn_faults **faults)
{
    damage_open(4, cube, faults);
    damage_set_nodes(*faults, 1u << 2 | 1u << 3 | 1u << 4 | 1u << 7 | 1u << 9);
}

void damage_set_nodes(cn_faults *faults, uint64_t nodes)
{
    assert_ok(cn_faults_clear(faults));
    for (uint64_t v = 0; v < 64; v++)
        if (nodes >> v & 1)
            assert_ok(cn_faults_add_node(faults, v));
}

int damage_survives(const cn_subnet *subnet, uint64_t node)
{
    cn_node_state state;
    assert_ok(cn_subnet_node_state(subnet, node, &state));
    return state == CN_NODE_SURVIVING;
}

static int is_good(const cn_faults *faults, const unsigned char alive[], uint64_t v, uint32_t port)
{
    return alive[v] && alive[v ^ (UINT64_C(1) << port)] && !cn_faults_has_link(faults, v, port);
}

int damage_is_convex(const cn_faults *faults, const unsigned char alive[], uint32_t n)
{
    uint64_t nodes = UINT64_C(1) << n;
    static unsigned char joined[DAMAGE_MOST_NODES];
    for (uint64_t v = 0; v < nodes; v++) {
        if (!alive[v])
            continue;
        /* headers in ascending order: those with one bit less come before */
        joined[0] = 1;
        for (uint64_t header = 1; header < nodes; header++) {
            joined[header] = 0;
            for (uint32_t i = 0; i < n; i++)
                if (header >> i & 1 && joined[header ^ (UINT64_C(1) << i)] &&
                    is_good(faults, alive, v ^ header, i))
                    joined[header] = 1;
            if (alive[v ^ header] && !joined[header])
                return 0;
        }
    }
    return 1;
}

void damage_read(const cn_faults *faults, const cn_subnet *subnet, uint32_t n,
                 unsigned char alive[])
{
    uint64_t nodes = UINT64_C(1) << n, survivors = 0, disabled = 0, list[DAMAGE_MOST_NODES];
    for (uint64_t v = 0; v < nodes; v++) {
        cn_node_state state;
        assert_ok(cn_subnet_node_state(subnet, v, &state));
        alive[v] = state == CN_NODE_SURVIVING;
        assert_int_equal(state == CN_NODE_FAULTY, cn_faults_has_node(faults, v));
        survivors += state == CN_NODE_SURVIVING;
        disabled += state == CN_NODE_DISABLED;
    }
    assert_int_equal(cn_subnet_survivor_count(subnet), survivors);
    assert_int_equal(cn_subnet_disabled_count(subnet), disabled);
    size_t count;
    assert_ok(cn_subnet_survivors(subnet, list, DAMAGE_MOST_NODES, &count));
    assert_int_equal(count, survivors);
    for (size_t i = 0; i < count; i++)
        assert_true(alive[list[i]] && (i == 0 || list[i] > list[i - 1]));
    for (uint64_t v = 0; v < nodes; v++) {
        uint64_t status, expected = 0;
        assert_ok(cn_subnet_neighbor_status(subnet, v, &status));
        for (uint32_t i = 0; i < n; i++)
            if (alive[v ^ (UINT64_C(1) << i)] && !cn_faults_has_link(faults, v, i))
                expected |= UINT64_C(1) << i;
        assert_true(status == expected);
    }
}

void damage_route_all(const cn_subnet *subnet, uint32_t n)
{
    uint64_t nodes = UINT64_C(1) << n;
    cn_routing *routing;
    assert_ok(cn_routing_optimal_path(subnet, &routing));
    for (uint64_t destination = 0; destination < nodes; destination++) {
        if (!damage_survives(subnet, destination))
            continue;
        for (uint64_t v = 0; v < nodes; v++) {
            uint64_t channels = 0, status;
            if (!damage_survives(subnet, v))
                continue;
            if (v == destination)
                continue;
            /* some choice at every node, and every choice one hop nearer and to a survivor */
            assert_ok(cn_routing_channels(routing, v, destination, &channels));
            assert_ok(cn_subnet_neighbor_status(subnet, v, &status));
            assert_true(channels == ((v ^ destination) & status) && channels != 0);
            for (uint32_t i = 0; i < n; i++)
                if (channels >> i & 1)
                    assert_true(damage_survives(subnet, v ^ (UINT64_C(1) << i)));
        }
    }
    cn_routing_free(&routing);
}

cn_status damage_next_hops(const cn_subnet *subnet, uint64_t node, uint64_t destination,
                           uint64_t *channels)
{
    uint64_t status;
    assert_ok(cn_subnet_neighbor_status(subnet, node, &status));
    return cn_route_optimal_path(node ^ destination, status, channels);
}

uint64_t damage_random(uint64_t *state)
{
    *state += CNI_RANDOM_STEP;
    return cni_random_mix(*state);
}

/* Mean distances and channel loads against sums over all pairs of nodes, and the bounds of a
 * load. */
#include "scenario/traffic_cases.h"

#include <math.h>
#include <string.h>

#include "scenario/traffic/traffic.h"
#include "scenario/traffic/traffic_bound.h"

static double share(const cn_traffic *traffic, uint64_t source, uint64_t destination)
{
    double p;
    assert_ok(cn_traffic_probability(traffic, source, destination, &p));
    return p;
}

static void check_mean(const cn_topology *topology, const cn_traffic *traffic)
{
    uint64_t nodes = cn_topology_node_count(topology), hops, senders;
    double sum = 0.0, mean;
    for (uint64_t s = 0; s < nodes; s++)
        for (uint64_t d = 0; d < nodes; d++) {
            assert_ok(cn_topology_distance(topology, s, d, NULL, &hops));
            sum += share(traffic, s, d) * (double)hops;
        }
    assert_ok(cn_traffic_senders(traffic, &senders));
    assert_ok(cn_traffic_mean_distance(traffic, NULL, &mean));
    assert_near(mean, sum / (double)senders, 1e-12 * mean);
}

static void mean_distances_are_sums_over_pairs(void **state)
{
    (void)state;
    for_every_traffic(check_mean);
}

static void check_loads(const cn_topology *topology, const cn_traffic *traffic)
{
    double loads[384], wanted[384] = {0.0};
    uint64_t nodes = cn_topology_node_count(topology);
    uint32_t n = cn_topology_dimensions(topology);
    size_t count;
    cn_routing *ecube;
    if (strncmp(cn_topology_name(topology), "hypercube", 9) != 0)
        return;
    assert_ok(cn_routing_new(topology, "dimension-order", NULL, NULL, &ecube));
    for (uint64_t s = 0; s < nodes; s++)
        for (uint64_t d = 0; d < nodes; d++) {
            uint64_t at = s;
            while (at != d) {
                uint32_t i = 0;
                while ((at >> i & 1) == (d >> i & 1))
                    i++;
                wanted[at * n + i] += share(traffic, s, d);
                at ^= UINT64_C(1) << i;
            }
        }
    assert_fails(cn_traffic_loads(traffic, ecube, NULL, NULL, 0, &count), CN_ERR_CAPACITY, "ports");
    assert_int_equal(count, nodes * n);
    assert_ok(cn_traffic_loads(traffic, ecube, NULL, loads, 384, NULL));
    cn_routing_free(&ecube);
    for (size_t c = 0; c < count; c++)
        assert_near(loads[c], wanted[c], 1e-12);
}

static void ecube_loads_are_sums_over_pairs(void **state)
{
    (void)state;
    for_every_traffic(check_loads);
}

/* No steady state from where the hops fill all channels, or the messages those of some node. */
static void check_bound(const cn_topology *topology, const cn_traffic *traffic)
{
    uint64_t nodes = cn_topology_node_count(topology), hops;
    double all = 0.0, busiest = 1.0, ports = cn_topology_max_degree(topology);
    cni_traffic_bound bound;
    if (strncmp(cn_topology_name(topology), "hypercube", 9) != 0 &&
        strncmp(cn_topology_name(topology), "kary", 4) != 0)
        return;
    for (uint64_t d = 0; d < nodes; d++) {
        double received = 0.0;
        for (uint64_t s = 0; s < nodes; s++) {
            assert_ok(cn_topology_distance(topology, s, d, NULL, &hops));
            all += share(traffic, s, d) * (double)hops;
            received += share(traffic, s, d);
        }
        busiest = fmax(busiest, received);
    }
    assert_ok(cni_traffic_bound_of(topology, traffic, 1, &bound));
    assert_near(bound.channels, (double)nodes * ports / all, 1e-10);
    assert_near(bound.node, ports / busiest, 1e-10);
    if (cn_traffic_pattern(traffic) == CN_PATTERN_UNIFORM ||
        cn_traffic_pattern(traffic) == CN_PATTERN_LOCALITY)
        assert_true(isinf(bound.path));
    else
        assert_true(bound.path <= bound.channels * (1.0 + 1e-12) &&
                    bound.path <= bound.node * (1.0 + 1e-12));
}

static void bounds_are_those_of_channels_and_nodes(void **state)
{
    (void)state;
    for_every_traffic(check_bound);
}

/* The busiest channel of random paths against walks down all of them. */

enum { MOST_CHANNELS = 64 * 6 };

static void walk(const cn_topology *t, uint64_t at, uint64_t destination, double rate,
                 double loads[])
{
    uint64_t header, channels;
    uint32_t choices = 0, ports = cn_topology_max_degree(t);
    assert_ok(cn_topology_header(t, at, destination, &header));
    assert_ok(cn_route_preferred(t, header, &channels));
    for (uint32_t p = 0; p < ports; p++)
        choices += channels >> p & 1;
    for (uint32_t p = 0; p < ports; p++)
        if (channels >> p & 1) {
            uint64_t next;
            loads[at * ports + p] += rate / choices;
            assert_ok(cn_topology_neighbor(t, at, p, &next));
            walk(t, next, destination, rate / choices, loads);
        }
}

static void check_random_paths(const cn_topology *t, const cn_traffic *traffic)
{
    double loads[MOST_CHANNELS] = {0.0}, most = 0.0, load;
    cn_routing *preferred;
    uint64_t nodes = cn_topology_node_count(t);
    if (nodes > 32 || (strncmp(cn_topology_name(t), "hypercube", 9) != 0 &&
                       strncmp(cn_topology_name(t), "kary", 4) != 0))
        return;
    for (uint64_t s = 0; s < nodes; s++)
        for (uint64_t d = 0; d < nodes; d++)
            if (share(traffic, s, d) > 0.0)
                walk(t, s, d, share(traffic, s, d), loads);
    for (size_t c = 0; c < MOST_CHANNELS; c++)
        most = fmax(most, loads[c]);
    assert_ok(cn_routing_new(t, "preferred", NULL, NULL, &preferred));
    load = support_saturation(traffic, preferred);
    cn_routing_free(&preferred);
    assert_near(1 / load, most, 1e-12 * most);
    if (cn_traffic_pattern(traffic) == CN_PATTERN_LOCALITY ||
        cn_traffic_pattern(traffic) == CN_PATTERN_UNIFORM) {
        double mean;
        assert_ok(cn_traffic_mean_distance(traffic, NULL, &mean));
        assert_near(1 / load, mean / cn_topology_max_degree(t), 1e-12); /* all channels alike */
    }
}

static void random_paths_are_divided_at_every_node(void **state)
{
    (void)state;
    for_every_traffic(check_random_paths);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *t;
    cn_traffic *traffic;
    double mean;
    assert_ok(cn_topology_hypercube(30, &t));
    assert_ok(cn_traffic_new(t, CN_PATTERN_TRANSPOSE, &traffic));
    assert_fails(cn_traffic_mean_distance(traffic, NULL, &mean), CN_ERR_UNSUPPORTED,
                 "computed for at most 16777216");
    assert_fails(cn_traffic_mean_distance(traffic, NULL, NULL), CN_ERR_ARGUMENT, "mean");
    assert_fails(cn_traffic_mean_distance(NULL, NULL, &mean), CN_ERR_ARGUMENT, "traffic");
    cn_traffic_free(&traffic);
    assert_ok(cn_traffic_hotspot(t, 3, 0.5, &traffic)); /* closed forms know no size */
    assert_ok(cn_traffic_mean_distance(traffic, NULL, &mean));
    assert_near(mean, 15.0, 1e-6);
    cn_traffic_free(&traffic);
    cn_topology_free(&t);

    static const uint64_t edges[] = {0, 1, 2, 3}, far[] = {2, 0, 0, 0};
    assert_ok(cn_topology_from_edges(4, edges, 2, NULL, &t));
    assert_ok(cn_traffic_destinations(t, far, 4, &traffic));
    assert_fails(cn_traffic_mean_distance(traffic, NULL, &mean), CN_ERR_DISCONNECTED,
                 "cannot reach");
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

static cn_status measure(void *context)
{
    (void)context;
    static const uint64_t edges[] = {0, 1, 1, 2, 2, 3}, to[] = {1, 2, 3, 0};
    cn_topology *t = NULL;
    cn_traffic *traffic = NULL;
    cni_traffic_bound bound;
    double mean;
    cn_topology *cube = NULL;
    cn_traffic *on_cube = NULL;
    cn_status status = cn_topology_from_edges(4, edges, 3, NULL, &t);
    if (status == CN_OK)
        status = cn_traffic_destinations(t, to, 4, &traffic);
    if (status == CN_OK)
        status = cn_traffic_mean_distance(traffic, NULL, &mean);
    if (status == CN_OK)
        status = cn_topology_hypercube(2, &cube);
    if (status == CN_OK)
        status = cn_traffic_destinations(cube, to, 4, &on_cube);
    if (status == CN_OK)
        status = cni_traffic_bound_of(cube, on_cube, 1, &bound);
    cn_traffic_free(&traffic);
    cn_traffic_free(&on_cube);
    cn_topology_free(&t);
    cn_topology_free(&cube);
    return status;
}

static void no_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    support_fail_every_allocation(measure, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_distances_are_sums_over_pairs),
        cmocka_unit_test(ecube_loads_are_sums_over_pairs),
        cmocka_unit_test(bounds_are_those_of_channels_and_nodes),
        cmocka_unit_test(random_paths_are_divided_at_every_node),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(no_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

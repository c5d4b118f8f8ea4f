/* Two-level routing by weights of channels (Horng 1992, 5.5.2). */
#include "routing/damage.h"

#include "cubenet/experimental/damage.h"

#include <math.h>
#include <string.h>

enum { N = 6, NODES = 64, MOST_CLUSTERS = 64 };

typedef struct network {
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
} network;

/* Faulty nodes and links by seed; every tenth network has none. */
static network open_network(uint64_t seed)
{
    network w;
    damage_open(N, &w.cube, &w.faults);
    assert_ok(cn_faults_add_random_nodes(w.faults, 2 * (seed % 10), seed));
    assert_ok(cn_faults_add_random_links(w.faults, seed % 10, seed));
    assert_ok(cn_hierarchy_new(w.faults, NULL, &w.h));
    return w;
}

static void close_network(network *w)
{
    cn_hierarchy_free(&w->h);
    cn_faults_free(&w->faults);
    cn_topology_free(&w->cube);
}

static uint32_t cluster_of(const network *w, uint64_t node)
{
    uint32_t cluster;
    assert_ok(cn_hierarchy_cluster_of(w->h, node, &cluster));
    return cluster;
}

static uint64_t good_links(const network *w, uint64_t node)
{
    uint64_t status;
    assert_ok(cn_hierarchy_neighbor_status(w->h, node, &status));
    return status;
}

/* From a few values, so that ties occur, or from many. */
static void draw_weights(double weights[NODES * N], uint64_t seed)
{
    uint64_t x = seed * 2 + 1;
    for (size_t i = 0; i < NODES * N; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        weights[i] = seed % 2 ? 1.0 + (double)(x >> 62) : 1.0 + (double)(x >> 40) / (1 << 22);
    }
}

static void with_equal_weights_it_is_the_rule_by_hops(void **state)
{
    (void)state;
    uint64_t pairs = 0;
    double equal[NODES * N];
    for (size_t i = 0; i < NODES * N; i++)
        equal[i] = 1.0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        network w = open_network(seed);
        cn_routing *hops, *weighted;
        assert_ok(cn_hierarchy_make_tables(w.h, NULL));
        cn_status made = cn_routing_two_level(w.h, NULL, &hops);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(made, cn_routing_two_level_weighted(w.h, k < 2 ? NULL : equal,
                                                                 k < 2 ? 0 : NODES * N, k * 0.4,
                                                                 NULL, &weighted, NULL, NULL));
            for (uint64_t v = 0; made == CN_OK && v < NODES; v++)
                for (uint64_t to = 0; to < NODES; to++) {
                    uint64_t a, b;
                    if (cluster_of(&w, v) == CN_NO_CLUSTER || cluster_of(&w, to) == CN_NO_CLUSTER)
                        continue;
                    assert_int_equal(cn_routing_channels(hops, v, to, &a),
                                     cn_routing_channels(weighted, v, to, &b));
                    assert_true(v == to || a == b);
                    pairs++;
                }
            cn_routing_free(&weighted);
        }
        cn_routing_free(&hops);
        close_network(&w);
    }
    assert_true(pairs > 20000);
}

/* One more hop allowed on the ways to a cluster; marks nodes whose table changes. */
static int allow_hop(const network *w, const double weights[], double least[NODES],
                     int changed[NODES])
{
    double before[NODES];
    int some = 0;
    memcpy(before, least, sizeof before);
    for (uint64_t v = 0; v < NODES; v++)
        for (uint32_t p = 0; cluster_of(w, v) != CN_NO_CLUSTER && p < N; p++)
            if ((good_links(w, v) >> p & 1) != 0 &&
                before[v ^ (1u << p)] + weights[v * N + p] < least[v]) {
                least[v] = before[v ^ (1u << p)] + weights[v * N + p];
                changed[v] = some = 1;
            }
    return some;
}

/* Least weights by the number of hops allowed; and who tells whom in which round. */
static void solve(const network *w, const double weights[], double least[MOST_CLUSTERS][NODES],
                  uint64_t *rounds, uint64_t *messages)
{
    uint32_t clusters = cn_hierarchy_cluster_count(w->h);
    int tells[NODES], some = 1;
    for (uint64_t v = 0; v < NODES; v++) {
        tells[v] = cluster_of(w, v) != CN_NO_CLUSTER;
        for (uint32_t c = 0; c < clusters; c++)
            least[c][v] = cluster_of(w, v) == c ? 0.0 : INFINITY;
    }
    *rounds = *messages = 0;
    while (some) {
        int changed[NODES] = {0};
        some = 0;
        ++*rounds;
        for (uint64_t v = 0; v < NODES; v++)
            for (uint32_t p = 0; tells[v] && p < N; p++)
                *messages += good_links(w, v) >> p & 1;
        for (uint32_t c = 0; c < clusters; c++)
            some |= allow_hop(w, weights, least[c], changed);
        memcpy(tells, changed, sizeof tells);
    }
}

static uint64_t expected_channels(const network *w, const double weights[], const double least[],
                                  uint64_t v, uint64_t header, double slack)
{
    uint64_t channels = 0;
    for (uint32_t p = 0; p < N; p++) {
        double far = least[v ^ (1u << p)];
        if ((good_links(w, v) >> p & 1) != 0 && far < least[v] &&
            far + weights[v * N + p] <= least[v] + slack)
            channels |= UINT64_C(1) << p;
    }
    return (channels & header) != 0 ? channels & header : channels;
}

static void the_ways_have_least_weight(void **state)
{
    (void)state;
    static double least[MOST_CLUSTERS][NODES];
    static const double slacks[] = {0.0, 0.5, 2.0};
    uint64_t outside = 0, single = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        network w = open_network(seed);
        double weights[NODES * N], slack = slacks[seed % 3];
        uint64_t rounds, messages, told_rounds, told, walk;
        cn_routing *routing;
        draw_weights(weights, seed);
        cn_status made = cn_routing_two_level_weighted(w.h, weights, NODES * N, slack, NULL,
                                                       &routing, &rounds, &messages);
        assert_true(made == CN_OK || made == CN_ERR_DISCONNECTED);
        if (made == CN_OK) {
            solve(&w, weights, least, &told_rounds, &told);
            assert_int_equal(rounds, told_rounds);
            assert_int_equal(messages, told);
            assert_ok(cn_routing_longest_walk(routing, NULL, &walk));
            for (uint64_t v = 0; v < NODES; v++)
                for (uint64_t to = 0; to < NODES; to++) {
                    uint32_t here = cluster_of(&w, v), there = cluster_of(&w, to);
                    uint64_t channels, header = v ^ to;
                    if (v == to || here == CN_NO_CLUSTER || there == CN_NO_CLUSTER)
                        continue;
                    assert_ok(cn_routing_channels(routing, v, to, &channels));
                    assert_true(channels == (here == there
                                                 ? header & good_links(&w, v)
                                                 : expected_channels(&w, weights, least[there], v,
                                                                     header, slack)));
                    outside += here != there;
                    single += here != there && (channels & (channels - 1)) == 0;
                }
        }
        cn_routing_free(&routing);
        close_network(&w);
    }
    assert_true(outside > 10000 && single < outside);
}

/* Without damage there is one cluster: everybody says so once, and nothing is new. */
static void an_undamaged_cube_needs_one_round(void **state)
{
    (void)state;
    network w = open_network(10);
    uint64_t rounds, messages;
    cn_routing *routing;
    assert_ok(cn_routing_two_level_weighted(w.h, NULL, 0, 0.0, NULL, &routing, &rounds, &messages));
    assert_int_equal(rounds, 1);
    assert_int_equal(messages, NODES * N);
    cn_routing_free(&routing);
    close_network(&w);
}

static void a_network_without_survivors_is_as_by_hops(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
    cn_routing *routing, *weighted;
    uint64_t rounds = 7;
    damage_open(2, &cube, &faults);
    assert_ok(cn_faults_add_random_nodes(faults, 4, 1));
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    assert_ok(cn_hierarchy_make_tables(h, NULL));
    assert_int_equal(
        cn_routing_two_level(h, NULL, &routing),
        cn_routing_two_level_weighted(h, NULL, 0, 0.0, NULL, &weighted, &rounds, NULL));
    assert_int_equal(rounds, 0);
    cn_routing_free(&routing);
    cn_routing_free(&weighted);
    cn_hierarchy_free(&h);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    network w = open_network(3);
    cn_routing *routing = NULL;
    double weights[NODES * N];
    draw_weights(weights, 1);
#define TRY(weights, count, slack) \
    cn_routing_two_level_weighted(w.h, weights, count, slack, NULL, &routing, NULL, NULL)
    assert_fails(TRY(weights, 383, 0.0), CN_ERR_ARGUMENT, "count = 383, but there are 384");
    static const double bad[] = {0.0, -1.0, 9e-4, 1.1e6, INFINITY, NAN};
    for (size_t i = 0; i < 6; i++) {
        weights[5] = bad[i];
        assert_fails(TRY(weights, 384, 0.0), CN_ERR_ARGUMENT, "weights[5] = ");
    }
    assert_fails(TRY(NULL, 0, -0.1), CN_ERR_ARGUMENT, "slack = -0.1");
    assert_fails(TRY(NULL, 0, NAN), CN_ERR_ARGUMENT, "slack = ");
    assert_fails(cn_routing_two_level_weighted(NULL, NULL, 0, 0.0, NULL, &routing, NULL, NULL),
                 CN_ERR_ARGUMENT, "hierarchy");
    assert_fails(cn_routing_two_level_weighted(w.h, NULL, 0, 0.0, NULL, NULL, NULL, NULL),
                 CN_ERR_ARGUMENT, "routing");
    assert_null(routing);
    close_network(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_equal_weights_it_is_the_rule_by_hops),
        cmocka_unit_test(the_ways_have_least_weight),
        cmocka_unit_test(an_undamaged_cube_needs_one_round),
        cmocka_unit_test(a_network_without_survivors_is_as_by_hops),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "routing/damage.h"

#include <math.h>
#include <string.h>

enum { MOST_CLUSTERS = DAMAGE_MOST_NODES };

typedef struct table {
    uint64_t values[MOST_CLUSTERS], anys[MOST_CLUSTERS], channels[MOST_CLUSTERS],
        hops[MOST_CLUSTERS], status;
    size_t count;
} table;

static void read_table(const cn_hierarchy *h, uint64_t node, table *t)
{
    assert_ok(cn_hierarchy_table(h, node, t->values, t->anys, t->channels, t->hops, MOST_CLUSTERS,
                                 &t->count));
    assert_ok(cn_hierarchy_neighbor_status(h, node, &t->status));
}

static table tables[DAMAGE_MOST_NODES]; /* of all working nodes */

static void read_tables(const cn_hierarchy *h, uint64_t nodes)
{
    for (uint64_t v = 0; v < nodes; v++) {
        uint32_t cluster;
        assert_ok(cn_hierarchy_cluster_of(h, v, &cluster));
        if (cluster != CN_NO_CLUSTER)
            read_table(h, v, &tables[v]);
    }
}

/* The two-level rule with the node's own table. */
static cn_status next_hops(uint64_t node, uint64_t destination, cn_tie_rule rule,
                           uint64_t *channels)
{
    const table *t = &tables[node];
    return cn_route_two_level(node, destination, t->status, t->values, t->anys, t->channels,
                              t->count, rule, channels);
}

static int is_in(uint64_t value, uint64_t any, uint64_t node)
{
    return ((node ^ value) & ~any) == 0;
}

/* Hops to a cluster, from the distances between nodes. */
static uint64_t nearest(const cn_faults *faults, uint64_t node, uint64_t value, uint64_t any,
                        uint64_t nodes)
{
    uint64_t best = CN_UNREACHABLE, hops;
    for (uint64_t w = 0; w < nodes; w++)
        if (is_in(value, any, w)) {
            assert_ok(cn_faults_distance(faults, node, w, NULL, &hops));
            best = hops < best ? hops : best;
        }
    return best;
}

static void check_tables(const cn_faults *faults, const cn_hierarchy *h, uint32_t n)
{
    uint64_t nodes = UINT64_C(1) << n;
    for (uint64_t v = 0; v < nodes; v++) {
        static table t;
        uint32_t own;
        if (cn_faults_has_node(faults, v))
            continue;
        read_table(h, v, &t);
        assert_int_equal(t.count, cn_hierarchy_cluster_count(h));
        assert_ok(cn_hierarchy_cluster_of(h, v, &own));
        for (uint32_t c = 0; c < t.count; c++) {
            uint64_t hops = nearest(faults, v, t.values[c], t.anys[c], nodes), expected = 0;
            assert_true(t.hops[c] == hops);
            assert_int_equal(c == own, hops == 0);
            for (uint32_t i = 0; hops != 0 && hops != CN_UNREACHABLE && i < n; i++) {
                uint64_t far = v ^ (UINT64_C(1) << i);
                if (!cn_faults_has_node(faults, far) && !cn_faults_has_link(faults, v, i) &&
                    nearest(faults, far, t.values[c], t.anys[c], nodes) + 1 == hops)
                    expected |= UINT64_C(1) << i;
            }
            assert_true(t.channels[c] == expected);
        }
    }
}

static void tables_are_right(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 5; n++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            cn_topology *cube;
            cn_faults *faults;
            cn_hierarchy *h;
            damage_open(n, &cube, &faults);
            assert_ok(cn_faults_add_failing_nodes(faults, 0.08 * (double)seed, seed));
            assert_ok(cn_faults_add_failing_links(faults, 0.05, seed));
            assert_ok(cn_hierarchy_new(faults, NULL, &h));
            assert_ok(cn_hierarchy_make_tables(h, NULL));
            assert_ok(cn_hierarchy_make_tables(h, NULL));
            check_tables(faults, h, n);
            cn_hierarchy_free(&h);
            cn_faults_free(&faults);
            cn_topology_free(&cube);
        }
}

/*
 * Follows a random choice among the channels allowed. The table promises how many hops lead to the
 * cluster; from where the message enters, the Hamming distance is left.
 */
static uint64_t walk(const cn_hierarchy *h, uint64_t source, uint64_t destination, cn_tie_rule rule,
                     uint64_t *random)
{
    uint64_t node = source, hops = 0, promised = 0, channels = 0;
    uint32_t cluster, here;
    assert_ok(cn_hierarchy_cluster_of(h, destination, &cluster));
    uint64_t to_cluster = tables[source].hops[cluster];
    for (;;) {
        cn_status status = next_hops(node, destination, rule, &channels);
        assert_ok(cn_hierarchy_cluster_of(h, node, &here));
        if (hops == to_cluster) {
            assert_int_equal(here, cluster);
            promised = hops;
            for (uint64_t header = node ^ destination; header != 0; header &= header - 1)
                promised++;
        } else if (hops < to_cluster) {
            assert_true(here != cluster);
        }
        if (status == CN_DONE)
            break;
        assert_ok(status);
        uint32_t port;
        do
            port = (uint32_t)(damage_random(random) % 64);
        while ((channels >> port & 1) == 0);
        node ^= UINT64_C(1) << port;
        hops++;
        assert_true(hops < 1000);
    }
    assert_true(node == destination && hops == promised);
    return hops;
}

static void every_reachable_pair_is_served(void **state)
{
    (void)state;
    uint64_t random = 3, unreachable = 0;
    for (uint32_t n = 2; n <= 8; n++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            cn_topology *cube;
            cn_faults *faults;
            cn_hierarchy *h;
            uint64_t nodes = UINT64_C(1) << n;
            damage_open(n, &cube, &faults);
            assert_ok(cn_faults_add_failing_nodes(faults, 0.1 * (double)seed, seed));
            assert_ok(cn_faults_add_failing_links(faults, 0.03, seed));
            assert_ok(cn_hierarchy_new(faults, NULL, &h));
            assert_ok(cn_hierarchy_make_tables(h, NULL));
            read_tables(h, nodes);
            for (uint64_t v = 0; v < nodes; v++) {
                if (cn_faults_has_node(faults, v))
                    continue;
                for (uint64_t w = 0; w<nodes; w += n> 5 ? 1 + v % 7 : 1) {
                    uint64_t distance, channels = 77;
                    cn_tie_rule rule = (cn_tie_rule)(damage_random(&random) % 3);
                    assert_ok(cn_faults_distance(faults, v, w, NULL, &distance));
                    if (cn_faults_has_node(faults, w))
                        continue;
                    if (distance == CN_UNREACHABLE) {
                        assert_fails(next_hops(v, w, rule, &channels), CN_ERR_DISCONNECTED,
                                     "no channel leads to its cluster");
                        assert_int_equal(channels, 77);
                        unreachable++;
                    } else {
                        assert_true(walk(h, v, w, rule, &random) >= distance);
                    }
                }
            }
            cn_hierarchy_free(&h);
            cn_faults_free(&faults);
            cn_topology_free(&cube);
        }
    assert_true(unreachable > 100);
}

/* The working nodes that a node reaches, as a word. */
static uint32_t reached_from(uint32_t dead, uint32_t node, uint32_t n)
{
    uint32_t reached = UINT32_C(1) << node, before = 0;
    while (reached != before) {
        before = reached;
        for (uint32_t v = 0; v < UINT32_C(1) << n; v++)
            for (uint32_t i = 0; (before >> v & 1) != 0 && i < n; i++)
                reached |= UINT32_C(1) << (v ^ UINT32_C(1) << i);
        reached &= ~dead;
    }
    return reached;
}

typedef struct small_cube {
    uint32_t dead, reached[16], cluster[16];
    uint64_t hops[16][16]; /* by node and cluster */
} small_cube;

static void read_small_cube(const cn_hierarchy *h, uint32_t dead, uint32_t n, small_cube *s)
{
    s->dead = dead;
    read_tables(h, UINT64_C(1) << n);
    for (uint32_t v = 0; v < UINT32_C(1) << n; v++) {
        assert_ok(cn_hierarchy_cluster_of(h, v, &s->cluster[v]));
        if (dead >> v & 1)
            continue;
        s->reached[v] = reached_from(dead, v, n);
        memcpy(s->hops[v], tables[v].hops, sizeof s->hops[v]);
    }
}

/* Every choice leads to a working node that is nearer: to the cluster by its tables, in it by the
 * Hamming distance, of which this is then true as well. The other two tie rules take some of these
 * channels. */
static void check_step(const small_cube *s, uint32_t v, uint32_t w)
{
    uint64_t channels;
    cn_status status = next_hops(v, w, CN_TIE_ANY, &channels);
    if ((s->reached[v] >> w & 1) == 0) {
        assert_int_equal(status, CN_ERR_DISCONNECTED);
        return;
    }
    assert_true(status == CN_OK && channels != 0);
    uint32_t to = s->cluster[w];
    for (; channels != 0; channels &= channels - 1) {
        uint32_t far = v ^ (uint32_t)(channels & (0 - channels));
        assert_true((s->dead >> far & 1) == 0);
        if (s->cluster[v] == to)
            assert_true(s->cluster[far] == to && ((far ^ w) & ~(v ^ w)) == 0);
        else
            assert_true(s->hops[far][to] + 1 == s->hops[v][to]);
    }
}

static void all_node_faults_of_small_cubes(void **state)
{
    (void)state;
    static small_cube s;
    for (uint32_t n = 1; n <= 4; n++) {
        cn_topology *cube;
        cn_faults *faults;
        uint32_t nodes = UINT32_C(1) << n;
        damage_open(n, &cube, &faults);
        for (uint32_t dead = 0; dead >> nodes == 0; dead++) {
            cn_hierarchy *h;
            damage_set_nodes(faults, dead);
            assert_ok(cn_hierarchy_new(faults, NULL, &h));
            assert_ok(cn_hierarchy_make_tables(h, NULL));
            read_small_cube(h, dead, n, &s);
            for (uint32_t v = 0; v < nodes; v++)
                for (uint32_t w = 0; w < nodes; w++)
                    if (v != w && ((dead >> v | dead >> w) & 1) == 0)
                        check_step(&s, v, w);
            cn_hierarchy_free(&h);
        }
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static void figure_5_1(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
    double mean;
    uint64_t pairs, random = 1;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    assert_ok(cn_hierarchy_make_tables(h, NULL));
    check_tables(faults, h, 4);
    read_tables(h, 16);
    assert_int_equal(walk(h, 6, 5, CN_TIE_HEADER, &random), 4);
    assert_ok(cn_hierarchy_mean_hops(h, CN_TIE_HEADER, NULL, &mean, &pairs));
    assert_near(mean, 252.0 / 110, 1e-12); /* 2.290909 */
    assert_int_equal(pairs, 110);
    assert_ok(cn_hierarchy_mean_hops(h, CN_TIE_ANY, NULL, &mean, NULL));
    assert_near(mean, 258.0 / 110, 1e-12); /* 2.345455 */
    assert_ok(cn_hierarchy_mean_hops(h, CN_TIE_LOWEST, NULL, &mean, NULL));
    assert_near(mean, 258.0 / 110, 1e-12);
    cn_hierarchy_free(&h);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* Mean hops when the lowest of the channels that the rule allows is always taken. */
static double mean_of_lowest(const cn_faults *faults, const cn_hierarchy *h, cn_tie_rule rule)
{
    read_tables(h, 64);
    uint64_t hops = 0, pairs = 0, channels = 0;
    for (uint64_t v = 0; v < 64; v++)
        for (uint64_t w = 0; w < 64; w++) {
            if (v == w || cn_faults_has_node(faults, v) || cn_faults_has_node(faults, w))
                continue;
            pairs++;
            for (uint64_t node = v; node != w; node ^= channels & (0 - channels), hops++)
                assert_ok(next_hops(node, w, rule, &channels));
        }
    return (double)hops / (double)pairs;
}

/*
 * Horng 1992, figure 5.14: 6-cube, 8 faults; 4 standard errors of these runs. The expected numbers
 * are those of an independent program; it took the lowest of the channels that the header prefers.
 * With any of them the mean is 3.0627 (20000 patterns, 3.06275 +- 0.0001).
 */
static void mean_path_length(void **state)
{
    (void)state;
    enum { RUNS = 1000, KINDS = 4 };
    const double expected[KINDS] = {3.057, 3.06275, 3.134, 3.064};
    double sum[KINDS] = {0}, squares[KINDS] = {0};
    cn_topology *cube;
    cn_faults *faults;
    damage_open(6, &cube, &faults);
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        cn_hierarchy *h;
        double mean[KINDS];
        uint64_t pairs;
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_random_nodes(faults, 8, seed));
        assert_ok(cn_hierarchy_new(faults, NULL, &h));
        assert_ok(cn_hierarchy_make_tables(h, NULL));
        assert_ok(cn_faults_mean_distance(faults, NULL, &mean[0], &pairs));
        assert_int_equal(pairs, 56 * 55); /* all of these are connected */
        assert_ok(cn_hierarchy_mean_hops(h, CN_TIE_HEADER, NULL, &mean[1], NULL));
        assert_ok(cn_hierarchy_mean_hops(h, CN_TIE_ANY, NULL, &mean[2], NULL));
        mean[3] = mean_of_lowest(faults, h, CN_TIE_HEADER);
        assert_true(mean[0] <= mean[1] + 1e-12 && mean[1] <= mean[2] + 1e-12);
        for (int i = 0; i < KINDS; i++) {
            sum[i] += mean[i];
            squares[i] += mean[i] * mean[i];
        }
        cn_hierarchy_free(&h);
    }
    for (int i = 0; i < KINDS; i++) {
        double mean = sum[i] / RUNS, error = sqrt((squares[i] / RUNS - mean * mean) / RUNS);
        assert_near(mean, expected[i], 4 * error + 0.0005);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* The mean over equally likely choices, against walks: 5-cube, one pattern, half-width below
 * 0.02. */
static void mean_hops_are_those_of_walks(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
    uint64_t random = 8, pairs, walks = 0, sum = 0, distance;
    double mean;
    damage_open(5, &cube, &faults);
    assert_ok(cn_faults_add_random_nodes(faults, 9, 4));
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    assert_true(cn_hierarchy_cluster_count(h) > 2);
    assert_ok(cn_hierarchy_make_tables(h, NULL));
    read_tables(h, 32);
    assert_ok(cn_hierarchy_mean_hops(h, CN_TIE_ANY, NULL, &mean, &pairs));
    for (int round = 0; round < 60; round++)
        for (uint64_t v = 0; v < 32; v++)
            for (uint64_t w = 0; w < 32; w++) {
                assert_ok(cn_faults_distance(faults, v, w, NULL, &distance));
                if (v == w || distance == CN_UNREACHABLE)
                    continue;
                sum += walk(h, v, w, CN_TIE_ANY, &random);
                walks++;
            }
    assert_int_equal(walks, 60 * pairs);
    assert_near((double)sum / (double)walks, mean, 0.01);
    cn_hierarchy_free(&h);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
    uint64_t words[4];
    size_t count;
    double mean;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    assert_fails(cn_hierarchy_table(h, 0, words, words, words, words, 4, &count), CN_ERR_STATE,
                 "no tables");
    assert_ok(cn_hierarchy_make_tables(h, NULL));
    assert_fails(cn_hierarchy_table(h, 2, words, words, words, words, 4, &count), CN_ERR_STATE,
                 "node = 2");
    assert_fails(cn_hierarchy_table(h, 0, words, words, words, words, 1, &count), CN_ERR_CAPACITY,
                 "capacity = 1");
    assert_int_equal(count, 2);
    assert_fails(cn_hierarchy_table(h, 16, words, words, words, words, 4, &count), CN_ERR_ARGUMENT,
                 "node = 16");
    assert_fails(cn_hierarchy_mean_hops(h, (cn_tie_rule)3, NULL, &mean, NULL), CN_ERR_ARGUMENT,
                 "tie_rule = 3");
    cn_hierarchy_free(&h);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_right),
        cmocka_unit_test(every_reachable_pair_is_served),
        cmocka_unit_test(all_node_faults_of_small_cubes),
        cmocka_unit_test(figure_5_1),
        cmocka_unit_test(mean_path_length),
        cmocka_unit_test(mean_hops_are_those_of_walks),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "routing/damage.h"

#include "cubenet/experimental/damage.h"

#include <math.h>

/* Every set of 2 of 8 nodes is drawn equally often: chi-square over 28 sets, 27 degrees of freedom,
 * below its 99.9 % point 55.5. */
static void every_set_is_equally_likely(void **state)
{
    (void)state;
    enum { RUNS = 28000 };
    cn_topology *cube;
    cn_faults *faults;
    double drawn[8][8] = {{0}}, chi_square = 0;
    damage_open(3, &cube, &faults);
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        uint64_t nodes[2];
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_random_nodes(faults, 2, seed));
        assert_ok(cn_faults_nodes(faults, nodes, 2, NULL));
        drawn[nodes[0]][nodes[1]]++;
    }
    for (int a = 0; a < 8; a++)
        for (int b = a + 1; b < 8; b++)
            chi_square += pow(drawn[a][b] - RUNS / 28.0, 2) / (RUNS / 28.0);
    assert_true(chi_square < 55.5);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void counts_are_exact_and_add_up(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    damage_open(5, &cube, &faults);
    assert_ok(cn_faults_add_random_nodes(faults, 10, 1));
    assert_ok(cn_faults_add_random_nodes(faults, 20, 1));
    assert_int_equal(cn_faults_node_count(faults), 30);
    assert_fails(cn_faults_add_random_nodes(faults, 3, 1), CN_ERR_ARGUMENT, "only 2 working nodes");
    assert_ok(cn_faults_add_random_nodes(faults, 2, 1));
    assert_int_equal(cn_faults_node_count(faults), 32);
    assert_ok(cn_faults_add_random_links(faults, 79, 1));
    assert_fails(cn_faults_add_random_links(faults, 2, 1), CN_ERR_ARGUMENT, "only 1 working links");
    assert_ok(cn_faults_add_random_links(faults, 1, 1));
    assert_int_equal(cn_faults_link_count(faults), 80);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* 2^14 nodes, 7 2^14 links: 4 standard deviations of a binomial. */
static void probabilities_are_met(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    damage_open(14, &cube, &faults);
    assert_ok(cn_faults_add_failing_nodes(faults, 0.25, 7));
    assert_near((double)cn_faults_node_count(faults), 4096, 4 * 55.5);
    assert_ok(cn_faults_add_failing_links(faults, 0.125, 7));
    assert_near((double)cn_faults_link_count(faults), 14336, 4 * 112.0);
    assert_ok(cn_faults_clear(faults));
    assert_ok(cn_faults_add_failing_nodes(faults, 0, 7));
    assert_int_equal(cn_faults_node_count(faults), 0);
    assert_ok(cn_faults_add_failing_nodes(faults, 1, 7));
    assert_int_equal(cn_faults_node_count(faults), 1 << 14);
    assert_fails(cn_faults_add_failing_nodes(faults, 1.5, 7), CN_ERR_ARGUMENT, "p = 1.5");
    assert_fails(cn_faults_add_failing_links(faults, (double)NAN, 7), CN_ERR_ARGUMENT, "p = ");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* The faults of a seed are for ever: these were printed by the first version. */
static void a_seed_means_the_same_for_ever(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    uint64_t nodes[4], far[3];
    uint32_t ports[3];
    damage_open(6, &cube, &faults);
    assert_ok(cn_faults_add_random_nodes(faults, 4, 1));
    assert_ok(cn_faults_nodes(faults, nodes, 4, NULL));
    assert_ok(cn_faults_add_random_links(faults, 3, 1));
    assert_ok(cn_faults_links(faults, far, ports, 3, NULL));
    const uint64_t expected[] = {10, 24, 32, 42}, expected_far[] = {12, 44, 52};
    const uint32_t expected_ports[] = {1, 0, 3};
    assert_memory_equal(nodes, expected, sizeof nodes);
    assert_memory_equal(far, expected_far, sizeof far);
    assert_memory_equal(ports, expected_ports, sizeof ports);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void surroundings_are_balls(void **state)
{
    (void)state;
    cn_topology *cube, *torus;
    cn_faults *faults;
    damage_open(6, &cube, &faults);
    for (uint32_t radius = 0; radius <= 7; radius++) {
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_around(faults, 37, radius));
        for (uint64_t v = 0; v < 64; v++) {
            uint64_t hops;
            assert_ok(cn_topology_distance(cube, 37, v, NULL, &hops));
            assert_int_equal(cn_faults_has_node(faults, v), hops <= radius);
        }
    }
    assert_fails(cn_faults_add_around(faults, 64, 1), CN_ERR_ARGUMENT, "center = 64");
    assert_ok(cn_faults_clear(faults));
    assert_ok(cn_faults_add_random_clusters(faults, 5, 0, 3));
    assert_int_equal(cn_faults_node_count(faults), 5);
    assert_ok(cn_faults_clear(faults));
    assert_ok(cn_faults_add_random_clusters(faults, 1, 2, 3));
    assert_int_equal(cn_faults_node_count(faults), 1 + 6 + 15);
    assert_fails(cn_faults_add_random_clusters(faults, 65, 1, 3), CN_ERR_ARGUMENT, "count = 65");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    assert_ok(cn_topology_kary_ncube(7, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    assert_ok(cn_faults_add_around(faults, 0, 2));
    assert_int_equal(cn_faults_node_count(faults), 13);
    cn_faults_free(&faults);
    cn_topology_free(&torus);
}

typedef struct growth {
    cn_topology *network; /* of 4 nodes */
    uint64_t count, centers;
    unsigned wall;       /* nodes that are dead before */
    double expected[16]; /* by the set of nodes that fail */
    double most;         /* of chi-square: the 99.9 % point */
} growth;

static void check_growth(const growth *g)
{
    enum { RUNS = 12000 };
    double drawn[16] = {0}, chi_square = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        cn_faults *faults;
        unsigned set = 0;
        assert_ok(cn_faults_new(g->network, &faults));
        for (unsigned v = 0; v < 4; v++)
            if ((g->wall >> v & 1) != 0)
                assert_ok(cn_faults_add_node(faults, v));
        assert_ok(cn_faults_add_grown_clusters(faults, g->count, g->centers, seed));
        for (unsigned v = 0; v < 4; v++)
            set |= (unsigned)cn_faults_has_node(faults, v) << v;
        drawn[set & ~g->wall]++;
        cn_faults_free(&faults);
    }
    for (int set = 0; set < 16; set++) {
        double expected = g->expected[set] * RUNS;
        if (expected == 0)
            assert_true(drawn[set] == 0);
        else
            chi_square += pow(drawn[set] - expected, 2) / expected;
    }
    assert_true(chi_square < g->most);
}

/* On the path 0-1-2-3 two nodes grown around one center are {0,1} and {2,3} with probability 3/8
 * each, {1,2} with 1/4. With node 1 dead before, they are {2,3} with 2/3, {0,2} and {0,3} with 1/6.
 * Two centers: every pair alike. On a triangle 0-1-2 with a tail 0-3 a node beside two dead ones is
 * no more likely to be next than one beside one: three nodes are {0,1,2} with 11/24, the others
 * that hold 0 with 13/48. */
static void clusters_grow_as_they_should(void **state)
{
    (void)state;
    const uint64_t path[] = {0, 1, 1, 2, 2, 3}, triangle[] = {0, 1, 1, 2, 0, 2, 0, 3};
    cn_topology *networks[2];
    assert_ok(cn_topology_from_edges(4, path, 3, NULL, &networks[0]));
    assert_ok(cn_topology_from_edges(4, triangle, 4, NULL, &networks[1]));
    const double sixth = 1 / 6.0;
    const growth cases[] = {
        {networks[0], 2, 1, 0, {[3] = 3 / 8.0, [6] = 1 / 4.0, [12] = 3 / 8.0}, 13.9},
        {networks[0], 2, 1, 2, {[12] = 2 / 3.0, [5] = sixth, [9] = sixth}, 13.9},
        {networks[0],
         2,
         2,
         0,
         {[3] = sixth, [5] = sixth, [6] = sixth, [9] = sixth, [10] = sixth, [12] = sixth},
         20.6},
        {networks[1], 3, 1, 0, {[7] = 11 / 24.0, [11] = 13 / 48.0, [13] = 13 / 48.0}, 13.9},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check_growth(&cases[c]);
    for (int i = 0; i < 2; i++)
        cn_topology_free(&networks[i]);
}

/* What a search that stays among faulty nodes reaches from one of them. */
static void spread(const cn_topology *cube, const cn_faults *faults, unsigned char seen[],
                   uint64_t node)
{
    seen[node] = 1;
    for (uint32_t p = 0; p < cn_topology_max_degree(cube); p++) {
        uint64_t far;
        assert_ok(cn_topology_neighbor(cube, node, p, &far));
        if (cn_faults_has_node(faults, far) && !seen[far])
            spread(cube, faults, seen, far);
    }
}

static void clusters_are_so_many_nodes_in_so_many_pieces(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    damage_open(7, &cube, &faults);
    for (uint64_t seed = 0; seed < 200; seed++) {
        unsigned char seen[128] = {0};
        uint64_t count = seed % 129, centers = count < 4 ? count : 1 + seed % 4, pieces = 0;
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_grown_clusters(faults, count, centers, seed));
        assert_int_equal(cn_faults_node_count(faults), count);
        for (uint64_t v = 0; v < 128; v++)
            if (cn_faults_has_node(faults, v) && !seen[v]) {
                spread(cube, faults, seen, v);
                pieces++;
            }
        assert_true(pieces <= centers && (pieces > 0 || count == 0));
    }
    assert_ok(cn_faults_clear(faults));
    assert_ok(cn_faults_add_grown_clusters(faults, 0, 0, 1));
    assert_ok(cn_faults_add_grown_clusters(faults, 6, 2, 1));
    uint64_t nodes[6];
    const uint64_t expected[] = {11, 12, 13, 77, 89, 93}; /* printed by the first version */
    assert_ok(cn_faults_nodes(faults, nodes, 6, NULL));
    assert_memory_equal(nodes, expected, sizeof nodes);
    assert_fails(cn_faults_add_grown_clusters(faults, 123, 1, 1), CN_ERR_ARGUMENT, "only 122");
    assert_fails(cn_faults_add_grown_clusters(faults, 4, 0, 1), CN_ERR_ARGUMENT, "1 to 4");
    assert_fails(cn_faults_add_grown_clusters(faults, 4, 5, 1), CN_ERR_ARGUMENT, "centers = 5");
    assert_fails(cn_faults_add_grown_clusters(faults, 0, 1, 1), CN_ERR_ARGUMENT, "0 to 0");
    assert_int_equal(cn_faults_node_count(faults), 6);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static cn_status grow(void *context)
{
    (void)context;
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    cn_status status = cn_topology_hypercube(5, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_add_grown_clusters(faults, 5, 2, 1);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void growth_out_of_memory(void **state)
{
    (void)state;
    support_fail_every_allocation(grow, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_is_equally_likely),
        cmocka_unit_test(counts_are_exact_and_add_up),
        cmocka_unit_test(probabilities_are_met),
        cmocka_unit_test(a_seed_means_the_same_for_ever),
        cmocka_unit_test(surroundings_are_balls),
        cmocka_unit_test(clusters_grow_as_they_should),
        cmocka_unit_test(clusters_are_so_many_nodes_in_so_many_pieces),
        cmocka_unit_test(growth_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

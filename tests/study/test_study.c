#include "support/support.h"

#include "cubenet/experimental/study.h"

#include <math.h>

static cn_study *study_of(cn_topology *topology)
{
    cn_study *study;
    assert_ok(cn_study_new(topology, &study));
    return study;
}

static void assert_same_faults(const cn_faults *a, const cn_faults *b)
{
    char text[2][8192];
    assert_ok(cn_faults_json(a, text[0], sizeof text[0], NULL));
    assert_ok(cn_faults_json(b, text[1], sizeof text[1], NULL));
    assert_string_equal(text[0], text[1]);
}

static void a_new_study_damages_nothing(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_study *study = study_of(cube);
    cn_topology_free(&cube); /* the study keeps it */
    assert_ok(cn_study_pattern(study, 7, &faults));
    assert_int_equal(cn_faults_node_count(faults) + cn_faults_link_count(faults), 0);
    cn_faults_free(&faults);
    cn_study_free(&study);
    assert_null(study);
    cn_study_free(&study);
    cn_study_free(NULL);
}

static void patterns_have_all_their_parts(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *fixed, *faults;
    assert_ok(cn_topology_hypercube(6, &cube));
    cn_study *study = study_of(cube);
    assert_ok(cn_faults_new(cube, &fixed));
    assert_ok(cn_faults_add_node(fixed, 5));
    assert_ok(cn_faults_add_link(fixed, 9, 3));
    assert_ok(cn_study_set_faults(study, fixed));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_NODES, 6));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 2));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 4));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_LINKS, 7));
    for (uint64_t i = 0; i < 50; i++) {
        assert_ok(cn_study_pattern(study, i, &faults));
        assert_int_equal(cn_faults_node_count(faults), 11);
        assert_int_equal(cn_faults_link_count(faults), 8);
        assert_true(cn_faults_has_node(faults, 5) && cn_faults_has_link(faults, 9, 3));
        cn_faults_free(&faults);
    }
    /* bombs and independent faults come on top */
    assert_ok(cn_study_set(study, CN_STUDY_BOMBS, 1));
    assert_ok(cn_study_set(study, CN_STUDY_BOMB_RADIUS, 1));
    assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 1));
    assert_ok(cn_study_pattern(study, 0, &faults));
    assert_int_equal(cn_faults_node_count(faults), 64);
    cn_faults_free(&faults);
    /* and every part goes again */
    assert_ok(cn_study_set_faults(study, NULL));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_NODES, 0));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 0));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_LINKS, 0));
    assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 0));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_PROBABILITY, 0));
    assert_ok(cn_study_pattern(study, 0, &faults));
    assert_int_equal(cn_faults_node_count(faults), 7);
    assert_int_equal(cn_faults_link_count(faults), 0);
    cn_faults_free(&faults);
    cn_faults_free(&fixed);
    cn_study_free(&study);
    cn_topology_free(&cube);
}

/* Exact and independent faults use one generator. With the same random numbers a node after the
 * first of the exact ones would nearly always fail; it has to with p = 1/8: 2000 patterns, 4
 * standard deviations. */
static void parts_share_no_randomness(void **state)
{
    (void)state;
    enum { RUNS = 2000 };
    cn_topology *cube;
    int failed = 0, looked = 0;
    assert_ok(cn_topology_hypercube(5, &cube));
    cn_study *study = study_of(cube);
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 2));
    for (uint64_t i = 0; i < RUNS; i++) {
        cn_faults *faults;
        uint64_t exact[2];
        assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 0));
        assert_ok(cn_study_set(study, CN_STUDY_LINK_PROBABILITY, 0));
        assert_ok(cn_study_pattern(study, i, &faults));
        assert_ok(cn_faults_nodes(faults, exact, 2, NULL));
        cn_faults_free(&faults);
        assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 0.125));
        assert_ok(cn_study_pattern(study, i, &faults));
        assert_true(cn_faults_has_node(faults, exact[0]) && cn_faults_has_node(faults, exact[1]));
        if (exact[1] > exact[0] + 1) {
            looked++;
            failed += cn_faults_has_node(faults, exact[0] + 1);
        }
        cn_faults_free(&faults);
    }
    assert_near((double)failed / looked, 0.125, 4 * sqrt(0.125 * 0.875 / looked));
    cn_study_free(&study);
    cn_topology_free(&cube);
}

static void patterns_follow_from_seed_and_index(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults[4];
    uint64_t nodes[2][5];
    assert_ok(cn_topology_hypercube(8, &cube));
    cn_study *study = study_of(cube), *other = study_of(cube);
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 5));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_LINKS, 3));
    assert_ok(cn_study_set(other, CN_STUDY_RANDOM_NODES, 5));
    assert_ok(cn_study_set(other, CN_STUDY_RANDOM_LINKS, 3));
    assert_ok(
        cn_study_set(other, CN_STUDY_KEEP, CN_KEEP_CONVEX)); /* what is kept does not matter */
    assert_ok(cn_study_set(other, CN_STUDY_PATTERNS, 3));
    assert_ok(cn_study_pattern(study, 2, &faults[0]));
    assert_ok(cn_study_pattern(other, 2, &faults[1]));
    assert_same_faults(faults[0], faults[1]);
    assert_ok(cn_study_pattern(study, 3, &faults[2]));
    assert_ok(cn_study_set_seed(study, 2));
    assert_ok(cn_study_pattern(study, 2, &faults[3]));
    for (int i = 2; i < 4; i++) {
        assert_ok(cn_faults_nodes(faults[0], nodes[0], 5, NULL));
        assert_ok(cn_faults_nodes(faults[i], nodes[1], 5, NULL));
        assert_memory_not_equal(nodes[0], nodes[1], sizeof nodes[0]);
    }
    for (int i = 0; i < 4; i++)
        cn_faults_free(&faults[i]);
    cn_study_free(&other);
    cn_study_free(&study);
    cn_topology_free(&cube);
}

/* In whatever order both are set: what cannot be seen then is seen when a pattern is drawn. */
static void centers_fit_nodes(cn_study *study)
{
    cn_faults *pattern;
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 5));
    assert_ok(cn_study_pattern(study, 0, &pattern)); /* no cluster, no centers */
    assert_int_equal(cn_faults_node_count(pattern), 0);
    cn_faults_free(&pattern);
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_NODES, 4));
    assert_fails(cn_study_pattern(study, 0, &pattern), CN_ERR_ARGUMENT,
                 "cn_study_pattern: grown_centers = 5, but for 4 nodes it is 1 to 4");
    assert_fails(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 6), CN_ERR_ARGUMENT,
                 "cn_study_set: grown_centers = 6, but for 4 nodes it is 1 to 4");
    assert_fails(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 0), CN_ERR_ARGUMENT, "1 to 4");
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 1));
}

static void bad_faults_are_refused(void **state)
{
    (void)state;
    cn_topology *cube, *big, *complete;
    cn_faults *faults;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_hypercube(31, &big));
    assert_ok(cn_topology_complete(100, &complete));
    cn_study *study, *other = study_of(complete);
    assert_fails(cn_study_new(big, &study), CN_ERR_UNSUPPORTED, "2^30");
    assert_null(study);
    assert_fails(cn_study_new(NULL, &study), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_study_new(cube, NULL), CN_ERR_ARGUMENT, "study");
    study = study_of(cube);
    assert_ok(cn_faults_new(complete, &faults));
    assert_fails(cn_study_set_faults(study, faults), CN_ERR_ARGUMENT, "complete");
    assert_fails(cn_study_set(study, CN_STUDY_GROWN_NODES, 17), CN_ERR_ARGUMENT,
                 "grown_nodes = 17");
    centers_fit_nodes(study);
    assert_fails(cn_study_set(study, CN_STUDY_RANDOM_NODES, 17), CN_ERR_ARGUMENT,
                 "random_nodes = 17");
    assert_fails(cn_study_set(study, CN_STUDY_RANDOM_LINKS, 33), CN_ERR_ARGUMENT,
                 "random_links = 33");
    assert_fails(cn_study_set(other, CN_STUDY_RANDOM_LINKS, 1), CN_ERR_UNSUPPORTED, "99 ports");
    assert_fails(cn_study_set(study, CN_STUDY_BOMBS, 17), CN_ERR_ARGUMENT, "bombs = 17");
    assert_fails(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, -0.1), CN_ERR_ARGUMENT,
                 "node_probability = -0.1");
    assert_fails(cn_study_set(study, CN_STUDY_LINK_PROBABILITY, (double)NAN), CN_ERR_ARGUMENT,
                 "link_probability");
    assert_fails(cn_study_set(other, CN_STUDY_LINK_PROBABILITY, 0.1), CN_ERR_UNSUPPORTED,
                 "99 ports");
    /* each possible alone, but not together */
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_NODES, 10));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 1));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 10));
    cn_faults *pattern;
    cn_result *result;
    assert_fails(cn_study_pattern(study, 0, &pattern), CN_ERR_ARGUMENT, "only 6 working");
    assert_null(pattern);
    assert_fails(cn_study_run(study, NULL, &result), CN_ERR_ARGUMENT, "only 6 working");
    assert_null(result);
    cn_faults_free(&faults);
    cn_study_free(&other);
    cn_study_free(&study);
    cn_topology_free(&complete);
    cn_topology_free(&big);
    cn_topology_free(&cube);
}

static void bad_settings_are_refused(void **state)
{
    (void)state;
    cn_topology *cube, *ring;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_kary_ncube(5, 1, 0, &ring));
    cn_study *study = study_of(cube), *one_way = study_of(ring);
    assert_fails(cn_study_set(one_way, CN_STUDY_KEEP, CN_KEEP_CONVEX), CN_ERR_UNSUPPORTED,
                 "hypercube");
    assert_fails(cn_study_set(one_way, CN_STUDY_KEEP, CN_KEEP_CLUSTERS), CN_ERR_UNSUPPORTED,
                 "hypercube");
    assert_fails(cn_study_set(one_way, CN_STUDY_KEEP, CN_KEEP_DEGRADED), CN_ERR_UNSUPPORTED,
                 "bidirectional links");
    assert_fails(cn_study_set(study, CN_STUDY_LINK_RULE, 2), CN_ERR_ARGUMENT,
                 "one of: is_bad, disables_end");
    assert_fails(cn_study_set(study, CN_STUDY_TIE_RULE, 3), CN_ERR_ARGUMENT, "tie_rule = 3");
    assert_fails(cn_study_set(study, CN_STUDY_TIE_RULE, -1), CN_ERR_ARGUMENT, "tie_rule = -1");
    assert_fails(cn_study_set(study, CN_STUDY_KEEP, 5), CN_ERR_ARGUMENT,
                 "one of: working, degraded, convex, minimal, clusters");
    assert_fails(cn_study_set(study, CN_STUDY_PATHS, 2), CN_ERR_ARGUMENT, "one of: no, yes");
    assert_fails(cn_study_set(study, CN_STUDY_K, 0.5), CN_ERR_ARGUMENT, "whole number");
    assert_fails(cn_study_set(study, (cn_study_param)0, 1), CN_ERR_ARGUMENT, "param = 0");
    assert_fails(cn_study_set(study, (cn_study_param)16, 1), CN_ERR_ARGUMENT, "param = 16");
    assert_fails(cn_study_set(study, CN_STUDY_PATTERNS, 0), CN_ERR_ARGUMENT, "patterns = 0");
    assert_fails(cn_study_set(study, CN_STUDY_PATTERNS, 2e12), CN_ERR_ARGUMENT,
                 "1 to 1099511627776");
    assert_fails(cn_study_set(study, CN_STUDY_THREADS, 0), CN_ERR_ARGUMENT, "threads = 0");
    assert_fails(cn_study_set(study, CN_STUDY_THREADS, 1025), CN_ERR_ARGUMENT, "1024");
    assert_fails(cn_study_set(NULL, CN_STUDY_THREADS, 1), CN_ERR_ARGUMENT, "study");
    cn_scenario *collective, *elsewhere, *bound;
    assert_ok(cn_scenario_new(cube, "collective", &collective));
    assert_ok(cn_scenario_new(ring, "flow-deviation", &elsewhere));
    assert_ok(cn_scenario_new(cube, "flow-deviation", &bound));
    assert_fails(cn_study_set_scenario(study, collective, 1), CN_ERR_UNSUPPORTED, "neither faults");
    assert_fails(cn_study_set_scenario(study, elsewhere, 0), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_study_set_scenario(study, bound, 1), CN_ERR_UNSUPPORTED, "no simulator");
    assert_ok(cn_study_set_scenario(study, bound, 0));
    assert_ok(cn_study_set_scenario(study, NULL, 1));
    cn_scenario_free(&bound);
    cn_scenario_free(&elsewhere);
    cn_scenario_free(&collective);
    cn_study_free(&one_way);
    cn_study_free(&study);
    cn_topology_free(&ring);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_study_damages_nothing),
        cmocka_unit_test(patterns_have_all_their_parts),
        cmocka_unit_test(parts_share_no_randomness),
        cmocka_unit_test(patterns_follow_from_seed_and_index),
        cmocka_unit_test(bad_faults_are_refused),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

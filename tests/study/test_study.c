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
    assert_ok(cn_study_set_clusters(study, 6, 2));
    assert_ok(cn_study_set_random(study, 4, 7));
    for (uint64_t i = 0; i < 50; i++) {
        assert_ok(cn_study_pattern(study, i, &faults));
        assert_int_equal(cn_faults_node_count(faults), 11);
        assert_int_equal(cn_faults_link_count(faults), 8);
        assert_true(cn_faults_has_node(faults, 5) && cn_faults_has_link(faults, 9, 3));
        cn_faults_free(&faults);
    }
    /* bombs and independent faults come on top */
    assert_ok(cn_study_set_bombs(study, 1, 1));
    assert_ok(cn_study_set_failing(study, 1, 0));
    assert_ok(cn_study_pattern(study, 0, &faults));
    assert_int_equal(cn_faults_node_count(faults), 64);
    cn_faults_free(&faults);
    /* and every part goes again */
    assert_ok(cn_study_set_faults(study, NULL));
    assert_ok(cn_study_set_clusters(study, 0, 0));
    assert_ok(cn_study_set_random(study, 0, 0));
    assert_ok(cn_study_set_failing(study, 0, 0));
    assert_ok(cn_study_pattern(study, 0, &faults));
    assert_int_equal(cn_faults_node_count(faults), 7);
    assert_int_equal(cn_faults_link_count(faults), 0);
    cn_faults_free(&faults);
    cn_faults_free(&fixed);
    cn_study_free(&study);
    cn_topology_free(&cube);
}

/* Exact and independent faults use one generator. With the same random numbers a node after the first of
 * the exact ones would nearly always fail; it has to with p = 1/8: 2000 patterns, 4 standard
 * deviations. */
static void parts_share_no_randomness(void **state)
{
    (void)state;
    enum { RUNS = 2000 };
    cn_topology *cube;
    int failed = 0, looked = 0;
    assert_ok(cn_topology_hypercube(5, &cube));
    cn_study *study = study_of(cube);
    assert_ok(cn_study_set_random(study, 2, 0));
    for (uint64_t i = 0; i < RUNS; i++) {
        cn_faults *faults;
        uint64_t exact[2];
        assert_ok(cn_study_set_failing(study, 0, 0));
        assert_ok(cn_study_pattern(study, i, &faults));
        assert_ok(cn_faults_nodes(faults, exact, 2, NULL));
        cn_faults_free(&faults);
        assert_ok(cn_study_set_failing(study, 0.125, 0));
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
    assert_ok(cn_study_set_random(study, 5, 3));
    assert_ok(cn_study_set_random(other, 5, 3));
    assert_ok(cn_study_keep_convex(other)); /* what is kept does not matter */
    assert_ok(cn_study_set_patterns(other, 3));
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
    assert_fails(cn_study_set_clusters(study, 17, 1), CN_ERR_ARGUMENT, "nodes = 17");
    assert_fails(cn_study_set_clusters(study, 4, 5), CN_ERR_ARGUMENT, "1 to 4");
    assert_fails(cn_study_set_clusters(study, 4, 0), CN_ERR_ARGUMENT, "centers = 0");
    assert_fails(cn_study_set_random(study, 17, 0), CN_ERR_ARGUMENT, "nodes = 17");
    assert_fails(cn_study_set_random(study, 0, 33), CN_ERR_ARGUMENT, "links = 33");
    assert_fails(cn_study_set_random(other, 0, 1), CN_ERR_UNSUPPORTED, "99 ports");
    assert_fails(cn_study_set_bombs(study, 17, 1), CN_ERR_ARGUMENT, "count = 17");
    assert_fails(cn_study_set_failing(study, -0.1, 0), CN_ERR_ARGUMENT, "node_probability");
    assert_fails(cn_study_set_failing(study, 0, (double)NAN), CN_ERR_ARGUMENT, "link_probability");
    assert_fails(cn_study_set_failing(other, 0, 0.1), CN_ERR_UNSUPPORTED, "99 ports");
    /* each possible alone, but not together */
    assert_ok(cn_study_set_clusters(study, 10, 1));
    assert_ok(cn_study_set_random(study, 10, 0));
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
    assert_fails(cn_study_keep_convex(one_way), CN_ERR_UNSUPPORTED, "hypercube");
    assert_fails(cn_study_keep_clusters(one_way, CN_TIE_ANY), CN_ERR_UNSUPPORTED, "hypercube");
    assert_fails(cn_study_keep_degraded(one_way, 1, CN_LINK_IS_BAD), CN_ERR_UNSUPPORTED,
                 "bidirectional links");
    assert_fails(cn_study_keep_degraded(study, 1, (cn_link_rule)2), CN_ERR_ARGUMENT, "link_rule");
    assert_fails(cn_study_keep_clusters(study, (cn_tie_rule)3), CN_ERR_ARGUMENT, "tie_rule = 3");
    assert_fails(cn_study_keep_clusters(study, (cn_tie_rule)-1), CN_ERR_ARGUMENT, "tie_rule = -1");
    assert_fails(cn_study_set_patterns(study, 0), CN_ERR_ARGUMENT, "patterns = 0");
    assert_fails(cn_study_set_patterns(study, UINT64_MAX), CN_ERR_ARGUMENT, "2^40");
    assert_fails(cn_study_set_threads(study, 0), CN_ERR_ARGUMENT, "threads = 0");
    assert_fails(cn_study_set_threads(study, 1025), CN_ERR_ARGUMENT, "1024");
    assert_fails(cn_study_set_threads(NULL, 1), CN_ERR_ARGUMENT, "study");
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

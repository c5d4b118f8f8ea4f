/* study.h */
#include "given.h"

static void study(void)
{
    faults();
    assert_ok(cn_study_new(given.topology, &given.study));
    assert_ok(cn_study_set_patterns(given.study, 3));
    assert_ok(cn_study_set_failing(given.study, 0.1, 0.05));
}

static void study_and_scenario(void)
{
    study();
    routed_scenario("optimal-path", 0.2);
    assert_ok(cn_study_keep_convex(given.study));
}

static void study_clusters(void)
{
    study();
    assert_ok(cn_study_keep_clusters(given.study, CN_TIE_HEADER));
    assert_ok(cn_study_set_clusters(given.study, 2, 1));
    assert_ok(cn_study_set_random(given.study, 1, 1));
    assert_ok(cn_study_set_bombs(given.study, 1, 1));
    assert_ok(cn_study_set_faults(given.study, given.faults));
}

static void study_minimal(void)
{
    study();
    assert_ok(cn_study_keep_minimal(given.study));
}

static void study_degraded(void)
{
    study();
    assert_ok(cn_study_keep_degraded(given.study, 1, CN_LINK_DISABLES_END));
}

static void study_threads(void)
{
    study_degraded();
    assert_ok(cn_study_set_threads(given.study, 2));
}

static void study_predicted(void)
{
    study_and_scenario();
    assert_ok(cn_study_set_scenario(given.study, given.scenario, 0));
}

static void study_simulated(void)
{
    study();
    routed_scenario("two-level", 0.2);
    assert_ok(cn_study_keep_clusters(given.study, CN_TIE_HEADER));
    assert_ok(cn_study_set_scenario(given.study, given.scenario, 1));
}

static void runs(void)
{
    FAILS(cn_study_run, study, given.study, NULL, &made.result);
    FAILS(cn_study_run, study_clusters, given.study, NULL, &made.result);
    FAILS(cn_study_run, study_minimal, given.study, NULL, &made.result);
    FAILS(cn_study_run, study_degraded, given.study, NULL, &made.result);
    FAILS(cn_study_run, study_threads, given.study, NULL, &made.result);
    FAILS(cn_study_run, study_predicted, given.study, NULL, &made.result);
    FAILS(cn_study_run, study_simulated, given.study, NULL, &made.result);
    FAILS(cn_study_run_shard, study_simulated, given.study, 1, 2, NULL, &made.result);
}

static const char study_text[] =
    "{\"cubenet\":\"study\",\"format\":1,\"topology\":\"hypercube(3)\",\"patterns\":3,\"faults\":{"
    "\"nodes\":[3]},\"keep\":{\"what\":\"convex\"},\"predict\":{\"topology\":\"hypercube(3)\","
    "\"system\":\"separate-buffers\",\"parameters\":{\"load\":0.1}}}";

void study_rows(void **state)
{
    (void)state;
    FAILS(cn_study_new, cube, given.topology, &made.study);
    FREES(cn_study_free, study_predicted, &given.study);
    FAILS(cn_study_set_faults, study, given.study, given.faults);
    NEVER(cn_study_set_faults, study_clusters, given.study, NULL);
    NEVER(cn_study_set_clusters, study, given.study, 2, 1);
    NEVER(cn_study_set_random, study, given.study, 2, 1);
    NEVER(cn_study_set_bombs, study, given.study, 1, 1);
    NEVER(cn_study_set_failing, study, given.study, 0.2, 0.1);
    FAILS(cn_study_pattern, study, given.study, 1, &made.faults);
    FAILS(cn_study_pattern, study_clusters, given.study, 1, &made.faults);
    NEVER(cn_study_keep_working, study_clusters, given.study);
    FAILS(cn_study_keep_degraded, study, given.study, 1, CN_LINK_IS_BAD);
    FAILS(cn_study_keep_convex, study, given.study);
    FAILS(cn_study_keep_minimal, study, given.study);
    FAILS(cn_study_keep_clusters, study, given.study, CN_TIE_ANY);
    NEVER(cn_study_set_paths, study, given.study, 0);
    FAILS(cn_study_set_scenario, study_and_scenario, given.study, given.scenario, 0);
    NEVER(cn_study_set_patterns, study, given.study, 4);
    NEVER(cn_study_set_seed, study, given.study, 4);
    NEVER(cn_study_set_threads, study, given.study, 2);
    NEVER(cn_study_json, study_predicted, given.study, out.text, sizeof out.text, out.sizes);
    FAILS(cn_study_from_json, nothing, study_text, NULL, &made.study);
    runs();
}

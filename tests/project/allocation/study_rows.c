/* study.h */
#include "given.h"

static void study(void)
{
    faults();
    assert_ok(cn_study_new(given.topology, &given.study));
    assert_ok(cn_study_set(given.study, CN_STUDY_PATTERNS, 3));
    assert_ok(cn_study_set(given.study, CN_STUDY_NODE_PROBABILITY, 0.1));
    assert_ok(cn_study_set(given.study, CN_STUDY_LINK_PROBABILITY, 0.05));
}

static void study_and_scenario(void)
{
    study();
    routed_scenario("optimal-path", 0.2);
    assert_ok(cn_study_set(given.study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
}

static void study_clusters(void)
{
    study();
    assert_ok(cn_study_set(given.study, CN_STUDY_TIE_RULE, CN_TIE_HEADER));
    assert_ok(cn_study_set(given.study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
    assert_ok(cn_study_set(given.study, CN_STUDY_GROWN_NODES, 2));
    assert_ok(cn_study_set(given.study, CN_STUDY_GROWN_CENTERS, 1));
    assert_ok(cn_study_set(given.study, CN_STUDY_RANDOM_NODES, 1));
    assert_ok(cn_study_set(given.study, CN_STUDY_RANDOM_LINKS, 1));
    assert_ok(cn_study_set(given.study, CN_STUDY_BOMBS, 1));
    assert_ok(cn_study_set(given.study, CN_STUDY_BOMB_RADIUS, 1));
    assert_ok(cn_study_set_faults(given.study, given.faults));
}

static void study_minimal(void)
{
    study();
    assert_ok(cn_study_set(given.study, CN_STUDY_KEEP, CN_KEEP_MINIMAL));
}

static void study_degraded(void)
{
    study();
    assert_ok(cn_study_set(given.study, CN_STUDY_K, 1));
    assert_ok(cn_study_set(given.study, CN_STUDY_LINK_RULE, CN_LINK_DISABLES_END));
    assert_ok(cn_study_set(given.study, CN_STUDY_KEEP, CN_KEEP_DEGRADED));
}

static void study_threads(void)
{
    study_degraded();
    assert_ok(cn_study_set(given.study, CN_STUDY_THREADS, 2));
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
    assert_ok(cn_study_set(given.study, CN_STUDY_TIE_RULE, CN_TIE_HEADER));
    assert_ok(cn_study_set(given.study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
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
    NEVER(cn_study_set, study, given.study, CN_STUDY_RANDOM_LINKS, 2);
    NEVER(cn_study_set, study_clusters, given.study, CN_STUDY_KEEP, CN_KEEP_WORKING);
    FAILS(cn_study_set, study, given.study, CN_STUDY_KEEP, CN_KEEP_DEGRADED);
    FAILS(cn_study_set, study, given.study, CN_STUDY_KEEP, CN_KEEP_CONVEX);
    FAILS(cn_study_set, study, given.study, CN_STUDY_KEEP, CN_KEEP_MINIMAL);
    FAILS(cn_study_set, study, given.study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS);
    TEXT(cn_study_param_name, nothing, CN_STUDY_K);
    TEXT(cn_study_param_unit, nothing, CN_STUDY_K);
    TEXT(cn_study_param_meaning, nothing, CN_STUDY_K);
    NEVER(cn_study_param_from_name, nothing, "k", (cn_study_param *)(void *)out.numbers);
    NEVER(cn_study_param_range, nothing, CN_STUDY_K, out.reals[0], out.reals[1], out.reals[2],
          &out.numbers[0]);
    TEXT(cn_keep_name, nothing, CN_KEEP_CONVEX);
    NEVER(cn_keep_from_name, nothing, "convex", (cn_keep *)(void *)out.numbers);
    FAILS(cn_study_pattern, study, given.study, 1, &made.faults);
    FAILS(cn_study_pattern, study_clusters, given.study, 1, &made.faults);
    FAILS(cn_study_set_scenario, study_and_scenario, given.study, given.scenario, 0);
    NEVER(cn_study_set_seed, study, given.study, 4);
    NEVER(cn_study_json, study_predicted, given.study, out.text, sizeof out.text, out.sizes);
    FAILS(cn_study_from_json, nothing, study_text, NULL, &made.study);
    runs();
}

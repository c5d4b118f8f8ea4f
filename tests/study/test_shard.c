/* Shards of simulations and studies: together they are the whole, to the last bit; nothing else is
 * taken for one. */
#include "support/support.h"

#include "cubenet/experimental/shard.h"
#include "cubenet/experimental/study.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"

enum { MOST_SHARDS = 32 };

static char *text_of(const cn_result *result)
{
    size_t length = 0;
    assert_int_equal(cn_result_json(result, NULL, 0, &length), CN_ERR_CAPACITY);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_ok(cn_result_json(result, text, length + 1, NULL));
    return text;
}

static cn_result *carried(const cn_result *result)
{
    cn_result *read;
    char *text = text_of(result);
    assert_ok(cn_result_from_json(text, NULL, &read));
    char *again = text_of(read);
    assert_string_equal(text, again);
    free(text);
    free(again);
    return read;
}

/* What is divided: a scenario or a study. */
typedef struct whole {
    cn_scenario *scenario;
    cn_study *study;
} whole;

static cn_status run_shard(const whole *w, uint64_t shard, uint64_t shards, cn_result **result)
{
    return w->study == NULL ? cn_simulate_shard(w->scenario, shard, shards, NULL, result)
                            : cn_study_run_shard(w->study, shard, shards, NULL, result);
}

static void set_threads(const whole *w, uint32_t threads)
{
    if (w->study != NULL)
        assert_ok(cn_study_set(w->study, CN_STUDY_THREADS, threads));
    else
        assert_ok(cn_scenario_set(w->scenario, CN_PARAM_THREADS, threads));
}

static void free_all(cn_result *results[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        cn_result_free(&results[i]);
}

/* In several orders; a shard comes from another process, and had another number of threads. */
static void check_shards(const whole *w, uint64_t shards)
{
    cn_result *all, *one, *merged, *results[MOST_SHARDS];
    uint64_t shard, of;
    set_threads(w, 1);
    assert_ok(run_shard(w, 0, 1, &all));
    assert_ok(cn_result_shard(all, &shard, &of));
    assert_true(shard == 0 && of == 1);
    char *expected = text_of(all);
    for (uint64_t s = 0; s < shards; s++) {
        set_threads(w, s == 0 ? 1 : 1 + (uint32_t)(s % 3));
        assert_ok(run_shard(w, s, shards, &one));
        assert_ok(cn_result_shard(one, &shard, &of));
        assert_true(shard == s && of == shards);
        results[s] = carried(one);
        cn_result_free(&one);
    }
    for (uint64_t step = 1; step < shards; step += 2) { /* another order for each */
        const cn_result *ordered[MOST_SHARDS];
        for (uint64_t i = 0; i < shards; i++)
            ordered[i] = results[step == 1 ? shards - 1 - i : (i + step) % shards];
        assert_ok(cn_result_merge(ordered, (size_t)shards, NULL, &merged));
        char *text = text_of(merged);
        assert_string_equal(text, expected);
        free(text);
        cn_result_free(&merged);
    }
    free_all(results, (size_t)shards);
    cn_result_free(&all);
    free(expected);
}

/* ---- simulations ---- */

static cn_scenario *replicated(const char *system, double load, double runs)
{
    cn_scenario *scenario = cube_scenario(system, 4, load);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 400));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, runs));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_scenario_set_seed(scenario, UINT64_MAX - 2));
    return scenario;
}

static void simulations(void **state)
{
    static const struct {
        const char *system;
        double load; /* the last one saturates */
        double statistics;
    } cases[] = {{"deflection", 1.2, 0}, {"deflection", 1.2, 1},      {"separate-buffers", 1.0, 0},
                 {"wormhole", 0.02, 1},  {"cut-through", 0.02, 0},    {"shared-buffer", 1.0, 1},
                 {"wormhole", 0.1, 0},   {"separate-buffers", 2.5, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        whole w = {replicated(cases[i].system, cases[i].load, 11), NULL};
        assert_ok(cn_scenario_set(w.scenario, CN_PARAM_STATISTICS, cases[i].statistics));
        check_shards(&w, 2);
        check_shards(&w, 4);
        check_shards(&w, 11);
        cn_scenario_free(&w.scenario);
    }
}

/* Runs that end by themselves, whatever precision was asked for. */
static void operations(void **state)
{
    cn_topology *cube;
    whole w = {NULL, NULL};
    (void)state;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "collective", &w.scenario));
    assert_ok(cn_scenario_set(w.scenario, CN_PARAM_REPLICATIONS, 9));
    check_shards(&w, 5);
    cn_scenario_free(&w.scenario);
    cn_topology_free(&cube);
}

/* ---- studies ---- */

static cn_study *study_of(uint32_t n, uint64_t patterns)
{
    cn_topology *cube;
    cn_study *study;
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(cn_study_new(cube, &study));
    assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 0.1));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_PROBABILITY, 0.05));
    assert_ok(cn_study_set(study, CN_STUDY_PATTERNS, (double)patterns));
    assert_ok(cn_study_set_seed(study, 5));
    cn_topology_free(&cube);
    return study;
}

/* The study that is read from its text is the same. */
static void check_study_text(const cn_study *study)
{
    char text[4096], again[4096];
    cn_study *read;
    cn_result *a, *b;
    assert_ok(cn_study_json(study, text, sizeof text, NULL));
    assert_ok(cn_study_from_json(text, NULL, &read));
    assert_ok(cn_study_json(read, again, sizeof again, NULL));
    assert_string_equal(text, again);
    assert_ok(cn_study_run(study, NULL, &a));
    assert_ok(cn_study_run(read, NULL, &b));
    assert_same_result(a, b);
    cn_result_free(&a);
    cn_result_free(&b);
    cn_study_free(&read);
}

static void studies(void **state)
{
    (void)state;
    whole w = {NULL, study_of(4, 60)};
    cn_scenario *scenario = replicated("separate-buffers", 0.4, 1);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.2));
    check_shards(&w, 7);
    check_study_text(w.study);
    assert_ok(cn_study_set_scenario(w.study, scenario, 1));
    check_shards(&w, 3);
    check_study_text(w.study);
    cn_scenario_free(&scenario);
    scenario = replicated("separate-buffers", 0.4, 1);
    assert_ok(cn_scenario_set_routing_name(scenario, "optimal-path"));
    assert_ok(cn_study_set(w.study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
    assert_ok(cn_study_set_scenario(w.study, scenario, 0));
    check_shards(&w, 20);
    check_study_text(w.study);
    assert_ok(cn_study_set_scenario(w.study, NULL, 0));
    assert_ok(cn_study_set(w.study, CN_STUDY_TIE_RULE, CN_TIE_HEADER));
    assert_ok(cn_study_set(w.study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
    assert_ok(cn_study_set(w.study, CN_STUDY_GROWN_NODES, 2));
    assert_ok(cn_study_set(w.study, CN_STUDY_GROWN_CENTERS, 1));
    assert_ok(cn_study_set(w.study, CN_STUDY_BOMBS, 1));
    assert_ok(cn_study_set(w.study, CN_STUDY_BOMB_RADIUS, 1));
    check_shards(&w, 2);
    check_study_text(w.study);
    assert_ok(cn_study_set(w.study, CN_STUDY_K, 1));
    assert_ok(cn_study_set(w.study, CN_STUDY_LINK_RULE, CN_LINK_DISABLES_END));
    assert_ok(cn_study_set(w.study, CN_STUDY_KEEP, CN_KEEP_DEGRADED));
    assert_ok(cn_study_set(w.study, CN_STUDY_PATHS, 0));
    check_study_text(w.study);
    cn_scenario_free(&scenario);
    cn_study_free(&w.study);
}

/* More patterns than there are blocks: two in each, and one in the last. */
static void blocks_of_patterns(void **state)
{
    (void)state;
    whole w = {NULL, study_of(2, 16385 + 2)};
    cn_result *result;
    assert_ok(cn_study_set(w.study, CN_STUDY_PATHS, 0));
    check_shards(&w, 2);
    check_shards(&w, 31);
    assert_fails(cn_study_run_shard(w.study, 0, 8195, NULL, &result), CN_ERR_ARGUMENT,
                 "1 to 8194, the number of blocks of patterns");
    cn_study_free(&w.study);
}

/* ---- what is refused ---- */

static void refused_calls(void **state)
{
    cn_scenario *scenario = replicated("deflection", 1.0, 4);
    cn_study *study = study_of(3, 10);
    cn_result *result;
    cn_control *control;
    double value;
    (void)state;
    assert_fails(cn_simulate_shard(scenario, 0, 0, NULL, &result), CN_ERR_ARGUMENT, "shards = 0");
    assert_fails(cn_simulate_shard(scenario, 0, 5, NULL, &result), CN_ERR_ARGUMENT,
                 "shards = 5, but it must be 1 to 4, the number of replications");
    assert_fails(cn_simulate_shard(scenario, 4, 4, NULL, &result), CN_ERR_ARGUMENT,
                 "shard = 4, but the 4 shards are 0 to 3");
    assert_fails(cn_simulate_shard(scenario, UINT64_MAX, UINT64_MAX, NULL, &result),
                 CN_ERR_ARGUMENT, "shards = 18446744073709551615");
    assert_fails(cn_study_run_shard(study, 1, 11, NULL, &result), CN_ERR_ARGUMENT,
                 "1 to 10, the number of patterns");
    assert_fails(cn_study_run_shard(study, 2, 2, NULL, &result), CN_ERR_ARGUMENT, "shard = 2");
    assert_ok(cn_simulate_shard(scenario, 1, 4, NULL, &result));
    assert_fails(cn_result_value(result, CN_METRIC_THROUGHPUT, &value), CN_ERR_NOT_FOUND,
                 "shard 1 of 4 and holds no metrics");
    cn_result_free(&result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.01));
    assert_fails(cn_simulate_shard(scenario, 1, 4, NULL, &result), CN_ERR_ARGUMENT,
                 "relative_precision = 0.01, but runs that end by precision have no shards");
    assert_ok(cn_simulate_shard(scenario, 0, 1, NULL, &result)); /* that is no shard */
    cn_result_free(&result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 1));
    assert_fails(cn_simulate_shard(scenario, 0, 2, NULL, &result), CN_ERR_ARGUMENT,
                 "shards = 2, but it must be 1 to 1, the number of replications");
    /* a part of a shard is of no use */
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 100));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 1e8));
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_seconds(control, 0.05));
    assert_int_equal(cn_simulate_shard(scenario, 1, 2, control, &result), CN_ERR_CANCELLED);
    assert_null(result);
    assert_ok(cn_study_set(study, CN_STUDY_PATTERNS, 1000000000));
    assert_int_equal(cn_study_run_shard(study, 1, 2, control, &result), CN_ERR_CANCELLED);
    assert_null(result);
    cn_control_free(&control);
    cn_scenario_free(&scenario);
    cn_study_free(&study);
}

static cn_result *shard_of(cn_scenario *scenario, uint64_t shard, uint64_t shards)
{
    cn_result *result;
    assert_ok(cn_simulate_shard(scenario, shard, shards, NULL, &result));
    return result;
}

/* The text with another word in the place of one. */
static cn_result *with(const cn_result *result, const char *word, const char *other)
{
    char *text = text_of(result), *at = strstr(text, word);
    assert_non_null(at);
    char *changed = malloc(strlen(text) + strlen(other) + 1);
    cn_result *read;
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, other, at + strlen(word));
    assert_ok(cn_result_from_json(changed, NULL, &read));
    free(text);
    free(changed);
    return read;
}

/* Two good shards of three, and this one in the middle. */
static void assert_foreign(cn_result *good[3], cn_result *other, const char *part)
{
    const cn_result *set[] = {good[0], other, good[2]};
    cn_result *merged;
    assert_fails(cn_result_merge(set, 3, NULL, &merged), CN_ERR_ARGUMENT, part);
    assert_null(merged);
}

/* Of the same version of the library, in which the model has been changed. */
static void refuse_another_model(cn_study *study)
{
    cn_scenario *scenario = replicated("separate-buffers", 0.4, 1);
    cn_result *good[3], *other;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_study_set_scenario(study, scenario, 0));
    for (uint64_t s = 0; s < 3; s++)
        assert_ok(cn_study_run_shard(study, s, 3, NULL, &good[s]));
    assert_string_equal(cn_result_model(good[0]), "separate-buffers/published/1");
    other = with(good[1], "/published/1", "/published/2");
    assert_foreign(good, other,
                   "results[1] is of another model than results[0]: its model is "
                   "\"separate-buffers/published/2\", not \"separate-buffers/published/1\"");
    cn_result_free(&other);
    free_all(good, 3);
    cn_scenario_free(&scenario);
}

static void refused_shards(void **state)
{
    cn_scenario *scenario = replicated("deflection", 1.0, 6);
    cn_study *study = study_of(4, 6);
    cn_result *good[3], *other, *merged;
    char version[32];
    (void)state;
    for (uint64_t s = 0; s < 3; s++)
        good[s] = shard_of(scenario, s, 3);
    assert_foreign(good, good[0], "results[1] is shard 0 of 3, which is there already");
    assert_fails(cn_result_merge((const cn_result *const *)good, 2, NULL, &merged), CN_ERR_ARGUMENT,
                 "shard 2 of 3 is missing among the 2 results");
    assert_fails(cn_result_merge((const cn_result *const *)good, 0, NULL, &merged), CN_ERR_ARGUMENT,
                 "count = 0");
    assert_fails(cn_result_merge(NULL, 3, NULL, &merged), CN_ERR_ARGUMENT, "results is NULL");
    assert_foreign(good, NULL, "results[1] is NULL");
    assert_ok(cn_simulate(scenario, NULL, &other));
    assert_foreign(good, other, "results[1] is no shard but a whole result");
    assert_ok(cn_result_merge((const cn_result *const *)&other, 1, NULL, &merged));
    assert_same_result(merged, other);
    cn_result_free(&merged);
    cn_result_free(&other);
    other = shard_of(scenario, 1, 2);
    assert_foreign(good, other, "its number of shards is 2, not 3");
    cn_result_free(&other);
    assert_ok(cn_scenario_set_seed(scenario, 4));
    other = shard_of(scenario, 1, 3);
    assert_foreign(good, other, "its seed is 4, not 18446744073709551613");
    cn_result_free(&other);
    assert_ok(cn_scenario_set_seed(scenario, UINT64_MAX - 2));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1.01));
    other = shard_of(scenario, 1, 3);
    assert_foreign(good, other, "another scenario than results[0]");
    cn_result_free(&other);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 7));
    other = shard_of(scenario, 1, 3);
    assert_foreign(good, other, "its replications are 7, not 6");
    cn_result_free(&other);
    snprintf(version, sizeof version, "\"library\": \"%s\"", cn_version_text());
    other = with(good[1], version, "\"library\": \"0.0.1\"");
    assert_foreign(good, other, "version 0.0.1 of cubenet");
    cn_result_free(&other);
    other = with(good[1], "\"relative_precision\": 0", "\"relative_precision\": 0.1");
    assert_foreign(good, other, "runs that end by precision");
    cn_result_free(&other);
    assert_ok(cn_study_run_shard(study, 1, 3, NULL, &other));
    assert_foreign(good, other, "one of a study");
    free_all(good, 3);
    for (uint64_t s = 0; s < 3; s++)
        assert_ok(cn_study_run_shard(study, s, 3, NULL, &good[s]));
    cn_result_free(&other);
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 1));
    assert_ok(cn_study_run_shard(study, 1, 3, NULL, &other));
    assert_foreign(good, other, "another study");
    cn_result_free(&other);
    free_all(good, 3);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 1));
    assert_ok(cn_study_set_scenario(study, scenario, 1));
    assert_ok(cn_study_run_shard(study, 1, 3, NULL, &other));
    assert_string_equal(cn_result_model(other), "");
    cn_result_free(&other);
    refuse_another_model(study);
    cn_scenario_free(&scenario);
    cn_study_free(&study);
}

/* A text with some bytes changed, lost or doubled is refused, or is that of a result that merges,
 * or does not. */
static void damaged_texts(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        whole w = {kind == 0 ? replicated("deflection", 1.0, 4) : NULL,
                   kind == 0 ? NULL : study_of(3, 4)};
        cn_result *both[2], *read, *merged;
        size_t refused = 0, taken = 0;
        assert_ok(run_shard(&w, 0, 2, &both[0]));
        assert_ok(run_shard(&w, 1, 2, &both[1]));
        char *text = text_of(both[0]);
        size_t length = strlen(text);
        char *damaged = malloc(length + 8);
        for (uint64_t trial = 0; trial < 6000; trial++) {
            uint64_t word = cni_random_word(7, trial);
            size_t at = (size_t)(word % length);
            static const char bytes[] = "0123456789-.eE\"\\{}[]:,truefalsn \n\xff";
            char byte = bytes[(word >> 32) % (sizeof bytes - 1)];
            int how = (int)(word >> 60) % 3; /* replaced, lost, put in */
            sprintf(damaged, "%.*s%.*s%s", (int)at, text, how != 1, (const char[]){byte, '\0'},
                    text + at + (how != 2));
            read = (cn_result *)&read;
            cn_status status = cn_result_from_json(damaged, NULL, &read);
            refused += status != CN_OK;
            if (status != CN_OK) {
                assert_null(read);
                continue;
            }
            const cn_result *set[] = {read, both[1]};
            taken += cn_result_merge(set, 2, NULL, &merged) == CN_OK;
            cn_result_free(&merged);
            cn_result_free(&read);
        }
        assert_true(refused > 1000);
        assert_true(taken > 100); /* white space, and another number of something */
        free(damaged);
        free(text);
        free_all(both, 2);
        cn_scenario_free(&w.scenario);
        cn_study_free(&w.study);
    }
}

static void refused_texts(void **state)
{
    static const struct {
        const char *shard, *part;
    } cases[] = {
        {"{\"shard\":0,\"shards\":2,\"units\":4,\"sums\":[]}", "a shard has \"counters\""},
        {"{\"shard\":0,\"shards\":2,\"units\":4,\"sums\":[],\"study\":0,\"moments\":{}}",
         "a shard has \"counters\""},
        {"{\"shard\":0,\"shards\":2,\"units\":0,\"sums\":[],\"study\":1,\"moments\":{}}",
         "nothing has no shards"},
        {"{\"shard\":2,\"shards\":2,\"units\":4,\"sums\":[],\"study\":1,\"moments\":{}}",
         "shard = 2"},
        {"{\"shard\":0,\"shards\":1,\"units\":4,\"sums\":[],\"study\":1,\"moments\":{}}",
         "a whole result"},
        {"{\"shard\":0,\"shards\":2,\"units\":4,\"sums\":[],\"study\":1,\"moments\":{\"clusters\":"
         "{\"counts\":[1],\"means\":[1]}}}",
         "there are 1 rows, but the shard has 2"},
        {"{\"shard\":0,\"shards\":2,\"units\":4,\"sums\":[],\"study\":1,\"moments\":{\"clusters\":"
         "{\"counts\":[1,2],\"means\":[1,1]}}}",
         "from 0 to 1"},
        {"{\"shard\":0,\"shards\":2,\"units\":4,\"sums\":[],\"study\":1,\"moments\":{\"clusters\":"
         "{\"counts\":[1,1],\"means\":[1,\"NaN\"]}}}",
         "means are finite"},
        {"{\"shard\":0,\"shards\":2,\"units\":4,\"sums\":[1,2,3,4,5,6,7,8,9,10,11,12,13],\"study\":"
         "1,\"moments\":{}}",
         "there are 13 numbers"},
        {"{\"shard\":0,\"shards\":2,\"units\":4,\"sums\":[],\"counters\":[[],[]],\"delays\":{"
         "\"greatest\":0,\"bins\":[]}}",
         "not the replications of the scenario"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        cn_result *result;
        snprintf(text, sizeof text,
                 "{\"cubenet\":\"result\",\"format\":1,\"library\":\"0.1.0\",\"system\":\"study\","
                 "\"seed\":1,\"stop\":\"model\",\"saturated\":false,\"settled\":true,\"estimates\":"
                 "{},\"shard\":%s}",
                 cases[i].shard);
        assert_fails(cn_result_from_json(text, NULL, &result), CN_ERR_ARGUMENT, cases[i].part);
        assert_null(result);
    }
    cn_study *study;
    assert_fails(cn_study_from_json("{\"cubenet\":\"study\",\"format\":1,\"topology\":"
                                    "\"hypercube(3)\",\"random\":[9,0]}",
                                    NULL, &study),
                 CN_ERR_ARGUMENT, "random: cn_study_set: random_nodes = 9");
    assert_fails(cn_study_from_json("{\"cubenet\":\"study\",\"format\":1,\"topology\":"
                                    "\"hypercube(3)\",\"keep\":{\"what\":\"convex\",\"k\":1}}",
                                    NULL, &study),
                 CN_ERR_ARGUMENT, "belong to \"degraded\"");
    assert_fails(cn_study_from_json("{\"cubenet\":\"study\",\"format\":1,\"topology\":"
                                    "\"hypercube(3)\",\"patterns\":0}",
                                    NULL, &study),
                 CN_ERR_ARGUMENT, "patterns = 0");
    assert_null(study);
}

/* Sums that can be read, but are those of no patterns, make no shares above 1. */
static void damaged_sums(void **state)
{
    static const char *const sums[] = {"[2, 3]", "[3, 1, 3, 3]", "[0, 0, 0, 0, 1]"};
    static const char *const named[] = {"saturated_fraction", "unsettled_fraction",
                                        "connected_fraction is 2 of 1"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        cn_result *shards[2], *merged = NULL;
        for (int s = 0; s < 2; s++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "{\"cubenet\":\"result\",\"format\":1,\"library\":\"%s\",\"system\":"
                     "\"study\",\"seed\":1,\"stop\":\"model\",\"saturated\":false,\"settled\":"
                     "true,\"estimates\":{},\"shard\":{\"shard\":%d,\"shards\":2,\"units\":4,"
                     "\"sums\":%s,\"study\":1,\"moments\":{\"connected_fraction\":{\"counts\":"
                     "[0,%d],\"means\":[0,1]}}}}",
                     cn_version_text(), s, i == 2 || s == 0 ? sums[i] : "[]", i == 2 ? s : 1);
            assert_ok(cn_result_from_json(text, NULL, &shards[s]));
        }
        assert_fails(cn_result_merge((const cn_result *const *)shards, 2, NULL, &merged),
                     CN_ERR_ARGUMENT, named[i]);
        assert_null(merged);
        free_all(shards, 2);
    }
}

/* Nor are there more saturated replications than replications, or a warm-up longer than the run. */
static void damaged_sums_of_replications(void **state)
{
    static const char *const sums[] = {"\"sums\": [9", "\"sums\": [0, 99999"};
    static const char *const named[] = {"saturated replications is 9 of 6", "the warm-up is 99999"};
    cn_scenario *scenario = replicated("deflection", 1.0, 6);
    cn_result *good[3];
    (void)state;
    for (uint64_t s = 0; s < 3; s++)
        good[s] = shard_of(scenario, s, 3);
    for (int i = 0; i < 2; i++) {
        cn_result *forged = with(good[1], i == 0 ? "\"sums\": [0" : "\"sums\": [0, ", sums[i]);
        assert_foreign(good, forged, named[i]);
        cn_result_free(&forged);
    }
    free_all(good, 3);
    cn_scenario_free(&scenario);
}

static cn_status carry_and_merge(void *context)
{
    const whole *w = context;
    cn_result *results[2] = {NULL}, *merged = NULL;
    cn_status status = CN_OK;
    for (uint64_t s = 0; s < 2 && status == CN_OK; s++)
        status = run_shard(w, s, 2, &results[s]);
    if (status == CN_OK) {
        char text[16384];
        cn_result_free(&results[1]);
        assert_ok(cn_result_json(results[0], text, sizeof text, NULL));
        cn_result_free(&results[0]);
        status = cn_result_from_json(text, NULL, &results[0]);
    }
    if (status == CN_OK)
        status = run_shard(w, 1, 2, &results[1]);
    if (status == CN_OK)
        status = cn_result_merge((const cn_result *const *)results, 2, NULL, &merged);
    cn_result_free(&merged);
    free_all(results, 2);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        support_install_allocator(0);
        whole w = {kind == 0 ? NULL : replicated("deflection", 1.0, 3), NULL};
        if (kind == 0)
            w.study = study_of(3, 4);
        else
            assert_ok(cn_scenario_set(w.scenario, CN_PARAM_STATISTICS, kind - 1));
        uint64_t before = support_blocks();
        cn_status status = CN_ERR_MEMORY;
        for (uint64_t k = 1; status != CN_OK; k++) {
            support_fail_allocation(k);
            status = carry_and_merge(&w);
            assert_true(status == CN_OK || status == CN_ERR_MEMORY);
            assert_true(support_blocks() == before);
        }
        support_fail_allocation(0);
        cn_scenario_free(&w.scenario);
        cn_study_free(&w.study);
        support_remove_allocator();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations),   cmocka_unit_test(operations),
        cmocka_unit_test(studies),       cmocka_unit_test(blocks_of_patterns),
        cmocka_unit_test(refused_calls), cmocka_unit_test(refused_shards),
        cmocka_unit_test(damaged_texts), cmocka_unit_test(refused_texts),
        cmocka_unit_test(damaged_sums),  cmocka_unit_test(damaged_sums_of_replications),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A study in JSON: what was set of it but the threads. What was not set is left out, and has its default. */
#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "base/random.h"
#include "routing/faults/fault_json.h"
#include "scenario/scenario_json.h"
#include "study/study.h"
#include "topology/families/topology_json.h"
#include "topology/topology.h"

enum {
    TOPOLOGY,
    SEED,
    PATTERNS,
    FAULTS,
    CLUSTERS,
    RANDOM,
    BOMBS,
    FAILING,
    KEEP,
    PATHS,
    PREDICT,
    SIMULATE,
    KEYS
};
static const char *const keys[KEYS] = {"topology", "seed",   "patterns", "faults",
                                       "clusters", "random", "bombs",    "failing",
                                       "keep",     "paths",  "predict",  "simulate"};

enum { KEEP_WHAT, KEEP_K, KEEP_LINKS, KEEP_TIES, KEEP_KEYS };
static const char *const keep_keys[KEEP_KEYS] = {"what", "k", "link_rule", "tie_rule"};

static const cni_named kept[] = {
    [CNI_KEEP_WORKING] = {"working", NULL},   [CNI_KEEP_DEGRADED] = {"degraded", NULL},
    [CNI_KEEP_CONVEX] = {"convex", NULL},     [CNI_KEEP_MINIMAL] = {"minimal", NULL},
    [CNI_KEEP_CLUSTERS] = {"clusters", NULL},
};
static const cni_names keeps = CNI_NAMES("what a study keeps in use", kept, 0);

/* ---- writing ---- */

static void put_pair(cni_json_writer *w, const char *key, uint64_t first, uint64_t second)
{
    const uint64_t pair[] = {first, second};
    if (first > 0 || second > 0)
        cni_json_put_wholes(w, key, pair, 2);
}

static void put_keep(cni_json_writer *w, const cn_study *study)
{
    cni_json_open(w, keys[KEEP], '{');
    cni_json_put_name(w, keep_keys[KEEP_WHAT], cni_name_of(&keeps, (int)study->keep));
    if (study->keep == CNI_KEEP_DEGRADED) {
        cni_json_put_whole(w, keep_keys[KEEP_K], study->k);
        cni_json_put_name(w, keep_keys[KEEP_LINKS], cn_link_rule_name(study->link_rule));
    }
    if (study->keep == CNI_KEEP_CLUSTERS)
        cni_json_put_name(w, keep_keys[KEEP_TIES], cn_tie_rule_name(study->tie_rule));
    cni_json_close(w, '}');
}

/* All but the topology and the scenario. */
static void put_questions(cni_json_writer *w, const cn_study *study)
{
    const double failing[] = {study->node_probability, study->link_probability};
    cni_json_put_whole(w, keys[SEED], study->seed);
    cni_json_put_whole(w, keys[PATTERNS], study->patterns);
    if (study->faults->node_count > 0 || study->faults->link_count > 0)
        cni_faults_put(w, study->faults);
    put_pair(w, keys[CLUSTERS], study->cluster_nodes, study->cluster_centers);
    put_pair(w, keys[RANDOM], study->random_nodes, study->random_links);
    if (study->bombs > 0)
        put_pair(w, keys[BOMBS], study->bombs, study->radius);
    if (failing[0] > 0.0 || failing[1] > 0.0)
        cni_json_put_reals(w, keys[FAILING], failing, 2);
    put_keep(w, study);
    cni_json_put_flag(w, keys[PATHS], study->paths);
}

static void put(cni_json_writer *w, const void *object)
{
    const cn_study *study = object;
    cni_topology_put(w, study->topology);
    put_questions(w, study);
    if (study->scenario == NULL)
        return;
    cni_json_open(w, keys[study->simulate ? SIMULATE : PREDICT], '{');
    cni_scenario_put(w, study->scenario);
    cni_json_close(w, '}');
}

CNI_JSON_TEXT(cn_study_json, study, put);

/* The scenario's own identity leaves out what one run of it does not look at, but a study does. */
uint64_t cni_study_identity(const cn_study *study)
{
    static const cn_param others[] = {CN_PARAM_REPLICATIONS, CN_PARAM_RELATIVE_PRECISION,
                                      CN_PARAM_MODEL_VARIANT};
    uint64_t hash = cni_topology_fingerprint(study->topology);
    cni_json_writer w = {.out = {.hash = &hash}};
    put_questions(&w, study);
    if (study->scenario != NULL) {
        cni_json_put_whole(&w, keys[study->simulate ? SIMULATE : PREDICT],
                           cni_scenario_identity(study->scenario));
        cni_json_put_whole(&w, keys[SEED], study->scenario->seed);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            cni_json_put_real(&w, cn_param_name(others[i]), study->scenario->value[others[i]]);
    }
    return hash == 0 ? 1 : hash;
}

/* ---- reading ---- */

static cn_status read_pair(const cni_json *json, cni_json_value value, uint64_t pair[2])
{
    return value.at == NULL ? CN_OK : cni_json_wholes(json, value, UINT64_MAX, pair, 2);
}

static cn_status read_damage(const cni_json *json, const cni_json_value is[KEYS], cn_study *study)
{
    uint64_t clusters[2] = {0}, random[2] = {0}, bombs[2] = {0};
    double failing[2] = {0.0};
    CNI_TRY(read_pair(json, is[CLUSTERS], clusters));
    CNI_TRY(read_pair(json, is[RANDOM], random));
    CNI_TRY(read_pair(json, is[BOMBS], bombs));
    if (bombs[1] > UINT32_MAX)
        return cni_json_fail(json, is[BOMBS], "the radius must be below 2^32");
    if (is[FAILING].at != NULL)
        CNI_TRY(cni_json_reals(json, is[FAILING], failing, 2));
    CNI_TRY(cni_json_blame(json, is[CLUSTERS].at == NULL ? is[TOPOLOGY] : is[CLUSTERS],
                           cn_study_set_clusters(study, clusters[0], clusters[1])));
    CNI_TRY(cni_json_blame(json, is[RANDOM].at == NULL ? is[TOPOLOGY] : is[RANDOM],
                           cn_study_set_random(study, random[0], random[1])));
    CNI_TRY(cni_json_blame(json, is[BOMBS].at == NULL ? is[TOPOLOGY] : is[BOMBS],
                           cn_study_set_bombs(study, bombs[0], (uint32_t)bombs[1])));
    return cni_json_blame(json, is[FAILING].at == NULL ? is[TOPOLOGY] : is[FAILING],
                          cn_study_set_failing(study, failing[0], failing[1]));
}

static cn_status read_keep(const cni_json *json, cni_json_value value, cn_study *study)
{
    cni_json_value is[KEEP_KEYS];
    char name[CNI_JSON_NAME];
    int what;
    uint64_t k = 0;
    cn_link_rule link_rule = CN_LINK_DISABLES_END;
    cn_tie_rule tie_rule = CN_TIE_HEADER;
    CNI_TRY(cni_json_members(json, value, keep_keys, KEEP_K, KEEP_KEYS, is));
    CNI_TRY(cni_json_name(json, is[KEEP_WHAT], name));
    CNI_TRY(
        cni_json_blame(json, is[KEEP_WHAT], cni_from_name(json->function, &keeps, name, &what)));
    if ((is[KEEP_K].at != NULL) != (what == CNI_KEEP_DEGRADED) ||
        (is[KEEP_LINKS].at != NULL) != (what == CNI_KEEP_DEGRADED) ||
        (is[KEEP_TIES].at != NULL) != (what == CNI_KEEP_CLUSTERS))
        return cni_json_fail(json, value,
                             "\"k\" and \"link_rule\" belong to \"degraded\", \"tie_rule\" to "
                             "\"clusters\"");
    if (what == CNI_KEEP_DEGRADED) {
        CNI_TRY(cni_json_whole(json, is[KEEP_K], UINT32_MAX, &k));
        CNI_TRY(cni_json_name(json, is[KEEP_LINKS], name));
        CNI_TRY(cni_json_blame(json, is[KEEP_LINKS], cn_link_rule_from_name(name, &link_rule)));
        return cni_json_blame(json, value, cn_study_keep_degraded(study, (uint32_t)k, link_rule));
    }
    if (what == CNI_KEEP_CLUSTERS) {
        CNI_TRY(cni_json_name(json, is[KEEP_TIES], name));
        CNI_TRY(cni_json_blame(json, is[KEEP_TIES], cn_tie_rule_from_name(name, &tie_rule)));
        return cni_json_blame(json, value, cn_study_keep_clusters(study, tie_rule));
    }
    return cni_json_blame(json, value,
                          what == CNI_KEEP_CONVEX    ? cn_study_keep_convex(study)
                          : what == CNI_KEEP_MINIMAL ? cn_study_keep_minimal(study)
                                                     : cn_study_keep_working(study));
}

static cn_status read_scenario(const cni_json *json, const cni_json_value is[KEYS], cn_study *study)
{
    int simulate = is[SIMULATE].at != NULL;
    cni_json_value value = is[simulate ? SIMULATE : PREDICT];
    cn_scenario *scenario;
    if (value.at == NULL)
        return CN_OK;
    if (simulate && is[PREDICT].at != NULL)
        return cni_json_fail(json, value, "a study predicts or simulates, not both");
    CNI_TRY(cni_scenario_of_json(json, value, cn_scenario_new, &scenario));
    cn_status status =
        cni_json_blame(json, value, cn_study_set_scenario(study, scenario, simulate));
    cn_scenario_free(&scenario);
    return status;
}

static cn_status fill(const cni_json *json, const cni_json_value is[KEYS], cn_study *study)
{
    if (is[SEED].at != NULL)
        CNI_TRY(cni_json_whole(json, is[SEED], UINT64_MAX, &study->seed));
    if (is[PATTERNS].at != NULL) {
        CNI_TRY(cni_json_whole(json, is[PATTERNS], UINT64_MAX, &study->patterns));
        CNI_TRY(cni_json_blame(json, is[PATTERNS], cn_study_set_patterns(study, study->patterns)));
    }
    if (is[FAULTS].at != NULL) {
        cn_faults *faults;
        CNI_TRY(cni_faults_of_json(json, is[FAULTS], study->topology, &faults));
        cn_status status = cni_json_blame(json, is[FAULTS], cn_study_set_faults(study, faults));
        cn_faults_free(&faults);
        CNI_TRY(status);
    }
    CNI_TRY(read_damage(json, is, study));
    if (is[KEEP].at != NULL)
        CNI_TRY(read_keep(json, is[KEEP], study));
    if (is[PATHS].at != NULL)
        CNI_TRY(cni_json_flag(json, is[PATHS], &study->paths));
    return read_scenario(json, is, study);
}

cn_status cn_study_from_json(const char *text, const cn_control *control, cn_study **study)
{
    cni_json_value is[KEYS];
    cn_topology *topology;
    CNI_REQUIRE_OUT(study);
    CNI_JSON_READ(json, text, control);
    CNI_TRY(cni_json_begin(&json, "study", keys, SEED, KEYS, is));
    CNI_TRY(cni_topology_of_json(&json, is[TOPOLOGY], &topology));
    cn_status status = cni_json_blame(&json, is[TOPOLOGY], cn_study_new(topology, study));
    cn_topology_free(&topology);
    if (status == CN_OK)
        status = fill(&json, is, *study);
    if (status != CN_OK)
        cn_study_free(study);
    return status;
}

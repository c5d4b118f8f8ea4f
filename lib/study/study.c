/* What random faults do to a network: the questions. */
#include "study/study.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/team.h"
#include "cubenet/experimental/damage.h"
#include "routing/faults/fault.h"
#include "routing/hierarchy/hierarchy.h"
#include "scenario/scenario.h"
#include "scenario/system.h"
#include "topology/topology.h"

enum { MOST_PATTERNS_LOG2 = 40 };

cn_status cn_study_new(const cn_topology *topology, cn_study **study)
{
    CNI_REQUIRE_OUT(study);
    CNI_REQUIRE(topology);
    cn_study *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->paths = 1;
    made->patterns = 100;
    made->seed = 1;
    made->threads = 1;
    made->topology = cni_topology_retain(topology);
    cn_status status = cn_faults_new(topology, &made->faults);
    if (status != CN_OK)
        cn_study_free(&made);
    *study = made;
    return status;
}

void cn_study_free(cn_study **study)
{
    if (study == NULL || !CNI_IS_VALID(*study))
        return;
    cni_topology_release((*study)->topology);
    cn_faults_free(&(*study)->faults);
    cn_scenario_free(&(*study)->scenario);
    cni_object_release(*study);
    *study = NULL;
}

/* ---- what fails ---- */

static cn_status check_topology(const char *function, const char *what, const cn_study *study,
                                const cn_topology *topology)
{
    if (cn_topology_equal(topology, study->topology))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s of %s, but the study's topology is %s", function, what,
                    topology->name, study->topology->name);
}

cn_status cn_study_set_faults(cn_study *study, const cn_faults *faults)
{
    CNI_REQUIRE(study);
    CNI_REQUIRE_OR_NULL(faults);
    if (faults == NULL)
        return cn_faults_clear(study->faults);
    CNI_TRY(check_topology(__func__, "faults", study, faults->topology));
    return cni_faults_assign(study->faults, faults);
}

cn_status cn_study_set_clusters(cn_study *study, uint64_t nodes, uint64_t centers)
{
    CNI_REQUIRE(study);
    CNI_TRY(cni_check_most(__func__, "nodes", nodes, study->topology->nodes, "nodes"));
    CNI_TRY(cni_check_centers(__func__, nodes, centers));
    study->cluster_nodes = nodes;
    study->cluster_centers = centers;
    return CN_OK;
}

cn_status cn_study_set_random(cn_study *study, uint64_t nodes, uint64_t links)
{
    CNI_REQUIRE(study);
    uint64_t all = 0;
    CNI_TRY(cni_check_most(__func__, "nodes", nodes, study->topology->nodes, "nodes"));
    if (links > 0) {
        CNI_TRY(cni_check_links_can_fail(__func__, study->topology));
        CNI_TRY(cn_topology_link_count(study->topology, &all));
        CNI_TRY(cni_check_most(__func__, "links", links, all, "links"));
    }
    study->random_nodes = nodes;
    study->random_links = links;
    return CN_OK;
}

cn_status cn_study_set_bombs(cn_study *study, uint64_t count, uint32_t radius)
{
    CNI_REQUIRE(study);
    CNI_TRY(cni_check_most(__func__, "count", count, study->topology->nodes, "nodes"));
    study->bombs = count;
    study->radius = radius;
    return CN_OK;
}

cn_status cn_study_set_failing(cn_study *study, double node_probability, double link_probability)
{
    CNI_REQUIRE(study);
    CNI_TRY(cni_check_share(__func__, "node_probability", node_probability));
    CNI_TRY(cni_check_share(__func__, "link_probability", link_probability));
    if (link_probability > 0)
        CNI_TRY(cni_check_links_can_fail(__func__, study->topology));
    study->node_probability = node_probability;
    study->link_probability = link_probability;
    return CN_OK;
}

/* Faults that the study has of its own, and those drawn before, may leave too little. */
static cn_status check_left(uint64_t asked, const char *what, uint64_t all, uint64_t failed)
{
    if (asked <= all - failed)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%llu more %s are to fail, but there are only %llu working %s",
                    (unsigned long long)asked, what, (unsigned long long)(all - failed), what);
}

/* Parts that use the same generator must not share their randomness. */
cn_status cni_study_draw(const cn_study *study, uint64_t index, cn_faults *faults)
{
    uint64_t seed = cni_random_derive(study->seed, index), nodes = study->topology->nodes, links;
    CNI_TRY(cni_faults_assign(faults, study->faults));
    CNI_TRY(check_left(study->cluster_nodes, "nodes", nodes, faults->node_count));
    if (study->cluster_nodes > 0)
        CNI_TRY(cn_faults_add_grown_clusters(faults, study->cluster_nodes, study->cluster_centers,
                                             seed));
    CNI_TRY(check_left(study->random_nodes, "nodes", nodes, faults->node_count));
    if (study->random_nodes > 0)
        CNI_TRY(cn_faults_add_random_nodes(faults, study->random_nodes, seed));
    if (study->random_links > 0) {
        CNI_TRY(study->topology->ops->link_count(study->topology, &links));
        CNI_TRY(check_left(study->random_links, "links", links, faults->link_count));
        CNI_TRY(cn_faults_add_random_links(faults, study->random_links, seed));
    }
    if (study->bombs > 0)
        CNI_TRY(cn_faults_add_random_clusters(faults, study->bombs, study->radius, seed));
    seed = cni_random_derive(seed, 1);
    if (study->node_probability > 0)
        CNI_TRY(cn_faults_add_failing_nodes(faults, study->node_probability, seed));
    if (study->link_probability > 0)
        CNI_TRY(cn_faults_add_failing_links(faults, study->link_probability, seed));
    return CN_OK;
}

cn_status cn_study_pattern(const cn_study *study, uint64_t index, cn_faults **faults)
{
    CNI_REQUIRE_OUT(faults);
    CNI_REQUIRE(study);
    cn_faults *made;
    CNI_TRY(cn_faults_new(study->topology, &made));
    cn_status status = cni_study_draw(study, index, made);
    if (status != CN_OK)
        cn_faults_free(&made);
    *faults = made;
    return cni_fail_as(__func__, status);
}

/* ---- what is kept in use ---- */

/* A bench that can be set up tells that what is to be kept exists. */
static cn_status keep(const char *function, cn_study *study, cni_keep what, uint32_t k,
                      cn_link_rule link_rule, cn_tie_rule tie_rule)
{
    cni_study_bench bench;
    cn_study changed = *study;
    changed.keep = what;
    changed.k = k;
    changed.link_rule = link_rule;
    changed.tie_rule = tie_rule;
    cn_status status = cni_study_bench_open(&changed, &bench);
    cni_study_bench_close(&bench);
    if (status == CN_OK)
        *study = changed;
    return cni_fail_as(function, status);
}

cn_status cn_study_keep_working(cn_study *study)
{
    CNI_REQUIRE(study);
    study->keep = CNI_KEEP_WORKING;
    return CN_OK;
}

cn_status cn_study_keep_degraded(cn_study *study, uint32_t k, cn_link_rule link_rule)
{
    CNI_REQUIRE(study);
    return keep(__func__, study, CNI_KEEP_DEGRADED, k, link_rule, study->tie_rule);
}

cn_status cn_study_keep_convex(cn_study *study)
{
    CNI_REQUIRE(study);
    return keep(__func__, study, CNI_KEEP_CONVEX, study->k, study->link_rule, study->tie_rule);
}

cn_status cn_study_keep_minimal(cn_study *study)
{
    CNI_REQUIRE(study);
    return keep(__func__, study, CNI_KEEP_MINIMAL, study->k, study->link_rule, study->tie_rule);
}

cn_status cn_study_keep_clusters(cn_study *study, cn_tie_rule tie_rule)
{
    CNI_REQUIRE(study);
    CNI_TRY(cni_check_named(__func__, &cni_tie_rules, "tie_rule", (int)tie_rule));
    return keep(__func__, study, CNI_KEEP_CLUSTERS, study->k, study->link_rule, tie_rule);
}

/* ---- how it is measured ---- */

cn_status cn_study_set_paths(cn_study *study, int measured)
{
    CNI_REQUIRE(study);
    study->paths = measured != 0;
    return CN_OK;
}

static cn_status check_scenario(const char *function, const cn_study *study,
                                const cn_scenario *scenario, int simulate)
{
    const cni_system *system = scenario->system;
    CNI_TRY(check_topology(function, "a scenario", study, scenario->topology));
    if ((system->with & (CNI_WITH(CN_ATTACHMENT_FAULTS) | CNI_WITH(CN_ATTACHMENT_SUBNET))) == 0)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s takes neither faults nor a subnet",
                        function, system->name);
    if (simulate ? system->kernel == NULL : system->predict == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no %s", function, system->name,
                        simulate ? "simulator" : "model");
    return CN_OK;
}

cn_status cn_study_set_scenario(cn_study *study, const cn_scenario *scenario, int simulate)
{
    CNI_REQUIRE(study);
    CNI_REQUIRE_OR_NULL(scenario);
    cn_scenario *copy = NULL;
    if (scenario != NULL) {
        CNI_TRY(check_scenario(__func__, study, scenario, simulate));
        copy = cni_scenario_duplicate(scenario);
        CNI_TRY_MEMORY(copy);
        cn_scenario_set_faults(copy, NULL); /* each pattern brings its own */
        cn_scenario_set_subnet(copy, NULL);
        if (cn_scenario_takes(copy, CN_PARAM_THREADS))
            copy->value[CN_PARAM_THREADS] = 1;
    }
    cn_scenario_free(&study->scenario);
    study->scenario = copy;
    study->simulate = simulate != 0;
    return CN_OK;
}

cn_status cn_study_set_patterns(cn_study *study, uint64_t patterns)
{
    CNI_REQUIRE(study);
    if (patterns < 1 || patterns > UINT64_C(1) << MOST_PATTERNS_LOG2)
        return cni_fail(CN_ERR_ARGUMENT, "%s: patterns = %llu, but it must be 1 to 2^%d", __func__,
                        (unsigned long long)patterns, MOST_PATTERNS_LOG2);
    study->patterns = patterns;
    return CN_OK;
}

cn_status cn_study_set_seed(cn_study *study, uint64_t seed)
{
    CNI_REQUIRE(study);
    study->seed = seed;
    return CN_OK;
}

cn_status cn_study_set_threads(cn_study *study, uint32_t threads)
{
    CNI_REQUIRE(study);
    CNI_TRY(cni_check_range(__func__, "threads", threads, 1, CNI_MAX_WORKERS));
    study->threads = threads;
    return CN_OK;
}

/* Studies of random faults: objects and questions. */
#include "study/study.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "cubenet/experimental/damage.h"
#include "routing/faults/fault.h"
#include "scenario/scenario.h"
#include "scenario/system.h"
#include "topology/topology.h"

cn_status cn_study_new(const cn_topology *topology, cn_study **study)
{
    CNI_REQUIRE_OUT(study);
    CNI_REQUIRE(topology);
    cn_study *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    for (int p = 1; p < CNI_STUDY_ROOM; p++)
        cn_study_param_range((cn_study_param)p, NULL, NULL, &made->value[p], NULL);
    made->seed = 1;
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

/* With one seed, the generator of a given number of faults and the generator of faults with a
 * probability draw the same random numbers. So the latter gets another seed. */
cn_status cni_study_draw(const cn_study *study, uint64_t index, cn_faults *faults)
{
    static const char function[] = "cn_study_pattern";
    const double *value = study->value;
    uint64_t seed = cni_random_derive(study->seed, index), nodes = study->topology->nodes;
    uint64_t grown = cni_study_whole(study, CN_STUDY_GROWN_NODES);
    uint64_t random_nodes = cni_study_whole(study, CN_STUDY_RANDOM_NODES);
    uint64_t random_links = cni_study_whole(study, CN_STUDY_RANDOM_LINKS);
    CNI_TRY(cni_faults_assign(faults, study->faults));
    CNI_TRY(cni_study_check_centers(function, study));
    CNI_TRY(cni_check_most(function, "grown_nodes", grown, nodes - faults->node_count,
                           "working nodes"));
    if (grown > 0)
        CNI_TRY(cn_faults_add_grown_clusters(faults, grown,
                                             cni_study_whole(study, CN_STUDY_GROWN_CENTERS), seed));
    CNI_TRY(cni_check_most(function, "random_nodes", random_nodes, nodes - faults->node_count,
                           "working nodes"));
    if (random_nodes > 0)
        CNI_TRY(cn_faults_add_random_nodes(faults, random_nodes, seed));
    if (random_links > 0) {
        uint64_t links = cni_links(study->topology);
        CNI_TRY(cni_check_most(function, "random_links", random_links, links - faults->link_count,
                               "working links"));
        CNI_TRY(cn_faults_add_random_links(faults, random_links, seed));
    }
    if (value[CN_STUDY_BOMBS] > 0)
        CNI_TRY(cn_faults_add_random_clusters(faults, cni_study_whole(study, CN_STUDY_BOMBS),
                                              (uint32_t)value[CN_STUDY_BOMB_RADIUS], seed));
    seed = cni_random_derive(seed, 1);
    if (value[CN_STUDY_NODE_PROBABILITY] > 0)
        CNI_TRY(cn_faults_add_failing_nodes(faults, value[CN_STUDY_NODE_PROBABILITY], seed));
    if (value[CN_STUDY_LINK_PROBABILITY] > 0)
        CNI_TRY(cn_faults_add_failing_links(faults, value[CN_STUDY_LINK_PROBABILITY], seed));
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

/* ---- what it carries ---- */

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

cn_status cn_study_set_seed(cn_study *study, uint64_t seed)
{
    CNI_REQUIRE(study);
    study->seed = seed;
    return CN_OK;
}

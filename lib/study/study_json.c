/* A study in JSON: what was set of it but the threads. What was not set is left out, and has its default. */
#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "base/random.h"
#include "routing/faults/fault.h"
#include "routing/hierarchy/hierarchy.h"
#include "routing/subnets/subnet.h"
#include "scenario/scenario_json.h"
#include "study/study.h"
#include "topology/families/topology_json.h"
#include "topology/topology.h"

static const cni_named kept[] = {
    [CNI_KEEP_WORKING] = {"working", NULL},   [CNI_KEEP_DEGRADED] = {"degraded", NULL},
    [CNI_KEEP_CONVEX] = {"convex", NULL},     [CNI_KEEP_MINIMAL] = {"minimal", NULL},
    [CNI_KEEP_CLUSTERS] = {"clusters", NULL},
};
static const cni_names keeps = CNI_NAMES("what a study keeps in use", kept, 0);

static void visit_faults(cni_io *io, cn_study *study)
{
    cn_faults *faults = cni_io_writes(io) ? study->faults : NULL;
    cni_io_faults(io, study->topology, &faults);
    if (cni_io_reads(io))
        cni_io_blame(io, "faults", cn_study_set_faults(study, faults));
    if (!cni_io_writes(io))
        cn_faults_free(&faults);
}

/* Two numbers; whether they were read. */
static int visit_pair(cni_io *io, const char *key, int is_there, uint64_t pair[2])
{
    if (!CNI_IO_HAS(io, key, is_there))
        return 0;
    cni_io_wholes(io, key, pair, 2, UINT64_MAX);
    return cni_io_reads(io);
}

static void visit_damage(cni_io *io, cn_study *s)
{
    uint64_t clusters[] = {s->cluster_nodes, s->cluster_centers}, bombs[] = {s->bombs, s->radius};
    uint64_t random[] = {s->random_nodes, s->random_links};
    double failing[] = {s->node_probability, s->link_probability};
    if (visit_pair(io, "clusters", clusters[0] > 0 || clusters[1] > 0, clusters))
        cni_io_blame(io, "clusters", cn_study_set_clusters(s, clusters[0], clusters[1]));
    if (visit_pair(io, "random", random[0] > 0 || random[1] > 0, random))
        cni_io_blame(io, "random", cn_study_set_random(s, random[0], random[1]));
    if (visit_pair(io, "bombs", bombs[0] > 0, bombs)) {
        if (bombs[1] > UINT32_MAX)
            cni_io_fail(io, "bombs", "the radius must be below 2^32");
        else
            cni_io_blame(io, "bombs", cn_study_set_bombs(s, bombs[0], (uint32_t)bombs[1]));
    }
    if (!CNI_IO_HAS(io, "failing", failing[0] > 0.0 || failing[1] > 0.0))
        return;
    cni_io_reals(io, "failing", failing, 2);
    if (cni_io_reads(io))
        cni_io_blame(io, "failing", cn_study_set_failing(s, failing[0], failing[1]));
}

static void visit_keep(cni_io *io, void *of)
{
    cn_study *s = of;
    int what = (int)s->keep, link_rule = (int)s->link_rule, tie_rule = (int)s->tie_rule;
    uint64_t k = s->k;
    cni_io_choice(io, "what", &keeps, &what);
    int is_degraded = what == CNI_KEEP_DEGRADED, is_clusters = what == CNI_KEEP_CLUSTERS;
    int has_k = CNI_IO_HAS(io, "k", is_degraded);
    int has_links = CNI_IO_HAS(io, "link_rule", is_degraded);
    int has_ties = CNI_IO_HAS(io, "tie_rule", is_clusters);
    if (cni_io_reads(io) &&
        (has_k != is_degraded || has_links != is_degraded || has_ties != is_clusters))
        cni_io_fail(io, NULL,
                    "\"k\" and \"link_rule\" belong to \"degraded\", \"tie_rule\" to \"clusters\"");
    if (has_k)
        cni_io_whole(io, "k", &k, UINT32_MAX);
    if (has_links)
        cni_io_choice(io, "link_rule", &cni_link_rules, &link_rule);
    if (has_ties)
        cni_io_choice(io, "tie_rule", &cni_tie_rules, &tie_rule);
    if (cni_io_reads(io))
        cni_io_blame(io, NULL,
                     is_degraded   ? cn_study_keep_degraded(s, (uint32_t)k, (cn_link_rule)link_rule)
                     : is_clusters ? cn_study_keep_clusters(s, (cn_tie_rule)tie_rule)
                     : what == CNI_KEEP_CONVEX  ? cn_study_keep_convex(s)
                     : what == CNI_KEEP_MINIMAL ? cn_study_keep_minimal(s)
                                                : cn_study_keep_working(s));
}

/* All but the topology and the scenario. */
static void visit_questions(cni_io *io, void *of)
{
    cn_study *study = of;
    if (CNI_IO_HAS(io, "seed", 1))
        cni_io_whole(io, "seed", &study->seed, UINT64_MAX);
    if (CNI_IO_HAS(io, "patterns", 1)) {
        cni_io_whole(io, "patterns", &study->patterns, UINT64_MAX);
        if (cni_io_reads(io))
            cni_io_blame(io, "patterns", cn_study_set_patterns(study, study->patterns));
    }
    if (CNI_IO_HAS(io, "faults", study->faults->node_count > 0 || study->faults->link_count > 0))
        visit_faults(io, study);
    visit_damage(io, study);
    if (CNI_IO_HAS(io, "keep", 1))
        cni_io_object(io, "keep", visit_keep, study);
    if (CNI_IO_HAS(io, "paths", 1))
        cni_io_flag(io, "paths", &study->paths);
}

static void visit_scenario(cni_io *io, cn_study *study)
{
    cn_scenario *scenario = cni_io_writes(io) ? study->scenario : NULL;
    int predict = CNI_IO_HAS(io, "predict", scenario != NULL && !study->simulate);
    int simulate = CNI_IO_HAS(io, "simulate", scenario != NULL && study->simulate);
    const char *key = simulate ? "simulate" : "predict";
    if (predict && simulate)
        cni_io_fail(io, key, "a study predicts or simulates, not both");
    if (predict || simulate)
        cni_io_scenario(io, key, cn_scenario_new, &scenario);
    if (cni_io_writes(io))
        return;
    if (scenario != NULL)
        cni_io_blame(io, key, cn_study_set_scenario(study, scenario, simulate));
    cn_scenario_free(&scenario);
}

static void visit(cni_io *io, void *of)
{
    cn_study **study = of, none = {.paths = 0}, *s = *study;
    cn_topology *topology = cni_io_writes(io) ? s->topology : NULL;
    cni_io_topology(io, &topology);
    if (cni_io_reads(io))
        cni_io_blame(io, "topology", cn_study_new(topology, study));
    if (!cni_io_writes(io))
        cn_topology_free(&topology);
    s = *study == NULL ? &none : *study; /* while keys are listed, and after a failure */
    visit_questions(io, s);
    visit_scenario(io, s);
    if (io->status != CN_OK)
        cn_study_free(study);
}

CNI_JSON_TEXTS(study, visit);

/* The scenario's own identity leaves out what one run of it does not look at, but a study does. */
static void visit_identity(cni_io *io, void *of)
{
    static const cn_param others[] = {CN_PARAM_REPLICATIONS, CN_PARAM_RELATIVE_PRECISION,
                                      CN_PARAM_MODEL_VARIANT};
    cn_study *study = of;
    visit_questions(io, study);
    if (study->scenario == NULL)
        return;
    uint64_t identity = cni_scenario_identity(study->scenario);
    cni_io_whole(io, study->simulate ? "simulate" : "predict", &identity, UINT64_MAX);
    cni_io_whole(io, "seed", &study->scenario->seed, UINT64_MAX);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cni_io_real(io, cn_param_name(others[i]), &study->scenario->value[others[i]]);
}

uint64_t cni_study_identity(const cn_study *study)
{
    uint64_t hash = cni_json_hash(cni_topology_fingerprint(study->topology), visit_identity, study);
    return hash == 0 ? 1 : hash;
}

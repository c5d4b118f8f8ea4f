/* A study in JSON: all settings but the threads. A setting that is missing has its default. */
#include "base/json.h"
#include "routing/faults/fault.h"
#include "routing/hierarchy/hierarchy.h"
#include "routing/subnets/subnet.h"
#include "scenario/scenario_json.h"
#include "study/study.h"
#include "topology/families/topology_json.h"
#include "topology/topology.h"

static void visit_faults(cni_io *io, cn_study *study)
{
    cn_faults *faults = cni_io_writes(io) ? study->faults : NULL;
    cni_io_faults(io, study->topology, &faults);
    if (cni_io_reads(io))
        cni_io_blame(io, "faults", cn_study_set_faults(study, faults));
    if (!cni_io_writes(io))
        cn_faults_free(&faults);
}

static void set_from(cni_io *io, const char *key, cn_study *study, cn_study_param param,
                     double value)
{
    if (cni_io_reads(io))
        cni_io_blame(io, key, cn_study_set(study, param, value));
}

/* The parts of a pattern are pairs of parameters that follow each other. A pair with a first value
 * of 0 is left out, unless counts_alone is set and the second value is above 0. */
static void visit_pair(cni_io *io, cn_study *study, const char *key, cn_study_param first,
                       int counts_alone)
{
    cn_study_param second = (cn_study_param)(first + 1);
    double pair[] = {study->value[first], study->value[second]};
    if (!CNI_IO_HAS(io, key, pair[0] > 0 || (counts_alone && pair[1] > 0)))
        return;
    cni_io_reals(io, key, pair, 2);
    set_from(io, key, study, first, pair[0]);
    set_from(io, key, study, second, pair[1]);
}

/* A number, or a choice by its name. */
static void visit_value(cni_io *io, cn_study *study, const char *key, cn_study_param param,
                        const cni_names *names)
{
    double value = study->value[param];
    if (names == NULL) {
        cni_io_real(io, key, &value);
    } else {
        int choice = (int)value;
        cni_io_choice(io, key, names, &choice);
        value = choice;
    }
    set_from(io, key, study, param, value);
}

static void visit_keep(cni_io *io, void *of)
{
    cn_study *s = of;
    int what = (int)cni_study_keeps(s);
    cni_io_choice(io, "what", &cni_keeps, &what);
    const struct {
        const char *key;
        cn_study_param param;
        const cni_names *names;
        int belongs;
    } rules[] = {{"k", CN_STUDY_K, NULL, what == CN_KEEP_DEGRADED},
                 {"link_rule", CN_STUDY_LINK_RULE, &cni_link_rules, what == CN_KEEP_DEGRADED},
                 {"tie_rule", CN_STUDY_TIE_RULE, &cni_tie_rules, what == CN_KEEP_CLUSTERS}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        int has = CNI_IO_HAS(io, rules[i].key, rules[i].belongs);
        if (cni_io_reads(io) && has != rules[i].belongs)
            cni_io_fail(
                io, NULL,
                "\"k\" and \"link_rule\" belong to \"degraded\", \"tie_rule\" to \"clusters\"");
        if (has)
            visit_value(io, s, rules[i].key, rules[i].param, rules[i].names);
    }
    set_from(io, NULL, s, CN_STUDY_KEEP, what);
}

/* All but the topology and the scenario. */
static void visit_questions(cni_io *io, void *of)
{
    cn_study *s = of;
    int paths = s->value[CN_STUDY_PATHS] != 0;
    if (CNI_IO_HAS(io, "seed", 1))
        cni_io_whole(io, "seed", &s->seed, UINT64_MAX);
    if (CNI_IO_HAS(io, "patterns", 1))
        visit_value(io, s, "patterns", CN_STUDY_PATTERNS, NULL);
    if (CNI_IO_HAS(io, "faults", s->faults->node_count > 0 || s->faults->link_count > 0))
        visit_faults(io, s);
    visit_pair(io, s, "clusters", CN_STUDY_GROWN_NODES, 0);
    visit_pair(io, s, "random", CN_STUDY_RANDOM_NODES, 1);
    visit_pair(io, s, "bombs", CN_STUDY_BOMBS, 0);
    visit_pair(io, s, "failing", CN_STUDY_NODE_PROBABILITY, 1);
    if (CNI_IO_HAS(io, "keep", 1))
        cni_io_object(io, "keep", visit_keep, s);
    if (CNI_IO_HAS(io, "paths", 1)) {
        cni_io_flag(io, "paths", &paths);
        set_from(io, "paths", s, CN_STUDY_PATHS, paths);
    }
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
        cni_io_object(io, key, cni_scenario_visit, &scenario);
    if (cni_io_writes(io))
        return;
    if (scenario != NULL)
        cni_io_blame(io, key, cn_study_set_scenario(study, scenario, simulate));
    cn_scenario_free(&scenario);
}

static void visit(cni_io *io, void *of)
{
    cn_study **study = of, none = {.seed = 0}, *s = *study;
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

/* All that the results depend on but the seed of the study. The identity of a scenario leaves out
 * parameters that one run ignores; a study uses some of them. */
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

uint64_t cni_study_identity(const cn_study *study, cni_budget *budget)
{
    uint64_t hash =
        cni_json_hash(cni_topology_fingerprint(study->topology, budget), visit_identity, study);
    return hash == 0 ? 1 : hash;
}

/* The table of the numeric settings of a study: validation, error texts, names and documentation
 * come from its rows. */
#include "study/study.h"

#include <string.h>

#include "base/error.h"
#include "base/team.h"
#include "routing/faults/fault.h"
#include "routing/hierarchy/hierarchy.h"
#include "routing/subnets/subnet.h"
#include "scenario/parameter.h"
#include "topology/topology.h"

static const cni_named kept[] = {
    [CN_KEEP_WORKING] = {"working", "all working nodes"},
    [CN_KEEP_DEGRADED] = {"degraded", "the k-degraded subnet"},
    [CN_KEEP_CONVEX] = {"convex", "the convex subnet"},
    [CN_KEEP_MINIMAL] = {"minimal", "the minimal subnet"},
    [CN_KEEP_CLUSTERS] = {"clusters", "all working nodes, in the clusters of a hierarchy"},
};
const cni_names cni_keeps = CNI_NAMES("set of kept nodes", kept, 0);
CNI_NAMED_ENUM(cn_keep, keep, cni_keeps);

static const cni_named paths[] = {{"no", "distances are not measured"},
                                  {"yes", "mean distances and hops are measured"}};
static const cni_names path_choices = CNI_NAMES("answer", paths, 0);

/* Numbers from 0 on: at most 2^30 nodes and, as a node has at most 64 ports, 2^36 links. */
#define NUMBER(name, unit, greatest, default_value, meaning)             \
    {                                                                    \
        name, unit, 0, greatest, default_value, CNI_PARAM_WHOLE, meaning \
    }

static const cni_param_row rows[] = {
    [CN_STUDY_GROWN_NODES] = NUMBER("grown_nodes", "nodes", 0x1p30, 0,
                                    "nodes that fail in clusters grown around random centers"),
    [CN_STUDY_GROWN_CENTERS] = NUMBER("grown_centers", "nodes", 0x1p30, 1,
                                      "these centers, from 1 to grown_nodes if that is not 0"),
    [CN_STUDY_RANDOM_NODES] = NUMBER("random_nodes", "nodes", 0x1p30, 0, "random nodes that fail"),
    [CN_STUDY_RANDOM_LINKS] = NUMBER("random_links", "links", 0x1p36, 0, "random links that fail"),
    [CN_STUDY_BOMBS] =
        NUMBER("bombs", "nodes", 0x1p30, 0, "random centers around which all nodes fail"),
    [CN_STUDY_BOMB_RADIUS] = NUMBER("bomb_radius", "hops", UINT32_MAX, 0,
                                    "distance from such a center up to which nodes fail"),
    [CN_STUDY_NODE_PROBABILITY] = {"node_probability", "1", 0, 1, 0, CNI_PARAM_REAL,
                                   "probability that a node fails, independently of the others"},
    [CN_STUDY_LINK_PROBABILITY] = {"link_probability", "1", 0, 1, 0, CNI_PARAM_REAL,
                                   "probability that a link fails, independently of the others"},
    [CN_STUDY_KEEP] = CNI_PARAM_CHOICE("keep", "what is kept in use (cn_keep)", &cni_keeps),
    [CN_STUDY_K] =
        NUMBER("k", "1", UINT32_MAX, 1, "bad links that a node of the k-degraded subnet may have"),
    [CN_STUDY_LINK_RULE] = CNI_PARAM_CHOICE(
        "link_rule", "faulty links in the k-degraded subnet (cn_link_rule)", &cni_link_rules),
    [CN_STUDY_TIE_RULE] = CNI_PARAM_CHOICE(
        "tie_rule", "ties between clusters in two-level routing (cn_tie_rule)", &cni_tie_rules),
    /* a choice whose default is "yes" */
    [CN_STUDY_PATHS] = {"paths", "1", 0, 0, 1, 1, &path_choices,
                        "whether mean distances and hops are measured"},
    [CN_STUDY_PATTERNS] = {"patterns", "patterns", 1, 0x1p40, 100, CNI_PARAM_WHOLE,
                           "patterns that are drawn"},
    [CN_STUDY_THREADS] = {"threads", "threads", 1, CNI_MAX_WORKERS, 1, CNI_PARAM_WHOLE,
                          "threads that share the patterns; does not affect the result"},
};

_Static_assert(sizeof rows / sizeof rows[0] == CNI_STUDY_ROOM,
               "a study has room for each of its values");

static const cni_names params = CNI_NAMES("parameter of a study", rows, 0);
CNI_NAMED_ENUM(cn_study_param, param, params);
CNI_ROW_FACT(cn_study_param_unit, cn_study_param, param, params, cni_param_row, unit);
CNI_ROW_FACT(cn_study_param_meaning, cn_study_param, param, params, cni_param_row, meaning);

cn_status cn_study_param_range(cn_study_param param, double *least, double *greatest,
                               double *default_value, int *whole)
{
    CNI_TRY(cni_check_named(__func__, &params, "param", (int)param));
    cni_param_row_range(&rows[param], least, greatest, default_value, whole);
    return CN_OK;
}

cn_status cni_study_check_centers(const char *function, const cn_study *study)
{
    uint64_t nodes = cni_study_whole(study, CN_STUDY_GROWN_NODES);
    uint64_t centers = cni_study_whole(study, CN_STUDY_GROWN_CENTERS);
    return nodes == 0 ? CN_OK : cni_check_centers(function, "grown_centers", nodes, centers);
}

/* The checks beyond the row: the network, and the other values. A choice of `keep` is valid when
 * a bench for it can be set up. */
static cn_status check_set(const char *function, const cn_study *study, cn_study_param param)
{
    uint64_t value = cni_study_whole(study, param), all = study->topology->nodes;
    int is_links = param == CN_STUDY_RANDOM_LINKS;
    cni_study_bench bench;
    if ((is_links || param == CN_STUDY_LINK_PROBABILITY) && study->value[param] > 0)
        CNI_TRY(cni_check_links_can_fail(function, study->topology));
    if (is_links && value > 0)
        CNI_TRY(cn_topology_link_count(study->topology, &all));
    if (is_links || strcmp(rows[param].unit, "nodes") == 0)
        CNI_TRY(cni_check_most(function, rows[param].name, value, all, rows[param].unit));
    if (param == CN_STUDY_GROWN_CENTERS)
        return cni_study_check_centers(function, study);
    if (param != CN_STUDY_KEEP || value == CN_KEEP_WORKING)
        return CN_OK;
    cn_status status = cni_study_bench_open(study, &bench);
    cni_study_bench_close(&bench);
    return cni_fail_as(function, status);
}

cn_status cn_study_set(cn_study *study, cn_study_param param, double value)
{
    CNI_REQUIRE(study);
    CNI_TRY(cni_check_named(__func__, &params, "param", (int)param));
    CNI_TRY(cni_param_row_check(__func__, &rows[param], value));
    cn_study changed = *study;
    changed.value[param] = value;
    CNI_TRY(check_set(__func__, &changed, param));
    study->value[param] = value;
    return CN_OK;
}

/* One pattern of a study of random faults: its faults, its measures, and its run of the
 * scenario. */
#include "study/study.h"

#include "cubenet/experimental/damage.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "routing/hierarchy/hierarchy.h"
#include "routing/rules/routing.h"
#include "routing/subnets/subnet.h"
#include "scenario/system.h"
#include "simulation/run/replicate.h"
#include "topology/topology.h"

/* A subnet of the undamaged network by the rule of the study, rebuilt for each pattern. */
static cn_status open_subnet(const cn_study *study, const cn_faults *none, cn_subnet **subnet)
{
    cn_keep keep = cni_study_keeps(study);
    if (keep == CN_KEEP_DEGRADED)
        return cn_subnet_degraded(none, (uint32_t)study->value[CN_STUDY_K],
                                  (cn_link_rule)study->value[CN_STUDY_LINK_RULE], NULL, subnet);
    if (keep == CN_KEEP_CONVEX)
        return cn_subnet_convex(none, NULL, subnet);
    return keep == CN_KEEP_MINIMAL ? cn_subnet_minimal(none, NULL, subnet) : CN_OK;
}

cn_status cni_study_bench_open(const cn_study *study, cni_study_bench *bench)
{
    *bench = (cni_study_bench){.study = study, .budget = cni_budget_within(NULL)};
    CNI_TRY(cn_faults_new(study->topology, &bench->faults));
    CNI_TRY(cn_faults_new(study->topology, &bench->kept));
    CNI_TRY(open_subnet(study, bench->faults, &bench->subnet));
    if (cni_study_keeps(study) == CN_KEEP_CLUSTERS)
        CNI_TRY(cn_hierarchy_new(bench->faults, NULL, &bench->hierarchy));
    if (study->scenario == NULL)
        return CN_OK;
    bench->scenario = cni_scenario_duplicate(study->scenario);
    return bench->scenario == NULL ? CN_ERR_MEMORY : CN_OK;
}

void cni_study_bench_close(cni_study_bench *bench)
{
    cn_faults_free(&bench->faults);
    cn_faults_free(&bench->kept);
    cn_subnet_free(&bench->subnet);
    cn_hierarchy_free(&bench->hierarchy);
    cn_scenario_free(&bench->scenario);
}

/* Builds the subnet or the hierarchy of the pattern, and fills `kept`. */
static cn_status build(cni_study_bench *bench)
{
    CNI_TRY(cni_faults_assign(bench->kept, bench->faults));
    if (cni_study_keeps(bench->study) == CN_KEEP_CLUSTERS) {
        cn_hierarchy_free(&bench->hierarchy);
        return cni_hierarchy_new_within(bench->faults, &bench->inner, &bench->hierarchy);
    }
    if (bench->subnet == NULL)
        return CN_OK;
    CNI_TRY(cni_subnet_build(bench->subnet, bench->faults, &bench->inner));
    for (uint64_t v = 0; v < bench->study->topology->nodes; v++)
        if (!cni_survives(bench->subnet, v))
            cni_faults_set_node(bench->kept, v, 1);
    return CN_OK;
}

static void put(cn_result *measured, cn_metric metric, double value)
{
    cni_result_put(measured, metric, value, 1);
}

static void measure_survivors(const cni_study_bench *bench, uint64_t survivors, cn_result *measured)
{
    double nodes = (double)bench->study->topology->nodes;
    double working = nodes - (double)bench->faults->node_count;
    put(measured, CN_METRIC_WORKING_FRACTION, working / nodes);
    put(measured, CN_METRIC_SURVIVOR_FRACTION, (double)survivors / nodes);
    put(measured, CN_METRIC_EMPTY_FRACTION, survivors == 0);
    if (working > 0)
        put(measured, CN_METRIC_SURVIVORS_OF_WORKING, (double)survivors / working);
    if (bench->hierarchy != NULL)
        put(measured, CN_METRIC_CLUSTERS, cn_hierarchy_cluster_count(bench->hierarchy));
}

/* The mean distance in a convex subnet, where distances are Hamming distances: sums, dimension by
 * dimension, the ordered pairs whose bits differ. */
static double convex_distance(const cn_faults *kept, uint64_t pairs)
{
    uint64_t nodes = kept->topology->nodes, sum = 0;
    for (uint32_t i = 0; i < kept->topology->dimensions; i++) {
        uint64_t ones = 0;
        for (uint64_t v = 0; v < nodes; v++)
            ones += (v >> i & 1) != 0 && !cni_node_faulty(kept, v);
        sum += 2 * ones * (nodes - kept->node_count - ones);
    }
    return (double)sum / (double)pairs;
}

static cn_status measure_distance(cni_study_bench *bench, uint64_t pairs, cn_result *measured)
{
    double mean;
    if (cni_study_keeps(bench->study) == CN_KEEP_CONVEX)
        mean = convex_distance(bench->kept, pairs);
    else
        CNI_TRY(cni_faults_mean_distance_within(bench->kept, &bench->inner, &mean, NULL));
    put(measured, CN_METRIC_MEAN_DISTANCE, mean);
    if (bench->hierarchy == NULL)
        return CN_OK;
    CNI_TRY(cni_hierarchy_make_tables_within(bench->hierarchy, &bench->inner));
    CNI_TRY(cni_hierarchy_mean_hops_within(bench->hierarchy,
                                           (cn_tie_rule)bench->study->value[CN_STUDY_TIE_RULE],
                                           &bench->inner, &mean, NULL));
    put(measured, CN_METRIC_MEAN_HOPS, mean);
    return CN_OK;
}

static cn_status measure_paths(cni_study_bench *bench, uint64_t survivors, cn_result *measured)
{
    uint64_t all = survivors * (survivors - 1), pairs = all;
    if (cni_study_keeps(bench->study) != CN_KEEP_CONVEX)
        CNI_TRY(cni_faults_reachable_pairs_within(bench->kept, &bench->inner, &pairs));
    put(measured, CN_METRIC_CONNECTED_FRACTION, pairs == all);
    if (all > 0)
        put(measured, CN_METRIC_REACHABLE_FRACTION, (double)pairs / (double)all);
    return bench->study->value[CN_STUDY_PATHS] != 0 && pairs > 0
               ? measure_distance(bench, pairs, measured)
               : CN_OK;
}

/* ---- the load ---- */

/* Takes the metrics of the run of the scenario that the study has not measured itself. It never
 * takes the mean distance, which may be that of the undamaged network. */
static void take_metrics(const cn_result *result, cn_result *measured)
{
    measured->stop = result->stop;
    measured->saturated = result->saturated;
    measured->unsettled = result->unsettled && !result->saturated;
    for (int m = 1; m < CNI_METRIC_ROOM && !result->saturated; m++)
        if (result->has[m] && !measured->has[m] && m != CN_METRIC_MEAN_DISTANCE)
            cni_result_put(measured, (cn_metric)m, result->value[m], 1);
}

/* A system that takes no subnet gets the routing of the subnet, unless the caller has set a routing
 * object. */
static cn_status attach_subnet(cni_study_bench *bench)
{
    cn_scenario *scenario = bench->scenario;
    const cn_subnet *subnet = bench->subnet;
    cn_routing *routing;
    if (cni_row_takes_attachment(scenario->system, CN_ATTACHMENT_SUBNET) ||
        cni_routing_of(bench->study->scenario) != NULL)
        return cn_scenario_set_subnet(scenario, subnet);
    CNI_TRY(cn_routing_optimal_path(subnet, &routing));
    cn_status status = cn_scenario_set_routing(scenario, routing);
    cn_routing_free(&routing);
    return status == CN_OK ? cn_scenario_set_faults(scenario, subnet->faults) : status;
}

/* A routing of a subnet gets the subnet; for any other a disabled node is a faulty node. */
static cn_status attach(cni_study_bench *bench)
{
    const char *routing = cn_scenario_routing_name(bench->scenario);
    if (strcmp(routing, cni_optimal_path.name) != 0)
        return cn_scenario_set_faults(bench->scenario, bench->kept);
    if (bench->subnet != NULL)
        return attach_subnet(bench);
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_study_run: all working nodes are kept, but the routing %s goes by a "
                    "subnet; keep a convex one",
                    routing);
}

static cn_status carry_load(cni_study_bench *bench, uint64_t index, cni_fault_pattern *pattern)
{
    cn_scenario *scenario = bench->scenario;
    cn_result *result = NULL;
    scenario->seed = cni_random_derive(bench->study->scenario->seed, index);
    CNI_TRY(attach(bench));
    cn_status status =
        bench->study->simulate
            ? cni_run_scenario("cn_simulate", scenario, &bench->inner, CNI_UNDIVIDED, &result)
            : cni_scenario_predict(scenario, &bench->inner, &result);
    if (status == CN_ERR_DISCONNECTED)
        return CN_OK;
    pattern->solved = 1;
    if (status == CN_ERR_UNSTABLE) {
        pattern->measured.saturated = 1;
        return CN_OK;
    }
    if (status == CN_OK)
        take_metrics(result, &pattern->measured);
    cn_result_free(&result);
    /* when the budget ended the run early, the pattern does not count */
    return bench->inner.stopped == CNI_GOING ? status : CN_ERR_CANCELLED;
}

static cn_status measure(cni_study_bench *bench, uint64_t index, cni_fault_pattern *pattern)
{
    bench->inner = cni_budget_within(&bench->budget);
    CNI_TRY(cni_study_draw(bench->study, index, bench->faults));
    CNI_TRY(build(bench));
    uint64_t survivors = bench->study->topology->nodes - bench->kept->node_count;
    measure_survivors(bench, survivors, &pattern->measured);
    if (survivors > 0)
        CNI_TRY(measure_paths(bench, survivors, &pattern->measured));
    return bench->scenario != NULL && survivors > 1 ? carry_load(bench, index, pattern) : CN_OK;
}

void cni_study_measure(cni_study_bench *bench, uint64_t index, cni_fault_pattern *pattern)
{
    pattern->status = measure(bench, index, pattern);
    bench->budget.done += pattern->status == CN_OK;
    if (pattern->status != CN_OK)
        snprintf(pattern->error, sizeof pattern->error, "%s", cn_last_error());
}

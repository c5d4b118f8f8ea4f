/* The channel loads of a workload under a routing. */
#include "base/error.h"
#include "base/memory.h"
#include "routing/questions/loads.h"
#include "routing/rules/routing.h"
#include "scenario/traffic/routing_loads.h"
#include "scenario/workload/workload.h"
#include "topology/topology.h"

/* Gives the flits of a pair of nodes to cni_routing_give_loads(). */
static cn_status give_flits(void *flows, uint64_t source, uint64_t destination, double *rate)
{
    *rate = (double)cni_pair_flows_take(flows, source, destination);
    return CN_OK;
}

/* Lists the messages that enter the network. A message whose flits are 0 counts as one flit. */
static cn_status list_flows(const cn_workload *workload, cni_budget *budget, cni_pair_flows *f)
{
    f->list = cni_allocate(workload->messages, sizeof *f->list);
    CNI_TRY_MEMORY(f->list);
    for (size_t i = 0; i < workload->messages; i++) {
        const cni_workload_row *m = &workload->message[i];
        if (!cni_is_computing(m))
            f->list[f->count++] =
                (cni_pair_flow){m->destination, m->source, m->flits > 0 ? m->flits : 1};
    }
    return cni_pair_flows_sort(f, budget);
}

/* The default routing: dimension order where the network has it, otherwise all shortest paths. */
static cn_status make_default(const char *function, const cn_topology *topology, cni_budget *budget,
                              cn_routing **routing)
{
    cn_status status =
        cni_routing_build(function, &cni_dimension_order, topology, NULL, budget, routing);
    return status == CN_ERR_UNSUPPORTED
               ? cni_routing_build(function, &cni_minimal, topology, NULL, budget, routing)
               : status;
}

static cn_status find_busiest(const cn_workload *workload, const cn_routing *routing,
                              cni_budget *budget, double *flits)
{
    size_t channels = cni_size(workload->topology->nodes * workload->topology->max_degree);
    cni_pair_flows f = {0};
    double *loads = cni_allocate(channels, sizeof *loads), most = 0.0;
    cn_status status = loads == NULL ? CN_ERR_MEMORY : list_flows(workload, budget, &f);
    if (status == CN_OK)
        status = cni_routing_give_loads(budget, routing, give_flits, &f, loads, channels, NULL);
    for (size_t c = 0; c < channels && status == CN_OK; c++)
        most = loads[c] > most ? loads[c] : most;
    if (status == CN_OK)
        *flits = most;
    cni_release(f.list);
    cni_release(loads);
    return status;
}

cn_status cn_workload_busiest_channel(const cn_workload *workload, const cn_routing *routing,
                                      const cn_control *control, double *flits)
{
    CNI_REQUIRE_BOTH(workload, flits);
    CNI_REQUIRE_OR_NULL(routing);
    CNI_BUDGET(budget, control, 0);
    if (routing != NULL && !cn_topology_equal(routing->topology, workload->topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: routing is one of %s, but the workload is on %s",
                        __func__, routing->topology->name, workload->topology->name);
    cn_routing *made = NULL;
    cn_status status = CN_OK;
    if (routing == NULL)
        status = make_default(__func__, workload->topology, &budget, &made);
    if (status == CN_OK)
        status = find_busiest(workload, routing == NULL ? made : routing, &budget, flits);
    cn_routing_free(&made);
    return status;
}

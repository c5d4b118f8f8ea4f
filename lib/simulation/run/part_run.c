/* A part of a simulation: opening, stepping, and the cost of its exchanges. */
#include "base/error.h"
#include "scenario/system.h"
#include "simulation/kernel/part.h"
#include "simulation/run/sim.h"
#include "topology/topology.h"

uint64_t cni_sim_nodes(const cn_sim *sim)
{
    const cn_topology *topology = sim->scenario->topology;
    return sim->part == NULL ? topology->nodes : sim->part->end - sim->part->first;
}

uint64_t cni_sim_balance(const cn_sim *sim)
{
    return sim->part == NULL ? 0 : sim->part->balance;
}

cn_status cni_sim_check_whole(const char *function, const cn_sim *sim, const char *instead)
{
    if (sim->part == NULL)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: the simulation is part %lu of %lu; %s", function,
                    (unsigned long)sim->part->part, (unsigned long)sim->part->parts, instead);
}

cn_status cni_sim_check_node(const char *function, const char *argument, const cn_sim *sim,
                             uint64_t node)
{
    const cni_part *part = sim->part;
    CNI_TRY(cni_check_node(function, argument, sim->scenario->topology, node));
    if (part == NULL || cni_part_has(part, node))
        return CN_OK;
    return cni_fail(
        CN_ERR_ARGUMENT, "%s: %s = %llu, but part %lu of %lu has the nodes %llu to %llu", function,
        argument, (unsigned long long)node, (unsigned long)part->part, (unsigned long)part->parts,
        (unsigned long long)part->first, (unsigned long long)part->end - 1);
}

cn_status cni_sim_advance_part(cn_sim *sim, uint64_t cycles, cni_budget *budget)
{
    double begin = cni_clock();
    if (cni_budget_is_watched(budget))
        return cni_sim_check_whole("cn_sim_step", sim,
                                   "one that stopped early would leave the others waiting, so it "
                                   "takes no control with progress, limit or cancellation");
    cn_status status = cni_sim_advance(sim, cycles, budget);
    if (status != CN_OK)
        cni_part_stop(sim->part);
    sim->part->stepping += cni_clock() - begin;
    return status;
}

cn_status cni_sim_check_divides(const char *function, const cn_scenario *scenario)
{
    if (scenario->system->kernel->part != NULL)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: the system %s cannot be divided into parts; deflection, separate-buffers "
                    "and shared-buffer can",
                    function, scenario->system->name);
}

cn_status cni_sim_check_part(const char *function, const cn_scenario *scenario,
                             const cni_part_order *order)
{
    uint64_t first, count;
    if (order->exchange == NULL)
        return cni_fail_invalid(function, "exchange", NULL, CNI_NO_OBJECT);
    CNI_TRY(cni_sim_check_divides(function, scenario));
    if (cni_workload_of(scenario) != NULL)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "%s: the scenario has a workload, but no part knows of deliveries in the others",
            function);
    if (scenario->value[CN_PARAM_WARMUP_CYCLES] == CN_WARMUP_AUTOMATIC)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "%s: warmup_cycles = automatic, but a part does not see when the whole network "
            "has warmed up: set a number of cycles",
            function);
    return cn_part_nodes(scenario->topology, order->part, order->parts, &first, &count);
}

cn_status cn_sim_open_part(const cn_scenario *scenario, uint32_t part, uint32_t parts,
                           cn_exchange_fn exchange, void *user, const cn_control *control,
                           cn_sim **sim)
{
    CNI_REQUIRE_OUT(sim);
    CNI_REQUIRE(scenario);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_sim_check_simulator(__func__, scenario));
    cni_part_order order = {part, parts, exchange, user};
    CNI_TRY(cni_sim_check_part(__func__, scenario, &order));
    cn_scenario own = *scenario;
    own.budget = &budget;
    own.part = &order;
    return cni_sim_open_with_seed(&own, scenario->seed, sim);
}

cn_status cn_sim_restore_part(const cn_scenario *scenario, const uint8_t data[], size_t size,
                              cn_exchange_fn exchange, void *user, const cn_control *control,
                              cn_sim **sim)
{
    CNI_REQUIRE_OUT(sim);
    CNI_REQUIRE_BOTH(scenario, data);
    cni_part_order order = {.exchange = exchange, .user = user};
    return cni_sim_read_snapshot(__func__, scenario, data, size, &order, control, sim);
}

cn_status cn_sim_exchanged(const cn_sim *sim, uint64_t *messages, uint64_t *bytes, double *waiting,
                           double *stepping)
{
    CNI_REQUIRE(sim);
    const cni_part *part = sim->part;
    if (part == NULL)
        return cni_fail(CN_ERR_STATE, "%s: the simulation is no part of one", __func__);
    CNI_GIVE(messages, part->messages);
    CNI_GIVE(bytes, part->bytes);
    CNI_GIVE(waiting, part->waiting);
    CNI_GIVE(stepping, part->stepping);
    return CN_OK;
}

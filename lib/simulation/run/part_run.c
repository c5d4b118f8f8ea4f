/* Opening a part of a simulation, and what its exchanges have cost. */
#include "base/error.h"
#include "scenario/system.h"
#include "simulation/kernel/part.h"
#include "simulation/run/sim.h"

cn_status cni_sim_check_part(const char *function, const cn_scenario *scenario,
                             const cni_part_order *order)
{
    uint64_t first, count;
    if (scenario->system->kernel->part == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the system %s cannot be divided into parts; deflection can", function,
                        scenario->system->name);
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
    cni_budget budget;
    CNI_REQUIRE(sim);
    *sim = NULL;
    CNI_REQUIRE(scenario);
    if (exchange == NULL)
        return cni_fail_invalid(__func__, "exchange", NULL, CNI_NO_OBJECT);
    CNI_TRY(cni_budget_begin(&budget, __func__, control, 0));
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
    CNI_REQUIRE(sim);
    *sim = NULL;
    if (exchange == NULL)
        return cni_fail_invalid(__func__, "exchange", NULL, CNI_NO_OBJECT);
    cni_part_order order = {.exchange = exchange, .user = user};
    return cni_sim_restore(__func__, scenario, data, size, &order, control, sim);
}

cn_status cn_sim_exchanged(const cn_sim *sim, uint64_t *messages, uint64_t *bytes, double *waiting,
                           double *stepping)
{
    CNI_REQUIRE(sim);
    const cni_part *part = sim->part;
    if (part == NULL)
        return cni_fail(CN_ERR_STATE, "%s: the simulation is no part of one", __func__);
    if (messages != NULL)
        *messages = part->messages;
    if (bytes != NULL)
        *bytes = part->bytes;
    if (waiting != NULL)
        *waiting = part->waiting;
    if (stepping != NULL)
        *stepping = part->stepping;
    return CN_OK;
}

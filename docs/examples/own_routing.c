/*
 * A rule of one's own as a routing: the turn model north-last (Glass & Ni 1992) on a 4 x 4 mesh. A
 * message may take any shortest way, but goes north, to the next row, only when nothing else is
 * left.
 *
 * cc -o own_routing own_routing.c $(pkg-config --cflags --libs cubenet)
 */
#include <cubenet.h>
#include <stdio.h>

enum { K = 4 };

static cn_status north_last(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                            uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *mesh = user;
    uint64_t far[4], here, there;
    uint32_t north = CN_NO_PORT;
    size_t degree, others = 0;
    (void)previous, (void)port, (void)virtual_channel; /* where it came from does not matter */
    cn_status status = cn_topology_distance(mesh, node, destination, NULL, &here);
    if (status != CN_OK || (status = cn_topology_neighbors(mesh, node, far, 4, &degree)) != CN_OK)
        return status;
    for (uint32_t p = 0; p < degree; p++) {
        if ((status = cn_topology_distance(mesh, far[p], destination, NULL, &there)) != CN_OK)
            return status;
        if (there > here)
            continue;
        if (far[p] == node + K)
            north = p;
        else
            channels[p] = 1, others++; /* bit 0: virtual channel 0 */
    }
    if (others == 0)
        channels[north] = 1;
    return CN_OK;
}

int main(void)
{
    cn_topology *mesh;
    cn_routing *routing;
    cn_deadlock *check;
    cn_verdict verdict;
    double load;
    if (cn_topology_mesh((const uint64_t[]){K, K}, 2, &mesh) ||
        cn_routing_own(mesh, 1, north_last, NULL, mesh, NULL, &routing) ||
        cn_routing_saturation_load(routing, NULL, NULL, NULL, &load) ||
        cn_routing_deadlock_check(routing, 1, NULL, &check) || cn_deadlock_verdict(check, &verdict))
        return fprintf(stderr, "%s\n", cn_last_error()), 1;
    printf("the first channel is full at load %.4f; %s\n", load, cn_verdict_text(verdict));
    /* worms of 8 flits at a third of that load */
    cn_scenario *scenario;
    cn_result *result;
    double delay;
    if (cn_scenario_new(mesh, "wormhole", &scenario) ||
        cn_scenario_set_routing(scenario, routing) ||
        cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 8) ||
        cn_scenario_set(scenario, CN_PARAM_LOAD, load / 8 / 3) ||
        cn_simulate(scenario, NULL, &result) ||
        cn_result_value(result, CN_METRIC_MEAN_DELAY, &delay))
        return fprintf(stderr, "%s\n", cn_last_error()), 1;
    printf("worms by this rule: mean delay %.1f cycles\n", delay);
    cn_result_free(&result), cn_scenario_free(&scenario);
    cn_deadlock_free(&check), cn_routing_free(&routing), cn_topology_free(&mesh);
    return verdict != CN_VERDICT_ACYCLIC;
}

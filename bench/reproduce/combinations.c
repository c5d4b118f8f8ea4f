/*
 * Which combinations of system, routing, network and damage run: each is simulated for a short
 * time, or says why not. The own rule takes the lowest port that comes closer.
 */
#include "reproduce.h"

#include <string.h>

/* ---- routings ---- */

static cn_status lowest_closer(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                               uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *t = user;
    uint64_t here, there, neighbor;
    uint32_t degree = 0;
    (void)previous, (void)port, (void)virtual_channel;
    cn_status status = cn_topology_distance(t, node, destination, NULL, &here);
    if (status == CN_OK)
        status = cn_topology_degree(t, node, &degree);
    for (uint32_t p = 0; status == CN_OK && p < degree; p++) {
        status = cn_topology_neighbor(t, node, p, &neighbor);
        if (status == CN_OK)
            status = cn_topology_distance(t, neighbor, destination, NULL, &there);
        if (status != CN_OK || there >= here)
            continue;
        channels[p] = 1;
        break;
    }
    return status;
}

static cn_status set_tree(cn_scenario *scenario, const cn_topology *topology)
{
    cn_tree *tree = NULL;
    cn_routing *routing = NULL;
    cn_status status = cn_tree_breadth_first(topology, 0, NULL, &tree);
    if (status == CN_OK)
        status = cn_routing_tree(tree, &routing);
    if (status == CN_OK)
        status = cn_scenario_set_routing(scenario, routing);
    cn_routing_free(&routing);
    cn_tree_free(&tree);
    return status;
}

static cn_status set_own(cn_scenario *scenario, const cn_topology *topology)
{
    cn_routing *routing = NULL;
    cn_status status =
        cn_routing_own(topology, 1, lowest_closer, NULL, (void *)topology, NULL, &routing);
    if (status == CN_OK)
        status = cn_scenario_set_routing(scenario, routing);
    cn_routing_free(&routing);
    return status;
}

static cn_status set_routing(cn_scenario *scenario, const char *name, const cn_topology *topology)
{
    if (strcmp(name, "tree") == 0)
        return set_tree(scenario, topology);
    if (strcmp(name, "own") == 0)
        return set_own(scenario, topology);
    return cn_scenario_set_routing_name(scenario, name);
}

/* ---- a row ---- */

typedef struct combination {
    size_t system;       /* its number */
    const char *routing; /* NULL: the system's own choice */
    const cn_topology *topology;
    const cn_faults *faults; /* NULL: none */
} combination;

static cn_status simulate(const combination *c, cn_result **result)
{
    cn_scenario *scenario = NULL;
    cn_status status = cn_scenario_new(c->topology, cn_system_name(c->system), &scenario);
    if (status == CN_OK && c->faults != NULL)
        status = cn_scenario_set_faults(scenario, c->faults);
    if (status == CN_OK && c->routing != NULL)
        status = set_routing(scenario, c->routing, c->topology);
    /* far below saturation, also where messages have many flits */
    if (status == CN_OK && cn_scenario_takes(scenario, CN_PARAM_LOAD))
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 0.002);
    if (status == CN_OK && cn_scenario_takes(scenario, CN_PARAM_OPERATIONS))
        status = cn_scenario_set(scenario, CN_PARAM_OPERATIONS, 4);
    if (status == CN_OK && cn_scenario_takes(scenario, CN_PARAM_MEASURE_CYCLES))
        status = cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000);
    if (status == CN_OK)
        status = cn_simulate(scenario, NULL, result);
    cn_scenario_free(&scenario);
    return status;
}

static void write_row(rp_table *table, const combination *c)
{
    cn_result *result = NULL;
    rp_table_text(table, cn_system_name(c->system));
    rp_table_text(table, c->routing == NULL ? "default" : c->routing);
    rp_table_text(table, cn_topology_name(c->topology));
    rp_table_numbers(table, c->faults != NULL);
    int runs = simulate(c, &result) == CN_OK;
    rp_table_numbers(table, runs);
    rp_table_text(table, runs ? "" : cn_last_error());
    cn_result_free(&result);
}

/* Every routing, and first what the system takes by itself. */
static void write_routings(rp_table *table, combination *c)
{
    c->routing = NULL;
    write_row(table, c);
    if (!cn_system_takes_attachment(c->system, CN_ATTACHMENT_ROUTING))
        return;
    for (size_t k = 0; k < cn_routing_kind_count(); k++) {
        c->routing = cn_routing_kind_name(k);
        write_row(table, c);
    }
}

static void write_network(rp_table *table, size_t system, const cn_topology *topology)
{
    cn_faults *faults = rp_sample_faults(table->run, topology);
    combination c = {.system = system, .topology = topology};
    write_routings(table, &c);
    c.faults = faults;
    write_routings(table, &c);
    cn_faults_free(&faults);
}

static void make_table(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit, "system,routing,network,damaged,runs,refusal");
    for (size_t s = 0; s < cn_system_count(); s++) {
        if (cn_system_check_simulator(s, NULL) != CN_OK)
            continue;
        cn_topology *topology;
        for (size_t i = 0; (topology = rp_sample_network(run, i)) != NULL; i++) {
            write_network(&table, s, topology);
            cn_topology_free(&topology);
        }
    }
    rp_table_close(&table);
}

const rp_exhibit combinations[] = {
    {"combinations", "Which systems run on which networks, with which routings, damaged or not",
     "no paper", 0.5, make_table, NULL},
    {0},
};

#include "given.h"

void nothing(void)
{
}

void cube(void)
{
    assert_ok(cn_topology_hypercube(4, &given.topology));
}

void small_cube(void)
{
    assert_ok(cn_topology_hypercube(3, &given.topology));
}

void two_way(void)
{
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &given.topology));
}

void one_way(void)
{
    assert_ok(cn_topology_kary_ncube(3, 2, 0, &given.topology));
}

void general(void)
{
    assert_ok(cn_topology_generalized_hypercube(3, 2, &given.topology));
}

void mesh(void)
{
    assert_ok(cn_topology_mesh((uint64_t[]){4, 3}, 2, &given.topology));
}

void psnn(void)
{
    assert_ok(cn_topology_psnn(4, &given.topology));
}

void edges(void)
{
    static const uint64_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0, 1, 4, 0, 3};
    assert_ok(cn_topology_from_edges(6, ends, 8, NULL, &given.topology));
}

void node_faults(void)
{
    cube();
    assert_ok(cn_faults_new(given.topology, &given.faults));
    assert_ok(cn_faults_add_node(given.faults, 5));
    assert_ok(cn_faults_add_node(given.faults, 6));
}

void faults(void)
{
    node_faults();
    assert_ok(cn_faults_add_link(given.faults, 8, 0));
}

void one_way_faults(void)
{
    one_way();
    assert_ok(cn_faults_new(given.topology, &given.faults));
    assert_ok(cn_faults_add_node(given.faults, 4));
}

void two_way_faults(void)
{
    two_way();
    assert_ok(cn_faults_new(given.topology, &given.faults));
    assert_ok(cn_faults_add_node(given.faults, 4));
    assert_ok(cn_faults_add_link(given.faults, 8, 0));
}

void degraded(void)
{
    faults();
    assert_ok(cn_subnet_degraded(given.faults, 1, CN_LINK_DISABLES_END, NULL, &given.subnet));
}

void degraded_nodes(void)
{
    node_faults();
    assert_ok(cn_subnet_degraded(given.faults, 1, CN_LINK_IS_BAD, NULL, &given.subnet));
}

void convex(void)
{
    faults();
    assert_ok(cn_subnet_convex(given.faults, NULL, &given.subnet));
}

void hierarchy(void)
{
    static const uint64_t faulty[] = {3, 9, 10, 12};
    faults();
    for (size_t i = 0; i < 4; i++)
        assert_ok(cn_faults_add_node(given.faults, faulty[i]));
    assert_ok(cn_hierarchy_new(given.faults, NULL, &given.hierarchy));
}

void hierarchy_tables(void)
{
    hierarchy();
    assert_ok(cn_hierarchy_make_tables(given.hierarchy, NULL));
}

void scenario_of(const char *system, double load)
{
    if (given.topology == NULL)
        cube();
    assert_ok(cn_scenario_new(given.topology, system, &given.scenario));
    if (cn_scenario_takes(given.scenario, CN_PARAM_LOAD))
        assert_ok(cn_scenario_set(given.scenario, CN_PARAM_LOAD, load));
    if (cn_scenario_takes(given.scenario, CN_PARAM_OPERATION_RATE))
        assert_ok(cn_scenario_set(given.scenario, CN_PARAM_OPERATION_RATE, load));
    if (cn_scenario_takes(given.scenario, CN_PARAM_MEASURE_CYCLES)) {
        assert_ok(cn_scenario_set(given.scenario, CN_PARAM_WARMUP_CYCLES, 10));
        assert_ok(cn_scenario_set(given.scenario, CN_PARAM_MEASURE_CYCLES, 50));
    }
}

void routed_scenario(const char *routing, double load)
{
    scenario_of("separate-buffers", load);
    assert_ok(cn_scenario_set_routing_name(given.scenario, routing));
}

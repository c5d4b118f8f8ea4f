/* Every function that takes two objects of a topology, over all pairs of small networks of every
 * family: it works when the two are one network, else it refuses. */
#include "support/networks.h"

#include "cubenet/experimental/study.h"
#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/multicast.h"

/* What one network has, as far as it can have it. */
typedef struct things {
    cn_topology *topology;
    cn_faults *faults;
    cn_subnet *subnet;
    cn_traffic *traffic;
    cn_operations *operations;
    cn_study *study;
    cn_tree *tree;
    cn_routing *routing;
    cn_scenario *scenario[32]; /* by system; NULL where it does not take the network */
} things;

enum { FUNCTIONS = 11, MOST = 80 };

static things all[MOST];

static void make_things(things *of, size_t index)
{
    of->topology = make_network(index);
    uint64_t last = cn_topology_node_count(of->topology) - 1;
    assert_ok(cn_faults_new(of->topology, &of->faults));
    assert_ok(cn_faults_add_node(of->faults, last));
    if (cn_topology_max_degree(of->topology) <= 64)
        assert_ok(cn_faults_add_link(of->faults, 0, 0));
    (void)cn_subnet_degraded(of->faults, 1, CN_LINK_IS_BAD, NULL, &of->subnet);
    assert_ok(cn_traffic_permutation(of->topology, 3, &of->traffic));
    (void)cn_operations_new(of->topology, &of->operations);
    assert_ok(cn_operations_add_broadcast(of->operations, last, 0));
    assert_ok(cn_study_new(of->topology, &of->study));
    (void)cn_tree_binomial(of->topology, 0, 0, &of->tree);
    (void)cn_routing_new(of->topology, "minimal", NULL, NULL, &of->routing);
    for (size_t s = 0; s < cn_system_count(); s++)
        (void)cn_scenario_new(of->topology, cn_system_name(s), &of->scenario[s]);
}

static void free_things(things *of)
{
    cn_topology_free(&of->topology);
    cn_faults_free(&of->faults);
    cn_subnet_free(&of->subnet);
    cn_traffic_free(&of->traffic);
    cn_operations_free(&of->operations);
    cn_study_free(&of->study);
    cn_tree_free(&of->tree);
    cn_routing_free(&of->routing);
    for (size_t s = 0; s < cn_system_count(); s++)
        cn_scenario_free(&of->scenario[s]);
}

static int open_all(void **state)
{
    (void)state;
    assert_true(network_count() <= MOST && cn_system_count() <= 32);
    for (size_t i = 0; i < network_count(); i++)
        make_things(&all[i], i);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < network_count(); i++)
        free_things(&all[i]);
    return 0;
}

/* Of one network, port by port. */
static int has_the_same_links(const cn_topology *a, const cn_topology *b)
{
    uint64_t to_a, to_b, nodes = cn_topology_node_count(a);
    if (nodes != cn_topology_node_count(b))
        return 0;
    for (uint64_t v = 0; v < nodes; v++) {
        uint32_t degree_a, degree_b;
        assert_ok(cn_topology_degree(a, v, &degree_a));
        assert_ok(cn_topology_degree(b, v, &degree_b));
        if (degree_a != degree_b)
            return 0;
        for (uint32_t p = 0; p < degree_a; p++) {
            assert_ok(cn_topology_neighbor(a, v, p, &to_a));
            assert_ok(cn_topology_neighbor(b, v, p, &to_b));
            if (to_a != to_b)
                return 0;
        }
    }
    return 1;
}

static void equality_is_that_of_the_links(void **state)
{
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *again = make_network(i);
        assert_int_equal(cn_topology_equal(again, all[i].topology), 1);
        cn_topology_free(&again);
        assert_int_equal(cn_topology_equal(all[i].topology, NULL), 0);
        assert_int_equal(cn_topology_equal(NULL, all[i].topology), 0);
        for (size_t j = 0; j < network_count(); j++) {
            int equal = cn_topology_equal(all[i].topology, all[j].topology);
            assert_int_equal(equal, network_class(i) == network_class(j));
            if (equal)
                assert_true(has_the_same_links(all[i].topology, all[j].topology));
        }
    }
    assert_int_equal(cn_topology_equal(NULL, NULL), 0);
}

/* Different networks are told apart by all calls; equal ones are taken by whatever has a use for
 * them. */
static void expect(cn_status status, int equal, size_t function, uint64_t taken[])
{
    taken[function] += status == CN_OK;
    if (equal)
        assert_true(status == CN_OK || status == CN_ERR_UNSUPPORTED ||
                    status == CN_ERR_DISCONNECTED || status == CN_ERR_UNSTABLE ||
                    status == CN_ERR_STATE);
    else
        assert_true(status == CN_ERR_ARGUMENT || status == CN_ERR_UNSUPPORTED);
}

static void try_scenarios(const things *a, const things *b, int equal, uint64_t taken[])
{
    for (size_t s = 0; s < cn_system_count(); s++) {
        cn_scenario *scenario = a->scenario[s], *other = b->scenario[s];
        if (other != NULL)
            expect(cn_study_set_scenario(a->study, other, 0), equal, 6, taken);
        if (scenario == NULL)
            continue;
        expect(cn_scenario_set_faults(scenario, b->faults), equal, 0, taken);
        expect(cn_scenario_set_traffic(scenario, b->traffic), equal, 1, taken);
        expect(cn_scenario_set_operations(scenario, b->operations), equal, 2, taken);
        if (b->subnet != NULL)
            expect(cn_scenario_set_subnet(scenario, b->subnet), equal, 3, taken);
        if (b->routing != NULL)
            expect(cn_scenario_set_routing(scenario, b->routing), equal, 10, taken);
        assert_ok(cn_scenario_reset(scenario));
    }
}

static void try_all(const things *a, const things *b, int equal, uint64_t taken[])
{
    try_scenarios(a, b, equal, taken);
    expect(cn_study_set_faults(a->study, b->faults), equal, 4, taken);
    if (a->subnet != NULL)
        expect(cn_subnet_rebuild(a->subnet, b->faults, NULL), equal, 5, taken);
    if (a->tree != NULL && b->tree != NULL) {
        const cn_tree *trees[] = {a->tree, b->tree};
        uint64_t node;
        expect(cn_tree_common_channel(trees, 2, &node), equal, 7, taken);
    }
    double lower, upper, delay;
    uint64_t nodes = cn_topology_node_count(a->topology);
    if (nodes < 3 || nodes > 16)
        return; /* no traffic is left, or it takes long */
    expect(
        cn_flow_deviation(a->topology, b->faults, NULL, 0, 0.01, 0.5, NULL, &delay, NULL, NULL, 0),
        equal, 8, taken);
    expect(cn_flow_saturation(a->topology, b->faults, NULL, 0, 0.5, NULL, &lower, &upper), equal, 9,
           taken);
}

static void two_objects_are_of_one_network(void **state)
{
    (void)state;
    uint64_t taken[FUNCTIONS] = {0};
    for (size_t i = 0; i < network_count(); i++)
        for (size_t j = 0; j < network_count(); j++)
            try_all(&all[i], &all[j], network_class(i) == network_class(j), taken);
    for (size_t f = 0; f < FUNCTIONS; f++)
        assert_true(taken[f] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equality_is_that_of_the_links),
        cmocka_unit_test(two_objects_are_of_one_network),
    };
    return cmocka_run_group_tests_name("two_objects", tests, open_all, close_all);
}

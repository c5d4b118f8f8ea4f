/* Collective operations that run: what their algorithms take without contention, to the cycle. */
#include "support/support.h"

#include "cubenet/experimental/collectives.h"

static double run(const cn_topology *topology, const char *system, double startup,
                  cn_workload *workload)
{
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_scenario_new(topology, system, &scenario));
    if (startup > 0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, startup));
    assert_ok(cn_scenario_set_workload(scenario, workload));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_COMPLETED);
    double cycles = value_of(result, CN_METRIC_COMPLETION_CYCLES);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_workload_free(&workload);
    return cycles;
}

static cn_workload *make(const cn_topology *topology, cn_collective_operation operation,
                         cn_algorithm algorithm, uint64_t flits)
{
    cn_workload *workload;
    assert_ok(cn_workload_collective(topology, operation, algorithm, flits, 0, &workload));
    return workload;
}

/* A step of the ring: the startup, a cycle for the header to cross the channel, and one for each
 * flit behind it. With alpha = startup + 1 and beta = 1 cycle a flit an allreduce takes 2 (N-1)
 * (alpha + M/N beta). */
static void check_ring(uint64_t nodes, int both_ways, const char *system)
{
    cn_topology *ring;
    assert_ok(cn_topology_ring(nodes, both_ways, &ring));
    for (uint64_t flits = 1; flits <= 64; flits *= 4)
        for (double startup = 0; startup < 10; startup += 7) {
            double steps = (double)(nodes - 1), each = startup + 1 + (double)flits;
            assert_near(run(ring, system, startup,
                            make(ring, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RING, flits * nodes)),
                        2 * steps * each, 0);
            assert_near(
                run(ring, system, startup,
                    make(ring, CN_COLLECTIVE_REDUCE_SCATTER, CN_ALGORITHM_RING, flits * nodes)),
                steps * each, 0);
            assert_near(run(ring, system, startup,
                            make(ring, CN_COLLECTIVE_ALLGATHER, CN_ALGORITHM_RING, flits)),
                        steps * each, 0);
        }
    cn_topology_free(&ring);
}

static void a_ring_alone_takes_its_steps(void **state)
{
    (void)state;
    static const uint64_t nodes[] = {2, 3, 4, 7, 16, 33};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        for (int both_ways = 0; both_ways < 2; both_ways++) {
            check_ring(nodes[i], both_ways, "wormhole");
            check_ring(nodes[i], both_ways, "cut-through");
        }
}

/* Where a transmission takes a cycle, a step does: no message waits for another one's channel. */
static void an_interleaved_broadcast_takes_a_cycle_a_step(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
    } networks[] = {{2, 1}, {2, 3}, {2, 4}, {2, 6}, {2, 8}, {3, 2},
                    {3, 3}, {3, 4}, {4, 3}, {5, 2}, {8, 2}, {9, 1}};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        cn_topology *topology;
        assert_ok(cn_topology_generalized_hypercube(networks[i].k, networks[i].n, &topology));
        uint64_t degree = cn_topology_max_degree(topology),
                 nodes = cn_topology_node_count(topology);
        uint64_t steps = (nodes - 1 + degree - 1) / degree;
        assert_near(run(topology, "separate-buffers", 0,
                        make(topology, CN_COLLECTIVE_ALLGATHER, CN_ALGORITHM_INTERLEAVED, 1)),
                    (double)steps, 0);
        cn_topology_free(&topology);
    }
}

/* Where M divides evenly and the parts go in step: what leaves a node over its channels, and a
 * cycle a step. */
static void algorithms_that_use_all_channels_take_the_bound_and_their_steps(void **state)
{
    (void)state;
    static const struct {
        int family; /* 0: torus, 1: generalized hypercube */
        uint64_t k;
        uint32_t n;
        cn_algorithm algorithm;
    } cases[] = {{0, 2, 5, CN_ALGORITHM_SWING},      {0, 2, 6, CN_ALGORITHM_RINGS},
                 {0, 2, 4, CN_ALGORITHM_DIMENSIONS}, {0, 4, 2, CN_ALGORITHM_RINGS},
                 {0, 8, 2, CN_ALGORITHM_RINGS},      {0, 5, 3, CN_ALGORITHM_RINGS},
                 {1, 8, 2, CN_ALGORITHM_DIMENSIONS}, {1, 3, 4, CN_ALGORITHM_DIMENSIONS},
                 {1, 6, 1, CN_ALGORITHM_DIMENSIONS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cn_topology *t;
        uint64_t steps;
        assert_ok(cases[i].family == 0
                      ? cn_topology_kary_ncube(cases[i].k, cases[i].n, 1, &t)
                      : cn_topology_generalized_hypercube(cases[i].k, cases[i].n, &t));
        uint64_t nodes = cn_topology_node_count(t), degree = cn_topology_max_degree(t);
        cn_workload *workload =
            make(t, CN_COLLECTIVE_ALLREDUCE, cases[i].algorithm, 4 * nodes * degree);
        assert_ok(cn_workload_steps(workload, &steps));
        assert_near(run(t, i % 2 == 0 ? "wormhole" : "cut-through", 0, workload),
                    (double)(8 * (nodes - 1) + steps), 0);
        cn_topology_free(&t);
    }
}

/* Down a line of 5 nodes, 12 flits: in one message after the other, or in messages that follow each
 * other. */
static void a_broadcast_in_pieces_follows_itself(void **state)
{
    (void)state;
    const uint64_t radices[] = {5};
    cn_topology *line;
    cn_tree *tree;
    cn_workload *workload;
    assert_ok(cn_topology_mesh(radices, 1, &line));
    assert_ok(cn_tree_breadth_first(line, 0, NULL, &tree));
    for (cn_collective_operation kind = CN_COLLECTIVE_BROADCAST; kind <= CN_COLLECTIVE_REDUCE;
         kind++) {
        assert_ok(cn_workload_tree(tree, kind, 12, 0, &workload));
        assert_near(run(line, "cut-through", 0, workload), 4 * 13, 0);
        assert_ok(cn_workload_tree(tree, kind, 12, 3, &workload));
        assert_near(run(line, "cut-through", 0, workload), 3 * 4 + 13, 0);
        assert_ok(cn_workload_tree(tree, kind, 12, 1, &workload));
        assert_near(run(line, "separate-buffers", 0, workload), 3 + 12, 0);
    }
    cn_tree_free(&tree);
    cn_topology_free(&line);
}

/* Messages without flits: one for each flit of the vector. */
static void every_system_takes_messages_of_one_flit(void **state)
{
    (void)state;
    static const char *const systems[] = {"separate-buffers", "shared-buffer", "deflection",
                                          "wormhole", "cut-through"};
    const uint64_t radices[] = {4, 4};
    cn_topology *torus;
    assert_ok(cn_topology_torus(radices, 2, &torus));
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        for (cn_algorithm a = CN_ALGORITHM_RING; a <= CN_ALGORITHM_BINE; a++) {
            cn_workload *workload;
            assert_ok(cn_workload_collective(torus, CN_COLLECTIVE_ALLREDUCE, a, 40, 1, &workload));
            assert_true(run(torus, systems[i], 0, workload) > 8);
        }
    cn_topology_free(&torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_alone_takes_its_steps),
        cmocka_unit_test(an_interleaved_broadcast_takes_a_cycle_a_step),
        cmocka_unit_test(algorithms_that_use_all_channels_take_the_bound_and_their_steps),
        cmocka_unit_test(a_broadcast_in_pieces_follows_itself),
        cmocka_unit_test(every_system_takes_messages_of_one_flit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The chain of a node against P = D R A written out and iterated. */
#include "support/support.h"

#include <math.h>

#include "cubenet.h"
#include "queueing/deflection/node_chain.h"

enum { MOST = 24 };

/* One row of D R A: i messages; j sent, came in, and then geometric arrivals up to M. */
static void step(const cni_node_chain *chain, double transit, const double from[], double to[])
{
    size_t n = chain->channels, buffers = chain->states - 1;
    for (size_t i = 0; i <= buffers; i++)
        to[i] = 0.0;
    for (size_t i = 0; i <= buffers; i++) {
        double sent[65];
        assert_ok(cn_assignment_both_phases((uint32_t)n, buffers, i, sent, 65, NULL));
        for (size_t j = 0; j <= n && j <= i; j++) {
            double t[65];
            if (i - j > buffers - n) { /* no node keeps so many */
                assert_true(sent[j] <= 0.0);
                continue;
            }
            cni_binomial((uint32_t)n, cni_transit(chain, transit, i - j), t);
            for (size_t came = 0; came <= n; came++) {
                double here = from[i] * sent[j] * t[came], more = here;
                size_t m = i - j + came;
                if (here <= 0.0)
                    continue;
                for (; m < buffers; m++) {
                    to[m] += more / (1.0 + chain->load);
                    more *= chain->load / (1.0 + chain->load);
                }
                to[buffers] += more;
            }
        }
    }
}

static void the_solution_is_stationary(void **state)
{
    (void)state;
    static const double loads[] = {0.01, 0.7, 5.0, 1e5}, transits[] = {0.0, 0.3, 0.8};
    for (uint32_t n = 1; n <= 6; n++)
        for (size_t buffers = n; buffers <= 3 * n; buffers += n)
            for (size_t l = 0; l < 4; l++)
                for (size_t t = 0; t < 3; t++)
                    for (int lean = 0; lean < 2; lean++) {
                        cni_node_chain chain;
                        double next[MOST + 1], sum = 0.0, queue = 0.0;
                        assert_ok(cni_node_chain_open(n, buffers, loads[l], NULL, &chain));
                        for (size_t kept = 0; kept <= buffers - n; kept++)
                            chain.lean[kept] = 0.02 * lean * fmin((double)kept - 0.8, 1.5);
                        cni_node_chain_solve(&chain, transits[t]);
                        step(&chain, transits[t], chain.pi, next);
                        for (size_t i = 0; i <= buffers; i++) {
                            assert_near(next[i], chain.pi[i], 1e-14);
                            sum += chain.pi[i];
                            queue += chain.pi[i] * (double)i;
                        }
                        assert_near(sum, 1.0, 1e-14);
                        assert_near(chain.queue, queue, 1e-13);
                        /* what comes in goes out */
                        if (lean == 0)
                            assert_near(n * (chain.rho_1 + chain.rho_2),
                                        loads[l] * chain.accepted + n * transits[t],
                                        1e-12 * (1.0 + n));
                        cni_node_chain_close(&chain);
                    }
}

static void the_acceptance_keeps_its_digits(void **state)
{
    (void)state;
    /* n = M = 1: a node sends what it has, and is full again unless nothing at all comes in. */
    for (double load = 1.0; load < 1e13; load *= 1e3) {
        cni_node_chain chain;
        assert_ok(cni_node_chain_open(1, 1, load, NULL, &chain));
        cni_node_chain_solve(&chain, 0.25);
        assert_near(chain.accepted * (1.0 + load) / 0.75, 1.0, 1e-14);
        cni_node_chain_close(&chain);
    }
}

static void an_empty_node_is_empty(void **state)
{
    (void)state;
    cni_node_chain chain;
    assert_ok(cni_node_chain_open(4, 6, 0.0, NULL, &chain));
    cni_node_chain_empty(&chain);
    assert_true(chain.pi[0] == 1.0 && chain.queue == 0.0 && chain.accepted == 1.0 &&
                chain.rho_1 == 0.0 && chain.rho_2 == 0.0);
    cni_node_chain_close(&chain);
}

/* The public function gives the same solution, and with load 0 also where nothing comes at all. */
static void the_public_chain_is_this_one(void **state)
{
    (void)state;
    double pi[MOST + 1];
    size_t count;
    for (uint32_t n = 1; n <= 6; n++)
        for (int full = 0; full < 2; full++) {
            cni_node_chain chain;
            assert_ok(cni_node_chain_open(n, 3 * n, 0.7, NULL, &chain));
            cni_node_chain_solve(&chain, 0.3);
            assert_ok(cn_deflection_queue(n, 3 * n, 0.7, 0.3, NULL, pi, MOST + 1, &count));
            assert_int_equal(count, 3 * n + 1);
            assert_memory_equal(pi, chain.pi, count * sizeof pi[0]);
            cni_node_chain_close(&chain);
            assert_ok(cn_deflection_queue(n, n, 0.0, 0.0, NULL, pi, MOST + 1, NULL));
            assert_true(pi[0] == 1.0 && pi[n] == 0.0);
        }
    assert_fails(cn_deflection_queue(0, 6, 1, 0.3, NULL, pi, 9, NULL), CN_ERR_ARGUMENT,
                 "channels = 0");
    assert_fails(cn_deflection_queue(65, 99, 1, 0.3, NULL, pi, 9, NULL), CN_ERR_ARGUMENT,
                 "channels = 65");
    assert_fails(cn_deflection_queue(4, 3, 1, 0.3, NULL, pi, 9, NULL), CN_ERR_ARGUMENT,
                 "buffers = 3");
    assert_fails(cn_deflection_queue(4, 6, -1, 0.3, NULL, pi, 9, NULL), CN_ERR_ARGUMENT,
                 "load = -1");
    assert_fails(cn_deflection_queue(4, 6, 2e6, 0.3, NULL, pi, 9, NULL), CN_ERR_ARGUMENT,
                 "load = ");
    assert_fails(cn_deflection_queue(4, 6, 1, 1.0, NULL, pi, 9, NULL), CN_ERR_ARGUMENT,
                 "transit = 1");
    assert_fails(cn_deflection_queue(4, 6, 1, 0.3, NULL, pi, 6, NULL), CN_ERR_CAPACITY,
                 "7 are needed");
}

/* What the chain lets in at the model's own P_t is what the model says that it lets in. */
static void the_model_is_this_chain(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_scenario *scenario;
    cn_result *result;
    double transit, accepted, queue, pi[MOST + 1], mean = 0.0;
    assert_ok(cn_topology_hypercube(6, &cube));
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 12));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1.5));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_ok(cn_result_value(result, CN_METRIC_TRANSIT_PROBABILITY, &transit));
    assert_ok(cn_result_value(result, CN_METRIC_ACCEPTANCE_PROBABILITY, &accepted));
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_QUEUE_LENGTH, &queue));
    assert_ok(cn_deflection_queue(6, 12, 1.5, transit, NULL, pi, MOST + 1, NULL));
    for (size_t i = 0; i <= 12; i++)
        mean += pi[i] * (double)i;
    assert_near(1.0 - pi[12], accepted, 1e-12);
    assert_near(mean, queue, 1e-11);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

/* Where channels are all but always busy a node of 64 of them never empties: no number says how
 * seldom. */
static void a_node_that_never_empties_has_probabilities(void **state)
{
    static const double loads[] = {0.0, 1e-300, 0.5, 1e6},
                        transits[] = {0.9, 0.999999, 1.0 - 1e-16};
    (void)state;
    for (size_t l = 0; l < 4; l++)
        for (size_t t = 0; t < 3; t++) {
            double pi[97], sum = 0.0;
            assert_ok(cn_deflection_queue(64, 96, loads[l], transits[t], NULL, pi, 97, NULL));
            for (size_t i = 0; i <= 96; i++) {
                assert_true(pi[i] >= 0.0);
                sum += pi[i];
            }
            assert_near(sum, 1.0, 1e-13);
            assert_true(t == 0 || pi[0] < 1e-100);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solution_is_stationary),
        cmocka_unit_test(the_acceptance_keeps_its_digits),
        cmocka_unit_test(an_empty_node_is_empty),
        cmocka_unit_test(a_node_that_never_empties_has_probabilities),
        cmocka_unit_test(the_public_chain_is_this_one),
        cmocka_unit_test(the_model_is_this_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

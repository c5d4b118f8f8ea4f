#include "support/support.h"

#include <math.h>
#include <string.h>

/* ---- the model as it is printed, with whole matrices (Horng 1992, 3.3) ---- */

enum { MOST_N = 8, MOST_M = 24, SIZE = MOST_M + 1 };

typedef struct reference {
    uint32_t n, M;
    double load;
    double f[SIZE][MOST_N + 1];       /* 3.2 */
    double f_both[SIZE][MOST_N + 1];  /* 3.3 */
    double d[MOST_N + 1], mean_d;     /* distances, 2.3 */
    double P[SIZE][SIZE];             /* 3.10 */
    double pi[SIZE];                  /* 3.1 */
    double P_t, rho, rho_1, h, queue; /* the solution */
} reference;

static double binomial(uint32_t n, uint32_t k)
{
    double c = 1;
    for (uint32_t i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

/* 3.2 in closed form: an alternating sum, which long double carries for n up to 8. */
static double first_phase(uint32_t n, uint32_t i, uint32_t j)
{
    long double sum = 0;
    if (i == 0)
        return j == 0;
    if (j == 0 || j > i)
        return 0;
    for (uint32_t k = 0; k < j; k++)
        sum += (k % 2 == 0 ? 1 : -1) * binomial(j, k) * powl((long double)(j - k) / n, i);
    return (double)(binomial(n, j) * sum);
}

static void prepare(reference *r, uint32_t n, uint32_t M, double load)
{
    memset(r, 0, sizeof *r);
    r->n = n;
    r->M = M;
    r->load = load;
    for (uint32_t i = 1; i <= n; i++) {
        r->d[i] = binomial(n, i) / (pow(2, n) - 1);
        r->mean_d += i * r->d[i];
    }
    for (uint32_t i = 0; i <= M; i++)
        for (uint32_t j = 0; j <= n; j++) {
            r->f[i][j] = first_phase(n, i, j);
            /* the second phase makes it j so that n buffers are free */
            uint32_t least = n + i > M ? n + i - M : 0;
            r->f_both[i][j > least ? j : least] += r->f[i][j];
        }
}

static void multiply(double product[SIZE][SIZE], double a[SIZE][SIZE], double b[SIZE][SIZE],
                     uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < size; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < size; k++)
                sum += a[i][k] * b[k][j];
            product[i][j] = sum;
        }
}

static double sum_of(const double row[], uint32_t size)
{
    double sum = 0;
    for (uint32_t i = 0; i < size; i++)
        sum += row[i];
    return sum;
}

/* P = D R A, 3.7 to 3.10. */
static void make_matrix(reference *r, double P_t)
{
    static double D[SIZE][SIZE], R[SIZE][SIZE], A[SIZE][SIZE], DR[SIZE][SIZE];
    uint32_t n = r->n, M = r->M;
    double alpha = r->load / (1 + r->load);
    memset(D, 0, sizeof D);
    memset(R, 0, sizeof R);
    memset(A, 0, sizeof A);
    for (uint32_t i = 0; i <= M; i++)
        /* not over j with a guard on i - j: gcc 12.2 -O3 takes that guard for a bound on M */
        for (uint32_t sent = 0; sent <= n && sent <= i; sent++)
            D[i][i - sent] = r->f_both[i][sent];
    for (uint32_t j = 0; j <= M; j++)
        for (uint32_t k = j; k <= M && k - j <= n; k++)
            R[j][k] = binomial(n, k - j) * pow(P_t, k - j) * pow(1 - P_t, n - (k - j));
    for (uint32_t k = 0; k <= M; k++) {
        for (uint32_t l = k; l < M; l++)
            A[k][l] = (1 - alpha) * pow(alpha, l - k);
        A[k][M] = pow(alpha, M - k);
    }
    multiply(DR, D, R, M + 1);
    multiply(r->P, DR, A, M + 1);
    for (uint32_t i = 0; i <= M; i++)
        assert_near(sum_of(r->P[i], M + 1), 1, 1e-11);
}

/* pi = pi P by the elimination of Grassmann, Taksar and Heyman, which subtracts nothing. */
static void solve_chain(reference *r)
{
    static double p[SIZE][SIZE];
    double total = 1;
    memcpy(p, r->P, sizeof p);
    for (uint32_t k = r->M; k > 0; k--) {
        double away = 0;
        for (uint32_t j = 0; j < k; j++)
            away += p[k][j];
        for (uint32_t i = 0; i < k; i++)
            p[i][k] /= away;
        for (uint32_t i = 0; i < k; i++)
            for (uint32_t j = 0; j < k; j++)
                p[i][j] += p[i][k] * p[k][j];
    }
    r->pi[0] = 1;
    for (uint32_t k = 1; k <= r->M; k++) {
        r->pi[k] = 0;
        for (uint32_t i = 0; i < k; i++)
            r->pi[k] += r->pi[i] * p[i][k];
        total += r->pi[k];
    }
    for (uint32_t k = 0; k <= r->M; k++)
        r->pi[k] /= total;
}

/* h of 3.14: with h_i = h_{i-1} + g_i the equations before 3.13 give every g_i from g_{i+1}. */
static double mean_hops(const reference *r, double q)
{
    double g[MOST_N + 2] = {0}, h = 0, mean = 0;
    g[r->n] = 1;
    for (uint32_t i = r->n - 1; i >= 1; i--) {
        double up = q * (r->n - i) / (r->n - 1);
        g[i] = (1 + up * g[i + 1]) / (1 - up);
    }
    for (uint32_t i = 1; i <= r->n; i++) {
        h += g[i];
        mean += r->d[i] * h;
    }
    return mean;
}

/* Input rate less output rate of 3.22, and all that goes with this P_t. */
static double evaluate(reference *r, double P_t)
{
    make_matrix(r, P_t);
    solve_chain(r);
    r->P_t = P_t;
    r->rho = r->rho_1 = r->queue = 0;
    for (uint32_t i = 1; i <= r->M; i++) {
        r->queue += i * r->pi[i];
        for (uint32_t j = 1; j <= r->n && j <= i; j++) {
            r->rho += r->pi[i] * r->f_both[i][j] * j / r->n;
            r->rho_1 += r->pi[i] * r->f[i][j] * j / r->n;
        }
    }
    r->h = mean_hops(r, r->n == 1 ? 0 : (r->rho - r->rho_1) / r->rho);
    return r->load * (1 - r->pi[r->M]) - r->n * r->rho / r->h;
}

static void solve(reference *r)
{
    double low = 0, high = 1;
    for (int i = 0; i < 52; i++) {
        double middle = (low + high) / 2;
        if (evaluate(r, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    evaluate(r, (low + high) / 2);
}

/* ---- the library's model ---- */

static cn_result *predict(uint32_t n, double buffers, double load)
{
    cn_topology *cube;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    return result;
}

static double value(const cn_result *result, cn_metric metric)
{
    double v, half_width = 17;
    uint64_t samples = 17;
    assert_ok(cn_result_value(result, metric, &v));
    assert_ok(cn_result_half_width(result, metric, &half_width));
    assert_ok(cn_result_samples(result, metric, &samples));
    assert_true(half_width == 0 && samples == 0);
    assert_true(isfinite(v));
    return v;
}

/* What must hold between the metrics of any solution. */
static void check_balance(const cn_result *result, uint32_t n, double load)
{
    double d = value(result, CN_METRIC_MEAN_DISTANCE), h = value(result, CN_METRIC_MEAN_HOPS);
    double rho = value(result, CN_METRIC_CHANNEL_UTILIZATION);
    double gamma = value(result, CN_METRIC_THROUGHPUT);
    double T = value(result, CN_METRIC_MEAN_DELAY);
    double P_f = value(result, CN_METRIC_FORWARDING_PROBABILITY);
    double P_r = value(result, CN_METRIC_DEFLECTION_PROBABILITY);
    double P_A = value(result, CN_METRIC_ACCEPTANCE_PROBABILITY);
    double power = value(result, CN_METRIC_POWER), N = pow(2, n);
    assert_near(d, n * pow(2, n - 1.0) / (N - 1), 1e-13 * d);
    assert_near(P_f + P_r, rho, 1e-11 * rho);
    assert_near(P_f - P_r, rho * d / h, 1e-11 * rho);
    assert_near(value(result, CN_METRIC_NET_PROGRESS), P_f - P_r, 1e-11 * rho);
    assert_near(value(result, CN_METRIC_FIRST_PHASE_UTILIZATION) +
                    value(result, CN_METRIC_SECOND_PHASE_UTILIZATION),
                rho, 1e-11 * rho);
    assert_near(value(result, CN_METRIC_TRANSIT_PROBABILITY), rho * (1 - 1 / h), 1e-11 * rho);
    assert_near(gamma, n * rho / h, 1e-11 * gamma);
    assert_near(gamma, load * P_A, 1e-9 * gamma);
    assert_near(value(result, CN_METRIC_NETWORK_THROUGHPUT), N * gamma, 1e-12 * N * gamma);
    assert_near(value(result, CN_METRIC_OFFERED_LOAD), load, 0);
    assert_near(T, value(result, CN_METRIC_MEAN_QUEUE_LENGTH) / gamma, 1e-11 * T);
    assert_near(power, N * gamma / T, 1e-11 * power);
    assert_near(value(result, CN_METRIC_POWER_ACCEPTED), power * P_A, 1e-11 * power);
    assert_true(P_A >= 0 && P_A <= 1 && rho >= 0 && rho <= 1 + 1e-12);
    assert_true(h >= d * (1 - 1e-12) && T >= h * (1 - 1e-9));
    assert_int_equal(cn_result_stop(result), CN_STOP_MODEL);
}

static void solution_is_that_of_whole_matrices(void **state)
{
    (void)state;
    static const double loads[] = {0.1, 0.5, 1.5, 4};
    static reference r;
    for (uint32_t n = 1; n <= MOST_N; n++)
        for (uint32_t M = n; M <= 3 * n && M <= MOST_M; M += 1 + n / 2)
            for (int l = 0; l < 4; l++) {
                prepare(&r, n, M, loads[l]);
                solve(&r);
                cn_result *result = predict(n, M, loads[l]);
                check_balance(result, n, loads[l]);
                double rho_2 = r.rho - r.rho_1, gamma = r.load * (1 - r.pi[M]);
                assert_near(value(result, CN_METRIC_ACCEPTANCE_PROBABILITY), 1 - r.pi[M], 1e-9);
                assert_near(value(result, CN_METRIC_THROUGHPUT), gamma, 1e-9);
                assert_near(value(result, CN_METRIC_MEAN_QUEUE_LENGTH), r.queue, 1e-9 * r.queue);
                assert_near(value(result, CN_METRIC_MEAN_DELAY), r.queue / gamma,
                            1e-9 * r.queue / gamma);
                assert_near(value(result, CN_METRIC_MEAN_HOPS), r.h, 1e-9 * r.h);
                assert_near(value(result, CN_METRIC_CHANNEL_UTILIZATION), r.rho, 1e-9);
                assert_near(value(result, CN_METRIC_FIRST_PHASE_UTILIZATION), r.rho_1, 1e-9);
                assert_near(value(result, CN_METRIC_SECOND_PHASE_UTILIZATION), rho_2, 1e-9);
                assert_near(value(result, CN_METRIC_TRANSIT_PROBABILITY), r.P_t, 1e-9);
                assert_near(r.P_t, r.rho * (1 - 1 / r.h), 1e-9); /* the reference itself */
                cn_result_free(&result);
            }
}

/* Values that were computed independently, n = 6, to the digits given. */
static void check_values_come_out(void **state)
{
    (void)state;
    static const struct {
        double M, load, P_A, gamma, T, h, rho;
    } rows[] = {
        {6, 0.5, 0.98643, 0.49321, 3.82976, 3.82976, 0.31481},
        {8, 1.5, 0.77625, 1.16438, 4.93138, 3.65973, 0.71022},
        {12, 1.5, 0.91622, 1.37433, 5.30814, 3.12065, 0.71480},
        {20, 3.0, 0.62157, 1.86471, 9.42578, 3.09587, 0.96215},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_result *result = predict(6, rows[i].M, rows[i].load);
        assert_near(value(result, CN_METRIC_ACCEPTANCE_PROBABILITY), rows[i].P_A, 5.1e-6);
        assert_near(value(result, CN_METRIC_THROUGHPUT), rows[i].gamma, 5.1e-6);
        assert_near(value(result, CN_METRIC_MEAN_DELAY), rows[i].T, 5.1e-6);
        assert_near(value(result, CN_METRIC_MEAN_HOPS), rows[i].h, 5.1e-6);
        assert_near(value(result, CN_METRIC_CHANNEL_UTILIZATION), rows[i].rho, 5.1e-6);
        cn_result_free(&result);
    }
}

/* M = n: nobody ever waits, so the delay is the number of hops. */
static void delay_is_hops_when_nobody_waits(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 20; n++) {
        cn_result *result = predict(n, n, 0.7);
        double h = value(result, CN_METRIC_MEAN_HOPS);
        assert_near(value(result, CN_METRIC_MEAN_DELAY), h, 1e-9 * h);
        cn_result_free(&result);
    }
}

static void check_no_load(uint32_t n, double buffers, double load)
{
    cn_result *result = predict(n, buffers, load);
    double d = n * pow(2, n - 1.0) / (pow(2, n) - 1);
    assert_near(value(result, CN_METRIC_ACCEPTANCE_PROBABILITY), 1, 1e-8);
    assert_near(value(result, CN_METRIC_THROUGHPUT), load, 1e-8 * load);
    assert_near(value(result, CN_METRIC_MEAN_DISTANCE), d, 1e-13 * d);
    assert_near(value(result, CN_METRIC_CHANNEL_UTILIZATION), load * d / n, 1e-7 * load);
    assert_int_equal(cn_result_is_saturated(result), 0);
    if (load > 0) { /* first-order effects of so small a load are of its size */
        assert_near(value(result, CN_METRIC_MEAN_HOPS), d, 1e-7 * d);
        assert_near(value(result, CN_METRIC_MEAN_DELAY), d, 1e-7 * d);
        check_balance(result, n, load);
    } else {
        assert_true(value(result, CN_METRIC_MEAN_QUEUE_LENGTH) == 0);
        assert_true(value(result, CN_METRIC_POWER) == 0 || !cn_result_has(result, CN_METRIC_POWER));
        double T = d; /* left out, as nothing is delivered, or its limit */
        if (cn_result_has(result, CN_METRIC_MEAN_DELAY))
            T = value(result, CN_METRIC_MEAN_DELAY);
        assert_near(T, d, 1e-9);
    }
    cn_result_free(&result);
}

static void light_load_travels_unhindered(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 62; n += n < 8 ? 1 : 9)
        for (int l = 0; l < 3; l++) {
            double load = l == 0 ? 0 : l == 1 ? 1e-12 : 1e-9;
            check_no_load(n, 2.0 * n, load);
            check_no_load(n, n, load);
        }
}

static void overload_fills_the_network(void **state)
{
    (void)state;
    static const uint32_t ns[] = {1, 2, 6, 10, 62};
    for (int i = 0; i < 5; i++)
        for (uint32_t factor = 1; factor <= 3; factor++) {
            uint32_t n = ns[i];
            cn_result *result = predict(n, factor * n, 1e6);
            check_balance(result, n, 1e6);
            assert_int_equal(cn_result_is_saturated(result), 1);
            /* all buffers are full at the start of practically every cycle */
            assert_near(value(result, CN_METRIC_MEAN_QUEUE_LENGTH), factor * n, 1e-3 * n);
            assert_true(value(result, CN_METRIC_THROUGHPUT) > 0);
            cn_result_free(&result);
        }
}

static void great_networks_and_buffers_work(void **state)
{
    (void)state;
    static const double loads[] = {0.2, 1, 1.9, 3};
    for (int l = 0; l < 4; l++) {
        cn_result *result = predict(6, 5000, loads[l]);
        check_balance(result, 6, loads[l]);
        cn_result_free(&result);
        result = predict(62, 62, loads[l]);
        check_balance(result, 62, loads[l]);
        cn_result_free(&result);
        result = predict(62, 124, loads[l]);
        check_balance(result, 62, loads[l]);
        cn_result_free(&result);
        result = predict(1, 300, loads[l]);
        check_balance(result, 1, loads[l]);
        cn_result_free(&result);
    }
}

/* Buffers that are never full: the throughput is the load, nobody is forced. */
static void many_buffers_lose_nothing(void **state)
{
    (void)state;
    cn_result *result = predict(6, 1000, 1.5);
    double d = 6 * 32 / 63.0;
    assert_near(value(result, CN_METRIC_ACCEPTANCE_PROBABILITY), 1, 1e-10);
    assert_near(value(result, CN_METRIC_MEAN_HOPS), d, 1e-9);
    assert_near(value(result, CN_METRIC_SECOND_PHASE_UTILIZATION), 0, 1e-10);
    assert_near(value(result, CN_METRIC_CHANNEL_UTILIZATION), 1.5 * d / 6, 1e-10);
    cn_result_free(&result);
}

/* Saturated: the hops of what is offered need more channels than there are. With many buffers
 * nobody is deflected below n / d messages a node and cycle (1.96875 for n = 6), so it begins
 * there. */
static cn_result *predict_own(uint64_t nodes, double buffers, double load)
{
    cn_topology *topology;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(nodes == 0 ? cn_topology_hypercube(4, &topology)
                         : cn_topology_complete(nodes, &topology));
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return result;
}

/* The own model does not work through numbers of messages that no node ever holds: their squares
 * would take hours. */
static void buffers_that_stay_empty_cost_the_own_model_little(void **state)
{
    (void)state;
    cn_result *some = predict_own(0, 1000, 0.5), *many = predict_own(0, 1 << 17, 0.5);
    for (cn_metric metric = CN_METRIC_MEAN_DELAY; metric <= CN_METRIC_POWER_ACCEPTED; metric++)
        if (cn_result_has(some, metric))
            assert_near(value(many, metric), value(some, metric), 1e-9);
    cn_result_free(&some);
    cn_result_free(&many);
}

/* Without shorter steps these claims swing to and fro for ever. */
static void claims_that_swing_come_to_rest(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
        int both_ways;
        double buffers, load;
    } cases[] = {{4, 2, 0, 8, 1000}, {8, 1, 1, 8, 227.77639673509304}, {2, 2, 1, 66, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_topology *topology;
        cn_scenario *scenario;
        cn_result *result;
        assert_ok(cn_topology_kary_ncube(cases[i].k, cases[i].n, cases[i].both_ways, &topology));
        assert_ok(cn_scenario_new(topology, "deflection", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, cases[i].buffers));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, cases[i].load));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
        assert_ok(cn_predict(scenario, NULL, &result));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
        cn_topology_free(&topology);
    }
}

/* Every message makes one hop, but for rounding. */
static void no_probability_of_transit_is_negative(void **state)
{
    (void)state;
    cn_result *result = predict_own(64, 88, 0.1);
    assert_true(value(result, CN_METRIC_TRANSIT_PROBABILITY) >= 0.0);
    cn_result_free(&result);
}

static void saturation_begins_when_the_channels_are_too_few(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        double capacity = (pow(2, n) - 1) / pow(2, n - 1.0);
        for (int percent = 80; percent <= 120; percent += 5) {
            double load = capacity * (percent + 1) / 100;
            cn_result *many = predict(n, 400, load), *few = predict(n, 2 * n, load);
            assert_int_equal(cn_result_is_saturated(many), percent >= 100);
            assert_int_equal(cn_result_is_saturated(few),
                             load * value(few, CN_METRIC_MEAN_HOPS) > n);
            assert_true(value(few, CN_METRIC_THROUGHPUT) < capacity);
            assert_true(value(many, CN_METRIC_THROUGHPUT) < capacity * (1 + 1e-12));
            cn_result_free(&many);
            cn_result_free(&few);
        }
    }
}

static void too_few_buffers_are_refused(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_topology_hypercube(6, &cube));
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    for (int buffers = 1; buffers < 6; buffers++) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
        assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT, "buffers = ");
        assert_null(result);
        assert_non_null(strstr(cn_last_error(), "at least 6"));
    }
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

static void seed_of_the_scenario_is_kept(void **state)
{
    (void)state;
    cn_result *result = predict(4, 8, 1);
    assert_int_equal(cn_result_seed(result), 1);
    assert_string_equal(cn_result_system(result), "deflection");
    cn_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_is_that_of_whole_matrices),
        cmocka_unit_test(check_values_come_out),
        cmocka_unit_test(delay_is_hops_when_nobody_waits),
        cmocka_unit_test(light_load_travels_unhindered),
        cmocka_unit_test(overload_fills_the_network),
        cmocka_unit_test(great_networks_and_buffers_work),
        cmocka_unit_test(many_buffers_lose_nothing),
        cmocka_unit_test(buffers_that_stay_empty_cost_the_own_model_little),
        cmocka_unit_test(claims_that_swing_come_to_rest),
        cmocka_unit_test(no_probability_of_transit_is_negative),
        cmocka_unit_test(saturation_begins_when_the_channels_are_too_few),
        cmocka_unit_test(too_few_buffers_are_refused),
        cmocka_unit_test(seed_of_the_scenario_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

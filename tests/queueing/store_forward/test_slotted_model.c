/*
 * The slotted models on networks whose channels are not alike, beside the table of their errors in
 * docs/models-unlimited.md. With the argument --simulate the program prints that table, from
 * simulations that take about ten minutes.
 */
#include "plain_queues.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint64_t plane[] = {8, 8}, space[] = {4, 4, 4};

typedef struct network {
    const char *name;
    const char *routing;
} network;

static const network networks[] = {
    {"torus 8 x 8", "minimal"},     {"torus 4 x 4 x 4", "minimal"}, {"mesh 8 x 8", "minimal"},
    {"GH(4, 3)", "minimal"},        {"PSNN(6)", "minimal"},         {"PSNN(6)", "up-down"},
    {"tree(2, 5)", "minimal"},      {"de Bruijn(6)", "minimal"},    {"ring 16", "minimal"},
    {"torus 4 x 4 x 4", "valiant"},
};

enum { NETWORKS = sizeof networks / sizeof networks[0] };

static const double shares[] = {0.05, 0.3, 0.5, 0.7, 0.8, 0.9};

enum { SHARES = sizeof shares / sizeof shares[0] };

static cn_topology *make(const char *name)
{
    cn_topology *t = NULL;
    cn_status status = CN_ERR_NOT_FOUND;
    if (strcmp(name, "torus 8 x 8") == 0)
        status = cn_topology_torus(plane, 2, &t);
    else if (strcmp(name, "torus 4 x 4 x 4") == 0)
        status = cn_topology_torus(space, 3, &t);
    else if (strcmp(name, "mesh 8 x 8") == 0)
        status = cn_topology_mesh(plane, 2, &t);
    else if (strcmp(name, "GH(4, 3)") == 0)
        status = cn_topology_generalized_hypercube(4, 3, &t);
    else if (strcmp(name, "PSNN(6)") == 0)
        status = cn_topology_psnn(6, &t);
    else if (strcmp(name, "tree(2, 5)") == 0)
        status = cn_topology_tree(2, 5, &t);
    else if (strcmp(name, "de Bruijn(6)") == 0)
        status = cn_topology_de_bruijn(6, &t);
    else if (strcmp(name, "ring 16") == 0)
        status = cn_topology_ring(16, 1, &t);
    assert_ok(status);
    return t;
}

static double delay_of(const cn_topology *t, const char *routing, double load,
                       cn_model_variant variant)
{
    cn_scenario *scenario = stored_scenario(t, load, 1);
    cn_result *result;
    if (routing != NULL)
        assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
    assert_ok(cn_predict(scenario, NULL, &result));
    double delay = value_of(result, CN_METRIC_MEAN_DELAY);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return delay;
}

static double limit_of(const cn_topology *t, const char *name, cn_routing **routing)
{
    double limit;
    assert_ok(cn_routing_new(t, name, NULL, NULL, routing));
    assert_ok(cn_routing_saturation_load(*routing, NULL, NULL, NULL, &limit));
    return limit;
}

/* A row of the table, as it stands in the page. */
static void write_row(char text[], size_t room, const network *of, double share, double delay,
                      double half_width)
{
    cn_routing *routing;
    cn_topology *t = make(of->name);
    double load = share * limit_of(t, of->routing, &routing);
    double published = delay_of(t, of->routing, load, CN_MODEL_PUBLISHED);
    double own = delay_of(t, of->routing, load, CN_MODEL_OWN);
    snprintf(text, room,
             "| %s | %s | %.0f %% | %.3f | %.3f | %.3f | %+.1f %% | %.3f | %+.1f %% |\n", of->name,
             of->routing, 100.0 * share, delay, half_width, published,
             100.0 * (published / delay - 1.0), own, 100.0 * (own / delay - 1.0));
    cn_routing_free(&routing);
    cn_topology_free(&t);
}

static void print_table(void)
{
    char text[200];
    for (size_t i = 0; i < NETWORKS; i++)
        for (size_t s = 0; s < SHARES; s++) {
            cn_routing *routing;
            cn_topology *t = make(networks[i].name);
            double load = shares[s] * limit_of(t, networks[i].routing, &routing);
            uint64_t cycles = shares[s] > 0.85 ? 400000 : shares[s] > 0.75 ? 200000 : 100000;
            plain_run run = {load, 1, 10000, cycles, 0};
            plain_means means = simulate_plainly(routing, &run);
            write_row(text, sizeof text, &networks[i], shares[s],
                      round(1000.0 * means.delay) / 1000.0, means.half_width);
            fputs(text, stdout);
            fflush(stdout);
            cn_routing_free(&routing);
            cn_topology_free(&t);
        }
}

/* ---- tests ---- */

static const char *page; /* docs/models-unlimited.md */

/* What the page says below the table. */
static void check_errors(const char *line, const network *of, double percent)
{
    double published, own, most_published = strcmp(of->name, "ring 16") == 0 ? 12.5 : 5.0;
    assert_int_equal(sscanf(line,
                            "| %*[^|]| %*[^|]| %*f %% | %*f | %*f | %*f | %lf %% | %*f | %lf %%",
                            &published, &own),
                     2);
    assert_true(fabs(own) <= (percent <= 80.0 ? 1.0 : 5.0));
    assert_true(fabs(published) <= most_published);
}

/* Every row of the page is what the models give for the simulation that it names. */
static void the_page_tells_the_errors(void **state)
{
    (void)state;
    char line[300], made[300];
    size_t next = 0;
    FILE *file = fopen(page, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        size_t i = next / SHARES;
        double percent, delay, half_width;
        if (i == NETWORKS)
            break;
        snprintf(made, sizeof made, "| %s | %s | %%lf %%%% | %%lf | %%lf |", networks[i].name,
                 networks[i].routing);
        if (sscanf(line, made, &percent, &delay, &half_width) != 3)
            continue;
        write_row(made, sizeof made, &networks[i], shares[next % SHARES], delay, half_width);
        assert_string_equal(line, made);
        check_errors(line, &networks[i], percent);
        next++;
    }
    fclose(file);
    assert_int_equal(next, NETWORKS * SHARES);
}

/* And these simulations, done again in short, come to the same; the own model is near them. */
static void the_simulation_is_near_the_model(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_routing *routing;
        cn_topology *t = make(networks[i].name);
        double share = 0.3 + 0.05 * (double)i,
               load = share * limit_of(t, networks[i].routing, &routing);
        plain_run run = {load, 7, 500, 6400, 0};
        plain_means means = simulate_plainly(routing, &run);
        double own = delay_of(t, networks[i].routing, load, CN_MODEL_OWN);
        assert_true(means.half_width < 0.06 * own);
        assert_near(means.delay, own, 1.5 * means.half_width + 0.015 * own);
        cn_routing_free(&routing);
        cn_topology_free(&t);
    }
}

/* The Boolean cube again, as a graph of which nothing is known: eq. 2.32 follows from the flows. */
static void cubes_come_to_the_closed_form(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 7; n++) {
        cn_topology *cube, *graph;
        uint64_t edges[2 * 448], count = 0;
        assert_ok(cn_topology_hypercube(n, &cube));
        for (uint64_t v = 0; v < UINT64_C(1) << n; v++)
            for (uint32_t p = 0; p < n; p++)
                if ((v >> p & 1) == 0) {
                    edges[2 * count] = v;
                    edges[2 * count + 1] = v | UINT64_C(1) << p;
                    count++;
                }
        assert_ok(cn_topology_from_edges(UINT64_C(1) << n, edges, (size_t)count, NULL, &graph));
        double capacity = 2.0 - ldexp(1.0, 1 - (int)n);
        for (double share = 0.0; share < 0.96; share += 0.19)
            for (int own = 0; own < 2; own++) {
                cn_model_variant variant = own ? CN_MODEL_OWN : CN_MODEL_PUBLISHED;
                double closed = delay_of(cube, NULL, share * capacity, variant);
                assert_near(delay_of(graph, NULL, share * capacity, variant), closed,
                            1e-12 * closed);
            }
        cn_topology_free(&cube);
        cn_topology_free(&graph);
    }
}

static double predicted(const char *system, const cn_topology *cube, double load)
{
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_scenario_new(cube, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    if (cn_scenario_takes(scenario, CN_PARAM_MODEL_VARIANT))
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_predict(scenario, NULL, &result));
    double delay = value_of(result, CN_METRIC_MEAN_DELAY);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return delay;
}

/* A line of the tables of cubes: 0 if it is none. The marks behind the simulated delays are
 * dropped. */
static int read_cube_row(const char *line, double *load, double *shared, double *separate)
{
    return sscanf(line, "| %lf | %*f | %*f | %lf%*[ a-d]| %*f %% | %*f | %lf", load, shared,
                  separate) == 3;
}

/* What the models give for a simulation of the page, and what the page says of them below the
 * tables. */
static void check_cube_row(const char *line, uint32_t n, double load, double shared,
                           double separate)
{
    char made[300], digits[300];
    size_t length = 0;
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(n, &cube));
    double approximate = predicted("shared-buffer", cube, load);
    double independent = predicted("separate-buffers", cube, load);
    snprintf(made, sizeof made,
             "| %.1f | %.3f | %.3f | %.3f | %+.1f %% | %.3f | %.3f | %+.1f %% |\n", load,
             predicted("optimistic-bound", cube, load), approximate, shared,
             100.0 * (approximate / shared - 1.0), independent, separate,
             100.0 * (independent / separate - 1.0));
    for (const char *c = line; *c != '\0'; c++)
        if (!(c[0] == ' ' && c[1] >= 'a' && c[1] <= 'd') && !(*c >= 'a' && *c <= 'd'))
            digits[length++] = *c;
    digits[length] = '\0';
    assert_string_equal(digits, made);
    assert_near(independent, separate, 0.03 * separate);
    assert_near(delay_of(cube, NULL, load, CN_MODEL_OWN), separate, 0.004 * separate);
    if (n > 4 && load <= (n == 6 ? 0.6 : n == 8 ? 0.8 : 1.2))
        assert_near(approximate, shared, 0.01 * shared);
    cn_topology_free(&cube);
}

static void the_page_tells_the_errors_on_cubes(void **state)
{
    (void)state;
    char line[300];
    double load, shared, separate;
    unsigned n = 0, rows = 0;
    FILE *file = fopen(page, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "**n = %u**", &n);
        if (n > 0 && read_cube_row(line, &load, &shared, &separate)) {
            check_cube_row(line, n, load, shared, separate);
            rows++;
        }
    }
    fclose(file);
    assert_int_equal(rows, 4 * 9);
}

/* One hop and no transit: channels are queues with geometric arrivals, and both variants are exact.
 * With other sources only the second moment of new messages differs. */
static void complete_networks_are_exact(void **state)
{
    (void)state;
    static const cn_source sources[] = {CN_SOURCE_GEOMETRIC, CN_SOURCE_BERNOULLI,
                                        CN_SOURCE_POISSON};
    static const double bursts[] = {2.0, 0.0, 1.0};
    cn_topology *t;
    cn_traffic *traffic;
    cn_result *result;
    assert_ok(cn_topology_complete(7, &t));
    assert_ok(cn_traffic_new(t, CN_PATTERN_UNIFORM, &traffic));
    for (size_t i = 0; i < 3; i++)
        for (double rho = 0.0; rho < 0.16; rho += 0.05) {
            cn_scenario *scenario = stored_scenario(t, 6.0 * rho, 1);
            assert_ok(cn_traffic_set_source(traffic, sources[i]));
            assert_ok(cn_scenario_set_traffic(scenario, traffic));
            for (int own = 0; own < 2; own++) {
                assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT,
                                          own ? CN_MODEL_OWN : CN_MODEL_PUBLISHED));
                assert_ok(cn_predict(scenario, NULL, &result));
                assert_near(value_of(result, CN_METRIC_MEAN_DELAY),
                            1.0 + bursts[i] * rho / (2.0 * (1.0 - rho)), 1e-14);
                cn_result_free(&result);
            }
            cn_scenario_free(&scenario);
        }
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

/* Two channels in a row: to the second one comes at most one message a cycle, so nobody waits
 * there. */
static void a_line_waits_once(void **state)
{
    (void)state;
    static const uint64_t to[] = {4, 1, 2, 3, 4};
    cn_topology *t;
    cn_traffic *traffic;
    cn_result *result;
    assert_ok(cn_topology_ring(5, 0, &t));
    assert_ok(cn_traffic_destinations(t, to, 5, &traffic));
    for (int own = 0; own < 2; own++) {
        cn_scenario *scenario = stored_scenario(t, 0.6, 1);
        assert_ok(cn_scenario_set_traffic(scenario, traffic));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT,
                                  own ? CN_MODEL_OWN : CN_MODEL_PUBLISHED));
        assert_ok(cn_predict(scenario, NULL, &result));
        double hops = value_of(result, CN_METRIC_MEAN_HOPS);
        assert_near(value_of(result, CN_METRIC_MEAN_DELAY), hops + 0.6 / 0.4, 1e-12);
        assert_near(value_of(result, CN_METRIC_THROUGHPUT), 0.6 / 5.0, 1e-15);
        assert_near(value_of(result, CN_METRIC_CHANNEL_UTILIZATION), 0.6 * hops / 5.0, 1e-15);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

static double metric_at(const cn_topology *t, double load, cn_metric metric)
{
    cn_scenario *scenario = stored_scenario(t, load, 1);
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_ok(cn_predict(scenario, NULL, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return value;
}

static void loads_have_their_limits(void **state)
{
    (void)state;
    cn_topology *t = make("mesh 8 x 8");
    cn_routing *routing;
    cn_result *result;
    double limit = limit_of(t, "minimal", &routing), mean, before = 0.0;
    assert_ok(cn_topology_mean_distance(t, NULL, &mean));
    static const double none[] = {0.0, 5e-324, 1e-310, 1e-160, 1e-100, 1e-16};
    for (size_t i = 0; i < 6; i++)
        assert_near(metric_at(t, none[i], CN_METRIC_MEAN_DELAY), mean, 1e-13 * mean);
    for (double share = 0.0; share < 0.999; share += 0.099) {
        double delay = metric_at(t, share * limit, CN_METRIC_MEAN_DELAY);
        assert_true(delay > before && isfinite(delay));
        before = delay;
    }
    cn_scenario *scenario = stored_scenario(t, limit, 1);
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE,
                 "has a steady state only below");
    assert_null(result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1e6));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "load = 1000000, but mesh(");
    assert_fails(cn_scenario_set(scenario, CN_PARAM_LOAD, NAN), CN_ERR_ARGUMENT, "load");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_CORRECTED));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "model_variant = corrected");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, CN_SELECTION_LEAST_LOADED));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "selection = least-loaded");
    cn_scenario_free(&scenario);
    cn_routing_free(&routing);
    cn_topology_free(&t);
}

static void sources_have_their_limits(void **state)
{
    (void)state;
    cn_topology *t = make("ring 16");
    cn_traffic *traffic;
    cn_result *result;
    assert_ok(cn_traffic_new(t, CN_PATTERN_UNIFORM, &traffic));
    assert_ok(cn_traffic_set_on_off(traffic, 5.0, 5.0));
    cn_scenario *scenario = stored_scenario(t, 0.1, 1);
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "the source is on-off");
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_result_free(&result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1.01));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT, "1.01");
    cn_scenario_free(&scenario);
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_tells_the_errors),
        cmocka_unit_test(the_simulation_is_near_the_model),
        cmocka_unit_test(cubes_come_to_the_closed_form),
        cmocka_unit_test(the_page_tells_the_errors_on_cubes),
        cmocka_unit_test(complete_networks_are_exact),
        cmocka_unit_test(a_line_waits_once),
        cmocka_unit_test(loads_have_their_limits),
        cmocka_unit_test(sources_have_their_limits),
    };
    if (argc != 2)
        return 1;
    if (strcmp(argv[1], "--simulate") == 0) {
        print_table();
        return 0;
    }
    page = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}

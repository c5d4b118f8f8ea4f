/*
 * The numbers of simulations and models against those in a file, which are the same on every machine:
 * what a simulation counts to the last bit, what a model computes with the math library to 1e-9.
 *
 *     test_numbers [--write] numbers.txt
 *
 * A program of its own, without a test framework, so that any compiler and emulator can run it.
 */
#include <cubenet.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct run {
    const char *system;
    uint64_t k; /* 2: the Boolean cube */
    uint32_t n;
    int two_way;
    double load;
    int pattern, source; /* of the traffic; 0, 0: the system's own */
    uint32_t faulty;     /* bit v: node v is faulty */
    struct {
        cn_param param;
        double value;
    } more[4];
    const char *routing; /* NULL: the default */
} run;

/* Every system; every rule, source and kind of time of those that simulate. */
static const run runs[] = {
    {"deflection", 2, 6, 1, 1.5, 0, 0, 0, {{CN_PARAM_BUFFERS, 12}}, NULL},
    {"deflection",
     2,
     5,
     1,
     0.2,
     CN_PATTERN_BIT_REVERSE,
     CN_SOURCE_ON_OFF,
     0,
     {{CN_PARAM_BUFFERS, 9}},
     NULL},
    {"deflection", 5, 3, 0, 0.3, 0, 0, 0, {{CN_PARAM_BUFFERS, 6}}, NULL},
    {"deflection",
     6,
     2,
     1,
     0.5,
     CN_PATTERN_TORNADO,
     CN_SOURCE_POISSON,
     0,
     {{CN_PARAM_BUFFERS, 8}},
     NULL},
    {"separate-buffers", 2, 5, 1, 1.2, 0, 0, 0, {{0, 0}}, NULL},
    {"separate-buffers",
     2,
     4,
     1,
     0.7,
     CN_PATTERN_TRANSPOSE,
     CN_SOURCE_BERNOULLI,
     0,
     {{0, 0}},
     NULL},
    {"shared-buffer", 2, 5, 1, 1.2, 0, 0, 0, {{0, 0}}, NULL},
    {"separate-buffers",
     2,
     4,
     1,
     0.5,
     0,
     0,
     1u << 2 | 1u << 9,
     {{CN_PARAM_SLOTTED, 0}},
     "optimal-path"},
    {"separate-buffers", 2, 4, 1, 0.5, 0, 0, 1u << 2 | 1u << 9, {{0, 0}}, "optimal-path"},
    {"separate-buffers",
     2,
     4,
     1,
     0.4,
     0,
     0,
     1u << 2 | 1u << 9,
     {{CN_PARAM_SLOTTED, 0}},
     "two-level"},
    {"separate-buffers", 2, 4, 1, 0.4, 0, 0, 1u << 2 | 1u << 9, {{0, 0}}, "two-level"},
    {"wormhole", 2, 6, 1, 0.01, 0, 0, 0, {{CN_PARAM_VIRTUAL_CHANNELS, 3}}, NULL},
    {"wormhole",
     2,
     5,
     1,
     0.004,
     0,
     0,
     0,
     {{CN_PARAM_BROADCAST_FRACTION, 0.1},
      {CN_PARAM_VIRTUAL_CHANNELS, 3},
      {CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}},
     NULL},
    {"collective", 2, 5, 1, 0.01, 0, 0, 0, {{CN_PARAM_OPERATIONS, 20}}, NULL},
    {"collective",
     2,
     5,
     1,
     0.01,
     0,
     0,
     0,
     {{CN_PARAM_OPERATIONS, 20}, {CN_PARAM_MACHINE, CN_MACHINE_CHANNELS}},
     NULL},
    {"optimistic-bound", 2, 6, 1, 1.8, 0, 0, 0, {{0, 0}}, NULL},
    {"degraded-bound", 2, 6, 1, 1.2, 0, 0, 0, {{CN_PARAM_NODE_FAILURE_PROBABILITY, 0.05}}, NULL},
    {"flow-deviation",
     2,
     4,
     1,
     0.8,
     0,
     0,
     1u << 2 | 1u << 3 | 1u << 4 | 1u << 7 | 1u << 9,
     {{CN_PARAM_RELATIVE_PRECISION, 1e-9}},
     NULL},
    {"cut-through", 2, 6, 1, 0.02, 0, 0, 0, {{CN_PARAM_MESSAGE_BUFFERS, 1}}, NULL},
    {"cut-through", 5, 2, 1, 0.02, 0, 0, 0, {{CN_PARAM_SELECTION, 2}}, "up-down-adaptive"},
    {"cut-through-deflection", 2, 6, 1, 0.05, 0, 0, 0, {{CN_PARAM_BUFFERS, 4}}, NULL},
    {"cut-through-deflection", 5, 2, 0, 0.02, 0, 0, 0, {{CN_PARAM_MESSAGE_FLITS, 8}}, NULL},
};

static FILE *file;
static int writing, compared, wrong;

static int fail(const char *what)
{
    return fprintf(stderr, "%s: %s\n", what, cn_last_error()), 1;
}

static void compare(const char *what, const char *name, double value, double tolerance)
{
    char label[64], metric[64];
    double expected;
    compared++;
    if (writing) {
        fprintf(file, "%s %s %.17g\n", what, name, value);
        return;
    }
    if (fscanf(file, "%63s %63s %lf", label, metric, &expected) != 3 || strcmp(label, what) != 0 ||
        strcmp(metric, name) != 0) {
        fprintf(stderr, "%s %s is not where it should be in the file\n", what, name);
        wrong++;
    } else if (!(fabs(value - expected) <= tolerance * fabs(expected))) {
        fprintf(stderr, "%s %s is %.17g, but should be %.17g\n", what, name, value, expected);
        wrong++;
    }
}

static void compare_result(const char *what, const cn_result *result, double tolerance)
{
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        double value;
        if (cn_result_has(result, (cn_metric)m) && !cn_result_value(result, (cn_metric)m, &value))
            compare(what, cn_metric_name((cn_metric)m), value, tolerance);
    }
}

static cn_status attach(cn_scenario *scenario, const cn_topology *network, const run *r)
{
    cn_faults *faults = NULL;
    cn_traffic *traffic = NULL;
    cn_status status = CN_OK;
    if (r->faulty != 0)
        status = cn_faults_new(network, &faults);
    for (uint64_t v = 0; status == CN_OK && v < 32; v++)
        if (r->faulty >> v & 1)
            status = cn_faults_add_node(faults, v);
    if (status == CN_OK && r->faulty != 0)
        status = cn_scenario_set_faults(scenario, faults);
    if (status == CN_OK && r->source != 0)
        status = cn_traffic_new(network, (cn_pattern)r->pattern, &traffic);
    if (status == CN_OK && r->source == CN_SOURCE_ON_OFF)
        status = cn_traffic_set_on_off(traffic, 20.0, 60.0);
    else if (status == CN_OK && r->source != 0)
        status = cn_traffic_set_source(traffic, (cn_source)r->source);
    if (status == CN_OK && r->source != 0)
        status = cn_scenario_set_traffic(scenario, traffic);
    cn_faults_free(&faults);
    cn_traffic_free(&traffic);
    return status;
}

static cn_status set_up(cn_scenario *scenario, const cn_topology *network, const run *r)
{
    cn_param load =
        cn_scenario_takes(scenario, CN_PARAM_LOAD) ? CN_PARAM_LOAD : CN_PARAM_OPERATION_RATE;
    cn_status status = cn_scenario_set(scenario, load, r->load);
    if (status == CN_OK && cn_scenario_takes(scenario, CN_PARAM_MEASURE_CYCLES)) {
        status = cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 4000);
        /* the only thing that looks at half-widths */
        if (status == CN_OK)
            status = cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0);
    }
    if (status == CN_OK && r->routing != NULL)
        status = cn_scenario_set_routing_name(scenario, r->routing);
    for (size_t i = 0; status == CN_OK && i < 4 && r->more[i].param != 0; i++)
        status = cn_scenario_set(scenario, r->more[i].param, r->more[i].value);
    return status == CN_OK ? attach(scenario, network, r) : status;
}

static int check(const run *r)
{
    char what[64];
    cn_topology *network;
    cn_scenario *scenario;
    cn_result *result;
    int number = (int)(r - runs), done = 0;
    if (r->k == 2 ? cn_topology_hypercube(r->n, &network)
                  : cn_topology_kary_ncube(r->k, r->n, r->two_way, &network))
        return fail("topology");
    if (cn_scenario_new(network, r->system, &scenario) || set_up(scenario, network, r))
        return fail(r->system);
    cn_status status = cn_simulate(scenario, NULL, &result);
    if (status != CN_OK && status != CN_ERR_UNSUPPORTED)
        return fail(r->system);
    if (status == CN_OK) {
        snprintf(what, sizeof what, "%d-%s-simulated", number, r->system);
        compare_result(what, result, 0.0);
        cn_result_free(&result);
        done++;
    }
    status = cn_predict(scenario, NULL, &result);
    if (status == CN_OK) {
        snprintf(what, sizeof what, "%d-%s-predicted", number, r->system);
        compare_result(what, result, 1e-9);
        cn_result_free(&result);
        done++;
    }
    cn_scenario_free(&scenario);
    cn_topology_free(&network);
    return done == 0 ? fail(r->system) : 0;
}

int main(int argc, char **argv)
{
    int problems = 0;
    writing = argc == 3 && strcmp(argv[1], "--write") == 0;
    file = argc < 2 ? NULL : fopen(argv[argc - 1], writing ? "w" : "r");
    if (file == NULL)
        return fprintf(stderr, "test_numbers [--write] FILE\n"), 2;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        problems += check(&runs[i]);
    problems += fclose(file) != 0;
    printf("%d numbers, %d wrong\n", compared, wrong);
    return problems + wrong > 0;
}

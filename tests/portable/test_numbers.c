/*
 * The numbers of simulations and models against those in a file, which are the same on every
 * machine: what a simulation counts to the last bit, what a model computes with the math library to
 * 1e-9. Those of a model are pinned for one revision of it, which is the last column. A model that
 * gives other numbers needs a new revision, and new pins: --write refuses others.
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

/* Every system and model; every rule, source and kind of time of those that simulate. */
static const run runs[] = {
    {"deflection",
     2,
     6,
     1,
     1.5,
     0,
     0,
     0,
     {{CN_PARAM_BUFFERS, 12}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     NULL},
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
    {"deflection",
     5,
     3,
     0,
     0.3,
     0,
     0,
     0,
     {{CN_PARAM_BUFFERS, 6}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     NULL},
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
    {"separate-buffers",
     2,
     5,
     1,
     1.2,
     0,
     0,
     0,
     {{CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     NULL},
    {"separate-buffers",
     2,
     4,
     1,
     0.7,
     CN_PATTERN_TRANSPOSE,
     CN_SOURCE_BERNOULLI,
     0,
     {{CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
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
     {{CN_PARAM_SLOTTED, 0}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     "optimal-path"},
    {"separate-buffers",
     2,
     4,
     1,
     0.5,
     0,
     0,
     1u << 2 | 1u << 9,
     {{CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     "optimal-path"},
    {"separate-buffers",
     2,
     4,
     1,
     0.4,
     0,
     0,
     1u << 2 | 1u << 9,
     {{CN_PARAM_SLOTTED, 0}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     "two-level"},
    {"separate-buffers",
     2,
     4,
     1,
     0.4,
     0,
     0,
     1u << 2 | 1u << 9,
     {{CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     "two-level"},
    {"wormhole",
     2,
     6,
     1,
     0.01,
     0,
     0,
     0,
     {{CN_PARAM_VIRTUAL_CHANNELS, 3}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     NULL},
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
    {"collective",
     2,
     5,
     1,
     0.01,
     0,
     0,
     0,
     {{CN_PARAM_OPERATIONS, 20}, {CN_PARAM_MACHINE, CN_MACHINE_PAPER}},
     NULL},
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
    {"degraded-bound",
     2,
     6,
     1,
     1.2,
     0,
     0,
     0,
     {{CN_PARAM_NODE_FAILURE_PROBABILITY, 0.05}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}},
     NULL},
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
    {"deflection",
     2,
     5,
     1,
     1.2,
     0,
     0,
     0,
     {{CN_PARAM_BUFFERS, 8}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}},
     NULL},
    {"deflection",
     5,
     2,
     0,
     0.3,
     0,
     0,
     0,
     {{CN_PARAM_BUFFERS, 5}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}},
     NULL},
    {"separate-buffers", 5, 2, 0, 0.3, 0, 0, 0, {{CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}}, NULL},
    {"degraded-bound",
     2,
     6,
     1,
     1.2,
     0,
     0,
     0,
     {{CN_PARAM_NODE_FAILURE_PROBABILITY, 0.05}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_CORRECTED}},
     NULL},
    {"wormhole",
     2,
     5,
     1,
     0.005,
     0,
     0,
     0,
     {{CN_PARAM_BROADCAST_FRACTION, 0.05}, {CN_PARAM_MODEL_VARIANT, CN_MODEL_CORRECTED}},
     NULL},
    {"wormhole", 5, 2, 1, 0.01, 0, 0, 0, {{CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}}, NULL},
    {"cut-through", 2, 4, 1, 0.02, 0, 0, 0, {{CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}}, NULL},
};

/* A number of the file, or one that was found; of a simulation the model is "". */
typedef struct pin {
    char what[64], metric[64], model[64];
    double value;
} pin;

enum { MOST = 2000 };

static pin pinned[MOST], found[MOST];
static size_t pins, numbers;
static int wrong;

static int fail(const char *what)
{
    return fprintf(stderr, "%s: %s\n", what, cn_last_error()), 1;
}

static void keep(const char *what, const cn_result *result)
{
    for (size_t m = 1; m <= cn_metric_count() && numbers < MOST; m++) {
        pin *next = &found[numbers];
        if (!cn_result_has(result, (cn_metric)m) ||
            cn_result_value(result, (cn_metric)m, &next->value) != CN_OK)
            continue;
        snprintf(next->what, sizeof next->what, "%s", what);
        snprintf(next->metric, sizeof next->metric, "%s", cn_metric_name((cn_metric)m));
        snprintf(next->model, sizeof next->model, "%s", cn_result_model(result));
        numbers++;
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
        keep(what, result);
        cn_result_free(&result);
        done++;
    }
    status = cn_predict(scenario, NULL, &result);
    if (status == CN_OK) {
        snprintf(what, sizeof what, "%d-%s-predicted", number, r->system);
        keep(what, result);
        cn_result_free(&result);
        done++;
    }
    cn_scenario_free(&scenario);
    cn_topology_free(&network);
    return done == 0 ? fail(r->system) : 0;
}

/* ---- against the file ---- */

static int differs(const pin *here, const pin *there)
{
    double tolerance = here->model[0] == '\0' ? 0.0 : 1e-9;
    return !(fabs(here->value - there->value) <= tolerance * fabs(there->value));
}

static int is_of(const pin *here, const pin *there)
{
    return strcmp(here->what, there->what) == 0 && strcmp(here->metric, there->metric) == 0;
}

/* Says once of each model what is to be done. */
static void advise(const char *model, const char *advice)
{
    static char last[64];
    if (strcmp(last, model) != 0)
        fprintf(stderr, "%s: %s\n", model, advice);
    snprintf(last, sizeof last, "%s", model);
}

/* Other numbers of a model of the same name are those of a model that was changed without a new
 * revision. */
static void compare(const pin *here, const pin *there)
{
    if (strcmp(here->model, there->model) != 0) {
        fprintf(stderr, "%s %s is pinned for the model %s, but was predicted by %s\n", here->what,
                here->metric, there->model, here->model);
        advise(here->model, "new pins are needed for this revision: test_numbers --write");
        wrong++;
    } else if (differs(here, there)) {
        fprintf(stderr, "%s %s is %.17g, but should be %.17g\n", here->what, here->metric,
                here->value, there->value);
        if (here->model[0] != '\0')
            advise(
                here->model,
                "this revision of the model has other numbers. If the model was changed, raise its "
                "revision in lib/systems/ and docs/quality.md, then test_numbers --write");
        wrong++;
    }
}

static void compare_all(void)
{
    for (size_t i = 0; i < numbers; i++) {
        if (i < pins && is_of(&found[i], &pinned[i])) {
            compare(&found[i], &pinned[i]);
            continue;
        }
        fprintf(stderr, "%s %s is not where it should be in the file\n", found[i].what,
                found[i].metric);
        wrong++;
    }
    wrong += pins > numbers;
}

/* A pin is replaced by one of another revision alone. */
static void check_revisions(void)
{
    for (size_t i = 0; i < numbers; i++)
        for (size_t j = 0; j < pins && found[i].model[0] != '\0'; j++)
            if (is_of(&found[i], &pinned[j]) && strcmp(found[i].model, pinned[j].model) == 0)
                compare(&found[i], &pinned[j]);
}

static void read_pins(const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");
    while (file != NULL && pins < MOST && fgets(line, sizeof line, file) != NULL) {
        pin *next = &pinned[pins++];
        sscanf(line, "%63s %63s %lf %63s", next->what, next->metric, &next->value, next->model);
    }
    if (file != NULL)
        fclose(file);
}

static int write_pins(const char *path)
{
    FILE *file = fopen(path, "w");
    for (size_t i = 0; file != NULL && i < numbers; i++)
        fprintf(file, "%s %s %.17g%s%s\n", found[i].what, found[i].metric, found[i].value,
                found[i].model[0] == '\0' ? "" : " ", found[i].model);
    return file == NULL || fclose(file) != 0;
}

int main(int argc, char **argv)
{
    int problems = 0, writing = argc == 3 && strcmp(argv[1], "--write") == 0;
    if (argc != 2 + writing)
        return fprintf(stderr, "test_numbers [--write] FILE\n"), 2;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        problems += check(&runs[i]);
    read_pins(argv[argc - 1]);
    if (writing)
        check_revisions();
    else
        compare_all();
    if (writing && wrong + problems == 0)
        problems = write_pins(argv[2]);
    printf("%d numbers, %d wrong\n", (int)numbers, wrong);
    return problems + wrong > 0;
}

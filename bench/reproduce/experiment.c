/* Models and simulations by what they are of, each kept for the figures that show it again. */
#include "reproduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct outcome {
    struct outcome *next;
    char name[256];
    cn_result *result;
} outcome;

void rp_fail(rp_run *run, const char *format, ...)
{
    if (run->failed)
        return;
    run->failed = 1;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "reproduce: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

int rp_check(rp_run *run, cn_status status)
{
    if (status < 0)
        rp_fail(run, "%s", cn_last_error());
    return status >= 0 && !run->failed;
}

/* ---- what it is of ---- */

static void name_experiment(const rp_experiment *experiment, const char *kind, char name[256])
{
    int length = snprintf(name, 256, "%s %s on %s", kind, experiment->system,
                          cn_topology_name(experiment->topology));
    for (const setting *s = experiment->settings; s->param != 0 && length < 256; s++)
        length += snprintf(name + length, 256 - (size_t)length, " %s=%.15g",
                           cn_param_name(s->param), s->value);
}

/* FNV-1a of the name. */
static uint64_t seed_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return hash;
}

enum { FEW_NODES = 64, SHORT_WORM = 32 };

/* How many times as long as a short worm's everything takes; 1 for other systems. */
static double cycles_of_a_worm(const cn_scenario *scenario)
{
    double flits = SHORT_WORM;
    if (cn_scenario_takes(scenario, CN_PARAM_MESSAGE_FLITS))
        cn_scenario_get(scenario, CN_PARAM_MESSAGE_FLITS, &flits);
    return flits < SHORT_WORM ? 1.0 : flits / SHORT_WORM;
}

static int sets(const rp_experiment *experiment, cn_param param)
{
    const setting *s = experiment->settings;
    while (s->param != 0 && s->param != param)
        s++;
    return s->param != 0;
}

/* As long as it takes to see differences of a few thousandths, where the experiment does not say. More nodes tell more in
 * a cycle, long worms less. */
static void set_length(rp_run *run, const rp_experiment *experiment, cn_scenario *scenario)
{
    uint64_t nodes = cn_topology_node_count(experiment->topology);
    double slower = cycles_of_a_worm(scenario);
    double cycles = (run->quick ? 2000.0 : 200000.0) * slower * FEW_NODES /
                    (double)(nodes < FEW_NODES ? FEW_NODES : nodes);
    const setting length[] = {{CN_PARAM_WARMUP_CYCLES, (run->quick ? 300 : 2000) * slower},
                              {CN_PARAM_MEASURE_CYCLES, fmax(500.0, floor(cycles))},
                              {CN_PARAM_RELATIVE_PRECISION, run->quick ? 0.02 : 0.001}};
    for (size_t i = 0; i < COUNT(length); i++)
        if (!sets(experiment, length[i].param))
            rp_check(run, cn_scenario_set(scenario, length[i].param, length[i].value));
}

static cn_scenario *make_scenario(rp_run *run, const rp_experiment *experiment)
{
    cn_scenario *scenario = NULL;
    rp_check(run, cn_scenario_new(experiment->topology, experiment->system, &scenario));
    for (const setting *s = experiment->settings; s->param != 0 && !run->failed; s++)
        rp_check(run, cn_scenario_set(scenario, s->param, s->value));
    return scenario;
}

/* ---- what came out ---- */

static const cn_result *find(const rp_run *run, const char *name)
{
    for (const outcome *o = run->outcomes; o != NULL; o = o->next)
        if (strcmp(o->name, name) == 0)
            return o->result;
    return NULL;
}

static const cn_result *keep(rp_run *run, const char *name, cn_result *result)
{
    outcome *made = calloc(1, sizeof *made);
    if (made == NULL) {
        rp_fail(run, "out of memory");
        cn_result_free(&result);
        return NULL;
    }
    snprintf(made->name, sizeof made->name, "%s", name);
    made->result = result;
    made->next = run->outcomes;
    run->outcomes = made;
    return result;
}

void rp_forget_outcomes(rp_run *run)
{
    while (run->outcomes != NULL) {
        outcome *next = run->outcomes->next;
        cn_result_free(&run->outcomes->result);
        free(run->outcomes);
        run->outcomes = next;
    }
}

static const cn_result *outcome_of(rp_run *run, const rp_experiment *experiment, const char *kind,
                                   int simulate)
{
    char name[256];
    if (run->failed)
        return NULL;
    name_experiment(experiment, kind, name);
    const cn_result *known = find(run, name);
    if (known != NULL)
        return known;
    cn_result *result = NULL;
    cn_scenario *scenario = make_scenario(run, experiment);
    if (simulate && !run->failed) {
        set_length(run, experiment, scenario);
        rp_check(run, cn_scenario_set_seed(scenario, seed_of(name)));
    }
    if (!run->failed && simulate)
        rp_check(run, cn_simulate(scenario, NULL, &result));
    if (!run->failed && !simulate) {
        cn_status status = cn_predict(scenario, NULL, &result);
        if (status != CN_ERR_UNSUPPORTED) /* outside of the region of the model: no value */
            rp_check(run, status);
    }
    cn_scenario_free(&scenario);
    return result == NULL ? NULL : keep(run, name, result);
}

const cn_result *rp_predict(rp_run *run, const rp_experiment *experiment)
{
    return outcome_of(run, experiment, "model of", 0);
}

const cn_result *rp_simulate(rp_run *run, const rp_experiment *experiment)
{
    return outcome_of(run, experiment, "simulation of", 1);
}

double rp_value(rp_run *run, const cn_result *result, cn_metric metric)
{
    double value = NAN;
    if (result != NULL)
        rp_check(run, cn_result_value(result, metric, &value));
    return value;
}

double rp_half_width(rp_run *run, const cn_result *result, cn_metric metric)
{
    double half_width = NAN;
    if (result != NULL)
        rp_check(run, cn_result_half_width(result, metric, &half_width));
    return half_width;
}

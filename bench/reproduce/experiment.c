/* Networks, scenarios, models and simulations by what they are of, and what comes out of them. */
#include "reproduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const char *rp_text(const char *format, ...)
{
    static char texts[16][640];
    static size_t next;
    char *text = texts[next++ % COUNT(texts)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof texts[0], format, arguments);
    va_end(arguments);
    return text;
}

cn_topology *rp_network(rp_run *run, const char *name, ...)
{
    char text[240] = "{\"cubenet\": \"topology\", \"format\": 1, \"topology\": \"";
    size_t length = strlen(text);
    cn_topology *made = NULL;
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(text + length, sizeof text - length, name, arguments);
    va_end(arguments);
    strncat(text, "\"}", sizeof text - strlen(text) - 1);
    rp_check(run, cn_topology_from_json(text, NULL, &made));
    return made;
}

cn_topology *rp_one_way_cube(rp_run *run, uint64_t k, uint32_t n)
{
    cn_topology *made = NULL;
    rp_check(run, cn_topology_kary_ncube(k, n, 0, &made));
    return made;
}

/* ---- what is known ---- */

rp_known *rp_known_as(rp_run *run, const char *name)
{
    rp_known *known = run->known;
    while (known != NULL && strcmp(known->name, name) != 0)
        known = known->next;
    if (known != NULL || run->failed)
        return run->failed ? NULL : known;
    known = calloc(1, sizeof *known);
    if (known == NULL) {
        rp_fail(run, "out of memory");
        return NULL;
    }
    snprintf(known->name, sizeof known->name, "%s", name);
    known->next = run->known;
    return run->known = known;
}

void rp_forget(rp_run *run)
{
    while (run->known != NULL) {
        rp_known *next = run->known->next;
        cn_result_free(&run->known->result);
        free(run->known);
        run->known = next;
    }
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

/* As long as it takes to see differences of a few thousandths, where the experiment does not say.
 * More nodes tell more in a cycle, long worms less. */
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
            rp_set(run, scenario, length[i].param, length[i].value);
}

void rp_set(rp_run *run, cn_scenario *scenario, cn_param param, double value)
{
    rp_check(run, cn_scenario_set(scenario, param, value));
}

cn_scenario *rp_scenario(rp_run *run, const rp_experiment *experiment)
{
    cn_scenario *scenario = NULL;
    rp_check(run, cn_scenario_new(experiment->topology, experiment->system, &scenario));
    if (cn_scenario_takes(scenario, CN_PARAM_MODEL_VARIANT)) /* what is compared with a paper */
        rp_set(run, scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED);
    if (experiment->routing != NULL)
        rp_check(run, cn_scenario_set_routing_name(scenario, experiment->routing));
    for (const setting *s = experiment->settings; s->param != 0; s++)
        rp_set(run, scenario, s->param, s->value);
    if (experiment->seed != 0)
        rp_check(run, cn_scenario_set_seed(scenario, experiment->seed));
    return scenario;
}

rp_experiment rp_with(const rp_experiment *experiment, const setting more[])
{
    rp_experiment made = *experiment;
    setting *end = made.settings;
    while (end->param != 0)
        end++;
    for (const setting *s = more; s->param != 0; s++)
        *end++ = *s;
    return made;
}

/* ---- what came out ---- */

cn_result *rp_run_model(rp_run *run, const cn_scenario *scenario)
{
    cn_result *result = NULL;
    cn_status status = run->failed ? CN_OK : cn_predict(scenario, NULL, &result);
    if (status != CN_ERR_UNSUPPORTED && status != CN_ERR_UNSTABLE)
        rp_check(run, status);
    return result;
}

cn_result *rp_run_simulation(rp_run *run, const cn_scenario *scenario)
{
    cn_result *result = NULL;
    cn_status status = run->failed ? CN_OK : cn_simulate(scenario, NULL, &result);
    if (status != CN_ERR_UNSTABLE)
        rp_check(run, status);
    return result;
}

/* Once a run. */
static const cn_result *outcome_of(rp_run *run, const rp_experiment *experiment, int simulate)
{
    char name[256];
    name_experiment(experiment, simulate ? "simulation of" : "model of", name);
    rp_known *known = rp_known_as(run, name);
    if (known == NULL || known->made)
        return known == NULL ? NULL : known->result;
    cn_scenario *scenario = rp_scenario(run, experiment);
    if (simulate) {
        set_length(run, experiment, scenario);
        rp_check(run, cn_scenario_set_seed(scenario, seed_of(name)));
    }
    known->result = simulate ? rp_run_simulation(run, scenario) : rp_run_model(run, scenario);
    known->made = 1;
    cn_scenario_free(&scenario);
    return known->result;
}

const cn_result *rp_predict(rp_run *run, const rp_experiment *experiment)
{
    return outcome_of(run, experiment, 0);
}

const cn_result *rp_simulate(rp_run *run, const rp_experiment *experiment)
{
    return outcome_of(run, experiment, 1);
}

double rp_value(const cn_result *result, cn_metric metric)
{
    double value = NAN;
    return cn_result_value(result, metric, &value) == CN_OK ? value : NAN;
}

rp_estimate rp_read(const cn_result *result, cn_metric metric, double unit)
{
    rp_estimate read = {unit * rp_value(result, metric), NAN};
    double half_width;
    if (!isnan(read.value) && cn_result_half_width(result, metric, &half_width) == CN_OK)
        read.half_width = unit * half_width;
    return read;
}

double rp_percent(double model, double expected)
{
    return 100.0 * (model / expected - 1.0);
}

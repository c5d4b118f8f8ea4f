/*
 * A buffer at each outgoing channel, in slotted and in continuous time.
 *
 * Slotted, the model of Horng 1992, 2.3: a channel is a queue with one server to which in every cycle come
 * its shares of transit and of new messages, independent of each other and of other cycles (eq. 2.17). Its
 * mean length is that of Pollaczek and Khinchin (eq. 2.30),
 *
 *     Q = f + E[A (A - 1)] / (2 (1 - f)),    f = E[A]
 *
 * Check: n = 6: load 0.2 -> T = 3.2255, 0.8 -> 4.1245, 1.4 -> 6.9202, 1.8 -> 19.8287.
 */
#include "base/error.h"
#include "queueing/store_forward/jackson.h"
#include "queueing/store_forward/unlimited_model.h"
#include "routing/faults/fault.h"
#include "routing/questions/walks.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"

/* ---- Boolean n-cubes ---- */

/* T = lambda (2 d + (1 - 1/n) (d - 1)^2) / (2 (n - lambda d)) + d (eq. 2.32) */
static double cube_delay(const cni_unlimited_model *m)
{
    double d = m->distance, transit = d - 1.0;
    double second_moment = 2.0 * d + (1.0 - 1.0 / m->n) * transit * transit;
    return m->load * second_moment / (2.0 * m->n * m->idle) + d;
}

/* ---- any network ---- */

typedef struct arrivals {
    double transit; /* mean number */
    double squares; /* sum of the squared means by channel from which they come */
} arrivals;

static void add_turns(const cni_channel_flows *f, arrivals to[])
{
    const cn_topology *t = f->topology;
    for (size_t c = 0; c < f->places; c++) {
        size_t node = c / f->ports, port = c % f->ports;
        if (f->flow[c] == 0.0)
            continue;
        size_t head = (size_t)cni_neighbor(t, node, (uint32_t)port);
        for (size_t p = 0; p < f->ports; p++) {
            double mean = f->turns[c * f->ports + p];
            to[head * f->ports + p].transit += mean;
            to[head * f->ports + p].squares += mean * mean;
        }
    }
}

/* E[A (A - 1)] at load 1: `burst` is that of new messages over their squared mean. */
static double second_moment(double fresh, const arrivals *a, double burst)
{
    return burst * fresh * fresh + 2.0 * fresh * a->transit + a->transit * a->transit - a->squares;
}

static double slotted_delay(const cni_channel_flows *f, double load, double burst, arrivals to[])
{
    double sum = 0.0;
    add_turns(f, to);
    for (size_t c = 0; c < f->places; c++)
        sum += f->flow[c] +
               load * second_moment(f->fresh[c], &to[c], burst) / (2.0 * (1.0 - load * f->flow[c]));
    return sum / f->rate;
}

/* ---- both ---- */

/* E[A (A - 1)] of the messages that a node offers in a cycle, over the square of their mean. */
static cn_status burst_of(const cn_scenario *scenario, double *burst)
{
    static const double bursts[] = {[CN_SOURCE_OF_SYSTEM] = 2.0,
                                    [CN_SOURCE_GEOMETRIC] = 2.0,
                                    [CN_SOURCE_BERNOULLI] = 0.0,
                                    [CN_SOURCE_POISSON] = 1.0};
    const cn_traffic *traffic = cni_traffic_of(scenario);
    cn_source source = traffic == NULL ? CN_SOURCE_OF_SYSTEM : traffic->source;
    int slotted = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    if (source == CN_SOURCE_ON_OFF ||
        (!slotted && source != CN_SOURCE_OF_SYSTEM && source != CN_SOURCE_POISSON))
        return cni_fail(CN_ERR_UNSUPPORTED, "cn_predict: the source is %s, but the model covers %s",
                        cn_source_name(source),
                        slotted ? "geometric, bernoulli and poisson" : "poisson");
    *burst = bursts[source];
    return CN_OK;
}

static cn_status predict_by_flows(const cn_scenario *scenario, double burst, cn_result *result)
{
    double load = scenario->value[CN_PARAM_LOAD], delay = 0.0;
    int slotted = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    cni_channel_flows flows;
    cni_unlimited_model m;
    arrivals *to = NULL;
    cn_status status = cni_channel_flows_open("cn_predict", scenario, slotted, &flows);
    if (status == CN_OK)
        status = cni_unlimited_model_of("cn_predict", &flows, load, &m);
    if (status == CN_OK && slotted && (to = cni_allocate(flows.places, sizeof *to)) == NULL)
        status = CN_ERR_MEMORY;
    if (status == CN_OK) {
        delay = slotted ? slotted_delay(&flows, load, burst, to) : cni_jackson_delay(&flows, load);
        cni_unlimited_model_put(&m, scenario, delay, result);
    }
    cni_release(to);
    cni_channel_flows_close(&flows);
    return status;
}

static cn_status check_selection(const cn_scenario *scenario)
{
    cn_selection selection = (cn_selection)scenario->value[CN_PARAM_SELECTION];
    if (selection == CN_SELECTION_RANDOM)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_predict: selection = %s, but the model needs random, where what waits at a "
                    "channel does not keep messages from it; cn_simulate() covers all",
                    cn_selection_name(selection));
}

cn_status cni_check_separate_buffers(const char *function, const cn_topology *topology)
{
    if (topology->nodes <= CNI_WALKS_NODES || cni_is_hypercube(topology))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: the model covers networks of at most %llu nodes and undamaged Boolean "
                    "n-cubes, but %s has %llu",
                    function, (unsigned long long)CNI_WALKS_NODES, topology->name,
                    (unsigned long long)topology->nodes);
}

cn_status cni_predict_separate_buffers(const cn_scenario *scenario, cn_result *result)
{
    cni_unlimited_model m;
    double burst = 0.0;
    CNI_TRY(check_selection(scenario));
    CNI_TRY(burst_of(scenario, &burst));
    if (!cni_is_plain_cube(scenario))
        return predict_by_flows(scenario, burst, result);
    CNI_TRY(cni_unlimited_model_open("cn_predict", scenario->topology,
                                     scenario->value[CN_PARAM_LOAD], &m));
    int slotted = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    cni_unlimited_model_put(&m, scenario, slotted ? cube_delay(&m) : m.distance / m.idle, result);
    return CN_OK;
}

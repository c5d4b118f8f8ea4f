/*
 * A buffer at each outgoing channel, in slotted time, and in continuous time by jackson.c ((S1) and
 * (S6) to (S10) of docs/theory/store-and-forward.md).
 *
 * In slotted time a channel is a queue with one server. In every cycle its shares of transit and of
 * new messages come, all independent (Horng 1992, 2.3, eq. 2.17). The mean length follows from f =
 * E[A] and x = E[A (A - 1)] (S6), the formula of Pollaczek and Khinchin (eq. 2.30):
 *
 *     Q = f + x / (2 (1 - f)).
 *
 * The delay follows from the sum of all Q by Little's law. channel_arrivals.h has x of each
 * channel. With variant `published` on Boolean n-cubes the result is (S1), eq. 2.32.
 *
 * Check values: n = 6, published: load 0.2 -> T = 3.2255, 0.8 -> 4.1245, 1.4 -> 6.9202, 1.8 ->
 * 19.8287.
 */
#include "cubenet/enum.h"

#include <string.h>

#include "base/error.h"
#include "queueing/store_forward/channel_arrivals.h"
#include "queueing/store_forward/unlimited_model.h"
#include "routing/faults/fault.h"
#include "routing/questions/walks.h"
#include "scenario/system.h"
#include "scenario/traffic/source.h"

/* ---- Boolean n-cubes: all channels alike ---- */

/* Published, (S1): T = lambda (2 d + (1 - 1/n) (d - 1)^2) / (2 (n - lambda d)) + d (eq. 2.32).
 * Own, (S9): no message goes back over the channel by which it came, so n - 1 channels take the
 * place of n. */
static double cube_delay(const cni_unlimited_model *m, int own)
{
    double d = m->distance, transit = d - 1.0, others = m->n - 1.0;
    double second_moment = 2.0 * d + (1.0 - 1.0 / m->n) * transit * transit;
    if (own && others > 0.0) {
        second_moment = 2.0 * d + (1.0 - 1.0 / others) * transit * transit;
        second_moment /= 1.0 - others * cni_run_share(transit / d / others, m->rho);
    }
    return m->load * second_moment / (2.0 * m->n * m->idle) + d;
}

/* ---- any network ---- */

/* Sums the waiting messages of the channels, over the load, so that the delay at load 0 is its
 * limit, the mean number of hops. `delays` (may be NULL) gets the delays of the channels by
 * Little's law. */
static cn_status slotted_delay(const cni_channel_flows *f, double load, double burst, int own,
                               double *delay, double delays[])
{
    cni_channel_arrivals a;
    double sum = 0.0;
    CNI_TRY(cni_channel_arrivals_open(f, load, burst, own, &a));
    for (size_t c = 0; c < f->places; c++) {
        double waiting = 0.0;
        if (load > 0.0)
            waiting = a.root[c] / load * a.runs[c] / (2.0 * (1.0 - load * f->flow[c]));
        sum += waiting;
        if (delays != NULL)
            delays[c] = f->flow[c] > 0.0 ? 1.0 + waiting / f->flow[c] : 1.0;
    }
    *delay = (f->sum + sum) / f->rate;
    cni_channel_arrivals_close(&a);
    return CN_OK;
}

/* ---- both kinds of networks ---- */

static int is_own(const cn_scenario *scenario)
{
    return scenario->value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_OWN;
}

/* Finds b of (S7): E[Y (Y - 1)] of the new messages Y of a node in a cycle, over the square of
 * their mean. A Bernoulli source must fit at most one message into a cycle. */
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
                        cn_enum_name(CN_ENUM_SOURCE, (int)source),
                        slotted ? "geometric, bernoulli and poisson" : "poisson");
    *burst = bursts[source];
    cni_source_process offered;
    return source != CN_SOURCE_BERNOULLI
               ? CN_OK
               : cni_source_start("cn_predict", traffic, source, scenario->value[CN_PARAM_LOAD],
                                  &offered);
}

/* `delays` (may be NULL) gets the delays of the channels. */
static cn_status solve_flows(const char *function, const cn_scenario *scenario, double burst,
                             cni_unlimited_model *m, double *delay, double delays[])
{
    double load = scenario->value[CN_PARAM_LOAD];
    int slotted = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    cni_channel_flows flows;
    cn_status status = cni_unlimited_model_of(function, scenario, slotted, &flows, m);
    if (status == CN_OK && slotted)
        status = slotted_delay(&flows, load, burst, is_own(scenario), delay, delays);
    else if (status == CN_OK)
        *delay = cni_jackson_delay(&flows, load, delays);
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
                    cn_param_choice_name(CN_PARAM_SELECTION, (size_t)selection));
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

/* On trees with more children most messages of valiant cross the root twice: own is further from
 * the simulation than published. */
enum { MOST_CHILDREN_OF_VALIANT = 4 };

cn_model_variant cni_nearest_of_separate_buffers(const cn_scenario *scenario)
{
    const cn_topology *t = scenario->topology;
    int is_outside = cni_is_tree(t) && t->max_degree > MOST_CHILDREN_OF_VALIANT + 1 &&
                     strcmp(cn_scenario_routing_name(scenario), "valiant") == 0 &&
                     scenario->value[CN_PARAM_SLOTTED] != 0.0;
    return is_outside ? CN_MODEL_PUBLISHED : CN_MODEL_OWN;
}

cn_status cni_check_own_separate_buffers(const char *function, const cn_scenario *scenario)
{
    if (cni_nearest_of_separate_buffers(scenario) == CN_MODEL_OWN)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: model_variant = own of separate-buffers covers routing = valiant in "
                    "slotted time on trees of at most %d "
                    "children a node, not on %s; published covers that, too",
                    function, MOST_CHILDREN_OF_VALIANT, scenario->topology->name);
}

/* Checks that the model covers the scenario, and finds b of its source. */
static cn_status check_scenario(const cn_scenario *scenario, double *burst)
{
    CNI_TRY(check_selection(scenario));
    return burst_of(scenario, burst);
}

/* Whether the scenario has equal flows on all channels (eq. 2.7), so that no flows need to be
 * found. */
static int is_uniform_cube(const cn_scenario *scenario)
{
    return cni_is_plain_cube(scenario) &&
           cni_traffic_is_plain(cni_traffic_of(scenario), scenario->system->source);
}

cn_status cni_limit_separate_buffers(const cn_scenario *scenario, double *load)
{
    double burst = 0.0;
    CNI_TRY(check_scenario(scenario, &burst));
    if (is_uniform_cube(scenario))
        return cni_limit_of_cube(scenario, load);
    return cni_limit_of_network(scenario, load);
}

static cn_status solve_scenario(const char *function, const cn_scenario *scenario,
                                cni_unlimited_model *m, double *delay, double delays[])
{
    double burst = 0.0;
    CNI_TRY(check_scenario(scenario, &burst));
    if (!is_uniform_cube(scenario))
        return solve_flows(function, scenario, burst, m, delay, delays);
    const cn_topology *cube = scenario->topology;
    CNI_TRY(cni_unlimited_model_open(function, cube, NULL, scenario->value[CN_PARAM_LOAD], m));
    *delay = m->distance / m->idle;
    if (scenario->value[CN_PARAM_SLOTTED] != 0.0)
        *delay = cube_delay(m, is_own(scenario));
    for (size_t c = 0; delays != NULL && c < cube->nodes * cube->max_degree; c++)
        delays[c] = *delay / m->distance;
    return CN_OK;
}

/* The greatest claimed share of the load at which the busiest channel is full, for variant own:
 * the errors of docs/lab/accuracy.md begin to grow there. In continuous time the model is exact. */
static const double CLAIMED_BY_SEPARATE_BUFFERS = 0.8;

cn_status cni_predict_separate_buffers(const cn_scenario *scenario, cn_result *result)
{
    cni_unlimited_model m;
    double delay = 0.0;
    CNI_TRY(solve_scenario("cn_predict", scenario, &m, &delay, NULL));
    cni_unlimited_model_put(&m, scenario, delay, result);
    int slotted = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    if (is_own(scenario))
        cni_result_put(result, CN_METRIC_EXTRAPOLATED,
                       slotted && m.fullest > CLAIMED_BY_SEPARATE_BUFFERS, 0);
    return CN_OK;
}

cn_status cni_channel_delays_separate_buffers(const cn_scenario *scenario, double delays[])
{
    cni_unlimited_model m;
    double delay = 0.0;
    return solve_scenario("cn_predict_channel_delays", scenario, &m, &delay, delays);
}

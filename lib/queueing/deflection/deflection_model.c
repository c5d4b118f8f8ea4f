/*
 * Deflection routing with finite buffers ((D1) to (D23) of docs/theory/deflection.md): the models
 * of Horng 1992, 3.3 (also Horng & Kleinrock 1991, 3) and 4.3.
 *
 * A node is a Markov chain on its number of messages (node_chain.c), for a given probability P_t
 * that an incoming channel brings a message in transit. A message makes h hops (hop_model.c). The
 * balance finds P_t: messages come out as they come in, load (1 - pi_M) = n rho / h (D7; eq. 3.22,
 * 4.9). n is the number of channels of a node.
 *
 * This is the published model_variant. In it every hop is one of phase 2 with the same probability,
 * and the claims of phase 1 are independent. The own variant (own_model.h) follows messages by age,
 * and its claims depend on where messages come from.
 *
 * Check values: n = 6, M = 12, load 1.5: P_A 0.91622, throughput 1.37433, T 5.30814, h 3.12065, rho
 * 0.71480.
 */
#include "queueing/deflection/deflection_model.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "queueing/deflection/own_model.h"
#include "scenario/scenario.h"
#include "scenario/traffic/traffic.h"
#include "topology/distances/breadth_first.h"
#include "topology/topology.h"

typedef struct model {
    cni_node_chain node;
    cni_hop_model path;
    cni_own_model own;
    double transit;  /* P_t */
    int is_own;      /* 1: variant own */
    double distance; /* d, the mean distance */
    /* results for the present P_t */
    double rho, h, deflections;
} model;

static void close_model(model *m)
{
    cni_node_chain_close(&m->node);
    cni_hop_model_close(&m->path);
    cni_own_close(&m->own);
}

static cn_status open_model(const cn_scenario *scenario, model *m)
{
    const cn_topology *topology = scenario->topology;
    memset(m, 0, sizeof *m);
    m->is_own = scenario->value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_OWN;
    cn_status status = cni_hop_model_open("cn_predict", topology,
                                          (int)scenario->value[CN_PARAM_STATE_SPACE], &m->path);
    if (status == CN_OK)
        status =
            cni_node_chain_open(topology->max_degree, (size_t)scenario->value[CN_PARAM_BUFFERS],
                                scenario->value[CN_PARAM_LOAD], scenario->budget, &m->node);
    m->path.budget = scenario->budget;
    if (status == CN_OK && m->is_own)
        status = cni_own_open(&m->node, &m->path, &m->own);
    if (status != CN_OK) {
        close_model(m);
        return status;
    }
    m->distance = 0.0;
    for (size_t i = 1; i < m->path.states; i++) {
        /* each state of a new message gets the traffic to its distance */
        m->path.start[i] *= cni_traffic_lean(cni_traffic_of(scenario), m->path.distance[i]);
        m->distance += m->path.start[i] * (double)m->path.distance[i];
    }
    return CN_OK;
}

/* Finds the numbers that follow from the chain: rho, and h for q = rho_2 / rho. */
static cn_status follow_chain(model *m)
{
    m->rho = m->node.rho_1 + m->node.rho_2;
    double q = m->rho > 0.0 ? m->node.rho_2 / m->rho : 0.0;
    cni_hop_model_means(&m->path, q, &m->h, &m->deflections);
    return cni_budget_go_on(m->node.budget, 0);
}

/* Finds the messages that come in less the messages that go out, per node and cycle (D7; eq.
 * 3.22). The difference falls as P_t rises. */
static cn_status find_surplus(model *m, double transit, double *found)
{
    m->transit = transit;
    cni_node_chain_solve(&m->node, transit);
    CNI_TRY(cni_budget_go_on(m->node.budget, 0));
    CNI_TRY(follow_chain(m));
    *found = m->node.load * m->node.accepted - m->node.channels * m->rho / m->h;
    return CN_OK;
}

/* The relative accuracy of the balance, and the least relative distance of two values of P_t.
 * Both are near the rounding of a double. */
#define BALANCE 1e-14
#define NARROWEST 1e-15
/* Regula falsi takes some ten steps. A bisection every eighth step bounds their number. */
enum { MOST_STEPS = 500, BISECT_EVERY = 8 };

/* Finds the root of the surplus between `low`, where it is `above` 0, and `high`, where it is
 * `below` 0: regula falsi with the Illinois rule and a bisection every eighth step. The model is
 * solved at the root afterwards. */
static cn_status find_root(model *m, double low, double above, double high, double below)
{
    int side = 0; /* the end that moved last: 1 low, -1 high */
    for (int i = 0; i < MOST_STEPS; i++) {
        double part = i % BISECT_EVERY == BISECT_EVERY - 1 ? 0.5 : above / (above - below);
        double guess = low + (high - low) * part;
        double value;
        CNI_TRY(find_surplus(m, guess, &value));
        if (fabs(value) <= BALANCE * m->node.load * m->node.accepted ||
            high - low <= NARROWEST * high)
            return CN_OK;
        if (value > 0.0) {
            low = guess;
            above = value;
            below *= side > 0 ? 0.5 : 1.0;
            side = 1;
        } else {
            high = guess;
            below = value;
            above *= side < 0 ? 0.5 : 1.0;
            side = -1;
        }
    }
    return cni_fail(CN_ERR_CONVERGENCE,
                    "cn_predict: the balance of input and output did not converge at load = %g",
                    m->node.load);
}

/* Finds P_t in (0, 1). At P_t = 1 no node ever empties, so there is no steady state. The search
 * takes the surplus there as negative and does not compute it. */
static cn_status balance_flows(model *m)
{
    double above;
    CNI_TRY(find_surplus(m, 0.0, &above));
    if (above <= BALANCE * m->node.load * m->node.accepted)
        return CN_OK; /* n = 1, k = 2: every message arrives with its first hop */
    return find_root(m, 0.0, above, 1.0, -above);
}

/* Solves variant own, with the P_t of the published model as the first value. */
static cn_status settle_own(model *m)
{
    CNI_TRY(cni_own_settle(&m->own, m->transit));
    m->rho = m->node.rho_1 + m->node.rho_2;
    m->h = m->own.hops;
    m->deflections = m->own.deflections;
    return CN_OK;
}

/* ---- the region of model_variant own ---- */

/* On two rings two messages that were sent apart meet again when each turns once, and they want
 * the same channel. A model of single nodes lacks this. With fewer buffers or longer rings
 * variant own would be further from the simulation than the published variant. The same holds on
 * one ring of both ways ("Region" in docs/theory/deflection.md). */
enum { LEAST_BUFFERS_ON_TWO_RINGS = 4, LONGEST_OF_TWO_RINGS = 24, LONGEST_TWO_WAY_RING = 8 };

/* The accuracy is claimed up to this multiple of the load n / d that the channels can carry: the
 * simulated points end there. */
static const double CLAIMED_BY_DEFLECTION = 5.0;

/* With a greater share of the messages to neighbours hardly any are in transit. The few that
 * stay then decide how often two kept messages want the same channel, and the claims do not come
 * to rest. On rings they do. */
static const double MOST_TO_NEIGHBOURS = 0.9;

static int has_transit(const cn_scenario *scenario)
{
    double neighbours = scenario->topology->max_degree;
    double others = (double)scenario->topology->nodes - 1.0;
    /* the last factor lets rounding pass */
    return neighbours == others || cni_traffic_lean(cni_traffic_of(scenario), 1) * neighbours <=
                                       MOST_TO_NEIGHBOURS * others * (1.0 + 1e-9);
}

/* Whether the scenario is in the region of variant own, whatever the work. */
static int is_covered(const cn_scenario *scenario)
{
    const cn_topology *t = scenario->topology;
    if (!cni_is_kary_ncube(t) || cni_is_hypercube(t))
        return has_transit(scenario);
    if (t->dimensions == 1)
        return !t->bidirectional || t->radix[0] <= LONGEST_TWO_WAY_RING;
    if (cni_hop_model_is_reduced(t, (int)scenario->value[CN_PARAM_STATE_SPACE]))
        return 0;
    return t->dimensions > 2 || (t->radix[0] <= LONGEST_OF_TWO_RINGS &&
                                 scenario->value[CN_PARAM_BUFFERS] >= LEAST_BUFFERS_ON_TWO_RINGS);
}

/* On one-way rings a deflected message has k more hops. In traffic to near nodes it is one of
 * few far messages. Below this share of the mean distance of uniform traffic variant own is not
 * as near to the simulation. */
static const double NEAREST_ON_ONE_WAY_RINGS = 0.5;

/* On a single one-way ring, delays near capacity are up to 5 % too short with 3 buffers, up to 22 %
 * with 40. The reason is not known. */
enum { MOST_ON_A_ONE_WAY_RING = 2 };

/* With more buffers delays near capacity are up to 4 % too short. The reason is not known. */
enum { MOST_ON_3_ARY_2_CUBES = 12 };

static int is_claimed(const cn_scenario *scenario, double distance)
{
    const cn_topology *topology = scenario->topology;
    double uniform = 0.0, buffers = scenario->value[CN_PARAM_BUFFERS];
    cni_mean_distance(topology, NULL, &uniform); /* in closed form on these networks */
    if (!cni_is_kary_ncube(topology) || cni_is_hypercube(topology))
        return 1;
    if (topology->bidirectional)
        return topology->dimensions != 2 || topology->radix[0] != 3 ||
               buffers <= MOST_ON_3_ARY_2_CUBES;
    return distance >= NEAREST_ON_ONE_WAY_RINGS * uniform &&
           (topology->dimensions > 1 || buffers <= MOST_ON_A_ONE_WAY_RING);
}

/* The greatest number of header states times mean hops. Variant own follows each message through
 * all states; a prediction takes some fifty times this number of operations. */
#define MOST_WORK 0x1p26

static double work_of_own(const cn_scenario *scenario)
{
    double distance = 0.0;
    cni_mean_distance(scenario->topology, NULL, &distance); /* in closed form on these networks */
    return distance *
           cni_hop_model_states(scenario->topology, (int)scenario->value[CN_PARAM_STATE_SPACE]);
}

/* Up to here variant own takes less than a second. The time grows with the square. */
enum { MOST_BUFFERS_OF_AUTOMATIC = 128 };

cn_model_variant cni_nearest_of_deflection(const cn_scenario *scenario)
{
    int is_own = scenario->value[CN_PARAM_BUFFERS] <= MOST_BUFFERS_OF_AUTOMATIC &&
                 is_covered(scenario) && work_of_own(scenario) <= MOST_WORK;
    return is_own ? CN_MODEL_OWN : CN_MODEL_PUBLISHED;
}

cn_status cni_check_own_deflection(const char *function, const cn_scenario *scenario)
{
    double work = work_of_own(scenario);
    if (is_covered(scenario) && work > MOST_WORK)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: model_variant = own of deflection would follow messages on %s for "
                        "%.3g states times hops, which takes too long; published does not follow "
                        "them",
                        function, scenario->topology->name, work);
    if (is_covered(scenario))
        return CN_OK;
    if (!cni_is_kary_ncube(scenario->topology) || cni_is_hypercube(scenario->topology))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: model_variant = own of deflection covers traffic of which at most %g "
                        "%% goes to neighbours on %s; published covers all",
                        function, 100.0 * MOST_TO_NEIGHBOURS, scenario->topology->name);
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: model_variant = own of deflection covers k-ary 2-cubes of k up to %d with "
                    "at least %d buffers, two-way rings of up to %d "
                    "nodes, and the exact state space, but not %s with buffers = %g; published "
                    "covers that, too",
                    function, LONGEST_OF_TWO_RINGS, LEAST_BUFFERS_ON_TWO_RINGS,
                    LONGEST_TWO_WAY_RING, scenario->topology->name,
                    scenario->value[CN_PARAM_BUFFERS]);
}

/* ---- the result ---- */

void cni_put_deflected(const cni_deflected *f, cn_result *result)
{
    double throughput = f->load * f->accepted, power = f->nodes * throughput / f->delay;
    cni_result_put(result, CN_METRIC_MEAN_DELAY, f->delay, 0);
    cni_result_put(result, CN_METRIC_THROUGHPUT, throughput, 0);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, f->nodes * throughput, 0);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, f->load, 0);
    cni_result_put(result, CN_METRIC_ACCEPTANCE_PROBABILITY, f->accepted, 0);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, f->queue, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, f->rho, 0);
    cni_result_put(result, CN_METRIC_FORWARDING_PROBABILITY, f->rho - f->deflected, 0);
    cni_result_put(result, CN_METRIC_DEFLECTION_PROBABILITY, f->deflected, 0);
    cni_result_put(result, CN_METRIC_NET_PROGRESS, f->rho - 2.0 * f->deflected, 0);
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, f->rho * fmax(0.0, 1.0 - 1.0 / f->hops),
                   0);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, f->distance, 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, f->hops, 0);
    cni_result_put(result, CN_METRIC_POWER, power, 0);
    cni_result_put(result, CN_METRIC_POWER_ACCEPTED, power * f->accepted, 0);
}

static void put_metrics(const model *m, const cn_scenario *scenario, cn_result *result)
{
    const cni_node_chain *node = &m->node;
    /* as the load goes to 0, no message is in the way of another */
    double delay = node->queue > 0.0 ? node->queue / (node->load * node->accepted) : m->distance;
    /* D of (D8); on one-way rings D = (h - d) / k, so P_r = rho (1 - d/h) / k */
    double deflected = m->rho * m->deflections / m->h;
    cni_put_deflected(&(cni_deflected){(double)scenario->topology->nodes, node->load,
                                       node->accepted, node->queue, delay, m->rho, deflected, m->h,
                                       m->distance},
                      result);
    cni_result_put(result, CN_METRIC_FIRST_PHASE_UTILIZATION, node->rho_1, 0);
    cni_result_put(result, CN_METRIC_SECOND_PHASE_UTILIZATION, node->rho_2, 0);
    if (m->is_own)
        cni_result_put(result, CN_METRIC_EXTRAPOLATED,
                       !is_claimed(scenario, m->distance) ||
                           node->load * m->distance > CLAIMED_BY_DEFLECTION * node->channels,
                       0);
    result->saturated = node->load * m->h > node->channels;
}

/* At a smaller load the products of the chain leave the range of a double. */
static const double NO_LOAD = 1e-300;

cn_status cni_predict_deflection(const cn_scenario *scenario, cn_result *result)
{
    model m;
    CNI_TRY(open_model(scenario, &m));
    cn_status status = CN_OK;
    if (m.node.load > NO_LOAD) {
        status = balance_flows(&m);
        if (status == CN_OK && m.is_own && m.transit > 0.0)
            status = settle_own(&m);
    } else {
        cni_node_chain_empty(&m.node);
        status = follow_chain(&m);
    }
    if (status == CN_OK)
        put_metrics(&m, scenario, result);
    close_model(&m);
    return status;
}

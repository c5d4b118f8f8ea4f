/*
 * The model of cut-through with deflection ((C5) to (C7) of docs/theory/cut-through.md). A cycle
 * has n + m mini-cycles. The model follows mean numbers of messages from mini-cycle to mini-cycle
 * until a cycle is like the last.
 *
 * - Messages by header and age: the mean number of messages of each header in a node. In mini-cycle
 *   j the headers that channel j brings closer compete, and the oldest wins. In the order of age,
 *   E[(1 - u)^Q - (1 - v)^Q] headers between the shares u and v win in a node on average (C5). Q is
 *   the number that compete in a node. The header of a winner loses a hop. This is the hop diagram
 *   of a message, drawn for every mini-cycle.
 * - Nodes: for each channel the joint distribution of the headers in a node and of the headers that
 *   compete for the channel (cut_through_node.h). It has Q and the share of full nodes.
 */
#include "queueing/deflection/cut_through_deflection.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/memory.h"
#include "queueing/deflection/cut_through_node.h"
#include "queueing/deflection/deflection_model.h"
#include "scenario/scenario.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

enum {
    /* The time grows with nodes times ages, and with the square of the buffers. */
    MOST_HEADERS = 4096,
    MOST_BUFFERS = 64,
    AGES = 64,      /* 64 ages go 16 cycles back. The last age holds all older messages. */
    AGES_CYCLE = 4, /* ages in a cycle */
    /* Steps for the m mini-cycles without headers that move. Messages are only admitted there,
     * so long steps lose little. */
    MOST_STEPS = 64
};

/* The model is at rest when the mean queue changes by less than AT_REST in a cycle, and the
 * admitted and the delivered messages differ by less than IN_BALANCE. The chains still come
 * closer to each other for thousands of cycles, but the queue moves by less than a ten
 * thousandth. */
static const double AT_REST = 1e-7, IN_BALANCE = 1e-6;

/* The load that stands for no load: at this load no message is ever in the way of another. */
static const double NO_LOAD = 1e-12;

/* The model takes at most this multiple of the load that fills the channels when no message is
 * deflected. A node is as good as full from there on, and more load changes the delay by a few
 * per cent. With much more load the chains would have only full nodes to agree on. */
static const double FULL_LOAD = 8.0;

/* The first LEAST_CYCLES cycles fill the empty network. The result is CN_ERR_CONVERGENCE after
 * MOST_CYCLES. */
enum { LEAST_CYCLES = 4, MOST_CYCLES = 20000 };

/* The sums of a cycle: headers in a node at the start of each mini-cycle; headers that come in,
 * arrive, are forced out, and cross a channel. */
typedef struct sums {
    double queue, accepted, delivered, deflected, sent;
} sums;

typedef struct model {
    uint32_t channels;
    size_t headers;
    uint64_t radix, period;
    double load;
    size_t buffers;
    cni_budget *budget;
    uint32_t *wants; /* by header: a bit for each channel that brings it closer */
    double *lean;    /* by header: new messages with it, relative to uniform traffic */
    /* the sum of `lean` over the headers that one channel brings closer; the sum of distance times
     * lean */
    double wanting_new;
    double distance;
    /* by channel: the number that a hop takes off the number of a header */
    uint64_t step[CNI_MAX_DIMENSIONS];
    double *mean; /* by age and header: mean messages in a node */
    void *block;  /* holds the arrays */
    /* by header: work space of a mini-cycle; the headers that crossed the present channel */
    double *next, *came;
    cni_wants *node;   /* by channel: the chain of a node */
    double *by_number; /* 3 rows, by number of headers */
    /* by age: messages that compete for the present channel; all other messages */
    double wanting[AGES], rest[AGES];
    sums cycle;
} model;

cn_status cni_check_cut_through_deflection(const char *function, const cn_topology *topology)
{
    if (topology->nodes <= MOST_HEADERS && topology->max_degree == topology->dimensions)
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "%s: the model covers Boolean n-cubes and k-ary n-cubes of one-way rings with at "
        "most %d nodes; cn_simulate() runs %s",
        function, (int)MOST_HEADERS, topology->name);
}

/* With 2 buffers the model deflects more often than the machine. Delays are too long by 1 % on
 * the 4-ary 2-cube, 7 % on the 8-ary and 29 % on the 16-ary one. The reason is not known. */
enum { LEAST_BUFFERS_ON_2_CUBES = 3 };

cn_status cni_check_own_cut_through_deflection(const char *function, const cn_scenario *scenario)
{
    const cn_topology *t = scenario->topology;
    if (cni_is_hypercube(t) || t->dimensions != 2 ||
        scenario->value[CN_PARAM_BUFFERS] >= LEAST_BUFFERS_ON_2_CUBES)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: the model of cut-through-deflection covers k-ary 2-cubes with at least %d "
                    "buffers, but not %s with "
                    "buffers = %g; cn_simulate() does",
                    function, LEAST_BUFFERS_ON_2_CUBES, t->name, scenario->value[CN_PARAM_BUFFERS]);
}

/* The accuracy is claimed from this share of the mean distance of uniform traffic on
 * (docs/lab/accuracy.md): with shorter ways the delays are too short. It is claimed up to 3
 * times the load that fills the channels. With many buffers it is claimed up to 0.8 of that
 * load: the messages that a full node sends fill its neighbours and come back, and the model of
 * single nodes lacks this. On a single one-way ring no accuracy is claimed with four buffers, for
 * delays are up to 6.6 % too short. */
static const double NEAREST_CLAIMED = 0.6;
enum { MOST_CLAIMED_ON_RINGS = 3 };

static int is_claimed(const model *m, double distance)
{
    double channels = m->channels, nodes = (double)m->headers;
    double uniform = channels * (double)(m->radix - 1) / 2.0 * nodes / (nodes - 1.0);
    double most = m->buffers > 4 * m->channels ? 0.8 : 3.0;
    if (m->channels == 1 && m->radix > 2 && m->buffers > MOST_CLAIMED_ON_RINGS)
        return 0;
    return distance >= NEAREST_CLAIMED * uniform &&
           m->load * distance * (double)m->period <= most * channels;
}

static void close_model(model *m)
{
    for (uint32_t j = 0; m->node != NULL && j < m->channels; j++)
        cni_release(m->node[j].probability);
    cni_release(m->block);
}

/* Finds the channels that bring each header closer: those of its digits that are not 0. */
static void find_wants(model *m)
{
    uint64_t step = 1;
    for (uint32_t j = 0; j < m->channels; j++, step *= m->radix) {
        m->step[j] = step;
        for (uint64_t h = 0; h < m->headers; h++)
            m->wants[h] |= (uint32_t)(h / step % m->radix != 0) << j;
    }
}

/* Sums over the headers that a channel brings closer. */
static double sum_wanting(const model *m, const double by_header[], uint32_t channel)
{
    double sum = 0.0;
    for (uint64_t h = 1; h < m->headers; h++)
        sum += (m->wants[h] >> channel & 1) != 0 ? by_header[h] : 0.0;
    return sum;
}

/* With uniform traffic all terms are whole numbers, so the sums are exact. */
static void find_lean(model *m, const cn_traffic *traffic)
{
    for (uint64_t h = 1; h < m->headers; h++) {
        uint64_t distance = 0;
        for (uint64_t rest = h; rest > 0; rest /= m->radix)
            distance += rest % m->radix;
        m->lean[h] = cni_traffic_lean(traffic, distance);
        m->distance += (double)distance * m->lean[h];
    }
    m->wanting_new = sum_wanting(m, m->lean, 0);
}

static cn_status open_model(const cn_scenario *scenario, model *m)
{
    const cn_topology *t = scenario->topology;
    uint64_t tail = (uint64_t)scenario->value[CN_PARAM_MESSAGE_FLITS] - 1;
    *m = (model){.channels = t->dimensions,
                 .radix = t->radix[0],
                 .headers = cni_size(t->nodes),
                 .period = t->dimensions + tail,
                 .load = scenario->value[CN_PARAM_LOAD],
                 .buffers = (size_t)scenario->value[CN_PARAM_BUFFERS],
                 .budget = scenario->budget};
    if (m->buffers > MOST_BUFFERS)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: buffers = %zu, but the model of cut-through-deflection covers "
                        "at most %d; cn_simulate() runs more",
                        m->buffers, (int)MOST_BUFFERS);
    const cni_array arrays[] = {
        CNI_ARRAY(m->wants, m->headers),       CNI_ARRAY(m->lean, m->headers),
        CNI_ARRAY(m->mean, AGES * m->headers), CNI_ARRAY(m->next, 2 * m->headers),
        CNI_ARRAY(m->node, m->channels),       CNI_ARRAY(m->by_number, 3 * (m->buffers + 1))};
    CNI_TRY(cni_allocate_arrays(&m->block, arrays));
    m->came = m->next + m->headers;
    for (uint32_t j = 0; j < m->channels; j++) {
        m->node[j] = (cni_wants){m->buffers,
                                 cni_allocate((m->buffers + 1) * (m->buffers + 1), sizeof(double))};
        CNI_TRY_MEMORY(m->node[j].probability);
        m->node[j].probability[0] = 1.0;
    }
    find_wants(m);
    find_lean(m, cni_traffic_of(scenario));
    return CN_OK;
}

/* ---- a mini-cycle in which headers move ---- */

/* Mean headers in a node before a channel is used: all headers; by channel, the headers that it
 * brings closer, and the headers that both it and the used channel bring closer. */
typedef struct crossing_means {
    double all, wanting[CNI_MAX_DIMENSIONS], both[CNI_MAX_DIMENSIONS];
} crossing_means;

/* Divides the messages before channel j is used: by age into messages that compete for the
 * channel and other messages, and by the other channels that bring a message closer. */
static void divide_messages(model *m, uint32_t j, crossing_means *means)
{
    memset(m->next, 0, m->headers * sizeof *m->next);
    for (size_t a = 0; a < AGES; a++) {
        const double *mean = m->mean + a * m->headers;
        m->wanting[a] = m->rest[a] = 0.0;
        for (uint64_t h = 1; h < m->headers; h++) {
            m->next[h] += mean[h];
            *((m->wants[h] >> j & 1) != 0 ? &m->wanting[a] : &m->rest[a]) += mean[h];
        }
        means->all += m->wanting[a] + m->rest[a];
    }
    for (uint32_t i = 0; i < m->channels; i++)
        for (uint64_t h = 1; h < m->headers; h++) {
            double wants = (m->wants[h] >> i & 1) != 0 ? m->next[h] : 0.0;
            means->wanting[i] += wants;
            means->both[i] += (m->wants[h] >> j & 1) != 0 ? wants : 0.0;
        }
}

/* Moves the messages of one age over channel j: the share `forward` of the messages that it
 * brings closer, and the share `aside` of the others. */
static void move_headers_of_age(model *m, uint32_t j, size_t age, double forward, double aside)
{
    double *mean = m->mean + age * m->headers;
    uint64_t back = (m->radix - 1) * m->step[j];
    memcpy(m->next, mean, m->headers * sizeof *mean);
    for (uint64_t h = 1; h < m->headers; h++) {
        int wants = (m->wants[h] >> j & 1) != 0;
        uint64_t to = wants ? h - m->step[j] : h + back;
        double crosses = mean[h] * (wants ? forward : aside);
        m->next[h] -= crosses;
        m->next[to] += crosses;
        m->came[to] += crosses;
    }
    memcpy(mean, m->next, m->headers * sizeof *mean);
    mean[0] = 0.0;
}

/* Returns the mean number of winners in a node, (C5), among the oldest of the messages that
 * compete: all but the share `younger`. */
static double winners_of(const double wanting[], size_t most, double younger)
{
    double won = 0.0, power = 1.0;
    for (size_t q = 1; q <= most; q++) {
        power *= younger;
        won += wanting[q] * (1.0 - power);
    }
    return won;
}

/* Moves headers over channel j: the oldest that compete (C5), and from full nodes where none
 * competes the youngest. */
static void move_headers(model *m, uint32_t j, const double wanting[], double forward, double aside)
{
    double all = 0.0, others = 0.0, older = 0.0, younger = 0.0, before = 0.0;
    double out[AGES], in[AGES] = {0};
    for (size_t a = 0; a < AGES; a++) {
        all += m->wanting[a];
        others += m->rest[a];
    }
    for (size_t a = 0; a < AGES && others > 0.0; a++) { /* (C5) from the youngest, with M for Q */
        double then = younger + m->rest[a] / others;
        double part = pow(fmax(0.0, 1.0 - younger), (double)m->buffers) -
                      pow(fmax(0.0, 1.0 - then), (double)m->buffers);
        in[a] = m->rest[a] > 0.0 ? fmin(1.0, aside * part / m->rest[a]) : 0.0;
        younger = then;
    }
    for (size_t a = AGES; a-- > 0;) {
        older += all > 0.0 ? m->wanting[a] / all : 0.0;
        double won = a == 0 ? forward : winners_of(wanting, m->buffers, fmax(0.0, 1.0 - older));
        out[a] = m->wanting[a] > 0.0 ? fmin(1.0, (won - before) / m->wanting[a]) : 0.0;
        before = won;
    }
    memset(m->came, 0, m->headers * sizeof *m->came);
    for (size_t a = 0; a < AGES; a++)
        if (m->wanting[a] + m->rest[a] > 0.0)
            move_headers_of_age(m, j, a, out[a], in[a]);
}

/* Takes the headers that crossed channel j into the chains of all channels. */
static void update_chains(model *m, uint32_t j, const crossing_means *means, double stay)
{
    for (uint32_t i = 0; i < m->channels; i++) {
        double come = stay > 0.0 ? fmin(1.0, sum_wanting(m, m->came, i) / stay) : 0.0;
        double wanting = means->wanting[i], both = means->both[i], rest = means->all - wanting;
        cni_crossing_wants crossing = {
            wanting > 0.0 ? fmin(1.0, both / wanting) : 0.0,
            rest > 0.0 ? fmin(1.0, fmax(0.0, means->wanting[j] - both) / rest) : 0.0, come};
        if (i == j)
            cni_wants_cross(&m->node[i], stay, come);
        else
            cni_wants_pass(&m->node[i], stay, &crossing, m->by_number);
    }
}

/* Makes mini-cycle j, in which headers cross channel j of every node. */
static void cross_channels(model *m, uint32_t j)
{
    crossing_means means = {0};
    double forward = 0.0, *headers = m->by_number, *sends = headers + m->buffers + 1;
    double *competes = sends + m->buffers + 1;
    divide_messages(m, j, &means);
    for (uint32_t i = 0; i < m->channels; i++)
        cni_wants_agree(&m->node[i], means.all, means.wanting[i]);
    cni_wants_read(&m->node[j], headers, sends, competes);
    for (size_t i = 1; i <= m->buffers; i++)
        forward += headers[i] * sends[i];
    double aside = headers[m->buffers] * (1.0 - sends[m->buffers]), crossing = forward + aside;
    move_headers(m, j, competes, forward, aside);
    update_chains(m, j, &means, fmax(0.0, crossing - m->came[0]));
    m->cycle.sent += crossing;
    m->cycle.deflected += aside;
    m->cycle.delivered += m->came[0];
}

/* ---- a whole cycle ---- */

/* Admits the new messages of `length` mini-cycles from the time `at` in the cycle on. Returns
 * how many messages come in. */
static double admit_messages(model *m, double at, double length)
{
    double load = m->load * length, before = cni_wants_headers(&m->node[0]);
    double share = m->wanting_new / (double)(m->headers - 1);
    for (uint32_t i = 0; i < m->channels; i++)
        cni_wants_admit(&m->node[i], load / (1.0 + load), share, m->by_number);
    double accepted = cni_wants_headers(&m->node[0]) - before;
    size_t age = AGES_CYCLE - 1 - (size_t)(at * AGES_CYCLE / (double)m->period);
    for (uint64_t h = 1; h < m->headers; h++)
        m->mean[age * m->headers + h] += accepted / (double)(m->headers - 1) * m->lean[h];
    m->cycle.accepted += accepted;
    return accepted;
}

/* Begins a cycle: every message becomes a cycle older. The last age keeps its messages, and gets
 * all messages that become older than it. */
static void age_messages(model *m)
{
    double *oldest = m->mean + (AGES - 1) * m->headers;
    for (size_t a = AGES - AGES_CYCLE; a < AGES - 1; a++)
        for (uint64_t h = 1; h < m->headers; h++)
            oldest[h] += m->mean[a * m->headers + h];
    memcpy(m->next, oldest, m->headers * sizeof *oldest);
    memmove(m->mean + AGES_CYCLE * m->headers, m->mean,
            (AGES - AGES_CYCLE) * m->headers * sizeof *m->mean);
    memset(m->mean, 0, AGES_CYCLE * m->headers * sizeof *m->mean);
    for (uint64_t h = 1; h < m->headers; h++)
        oldest[h] += m->next[h];
}

static cn_status run_cycle(model *m)
{
    uint64_t idle = m->period - m->channels, steps = idle < MOST_STEPS ? idle : MOST_STEPS;
    uint64_t states = m->channels * (m->buffers + 1) * (m->buffers + 1);
    m->cycle = (sums){0};
    age_messages(m);
    for (uint32_t j = 0; j < m->channels; j++) {
        m->cycle.queue += cni_wants_headers(&m->node[0]);
        cross_channels(m, j);
        admit_messages(m, j, 1.0);
        CNI_TRY(cni_budget_go_on(m->budget, 4 * AGES * m->headers + 8 * states));
    }
    for (uint64_t s = 0; s < steps; s++) {
        double length = (double)idle / (double)steps, before = cni_wants_headers(&m->node[0]);
        double came = admit_messages(m, (double)m->channels + (double)s * length, length);
        m->cycle.queue += length * before + 0.5 * (length - 1.0) * came;
        CNI_TRY(cni_budget_go_on(m->budget, 2 * states));
    }
    return CN_OK;
}

static cn_status settle_model(model *m)
{
    for (int c = 0; c < MOST_CYCLES; c++) {
        sums before = m->cycle;
        CNI_TRY(run_cycle(m));
        double change = fabs(m->cycle.queue - before.queue) / (m->cycle.queue + 1e-300);
        double gap = fabs(m->cycle.accepted - m->cycle.delivered) / (m->cycle.accepted + 1e-300);
        if (c >= LEAST_CYCLES && change < AT_REST && gap < IN_BALANCE)
            return CN_OK;
    }
    return cni_fail(CN_ERR_CONVERGENCE,
                    "cn_predict: the model of cut-through-deflection did not settle at load = %g",
                    m->load);
}

/* ---- the result ---- */

static void put_metrics(const model *m, const cn_topology *topology, cn_result *result)
{
    const sums *s = &m->cycle;
    double period = (double)m->period, tail = period - m->channels, flits = tail + 1.0;
    double nodes = (double)topology->nodes, channels = m->channels, hops = s->sent / s->delivered;
    double distance = m->distance / (nodes - 1.0);
    cni_put_deflected(
        &(cni_deflected){
            .nodes = nodes,
            .load = m->load,
            .accepted = fmin(1.0, s->accepted / (period * fmax(m->load, NO_LOAD))),
            .queue = s->queue / period,
            .delay = s->queue / s->accepted + tail,
            .rho = fmin(1.0, flits * s->sent / period / channels), /* rounding may exceed 1 */
            .deflected = flits * s->deflected / period / channels,
            .hops = hops,
            .distance = distance},
        result);
    cni_result_put(result, CN_METRIC_EXTRAPOLATED, !is_claimed(m, distance), 0);
    result->saturated = m->load * hops * period > channels;
}

cn_status cni_predict_cut_through_deflection(const cn_scenario *scenario, cn_result *result)
{
    model m;
    cn_status status = open_model(scenario, &m);
    if (status == CN_OK) {
        double hops = m.distance / (double)m.headers, channels = m.channels;
        m.load = fmin(fmax(m.load, NO_LOAD), FULL_LOAD * channels / hops / (double)m.period);
        status = settle_model(&m);
    }
    m.load = scenario->value[CN_PARAM_LOAD];
    if (status == CN_OK)
        put_metrics(&m, scenario->topology, result);
    close_model(&m);
    return status;
}

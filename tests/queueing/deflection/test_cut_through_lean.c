/* What comes over a channel to nodes that hold more or fewer headers: the covariances of the model of cut-through with
 * deflection beside sums over all states. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "queueing/deflection/cut_through_lean.h"
#include "queueing/deflection/cut_through_node.h"

enum { STATES = 400, BUFFERS = 6, ROWS = BUFFERS + 1 };

/* A queue that gets one with each of these probabilities in a cycle, and then sends one with probability `sends` if there
 * is any. In place: the distribution after a cycle, before it sends; returns the probability that it sends. */
static double pass_cycle(double x[], const double comes[], size_t channels, double sends)
{
    double sent = 0.0;
    for (size_t i = 1; i < STATES; i++) {
        sent += sends * x[i];
        x[i - 1] += sends * x[i];
        x[i] -= sends * x[i];
    }
    for (size_t c = 0; c < channels; c++)
        for (size_t i = STATES; i-- > 0;)
            x[i] = x[i] * (1.0 - comes[c]) + (i > 0 ? x[i - 1] * comes[c] : 0.0);
    return sent;
}

/* The covariances of sending 1, 2, ... cycles apart, from the distribution before it sends. */
static void find_covariances(const double before[], const double comes[], size_t channels,
                             double sends, double covariance[], size_t count)
{
    double x[STATES] = {0}, sent = 0.0;
    for (size_t i = 1; i < STATES; i++) { /* those that send now */
        x[i - 1] = sends * before[i];
        sent += sends * before[i];
    }
    for (size_t c = 0; c < channels; c++)
        for (size_t i = STATES; i-- > 0;)
            x[i] = x[i] * (1.0 - comes[c]) + (i > 0 ? x[i - 1] * comes[c] : 0.0);
    for (size_t t = 0; t < count; t++)
        covariance[t] = pass_cycle(x, comes, channels, sends) - sent * sent;
}

/* The headers without another hop: c(1), and the sum of all c, are those of the queue. */
static void headers_with_one_hop_left_take_turns(void **state)
{
    (void)state;
    static const struct {
        double comes[3], sends;
    } cases[] = {{{0.1, 0.2, 0.05}, 0.8}, {{0.3, 0.3, 0.3}, 1.0}, {{0.02, 0.01, 0.0}, 0.3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double x[STATES] = {1.0}, covariance[2000], excess[ROWS] = {0}, sum = 0.0, waiting = 0.0;
        double sent[ROWS] = {0.4, 0.3, 0.2, 0.1};
        cni_lean lean = {.buffers = BUFFERS, .excess = excess};
        for (int cycle = 0; cycle < 5000; cycle++)
            pass_cycle(x, cases[k].comes, 3, cases[k].sends);
        find_covariances(x, cases[k].comes, 3, cases[k].sends, covariance, 2000);
        for (size_t i = 0; i < STATES; i++)
            waiting += (double)i * x[i];
        for (size_t t = 0; t < 2000; t++)
            sum += covariance[t];
        for (size_t c = 0; c < 3; c++)
            cni_lean_last_hops(&lean, cases[k].comes[c], cases[k].comes[c] * cases[k].comes[c]);
        double moment = lean.last_hops * lean.last_hops - lean.squares;
        assert_near(sum, moment / 2.0, 1e-9);
        cni_lean_renew(&lean, &(cni_lean_causes){sent, 0.5, 0.0, waiting});
        for (size_t i = 0; i < ROWS; i++)
            assert_near(excess[i], covariance[0] * ((i > 0 ? sent[i - 1] : 0.0) - sent[i]), 1e-10);
        assert_near(lean.added, covariance[0], 1e-10);
    }
}

/* New ones come one by one, but in no order: as many small batches. */
static void new_headers_come_at_random(void **state)
{
    (void)state;
    double excess[2][ROWS] = {{0}};
    cni_lean one = {.buffers = BUFFERS, .excess = excess[0]},
             many = {.buffers = BUFFERS, .excess = excess[1]};
    cni_lean_last_hops(&one, 0.3, 0.0);
    for (int i = 0; i < 30; i++)
        cni_lean_last_hops(&many, 0.01, 0.0);
    assert_near(one.any, 1.0 - exp(-0.3), 1e-14);
    assert_near(many.any, one.any, 1e-14);
    assert_near(many.last_hops, one.last_hops, 1e-14);
}

/* An excess adds nothing to the number of nodes, and what comes is in the mean what comes to all. */
static void an_excess_is_nothing_in_sum(void **state)
{
    (void)state;
    static const double sends[ROWS] = {0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97};
    double excess[ROWS] = {-0.02, -0.03, -0.01, 0.01, 0.02, 0.02, 0.01}, stay[ROWS], mean = 0.0;
    double headers[ROWS] = {0.1, 0.2, 0.25, 0.2, 0.1, 0.1, 0.05};
    cni_lean lean = {.buffers = BUFFERS, .excess = excess};
    cni_lean_cross(&lean, sends, 0.4);
    cni_lean_admit(&lean, 0.2);
    cni_lean_send(BUFFERS, sends, headers);
    cni_lean_send(BUFFERS, sends, excess);
    assert_true(headers[BUFFERS] == 0.0 && excess[BUFFERS] == 0.0);
    cni_lean_causes causes = {headers, 0.6, 0.01, 0.0};
    cni_lean_read(&lean, &causes, stay);
    for (size_t i = 0; i < BUFFERS; i++) {
        assert_near(stay[i], 0.6 + excess[i] / headers[i], 1e-14);
        mean += headers[i] * stay[i];
    }
    assert_near(mean, 0.6, 1e-14);
    lean.added = 0.1;
    cni_lean_renew(&lean, &causes);
    double sum = 0.0;
    for (size_t i = 0; i < ROWS; i++)
        sum += excess[i];
    assert_near(sum, 0.0, 1e-15);
    assert_true(lean.lasts > 0.0 && lean.lasts < 1.0);
}

/* ---- the chain of a channel ---- */

typedef struct chain {
    double of[2 * ROWS * ROWS];
    cni_wants wants;
} chain;

static const double stay[ROWS] = {0.3, 0.4, 0.5, 0.5, 0.6, 0.6, 0.0};

static void open_chain(chain *c)
{
    memset(c, 0, sizeof *c);
    c->wants = (cni_wants){BUFFERS, c->of, c->of + ROWS * ROWS};
}

/* A cycle in which another channel is used, too: it sends one of the headers in half of the nodes that have some. */
static void go_round(chain *c, double z)
{
    static const double half[ROWS] = {0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    double spare[4 * ROWS];
    cni_wants_cross(&c->wants, &(cni_crossing_rates){NULL, stay}, 0.3, z);
    cni_wants_pass(&c->wants, &(cni_crossing_rates){half, stay},
                   &(cni_crossing_wants){0.4, 0.6, 0.2, 0.5}, spare);
    cni_wants_admit(&c->wants, 0.3, 0.5, spare);
}

static double sending(const cni_wants *w)
{
    double headers[ROWS], sends[ROWS], wanting[ROWS], sum = 0.0;
    cni_wants_read(w, headers, sends, wanting);
    for (size_t i = 0; i < BUFFERS; i++)
        sum += headers[i] * sends[i];
    return sum + headers[BUFFERS];
}

/* With z = 0 a chain in balance says what nodes that have just sent do; followed by itself for t cycles, what they do then.
 * The sum of z^(t-1) of that is what the chain with z says. */
static void nodes_that_have_sent_send_again(void **state)
{
    (void)state;
    chain all, those;
    open_chain(&all);
    all.of[0] = 1.0;
    for (int cycle = 0; cycle < 400; cycle++)
        go_round(&all, 0.0);
    double often = sending(&all.wants), again = cni_wants_again(&all.wants), sum = 0.0;
    for (size_t at = 0; at < ROWS * ROWS; at++)
        sum += all.wants.since[at];
    assert_near(sum, 0.0, 1e-12);
    assert_true(often > 0.1 && often < 0.99 && again > 0.0 && again < often * (1.0 - often));
    open_chain(&those);
    memcpy(those.of, all.of, sizeof all.of);
    double total = 0.0, share = 1.0;
    for (int t = 0; t < 200; t++, share *= 0.7) {
        total += share * cni_wants_again(&those.wants);
        go_round(&those,
                 1.0); /* and takes in those that have sent in this cycle: not wanted here */
        for (size_t at = 0; at < ROWS * ROWS; at++)
            those.wants.since[at] -= all.wants.since[at];
    }
    for (int cycle = 0; cycle < 400; cycle++)
        go_round(&all, 0.7);
    assert_near(cni_wants_again(&all.wants), total, 1e-10);
}

/* ---- the whole model ---- */

static int count_look(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)done, (void)total, (void)lower, (void)upper;
    ++*(int *)user;
    return 0;
}

/* Whoever waits for a prediction with many buffers is asked for every few million steps, however few headers there are. */
static void many_buffers_are_work(void **state)
{
    (void)state;
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_control *control = NULL;
    cn_result *result = NULL;
    int looks = 0;
    assert_ok(cn_topology_hypercube(4, &topology));
    assert_ok(cn_scenario_new(topology, "cut-through-deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 64));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 100));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5 * 2.0 / 103.0));
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, count_look, &looks));
    assert_ok(cn_predict(scenario, control, &result));
    assert_true(looks > 100);
    cn_result_free(&result);
    cn_control_free(&control);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_with_one_hop_left_take_turns),
        cmocka_unit_test(new_headers_come_at_random),
        cmocka_unit_test(an_excess_is_nothing_in_sum),
        cmocka_unit_test(nodes_that_have_sent_send_again),
        cmocka_unit_test(many_buffers_are_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

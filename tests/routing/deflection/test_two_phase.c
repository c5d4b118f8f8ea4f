#include "support/support.h"

#include "base/random.h"

#include <string.h>

#define STAYS CN_NO_PORT

enum { MOST_PORTS = 64, MOST_MESSAGES = 3 * MOST_PORTS };

/* What a node is given, and what the description says it must answer. */
static cn_topology *network;
static uint32_t ports; /* P */
static uint64_t headers[MOST_MESSAGES];
static uint32_t words[MOST_MESSAGES + MOST_PORTS];
#define WORDS (sizeof words / sizeof words[0])
static uint32_t found[MOST_MESSAGES + 1];
static uint32_t expected[MOST_MESSAGES];

/* Element floor(r w / 2^32) of the set, counted in ascending order. */
static uint32_t pick(const int in_set[], uint32_t word)
{
    uint64_t size = 0;
    for (uint32_t p = 0; p < ports; p++)
        size += (uint64_t)in_set[p];
    assert_true(size > 0);
    uint64_t rank = word * size / (UINT64_C(1) << 32);
    for (uint32_t p = 0;; p++)
        if (in_set[p] && rank-- == 0)
            return p;
}

/* How many of the messages prefer a port. */
static uint32_t wanting(size_t count, uint32_t port)
{
    uint32_t messages = 0;
    for (size_t m = 0; m < count; m++) {
        uint64_t preferred;
        assert_ok(cn_route_preferred(network, headers[m], &preferred));
        messages += (uint32_t)(preferred >> port & 1);
    }
    return messages;
}

/* Takes from a set of ports those that the selection does not pick. */
static void narrow(int in_set[], cn_selection selection, const uint32_t wanted[])
{
    uint32_t best = MOST_PORTS;
    for (uint32_t p = 0; p < ports && selection != CN_SELECTION_RANDOM; p++)
        if (in_set[p] && (best == MOST_PORTS ||
                          (selection == CN_SELECTION_LEAST_LOADED && wanted[p] < wanted[best])))
            best = p;
    for (uint32_t p = 0; p < ports && selection == CN_SELECTION_LOWEST; p++)
        in_set[p] = p == best;
    for (uint32_t p = 0; p < ports && selection == CN_SELECTION_LEAST_LOADED; p++)
        in_set[p] = in_set[p] && wanted[p] == wanted[best];
}

/* The assignment, step by step as it is described, with sets as arrays. */
static void assign_as_described(size_t count, uint64_t buffers, cn_selection selection)
{
    uint32_t wanted[MOST_PORTS];
    for (uint32_t p = 0; p < ports; p++)
        wanted[p] = wanting(count, p);
    int taken[MOST_PORTS] = {0}, in_set[MOST_PORTS];
    uint32_t won = 0; /* j */
    for (size_t m = 0; m < count; m++) {
        uint64_t preferred;
        assert_ok(cn_route_preferred(network, headers[m], &preferred));
        for (uint32_t p = 0; p < ports; p++)
            in_set[p] = (preferred >> p & 1) != 0;
        narrow(in_set, selection, wanted);
        uint32_t claimed = pick(in_set, words[m]);
        expected[m] = taken[claimed] ? CN_NO_PORT : claimed;
        won += (uint32_t)!taken[claimed];
        taken[claimed] = 1;
    }
    int64_t to_force = (int64_t)ports - ((int64_t)buffers - (int64_t)count + (int64_t)won);
    size_t forced = 0;
    for (size_t m = count; m-- > 0 && (int64_t)forced < to_force;) {
        if (expected[m] != CN_NO_PORT)
            continue;
        for (uint32_t p = 0; p < ports; p++)
            in_set[p] = !taken[p];
        expected[m] = pick(in_set, words[count + forced]);
        taken[expected[m]] = 1;
        forced++;
    }
    assert_true(to_force <= 0 || (int64_t)forced == to_force);
}

/* The consequences that must hold in every cycle (Horng 1992, 3.2). */
static void check_consequences(size_t count, uint64_t buffers)
{
    int taken[MOST_PORTS] = {0};
    size_t stay = 0;
    for (size_t m = 0; m < count; m++) {
        if (found[m] == CN_NO_PORT) {
            stay++;
            continue;
        }
        assert_true(found[m] < ports);
        assert_false(taken[found[m]]);
        taken[found[m]] = 1;
    }
    assert_true(stay + ports <= buffers); /* room for what all neighbours may send */
    if (count > 0) {
        uint64_t preferred;
        assert_true(found[0] < ports);
        assert_ok(cn_route_preferred(network, headers[0], &preferred));
        assert_true((preferred >> found[0] & 1) != 0);
    }
}

/* By every selection, at last by the random one. */
static void check(size_t count, uint64_t buffers)
{
    for (int by = CN_SELECTION_LEAST_LOADED; by >= CN_SELECTION_RANDOM; by--) {
        cn_selection selection = (cn_selection)by;
        found[count] = 4711;
        assert_ok(
            cn_route_two_phase(network, headers, count, buffers, selection, words, WORDS, found));
        assert_int_equal(found[count], 4711);
        assign_as_described(count, buffers, selection);
        size_t message;
        assert_ok(cn_route_two_phase_check(network, headers, count, buffers, found, &message));
        assert_memory_equal(found, expected, count * sizeof found[0]);
        check_consequences(count, buffers);
    }
}

/* All M from P to 3P (or some of them), some counts each, headers near and far. */
static void check_network(uint32_t trials)
{
    ports = cn_topology_max_degree(network);
    uint64_t stream = cni_random_derive(ports, cn_topology_node_count(network)), next = 0;
    for (uint64_t buffers = ports; buffers <= 3 * ports; buffers += ports > 12 ? 7 : 1)
        for (uint32_t trial = 0; trial < trials; trial++) {
            size_t count = cni_random_word(stream, next++) % (buffers + 1);
            uint64_t nodes = cn_topology_node_count(network);
            if (trial < 3) /* full, empty, and as many as there are channels */
                count = trial == 0 ? buffers : trial == 1 ? 0 : ports;
            /* few headers: many that claim the same channels */
            uint64_t range = trial % 2 == 0 || nodes < 5 ? nodes - 1 : 3;
            for (size_t m = 0; m < count; m++)
                headers[m] = 1 + cni_random_word(stream, next++) % range;
            for (size_t w = 0; w < count + ports; w++)
                words[w] = (uint32_t)cni_random_word(stream, next++);
            check(count, buffers);
        }
    cn_topology_free(&network);
}

static void cubes_assign_as_described(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 9; n++) {
        assert_ok(cn_topology_hypercube(n, &network));
        check_network(60);
    }
    assert_ok(cn_topology_hypercube(62, &network));
    check_network(20);
}

static void kary_cubes_assign_as_described(void **state)
{
    (void)state;
    for (int bidirectional = 0; bidirectional < 2; bidirectional++) {
        for (uint64_t k = 2; k <= 6; k++)
            for (uint32_t n = 1; n <= 4; n++) {
                assert_ok(cn_topology_kary_ncube(k, n, bidirectional, &network));
                check_network(40);
            }
        assert_ok(cn_topology_kary_ncube(3, 32, bidirectional, &network)); /* up to 64 ports */
        check_network(20);
        assert_ok(cn_topology_kary_ncube(1000003, 3, bidirectional, &network));
        check_network(40);
    }
}

/* The words at the ends of their range pick the first and the last channel. */
static void extreme_words_stay_in_the_set(void **state)
{
    (void)state;
    static const uint32_t ends[] = {0, UINT32_MAX, 0x7fffffff, 0x80000000};
    for (uint32_t n = 1; n <= 8; n++)
        for (int e = 0; e < 4; e++) {
            assert_ok(cn_topology_hypercube(n, &network));
            ports = n;
            for (size_t m = 0; m < 3 * n; m++)
                headers[m] = 1 + m % ((UINT64_C(1) << n) - 1);
            for (size_t w = 0; w < 4 * n; w++)
                words[w] = ends[e];
            for (uint64_t buffers = n; buffers <= 3 * n; buffers++)
                for (size_t count = 0; count <= buffers; count++)
                    check(count, buffers);
            cn_topology_free(&network);
        }
}

static void least_buffers_keep_nothing(void **state)
{
    (void)state;
    assert_ok(cn_topology_hypercube(6, &network));
    ports = 6;
    for (uint64_t trial = 0; trial < 500; trial++) {
        size_t count = trial % 7;
        for (size_t m = 0; m < count; m++)
            headers[m] = 1 + cni_random_word(trial, m) % 63;
        for (size_t w = 0; w < 12; w++)
            words[w] = (uint32_t)cni_random_word(trial, 100 + w);
        check(count, 6);
        for (size_t m = 0; m < count; m++)
            assert_true(found[m] != CN_NO_PORT);
    }
    cn_topology_free(&network);
}

/* A word that picks this element of a set of so many: the middle of its range. */
static uint32_t word_for(uint32_t rank, uint32_t size)
{
    return (uint32_t)(((2 * (uint64_t)rank + 1) << 32) / (2 * size));
}

/* Horng 1992, Figure 3.1: M = 7, n = 6, six messages. Messages 1, 2, 3 and 5 win the channels 3, 5,
 * 0 and 1; 4 and 6 lose; one more must go, and that is message 6. */
static void example_of_the_dissertation(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        uint32_t rank, size; /* of the printed choice among the one-bits, from the right */
        uint32_t port;
    } rows[] = {
        {"001010", 1, 2, 3},          /* picks 3 */
        {"101000", 1, 2, 5},          /* picks 5 */
        {"100001", 0, 2, 0},          /* picks 0 */
        {"110010", 2, 3, CN_NO_PORT}, /* picks 5, which message 2 has */
        {"000011", 1, 2, 1},          /* picks 1 */
        {"111010", 1, 4, 2},          /* picks 3, which message 1 has; phase 2: channel 2 */
    };
    assert_ok(cn_topology_hypercube(6, &network));
    ports = 6;
    for (int m = 0; m < 6; m++) {
        assert_ok(cn_topology_parse_address(network, rows[m].header, &headers[m]));
        words[m] = word_for(rows[m].rank, rows[m].size);
    }
    words[6] = word_for(0, 2); /* channels 2 and 4 are free */
    check(6, 7);
    for (int m = 0; m < 6; m++)
        assert_int_equal(found[m], rows[m].port);
    uint64_t moved, valid;
    assert_ok(cn_route_valid(network, headers[5], &valid));
    assert_int_equal(valid >> 2 & 1, 0); /* message 6 is deflected: one hop more */
    assert_ok(cn_route_move(network, headers[5], 2, &moved));
    assert_int_equal(moved, headers[5] | 4);

    words[6] = word_for(1, 2); /* "if message 6 had been assigned to channel 4 ..." */
    check(6, 7);
    assert_int_equal(found[5], 4);
    assert_int_equal(valid >> 4 & 1, 1); /* "... then no message will be deflected" */

    check(6, 8); /* one buffer more: nobody is forced */
    assert_int_equal(found[3], CN_NO_PORT);
    assert_int_equal(found[5], CN_NO_PORT);
    cn_topology_free(&network);
}

/* The sum of squared deviations of `count`, in units of what is expected. */
static double chi_square(const double count[], const double share[], uint32_t cells, double trials)
{
    double sum = 0;
    for (uint32_t c = 0; c < cells; c++) {
        double mean = trials * share[c];
        if (mean == 0)
            assert_true(count[c] == 0);
        else
            sum += (count[c] - mean) * (count[c] - mean) / mean;
    }
    return sum;
}

/* Limits of chi-square with 5, 4 and 6 degrees of freedom that are passed once in 10^5 times. */
static const double limit_5 = 30.9, limit_4 = 28.5, limit_6 = 33.1;

static void first_pick_is_uniform(void **state)
{
    (void)state;
    static const double sixth[6] = {1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0};
    double count[6] = {0};
    assert_ok(cn_topology_hypercube(6, &network));
    headers[0] = 63;
    for (uint64_t trial = 0; trial < 60000; trial++) {
        words[0] = (uint32_t)(cni_random_word(11, trial) >> 32);
        assert_ok(
            cn_route_two_phase(network, headers, 1, 12, CN_SELECTION_RANDOM, words, WORDS, found));
        count[found[0]]++;
    }
    assert_true(chi_square(count, sixth, 6, 60000) < limit_5);
    cn_topology_free(&network);
}

/* Six messages that all want channel 2: the youngest may meet any of the others with the same
 * probability, and so may, over all trials, the second oldest. */
static void second_pick_is_uniform(void **state)
{
    (void)state;
    static const double fifth[6] = {0.2, 0.2, 0, 0.2, 0.2, 0.2};
    double youngest[6] = {0}, second[6] = {0};
    assert_ok(cn_topology_hypercube(6, &network));
    for (int m = 0; m < 6; m++)
        headers[m] = 4;
    for (uint64_t trial = 0; trial < 30000; trial++) {
        for (uint64_t w = 0; w < 12; w++)
            words[w] = (uint32_t)(cni_random_word(cni_random_derive(12, trial), w) >> 32);
        assert_ok(
            cn_route_two_phase(network, headers, 6, 6, CN_SELECTION_RANDOM, words, WORDS, found));
        assert_int_equal(found[0], 2);
        youngest[found[5]]++;
        second[found[1]]++;
    }
    assert_true(chi_square(youngest, fifth, 6, 30000) < limit_4);
    assert_true(chi_square(second, fifth, 6, 30000) < limit_4);
    cn_topology_free(&network);
}

/* How many of i messages win in phase 1 is distributed as f_{i,j} (Horng 1992, 2.33) when every
 * channel is valid for all of them. */
static void winners_are_distributed_as_modelled(void **state)
{
    (void)state;
    enum { TRIALS = 20000 };
    assert_ok(cn_topology_hypercube(6, &network));
    for (size_t count = 1; count <= 18; count++) {
        double share[7], winners[7] = {0};
        assert_ok(cn_assignment_phase_one(6, count, share, 7, NULL));
        for (size_t m = 0; m < count; m++)
            headers[m] = 63;
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            uint32_t j = 0;
            for (uint64_t w = 0; w < count; w++)
                words[w] = (uint32_t)(cni_random_word(cni_random_derive(count, trial), w) >> 32);
            assert_ok(cn_route_two_phase(network, headers, count, 100, CN_SELECTION_RANDOM, words,
                                         WORDS, found));
            for (size_t m = 0; m < count; m++)
                j += found[m] != CN_NO_PORT;
            winners[j]++;
        }
        /* cells in which little is expected are joined to their neighbour towards the middle */
        for (int j = 0; j < 6; j++)
            if (share[j] * TRIALS < 5) {
                share[j + 1] += share[j];
                winners[j + 1] += winners[j];
                share[j] = winners[j] = 0;
            }
        for (int j = 6; j > 0; j--)
            if (share[j] * TRIALS < 5) {
                share[j - 1] += share[j];
                winners[j - 1] += winners[j];
                share[j] = winners[j] = 0;
            }
        assert_true(chi_square(winners, share, 7, TRIALS) < limit_6);
    }
    cn_topology_free(&network);
}

/* The selection, by hand: what phase 1 gives in the 4-cube, where all may stay. */
static void selections_pick_what_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *headers[4];
        uint32_t lowest[4], least_loaded[4];
        uint32_t ranks[4], sizes[4]; /* of the picks of least-loaded */
    } rows[] = {
        /* wanted by 1, 2, 3 and 1: message 0 avoids the busy channel, 1 and 2 have one each to
         * avoid */
        {{"0110", "1100", "0111", "0100"},
         {1, 2, 0, STAYS},
         {1, 3, 0, 2},
         {0, 0, 0, 0},
         {1, 1, 1, 1}},
        /* equally wanted: the word decides; and who picks does not see what others have picked */
        {{"0011", "0011", "0011", "1100"},
         {0, STAYS, STAYS, 2},
         {1, STAYS, 0, 3},
         {1, 1, 0, 1},
         {2, 2, 2, 2}},
        /* only one wants channel 3, and it wants nothing else */
        {{"1000", "0001", "0001", "0101"},
         {3, 0, STAYS, STAYS},
         {3, 0, STAYS, 2},
         {0, 0, 0, 0},
         {1, 1, 1, 1}},
    };
    assert_ok(cn_topology_hypercube(4, &network));
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        for (int m = 0; m < 4; m++) {
            assert_ok(cn_topology_parse_address(network, rows[r].headers[m], &headers[m]));
            words[m] = word_for(rows[r].ranks[m], rows[r].sizes[m]);
        }
        assert_ok(
            cn_route_two_phase(network, headers, 4, 20, CN_SELECTION_LOWEST, words, WORDS, found));
        assert_memory_equal(found, rows[r].lowest, sizeof rows[r].lowest);
        assert_ok(cn_route_two_phase(network, headers, 4, 20, CN_SELECTION_LEAST_LOADED, words,
                                     WORDS, found));
        assert_memory_equal(found, rows[r].least_loaded, sizeof rows[r].least_loaded);
    }
    cn_topology_free(&network);
}

/* ---- judging ---- */

static int judged_right(size_t count, uint64_t buffers)
{
    size_t message = 4711;
    cn_status status = cn_route_two_phase_check(network, headers, count, buffers, found, &message);
    assert_true(status == CN_OK || status == CN_ERR_STATE);
    assert_true(status == CN_OK ? message == count : message < count);
    return status == CN_OK;
}

/* The next of all ways to give (ports + 1) values to so many digits; 0 after the last. */
static int next_digits(uint32_t digits[], size_t count, uint32_t values)
{
    for (size_t i = 0; i < count; i++) {
        if (++digits[i] < values)
            return 1;
        digits[i] = 0;
    }
    return 0;
}

/* Every assignment there is, of every node of few messages: right are exactly those to which some
 * picks lead. A word (c << 32) / w + 1 picks element c of w, so all picks are all digits c. */
static void right_is_what_some_words_give(void **state)
{
    (void)state;
    enum { MESSAGES = 4 };
    static const struct {
        uint64_t k;
        uint32_t n, values;
    } nets[] = {{2, 2, 2}, {3, 2, 2}, {2, 3, 6}};
    size_t rights = 0, wrongs = 0;
    for (size_t net = 0; net < sizeof nets / sizeof nets[0]; net++) {
        assert_ok(nets[net].k == 2 ? cn_topology_hypercube(nets[net].n, &network)
                                   : cn_topology_kary_ncube(nets[net].k, nets[net].n, 0, &network));
        uint64_t nodes = cn_topology_node_count(network), stream = cni_random_derive(7, net),
                 drawn = 0;
        uint32_t degree = cn_topology_max_degree(network);
        for (int trial = 0; trial < 40; trial++) {
            size_t count = 1 + cni_random_word(stream, drawn++) % MESSAGES;
            uint64_t buffers = degree + cni_random_word(stream, drawn++) % 3;
            if (count > buffers)
                continue;
            for (size_t m = 0; m < count; m++)
                headers[m] = 1 + cni_random_word(stream, drawn++) % (nodes - 1);
            static unsigned char possible[256]; /* by the ports as digits of a number */
            memset(possible, 0, sizeof possible);
            uint32_t pick[MESSAGES + 3] = {0};
            do {
                for (size_t w = 0; w < count + degree; w++)
                    words[w] = (uint32_t)(((uint64_t)pick[w] << 32) / nets[net].values) + 1;
                assert_ok(cn_route_two_phase(network, headers, count, buffers, CN_SELECTION_RANDOM,
                                             words, WORDS, found));
                size_t number = 0;
                for (size_t m = 0; m < count; m++)
                    number = number * (degree + 1) + (found[m] == CN_NO_PORT ? degree : found[m]);
                possible[number] = 1;
            } while (next_digits(pick, count + degree, nets[net].values));
            uint32_t port[MESSAGES] = {0};
            do {
                size_t number = 0;
                for (size_t m = 0; m < count; m++) {
                    number = number * (degree + 1) + port[m];
                    found[m] = port[m] == degree ? CN_NO_PORT : port[m];
                }
                assert_int_equal(judged_right(count, buffers), possible[number]);
                *(possible[number] ? &rights : &wrongs) += 1;
            } while (next_digits(port, count, degree + 1));
        }
        cn_topology_free(&network);
    }
    assert_true(rights > 200 && wrongs > 3000);
}

static void assert_judged(size_t count, uint64_t buffers, const uint64_t given[],
                          const uint32_t assigned[], size_t wrong, const char *sentence)
{
    size_t message = 4711;
    assert_fails(cn_route_two_phase_check(network, given, count, buffers, assigned, &message),
                 CN_ERR_STATE, sentence);
    assert_int_equal(message, wrong);
}

static void the_mistake_is_named(void **state)
{
    (void)state;
    assert_ok(cn_topology_hypercube(3, &network));
    assert_judged(2, 5, (const uint64_t[]){1, 3}, (const uint32_t[]){0, 3}, 1,
                  "message 1 is given channel 3, but there are 0 to 2");
    assert_judged(2, 5, (const uint64_t[]){1, 3}, (const uint32_t[]){0, 0}, 1,
                  "message 1 is given channel 0, which message 0 has");
    assert_judged(3, 5, (const uint64_t[]){1, 1, 4}, (const uint32_t[]){0, STAYS, STAYS}, 2,
                  "message 2 stays although its preferred channel 2 is free");
    assert_judged(
        2, 5, (const uint64_t[]){1, 1}, (const uint32_t[]){STAYS, 0}, 0,
        "message 0 stays although its preferred channel 0 went to message 1, which is younger");
    assert_judged(2, 3, (const uint64_t[]){1, 4}, (const uint32_t[]){0, 1}, 1,
                  "message 1 leaves by channel 1, which it does not prefer, although its preferred "
                  "channel 2 is free");
    /* channel 2 is preferred by message 3 alone, and message 1 has it */
    assert_judged(
        4, 4, (const uint64_t[]){1, 1, 1, 4}, (const uint32_t[]){0, 2, 1, STAYS}, 3,
        "message 3 stays although its preferred channel 2 went to message 1, which does not "
        "prefer it");
    assert_judged(3, 4, (const uint64_t[]){1, 1, 1}, (const uint32_t[]){0, STAYS, STAYS}, 2,
                  "message 2, the youngest of 2 that stay, must leave: only 1 may stay");
    assert_judged(
        2, 5, (const uint64_t[]){1, 1}, (const uint32_t[]){0, 1}, 1,
        "message 1 leaves by channel 1, which it does not prefer, although it may stay: 2 may, 0 "
        "do");
    assert_judged(
        3, 4, (const uint64_t[]){1, 1, 1}, (const uint32_t[]){0, 2, STAYS}, 1,
        "message 1 leaves by channel 2, which it does not prefer, although message 2, which is "
        "younger, stays");
    size_t message = 4711;
    assert_fails(cn_route_two_phase_check(network, headers, 6, 5, found, &message), CN_ERR_ARGUMENT,
                 "cn_route_two_phase_check: count = 6");
    assert_fails(cn_route_two_phase_check(network, headers, 1, 5, NULL, &message), CN_ERR_ARGUMENT,
                 "ports");
    assert_fails(cn_route_two_phase_check(network, headers, 1, 5, found, NULL), CN_ERR_ARGUMENT,
                 "message");
    assert_int_equal(message, 4711);
    assert_ok(cn_route_two_phase_check(network, NULL, 0, 5, NULL, &message));
    assert_int_equal(message, 0);
    cn_topology_free(&network);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    assert_ok(cn_topology_hypercube(6, &network));
    for (int m = 0; m < 12; m++)
        headers[m] = 1;
    memset(words, 0, sizeof words);
    found[0] = 4711;
    assert_fails(
        cn_route_two_phase(network, headers, 3, 5, CN_SELECTION_RANDOM, words, WORDS, found),
        CN_ERR_ARGUMENT, "buffers = 5");
    assert_fails(
        cn_route_two_phase(network, headers, 0, 0, CN_SELECTION_RANDOM, words, WORDS, found),
        CN_ERR_ARGUMENT, "at least 6");
    assert_fails(
        cn_route_two_phase(network, headers, 9, 8, CN_SELECTION_RANDOM, words, WORDS, found),
        CN_ERR_ARGUMENT, "count = 9");
    headers[2] = 0;
    assert_fails(
        cn_route_two_phase(network, headers, 3, 8, CN_SELECTION_RANDOM, words, WORDS, found),
        CN_ERR_ARGUMENT, "headers[2] = 0");
    headers[2] = 64;
    assert_fails(
        cn_route_two_phase(network, headers, 3, 8, CN_SELECTION_RANDOM, words, WORDS, found),
        CN_ERR_ARGUMENT, "headers[2] = 64");
    headers[2] = 1;
    assert_fails(cn_route_two_phase(NULL, headers, 3, 8, CN_SELECTION_RANDOM, words, WORDS, found),
                 CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_route_two_phase(network, NULL, 3, 8, CN_SELECTION_RANDOM, words, WORDS, found),
                 CN_ERR_ARGUMENT, "headers");
    assert_fails(cn_route_two_phase(network, headers, 3, 8, CN_SELECTION_RANDOM, NULL, 9, found),
                 CN_ERR_ARGUMENT, "random");
    assert_fails(
        cn_route_two_phase(network, headers, 3, 8, CN_SELECTION_RANDOM, words, WORDS, NULL),
        CN_ERR_ARGUMENT, "ports");
    assert_fails(cn_route_two_phase(network, headers, 3, 8, CN_SELECTION_RANDOM, words, 8, found),
                 CN_ERR_ARGUMENT, "random_count = 8");
    assert_fails(cn_route_two_phase(network, headers, 3, 8, CN_SELECTION_RANDOM, words, 2, found),
                 CN_ERR_ARGUMENT, "need 9 words");
    assert_fails(cn_route_two_phase(network, headers, 3, 8, (cn_selection)3, words, WORDS, found),
                 CN_ERR_ARGUMENT, "selection = 3");
    assert_int_equal(found[0], 4711);
    assert_ok(cn_route_two_phase(network, headers, 3, 8, CN_SELECTION_RANDOM, words, 9, found));
    assert_ok(cn_route_two_phase(network, NULL, 0, 8, CN_SELECTION_RANDOM, NULL, 0, NULL));
    cn_topology_free(&network);
}

static void other_networks_are_not_supported(void **state)
{
    (void)state;
    static const uint64_t edges[] = {0, 1};
    headers[0] = 1;
    assert_ok(cn_topology_from_edges(2, edges, 1, NULL, &network));
    assert_fails(
        cn_route_two_phase(network, headers, 1, 8, CN_SELECTION_RANDOM, words, WORDS, found),
        CN_ERR_UNSUPPORTED, "edges(2,1) is neither");
    cn_topology_free(&network);
    assert_ok(cn_topology_kary_ncube(3, 33, 1, &network));
    assert_fails(
        cn_route_two_phase(network, headers, 1, 80, CN_SELECTION_RANDOM, words, WORDS, found),
        CN_ERR_UNSUPPORTED, "66 ports");
    cn_topology_free(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_assign_as_described),
        cmocka_unit_test(kary_cubes_assign_as_described),
        cmocka_unit_test(extreme_words_stay_in_the_set),
        cmocka_unit_test(least_buffers_keep_nothing),
        cmocka_unit_test(example_of_the_dissertation),
        cmocka_unit_test(first_pick_is_uniform),
        cmocka_unit_test(second_pick_is_uniform),
        cmocka_unit_test(winners_are_distributed_as_modelled),
        cmocka_unit_test(selections_pick_what_they_say),
        cmocka_unit_test(right_is_what_some_words_give),
        cmocka_unit_test(the_mistake_is_named),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(other_networks_are_not_supported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

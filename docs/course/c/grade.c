/*
 * Grades the seven assignments in C.
 *
 *     cc -o grade *.c $(pkg-config --cflags --libs cubenet) -lm
 *     ./grade [NUMBER...]         NUMBER: 1 .. 7, all by default
 *
 * Prints the points of each question and, where an answer is wrong, the first place where it is. The exit status is 0 when
 * all points are reached. Each question runs in a process of its own: an answer that crashes, ends the program or is
 * still running after a time limit (COURSE_SECONDS, 20) costs its own points only.
 */
#define _POSIX_C_SOURCE 200809L

#include "course.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The address sanitizer maps more memory than any answer may take. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

enum { SENTENCE = 2000, SECONDS = 20, RIGHT = 'r', WRONG = 'w' };

static int report; /* where the process of a question writes its verdict */

static _Noreturn void end_question(char verdict, const char *sentence)
{
    if (write(report, &verdict, 1) == 1 && *sentence != '\0' &&
        write(report, sentence, strlen(sentence)) < 0)
        _exit(1);
    _exit(0);
}

/* An answer is wrong: where, what it is, what it must be. */
static _Noreturn void wrong(const char *format, ...)
{
    char sentence[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    end_question(WRONG, sentence);
}

_Noreturn void not_written(void)
{
    wrong("not written yet");
}

/* Of calls of the grader itself. */
static void need(cn_status status)
{
    if (status != CN_OK)
        wrong("the grader cannot go on: %s", cn_last_error());
}

static void same(uint64_t found, uint64_t expected, const char *where)
{
    if (found != expected)
        wrong("%s: %llu, expected %llu", where, (unsigned long long)found,
              (unsigned long long)expected);
}

static void near(double found, double expected, double accuracy, const char *where)
{
    if (!(fabs(found - expected) <= accuracy * fmax(1, fabs(expected))))
        wrong("%s: %.6g, expected %.6g", where, found, expected);
}

enum { ROOM = 4096 };
static double numbers[ROOM], expected[ROOM];
static const double UNTOUCHED = -4711;

/* numbers[] before an answer fills it: 0 / 0 where it must, UNTOUCHED behind. */
static double *room_for(size_t count)
{
    for (size_t i = 0; i < ROOM; i++)
        numbers[i] = i < count ? NAN : UNTOUCHED;
    return numbers;
}

/* what: as "state %zu" */
static void all_near(size_t count, const char *what, const char *where)
{
    char place[SENTENCE];
    for (size_t i = 0; i < count; i++) {
        int length = snprintf(place, sizeof place, "%s: ", where);
        snprintf(place + length, sizeof place - (size_t)length, what, i);
        near(numbers[i], expected[i], 1e-6, place);
    }
    if (numbers[count] != UNTOUCHED)
        wrong("%s: more than %zu elements are written", where, count);
}

/* The text of a place, in memory that the next call but one reuses. */
static const char *at(const char *format, ...)
{
    static char texts[2][SENTENCE];
    static int turn;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(texts[turn = 1 - turn], SENTENCE, format, arguments);
    va_end(arguments);
    return texts[turn];
}

/* Random words, the same ones in every run (splitmix64). */
static uint64_t draw(uint64_t bound)
{
    static uint64_t state = 1992;
    uint64_t word = state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return (word ^ word >> 31) % bound;
}

/* A node as n digits, or a set of ports as numbers. */
static const char *bits(unsigned n, uint64_t node)
{
    static char texts[6][65];
    static int turn;
    char *text = texts[turn = (turn + 1) % 6];
    for (unsigned i = 0; i < n; i++)
        text[i] = (char)('0' + (node >> (n - 1 - i) & 1));
    text[n] = '\0';
    return text;
}

static const char *set(uint64_t word)
{
    static char texts[4][200];
    static int turn;
    char *text = texts[turn = (turn + 1) % 4];
    int length = snprintf(text, 200, "{");
    for (unsigned p = 0; p < 64 && length < 190; p++)
        if (word >> p & 1)
            length += snprintf(text + length, 200 - (size_t)length, length > 1 ? " %u" : "%u", p);
    snprintf(text + length, 200 - (size_t)length, "}");
    return text;
}

static void same_set(uint64_t found, uint64_t right, const char *where)
{
    if (found != right)
        wrong("%s: %s, expected %s", where, set(found), set(right));
}

static cn_topology *cube(unsigned n)
{
    cn_topology *topology;
    need(cn_topology_hypercube(n, &topology));
    return topology;
}

/* ---- 1: addresses and necklaces ---- */

static const struct {
    unsigned k, n;
} generalized[] = {{2, 4}, {3, 3}, {5, 2}, {4, 4}};
enum { GENERALIZED = 4 };

/* The next node of the networks above; 0 at the end. The first call has net = NULL. */
static int next_node(cn_topology **net, unsigned *i, uint64_t *node)
{
    if (*net != NULL && ++*node < cn_topology_node_count(*net))
        return 1;
    *i = *net == NULL ? 0 : *i + 1;
    cn_topology_free(net);
    *node = 0;
    if (*i == GENERALIZED)
        return 0;
    need(cn_topology_generalized_hypercube(generalized[*i].k, generalized[*i].n, net));
    return 1;
}

static const char *of_node(const char *name, const cn_topology *net, unsigned k, unsigned n,
                           uint64_t node)
{
    char text[64];
    need(cn_topology_address_text(net, node, text, sizeof text, NULL));
    return at("%s of node %llu (%s) in GH(%u,%u)", name, (unsigned long long)node, text, n, k);
}

#define EACH_NODE(question, name, right_call)                               \
    static void question(void)                                              \
    {                                                                       \
        cn_topology *net = NULL;                                            \
        unsigned i;                                                         \
        uint64_t node = 0, right;                                           \
        while (next_node(&net, &i, &node)) {                                \
            unsigned k = generalized[i].k, n = generalized[i].n;            \
            need(right_call(net, node, &right));                            \
            same(name(k, n, node), right, of_node(#name, net, k, n, node)); \
        }                                                                   \
    }

EACH_NODE(check_rotate, rotate, cn_necklace_rotate)
EACH_NODE(check_generator, generator, cn_necklace_generator)
EACH_NODE(check_displacement, displacement, cn_necklace_displacement)

static void check_distance(void)
{
    cn_topology *net = NULL;
    unsigned i;
    uint64_t a = 0, right;
    while (next_node(&net, &i, &a))
        for (uint64_t b = 0; b < cn_topology_node_count(net); b += 3) {
            need(cn_topology_distance(net, a, b, NULL, &right));
            same(distance(generalized[i].k, generalized[i].n, a, b), right,
                 at("distance of %llu and %llu in %s", (unsigned long long)a, (unsigned long long)b,
                    cn_topology_name(net)));
        }
}

/* ---- 2: rules of routing ---- */

enum { CUBE = 4, COLUMNS = 5, ROWS = 4 };
static const double LOAD = 0.02;
static const char *const directions[] = {"EAST", "WEST", "NORTH", "SOUTH"};

static uint64_t lowest(uint64_t word)
{
    return word & (~word + 1);
}

static void check_ecube(void)
{
    for (uint64_t u = 0; u < 1 << CUBE; u++)
        for (uint64_t v = 0; v < 1 << CUBE; v++)
            if (u != v)
                same_set(ecube(u, v), lowest(u ^ v),
                         at("ecube from %s to %s", bits(CUBE, u), bits(CUBE, v)));
}

static void check_random_minimal(void)
{
    for (uint64_t u = 0; u < 1 << CUBE; u++)
        for (uint64_t v = 0; v < 1 << CUBE; v++)
            if (u != v)
                same_set(random_minimal(u, v), u ^ v,
                         at("random_minimal from %s to %s", bits(CUBE, u), bits(CUBE, v)));
}

static unsigned first_of(uint64_t word)
{
    unsigned port = 0;
    while ((word >> port & 1) == 0)
        port++;
    return port;
}

static void check_ecube_number(void)
{
    for (uint64_t u = 0; u < 1 << CUBE; u++)
        for (uint64_t v = 0; v < 1 << CUBE; v++) {
            uint64_t header = u ^ v, rest = header & ~lowest(header);
            if (rest == 0)
                continue;
            uint64_t far = u ^ lowest(header);
            int before = ecube_number(CUBE, u, first_of(header));
            int after = ecube_number(CUBE, far, first_of(rest));
            if (before >= after)
                wrong("ecube_number: a message for %s goes from %s over %s to %s, but the numbers "
                      "of the two "
                      "channels are %d and %d",
                      bits(CUBE, v), bits(CUBE, u), bits(CUBE, far), bits(CUBE, far ^ lowest(rest)),
                      before, after);
        }
}

static void check_circle(void)
{
    enum { MOST = 100 };
    uint64_t node[MOST] = {0}, destination[MOST] = {0};
    unsigned port[MOST] = {0}, count = waiting_circle(node, port, destination, MOST);
    if (count < 1 || count > MOST)
        wrong("waiting_circle: %u messages, expected 1 to %d", count, MOST);
    for (unsigned i = 0; i < count; i++) {
        unsigned next = (i + 1) % count;
        if (port[i] > 62 || ((node[i] ^ destination[i]) >> port[i] & 1) == 0)
            wrong("waiting_circle: element %u: a message for %llu does not take port %u of node "
                  "%llu: its ports "
                  "are %s",
                  i, (unsigned long long)destination[i], port[i], (unsigned long long)node[i],
                  set(node[i] ^ destination[i]));
        uint64_t far = node[i] ^ UINT64_C(1) << port[i];
        if (node[next] != far)
            wrong("waiting_circle: element %u: its message is in node %llu and cannot wait for a "
                  "channel of node "
                  "%llu",
                  i, (unsigned long long)far, (unsigned long long)node[next]);
        if (port[next] > 62 || ((far ^ destination[i]) >> port[next] & 1) == 0)
            wrong("waiting_circle: element %u: in node %llu a message for %llu does not wait for "
                  "port %u: its "
                  "ports are %s",
                  i, (unsigned long long)far, (unsigned long long)destination[i], port[next],
                  set(far ^ destination[i]));
        for (unsigned before = 0; before < i; before++)
            if (node[before] == node[i] && port[before] == port[i])
                wrong(
                    "waiting_circle: element %u: the channel of port %u of node %llu is held twice",
                    i, port[i], (unsigned long long)node[i]);
    }
}

static uint64_t right_west_first(uint64_t node, uint64_t destination)
{
    uint64_t x = node % COLUMNS, to_x = destination % COLUMNS;
    uint64_t y = node / COLUMNS, to_y = destination / COLUMNS;
    return to_x < x ? 1u << WEST
                    : (uint64_t)(to_x > x) << EAST | (uint64_t)(to_y > y) << NORTH |
                          (uint64_t)(to_y < y) << SOUTH;
}

static uint64_t step(uint64_t node, unsigned direction)
{
    return direction == EAST    ? node + 1
           : direction == WEST  ? node - 1
           : direction == NORTH ? node + COLUMNS
                                : node - COLUMNS;
}

static const char *spot(uint64_t node)
{
    static char texts[6][32];
    static int turn;
    char *text = texts[turn = (turn + 1) % 6];
    snprintf(text, 32, "(%u, %u)", (unsigned)(node % COLUMNS), (unsigned)(node / COLUMNS));
    return text;
}

static const char *ways(uint64_t word)
{
    static char texts[2][64];
    static int turn;
    char *text = texts[turn = 1 - turn];
    text[0] = '\0';
    for (unsigned way = 0; way < 4; way++)
        if (word >> way & 1) {
            if (*text != '\0')
                strcat(text, " and ");
            strcat(text, directions[way]);
        }
    return word >> 4 != 0 ? "no set of directions" : *text == '\0' ? "none" : text;
}

/* The student's own rule, for the library: it is proved free of deadlock there, too. */
static cn_status ask_west_first(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                                uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    uint64_t answer = west_first(COLUMNS, node, destination);
    (void)previous, (void)port, (void)virtual_channel;
    for (unsigned way = 0; way < 4; way++)
        if (answer >> way & 1) {
            uint32_t leads;
            cn_status status = cn_topology_port_to(user, node, step(node, way), &leads);
            if (status != CN_OK)
                return status;
            channels[leads] = 1;
        }
    return CN_OK;
}

static void check_west_first(void)
{
    static const uint64_t radices[] = {COLUMNS, ROWS};
    cn_topology *mesh;
    cn_deadlock *check;
    cn_verdict verdict;
    for (uint64_t u = 0; u < COLUMNS * ROWS; u++)
        for (uint64_t v = 0; v < COLUMNS * ROWS; v++) {
            uint64_t found = u == v ? 0 : west_first(COLUMNS, u, v), right = right_west_first(u, v);
            if (found != right)
                wrong("west_first from %s to %s: %s, expected %s", spot(u), spot(v), ways(found),
                      ways(right));
        }
    need(cn_topology_mesh(radices, 2, &mesh));
    need(cn_deadlock_check(mesh, 1, ask_west_first, NULL, 0, mesh, NULL, &check));
    need(cn_deadlock_verdict(check, &verdict));
    if (!cn_deadlock_is_free(check))
        wrong("west_first: %s", cn_verdict_text(verdict));
}

static void check_west_first_number(void)
{
    for (uint64_t u = 0; u < COLUMNS * ROWS; u++)
        for (uint64_t v = 0; v < COLUMNS * ROWS; v++)
            for (unsigned way = 0; way < 4; way++) {
                if (u == v || (right_west_first(u, v) >> way & 1) == 0)
                    continue;
                uint64_t far = step(u, way);
                for (unsigned next = 0; next < 4; next++) {
                    if (far == v || (right_west_first(far, v) >> next & 1) == 0)
                        continue;
                    int before = west_first_number(COLUMNS, ROWS, u, way);
                    int after = west_first_number(COLUMNS, ROWS, far, next);
                    if (before >= after)
                        wrong("west_first_number: a message for %s goes from %s over %s to %s, but "
                              "the numbers of "
                              "the two channels are %d and %d",
                              spot(v), spot(u), spot(far), spot(step(far, next)), before, after);
                }
            }
}

static cn_status ask_ecube(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                           uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    (void)user, (void)previous, (void)port, (void)virtual_channel;
    channels[first_of(node ^ destination)] = 1;
    return CN_OK;
}

/* A scenario with seed 1 that is measured for so many cycles. */
static cn_scenario *measured(const cn_topology *topology, const char *system, double load,
                             double cycles)
{
    cn_scenario *scenario;
    need(cn_scenario_new(topology, system, &scenario));
    need(cn_scenario_set_seed(scenario, 1));
    need(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    need(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, cycles));
    need(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    return scenario;
}

static double metric_of(cn_result *result, cn_metric metric)
{
    double value;
    need(cn_result_value(result, metric, &value));
    return value;
}

static cn_result *simulation_of(cn_scenario *scenario)
{
    cn_result *result;
    need(cn_simulate(scenario, NULL, &result));
    return result;
}

static cn_result *prediction_of(cn_scenario *scenario, cn_model_variant variant)
{
    cn_result *result;
    need(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
    need(cn_predict(scenario, NULL, &result));
    return result;
}

static void check_mean_delay(void)
{
    cn_topology *network = cube(CUBE);
    cn_scenario *scenario = measured(network, "wormhole", LOAD, 20000);
    need(cn_scenario_set_routing_name(scenario, "dimension-order"));
    need(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 1));
    need(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 8));
    near(mean_delay(network, ask_ecube, NULL, LOAD),
         metric_of(simulation_of(scenario), CN_METRIC_MEAN_DELAY), 1e-9,
         at("mean_delay of e-cube at load %g", LOAD));
}

/* ---- 3: the two-phase assignment ---- */

enum { MESSAGES = 64, PORTS = 8, TRIALS = 400 };

typedef struct node {
    cn_topology *net;
    unsigned degree, buffers, count;
    uint64_t headers[MESSAGES], preferred[MESSAGES];
    uint32_t random[MESSAGES + PORTS], ports[MESSAGES + 1];
} node;

static node draw_node(int trial, int phase_two)
{
    node drawn = {0};
    if (trial % 2 == 1)
        need(cn_topology_hypercube(4, &drawn.net));
    else
        need(cn_topology_kary_ncube(3, 3, 0, &drawn.net));
    drawn.degree = cn_topology_max_degree(drawn.net);
    drawn.buffers = drawn.degree + (unsigned)draw(2 * drawn.degree + 1);
    drawn.count = (unsigned)draw(drawn.buffers + 1);
    for (unsigned m = 0; m < drawn.count; m++) {
        drawn.headers[m] = 1 + draw(trial % 4 < 2 ? 3 : cn_topology_node_count(drawn.net) - 1);
        need(cn_route_preferred(drawn.net, drawn.headers[m], &drawn.preferred[m]));
    }
    for (unsigned w = 0; w < drawn.count + drawn.degree; w++)
        drawn.random[w] = (uint32_t)draw(UINT64_C(1) << 32);
    if (!phase_two)
        drawn.buffers += drawn.count + drawn.degree; /* none must leave */
    return drawn;
}

/* The text of a node, and of the student's ports in it. */
static const char *assign(node *drawn)
{
    char text[SENTENCE];
    int length = snprintf(text, sizeof text, "%u channels, M = %u, preferred =", drawn->degree,
                          drawn->buffers);
    for (unsigned m = 0; m < drawn->count; m++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, " %s", set(drawn->preferred[m]));
    drawn->ports[drawn->count] = 4711;
    two_phase(drawn->degree, drawn->buffers, drawn->preferred, drawn->count, drawn->random,
              drawn->ports);
    if (drawn->ports[drawn->count] != 4711)
        wrong("%s: more than %u elements are written", text, drawn->count);
    return at("%s", text);
}

static void judge(int phase_two)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        node drawn = draw_node(trial, phase_two);
        const char *where = assign(&drawn);
        size_t message;
        if (cn_route_two_phase_check(drawn.net, drawn.headers, drawn.count, drawn.buffers,
                                     drawn.ports, &message) != CN_OK)
            wrong("%s: %s", where, cn_last_error());
        cn_topology_free(&drawn.net);
    }
}

static void check_phase_one_of_two(void)
{
    judge(0);
}

static void check_phase_two_of_two(void)
{
    judge(1);
}

static const char *port_text(uint32_t port)
{
    return port == CN_NO_PORT ? "none" : at("%lu", (unsigned long)port);
}

static void check_words(void)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        node drawn = draw_node(trial, 1);
        uint32_t right[MESSAGES];
        char where[SENTENCE];
        snprintf(where, sizeof where, "%s", assign(&drawn));
        need(cn_route_two_phase(drawn.net, drawn.headers, drawn.count, drawn.buffers,
                                CN_SELECTION_RANDOM, drawn.random, MESSAGES + PORTS, right));
        for (unsigned m = 0; m < drawn.count; m++)
            if (drawn.ports[m] != right[m])
                wrong("%s: with random[%u] = %lu the channel of message %u is %s, expected %s",
                      where, m, (unsigned long)drawn.random[m], m, port_text(drawn.ports[m]),
                      port_text(right[m]));
        cn_topology_free(&drawn.net);
    }
}

/* ---- 4: the Markov chain ---- */

static const struct {
    unsigned n, buffers;
} chain_nodes[] = {{2, 2}, {4, 4}, {4, 6}, {3, 9}};
enum { CHAIN_NODES = 4 };

static void check_phase_one(void)
{
    for (int c = 0; c < CHAIN_NODES; c++)
        for (unsigned i = 0, n = chain_nodes[c].n; i <= chain_nodes[c].buffers; i++) {
            need(cn_assignment_phase_one(n, i, expected, ROOM, NULL));
            phase_one(n, i, room_for(n + 1));
            all_near(n + 1, "j = %zu", at("phase_one(%u, %u)", n, i));
        }
}

static void check_both_phases(void)
{
    for (int c = 0; c < CHAIN_NODES; c++)
        for (unsigned i = 0, n = chain_nodes[c].n, m = chain_nodes[c].buffers; i <= m; i++) {
            need(cn_assignment_both_phases(n, m, i, expected, ROOM, NULL));
            both_phases(n, m, i, room_for(n + 1));
            all_near(n + 1, "j = %zu", at("both_phases(%u, %u, %u)", n, m, i));
        }
}

static void check_stationary(void)
{
    static const double loads[] = {0.25, 1, 4}, transits[] = {0.1, 0.4, 0.7};
    for (int c = 0; c < CHAIN_NODES; c++)
        for (int l = 0; l < 3; l++) {
            unsigned n = chain_nodes[c].n, m = chain_nodes[c].buffers;
            need(cn_deflection_queue(n, m, loads[l], transits[l], NULL, expected, ROOM, NULL));
            stationary(n, m, loads[l], transits[l], room_for(m + 1));
            all_near(m + 1, "state %zu of the chain",
                     at("n = %u, M = %u, load %g, P_t %g", n, m, loads[l], transits[l]));
        }
}

static void check_headers(void)
{
    static const double shares[] = {0, 0.1, 0.4};
    double start[ROOM];
    for (unsigned n = 2; n <= 7; n++)
        for (int s = 0; s < 3; s++) {
            cn_topology *network = cube(n);
            need(cn_deflection_headers(network, CN_STATES_EXACT, shares[s], NULL, start, expected,
                                       n + 1, NULL));
            cn_topology_free(&network);
            headers(n, shares[s], room_for((n + 1) * (n + 1)));
            for (unsigned e = 0; e < (n + 1) * (n + 1); e++)
                near(numbers[e], expected[e], 1e-6,
                     at("headers(%u, %g): row %u: column %u", n, shares[s], e / (n + 1),
                        e % (n + 1)));
        }
}

static void check_model_error(void)
{
    static const double buffers[] = {4, 4, 8}, loads[] = {1, 3, 3};
    for (int i = 0; i < 3; i++) {
        cn_topology *network = cube(4);
        cn_scenario *scenario = measured(network, "deflection", loads[i], 20000);
        need(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers[i]));
        double model = metric_of(prediction_of(scenario, CN_MODEL_PUBLISHED), CN_METRIC_MEAN_DELAY);
        double right = (model / metric_of(simulation_of(scenario), CN_METRIC_MEAN_DELAY) - 1) * 100;
        near(model_error(4, (unsigned)buffers[i], loads[i]), right, 1e-6,
             at("model_error(4, %g, %g)", buffers[i], loads[i]));
    }
}

/* ---- 5: convex subnets ---- */

enum { DAMAGED = 41, NODES = 64 };

typedef struct damaged {
    unsigned n;
    uint8_t faulty[NODES], disabled[NODES];
    cn_faults *faults;
    char text[SENTENCE];
} damaged;

/* Figure 5.1 first, then random ones. */
static damaged draw_damaged(int number)
{
    static const uint64_t figure[] = {2, 3, 4, 7, 9};
    damaged drawn = {.n = number == 0 ? 4 : 3 + (unsigned)number % 4};
    uint64_t nodes = UINT64_C(1) << drawn.n, count = number == 0 ? 5 : 1 + draw(nodes / 3);
    cn_topology *network = cube(drawn.n);
    need(cn_faults_new(network, &drawn.faults));
    int length = snprintf(drawn.text, SENTENCE, "%u-cube, faults", drawn.n);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t v = number == 0 ? figure[i] : draw(nodes);
        drawn.faulty[v] = 1;
        need(cn_faults_add_node(drawn.faults, v));
    }
    for (uint64_t v = 0; v < nodes; v++)
        if (drawn.faulty[v])
            length += snprintf(drawn.text + length, SENTENCE - (size_t)length, " %llu",
                               (unsigned long long)v);
    cn_topology_free(&network);
    return drawn;
}

static cn_subnet *chosen(const damaged *drawn)
{
    uint64_t list[NODES];
    size_t count = 0;
    cn_subnet *subnet;
    for (uint64_t v = 0; v < UINT64_C(1) << drawn->n; v++)
        if (drawn->disabled[v])
            list[count++] = v;
    need(cn_subnet_chosen(drawn->faults, list, count, &subnet));
    return subnet;
}

static void check_bad_links(void)
{
    for (int i = 0; i < DAMAGED; i++) {
        damaged drawn = draw_damaged(i);
        cn_subnet *subnet = chosen(&drawn);
        for (uint64_t v = 0; v < UINT64_C(1) << drawn.n; v++) {
            uint64_t good;
            need(cn_subnet_neighbor_status(subnet, v, &good));
            if (!drawn.faulty[v])
                same_set(bad_links(drawn.n, drawn.faulty, v), ~good & ((1u << drawn.n) - 1),
                         at("%s: bad links of node %llu", drawn.text, (unsigned long long)v));
        }
    }
}

static void check_is_safe(void)
{
    for (int i = 0; i < DAMAGED; i++) {
        damaged drawn = draw_damaged(i);
        cn_subnet *subnet = chosen(&drawn);
        for (uint64_t v = 0; v < UINT64_C(1) << drawn.n; v++) {
            int safe;
            if (drawn.faulty[v])
                continue;
            need(cn_subnet_is_safe(subnet, v, &safe));
            same((uint64_t)(is_safe(drawn.n, drawn.faulty, v) != 0), (uint64_t)safe,
                 at("%s: is_safe of node %llu", drawn.text, (unsigned long long)v));
        }
    }
}

static cn_subnet *made_convex(damaged *drawn)
{
    make_convex(drawn->n, drawn->faulty, drawn->disabled);
    int length = (int)strlen(drawn->text);
    length += snprintf(drawn->text + length, SENTENCE - (size_t)length, ", disabled");
    for (uint64_t v = 0; v < NODES; v++) {
        if (drawn->disabled[v] && (v >> drawn->n != 0 || drawn->faulty[v]))
            wrong("%s: %llu cannot be disabled: it is faulty, or no node", drawn->text,
                  (unsigned long long)v);
        if (drawn->disabled[v])
            length += snprintf(drawn->text + length, SENTENCE - (size_t)length, " %llu",
                               (unsigned long long)v);
    }
    return chosen(drawn);
}

static void check_convex(void)
{
    for (int i = 0; i < DAMAGED; i++) {
        damaged drawn = draw_damaged(i);
        cn_subnet *subnet = made_convex(&drawn);
        uint64_t survivors[NODES], status, channels;
        size_t count;
        need(cn_subnet_survivors(subnet, survivors, NODES, &count));
        for (size_t u = 0; u < count; u++) {
            need(cn_subnet_neighbor_status(subnet, survivors[u], &status));
            for (size_t v = 0; v < count; v++)
                if (cn_route_optimal_path(survivors[u] ^ survivors[v], status, &channels) ==
                    CN_ERR_DISCONNECTED)
                    wrong("%s: not convex: %s and %s survive, but all links that lead from %s "
                          "towards %s are bad",
                          drawn.text, bits(drawn.n, survivors[u]), bits(drawn.n, survivors[v]),
                          bits(drawn.n, survivors[u]), bits(drawn.n, survivors[v]));
        }
    }
}

static void check_survivors(void)
{
    for (int i = 0; i < DAMAGED; i++) {
        damaged drawn = draw_damaged(i);
        cn_subnet *subnet = made_convex(&drawn), *degraded;
        need(cn_subnet_degraded(drawn.faults, 1, CN_LINK_DISABLES_END, NULL, &degraded));
        unsigned long have = (unsigned long)cn_subnet_survivor_count(subnet);
        unsigned long least = (unsigned long)cn_subnet_survivor_count(degraded);
        if (have < least)
            wrong("%s: %lu nodes survive, but %lu of the 1-degraded subnet", drawn.text, have,
                  least);
    }
}

static void check_figure(void)
{
    damaged drawn = draw_damaged(0);
    cn_subnet *subnet = made_convex(&drawn);
    if (cn_subnet_disabled_count(subnet) != 2 || !drawn.disabled[6] || !drawn.disabled[11])
        wrong("%s: figure 5.1 needs two disabled nodes only, 0110 and 1011", drawn.text);
}

/* ---- 6: the traffic of broadcasts ---- */

static void check_replications(void)
{
    for (unsigned n = 2; n <= 6; n += 2) {
        cn_topology *network = cube(n);
        cn_tree *tree;
        uint64_t nodes[PORTS + 1] = {0}, right[PORTS] = {0}, children;
        need(cn_tree_binomial(network, 0, 0, &tree));
        for (uint64_t v = 1; v < UINT64_C(1) << n; v++) {
            need(cn_tree_child_count(tree, v, &children));
            right[children]++;
        }
        nodes[n] = 4711;
        replications(n, nodes);
        for (unsigned i = 0; i < n; i++)
            same(nodes[i], right[i], at("replications(%u): nodes that send %u copies on", n, i));
        if (nodes[n] != 4711)
            wrong("replications(%u): more than %u elements are written", n, n);
    }
}

static cn_scenario *broadcasts(unsigned n, double beta, double load)
{
    cn_topology *network = cube(n);
    cn_scenario *scenario = measured(network, "wormhole", load, 100000);
    need(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, beta));
    need(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 2));
    need(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 32));
    cn_topology_free(&network);
    return scenario;
}

static void check_rate(double (*rate)(unsigned, double, double), const char *name,
                       cn_model_variant variant)
{
    static const struct {
        unsigned n;
        double beta, load;
    } cases[] = {{4, 0.1, 0.001}, {6, 0.01, 0.012}, {8, 0.02, 0.001}};
    for (int i = 0; i < 3; i++) {
        unsigned n = cases[i].n;
        double beta = cases[i].beta, load = cases[i].load;
        cn_result *model = prediction_of(broadcasts(n, beta, load), variant);
        near(rate(n, beta, load) / (beta * load),
             metric_of(model, CN_METRIC_CHANNEL_RATE_REPLICA) / (beta * load), 1e-6,
             at("%s(%u, %g, %g) / lambda_cb", name, n, beta, load));
    }
}

static void check_published_rate(void)
{
    check_rate(published_replica_rate, "published_replica_rate", CN_MODEL_PUBLISHED);
}

static void check_replica_rate(void)
{
    check_rate(replica_rate, "replica_rate", CN_MODEL_CORRECTED);
}

static void check_measured_ratio(void)
{
    cn_result *result = simulation_of(broadcasts(5, 0.02, 0.008));
    near(measured_ratio(5, 0.02, 0.008),
         metric_of(result, CN_METRIC_CHANNEL_RATE_REPLICA) /
             metric_of(result, CN_METRIC_CHANNEL_RATE_BROADCAST),
         1e-6, "measured_ratio(5, 0.02, 0.008)");
}

static void check_latency_errors(void)
{
    static const double loads[] = {0.004, 0.012};
    static const cn_model_variant variants[] = {CN_MODEL_PUBLISHED, CN_MODEL_CORRECTED};
    static const char *const names[] = {"published", "corrected"};
    for (int l = 0; l < 2; l++) {
        cn_scenario *scenario = broadcasts(6, 0.01, loads[l]);
        double simulated = metric_of(simulation_of(scenario), CN_METRIC_MEAN_DELAY_BROADCAST);
        double errors[2] = {NAN, NAN};
        latency_errors(6, 0.01, loads[l], errors);
        need(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 1));
        for (int i = 0; i < 2; i++) {
            double model =
                metric_of(prediction_of(scenario, variants[i]), CN_METRIC_MEAN_DELAY_BROADCAST);
            near(errors[i], (model / simulated - 1) * 100, 1e-6,
                 at("latency_errors(6, 0.01, %g): %s", loads[l], names[i]));
        }
    }
}

/* ---- 7: the perfect shuffle ---- */

static const char measures[] = "FDL";
static const char *const networks[] = {"PSNN", "HYPERCUBE"};

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check_neighbors(void)
{
    for (unsigned n = 2; n < 8; n++) {
        cn_topology *net;
        need(cn_topology_psnn(n, &net));
        for (uint64_t v = 0; v < UINT64_C(1) << n; v++) {
            uint64_t list[8] = {0}, right[4];
            size_t count;
            need(cn_topology_neighbors(net, v, right, 4, &count));
            qsort(right, count, sizeof right[0], ascending);
            const char *where =
                at("neighbors of %llu (%s) in PSNN(%u)", (unsigned long long)v, bits(n, v), n);
            unsigned found = neighbors(n, v, list);
            if (found != count)
                wrong("%s: %u neighbours, expected %zu", where, found, count);
            for (size_t i = 0; i < count; i++)
                if (list[i] != right[i])
                    wrong("%s: neighbour %zu is %llu, expected %llu", where, i,
                          (unsigned long long)list[i], (unsigned long long)right[i]);
        }
    }
}

static void check_diameter(void)
{
    for (unsigned n = 3; n < 8; n++) {
        cn_topology *net;
        uint64_t right;
        need(cn_topology_psnn(n, &net));
        need(cn_topology_diameter(net, NULL, &right));
        same(diameter(n), right, at("diameter(%u)", n));
    }
}

static void check_paper_cost(void)
{
    for (unsigned n = 3; n < 10; n++)
        for (int m = 0; m < 3; m++)
            for (int which = PSNN; which <= HYPERCUBE; which++) {
                double psnn[] = {8.0 * n - 4, 2.0 * n, 5.0 * n - 2};
                double hypercube[] = {1.0 * n * n, 2.0 * n, n * n / 2.0 + n};
                near(paper_cost(measures[m], (family)which, n),
                     which == PSNN ? psnn[m] : hypercube[m], 1e-6,
                     at("paper_cost('%c', %s, %u)", measures[m], networks[which], n));
            }
}

static void check_exact_cost(void)
{
    static const double alpha[] = {1, 0, 0.5};
    for (unsigned n = 3; n < 6; n++)
        for (int m = 0; m < 3; m++)
            for (int which = PSNN; which <= HYPERCUBE; which++) {
                cn_topology *net;
                cn_known kind;
                double lower, upper;
                need(which == PSNN ? cn_topology_psnn(n, &net) : cn_topology_hypercube(n, &net));
                need(cn_topology_measure(net, CN_MEASURE_COST_EFFECTIVENESS, alpha[m], NULL, &lower,
                                         &upper, &kind));
                near(exact_cost(measures[m], (family)which, n), upper, 1e-6,
                     at("exact_cost('%c', %s, %u)", measures[m], networks[which], n));
            }
}

static void check_crossing(void)
{
    static const unsigned right[][2] = {{8, 6}, {0, 0}, {8, 7}};
    for (int m = 0; m < 3; m++) {
        unsigned n[2] = {99, 99};
        crossing(measures[m], n);
        same(n[0], right[m][0], at("crossing('%c'), by the paper", measures[m]));
        same(n[1], right[m][1], at("crossing('%c'), exact", measures[m]));
    }
}

/* ---- the questions ---- */

static const char *const titles[] = {"Addresses and necklaces",  "Rules of routing",
                                     "The two-phase assignment", "The Markov chain",
                                     "Convex subnets",           "The traffic of broadcasts",
                                     "The perfect shuffle"};
enum { ASSIGNMENTS = 7 };

static const struct question {
    int assignment;
    const char *name;
    int points;
    void (*check)(void);
} questions[] = {
    {1, "distance", 2, check_distance},
    {1, "rotate", 2, check_rotate},
    {1, "generator", 3, check_generator},
    {1, "displacement", 3, check_displacement},
    {2, "ecube", 1, check_ecube},
    {2, "ecube_number", 1, check_ecube_number},
    {2, "random_minimal", 1, check_random_minimal},
    {2, "waiting_circle", 2, check_circle},
    {2, "west_first", 2, check_west_first},
    {2, "west_first_number", 2, check_west_first_number},
    {2, "mean_delay", 1, check_mean_delay},
    {3, "phase 1", 3, check_phase_one_of_two},
    {3, "phase 2", 4, check_phase_two_of_two},
    {3, "random words", 3, check_words},
    {4, "phase_one", 1, check_phase_one},
    {4, "both_phases", 2, check_both_phases},
    {4, "stationary", 3, check_stationary},
    {4, "headers", 2, check_headers},
    {4, "model_error", 2, check_model_error},
    {5, "bad_links", 1, check_bad_links},
    {5, "is_safe", 3, check_is_safe},
    {5, "make_convex: convex", 3, check_convex},
    {5, "make_convex: survivors", 2, check_survivors},
    {5, "make_convex: figure 5.1", 1, check_figure},
    {6, "replications", 2, check_replications},
    {6, "published_replica_rate", 2, check_published_rate},
    {6, "replica_rate", 2, check_replica_rate},
    {6, "measured_ratio", 2, check_measured_ratio},
    {6, "latency_errors", 2, check_latency_errors},
    {7, "neighbors", 2, check_neighbors},
    {7, "diameter", 2, check_diameter},
    {7, "paper_cost", 2, check_paper_cost},
    {7, "exact_cost", 2, check_exact_cost},
    {7, "crossing", 2, check_crossing},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* ---- a process for each question ---- */

static unsigned time_limit(void)
{
    const char *text = getenv("COURSE_SECONDS");
    char *end = NULL;
    long seconds = text != NULL ? strtol(text, &end, 10) : SECONDS;
    if (seconds > 0 && seconds <= 86400 && (end == NULL || (end > text && *end == '\0')))
        return (unsigned)seconds;
    fprintf(stderr, "COURSE_SECONDS = \"%s\", but it must be a whole number from 1 to 86400\n",
            text);
    exit(1);
}

static _Noreturn void run(const struct question *question)
{
#if !defined(SANITIZED)
    const rlim_t bytes = (rlim_t)4 << 30;
    setrlimit(RLIMIT_DATA, &(struct rlimit){bytes, bytes});
#endif
    setpgid(0, 0);                      /* what an answer starts ends with it */
    dup2(STDERR_FILENO, STDOUT_FILENO); /* what an answer prints goes elsewhere */
    question->check();
    end_question(RIGHT, "");
}

/* What became of a process that said nothing. */
static void explain(int late, int status, char sentence[SENTENCE])
{
    if (late)
        snprintf(sentence, SENTENCE, "still running after %u seconds: an endless loop?",
                 time_limit());
    else if (WIFSIGNALED(status))
        snprintf(sentence, SENTENCE, "the program crashed (signal %d: %s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(sentence, SENTENCE, "the program ended itself with exit status %d",
                 WEXITSTATUS(status));
}

/* 1 when the answer is right, else 0 and a sentence. */
static int is_right(const struct question *question, char sentence[SENTENCE])
{
    int ends[2], status;
    char verdict = 0;
    fflush(stdout);
    if (pipe(ends) != 0)
        return snprintf(sentence, SENTENCE, "the grader cannot make a pipe"), 0;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        report = ends[1];
        run(question);
    }
    close(ends[1]);
    if (child < 0)
        return close(ends[0]), snprintf(sentence, SENTENCE, "the grader cannot start a process"), 0;
    struct pollfd reported = {.fd = ends[0], .events = POLLIN};
    int late = poll(&reported, 1, (int)time_limit() * 1000) == 0;
    size_t length = 0;
    ssize_t got = late ? 0 : read(ends[0], &verdict, 1);
    while (got > 0 && length < SENTENCE - 1) {
        got = read(ends[0], sentence + length, SENTENCE - 1 - length);
        length += got > 0 ? (size_t)got : 0;
    }
    sentence[length] = '\0';
    close(ends[0]);
    if (late)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    kill(-child, SIGKILL); /* whom it has left behind */
    if (verdict == 0)
        explain(late, status, sentence);
    return verdict == RIGHT;
}

/* Prints an assignment; adds the points. */
static void grade(int assignment, int *reached, int *total)
{
    int right[QUESTIONS], points = 0, most = 0;
    static char sentences[QUESTIONS][SENTENCE];
    for (int q = 0; q < QUESTIONS; q++)
        if (questions[q].assignment == assignment) {
            right[q] = is_right(&questions[q], sentences[q]);
            points += right[q] ? questions[q].points : 0;
            most += questions[q].points;
        }
    printf("%d. %s: %d of %d\n", assignment, titles[assignment - 1], points, most);
    for (int q = 0; q < QUESTIONS; q++)
        if (questions[q].assignment == assignment) {
            printf("   %-24s %d of %d", questions[q].name, right[q] ? questions[q].points : 0,
                   questions[q].points);
            printf("%s%s\n", right[q] ? "" : "   ", sentences[q]);
        }
    *reached += points;
    *total += most;
}

int main(int count, char *arguments[])
{
    int reached = 0, total = 0;
    for (int i = 1; i < count; i++)
        if (strlen(arguments[i]) != 1 || arguments[i][0] < '1' ||
            arguments[i][0] > '0' + ASSIGNMENTS)
            return fprintf(stderr, "%s [NUMBER...]   NUMBER: 1 .. %d\n", arguments[0], ASSIGNMENTS),
                   2;
    for (int a = 1; a <= (count > 1 ? count - 1 : ASSIGNMENTS); a++)
        grade(count > 1 ? arguments[a][0] - '0' : a, &reached, &total);
    printf("%d of %d points\n", reached, total);
    return reached == total ? 0 : 1;
}

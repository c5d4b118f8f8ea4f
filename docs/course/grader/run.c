/*
 * The process in which an answer in C runs. It reads calls, a line each: a token, the name of a
 * function, and its arguments as numbers and words, a list with its length before it. It writes
 * what the function returns, a line of JSON each: [token, "value", what], [token, "error", a
 * sentence] or [token, "unwritten", null].
 *
 * Compiled for one assignment (ASSIGNMENT) and linked with its answer; NEEDS_CUBENET says whether
 * with cubenet, too. Nothing here decides on points: the judge compares, in another process.
 */
#define _POSIX_C_SOURCE 200809L

#include "course.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What not every assignment needs. */
#ifdef __GNUC__
#define SOMETIMES static __attribute__((unused))
#else
#define SOMETIMES static
#endif

static FILE *calls, *report;
static char *rest;          /* of the line, behind the words that were read */
static const char *token;   /* of the call */
static const char *between; /* what stands before the next element of a value */

/* ---- what comes: the next argument ---- */

static const char *word(void)
{
    const char *found = strtok_r(NULL, " \n", &rest);
    return found != NULL ? found : "";
}

SOMETIMES uint64_t whole(void)
{
    return strtoull(word(), NULL, 10);
}

SOMETIMES double real(void)
{
    return strtod(word(), NULL);
}

/* ---- what goes: a value, or why there is none ---- */

static void begin(const char *kind)
{
    fprintf(report, "[\"%s\", \"%s\", ", token, kind);
    between = "";
}

static void end(void)
{
    fputs("]\n", report);
    fflush(report);
}

static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin("error");
    fputc('"', report);
    vfprintf(report, format, arguments);
    fputc('"', report);
    va_end(arguments);
    end();
    exit(0);
}

_Noreturn void miss(const char *name);
_Noreturn void refuse(const char *name);

void not_written(void)
{
    begin("unwritten");
    fputs("null", report);
    end();
    exit(0);
}

/* Stands where a function would that the answer does not have. */
void miss(const char *name)
{
    fail("there is no function %s()", name);
}

/* Stands where a function of cubenet would. */
void refuse(const char *name)
{
    fail("the answer calls %s(), but this question is to be answered without cubenet", name);
}

static void put_real(double value)
{
    fprintf(report, "%s", between);
    if (isnan(value))
        fputs("NaN", report);
    else if (isinf(value))
        fputs(value < 0 ? "-Infinity" : "Infinity", report);
    else
        fprintf(report, "%.17g", value);
    between = ", ";
}

static void put_whole(uint64_t value)
{
    fprintf(report, "%s%llu", between, (unsigned long long)value);
    between = ", ";
}

SOMETIMES void put_nothing(void)
{
    fprintf(report, "%snull", between);
    between = ", ";
}

SOMETIMES void give_whole(uint64_t value)
{
    begin("value");
    put_whole(value);
    end();
}

SOMETIMES void give_real(double value)
{
    begin("value");
    put_real(value);
    end();
}

SOMETIMES void give_int(int value)
{
    begin("value");
    fprintf(report, "%d", value);
    end();
}

/* A list of the elements that put() has put between open and close. */
static void open_list(void)
{
    begin("value");
    fputc('[', report);
}

static void close_list(void)
{
    fputc(']', report);
    end();
}

SOMETIMES void give_set(uint64_t word)
{
    open_list();
    for (unsigned bit = 0; bit < 64; bit++)
        if (word >> bit & 1)
            put_whole(bit);
    close_list();
}

/* ---- lists that an answer fills ---- */

enum { ROOM = 4096 };
static const double UNTOUCHED = -4711;

/* 0 / 0 where an answer must fill them, UNTOUCHED behind. */
SOMETIMES double *room_for(size_t count)
{
    static double numbers[ROOM];
    for (size_t i = 0; i < ROOM; i++)
        numbers[i] = i < count ? NAN : UNTOUCHED;
    return numbers;
}

SOMETIMES void give_reals(const double numbers[], size_t count)
{
    if (numbers[count] != UNTOUCHED)
        fail("more than %zu elements are written", count);
    open_list();
    for (size_t i = 0; i < count; i++)
        put_real(numbers[i]);
    close_list();
}

/* ---- the functions of each assignment ---- */

#if ASSIGNMENT == 1

static void call_distance(void)
{
    unsigned k = (unsigned)whole(), n = (unsigned)whole();
    uint64_t a = whole(), b = whole();
    give_whole(distance(k, n, a, b));
}

static void call_rotate(void)
{
    unsigned k = (unsigned)whole(), n = (unsigned)whole();
    give_whole(rotate(k, n, whole()));
}

static void call_generator(void)
{
    unsigned k = (unsigned)whole(), n = (unsigned)whole();
    give_whole(generator(k, n, whole()));
}

static void call_displacement(void)
{
    unsigned k = (unsigned)whole(), n = (unsigned)whole();
    give_whole(displacement(k, n, whole()));
}

#define FUNCTIONS CALL(distance) CALL(rotate) CALL(generator) CALL(displacement)

#elif ASSIGNMENT == 2

static void call_ecube(void)
{
    uint64_t node = whole(), destination = whole();
    give_set(ecube(node, destination));
}

static void call_ecube_number(void)
{
    unsigned n = (unsigned)whole();
    uint64_t node = whole();
    give_int(ecube_number(n, node, (unsigned)whole()));
}

static void call_random_minimal(void)
{
    uint64_t node = whole(), destination = whole();
    give_set(random_minimal(node, destination));
}

static void call_waiting_circle(void)
{
    enum { MOST = 100 };
    uint64_t node[MOST] = {0}, destination[MOST] = {0};
    unsigned port[MOST] = {0}, count = waiting_circle(node, port, destination, MOST);
    if (count > MOST)
        fail("%u messages, but there is room for %d", count, MOST);
    open_list();
    for (unsigned i = 0; i < count; i++)
        fprintf(report, "%s[%llu, %u, %llu]", i > 0 ? ", " : "", (unsigned long long)node[i],
                port[i], (unsigned long long)destination[i]);
    close_list();
}

static void call_west_first(void)
{
    unsigned columns = (unsigned)whole();
    uint64_t node = whole(), destination = whole();
    give_set(west_first(columns, node, destination));
}

static void call_west_first_number(void)
{
    unsigned columns = (unsigned)whole(), rows = (unsigned)whole();
    uint64_t node = whole();
    give_int(west_first_number(columns, rows, node, (unsigned)whole()));
}

#if NEEDS_CUBENET
typedef struct order {
    uint64_t dimensions, dimension[64];
} order;

/* Of the dimensions in which a message has to go, the first one of an order. */
static cn_status in_order(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                          uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const order *given = user;
    (void)previous, (void)port, (void)virtual_channel;
    for (uint64_t i = 0; i < given->dimensions; i++)
        if ((node ^ destination) >> given->dimension[i] & 1) {
            channels[given->dimension[i]] = 1;
            break;
        }
    return CN_OK;
}

static void call_mean_delay(void)
{
    cn_topology *cube;
    order given = {0};
    if (cn_topology_hypercube((unsigned)whole(), &cube) != CN_OK)
        fail("%s", cn_last_error());
    given.dimensions = whole();
    for (uint64_t i = 0; i < given.dimensions; i++)
        given.dimension[i] = whole();
    give_real(mean_delay(cube, in_order, &given, real()));
}
#define NEEDS CALL(mean_delay)
#else
#define NEEDS
#endif

#define FUNCTIONS      \
    CALL(ecube)        \
    CALL(ecube_number) \
    CALL(random_minimal) CALL(waiting_circle) CALL(west_first) CALL(west_first_number) NEEDS

#elif ASSIGNMENT == 3

static void call_two_phase(void)
{
    enum { MOST = 200, UNTOUCHED_PORT = 4711 };
    uint64_t preferred[MOST] = {0};
    uint32_t random[2 * MOST] = {0}, ports[MOST + 1];
    unsigned channels = (unsigned)whole(), buffers = (unsigned)whole(), count = (unsigned)whole();
    for (unsigned m = 0; m < count && m < MOST; m++)
        for (uint64_t left = whole(); left > 0; left--)
            preferred[m] |= UINT64_C(1) << whole();
    for (uint64_t w = 0, words = whole(); w < words && w < 2 * MOST; w++)
        random[w] = (uint32_t)whole();
    for (unsigned m = 0; m <= count; m++)
        ports[m] = UNTOUCHED_PORT;
    two_phase(channels, buffers, preferred, count, random, ports);
    if (ports[count] != UNTOUCHED_PORT)
        fail("more than %u elements are written", count);
    open_list();
    for (unsigned m = 0; m < count; m++)
        if (ports[m] != CN_NO_PORT)
            put_whole(ports[m]);
        else
            put_nothing();
    close_list();
}

#define FUNCTIONS CALL(two_phase)

#elif ASSIGNMENT == 4

static void call_phase_one(void)
{
    unsigned n = (unsigned)whole(), messages = (unsigned)whole();
    double *f = room_for(n + 1);
    phase_one(n, messages, f);
    give_reals(f, n + 1);
}

static void call_both_phases(void)
{
    unsigned n = (unsigned)whole(), buffers = (unsigned)whole(), messages = (unsigned)whole();
    double *f = room_for(n + 1);
    both_phases(n, buffers, messages, f);
    give_reals(f, n + 1);
}

static void call_stationary(void)
{
    unsigned n = (unsigned)whole(), buffers = (unsigned)whole();
    double load = real(), transit = real(), *pi = room_for(buffers + 1);
    stationary(n, buffers, load, transit, pi);
    give_reals(pi, buffers + 1);
}

static void call_headers(void)
{
    unsigned n = (unsigned)whole(), rows = n + 1;
    double *matrix = room_for(rows * rows);
    headers(n, real(), matrix);
    if (matrix[rows * rows] != UNTOUCHED)
        fail("more than %u elements are written", rows * rows);
    open_list();
    for (unsigned e = 0; e < rows * rows; e++) {
        if (e % rows == 0)
            between = e == 0 ? "[" : "], [";
        put_real(matrix[e]);
    }
    fputc(']', report);
    close_list();
}

static void call_model_error(void)
{
    unsigned n = (unsigned)whole(), buffers = (unsigned)whole();
    give_real(model_error(n, buffers, real()));
}

#define FUNCTIONS CALL(phase_one) CALL(both_phases) CALL(stationary) CALL(headers) CALL(model_error)

#elif ASSIGNMENT == 5

enum { NODES = 1 << 10 };

static const uint8_t *marked(void)
{
    static uint8_t marks[NODES];
    memset(marks, 0, sizeof marks);
    for (uint64_t left = whole(); left > 0; left--)
        marks[whole() % NODES] = 1;
    return marks;
}

static void call_bad_links(void)
{
    unsigned n = (unsigned)whole();
    const uint8_t *dead = marked();
    give_set(bad_links(n, dead, whole()));
}

static void call_is_safe(void)
{
    unsigned n = (unsigned)whole();
    const uint8_t *dead = marked();
    give_int(is_safe(n, dead, whole()));
}

static void call_make_convex(void)
{
    unsigned n = (unsigned)whole();
    uint8_t disabled[NODES] = {0};
    make_convex(n, marked(), disabled);
    open_list();
    for (uint64_t v = 0; v < NODES; v++)
        if (disabled[v])
            put_whole(v);
    close_list();
}

#define FUNCTIONS CALL(bad_links) CALL(is_safe) CALL(make_convex)

#elif ASSIGNMENT == 6

static void call_replications(void)
{
    enum { UNTOUCHED_COUNT = 4711 };
    unsigned n = (unsigned)whole();
    uint64_t nodes[65] = {0};
    nodes[n] = UNTOUCHED_COUNT;
    replications(n, nodes);
    if (nodes[n] != UNTOUCHED_COUNT)
        fail("more than %u elements are written", n);
    open_list();
    for (unsigned i = 0; i < n; i++)
        put_whole(nodes[i]);
    close_list();
}

#define RATE(name)                           \
    static void call_##name(void)            \
    {                                        \
        unsigned n = (unsigned)whole();      \
        double beta = real(), load = real(); \
        give_real(name(n, beta, load));      \
    }
RATE(published_replica_rate)
RATE(replica_rate)
RATE(measured_ratio)

static void call_latency_errors(void)
{
    unsigned n = (unsigned)whole();
    double beta = real(), load = real(), *errors = room_for(2);
    latency_errors(n, beta, load, errors);
    give_reals(errors, 2);
}

#define FUNCTIONS      \
    CALL(replications) \
    CALL(published_replica_rate) CALL(replica_rate) CALL(measured_ratio) CALL(latency_errors)

#elif ASSIGNMENT == 7

static family network(void)
{
    return strcmp(word(), "psnn") == 0 ? PSNN : HYPERCUBE;
}

static void call_neighbors(void)
{
    enum { MOST = 8 };
    unsigned n = (unsigned)whole();
    uint64_t list[MOST] = {0};
    unsigned count = neighbors(n, whole(), list);
    if (count > 4)
        fail("%u neighbours, but a node has 4 at most", count);
    open_list();
    for (unsigned i = 0; i < count; i++)
        put_whole(list[i]);
    close_list();
}

static void call_diameter(void)
{
    give_whole(diameter((unsigned)whole()));
}

static void call_paper_cost(void)
{
    char measure = *word();
    family which = network();
    give_real(paper_cost(measure, which, (unsigned)whole()));
}

static void call_exact_cost(void)
{
    char measure = *word();
    family which = network();
    give_real(exact_cost(measure, which, (unsigned)whole()));
}

static void call_crossing(void)
{
    unsigned n[2] = {99, 99};
    crossing(*word(), n);
    open_list();
    for (int i = 0; i < 2; i++)
        if (n[i] != 0)
            put_whole(n[i]);
        else
            put_nothing();
    close_list();
}

#define FUNCTIONS CALL(neighbors) CALL(diameter) CALL(paper_cost) CALL(exact_cost) CALL(crossing)

#endif

static const struct {
    const char *name;
    void (*call)(void);
} functions[] = {
#define CALL(name) {#name, call_##name},
    FUNCTIONS};

static void call(char *line)
{
    token = strtok_r(line, " \n", &rest);
    const char *name = word();
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++)
        if (strcmp(functions[f].name, name) == 0) {
            functions[f].call();
            return;
        }
    fail("the grader has no function %s", name);
}

int main(void)
{
    enum { LINE = 1 << 16 };
    static char line[LINE];
    calls = fdopen(dup(STDIN_FILENO), "r");
    report = fdopen(dup(STDOUT_FILENO), "w");
    int nothing = open("/dev/null", O_RDONLY);
    if (calls == NULL || report == NULL || nothing < 0)
        return 1;
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* what an answer prints goes elsewhere */
    token = "";
    begin("value");
    fputs("null", report);
    end();
    while (fgets(line, sizeof line, calls) != NULL)
        call(line);
    return 0;
}

/*
 * What it costs to divide deflection on cubes into parts, each in a thread of its own: time of a
 * cycle of one part and of two, processor time of two parts over that of one, bytes that a message
 * takes which crosses to the other part, share of the time that a part waits, and memory of a node.
 * With --big cubes of up to 22 dimensions, the largest in two parts alone. The whole and its parts
 * take turns, and the best time of each counts, so that the ratios mean something where other
 * programs run, too.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support/part_host.h"

enum { PARTS = 2, REPETITIONS = 5, LARGEST_WHOLE = 20 };

/* ---- parts ---- */

/* One simulation, whole or in parts, which is stepped a little at a time. */
typedef struct division {
    const cn_scenario *scenario;
    uint32_t parts;
    cn_sim *sim[PARTS];
    part_port port[PARTS];
    uint64_t cycles; /* of the next step */
    double processor[PARTS];
} division;

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void step(part_port *port)
{
    division *d = port->context;
    double begin = processor_time();
    bench_check(cn_sim_step(d->sim[port->part], d->cycles, NULL));
    d->processor[port->part] = processor_time() - begin;
}

static void open_division(division *d, const cn_scenario *scenario, uint32_t parts)
{
    *d = (division){.scenario = scenario, .parts = parts};
    for (uint32_t p = 0; p < parts; p++) {
        d->port[p].context = d;
        if (parts == 1)
            bench_check(cn_sim_open(scenario, NULL, &d->sim[p]));
        else
            bench_check(
                cn_sim_open_part(scenario, p, parts, part_exchange, &d->port[p], NULL, &d->sim[p]));
    }
}

static void close_division(division *d)
{
    for (uint32_t p = 0; p < d->parts; p++)
        cn_sim_close(&d->sim[p]);
}

/* Seconds of a cycle; *processor: of all processors together. */
static double time_cycle(division *d, uint64_t cycles, double *processor)
{
    double begin = bench_now();
    d->cycles = cycles;
    if (d->parts == 1)
        step(&d->port[0]);
    else if (!part_host_run(d->parts, d->port, step))
        exit(1);
    double seconds = bench_now() - begin, sum = 0.0;
    for (uint32_t p = 0; p < d->parts; p++)
        sum += d->processor[p];
    if (*processor == 0.0 || sum < *processor * (double)cycles)
        *processor = sum / (double)cycles;
    return seconds / (double)cycles;
}

static void report(const bench_options *options, uint32_t n, const char *what, double value,
                   const char *unit)
{
    char name[60];
    snprintf(name, sizeof name, "parts/n=%u/%s", (unsigned)n, what);
    bench_report(options->csv, name, value, unit);
}

static void report_exchange(const bench_options *options, uint32_t n, const division *d)
{
    uint64_t messages, bytes;
    double waiting, stepping;
    bench_check(cn_sim_exchanged(d->sim[0], &messages, &bytes, &waiting, &stepping));
    report(options, n, "bytes_per_message", (double)bytes / (double)messages, "bytes");
    report(options, n, "waiting", 100.0 * waiting / stepping, "%");
}

static void run_cube(const bench_options *options, uint32_t n)
{
    uint64_t nodes = UINT64_C(1) << n, cycles = (options->quick ? 1 : 10) +
                                                (UINT64_C(1) << (options->quick ? 10 : 20)) / nodes;
    double best[2] = {0.0, 0.0}, processor[2] = {0.0, 0.0};
    division d[2];
    cn_topology *cube;
    cn_scenario *scenario;
    bench_check(cn_topology_hypercube(n, &cube));
    bench_check(cn_scenario_new(cube, "deflection", &scenario));
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
    bench_check(cn_scenario_set(scenario, CN_PARAM_BUFFERS, n));
    bench_check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    int first = n > LARGEST_WHOLE ? 1 : 0;
    for (int i = first; i < 2; i++) {
        size_t before = bench_memory();
        open_division(&d[i], scenario, i == 0 ? 1 : PARTS);
        double bytes = (double)(bench_memory() - before) / (double)nodes;
        report(options, n, i == 0 ? "memory/parts=1" : "memory/parts=2", bytes, "bytes/node");
        time_cycle(&d[i], n + cycles, &(double){0.0}); /* until messages are everywhere */
    }
    for (int r = 0; r < (options->quick ? 1 : REPETITIONS); r++)
        for (int i = first; i < 2; i++) {
            double seconds = time_cycle(&d[i], cycles, &processor[i]);
            best[i] = r == 0 || seconds < best[i] ? seconds : best[i];
        }
    for (int i = first; i < 2; i++) {
        report(options, n, i == 0 ? "cycle/parts=1" : "cycle/parts=2", 1e3 * best[i], "ms");
        report(options, n, i == 0 ? "processor/parts=1" : "processor/parts=2", 1e3 * processor[i],
               "ms");
    }
    if (first == 0) {
        report(options, n, "speedup", best[0] / best[1], "times");
        report(options, n, "processor/ratio", processor[1] / processor[0], "times");
    }
    report_exchange(options, n, &d[1]);
    for (int i = first; i < 2; i++)
        close_division(&d[i]);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    bench_count_memory();
    for (uint32_t n = 10; n <= (options.quick ? 12u : options.big ? 22u : 16u); n += 2)
        run_cube(&options, n);
    return 0;
}

/*
 * How fast networks are measured: all distances, searched for and counted, and how far the searches
 * for bisection and broadcast come with the default number of steps. The bounds are reported too;
 * they are the same on every machine.
 */
#include "bench.h"

#include <stdio.h>

static void report(const bench_options *options, uint32_t n, const char *name, double value,
                   const char *unit)
{
    char text[80];
    snprintf(text, sizeof text, "measures/n=%u/%s", (unsigned)n, name);
    bench_report(options->csv, text, value, unit);
}

static cn_topology *psnn(uint32_t n)
{
    cn_topology *made;
    bench_check(cn_topology_psnn(n, &made));
    return made;
}

/* Every distance, by way of the mean. */
static void all_pairs(const bench_options *options, uint32_t n)
{
    cn_topology *t = psnn(n);
    double mean, nodes = (double)cn_topology_node_count(t), start = bench_now();
    bench_check(cn_topology_mean_distance(t, NULL, &mean));
    double seconds = bench_now() - start;
    cn_topology_free(&t);
    report(options, n, "psnn/all_pairs", nodes * nodes / seconds, "pairs/s");
}

/* Distances that are counted, not searched for. */
static void counted(const bench_options *options, uint32_t n)
{
    cn_topology *t;
    bench_check(cn_topology_de_bruijn(n, &t));
    double mean, start = bench_now();
    bench_check(cn_topology_mean_distance(t, NULL, &mean));
    report(options, n, "de_bruijn/mean_distance", bench_now() - start, "s");
    cn_topology_free(&t);
}

/* A search: the time, and the bounds that it was worth. */
static void bounded(const bench_options *options, uint32_t n, cn_measure measure, const char *unit)
{
    static const uint64_t QUICK_STEPS = 1000000;
    cn_topology *t = psnn(n);
    cn_control *control;
    bench_check(cn_control_new(&control));
    bench_check(cn_control_set_steps(control, options->quick ? QUICK_STEPS : 0));
    double lower, upper, start = bench_now();
    cn_known kind;
    char name[64];
    bench_check(cn_topology_measure(t, measure, 0.5, control, &lower, &upper, &kind));
    double seconds = bench_now() - start;
    cn_control_free(&control);
    cn_topology_free(&t);
    snprintf(name, sizeof name, "psnn/%s", cn_enum_name(CN_ENUM_MEASURE, (int)measure));
    report(options, n, name, seconds, "s");
    snprintf(name, sizeof name, "psnn/%s/lower", cn_enum_name(CN_ENUM_MEASURE, (int)measure));
    report(options, n, name, lower, unit);
    snprintf(name, sizeof name, "psnn/%s/upper", cn_enum_name(CN_ENUM_MEASURE, (int)measure));
    report(options, n, name, upper, unit);
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    for (uint32_t n = 10; n <= 14; n += 2)
        all_pairs(&options, n);
    counted(&options, 14);
    if (!options.quick)
        counted(&options, 18);
    for (uint32_t n = 6; n <= 12; n += 2) {
        bounded(&options, n, CN_MEASURE_BISECTION_WIDTH, "links");
        bounded(&options, n, CN_MEASURE_BROADCAST_TIME, "steps");
    }
    return 0;
}

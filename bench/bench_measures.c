/* How fast networks are measured. With --csv lines `name,value,unit`, else a table. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cubenet.h"

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void put(int csv, const char *name, uint32_t n, double value, const char *unit)
{
    printf(csv ? "measures/%s/n=%lu,%.6g,%s\n" : "%-40s n=%-4lu %12.6g %s\n", name,
           (unsigned long)n, value, unit);
}

static int failed(cn_status status)
{
    if (status == CN_OK)
        return 0;
    fprintf(stderr, "bench_measures: %s\n", cn_last_error());
    return 1;
}

/* Every distance of a PSNN, by way of the mean. */
static int all_pairs(int csv, uint32_t n)
{
    cn_topology *t;
    double mean, start = now();
    if (failed(cn_topology_psnn(n, &t)))
        return 1;
    int bad = failed(cn_topology_mean_distance(t, &mean));
    double seconds = now() - start, nodes = (double)cn_topology_node_count(t);
    cn_topology_free(&t);
    put(csv, "psnn_all_pairs", n, seconds, "s");
    put(csv, "psnn_all_pairs_rate", n, nodes * nodes / seconds, "pairs/s");
    return bad;
}

static int diameter(int csv, uint32_t n)
{
    cn_topology *t;
    uint64_t hops;
    double start = now();
    if (failed(cn_topology_psnn(n, &t)))
        return 1;
    int bad = failed(cn_topology_diameter(t, &hops));
    put(csv, "psnn_diameter", n, now() - start, "s");
    cn_topology_free(&t);
    return bad;
}

/* A measure with the default budget: the time, and the bounds that it was worth. */
static int bounded(int csv, uint32_t n, cn_measure measure, const char *name)
{
    cn_topology *t;
    double lower, upper, start = now();
    cn_known kind;
    char text[64];
    if (failed(cn_topology_psnn(n, &t)))
        return 1;
    int bad =
        failed(cn_topology_measure(t, measure, 0.5, 0, 0.0, NULL, NULL, &lower, &upper, &kind));
    double seconds = now() - start;
    cn_topology_free(&t);
    if (bad)
        return 1;
    snprintf(text, sizeof text, "psnn_%s", name);
    put(csv, text, n, seconds, "s");
    snprintf(text, sizeof text, "psnn_%s_lower", name);
    put(csv, text, n, lower, name);
    snprintf(text, sizeof text, "psnn_%s_upper", name);
    put(csv, text, n, upper, name);
    return 0;
}

int main(int count, char *arguments[])
{
    int csv = count == 2 && strcmp(arguments[1], "--csv") == 0;
    if (count > 1 && !csv) {
        fprintf(stderr, "usage: bench_measures [--csv]\n");
        return 2;
    }
    int bad = all_pairs(csv, 12) | all_pairs(csv, 14);
    bad |= diameter(csv, 14) | diameter(csv, 17);
    for (uint32_t n = 6; n <= 12; n += 2) {
        bad |= bounded(csv, n, CN_MEASURE_BISECTION_WIDTH, "links");
        bad |= bounded(csv, n, CN_MEASURE_BROADCAST_TIME, "steps");
    }
    return bad;
}

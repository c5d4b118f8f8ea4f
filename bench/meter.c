#define _DEFAULT_SOURCE /* syscall */
#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- instructions ---- */

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of this process and of the threads that it will start, outside the kernel; negative: not to be
 * had. */
static int open_counter(void)
{
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.inherit = 1;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

static uint64_t read_counter(int counter)
{
    uint64_t value;
    return read(counter, &value, sizeof value) == (ssize_t)sizeof value ? value : 0;
}
#else
static int open_counter(void)
{
    return -1;
}

static uint64_t read_counter(int counter)
{
    (void)counter;
    return 0;
}
#endif

/* So far; 0 where they are not counted, which is said once. */
static uint64_t instructions(void)
{
    static int opened, counter;
    if (!opened) {
        opened = 1;
        counter = open_counter();
        if (counter < 0)
            fprintf(stderr, "instructions are not counted: this machine has no counter for them\n");
    }
    return counter < 0 ? 0 : read_counter(counter);
}

/* ---- spans ---- */

void bench_start(bench_meter *meter)
{
    meter->instructions_before = instructions();
    meter->start = bench_now();
}

void bench_stop(bench_meter *meter)
{
    meter->seconds = bench_now() - meter->start;
    meter->instructions += instructions() - meter->instructions_before;
}

void bench_did(bench_meter *meter, double work)
{
    bench_check(meter->spans < BENCH_SPANS ? CN_OK : CN_ERR_INTERNAL);
    meter->rates[meter->spans++] = work / meter->seconds;
    meter->work += work;
}

static void report(int csv, const char *name, const char *what, double value, const char *unit)
{
    char line[160];
    snprintf(line, sizeof line, "%s%s", name, what);
    bench_report(csv, line, value, unit);
}

double bench_report_meter(int csv, const char *name, const char *work, bench_meter *meter)
{
    char unit[60];
    bench_spread spread = bench_rates(meter->rates, meter->spans);
    snprintf(unit, sizeof unit, "%ss/s", work);
    report(csv, name, "", spread.best, unit);
    report(csv, name, "/median", spread.median, unit);
    if (meter->instructions > 0) {
        snprintf(unit, sizeof unit, "instructions/%s", work);
        report(csv, name, "/instructions", (double)meter->instructions / meter->work, unit);
    }
    return spread.best;
}

#define _DEFAULT_SOURCE /* clock_gettime, madvise */
#include "bench.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static void usage(const char *program)
{
    fprintf(stderr, "usage: %s [--csv] [--quick] [--big] [--threads T]\n", program);
    exit(1);
}

bench_options bench_parse(int argc, char **argv)
{
    bench_options options = {.threads = 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--csv") == 0) {
            options.csv = 1;
        } else if (strcmp(argv[i], "--quick") == 0) {
            options.quick = 1;
        } else if (strcmp(argv[i], "--big") == 0) {
            options.big = 1;
        } else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
            char *end;
            long threads = strtol(argv[++i], &end, 10);
            if (*end != '\0' || threads < 1 || threads > 1024)
                usage(argv[0]);
            options.threads = (uint32_t)threads;
        } else {
            usage(argv[0]);
        }
    }
    return options;
}

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* "4.7e+07" becomes "4.7e7". */
static void shorten_exponent(char *text)
{
    char *e = strchr(text, 'e');
    if (e == NULL)
        return;
    char *to = e + 1, *from = e + 1;
    if (*from == '-')
        to++;
    from++;
    while (from[0] == '0' && from[1] != '\0')
        from++;
    memmove(to, from, strlen(from) + 1);
}

void bench_report(int csv, const char *name, double value, const char *unit)
{
    char number[40];
    snprintf(number, sizeof number, "%.4g", value);
    shorten_exponent(number);
    if (csv)
        printf("%s,%s,%s\n", name, number, unit);
    else
        printf("%-56s %12s %s\n", name, number, unit);
    fflush(stdout);
}

void bench_check(cn_status status)
{
    if (status >= 0)
        return;
    fprintf(stderr, "%s\n", cn_last_error());
    exit(1);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_spread bench_rates(double rates[], size_t count)
{
    qsort(rates, count, sizeof *rates, compare);
    double low = rates[(count - 1) / 2], high = rates[count / 2];
    return (bench_spread){.best = rates[count - 1], .median = 0.5 * (low + high)};
}

/* ---- an allocator that counts ---- */

enum { HEADER = 64 }; /* keeps what malloc gives aligned, to the cache line too if it was */

static atomic_size_t allocated;

/* As the library does with what it allocates itself. */
static void want_large_pages(unsigned char *block, size_t size)
{
#if defined(MADV_HUGEPAGE)
    const size_t page = (size_t)1 << 21;
    size_t before = (0 - (size_t)(uintptr_t)block) % page;
    if (size >= 2 * page)
        (void)madvise(block + before, (size - before) / page * page, MADV_HUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}

static void *counting_allocate(void *user, size_t size)
{
    (void)user;
    unsigned char *block = malloc(size + HEADER);
    if (block == NULL)
        return NULL;
    want_large_pages(block, size);
    *(size_t *)(void *)block = size;
    atomic_fetch_add(&allocated, size);
    return block + HEADER;
}

static void counting_release(void *user, void *memory)
{
    (void)user;
    unsigned char *block = (unsigned char *)memory - HEADER;
    atomic_fetch_sub(&allocated, *(size_t *)(void *)block);
    free(block);
}

void bench_count_memory(void)
{
    bench_check(cn_set_allocator(counting_allocate, counting_release, NULL));
}

size_t bench_memory(void)
{
    return atomic_load(&allocated);
}

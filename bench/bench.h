/* What the programs of bench/ share: options, the clock, and lines `name,value,unit`. */
#ifndef CUBENET_BENCH_H
#define CUBENET_BENCH_H

#include <cubenet.h>

typedef struct bench_options {
    int csv;          /* --csv: lines for programs in place of lines for people */
    int quick;        /* --quick: only show that it runs; the numbers mean little */
    int big;          /* --big: also the network of a million nodes */
    uint32_t threads; /* --threads T: besides one thread also T */
} bench_options;

/* Reads the command line of a speed benchmark; prints the usage and exits when it is wrong. */
bench_options bench_parse(int argc, char **argv);

/* Seconds on a clock that only goes forward. */
double bench_now(void);

/* One number: `name,value,unit` with csv, else the same for people. Exponents are short: 4.7e7. */
void bench_report(int csv, const char *name, double value, const char *unit);

/* Prints the library's sentence and ends the program when the call failed. */
void bench_check(cn_status status);

/* From here on the library's memory is counted; call it before anything else of the library. */
void bench_count_memory(void);

/* Bytes that the library holds. */
size_t bench_memory(void);

typedef struct bench_spread {
    double best, median;
} bench_spread;

/* Of values of which the greatest is the best; sorts them. */
bench_spread bench_rates(double rates[], size_t count);

enum { BENCH_SPANS = 7 };

/* Spans of one kind of work. Begins as zeros. */
typedef struct bench_meter {
    double rates[BENCH_SPANS]; /* work a second */
    size_t spans;
    double work, start, seconds; /* of all spans; of the last one */
    uint64_t instructions, instructions_before;
} bench_meter;

/* What is between them is a span. */
void bench_start(bench_meter *meter);
void bench_stop(bench_meter *meter);

/* How much work the last span did, which may be found out after its end. */
void bench_did(bench_meter *meter, double work);

/* Reports the best and the median rate of the spans, with `work`s/s for their unit, and where the
 * machine counts them the instructions for each `work`, which do not vary as times do. Returns the
 * best rate. */
double bench_report_meter(int csv, const char *name, const char *work, bench_meter *meter);

#endif

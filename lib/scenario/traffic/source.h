/*
 * The times at which a node offers messages, in two ways with the same law: the number in a cycle,
 * for kernels that visit every node in every cycle, and the next cycle with a message, for other
 * kernels.
 */
#ifndef CNI_SCENARIO_TRAFFIC_SOURCE_H
#define CNI_SCENARIO_TRAFFIC_SOURCE_H

#include "base/archive.h"
#include "base/names.h"
#include "scenario/traffic/traffic.h"

enum { CNI_SOURCE_THRESHOLDS = 128 };

typedef struct cni_source_row cni_source_row; /* what a source is: source.c has the table */

/* A source at a load. Whole numbers of 2^-53 stand for probabilities. */
typedef struct cni_source_process {
    cn_source kind; /* never CN_SOURCE_OF_SYSTEM */
    const cni_source_row *row;
    double load;
    uint64_t emit;   /* a message in a cycle (of an on period) */
    uint64_t to_off; /* an on period ends after a cycle */
    uint64_t to_on;
    uint64_t first_on; /* a node is on at the start */
    /* the same as rates, divisors for cni_exponential(); the rate of CN_SOURCE_POISSON is the
     * load */
    double emit_rate, off_rate, on_rate;
    uint32_t rounds; /* CN_SOURCE_POISSON: independent parts of the load */
    uint32_t thresholds;
    uint64_t threshold[CNI_SOURCE_THRESHOLDS]; /* of a part: more than j messages in a cycle */
} cni_source_process;

/* The source of a traffic (NULL: of the system) at a load. CN_ERR_ARGUMENT, in the name of the
 * calling function, when it cannot offer that load. */
cn_status cni_source_start(const char *function, const cn_traffic *traffic, cn_source of_system,
                           double load, cni_source_process *source);

/* The greatest load of the source; INFINITY without a limit. */
double cni_source_most(const cn_traffic *traffic);

/* CN_ERR_ARGUMENT unless the number of the source alone defines it. */
cn_status cni_source_check_plain(const char *function, cn_source source);

/* The number of messages that a node offers at the end of a cycle, from the words first, first +
 * 1, ... of its sequence for the cycle. `on` is the state of the node, which only
 * CN_SOURCE_ON_OFF uses; with that source the function must be called for every cycle from the
 * first. */
uint64_t cni_source_offered(const cni_source_process *source, uint64_t stream, uint64_t first,
                            uint8_t *on);

/* The state that a node begins in. */
uint8_t cni_source_first_state(const cni_source_process *source, uint64_t word);

/* The next message of a node. */
typedef struct cni_arrivals {
    /* of the next message: offered when so many cycles are over, from 1 on; UINT64_MAX: never */
    uint64_t cycle;
    double fraction; /* CN_SOURCE_POISSON: how far into the cycle it comes, [0, 1) */
    uint64_t draws;  /* words that are used up */
    /* geometric: further messages in the same cycle; on/off: further cycles of this on period */
    uint64_t left;
    /* on/off: 1: no message comes in that cycle; cni_source_next() is to be called again then. So a
     * source that seldom sends is not followed over all its periods at once. */
    int silent;
} cni_arrivals;

/* The first message of a node. `stream` is a sequence of the node's own, for the whole run. */
void cni_source_begin(const cni_source_process *source, uint64_t stream, cni_arrivals *arrivals);

/* The arrivals in a snapshot taken at this cycle; the next message comes later. CN_ERR_ARGUMENT. */
cn_status cni_arrivals_visit(cni_archive *archive, cni_arrivals *arrivals, uint64_t cycle);

/* The next message after the present one. */
void cni_source_next(const cni_source_process *source, uint64_t stream, cni_arrivals *arrivals);

extern const cni_names cni_sources;

#endif

/*
 * The interface of simulator kernels to cn_sim. A kernel steps and counts. Warm-up, batches,
 * precision and results are common to all kernels and live in simulation/run.
 */
#ifndef CNI_SIMULATION_KERNEL_KERNEL_H
#define CNI_SIMULATION_KERNEL_KERNEL_H

#include "cubenet/simulation.h"

#include "base/archive.h"
#include "base/histogram.h"
#include "base/statistics.h"
#include "scenario/result.h"
#include "scenario/scenario.h"

/* Counters that every kernel has; the counters of a kernel come after them. All count from cycle
 * 0. */
enum {
    CNI_COUNT_CYCLES,
    CNI_COUNT_OFFERED,
    CNI_COUNT_ACCEPTED,
    CNI_COUNT_DELIVERED,
    CNI_COUNT_DELAY, /* sum over the delivered messages */
    CNI_COUNT_OWN,
    CNI_COUNT_OF_RUN = CNI_COUNTERS - 4 /* from here on counters that no kernel uses */
};

typedef struct cni_kernel {
    int variant; /* distinguishes kernels that share these functions */
    cn_status (*open)(const cn_scenario *scenario, uint64_t seed, void **state);
    void (*close)(void *state);
    /* The state before the first cycle of a run that is not restored; NULL: nothing to do.
     * CN_ERR_MEMORY. */
    cn_status (*begin)(void *state);
    /* Computes what counters need from the first cycle on, once: before this cycle, or before a
     * state is read. So opening does not wait for it. The scenario has a budget. NULL: nothing. */
    cn_status (*settle)(void *state, const cn_scenario *scenario);
    /* Visits everything in which a state between steps can differ from a state that was just
     * opened: writes it without a change, or reads it into a fresh state. Numbers that follow
     * from others, or depend on threads, are computed. Whatever numbers are read, later steps
     * may fail only by a status. CN_ERR_ARGUMENT, CN_ERR_MEMORY. */
    cn_status (*visit)(void *state, cni_archive *archive);
    /* Runs any number of cycles; the result does not depend on their division into calls. */
    cn_status (*step)(void *state, uint64_t cycles);
    /* The first cycle after the present one at whose end the state can change: CN_NEVER when the
     * network is empty and no message will come. O(1) or O(log), and the cost of sorting that it
     * also does. */
    uint64_t (*next_event)(const void *state);
    /* Passes so many cycles, all before the next event, with the result of stepping. */
    void (*skip)(void *state, uint64_t cycles);
    /* Flits: 0 stands for the scenario's number; numbers above 1 only when has_flits. */
    cn_status (*inject)(void *state, uint64_t source, uint64_t destination, uint64_t flits,
                        uint64_t tag);
    /* CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT for an unknown base. NULL: the kernel has no
     * broadcasts. */
    cn_status (*inject_broadcast)(void *state, uint64_t source, uint32_t base, uint64_t tag);
    /* The status that inject would return for this source, in the name of the function: CN_OK,
     * CN_REFUSED when the source is full, or an error. NULL: always CN_OK. */
    cn_status (*can_accept)(const void *state, const char *function, uint64_t source);
    /* Messages that wait at a node, as cn_sim_queued() says; NULL: unknown. */
    uint64_t (*queued)(const void *state, uint64_t node);
    /* From now on messages of a trace are delivered like injected messages, with their index as
     * tag. NULL: the kernel takes no trace. */
    void (*report_trace)(void *state);
    /* CN_OK, or CN_DONE when there is none. */
    cn_status (*next_delivery)(void *state, cn_delivery *delivery);
    void (*count)(const void *state, uint64_t counters[CNI_COUNTERS]);
    uint64_t (*in_flight)(const void *state);          /* by looking, not by subtracting */
    const cni_histogram *(*delays)(const void *state); /* since clear_delays */
    void (*clear_delays)(void *state);
    /* Delays are counted in units of 2^-this cycles; NULL: in cycles. */
    uint32_t (*delay_bits)(const cn_scenario *scenario);
    /* Puts the rates and means that follow from these counters into a result. */
    void (*evaluate)(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                     cn_result *result);
    /* For a network that takes all offered messages, else NULL: cuts down the cycles of a run
     * without a steady state. The saturated run of such a network ends with CN_STOP_SATURATED. */
    cn_status (*shorten)(cn_scenario *scenario);
    /* Sets every member that is not NULL to the counts since cycle 0, and to NULL the histograms
     * that the kernel does not count. With statistics the kernel counts all other members. */
    void (*read)(const void *state, cni_counts *counts);
    /* The part of a network in a simulation that was opened for a part. NULL: the network cannot
     * be divided. */
    struct cni_part *(*part)(void *state);
    int counts_channels; /* 1: their loads also when the scenario does not ask */
    /* 1 when no number of a run depends on the seed; NULL: always 0. */
    int (*is_certain)(const cn_scenario *scenario);
    /* 1: the network takes all offered messages, and only its queues show an overload: a run
     * whose queues grow ends with CN_STOP_SATURATED. NULL: never. */
    int (*takes_all)(const cn_scenario *scenario);
    int has_flits;
    /* 1: a run ends when nothing can happen any more, not after so many cycles */
    int ends;
    /* 1: a named and an attached routing run alike, so that replications may share one routing */
    int shares_routing;
    /* Between steps: CN_ERR_DEADLOCK, with a sentence, when some messages can never move again,
     * whatever the others do. A step need not notice a deadlock at once. NULL: a step notices
     * everything. */
    cn_status (*look)(void *state);
    /* After a deadlock: *length channels; the holder of each waits for the next. NULL: the
     * kernel cannot deadlock. */
    const uint32_t *(*knot)(const void *state, size_t *length);
} cni_kernel;

#endif

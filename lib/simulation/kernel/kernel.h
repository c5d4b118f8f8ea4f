/*
 * The interface of simulator kernels to cn_sim. A kernel steps and counts. Warm-up, batches,
 * precision and results are common to all kernels; their code is in simulation/run.
 */
#ifndef CNI_SIMULATION_KERNEL_KERNEL_H
#define CNI_SIMULATION_KERNEL_KERNEL_H

#include "cubenet/simulation.h"

#include "base/archive.h"
#include "base/histogram.h"
#include "base/statistics.h"
#include "scenario/result.h"
#include "scenario/scenario.h"

/* The counters of every kernel. A kernel's own counters begin at CNI_COUNT_OWN. All count from
 * cycle 0. */
enum {
    CNI_COUNT_CYCLES,
    CNI_COUNT_OFFERED,
    CNI_COUNT_ACCEPTED,
    CNI_COUNT_DELIVERED,
    CNI_COUNT_DELAY, /* summed over the delivered messages */
    CNI_COUNT_OWN,
    CNI_COUNT_OF_RUN = CNI_COUNTERS - 4 /* from here on the counters of workload_run.h */
};

typedef struct cni_kernel {
    int variant; /* distinguishes kernels with the same functions */
    cn_status (*open)(const cn_scenario *scenario, uint64_t seed, void **state);
    void (*close)(void *state);
    /* Prepares the state before the first cycle of a run that is not restored; NULL: nothing to
     * do. CN_ERR_MEMORY. */
    cn_status (*begin)(void *state);
    /* Computes constants of the counters, once: before the first cycle, or before a state is
     * read. So opening a simulation does not wait for the computation. The scenario has a
     * budget. NULL: nothing to do. */
    cn_status (*settle)(void *state, const cn_scenario *scenario);
    /* Visits everything in which a state between steps can differ from a freshly opened state:
     * writes it without changing it, or reads it into a fresh state. Numbers that follow from
     * other numbers, or depend on threads, are recomputed. Whatever numbers are read, later
     * steps may fail only by a status. CN_ERR_ARGUMENT, CN_ERR_MEMORY. */
    cn_status (*visit)(void *state, cni_archive *archive);
    /* Runs any number of cycles. The result does not depend on the division into calls. */
    cn_status (*step)(void *state, uint64_t cycles);
    /* The number of the first later cycle in which the state can change; CN_NEVER when the
     * network is empty and no message will come. O(1) or O(log messages); may also do sorting
     * that a step would do anyway. */
    uint64_t (*next_event)(const void *state);
    /* Passes this many cycles, all before the next event, with the same result as stepping. */
    void (*skip)(void *state, uint64_t cycles);
    /* flits = 0 stands for the scenario's number; numbers above 1 need has_flits. */
    cn_status (*inject)(void *state, uint64_t source, uint64_t destination, uint64_t flits,
                        uint64_t tag);
    /* CN_ERR_UNSUPPORTED, or CN_ERR_ARGUMENT for an unknown base. NULL: the kernel has no
     * broadcasts. */
    cn_status (*inject_broadcast)(void *state, uint64_t source, uint32_t base, uint64_t tag);
    /* The status that inject would return for this source, in the name of the function: CN_OK,
     * CN_REFUSED when the source is full, or an error. NULL: always CN_OK. */
    cn_status (*can_accept)(const void *state, const char *function, uint64_t source);
    /* The messages that wait at a node, as for cn_sim_queued(); NULL: unknown. */
    uint64_t (*queued)(const void *state, uint64_t node);
    /* From now on messages of a trace are delivered like injected messages, with their index as
     * tag. NULL: the kernel takes no trace. */
    void (*report_trace)(void *state);
    /* CN_OK, or CN_DONE without an arrived message. */
    cn_status (*next_delivery)(void *state, cn_delivery *delivery);
    void (*count)(const void *state, uint64_t counters[CNI_COUNTERS]);
    /* counts the messages present, independently of the counters */
    uint64_t (*in_flight)(const void *state);
    const cni_histogram *(*delays)(const void *state); /* the delays since clear_delays */
    void (*clear_delays)(void *state);
    /* Delays are counted in units of 2^-delay_bits cycles; NULL: in cycles. */
    uint32_t (*delay_bits)(const cn_scenario *scenario);
    /* Puts the rates and means that follow from the counters into a result. */
    void (*evaluate)(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                     cn_result *result);
    /* For a network that takes all offered messages: shortens the cycles of a run without a
     * steady state. A saturated run of such a network ends with CN_STOP_SATURATED. NULL: the
     * network refuses messages. */
    cn_status (*shorten)(cn_scenario *scenario);
    /* Sets every member that is not NULL to the counts since cycle 0, and sets to NULL the
     * histograms that the kernel does not count. With statistics the kernel counts all other
     * members. */
    void (*read)(const void *state, cni_counts *counts);
    /* The part of the network, in a simulation that was opened for a part. NULL: the network
     * cannot be divided. */
    struct cni_part *(*part)(void *state);
    int counts_channels; /* 1: channel loads are counted even when the scenario does not ask */
    /* 1 when no number of a run depends on the seed; NULL: always 0. */
    int (*is_certain)(const cn_scenario *scenario);
    /* 1: the network takes all offered messages, and only its queues show an overload, so a run
     * whose queues grow ends with CN_STOP_SATURATED. NULL: never. */
    int (*takes_all)(const cn_scenario *scenario);
    int has_flits;
    /* 1: a run ends when nothing more can happen, not after a number of cycles */
    int ends;
    /* 1: named and attached routings run alike, so replications may share a routing */
    int shares_routing;
    /* Searches for a deadlock between steps: CN_ERR_DEADLOCK, with an error message, when some
     * messages can never move again, whatever the other messages do. A step need not notice a
     * deadlock at once. NULL: a step notices every deadlock. */
    cn_status (*look)(void *state);
    /* After a deadlock: a cycle of *length channels; the holder of each channel waits for the
     * next channel. NULL: the kernel cannot deadlock. */
    const uint32_t *(*knot)(const void *state, size_t *length);
} cni_kernel;

#endif

/*
 * What a simulator kernel gives to cn_sim: it steps and counts; warm-up, batches, precision and
 * results are the same for all and live in sim.c and replicate.c.
 */
#ifndef CNI_SIMULATION_KERNEL_KERNEL_H
#define CNI_SIMULATION_KERNEL_KERNEL_H

#include "cubenet/simulation.h"

#include "base/archive.h"
#include "base/histogram.h"
#include "base/statistics.h"
#include "scenario/result.h"
#include "scenario/scenario.h"

/* Counters that every kernel has; those of its own come after them. All count from cycle 0. */
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
    int variant; /* which of the kernels that share these functions */
    cn_status (*open)(const cn_scenario *scenario, uint64_t seed, void **state);
    void (*close)(void *state);
    /* What there is before the first cycle of a run that is not restored; NULL: nothing.
     * CN_ERR_MEMORY. */
    cn_status (*begin)(void *state);
    /* Everything in which the state can differ from one that was just opened, between steps: writes
     * it, changing nothing, or reads it into such a one. What follows from other numbers, or
     * depends on threads, is worked out. Whatever the numbers are, nothing that runs on them later
     * may fail but by a status. CN_ERR_ARGUMENT, CN_ERR_MEMORY. */
    cn_status (*visit)(void *state, cni_archive *archive);
    /* Any number of cycles; the result does not depend on how they are cut into calls. */
    cn_status (*step)(void *state, uint64_t cycles);
    /* The first cycle after the present one at whose end anything can be other than now:
     * CN_NEVER when nothing is there and nothing comes. O(1) or O(log) but for what it also puts
     * in order. */
    uint64_t (*next_event)(const void *state);
    /* So many cycles, all before the next event, as if they were stepped. */
    void (*skip)(void *state, uint64_t cycles);
    /* Flits: 0 is the scenario's number; more than 1 only when it has_flits. */
    cn_status (*inject)(void *state, uint64_t source, uint64_t destination, uint64_t flits,
                        uint64_t tag);
    /* CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT for a base that it does not know. NULL: it has no
     * broadcasts. */
    cn_status (*inject_broadcast)(void *state, uint64_t source, uint32_t base, uint64_t tag);
    /* What inject would say of this source, in the name of the function: CN_OK, CN_REFUSED when it
     * is full, or an error. NULL: always CN_OK. */
    cn_status (*can_accept)(const void *state, const char *function, uint64_t source);
    /* Messages that wait at a node, as cn_sim_queued() says; NULL: unknown. */
    uint64_t (*queued)(const void *state, uint64_t node);
    /* From now on messages of a trace are delivered like those of inject, their index as tag. NULL:
     * it takes no trace. */
    void (*report_trace)(void *state);
    /* CN_OK, or CN_DONE when there is none. */
    cn_status (*next_delivery)(void *state, cn_delivery *delivery);
    void (*count)(const void *state, uint64_t counters[CNI_COUNTERS]);
    uint64_t (*in_flight)(const void *state);          /* by looking, not by subtracting */
    const cni_histogram *(*delays)(const void *state); /* since clear_delays */
    void (*clear_delays)(void *state);
    /* The histogram counts delays in units of 2^-this cycles; NULL: in cycles. */
    uint32_t (*delay_bits)(const cn_scenario *scenario);
    /* Puts the rates and means that follow from these counters into a result. */
    void (*evaluate)(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                     cn_result *result);
    /* For a network that takes whatever is offered, else NULL: cuts down the cycles of a run that
     * has no steady state. Such a network's saturated run ends with CN_STOP_SATURATED. */
    cn_status (*shorten)(cn_scenario *scenario);
    /* Sets what is not NULL to what was counted since cycle 0, and to NULL the histograms of what
     * the kernel does not count. It counts all else when the scenario asks for statistics. */
    void (*read)(const void *state, cni_counts *counts);
    /* What a simulation that was opened for a part of the network has of it. NULL: the network
     * cannot be divided. */
    struct cni_part *(*part)(void *state);
    int counts_channels; /* 1: their loads also when the scenario does not ask */
    /* 1 when nothing in a run depends on the seed; NULL: it always does. */
    int (*is_certain)(const cn_scenario *scenario);
    /* 1: it takes whatever is offered, and only its queues tell whether that is too much: a run in
     * which they grow ends with CN_STOP_SATURATED. NULL: never. */
    int (*takes_all)(const cn_scenario *scenario);
    int has_flits;
    /* 1: a run ends by itself, when nothing can happen any more, not after so many cycles */
    int ends;
    /* 1: it runs a routing in the same way whether it was named or attached, so that
     * replications may share one */
    int shares_routing;
    /* Between steps: CN_ERR_DEADLOCK, with a sentence, when some messages can never move again,
     * however well others do. A step need not see that at once. NULL: it sees all there is. */
    cn_status (*look)(void *state);
    /* After a deadlock: channels, each waited for by what holds the one before; *length of them.
     * NULL: it cannot deadlock. */
    const uint32_t *(*knot)(const void *state, size_t *length);
} cni_kernel;

#endif

/* The inside of a cn_sim, for results, and for the rule that stops a run. */
#ifndef CNI_SIMULATION_RUN_SIM_H
#define CNI_SIMULATION_RUN_SIM_H

#include "base/budget.h"
#include "simulation/kernel/kernel.h"

/*
 * The test whether a warm-up is over. At cycles 32, 64, 128, ... it compares the messages in flight
 * in the second half of the run so far with the messages in the quarter before.
 */
typedef struct cni_warmup_test {
    int automatic;          /* 0: the warm-up ends early only when the network is swamped */
    uint64_t look;          /* the next of the cycles of the test */
    uint64_t sum;           /* the messages in flight, added up over every 32nd cycle so far */
    uint64_t half, quarter; /* this sum at the last test, and at the test before */
} cni_warmup_test;

struct cn_sim {
    cni_object head;
    cn_scenario *scenario;
    const cni_kernel *kernel;
    void *state;
    struct cni_part *part; /* of the state; NULL: the whole network */
    uint64_t cycle;
    uint64_t warmup; /* cycles; while an automatic warm-up goes on, its greatest length */
    cni_warmup_test warming;
    uint64_t checked;  /* cycle of the last look for lost messages */
    int is_settled;    /* cni_sim_settle() has succeeded */
    uint64_t stride;   /* cycles to step before the kernel is asked for the next event */
    double looked;     /* time of the last look at the budget of a call */
    cn_delivery ahead; /* the next delivery, when is_ahead */
    int is_ahead;
    cn_status broken;               /* CN_OK, or the error that ended the simulation */
    uint64_t warm[CNI_COUNTERS];    /* counters at the end of the warm-up */
    uint64_t batched[CNI_COUNTERS]; /* counters up to which the batches count */
    cni_batches batches;
    struct cni_workload_run *workload; /* NULL: none */
    /* counts at the end of the warm-up; empty: nothing is counted */
    cni_counts cleared;
};

/* CN_ERR_UNSUPPORTED where the system has no simulator; errors of cni_scenario_check(). */
cn_status cni_sim_check_simulator(const char *function, const cn_scenario *scenario);

/* Opens a simulation on a seed that may differ from the seed of the scenario. The first function
 * leaves out the state before the first cycle, which a snapshot brings. */
cn_status cni_sim_make(const cn_scenario *scenario, uint64_t seed, cn_sim **sim);
cn_status cni_sim_open_with_seed(const cn_scenario *scenario, uint64_t seed, cn_sim **sim);

/* cn_sim_restore() or, with an order, cn_sim_restore_part(); the snapshot tells the part. */
struct cni_part_order;
cn_status cni_sim_read_snapshot(const char *function, const cn_scenario *scenario,
                                const uint8_t data[], size_t size, struct cni_part_order *order,
                                const cn_control *control, cn_sim **sim);

/* Checks that the system can be divided into parts. CN_ERR_UNSUPPORTED. */
cn_status cni_sim_check_divides(const char *function, const cn_scenario *scenario);

/* Checks that the scenario can be divided and has this part. CN_ERR_UNSUPPORTED,
 * CN_ERR_ARGUMENT. */
cn_status cni_sim_check_part(const char *function, const cn_scenario *scenario,
                             const struct cni_part_order *order);

/* cn_sim_step() within a call that has a budget, which counts the cycles. When the budget stops,
 * the function returns before all cycles are done. */
cn_status cni_sim_advance(cn_sim *sim, uint64_t cycles, cni_budget *budget);

/* Looks for errors that a step notices only now and then: CN_ERR_DEADLOCK when messages stand
 * for ever in a part of the network, CN_ERR_INTERNAL when messages were lost. Otherwise the
 * status that ended the simulation, CN_OK, or CN_ERR_MEMORY. The network does not change; the
 * kernel keeps the deadlock that it found for knot(). */
cn_status cni_sim_look(cn_sim *sim);

/* The number of nodes of the network, or of its part; and the messages that came from other
 * parts, less the messages that went to other parts. */
uint64_t cni_sim_nodes(const cn_sim *sim);
uint64_t cni_sim_balance(const cn_sim *sim);

/* CN_ERR_ARGUMENT unless the node belongs to the network, or to its part. */
cn_status cni_sim_check_node(const char *function, const char *argument, const cn_sim *sim,
                             uint64_t node);

/* As cni_sim_advance(), for a part: a part must step as far as all other parts, so a control
 * with progress, limit or cancellation is refused; a part that fails tells the other parts. */
cn_status cni_sim_advance_part(cn_sim *sim, uint64_t cycles, cni_budget *budget);

/* CN_ERR_UNSUPPORTED for a part of a network; `instead` names another way. */
cn_status cni_sim_check_whole(const char *function, const cn_sim *sim, const char *instead);

/* Accepted = delivered + in flight: CN_ERR_INTERNAL when messages were lost or doubled. */
cn_status cni_sim_check_conservation(const cn_sim *sim);

/* CN_ERR_STATE, with the reason, once the simulation has ended. */
cn_status cni_sim_check_running(const char *function, const cn_sim *sim);

/* The same, but CN_OK after a deadlock: a deadlock leaves a valid state, other errors do not. */
static inline cn_status cni_sim_check_state(const char *function, const cn_sim *sim)
{
    return sim->broken == CN_ERR_DEADLOCK ? CN_OK : cni_sim_check_running(function, sim);
}

/* The most cycles that the warm-up of a run may have. */
uint64_t cni_most_warmup(const cn_scenario *scenario);

/* A warm-up ends when the channels hold so many messages on average: more would only fill the
 * memory. */
enum { CNI_WARMUP_BACKLOG = 256 };

/* Looks after a step of the warm-up whether the warm-up ends now. */
void cni_sim_look_at_warmup(cn_sim *sim);

/* Cycles until the warm-up ends, or until the next test whether it ends; 0 after the warm-up. */
uint64_t cni_sim_warmup_room(const cn_sim *sim);

/* 1 when the precision is to be tested after this batch, and the half-widths of throughput and
 * mean delay are at most this share of the values; with broadcasts, also of the mean delay of
 * broadcasts. */
int cni_sim_is_precise(const cn_sim *sim, double relative_precision);

/* Whether a run of the scenario ends by itself; the cycles to step before the next look at its
 * end, 0 at the end; whether the run is complete. */
int cni_run_ends(const cn_scenario *scenario);
uint64_t cni_sim_pending(const cn_sim *sim);
int cni_sim_is_over(const cn_sim *sim);

/* The metrics of one run from its counters. */
void cni_evaluate_run(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                      cn_result *result);

/* For a network that takes all offered messages. The first function: 1 when at least `backlog`
 * messages a channel are in flight on average. The second: 1 when enough batches are complete and
 * the queues grow. */
int cni_is_swamped(const cn_scenario *scenario, uint64_t in_flight, uint64_t backlog);
int cni_sim_is_overloaded(const cn_sim *sim);

/* Gives the budget the limits of the mean delay so far, when the caller has a progress function. */
void cni_sim_show(const cn_sim *sim, cni_budget *budget);

/* CN_ERR_STATE before the first measured cycle. */
cn_status cni_sim_check_measured(const char *function, const cn_sim *sim);

/* The counters of the measured cycles. */
void cni_sim_measured(const cn_sim *sim, uint64_t counters[CNI_COUNTERS]);

/* Calls the kernel's `settle`, unless that has been done. Errors are in the name of the call to
 * which the budget belongs; NULL: cn_sim_step(). */
cn_status cni_sim_settle(cn_sim *sim, cni_budget *budget);

/* The counts by channel, node and message in the measured cycles; empty when the scenario asks
 * for no statistics. The caller closes the counts, also after a failure. CN_ERR_MEMORY. */
cn_status cni_sim_counts(const cn_sim *sim, cni_counts *counts);

/* Moves the counts into a result, with the delays and the number of measured cycles.
 * CN_ERR_MEMORY. */
cn_status cni_put_statistics(cn_result *result, const cn_scenario *scenario, cni_counts *counts,
                             const cni_histogram *delays, uint64_t cycles);

/* Removes from a result the metrics that a network without a steady state does not have. */
void cni_forget_steady(cn_result *result);

/* CN_STOP_SATURATED when the result comes from queues that grow without end; a time limit and a
 * cancellation come before. */
cn_stop cni_stop_of(const cni_kernel *kernel, const cn_result *result, cn_stop otherwise);

/* The messages in flight at the ends of the batches, added up over the first and over the last
 * quarter of the batches, of one run or of several. */
typedef struct cni_queue_growth {
    double first, last;
} cni_queue_growth;

cni_queue_growth cni_sim_growth(const cn_sim *sim);

/* 1 when the queues have no limit and the last quarter has more than 1.5 times as many messages as
 * the first, and more than chance explains. Then the network has no steady state yet, and means
 * over the cycles do not estimate steady values. */
int cni_still_grows(const cni_kernel *kernel, const cni_queue_growth *growth);

/* The last data of a result, from one run, from the parts of a run, or from several runs. */
typedef struct cni_account {
    cn_stop stop;            /* why the run ended, but for saturation */
    int settled;             /* 0: the queues still grow, or the run tells too little of them */
    const uint64_t *totals;  /* counters of whole runs */
    uint64_t warmup, cycles; /* cycles of the warm-up, and measured cycles */
    const cni_histogram *delays;
    cni_counts *counts; /* the result takes them over */
} cni_account;

/* Adds quantiles, totals and statistics to a result that has metrics with half-widths.
 * CN_ERR_MEMORY. */
cn_status cni_conclude(const cn_scenario *scenario, const cni_account *account, cn_result *result);

/* Makes the result of a run from its batches and from totals, delays and counts in the account; the
 * function fills the other members of the account. Needs no state of a kernel. CN_ERR_MEMORY. */
cn_status cni_sim_conclude(const cn_sim *sim, cni_account account, cn_result *result);

#endif

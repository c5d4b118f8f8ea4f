/* The inside of a cn_sim, for its results and for the rule that decides when to stop. */
#ifndef CNI_SIMULATION_RUN_SIM_H
#define CNI_SIMULATION_RUN_SIM_H

#include "base/budget.h"
#include "simulation/kernel/kernel.h"

/*
 * What tells whether a warm-up is over. At cycles 32, 64, 128, ... the messages in flight are
 * compared in the second half of the run so far with those in the quarter before.
 */
typedef struct cni_warmup_test {
    int automatic;          /* 0: the warm-up ends early only when the network is swamped */
    uint64_t look;          /* the next of these cycles */
    uint64_t sum;           /* of the messages in flight at every 32nd cycle so far */
    uint64_t half, quarter; /* what it was at the last of these cycles, and at the one before */
} cni_warmup_test;

struct cn_sim {
    cni_object head;
    cn_scenario *scenario;
    const cni_kernel *kernel;
    void *state;
    struct cni_part *part; /* of the state; NULL: the whole network */
    uint64_t cycle;
    uint64_t warmup; /* cycles; of a warm-up that finds its own end, the most until it is found */
    cni_warmup_test warming;
    uint64_t checked;  /* cycle of the last look at conservation */
    uint64_t stride;   /* cycles until the next look whether nothing is there to do */
    uint64_t pace;     /* cycles between two looks at the budget of a call */
    double looked;     /* at this time of the clock */
    cn_delivery ahead; /* the next delivery, where one was looked for */
    int is_ahead;
    cn_status broken;               /* CN_OK, or why it takes no more steps */
    uint64_t warm[CNI_COUNTERS];    /* counters at the end of the warm-up */
    uint64_t batched[CNI_COUNTERS]; /* counters at the last look */
    cni_batches batches;
    struct cni_workload_run *workload; /* NULL: none */
    cni_counts cleared;                /* at the end of the warm-up; empty: nothing is counted */
    _Atomic(uint64_t) identity;        /* of the scenario, for snapshots; 0 until the first one */
};

/* CN_ERR_UNSUPPORTED where the system has no simulator; errors of cni_scenario_check(). */
cn_status cni_sim_check_simulator(const char *function, const cn_scenario *scenario);

/* Opens a simulation on a seed that may differ from the scenario's. The first one leaves it without
 * what there is before the first cycle, to be read from a snapshot. */
cn_status cni_sim_make(const cn_scenario *scenario, uint64_t seed, cn_sim **sim);
cn_status cni_sim_open_with_seed(const cn_scenario *scenario, uint64_t seed, cn_sim **sim);

/* cn_sim_restore(), or with an order, whose part is found, cn_sim_restore_part(). */
struct cni_part_order;
cn_status cni_sim_read_snapshot(const char *function, const cn_scenario *scenario,
                                const uint8_t data[], size_t size, struct cni_part_order *order,
                                const cn_control *control, cn_sim **sim);

/* That a scenario can be divided and has this part. CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT. */
cn_status cni_sim_check_part(const char *function, const cn_scenario *scenario,
                             const struct cni_part_order *order);

/* cn_sim_step() within a call that has a budget, which counts the cycles; it may end early, and is
 * then stopped. */
cn_status cni_sim_advance(cn_sim *sim, uint64_t cycles, cni_budget *budget);

/* What a step sees only now and then: CN_ERR_DEADLOCK when messages stand for ever in a part of the
 * network, CN_ERR_INTERNAL when some were lost. Else the status that ended the simulation, CN_OK,
 * or CN_ERR_MEMORY. The network stays as it is; the kernel keeps what it found for knot(). */
cn_status cni_sim_look(cn_sim *sim);

/* Nodes of the network, or of its part; and messages that came from other parts less those that
 * went there. */
uint64_t cni_sim_nodes(const cn_sim *sim);
uint64_t cni_sim_balance(const cn_sim *sim);

/* CN_ERR_ARGUMENT unless it is one of them. */
cn_status cni_sim_check_node(const char *function, const char *argument, const cn_sim *sim,
                             uint64_t node);

/* As cni_sim_advance(): a part steps as far as the others do, whatever its clock or caller says,
 * and tells them when it cannot. */
cn_status cni_sim_advance_part(cn_sim *sim, uint64_t cycles, cni_budget *budget);

/* CN_ERR_UNSUPPORTED for a part of a network: `instead` says what there is. */
cn_status cni_sim_check_whole(const char *function, const cn_sim *sim, const char *instead);

/* Accepted = delivered + in flight: CN_ERR_INTERNAL when messages were lost or doubled. */
cn_status cni_sim_check_conservation(const cn_sim *sim);

/* CN_ERR_STATE, with why the simulation takes no more calls, once it has ended. */
cn_status cni_sim_check_running(const char *function, const cn_sim *sim);

/* The same unless a deadlock ended it: what any other error has left is no state. */
static inline cn_status cni_sim_check_state(const char *function, const cn_sim *sim)
{
    return sim->broken == CN_ERR_DEADLOCK ? CN_OK : cni_sim_check_running(function, sim);
}

/* Cycles of the longest warm-up that a run may have. */
uint64_t cni_most_warmup(const cn_scenario *scenario);

/* After a step of the warm-up: whether it ends here. */
void cni_sim_look_at_warmup(cn_sim *sim);

/* Cycles until the warm-up is over or until it is looked at whether it may end; 0 after it. */
uint64_t cni_sim_warmup_room(const cn_sim *sim);

/* Cycles until the present batch is complete; 0 during the warm-up. */
uint64_t cni_sim_batch_room(const cn_sim *sim);

/* 1 when a look is due, and throughput and mean delay, where there are broadcasts also
 * theirs, are known to this share. */
int cni_sim_is_precise(const cn_sim *sim, double relative_precision);

/* Whether a run of the scenario ends by itself; cycles after which it is to be looked at again, 0
 * at its end; whether all is complete. */
int cni_run_ends(const cn_scenario *scenario);
uint64_t cni_sim_pending(const cn_sim *sim);
int cni_sim_is_over(const cn_sim *sim);

/* The metrics of one run from what it has counted. */
void cni_evaluate_run(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                      cn_result *result);

/* Of a network that takes whatever is offered: 1 when it holds so many messages a channel, on
 * average, and 1 when enough batches are complete and its queues grow. */
int cni_sim_is_swamped(const cn_sim *sim, uint64_t backlog);
int cni_sim_is_overloaded(const cn_sim *sim);

/* Tells the caller of the budget, if there is one to be told, the limits of the mean delay so
 * far. */
void cni_sim_show(const cn_sim *sim, cni_budget *budget);

/* CN_ERR_STATE while no cycle has been measured. */
cn_status cni_sim_check_measured(const char *function, const cn_sim *sim);

/* Counters of the measured cycles. */
void cni_sim_measured(const cn_sim *sim, uint64_t counters[CNI_COUNTERS]);

/* What was counted by channel, node and message in the measured cycles, to be closed also after a
 * failure; empty when the scenario does not ask for statistics. CN_ERR_MEMORY. */
cn_status cni_sim_counts(const cn_sim *sim, cni_counts *counts);

/* Puts them into a result, which takes them over, with the delays and the number of measured
 * cycles. CN_ERR_MEMORY. */
cn_status cni_put_statistics(cn_result *result, const cn_scenario *scenario, cni_counts *counts,
                             const cni_histogram *delays, uint64_t cycles);

/* Counters of the whole run. */
void cni_sim_totals(const cn_sim *sim, uint64_t counters[CNI_COUNTERS]);

/* Takes out of a result what a network without a steady state does not have. */
void cni_forget_steady(cn_result *result);

/* CN_STOP_SATURATED when the result is that of queues that grow without end. */
cn_stop cni_stop_of(const cni_kernel *kernel, const cn_result *result, cn_stop otherwise);

/* Messages in flight at the ends of the batches in the first and in the last quarter of them, of
 * one run or summed over several. */
typedef struct cni_queue_growth {
    double first, last;
} cni_queue_growth;

cni_queue_growth cni_sim_growth(const cn_sim *sim);

/* 1 when the last quarter has half as many messages again as the first, and more than so few
 * messages vary by chance, and the queues have no limit: there is no steady state yet, and the mean
 * is between two times, not about a value. */
int cni_still_grows(const cni_kernel *kernel, const cni_queue_growth *growth);

/* What a result ends with, whatever has counted it: a run, the parts of one, or several runs. */
typedef struct cni_account {
    cn_stop stop;            /* but for saturation */
    int settled;             /* 0: queues still grow, or too little is known of them */
    const uint64_t *totals;  /* CNI_COUNT_OWN of whole runs */
    uint64_t warmup, cycles; /* of the warm-up, and measured ones */
    const cni_histogram *delays;
    cni_counts *counts; /* which the result takes over */
} cni_account;

/* Quantiles, totals and statistics, to metrics with their half-widths. CN_ERR_MEMORY. */
cn_status cni_conclude(const cn_scenario *scenario, const cni_account *account, cn_result *result);

#endif

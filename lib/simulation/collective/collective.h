/*
 * The simulation of collective operations: the common part of both machines. docs/collective.md
 * defines a cycle.
 *
 * An operation consists of copies, each on its way over one channel. A copy of a separate message
 * goes to one destination. A copy of a clubbed operation goes to one place of its plan, where it is
 * split into copies to the children. A machine decides when a copy crosses its channel.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_H

#include "base/histogram.h"
#include "routing/rules/routing.h"
#include "simulation/collective/collective_plan.h"
#include "simulation/collective/collective_sets.h"
#include "simulation/kernel/kernel.h"

/* Counters beyond the counters of every kernel. */
enum {
    CNI_COUNT_TRANSMISSIONS = CNI_COUNT_OWN, /* copies that crossed a channel */
    CNI_COUNT_CONTENTIONS,    /* copies that stayed in line in a cycle, summed over the cycles */
    CNI_COUNT_RUNS,           /* 1 */
    CNI_COUNT_FINISHED,       /* 1 when all operations are complete */
    CNI_COUNT_COMPLETION,     /* cycle of the last delivery */
    CNI_COUNT_OPERATIONS,     /* complete operations */
    CNI_COUNT_OPERATION_TIME, /* cycles from start to completion, summed over these operations */
    CNI_COUNT_PEAK_BUFFER,    /* the most messages in transit, or copies in line, at a node */
    CNI_COUNT_PEAK_CHANNEL,   /* the greatest load of a channel */
    CNI_COUNT_BOUND           /* lower bound of the cycles to completion */
};

#define CNI_NONE UINT32_MAX

enum { CNI_MOST_OPERATIONS = 1 << 24 };

/* A detour: away to a neighbour of the next node, then back to that node. */
enum { CNI_DIRECT, CNI_AWAY, CNI_BACK };

typedef struct cni_copy {
    uint32_t operation;
    /* separate: the destination; clubbed: the place of the plan to which it leads */
    uint32_t place;
    uint16_t port; /* of the channel over which it leaves its present node */
    uint16_t back; /* away: the port over which it then comes to the next node of its path */
    uint32_t way;  /* hops so far, detour, start; bit fields would be slow to change */
} cni_copy;

enum { CNI_START_BITS = 5, CNI_DETOUR_BITS = 2, CNI_ONE_HOP = 1 << 7 };

static inline uint32_t cni_hops(const cni_copy *copy)
{
    return copy->way / CNI_ONE_HOP;
}

/* For a separate message by digits: the column at which its path begins. */
static inline uint32_t cni_start(const cni_copy *copy)
{
    return copy->way & ((1 << CNI_START_BITS) - 1);
}

static inline uint32_t cni_detour(const cni_copy *copy)
{
    return copy->way >> CNI_START_BITS & ((1 << CNI_DETOUR_BITS) - 1);
}

static inline void cni_set_detour(cni_copy *copy, uint32_t detour)
{
    copy->way ^= (cni_detour(copy) ^ detour) << CNI_START_BITS;
}

/* A copy, and the node to which it has come or will come. */
typedef struct cni_moved {
    uint32_t node;
    cni_copy copy;
} cni_moved;

typedef struct cni_operation {
    uint64_t start;
    uint64_t tag;          /* of an injected operation */
    const uint32_t *inlet; /* the stored tree of the operation; NULL: its messages go by digits */
    cni_plan *plan;        /* NULL: separate messages */
    uint32_t *waits;       /* of a concentration, by node (collective_inward.c); else NULL */
    /* of split messages, by the number of a short node: the pieces still to come; 0 before the
     * first and after the last */
    uint8_t *partial;
    uint32_t source;
    uint32_t destination; /* of an injected operation that is no broadcast */
    uint32_t number;      /* in the list of the scenario, or of its random stream */
    uint32_t missing;     /* destinations without the message */
    unsigned broadcast : 1, injected : 1;
    unsigned spreads : 1; /* its separate messages take the least used shortest paths */
    unsigned turn : 5;    /* of its tree by digits */
    unsigned kind : 2;    /* cn_operation_kind; all kinds but outward go up a stored tree */
} cni_operation;

/* Whether the operation has a plan of its own; 0: other broadcasts share the plan. */
static inline int cni_owns_plan(const cni_operation *operation)
{
    return !operation->broadcast || operation->inlet != NULL;
}

/* The counter of the pieces that are still to come to a node, out of *pieces. NULL: the message of
 * the node has one piece. */
static inline uint8_t *cni_pieces_left(const cni_tree_routes *routes,
                                       const cni_operation *operation, uint32_t node,
                                       uint32_t *pieces)
{
    if (operation->partial == NULL)
        return NULL;
    uint32_t relative = cni_tree_routes_relative(routes, node, operation->source);
    uint32_t number = routes->short_number[relative];
    *pieces = routes->pieces[relative];
    return number == CNI_NO_SHORT ? NULL : &operation->partial[number];
}

/* A complete injected operation, for the caller to fetch. */
typedef struct cni_collective_arrival {
    cn_delivery delivery;
    size_t order; /* in which the operations became complete */
} cni_collective_arrival;

typedef struct cni_collective cni_collective;

typedef struct cni_collective_visit cni_collective_visit;

/* Puts a copy in line for its channel. */
typedef cn_status (*cni_push_fn)(cni_collective *run, uint32_t node, const cni_copy *copy);

typedef struct cni_collective_machine {
    size_t size; /* of its state, which is zeroed at first and closed also after a failure */
    cn_status (*open)(cni_collective *run);
    void (*close)(cni_collective *run);
    cni_push_fn push;
    cn_status (*cycle)(cni_collective *run);
    /* Visits the copies in line, in a snapshot. */
    cn_status (*visit)(cni_collective_visit *visit);
} cni_collective_machine;

/* A function that gets every delivery; for tests. */
typedef void (*cni_witness_fn)(void *user, uint32_t number, uint32_t node, uint64_t cycle);

struct cni_collective {
    const cn_scenario *scenario;
    const cni_collective_machine *machine;
    void *own; /* state of the machine */
    cni_tree_routes routes;
    cni_source_trees trees;
    cni_planner planner;
    /* [turn]: the plan of broadcasts by digits; NULL before the first */
    cni_plan *whole[CNI_ROUTES_COLUMNS];
    uint64_t seed, cycle;
    uint32_t buffers, tree, kind;
    int clubbing, detours;
    /* machine = paper: 1 for broadcasts, where acceptance is scarce, not sending */
    int accepting;
    int spreading; /* 1: separate messages take the least used shortest paths */
    /* the routing that finds these paths where messages do not go by digits; else NULL */
    cn_routing *shortest;
    int wandering; /* 1: paths depend on other copies on the way */
    int attentive; /* 1: cni_collective_tell() gets each delivery */

    cni_operation *operation; /* by start */
    size_t operations, operations_room;
    size_t started;        /* operations of the scenario: 0 .. started-1 have started */
    size_t own_operations; /* operations of the scenario; later operations were injected */
    /* CN_OK, or the error that left an operation half started and ends the run */
    cn_status failed;
    void *block;        /* of the tables: chosen, and the tables by node and channel */
    uint32_t *chosen;   /* destinations of the operation that starts; room for all nodes */
    uint32_t *identity; /* 0 .. N-1 in order, to draw from without repetition; NULL without draws */

    uint64_t queued;  /* copies in line */
    uint64_t missing; /* deliveries that operations miss, in all */
    /* the counters that are sums over copies, deliveries or operations */
    uint64_t total[CNI_COUNTERS];
    uint64_t last_delivery;
    uint64_t deepest; /* greatest sum of start and depth of an operation */
    uint64_t bound;   /* lower bound of the cycles to completion, once all is complete */
    uint32_t peak_buffer, peak_channel;
    uint32_t *load; /* [node * degree + port]: copies that crossed the channel */
    /* [node * degree + port]: copies ever put in line; NULL when no path depends on them */
    uint32_t *given;
    /* For the lower bound. passed, by node: copies that the node sent or accepted; NULL where
     * the bound goes by channels. since, by node or by channel: the least cycle after which one
     * of the copies could have passed. */
    uint32_t *passed, *since;
    uint32_t rate; /* copies a cycle that a node, or a channel, can pass; 0: unlimited */
    cni_histogram delays;
    /* with statistics, but for the loads; `offered` by source: messages not yet delivered */
    cni_counts counts;

    cni_collective_arrival *arrived; /* the caller has still to fetch [fetched, arrivals) */
    size_t arrivals, arrived_room, fetched;
    size_t awaited; /* injected operations that are not complete */
    size_t sorted;  /* the arrivals before it are in order */
    cni_witness_fn witness;
    void *witness_user;
};

extern const cni_kernel cni_collective_kernel;

extern const cni_collective_machine cni_paper_send_machine, cni_paper_accept_machine,
    cni_channel_machine;

/* Whether copies may take detours; never in a Boolean cube, where neighbours have no common
 * neighbour. */
int cni_collective_detours(const cn_scenario *scenario);

/* The number of classes of buffers that keep the channel machine free of deadlock: one for each
 * number of hops that a message in transit may have made. CN_ERR_DISCONNECTED, CN_ERR_MEMORY:
 * from the search for the height of the trees. */
cn_status cni_collective_classes(const cn_scenario *scenario, uint64_t *classes);

/* ---- workload (collective_workload.c) ---- */

/* Makes the operations of the scenario, with sources and starts, in order. */
cn_status cni_collective_draw(cni_collective *run);

/* The random turn of the tree of an operation. */
uint32_t cni_collective_random_turn(const cni_collective *run, const cni_operation *operation);

/* Puts the destinations of an operation that is no broadcast into run->chosen; returns their
 * number. */
uint32_t cni_collective_choose(cni_collective *run, const cni_operation *operation);

/* ---- starting operations (collective.c) ---- */

/* Finds the tree and the plan of an operation, and makes the counts of its pieces. *count is the
 * number of destinations: set here for a broadcast; for other operations given, with the
 * destinations in run->chosen. */
cn_status cni_collective_prepare(cni_collective *run, cni_operation *operation, uint32_t *count);

/* Releases what an operation needs until it is complete. */
void cni_collective_close_operation(cni_operation *operation);

/* Starts an operation in run->operation, with the destinations of all but a broadcast in
 * run->chosen. CN_ERR_DISCONNECTED when a path is missing; then no copy is on its way. */
cn_status cni_collective_start(cni_collective *run, size_t index, uint32_t count);

/* Starts the operations of the scenario that are due at the end of the present cycle. */
cn_status cni_collective_start_due(cni_collective *run);

/* ---- messages to one node (collective_inward.c) ---- */

/* Each chosen node sends to the source of the operation or, in a concentration, waits for the
 * messages from below. */
cn_status cni_collective_start_inward(cni_collective *run, uint32_t index, uint32_t count);

/* The number of messages of a concentration from these nodes: one over each edge of the tree. */
uint32_t cni_collective_count_edges(cni_operation *operation, const cni_tree_routes *routes,
                                    const uint32_t chosen[], uint32_t count);

/* A message of a concentration has come to a node, which sends after the last message. */
cn_status cni_collective_concentrate(cni_collective *run, const cni_moved *come);

/* Takes up a copy that was read from a snapshot, in line at a node for the channel to the parent.
 * In a concentration the node has sent, and the nodes above the node wait. */
cn_status cni_collective_await(cni_collective *run, cni_operation *operation, uint32_t node,
                               uint32_t parent);

/* ---- snapshots (collective_visit.c) ---- */

/* The state of an operation while a snapshot is read. */
typedef struct cni_collective_expected {
    int is_there;    /* an injected operation that is not complete */
    int is_prepared; /* the members below are set */
    uint32_t count;  /* number of its destinations */
    uint32_t *where; /* of a clubbed operation: the nodes of its places */
} cni_collective_expected;

struct cni_collective_visit {
    cni_collective *run;
    cni_archive *archive;
    cni_collective_expected *expected; /* reading, by operation */
};

/* As cni_kernel.visit. */
cn_status cni_collective_visit_run(void *run, cni_archive *archive);

/* Visits a copy. The numbers that are read are not checked. A copy has at least so many bytes. */
enum { CNI_COPY_BYTES = 18 };
void cni_collective_visit_copy(cni_archive *archive, cni_copy *copy);

/* Checks the port of a copy that was read and stands in line, and finds the node to which it
 * leads. */
cn_status cni_collective_check_port(cni_collective *run, uint32_t node, const cni_copy *copy,
                                    uint32_t *to);

/* Checks that a copy can come to a node over its channel and go on from there. The operation of
 * the copy then expects its deliveries. */
cn_status cni_collective_expect(cni_collective_visit *visit, uint32_t node, const cni_copy *copy);

/* ---- deliveries (collective.c) ---- */

/* Counts a copy that has come to a node, from which `onward` copies go on, for statistics and
 * for the caller. `ends`: whether the copy is for the node. Returns 1 when the copy is for the
 * node and its message is whole. */
uint32_t cni_collective_tell(cni_collective *run, const cni_moved *come, uint32_t onward,
                             uint32_t ends);

/* Counts an operation that misses no delivery. */
void cni_collective_complete(cni_collective *run, cni_operation *operation);

#endif

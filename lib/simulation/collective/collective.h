/*
 * The simulation of collective operations: what both machines share. docs/collective.md says what a
 * cycle is.
 *
 * An operation is carried by copies, each on its way over one channel. A copy of a separate message
 * goes to one destination; a copy of a clubbed operation to one place of its plan, where it is
 * split into copies to the children. A machine decides when a copy crosses its channel.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_H

#include "base/histogram.h"
#include "simulation/collective/collective_nodes.h"
#include "simulation/collective/collective_plan.h"
#include "routing/rules/routing.h"
#include "simulation/kernel/kernel.h"

/* Counters beyond those of every kernel. */
enum {
    CNI_COUNT_TRANSMISSIONS = CNI_COUNT_OWN,
    CNI_COUNT_CONTENTIONS,
    CNI_COUNT_RUNS,           /* 1 */
    CNI_COUNT_FINISHED,       /* 1 when all operations are complete */
    CNI_COUNT_COMPLETION,     /* cycle of the last delivery */
    CNI_COUNT_OPERATIONS,     /* complete ones */
    CNI_COUNT_OPERATION_TIME, /* their sum */
    CNI_COUNT_PEAK_BUFFER,
    CNI_COUNT_PEAK_CHANNEL,
    CNI_COUNT_BOUND
};

#define CNI_NONE UINT32_MAX

enum { CNI_MOST_OPERATIONS = 1 << 24 };

/* A detour: away to a neighbour of the next node, then back to that node. */
enum { CNI_DIRECT, CNI_AWAY, CNI_BACK };

typedef struct cni_copy {
    uint32_t operation;
    uint32_t place; /* separate: the destination; clubbed: where it leads in the plan */
    uint16_t port;  /* over which it leaves the node where it is */
    uint16_t back;  /* away: over which it goes on to the node that it goes round to */
    uint32_t way;   /* hops made so far, detour, start; fields of bits are slow to change */
} cni_copy;

enum { CNI_START_BITS = 5, CNI_DETOUR_BITS = 2, CNI_ONE_HOP = 1 << 7 };

static inline uint32_t cni_hops(const cni_copy *copy)
{
    return copy->way / CNI_ONE_HOP;
}

/* Separate, by digits: the column at which its path begins. */
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

/* A copy and the node to which it has come, or will. */
typedef struct cni_moved {
    uint32_t node;
    cni_copy copy;
} cni_moved;

typedef struct cni_operation {
    uint64_t start;
    uint64_t tag;          /* of an injected one */
    const uint32_t *inlet; /* the stored tree that it follows; NULL: it goes by digits */
    cni_plan *plan;        /* NULL: separate messages */
    uint32_t *waits;       /* of a concentration, by node: what it waits for; else NULL */
    uint8_t *partial; /* of split messages, by the number of a short node: pieces that have come */
    uint32_t source;
    uint32_t destination; /* of an injected one that is no broadcast */
    uint32_t number;      /* in the scenario's list, or of its random stream */
    uint32_t missing;     /* destinations that have not got it, */
    uint32_t come;        /* and those of them to which it has come in this cycle */
    uint32_t next_come;   /* another one that has come to some, as cni_collective.come */
    unsigned broadcast : 1, injected : 1;
    unsigned spreads : 1; /* separate messages that take the least used shortest paths */
    unsigned turn : 5;    /* of its tree by digits */
    unsigned kind : 2;    /* cn_operation_kind; all but outward ones go up a stored tree */
} cni_operation;

/* 0: its plan is one that other broadcasts share. */
static inline int cni_owns_plan(const cni_operation *operation)
{
    return !operation->broadcast || operation->inlet != NULL;
}

/* An injected operation that is complete, to be handed back. */
typedef struct cni_collective_arrival {
    cn_delivery delivery;
    size_t order; /* in which it came */
} cni_collective_arrival;

typedef struct cni_collective cni_collective;

typedef struct cni_collective_visit cni_collective_visit;

/* Puts a copy in line for its channel. */
typedef cn_status (*cni_push_fn)(cni_collective *run, uint32_t node, const cni_copy *copy);

typedef struct cni_collective_machine {
    cn_status (*open)(cni_collective *run);
    void (*close)(cni_collective *run);
    /* For so many copies of separate messages that set out from a node; NULL: they need none. */
    cn_status (*make_room)(cni_collective *run, uint32_t node, uint64_t count);
    cni_push_fn push;
    cn_status (*cycle)(cni_collective *run);
    /* The copies in line, in a snapshot. */
    cn_status (*visit)(cni_collective_visit *visit);
} cni_collective_machine;

/* Called with every delivery; for tests. */
typedef void (*cni_witness_fn)(void *user, uint32_t number, uint32_t node, uint64_t cycle);

struct cni_collective {
    const cn_scenario *scenario;
    const cni_collective_machine *machine;
    void *own; /* the machine's */
    cni_tree_routes routes;
    cni_source_trees trees;
    cni_planner planner;
    /* [turn]: of a broadcast by digits; NULL until one starts */
    cni_plan *whole[CNI_ROUTES_COLUMNS];
    uint64_t seed, cycle;
    uint32_t buffers, tree, kind;
    int clubbing, detours;
    /* machine = paper: 1 for broadcasts, where acceptance is scarce, not sending */
    int accepting;
    int spreading;        /* 1: separate messages take the least used shortest paths, */
    cn_routing *shortest; /* found by this where they do not go by digits; else NULL */
    int wandering;        /* 1: paths depend on what else is on the way */
    int attentive; /* 1 in a cycle: each delivery counts for itself, see cni_collective_tell() */

    cni_operation *operation; /* by start */
    size_t operations, operations_room;
    size_t started;        /* of the scenario's own: operation[0 .. started-1] */
    size_t own_operations; /* those after them were injected */
    size_t oldest;         /* of the scenario's own: those before it are complete */
    size_t oldest_injected;
    uint32_t come;      /* one that has come to destinations in this cycle, and 1; 0: none */
    cn_status failed;   /* CN_OK, or why an operation could not be started as a whole: the end */
    void *block;        /* of the tables: chosen, and those of nodes and channels */
    uint32_t *chosen;   /* destinations of the operation that starts, room for all nodes */
    uint32_t *identity; /* 0 .. N-1 in order, to draw from without repetition; NULL if never */

    uint64_t queued; /* copies in line */
    uint64_t offered, delivered, delay, transmissions, contentions;
    uint64_t complete, operation_time, last_delivery;
    uint64_t deepest; /* greatest start plus depth */
    uint64_t bound;   /* of the cycles to completion, once all is complete */
    uint32_t peak_buffer, peak_channel;
    /* bit cni_line_bit(): that there are copies in line; NULL when the run needs none */
    uint64_t *in_line;
    uint32_t line_stride; /* the degree; in whole words where a machine goes through them */
    uint32_t *load;       /* [node * degree + port]: copies that crossed */
    uint32_t
        *waiting;    /* the same: copies in line, on the paper's machine with detours; else NULL */
    uint32_t *given; /* [node * degree + port]: put in line; NULL if no path depends on them */
    /* What the lower bound needs: [node]: copies that left or entered it, NULL where the bound goes
     * by channels; and of these or of channels the least cycle after which one of the copies could
     * have. */
    uint32_t *passed, *since;
    uint32_t rate; /* copies a cycle of what the bound goes by; 0: unlimited */
    cni_histogram delays;
    /* with statistics, but for the loads; by source in `offered`: messages that are missing */
    cni_counts counts;

    cni_collective_arrival *arrived; /* those in [fetched, arrivals) are still to be fetched, */
    size_t arrivals, arrived_room, fetched, awaited;
    size_t sorted; /* those before it in their order */
    cni_witness_fn witness;
    void *witness_user;
};

/* The number of a channel in run->in_line. */
static inline uint32_t cni_line_bit(const cni_collective *run, uint32_t node, uint32_t port)
{
    return node * run->line_stride + port;
}

extern const cni_collective_machine cni_paper_send_machine, cni_paper_accept_machine,
    cni_channel_machine;

/* Whether copies may take detours: neighbours in a Boolean cube have no neighbour in common. */
int cni_collective_detours(const cn_scenario *scenario);

/* Classes of buffers that keep the channel machine free of deadlock: one for each number of hops
 * that a message in transit may have made. CN_ERR_DISCONNECTED, CN_ERR_MEMORY: of the search for
 * the height of the trees. */
cn_status cni_collective_classes(const cn_scenario *scenario, uint64_t *classes);

/* ---- workload (collective_workload.c) ---- */

/* The scenario's operations with their sources and starts, in order. */
cn_status cni_collective_draw(cni_collective *run);

/* The turn of an operation's tree when it is random. */
uint32_t cni_collective_random_turn(const cni_collective *run, const cni_operation *operation);

/* Destinations of one that is no broadcast, into run->chosen; their number. */
uint32_t cni_collective_choose(cni_collective *run, const cni_operation *operation);

/* ---- starting operations (collective.c) ---- */

/* What follows from an operation: its tree, its plan, whether messages of it are whole. *count: of
 * its destinations, set for a broadcast; those of others are in run->chosen. */
cn_status cni_collective_prepare(cni_collective *run, cni_operation *operation, uint32_t *count);

/* One that stands in run->operation, the destinations of all but a broadcast in run->chosen. When a
 * path is missing, CN_ERR_DISCONNECTED, nothing of it is on the way. */
cn_status cni_collective_start(cni_collective *run, size_t index, uint32_t count);

/* The scenario's own that start at the end of the present cycle. */
cn_status cni_collective_start_due(cni_collective *run);

/* ---- messages to one node (collective_inward.c) ---- */

/* Each of the chosen nodes sends to the source of the operation, or in a concentration waits for
 * what comes up the tree. */
cn_status cni_collective_start_inward(cni_collective *run, uint32_t index, uint32_t count);

/* Messages of a concentration from these nodes: one over each edge of the tree. */
uint32_t cni_collective_count_edges(cni_operation *operation, const cni_tree_routes *routes,
                                    const uint32_t chosen[], uint32_t count);

/* A message of a concentration has come to a node, which sends if it was the last. */
cn_status cni_collective_concentrate(cni_collective *run, const cni_moved *come);

/* Of a copy in a snapshot, in line at a node for its parent: in a concentration the node has sent,
 * and those above it wait. */
cn_status cni_collective_await(const cni_collective *run, cni_operation *operation, uint32_t node,
                               uint32_t parent);

/* ---- snapshots (collective_visit.c) ---- */

/* What is known of an operation while a snapshot is read. */
typedef struct cni_collective_expected {
    int is_there;    /* of one that was injected: it is not complete */
    int is_prepared; /* what follows is known */
    uint32_t count;  /* of its destinations */
    uint32_t *where; /* of a clubbed one: the nodes of its places */
} cni_collective_expected;

struct cni_collective_visit {
    cni_collective *run;
    cni_archive *archive;
    cni_collective_expected *expected; /* reading, by operation */
};

/* As cni_kernel.visit. */
cn_status cni_collective_visit_run(void *run, cni_archive *archive);

/* A copy; one that is read may be any. Its bytes are at least so many. */
enum { CNI_COPY_BYTES = 18 };
void cni_collective_visit_copy(cni_archive *archive, cni_copy *copy);

/* Of a copy that is read: the node to which it leads from a node. */
cn_status cni_collective_check_port(const cni_collective *run, uint32_t node, const cni_copy *copy,
                                    uint32_t *to);

/* Of one that comes to a node over its channel: that it can, and may go on from there. Its
 * operation then expects what it brings. */
cn_status cni_collective_expect(cni_collective_visit *visit, uint32_t node, const cni_copy *copy);

/* ---- deliveries (collective.c) ---- */

/* A copy has come to a node from which so many go on: to those who ask for each. `ends`: it is for
 * the node. 1: so it is, and it is not a piece of a message that is still to become whole. */
uint32_t cni_collective_tell(cni_collective *run, const cni_moved *come, uint32_t onward,
                             uint32_t ends);

/* Operations take in what has come in this cycle. */
void cni_collective_deliver(cni_collective *run);

#endif

/* The dependencies between virtual channels under a rule of wormhole routing. */
#ifndef CNI_ROUTING_DEADLOCK_DEPENDENCY_H
#define CNI_ROUTING_DEADLOCK_DEPENDENCY_H

#include "cubenet/deadlock.h"

#include "base/budget.h"
#include "base/names.h"
#include "routing/deadlock/bit_graph.h"
#include "routing/rules/vc_rule.h"

/* A virtual channel of a directed channel. */
typedef struct cni_pair {
    uint32_t tail, head; /* nodes */
    uint32_t port;       /* of the tail */
    uint32_t virtual_channel;
} cni_pair;

/* The pairs that a message may ask for while it holds a pair, as places in `targets`: begin ..
 * escapes-1 are escapes, escapes .. end-1 are not. */
typedef struct cni_choices {
    size_t begin, escapes, end;
} cni_choices;

/* A message that waits: a hop of a dependency cycle, or a message that may take no channel or no
 * escape. pair: what the message holds, CNI_NO_PAIR at its source. */
#define CNI_NO_PAIR UINT32_MAX
typedef struct cni_wait {
    uint32_t pair, node, destination;
} cni_wait;

/* The graphs of the dependencies: between all pairs, and between escapes (Duato 1993). */
typedef enum cni_dependency_graph { CNI_DIRECT_GRAPH, CNI_EXTENDED_GRAPH } cni_dependency_graph;

typedef struct cni_dependencies {
    cni_vc_rules rules;
    /* A routing of several legs has N targets a leg; the targets of leg i begin at i N. The
     * functions get a target in place of a destination. At the end of every leg but the last,
     * the functions give as escapes all channels with which the next leg may begin. */
    uint32_t legs;
    /* Whether messages begin or end at a node (is_middle 0), and whether a leg other than the last
     * may end there; NULL: all nodes are both. */
    int (*is_end)(const void *user, uint64_t node, int is_middle);
    cni_budget *budget;

    /* by node: its first pair; port p with virtual channel v has pair first + p V + v */
    uint32_t *first;
    cni_pair *pairs;
    uint32_t pair_count;
    uint64_t *sets, *escape_sets; /* what the functions of the rules fill, a word for each port */

    /* of one destination */
    uint64_t *seen;       /* pairs that a message may come to hold */
    cni_choices *choices; /* by pair */
    uint32_t *targets;    /* the pairs that messages may ask for */
    size_t target_count, target_capacity;
    uint32_t *order; /* pairs, each behind all pairs that it leads to, but for loops */
    size_t order_count;
    uint32_t *stack;
    /* for a pair on the stack: 1 + the place of its next choice; 0 for a pair that is not on the
     * stack */
    size_t *next;
    int loops; /* a message may come back to a pair */

    /* of all destinations */
    uint64_t *used; /* pairs that a message may come to hold */
    /* for a pair that is an escape for some message: its number, else CNI_NO_PAIR */
    uint32_t *column;
    uint32_t *escapes; /* the pairs by these numbers */
    uint32_t escape_count;
    cni_wait stuck, missing; /* the first message without a channel, and without an escape */
    int is_stuck, is_missing;
    cni_bit_graph direct;   /* of pairs */
    cni_bit_graph extended; /* of numbers of escapes */
    /* row: a pair; column: the next escape that a message on the pair may ask for */
    cni_bit_graph reach;
    void *block; /* of the arrays other than first, pairs and targets */
} cni_dependencies;

/* Sets up all arrays and the direct graph. The caller has set rules, legs, is_end and budget. Close
 * also after a failure. */
cn_status cni_dependencies_open(cni_dependencies *d);
void cni_dependencies_close(cni_dependencies *d);

/* Fills the direct graph, the escapes, stuck and missing. Ends early at the first message that may
 * take no channel; a message without an escape is only noted. */
cn_status cni_find_direct(cni_dependencies *d);

/* Then the extended graph of the escapes (Duato 1993): direct and indirect dependencies. They
 * lead to an escape of a message from its earlier escapes, and from channels that it took as
 * ordinary ones and that are escapes of other messages. */
cn_status cni_find_extended(cni_dependencies *d);

/* For each edge waits[i] -> waits[i+1] of a dependency cycle (pairs) of one of the graphs: the
 * destination of a message that makes the edge. */
cn_status cni_find_destinations(cni_dependencies *d, cni_dependency_graph of, cni_wait waits[],
                                size_t count);

/* ---- deadlock.c ---- */

/* Makes the check of a rule. The caller has set rules, legs, is_end and budget; the function closes
 * d. */
cn_status cni_deadlock_make(cni_dependencies *d, cn_deadlock **check);

/* The first channels of the dependency cycle as ": channels 0->1, 1->3, ..."; room for six takes
 * 400 characters. */
void cni_deadlock_show(const cn_deadlock *check, const cn_topology *topology, char text[],
                       size_t size);

/* Another reference to the check; cn_deadlock_free() gives it up. */
cn_deadlock *cni_deadlock_retain(cn_deadlock *check);

extern const cni_names cni_verdicts;

#endif

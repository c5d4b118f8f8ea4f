/*
 * The inside of a cn_subnet: the state of every node, its bad links, and how the subnet was made.
 *
 * A bad link of a node is faulty or leads to a node that does not survive. A survivor is safe when
 * the subcube that its bad links span holds no other survivor; a subnet of a hypercube is convex
 * when all survivors are safe (docs/faults.md). A dead node is a node that does not survive.
 */
#ifndef CNI_ROUTING_SUBNETS_SUBNET_H
#define CNI_ROUTING_SUBNETS_SUBNET_H

#include "cubenet/subnet.h"

#include "base/budget.h"
#include "base/json.h"
#include "base/names.h"
#include "routing/faults/fault.h"

/* The names of cn_link_rule. */
extern const cni_names cni_link_rules;

typedef enum cni_subnet_rule {
    CNI_RULE_DEGRADED,
    CNI_RULE_CONVEX,
    CNI_RULE_MINIMAL,
    CNI_RULE_CHOSEN /* by the caller */
} cni_subnet_rule;

/* A further state beside those of cn_node_state: dismissed, that is, disabled as an end of a faulty
 * link as long as the fault lasts (CN_LINK_DISABLES_END). */
enum { CNI_NODE_DISMISSED = 3 };

/*
 * Lists of nodes, doubly linked. List i has its head at element N + i; a node is in at most one
 * list, and linked to itself in none. While a convex subnet is made, one list holds the disabled
 * nodes, one the candidates to put back, and there is a check-list for each number of bad links
 * (Horng 1992, 5.4.1).
 */
enum { CNI_LISTS = 34, CNI_CANDIDATE_LIST = CNI_LISTS - 2, CNI_DISABLED_LIST = CNI_LISTS - 1 };

/* Members that are used together lie together: large cubes spend their time here. */
typedef struct cni_subnet_node {
    uint64_t bad; /* ports whose link is faulty or leads to no survivor; kept for dead nodes, too */
    uint32_t next, previous; /* in a list; degrading uses next of nodes 0, 1, ... as a queue */
} cni_subnet_node;

/* The journal of a trial on a convex subnet: a node that is to stay, and the nodes that the trial
 * has disabled or put back, in order. When the journal is full the trial ends. */
typedef struct cni_journal {
    uint64_t kept;
    uint32_t count;
    uint64_t node[1024];
} cni_journal;

static inline int cni_journal_has_ended(const cni_journal *journal)
{
    return journal != NULL && journal->count == sizeof journal->node / sizeof *journal->node;
}

struct cn_subnet {
    cni_object head;
    cn_faults *faults; /* its own copy, which holds the topology */
    cni_subnet_rule rule;
    uint32_t k;
    cn_link_rule link_rule;
    uint64_t survivors;
    uint64_t rounds, messages; /* in which the nodes find a degraded subnet */
    cni_subnet_node *nodes;    /* N of them, and the heads of the lists */
    unsigned char *state;      /* of every node */
    uint64_t *alive;           /* the survivors once more, as a set */
    void *block;               /* of the three arrays before it */
    cni_journal *journal;      /* of the trial at hand; NULL: none */
    /* the budget of the call that makes or changes the subnet: its loops end with the budget */
    cni_budget *budget;
};

static inline int cni_survives(const cn_subnet *subnet, uint64_t node)
{
    return subnet->state[node] == CN_NODE_SURVIVING;
}

/* Makes a subnet without survivors, with a copy of the faults. */
cn_status cni_subnet_make(const char *function, const cn_faults *faults, cni_subnet_rule rule,
                          cn_subnet **subnet);

/* The first survivor of a subnet of a hypercube from which no optimal path leads to some other
 * survivor; N for a convex subnet. */
uint64_t cni_first_unsafe(const cn_subnet *subnet, uint64_t *other);

/* CN_ERR_STATE unless the subnet has a rule for rebuilding and updating. */
cn_status cni_check_changeable(const char *function, const cn_subnet *subnet);

/* The node from which a channel comes into this node, and its port there. The port names the
 * channel: of a two-way link the channel back, of a one-way ring the channel of its dimension. */
uint64_t cni_incoming(const cn_topology *topology, uint64_t node, uint32_t port, uint32_t *from);

/* Makes a subnet, and builds it by its rule within the control; k and link_rule belong to a
 * degraded subnet. */
cn_status cni_subnet_new(const char *function, const cn_faults *faults, cni_subnet_rule rule,
                         uint32_t k, cn_link_rule link_rule, const cn_control *control,
                         cn_subnet **subnet);

/* Builds the subnet by its rule for these faults. When the budget ends, the caller must empty or
 * free the subnet. */
cn_status cni_subnet_build(cn_subnet *subnet, const cn_faults *faults, cni_budget *budget);

/* Leaves no survivor: the state after a call that did not finish a subnet. */
void cni_subnet_empty(cn_subnet *subnet);

/* Counts one step of the work on a subnet, of so many units; 0 when the call is to end. */
static inline int cni_subnet_step(cn_subnet *subnet, uint64_t units)
{
    if (subnet->budget != NULL)
        subnet->budget->done++;
    return cni_budget_work(subnet->budget, units);
}

/* All working nodes survive. */
void cni_subnet_reset(cn_subnet *subnet);

/* Computes the bad links and `survivors` from the states. */
void cni_subnet_recount(cn_subnet *subnet);

/* Takes a survivor out and gives it this state; puts a dead node back among the survivors. */
void cni_subnet_kill(cn_subnet *subnet, uint64_t node, int state);
void cni_subnet_revive(cn_subnet *subnet, uint64_t node);

/* Computes the two bits of `bad` that belong to a link. */
void cni_subnet_refresh_link(cn_subnet *subnet, uint64_t node, uint32_t port);

/* The number of survivors in the subcube at the node (dead or alive) that its bad links span,
 * without the node itself, and at most `most`; *other is one of these survivors. */
uint32_t cni_others(const cn_subnet *subnet, uint64_t node, uint32_t most, uint64_t *other);

/* Builders and updates; the arguments are valid, and the subnet has the new faults. */
void cni_degrade(cn_subnet *subnet);
void cni_make_convex(cn_subnet *subnet);
cn_status cni_make_minimal(cn_subnet *subnet);

/* Disables nodes until no survivor has more than k bad links. The queue holds the `count` survivors
 * that have more now. */
void cni_peel(cn_subnet *subnet, size_t count);

/* Whether CN_LINK_DISABLES_END dismisses the node: of the two working ends of a faulty link, the
 * one with more such links, of equal ends the lower node. */
int cni_is_dismissed(const cn_faults *faults, uint64_t node);

/* Lists of a convex subnet. A node that is put into a list leaves its present list. */
void cni_list_remove(cn_subnet *subnet, uint64_t node);
void cni_list_put(cn_subnet *subnet, uint64_t node, uint32_t list);
int cni_list_is_empty(const cn_subnet *subnet, uint32_t list);
uint32_t cni_list_first(const cn_subnet *subnet, uint32_t list); /* of a list with nodes */

/* Puts a survivor on its check-list, the one for its number of bad links. */
void cni_convex_check(cn_subnet *subnet, uint64_t node);
/* Works off the check-lists: disables nodes until all survivors are safe. */
void cni_convex_settle(cn_subnet *subnet);
/* Puts disabled nodes back, one at a time, while the subnet stays convex. The first function
 * tries all disabled nodes; the second tries the candidates, and the neighbours of nodes that
 * came back. */
void cni_convex_enable(cn_subnet *subnet);
void cni_convex_try_candidates(cn_subnet *subnet);
/* Exchanges survivors for disabled nodes where the subnet becomes larger. */
void cni_convex_exchange(cn_subnet *subnet);
/* Puts one disabled node back. */
void cni_convex_revive(cn_subnet *subnet, uint64_t node);

/* ---- in JSON ---- */

/* The member "subnet" of an object on a topology. Start from NULL to read; the subnet stays NULL
 * after a failure. A macro of scenario/attachment.c puts the name of the function together. */
void cni_io_subnet(cni_io *io, const cn_topology *topology, cn_subnet **subnet);

/* The array of disabled nodes, of a subnet or of any object that knows for each node whether it
 * is left out. Reading makes the subnet with the same survivors, as cn_subnet_chosen() does. */
void cni_io_disabled(cni_io *io, const cn_topology *topology, const cn_faults *faults,
                     cni_visit_element_fn put, void *of, cn_subnet **subnet);

extern const cni_names cni_node_states;

#endif

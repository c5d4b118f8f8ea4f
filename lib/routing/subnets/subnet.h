/* The inside of a cn_subnet: the state of every node, its bad links, and how it was made. */
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
    CNI_RULE_CHOSEN
} cni_subnet_rule;

/* A state beside cn_node_state: disabled as an end of a faulty link, as long as the fault lasts
 * (CN_LINK_DISABLES_END). */
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

/* A trial on a convex subnet: a node that stays, and the nodes that were disabled or put back,
 * in order. When the journal is full the trial ends. */
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
    uint64_t survivors, rounds, messages;
    cni_subnet_node *nodes; /* N of them, and the heads of the lists */
    unsigned char *state;   /* of every node */
    uint64_t *alive;        /* the survivors once more, as a set */
    void *block;            /* of the three arrays before it */
    cni_journal *journal;   /* of the changes that are tried; NULL */
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

/* The node at the other end of the channel into this node that belongs to a port, and the port
 * there. */
uint64_t cni_incoming(const cn_topology *topology, uint64_t node, uint32_t port, uint32_t *from);

/* The same, built by its rule within the control; k and link_rule belong to a degraded subnet. */
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

/* Takes a survivor out, into this state; puts a dead node back among the survivors. */
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

/* Continues from survivors with more than k bad links, the first `count` in the queue. */
void cni_peel(cn_subnet *subnet, size_t count);

/* Whether a node counts as disabled because it is an end of a faulty link. */
int cni_is_dismissed(const cn_faults *faults, uint64_t node);

/* Lists of a convex subnet. */
void cni_list_remove(cn_subnet *subnet, uint64_t node);
void cni_list_put(cn_subnet *subnet, uint64_t node, uint32_t list);
int cni_list_is_empty(const cn_subnet *subnet, uint32_t list);
uint32_t cni_list_first(const cn_subnet *subnet, uint32_t list); /* of one that is not */

/* Puts a survivor on its check-list; works the check-lists off. */
void cni_convex_check(cn_subnet *subnet, uint64_t node);
void cni_convex_settle(cn_subnet *subnet);
/* Puts disabled nodes back, one at a time, while the subnet stays convex: all that can come
 * back, or the candidates and the nodes that these make possible. */
void cni_convex_enable(cn_subnet *subnet);
void cni_convex_try_candidates(cn_subnet *subnet);
/* Exchanges survivors for disabled nodes where the subnet becomes larger. */
void cni_convex_exchange(cn_subnet *subnet);
/* One node back. */
void cni_convex_revive(cn_subnet *subnet, uint64_t node);

/* ---- in JSON ---- */

/* The member "subnet" of an object on a topology. Start from NULL to read; the subnet stays NULL
 * after a failure. */
void cni_io_subnet(cni_io *io, const cn_topology *topology, cn_subnet **subnet);

/* The array of disabled nodes, of a subnet or of any object that knows for each node whether it
 * is left out. Reading makes the subnet with the same survivors, as cn_subnet_chosen() does. */
void cni_io_disabled(cni_io *io, const cn_topology *topology, const cn_faults *faults,
                     cni_visit_element_fn put, void *of, cn_subnet **subnet);

extern const cni_names cni_node_states;

#endif

/*
 * The inside of a cn_routing.
 *
 * A kernel that moves messages asks one question: cni_routing_next(r, node, class, target). The
 * answer is an entry: the channels that the message may take (table.h). The class holds what the
 * answer needs to know of the past path of the message. A message at its source has class 0; after
 * a hop its class is the answer of cni_routing_after(). The target is the answer of
 * cni_routing_begin(): the destination or, with two legs, an intermediate node. At the intermediate
 * node the message gets class cni_leg_class(r, 1), and the destination becomes its target.
 *
 * A routing serves the nodes through which messages may go: all nodes, or nodes that survive the
 * faults.
 */
#ifndef CNI_ROUTING_RULES_ROUTING_H
#define CNI_ROUTING_RULES_ROUTING_H

#include "cubenet/routing.h"

#include "base/json.h"
#include "base/object.h"
#include "routing/faults/fault.h"
#include "routing/rules/search.h"
#include "routing/rules/table.h"

enum { CNI_MOST_PORTS = 64, CNI_MOST_CLASSES = 255 };
#define CNI_MOST_PLACES (UINT64_C(1) << 28) /* of a table */
#define CNI_STORED UINT32_MAX /* in place of a virtual channel: the message was stored */

/* The row of a kind of routing. */
typedef struct cni_routing_kind {
    const char *name, *summary;
    /* of a lifted routing: the kind of the base; otherwise NULL */
    const struct cni_routing_kind *origin;
    /* classes: of messages, where the constructor sets no other number. legs: 1, or 2 by way of an
     * intermediate node. Both legs go the same ways, in virtual channels of their own. Every served
     * router may be the end of the first leg, with equal probability. */
    uint32_t classes, legs;
    /* the kind marks lanes as escapes, and is free of deadlock on every network that it takes */
    int has_escapes;
    int is_minimal; /* every hop of the closed form comes closer in the undamaged network */
    /* On networks of digits that look the same from every node (rows.h): the entry of a pair of
     * nodes follows from the entries of pairs that differ in one digit, and the entry of such a
     * pair from the two values of this digit. */
    int by_digits;
    /* The fewest virtual channels with which a leg works: 1; one more with has_free_channels, for
     * the channels beside the escapes; one more with has_ring_classes where the network has rings,
     * for a second class of channels. */
    int has_free_channels, has_ring_classes;
    /* With two legs, which need twice as many virtual channels as one: the kind of each leg. faults
     * may be NULL. */
    const struct cni_routing_kind *(*kind_of_legs)(const cn_topology *topology,
                                                   const cn_faults *faults);
    /* Checks a routing whose topology and faults are set, and makes the rest; after a failure
     * cn_routing_free() releases the routing. NULL: the kind has a constructor of its own. */
    cn_status (*open)(const char *function, cn_routing *routing);
    /* Fills the empty entry of a node that is not the target, both nodes served, from a closed form
     * or from the stored ports of the node: only those of its class and of class 1 (rows.c relies
     * on it). NULL: the routing always has a table. */
    void (*entry)(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry);
    /* Of kinds whose ports come from searches: the ways of each class. With several classes the
     * state has, by node, a bit for each port that leads up. */
    cni_way ways[3];
    /* The function behind cni_routing_after(); NULL: the class is always 0. asks_more: the class of
     * a stored message depends on more than node and port. */
    int asks_more;
    uint32_t (*after)(const cn_routing *routing, uint32_t class, uint64_t target, uint64_t node,
                      uint32_t port, uint32_t virtual_channel);
    /* The function behind cni_routing_begin(); NULL: the target is the destination. */
    uint64_t (*begin)(const cn_routing *routing, uint64_t word);
    void (*close)(void *state); /* NULL: the state is one block, or NULL */
    /* Of kinds that compute their entries: fills sets that divide the virtual channels as the lanes
     * of all entries do (lifted.c), and returns their number, at most CNI_LANES. NULL: every lane
     * has all virtual channels. */
    uint32_t (*sets)(const cn_routing *routing, uint64_t sets[]);
    /* Of kinds that need more than a name and faults: visits the further members of an object in
     * JSON, and makes the routing that is read; the object is a cni_routing_form. NULL: a name and
     * faults are enough. */
    cni_visit_fn visit;
} cni_routing_kind;

/* A routing that is written to JSON, or read from JSON. */
typedef struct cni_routing_form {
    const cn_topology *topology;
    cn_faults *faults; /* NULL: none */
    cn_routing *routing;
} cni_routing_form;

struct cn_routing {
    cni_object head;
    cni_references references;
    const cni_routing_kind *kind;
    cn_topology *topology;
    cn_faults *faults; /* its own copy; NULL: none */
    uint64_t *served;  /* one bit a node; NULL: all nodes are served */
    uint64_t served_count;
    /* the numbers of served hosts, and of served nodes where a leg but the last may end */
    uint64_t hosts, middles;
    /* of a composed network: the routing of the base, which has the deadlock verdict; otherwise
     * NULL */
    cn_routing *base;
    cn_routing *leg;  /* the routing of each leg: this one, or with two legs another one */
    uint32_t classes; /* of all legs; the classes of leg i follow the classes of leg i - 1 */
    uint32_t least;   /* the fewest virtual channels with which the routing works */
    int has_escapes;
    cni_table table; /* by target, class and node; entries NULL: the kind computes the entries */
    /* likewise, the ports that stored messages may take; count 0: the entries tell */
    cni_packed ports;
    uint32_t hops;                 /* a bound: no walk has more hops; 0: not known */
    void *state;                   /* of the kind */
    cni_budget *budget;            /* of the call that makes the routing; afterwards NULL */
    atomic_uint_least64_t longest; /* hops of the longest walk, once found; 0: not yet */
    _Atomic(cn_deadlock *) checks[CN_MAX_VIRTUAL_CHANNELS + 1]; /* by virtual channels, once made */
};

/* Another reference to the routing; cn_routing_free() gives it up. */
cn_routing *cni_routing_retain(const cn_routing *routing);

static inline int cni_routing_serves(const cn_routing *routing, uint64_t node)
{
    return routing->served == NULL || (routing->served[node >> 6] >> (node & 63) & 1) != 0;
}

/* Whether messages begin or end at the node. */
static inline int cni_routing_is_host(const cn_routing *routing, uint64_t node)
{
    return cni_routing_serves(routing, node) && cni_is_host(routing->topology, node);
}

/* Whether a leg other than the last may end at the node. */
static inline int cni_routing_is_middle(const cn_routing *routing, uint64_t node)
{
    return cni_routing_serves(routing, node) && cni_is_router(routing->topology, node);
}

/* Counts the served hosts, and the served nodes where a leg but the last may end. */
void cni_routing_count_ends(cn_routing *routing);

/* The place of an answer in the table and in the stored ports. */
static inline size_t cni_routing_place(const cn_routing *routing, uint64_t node, uint32_t class,
                                       uint64_t target)
{
    return (size_t)((target * routing->classes + class) * routing->topology->nodes + node);
}

/* The entry of a message at a node, empty at the target; both nodes are served. A routing without a
 * table writes the entry into `room`. */
static inline const cni_entry *cni_routing_next(const cn_routing *routing, uint64_t node,
                                                uint32_t class, uint64_t target, cni_entry *room)
{
    if (routing->table.entries != NULL)
        return cni_table_at(&routing->table, cni_routing_place(routing, node, class, target));
    room->ports = 0;
    room->lanes = 0;
    if (node != target)
        routing->kind->entry(routing, node, class, target, room);
    return room;
}

/* The stored ports of a place, for a routing that stores ports. */
static inline uint64_t cni_routing_stored(const cn_routing *routing, uint64_t node, uint32_t class,
                                          uint64_t target)
{
    return cni_packed_at(&routing->ports, cni_routing_place(routing, node, class, target));
}

/* The ports that a stored message may take. */
static inline uint64_t cni_routing_ports(const cn_routing *routing, uint64_t node, uint32_t class,
                                         uint64_t target)
{
    cni_entry room;
    if (routing->ports.count > 0)
        return cni_routing_stored(routing, node, class, target);
    return cni_routing_next(routing, node, class, target, &room)->ports;
}

/* Whether the routing stores neither entries nor ports. */
static inline int cni_routing_is_closed_form(const cn_routing *routing)
{
    return routing->table.entries == NULL && routing->ports.count == 0;
}

/* The class of a message after a hop from the node, where the message had `class`. The port and the
 * virtual channel are allowed by its entry there. A message that is stored at nodes has CNI_STORED
 * in place of a virtual channel. */
static inline uint32_t cni_routing_after(const cn_routing *routing, uint32_t class, uint64_t target,
                                         uint64_t node, uint32_t port, uint32_t virtual_channel)
{
    if (routing->kind->after == NULL)
        return 0;
    return routing->kind->after(routing, class, target, node, port, virtual_channel);
}

/* The first target of a message, from a random word. */
static inline uint64_t cni_routing_begin(const cn_routing *routing, uint64_t destination,
                                         uint64_t word)
{
    if (routing->kind->begin == NULL)
        return destination;
    return routing->kind->begin(routing, word);
}

/* The class of a message where it begins a leg. */
static inline uint32_t cni_leg_class(const cn_routing *routing, uint32_t leg)
{
    return leg * (routing->classes / routing->kind->legs);
}

/* The part of a set that lies within so many virtual channels. */
static inline uint64_t cni_cut_set(uint64_t set, uint32_t virtual_channels)
{
    return set & UINT64_MAX >> (CN_MAX_VIRTUAL_CHANNELS - virtual_channels);
}

/* CN_ERR_ARGUMENT unless the node is a served host. */
cn_status cni_check_end(const char *function, const char *argument, const cn_routing *routing,
                        uint64_t node);
/* CN_ERR_ARGUMENT unless the routing works with so many virtual channels. */
cn_status cni_check_virtual_channels(const char *function, const cn_routing *routing,
                                     uint32_t virtual_channels);

/* Adds the virtual channels of all lanes, or of the escapes alone, to the set of each port. */
enum { CNI_ALL_LANES, CNI_ESCAPES_ONLY };
void cni_lanes_to_sets(const cni_entry *entry, uint32_t virtual_channels, int escapes_only,
                       uint64_t channels[]);

/* As cn_routing_longest_walk() and cn_routing_deadlock_check(), within a call that has a budget. */
cn_status cni_routing_longest_walk_within(const cn_routing *routing, cni_budget *budget,
                                          uint64_t *hops);
cn_status cni_routing_check(const cn_routing *routing, uint32_t virtual_channels,
                            cni_budget *budget, cn_deadlock **check);

/* ---- for the kinds ---- */

extern const cni_routing_kind cni_minimal, cni_preferred, cni_dimension_order, cni_duato,
    cni_up_down, cni_up_down_adaptive, cni_negative_first, cni_valiant, cni_optimal_path,
    cni_two_level, cni_tree_routing, cni_own;

/* As cn_routing_least_virtual_channels(), for a kind, without a routing. */
uint32_t cni_routing_least_of(const cni_routing_kind *kind, const cn_topology *topology,
                              const cn_faults *faults);

/* The kind with this name, if a name is enough to make it. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT
 * (the kind needs more). */
cn_status cni_routing_find(const char *function, const char *name, const cni_routing_kind **kind);

/* A routing of this kind without table and state; faults may be NULL. The caller fills the
 * routing within the budget, then calls cni_routing_finish(), which frees the routing unless the
 * status is CN_OK, and returns the status. */
cn_status cni_routing_make(const char *function, const cni_routing_kind *kind,
                           const cn_topology *topology, const cn_faults *faults, cni_budget *budget,
                           cn_routing **routing);
cn_status cni_routing_finish(cn_routing *made, cn_status status, cn_routing **routing);

/* A routing of this kind, made and opened. */
cn_status cni_routing_build(const char *function, const cni_routing_kind *kind,
                            const cn_topology *topology, const cn_faults *faults,
                            cni_budget *budget, cn_routing **routing);

/* On a composed network: lifts the routing of the base, which the first function builds and the
 * second, for networks without faults, is given. */
cn_status cni_routing_build_lifted(const char *function, const cni_routing_kind *kind,
                                   const cn_topology *topology, const cn_faults *faults,
                                   cni_budget *budget, cn_routing **routing);
cn_status cni_routing_lift(const char *function, const cn_topology *topology, cn_routing *base,
                           cni_budget *budget, cn_routing **routing);

/* CN_ERR_UNSUPPORTED: the table would be too large. The second function also makes the table. */
cn_status cni_routing_check_table(const char *function, const cn_routing *routing);
cn_status cni_routing_want_table(const char *function, cn_routing *routing);

/* Stores the ports that the searches for the ways of the kind find. CN_ERR_DISCONNECTED names a
 * pair without a walk. */
cn_status cni_routing_fill(const char *function, cn_routing *routing);

/*
 * With faults, fills the table with the entries of the closed form without the faulty channels.
 * CN_ERR_DISCONNECTED names a pair that is not served: no channel is left, or no escape where the
 * closed form had one. Without faults the closed form needs no table.
 */
cn_status cni_routing_fit(const char *function, cn_routing *routing);

/* Fills the table with the entries that a function decides for all served pairs.
 * CN_ERR_DISCONNECTED names a pair whose entry has no lanes. */
typedef cn_status (*cni_decide_fn)(const cn_routing *routing, void *user, uint64_t node,
                                   uint64_t target, cni_entry *entry);
cn_status cni_routing_tabulate(const char *function, cn_routing *routing, cni_decide_fn decide,
                               void *user);

/* CN_ERR_DISCONNECTED, with the sentence for a pair that is not served. */
cn_status cni_fail_pair(const char *function, const cn_routing *routing, uint64_t node,
                        uint64_t target);

/* Fills an empty entry: a message may take any virtual channel of these ports. */
static inline void cni_allow(cni_entry *entry, uint64_t ports, int is_escape)
{
    entry->ports = ports;
    cni_add_lane(entry, ports, CNI_ALL_CHANNELS, is_escape);
}

/* ---- in JSON ---- */

/* The member "routing" of an object on a topology. Start from NULL to read; the routing stays NULL
 * after a failure. A macro of scenario/attachment.c puts the name of the function together. */
void cni_io_routing(cni_io *io, const cn_topology *topology, cn_routing **routing);

#endif

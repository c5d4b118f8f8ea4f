/**
 * @file deadlock.h
 * Whether a wormhole routing rule can deadlock, proved on a small network.
 *
 * A message that holds virtual channel a and may next ask for b makes b depend on a. No deadlock is
 * possible when there is no dependency cycle (Dally & Seitz 1987). An adaptive rule may have
 * such cycles and still be free of deadlock: it is enough (Duato 1993) that at every node a message may
 * also take one of some escape channels, and that these depend on one another without a cycle, where
 * b depends on a also if the message has taken other channels in between (the extended dependency
 * graph).
 *
 * The check goes through all that can happen to one message: every channel that it may hold on its way
 * from any source to any destination. It assumes what wormhole networks do: a message keeps a virtual
 * channel until its tail has left it, the buffer of one holds flits of one message only, a message
 * that waits will be given any channel that it may take and that comes free, and what arrives is taken
 * out of the network.
 *
 * @since 0.1
 */
#ifndef CUBENET_DEADLOCK_H
#define CUBENET_DEADLOCK_H

#include "wormhole.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A check and what it found; opaque and immutable. */
typedef struct cn_deadlock cn_deadlock;

/** What a check found. The numbers never change. */
typedef enum cn_verdict {
    CN_VERDICT_ACYCLIC = 0, /**< no deadlock: no dependency cycle */
    CN_VERDICT_ESCAPE = 1,  /**< no deadlock: dependency cycles, and always a way out of them */
    CN_VERDICT_CYCLIC = 2,  /**< dependency cycles, and no escape channels were named */
    CN_VERDICT_ESCAPE_CYCLIC = 3,  /**< the escape channels' extended dependencies have a cycle */
    CN_VERDICT_ESCAPE_MISSING = 4, /**< somewhere a message may take no escape channel */
    CN_VERDICT_STUCK = 5           /**< somewhere a message may take no channel at all */
} cn_verdict;

/** Canonical name, like "escape-cyclic"; NULL for a number that is no verdict. */
CN_API const char *cn_verdict_name(cn_verdict verdict);

/** Finds the verdict with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_verdict_from_name(const char *name, cn_verdict *verdict);

/** Returns a fixed sentence for @p verdict, also for a number that is none. Never NULL. */
CN_API const char *cn_verdict_text(cn_verdict verdict);

/**
 * A rule to be checked: what the head of a message may take. It must give the same answer whenever it
 * is asked the same.
 *
 * @param node where the head is; not @p destination
 * @param previous the node from which it has come: over virtual channel @p virtual_channel of port
 *        @p port there. At the source of the message @p port is CN_NO_PORT, @p previous is @p node.
 * @param channels out: bit v of channels[p] for virtual channel v of port p of @p node; all 0 when
 *        called
 * @return CN_OK; anything else ends the check
 */
typedef cn_status (*cn_vc_rule)(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                                uint32_t port, uint32_t virtual_channel, uint64_t channels[]);

/**
 * Checks a rule on any topology.
 *
 * Without escape channels (@p escape NULL and @p escape_set 0) the verdict is ACYCLIC, CYCLIC or STUCK.
 * CYCLIC is no proof of a deadlock: it may still be that the messages of no dependency cycle can come to hold
 * their channels at the same time.
 *
 * @param virtual_channels V, 1..64
 * @param rule the rule; called from this thread, once for each virtual channel and destination, and
 *        up to twice more where there is a dependency cycle
 * @param escape of the channels that the rule gives, those that are escapes here; called like @p rule.
 *        NULL: those of escape_set.
 * @param escape_set bit v: virtual channel v of every channel is an escape wherever the rule gives it;
 *        0 when @p escape is given
 * @param user handed to both functions
 * @return CN_ERR_UNSUPPORTED (above 2^13 nodes or channels times V), CN_ERR_ARGUMENT (also: a function
 *         gave a virtual channel that there is not, or an escape that the rule does not give),
 *         CN_ERR_MEMORY, or what a function returned other than CN_OK.
 *         With C channels times V, E of them escapes, and d candidates at a node: O(N C d E / 64) for
 *         the dependencies, at most O(C^3 / 64) for a shortest dependency cycle; C^2/4 bytes.
 */
CN_API cn_status cn_deadlock_check(const cn_topology *topology, uint32_t virtual_channels,
                                   cn_vc_rule rule, cn_vc_rule escape, uint64_t escape_set,
                                   void *user, cn_deadlock **check);

/** Checks one of the rules of wormhole.h, with its escape channels. As cn_deadlock_check() and
 *  cn_route_wormhole(). */
CN_API cn_status cn_deadlock_check_wormhole(const cn_topology *topology, cn_wormhole_rule rule,
                                            uint32_t virtual_channels, cn_deadlock **check);

/** Frees the check and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_deadlock_free(cn_deadlock **deadlock);

/** What was found. CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_deadlock_verdict(const cn_deadlock *check, cn_verdict *verdict);

/** Returns 1 when the rule was proved free of deadlock (ACYCLIC or ESCAPE); else, and for NULL, 0. */
CN_API int cn_deadlock_is_free(const cn_deadlock *check);

/**
 * The size of what was looked at. Outputs may be NULL.
 *
 * @param channels virtual channels that a message can come to hold
 * @param dependencies pairs (a, b) of them such that a message that holds a may ask for b next
 * @param escape_channels those of them that are escapes for some message
 * @param escape_dependencies of the escape channels' extended graph; 0 where they need not be known, as
 *        they do only with ESCAPE and ESCAPE_CYCLIC
 * With STUCK what was seen until then counts.
 * @return CN_ERR_ARGUMENT for NULL. O(1).
 */
CN_API cn_status cn_deadlock_counts(const cn_deadlock *check, uint64_t *channels,
                                    uint64_t *dependencies, uint64_t *escape_channels,
                                    uint64_t *escape_dependencies);

/**
 * A shortest dependency cycle: a message for destinations[i] may hold virtual channel virtual_channels[i] of port
 * ports[i] of node nodes[i] and wait for the one of element i + 1, the last for that of element 0.
 *
 * CYCLIC, ESCAPE: a cycle of all channels, harmless with ESCAPE. ESCAPE_CYCLIC: of the escape channels;
 * between one and the next the message may hold others. ESCAPE_MISSING and STUCK: the one channel at
 * whose far end a message for destinations[0] has nowhere to go; port CN_NO_PORT: at the node itself,
 * which is its source. ACYCLIC: nothing.
 *
 * @param capacity room in each array, in elements
 * @param count out: length of the dependency cycle, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT
 */
CN_API cn_status cn_deadlock_cycle(const cn_deadlock *check, uint64_t nodes[], uint32_t ports[],
                                   uint32_t virtual_channels[], uint64_t destinations[],
                                   size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif

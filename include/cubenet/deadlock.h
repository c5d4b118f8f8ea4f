/**
 * @file deadlock.h
 * The check, on a small network, whether a wormhole routing rule is free of deadlock.
 *
 * There is a dependency from virtual channel a to virtual channel b when a message that holds a may
 * next ask for b. No deadlock is possible when there is no dependency cycle (Dally & Seitz 1987).
 * An adaptive rule may have dependency cycles and still be free of deadlock. Two conditions are
 * sufficient (Duato 1993): a message may take an escape channel at every node, and the dependencies
 * between escape channels have no cycle. These dependencies include indirect dependencies, in which
 * the message uses other channels between two escape channels (the extended dependency graph).
 *
 * Every channel (a port of a node) is shared by V virtual channels, 0 .. V-1. A message holds a
 * virtual channel from the time at which the head receives the virtual channel until the tail has
 * left the buffer at the far end, so a message may hold several virtual channels along its path.
 *
 * The check follows one message through every channel that the message may hold on its path from
 * any source to any destination. The check makes the usual assumptions about wormhole networks: a
 * message keeps a virtual channel until its tail has left; the buffer of a virtual channel holds
 * flits of one message only; a waiting message can get any allowed channel that becomes free; a
 * message that arrives at its destination always leaves the network.
 *
 * @since 1.0
 */
#ifndef CUBENET_DEADLOCK_H
#define CUBENET_DEADLOCK_H

#include "control.h"
#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The greatest number of virtual channels per channel: a set of them is a 64-bit word. */
#define CN_MAX_VIRTUAL_CHANNELS 64

/** The result of a check; opaque and immutable. */
typedef struct cn_deadlock cn_deadlock;

/** The verdict of a check. The numbers never change. */
typedef enum cn_verdict {
    CN_VERDICT_ACYCLIC = 0, /**< "acyclic": no deadlock: there is no dependency cycle */
    /** "escape": no deadlock: there are dependency cycles, but a message can always take an escape
     * channel */
    CN_VERDICT_ESCAPE = 1,
    CN_VERDICT_CYCLIC =
        2, /**< "cyclic": there are dependency cycles, and no escape channels were named */
    /** "escape-cyclic": the extended dependencies of the escape channels have a cycle */
    CN_VERDICT_ESCAPE_CYCLIC = 3,
    CN_VERDICT_ESCAPE_MISSING =
        4,               /**< "escape-missing": at some node a message may take no escape channel */
    CN_VERDICT_STUCK = 5 /**< "stuck": at some node a message may take no channel at all */
} cn_verdict;

/**
 * Returns a fixed sentence that explains @p verdict. Never NULL, even for a number that is no
 * verdict.
 */
CN_API const char *cn_verdict_text(cn_verdict verdict);

/**
 * Returns the virtual channels that the head of a message may take at a node: a routing function as
 * a callback. The same arguments must always give the same result.
 *
 * @param user the @p user of the function that calls the rule
 *
 * @param node the node of the head; not @p destination
 * @param previous the node from which the head has come, over virtual channel @p virtual_channel of
 *        port @p port of @p previous. At the source of the message @p port is CN_NO_PORT and @p
 *        previous is @p node.
 * @param channels out: bit v of channels[p] is 1 when the head may take virtual channel v of port p
 *        of @p node; all 0 before the call
 * @return CN_OK; any other status ends the check or the construction
 */
typedef cn_status (*cn_vc_rule)(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                                uint32_t port, uint32_t virtual_channel, uint64_t channels[]);

/**
 * Checks a routing rule for deadlock, on any topology.
 *
 * Without escape channels (@p escape NULL and @p escape_set 0) the verdict is ACYCLIC, CYCLIC or
 * STUCK. CYCLIC does not prove that a deadlock occurs: the messages of a dependency cycle may be
 * unable to hold their channels at the same time.
 *
 * @param virtual_channels V, 1..64
 * @param rule the rule, called on the calling thread, once for each virtual channel and
 *        destination, and up to twice more if there is a dependency cycle
 * @param escape returns the channels of @p rule that are escapes at this node; called like @p rule.
 *        NULL: @p escape_set determines the escapes.
 * @param escape_set bit v: virtual channel v of every channel is an escape wherever the rule allows
 *        it; must be 0 when @p escape is not NULL
 * @param user passed to both functions
 * @return CN_ERR_UNSUPPORTED (above 2^13 nodes or channels times V), CN_ERR_ARGUMENT (also: a
 *         callback allowed a virtual channel that does not exist, or an escape that the rule does
 *         not allow), CN_ERR_MEMORY, or the error that a callback returned (CN_ERR_ARGUMENT for a
 *         positive status). With C virtual channels in all, E of them escapes, and d candidates at
 *         a node: O(N C d E / 64) for the dependencies, at most O(C^3 / 64) for a shortest
 *         dependency cycle; C^2/4 bytes of memory.
 */
CN_API cn_status cn_deadlock_check(const cn_topology *topology, uint32_t virtual_channels,
                                   cn_vc_rule rule, cn_vc_rule escape, uint64_t escape_set,
                                   void *user, const cn_control *control, cn_deadlock **check);

/** Frees the check and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_deadlock_free(cn_deadlock **deadlock);

/** Returns the verdict of a check. CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_deadlock_verdict(const cn_deadlock *check, cn_verdict *verdict);

/**
 * Returns 1 when the rule is proved free of deadlock (ACYCLIC or ESCAPE); otherwise, and for NULL,
 * 0.
 */
CN_API int cn_deadlock_is_free(const cn_deadlock *check);

/**
 * Returns the sizes of the dependency graphs. With STUCK the sizes cover the part examined before
 * the check ended. Every output may be NULL.
 *
 * @param channels out: number of virtual channels that a message can hold
 * @param dependencies out: number of pairs (a, b) of these virtual channels such that a message
 *        that holds a may next ask for b
 * @param escape_channels out: number of these virtual channels that are escapes for some message
 * @param escape_dependencies out: number of dependencies in the extended graph of the escape
 *        channels; known with ESCAPE and ESCAPE_CYCLIC only, otherwise 0
 * @return CN_ERR_ARGUMENT for NULL. O(1).
 */
CN_API cn_status cn_deadlock_counts(const cn_deadlock *check, uint64_t *channels,
                                    uint64_t *dependencies, uint64_t *escape_channels,
                                    uint64_t *escape_dependencies);

/**
 * Returns a shortest dependency cycle: a message for destinations[i] may hold virtual channel
 * virtual_channels[i] of port ports[i] of node nodes[i] and wait for the virtual channel of element
 * i + 1; the last element waits for element 0.
 *
 * The verdict says what the arrays hold:
 * - CYCLIC, ESCAPE: a cycle in the dependencies of all channels, harmless with ESCAPE.
 * - ESCAPE_CYCLIC: a cycle of escape channels; between two of them the message may hold other
 *   channels.
 * - ESCAPE_MISSING, STUCK: one element, the channel at whose far end a message for destinations[0]
 *   has no (escape) channel to take. With port CN_NO_PORT the message has no such channel at
 *   nodes[0] itself, which is then its source.
 * - ACYCLIC: no elements.
 *
 * @param capacity room in each array, in elements
 * @param count out: length of the dependency cycle, also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT
 */
CN_API cn_status cn_deadlock_cycle(const cn_deadlock *check, uint64_t nodes[], uint32_t ports[],
                                   uint32_t virtual_channels[], uint64_t destinations[],
                                   size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif

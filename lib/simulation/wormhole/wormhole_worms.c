/* Messages of the wormhole kernel that go flit by flit (docs/simulation.md). */
#include "base/error.h"
#include "simulation/wormhole/wormhole_hops.h"
#include "simulation/wormhole/wormhole_short.h"

static cn_status open_worms(cni_wormhole *k)
{
    uint64_t channels = (uint64_t)k->nodes * k->ports;
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.requests, channels));
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.turn, channels));
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.held_count, channels));
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.contested, channels + 1));
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.winners, channels));
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.from, channels));
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.holder, channels << k->shift));
    /* at least crowd.outside + 1, and `outside` is rounded up to a multiple of 64 * 8 */
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.flits, (channels << k->shift) + 64 * 8 + 1));
    for (uint32_t i = 0; i < channels; i++)
        k->channels.from[i] = i / k->ports;
    k->has_words = k->stride < 64 && k->buffers == 2;
    return cni_crowd_open(k);
}

/* ---- grants ---- */

/* Changes `shared` of the one worm that holds another virtual channel of the same channel: its
 * channel becomes shared, or is its own again. */
static void turn_shared(cni_wormhole *k, uint32_t node, uint32_t at)
{
    uint32_t first = at >> k->shift << k->shift;
    uint64_t held =
        k->waiting.held[(size_t)node * k->node_words + (at >> 6)] >> (first & 63) & k->every;
    held &= ~(UINT64_C(1) << (at - first));
    const cni_worm_holder *other =
        &k->channels.holder[node * k->span + first + cni_lowest_bit(held)];
    k->worms.all[other->worm].shared ^= UINT64_C(1) << other->hop;
}

/* The flits of a worm may make a granted hop; `count` virtual channels of its channel are held. */
CNI_INLINE void open_hop(cni_wormhole *k, uint32_t worm, uint32_t hop, uint32_t node, uint32_t at,
                         uint32_t count)
{
    cni_worm *w = cni_worm_at(k, worm);
    if (count > 1)
        w->shared |= UINT64_C(1) << hop;
    if (count == 2)
        turn_shared(k, node, at);
    w->vacant |= UINT64_C(1) << hop;
    if (!k->worms.awake[worm])
        k->worms.active[k->worms.active_count++] = worm;
    k->worms.awake[worm] = 1;
}

/* Grants virtual channel `at` of the node where the header of a worm is. */
static void give_worm(cni_wormhole *k, uint32_t worm, uint32_t node, uint32_t at)
{
    cni_worm *w = cni_worm_at(k, worm);
    if (CNI_RARELY(w->head == k->stride)) {
        k->strays = 1;
        return;
    }
    uint32_t hop = w->head++, count = cni_worm_hold(k, worm, hop, node, at);
    w->header = cni_worm_bit(hop);
    k->worms.path[(size_t)worm * k->stride + hop] = node * k->span + at;
    if (k->crowd.is_on)
        cni_crowd_give(k, worm, hop, count);
    else
        open_hop(k, worm, hop, node, at, count);
    k->worms.holders += hop == 0;
    k->moved = 1;
}

/* ---- settle ---- */

/* The tail of a worm has left the buffer of a virtual channel. */
static void release_tail(cni_wormhole *k, uint32_t worm, uint32_t virtual_channel)
{
    uint32_t node = k->channels.from[virtual_channel >> k->shift];
    uint32_t count = cni_worm_release(k, virtual_channel, node, k->worms.message[worm].flits);
    cni_worm_at(k, worm)->tail += 1;
    if (k->crowd.is_on)
        cni_crowd_release(k, virtual_channel, count);
    else if (count == 2)
        turn_shared(k, node, virtual_channel - node * k->span);
}

/* The header of a worm has come into the buffer of the last granted hop. */
static void settle_header(cni_wormhole *k, uint32_t worm)
{
    cni_worm *w = cni_worm_at(k, worm);
    uint32_t virtual_channel = k->worms.path[(size_t)worm * k->stride + w->head - 1];
    int has_arrived = cni_wormhole_come(k, worm, virtual_channel);
    w->header = 0;
    if (has_arrived)
        w->vacant |= w->exit = cni_worm_bit(w->head);
    if (k->crowd.is_on)
        cni_crowd_come(k, virtual_channel, has_arrived);
}

/* The tail has left the source or a buffer. It is in the next buffer, or at the node, where the
 * worm has arrived. An arrived worm stays listed as active until the next cycle finds that it
 * has no flits. */
static cn_status settle_tail(cni_wormhole *k, uint32_t worm)
{
    cni_worm *w = cni_worm_at(k, worm);
    const uint32_t *path = &k->worms.path[(size_t)worm * k->stride];
    int is_of_source = w->leaving == 1;
    if (!is_of_source)
        release_tail(k, worm, path[w->tail]);
    w->leaving = UINT64_C(2) << (w->tail & 63);
    if (k->crowd.is_on && w->tail < w->head)
        cni_crowd_follow(k, path[w->tail], is_of_source);
    if (is_of_source)
        return cni_wormhole_leave_source(k, worm); /* may move the worms in memory */
    if (w->tail < w->head)
        return CN_OK;
    k->worms.holders -= 1;
    return cni_wormhole_arrive(k, worm);
}

/* Whether sets are faster than words: more than half of the channels are busy, and most of these
 * are shared. Worms that hold few virtual channels move fewer flits when one worm is looked at,
 * so then less sharing is enough. The bounds change the speed alone: both forms have the same
 * bits. */
static int is_crowded(const cni_wormhole *k)
{
    return 2 * k->channels.busy > k->network.channels &&
           4 * (k->channels.held_sum + k->worms.holders) > 7 * k->channels.busy;
}

static cn_status move_worms(cni_wormhole *k)
{
    if (k->crowd.is_on)
        cni_crowd_send(k);
    else
        cni_wormhole_send(k);
    for (size_t i = 0; i < k->worms.header_count; i++)
        settle_header(k, k->worms.picked[i]);
    for (size_t i = 0; i < k->worms.tail_count; i++)
        CNI_TRY(settle_tail(k, k->worms.tails[i]));
    if (k->cycle % CNI_WORM_LOOK == 0)
        cni_crowd_set(k, is_crowded(k));
    return CN_OK;
}

/* ---- the other functions of cni_worm_way ---- */

/* Adds to loads (may be NULL), by channel, the flits that the worms under way have sent over the
 * hops that they hold; returns their sum. */
static uint64_t count_sent(const cni_wormhole *k, uint64_t loads[])
{
    uint64_t all = 0;
    for (uint32_t worm = 0; worm < k->worms.used; worm++) {
        const cni_worm *w = cni_worm_at(k, worm);
        uint64_t flits = k->worms.message[worm].flits, sent = flits - cni_worm_left(k, worm);
        for (uint32_t hop = w->tail; hop < w->head; hop++) {
            uint32_t virtual_channel = k->worms.path[(size_t)worm * k->stride + hop];
            if (k->crowd.is_on)
                sent = flits - k->crowd.hop[virtual_channel].rest;
            all += sent;
            if (loads != NULL)
                loads[virtual_channel >> k->shift] += sent;
            if (!k->crowd.is_on)
                sent -= cni_worm_flits(k, worm, hop);
        }
    }
    return all;
}

/* The load of a virtual channel: held virtual channels of its channel. */
static uint32_t load_of(const cni_wormhole *k, uint32_t node, uint32_t at)
{
    return k->channels.held_count[node * k->ports + (at >> k->shift)];
}

static size_t find_held(const cni_wormhole *k, uint32_t worm, const uint32_t **virtual_channels)
{
    const cni_worm *w = cni_worm_at(k, worm);
    *virtual_channels = &k->worms.path[(size_t)worm * k->stride + w->tail];
    return (size_t)w->head - w->tail;
}

const cni_worm_way cni_worms = {.open = open_worms,
                                .grant = cni_wormhole_grant,
                                .give = give_worm,
                                .load = load_of,
                                .move = move_worms,
                                .sent = count_sent,
                                .held = find_held,
                                .visit = cni_worms_visit,
                                .moving = cni_worms_moving};

/* Without `give`, since cni_short_grant() makes the grants itself. */
const cni_worm_way cni_short_messages = {.open = open_worms,
                                         .grant = cni_short_grant,
                                         .load = load_of,
                                         .move = cni_short_move,
                                         .sent = count_sent,
                                         .held = find_held,
                                         .visit = cni_worms_visit,
                                         .moving = cni_worms_moving};

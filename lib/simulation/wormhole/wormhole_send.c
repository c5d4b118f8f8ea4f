/*
 * The moves of flits in a cycle of the wormhole kernel, by words. First each flit moves whose worm
 * has the channel for itself; then one of the flits that are ready for the same channel.
 */
#include "simulation/wormhole/wormhole.h"

/* What a move of a worm says. */
typedef struct moved {
    uint8_t ready;  /* a flit could move */
    uint8_t rival;  /* a flit could move over a shared channel */
    uint8_t header; /* the header has moved */
    uint8_t tail;   /* the tail has left the source or a buffer */
} moved;

/* Without is_shared a worm makes the ready hops on channels that are not shared, and leaves the
 * other ready hops in `moves`. With is_shared it makes the hops in `moves`, which has only winners
 * then. */
CNI_INLINE moved move_worm(cni_worm *w, int is_shared)
{
    uint64_t ready = w->filled & w->vacant, rest = ready & w->shared;
    uint64_t go = is_shared ? w->moves : ready ^ rest;
    uint64_t came = go & ~w->exit, gone = go >> 1;
    uint64_t in = came & ~gone, out = gone & ~came;
    uint64_t full = in & w->filled >> 1, empty = out & w->vacant;
    w->left -= (uint32_t)(go & 1);
    w->filled = (w->filled | in << 1) & ~(empty << 1 | (w->left == 0));
    w->vacant = (w->vacant & ~full) | out;
    w->moves = is_shared ? 0 : rest;
    return (moved){ready != 0, rest != 0, (go & w->header) != 0,
                   (go & w->leaving & ~w->filled) != 0};
}

/* Puts a worm at the end of a list if it is meant. Writes without a branch, so lists have a spare
 * place. */
CNI_INLINE void append(uint32_t list[], size_t *count, uint32_t worm, uint32_t is_meant)
{
    list[*count] = worm;
    *count += is_meant;
}

/* Moves the active worms, keeps the worms with a ready flit in the list, and lists the rivals
 * among them; or, with is_shared, moves the rivals. */
CNI_INLINE void move_listed_worms(cni_wormhole *k, int is_shared)
{
    uint32_t *headers = k->worms.picked, *tails = k->worms.tails, *rivals = k->worms.rivals;
    uint32_t *list = is_shared ? rivals : k->worms.active;
    size_t header_count = k->worms.header_count, tail_count = k->worms.tail_count;
    size_t count = is_shared ? k->worms.rival_count : k->worms.active_count;
    size_t awake = 0, rival_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t worm = list[i];
        moved m = move_worm(&k->worms.all[worm], is_shared);
        if (!is_shared) {
            if (CNI_RARELY(!m.ready))
                k->worms.awake[worm] = 0;
            append(list, &awake, worm, m.ready);
            append(rivals, &rival_count, worm, m.rival);
        }
        append(headers, &header_count, worm, m.header);
        append(tails, &tail_count, worm, m.tail);
    }
    k->worms.header_count = header_count;
    k->worms.tail_count = tail_count;
    if (is_shared)
        return;
    k->moved |= awake; /* of the flits that are ready for the same channel one moves */
    k->worms.active_count = awake;
    k->worms.rival_count = rival_count;
}

/* ---- rivals ---- */

/* The rivals request the channels that they share. Returns the number of these channels. Writes
 * without a branch behind the end of the list of contested channels, which has one place more than
 * there are channels. */
static size_t request_shared(const cni_wormhole *k)
{
    uint32_t *contested = k->channels.contested, shift = k->shift;
    uint64_t *requests = k->channels.requests;
    size_t count = 0;
    for (size_t i = 0; i < k->worms.rival_count; i++) {
        uint32_t worm = k->worms.rivals[i];
        const uint32_t *path = &k->worms.path[(size_t)worm * k->stride];
        for (uint64_t rest = k->worms.all[worm].moves; rest != 0; rest &= rest - 1) {
            uint32_t virtual_channel = path[cni_lowest_bit(rest)];
            uint32_t channel = virtual_channel >> shift;
            contested[count] = channel;
            count += requests[channel] == 0;
            requests[channel] |= UINT64_C(1) << (virtual_channel & ((UINT32_C(1) << shift) - 1));
        }
        k->worms.all[worm].moves = 0;
    }
    return count;
}

/* Round robin: the first request behind the last winner wins, else the first one of all. */
static void arbitrate_channels(cni_wormhole *k, size_t contested_count)
{
    const uint32_t *contested = k->channels.contested;
    const cni_worm_holder *holders = k->channels.holder;
    cni_worm *worms = k->worms.all;
    uint64_t *all_requests = k->channels.requests;
    uint8_t *turns = k->channels.turn;
    uint32_t shift = k->shift;
    for (size_t i = 0; i < contested_count; i++) {
        uint32_t channel = contested[i];
        uint64_t requests = all_requests[channel];
        uint64_t later = requests & ~UINT64_C(1) << turns[channel];
        uint32_t winner = cni_lowest_bit(later != 0 ? later : requests);
        cni_worm_holder holder = holders[(size_t)channel << shift | winner];
        worms[holder.worm].moves |= UINT64_C(1) << holder.hop;
        turns[channel] = (uint8_t)winner;
        all_requests[channel] = 0;
    }
}

void cni_wormhole_send(cni_wormhole *k)
{
    k->worms.header_count = k->worms.tail_count = 0;
    move_listed_worms(k, 0);
    arbitrate_channels(k, request_shared(k));
    move_listed_worms(k, 1);
}

/*
 * Which flits move in a cycle of the wormhole kernel: those whose worms have a channel for themselves, and of those that
 * are ready for the same channel one. On processors with AVX-512 the channels that worms share are listed without
 * a branch for each worm; the same bits.
 */
#include "simulation/wormhole/wormhole.h"

#if CNI_AVX512
#include <immintrin.h>
#define TARGET __attribute__((target("bmi,bmi2,popcnt,avx512f")))
#endif

/* In the loops below what does not change is held in variables of their own: the compiler cannot know that
 * the words that are written are not the kernel's own members. */

/* Each worm sends wherever it has a flit, room, and the channel for itself; the list of rivals gets those that
 * have a flit and room elsewhere. One that has them nowhere sleeps until its header is given something. */
CNI_INLINE size_t send_unshared(cni_wormhole *k, uint32_t words)
{
    uint32_t *active = k->active, *rivals = k->picked;
    cni_worm *worms = k->worm;
    size_t count = k->active_count, rival_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t worm = active[i];
        cni_worm *w = worms + (size_t)worm * words;
        uint64_t any_ready = 0, any_shared = 0;
        for (uint32_t j = cni_first_record(words, w), last = cni_last_record(words, w); j <= last;
             j++) {
            uint64_t ready = w[j].filled & w[j].vacant, shared = ready & w[j].shared;
            w[j].moves = ready ^ shared;
            any_ready |= ready;
            any_shared |= shared;
        }
        rivals[rival_count] = worm;
        rival_count += any_shared != 0;
        if (any_ready == 0) {
            k->awake[worm] = 0;
            active[i--] = active[--count];
        }
    }
    k->moved |= count; /* of those that are ready for the same channel one moves */
    k->active_count = count;
    return rival_count;
}

typedef struct request_list {
    uint64_t *of; /* by channel */
    uint32_t *contested, shift;
    size_t count;
} request_list;

/* The list of contested channels has one place more than there are channels, so that every request can be written
 * behind its end. */
CNI_INLINE void request(request_list *r, uint32_t virtual_channel)
{
    uint32_t channel = virtual_channel >> r->shift;
    uint64_t others = r->of[channel];
    r->contested[r->count] = channel;
    r->count += others == 0;
    r->of[channel] = others | UINT64_C(1) << (virtual_channel & ((UINT32_C(1) << r->shift) - 1));
}

/* The rivals request the channels that they share. */
CNI_INLINE void request_shared(cni_wormhole *k, uint32_t words, size_t rival_count)
{
    const uint32_t *rivals = k->picked;
    request_list r = {k->requests, k->contested, k->shift, 0};
    for (size_t i = 0; i < rival_count; i++) {
        const cni_worm *w = k->worm + (size_t)rivals[i] * words;
        const uint32_t *path = k->path + (size_t)rivals[i] * k->stride;
        for (uint32_t j = cni_first_record(words, w), last = cni_last_record(words, w); j <= last;
             j++) {
            uint64_t hops = w[j].filled & w[j].vacant & w[j].shared;
            for (; hops != 0; hops &= hops - 1)
                request(&r, path[j << 6 | cni_lowest_bit(hops)]);
        }
    }
    k->contested_count = r.count;
}

/* Round robin: the first request after the last winner. */
CNI_INLINE void arbitrate(cni_wormhole *k, uint32_t words)
{
    const uint32_t *contested = k->contested;
    const cni_worm_holder *holders = k->holder;
    cni_worm *worms = k->worm;
    uint64_t *all_requests = k->requests;
    uint8_t *turns = k->turn;
    uint32_t shift = k->shift;
    for (size_t i = 0, count = k->contested_count; i < count; i++) {
        uint32_t channel = contested[i];
        uint64_t requests = all_requests[channel];
        uint64_t later = requests & ~UINT64_C(1) << turns[channel];
        uint32_t winner = cni_lowest_bit(later != 0 ? later : requests);
        cni_worm_holder holder = holders[(size_t)channel << shift | winner];
        uint32_t record = words == 1 ? 0 : holder.hop >> 6;
        worms[(size_t)holder.worm * words + record].moves |= cni_worm_bit(holder.hop);
        turns[channel] = (uint8_t)winner;
        all_requests[channel] = 0;
    }
}

CNI_INLINE void send_any(cni_wormhole *k, uint32_t words)
{
    request_shared(k, words, send_unshared(k, words));
    arbitrate(k, words);
}

#if CNI_AVX512
/* The same for worms of one word. How many channels a worm requests cannot be foreseen, so these are listed first, and
 * then requested in a loop whose end can. */
TARGET static void request_lanes(cni_wormhole *k, size_t rival_count)
{
    enum { LISTED = 1024, LANES = 16 };
    uint32_t list[LISTED + 64 + LANES];
    const uint32_t *rivals = k->picked, *paths = k->path, stride = k->stride;
    const cni_worm *worms = k->worm;
    request_list r = {k->requests, k->contested, k->shift, 0};
    for (size_t i = 0; i < rival_count;) {
        size_t count = 0;
        for (; i < rival_count && count < LISTED; i++) {
            const cni_worm *w = worms + rivals[i];
            const uint32_t *path = paths + (size_t)rivals[i] * stride;
            uint64_t hops = w->filled & w->vacant & w->shared;
            for (; hops != 0; hops >>= LANES, path += LANES) {
                __m512i here = _mm512_maskz_loadu_epi32((__mmask16)hops, path);
                _mm512_storeu_si512(list + count,
                                    _mm512_maskz_compress_epi32((__mmask16)hops, here));
                count += (size_t)__builtin_popcountll(hops & 0xffff);
            }
        }
        for (size_t j = 0; j < count; j++)
            request(&r, list[j]);
    }
    k->contested_count = r.count;
}

TARGET static void send_lanes(cni_wormhole *k)
{
    request_lanes(k, send_unshared(k, 1));
    arbitrate(k, 1);
}
#endif

int cni_wormhole_has_lanes(void)
{
#if CNI_AVX512
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

void cni_wormhole_send(cni_wormhole *k)
{
#if CNI_AVX512
    if (k->lists_by_lanes) {
        send_lanes(k);
        return;
    }
#endif
    if (k->hop_words == 1)
        send_any(k, 1);
    else
        send_any(k, k->hop_words);
}

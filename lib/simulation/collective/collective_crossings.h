/*
 * What the paper's machines count by channel: the copies that cross it, and with detours those in line for it. It is far away
 * in memory, so channels are listed first and counted together once a cycle, while the next ones are fetched.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_CROSSINGS_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_CROSSINGS_H

#include "base/error.h"
#include "base/memory.h"
#include "simulation/collective/collective_way.h"

/* So many steps before it is used, what lies far away in memory is fetched, and twice as many before, what tells
 * where it is. Lists go on so far behind their ends. */
enum { CNI_AHEAD = 12, CNI_BEHIND = 2 * CNI_AHEAD };

/* Start from {0}. */
typedef struct cni_channel_list {
    uint32_t *channel; /* node * degree + port; released by its owner */
    size_t room, count;
} cni_channel_list;

static inline cn_status cni_channels_make_room(cni_channel_list *list, size_t more)
{
    return cni_grow(&list->channel, &list->room, list->count + more + CNI_BEHIND,
                    sizeof *list->channel);
}

/* There is room for it. */
static inline void cni_channels_add(cni_channel_list *list, uint32_t channel)
{
    list->channel[list->count++] = channel;
}

/* A copy stands in line for its channel: that is known at once, and counted later. */
static inline void cni_wait_for(cni_collective *run, cni_channel_list *waiting, uint32_t node,
                                const cni_copy *copy)
{
    uint32_t channel = node * run->routes.degree + copy->port; /* and so numbered in run->in_line */
    cni_set_add(run->in_line, channel);
    cni_channels_add(waiting, channel);
}

/* With detours. */
static inline void cni_count_waiting(cni_collective *run, cni_channel_list *waiting)
{
    uint32_t *all = run->row;
    const uint32_t *last = waiting->channel + waiting->count;
    for (const uint32_t *channel = waiting->channel; channel < last; channel++) {
        CNI_PREFETCH(&all[(size_t)channel[CNI_BEHIND] << 1]);
        all[((size_t)*channel << 1) + CNI_IN_LINE]++;
    }
    waiting->count = 0;
}

/* With detours those that cross wait no longer. Whether one was the last could not be foreseen. */
CNI_INLINE void cni_count_crossings(cni_collective *run, const cni_channel_list *crossed, int kind)
{
    const uint32_t *last = crossed->channel + crossed->count;
    uint32_t peak = run->peak_channel, *all = run->row;
    for (const uint32_t *channel = crossed->channel; channel < last; channel++) {
        uint32_t *row = all + ((size_t)*channel << (kind & CNI_WITH_DETOURS ? 1 : 0));
        uint32_t load = ++row[CNI_LOAD];
        peak = load > peak ? load : peak;
        if (kind & CNI_WITH_DETOURS) {
            uint64_t is_last = --row[CNI_IN_LINE] == 0;
            run->in_line[*channel / 64] ^= is_last << *channel % 64;
        }
    }
    run->peak_channel = peak;
    run->transmissions += crossed->count;
}

#endif

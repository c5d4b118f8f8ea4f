/*
 * The watchdog: worms that can never move again. A worm whose header waits can go on when a virtual
 * channel that it may take is free or held by a worm that can; all other worms can go on. What is left
 * when nothing more follows from that is deadlocked: no false alarm, and also where the rest of the network
 * still works.
 */
#include "simulation/wormhole/wormhole.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static int is_waiting(const cni_wormhole *k, uint32_t worm)
{
    cni_worm *w = cni_worm_at(k, worm);
    return cni_worm_hop(w, w->head)->exit == 0 && !cni_worm_is_travelling(w);
}

/* The set that a worm waits for, word number i of it; and its lowest virtual channel. */
static uint64_t wanted(const cni_wormhole *k, uint32_t worm, uint32_t i)
{
    const uint64_t *choice = cni_worm_choice(k, worm);
    return choice[i] | choice[k->node_words + i];
}

static uint32_t first_of(const cni_wormhole *k, uint32_t worm, uint32_t i, uint64_t set)
{
    return k->facts[worm].node * k->span + (i << 6 | cni_lowest_bit(set));
}

/* One of the worms that hold what this one may take can go on, or nobody holds it. */
static int can_go_on(const cni_wormhole *k, uint32_t worm, const uint8_t *goes_on)
{
    const uint64_t *held = &k->held[(size_t)k->facts[worm].node * k->node_words];
    for (uint32_t i = 0; i < k->node_words; i++) {
        uint64_t set = wanted(k, worm, i);
        if ((set & ~held[i]) != 0)
            return 1;
        for (; set != 0; set &= set - 1)
            if (goes_on[k->holder[first_of(k, worm, i, set)].worm])
                return 1;
    }
    return 0;
}

/* The first virtual channel that a worm waits for. */
static uint32_t first_wanted(const cni_wormhole *k, uint32_t worm)
{
    uint32_t i = 0;
    while (wanted(k, worm, i) == 0)
        i++;
    return first_of(k, worm, i, wanted(k, worm, i));
}

/* From a deadlocked worm to the one that holds what it waits for, and so on, until one comes again. All that
 * such a worm waits for is held by deadlocked worms, so the first will do. */
static void find_knot(cni_wormhole *k, uint32_t worm, uint8_t *seen)
{
    while (!seen[worm]) {
        seen[worm] = 1;
        worm = k->holder[first_wanted(k, worm)].worm;
    }
    uint32_t first = worm;
    do {
        uint32_t virtual_channel = first_wanted(k, worm);
        k->knot[k->knot_count++] = virtual_channel >> k->shift;
        worm = k->holder[virtual_channel].worm;
    } while (worm != first);
}

static cn_status report(cni_wormhole *k, uint64_t dead)
{
    enum { SHOWN = 6 };
    char text[SHOWN * 32] = "";
    for (size_t i = 0; i < k->knot_count && i < SHOWN; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%lu->%lu", i == 0 ? ": " : ", ",
                 (unsigned long)(k->knot[i] / k->ports), (unsigned long)k->network.far[k->knot[i]]);
    }
    return cni_fail(
        CN_ERR_DEADLOCK,
        "deadlock at cycle %llu: %llu messages can never move again; %zu of them wait in "
        "a dependency cycle for the channels%s%s",
        (unsigned long long)k->cycle, (unsigned long long)dead, k->knot_count, text,
        k->knot_count > SHOWN ? ", ..." : "");
}

/* The worm, of those that are stuck, that holds the virtual channel with the lowest number: the same whatever
 * the order of the worms is. */
static uint32_t first_stuck(const cni_wormhole *k, const uint8_t *goes_on)
{
    uint32_t first = CNI_WORM_NONE, lowest = CNI_WORM_NONE;
    for (uint32_t worm = 0; worm < k->used; worm++) {
        if (goes_on[worm] || !cni_worm_holds(cni_worm_at(k, worm)))
            continue;
        uint32_t own = k->path[(size_t)worm * k->stride + cni_worm_at(k, worm)->tail];
        if (own < lowest) {
            lowest = own;
            first = worm;
        }
    }
    return first;
}

cn_status cni_wormhole_check(cni_wormhole *k)
{
    if (k->holders == 0)
        return CN_OK;
    uint8_t *goes_on = cni_allocate(k->used, 1);
    if (goes_on == NULL)
        return CN_ERR_MEMORY;
    uint64_t stuck = k->holders;
    for (uint64_t before = stuck + 1; stuck > 0 && stuck < before;) {
        before = stuck;
        for (uint32_t worm = 0; worm < k->used; worm++) {
            if (goes_on[worm] || !cni_worm_holds(cni_worm_at(k, worm)) ||
                (is_waiting(k, worm) && !can_go_on(k, worm, goes_on)))
                continue;
            goes_on[worm] = 1;
            stuck -= 1;
        }
    }
    cn_status status = CN_OK;
    cni_release(k->knot); /* of an earlier look */
    k->knot = NULL;
    k->knot_count = 0;
    if (stuck > 0) {
        uint32_t first = first_stuck(k, goes_on);
        k->knot = cni_allocate(stuck, sizeof *k->knot);
        if (k->knot == NULL) {
            status = CN_ERR_MEMORY;
        } else {
            find_knot(k, first, goes_on);
            status = report(k, stuck);
        }
    }
    cni_release(goes_on);
    return status;
}

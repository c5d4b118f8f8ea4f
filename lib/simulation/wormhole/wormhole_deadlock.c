/*
 * The watchdog: finds worms that can never move again. A worm whose header waits can go on when a
 * virtual channel that it may take is free, or when a worm that can go on holds it; all other worms
 * can go on. The worms that are left when nothing more follows are deadlocked. So there is no false
 * alarm, and a deadlock is found even where the rest of the network still works.
 */
#include "simulation/wormhole/wormhole.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* The virtual channels at the node of a worm that are not free. Where messages cross channels as
 * a whole only full buffers count, since every crossing ends. */
static const uint64_t *taken_for(const cni_wormhole *k, uint32_t worm)
{
    return (k->whole.full != NULL ? k->whole.full : k->waiting.held) +
           (size_t)cni_worm_header_of(k, worm)->node * k->node_words;
}

/* Word i of the set that a worm waits for. */
static uint64_t wanted_by(const cni_wormhole *k, uint32_t worm, uint32_t i)
{
    const uint64_t *choice = cni_worm_choice(k, worm);
    return choice[i] | choice[k->node_words + i];
}

/* The virtual channel of the lowest bit of word i, at the node of a worm. */
static uint32_t first_in_word(const cni_wormhole *k, uint32_t worm, uint32_t i, uint64_t set)
{
    return cni_worm_header_of(k, worm)->node * k->span + (i << 6 | cni_lowest_bit(set));
}

/* Whether a virtual channel that a waiting worm may take is free or becomes free. */
static int can_go_on(const cni_wormhole *k, uint32_t worm, const uint8_t *opens)
{
    const uint64_t *all = taken_for(k, worm);
    for (uint32_t i = 0; i < k->node_words; i++) {
        uint64_t set = wanted_by(k, worm, i);
        if ((set & ~all[i]) != 0)
            return 1;
        for (; set != 0; set &= set - 1)
            if (opens[first_in_word(k, worm, i, set)])
                return 1;
    }
    return 0;
}

/* Marks all virtual channels that a worm holds: they become free. */
static void open_all_of(const cni_wormhole *k, uint32_t worm, uint8_t *opens)
{
    const uint32_t *held;
    for (size_t i = k->way->held(k, worm, &held); i-- > 0;)
        opens[held[i]] = 1;
}

static int worm_holds(const cni_wormhole *k, uint32_t worm, uint32_t virtual_channel)
{
    const uint32_t *held;
    size_t count = k->way->held(k, worm, &held), i = 0;
    while (i < count && held[i] != virtual_channel)
        i++;
    return i < count;
}

/* A worm that holds the virtual channel. Of several messages in a buffer: the message that has
 * waited longest, whatever the order of the worms is. */
static uint32_t holder_of(const cni_wormhole *k, uint32_t virtual_channel)
{
    uint32_t longest = CNI_WORM_NONE;
    for (uint32_t worm = 0; worm < k->worms.used; worm++)
        if (worm_holds(k, worm, virtual_channel) &&
            (longest == CNI_WORM_NONE ||
             cni_worm_header_of(k, worm)->since < cni_worm_header_of(k, longest)->since))
            longest = worm;
    return longest;
}

/* The first virtual channel that a worm waits for. */
static uint32_t first_wanted(const cni_wormhole *k, uint32_t worm)
{
    uint32_t i = 0;
    while (wanted_by(k, worm, i) == 0)
        i++;
    return first_in_word(k, worm, i, wanted_by(k, worm, i));
}

/* Follows the waiting from a deadlocked worm to the holder of the first virtual channel that it
 * waits for, and so on, until a worm comes again. Deadlocked worms hold all that a deadlocked
 * worm waits for, so the first virtual channel is enough. */
static void find_knot(cni_wormhole *k, uint32_t worm, uint8_t *seen)
{
    while (!seen[worm]) {
        seen[worm] = 1;
        worm = holder_of(k, first_wanted(k, worm));
    }
    uint32_t first = worm;
    do {
        uint32_t virtual_channel = first_wanted(k, worm);
        k->knot[k->knot_count++] = virtual_channel >> k->shift;
        worm = holder_of(k, virtual_channel);
    } while (worm != first);
}

static cn_status report_deadlock(cni_wormhole *k, uint64_t dead)
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

/* The stuck worm whose first held virtual channel has the lowest number; of several messages in
 * a buffer the message that has waited longest. The order of the worms does not matter. */
static uint32_t first_stuck(const cni_wormhole *k, const uint8_t *goes_on)
{
    uint32_t first = CNI_WORM_NONE, lowest = CNI_WORM_NONE;
    for (uint32_t worm = 0; worm < k->worms.used; worm++) {
        const uint32_t *held;
        if (goes_on[worm] || k->way->held(k, worm, &held) == 0)
            continue;
        uint32_t own = held[0];
        if (own < lowest || (own == lowest && cni_worm_header_of(k, worm)->since <
                                                  cni_worm_header_of(k, first)->since)) {
            lowest = own;
            first = worm;
        }
    }
    return first;
}

cn_status cni_wormhole_check(void *state)
{
    cni_wormhole *k = state;
    if (k->worms.holders == 0)
        return CN_OK;
    uint8_t *goes_on = cni_allocate((uint64_t)k->nodes * k->span + k->worms.used, 1);
    if (goes_on == NULL)
        return CN_ERR_MEMORY;
    uint8_t *opens = goes_on + k->worms.used; /* by virtual channel: it becomes free */
    /* every crossing ends, so the buffer that its tail leaves gets a free place */
    for (uint32_t i = 0; k->whole.crossings > 0 && i < k->nodes * k->ports; i++)
        if (k->whole.crossing[i].worm != CNI_WORM_NONE &&
            k->whole.crossing[i].left < CNI_WORM_SOURCE)
            opens[k->whole.crossing[i].left] = 1;
    uint64_t stuck = k->worms.holders;
    for (uint64_t before = stuck + 1; stuck > 0 && stuck < before;) {
        before = stuck;
        for (uint32_t worm = 0; worm < k->worms.used; worm++) {
            if (goes_on[worm] || !cni_worm_holds(cni_worm_at(k, worm)) ||
                (cni_worm_waits(cni_worm_at(k, worm)) && !can_go_on(k, worm, opens)))
                continue;
            goes_on[worm] = 1;
            open_all_of(k, worm, opens);
            stuck -= 1;
        }
    }
    cn_status status = CN_OK;
    cni_release(k->knot); /* the result of an earlier check */
    k->knot = NULL;
    k->knot_count = 0;
    if (stuck > 0) {
        uint32_t first = first_stuck(k, goes_on);
        k->knot = cni_allocate(stuck, sizeof *k->knot);
        if (k->knot == NULL) {
            status = CN_ERR_MEMORY;
        } else {
            find_knot(k, first, goes_on);
            status = report_deadlock(k, stuck);
        }
    }
    cni_release(goes_on);
    return status;
}

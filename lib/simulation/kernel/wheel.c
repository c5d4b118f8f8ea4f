#include "simulation/kernel/wheel.h"

#include "base/bits.h"
#include "base/memory.h"

enum { DIGIT = 6 };

cn_status cni_wheel_open(cni_wheel *wheel, uint32_t count)
{
    wheel->next = cni_allocate(count, sizeof *wheel->next);
    return wheel->next == NULL ? CN_ERR_MEMORY : CN_OK;
}

static uint32_t digit_of(uint64_t time, uint32_t level)
{
    return (uint32_t)(time >> level * DIGIT) % CNI_WHEEL_SLOTS;
}

/* The highest digit in which it differs from the present time. */
static uint32_t level_of(const cni_wheel *wheel, uint64_t time)
{
    return (63 - cni_leading_zeros(time ^ wheel->now)) / DIGIT;
}

void cni_wheel_put(cni_wheel *wheel, uint32_t number, uint64_t time)
{
    uint32_t level = level_of(wheel, time);
    uint32_t slot = digit_of(time, level);
    int is_first = (wheel->filled[level] >> slot & 1) == 0;
    wheel->next[number] = is_first ? CNI_WHEEL_NONE : wheel->first[level][slot];
    wheel->first[level][slot] = number;
    wheel->filled[level] |= UINT64_C(1) << slot;
}

/* Empties the slot of the present time. */
static uint32_t take_slot(cni_wheel *wheel, uint32_t level)
{
    uint32_t slot = digit_of(wheel->now, level);
    uint64_t bit = UINT64_C(1) << slot;
    uint32_t first = (wheel->filled[level] & bit) != 0 ? wheel->first[level][slot] : CNI_WHEEL_NONE;
    wheel->filled[level] &= ~bit;
    return first;
}

uint32_t cni_wheel_take(cni_wheel *wheel, uint64_t time, cni_wheel_time_fn time_of,
                        const void *user)
{
    uint32_t level = level_of(wheel, time);
    wheel->now = time;
    for (uint32_t at = level == 0 ? CNI_WHEEL_NONE : take_slot(wheel, level), next;
         at != CNI_WHEEL_NONE; at = next) {
        next = wheel->next[at];
        cni_wheel_put(wheel, at, time_of(user, at));
    }
    return take_slot(wheel, 0); /* all slots of the levels between are empty */
}

uint64_t cni_wheel_next(const cni_wheel *wheel, cni_wheel_time_fn time_of, const void *user)
{
    uint64_t least = UINT64_MAX;
    uint32_t level = 0;
    while (level < CNI_WHEEL_LEVELS && wheel->filled[level] == 0)
        level++;
    if (level == CNI_WHEEL_LEVELS)
        return least;
    uint32_t slot = cni_lowest_bit(wheel->filled[level]);
    for (uint32_t at = wheel->first[level][slot]; at != CNI_WHEEL_NONE; at = wheel->next[at]) {
        uint64_t time = time_of(user, at);
        least = time < least ? time : least;
    }
    return least;
}

/* Timing wheels (Varghese & Lauck 1987): numbers sorted by their due times. */
#include "simulation/kernel/wheel.h"

#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

cn_status cni_wheel_open(cni_wheel *wheel, uint32_t count)
{
    memset(wheel, 0, sizeof *wheel);
    memset(wheel->first, 0xff, sizeof wheel->first);
    wheel->next = cni_allocate(count, sizeof *wheel->next);
    return wheel->next == NULL ? CN_ERR_MEMORY : CN_OK;
}

static uint32_t slot_of(uint64_t time, uint32_t level)
{
    return (uint32_t)(time >> level * CNI_WHEEL_DIGIT) % CNI_WHEEL_SLOTS;
}

/* The highest digit in which the time differs from the present time. */
static uint32_t level_of(const cni_wheel *wheel, uint64_t time)
{
    return (63 - cni_leading_zeros(time ^ wheel->now)) / CNI_WHEEL_DIGIT;
}

void cni_wheel_put(cni_wheel *wheel, uint32_t number, uint64_t time)
{
    uint32_t level = level_of(wheel, time), slot = slot_of(time, level);
    wheel->next[number] = wheel->first[level][slot];
    wheel->first[level][slot] = number;
    wheel->filled[level][slot / 64] |= UINT64_C(1) << slot % 64;
}

/* Empties the slot of the present time in a level, and returns its chain. */
static uint32_t take_slot(cni_wheel *wheel, uint32_t level)
{
    uint32_t slot = slot_of(wheel->now, level), first = wheel->first[level][slot];
    wheel->first[level][slot] = CNI_WHEEL_NONE;
    wheel->filled[level][slot / 64] &= ~(UINT64_C(1) << slot % 64);
    return first;
}

uint32_t cni_wheel_take_some(cni_wheel *wheel, uint64_t time, cni_wheel_time_fn time_of,
                             const void *user)
{
    uint32_t level = level_of(wheel, time);
    wheel->now = time;
    for (uint32_t at = level == 0 ? CNI_WHEEL_NONE : take_slot(wheel, level), next;
         at != CNI_WHEEL_NONE; at = next) {
        next = wheel->next[at];
        cni_wheel_put(wheel, at, time_of(user, at));
    }
    return take_slot(wheel, 0); /* in the levels between the two, the slots of `time` are empty */
}

/* The chain of the first slot that is not empty. */
static uint32_t first_chain(const cni_wheel *wheel)
{
    for (uint32_t level = 0; level < CNI_WHEEL_LEVELS; level++)
        for (uint32_t word = 0; word < CNI_WHEEL_WORDS; word++)
            if (wheel->filled[level][word] != 0)
                return wheel->first[level][64 * word + cni_lowest_bit(wheel->filled[level][word])];
    return CNI_WHEEL_NONE;
}

uint64_t cni_wheel_next(const cni_wheel *wheel, cni_wheel_time_fn time_of, const void *user)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t at = first_chain(wheel); at != CNI_WHEEL_NONE; at = wheel->next[at]) {
        uint64_t time = time_of(user, at);
        least = time < least ? time : least;
    }
    return least;
}

/*
 * Numbers sorted by due time (Varghese & Lauck 1987). A time is written with digits of 10 bits, and
 * each digit has a wheel of 1024 slots. A number lies in the wheel of the highest digit in which
 * its time differs from the present time, and moves to a lower wheel when the present time gets
 * there: at most once a digit. The user of the wheel keeps the times.
 */
#ifndef CNI_SIMULATION_KERNEL_WHEEL_H
#define CNI_SIMULATION_KERNEL_WHEEL_H

#include "cubenet/base.h"

#define CNI_WHEEL_NONE UINT32_MAX
enum {
    CNI_WHEEL_DIGIT = 10, /* bits of a digit */
    CNI_WHEEL_LEVELS = 7, /* seven digits cover times of 64 bits */
    CNI_WHEEL_SLOTS = 1 << CNI_WHEEL_DIGIT,
    CNI_WHEEL_WORDS = CNI_WHEEL_SLOTS / 64
};

typedef struct cni_wheel {
    uint64_t now;
    uint32_t *next;                                     /* by number: the next number in its slot */
    uint64_t filled[CNI_WHEEL_LEVELS][CNI_WHEEL_WORDS]; /* a bit for each slot that is not empty */
    uint32_t first[CNI_WHEEL_LEVELS][CNI_WHEEL_SLOTS];
} cni_wheel;

/* The time at which a number is due. */
typedef uint64_t (*cni_wheel_time_fn)(const void *user, uint32_t number);

/* Opens a wheel for numbers below `count`, at time 0. CN_ERR_MEMORY. Release `next` with
 * cni_release(). */
cn_status cni_wheel_open(cni_wheel *wheel, uint32_t count);

/* Puts a number that is not on the wheel; it is due after the present time. */
void cni_wheel_put(cni_wheel *wheel, uint32_t number, uint64_t time);

/* Advances to a later time, but not past the first time with numbers due, and takes the numbers
 * due at that time off the wheel. Returns their chain by `next`, in no order. */
uint32_t cni_wheel_take_some(cni_wheel *wheel, uint64_t time, cni_wheel_time_fn time_of,
                             const void *user);

/* The same; the usual case, an empty slot, is decided inline. */
static inline uint32_t cni_wheel_take(cni_wheel *wheel, uint64_t time, cni_wheel_time_fn time_of,
                                      const void *user)
{
    int is_near = (time ^ wheel->now) < CNI_WHEEL_SLOTS;
    if (!is_near || wheel->first[0][time % CNI_WHEEL_SLOTS] != CNI_WHEEL_NONE)
        return cni_wheel_take_some(wheel, time, time_of, user);
    wheel->now = time;
    return CNI_WHEEL_NONE;
}

/* The least time with numbers due; UINT64_MAX when the wheel is empty. Looks at the bits of all
 * slots, and at each number of the first slot with numbers. */
uint64_t cni_wheel_next(const cni_wheel *wheel, cni_wheel_time_fn time_of, const void *user);

#endif

/*
 * Numbers by the time at which each is due: a wheel of 1024 slots for each digit of the time to
 * that base (Varghese & Lauck 1987). A number lies in the wheel of the highest digit in which its
 * time differs from the present time, and comes down as the present gets there: at most once a
 * digit. The user of the wheel keeps the times.
 */
#ifndef CNI_SIMULATION_KERNEL_WHEEL_H
#define CNI_SIMULATION_KERNEL_WHEEL_H

#include "cubenet/base.h"

#define CNI_WHEEL_NONE UINT32_MAX
enum {
    CNI_WHEEL_DIGIT = 10, /* bits */
    CNI_WHEEL_LEVELS = 7, /* all times of 64 bits */
    CNI_WHEEL_SLOTS = 1 << CNI_WHEEL_DIGIT,
    CNI_WHEEL_WORDS = CNI_WHEEL_SLOTS / 64
};

typedef struct cni_wheel {
    uint64_t now;
    uint32_t *next;                                     /* by number: in its slot */
    uint64_t filled[CNI_WHEEL_LEVELS][CNI_WHEEL_WORDS]; /* a bit for each slot that is not empty */
    uint32_t first[CNI_WHEEL_LEVELS][CNI_WHEEL_SLOTS];
} cni_wheel;

/* When a number is due. */
typedef uint64_t (*cni_wheel_time_fn)(const void *user, uint32_t number);

/* For numbers below count, at time 0. CN_ERR_MEMORY. Release `next` with cni_release(). */
cn_status cni_wheel_open(cni_wheel *wheel, uint32_t count);

/* Puts a number that is not on the wheel, due after the present time. */
void cni_wheel_put(cni_wheel *wheel, uint32_t number, uint64_t time);

/* Advances to a later time, but not past the first time with numbers due, and takes those
 * numbers off: a chain by `next`, in no order. */
uint32_t cni_wheel_take_some(cni_wheel *wheel, uint64_t time, cni_wheel_time_fn time_of,
                             const void *user);

/* Most often there is nothing. */
static inline uint32_t cni_wheel_take(cni_wheel *wheel, uint64_t time, cni_wheel_time_fn time_of,
                                      const void *user)
{
    int is_near = (time ^ wheel->now) < CNI_WHEEL_SLOTS;
    if (!is_near || wheel->first[0][time % CNI_WHEEL_SLOTS] != CNI_WHEEL_NONE)
        return cni_wheel_take_some(wheel, time, time_of, user);
    wheel->now = time;
    return CNI_WHEEL_NONE;
}

/* The least time with numbers due; UINT64_MAX when the wheel is empty. O(1), and a look at each
 * number that moves down before the next one is taken. */
uint64_t cni_wheel_next(const cni_wheel *wheel, cni_wheel_time_fn time_of, const void *user);

#endif

/*
 * Numbers by the time at which each is due: a wheel of 64 slots for each digit of the time to the base 64
 * (Varghese & Lauck 1987). A number lies in the wheel of the highest digit in which its time differs from the
 * present time, and comes down as the present gets there: at most once a digit. Whoever uses it keeps the times.
 */
#ifndef CNI_SIMULATION_KERNEL_WHEEL_H
#define CNI_SIMULATION_KERNEL_WHEEL_H

#include "cubenet/base.h"

#define CNI_WHEEL_NONE UINT32_MAX
enum { CNI_WHEEL_LEVELS = 11, CNI_WHEEL_SLOTS = 64 }; /* all times of 64 bits */

/* Start from {0}, at time 0. */
typedef struct cni_wheel {
    uint64_t now;
    uint64_t filled[CNI_WHEEL_LEVELS]; /* slots that are not empty */
    uint32_t first[CNI_WHEEL_LEVELS][CNI_WHEEL_SLOTS];
    uint32_t *next; /* by number: in its slot */
} cni_wheel;

/* When a number is due. */
typedef uint64_t (*cni_wheel_time_fn)(const void *user, uint32_t number);

/* For numbers below count. CN_ERR_MEMORY. Free `next` with cni_release(). */
cn_status cni_wheel_open(cni_wheel *wheel, uint32_t count);

/* A number that is not on it, due after the present time. */
void cni_wheel_put(cni_wheel *wheel, uint32_t number, uint64_t time);

/* Goes to a later time, but not past one at which something is due, and takes off what is due then: a chain by
 * `next`, in no order. */
uint32_t cni_wheel_take(cni_wheel *wheel, uint64_t time, cni_wheel_time_fn time_of,
                        const void *user);

/* The least time at which something is due; UINT64_MAX when it is empty. O(1), and a look at each number that
 * comes down before the next is taken. */
uint64_t cni_wheel_next(const cni_wheel *wheel, cni_wheel_time_fn time_of, const void *user);

#endif

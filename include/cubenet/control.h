/**
 * @file control.h
 * How long a call may search, and whom it tells how far it is: one object of options for all calls that
 * may take long. Each of them takes a const cn_control as an argument, and NULL stands for the defaults.
 *
 *     cn_control_new(&control);
 *     cn_control_set_seconds(control, 10.0);
 *     cn_control_set_progress(control, show, NULL);
 *     cn_topology_bisection(network, control, side, capacity, &lower, &upper, &known);
 *     cn_control_free(&control);
 *
 * A limit that is reached is no error: the call gives what it has by then, and says how good that is.
 * The clock is read while a search is set up, too.
 *
 * A call only reads the object. Calls on several threads may share one when its callback, if it has
 * one, may be called by several threads at once.
 *
 * @since 0.1
 */
#ifndef CUBENET_CONTROL_H
#define CUBENET_CONTROL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Limits and a progress callback; opaque. */
typedef struct cn_control cn_control;

#define CN_SEARCH_DEFAULT UINT64_C(200000000) /**< steps of a search without a limit of its own */
#define CN_SEARCH_UNLIMITED UINT64_MAX        /**< no limit of steps */

/**
 * Called now and then, on the thread that made the call.
 *
 * @param done steps taken
 * @param total steps that may be taken at the most; 0 when there is no limit
 * @param lower a bound below what is searched for, so far; 0 at first
 * @param upper a bound above it; infinite at first
 * @return 0 to go on; any other number ends the call, which then gives what it has
 */
typedef int (*cn_progress_fn)(void *user, uint64_t done, uint64_t total, double lower,
                              double upper);

/**
 * A control that sets no limit and calls nobody: the defaults, as NULL in its place. O(1).
 * @return CN_ERR_ARGUMENT for NULL, CN_ERR_MEMORY
 */
CN_API cn_status cn_control_new(cn_control **control);

/** Frees the control and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_control_free(cn_control **control);

/**
 * Limits the steps of a search. What a step is differs from search to search; without a limit in seconds
 * the same number of steps gives the same answer on every machine.
 *
 * @param steps 0: the default of the search, CN_SEARCH_DEFAULT (some seconds) where its comment names no
 *        other. CN_SEARCH_UNLIMITED lets an exact search run to its end, however far that is; a local
 *        search, which has none, is still given up after minutes.
 * @return CN_ERR_ARGUMENT for NULL
 */
CN_API cn_status cn_control_set_steps(cn_control *control, uint64_t steps);

/**
 * Limits the time on the wall clock.
 * @param seconds at least 0, finite; 0: no such limit, as in a new control
 * @return CN_ERR_ARGUMENT
 */
CN_API cn_status cn_control_set_seconds(cn_control *control, double seconds);

/**
 * Sets the function that is told how far a call is, and may end it.
 * @param progress NULL: none, as in a new control
 * @param user handed to @p progress
 * @return CN_ERR_ARGUMENT for a control that is NULL
 */
CN_API cn_status cn_control_set_progress(cn_control *control, cn_progress_fn progress, void *user);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file control.h
 * Limits on the steps and time of a search, and a callback for its progress: one object of options
 * for all calls that may take long. Each of these calls takes a const cn_control; NULL stands for
 * the defaults.
 *
 *     cn_control_new(&control);
 *     cn_control_set_seconds(control, 10.0);
 *     cn_control_set_progress(control, show, NULL);
 *     cn_topology_bisection(network, control, side, capacity, &lower, &upper, &known);
 *     cn_control_free(&control);
 *
 * Reaching a limit is not an error: the call returns the best result so far and says how good it
 * is. The time limit includes the time that the search needs to set up.
 *
 * A call only reads the object. Calls on several threads may share one object if its callback,
 * where it has one, may run on several threads at once.
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

#define CN_SEARCH_DEFAULT UINT64_C(200000000) /**< step limit of a search for which none is set */
#define CN_SEARCH_UNLIMITED UINT64_MAX        /**< no limit on the steps */

/**
 * Called at intervals during a search, on the thread that made the call.
 *
 * @param done steps taken
 * @param total the greatest number of steps that may be taken; 0 when there is no limit
 * @param lower the lower bound found so far on the value that is searched for; 0 at first
 * @param upper the upper bound found so far; infinite at first
 * @return 0 to continue; any other number ends the search, and the call returns the best result so
 *         far
 */
typedef int (*cn_progress_fn)(void *user, uint64_t done, uint64_t total, double lower,
                              double upper);

/**
 * Makes a control without limits and without a callback: the defaults, as if NULL were passed.
 * O(1).
 * @return CN_ERR_ARGUMENT for NULL, CN_ERR_MEMORY
 */
CN_API cn_status cn_control_new(cn_control **control);

/** Frees the control and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_control_free(cn_control **control);

/**
 * Limits the steps of a search. Each search defines its own step. Without a limit in seconds the
 * same number of steps gives the same result on every machine.
 *
 * @param steps 0: the default of the search, which is CN_SEARCH_DEFAULT (some seconds) where its
 *        comment names no other. With CN_SEARCH_UNLIMITED an exact search runs until it has proved
 *        its result, however long that takes; a local search, which proves nothing, still stops
 *        after some minutes.
 * @return CN_ERR_ARGUMENT for NULL
 */
CN_API cn_status cn_control_set_steps(cn_control *control, uint64_t steps);

/**
 * Limits the wall-clock time of a search.
 * @param seconds at least 0, finite; 0: no time limit, as in a new control
 * @return CN_ERR_ARGUMENT
 */
CN_API cn_status cn_control_set_seconds(cn_control *control, double seconds);

/**
 * Sets the callback that receives the progress of a search and can end it.
 * @param progress NULL: no callback, as in a new control
 * @param user passed to @p progress
 * @return CN_ERR_ARGUMENT for a control that is NULL
 */
CN_API cn_status cn_control_set_progress(cn_control *control, cn_progress_fn progress, void *user);

#ifdef __cplusplus
}
#endif

#endif

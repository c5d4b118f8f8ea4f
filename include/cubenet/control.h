/**
 * @file control.h
 * Progress, limits and cancellation of calls that may take long. Each function of this kind takes a
 * const cn_control; NULL stands for the defaults.
 *
 *     cn_control_new(&control);
 *     cn_control_set_seconds(control, 10.0);
 *     cn_control_set_progress(control, show, NULL);
 *     cn_simulate(scenario, control, &result);
 *     cn_control_free(&control);
 *
 * A call checks its control about once per millisecond of work. A simulation checks it about every
 * 10 milliseconds, or after each clock cycle where a cycle takes longer.
 *
 * - *Cancelled.* The callback of a call can cancel it, and so can cn_control_cancel() from another
 *   thread or from a signal handler. The call then returns CN_ERR_CANCELLED. It still stores useful
 *   results found so far: the bounds, cut or schedule of a search; the best subnet; the result of a
 *   simulation or a study, with the stop reason CN_STOP_CANCELLED; the cycles that a cn_sim has
 *   stepped. The comment of each such function says so. All other outputs are as after any other
 *   error.
 * - *A limit was reached.* A limit is no error when there is a result. A search returns CN_OK and
 *   the best result so far, with its bounds. A simulation or a study returns CN_OK and a result
 *   with the stop reason CN_STOP_TIME_LIMIT. A call without any result before its end (a model, a
 *   routing table, an exact distance, a simulation in its warm-up) returns CN_ERR_CANCELLED, and
 *   cn_last_error() names the time limit.
 *
 * Objects that a cancelled call has read or changed can be used as before. The time limit includes
 * the time that a call needs to set up, and is measured on a clock that only goes forward.
 *
 * A call only reads the object. Calls on several threads may share one object if its callback,
 * where it has one, may run on several threads at once; cn_control_cancel() then cancels all of
 * them.
 *
 * @since 1.0
 */
#ifndef CUBENET_CONTROL_H
#define CUBENET_CONTROL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Limits, a progress callback and a request to cancel; opaque. */
typedef struct cn_control cn_control;

#define CN_SEARCH_DEFAULT UINT64_C(200000000) /**< step limit of a search for which none is set */
#define CN_SEARCH_UNLIMITED UINT64_MAX        /**< no limit on the steps */

/**
 * Receives the progress of a call. The library calls this function at intervals, on the thread that
 * made the call. The function may call the library, but must not change an object that the call
 * uses.
 *
 * @param user the @p user of cn_control_set_progress()
 * @param done the work done so far: steps of a search, clock cycles of a simulation (of all
 *        replications together), fault patterns of a study; otherwise parts of the work
 * @param total the whole work, in the unit of @p done; 0 when it is not known
 * @param lower a lower bound of the value that a search looks for; in a simulation of one run the
 *        lower 95 % confidence limit of the mean delay. 0 as long as there is none.
 * @param upper the upper bound or confidence limit; infinite as long as there is none
 * @return 0 to continue; any other number cancels the call
 */
typedef int (*cn_progress_fn)(void *user, uint64_t done, uint64_t total, double lower,
                              double upper);

/**
 * Makes a control without limits and without a callback. Such a control has the same effect as
 * NULL. O(1).
 * @return CN_ERR_ARGUMENT for NULL, CN_ERR_MEMORY
 */
CN_API cn_status cn_control_new(cn_control **control);

/** Frees the control and sets the handle to NULL. Does nothing for NULL or a handle that is
 * NULL. */
CN_API void cn_control_free(cn_control **control);

/**
 * Limits the steps of a search. Each search defines its own step. Without a limit in seconds the
 * same number of steps gives the same result on every machine. Only searches use this limit.
 *
 * @param steps the limit. 0: the default of the search, which is CN_SEARCH_DEFAULT (some seconds)
 *        unless the comment of the search names another number. With CN_SEARCH_UNLIMITED an exact
 *        search runs until it has proved its result, however long the proof takes. A local search
 *        proves nothing and still stops after some minutes.
 * @return CN_ERR_ARGUMENT for NULL
 */
CN_API cn_status cn_control_set_steps(cn_control *control, uint64_t steps);

/**
 * Limits the wall-clock time of a call.
 * @param seconds at least 0, finite; 0: no time limit, as in a new control
 * @return CN_ERR_ARGUMENT
 */
CN_API cn_status cn_control_set_seconds(cn_control *control, double seconds);

/**
 * Sets the callback that receives the progress of a call and can cancel it.
 * @param progress NULL: no callback, as in a new control
 * @param user passed to @p progress
 * @return CN_ERR_ARGUMENT for a control that is NULL
 */
CN_API cn_status cn_control_set_progress(cn_control *control, cn_progress_fn progress, void *user);

/**
 * Sets the least time between two calls of the callback, for callbacks that are slow.
 * @param seconds at least 0, finite; 0: no least time, as in a new control
 * @return CN_ERR_ARGUMENT
 */
CN_API cn_status cn_control_set_interval(cn_control *control, double seconds);

/**
 * Cancels all present and later calls that use the control, until cn_control_resume(). Any thread
 * and any signal handler may call this function while the control exists.
 * @return CN_ERR_ARGUMENT for NULL
 */
CN_API cn_status cn_control_cancel(cn_control *control);

/**
 * Reverses cn_control_cancel(): later calls may use the control again.
 * @return CN_ERR_ARGUMENT for NULL
 */
CN_API cn_status cn_control_resume(cn_control *control);

#ifdef __cplusplus
}
#endif

#endif

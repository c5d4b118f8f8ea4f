/**
 * @file result.h
 * Results: the values of the metrics of one prediction or simulation, and the reason why the run
 * ended.
 *
 * @since 1.0
 */
#ifndef CUBENET_RESULT_H
#define CUBENET_RESULT_H

#include "control.h"
#include "metric.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The metrics of a prediction or simulation; opaque and immutable. */
typedef struct cn_result cn_result;

/** The reason why a run ended. The numbers never change. */
typedef enum cn_stop {
    CN_STOP_MODEL = 0,     /**< "model": the result is a prediction of an analytic model */
    CN_STOP_PRECISION = 1, /**< "precision": `relative_precision` was met */
    /** "cycles": `measure_cycles` cycles were measured, or the caller stopped stepping */
    CN_STOP_CYCLES = 2,
    CN_STOP_SATURATED = 3, /**< "saturated": the queues grow without limit */
    CN_STOP_DEADLOCK = 4,  /**< "deadlock": some messages can never move again */
    /** "completed": all operations, or all messages of a workload, are complete */
    CN_STOP_COMPLETED = 5,
    CN_STOP_TIME_LIMIT = 6, /**< "time-limit": the time limit of the cn_control was reached */
    CN_STOP_CANCELLED = 7   /**< "cancelled": the caller cancelled the run (control.h) */
} cn_stop;

/** Frees the result and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_result_free(cn_result **result);

/** Returns 1 when the result holds @p metric, otherwise 0. */
CN_API int cn_result_has(const cn_result *result, cn_metric metric);

/**
 * Returns the value of a metric in its unit (cn_metric_unit()).
 * @return CN_ERR_NOT_FOUND (the result does not hold the metric; also the mean delay of a run in
 *         which nothing was delivered, or with CN_STOP_SATURATED); cn_last_error() gives the
 *         reason, and the rates of a saturated run
 */
CN_API cn_status cn_result_value(const cn_result *result, cn_metric metric, double *value);

/**
 * Returns the 95 % half-width of a value: with this confidence the true value of the simulated
 * system lies in value +- half_width. The half-width is 0 for a model and for exact counts, and
 * infinite when too little was measured for an estimate. Errors as for cn_result_value().
 */
CN_API cn_status cn_result_half_width(const cn_result *result, cn_metric metric,
                                      double *half_width);

/**
 * Returns the number of observations behind a value (messages, cycles); 0 for a model. Errors as
 * for cn_result_value().
 */
CN_API cn_status cn_result_samples(const cn_result *result, cn_metric metric, uint64_t *samples);

/** Returns the reason why the run ended; CN_STOP_MODEL for NULL. */
CN_API cn_stop cn_result_stop(const cn_result *result);

/**
 * Returns a fixed sentence that explains @p stop. Never NULL, even for a number that is no cn_stop.
 */
CN_API const char *cn_stop_text(cn_stop stop);

/**
 * Returns 1 when the network is saturated: the offered messages need more hops than the channels
 * can provide, or the queues grow without limit. Otherwise returns 0, also for NULL. In a saturated
 * network that refuses messages the delay covers the accepted messages only.
 */
CN_API int cn_result_is_saturated(const cn_result *result);

/**
 * Returns 0 when the run was too short for its network: it has fewer than about five independent
 * observations of the queues, or the queues were still filling. The half-widths of all metrics that
 * depend on the length of the queues are then infinite, and the values may be far from the steady
 * state. Returns 1 otherwise, also for a model, for a run with CN_STOP_COMPLETED, and for a
 * saturated network without a steady state. 0 for NULL.
 */
CN_API int cn_result_is_settled(const cn_result *result);

/** Returns the seed of the run; for a model the seed of its scenario. 0 for NULL. */
CN_API uint64_t cn_result_seed(const cn_result *result);

/** Returns the canonical name of the system; "study" for a study without a scenario; "" for
 * NULL. */
CN_API const char *cn_result_system(const cn_result *result);

/**
 * Returns the name of the model that made a prediction: "system/variant/revision", as in
 * "deflection/own/2". The variant is a value of `model_variant`, also where a system has one model
 * and does not take the parameter. The numbers of a model change only with its revision;
 * docs/quality.md lists the models. The result of a study that predicts has the model of its
 * scenario. "" for a simulation, for a study without a scenario, for a result read from a text
 * without "model", and for NULL.
 */
CN_API const char *cn_result_model(const cn_result *result);

/** Returns the version of the library that made the result (cn_version_text()); "" for NULL. */
CN_API const char *cn_result_library(const cn_result *result);

/* cn_result_scenario(), which returns the scenario of a result, is in scenario.h. */

/**
 * Writes the whole result as JSON, with its scenario and the version of the library, so that the
 * text says how to make the result again. An infinite half-width is the string "Infinity".
 * Otherwise as cn_topology_json().
 */
CN_API cn_status cn_result_json(const cn_result *result, char text[], size_t capacity,
                                size_t *length);

/**
 * Makes the result that cn_result_json() wrote. Every function gives the same answer for both
 * results; a metric that was absent is absent for the same reason.
 * @return errors as for cn_scenario_from_json()
 */
CN_API cn_status cn_result_from_json(const char *text, const cn_control *control,
                                     cn_result **result);

#ifdef __cplusplus
}
#endif

#endif

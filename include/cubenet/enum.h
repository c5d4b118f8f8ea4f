/**
 * @file enum.h
 * The canonical names of the values of enums.
 *
 *     cn_enum_name(CN_ENUM_STOP, cn_result_stop(result));            "precision"
 *     cn_enum_from_name(CN_ENUM_TIE_RULE, "lowest", &number);        CN_TIE_LOWEST
 *
 * cn_param_choice_name() (parameter.h) returns the names of the values of a parameter that selects
 * one of several alternatives, such as CN_PARAM_TREE. cn_param_name() and cn_metric_name()
 * (metric.h) return the names of parameters and metrics. The values of cn_change (fault.h) have no
 * names. This header does not cover experimental enums.
 *
 * @since 1.0
 */
#ifndef CUBENET_ENUM_H
#define CUBENET_ENUM_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The enums whose values have names. The numbers never change; new ones may be added. */
typedef enum cn_enum {
    CN_ENUM_STATUS = 1,        /**< cn_status (base.h): "ok", "argument", "not-found", ... */
    CN_ENUM_FORMAT = 2,        /**< cn_format (interchange.h): "edges", "metis", "dot", ... */
    CN_ENUM_MEASURE = 3,       /**< cn_measure (measure.h): "diameter", "bisection_width", ... */
    CN_ENUM_KNOWN = 4,         /**< cn_known (measure.h): "closed-form", "exact", "bounds" */
    CN_ENUM_NODE_STATE = 5,    /**< cn_node_state (subnet.h): "surviving", "faulty", "disabled" */
    CN_ENUM_LINK_RULE = 6,     /**< cn_link_rule (subnet.h): "is_bad", "disables_end" */
    CN_ENUM_TIE_RULE = 7,      /**< cn_tie_rule (hierarchy.h): "header", "any", "lowest" */
    CN_ENUM_VERDICT = 8,       /**< cn_verdict (deadlock.h): "acyclic", "escape", "cyclic", ... */
    CN_ENUM_PATTERN = 9,       /**< cn_pattern (traffic.h): "uniform", "transpose", ... */
    CN_ENUM_SOURCE = 10,       /**< cn_source (traffic.h): "geometric", "poisson", ... */
    CN_ENUM_STOP = 11,         /**< cn_stop (result.h): "precision", "cycles", "saturated", ... */
    CN_ENUM_NODE_COUNT = 12,   /**< cn_node_count (statistics.h): "offered", "accepted", ... */
    CN_ENUM_DISTRIBUTION = 13, /**< cn_distribution (statistics.h): "delay", "hops", ... */
    CN_ENUM_ATTACHMENT = 14    /**< cn_attachment (system.h): "faults", "traffic", ... */
} cn_enum;

/**
 * Returns the canonical name of a value; NULL when @p which is no enum or @p value is no value of
 * this enum.
 */
CN_API const char *cn_enum_name(cn_enum which, int value);

/**
 * Finds the value with this canonical name.
 * @return CN_ERR_NOT_FOUND (the error sentence lists the names), CN_ERR_ARGUMENT (NULL, or no such
 *         enum)
 */
CN_API cn_status cn_enum_from_name(cn_enum which, const char *name, int *value);

/**
 * Returns the least and the greatest value that has a name. A loop from the least to the greatest
 * value, both included, finds every value; cn_enum_name() returns NULL for numbers in between that
 * are no value.
 * @return CN_ERR_ARGUMENT (NULL, or no such enum)
 */
CN_API cn_status cn_enum_range(cn_enum which, int *least, int *greatest);

#ifdef __cplusplus
}
#endif

#endif

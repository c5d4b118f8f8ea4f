/**
 * @file system.h
 * The systems: kinds of node and switching, and what each of them takes.
 *
 * A scenario is an experiment with one of these systems (scenario.h). A system has an analytic
 * model, a simulator or both. It takes some of the parameters, and some kinds of attachment.
 *
 * @since 0.1
 */
#ifndef CUBENET_SYSTEM_H
#define CUBENET_SYSTEM_H

#include "parameter.h"
#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the number of systems. */
CN_API size_t cn_system_count(void);

/**
 * Returns the canonical name of system @p index, 0 .. count-1, as in "deflection"; NULL beyond
 * that.
 */
CN_API const char *cn_system_name(size_t index);

/** Returns a one-line description of system @p index; NULL when there is no such system. */
CN_API const char *cn_system_summary(size_t index);

/**
 * Finds the index of the system with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for
 * NULL.
 */
CN_API cn_status cn_system_from_name(const char *name, size_t *index);

/**
 * Checks whether system @p index has an analytic model for the given topology.
 *
 * @param topology NULL: for any topology
 * @return CN_OK when it has; CN_ERR_UNSUPPORTED when not, and cn_last_error() says why;
 *         CN_ERR_ARGUMENT (no such system, invalid topology). O(1). After CN_OK cn_predict() may
 *         still refuse values of parameters, and networks that are too large for these values.
 */
CN_API cn_status cn_system_check_model(size_t index, const cn_topology *topology);

/**
 * Checks whether system @p index has a simulator for the given topology: cn_simulate() and
 * cn_sim_open().
 * @return Errors as for cn_system_check_model().
 */
CN_API cn_status cn_system_check_simulator(size_t index, const cn_topology *topology);

/**
 * Returns 1 when system @p index takes @p param; 0 when it does not, or when one of the two does
 * not exist. O(1).
 */
CN_API int cn_system_takes(size_t index, cn_param param);

/**
 * The objects that may be attached to a scenario in addition to its parameters. The numbers never
 * change.
 */
typedef enum cn_attachment {
    CN_ATTACHMENT_FAULTS = 1,     /**< "faults": cn_scenario_set_faults() */
    CN_ATTACHMENT_SUBNET = 2,     /**< "subnet": cn_scenario_set_subnet() */
    CN_ATTACHMENT_TRAFFIC = 3,    /**< "traffic": cn_scenario_set_traffic() */
    CN_ATTACHMENT_OPERATIONS = 4, /**< "operations": cn_scenario_set_operations() */
    CN_ATTACHMENT_ROUTING = 5,    /**< "routing": cn_scenario_set_routing(), and its name alone:
                                   cn_scenario_set_routing_name() */
    CN_ATTACHMENT_WORKLOAD =
        6 /**< "workload": cn_scenario_set_workload() (experimental/workload.h) */
} cn_attachment;

/**
 * Returns 1 when system @p index takes this kind of attachment; 0 when it does not, or when one of
 * the two does not exist. O(1).
 */
CN_API int cn_system_takes_attachment(size_t index, cn_attachment attachment);

#ifdef __cplusplus
}
#endif

#endif

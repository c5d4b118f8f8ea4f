/**
 * @file system.h
 * The systems: kinds of node and flow control, and the parameters and attachments that each system
 * takes.
 *
 * A scenario is an experiment with one of these systems (scenario.h). A system has an analytic
 * model, a simulator or both. Each system takes some of the parameters and some kinds of
 * attachment.
 *
 * @since 1.0
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
 * Returns the canonical name of system @p index, such as "deflection"; NULL from cn_system_count()
 * on.
 */
CN_API const char *cn_system_name(size_t index);

/** Returns a one-line description of system @p index; NULL when there is no such system. */
CN_API const char *cn_system_summary(size_t index);

/**
 * Finds the index of the system with this canonical name.
 * @return CN_ERR_NOT_FOUND (no such system), CN_ERR_ARGUMENT (NULL)
 */
CN_API cn_status cn_system_from_name(const char *name, size_t *index);

/**
 * Checks whether system @p index has an analytic model for the given topology.
 *
 * @param topology the network; NULL: any topology
 * @return CN_OK (there is a model), CN_ERR_UNSUPPORTED (there is no model; cn_last_error() says
 *         why), CN_ERR_ARGUMENT (no such system, invalid topology). O(1). After CN_OK cn_predict()
 *         may still refuse values of parameters, and networks that are too large for these values.
 */
CN_API cn_status cn_system_check_model(size_t index, const cn_topology *topology);

/**
 * Checks whether system @p index has a simulator, for cn_simulate() and cn_sim_open(), for the
 * given topology.
 * @return errors as for cn_system_check_model()
 */
CN_API cn_status cn_system_check_simulator(size_t index, const cn_topology *topology);

/**
 * Returns 1 when system @p index takes @p param; otherwise 0, also when the system or the parameter
 * does not exist. O(1).
 */
CN_API int cn_system_takes(size_t index, cn_param param);

/**
 * Attachments: the kinds of object that a scenario may have in addition to its parameters. The
 * numbers never change.
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
 * Returns 1 when system @p index takes this kind of attachment; otherwise 0, also when the system
 * or the kind does not exist. O(1).
 */
CN_API int cn_system_takes_attachment(size_t index, cn_attachment attachment);

#ifdef __cplusplus
}
#endif

#endif

/* The systems: a new one is a line of this list, and a row cni_NAME_system. */
#ifndef CNI_SYSTEMS_SYSTEMS_H
#define CNI_SYSTEMS_SYSTEMS_H

#include "scenario/system.h"

/* All of them, as cn_system_name() numbers them. */
#define CNI_SYSTEMS(X)  \
    X(separate_buffers) \
    X(shared_buffer)    \
    X(optimistic_bound) \
    X(deflection)       \
    X(degraded_bound)   \
    X(flow_deviation)   \
    X(wormhole)         \
    X(collective)       \
    X(cut_through)      \
    X(cut_through_deflection)

#define CNI_SYSTEM_ROW(name) extern const cni_system cni_##name##_system;
CNI_SYSTEMS(CNI_SYSTEM_ROW)

/* Of the systems with stored messages or virtual channels: what may be attached, and the check of
 * their networks, CN_ERR_UNSUPPORTED with more than CNI_MOST_PORTS ports a node. */
#define CNI_WITH_ROUTES                                                  \
    (CNI_WITH(CN_ATTACHMENT_TRAFFIC) | CNI_WITH(CN_ATTACHMENT_ROUTING) | \
     CNI_WITH(CN_ATTACHMENT_FAULTS) | CNI_WITH(CN_ATTACHMENT_WORKLOAD))
cn_status cni_accept_ports(const cn_topology *topology);

/* Of the systems of stored messages: the routing of a scenario that names none (`preferred` on
 * whole Boolean and k-ary n-cubes, `optimal-path` in a subnet, else `minimal`). */
const char *cni_stored_routing(const cn_scenario *scenario);

/* Two buffers a channel: near-optimal for a wide range of loads (Horng 1992, 3.4). */
void cni_set_two_buffers(cn_scenario *scenario);

/* Of the systems that refuse messages: what the model delivers at the greatest load that the
 * parameter takes. */
cn_status cni_limit_of_model(const cn_scenario *scenario, double *load);

/* Of the two systems with virtual channels: the parameters that both take, the routing of a
 * scenario that names none (Duato's rule where it exists and nothing is damaged), the defaults (as
 * many virtual channels as that routing needs), and the ranges of the parameters. */
#define CNI_TAKES_FLITS                                                                         \
    CN_PARAM_LOAD, CN_PARAM_VIRTUAL_CHANNELS, CN_PARAM_MESSAGE_FLITS, CN_PARAM_SELECTION,       \
        CN_PARAM_BROADCAST_FRACTION, CN_PARAM_BROADCAST_BASE, CN_PARAM_STARTUP_LATENCY,         \
        CN_PARAM_UNSAFE, CN_PARAM_INJECTION_SERVERS, CN_PARAM_ONE_PORT, CN_PARAM_MODEL_VARIANT, \
        CNI_TAKES_RUN
const char *cni_flit_routing(const cn_scenario *scenario);
void cni_set_flit_defaults(cn_scenario *scenario);
void cni_narrow_flits(const cn_scenario *scenario, cn_param param, double *least, double *greatest);

#endif

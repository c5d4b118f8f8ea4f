/* The kernel of the system "wormhole". */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_KERNEL_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_KERNEL_H

#include "simulation/kernel/kernel.h"

extern const cni_kernel cni_wormhole_kernel;

/* The greatest number of hops of a shortest path in a network that the kernel covers. */
enum { CNI_WORMHOLE_DIAMETER = 63 };

/* The rule that the scenario asks for. CN_ERR_UNSUPPORTED for a routing that the kernel has not. */
cn_status cni_wormhole_rule_of(const cn_scenario *scenario, cn_wormhole_rule *rule);

/* CN_ERR_UNSUPPORTED or CN_ERR_ARGUMENT for parameters that do not go together, simulated or not. */
cn_status cni_wormhole_check_scenario(const cn_scenario *scenario);

#endif

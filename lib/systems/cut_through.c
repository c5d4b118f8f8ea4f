/* Virtual cut-through (Kermani & Kleinrock 1979). */
#include "systems/systems.h"

#include "simulation/run/replicate.h"
#include "simulation/wormhole/wormhole_kernel.h"

const cni_system cni_cut_through_system = {
    .name = "cut-through",
    .summary =
        "virtual cut-through: messages go on at once, or wait as a whole in finite buffers of "
        "virtual channels, by any routing",
    .params = CNI_TAKES(CN_PARAM_LOAD, CN_PARAM_VIRTUAL_CHANNELS, CN_PARAM_MESSAGE_FLITS,
                        CN_PARAM_MESSAGE_BUFFERS, CN_PARAM_SELECTION, CN_PARAM_BROADCAST_FRACTION,
                        CN_PARAM_STARTUP_LATENCY, CN_PARAM_UNSAFE, CN_PARAM_INJECTION_SERVERS,
                        CN_PARAM_ONE_PORT, CNI_TAKES_RUN),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC) | CNI_WITH(CN_ATTACHMENT_ROUTING) |
            CNI_WITH(CN_ATTACHMENT_FAULTS),
    .source = CN_SOURCE_POISSON,
    .routing = cni_flit_routing,
    .accepts = cni_accept_flits,
    .set_defaults = cni_set_flit_defaults,
    .narrow = cni_narrow_flits,
    .check = cni_wormhole_check_scenario,
    .simulate = cni_replicate,
    .kernel = &cni_cut_through_kernel,
};

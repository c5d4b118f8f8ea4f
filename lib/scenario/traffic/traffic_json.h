/* Traffic in JSON: its pattern, its source and, under "with", what the pattern was given. */
#ifndef CNI_SCENARIO_TRAFFIC_TRAFFIC_JSON_H
#define CNI_SCENARIO_TRAFFIC_TRAFFIC_JSON_H

#include "base/json.h"
#include "scenario/traffic/traffic.h"

/* The member "traffic" of what stands on a topology. Start from NULL to read; NULL stays after a failure. */
void cni_io_traffic(cni_io *io, const cn_topology *topology, cn_traffic **traffic);

#endif

/* Traffic as a value in JSON, of a topology that stands elsewhere. */
#ifndef CNI_SCENARIO_TRAFFIC_TRAFFIC_JSON_H
#define CNI_SCENARIO_TRAFFIC_TRAFFIC_JSON_H

#include "base/json.h"
#include "scenario/traffic/traffic.h"

/* An object "traffic". */
void cni_traffic_put(cni_json_writer *w, const cn_traffic *traffic);
cn_status cni_traffic_of_json(const cni_json *json, cni_json_value value,
                              const cn_topology *topology, cn_traffic **traffic);

#endif

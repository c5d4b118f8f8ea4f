/* The fixed patterns: one destination a node, computed from its address. */
#ifndef CNI_SCENARIO_TRAFFIC_PATTERN_H
#define CNI_SCENARIO_TRAFFIC_PATTERN_H

#include "cubenet/traffic.h"

/* CN_ERR_UNSUPPORTED unless the pattern is one of these, or uniform, and defined on the network. */
cn_status cni_pattern_check(const char *function, const cn_topology *topology, cn_pattern pattern);

/* Of a pattern that was checked and is not uniform. May be the node itself. */
uint64_t cni_pattern_destination(const cn_topology *topology, cn_pattern pattern, uint64_t source);

/* How many nodes it maps to themselves: none for patterns that are not fixed. */
uint64_t cni_pattern_fixed_points(const cn_topology *topology, cn_pattern pattern);

#endif

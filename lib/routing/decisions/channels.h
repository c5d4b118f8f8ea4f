/* Sets of channels as words, bit p for port p; the functions do not check their arguments. */
#ifndef CNI_ROUTING_DECISIONS_CHANNELS_H
#define CNI_ROUTING_DECISIONS_CHANNELS_H

#include "base/bits.h"
#include "cubenet/decision.h"

/* CN_ERR_UNSUPPORTED unless the topology is a Boolean or k-ary n-cube with at most 64 ports. */
cn_status cni_check_routable(const char *function, const cn_topology *topology);

uint64_t cni_valid_channels(const cn_topology *topology, uint64_t header);
/* Of k-ary n-cubes and generalized hypercubes: the channels of a node that come closer. */
uint64_t cni_digit_channels(const cn_topology *topology, uint64_t node, uint64_t target);
uint64_t cni_preferred_channels(const cn_topology *topology, uint64_t header);
uint64_t cni_move_header(const cn_topology *topology, uint64_t header, uint32_t port);

#endif

/* Sets of channels as words, bit p for port p. The functions other than cni_check_routable() do not
 * check their arguments. */
#ifndef CNI_ROUTING_DECISIONS_CHANNELS_H
#define CNI_ROUTING_DECISIONS_CHANNELS_H

#include "base/bits.h"
#include "cubenet/decision.h"

/* CN_ERR_UNSUPPORTED unless the topology is a Boolean or k-ary n-cube with at most 64 ports. */
cn_status cni_check_routable(const char *function, const cn_topology *topology);

/* The channels that bring a message with this header closer. */
uint64_t cni_valid_channels(const cn_topology *topology, uint64_t header);

/* The same for a node and its target, also in generalized hypercubes. */
uint64_t cni_digit_channels(const cn_topology *topology, uint64_t node, uint64_t target);

/* The valid channels in the dimensions with the most hops left. */
uint64_t cni_preferred_channels(const cn_topology *topology, uint64_t header);

/* The header of a message after a hop over the port. */
uint64_t cni_move_header(const cn_topology *topology, uint64_t header, uint32_t port);

#endif

/* Four rules for worms, asked through the public functions: two routings, and what is left of each
 * without its protection from deadlock, which no routing offers. */
#ifndef SUPPORT_WORMHOLE_RULES_H
#define SUPPORT_WORMHOLE_RULES_H

#include "cubenet.h"

typedef enum wormhole_rule {
    WORMHOLE_ORDER = 0, /* dimension-order */
    WORMHOLE_DUATO = 1,
    WORMHOLE_ORDER_UNSAFE = 2, /* any virtual channel of the port that dimension order takes */
    WORMHOLE_DUATO_UNSAFE = 3  /* any virtual channel of any port that comes closer */
} wormhole_rule;

/* The least number of virtual channels. CN_ERR_UNSUPPORTED for a topology of another kind. */
cn_status wormhole_least(const cn_topology *topology, wormhole_rule rule,
                         uint32_t *virtual_channels);

/* The escapes as a set of virtual channels of every channel. */
cn_status wormhole_escape(const cn_topology *topology, wormhole_rule rule,
                          uint32_t virtual_channels, uint64_t *escape);

/* As cn_routing_virtual_channels() at the source, but no channel at the destination itself. */
cn_status wormhole_route(const cn_topology *topology, wormhole_rule rule, uint32_t virtual_channels,
                         uint64_t node, uint64_t destination, uint64_t channels[], size_t capacity,
                         size_t *count);

/* By cn_deadlock_check(), which asks wormhole_route(). */
cn_status wormhole_check(const cn_topology *topology, wormhole_rule rule, uint32_t virtual_channels,
                         const cn_control *control, cn_deadlock **check);

#endif

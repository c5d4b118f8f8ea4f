/* The state of a routing that is a caller's rule. */
#ifndef CNI_ROUTING_RULES_OWN_H
#define CNI_ROUTING_RULES_OWN_H

#include "routing/rules/routing.h"

typedef struct cni_own_rule {
    uint32_t virtual_channels;
    size_t *first;          /* nodes + 1: where the channels of a node begin */
    unsigned char *arrival; /* class by channel and virtual channel */
} cni_own_rule;

/* cn_routing_own() in the name of the calling function, within its budget. */
cn_status cni_own_build(const char *function, const cn_topology *topology,
                        uint32_t virtual_channels, cn_vc_rule rule, cn_vc_rule escape, void *user,
                        cni_budget *budget, cn_routing **routing);

/* nodes + 1 numbers: where the channels of each node begin; NULL without memory. */
size_t *cni_first_channels(const cn_topology *topology);

void cni_own_visit(cni_io *io, void *form); /* in JSON */

#endif

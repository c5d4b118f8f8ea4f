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

void cni_own_put(cni_json_writer *w, const cn_routing *routing);
cn_status cni_own_read(const cni_json *json, cni_json_value with, const cn_topology *topology,
                       const cn_faults *faults, cn_routing **routing);

#endif

/* Asking a caller's rule for virtual channels, and checking what it answers. */
#ifndef CNI_ROUTING_RULES_VC_RULE_H
#define CNI_ROUTING_RULES_VC_RULE_H

#include "cubenet/deadlock.h"

#include "topology/topology.h"

/* A rule, and which of its channels are escapes: those that `escape` gives or, where it is NULL,
 * those of the set. */
typedef struct cni_vc_rules {
    const char *function; /* for error texts */
    const cn_topology *topology;
    uint32_t virtual_channels;
    cn_vc_rule rule, escape;
    uint64_t escape_set;
    void *user;
    uint32_t ports; /* words that the answers have: the greatest degree or more */
} cni_vc_rules;

/* Where a message has come from; port is CN_NO_PORT at its source. */
typedef struct cni_origin {
    uint64_t previous;
    uint32_t port, virtual_channel;
} cni_origin;

/* Fills a word for each port: all that may be taken, and the escapes among it. The status of the
 * rule; CN_ERR_ARGUMENT for channels that there are not, or escapes that the rule does not give. */
cn_status cni_ask_rules(const cni_vc_rules *rules, uint64_t node, uint64_t destination,
                        const cni_origin *from, uint64_t sets[], uint64_t escapes[]);

#endif

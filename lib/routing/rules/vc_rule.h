/* Asking a caller's rule for virtual channels, and checking what it answers. */
#ifndef CNI_ROUTING_RULES_VC_RULE_H
#define CNI_ROUTING_RULES_VC_RULE_H

#include "cubenet/deadlock.h"

#include "topology/topology.h"

/* A routing function of the caller, and its escapes: the answers of `escape` or, where `escape`
 * is NULL, the channels of the set. */
typedef struct cni_vc_rules {
    const char *function; /* for error texts */
    const cn_topology *topology;
    uint32_t virtual_channels;
    cn_vc_rule rule, escape;
    uint64_t escape_set;
    void *user;
    uint32_t ports; /* words of an answer: the greatest degree or more */
} cni_vc_rules;

/* The origin of a message; port is CN_NO_PORT at the source. */
typedef struct cni_origin {
    uint64_t previous;
    uint32_t port, virtual_channel;
} cni_origin;

/* Fills a word for each port: all allowed virtual channels, and the escapes among them. Returns
 * the status of the caller's function; CN_ERR_ARGUMENT for channels that do not exist, or
 * escapes that the rule does not allow. */
cn_status cni_ask_rules(const cni_vc_rules *rules, uint64_t node, uint64_t destination,
                        const cni_origin *from, uint64_t sets[], uint64_t escapes[]);

#endif

/* Calls to a routing function of the caller, and checks of what the function answers. */
#include "routing/rules/vc_rule.h"

#include "base/error.h"

/* Asks one function, which is called `what` in error texts. */
static cn_status ask(const cni_vc_rules *r, cn_vc_rule rule, const char *what, uint64_t node,
                     uint64_t destination, const cni_origin *from, uint64_t sets[])
{
    uint32_t degree = r->topology->ops->degree(r->topology, node);
    uint64_t there_are = UINT64_MAX >> (CN_MAX_VIRTUAL_CHANNELS - r->virtual_channels);
    for (uint32_t p = 0; p < r->ports; p++)
        sets[p] = 0;
    cn_status status =
        rule(r->user, node, destination, from->previous, from->port, from->virtual_channel, sets);
    if (status != CN_OK)
        return cni_fail(status > CN_OK ? CN_ERR_ARGUMENT : status,
                        "%s: %s returned %d at node %llu for destination %llu", r->function, what,
                        (int)status, (unsigned long long)node, (unsigned long long)destination);
    for (uint32_t p = 0; p < r->ports; p++)
        if ((sets[p] & ~(p < degree ? there_are : 0)) != 0)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: %s gave, at node %llu for destination %llu, channels 0x%llx of "
                            "port %lu, but there are %lu ports and virtual channels 0 to %lu",
                            r->function, what, (unsigned long long)node,
                            (unsigned long long)destination, (unsigned long long)sets[p],
                            (unsigned long)p, (unsigned long)degree,
                            (unsigned long)(r->virtual_channels - 1));
    return CN_OK;
}

cn_status cni_ask_rules(const cni_vc_rules *rules, uint64_t node, uint64_t destination,
                        const cni_origin *from, uint64_t sets[], uint64_t escapes[])
{
    CNI_TRY(ask(rules, rules->rule, "rule", node, destination, from, sets));
    for (uint32_t p = 0; p < rules->ports; p++)
        escapes[p] = sets[p] & rules->escape_set;
    if (rules->escape != NULL)
        CNI_TRY(ask(rules, rules->escape, "escape", node, destination, from, escapes));
    for (uint32_t p = 0; p < rules->ports; p++)
        if ((escapes[p] & ~sets[p]) != 0)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: at node %llu for destination %llu escape gave a channel that rule "
                            "does not give",
                            rules->function, (unsigned long long)node,
                            (unsigned long long)destination);
    return CN_OK;
}

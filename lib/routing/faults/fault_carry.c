/* Faults of a network, carried to a network that is composed of it. */
#include "cubenet/experimental/damage.h"

#include "base/error.h"
#include "routing/faults/fault.h"
#include "topology/families/composed.h"

void cni_faults_lose_node(cn_faults *faults, uint64_t node)
{
    const cn_topology *t = faults->topology;
    cni_faults_set_node(faults, node, 1);
    if (!cni_has_added_hosts(t) || node >= t->base->nodes - t->base->relays) /* no router */
        return;
    for (uint64_t host = t->first_host + node * cni_added_hosts(t), h = host;
         h < host + cni_added_hosts(t); h++)
        cni_faults_set_node(faults, h, 1);
}

/* Adds the faults of the base network to those of a network composed of it. A faulty router makes
 * its hosts faulty. A faulty link that has become a chain of relays is broken at its first
 * channel. */
static cn_status carry_faults(const cn_faults *from, cn_faults *to)
{
    const cn_topology *base = from->topology;
    if (from->links != NULL)
        CNI_TRY(cni_faults_want_links(to));
    for (uint64_t v = 0; v < base->nodes; v++) {
        if (cni_node_faulty(from, v))
            cni_faults_lose_node(to, v);
        for (uint64_t links = cni_faulty_links(from, v); links != 0; links &= links - 1) {
            uint32_t port = cni_lowest_bit(links);
            if (cni_is_first_end(base, v, port))
                cni_faults_set_link(to, v, port, 1);
        }
    }
    return CN_OK;
}

/* Carries faults from the base network, or from a network further below: the base of the base. */
static cn_status carry(const cn_faults *faults, const cn_topology *topology, cn_faults **carried)
{
    cn_faults *below = NULL;
    if (cn_topology_equal(faults->topology, topology))
        return cn_faults_copy(faults, carried);
    CNI_TRY(carry(faults, topology->base, &below));
    cn_status status = cn_faults_new(topology, carried);
    if (status == CN_OK)
        status = carry_faults(below, *carried);
    if (status != CN_OK)
        cn_faults_free(carried);
    cn_faults_free(&below);
    return status;
}

cn_status cn_faults_carry(const cn_faults *faults, const cn_topology *topology, cn_faults **carried)
{
    CNI_REQUIRE_OUT(carried);
    CNI_REQUIRE_BOTH(faults, topology);
    const cn_topology *t = topology;
    while (t->base != NULL && !cn_topology_equal(faults->topology, t))
        t = t->base;
    if (!cn_topology_equal(faults->topology, t))
        return cni_fail(CN_ERR_ARGUMENT, "%s: faults are those of %s, of which %s is not made",
                        __func__, faults->topology->name, topology->name);
    return carry(faults, topology, carried);
}

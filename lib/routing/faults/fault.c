/* A set of faulty nodes and links. */
#include "routing/faults/fault.h"

#include "base/error.h"
#include "base/names.h"

#include <string.h>

enum { MOST_NODES_LOG2 = 30, WORD = 64 };

static size_t words_of(const cn_topology *topology)
{
    return (size_t)((topology->nodes + WORD - 1) / WORD);
}

cn_status cn_faults_new(const cn_topology *topology, cn_faults **faults)
{
    CNI_REQUIRE_OUT(faults);
    CNI_REQUIRE(topology);
    if (topology->nodes > UINT64_C(1) << MOST_NODES_LOG2)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has %llu nodes, but faults need at most 2^%d",
                        __func__, topology->name, (unsigned long long)topology->nodes,
                        MOST_NODES_LOG2);
    cn_faults *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->nodes = cni_allocate(words_of(topology), sizeof *made->nodes);
    if (made->nodes == NULL) {
        cni_release(made);
        return CN_ERR_MEMORY;
    }
    made->topology = cni_topology_retain(topology);
    *faults = made;
    return CN_OK;
}

void cn_faults_free(cn_faults **faults)
{
    if (faults == NULL || !CNI_IS_VALID(*faults))
        return;
    cni_topology_release((*faults)->topology);
    cni_release((*faults)->nodes);
    cni_release((*faults)->links);
    cni_object_release(*faults);
    *faults = NULL;
}

cn_status cni_faults_want_links(cn_faults *faults)
{
    if (faults->links == NULL)
        faults->links = cni_allocate(faults->topology->nodes, sizeof *faults->links);
    return faults->links == NULL ? CN_ERR_MEMORY : CN_OK;
}

int cni_faults_equal(const cn_faults *a, const cn_faults *b)
{
    uint64_t nodes = cn_faults_node_count(a), links = cn_faults_link_count(a);
    if (nodes != cn_faults_node_count(b) || links != cn_faults_link_count(b))
        return 0;
    if (nodes > 0 && memcmp(a->nodes, b->nodes, words_of(a->topology) * sizeof *a->nodes) != 0)
        return 0;
    return links == 0 ||
           memcmp(a->links, b->links, cni_size(a->topology->nodes) * sizeof *a->links) == 0;
}

cn_status cni_faults_assign(cn_faults *to, const cn_faults *from)
{
    size_t nodes = cni_size(from->topology->nodes);
    if (from->link_count > 0) {
        CNI_TRY(cni_faults_want_links(to));
        memcpy(to->links, from->links, nodes * sizeof *to->links);
    } else if (to->link_count > 0) {
        memset(to->links, 0, nodes * sizeof *to->links);
    }
    memcpy(to->nodes, from->nodes, words_of(from->topology) * sizeof *to->nodes);
    to->node_count = from->node_count;
    to->link_count = from->link_count;
    return CN_OK;
}

cn_status cn_faults_copy(const cn_faults *faults, cn_faults **copy)
{
    CNI_REQUIRE_OUT(copy);
    CNI_REQUIRE(faults);
    cn_faults *made;
    CNI_TRY(cn_faults_new(faults->topology, &made));
    cn_status status = cni_faults_assign(made, faults);
    if (status != CN_OK)
        cn_faults_free(&made);
    *copy = made;
    return status;
}

cn_status cni_faults_copy_or_none(const cn_topology *topology, const cn_faults *faults,
                                  cn_faults **copy)
{
    return faults == NULL ? cn_faults_new(topology, copy) : cn_faults_copy(faults, copy);
}

cn_status cn_faults_clear(cn_faults *faults)
{
    CNI_REQUIRE(faults);
    memset(faults->nodes, 0, words_of(faults->topology) * sizeof *faults->nodes);
    if (faults->link_count > 0)
        memset(faults->links, 0, cni_size(faults->topology->nodes) * sizeof *faults->links);
    faults->node_count = faults->link_count = 0;
    return CN_OK;
}

uint64_t cni_good_ports(const cn_faults *faults, uint64_t node)
{
    uint64_t good = cni_all_ports(faults->topology, node) & ~cni_faulty_links(faults, node);
    for (uint64_t left = good; left != 0; left &= left - 1)
        if (cni_node_faulty(faults, cni_neighbor(faults->topology, node, cni_lowest_bit(left))))
            good &= ~(left & (0 - left));
    return good;
}

void cni_faults_set_node(cn_faults *faults, uint64_t node, int faulty)
{
    if (cni_node_faulty(faults, node) == faulty)
        return;
    faults->nodes[node >> 6] ^= cni_bit(node & 63);
    faults->node_count += faulty ? 1 : UINT64_MAX;
}

void cni_faults_set_link(cn_faults *faults, uint64_t node, uint32_t port, int faulty)
{
    if ((int)(faults->links[node] >> port & 1) == faulty)
        return;
    uint32_t back = cni_back_port(faults->topology, node, port);
    faults->links[node] ^= cni_bit(port);
    if (back != CN_NO_PORT)
        faults->links[cni_neighbor(faults->topology, node, port)] ^= cni_bit(back);
    faults->link_count += faulty ? 1 : UINT64_MAX;
}

cn_status cni_check_links_can_fail(const char *function, const cn_topology *topology)
{
    if (topology->max_degree <= WORD)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: %s has %lu ports a node, but links can fail only with at most %d",
                    function, topology->name, (unsigned long)topology->max_degree, WORD);
}

/* CN_ERR_ARGUMENT unless the node has the port; CN_ERR_UNSUPPORTED where links cannot fail. */
static cn_status check_link(const char *function, const cn_faults *faults, uint64_t node,
                            uint32_t port)
{
    CNI_TRY(cni_check_port(function, faults->topology, node, port));
    return cni_check_links_can_fail(function, faults->topology);
}

static const char *const change_names[] = {
    [CN_CHANGE_FAIL_NODE] = "fail-node",
    [CN_CHANGE_REPAIR_NODE] = "repair-node",
    [CN_CHANGE_FAIL_LINK] = "fail-link",
    [CN_CHANGE_REPAIR_LINK] = "repair-link",
};
static const cni_names changes = CNI_NAMES("change", change_names, 0);

static int is_fault(cni_change_at change)
{
    return change.what == CN_CHANGE_FAIL_NODE || change.what == CN_CHANGE_FAIL_LINK;
}

/* Whether the faults are already as a valid change would make them. */
static int has_changed(const cn_faults *faults, cni_change_at change)
{
    int faulty = cni_changes_link(change)
                     ? (int)(cni_faulty_links(faults, change.node) >> change.port & 1)
                     : cni_node_faulty(faults, change.node);
    return faulty == is_fault(change);
}

cn_status cni_change_begin(const char *function, const cn_faults *faults, cni_change_at change,
                           const cn_control *control, cni_budget *budget, int *is_new)
{
    CNI_TRY(cni_budget_begin(budget, function, control, 0));
    CNI_TRY(cni_budget_go_on(budget, 0));
    CNI_TRY(cni_check_named(function, &changes, "change", (int)change.what));
    CNI_TRY(cni_changes_link(change)
                ? check_link(function, faults, change.node, change.port)
                : cni_check_node(function, "node", faults->topology, change.node));
    *is_new = !has_changed(faults, change);
    return CN_OK;
}

cn_status cni_faults_change(cn_faults *faults, cni_change_at change)
{
    if (!cni_changes_link(change)) {
        cni_faults_set_node(faults, change.node, is_fault(change));
        return CN_OK;
    }
    if (has_changed(faults, change))
        return CN_OK;
    CNI_TRY(cni_faults_want_links(faults));
    cni_faults_set_link(faults, change.node, change.port, is_fault(change));
    return CN_OK;
}

cn_status cn_faults_add_node(cn_faults *faults, uint64_t node)
{
    CNI_REQUIRE(faults);
    CNI_TRY(cni_check_node(__func__, "node", faults->topology, node));
    cni_faults_set_node(faults, node, 1);
    return CN_OK;
}

cn_status cn_faults_remove_node(cn_faults *faults, uint64_t node)
{
    CNI_REQUIRE(faults);
    CNI_TRY(cni_check_node(__func__, "node", faults->topology, node));
    cni_faults_set_node(faults, node, 0);
    return CN_OK;
}

cn_status cn_faults_add_link(cn_faults *faults, uint64_t node, uint32_t port)
{
    CNI_REQUIRE(faults);
    CNI_TRY(check_link(__func__, faults, node, port));
    return cni_faults_change(faults, (cni_change_at){CN_CHANGE_FAIL_LINK, node, port});
}

cn_status cn_faults_remove_link(cn_faults *faults, uint64_t node, uint32_t port)
{
    CNI_REQUIRE(faults);
    CNI_TRY(check_link(__func__, faults, node, port));
    return cni_faults_change(faults, (cni_change_at){CN_CHANGE_REPAIR_LINK, node, port});
}

cn_status cn_faults_add_subcube(cn_faults *faults, uint64_t value, uint64_t any)
{
    CNI_REQUIRE(faults);
    const cn_topology *topology = faults->topology;
    CNI_TRY(cni_check_hypercube(__func__, topology));
    CNI_TRY(cni_check_subcube(__func__, topology->dimensions, value, any));
    uint64_t part = 0;
    do {
        cni_faults_set_node(faults, value | part, 1);
        part = (part - any) & any;
    } while (part != 0);
    return CN_OK;
}

int cn_faults_has_node(const cn_faults *faults, uint64_t node)
{
    return CNI_IS_VALID(faults) && node < faults->topology->nodes && cni_node_faulty(faults, node);
}

int cn_faults_has_link(const cn_faults *faults, uint64_t node, uint32_t port)
{
    return CNI_IS_VALID(faults) && node < faults->topology->nodes && port < WORD &&
           (cni_faulty_links(faults, node) >> port & 1) != 0;
}

CNI_GETTER(uint64_t, cn_faults_node_count, faults, faults->node_count, 0);
CNI_GETTER(uint64_t, cn_faults_link_count, faults, faults->link_count, 0);

cn_status cn_faults_nodes(const cn_faults *faults, uint64_t nodes[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE_ARRAY(nodes, capacity);
    CNI_REQUIRE_FIT(faults->node_count, capacity, count, "%llu nodes are faulty",
                    (unsigned long long)faults->node_count);
    size_t found = 0;
    for (size_t w = 0; found < faults->node_count; w++)
        for (uint64_t word = faults->nodes[w]; word != 0; word &= word - 1)
            nodes[found++] = w * WORD + cni_lowest_bit(word);
    return CN_OK;
}

cn_status cn_faults_links(const cn_faults *faults, uint64_t nodes[], uint32_t ports[],
                          size_t capacity, size_t *count)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE_ARRAY(nodes, capacity);
    CNI_REQUIRE_ARRAY(ports, capacity);
    CNI_REQUIRE_FIT(faults->link_count, capacity, count, "%llu links are faulty",
                    (unsigned long long)faults->link_count);
    const cn_topology *topology = faults->topology;
    size_t found = 0;
    for (uint64_t v = 0; found < faults->link_count; v++)
        for (uint64_t left = faults->links[v]; left != 0; left &= left - 1) {
            uint32_t port = cni_lowest_bit(left);
            if (!cni_is_first_end(topology, v, port))
                continue;
            nodes[found] = v;
            ports[found++] = port;
        }
    return CN_OK;
}

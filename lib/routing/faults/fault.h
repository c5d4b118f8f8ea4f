/* The inside of a cn_faults, and the neighbours of a node for all code about damaged networks. */
#ifndef CNI_ROUTING_FAULTS_FAULT_H
#define CNI_ROUTING_FAULTS_FAULT_H

#include "cubenet/fault.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/json.h"
#include "topology/topology.h"

struct cn_faults {
    cni_object head;
    cn_topology *topology;
    uint64_t node_count, link_count;
    uint64_t *nodes; /* one bit a node */
    /* a word a node, bit p for a faulty link at port p; NULL: no link ever failed */
    uint64_t *links;
};

static inline int cni_node_faulty(const cn_faults *faults, uint64_t node)
{
    return (int)(faults->nodes[node >> 6] >> (node & 63) & 1);
}

static inline uint64_t cni_faulty_links(const cn_faults *faults, uint64_t node)
{
    return faults->links == NULL ? 0 : faults->links[node];
}

static inline uint64_t cni_bit(uint32_t port)
{
    return UINT64_C(1) << port;
}

static inline uint32_t cni_degree(const cn_topology *topology, uint64_t node)
{
    return cni_is_hypercube(topology) ? topology->max_degree
                                      : topology->ops->degree(topology, node);
}

static inline uint64_t cni_neighbor(const cn_topology *topology, uint64_t node, uint32_t port)
{
    return cni_is_hypercube(topology) ? node ^ cni_bit(port)
                                      : topology->ops->neighbor(topology, node, port);
}

static inline uint32_t cni_back_port(const cn_topology *topology, uint64_t node, uint32_t port)
{
    return cni_is_hypercube(topology) ? port : topology->ops->back_port(topology, node, port);
}

/* All ports of a node; a node has at most 64. */
static inline uint64_t cni_all_ports(const cn_topology *topology, uint64_t node)
{
    uint32_t degree = cni_degree(topology, node);
    return degree == 64 ? UINT64_MAX : cni_bit(degree) - 1;
}

/* The ports of a node whose link works and leads to a working node. */
uint64_t cni_good_ports(const cn_faults *faults, uint64_t node);

/* Marks a node, or a link, as faulty or working. The arguments are valid; before a link is marked
 * the array of links must exist. */
void cni_faults_set_node(cn_faults *faults, uint64_t node, int faulty);
void cni_faults_set_link(cn_faults *faults, uint64_t node, uint32_t port, int faulty);

/* Marks a node and its added hosts as faulty. */
void cni_faults_lose_node(cn_faults *faults, uint64_t node);

/* Makes the array of links, unless it exists. */
cn_status cni_faults_want_links(cn_faults *faults);

/* A fault or a repair, of a node or of the link at a port of the node. */
typedef struct cni_change_at {
    cn_change what;
    uint64_t node;
    uint32_t port; /* only for a link */
} cni_change_at;

static inline int cni_changes_link(cni_change_at change)
{
    return change.what == CN_CHANGE_FAIL_LINK || change.what == CN_CHANGE_REPAIR_LINK;
}

/* Begins a call that updates a subnet or a hierarchy: starts its budget and checks the change.
 * *is_new is 0 when the faults are already as the change would make them. CN_ERR_CANCELLED: the
 * call was cancelled before it began; CN_ERR_ARGUMENT: the node has no such
 * port; CN_ERR_UNSUPPORTED: links cannot fail. */
cn_status cni_change_begin(const char *function, const cn_faults *faults, cni_change_at change,
                           const cn_control *control, cni_budget *budget, int *is_new);

/* Makes a valid change. CN_ERR_MEMORY: nothing has changed. */
cn_status cni_faults_change(cn_faults *faults, cni_change_at change);

/* CN_ERR_UNSUPPORTED where links cannot fail: on networks with more than 64 ports a node. */
cn_status cni_check_links_can_fail(const char *function, const cn_topology *topology);

/* The checks of the arguments of all generators of faults. CN_ERR_ARGUMENT unless value <= most,
 * where the network has `most` of `what`; unless 1 <= centers <= nodes, or both are 0. */
cn_status cni_check_most(const char *function, const char *argument, uint64_t value, uint64_t most,
                         const char *what);
cn_status cni_check_centers(const char *function, const char *argument, uint64_t nodes,
                            uint64_t centers);

/* Makes `to` equal to `from`, both on one topology. Allocates at most the array of links;
 * nothing has changed when that fails. */
cn_status cni_faults_assign(cn_faults *to, const cn_faults *from);

/* A copy of the faults; for NULL an object without faults. */
cn_status cni_faults_copy_or_none(const cn_topology *topology, const cn_faults *faults,
                                  cn_faults **copy);

/* Whether both, on one topology, have the same faults; NULL has none. */
int cni_faults_equal(const cn_faults *a, const cn_faults *b);

/* As cn_faults_mean_distance() and cn_faults_reachable_pairs(), within a call that has a budget. */
cn_status cni_faults_mean_distance_within(const cn_faults *faults, cni_budget *budget, double *mean,
                                          uint64_t *pairs);
cn_status cni_faults_reachable_pairs_within(const cn_faults *faults, cni_budget *budget,
                                            uint64_t *pairs);

/* The work of a search from one node, for its budget. */
static inline uint64_t cni_search_work(const cn_topology *topology)
{
    return topology->nodes * (1 + (uint64_t)topology->max_degree);
}

/* ---- in JSON ---- */

/* The member "faults" of an object on a topology. Start from NULL to read; the faults stay NULL
 * after a failure. */
void cni_io_faults(cni_io *io, const cn_topology *topology, cn_faults **faults);

#endif

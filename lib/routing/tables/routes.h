/*
 * How messages go through a damaged hypercube by the optimal-path or the two-level rule (Horng 1992,
 * 5.3.2 and 5.5.2): its survivors, and one table for both rules.
 *
 * Row r, node v: the channels that a message to a destination of row r may take at survivor v; when
 * some of them also come closer to the destination, only those. The optimal-path rule has one row, the
 * good links: in a convex subnet one always comes closer. The two-level rule has a row for each
 * cluster: outside the entry of the routing tables, whose ties go as of CN_TIE_HEADER; inside again the
 * good links, since a cluster is convex.
 */
#ifndef CNI_ROUTING_TABLES_ROUTES_H
#define CNI_ROUTING_TABLES_ROUTES_H

#include "cubenet/hierarchy.h"

#include "routing/faults/fault.h"

typedef enum cni_route_rule { CNI_OPTIMAL_PATH, CNI_TWO_LEVEL } cni_route_rule;

#define CNI_NO_ROW UINT32_MAX /* of a node that is no survivor */

enum { CNI_ROUTES_DIMENSIONS = 22 };

typedef struct cni_routes {
    uint32_t dimensions, nodes;
    uint32_t survivors;
    uint64_t channels;       /* good ones, each direction for itself */
    uint32_t *survivor;      /* their names, ascending */
    uint32_t *row_of;        /* by node */
    uint32_t *table;         /* by row and node; NULL: too large, and worked out at every use */
    cn_hierarchy *hierarchy; /* of the two-level rule, with its tables; else NULL */
} cni_routes;

/* CN_ERR_UNSUPPORTED unless the topology is a hypercube of at most CNI_ROUTES_DIMENSIONS. */
cn_status cni_check_routes(const char *function, const cn_topology *topology);

/*
 * Routes in a hypercube that cni_check_routes() accepts. faults and subnet may be NULL. The
 * optimal-path rule goes by the subnet, else by the convex subnet of the faults; the two-level rule,
 * which has no subnet, by the hierarchy of the faults.
 *
 * CN_ERR_ARGUMENT (the subnet is not convex, or made for other faults than the given ones),
 * CN_ERR_DISCONNECTED (survivors that cannot reach each other, or fewer than two), CN_ERR_MEMORY,
 * CN_ERR_OVERFLOW.
 */
cn_status cni_routes_open(cni_routes *routes, cni_route_rule rule, const cn_topology *topology,
                          const cn_faults *faults, const cn_subnet *subnet);
void cni_routes_close(cni_routes *routes);

/* What the table would hold. */
uint32_t cni_routes_entry(const cni_routes *routes, uint32_t row, uint32_t node);

/* The channels at a survivor to another one, which has this row; never 0. */
static inline uint32_t cni_routes_allowed(const cni_routes *routes, uint32_t row, uint32_t node,
                                          uint32_t destination)
{
    uint32_t channels = routes->table != NULL ? routes->table[(size_t)row * routes->nodes + node]
                                              : cni_routes_entry(routes, row, node);
    uint32_t closer = channels & (node ^ destination);
    return closer != 0 ? closer : channels;
}

/*
 * The flows at load 1 when every survivor sends one message per unit time, to each other survivor
 * alike, and each allowed channel is taken with equal probability. Element port N + node of flow is
 * the channel of that port, 0 where none is good.
 *
 * The ways to a destination have no cycles, so the flows to it go down from the farthest survivors
 * to the nearest. Time O(survivors N n). CN_ERR_MEMORY.
 */
cn_status cni_routes_flows(const cni_routes *routes, double flow[]);

/*
 * The load from which on some channel would have to carry one message per unit time or more. Exact
 * where survivors times channels are at most 2^28 (the 12-cube); else a bound that it does not exceed,
 * from the mean number of hops, which is exact in an undamaged cube. CN_ERR_MEMORY.
 */
cn_status cni_routes_load_limit(const cni_routes *routes, double *limit);

/* Whether some channel is full at this load. At the limit itself the sums of the flows may come out just
 * below it. */
static inline int cni_routes_are_full(double load, double limit)
{
    return load >= limit * (1.0 - 1e-12);
}

/* Mean Hamming distance over all ordered pairs of different survivors. */
double cni_routes_mean_distance(const cni_routes *routes);

#endif

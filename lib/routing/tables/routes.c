#include "routing/tables/routes.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/hierarchy/hierarchy.h"
#include "routing/subnets/subnet.h"

/* Tables with more elements than this are not kept: 256 megabytes. */
#define MOST_ENTRIES (UINT64_C(1) << 26)

cn_status cni_check_routes(const char *function, const cn_topology *topology)
{
    if (cni_is_hypercube(topology) && topology->dimensions <= CNI_ROUTES_DIMENSIONS)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: the optimal-path and the two-level rule are for hypercubes, here of at "
                    "most %d dimensions, not for %s",
                    function, CNI_ROUTES_DIMENSIONS, topology->name);
}

static cn_status allocate(cni_routes *routes, uint64_t rows)
{
    size_t nodes = routes->nodes;
    routes->survivor = cni_allocate(nodes, sizeof *routes->survivor);
    routes->row_of = cni_allocate(nodes, sizeof *routes->row_of);
    if (routes->survivor == NULL || routes->row_of == NULL)
        return CN_ERR_MEMORY;
    if (rows * nodes > MOST_ENTRIES)
        return CN_OK;
    routes->table = cni_allocate((uint64_t)rows * nodes, sizeof *routes->table);
    return routes->table == NULL ? CN_ERR_MEMORY : CN_OK;
}

static void add_survivor(cni_routes *routes, uint32_t node, uint32_t row, uint64_t good)
{
    routes->row_of[node] = row;
    routes->survivor[routes->survivors++] = node;
    routes->channels += cni_popcount(good);
}

static cn_status check_survivors(const cni_routes *routes, const cn_topology *topology)
{
    if (routes->survivors >= 2)
        return CN_OK;
    return cni_fail(CN_ERR_DISCONNECTED, "survivors = %lu on %s, but messages need at least 2",
                    (unsigned long)routes->survivors, topology->name);
}

/* ---- the optimal-path rule ---- */

static cn_status read_subnet(cni_routes *routes, const cn_subnet *subnet)
{
    CNI_TRY(cni_check_convex(subnet));
    CNI_TRY(allocate(routes, 1));
    for (uint32_t v = 0; v < routes->nodes; v++) {
        uint64_t good = ~subnet->nodes[v].bad & (cni_bit(routes->dimensions) - 1);
        routes->row_of[v] = CNI_NO_ROW;
        if (!cni_survives(subnet, v))
            continue;
        routes->table[v] = (uint32_t)good;
        add_survivor(routes, v, 0, good);
    }
    return check_survivors(routes, subnet->faults->topology);
}

static int same_faults(const cn_faults *a, const cn_faults *b)
{
    uint64_t nodes = a->topology->nodes;
    if (a->node_count != b->node_count || a->link_count != b->link_count)
        return 0;
    for (uint64_t v = 0; v < nodes; v++)
        if (cni_node_faulty(a, v) != cni_node_faulty(b, v) ||
            cni_faulty_links(a, v) != cni_faulty_links(b, v))
            return 0;
    return 1;
}

static cn_status open_optimal_path(cni_routes *routes, const cn_faults *faults,
                                   const cn_subnet *subnet)
{
    if (subnet == NULL) {
        cn_subnet *convex = NULL;
        CNI_TRY(cn_subnet_convex(faults, &convex));
        cn_status status = read_subnet(routes, convex);
        cn_subnet_free(&convex);
        return status;
    }
    if (faults != NULL && !same_faults(faults, subnet->faults))
        return cni_fail(
            CN_ERR_ARGUMENT,
            "the scenario has a subnet and faults, but the subnet was made from other faults "
            "(%llu nodes and %llu links, not %llu and %llu); set only one of the two",
            (unsigned long long)subnet->faults->node_count,
            (unsigned long long)subnet->faults->link_count, (unsigned long long)faults->node_count,
            (unsigned long long)faults->link_count);
    return read_subnet(routes, subnet);
}

/* ---- the two-level rule ---- */

uint32_t cni_routes_entry(const cni_routes *routes, uint32_t row, uint32_t node)
{
    const cn_hierarchy *hierarchy = routes->hierarchy;
    if (hierarchy->cluster_of[node] == row)
        return (uint32_t)cni_good_links(hierarchy, node);
    return (uint32_t)cni_entry_channels(hierarchy, hierarchy->clusters[row].hops, node);
}

/* Links go both ways: who reaches one cluster, reaches all. */
static cn_status check_connected(const cni_routes *routes, const cn_topology *topology)
{
    const uint16_t *hops = routes->hierarchy->clusters[0].hops;
    for (uint32_t i = 0; i < routes->survivors; i++) {
        if (hops[routes->survivor[i]] != CNI_NO_WAY)
            continue;
        uint32_t there = 0;
        while (routes->row_of[routes->survivor[there]] != 0)
            there++;
        return cni_fail(CN_ERR_DISCONNECTED,
                        "the working nodes of %s are disconnected: no path leads from node %lu to "
                        "node %lu",
                        topology->name, (unsigned long)routes->survivor[i],
                        (unsigned long)routes->survivor[there]);
    }
    return CN_OK;
}

static void fill_rows(cni_routes *routes)
{
    for (uint32_t row = 0; row < routes->hierarchy->cluster_count; row++)
        for (uint32_t i = 0; i < routes->survivors; i++) {
            uint32_t v = routes->survivor[i];
            routes->table[(size_t)row * routes->nodes + v] = cni_routes_entry(routes, row, v);
        }
}

static cn_status open_two_level(cni_routes *routes, const cn_faults *faults)
{
    CNI_TRY(cn_hierarchy_new(faults, &routes->hierarchy));
    const cn_hierarchy *hierarchy = routes->hierarchy;
    CNI_TRY(allocate(routes, hierarchy->cluster_count));
    for (uint32_t v = 0; v < routes->nodes; v++) {
        routes->row_of[v] = CNI_NO_ROW;
        if (hierarchy->cluster_of[v] != CN_NO_CLUSTER)
            add_survivor(routes, v, hierarchy->cluster_of[v], cni_good_links(hierarchy, v));
    }
    CNI_TRY(check_survivors(routes, faults->topology));
    CNI_TRY(cn_hierarchy_make_tables(routes->hierarchy));
    CNI_TRY(check_connected(routes, faults->topology));
    if (routes->table != NULL)
        fill_rows(routes);
    return CN_OK;
}

/* ---- both ---- */

static cn_status open_rule(cni_routes *routes, cni_route_rule rule, const cn_faults *faults,
                           const cn_subnet *subnet)
{
    return rule == CNI_TWO_LEVEL ? open_two_level(routes, faults)
                                 : open_optimal_path(routes, faults, subnet);
}

cn_status cni_routes_open(cni_routes *routes, cni_route_rule rule, const cn_topology *topology,
                          const cn_faults *faults, const cn_subnet *subnet)
{
    cn_faults *none = NULL;
    *routes = (cni_routes){.dimensions = topology->dimensions, .nodes = (uint32_t)topology->nodes};
    if (faults == NULL && subnet == NULL)
        CNI_TRY(cn_faults_new(topology, &none));
    cn_status status = open_rule(routes, rule, none != NULL ? none : faults, subnet);
    cn_faults_free(&none);
    if (status != CN_OK)
        cni_routes_close(routes);
    return status;
}

void cni_routes_close(cni_routes *routes)
{
    cn_hierarchy_free(&routes->hierarchy);
    cni_release(routes->survivor);
    cni_release(routes->row_of);
    cni_release(routes->table);
    memset(routes, 0, sizeof *routes);
}

double cni_routes_mean_distance(const cni_routes *routes)
{
    double pairs = (double)routes->survivors * (routes->survivors - 1.0), sum = 0.0;
    for (uint32_t dimension = 0; dimension < routes->dimensions; dimension++) {
        uint32_t ones = 0;
        for (uint32_t i = 0; i < routes->survivors; i++)
            ones += routes->survivor[i] >> dimension & 1;
        sum += 2.0 * ones * (double)(routes->survivors - ones);
    }
    return sum / pairs;
}

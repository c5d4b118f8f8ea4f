/* Paths of collective operations, tabulated by columns of digits or along stored trees. */
#include "simulation/collective/collective_routes.h"

#include "base/error.h"
#include "base/memory.h"
#include "topology/addresses/necklace.h"

cn_status cni_tree_routes_check(const cn_topology *topology)
{
    CNI_TRY(cni_check_all_hosts("collective", topology));
    if (topology->nodes >= 2 && topology->nodes <= CNI_ROUTES_NODES &&
        topology->nodes * topology->max_degree <= CNI_ROUTES_CHANNELS)
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "collective runs on 2 to 2^20 nodes with at most 2^26 directed channels, not on %s",
        topology->name);
}

int cni_goes_by_digits(const cn_topology *topology, uint32_t tree)
{
    return tree != CN_TREE_BREADTH_FIRST && cni_has_necklaces(topology);
}

/* Fills a column of the digits, which stands for a dimension. */
static void fill_column(cni_tree_routes *routes, uint32_t column, uint32_t dimension,
                        uint32_t stride)
{
    const uint32_t shift = column * routes->bits, radix = routes->radix;
    const uint32_t base = dimension * (radix - 1);
    for (uint32_t bit = shift; bit < shift + routes->bits; bit++)
        routes->column[bit] = (cni_column){
            .wrap = stride * radix, .port_base = (uint16_t)base, .shift = (uint8_t)shift};
    for (uint32_t up = 1; up < radix; up++)
        routes->step[base + up - 1] = (cni_port_step){.up = up * stride,
                                                      .back = stride * radix,
                                                      .limit = (uint16_t)(radix - up),
                                                      .shift = (uint16_t)shift};
}

/* Fills the columns, and the digits of every node. */
static cn_status fill_columns(const cn_topology *topology, uint32_t tree, cni_budget *budget,
                              cni_tree_routes *routes)
{
    uint32_t n = routes->columns;
    while (UINT32_C(1) << routes->bits < routes->radix)
        routes->bits++;
    routes->mask = (UINT32_C(1) << routes->bits) - 1;
    for (uint32_t column = 0; column < n; column++) {
        uint32_t dimension = tree == CN_TREE_BINOMIAL ? column : n - 1 - column;
        fill_column(routes, column, dimension, (uint32_t)topology->stride[dimension]);
    }
    for (uint32_t node = 0; node < routes->nodes; node++) {
        CNI_TRY(cni_budget_go_on(budget, 2 * n));
        for (uint32_t shift = 0; shift < n * routes->bits; shift += routes->bits) {
            uint32_t stride = routes->column[shift].wrap / routes->radix;
            routes->digits[node] |= (node / stride % routes->radix) << shift;
        }
    }
    return CN_OK;
}

/* Fills the first columns of paths. In the balanced tree a path begins at index displacement mod
 * n; a necklace of P nodes has n (k-1) / P displacements, P apart. */
static cn_status fill_starts(const cn_topology *topology, cni_budget *budget,
                             cni_tree_routes *routes)
{
    uint32_t n = routes->columns, unfolded = n * (routes->radix - 1);
    for (uint32_t node = 1; node < routes->nodes; node++) {
        CNI_TRY(cni_budget_go_on(budget, 8 * n));
        cni_word word = cni_word_of(topology, node);
        cni_orbit orbit = cni_word_orbit(&word);
        routes->start[node] = (uint8_t)(orbit.displacement % n);
        if (routes->pieces == NULL)
            continue;
        routes->pieces[node] = (uint8_t)(unfolded / orbit.period);
        routes->turn[node] = (uint8_t)(orbit.period % n);
        routes->short_number[node] = routes->pieces[node] > 1 ? routes->shorts++ : CNI_NO_SHORT;
    }
    return CN_OK;
}

static cn_status open_tables(uint32_t tree, cni_tree_routes *routes)
{
    uint32_t nodes = routes->nodes;
    int is_split = tree == CN_TREE_SPLIT;
    const cni_array arrays[] = {CNI_ARRAY(routes->digits, nodes),
                                CNI_ARRAY(routes->step, routes->degree),
                                CNI_ARRAY(routes->start, nodes),
                                CNI_ARRAY_IF(is_split, routes->pieces, nodes),
                                CNI_ARRAY_IF(is_split, routes->turn, nodes),
                                CNI_ARRAY_IF(is_split, routes->short_number, nodes)};
    return cni_allocate_arrays(&routes->block, arrays);
}

cn_status cni_tree_routes_open(const cn_topology *topology, uint32_t tree, cni_budget *budget,
                               cni_tree_routes *routes)
{
    routes->nodes = (uint32_t)topology->nodes;
    routes->degree = topology->max_degree;
    if (!cni_goes_by_digits(topology, tree))
        return cni_graph_open(topology, budget, &routes->graph);
    routes->columns = topology->dimensions;
    routes->radix = (uint32_t)topology->radix[0];
    cn_status status = open_tables(tree, routes);
    if (status == CN_OK)
        status = fill_columns(topology, tree, budget, routes);
    /* in a binomial tree all paths begin at column 0 */
    if (status == CN_OK && tree != CN_TREE_BINOMIAL)
        status = fill_starts(topology, budget, routes);
    if (status != CN_OK)
        cni_tree_routes_close(routes);
    return status;
}

void cni_tree_routes_close(cni_tree_routes *routes)
{
    if (routes->graph.topology != NULL)
        cni_graph_close(&routes->graph);
    cni_release(routes->block);
    *routes = (cni_tree_routes){0};
}

uint32_t cni_tree_routes_distance(const cni_tree_routes *routes, uint32_t a, uint32_t b)
{
    uint32_t differences = routes->digits[a] ^ routes->digits[b];
    uint32_t distance = 0;
    for (; differences != 0; differences >>= routes->bits)
        distance += (differences & routes->mask) != 0;
    return distance;
}

uint32_t cni_port_back(const cni_tree_routes *routes, uint32_t node, uint32_t taken, uint32_t meant)
{
    if (routes->columns > 0) { /* both ports lead up, by their number in the dimension plus 1 */
        uint32_t base = routes->column[routes->step[taken].shift].port_base, k = routes->radix;
        return base + (meant + k - taken) % k - 1;
    }
    const cni_graph *graph = &routes->graph;
    uint32_t from = cni_route_neighbor(routes, node, taken);
    uint32_t to = cni_route_neighbor(routes, node, meant);
    for (size_t e = graph->first[from]; e < graph->first[from + 1]; e++)
        if (graph->neighbor[e] == to)
            return (uint32_t)(e - graph->first[from]);
    return CN_NO_PORT;
}

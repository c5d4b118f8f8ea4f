/*
 * The places of the nodes of a network in a drawing, by a row for each family: cubes are nested
 * squares; tori and meshes are grids; networks with a ring through all nodes are circles; trees are
 * trees. All other networks are laid out by stress: the distances on paper approach the distances
 * in hops (Gansner, Koren & North 2004, one node at a time).
 */
#include "topology/interchange/picture.h"

#include <math.h>

#include "base/error.h"
#include "topology/distances/breadth_first.h"

#define PI 3.14159265358979323846

/* ---- circles ---- */

/* Places are clockwise, number 0 at the top. */
static void place_on_circle(cni_layout *l, uint64_t node, uint64_t number, uint64_t count)
{
    double angle = 2.0 * PI * (double)number / (double)count, half = PI / (double)count;
    double radius = 1.3 * (count < 4 ? 1.0 : fmax(1.0, 0.5 / sin(half)));
    l->x[node] = radius * sin(angle);
    l->y[node] = radius * cos(angle);
}

static void place_circle(const cn_topology *t, cni_layout *l)
{
    for (uint64_t v = 0; v < t->nodes; v++)
        place_on_circle(l, v, v, t->nodes);
}

/* Node 0 lies in the middle. */
static void place_star(const cn_topology *t, cni_layout *l)
{
    for (uint64_t v = 1; v < t->nodes; v++)
        place_on_circle(l, v, v - 1, t->nodes - 1);
}

/* ---- grids and nested squares ---- */

/* Each dimension moves a node by a vector, times the digit. The first two dimensions make a grid,
 * and the third goes into the depth. The other dimensions set such pictures side by side and one
 * above the other in turn, a little aslant, so that links run between the nodes of the pictures
 * that they pass. Three dimensions of radix 2 are a square inside a square (nested). */
static void place_digits(const cn_topology *t, cni_layout *l)
{
    double width = 0.0, height = 0.0, right[CNI_MAX_DIMENSIONS], up[CNI_MAX_DIMENSIONS];
    const double depth = t->dimensions > 2 ? (double)t->radix[2] : 1.0;
    const int nested =
        t->dimensions > 2 && t->radix[0] == 2 && t->radix[1] == 2 && t->radix[2] == 2;
    const double own[3][2] = {{nested ? 3.15 : depth, 0.0},
                              {0.0, nested        ? 3.1
                                    : depth > 1.0 ? 0.75 * depth + 0.4
                                                  : 1.0},
                              {nested ? 0.0 : 1.0, nested ? 0.0 : 0.75}};
    for (uint32_t i = 0; i < t->dimensions; i++) {
        const int across = i % 2 == 1; /* to the right; from the fourth dimension on */
        right[i] = i < 3    ? own[i][0]
                   : across ? width + (nested ? 0.6 : 1.5)
                            : (nested ? 2.0 : 0.55);
        up[i] = i < 3 ? own[i][1] : across ? (nested ? 0.75 : 0.5) : height + 1.35;
        width += right[i] * (double)(t->radix[i] - 1);
        height += up[i] * (double)(t->radix[i] - 1);
    }
    for (uint64_t v = 0; v < t->nodes; v++) {
        const double inner = nested && cni_digit(t, v, 2) == 1 ? 0.26 : 0.0;
        for (uint32_t i = 0; i < t->dimensions; i++) {
            double digit = (double)cni_digit(t, v, i);
            if (i < 2)
                digit += (1.0 - 2.0 * digit) * inner;
            l->x[v] += right[i] * digit;
            l->y[v] += up[i] * digit;
        }
    }
}

static void place_cube(const cn_topology *t, cni_layout *l)
{
    (t->dimensions == 1 && t->nodes > 2 ? place_circle : place_digits)(t, l);
}

/* ---- trees ---- */

/* Leaves lie side by side, every other node above the middle of its leaves. First y gets the
 * number of leaves below each node; then, from the root down, x gets the place of the first of
 * these leaves. */
static void place_hanging(const cni_graph *graph, cni_search *search, cni_layout *l)
{
    cni_search_within(graph, 0, NULL, search);
    for (size_t at = search->reached; at-- > 0;) { /* children before their parents */
        uint32_t v = search->queue[at];
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++)
            if (search->hops[graph->neighbor[e]] > search->hops[v])
                l->y[v] += l->y[graph->neighbor[e]];
        l->y[v] = fmax(l->y[v], 1.0);
    }
    for (size_t at = 0; at < search->reached; at++) {
        uint32_t v = search->queue[at];
        double next = l->x[v];
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            uint32_t w = graph->neighbor[e];
            if (search->hops[w] < search->hops[v])
                continue;
            l->x[w] = next;
            next += l->y[w];
        }
        l->x[v] += 0.5 * (l->y[v] - 1.0);
        l->y[v] = -1.4 * search->hops[v];
    }
}

/* ---- by stress ---- */

enum { FEW = 256, MANY_ROUNDS = 80, FEW_ROUNDS = 12 }; /* few nodes get many rounds */

static uint32_t farthest_of(const uint32_t *a, const uint32_t *b, size_t nodes)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < nodes; v++) {
        uint32_t here = a[v] < b[v] ? a[v] : b[v], there = a[best] < b[best] ? a[best] : b[best];
        best = here > there ? v : best;
    }
    return best;
}

/* The places at the start: how much nearer a node is to one end of the network than to the
 * other, along two axes. The third term separates nodes with the same distances. */
static void place_by_ends(const uint32_t *hops, size_t nodes, cni_layout *l)
{
    const uint32_t *row[4];
    row[0] = hops + nodes * farthest_of(hops, hops, nodes);
    row[1] = hops + nodes * farthest_of(row[0], row[0], nodes);
    row[2] = hops + nodes * farthest_of(row[0], row[1], nodes);
    row[3] = hops + nodes * farthest_of(row[2], row[2], nodes);
    for (size_t v = 0; v < nodes; v++) {
        double apart = fmod(0.6180339887498949 * (double)v, 1.0) - 0.5;
        l->x[v] = (double)row[0][v] - (double)row[1][v] + 0.2 * apart;
        l->y[v] = (double)row[2][v] - (double)row[3][v] + 0.2 * fmod(7.0 * apart, 1.0);
    }
}

/* Moves one node to the mean of the places that all other nodes want for it. */
static void relax(const uint32_t *hops, size_t nodes, size_t v, cni_layout *l)
{
    double x = 0.0, y = 0.0, weights = 0.0;
    for (size_t w = 0; w < nodes; w++) {
        if (w == v)
            continue;
        double wanted = 1.6 * hops[w], weight = 1.0 / (wanted * wanted);
        double dx = l->x[v] - l->x[w], dy = l->y[v] - l->y[w];
        double share = wanted / fmax(sqrt(dx * dx + dy * dy), 1e-6);
        x += weight * (l->x[w] + share * dx);
        y += weight * (l->y[w] + share * dy);
        weights += weight;
    }
    l->x[v] = x / weights;
    l->y[v] = y / weights;
}

/* Enlarges the drawing so that no two nodes are closer than 1, at most to about three times its
 * size. */
static void spread_nodes(size_t nodes, cni_layout *l)
{
    double least = 1.0;
    for (size_t v = 0; v < nodes; v++)
        for (size_t w = 0; w < v; w++) {
            double dx = l->x[v] - l->x[w], dy = l->y[v] - l->y[w];
            least = fmin(least, dx * dx + dy * dy);
        }
    least = sqrt(least);
    for (size_t v = 0; v < nodes; v++) {
        l->x[v] /= fmax(least, 0.3);
        l->y[v] /= fmax(least, 0.3);
    }
}

/* Fills the hops of all pairs; a pair without a path counts one hop more than the farthest pair. */
static void find_hops(const cni_graph *graph, cni_search *search, uint32_t *hops)
{
    const size_t n = graph->nodes;
    uint32_t most = 0;
    for (uint32_t v = 0; v < n; v++) {
        cni_search_within(graph, v, NULL, search);
        for (size_t w = 0; w < n; w++) {
            uint32_t there = search->hops[w];
            most = there != CNI_FAR && there > most ? there : most;
            hops[v * n + w] = there;
        }
    }
    for (size_t i = 0; i < n * n; i++)
        hops[i] = hops[i] == CNI_FAR ? most + 1 : hops[i];
    for (size_t v = 0; v < n; v++) /* of a one-way network, the shorter direction */
        for (size_t w = 0; w < v; w++) {
            uint32_t a = hops[v * n + w], b = hops[w * n + v];
            hops[v * n + w] = hops[w * n + v] = a < b ? a : b;
        }
}

static cn_status place_by_stress(const cni_graph *graph, cni_search *search, cni_budget *budget,
                                 cni_layout *l)
{
    const size_t n = graph->nodes;
    uint32_t *hops = cni_allocate((uint64_t)n * n, sizeof *hops);
    cn_status status = hops == NULL ? CN_ERR_MEMORY : CN_OK;
    if (status == CN_OK) {
        find_hops(graph, search, hops);
        place_by_ends(hops, n, l);
    }
    for (int round = 0; status == CN_OK && round < (n <= FEW ? MANY_ROUNDS : FEW_ROUNDS); round++) {
        for (size_t v = 0; v < n; v++)
            relax(hops + v * n, n, v, l);
        status = cni_budget_go_on(budget, n * n);
    }
    if (status == CN_OK)
        spread_nodes(n, l);
    cni_release(hops);
    return status;
}

static cn_status place_searched(const cn_topology *t, cni_budget *budget, cni_layout *l)
{
    cni_graph graph;
    cni_search search;
    CNI_TRY(cni_graph_open(t, NULL, &graph));
    cn_status status = cni_search_open(&graph, &search);
    if (status == CN_OK) {
        cni_search_within(&graph, 0, NULL, &search);
        const int is_tree =
            t->bidirectional && cni_links(t) + 1 == t->nodes && search.reached == t->nodes;
        if (is_tree)
            place_hanging(&graph, &search, l);
        else
            status = place_by_stress(&graph, &search, budget, l);
        cni_search_close(&search);
    }
    cni_graph_close(&graph);
    return status;
}

/* ---- the rows ---- */

typedef void (*place_fn)(const cn_topology *t, cni_layout *l);

/* By family; NULL: the layout needs a search, as that of composed networks. */
static const place_fn rows[CNI_WITH_LENGTHS + 1] = {
    [CNI_BOOLEAN_CUBE] = place_cube,
    [CNI_KARY_UNIDIRECTIONAL] = place_cube,
    [CNI_KARY_BIDIRECTIONAL] = place_cube,
    [CNI_EDGE_LIST] = NULL,
    [CNI_GENERALIZED_HYPERCUBE] = place_cube,
    [CNI_COMPLETE] = place_circle,
    [CNI_STAR] = place_star,
    [CNI_TREE] = NULL,
    [CNI_TORUS] = place_cube,
    [CNI_MESH] = place_digits,
    [CNI_CHORDAL_RING] = place_circle,
    [CNI_PSNN] = place_circle,
    [CNI_SHUFFLE_EXCHANGE] = place_circle,
    [CNI_DE_BRUIJN] = place_circle,
};

/* Moves the least value to 0 and returns the greatest. */
static double measure(double *at, uint64_t nodes)
{
    double least = at[0], most = at[0];
    for (uint64_t v = 0; v < nodes; v++) {
        least = fmin(least, at[v]);
        most = fmax(most, at[v]);
    }
    for (uint64_t v = 0; v < nodes; v++)
        at[v] -= least;
    return most - least;
}

cn_status cni_layout_open(const char *function, const cn_topology *topology, cni_budget *budget,
                          cni_layout *layout)
{
    *layout = (cni_layout){0};
    if (topology->nodes > CN_DRAWING_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has %llu nodes, but a drawing has at most %llu",
                        function, topology->name, (unsigned long long)topology->nodes,
                        (unsigned long long)CN_DRAWING_NODES);
    layout->x = cni_allocate_for(function, 2 * topology->nodes, sizeof *layout->x);
    CNI_TRY_MEMORY(layout->x);
    layout->y = layout->x + topology->nodes;
    cn_status status = CN_OK;
    if (rows[topology->family] != NULL)
        rows[topology->family](topology, layout);
    else
        status = place_searched(topology, budget, layout);
    if (status != CN_OK) {
        cni_layout_close(layout);
        return status;
    }
    layout->width = measure(layout->x, topology->nodes);
    layout->height = measure(layout->y, topology->nodes);
    return CN_OK;
}

void cni_layout_close(cni_layout *layout)
{
    cni_release(layout->x);
    *layout = (cni_layout){0};
}

cn_status cn_topology_layout(const cn_topology *topology, double x[], double y[], size_t capacity,
                             size_t *count)
{
    cni_layout layout;
    CNI_REQUIRE(topology);
    if (capacity < topology->nodes) {
        CNI_GIVE(count, cni_size(topology->nodes));
        return cni_fail_capacity(__func__, capacity, "%s has %llu nodes", topology->name,
                                 (unsigned long long)topology->nodes);
    }
    CNI_REQUIRE_BOTH(x, y);
    CNI_TRY(cni_layout_open(__func__, topology, NULL, &layout));
    for (uint64_t v = 0; v < topology->nodes; v++) {
        x[v] = layout.x[v];
        y[v] = layout.y[v];
    }
    cni_layout_close(&layout);
    CNI_GIVE(count, cni_size(topology->nodes));
    return CN_OK;
}

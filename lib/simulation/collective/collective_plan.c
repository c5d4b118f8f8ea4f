/* The plan of one collective operation: the union of the paths to all destinations, as a tree. */
#include "simulation/collective/collective_plan.h"

#include "base/memory.h"
#include "base/error.h"

/* A place before the places are put in order. Number 0 ends a chain of siblings, since the root
 * is no child. */
typedef struct cni_draft {
    uint32_t node, parent;
    uint32_t first_child, sibling;
    uint16_t port, delivers;
    uint32_t level;
} cni_draft;

/* A node of a path, and the port over which it is reached. */
typedef struct cni_path_step {
    uint32_t node, port;
} cni_path_step;

/* Opens a planner. A plan has at most a place for each node, and with split messages a leaf for
 * each piece. */
cn_status cni_planner_open(const cni_tree_routes *routes, cni_planner *planner)
{
    uint64_t most = routes->nodes + (uint64_t)routes->shorts * routes->columns;
    const cni_array arrays[] = {CNI_ARRAY(planner->found, routes->nodes),
                                CNI_ARRAY(planner->step, routes->nodes),
                                CNI_ARRAY(planner->draft, most), CNI_ARRAY(planner->order, most)};
    return cni_allocate_arrays(&planner->block, arrays);
}

void cni_planner_close(cni_planner *planner)
{
    cni_release(planner->block);
    *planner = (cni_planner){0};
}

/*
 * The new steps of a path: the steps after *at, the last node that has a place. By digits, two
 * paths may come to a node over different channels; the plan reaches each node once. The last place
 * of a piece is not shared: nodes of short necklaces are leaves.
 */
static size_t walk(const cni_tree_routes *routes, const cni_planner *planner, uint32_t destination,
                   uint32_t start, int piece, uint32_t *at)
{
    size_t count = 0;
    for (uint32_t node = 0; node != destination;) {
        uint32_t port = cni_route_port(routes, node, destination, start);
        node = cni_route_neighbor(routes, node, port);
        planner->step[count++] = (cni_path_step){.node = node, .port = port};
        if (planner->found[node] == 0 || (piece && node == destination))
            continue;
        *at = planner->found[node] - 1;
        count = 0;
    }
    return count;
}

/* The same along a stored tree, the last step first. */
static size_t climb(const cni_tree_routes *routes, const cni_planner *planner,
                    const cni_paths *paths, uint32_t destination, uint32_t *at)
{
    size_t count = 0;
    uint32_t node = destination;
    while (node != paths->source && planner->found[node] == 0) {
        uint32_t channel = paths->inlet[node];
        planner->step[count++] = (cni_path_step){.node = node, .port = channel % routes->degree};
        node = channel / routes->degree;
    }
    if (node != paths->source)
        *at = planner->found[node] - 1;
    return count;
}

/* Adds the places of the path to a destination, or of the path of one of its pieces. */
static void add_path(const cni_tree_routes *routes, cni_planner *planner, const cni_paths *paths,
                     uint32_t destination, uint32_t start, int piece)
{
    uint32_t at = 0;
    size_t count = paths->inlet == NULL ? walk(routes, planner, destination, start, piece, &at)
                                        : climb(routes, planner, paths, destination, &at);
    for (size_t i = 0; i < count; i++) {
        const cni_path_step *step = &planner->step[paths->inlet == NULL ? i : count - 1 - i];
        planner->draft[planner->drafts] = (cni_draft){.node = step->node,
                                                      .parent = at,
                                                      .port = (uint16_t)step->port,
                                                      .level = planner->draft[at].level + 1};
        at = planner->drafts++;
        if (!piece || step->node != destination)
            planner->found[step->node] = at + 1;
    }
    planner->draft[at].delivers = 1;
}

/* Makes the plan from the drafts: numbers the places level by level. */
static cni_plan *put_in_order(cni_planner *planner)
{
    const uint32_t drafts = planner->drafts;
    cni_draft *draft = planner->draft;
    cni_plan *plan = cni_allocate(1, sizeof *plan + (drafts + 1) * sizeof plan->place[0]);
    if (plan == NULL)
        return NULL;
    plan->places = drafts;
    for (uint32_t d = drafts; --d > 0;) {
        draft[d].sibling = draft[draft[d].parent].first_child;
        draft[draft[d].parent].first_child = d;
    }
    uint32_t *order = planner->order, listed = 1;
    order[0] = 0;
    for (uint32_t p = 0; p < drafts; p++) {
        const cni_draft *is = &draft[order[p]];
        plan->place[p] = (cni_place){.first = listed, .port = is->port, .delivers = is->delivers};
        for (uint32_t child = is->first_child; child != 0; child = draft[child].sibling)
            order[listed++] = child;
        plan->height = is->level;
    }
    plan->place[drafts].first = listed;
    return plan;
}

cn_status cni_plan_make(const cni_tree_routes *routes, cni_planner *planner, const cni_paths *paths,
                        const uint32_t destination[], size_t count, cni_plan **plan)
{
    const int by_digits = paths->inlet == NULL;
    planner->drafts = 1;
    planner->draft[0] = (cni_draft){0};
    for (size_t i = 0; i < count; i++) {
        uint32_t pieces = by_digits ? cni_pieces(routes, destination[i]) : 1;
        for (uint32_t p = 0; p < pieces; p++)
            add_path(routes, planner, paths, destination[i],
                     by_digits ? cni_path_start(routes, destination[i], p, paths->turn) : 0,
                     pieces > 1);
    }
    *plan = put_in_order(planner);
    for (uint32_t d = 0; d < planner->drafts; d++)
        planner->found[planner->draft[d].node] = 0;
    return *plan == NULL ? CN_ERR_MEMORY : CN_OK;
}

/* The plan of one collective operation: the union of the paths to all destinations, as a tree. */
#include "simulation/collective/collective_plan.h"

#include "base/memory.h"
#include "base/error.h"

/* A place before the places are put in order. Number 0 ends a chain of siblings, since the root
 * is no child. */
typedef struct cni_draft {
    uint32_t node;
    uint32_t first_child, last_child, sibling;
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

static uint32_t add_draft(cni_planner *planner, uint32_t *drafts, uint32_t parent, uint32_t node,
                          uint32_t port)
{
    cni_draft *draft = planner->draft;
    uint32_t number = (*drafts)++;
    draft[number] =
        (cni_draft){.node = node, .port = (uint16_t)port, .level = draft[parent].level + 1};
    if (draft[parent].last_child == 0)
        draft[parent].first_child = number;
    else
        draft[draft[parent].last_child].sibling = number;
    draft[parent].last_child = number;
    return number;
}

/*
 * The new steps of a path: the steps after *at, the last node that has a place. By digits, two
 * paths may come to a node over different channels; the plan reaches each node once. The last place
 * of a piece is not shared: nodes of short necklaces are leaves.
 */
static const cni_path_step *walk(const cni_tree_routes *routes, const cni_planner *planner,
                                 uint32_t destination, uint32_t start, int piece, uint32_t *at,
                                 size_t *count)
{
    cni_path_step *step = planner->step;
    size_t length = 0, known = 0;
    for (uint32_t node = 0; node != destination; length++) {
        cni_next_hop hop = cni_route_hop(routes, node, destination, start);
        node = hop.to;
        step[length] = (cni_path_step){.node = node, .port = hop.port};
        if (planner->found[node] == 0 || (piece && node == destination))
            continue;
        *at = planner->found[node] - 1;
        known = length + 1;
    }
    *count = length - known;
    return step + known;
}

/* The same along a stored tree, backward from the destination. */
static const cni_path_step *climb(const cni_tree_routes *routes, const cni_planner *planner,
                                  const cni_paths *paths, uint32_t destination, uint32_t *at,
                                  size_t *count)
{
    cni_path_step *end = planner->step + routes->nodes, *step = end;
    uint32_t node = destination;
    while (node != paths->source && planner->found[node] == 0) {
        uint32_t channel = paths->inlet[node];
        *--step = (cni_path_step){.node = node, .port = channel % routes->degree};
        node = channel / routes->degree;
    }
    if (node != paths->source)
        *at = planner->found[node] - 1;
    *count = (size_t)(end - step);
    return step;
}

static void add_path(const cni_tree_routes *routes, cni_planner *planner, const cni_paths *paths,
                     uint32_t *drafts, uint32_t destination, uint32_t start, int piece)
{
    size_t count;
    uint32_t at = 0;
    const cni_path_step *step = paths->inlet == NULL
                                    ? walk(routes, planner, destination, start, piece, &at, &count)
                                    : climb(routes, planner, paths, destination, &at, &count);
    for (size_t i = 0; i < count; i++) {
        at = add_draft(planner, drafts, at, step[i].node, step[i].port);
        if (!piece || step[i].node != destination)
            planner->found[step[i].node] = at + 1;
    }
    planner->draft[at].delivers = 1;
}

static cni_plan *put_in_order(cni_planner *planner, uint32_t drafts)
{
    cni_plan *plan = cni_allocate(1, sizeof *plan + (drafts + 1) * sizeof plan->place[0]);
    if (plan == NULL)
        return NULL;
    plan->places = drafts;
    uint32_t *order = planner->order, listed = 1;
    order[0] = 0;
    for (uint32_t p = 0; p < drafts; p++) {
        const cni_draft *draft = &planner->draft[order[p]];
        plan->place[p] =
            (cni_place){.first = listed, .port = draft->port, .delivers = draft->delivers};
        for (uint32_t child = draft->first_child; child != 0; child = planner->draft[child].sibling)
            order[listed++] = child;
        plan->height = draft->level;
    }
    plan->place[drafts].first = listed;
    return plan;
}

cn_status cni_plan_make(const cni_tree_routes *routes, cni_planner *planner, const cni_paths *paths,
                        const uint32_t destination[], size_t count, cni_plan **plan)
{
    uint32_t drafts = 1;
    planner->draft[0] = (cni_draft){0};
    for (size_t i = 0; i < count; i++) {
        if (paths->inlet != NULL) {
            add_path(routes, planner, paths, &drafts, destination[i], 0, 0);
            continue;
        }
        uint32_t pieces = cni_pieces(routes, destination[i]);
        for (uint32_t p = 0; p < pieces; p++) {
            uint32_t start = cni_piece_start(routes, destination[i], p);
            add_path(routes, planner, paths, &drafts, destination[i],
                     cni_turned(routes, start, paths->turn), pieces > 1);
        }
    }
    *plan = put_in_order(planner, drafts);
    for (uint32_t d = 0; d < drafts; d++)
        planner->found[planner->draft[d].node] = 0;
    return *plan == NULL ? CN_ERR_MEMORY : CN_OK;
}

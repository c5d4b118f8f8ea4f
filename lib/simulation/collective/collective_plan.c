#include "simulation/collective/collective_plan.h"

#include "base/memory.h"
#include "base/error.h"

/* A place before the places are put in order; 0 ends a chain of siblings: the root is nobody's child. */
typedef struct cni_draft {
    uint32_t node; /* relative to the source */
    uint32_t first_child, last_child, sibling;
    uint16_t port, delivers;
    uint32_t level;
} cni_draft;

cn_status cni_planner_open(const cni_tree_routes *routes, cni_planner *planner)
{
    planner->found = cni_allocate(routes->nodes, sizeof *planner->found);
    return planner->found == NULL ? CN_ERR_MEMORY : CN_OK;
}

void cni_planner_close(cni_planner *planner)
{
    cni_release(planner->found);
    cni_release(planner->draft);
    cni_release(planner->order);
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

/* One path from the root. Of its nodes only those after the last one that has a place are added: paths to
 * two nodes may come to a third one over different channels, and it is reached once. The last place of a
 * piece is not shared: nodes of short necklaces are leaves. */
static void add_path(const cni_tree_routes *routes, cni_planner *planner, uint32_t *drafts,
                     uint32_t destination, uint32_t start, int piece)
{
    uint32_t nodes[CNI_ROUTES_COLUMNS], ports[CNI_ROUTES_COLUMNS];
    uint32_t length = 0, known = 0, at = 0;
    for (uint32_t node = 0; node != destination; length++) {
        ports[length] = cni_route_port(routes, node, destination, start);
        node = nodes[length] = cni_route_neighbor(routes, node, ports[length]);
        if (planner->found[node] == 0 || (piece && node == destination))
            continue;
        at = planner->found[node] - 1;
        known = length + 1;
    }
    for (uint32_t i = known; i < length; i++) {
        at = add_draft(planner, drafts, at, nodes[i], ports[i]);
        if (!piece || nodes[i] != destination)
            planner->found[nodes[i]] = at + 1;
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

cn_status cni_plan_make(const cni_tree_routes *routes, cni_planner *planner, uint32_t turn,
                        const uint32_t relative[], size_t count, cni_plan **plan)
{
    size_t most = 1;
    for (size_t i = 0; i < count; i++)
        most += (size_t)cni_pieces(routes, relative[i]) *
                cni_tree_routes_distance(routes, relative[i], 0);
    size_t leaves = routes->nodes + (size_t)routes->shorts * routes->columns;
    most = most < leaves ? most : leaves;
    CNI_TRY(
        cni_grow((void **)&planner->draft, &planner->drafts_room, most, sizeof *planner->draft));
    CNI_TRY(cni_grow((void **)&planner->order, &planner->order_room, most, sizeof *planner->order));
    uint32_t drafts = 1;
    planner->draft[0] = (cni_draft){0};
    for (size_t i = 0; i < count; i++) {
        uint32_t pieces = cni_pieces(routes, relative[i]);
        for (uint32_t p = 0; p < pieces; p++)
            add_path(routes, planner, &drafts, relative[i],
                     cni_turned(routes, cni_piece_start(routes, relative[i], p), turn), pieces > 1);
    }
    *plan = put_in_order(planner, drafts);
    for (uint32_t d = 0; d < drafts; d++)
        planner->found[planner->draft[d].node] = 0;
    return *plan == NULL ? CN_ERR_MEMORY : CN_OK;
}

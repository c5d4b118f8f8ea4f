/* Operations from their start to their last delivery, for all machines. */
#include "simulation/collective/collective_way.h"

#include "base/error.h"
#include "base/memory.h"
#include "scenario/operations.h"
#include "topology/distances/breadth_first.h"
#include "topology/topology.h"

/* ---- how far messages go ---- */

int cni_collective_detours(const cn_scenario *scenario)
{
    return scenario->value[CN_PARAM_DETOURS] != 0.0 && !cni_is_hypercube(scenario->topology);
}

/* The height of the highest tree that a message may follow. */
static cn_status find_height(const cn_scenario *scenario, uint64_t *height)
{
    const cn_topology *topology = scenario->topology;
    const cn_operations *list = cni_operations_of(scenario);
    *height = topology->dimensions;
    if (!cni_goes_by_digits(topology, (uint32_t)scenario->value[CN_PARAM_TREE]))
        CNI_TRY(cni_diameter(topology, scenario->budget, height));
    for (size_t i = 0; list != NULL && i < list->trees; i++)
        for (uint64_t v = 0; v < topology->nodes; v++) {
            uint64_t depth = 0;
            CNI_TRY(cn_tree_depth(list->tree[i], v, &depth));
            *height = depth > *height ? depth : *height;
        }
    return CN_OK;
}

cn_status cni_collective_classes(const cn_scenario *scenario, uint64_t *classes)
{
    uint64_t height;
    CNI_TRY(find_height(scenario, &height));
    *classes = height * (cni_collective_detours(scenario) ? 2 : 1) - (height > 0);
    return CN_OK;
}

/* ---- starting ---- */

/* Chooses all nodes but the source, in the order of their addresses as seen from the source. */
static uint32_t choose_all(cni_collective *run, uint32_t source)
{
    const cn_topology *topology = run->scenario->topology;
    uint32_t nodes = run->routes.nodes;
    for (uint32_t step = 1; step < nodes; step++) {
        uint64_t node = (source + (uint64_t)step) % nodes;
        if (topology->dimensions > 0)
            node = cni_translate(topology, step, source);
        run->chosen[step - 1] = (uint32_t)node;
    }
    return nodes - 1;
}

/* CN_ERR_DISCONNECTED unless the stored tree, if there is one, reaches all chosen nodes. */
static cn_status check_paths(const cni_collective *run, const cni_operation *operation,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count && operation->inlet != NULL; i++)
        if (operation->inlet[run->chosen[i]] == CNI_NO_INLET)
            return cni_fail(CN_ERR_DISCONNECTED,
                            "collective: no path leads from node %lu, where an operation starts, "
                            "to node %lu of %s",
                            (unsigned long)operation->source, (unsigned long)run->chosen[i],
                            run->scenario->topology->name);
    return CN_OK;
}

/* Broadcasts by digits share a plan, that of a broadcast from node 0. */
static cn_status find_plan(cni_collective *run, cni_operation *operation, uint32_t count)
{
    const int is_own = cni_owns_plan(operation);
    cni_plan **plan = is_own ? &operation->plan : &run->whole[operation->turn];
    const cni_paths paths = {
        .inlet = operation->inlet, .source = operation->source, .turn = operation->turn};
    for (uint32_t i = 0; i < count && operation->inlet == NULL && *plan == NULL; i++)
        run->chosen[i] =
            is_own ? cni_tree_routes_relative(&run->routes, run->chosen[i], operation->source)
                   : i + 1;
    if (*plan == NULL)
        CNI_TRY(cni_plan_make(&run->routes, &run->planner, &paths, run->chosen, count, plan));
    operation->plan = *plan;
    return CN_OK;
}

/* Sends one message to each destination, or one for each piece of its message. */
static cn_status send_separately(cni_collective *run, uint32_t index, uint32_t count)
{
    const cni_tree_routes *routes = &run->routes;
    const cni_operation *operation = &run->operation[index];
    const uint32_t source = operation->source;
    for (uint32_t i = 0; i < count; i++) {
        cni_copy copy = {.operation = index, .place = run->chosen[i]};
        if (operation->inlet != NULL) {
            CNI_TRY(cni_pass_on(run, source, &copy, run->machine->push));
            continue;
        }
        uint32_t relative = cni_tree_routes_relative(routes, copy.place, source);
        for (uint32_t p = 0; p < cni_pieces(routes, relative); p++) {
            copy.way = cni_path_start(routes, relative, p, operation->turn);
            CNI_TRY(cni_pass_on(run, source, &copy, run->machine->push));
        }
    }
    return CN_OK;
}

/* The distance of the farthest destination from the source. */
static uint32_t depth_of(const cni_collective *run, const cni_operation *operation, uint32_t count)
{
    const cni_tree_routes *routes = &run->routes;
    if (operation->plan != NULL)
        return operation->plan->height;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count && (operation->inlet != NULL || depth < routes->columns); i++) {
        uint32_t node = run->chosen[i];
        uint32_t distance = operation->inlet != NULL
                                ? cni_source_tree_depth(routes, operation->inlet, node)
                                : cni_tree_routes_distance(routes, operation->source, node);
        depth = distance > depth ? distance : depth;
    }
    return depth;
}

void cni_collective_close_operation(cni_operation *operation)
{
    if (cni_owns_plan(operation))
        cni_release(operation->plan);
    cni_release(operation->partial);
    cni_release(operation->waits);
    operation->plan = NULL;
    operation->partial = NULL;
    operation->waits = NULL;
}

void cni_collective_complete(cni_collective *run, cni_operation *operation)
{
    run->total[CNI_COUNT_OPERATIONS]++;
    run->total[CNI_COUNT_OPERATION_TIME] += run->cycle - operation->start;
    cni_collective_close_operation(operation);
}

/* The destinations of all but a broadcast are in run->chosen. */
cn_status cni_collective_prepare(cni_collective *run, cni_operation *operation, uint32_t *count)
{
    CNI_TRY(cni_source_tree(&run->routes, &run->trees, operation->source, &operation->inlet));
    if (operation->broadcast)
        *count =
            operation->inlet != NULL ? choose_all(run, operation->source) : run->routes.nodes - 1;
    CNI_TRY(check_paths(run, operation, *count));
    if (*count == 0)
        return CN_OK;
    operation->kind = operation->injected ? CN_OPERATIONS_OUTWARD : run->kind & 3;
    if (operation->kind == CN_OPERATIONS_CONCENTRATION) {
        operation->waits = cni_allocate(run->routes.nodes, sizeof *operation->waits);
        CNI_TRY_MEMORY(operation->waits);
    }
    if (operation->kind != CN_OPERATIONS_OUTWARD)
        return CN_OK;
    if (operation->inlet == NULL && run->routes.shorts > 0) {
        operation->partial = cni_allocate(run->routes.shorts, 1);
        CNI_TRY_MEMORY(operation->partial);
    }
    if (operation->inlet == NULL && run->tree == CN_TREE_TURNED)
        operation->turn = cni_collective_random_turn(run, operation) & 31;
    operation->spreads = run->spreading && !operation->broadcast && !run->clubbing &&
                         !cni_source_tree_is_given(&run->trees, operation->source);
    if (operation->broadcast || run->clubbing)
        CNI_TRY(find_plan(run, operation, *count));
    return CN_OK;
}

cn_status cni_collective_start(cni_collective *run, size_t index, uint32_t count)
{
    cni_operation *operation = &run->operation[index];
    CNI_TRY(cni_collective_prepare(run, operation, &count));
    if (count == 0) {
        cni_collective_complete(run, operation);
        return CN_OK;
    }
    uint64_t deepest = operation->start + depth_of(run, operation, count);
    run->deepest = deepest > run->deepest ? deepest : run->deepest;
    const uint32_t chosen = count;
    if (operation->waits != NULL)
        count = cni_collective_count_edges(operation, &run->routes, run->chosen, chosen);
    operation->missing = count;
    run->missing += count;
    run->total[CNI_COUNT_OFFERED] += count;
    if (run->counts.words > 0) {
        run->counts.accepted[operation->source] += count;
        run->counts.offered[operation->source] += count;
        cni_counts_join(&run->counts, operation->source, count * run->cycle);
    }
    if (operation->kind != CN_OPERATIONS_OUTWARD)
        return cni_collective_start_inward(run, (uint32_t)index, chosen);
    if (operation->plan == NULL)
        return send_separately(run, (uint32_t)index, count);
    cni_copy copy = {.operation = (uint32_t)index};
    return cni_pass_on(run, operation->source, &copy, run->machine->push);
}

cn_status cni_collective_start_due(cni_collective *run)
{
    while (run->started < run->own_operations && run->operation[run->started].start <= run->cycle) {
        const cni_operation *operation = &run->operation[run->started];
        uint32_t count = operation->broadcast ? 0 : cni_collective_choose(run, operation);
        run->started++;
        CNI_TRY(cni_collective_start(run, run->started - 1, count));
    }
    return CN_OK;
}

/* ---- on the way ---- */

/* Lists an injected operation whose last destination has the message now. */
static void arrive_injected(cni_collective *run, const cni_operation *operation, uint32_t node,
                            uint32_t hops)
{
    run->arrived[run->arrivals] = (cni_collective_arrival){
        .order = run->arrivals,
        .delivery = {.tag = operation->tag,
                     .source = operation->source,
                     .destination = operation->broadcast ? CN_ALL_NODES : node,
                     .injected = operation->start,
                     .delivered = run->cycle,
                     .hops = hops,
                     .flits = 1}};
    run->arrivals++;
    run->awaited--;
}

/* 1 when the node has all pieces of its message. */
static int is_whole(const cni_collective *run, const cni_operation *operation, uint32_t node)
{
    uint32_t pieces;
    uint8_t *left = cni_pieces_left(&run->routes, operation, node, &pieces);
    if (left != NULL)
        *left = (uint8_t)((*left == 0 ? pieces : *left) - 1);
    return left == NULL || *left == 0;
}

uint32_t cni_collective_tell(cni_collective *run, const cni_moved *come, uint32_t onward,
                             uint32_t ends)
{
    const uint32_t node = come->node;
    cni_operation *operation = &run->operation[come->copy.operation];
    if (run->counts.words > 0)
        run->counts.forwarded[node] += onward > 0;
    if (!ends || !is_whole(run, operation, node))
        return 0;
    if (run->counts.words > 0) {
        run->counts.delivered[node] += 1;
        run->counts.offered[operation->source] -= 1;
        cni_counts_leave(&run->counts, operation->source, run->cycle);
        cni_histogram_count(run->counts.hops, cni_hops(&come->copy));
    }
    if (run->witness != NULL)
        run->witness(run->witness_user, operation->number, node, run->cycle);
    if (operation->injected && operation->missing == 1)
        arrive_injected(run, operation, node, cni_hops(&come->copy));
    return 1;
}

/* Operations from their start to their last delivery: what is the same for all machines. */
#include "simulation/collective/collective.h"

#include "base/error.h"
#include "base/memory.h"

/* ---- starting ---- */

static cn_status make_whole(cni_collective *run, uint32_t turn)
{
    uint32_t others = run->routes.nodes - 1;
    for (uint32_t i = 0; i < others; i++)
        run->chosen[i] = i + 1;
    return cni_plan_make(&run->routes, &run->planner, turn, run->chosen, others, &run->whole[turn]);
}

static cn_status make_plan(cni_collective *run, cni_operation *operation, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        run->chosen[i] = cni_tree_routes_relative(&run->routes, run->chosen[i], operation->source);
    return cni_plan_make(&run->routes, &run->planner, operation->turn, run->chosen, count,
                         &operation->plan);
}

/* A separate message to each destination, or one for each of its pieces. */
static cn_status send_separately(cni_collective *run, uint32_t index, uint32_t count)
{
    const cni_tree_routes *routes = &run->routes;
    uint32_t source = run->operation[index].source;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t relative = cni_tree_routes_relative(routes, run->chosen[i], source);
        for (uint32_t p = 0; p < cni_pieces(routes, relative); p++) {
            cni_copy copy = {.operation = index, .place = run->chosen[i]};
            uint32_t start = cni_piece_start(routes, relative, p);
            copy.start = cni_turned(routes, start, run->operation[index].turn) & 31;
            CNI_TRY(cni_collective_pass_on(run, source, &copy, CNI_NONE));
        }
    }
    return CN_OK;
}

/* Distance of the farthest destination from the source. */
static uint32_t depth_of(const cni_collective *run, const cni_operation *operation, uint32_t count)
{
    if (operation->plan != NULL)
        return operation->plan->height;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t distance =
            cni_tree_routes_distance(&run->routes, operation->source, run->chosen[i]);
        depth = distance > depth ? distance : depth;
    }
    return depth;
}

static void complete(cni_collective *run, cni_operation *operation)
{
    run->complete++;
    run->operation_time += run->cycle - operation->start;
    if (!operation->broadcast)
        cni_release(operation->plan);
    cni_release(operation->partial);
    operation->plan = NULL;
    operation->partial = NULL;
}

/* With the destinations of all but a broadcast in run->chosen. */
cn_status cni_collective_start(cni_collective *run, size_t index, uint32_t count)
{
    cni_operation *operation = &run->operation[index];
    cn_status status = CN_OK;
    if (run->routes.shorts > 0) {
        operation->partial = cni_allocate(run->routes.shorts, 1);
        status = operation->partial == NULL ? CN_ERR_MEMORY : CN_OK;
    }
    CNI_TRY(status);
    if (run->tree == CN_TREE_TURNED)
        operation->turn = cni_collective_random_turn(run, operation) & 31;
    if (operation->broadcast && run->whole[operation->turn] == NULL)
        CNI_TRY(make_whole(run, operation->turn));
    if (operation->broadcast)
        operation->plan = run->whole[operation->turn];
    operation->missing = operation->broadcast ? run->routes.nodes - 1 : count;
    uint64_t deepest = operation->start + depth_of(run, operation, count);
    if (operation->missing > 0 && deepest > run->deepest)
        run->deepest = deepest;
    run->offered += operation->missing;
    if (operation->missing == 0) {
        complete(run, operation);
        return CN_OK;
    }
    if (!operation->broadcast && !run->clubbing)
        return send_separately(run, (uint32_t)index, count);
    if (!operation->broadcast)
        CNI_TRY(make_plan(run, operation, count));
    cni_copy copy = {.operation = (uint32_t)index};
    return cni_collective_pass_on(run, operation->source, &copy, CNI_NONE);
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

/* The last destination of an injected operation has got it. */
static void arrive_injected(cni_collective *run, const cni_operation *operation, uint32_t node)
{
    run->arrived[run->arrivals] = (cni_collective_arrival){
        .order = run->arrivals,
        .delivery = {.tag = operation->tag,
                     .source = operation->source,
                     .destination = operation->broadcast ? CN_ALL_NODES : node,
                     .injected = operation->start,
                     .delivered = run->cycle}};
    run->arrivals++;
    run->awaited--;
}

/* 1 when the node has all pieces of its message. */
static int is_whole(cni_collective *run, cni_operation *operation, uint32_t node)
{
    if (operation->partial == NULL)
        return 1;
    uint32_t relative = cni_tree_routes_relative(&run->routes, node, operation->source);
    uint32_t number = run->routes.short_number[relative];
    return number == CNI_NO_SHORT || ++operation->partial[number] == run->routes.pieces[relative];
}

void cni_collective_deliver(cni_collective *run, uint32_t node, const cni_copy *copy)
{
    cni_operation *operation = &run->operation[copy->operation];
    if (copy->detour == CNI_AWAY)
        return;
    if (operation->plan == NULL ? copy->place != node
                                : !operation->plan->place[copy->place].delivers)
        return;
    if (!is_whole(run, operation, node))
        return;
    uint64_t delay = run->cycle - operation->start;
    run->delivered++;
    run->delay += delay;
    cni_histogram_add(&run->delays, delay);
    run->last_delivery = run->cycle;
    if (run->witness != NULL)
        run->witness(run->witness_user, operation->number, node, run->cycle);
    if (--operation->missing > 0)
        return;
    if (operation->injected)
        arrive_injected(run, operation, node);
    complete(run, operation);
}

/* The adaptive rule (Ziavras & Krishnamurthy 1999, 7): where others are in line, over an empty channel
 * to a neighbour of the next node; the neighbours that two neighbours have in common lie in the
 * dimension in which they differ. */
static void settle_port(const cni_collective *run, uint32_t node, uint32_t port, cni_copy *copy)
{
    copy->port = port & 0xffff;
    if (!run->detours || copy->detour == CNI_BACK || run->machine->is_empty(run, node, port))
        return;
    uint32_t base = run->routes.port_base[run->routes.column_of_port[port]];
    uint32_t ports = run->routes.radix - 1;
    for (uint32_t x = 1; x < ports; x++) {
        uint32_t other = base + (port - base + x) % ports;
        if (run->machine->is_empty(run, node, other)) {
            copy->port = other & 0xffff;
            copy->detour = CNI_AWAY;
            return;
        }
    }
}

/* The port from the far end of a detour to the node that it goes round to. */
static uint32_t port_back(const cni_tree_routes *routes, uint32_t taken, uint32_t meant)
{
    uint32_t base = routes->port_base[routes->column_of_port[taken]], k = routes->radix;
    return base + (meant + k - taken) % k - 1; /* both lead that many digits and one up */
}

/* A copy takes its place in line. */
static cn_status put_in_line(cni_collective *run, uint32_t node, const cni_copy *copy,
                             uint32_t holder)
{
    if (run->given != NULL)
        run->given[(size_t)node * run->routes.degree + copy->port]++;
    return run->machine->push(run, node, copy, holder);
}

/* Where a separate message goes on. */
static uint32_t next_port(const cni_collective *run, uint32_t node, const cni_copy *copy)
{
    if (!run->spreading)
        return cni_route_port(&run->routes, node, copy->place, copy->start);
    return cni_route_least_used(&run->routes, node, copy->place, copy->start,
                                run->given + (size_t)node * run->routes.degree);
}

cn_status cni_collective_pass_on(cni_collective *run, uint32_t node, const cni_copy *copy,
                                 uint32_t holder)
{
    const cni_plan *plan = run->operation[copy->operation].plan;
    cni_copy next = *copy;
    next.detour = copy->detour == CNI_AWAY ? CNI_BACK : CNI_DIRECT;
    if (plan == NULL) {
        settle_port(run, node, next_port(run, node, copy), &next);
        return put_in_line(run, node, &next, holder);
    }
    if (copy->detour == CNI_AWAY) {
        next.port = port_back(&run->routes, copy->port, plan->place[copy->place].port) & 0xffff;
        return put_in_line(run, node, &next, holder);
    }
    uint32_t end = plan->place[copy->place + 1].first;
    for (next.place = plan->place[copy->place].first; next.place < end; next.place++) {
        next.detour = CNI_DIRECT;
        settle_port(run, node, plan->place[next.place].port, &next);
        CNI_TRY(put_in_line(run, node, &next, holder));
    }
    return CN_OK;
}

/*
 * Messages to one node (Ginosar & Egozi 1989, 5.2): up the stored tree of an operation, from its
 * destinations to its source.
 *
 * In a concentration, the inverse of a broadcast, one message crosses each edge: a node sends when
 * all sending nodes below it have sent. waits[node] tells whether the node will send or has sent,
 * and the number of children for which it still waits.
 */
#include "simulation/collective/collective_way.h"

#include "base/archive.h"

enum { SENDS = 1, HAS_SENT = 2, CHILD = 4 };

/* Sends the message of a node to the parent. */
static cn_status send_to_parent(cni_collective *run, uint32_t index, uint32_t node)
{
    cni_operation *operation = &run->operation[index];
    cni_copy copy = {.operation = index,
                     .place = operation->inlet[node] / run->routes.degree,
                     .port = (uint16_t)cni_port_up(run, operation, node)};
    operation->waits[node] |= HAS_SENT;
    return cni_put_in_line(run, node, &copy, run->machine->push);
}

/* Marks a node and all nodes above it as sending. Returns the number of nodes that were not
 * marked before. */
static uint32_t let_wait(cni_operation *operation, const cni_tree_routes *routes, uint32_t node)
{
    uint32_t count = 0;
    for (; node != operation->source && operation->waits[node] % CHILD == 0; count++) {
        operation->waits[node] |= SENDS;
        node = operation->inlet[node] / routes->degree;
        operation->waits[node] += CHILD;
    }
    return count;
}

uint32_t cni_collective_count_edges(cni_operation *operation, const cni_tree_routes *routes,
                                    const uint32_t chosen[], uint32_t count)
{
    uint32_t edges = 0;
    for (uint32_t i = 0; i < count; i++)
        edges += let_wait(operation, routes, chosen[i]);
    return edges;
}

cn_status cni_collective_start_inward(cni_collective *run, uint32_t index, uint32_t count)
{
    const cni_operation *operation = &run->operation[index];
    const cni_copy copy = {.operation = index, .place = operation->source};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = run->chosen[i];
        if (operation->waits == NULL)
            CNI_TRY(cni_pass_on(run, node, &copy, run->machine->push));
        else if (operation->waits[node] < CHILD)
            CNI_TRY(send_to_parent(run, index, node));
    }
    return CN_OK;
}

cn_status cni_collective_concentrate(cni_collective *run, const cni_moved *come)
{
    const cni_operation *operation = &run->operation[come->copy.operation];
    if (operation->waits == NULL || come->node == operation->source)
        return CN_OK;
    operation->waits[come->node] -= CHILD;
    return operation->waits[come->node] < CHILD
               ? send_to_parent(run, come->copy.operation, come->node)
               : CN_OK;
}

cn_status cni_collective_await(cni_collective *run, cni_operation *operation, uint32_t node,
                               uint32_t parent)
{
    const uint32_t degree = run->routes.degree;
    if (operation->waits == NULL)
        return CN_OK;
    CNI_ALLOW(node != operation->source && operation->inlet[node] != CNI_NO_INLET &&
                  operation->inlet[node] / degree == parent && operation->waits[node] == 0,
              "the node of a copy");
    for (uint32_t above = parent; above != operation->source;
         above = operation->inlet[above] / degree)
        CNI_ALLOW((operation->waits[above] & HAS_SENT) == 0, "a copy above another");
    uint32_t count = let_wait(operation, &run->routes, node);
    operation->missing += count;
    run->missing += count;
    operation->waits[node] |= HAS_SENT;
    return CN_OK;
}

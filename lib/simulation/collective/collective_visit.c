/*
 * The state of a collective run in a snapshot: the operations that the caller injected, the copies
 * in line, and the counts. Reading makes trees and plans again; an operation misses the
 * destinations to which its copies lead.
 */
#include "base/error.h"
#include "base/memory.h"
#include "simulation/collective/collective.h"
#include "simulation/kernel/mailbox.h"
#include "topology/topology.h"

enum { MOST_HOPS = 1 << 24 }; /* the field of a copy holds more */

/* ---- copies ---- */

void cni_collective_visit_copy(cni_archive *archive, cni_copy *copy)
{
    uint32_t hops = cni_hops(copy);
    uint8_t start = (uint8_t)cni_start(copy), detour = (uint8_t)cni_detour(copy);
    cni_archive_u32s(archive, &copy->operation, 1);
    cni_archive_u32s(archive, &copy->place, 1);
    cni_archive_u16s(archive, &copy->port, 1);
    cni_archive_u16s(archive, &copy->back, 1);
    cni_archive_u32s(archive, &hops, 1);
    cni_archive_u8s(archive, &start, 1);
    cni_archive_u8s(archive, &detour, 1);
    if (!cni_archive_reads(archive))
        return;
    copy->way = (hops <= MOST_HOPS ? hops : MOST_HOPS) * CNI_ONE_HOP;
    copy->way |= start & ((1 << CNI_START_BITS) - 1);
    cni_set_detour(copy, detour & ((1 << CNI_DETOUR_BITS) - 1));
}

cn_status cni_collective_check_port(cni_collective *run, uint32_t node, const cni_copy *copy,
                                    uint32_t *to)
{
    CNI_ALLOW(copy->port < cni_route_degree(&run->routes, node), "the port of a copy");
    if (run->given != NULL)
        run->given[(size_t)node * run->routes.degree + copy->port]++;
    *to = cni_route_neighbor(&run->routes, node, copy->port);
    return CN_OK;
}

/* ---- what operations expect ---- */

/* Finds the nodes of the places of a plan. */
static cn_status find_places(const cni_collective *run, const cni_operation *operation,
                             uint32_t **where)
{
    const cni_plan *plan = operation->plan;
    uint32_t *node = *where = cni_allocate(plan->places, sizeof *node);
    CNI_TRY_MEMORY(node);
    node[0] = operation->source;
    for (uint32_t p = 0; p < plan->places; p++)
        for (uint32_t child = plan->place[p].first; child < plan->place[p + 1].first; child++)
            node[child] = cni_route_neighbor(&run->routes, node[p], plan->place[child].port);
    return CN_OK;
}

/* Prepares an operation of which a copy leads to this place. */
static cn_status prepare(cni_collective_visit *v, size_t index, uint32_t place)
{
    cni_collective *run = v->run;
    cni_operation *operation = &run->operation[index];
    cni_collective_expected *expected = &v->expected[index];
    expected->count = 1;
    run->chosen[0] = run->clubbing ? operation->destination : place;
    if (!operation->injected && !operation->broadcast)
        expected->count = cni_collective_choose(run, operation);
    CNI_ALLOW(operation->broadcast || run->chosen[0] < run->routes.nodes,
              "the destination of a copy");
    cn_status status = cni_collective_prepare(run, operation, &expected->count);
    CNI_ALLOW(status != CN_ERR_DISCONNECTED, "the destination of a copy");
    CNI_TRY(status);
    expected->is_prepared = 1;
    return operation->plan == NULL ? CN_OK : find_places(run, operation, &expected->where);
}

/* Expects one more message, or piece of a message, at a node. */
static cn_status expect_at(const cni_collective_visit *v, size_t index, uint32_t node)
{
    cni_operation *operation = &v->run->operation[index];
    uint32_t pieces;
    uint8_t *left = cni_pieces_left(&v->run->routes, operation, node, &pieces);
    uint32_t is_first = left == NULL || (*left)++ == 0;
    CNI_ALLOW(left == NULL || *left <= pieces, "a piece that there is not");
    operation->missing += is_first;
    CNI_ALLOW(operation->missing <= v->expected[index].count, "too many copies");
    v->run->missing += is_first;
    return CN_OK;
}

/* Expects deliveries at all destinations below a place of a plan, level by level. */
static cn_status expect_below(const cni_collective_visit *v, size_t index, uint32_t place)
{
    const cni_plan *plan = v->run->operation[index].plan;
    for (uint32_t first = place, end = place + 1; first < end;) {
        for (uint32_t p = first; p < end; p++)
            if (plan->place[p].delivers)
                CNI_TRY(expect_at(v, index, v->expected[index].where[p]));
        first = plan->place[first].first;
        end = plan->place[end].first;
    }
    return CN_OK;
}

/* Whether a path leads on for a separate message at a node, after its detour if it makes one. */
static int can_go_on(const cni_collective *run, const cni_operation *operation, uint32_t node,
                     const cni_copy *copy)
{
    uint32_t above = copy->place;
    if (operation->inlet == NULL)
        return cni_start(copy) < run->routes.columns;
    if (operation->spreads)
        return node == above || cni_routing_ports(run->shortest, node, 0, above) != 0;
    while (above != node && operation->inlet[above] != CNI_NO_INLET)
        above = operation->inlet[above] / run->routes.degree;
    return above == node;
}

cn_status cni_collective_expect(cni_collective_visit *v, uint32_t node, const cni_copy *copy)
{
    cni_collective *run = v->run;
    size_t index = copy->operation;
    uint32_t after = node;
    CNI_ALLOW(index < run->operations && (index < run->started || (index >= run->own_operations &&
                                                                   v->expected[index].is_there)),
              "the operation of a copy");
    if (!v->expected[index].is_prepared)
        CNI_TRY(prepare(v, index, copy->place));
    const cni_operation *operation = &run->operation[index];
    CNI_ALLOW(cni_detour(copy) <= CNI_BACK && (cni_detour(copy) == CNI_DIRECT || run->detours) &&
                  cni_hops(copy) < MOST_HOPS,
              "the detour of a copy");
    if (cni_detour(copy) == CNI_AWAY) {
        CNI_ALLOW(copy->back < cni_route_degree(&run->routes, node), "the way back of a copy");
        if (!operation->spreads)
            after = cni_route_neighbor(&run->routes, node, copy->back);
    }
    if (operation->kind != CN_OPERATIONS_OUTWARD) {
        uint32_t place = operation->waits != NULL ? node : operation->source;
        CNI_ALLOW(copy->place == place &&
                      (node == operation->source || operation->inlet[node] != CNI_NO_INLET),
                  "the destination of a copy");
        return operation->waits != NULL ? CN_OK : expect_at(v, index, node);
    }
    if (operation->plan != NULL) {
        CNI_ALLOW(copy->place > 0 && copy->place < operation->plan->places &&
                      v->expected[index].where[copy->place] == after,
                  "the place of a copy");
        return expect_below(v, index, copy->place);
    }
    CNI_ALLOW(copy->place < run->routes.nodes && copy->place != operation->source &&
                  (cni_detour(copy) != CNI_AWAY || copy->place != node),
              "the destination of a copy");
    CNI_ALLOW(can_go_on(run, operation, after, copy), "the path of a copy");
    return expect_at(v, index, copy->place);
}

/* ---- operations that were injected ---- */

static cn_status visit_operation(cni_collective_visit *v, size_t index)
{
    cni_collective *run = v->run;
    cni_operation *operation = &run->operation[index];
    uint8_t is_there = operation->missing > 0, broadcast = operation->broadcast;
    uint32_t destination = operation->plan != NULL && !broadcast ? operation->destination : 0;
    cni_archive_u8s(v->archive, &is_there, 1);
    if (!is_there)
        return CN_OK;
    cni_archive_u64s(v->archive, &operation->start, 1);
    cni_archive_u64s(v->archive, &operation->tag, 1);
    cni_archive_u32s(v->archive, &operation->source, 1);
    cni_archive_u32s(v->archive, &destination, 1);
    cni_archive_u8s(v->archive, &broadcast, 1);
    CNI_ALLOW(is_there == 1 && operation->start <= run->cycle &&
                  operation->source < run->routes.nodes && destination < run->routes.nodes &&
                  broadcast <= 1,
              "an operation");
    if (!cni_archive_reads(v->archive))
        return CN_OK;
    operation->broadcast = (unsigned)broadcast & 1;
    v->expected[index].is_there = 1;
    operation->destination = destination;
    run->awaited++;
    return CN_OK;
}

static cn_status visit_operations(cni_collective_visit *v)
{
    cni_collective *run = v->run;
    uint64_t count = run->operations - run->own_operations;
    CNI_TRY(cni_archive_count(v->archive, &count, 1));
    CNI_ALLOW(count < CNI_NONE - run->own_operations, "the number of operations");
    if (cni_archive_reads(v->archive)) {
        uint64_t all = run->own_operations + count;
        CNI_TRY(cni_grow(&run->operation, &run->operations_room, all, sizeof *run->operation));
        v->expected = cni_allocate(all, sizeof *v->expected);
        CNI_TRY_MEMORY(v->expected);
    }
    for (uint64_t i = 0; i < count; i++) {
        size_t index = run->own_operations + (size_t)i;
        if (cni_archive_reads(v->archive)) {
            run->operation[index] = (cni_operation){.number = (uint32_t)index, .injected = 1};
            run->operations++;
        }
        CNI_TRY(visit_operation(v, index));
    }
    return CN_OK;
}

/* ---- counts ---- */

static cn_status visit_numbers(cni_collective *run, cni_archive *archive)
{
    uint64_t started = run->started;
    uint64_t *const numbers[] = {&run->cycle,
                                 &started,
                                 &run->total[CNI_COUNT_OFFERED],
                                 &run->total[CNI_COUNT_DELIVERED],
                                 &run->total[CNI_COUNT_DELAY],
                                 &run->total[CNI_COUNT_TRANSMISSIONS],
                                 &run->total[CNI_COUNT_CONTENTIONS],
                                 &run->total[CNI_COUNT_OPERATIONS],
                                 &run->total[CNI_COUNT_OPERATION_TIME],
                                 &run->last_delivery,
                                 &run->deepest,
                                 &run->bound};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        cni_archive_u64s(archive, numbers[i], 1);
    cni_archive_u32s(archive, &run->peak_buffer, 1);
    cni_archive_u32s(archive, &run->peak_channel, 1);
    CNI_ALLOW(started <= run->own_operations, "the number of operations that have started");
    if (cni_archive_reads(archive))
        run->started = (size_t)started;
    return CN_OK;
}

static void visit_loads(cni_archive *archive, uint32_t load[], uint32_t since[], uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t none = 0;
        cni_archive_u32s(archive, &load[i], 1);
        cni_archive_u32s(archive, since != NULL ? &since[i] : &none, 1);
    }
}

static cn_status visit_tables(cni_collective *run, cni_archive *archive)
{
    uint64_t channels = (uint64_t)run->routes.nodes * run->routes.degree;
    cni_histogram *delays = &run->delays;
    visit_loads(archive, run->load, run->passed == NULL ? run->since : NULL, channels);
    if (run->passed != NULL)
        visit_loads(archive, run->passed, run->since, run->routes.nodes);
    if (run->spreading)
        cni_archive_u32s(archive, run->given, channels);
    else if (run->given != NULL && cni_archive_reads(archive))
        for (uint64_t c = 0; c < channels; c++)
            run->given[c] += run->load[c]; /* beside the copies in line */
    CNI_TRY(cni_archive_histogram(archive, &delays, 1));
    return cni_counts_visit(archive, &run->counts, NULL, 1);
}

/* Visits the deliveries that the caller has not fetched; reading sorts them again. */
static cn_status visit_arrivals(cni_collective *run, cni_archive *archive)
{
    uint64_t count = run->arrivals - run->fetched;
    CNI_TRY(cni_archive_count(archive, &count, 64)); /* bytes of a delivery */
    if (cni_archive_reads(archive)) {
        CNI_TRY(cni_grow(&run->arrived, &run->arrived_room, count + run->awaited,
                         sizeof *run->arrived));
        run->arrivals = (size_t)count;
    }
    for (size_t i = run->fetched; i < run->arrivals; i++) {
        cni_archive_delivery(archive, &run->arrived[i].delivery);
        if (cni_archive_reads(archive))
            run->arrived[i].order = i;
    }
    return CN_OK;
}

/* ---- all ---- */

static cn_status visit_parts(cni_collective_visit *v)
{
    cni_collective *run = v->run;
    if (run->failed != CN_OK)
        return cni_fail(CN_ERR_STATE,
                        "cn_sim_save: an operation could not be started as a whole: %s",
                        cn_status_text(run->failed));
    CNI_TRY(visit_numbers(run, v->archive));
    CNI_TRY(visit_operations(v));
    CNI_TRY(run->machine->visit(v));
    CNI_TRY(visit_tables(run, v->archive));
    return visit_arrivals(run, v->archive);
}

cn_status cni_collective_visit_run(void *state, cni_archive *archive)
{
    cni_collective_visit v = {.run = state, .archive = archive};
    cn_status status = visit_parts(&v);
    for (size_t i = 0; v.expected != NULL && i < v.run->operations; i++)
        cni_release(v.expected[i].where);
    cni_release(v.expected);
    return status;
}

/*
 * The two machines that reproduce Ziavras & Krishnamurthy 1999, Tables 3-14: a channel carries any number
 * of copies, and what is scarce is how many copies a node handles in a cycle. Multicasts: a node sends
 * at most b from one queue, first come first served. Broadcasts: a node accepts at most b of those that
 * its neighbours have for it, last come first served, where in a cycle the copies that go on come after those
 * that set out. In which order is nowhere said; the cycles of Table 3
 * tell (docs/collective-tables.md), those of the other tables hardly depend on it.
 */
#include "simulation/collective/collective_lines.h"

#include <string.h>

#include "base/error.h"
#include "base/inline.h"
#include "base/memory.h"
#include "simulation/collective/collective_way.h"

/* So many steps before it is used, what lies far away in memory is fetched, and twice as many before, what tells
 * where it is. Lists go on so far behind their ends. */
enum { AHEAD = 12, BEHIND = 2 * AHEAD };

typedef struct paper {
    cni_lines lines;
    uint64_t *busy;  /* nodes whose line is not empty, */
    uint32_t *turn;  /* and the order in which they are served in this cycle */
    cni_moved *ends; /* those that come in this cycle and are for the node, */
    cni_moved *goes; /* and those that go on */
    cni_moved *join; /* the lines of other nodes at its end */
    size_t come_room, join_room, join_count;
    /* Channels: what is counted by channel is far away in memory, so it is counted once all have crossed. */
    uint32_t *crossed;
    size_t crossed_room, crossed_count;
    /* Adaptive, else NULL: copies in line for each channel, but for those of the channels that are listed behind. */
    uint32_t *waiting_for, *uncounted;
    size_t uncounted_room, uncounted_count;
} paper;

static void close_paper(cni_collective *run)
{
    paper *own = run->own;
    if (own == NULL)
        return;
    cni_lines_close(&own->lines);
    cni_release(own->busy);
    cni_release(own->turn);
    cni_release(own->ends);
    cni_release(own->goes);
    cni_release(own->join);
    cni_release(own->crossed);
    cni_release(own->waiting_for);
    cni_release(own->uncounted);
    cni_release(own);
    run->own = NULL;
}

static cn_status open_paper(cni_collective *run)
{
    size_t nodes = run->routes.nodes;
    paper *own = run->own = cni_allocate(1, sizeof *own);
    if (own == NULL)
        return CN_ERR_MEMORY;
    CNI_TRY(cni_lines_open(nodes, &own->lines));
    own->busy = cni_allocate(cni_set_words(nodes), sizeof *own->busy);
    own->turn = cni_allocate(nodes + BEHIND, sizeof *own->turn);
    if (run->detours)
        own->waiting_for =
            cni_allocate((uint64_t)nodes * run->routes.degree, sizeof *own->waiting_for);
    int made =
        own->busy != NULL && own->turn != NULL && (own->waiting_for != NULL || !run->detours);
    return made ? CN_OK : CN_ERR_MEMORY;
}

/* ---- lines ---- */

/* A copy takes its place in line. */
CNI_INLINE cn_status join(cni_collective *run, const cni_moved *m, int last_come_first, int fresh)
{
    paper *own = run->own;
    CNI_TRY(cni_line_join(&own->lines, m, last_come_first, fresh));
    cni_set_add(own->busy, m->node);
    run->queued++;
    if (own->lines.line[m->node].length > run->peak_buffer)
        run->peak_buffer = own->lines.line[m->node].length;
    return CN_OK;
}

/* Nodes in the order of this cycle; their number. Room for what will come from them. */
static cn_status list_turns(cni_collective *run, uint32_t *count)
{
    paper *own = run->own;
    cni_set_walk walk = cni_set_begin(own->busy, cni_set_words(run->routes.nodes), run->cycle);
    uint32_t turns = 0;
    for (uint32_t node; cni_set_next(&walk, &node);)
        own->turn[turns++] = node;
    for (uint32_t i = 0; i < BEHIND; i++)
        own->turn[turns + i] = 0;
    *count = turns;
    uint64_t most = (uint64_t)turns * run->buffers;
    most = (most > 0 && most < run->queued ? most : run->queued) + BEHIND;
    size_t ends = own->come_room, goes = ends;
    if (most <= own->come_room)
        return CN_OK;
    CNI_TRY(cni_grow(&own->ends, &ends, most, sizeof *own->ends));
    CNI_TRY(cni_grow(&own->goes, &goes, most, sizeof *own->goes));
    own->come_room = goes;
    return CN_OK;
}

/* A line that is served later, and the copies that will leave one soon: as many as stand in two rows of the cache. */
CNI_INLINE void fetch_turns(const paper *own, const uint32_t turn[], int last_come_first)
{
    const cni_line *soon = &own->lines.line[turn[AHEAD]];
    const cni_copy *copy = soon->copy + soon->first;
    CNI_PREFETCH(&own->lines.line[turn[BEHIND]]);
    if (last_come_first)
        copy += soon->length - (soon->length < 5 ? soon->length : 5);
    CNI_PREFETCH(copy);
    CNI_PREFETCH(copy + 4);
}

/* The number that goes in this cycle out of a line. */
static inline uint32_t turn_of(const cni_collective *run, const cni_line *from)
{
    uint32_t length = from->length;
    return run->buffers == 0 || length < run->buffers ? length : run->buffers;
}

/* So many have left a line. */
static inline void shorten(cni_collective *run, uint32_t node, cni_line *from, uint32_t left)
{
    run->queued -= left;
    from->length -= left;
    if (from->length > 0)
        return;
    from->first = 0;
    cni_set_remove(((paper *)run->own)->busy, node);
}

/* The ends of lists that grow. */
typedef struct tails {
    cni_moved *ends, *goes;
} tails;

/* A copy comes over its channel. */
CNI_INLINE void sort_copy(cni_collective *run, tails *t, uint32_t node, const cni_copy *copy,
                          const cni_plan *plan, int detours)
{
    cni_fate fate = cni_fate_of(plan, node, copy, detours);
    if (CNI_RARELY(run->counts.words > 0))
        run->counts.forwarded[node] += fate.onward > 0;
    t->ends->node = t->goes->node = node;
    t->ends->copy = t->goes->copy = *copy;
    t->ends->copy.way = t->goes->copy.way = copy->way + CNI_ONE_HOP;
    t->ends += fate.ends;
    t->goes += fate.onward > 0;
}

/* What still waits is counted, what is for the nodes is delivered. */
static void deliver_all(cni_collective *run, const tails *t)
{
    paper *own = run->own;
    run->contentions += run->queued;
    cni_collective_deliver(run, own->ends, (size_t)(t->ends - own->ends));
}

/* Before those that move join lines. */
static void end_list(cni_moved *end)
{
    for (size_t i = 0; i < BEHIND; i++)
        end[i].node = 0;
}

/* A line that is joined later, and the place that a copy takes soon. */
CNI_INLINE void fetch_joins(const paper *own, const cni_moved move[])
{
    const cni_line *soon = &own->lines.line[move[AHEAD].node];
    CNI_PREFETCH(&own->lines.line[move[BEHIND].node]);
    CNI_PREFETCH(soon->copy + soon->first + soon->length);
}

/* Room for so many that cross. */
static cn_status make_room_to_cross(paper *own, size_t count)
{
    return cni_grow(&own->crossed, &own->crossed_room, own->crossed_count + count + BEHIND,
                    sizeof *own->crossed);
}

static void count_crossings(cni_collective *run)
{
    paper *own = run->own;
    const uint32_t *last = own->crossed + own->crossed_count;
    memset(own->crossed + own->crossed_count, 0, BEHIND * sizeof *own->crossed);
    for (const uint32_t *channel = own->crossed; channel < last; channel++) {
        CNI_PREFETCH(&run->load[channel[BEHIND]]);
        cni_count_crossing(run, *channel);
    }
    run->transmissions += own->crossed_count;
}

/* ---- multicast: a node sends at most b ---- */

/* That it waits is known at once; it is counted with the others, as what is counted by channel is far away in memory. */
CNI_INLINE cn_status wait_for(cni_collective *run, uint32_t node, cni_copy copy)
{
    paper *own = run->own;
    cni_set_add(run->in_line + node * run->port_words, copy.port);
    if (CNI_RARELY(own->uncounted_count == own->uncounted_room))
        CNI_TRY(cni_grow(&own->uncounted, &own->uncounted_room, own->uncounted_count + 1,
                         sizeof *own->uncounted));
    own->uncounted[own->uncounted_count++] = node * run->routes.degree + copy.port;
    return CN_OK;
}

static void count_waiting(paper *own)
{
    for (size_t i = 0; i < own->uncounted_count; i++) {
        if (i + 2 * AHEAD < own->uncounted_count)
            CNI_PREFETCH(&own->waiting_for[own->uncounted[i + 2 * AHEAD]]);
        own->waiting_for[own->uncounted[i]]++;
    }
    own->uncounted_count = 0;
}

/* Those that cross wait no longer. */
static void discount_crossings(cni_collective *run)
{
    paper *own = run->own;
    const uint32_t degree = run->routes.degree, *last = own->crossed + own->crossed_count;
    for (const uint32_t *channel = own->crossed; channel < last; channel++) {
        CNI_PREFETCH(&own->waiting_for[channel[BEHIND]]);
        if (--own->waiting_for[*channel] == 0)
            cni_set_remove(run->in_line + *channel / degree * run->port_words, *channel % degree);
    }
}

CNI_INLINE cn_status push_directly(cni_collective *run, uint32_t node, cni_copy copy,
                                   uint32_t holder)
{
    (void)holder;
    return join(run, &(cni_moved){.node = node, .copy = copy}, 0, 0);
}

CNI_INLINE cn_status push_with_detours(cni_collective *run, uint32_t node, cni_copy copy,
                                       uint32_t holder)
{
    CNI_TRY(wait_for(run, node, copy));
    return push_directly(run, node, copy, holder);
}

CNI_INLINE void send_from(cni_collective *run, paper *own, uint32_t node, tails *t, int detours)
{
    cni_line *from = &own->lines.line[node];
    const cni_tree_routes *routes = &run->routes;
    const uint32_t turn = turn_of(run, from), channels = node * routes->degree;
    const uint64_t digits = routes->columns > 0 ? routes->digits[node] : 0;
    cni_tally tally = run->node[node];
    uint32_t *crossed = own->crossed + own->crossed_count;
    const cni_copy *copy = from->copy + from->first, *end = copy + turn;
    for (; copy < end; copy++) {
        const cni_operation *operation = &run->operation[copy->operation];
        uint32_t to = routes->columns > 0 ? cni_route_step(routes, node, digits, copy->port)
                                          : cni_route_neighbor(routes, node, copy->port);
        *crossed++ = channels + copy->port;
        cni_count_for_bound(run, copy, cni_since(operation, copy), &tally);
        sort_copy(run, t, to, copy, operation->plan, detours);
    }
    run->node[node] = tally;
    own->crossed_count += turn;
    from->first += turn;
    shorten(run, node, from, turn);
}

static cn_status set_out_to_send(cni_collective *run, uint32_t node, cni_copy copy)
{
    if (run->detours)
        return cni_pass_on(run, node, copy, CNI_NONE, 1, push_with_detours);
    return cni_pass_on(run, node, copy, CNI_NONE, 0, push_directly);
}

CNI_INLINE cn_status send_all(cni_collective *run, int detours, cni_push_fn push)
{
    paper *own = run->own;
    uint32_t count;
    CNI_TRY(list_turns(run, &count));
    tails t = {own->ends, own->goes};
    own->crossed_count = 0;
    CNI_TRY(make_room_to_cross(own, own->come_room));
    for (const uint32_t *turn = own->turn, *end = turn + count; turn < end; turn++) {
        fetch_turns(own, turn, 0);
        send_from(run, own, *turn, &t, detours);
    }
    count_crossings(run);
    if (detours) {
        count_waiting(own);
        discount_crossings(run);
    }
    deliver_all(run, &t);
    end_list(t.goes);
    for (const cni_moved *m = own->goes; m < t.goes; m++) {
        fetch_joins(own, m);
        if (detours)
            CNI_PREFETCH(run->in_line + m[AHEAD].node * run->port_words);
        CNI_TRY(cni_pass_on(run, m->node, m->copy, CNI_NONE, detours, push));
    }
    return CN_OK;
}

static cn_status cycle_sending(cni_collective *run)
{
    return run->detours ? send_all(run, 1, push_with_detours) : send_all(run, 0, push_directly);
}

/* ---- broadcast: a node accepts at most b ---- */

/* The copy waits, wherever it is, in line for the node at the other end. */
CNI_INLINE cn_status push_to_accept(cni_collective *run, uint32_t node, cni_copy copy,
                                    uint32_t holder)
{
    paper *own = run->own;
    uint32_t to = cni_route_neighbor(&run->routes, node, copy.port);
    cni_moved move = {.node = to, .copy = copy};
    (void)holder;
    CNI_TRY(make_room_to_cross(own, 1));
    own->crossed[own->crossed_count++] = node * run->routes.degree + copy.port;
    cni_count_for_bound(run, &copy, cni_since(&run->operation[copy.operation], &copy),
                        &run->node[to]);
    if (cni_hops(&copy) == 0)
        return join(run, &move, 1, 1);
    CNI_TRY(cni_grow(&own->join, &own->join_room, own->join_count + 1, sizeof *own->join));
    own->join[own->join_count++] = move;
    return CN_OK;
}

/* One that has come goes on; its copies join lines when all have come: those lines are anywhere in memory. */
static cn_status split(cni_collective *run, paper *own, const cni_moved *m)
{
    const cni_operation *operation = &run->operation[m->copy.operation];
    const cni_plan *plan = operation->plan;
    if (plan == NULL || run->routes.columns == 0 || run->given != NULL)
        return cni_pass_on(run, m->node, m->copy, CNI_NONE, 0, push_to_accept);
    uint32_t p = plan->place[m->copy.place].first, end = plan->place[m->copy.place + 1].first;
    CNI_TRY(cni_grow(&own->join, &own->join_room, own->join_count + end - p, sizeof *own->join));
    CNI_TRY(make_room_to_cross(own, end - p));
    cni_moved *joins = own->join + own->join_count;
    uint32_t *crossed = own->crossed + own->crossed_count;
    own->join_count += end - p;
    own->crossed_count += end - p;
    uint64_t digits = run->routes.digits[m->node];
    uint32_t channels = m->node * run->routes.degree;
    uint64_t since = cni_since(operation, &m->copy);
    for (; p < end; p++, joins++) {
        uint16_t port = plan->place[p].port;
        uint32_t to = cni_route_step(&run->routes, m->node, digits, port);
        *crossed++ = channels + port;
        cni_count_for_bound(run, &m->copy, since, &run->node[to]);
        joins->node = to;
        joins->copy = m->copy;
        joins->copy.place = p;
        joins->copy.port = port;
    }
    return CN_OK;
}

static cn_status set_out_to_accept(cni_collective *run, uint32_t node, cni_copy copy)
{
    paper *own = run->own;
    own->crossed_count = 0;
    CNI_TRY(make_room_to_cross(own, 0));
    CNI_TRY(cni_pass_on(run, node, copy, CNI_NONE, 0, push_to_accept));
    count_crossings(run);
    return CN_OK;
}

CNI_INLINE void accept_at(cni_collective *run, paper *own, uint32_t node, tails *t)
{
    cni_line *from = &own->lines.line[node];
    uint32_t turn = turn_of(run, from);
    const cni_copy *end = from->copy + from->first + from->length - turn, *copy = end + turn;
    from->onward = 0;
    while (copy > end)
        copy--, sort_copy(run, t, node, copy, run->operation[copy->operation].plan, 0);
    shorten(run, node, from, turn);
}

/* What was accepted is passed on at the end of the cycle, so it is in line for the next one. */
static cn_status cycle_accepting(cni_collective *run)
{
    paper *own = run->own;
    uint32_t count;
    CNI_TRY(list_turns(run, &count));
    tails t = {own->ends, own->goes};
    own->crossed_count = 0;
    CNI_TRY(make_room_to_cross(own, 0));
    for (const uint32_t *turn = own->turn, *end = turn + count; turn < end; turn++) {
        fetch_turns(own, turn, 1);
        accept_at(run, own, *turn, &t);
    }
    deliver_all(run, &t);
    for (const cni_moved *m = own->goes; m < t.goes; m++)
        CNI_TRY(split(run, own, m));
    CNI_TRY(cni_grow(&own->join, &own->join_room, own->join_count + BEHIND, sizeof *own->join));
    count_crossings(run);
    const cni_moved *last = own->join + own->join_count;
    end_list(own->join + own->join_count);
    for (const cni_moved *m = own->join; m < last; m++) {
        fetch_joins(own, m);
        CNI_TRY(join(run, m, 1, 0));
    }
    own->join_count = 0;
    return CN_OK;
}

/* ---- snapshots ---- */

/* A copy that is read stands in the line of a node, or has come to the node already. */
static cn_status check_copy(cni_collective_visit *v, uint32_t node, int is_there,
                            const cni_copy *copy)
{
    uint32_t to = node, left;
    if (!is_there)
        CNI_TRY(cni_collective_check_port(v->run, node, copy, &to));
    CNI_ALLOW(!is_there || cni_detour(copy) == CNI_DIRECT, "the detour of a copy");
    CNI_TRY(cni_collective_expect(v, to, copy, &left));
    if (v->run->detours)
        CNI_TRY(wait_for(v->run, node, *copy));
    return CN_OK;
}

/* In the order in which they will be served. */
static cn_status visit_line(cni_collective_visit *v, uint32_t node, int is_there)
{
    paper *own = v->run->own;
    cni_line *l = &own->lines.line[node];
    uint32_t length = l->length, onward = l->onward;
    int reads = cni_archive_reads(v->archive);
    CNI_TRY(cni_archive_length(v->archive, &length, CNI_COPY_BYTES));
    cni_archive_u32s(v->archive, &onward, 1);
    CNI_ALLOW(onward <= length, "the mark of a line");
    if (reads)
        CNI_TRY(cni_line_make_room(&own->lines, l, length));
    for (uint32_t i = 0; i < length; i++) {
        cni_copy *copy = &l->copy[l->first + (is_there ? length - 1 - i : i)];
        cni_collective_visit_copy(v->archive, copy);
        if (reads)
            CNI_TRY(check_copy(v, node, is_there, copy));
    }
    if (!reads || length == 0)
        return CN_OK;
    l->length = length;
    l->onward = onward;
    cni_set_add(own->busy, node);
    v->run->queued += length;
    return CN_OK;
}

static cn_status visit_lines(cni_collective_visit *v, int are_there)
{
    for (uint32_t node = 0; node < v->run->routes.nodes; node++)
        CNI_TRY(visit_line(v, node, are_there));
    return CN_OK;
}

static cn_status visit_to_send(cni_collective_visit *v)
{
    return visit_lines(v, 0);
}

static cn_status visit_to_accept(cni_collective_visit *v)
{
    return visit_lines(v, 1);
}

const cni_collective_machine cni_paper_send_machine = {.open = open_paper,
                                                       .close = close_paper,
                                                       .set_out = set_out_to_send,
                                                       .cycle = cycle_sending,
                                                       .visit = visit_to_send};

const cni_collective_machine cni_paper_accept_machine = {.open = open_paper,
                                                         .close = close_paper,
                                                         .set_out = set_out_to_accept,
                                                         .cycle = cycle_accepting,
                                                         .visit = visit_to_accept};

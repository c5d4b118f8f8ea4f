/*
 * The two machines that reproduce Ziavras & Krishnamurthy 1999, Tables 3-14: a channel carries any number
 * of copies, and what is scarce is how many copies a node handles in a cycle. Multicasts: a node sends
 * at most b from one queue, first come first served. Broadcasts: a node accepts at most b of those that
 * its neighbours have for it, last come first served, where in a cycle the copies that go on come after those
 * that set out. In which order is nowhere said; the cycles of Table 3
 * tell (docs/collective-tables.md), those of the other tables hardly depend on it.
 */
#include "simulation/collective/collective_crossings.h"
#include "simulation/collective/collective_lines.h"

#include <string.h>

typedef struct paper {
    cni_lines lines;
    uint64_t *busy;      /* nodes whose line is not empty, */
    uint32_t *turn;      /* and the order in which they are served in this cycle */
    cni_leaving *leaves; /* the copies that they serve */
    cni_moved *goes;     /* of these, those that go on from the node to which they come */
    uint32_t *come;      /* operations that came to a destination */
    cni_moved *join;     /* the lines of other nodes at its end */
    size_t come_room, join_room, join_count;
    cni_channel_list crossed, waiting; /* of copies; those that wait are listed only with detours */
    int portless; /* 1: copies in line have no port; each finds it when it leaves */
} paper;

static void close_paper(cni_collective *run)
{
    paper *own = run->own;
    if (own == NULL)
        return;
    cni_lines_close(&own->lines);
    cni_release(own->busy);
    cni_release(own->turn);
    cni_release(own->leaves);
    cni_release(own->goes);
    cni_release(own->come);
    cni_release(own->join);
    cni_release(own->crossed.channel);
    cni_release(own->waiting.channel);
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
    own->turn = cni_allocate(nodes + CNI_BEHIND, sizeof *own->turn);
    return own->busy != NULL && own->turn != NULL ? CN_OK : CN_ERR_MEMORY;
}

/* ---- lines ---- */

/* So many have taken their places in the line of a node. */
CNI_INLINE void note_joined(cni_collective *run, uint32_t node, uint32_t count)
{
    const paper *own = run->own;
    cni_set_add(own->busy, node);
    run->queued += count;
    uint32_t length = cni_line_length(&own->lines.line[node]);
    if (length > run->peak_buffer)
        run->peak_buffer = length;
}

/* A copy takes its place in line. */
CNI_INLINE cn_status join(cni_collective *run, const cni_moved *m, int last_come_first, int fresh)
{
    CNI_TRY(cni_line_join(&((paper *)run->own)->lines, m, last_come_first, fresh));
    note_joined(run, m->node, 1);
    return CN_OK;
}

/* Nodes in the order of this cycle; their number. Room for what will come from them, and behind it. */
static cn_status list_turns(cni_collective *run, uint32_t *turns)
{
    paper *own = run->own;
    cni_set_walk walk = cni_set_begin(own->busy, cni_set_words(run->routes.nodes), run->cycle);
    uint32_t count = 0;
    for (uint32_t node; cni_set_next(&walk, &node);)
        own->turn[count++] = node;
    *turns = count;
    uint64_t most = (uint64_t)count * run->buffers;
    most = (most > 0 && most < run->queued ? most : run->queued) + CNI_BEHIND;
    size_t goes = own->come_room, come = goes, leaves = goes;
    if (most <= own->come_room)
        return CN_OK;
    CNI_TRY(cni_grow(&own->goes, &goes, most, sizeof *own->goes));
    CNI_TRY(cni_grow(&own->come, &come, most, sizeof *own->come));
    CNI_TRY(cni_grow(&own->leaves, &leaves, most, sizeof *own->leaves));
    own->come_room = leaves;
    return CN_OK;
}

/* The copies that leave their lines in this cycle, listed in their order. */
CNI_INLINE cn_status serve_lines(cni_collective *run, int last_come_first, cni_leaving **end)
{
    paper *own = run->own;
    uint32_t count, most = run->buffers > 0 ? run->buffers : UINT32_MAX;
    CNI_TRY(list_turns(run, &count));
    cni_leaving *to = own->leaves;
    for (const uint32_t *at = own->turn, *last = at + count; at < last; at++) {
        uint32_t node = *at;
        cni_line *from = &own->lines.line[node];
        CNI_PREFETCH(&own->lines.line[at[CNI_BEHIND]]);
        uint32_t left = cni_line_leave(from, node, most, last_come_first, to);
        to += left;
        if (!last_come_first && !run->wandering)
            run->node[node].load += left;
        uint64_t empties = from->first == from->end;
        own->busy[node >> 6] ^= empties << (node & 63);
    }
    run->queued -= (uint64_t)(to - own->leaves);
    *end = to;
    return CN_OK;
}

/* The ends of lists that grow, and how many copies will join lines. */
typedef struct tails {
    cni_moved *goes;
    uint32_t *come;
    size_t joins;
} tails;

static tails begin_lists(const paper *own)
{
    return (tails){.goes = own->goes, .come = own->come};
}

/* A copy comes over its channel. Whether it is for the node, and whether it goes on, could not be foreseen: places are
 * written that are kept or not. */
CNI_INLINE tails sort_copy(cni_collective *run, tails t, uint32_t node, const cni_copy *copy,
                           int kind, int singly)
{
    cni_operation *operation = &run->operation[copy->operation];
    cni_fate fate = cni_fate_of(kind & CNI_PLAIN_WAYS ? NULL : operation->plan, node, copy, kind);
    t.goes->node = node;
    t.goes->copy = *copy;
    t.goes->copy.way = copy->way + CNI_ONE_HOP;
    if (CNI_RARELY(singly)) {
        if (run->counts.words > 0)
            run->counts.forwarded[node] += fate.onward > 0;
        if (fate.ends > 0)
            cni_collective_deliver_one(run, node, &t.goes->copy);
    } else {
        *t.come = copy->operation;
        t.come += fate.ends & (operation->come == 0);
        operation->come += fate.ends;
    }
    t.goes += fate.onward > 0;
    t.joins += fate.onward;
    return t;
}

/* What still waits is counted, what is for the nodes is delivered. */
static void deliver_all(cni_collective *run, const uint32_t *end)
{
    run->contentions += run->queued;
    for (const uint32_t *come = ((paper *)run->own)->come; come < end; come++) {
        cni_operation *operation = &run->operation[*come];
        uint32_t count = operation->come;
        operation->come = 0;
        cni_collective_deliver(run, operation, count);
    }
}

/* A line that is joined later, and the place that a copy takes soon. */
CNI_INLINE void fetch_joins(const paper *own, const cni_moved move[])
{
    const cni_line *soon = &own->lines.line[move[CNI_AHEAD].node];
    CNI_PREFETCH(&own->lines.line[move[CNI_BEHIND].node]);
    /* a line without a place has no pointer to add to */
    CNI_PREFETCH((const void *)((uintptr_t)soon->place + soon->end * sizeof *soon->place));
}

/* ---- multicast: a node sends at most b ---- */

/* For so many. */
static cn_status make_room_to_wait(const cni_collective *run, size_t count)
{
    return run->detours ? cni_channels_make_room(&((paper *)run->own)->waiting, count) : CN_OK;
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
    cni_wait_for(run, &((paper *)run->own)->waiting, node, &copy);
    return push_directly(run, node, copy, holder);
}

/* Where a copy goes that leaves its line. */
CNI_INLINE cni_next_hop hop_of(const cni_tree_routes *routes, uint32_t node, const cni_copy *copy,
                               int kind)
{
    if (kind == CNI_PLAIN_WAYS)
        return cni_route_hop(routes, node, copy->place, cni_start(copy));
    if (kind & CNI_PLAIN_WAYS)
        return (cni_next_hop){copy->port,
                              cni_route_step(routes, node, routes->digits[node], copy->port)};
    return (cni_next_hop){copy->port, cni_route_neighbor(routes, node, copy->port)};
}

/* A copy crosses its channel. */
CNI_INLINE tails cross_and_sort(cni_collective *run, const cni_leaving *l, uint32_t *crossed,
                                tails t, int kind, int singly)
{
    const uint32_t node = (uint32_t)l->node;
    const cni_copy *copy = l->copy;
    const int wandering = (kind & CNI_PLAIN_WAYS) ? kind & CNI_WITH_DETOURS : run->wandering;
    cni_next_hop hop = hop_of(&run->routes, node, copy, kind);
    *crossed = node * run->routes.degree + hop.port;
    CNI_PREFETCH(&run->row[(size_t)*crossed << (kind & CNI_WITH_DETOURS ? 1 : 0)]);
    uint64_t since = cni_since(&run->operation[copy->operation], copy);
    if (wandering)
        cni_count_for_bound(copy, since, &run->node[node], 1);
    else /* the load is counted by line */
        cni_note_since(since, &run->node[node].since);
    return sort_copy(run, t, hop.to, copy, kind, singly);
}

CNI_INLINE cn_status send_all(cni_collective *run, int kind, cni_push_fn push)
{
    paper *own = run->own;
    cni_leaving *end;
    const int singly = cni_collective_delivers_singly(run);
    CNI_TRY(serve_lines(run, 0, &end));
    CNI_TRY(cni_channels_make_room(&own->crossed, (size_t)(end - own->leaves)));
    tails t = begin_lists(own);
    uint32_t *crossed = own->crossed.channel;
    for (const cni_leaving *l = own->leaves; l < end; l++) {
        CNI_PREFETCH(l[CNI_BEHIND].copy);
        t = cross_and_sort(run, l, crossed++, t, kind, singly);
    }
    own->crossed.count = (size_t)(crossed - own->crossed.channel);
    if (kind & CNI_WITH_DETOURS)
        cni_count_waiting(run, &own->waiting);
    cni_count_crossings(run, &own->crossed, kind);
    deliver_all(run, t.come);
    CNI_TRY(make_room_to_wait(run, kind & CNI_PLAIN_WAYS ? (size_t)(t.goes - own->goes) : t.joins));
    for (const cni_moved *m = own->goes; m < t.goes; m++) {
        fetch_joins(own, m);
        if (kind & CNI_WITH_DETOURS)
            CNI_PREFETCH(run->in_line + cni_line_bit(run, m[CNI_AHEAD].node, 0) / 64);
        CNI_TRY(kind == CNI_PLAIN_WAYS ? join(run, m, 0, 0)
                                       : cni_pass_on(run, m->node, m->copy, CNI_NONE, kind, push));
    }
    return CN_OK;
}

/* Gives the copies in line the ports that they would find. */
static void find_ports(cni_collective *run)
{
    paper *own = run->own;
    for (uint32_t node = 0; own->portless && node < run->routes.nodes; node++) {
        const cni_line *l = &own->lines.line[node];
        for (uint32_t at = l->first; at < l->end; at++) {
            cni_copy *copy = &l->place[at];
            copy->port = (uint16_t)hop_of(&run->routes, node, copy, CNI_PLAIN_WAYS).port;
        }
    }
    own->portless = 0;
}

static cn_status cycle_sending(cni_collective *run)
{
    paper *own = run->own;
    if (run->plain && !run->detours)
        own->portless = 1;
    else
        find_ports(run);
    if (run->plain)
        return run->detours ? send_all(run, CNI_PLAIN_WAYS | CNI_WITH_DETOURS, push_with_detours)
                            : send_all(run, CNI_PLAIN_WAYS, push_directly);
    return run->detours ? send_all(run, CNI_WITH_DETOURS, push_with_detours)
                        : send_all(run, 0, push_directly);
}

/* There is room for it in its line and among those that wait. */
CNI_INLINE cn_status push_into_room(cni_collective *run, uint32_t node, cni_copy copy,
                                    uint32_t holder)
{
    paper *own = run->own;
    cni_line *into = &own->lines.line[node];
    (void)holder;
    cni_wait_for(run, &own->waiting, node, &copy);
    into->place[into->end++] = copy;
    return CN_OK;
}

/* Each is one message, which takes its place in the same line. */
static cn_status set_out_plain(cni_collective *run, uint32_t node, const cni_copy copy[],
                               uint32_t count)
{
    paper *own = run->own;
    cni_line *line = &own->lines.line[node];
    if (line->room - line->end < count)
        CNI_TRY(cni_line_make_room(&own->lines, line, count));
    CNI_TRY(make_room_to_wait(run, count));
    for (uint32_t i = 0; i < count && run->detours; i++)
        CNI_TRY(cni_pass_on(run, node, copy[i], CNI_NONE, CNI_PLAIN_WAYS | CNI_WITH_DETOURS,
                            push_into_room));
    if (!run->detours) {
        memcpy(line->place + line->end, copy, count * sizeof *copy);
        line->end += count;
        own->portless = 1;
    }
    note_joined(run, node, count);
    return CN_OK;
}

static cn_status set_out_to_send(cni_collective *run, uint32_t node, const cni_copy copy[],
                                 uint32_t count)
{
    if (run->plain)
        return set_out_plain(run, node, copy, count);
    find_ports(run);
    for (uint32_t i = 0; i < count; i++) {
        const cni_plan *plan = run->operation[copy[i].operation].plan;
        CNI_TRY(make_room_to_wait(run, plan != NULL ? cni_children(plan, copy[i].place) : 1));
        CNI_TRY(run->detours
                    ? cni_pass_on(run, node, copy[i], CNI_NONE, CNI_WITH_DETOURS, push_with_detours)
                    : cni_pass_on(run, node, copy[i], CNI_NONE, 0, push_directly));
    }
    return CN_OK;
}

/* ---- broadcast: a node accepts at most b ---- */

/* The copy waits, wherever it is, in line for the node at the other end. There is room for it. */
CNI_INLINE cn_status push_to_accept(cni_collective *run, uint32_t node, cni_copy copy,
                                    uint32_t holder)
{
    paper *own = run->own;
    uint32_t to = cni_route_neighbor(&run->routes, node, copy.port);
    cni_moved move = {.node = to, .copy = copy};
    (void)holder;
    cni_channels_add(&own->crossed, node * run->routes.degree + copy.port);
    cni_count_for_bound(&copy, cni_since(&run->operation[copy.operation], &copy), &run->node[to],
                        run->wandering);
    if (cni_hops(&copy) == 0)
        return join(run, &move, 1, 1);
    own->join[own->join_count++] = move;
    return CN_OK;
}

/* One that has come goes on; its copies join lines when all have come: those lines are anywhere in memory. */
static cn_status split(cni_collective *run, paper *own, const cni_moved *m)
{
    const cni_operation *operation = &run->operation[m->copy.operation];
    const cni_plan *plan = operation->plan;
    if (plan == NULL || run->routes.columns == 0 || run->wandering)
        return cni_pass_on(run, m->node, m->copy, CNI_NONE, 0, push_to_accept);
    uint32_t p = plan->place[m->copy.place].first, end = plan->place[m->copy.place + 1].first;
    cni_moved *joins = own->join + own->join_count;
    uint32_t *crossed = own->crossed.channel + own->crossed.count;
    own->join_count += end - p;
    own->crossed.count += end - p;
    uint32_t digits = run->routes.digits[m->node];
    uint32_t channels = m->node * run->routes.degree;
    uint64_t since = cni_since(operation, &m->copy);
    for (; p < end; p++, joins++) {
        uint16_t port = plan->place[p].port;
        uint32_t to = cni_route_step(&run->routes, m->node, digits, port);
        *crossed++ = channels + port;
        CNI_PREFETCH(&run->row[channels + port]);
        cni_count_for_bound(&m->copy, since, &run->node[to], 0);
        joins->node = to;
        joins->copy = m->copy;
        joins->copy.place = p;
        joins->copy.port = port;
    }
    return CN_OK;
}

static cn_status set_out_to_accept(cni_collective *run, uint32_t node, const cni_copy copy[],
                                   uint32_t count)
{
    paper *own = run->own;
    own->crossed.count = 0;
    CNI_TRY(cni_channels_make_room(&own->crossed, (size_t)count * run->routes.degree));
    for (uint32_t i = 0; i < count; i++)
        CNI_TRY(cni_pass_on(run, node, copy[i], CNI_NONE, 0, push_to_accept));
    cni_count_crossings(run, &own->crossed, 0);
    return CN_OK;
}

/* What was accepted is passed on at the end of the cycle, so it is in line for the next one. */
static cn_status cycle_accepting(cni_collective *run)
{
    paper *own = run->own;
    cni_leaving *end;
    const int singly = cni_collective_delivers_singly(run);
    CNI_TRY(serve_lines(run, 1, &end));
    tails t = begin_lists(own);
    for (const cni_leaving *l = own->leaves; l < end; l++) {
        CNI_PREFETCH(l[CNI_BEHIND].copy);
        t = sort_copy(run, t, (uint32_t)l->node, l->copy, 0, singly);
    }
    deliver_all(run, t.come);
    own->crossed.count = own->join_count = 0;
    CNI_TRY(cni_channels_make_room(&own->crossed, t.joins));
    CNI_TRY(cni_grow(&own->join, &own->join_room, t.joins + CNI_BEHIND, sizeof *own->join));
    for (const cni_moved *m = own->goes; m < t.goes; m++)
        CNI_TRY(split(run, own, m));
    cni_count_crossings(run, &own->crossed, 0);
    for (const cni_moved *m = own->join, *last = m + own->join_count; m < last; m++) {
        fetch_joins(own, m);
        CNI_TRY(join(run, m, 1, 0));
    }
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
    int is_alone = v->run->operation[copy->operation].plan == NULL;
    CNI_ALLOW(is_there || !is_alone || cni_detour(copy) != CNI_DIRECT || copy->place != node,
              "a copy that waits where it goes");
    CNI_TRY(make_room_to_wait(v->run, 1));
    if (v->run->detours)
        cni_wait_for(v->run, &((paper *)v->run->own)->waiting, node, copy);
    return CN_OK;
}

/* In the order in which they will be served. */
static cn_status visit_line(cni_collective_visit *v, uint32_t node, int is_there)
{
    paper *own = v->run->own;
    cni_line *l = &own->lines.line[node];
    uint32_t length = cni_line_length(l), onward = l->onward;
    int reads = cni_archive_reads(v->archive);
    CNI_TRY(cni_archive_length(v->archive, &length, CNI_COPY_BYTES));
    cni_archive_u32s(v->archive, &onward, 1);
    CNI_ALLOW(onward <= length, "the mark of a line");
    if (reads)
        CNI_TRY(cni_line_make_room(&own->lines, l, length));
    for (uint32_t i = 0; i < length; i++) {
        cni_copy *place = l->place + l->first + (is_there ? length - 1 - i : i);
        cni_copy copy = reads ? (cni_copy){0} : *place;
        if (!reads && own->portless)
            copy.port = (uint16_t)hop_of(&v->run->routes, node, &copy, CNI_PLAIN_WAYS).port;
        cni_collective_visit_copy(v->archive, &copy);
        if (reads)
            CNI_TRY(check_copy(v, node, is_there, &copy));
        if (reads)
            *place = copy;
    }
    if (!reads || length == 0)
        return CN_OK;
    l->end = length;
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

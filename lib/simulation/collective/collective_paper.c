/*
 * The two machines that reproduce Ziavras & Krishnamurthy 1999, Tables 3-14: a channel carries any number
 * of copies, and what is scarce is how many copies a node handles in a cycle. Multicasts: a node sends
 * at most b from one queue, first come first served. Broadcasts: a node accepts at most b of those that
 * its neighbours have for it, last come first served, where in a cycle the copies that go on come after those
 * that set out. In which order is nowhere said; the cycles of Table 3
 * tell (docs/collective-tables.md), those of the other tables hardly depend on it.
 */
#include "simulation/collective/collective_way.h"

#include <string.h>

#include "base/error.h"
#include "base/inline.h"
#include "base/memory.h"

/* The copies in line at a node, one behind the other: copy[first] is served first, or where the last come is served
 * first, the last one. */
typedef struct line {
    cni_copy *copy;
    size_t room;
    uint32_t first, length;
    uint32_t onward; /* of the last ones, those that go on and have come in this cycle */
} line;

typedef struct moved {
    uint32_t from, node; /* that it left, and where it has come to, or will */
    cni_copy copy;       /* as it left */
} moved;

typedef struct moves {
    moved *move;
    size_t room, count;
} moves;

/* So many steps before it is used, what lies far away in memory is fetched. */
enum { AHEAD = 12 };

typedef struct paper {
    line *line;     /* [node] */
    uint64_t *busy; /* nodes whose line is not empty, */
    uint32_t *turn; /* and the order in which they are served in this cycle */
    moves come;     /* in this cycle */
    moves join;     /* the lines of other nodes at its end */
    /* Adaptive, else NULL: copies in line for each channel, but for those of the channels that are listed behind. */
    uint32_t *waiting_for, *uncounted;
    size_t uncounted_room, uncounted_count;
} paper;

static void close_paper(cni_collective *run)
{
    paper *own = run->own;
    if (own == NULL)
        return;
    for (uint32_t node = 0; own->line != NULL && node < run->routes.nodes; node++)
        cni_release(own->line[node].copy);
    cni_release(own->line);
    cni_release(own->busy);
    cni_release(own->turn);
    cni_release(own->come.move);
    cni_release(own->join.move);
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
    own->line = cni_allocate(nodes, sizeof *own->line);
    own->busy = cni_allocate(cni_set_words(nodes), sizeof *own->busy);
    own->turn = cni_allocate(nodes, sizeof *own->turn);
    if (run->detours)
        own->waiting_for =
            cni_allocate((uint64_t)nodes * run->routes.degree, sizeof *own->waiting_for);
    int made = own->line != NULL && own->busy != NULL && own->turn != NULL &&
               (own->waiting_for != NULL || !run->detours);
    return made ? CN_OK : CN_ERR_MEMORY;
}

/* ---- lines ---- */

/* For one more at the end: the room in front is used when there is at least as much as what waits takes. */
static cn_status make_room(line *into)
{
    if (into->length == UINT32_MAX)
        return cni_fail(CN_ERR_OVERFLOW,
                        "collective: more than 2^32 - 1 copies are waiting at a node");
    if (into->first == 0 || into->first < into->length)
        return cni_grow(&into->copy, &into->room, (uint64_t)into->first + into->length + 1,
                        sizeof *into->copy);
    memcpy(into->copy, into->copy + into->first, into->length * sizeof *into->copy);
    into->first = 0;
    return CN_OK;
}

CNI_INLINE cn_status join(cni_collective *run, uint32_t node, cni_copy copy, int last_come_first)
{
    paper *own = run->own;
    line *into = &own->line[node];
    if (CNI_RARELY((size_t)into->first + into->length == into->room))
        CNI_TRY(make_room(into));
    cni_copy *at = into->copy + into->first + into->length;
    if (last_come_first && copy.hops > 0)
        into->onward++;
    if (last_come_first && copy.hops == 0) /* under those that go on */
        for (uint32_t over = into->onward; over > 0; over--, at--)
            *at = at[-1];
    *at = copy;
    if (into->length++ == 0)
        cni_set_add(own->busy, node);
    run->queued++;
    if (into->length > run->peak_buffer)
        run->peak_buffer = into->length;
    return CN_OK;
}

static cn_status add_move(moves *list, uint32_t from, uint32_t node, cni_copy copy)
{
    if (CNI_RARELY(list->count == list->room))
        CNI_TRY(cni_grow(&list->move, &list->room, list->count + 1, sizeof *list->move));
    list->move[list->count++] = (moved){.from = from, .node = node, .copy = copy};
    return CN_OK;
}

/* Nodes in the order of this cycle; their number. */
static uint32_t list_turns(cni_collective *run)
{
    paper *own = run->own;
    cni_set_walk walk = cni_set_begin(own->busy, cni_set_words(run->routes.nodes), run->cycle);
    uint32_t count = 0;
    for (uint32_t node; cni_set_next(&walk, &node);)
        own->turn[count++] = node;
    return count;
}

/* Lines that are served soon, and the copies that will leave them. */
CNI_INLINE void fetch_turns(const paper *own, uint32_t i, uint32_t count, int last_come_first)
{
    if (i + 2 * AHEAD < count)
        CNI_PREFETCH(&own->line[own->turn[i + 2 * AHEAD]]);
    if (i + AHEAD < count) {
        const line *soon = &own->line[own->turn[i + AHEAD]];
        CNI_PREFETCH(soon->copy + soon->first + (last_come_first ? soon->length - 1 : 0));
    }
}

/* The number that goes in this cycle out of a line. */
static uint32_t turn_of(const cni_collective *run, const line *from)
{
    uint32_t length = from->length;
    return run->buffers == 0 || length < run->buffers ? length : run->buffers;
}

/* So many have left a line. */
static void shorten(cni_collective *run, uint32_t node, line *from, uint32_t left)
{
    run->queued -= left;
    from->length -= left;
    if (from->length > 0)
        return;
    from->first = 0;
    cni_set_remove(((paper *)run->own)->busy, node);
}

/* What still waits is counted, what has come is delivered and goes on. */
CNI_INLINE cn_status take_in(cni_collective *run, cni_push_fn push)
{
    paper *own = run->own;
    run->contentions += run->queued;
    for (size_t i = 0; i < own->come.count; i++) {
        const moved *m = &own->come.move[i];
        if (i + 2 * AHEAD < own->come.count)
            CNI_PREFETCH(&own->line[m[2 * AHEAD].node]);
        if (i + AHEAD < own->come.count) {
            const line *soon = &own->line[m[AHEAD].node];
            CNI_PREFETCH(soon->copy + soon->first + soon->length);
        }
        cni_copy copy = m->copy;
        copy.hops = (copy.hops + 1) & 0x1ffffff;
        uint32_t onward = cni_copy_onward(run, m->node, copy);
        cni_arrive(run, m->node, copy);
        if (onward > 0)
            CNI_TRY(cni_pass_on(run, m->node, copy, CNI_NONE, push));
    }
    return CN_OK;
}

/* ---- multicast: a node sends at most b ---- */

/* That it waits is known at once; it is counted with the others, as what is counted by channel is far away in memory. */
static cn_status wait_for(cni_collective *run, uint32_t node, cni_copy copy)
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

CNI_INLINE cn_status push_to_send(cni_collective *run, uint32_t node, cni_copy copy,
                                  uint32_t holder)
{
    (void)holder;
    if (run->detours)
        CNI_TRY(wait_for(run, node, copy));
    return join(run, node, copy, 0);
}

static cn_status send_from(cni_collective *run, uint32_t node)
{
    paper *own = run->own;
    line *from = &own->line[node];
    uint32_t turn = turn_of(run, from);
    for (uint32_t i = 0; i < turn; i++) {
        cni_copy copy = from->copy[from->first++];
        CNI_TRY(
            add_move(&own->come, node, cni_route_neighbor(&run->routes, node, copy.port), copy));
    }
    shorten(run, node, from, turn);
    return CN_OK;
}

/* Once all have left, for the same reason. */
static void cross_all(cni_collective *run)
{
    paper *own = run->own;
    uint32_t degree = run->routes.degree;
    for (size_t i = 0; i < own->come.count; i++) {
        const moved *m = &own->come.move[i];
        if (i + 2 * AHEAD < own->come.count) {
            size_t channel = (size_t)m[2 * AHEAD].from * degree + m[2 * AHEAD].copy.port;
            CNI_PREFETCH(&run->load[channel]);
            if (own->waiting_for != NULL)
                CNI_PREFETCH(&own->waiting_for[channel]);
        }
        if (own->waiting_for != NULL &&
            --own->waiting_for[(size_t)m->from * degree + m->copy.port] == 0)
            cni_set_remove(run->in_line + m->from * run->port_words, m->copy.port);
        cni_cross(run, m->from, m->copy, m->from);
    }
}

static cn_status set_out_to_send(cni_collective *run, uint32_t node, cni_copy copy)
{
    return cni_pass_on(run, node, copy, CNI_NONE, push_to_send);
}

static cn_status cycle_sending(cni_collective *run)
{
    paper *own = run->own;
    uint32_t count = list_turns(run);
    own->come.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        fetch_turns(own, i, count, 0);
        CNI_TRY(send_from(run, own->turn[i]));
    }
    count_waiting(own);
    cross_all(run);
    return take_in(run, push_to_send);
}

/* ---- broadcast: a node accepts at most b ---- */

static cn_status join_to_accept(cni_collective *run, const moved *m)
{
    cni_cross(run, m->from, m->copy, m->node);
    return join(run, m->node, m->copy, 1);
}

/* The copy waits, wherever it is, in line for the node at the other end. One that has just come joins the line when
 * all have: those lines are anywhere in memory. */
CNI_INLINE cn_status push_to_accept(cni_collective *run, uint32_t node, cni_copy copy,
                                    uint32_t holder)
{
    paper *own = run->own;
    uint32_t to = cni_route_neighbor(&run->routes, node, copy.port);
    (void)holder;
    if (copy.hops > 0)
        return add_move(&own->join, node, to, copy);
    return join_to_accept(run, &(moved){.from = node, .node = to, .copy = copy});
}

static cn_status set_out_to_accept(cni_collective *run, uint32_t node, cni_copy copy)
{
    return cni_pass_on(run, node, copy, CNI_NONE, push_to_accept);
}

static cn_status accept_at(cni_collective *run, uint32_t node)
{
    paper *own = run->own;
    line *from = &own->line[node];
    uint32_t turn = turn_of(run, from);
    from->onward = 0;
    for (uint32_t i = 1; i <= turn; i++)
        CNI_TRY(add_move(&own->come, node, node, from->copy[from->length - i]));
    shorten(run, node, from, turn);
    return CN_OK;
}

static cn_status join_all(cni_collective *run)
{
    paper *own = run->own;
    for (size_t i = 0; i < own->join.count; i++) {
        const moved *m = &own->join.move[i];
        if (i + 2 * AHEAD < own->join.count) {
            const moved *soon = m + 2 * AHEAD;
            CNI_PREFETCH(&own->line[soon->node]);
            CNI_PREFETCH(&run->load[(size_t)soon->from * run->routes.degree + soon->copy.port]);
        }
        if (i + AHEAD < own->join.count) {
            const line *soon = &own->line[m[AHEAD].node];
            CNI_PREFETCH(soon->copy + soon->length);
        }
        CNI_TRY(join_to_accept(run, m));
    }
    own->join.count = 0;
    return CN_OK;
}

/* What was accepted is passed on at the end of the cycle, so it is in line for the next one. */
static cn_status cycle_accepting(cni_collective *run)
{
    paper *own = run->own;
    uint32_t count = list_turns(run);
    own->come.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        fetch_turns(own, i, count, 1);
        CNI_TRY(accept_at(run, own->turn[i]));
    }
    CNI_TRY(take_in(run, push_to_accept));
    return join_all(run);
}

/* ---- snapshots ---- */

/* A copy that is read stands in the line of a node, or has come to the node already. */
static cn_status check_copy(cni_collective_visit *v, uint32_t node, int is_there,
                            const cni_copy *copy)
{
    uint32_t to = node, left;
    if (!is_there)
        CNI_TRY(cni_collective_check_port(v->run, node, copy, &to));
    CNI_ALLOW(!is_there || copy->detour == CNI_DIRECT, "the detour of a copy");
    CNI_TRY(cni_collective_expect(v, to, copy, &left));
    if (v->run->detours)
        CNI_TRY(wait_for(v->run, node, *copy));
    return CN_OK;
}

/* In the order in which they will be served. */
static cn_status visit_line(cni_collective_visit *v, uint32_t node, int is_there)
{
    paper *own = v->run->own;
    line *l = &own->line[node];
    uint32_t length = l->length, onward = l->onward;
    int reads = cni_archive_reads(v->archive);
    CNI_TRY(cni_archive_length(v->archive, &length, CNI_COPY_BYTES));
    cni_archive_u32s(v->archive, &onward, 1);
    CNI_ALLOW(onward <= length, "the mark of a line");
    if (reads)
        CNI_TRY(cni_grow(&l->copy, &l->room, length, sizeof *l->copy));
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

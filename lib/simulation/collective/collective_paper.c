/*
 * The two machines that reproduce Ziavras & Krishnamurthy 1999, Tables 3-14: a channel carries any number
 * of copies, and what is scarce is how many copies a node handles in a cycle. Multicasts: a node sends
 * at most b from one queue, first come first served. Broadcasts: a node accepts at most b of those that
 * its neighbours have for it, last come first served, where in a cycle the copies that go on come after those
 * that set out. In which order is nowhere said; the cycles of Table 3
 * tell (docs/collective-tables.md), those of the other tables hardly depend on it.
 */
#include "simulation/collective/collective.h"

#include "base/error.h"
#include "base/inline.h"
#include "base/memory.h"
#include "simulation/collective/collective_nodes.h"

typedef struct waiting {
    uint32_t next;
    cni_copy copy;
} waiting;

typedef struct line {
    uint32_t first, last, length;
    uint32_t mark;  /* the copy under which those go that set out in this cycle, */
    uint64_t cycle; /* if anything that goes on has come in it */
} line;

typedef struct moved {
    uint32_t from, node; /* that it left, and where it has come to */
    cni_copy copy;       /* as it left */
} moved;

/* In line when the present one is taken in: so far ahead its line is fetched. */
enum { AHEAD = 12 };

typedef struct paper {
    waiting *place;
    size_t places;
    uint32_t used, unused; /* places ever used; chain of those that are free again */
    line *line;            /* [node] */
    uint64_t *busy;        /* nodes whose line is not empty */
    moved *come;           /* in this cycle */
    size_t come_room, come_count;
    uint32_t *waiting_for; /* adaptive: copies in line for each channel, else NULL */
} paper;

static void close_paper(cni_collective *run)
{
    paper *own = run->own;
    if (own == NULL)
        return;
    cni_release(own->place);
    cni_release(own->line);
    cni_release(own->busy);
    cni_release(own->come);
    cni_release(own->waiting_for);
    cni_release(own);
    run->own = NULL;
}

static cn_status open_paper(cni_collective *run)
{
    size_t nodes = run->routes.nodes;
    paper *own = run->own = cni_allocate(1, sizeof *own);
    if (own == NULL)
        return CN_ERR_MEMORY;
    own->unused = CNI_NONE;
    own->line = cni_allocate(nodes, sizeof *own->line);
    own->busy = cni_allocate(cni_set_words(nodes), sizeof *own->busy);
    if (run->detours)
        own->waiting_for =
            cni_allocate((uint64_t)nodes * run->routes.degree, sizeof *own->waiting_for);
    int made =
        own->line != NULL && own->busy != NULL && (own->waiting_for != NULL || !run->detours);
    return made ? CN_OK : CN_ERR_MEMORY;
}

/* ---- lines ---- */

static cn_status take_place(paper *own, uint32_t *place)
{
    if (own->unused != CNI_NONE) {
        *place = own->unused;
        own->unused = own->place[*place].next;
        return CN_OK;
    }
    if (own->used == CNI_NONE)
        return cni_fail(CN_ERR_OVERFLOW, "collective: more than 2^32 - 2 copies are waiting");
    CNI_TRY(cni_grow((void **)&own->place, &own->places, own->used + 1, sizeof *own->place));
    *place = own->used++;
    return CN_OK;
}

static void add_at_the_end(paper *own, line *into, uint32_t place)
{
    if (into->length == 0)
        into->first = place;
    else
        own->place[into->last].next = place;
    into->last = place;
}

static void add_in_front(paper *own, line *into, uint32_t place)
{
    if (into->length == 0)
        into->last = place;
    else
        own->place[place].next = into->first;
    into->first = place;
}

static void add_behind(paper *own, line *into, uint32_t before, uint32_t place)
{
    own->place[place].next = own->place[before].next;
    own->place[before].next = place;
    if (into->last == before)
        into->last = place;
}

/* Of a cycle number 0 nothing goes on yet. */
static void add_last_come(cni_collective *run, line *into, uint32_t place, const cni_copy *copy)
{
    paper *own = run->own;
    int marked = into->cycle == run->cycle && run->cycle > 0;
    if (copy->hops == 0 && marked) {
        add_behind(own, into, into->mark, place);
        return;
    }
    add_in_front(own, into, place);
    if (copy->hops > 0 && !marked) {
        into->mark = place;
        into->cycle = run->cycle;
    }
}

static cn_status join(cni_collective *run, uint32_t node, const cni_copy *copy, int last_come_first)
{
    paper *own = run->own;
    uint32_t place = 0;
    CNI_TRY(take_place(own, &place));
    own->place[place] = (waiting){.next = CNI_NONE, .copy = *copy};
    line *into = &own->line[node];
    if (into->length == 0)
        cni_set_add(own->busy, node);
    if (last_come_first)
        add_last_come(run, into, place, copy);
    else
        add_at_the_end(own, into, place);
    into->length++;
    run->queued++;
    if (into->length > run->peak_buffer)
        run->peak_buffer = into->length;
    return CN_OK;
}

static cni_copy leave(cni_collective *run, uint32_t node)
{
    paper *own = run->own;
    line *from = &own->line[node];
    uint32_t place = from->first;
    from->first = own->place[place].next;
    if (--from->length == 0)
        cni_set_remove(own->busy, node);
    own->place[place].next = own->unused;
    own->unused = place;
    run->queued--;
    return own->place[place].copy;
}

static cn_status come(paper *own, uint32_t from, uint32_t node, const cni_copy *copy)
{
    CNI_TRY(cni_grow((void **)&own->come, &own->come_room, own->come_count + 1, sizeof *own->come));
    own->come[own->come_count++] = (moved){.from = from, .node = node, .copy = *copy};
    return CN_OK;
}

/* The number that goes in this cycle out of a line. */
static uint32_t turn_of(const cni_collective *run, uint32_t node)
{
    uint32_t length = ((const paper *)run->own)->line[node].length;
    return run->buffers == 0 || length < run->buffers ? length : run->buffers;
}

/* The end of a cycle: what still waits is counted, what has come is delivered and goes on. */
static cn_status take_in(cni_collective *run)
{
    const paper *own = run->own;
    run->contentions += run->queued;
    for (size_t i = 0; i < own->come_count; i++) {
        uint32_t node = own->come[i].node;
        cni_copy *copy = &own->come[i].copy;
        if (i + AHEAD < own->come_count)
            CNI_PREFETCH(&own->line[own->come[i + AHEAD].node]);
        copy->hops++;
        uint32_t onward = cni_copy_onward(run, node, copy);
        cni_collective_deliver(run, node, copy);
        if (onward > 0)
            CNI_TRY(cni_collective_pass_on(run, node, copy, CNI_NONE));
    }
    return CN_OK;
}

/* ---- multicast: a node sends at most b ---- */

static cn_status push_to_send(cni_collective *run, uint32_t node, const cni_copy *copy,
                              uint32_t holder)
{
    paper *own = run->own;
    (void)holder;
    if (own->waiting_for != NULL)
        own->waiting_for[(size_t)node * run->routes.degree + copy->port]++;
    return join(run, node, copy, 0);
}

static int is_empty(const cni_collective *run, uint32_t node, uint32_t port)
{
    const paper *own = run->own;
    return own->waiting_for == NULL ||
           own->waiting_for[(size_t)node * run->routes.degree + port] == 0;
}

static cn_status send_from(cni_collective *run, uint32_t node)
{
    paper *own = run->own;
    for (uint32_t left = turn_of(run, node); left > 0; left--) {
        cni_copy copy = leave(run, node);
        size_t channel = (size_t)node * run->routes.degree + copy.port;
        CNI_PREFETCH(&run->channel[channel]);
        if (own->waiting_for != NULL)
            CNI_PREFETCH(&own->waiting_for[channel]);
        CNI_TRY(come(own, node, cni_route_neighbor(&run->routes, node, copy.port), &copy));
    }
    if (own->line[node].length > 0)
        CNI_PREFETCH(&own->place[own->line[node].first]);
    return CN_OK;
}

/* Counted once all have left: what is counted by channel is far away in memory, and was fetched meanwhile. */
static void cross_all(cni_collective *run)
{
    paper *own = run->own;
    for (size_t i = 0; i < own->come_count; i++) {
        const moved *m = &own->come[i];
        if (own->waiting_for != NULL)
            own->waiting_for[(size_t)m->from * run->routes.degree + m->copy.port]--;
        cni_collective_cross(run, m->from, &m->copy, m->from);
    }
}

static cn_status cycle_sending(cni_collective *run)
{
    paper *own = run->own;
    cni_set_walk walk = cni_set_begin(own->busy, cni_set_words(run->routes.nodes), run->cycle);
    own->come_count = 0;
    for (uint32_t node; cni_set_next(&walk, &node);)
        CNI_TRY(send_from(run, node));
    cross_all(run);
    return take_in(run);
}

/* ---- snapshots ---- */

/* Number of the copies up to the mark that counts; 0: there is none. */
static uint32_t mark_of(const cni_collective *run, const line *l)
{
    const paper *own = run->own;
    uint32_t at = l->first, mark = 1;
    if (l->length == 0 || l->cycle != run->cycle || run->cycle == 0)
        return 0;
    for (; mark < l->length && at != l->mark; mark++)
        at = own->place[at].next;
    return at == l->mark ? mark : 0;
}

/* A copy that is read stands at the end of the line of a node, or has come to the node already. */
static cn_status read_copy(cni_collective_visit *v, uint32_t node, int is_there, cni_copy *copy)
{
    paper *own = v->run->own;
    uint32_t to = node, left;
    if (!is_there)
        CNI_TRY(cni_collective_check_port(v->run, node, copy, &to));
    CNI_ALLOW(!is_there || copy->detour == CNI_DIRECT, "the detour of a copy");
    CNI_TRY(cni_collective_expect(v, to, copy, &left));
    if (own->waiting_for != NULL)
        own->waiting_for[(size_t)node * v->run->routes.degree + copy->port]++;
    return join(v->run, node, copy, 0);
}

static cn_status visit_line(cni_collective_visit *v, uint32_t node, int is_there)
{
    const cni_collective *run = v->run;
    paper *own = run->own;
    line *l = &own->line[node];
    uint32_t length = l->length, mark = mark_of(run, l), at = l->first;
    CNI_TRY(cni_archive_length(v->archive, &length, CNI_COPY_BYTES));
    cni_archive_u32s(v->archive, &mark, 1);
    CNI_ALLOW(mark <= length, "the mark of a line");
    for (uint32_t i = 1; i <= length; i++) {
        if (!cni_archive_reads(v->archive)) {
            cni_collective_visit_copy(v->archive, &own->place[at].copy);
            at = own->place[at].next;
            continue;
        }
        cni_copy copy = {0};
        cni_collective_visit_copy(v->archive, &copy);
        CNI_TRY(read_copy(v, node, is_there, &copy));
        if (i == mark) {
            l->mark = l->last;
            l->cycle = run->cycle;
        }
    }
    return CN_OK;
}

static cn_status visit_lines(cni_collective_visit *v, int are_there)
{
    uint32_t peak = v->run->peak_buffer; /* which those that were read have not raised */
    for (uint32_t node = 0; node < v->run->routes.nodes; node++)
        CNI_TRY(visit_line(v, node, are_there));
    if (cni_archive_reads(v->archive))
        v->run->peak_buffer = peak;
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
                                                       .push = push_to_send,
                                                       .is_empty = is_empty,
                                                       .cycle = cycle_sending,
                                                       .visit = visit_to_send};

/* ---- broadcast: a node accepts at most b ---- */

/* The copy waits, wherever it is, in line for the node at the other end. */
static cn_status push_to_accept(cni_collective *run, uint32_t node, const cni_copy *copy,
                                uint32_t holder)
{
    (void)holder;
    uint32_t to = cni_route_neighbor(&run->routes, node, copy->port);
    cni_collective_cross(run, node, copy, to);
    return join(run, to, copy, 1);
}

static cn_status accept_at(cni_collective *run, uint32_t node)
{
    paper *own = run->own;
    for (uint32_t left = turn_of(run, node); left > 0; left--) {
        cni_copy copy = leave(run, node);
        CNI_TRY(come(own, node, node, &copy));
    }
    return CN_OK;
}

/* What was accepted is passed on at the end of the cycle, so it is in line for the next one. */
static cn_status cycle_accepting(cni_collective *run)
{
    paper *own = run->own;
    cni_set_walk walk = cni_set_begin(own->busy, cni_set_words(run->routes.nodes), run->cycle);
    own->come_count = 0;
    for (uint32_t node; cni_set_next(&walk, &node);)
        CNI_TRY(accept_at(run, node));
    return take_in(run);
}

const cni_collective_machine cni_paper_accept_machine = {.open = open_paper,
                                                         .close = close_paper,
                                                         .push = push_to_accept,
                                                         .is_empty = is_empty,
                                                         .cycle = cycle_accepting,
                                                         .visit = visit_to_accept};

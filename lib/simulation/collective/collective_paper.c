/*
 * The machine that reproduces Ziavras & Krishnamurthy 1999, Tables 3-14: a channel carries any
 * number of copies, but a node handles only a number of copies in a cycle. Multicasts: a node sends
 * at most b copies from one queue, first come first served. Broadcasts: a node accepts at most b of
 * the copies that its neighbours have for it, last come first served; copies that go on come after
 * copies that start in the same cycle. The paper does not tell this order. It follows from the
 * cycles of Table 3 (docs/lab/collective-tables.md); the cycles of the other tables hardly depend
 * on it.
 */
#include "simulation/collective/collective_way.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* The copies that wait at a node, one behind the other. The first copy is served first; of
 * broadcasts the last copy. */
typedef struct line {
    cni_copy *place; /* up to FEW places in paper.few, more places in a block of their own */
    size_t room;
    uint32_t first, end; /* the waiting copies are place[first .. end - 1] */
    /* Of broadcasts: so many of the last copies go on, and have come in this cycle. */
    uint32_t onward;
} line;

/* Data far away in memory are fetched AHEAD steps before their use; the data that tell their
 * addresses BEHIND steps before. Lists are BEHIND elements longer than their contents. */
enum { AHEAD = 12, BEHIND = 2 * AHEAD };

/* The places that every line has from the start, and the most copies in a line. */
enum { FEW = 4 };
#define MOST_IN_LINE (UINT32_C(1) << 31)

/* A copy that is served, in its place in line. */
typedef struct served_copy {
    const cni_copy *copy;
    uint64_t node; /* as large as the pointer, so that one instruction writes both */
} served_copy;

typedef struct paper {
    void *block;         /* of the four arrays that follow */
    line *line;          /* [node] */
    cni_copy *few;       /* [node * FEW] */
    uint64_t *busy;      /* nodes whose line is not empty */
    uint32_t *turn;      /* these nodes in the order in which this cycle serves them */
    served_copy *leaves; /* the copies that these nodes serve */
    cni_moved *goes;     /* copies that go on, with the nodes to which they have come */
    cni_moved *join;     /* copies of broadcasts, with the nodes where they wait next */
    uint32_t *crossed;   /* channels over which copies go: their loads are far away in memory */
    size_t leaves_room, leaves_count, goes_room, goes_count, join_room, join_count;
    size_t crossed_room, crossed_count;
} paper;

static void close_paper(cni_collective *run)
{
    paper *own = run->own;
    for (uint32_t node = 0; own->line != NULL && node < run->routes.nodes; node++)
        if (own->line[node].room > FEW)
            cni_release(own->line[node].place);
    cni_release(own->block);
    cni_release(own->leaves);
    cni_release(own->goes);
    cni_release(own->join);
    cni_release(own->crossed);
}

static cn_status open_paper(cni_collective *run)
{
    paper *own = run->own;
    uint64_t nodes = run->routes.nodes;
    const cni_array arrays[] = {CNI_ARRAY(own->line, nodes), CNI_ARRAY(own->few, nodes * FEW),
                                CNI_ARRAY(own->busy, cni_set_words(cni_size(nodes))),
                                CNI_ARRAY(own->turn, nodes + BEHIND)};
    CNI_TRY(cni_allocate_arrays(&own->block, arrays));
    for (size_t node = 0; node < nodes; node++)
        own->line[node] = (line){.place = own->few + node * FEW, .room = FEW};
    return CN_OK;
}

/* ---- lines ---- */

/* Makes room for more copies at the end of a line. When as many places in front are free as
 * copies wait, the copies move to the front. */
static cn_status make_room(line *l, uint64_t more)
{
    uint32_t length = l->end - l->first;
    if (length + more > MOST_IN_LINE)
        return cni_fail(CN_ERR_OVERFLOW, "collective: more than 2^31 copies are waiting at a node");
    if (l->first >= length && length + more <= l->room) {
        memcpy(l->place, l->place + l->first, length * sizeof *l->place);
        l->first = 0;
        l->end = length;
        return CN_OK;
    }
    cni_copy *place = l->room > FEW ? l->place : NULL;
    size_t room = l->room > FEW ? l->room : 0;
    CNI_TRY(cni_grow(&place, &room, l->end + more, sizeof *place));
    if (l->room == FEW)
        memcpy(place, l->place, l->end * sizeof *place);
    l->place = place;
    l->room = room;
    return CN_OK;
}

/* Puts a copy into the line of a node. In a broadcast, copies that start go under the copies
 * that go on. */
CNI_INLINE cn_status join_line(cni_collective *run, uint32_t node, const cni_copy *copy,
                               int accepting)
{
    paper *own = run->own;
    line *l = &own->line[node];
    if (l->end == l->room)
        CNI_TRY(make_room(l, 1));
    cni_copy *at = l->place + l->end++;
    if (accepting && cni_hops(copy) == 0)
        for (uint32_t over = l->onward; over > 0; over--, at--)
            *at = at[-1];
    else if (accepting)
        l->onward++;
    *at = *copy;
    cni_set_add(own->busy, node);
    run->queued++;
    if (l->end - l->first > run->peak_buffer)
        run->peak_buffer = l->end - l->first;
    return CN_OK;
}

/* Fetches a line that a copy joins later, and the place that a copy takes soon. */
static inline void fetch_lines(const paper *own, const cni_moved move[])
{
    const line *soon = &own->line[move[AHEAD].node];
    CNI_PREFETCH(&own->line[move[BEHIND].node]);
    CNI_PREFETCH(soon->place + soon->end);
}

/* A copy of a broadcast waits in line at the other end of its channel. A copy that goes on is
 * put into a list, which has room for it, and joins the line when the list is complete. */
static inline cn_status push_to_accept(cni_collective *run, uint32_t node, const cni_copy *copy)
{
    paper *own = run->own;
    uint32_t channel = node * run->routes.degree + copy->port;
    uint32_t to = cni_route_neighbor(&run->routes, node, copy->port);
    cni_pass(run, copy, to);
    if (cni_hops(copy) == 0) {
        cni_cross(run, channel);
        return join_line(run, to, copy, 1);
    }
    own->crossed[own->crossed_count++] = channel;
    own->join[own->join_count++] = (cni_moved){.node = to, .copy = *copy};
    return CN_OK;
}

/* A copy of a multicast waits at the node that sends it. */
static inline cn_status push_to_send(cni_collective *run, uint32_t node, const cni_copy *copy)
{
    return join_line(run, node, copy, 0);
}

static cn_status join_all(cni_collective *run)
{
    paper *own = run->own;
    for (size_t i = 0; i < own->join_count; i++) {
        const cni_moved *m = &own->join[i];
        fetch_lines(own, m);
        CNI_TRY(join_line(run, m->node, &m->copy, 1));
    }
    own->join_count = 0;
    return CN_OK;
}

/* ---- a cycle ---- */

/* Lists the copies that a node serves in this cycle, and takes them out of the line. */
CNI_INLINE void serve_line(cni_collective *run, uint32_t node, int accepting)
{
    paper *own = run->own;
    line *l = &own->line[node];
    uint32_t length = l->end - l->first;
    uint32_t count = run->buffers > 0 && run->buffers < length ? run->buffers : length;
    const cni_copy *copy = l->place + (accepting ? l->end - 1 : l->first);
    served_copy *to = own->leaves + own->leaves_count;
    own->leaves_count += count;
    for (uint32_t i = 0; i < FEW; i++) /* no processor could foresee how few */
        to[i] = (served_copy){.copy = accepting ? copy - i : copy + i, .node = node};
    for (uint32_t i = FEW; i < count; i++)
        to[i] = (served_copy){.copy = accepting ? copy - i : copy + i, .node = node};
    run->queued -= count;
    l->onward = 0;
    /* an empty line starts at its first place again */
    uint32_t stay = 0 - (uint32_t)(count < length);
    l->first = (l->first + (accepting ? 0 : count)) & stay;
    l->end = (l->end - (accepting ? count : 0)) & stay;
    own->busy[node >> 6] ^= (uint64_t)(stay + 1) << (node & 63);
}

/* Serves all lines. Served copies stay in their places until other copies join the line. */
CNI_INLINE cn_status serve_all(cni_collective *run, int accepting)
{
    paper *own = run->own;
    uint64_t most = run->buffers * (uint64_t)run->routes.nodes;
    most = (most > 0 && most < run->queued ? most : run->queued) + BEHIND;
    CNI_TRY(cni_grow(&own->leaves, &own->leaves_room, most, sizeof *own->leaves));
    CNI_TRY(cni_grow(&own->goes, &own->goes_room, most, sizeof *own->goes));
    cni_set_walk walk = cni_set_begin(own->busy, cni_set_words(run->routes.nodes), run->cycle);
    uint32_t *end = own->turn;
    for (uint32_t node; cni_set_next(&walk, &node);)
        *end++ = node;
    own->leaves_count = 0;
    for (const uint32_t *node = own->turn; node < end; node++) {
        CNI_PREFETCH(&own->line[node[BEHIND]]);
        serve_line(run, *node, accepting);
    }
    return CN_OK;
}

/* A copy of a multicast leaves over its channel. Returns the node at the other end. */
static inline uint32_t send_copy(cni_collective *run, uint32_t node, const cni_copy *copy,
                                 uint32_t *channel)
{
    *channel = node * run->routes.degree + copy->port;
    CNI_PREFETCH(&run->load[*channel]);
    cni_pass(run, copy, node);
    return cni_route_neighbor(&run->routes, node, copy->port);
}

/* Takes the served copies to their nodes. No processor could foresee whether a copy goes on, so
 * the next place of the list is always written, and kept or not. Returns the number of copies
 * that go on. */
CNI_INLINE uint64_t take_in_copies(cni_collective *run, int accepting)
{
    paper *own = run->own;
    uint64_t onward = 0;
    cni_moved *goes = own->goes;
    uint32_t *crossed = own->crossed;
    for (const served_copy *l = own->leaves, *end = l + own->leaves_count; l < end; l++) {
        CNI_PREFETCH(l[BEHIND].copy);
        cni_moved come = {.node = (uint32_t)l->node, .copy = *l->copy};
        if (!accepting)
            come.node = send_copy(run, come.node, l->copy, crossed++);
        come.copy.way += CNI_ONE_HOP;
        uint32_t copies = cni_arrive(run, &come);
        *goes = come; /* not earlier: all later loads would wait for this place */
        goes += copies > 0;
        onward += copies;
    }
    own->goes_count = (size_t)(goes - own->goes);
    own->crossed_count = (size_t)(crossed - own->crossed);
    return onward;
}

/* Counts the listed channels over which copies go. */
static void cross_all(cni_collective *run)
{
    paper *own = run->own;
    uint32_t *loads = run->load, peak = run->peak_channel;
    for (size_t i = 0; i < own->crossed_count; i++) {
        uint32_t load = ++loads[own->crossed[i]];
        peak = load > peak ? load : peak;
    }
    run->peak_channel = peak;
    run->total[CNI_COUNT_TRANSMISSIONS] += own->crossed_count;
    own->crossed_count = 0;
}

/* Copies that have come are passed on at the end of the cycle, so they are in line for the next
 * cycle. */
CNI_INLINE cn_status cycle_paper(cni_collective *run, int accepting, cni_push_fn push)
{
    paper *own = run->own;
    CNI_TRY(serve_all(run, accepting));
    run->total[CNI_COUNT_CONTENTIONS] += run->queued;
    uint64_t crossing = own->leaves_count;
    if (accepting)
        crossing = take_in_copies(run, 1);
    CNI_TRY(cni_grow(&own->crossed, &own->crossed_room, crossing, sizeof *own->crossed));
    if (accepting)
        CNI_TRY(cni_grow(&own->join, &own->join_room, crossing + BEHIND, sizeof *own->join));
    else
        take_in_copies(run, 0);
    if (!accepting)
        cross_all(run);
    for (const cni_moved *m = own->goes, *end = m + own->goes_count; m < end; m++) {
        if (!accepting)
            fetch_lines(own, m);
        CNI_TRY(cni_pass_on(run, m->node, &m->copy, push));
    }
    if (!accepting)
        return CN_OK;
    cross_all(run);
    return join_all(run);
}

static cn_status cycle_accepting(cni_collective *run)
{
    return cycle_paper(run, 1, push_to_accept);
}

static cn_status cycle_sending(cni_collective *run)
{
    return cycle_paper(run, 0, push_to_send);
}

/* ---- snapshots ---- */

/* Checks a copy that was read: it stands in the line of a node; a copy of a broadcast has come
 * to the node already. */
static cn_status check_copy(cni_collective_visit *v, uint32_t node, const cni_copy *copy)
{
    cni_collective *run = v->run;
    uint32_t to = node;
    if (!run->accepting)
        CNI_TRY(cni_collective_check_port(run, node, copy, &to));
    CNI_TRY(cni_collective_expect(v, to, copy));
    int is_alone = run->operation[copy->operation].plan == NULL;
    CNI_ALLOW(run->accepting || !is_alone || cni_detour(copy) != CNI_DIRECT || copy->place != node,
              "a copy that waits where it goes");
    return CN_OK;
}

/* Visits the copies of a line in the order of service. */
static cn_status visit_line(cni_collective_visit *v, uint32_t node)
{
    cni_collective *run = v->run;
    paper *own = run->own;
    line *l = &own->line[node];
    uint32_t length = l->end - l->first, onward = l->onward;
    int reads = cni_archive_reads(v->archive);
    CNI_TRY(cni_archive_length(v->archive, &length, CNI_COPY_BYTES));
    cni_archive_u32s(v->archive, &onward, 1);
    CNI_ALLOW(onward <= length, "the mark of a line");
    if (reads)
        CNI_TRY(make_room(l, length));
    for (uint32_t i = 0; i < length; i++) {
        cni_copy *copy = l->place + l->first + (run->accepting ? length - 1 - i : i);
        cni_collective_visit_copy(v->archive, copy);
        if (reads)
            CNI_TRY(check_copy(v, node, copy));
    }
    if (!reads || length == 0)
        return CN_OK;
    l->end = length;
    l->onward = onward;
    cni_set_add(own->busy, node);
    run->queued += length;
    return CN_OK;
}

static cn_status visit_paper(cni_collective_visit *v)
{
    for (uint32_t node = 0; node < v->run->routes.nodes; node++)
        CNI_TRY(visit_line(v, node));
    return CN_OK;
}

const cni_collective_machine cni_paper_send_machine = {
    .size = sizeof(paper),
    .open = open_paper,
    .close = close_paper,
    .push = push_to_send,
    .cycle = cycle_sending,
    .visit = visit_paper,
};

const cni_collective_machine cni_paper_accept_machine = {
    .size = sizeof(paper),
    .open = open_paper,
    .close = close_paper,
    .push = push_to_accept,
    .cycle = cycle_accepting,
    .visit = visit_paper,
};

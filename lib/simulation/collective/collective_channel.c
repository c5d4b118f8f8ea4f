/*
 * The machine with scarce channels and buffers: every channel carries a number of copies in a
 * cycle, and a node holds a number of messages in transit, in all or for each number of hops.
 *
 * A node has an outbox for each channel. All copies in an outbox lead to the same neighbour, so
 * they differ only in the room that they need there: none at the end of the way, else room of a
 * class. So an outbox has a queue for each kind of room. Among the first copies of the queues that
 * find room, the earliest goes first. A copy without room lets only copies pass that need other
 * room.
 */
#include "simulation/collective/collective_way.h"

#include "base/error.h"
#include "base/inline.h"
#include "base/memory.h"

/* Holders of places in the buffers: CNI_NONE for a fresh copy, which holds none; HELD_ALONE for
 * a copy alone; otherwise the number of a message that is being split into copies. */
#define HELD_ALONE (CNI_NONE - 1)

/* A copy in line; `order` numbers the copies as they join a queue. */
typedef struct waiting {
    uint32_t next, order, holder;
    cni_copy copy;
} waiting;

typedef struct queue {
    uint32_t first, last;
} queue;

/* A copy that crosses its channel, and the node in whose buffers its message then leaves a place
 * for the next cycle; CNI_NONE: none. */
typedef struct crossing {
    uint32_t vacates;
    cni_moved come;
} crossing;

typedef struct channels {
    uint32_t capacity; /* copies a channel and cycle; UINT32_MAX: unlimited */
    int one_port, by_hops;
    uint32_t classes;     /* of buffers; 0: unlimited */
    uint32_t queues;      /* of an outbox: no room needed, then one for each class */
    void *block;          /* of the arrays that follow */
    uint32_t *room;       /* [class]: places of a node */
    uint32_t *held;       /* [node * classes + class]: places in use or given away */
    uint32_t *in_transit; /* [node]: messages */
    queue *outbox;        /* [(node * degree + port) * queues + queue]; empty: first is CNI_NONE */
    size_t words;         /* of a set of ports */
    uint64_t *ports;      /* [node * words]: the ports with a copy in the outbox */
    uint64_t *busy;       /* nodes with a copy in an outbox */
    waiting *place;
    size_t places;
    uint32_t used, unused; /* places ever used; first place of the chain of free places */
    uint32_t order;        /* of the next copy that joins a queue */
    uint32_t *copies_left; /* [holder]: copies; for a free holder the next free holder */
    uint32_t holder;       /* of the message that is passed on; CNI_NONE: a message that starts */
    size_t holders;
    uint32_t holders_used, holders_unused;
    crossing *crossing; /* of this cycle */
    size_t crossings_room, crossings;
} channels;

static void close_channels(cni_collective *run)
{
    channels *own = run->own;
    cni_release(own->block);
    cni_release(own->place);
    cni_release(own->copies_left);
    cni_release(own->crossing);
}

static cn_status open_channels(cni_collective *run)
{
    const double *value = run->scenario->value;
    size_t nodes = run->routes.nodes, degree = run->routes.degree;
    channels *own = run->own;
    own->capacity = (uint32_t)value[CN_PARAM_CHANNEL_CAPACITY];
    if (own->capacity == 0)
        own->capacity = UINT32_MAX;
    own->one_port = value[CN_PARAM_ONE_PORT] != 0.0;
    own->by_hops = value[CN_PARAM_BUFFER_CLASSES] != 0.0;
    own->unused = own->holders_unused = own->holder = CNI_NONE;
    uint64_t classes = run->buffers > 0;
    if (run->buffers > 0 && own->by_hops)
        CNI_TRY(cni_collective_classes(run->scenario, &classes));
    own->classes = (uint32_t)classes;
    own->queues = 1 + own->classes;
    own->words = cni_set_words(degree);
    const cni_array arrays[] = {CNI_ARRAY(own->room, classes),
                                CNI_ARRAY(own->held, nodes * classes),
                                CNI_ARRAY(own->in_transit, nodes),
                                CNI_ARRAY(own->outbox, (uint64_t)nodes * degree * own->queues),
                                CNI_ARRAY(own->ports, (uint64_t)nodes * own->words),
                                CNI_ARRAY(own->busy, cni_set_words(nodes))};
    CNI_TRY(cni_allocate_arrays(&own->block, arrays));
    /* places as equal as possible; the first classes get the rest */
    for (uint32_t c = 0; c < own->classes; c++)
        own->room[c] = run->buffers / own->classes + (c < run->buffers % own->classes);
    for (size_t q = 0; q < nodes * degree * own->queues; q++)
        own->outbox[q].first = CNI_NONE;
    return CN_OK;
}

/* ---- outboxes ---- */

/* The queues of a channel. */
static queue *outbox_of(const cni_collective *run, uint32_t node, uint32_t port)
{
    const channels *own = run->own;
    return &own->outbox[((size_t)node * run->routes.degree + port) * own->queues];
}

static cn_status take_place(channels *own, uint32_t *place)
{
    if (own->unused != CNI_NONE) {
        *place = own->unused;
        own->unused = own->place[*place].next;
        return CN_OK;
    }
    CNI_TRY(cni_grow(&own->place, &own->places, own->used + 1, sizeof *own->place));
    *place = own->used++;
    return CN_OK;
}

/* The class of the buffers for a message in transit. */
static uint32_t class_of(const channels *own, uint32_t hops)
{
    uint32_t class = own->by_hops ? hops - 1 : 0;
    return class < own->classes ? class
                                : own->classes - 1; /* only a forged snapshot has more hops */
}

/* The queue for the room that a copy needs at the other end of its channel. */
static uint32_t queue_of(const cni_collective *run, uint32_t node, const cni_copy *copy)
{
    const channels *own = run->own;
    uint32_t to = cni_route_neighbor(&run->routes, node, copy->port);
    if (own->classes == 0 || cni_onward(run, to, copy) == 0)
        return 0;
    return 1 + class_of(own, cni_hops(copy) + 1);
}

/* Puts a copy into its queue, with its number in the order of joining. */
static cn_status put_in_queue(cni_collective *run, uint32_t node, const cni_copy *copy,
                              uint32_t holder, uint32_t order)
{
    channels *own = run->own;
    uint32_t place = 0;
    CNI_TRY(take_place(own, &place));
    own->place[place] =
        (waiting){.next = CNI_NONE, .order = order, .holder = holder, .copy = *copy};
    queue *into = outbox_of(run, node, copy->port) + queue_of(run, node, copy);
    if (into->first == CNI_NONE)
        into->first = place;
    else
        own->place[into->last].next = place;
    into->last = place;
    cni_set_add(own->busy, node);
    cni_set_add(own->ports + node * own->words, copy->port);
    run->queued++;
    return CN_OK;
}

static cn_status push_to_cross(cni_collective *run, uint32_t node, const cni_copy *copy)
{
    channels *own = run->own;
    if (own->order == UINT32_MAX)
        return cni_fail(CN_ERR_OVERFLOW, "collective: the run has more than 2^32 - 1 copies");
    return put_in_queue(run, node, copy, own->holder, own->order++);
}

/* The queue of an outbox to node `to` whose first copy goes next; own->queues: no copy has room. */
static uint32_t next_queue(const channels *own, const queue outbox[], uint32_t to)
{
    uint32_t best = own->queues;
    for (uint32_t q = 0; q < own->queues; q++) {
        if (outbox[q].first == CNI_NONE)
            continue;
        if (q > 0 && own->held[(size_t)to * own->classes + q - 1] >= own->room[q - 1])
            continue;
        if (best == own->queues ||
            own->place[outbox[q].first].order < own->place[outbox[best].first].order)
            best = q;
    }
    return best;
}

/* Takes a port without copies out of the set of its node, and a node without such ports out of the
 * set `busy`. */
static void close_outbox_if_empty(channels *own, uint32_t node, uint32_t port, const queue outbox[])
{
    for (uint32_t q = 0; q < own->queues; q++)
        if (outbox[q].first != CNI_NONE)
            return;
    uint64_t *ports = own->ports + node * own->words;
    cni_set_remove(ports, port);
    for (size_t w = 0; w < own->words; w++)
        if (ports[w] != 0)
            return;
    cni_set_remove(own->busy, node);
}

/* ---- holders: copies of a message in transit that have not gone ---- */

/* Takes a holder for a message in transit that goes on as so many copies. */
static cn_status take_holder(channels *own, uint32_t copies, uint32_t *holder)
{
    if (copies == 1) {
        *holder = HELD_ALONE;
        return CN_OK;
    }
    if (own->holders_unused != CNI_NONE) {
        *holder = own->holders_unused;
        own->holders_unused = own->copies_left[*holder];
    } else {
        CNI_TRY(cni_grow(&own->copies_left, &own->holders, own->holders_used + 1,
                         sizeof *own->copies_left));
        *holder = own->holders_used++;
    }
    own->copies_left[*holder] = copies;
    return CN_OK;
}

/* Counts a copy that has gone; 1 when its message has left the node. */
static int gives_back(channels *own, uint32_t holder)
{
    if (holder == CNI_NONE || holder == HELD_ALONE)
        return holder == HELD_ALONE;
    if (--own->copies_left[holder] > 0)
        return 0;
    own->copies_left[holder] = own->holders_unused;
    own->holders_unused = holder;
    return 1;
}

/* ---- a cycle ---- */

/* The first copy of a queue crosses; its place at the other end is taken at once. */
static void send_first(cni_collective *run, uint32_t node, uint32_t to, queue *outbox, uint32_t q)
{
    channels *own = run->own;
    uint32_t place = outbox[q].first;
    waiting *goes = &own->place[place];
    outbox[q].first = goes->next;
    CNI_PREFETCH(&own->place[goes->next]); /* for the next cycle */
    goes->next = own->unused;
    own->unused = place;
    run->queued--;
    uint32_t channel = node * run->routes.degree + goes->copy.port;
    uint32_t load = cni_cross(run, channel);
    if (run->passed == NULL)
        cni_note_since(run, &goes->copy, channel, load);
    else
        cni_pass(run, &goes->copy, node);
    if (q > 0)
        own->held[(size_t)to * own->classes + q - 1]++;
    crossing *made = &own->crossing[own->crossings++];
    made->vacates = gives_back(own, goes->holder) ? node : CNI_NONE;
    made->come = (cni_moved){.node = to, .copy = goes->copy};
    made->come.copy.way += CNI_ONE_HOP;
}

/* Sends at most `left` copies over a port. */
static void serve_port(cni_collective *run, uint32_t node, uint32_t port, uint32_t left)
{
    channels *own = run->own;
    queue *outbox = outbox_of(run, node, port);
    uint32_t to = cni_route_neighbor(&run->routes, node, port);
    for (uint32_t q; left > 0 && (q = next_queue(own, outbox, to)) < own->queues; left--)
        send_first(run, node, to, outbox, q);
    close_outbox_if_empty(own, node, port, outbox);
}

/* Serves the ports of a node; with one port, only the earliest copy that could cross. */
static void serve(cni_collective *run, uint32_t node)
{
    channels *own = run->own;
    cni_set_walk walk = cni_set_begin(own->ports + node * own->words, own->words, run->cycle);
    uint32_t first = UINT32_MAX, first_port = 0;
    for (uint32_t port; cni_set_next(&walk, &port);) {
        if (!own->one_port) {
            serve_port(run, node, port, own->capacity);
            continue;
        }
        const queue *outbox = outbox_of(run, node, port);
        uint32_t q = next_queue(own, outbox, cni_route_neighbor(&run->routes, node, port));
        if (q < own->queues && own->place[outbox[q].first].order < first) {
            first = own->place[outbox[q].first].order;
            first_port = port;
        }
    }
    if (first < UINT32_MAX)
        serve_port(run, node, first_port, 1);
}

/* Frees the places of the messages that have left their nodes in this cycle. */
static void vacate(channels *own)
{
    for (size_t i = 0; i < own->crossings; i++) {
        uint32_t node = own->crossing[i].vacates;
        if (node == CNI_NONE)
            continue;
        own->in_transit[node]--;
        if (own->classes > 0)
            own->held[(size_t)node * own->classes +
                      class_of(own, cni_hops(&own->crossing[i].come.copy) - 1)]--;
    }
}

/* 1 when a message of the operation waits where this message would wait, and goes on for both. */
static int combines(cni_collective *run, const cni_moved *come)
{
    channels *own = run->own;
    const cni_copy *copy = &come->copy;
    const cni_operation *operation = &run->operation[copy->operation];
    const queue *outbox = outbox_of(run, come->node, cni_port_up(run, operation, come->node));
    uint32_t at = CNI_NONE, queues = operation->kind == CN_OPERATIONS_COMBINING ? own->queues : 0;
    for (uint32_t q = 0; q < queues && at == CNI_NONE; q++)
        for (at = outbox[q].first;
             at != CNI_NONE && own->place[at].copy.operation != copy->operation;)
            at = own->place[at].next;
    if (at != CNI_NONE && own->classes > 0)
        own->held[(size_t)come->node * own->classes + class_of(own, cni_hops(copy))]--;
    if (at != CNI_NONE && (!run->attentive || cni_collective_tell(run, come, 0, 1)))
        cni_deliver(run, &run->operation[copy->operation]);
    return at != CNI_NONE;
}

/* Takes a copy that has crossed its channel: delivers it, and puts copies that go on in line. */
static cn_status take_in_copy(cni_collective *run, const cni_moved *come)
{
    channels *own = run->own;
    uint32_t onward = cni_arrive(run, come);
    own->holder = CNI_NONE;
    if (onward == 0)
        return run->kind == CN_OPERATIONS_CONCENTRATION ? cni_collective_concentrate(run, come)
                                                        : CN_OK;
    if (CNI_RARELY(run->kind == CN_OPERATIONS_COMBINING) && combines(run, come))
        return CN_OK;
    CNI_TRY(take_holder(own, onward, &own->holder));
    if (++own->in_transit[come->node] > run->peak_buffer)
        run->peak_buffer = own->in_transit[come->node];
    return cni_pass_on(run, come->node, &come->copy, push_to_cross);
}

/* Nothing has moved, and nothing can move in any later cycle: the waiting copies need places that
 * only waiting copies can vacate. */
static cn_status fail_deadlock(const cni_collective *run)
{
    return cni_fail(CN_ERR_DEADLOCK,
                    "collective: deadlock in cycle %llu: each of the %llu copies in the network "
                    "waits for room in a full node; more transit_buffers may avoid it, "
                    "buffer_classes = yes does",
                    (unsigned long long)run->cycle, (unsigned long long)run->queued);
}

static cn_status cycle(cni_collective *run)
{
    channels *own = run->own;
    cni_set_walk walk = cni_set_begin(own->busy, cni_set_words(run->routes.nodes), run->cycle);
    uint64_t links = (uint64_t)run->routes.nodes * run->routes.degree, most = run->queued;
    if (most / own->capacity > links) /* more copies than can cross */
        most = links * own->capacity;
    CNI_TRY(cni_grow(&own->crossing, &own->crossings_room, most, sizeof *own->crossing));
    own->crossings = 0;
    for (uint32_t node; cni_set_next(&walk, &node);)
        serve(run, node);
    run->total[CNI_COUNT_CONTENTIONS] += run->queued;
    if (own->crossings == 0)
        return fail_deadlock(run);
    vacate(own);
    for (size_t i = 0; i < own->crossings; i++)
        CNI_TRY(take_in_copy(run, &own->crossing[i].come));
    own->holder = CNI_NONE;
    return CN_OK;
}

/* ---- snapshots ---- */

/* Holders in a snapshot are numbered by their first copies; places in use follow from holders. */
enum { NO_HOLDER, ALONE, FIRST_HOLDER };

typedef struct holders {
    uint32_t *number; /* writing, by holder: its number; 0: no number yet */
    uint32_t next;    /* number */
    uint32_t here;    /* the first number of the present node */
} holders;

static uint32_t number_of(holders *h, uint32_t holder)
{
    if (holder == CNI_NONE || holder == HELD_ALONE)
        return holder == CNI_NONE ? NO_HOLDER : ALONE;
    if (h->number[holder] == 0)
        h->number[holder] = h->next++;
    return h->number[holder];
}

/* Finds the holder of a copy that was read at a node. */
static cn_status find_holder(channels *own, holders *h, uint32_t node, const cni_copy *copy,
                             uint32_t number, uint32_t *holder)
{
    int is_new = number == ALONE || number == h->next;
    *holder = number == NO_HOLDER ? CNI_NONE : HELD_ALONE;
    CNI_ALLOW((number == NO_HOLDER) == (cni_hops(copy) == 0) && number <= h->next &&
                  (number < FIRST_HOLDER || number >= h->here),
              "what holds a place in the buffers");
    if (number >= FIRST_HOLDER) {
        *holder = number - FIRST_HOLDER;
        if (is_new)
            CNI_TRY(take_holder(own, 2, holder));
        own->copies_left[*holder] += is_new ? 0 - UINT32_C(1) : 1;
        h->next += is_new ? 1 : 0;
    }
    if (!is_new)
        return CN_OK;
    own->in_transit[node]++;
    if (own->classes > 0)
        own->held[(size_t)node * own->classes + class_of(own, cni_hops(copy))]++;
    return CN_OK;
}

static cn_status visit_waiting(cni_collective_visit *v, holders *h, uint32_t node, waiting *w)
{
    cni_collective *run = v->run;
    uint32_t number = cni_archive_reads(v->archive) ? 0 : number_of(h, w->holder), to, holder;
    cni_collective_visit_copy(v->archive, &w->copy);
    cni_archive_u32s(v->archive, &w->order, 1);
    cni_archive_u32s(v->archive, &number, 1);
    if (!cni_archive_reads(v->archive))
        return CN_OK;
    CNI_TRY(cni_collective_check_port(run, node, &w->copy, &to));
    CNI_TRY(cni_collective_expect(v, to, &w->copy));
    CNI_TRY(cni_collective_await(run, &run->operation[w->copy.operation], node, to));
    CNI_TRY(find_holder(run->own, h, node, &w->copy, number, &holder));
    return put_in_queue(run, node, &w->copy, holder, w->order);
}

/* Visits the outbox of a channel, queue by queue. */
static cn_status visit_outbox(cni_collective_visit *v, holders *h, uint32_t node, uint32_t port)
{
    channels *own = v->run->own;
    const queue *outbox = outbox_of(v->run, node, port);
    uint32_t count = 0;
    for (uint32_t q = 0; q < own->queues; q++)
        for (uint32_t at = outbox[q].first; at != CNI_NONE; at = own->place[at].next)
            count++;
    CNI_TRY(cni_archive_length(v->archive, &count, CNI_COPY_BYTES));
    for (uint32_t i = 0; i < count && cni_archive_reads(v->archive); i++) {
        waiting w = {0};
        CNI_TRY(visit_waiting(v, h, node, &w));
    }
    for (uint32_t q = 0; q < own->queues && !cni_archive_reads(v->archive); q++)
        for (uint32_t at = outbox[q].first; at != CNI_NONE; at = own->place[at].next)
            CNI_TRY(visit_waiting(v, h, node, &own->place[at]));
    return CN_OK;
}

static cn_status visit_channels(cni_collective_visit *v)
{
    const cni_tree_routes *routes = &v->run->routes;
    channels *own = v->run->own;
    holders h = {.next = FIRST_HOLDER};
    cni_archive_u32s(v->archive, &own->order, 1);
    h.number = cni_allocate(own->holders_used, sizeof *h.number);
    cn_status status = h.number == NULL ? CN_ERR_MEMORY : CN_OK;
    for (uint32_t node = 0; node < routes->nodes && status == CN_OK; node++) {
        h.here = h.next;
        for (uint32_t port = 0; port < routes->degree && status == CN_OK; port++)
            status = visit_outbox(v, &h, node, port);
    }
    cni_release(h.number);
    return status;
}

const cni_collective_machine cni_channel_machine = {
    .size = sizeof(channels),
    .open = open_channels,
    .close = close_channels,
    .push = push_to_cross,
    .cycle = cycle,
    .visit = visit_channels,
};

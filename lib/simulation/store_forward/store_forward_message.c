/* New messages, delivered messages, and their counters. */
#include "simulation/store_forward/store_forward.h"

static int has_headers(const cni_store *k)
{
    return k->shape.form == CNI_STORE_CUBE || k->shape.form == CNI_STORE_RINGS;
}

cni_message cni_store_create(const cni_store *k, uint64_t source, uint64_t destination,
                             uint64_t number, int injected, uint64_t created, uint64_t begin_word)
{
    const cni_store_shape *s = &k->shape;
    const cn_routing *routing = k->network.routing;
    uint64_t to =
        has_headers(k) ? cni_header(k->network.topology, source, destination) : destination;
    cni_message m =
        cni_store_stamp(s, created,
                        source << s->source_shift | (uint64_t)injected << s->injected_shift |
                            number << s->number_shift | to);
    if (k->shape.form == CNI_STORE_CLASSED) {
        uint64_t target = cni_routing_begin(routing, destination, begin_word);
        uint32_t class = 0;
        if (target == source) { /* the first leg ends where it begins */
            target = destination;
            class = cni_leg_class(routing, routing->kind->legs - 1);
        }
        m.way = target << 8 | class;
    }
    return m;
}

uint64_t cni_store_distance(const cni_store *k, uint64_t source, uint64_t to)
{
    const cn_topology *t = k->network.topology;
    uint64_t hops = 0;
    if (k->shape.form == CNI_STORE_CUBE)
        return cni_popcount(to);
    if (k->hops_by_header)
        return k->hops[has_headers(k) ? to : cni_header(t, source, to)];
    if (k->hops != NULL)
        return k->hops[cni_network_rank(&k->network, to) * k->network.endpoints +
                       cni_network_rank(&k->network, source)];
    /* a closed form cannot fail */
    t->ops->distance(t, has_headers(k) ? to : source, has_headers(k) ? 0 : to, &hops);
    return hops;
}

/* ---- letters and trace messages of a message ---- */

cni_letter *cni_store_find_letter(const cni_store *k, uint64_t created, uint64_t identity)
{
    const cni_store_shape *s = &k->shape;
    return cni_mailbox_find(
        &k->base.head.mailbox, k->slotted_clock ? created : created >> CNI_TICK_BITS,
        cni_store_source(s, identity), identity >> s->number_shift & (s->numbers - 1));
}

const cni_trace_message *cni_store_find_traced(const cni_store *k, uint64_t created,
                                               uint64_t identity)
{
    const cni_store_shape *s = &k->shape;
    uint64_t source = cni_store_source(s, identity);
    uint64_t number = identity >> s->number_shift & (s->numbers - 1);
    return cni_slotted_find(&k->base.slotted, created, source, number);
}

uint64_t cni_store_hops(const cni_store *k, uint64_t identity, uint64_t node)
{
    uint64_t source = cni_store_source(&k->shape, identity);
    if (k->shape.form == CNI_STORE_CUBE)
        return cni_popcount(source ^ node);
    if (k->shape.hop_mask != 0)
        return identity >> k->shape.hop_shift & k->shape.hop_mask;
    if (k->shape.form == CNI_STORE_RINGS)
        return cni_store_distance(k, source, cni_header(k->network.topology, source, node));
    return 0;
}

void cni_store_note_hop(const cni_store *k, const cni_message *m)
{
    const cni_store_shape *s = &k->shape;
    if ((m->identity >> s->injected_shift & 1) == 0)
        return;
    cni_letter *letter = cni_store_find_letter(k, cni_store_created(s, m), m->identity);
    if (letter != NULL)
        letter->hops += 1;
}

/* ---- delivered messages ---- */

/* The destination of a message that is reported; 0 when neither a letter nor the trace knows the
 * message. */
static uint64_t destination_of(const cni_store *k, uint64_t created, uint64_t identity)
{
    const cni_letter *letter = NULL;
    const cni_trace_message *traced = NULL;
    if ((identity >> k->shape.injected_shift & 1) != 0)
        letter = cni_store_find_letter(k, created, identity);
    else
        traced = cni_store_find_traced(k, created, identity);
    return letter != NULL ? letter->destination : traced != NULL ? traced->destination : 0;
}

/* Notes an arrival to report. In a part messages do not arrive in the order of the nodes, so
 * each landing names its node. */
static void note_arrival(const cni_store *k, cni_store_worker *w, uint64_t cycle, uint64_t created,
                         uint64_t identity)
{
    cni_landing landing = {cycle, 0, {created, identity}};
    if (k->base.part.parts > 1)
        landing.node = destination_of(k, created, identity);
    cni_divided_note_landing(&w->hand, &landing);
}

void cni_store_count_arrivals(const cni_store *k, cni_store_worker *w, uint64_t now, uint64_t cycle)
{
    int traced = k->base.head.mailbox.reports_trace,
        is_asked = traced || k->base.head.mailbox.waiting > 0;
    uint32_t shift = k->shape.injected_shift;
    int counts = k->base.counts.words > 0;
    uint64_t delay = 0, greatest = w->hand.delays->greatest;
    for (size_t i = 0; i < w->arrivals; i++) {
        uint64_t age = (k->slotted_clock ? now : w->ended[i]) - w->created[i];
        delay += age;
        greatest = age > greatest ? age : greatest;
        cni_histogram_count(w->hand.delays, age);
        if (counts)
            cni_histogram_count(w->hand.hops, w->hops_made[i]);
    }
    w->hand.delays->total += w->arrivals;
    w->hand.delays->greatest = greatest;
    w->hand.counters[CNI_COUNT_DELIVERED] += w->arrivals;
    w->hand.counters[CNI_COUNT_DELAY] += delay;
    for (size_t i = 0; is_asked && i < w->arrivals; i++)
        if (traced || (w->identity[i] >> shift & 1) != 0)
            note_arrival(k, w, cycle, w->created[i], w->identity[i]);
    w->arrivals = 0;
}

cni_store_worker *cni_store_worker_of(const cni_store *k, uint64_t node)
{
    uint32_t i = 0;
    while (node >= cni_store_worker_at(k, i)->end_node)
        i++;
    return cni_store_worker_at(k, i);
}

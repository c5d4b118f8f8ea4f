/* Short messages: the moves of their flits in a cycle. */
#include "simulation/wormhole/wormhole_short.h"

#include "simulation/wormhole/wormhole_hops.h"

/* LARGE: nodes from which on headers are fetched ahead into the cache. FLITS: the most flits of
 * the messages of a scenario; with more flits the sets of a crowd are faster in overload. */
enum { CNI_SHORT_LARGE = 512, CNI_SHORT_FLITS = 4 };

/* Copies of the pointers and numbers that the loops read of the kernel: the compiler need not
 * read a copy again after each store. */
typedef struct places {
    cni_worm_header *all, *headers; /* by place; by worm */
    cni_worm *worms;
    cni_worm_holder *holders;
    const uint32_t *from, *far;
    const uint64_t *choices;
    uint64_t *held, *wanted, *requests, *crossed;
    uint32_t *path, *contested, *flits, *next;
    cni_crowd_hop *hops;
    uint8_t *held_count;
    uint64_t cycle;
    uint32_t nodes, shift, span, stride, outside;
    uint32_t mask; /* of the number of a virtual channel in its channel */
    uint32_t rows; /* entries of the table for each target */
    int is_plain;
    const cni_packed *table; /* the numbers of choices; NULL: differences */
} places;

/* Changes of a cycle, to be added to the kernel. */
typedef struct sums {
    uint64_t count, square, busy; /* held virtual channels, squares, busy channels */
    uint64_t waited, started, contested_count, flits;
} sums;

/* Whether a header needs no more than the number of its choice at the next node. */
static int is_plain(const cni_wormhole *k)
{
    const cni_routing_kind *kind = k->network.routing->kind;
    return cni_worm_has_numbers(k) && kind->after == NULL && kind->begin == NULL &&
           k->counts.words == 0;
}

CNI_INLINE places find_places(const cni_wormhole *k)
{
    return (places){
        .all = k->waiting.header,
        .headers = k->waiting.header + k->nodes,
        .worms = k->worms.all,
        .holders = k->channels.holder,
        .from = k->channels.from,
        .far = k->network.far,
        .choices = k->choices.set,
        .held = k->waiting.held,
        .wanted = k->waiting.wanted,
        .requests = k->channels.requests,
        .crossed = k->channels.crossed,
        .path = k->worms.path,
        .contested = k->channels.contested,
        .flits = k->channels.flits,
        .next = k->crowd.next,
        .hops = k->crowd.hop,
        .outside = k->crowd.outside,
        .held_count = k->channels.held_count,
        .cycle = k->cycle,
        .nodes = k->nodes,
        .shift = k->shift,
        .span = k->span,
        .stride = k->stride,
        .mask = (UINT32_C(1) << k->shift) - 1,
        .rows = k->network.routing->classes * k->nodes,
        .is_plain = is_plain(k),
        .table = k->choices.is_by_difference || !is_plain(k) ? NULL : &k->network.table->numbers};
}

/* ---- grants ---- */

/* Requests the channel of a virtual channel. Returns the number of contested channels. */
CNI_INLINE uint64_t request_channel(places p, uint64_t contested_count, uint32_t virtual_channel)
{
    uint32_t channel = virtual_channel >> p.shift;
    uint64_t others = p.requests[channel];
    p.contested[contested_count] = channel;
    p.requests[channel] = others | UINT64_C(1) << (virtual_channel & p.mask);
    return contested_count + (others == 0);
}

/* Links a granted virtual channel to the buffer or source from which the flits of the message
 * come. */
CNI_INLINE void link_flits(places p, uint32_t key, uint32_t virtual_channel, uint32_t flits)
{
    uint32_t previous = key < CNI_WORM_SOURCE ? key : p.outside;
    p.hops[virtual_channel] = (cni_crowd_hop){previous, flits};
    p.next[virtual_channel] = p.outside;
    p.next[previous] = virtual_channel;
}

CNI_INLINE void grant_channel(places p, uint32_t worm, uint32_t virtual_channel, sums *s)
{
    cni_worm *w = &p.worms[worm];
    uint32_t hop = w->head, channel = virtual_channel >> p.shift;
    uint32_t count = p.held_count[channel] + 1u;
    w->head = (uint16_t)(hop + 1);
    w->header = 1;
    p.path[(size_t)worm * p.stride + hop] = virtual_channel;
    p.holders[virtual_channel] = (cni_worm_holder){worm, hop};
    p.held_count[channel] = (uint8_t)count;
    s->contested_count = request_channel(p, s->contested_count, virtual_channel);
    s->count += 1;
    s->square += 2 * count - 1;
    s->busy += count == 1;
    s->started += hop == 0;
}

/* Serves the messages that wait at a node in their order, as grant_at() in wormhole_grant.c.
 * is_single: messages have one flit. */
CNI_INLINE void grant_at(int is_single, cni_wormhole *k, places p, uint32_t node, sums *s)
{
    uint64_t held = p.held[node], wanted = p.wanted[node], still_wanted = 0;
    uint32_t draws = 0, at = p.all[node].next;
    while (at != node && (wanted & ~held) != 0) {
        const cni_worm_header *header = &p.all[at];
        const uint64_t *choice = &p.choices[(size_t)header->choice * 2];
        uint64_t set = choice[0] & ~held, either = choice[0] | choice[1];
        uint32_t worm = at - p.nodes, has_place = set != 0;
        at = header->next;
        if ((either & ~held) == 0) {
            still_wanted |= either;
            continue;
        }
        if (CNI_RARELY(p.worms[worm].head == p.stride)) {
            k->strays = 1;
            continue;
        }
        if (CNI_RARELY(header->class == CNI_WORM_BROADCAST))
            cni_worm_note_sent(k, worm);
        if (!has_place)
            set = cni_worm_lowest_of_ports(k, either & ~held);
        uint32_t number = cni_lowest_bit(set);
        draws += has_place | ((set & (set - 1)) != 0);
        if ((set & (set - 1)) != 0)
            number = cni_pick_bit(set, cni_worm_draw(k, node, draws - 1), k->has_pdep);
        p.all[header->previous].next = at;
        p.all[at].previous = header->previous;
        held |= UINT64_C(1) << number;
        k->counters[CNI_COUNT_WORM_UNICAST_GRANTS + header->class] += 1;
        s->waited += p.cycle - header->since - 1;
        if (!is_single)
            link_flits(p, header->key, node * p.span + number, k->worms.message[worm].flits);
        grant_channel(p, worm, node * p.span + number, s);
    }
    p.held[node] = held;
    if (at == node)
        p.wanted[node] = still_wanted;
}

void cni_short_grant(cni_wormhole *k)
{
    places p = find_places(k);
    sums s = {.contested_count = k->channels.contested_count};
    const uint32_t *listed = k->waiting.listed;
    uint8_t *is_listed = k->waiting.is_listed;
    const int is_large = k->nodes >= CNI_SHORT_LARGE;
    for (size_t i = 0, count = k->waiting.listed_count; i < count; i++) {
        is_listed[listed[i]] = 0;
        if (is_large && i + CNI_WORM_AHEAD < count) {
            uint32_t first = p.all[listed[i + CNI_WORM_AHEAD]].next;
            CNI_PREFETCH(&p.all[first]);
            if (first >= p.nodes)
                CNI_PREFETCH(&p.worms[first - p.nodes]);
        }
        if (k->flits == 1)
            grant_at(1, k, p, listed[i], &s);
        else
            grant_at(0, k, p, listed[i], &s);
    }
    k->waiting.listed_count = 0;
    k->channels.contested_count = s.contested_count;
    k->counters[CNI_COUNT_WORM_WAITING] += s.waited;
    k->channels.held_sum += s.count;
    k->channels.held_square += s.square;
    k->channels.busy += s.busy;
    k->worms.holders += s.started;
    k->moved |= s.count;
}

/* ---- moves ---- */

/* Round robin, as among worms: the turn changes where two or more virtual channels of the
 * channel are held. Lists the virtual channels that win. */
CNI_INLINE size_t find_winners(const cni_wormhole *k, places p, uint32_t winners[])
{
    uint8_t *const turns = k->channels.turn;
    const size_t count = k->channels.contested_count;
    for (size_t i = 0; i < count; i++) {
        uint32_t channel = p.contested[i], turn = turns[channel];
        uint64_t requests = p.requests[channel], later = requests & ~UINT64_C(1) << turn;
        uint32_t winner = cni_lowest_bit(later != 0 ? later : requests);
        turns[channel] = (uint8_t)(p.held_count[channel] > 1 ? winner : turn);
        winners[i] = channel << p.shift | winner;
    }
    return count;
}

/* Ends the request of a winner if is_over. A channel with requests stays contested, at place `kept`
 * of the list. Called for the winners in their order. Returns the new length of the list. */
CNI_INLINE size_t end_request(places p, uint32_t winner, int is_over, size_t kept)
{
    uint32_t channel = winner >> p.shift;
    uint64_t requests = p.requests[channel] & ~((uint64_t)is_over << (winner & p.mask));
    p.requests[channel] = requests;
    p.contested[kept] = channel;
    return kept + (requests != 0);
}

/* The tail of a message of so many flits leaves the buffer of a virtual channel. */
CNI_INLINE void leave_buffer(cni_wormhole *k, places p, uint32_t virtual_channel, uint32_t flits,
                             sums *s)
{
    uint32_t channel = virtual_channel >> p.shift, node = p.from[channel];
    uint64_t bit = UINT64_C(1) << (virtual_channel - node * p.span);
    uint32_t count = p.held_count[channel];
    p.held_count[channel] = (uint8_t)(count - 1);
    p.crossed[channel] += flits;
    p.held[node] ^= bit;
    if ((p.wanted[node] & bit) != 0)
        cni_wormhole_list(k, node, 1);
    s->count += 1;
    s->flits += flits;
    s->square += 2 * count - 1;
    s->busy += count == 1;
}

/* Passes a flit to the node, if there is one. Returns whether the tail leaves the last buffer with
 * this flit. */
CNI_INLINE int pass_flit(places p, uint32_t virtual_channel, uint64_t *moved)
{
    uint32_t flits = p.flits[virtual_channel];
    p.flits[virtual_channel] = flits - (flits > 0);
    *moved += flits > 0;
    return flits == 1 && p.hops[virtual_channel].rest == 0;
}

/* Passes flits of messages at their destinations to the nodes. */
CNI_INLINE cn_status pass_to_nodes(cni_wormhole *k, places p, int is_single, sums *s)
{
    size_t kept = 0, count = k->worms.active_count;
    for (size_t i = 0; i < count; i++) {
        uint32_t virtual_channel = k->worms.active[i], worm = p.holders[virtual_channel].worm;
        if (!is_single && !pass_flit(p, virtual_channel, &k->moved)) {
            k->worms.active[kept++] = virtual_channel;
            continue;
        }
        leave_buffer(k, p, virtual_channel, is_single ? 1 : k->worms.message[worm].flits, s);
        p.worms[worm].tail = p.worms[worm].head;
        CNI_TRY(cni_wormhole_arrive(k, worm));
    }
    k->worms.holders -= count - kept;
    k->moved += count - kept;
    k->worms.active_count = kept;
    return CN_OK;
}

/* A message comes to a node that is not its destination, as in cni_wormhole_wait(). */
CNI_INLINE void line_up(cni_wormhole *k, places p, uint32_t worm, uint32_t node)
{
    cni_worm_header *own = &p.headers[worm];
    uint32_t place = p.nodes + worm, after = p.all[node].previous;
    own->choice = p.table == NULL
                      ? node ^ own->target
                      : (uint32_t)cni_packed_at(p.table, (size_t)own->target * p.rows + node);
    while (p.all[after].since == p.cycle && p.all[after].key > own->key)
        after = p.all[after].previous;
    uint32_t next = p.all[after].next;
    own->previous = after;
    own->next = next;
    p.all[next].previous = place;
    p.all[after].next = place;
    p.wanted[node] |= p.choices[(size_t)own->choice * 2] | p.choices[(size_t)own->choice * 2 + 1];
    cni_wormhole_list(k, node, 1);
}

/* The header of a message has crossed a virtual channel. Returns whether the header is at its
 * destination. */
CNI_INLINE int bring_header(cni_wormhole *k, places p, uint32_t worm, uint32_t virtual_channel)
{
    cni_worm_header *header = &p.headers[worm];
    cni_worm *w = &p.worms[worm];
    w->header = 0;
    if (!p.is_plain) {
        w->exit = (uint64_t)cni_wormhole_come(k, worm, virtual_channel);
        return w->exit != 0;
    }
    uint32_t node = p.far[virtual_channel >> p.shift];
    header->node = node;
    header->key = virtual_channel;
    header->since = p.cycle;
    if (node == header->target) {
        w->exit = 1;
        return 1;
    }
    line_up(k, p, worm, node);
    return 0;
}

static inline void fetch_message(places p, uint32_t worm)
{
    CNI_PREFETCH(&p.headers[worm]);
    CNI_PREFETCH(&p.worms[worm]);
}

/* Messages of one flit that win cross their channels. Lists the messages that leave their
 * sources; returns their number. */
CNI_INLINE size_t cross_single_flits(cni_wormhole *k, places p, size_t count, sums *s)
{
    const uint32_t *const winners = k->channels.winners;
    uint32_t *const started = k->worms.tails, *const arrived = k->worms.active;
    const int is_large = k->nodes >= CNI_SHORT_LARGE;
    size_t started_count = 0, arrived_count = k->worms.active_count, kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t virtual_channel = winners[i], worm = p.holders[virtual_channel].worm;
        uint32_t left = p.headers[worm].key;
        if (is_large && i + CNI_WORM_AHEAD < count)
            fetch_message(p, p.holders[winners[i + CNI_WORM_AHEAD]].worm);
        kept = end_request(p, virtual_channel, 1, kept);
        started[started_count] = worm;
        started_count += left >= CNI_WORM_SOURCE;
        if (left < CNI_WORM_SOURCE)
            leave_buffer(k, p, left, 1, s);
        p.worms[worm].tail = (uint16_t)(p.worms[worm].head - 1u);
        arrived[arrived_count] = virtual_channel;
        arrived_count += (size_t)bring_header(k, p, worm, virtual_channel);
    }
    k->channels.contested_count = kept;
    k->worms.active_count = arrived_count;
    return started_count;
}

/* One flit crosses each winning virtual channel. The request of the virtual channel goes on while
 * flits are left in the buffer before it. */
CNI_INLINE void count_flits(cni_wormhole *k, places p, size_t count)
{
    const uint32_t *const winners = k->channels.winners;
    size_t kept = 0;
    p.flits[p.outside] = UINT32_MAX; /* a source never lacks flits */
    for (size_t i = 0; i < count; i++) {
        cni_crowd_hop *hop = &p.hops[winners[i]];
        hop->rest -= 1;
        p.flits[winners[i]] += 1;
        p.flits[hop->previous] -= 1;
    }
    for (size_t i = 0; i < count; i++) {
        cni_crowd_hop hop = p.hops[winners[i]];
        kept = end_request(p, winners[i], (hop.rest == 0) | (p.flits[hop.previous] == 0), kept);
    }
    k->channels.contested_count = kept;
}

/* Flits of the winners cross, headers come, tails leave, and flits in a buffer that was empty
 * request the next channel. Lists the messages that leave their sources; returns their number. */
CNI_INLINE size_t cross_counted_flits(cni_wormhole *k, places p, size_t count, sums *s)
{
    const uint32_t *const winners = k->channels.winners;
    uint32_t *const started = k->worms.tails;
    count_flits(k, p, count);
    uint64_t contested_count = k->channels.contested_count;
    size_t started_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t virtual_channel = winners[i], next = p.next[virtual_channel];
        cni_crowd_hop hop = p.hops[virtual_channel];
        cni_worm_holder by = p.holders[virtual_channel];
        if (next == p.outside) {
            const cni_worm *w = &p.worms[by.worm];
            if (w->header != 0 && by.hop + 1 == w->head &&
                bring_header(k, p, by.worm, virtual_channel))
                k->worms.active[k->worms.active_count++] = virtual_channel;
        } else if (p.flits[virtual_channel] == 1) {
            contested_count = request_channel(p, contested_count, next);
        }
        if (hop.rest > 0)
            continue;
        if (hop.previous == p.outside) {
            started[started_count++] = by.worm;
        } else {
            leave_buffer(k, p, hop.previous, k->worms.message[by.worm].flits, s);
            p.worms[by.worm].tail += 1;
        }
    }
    k->channels.contested_count = contested_count;
    return started_count;
}

/* The moves of a cycle; is_single: messages have one flit. */
CNI_INLINE cn_status move_by(cni_wormhole *k, int is_single)
{
    places p = find_places(k);
    sums s = {0};
    size_t count = find_winners(k, p, k->channels.winners);
    CNI_TRY(pass_to_nodes(k, p, is_single, &s));
    size_t started =
        is_single ? cross_single_flits(k, p, count, &s) : cross_counted_flits(k, p, count, &s);
    k->moved |= count;
    k->counters[CNI_COUNT_WORM_FLIT_HOPS] += s.flits;
    k->channels.held_sum -= s.count;
    k->channels.held_square -= s.square;
    k->channels.busy -= s.busy;
    for (size_t i = 0; i < started; i++) {
        cni_worm_at(k, k->worms.tails[i])->leaving = 2;
        CNI_TRY(cni_wormhole_leave_source(k, k->worms.tails[i]));
    }
    return CN_OK;
}

cn_status cni_short_move(cni_wormhole *k)
{
    return k->flits == 1 ? move_by(k, 1) : move_by(k, 0);
}

/* ---- into this form and out of it ---- */

static int is_possible(const cni_wormhole *k)
{
    uint32_t most = k->flits == 1 ? 1 : k->buffers;
    if (k->way != &cni_worms || k->flits > most || k->flits > CNI_SHORT_FLITS ||
        k->node_words != 1 || k->selection != CN_SELECTION_RANDOM)
        return 0;
    for (size_t i = 0; i < k->worms.used; i++)
        if (k->worms.message[i].flits > most)
            return 0;
    for (size_t i = 0; i < k->sources.used; i++)
        if (k->sources.queued[i].flits > most)
            return 0;
    return 1;
}

/* Takes the flits of a held virtual channel over from the sets. */
static void enter_hop(cni_wormhole *k, const places *p, uint32_t virtual_channel)
{
    const cni_crowd_hop *hop = &p->hops[virtual_channel];
    p->flits[virtual_channel] = cni_crowd_flits(&k->crowd, virtual_channel);
    if (cni_crowd_has(k->crowd.set.fed, virtual_channel) && hop->rest > 0)
        k->channels.contested_count =
            request_channel(*p, k->channels.contested_count, virtual_channel);
}

void cni_short_enter(cni_wormhole *k)
{
    if (!is_possible(k))
        return;
    places p = find_places(k);
    k->worms.active_count = k->channels.contested_count = 0;
    for (uint32_t worm = 0; worm < k->worms.used; worm++) {
        const cni_worm *w = cni_worm_at(k, worm);
        const uint32_t *path = &k->worms.path[(size_t)worm * k->stride];
        for (uint32_t hop = w->tail; hop < w->head; hop++)
            enter_hop(k, &p, path[hop]);
        if (cni_worm_holds(w) && w->exit != 0)
            k->worms.active[k->worms.active_count++] = path[w->head - 1];
        if (w->header != 0) /* the header is still where it waited */
            p.headers[worm].key =
                w->head > 1 ? path[w->head - 2] : CNI_WORM_SOURCE + k->worms.message[worm].port;
    }
    for (uint32_t channel = 0; k->crowd.is_on && channel < k->nodes * k->ports; channel++)
        k->channels.turn[channel] = cni_crowd_last(k, channel);
    k->crowd.is_on = 0;
    k->way = &cni_short_messages;
}

/* A short message has 1 where a worm has a bit. */
void cni_short_leave(cni_wormhole *k)
{
    for (size_t i = 0; i < k->channels.contested_count; i++)
        k->channels.requests[k->channels.contested[i]] = 0;
    k->channels.contested_count = 0;
    for (uint32_t worm = 0; worm < k->worms.used; worm++) {
        cni_worm *w = cni_worm_at(k, worm);
        w->header = w->header != 0 ? cni_worm_bit(w->head - 1u) : 0;
        w->exit = w->exit != 0 ? cni_worm_bit(w->head) : 0;
        if (w->leaving != 1)
            w->leaving = UINT64_C(2) << (w->tail & 63);
    }
    cni_crowd_set(k, 1);
    k->way = &cni_worms;
}

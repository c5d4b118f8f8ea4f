/* The waiting headers of the wormhole kernel, and the grants of virtual channels. */
#include <string.h>

#include "base/random.h"
#include "simulation/wormhole/wormhole_hops.h"
#include "topology/topology.h"

/* ---- waiting headers ---- */

CNI_INLINE void add_choice(const cni_wormhole *k, uint32_t number, uint32_t words, uint64_t set[])
{
    const uint64_t *choice = &k->choices.set[(size_t)number * 2 * words];
    for (uint32_t i = 0; i < words; i++)
        set[i] |= choice[i] | choice[words + i];
}

/* Puts a header into the ring of its node: behind all headers that have waited longer, and by
 * key among the headers of the same cycle. The place of the node is before all headers. */
void cni_wormhole_wait(cni_wormhole *k, uint32_t worm, uint64_t since)
{
    cni_worm_header *all = k->waiting.header, *own = cni_worm_header_of(k, worm);
    uint32_t place = k->nodes + worm;
    own->since = since;
    if (cni_worm_has_numbers(k))
        own->choice = cni_worm_choice_number(k, own->node, &k->worms.message[worm]);
    else
        cni_worm_write_choice(k, worm);
    uint32_t after = all[own->node].previous;
    while (all[after].since > since || (all[after].since == since && all[after].key > own->key))
        after = all[after].previous;
    own->previous = after;
    own->next = all[after].next;
    all[own->next].previous = place;
    all[after].next = place;
    add_choice(k, own->choice, k->node_words,
               &k->waiting.wanted[(size_t)own->node * k->node_words]);
    cni_wormhole_list(k, own->node, 1);
}

/* A header has come from a node: finds its class in the routing, and begins the next leg at the
 * end of a leg. Only for routings with classes. */
static void change_state(const cni_wormhole *k, cni_worm_message *message, uint32_t from,
                         uint32_t port, uint32_t number, uint32_t node)
{
    const cn_routing *routing = k->network.routing;
    message->state =
        (uint8_t)cni_routing_after(routing, message->state, message->target, from, port, number);
    if (node != message->target)
        return;
    message->target = message->destination;
    message->state = (uint8_t)cni_leg_class(routing, 1);
}

int cni_wormhole_come(cni_wormhole *k, uint32_t worm, uint32_t virtual_channel)
{
    cni_worm_header *header = cni_worm_header_of(k, worm);
    cni_worm_message *message = &k->worms.message[worm];
    uint32_t from = header->node, channel = virtual_channel >> k->shift;
    uint32_t node = k->network.far[channel];
    header->node = node;
    header->key = virtual_channel;
    header->since = k->cycle;
    if (node == message->destination && node == message->target)
        return 1;
    if (CNI_RARELY(k->counts.words > 0) && message->broadcast == CNI_WORM_NONE)
        k->counts.forwarded[node] += 1;
    if (k->network.routing->kind->after != NULL)
        change_state(k, message, from, channel - from * k->ports,
                     virtual_channel & ((UINT32_C(1) << k->shift) - 1), node);
    cni_wormhole_wait(k, worm, k->cycle);
    return 0;
}

static void stop_waiting(cni_wormhole *k, const cni_worm_header *own)
{
    k->waiting.header[own->previous].next = own->next;
    k->waiting.header[own->next].previous = own->previous;
}

/* ---- sets ---- */

CNI_INLINE uint32_t count_all(const uint64_t set[], uint32_t words)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < words; i++)
        count += cni_popcount(set[i]);
    return count;
}

/* The position of a one-bit in the words of a set by random bits. */
CNI_INLINE uint32_t pick_bit(const cni_wormhole *k, const uint64_t set[], uint32_t words,
                             uint32_t random)
{
    if (words == 1)
        return cni_pick_bit(set[0], random, k->has_pdep);
    uint32_t at = 0, rank = cni_random_below(random, count_all(set, words));
    for (; rank >= cni_popcount(set[at]); at++)
        rank -= cni_popcount(set[at]);
    return at << 6 | cni_select_bit(set[at], rank);
}

/* ---- grant ---- */

CNI_INLINE void grant_channel(cni_wormhole *k, uint32_t worm, uint32_t node, uint32_t at)
{
    const cni_worm_header *header = cni_worm_header_of(k, worm);
    stop_waiting(k, header);
    if (CNI_RARELY(header->class == CNI_WORM_BROADCAST))
        cni_worm_note_sent(k, worm);
    k->counters[CNI_COUNT_WORM_UNICAST_GRANTS + header->class] += 1;
    k->counters[CNI_COUNT_WORM_WAITING] += k->cycle - header->since - 1;
    k->way->give(k, worm, node, at);
}

/* Leaves only the virtual channels of a node in the set that `selection` prefers: the lowest
 * number, or the least load (messages in the buffer, or held virtual channels of the channel). */
CNI_APART void keep_preferred(const cni_wormhole *k, uint32_t node, uint64_t set[])
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < k->node_words; i++) {
        uint64_t rest = set[i];
        for (set[i] = 0; rest != 0; rest &= rest - 1) {
            uint32_t at = i << 6 | cni_lowest_bit(rest);
            uint32_t cost = k->selection == CN_SELECTION_LOWEST ? at : k->way->load(k, node, at);
            if (cost < best)
                memset(set, 0, (i + 1) * sizeof *set);
            if (cost <= best)
                set[i] |= rest & (0 - rest);
            best = cost < best ? cost : best;
        }
    }
}

/* Picks one of the virtual channels in the words of a set. One virtual channel alone needs no
 * random word; but where it is no escape (has_place) it uses up a number of the sequence. */
CNI_INLINE uint32_t pick_channel(const cni_wormhole *k, uint32_t node, int has_place,
                                 uint64_t set[], uint32_t words, uint32_t *draws)
{
    int is_one = words == 1 ? (set[0] & (set[0] - 1)) == 0 : count_all(set, words) == 1;
    *draws += (uint32_t)(has_place | !is_one);
    if (is_one)
        return pick_bit(k, set, words, 0);
    if (CNI_RARELY(k->selection != CN_SELECTION_RANDOM))
        keep_preferred(k, node, set);
    return pick_bit(k, set, words, cni_worm_draw(k, node, *draws - 1));
}

/* The header of a worm takes any of the free virtual channels that are no escapes, else the
 * lowest free escape of any port. At least one is free. */
CNI_INLINE void serve_header(cni_wormhole *k, uint32_t worm, uint32_t node, uint32_t words,
                             const uint64_t choice[], uint32_t *draws)
{
    const uint64_t *held = &k->waiting.held[(size_t)node * words];
    uint64_t set[CNI_WORM_WORDS], any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= set[i] = choice[i] & ~held[i];
    uint64_t needs_escape = (uint64_t)(any != 0) - 1;
    for (uint32_t i = 0; i < words; i++)
        set[i] |= cni_worm_lowest_of_ports(k, choice[words + i] & ~held[i] & needs_escape);
    grant_channel(k, worm, node, pick_channel(k, node, any != 0, set, words, draws));
}

/* Whether a virtual channel of a set is free. */
CNI_INLINE int is_any_free(const uint64_t set[], const uint64_t held[], uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= set[i] & ~held[i];
    return any != 0;
}

/* Whether a header with this choice can have a virtual channel. */
CNI_INLINE int can_serve(const uint64_t choice[], const uint64_t held[], uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= (choice[i] | choice[words + i]) & ~held[i];
    return any != 0;
}

/* Serves the waiting headers of a node in their order. When nothing that is wanted is free, the
 * other headers need no look. Otherwise all have had a look, and the wanted set is made anew. */
CNI_INLINE void grant_at(cni_wormhole *k, uint32_t node, uint32_t words)
{
    const uint64_t *held = &k->waiting.held[(size_t)node * words];
    uint64_t *wanted = &k->waiting.wanted[(size_t)node * words], still_wanted[CNI_WORM_WORDS];
    uint32_t draws = 0, at = k->waiting.header[node].next;
    for (uint32_t i = 0; i < words; i++)
        still_wanted[i] = 0;
    while (at != node) {
        if (!is_any_free(wanted, held, words))
            return;
        for (; at != node; at = k->waiting.header[at].next) {
            const uint64_t *choice =
                &k->choices.set[(size_t)k->waiting.header[at].choice * 2 * words];
            if (can_serve(choice, held, words)) {
                uint32_t worm = at - k->nodes;
                at = k->waiting.header[at].next;
                serve_header(k, worm, node, words, choice, &draws);
                break;
            }
            add_choice(k, k->waiting.header[at].choice, words, still_wanted);
        }
    }
    for (uint32_t i = 0; i < words; i++)
        wanted[i] = still_wanted[i];
}

int cni_wormhole_can_grant(const cni_wormhole *k)
{
    for (size_t i = 0; i < k->waiting.listed_count; i++) {
        uint32_t node = k->waiting.listed[i], at = k->waiting.header[node].next;
        const uint64_t *held = &k->waiting.held[(size_t)node * k->node_words];
        for (; at != node; at = k->waiting.header[at].next)
            if (can_serve(cni_worm_choice(k, at - k->nodes), held, k->node_words))
                return 1;
    }
    return 0;
}

/* Fetches the first waiting header of a node into the cache. */
static void fetch_node(const cni_wormhole *k, uint32_t node)
{
    uint32_t first = k->waiting.header[node].next;
    CNI_PREFETCH(&k->waiting.header[first]);
    if (!cni_worm_has_numbers(k) && first != node)
        CNI_PREFETCH(&k->choices.set[(size_t)(first - k->nodes) * 2 * k->node_words]);
}

void cni_wormhole_grant(cni_wormhole *k)
{
    for (size_t i = 0; i < k->waiting.listed_count; i++) {
        if (i + CNI_WORM_AHEAD < k->waiting.listed_count)
            fetch_node(k, k->waiting.listed[i + CNI_WORM_AHEAD]);
        k->waiting.is_listed[k->waiting.listed[i]] = 0;
        if (k->node_words == 1)
            grant_at(k, k->waiting.listed[i], 1);
        else
            grant_at(k, k->waiting.listed[i], k->node_words);
    }
    k->waiting.listed_count = 0;
}

/* ---- ports ---- */

uint32_t cni_worm_pick_port(const cni_wormhole *k, const cni_worm_message *message, uint32_t bits)
{
    uint64_t room[2 * CNI_WORM_WORDS], ports[CNI_WORM_WORDS];
    const uint64_t *choice = cni_worm_find_choice(k, message->source, message, room);
    uint32_t i = 0;
    do
        ports[i] = cni_worm_lowest_of_ports(k, choice[i] | choice[k->node_words + i]);
    while (++i < k->node_words);
    return pick_bit(k, ports, k->node_words, bits) >> k->shift;
}

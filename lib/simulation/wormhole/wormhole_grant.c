/* Waiting headers of the wormhole kernel, and the virtual channels that they are given. */
#include <string.h>

#include "base/random.h"
#include "routing/decisions/channels.h"
#include "simulation/wormhole/wormhole.h"
#include "topology/topology.h"

#if CNI_BMI2
#include <immintrin.h>
#define TARGET __attribute__((target("bmi,bmi2,popcnt")))
#endif

/* ---- waiting headers ---- */

CNI_INLINE void add_choice(const cni_wormhole *k, uint32_t number, uint32_t words, uint64_t set[])
{
    const uint64_t *choice = &k->choices.set[(size_t)number * 2 * words];
    for (uint32_t i = 0; i < words; i++)
        set[i] |= choice[i] | choice[words + i];
}

/* Behind all that have waited longer, and by key among those of the same cycle. The node's own
 * place is before all. */
void cni_wormhole_wait(cni_wormhole *k, uint32_t worm, uint64_t since)
{
    cni_worm_header *all = k->waiting.header, *own = cni_worm_header_of(k, worm);
    uint32_t place = k->nodes + worm;
    own->since = since;
    cni_worm_choose(k, worm);
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

/* A header has come from a node, and it may be that another leg begins. The routing has classes. */
static inline void change_state(const cni_wormhole *k, cni_worm_message *message, uint32_t from,
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

/* Position of the one-bit number rank (0: the lowest) of a word. */
typedef uint32_t (*select_fn)(uint64_t word, uint32_t rank);

#if CNI_BMI2
TARGET static inline uint32_t select_bmi2(uint64_t word, uint32_t rank)
{
    return (uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << rank, word));
}
#endif

CNI_INLINE uint32_t count_all(const uint64_t set[], uint32_t words)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < words; i++)
        count += cni_popcount(set[i]);
    return count;
}

/* Of the virtual channels in a word the lowest one of each port: the subtraction borrows nothing of
 * the next port. */
CNI_INLINE uint64_t lowest_of_ports(const cni_wormhole *k, uint64_t set)
{
    return set & ~((set | k->highest) - k->lowest);
}

/* The same in the words of a set. */
CNI_INLINE uint32_t select_of_all(select_fn select, const uint64_t set[], uint32_t words,
                                  uint32_t rank)
{
    uint32_t at = 0;
    for (; words > 1 && rank >= cni_popcount(set[at]); at++)
        rank -= cni_popcount(set[at]);
    return at << 6 | select(set[at], rank);
}

/* ---- grant ---- */

/* A copy leaves the source of its broadcast. */
static void note_sent(cni_wormhole *k, uint32_t worm)
{
    cni_worm_broadcast *whole = &k->broadcasts.all[k->worms.message[worm].broadcast];
    if (whole->sent == 0)
        whole->sent = k->cycle;
}

CNI_INLINE void give(cni_wormhole *k, uint32_t worm, uint32_t node, uint32_t at)
{
    const cni_worm_header *header = cni_worm_header_of(k, worm);
    stop_waiting(k, header);
    if (CNI_RARELY(header->class == CNI_WORM_BROADCAST))
        note_sent(k, worm);
    k->counters[CNI_COUNT_WORM_UNICAST_GRANTS + header->class] += 1;
    k->counters[CNI_COUNT_WORM_WAITING] += k->cycle - header->since - 1;
    k->way->give(k, worm, node, at);
}

CNI_INLINE uint32_t draw(const cni_wormhole *k, uint32_t node, uint32_t number, uint32_t count)
{
    uint64_t stream = cni_random_derive(k->cycle_seed, node);
    return cni_random_below((uint32_t)(cni_random_word(stream, number) >> 32), count);
}

/* Leaves of virtual channels of a node those that the selection prefers: the lowest, or those with
 * the fewest messages in the buffer or worms on their channel. */
CNI_APART void prefer(const cni_wormhole *k, uint32_t node, uint64_t set[])
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

/* One of the virtual channels in the words of a set. Of one alone there is nothing to draw, but one
 * that is no escape has its place in the sequence. */
CNI_INLINE uint32_t pick(select_fn select, const cni_wormhole *k, uint32_t node, int has_place,
                         uint64_t set[], uint32_t words, uint32_t *draws)
{
    int is_one = words == 1 ? (set[0] & (set[0] - 1)) == 0 : count_all(set, words) == 1;
    *draws += (uint32_t)(has_place | !is_one);
    if (is_one)
        return words == 1 ? cni_lowest_bit(set[0]) : select_of_all(select, set, words, 0);
    if (CNI_RARELY(k->selection != CN_SELECTION_RANDOM))
        prefer(k, node, set);
    uint32_t rank = draw(k, node, *draws - 1, count_all(set, words));
    return select_of_all(select, set, words, rank);
}

/* The header of a worm takes any of the free virtual channels that are no escapes, else the lowest
 * free escape of any port; there is one. */
CNI_INLINE void serve(select_fn select, cni_wormhole *k, uint32_t worm, uint32_t node,
                      uint32_t words, const uint64_t choice[], uint32_t *draws)
{
    const uint64_t *held = &k->waiting.held[(size_t)node * words];
    uint64_t set[CNI_WORM_WORDS], any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= set[i] = choice[i] & ~held[i];
    uint64_t needs_escape = (uint64_t)(any != 0) - 1;
    for (uint32_t i = 0; i < words; i++)
        set[i] |= lowest_of_ports(k, choice[words + i] & ~held[i] & needs_escape);
    give(k, worm, node, pick(select, k, node, any != 0, set, words, draws));
}

/* Whether any of a set is free. */
CNI_INLINE int is_any_free(const uint64_t set[], const uint64_t held[], uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= set[i] & ~held[i];
    return any != 0;
}

/* Whether the header that waits for these virtual channels can have one. */
CNI_INLINE int can_serve(const uint64_t choice[], const uint64_t held[], uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= (choice[i] | choice[words + i]) & ~held[i];
    return any != 0;
}

/* The waiting headers of a node, in order. When nothing that is wanted is free the others need no
 * look; else all have had one, and what they want is known anew. */
CNI_INLINE void grant_at(select_fn select, cni_wormhole *k, uint32_t node, uint32_t words)
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
                serve(select, k, worm, node, words, choice, &draws);
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

/* The first of the waiting headers of a node. */
static void fetch_node(const cni_wormhole *k, uint32_t node)
{
    uint32_t first = k->waiting.header[node].next;
    CNI_PREFETCH(&k->waiting.header[first]);
    if (!cni_worm_has_numbers(k) && first != node)
        CNI_PREFETCH(&k->choices.set[(size_t)(first - k->nodes) * 2 * k->node_words]);
}

CNI_INLINE void grant_all(select_fn select, cni_wormhole *k)
{
    for (size_t i = 0; i < k->waiting.listed_count; i++) {
        if (i + CNI_WORM_AHEAD < k->waiting.listed_count)
            fetch_node(k, k->waiting.listed[i + CNI_WORM_AHEAD]);
        k->waiting.is_listed[k->waiting.listed[i]] = 0;
        if (k->node_words == 1)
            grant_at(select, k, k->waiting.listed[i], 1);
        else
            grant_at(select, k, k->waiting.listed[i], k->node_words);
    }
    k->waiting.listed_count = 0;
}

/* ---- ports ---- */

CNI_INLINE uint32_t pick_port(select_fn select, const cni_wormhole *k,
                              const cni_worm_message *message, uint32_t bits)
{
    uint64_t room[2 * CNI_WORM_WORDS], ports[CNI_WORM_WORDS];
    const uint64_t *choice = cni_worm_find_choice(k, message->source, message, room);
    uint32_t words = k->node_words, i = 0, count = 0;
    do {
        ports[i] = lowest_of_ports(k, choice[i] | choice[words + i]);
        count += cni_popcount(ports[i]);
    } while (++i < words);
    uint32_t rank = cni_random_below(bits, count);
    return select_of_all(select, ports, words, rank) >> k->shift;
}

/* ---- for processors with PDEP and POPCNT, and for all ---- */

#if CNI_BMI2
TARGET static void grant_bmi2(cni_wormhole *k)
{
    grant_all(select_bmi2, k);
}

TARGET static uint32_t pick_port_bmi2(const cni_wormhole *k, const cni_worm_message *message,
                                      uint32_t bits)
{
    return pick_port(select_bmi2, k, message, bits);
}
#endif

int cni_wormhole_has_bmi2(void)
{
#if CNI_BMI2
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

void cni_wormhole_grant(cni_wormhole *k)
{
#if CNI_BMI2
    if (k->has_bmi2) {
        grant_bmi2(k);
        return;
    }
#endif
    grant_all(cni_select_bit, k);
}

uint32_t cni_worm_pick_port(const cni_wormhole *k, const cni_worm_message *message, uint32_t bits)
{
#if CNI_BMI2
    if (k->has_bmi2)
        return pick_port_bmi2(k, message, bits);
#endif
    return pick_port(cni_select_bit, k, message, bits);
}

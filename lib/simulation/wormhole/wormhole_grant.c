/* The waiting headers of the wormhole kernel, and the grants of virtual channels. */
#include <string.h>

#include "base/random.h"
#include "routing/decisions/channels.h"
#include "simulation/wormhole/wormhole_hops.h"
#include "topology/topology.h"

/* ---- waiting headers ---- */

void cni_wormhole_wait(cni_wormhole *k, uint32_t worm, uint64_t since)
{
    cni_worm_line_up(k, worm, since);
}

int cni_wormhole_come(cni_wormhole *k, uint32_t worm, uint32_t virtual_channel)
{
    return cni_worm_come_in(k, worm, virtual_channel);
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

/* The position of a one-bit in the words of a set by its rank. */
CNI_INLINE uint32_t select_of_all(cni_worm_select_fn select, const uint64_t set[], uint32_t words,
                                  uint32_t rank)
{
    uint32_t at = 0;
    for (; words > 1 && rank >= cni_popcount(set[at]); at++)
        rank -= cni_popcount(set[at]);
    return at << 6 | select(set[at], rank);
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
CNI_INLINE uint32_t pick_channel(cni_worm_select_fn select, const cni_wormhole *k, uint32_t node,
                                 int has_place, uint64_t set[], uint32_t words, uint32_t *draws)
{
    int is_one = words == 1 ? (set[0] & (set[0] - 1)) == 0 : count_all(set, words) == 1;
    *draws += (uint32_t)(has_place | !is_one);
    if (is_one)
        return words == 1 ? cni_lowest_bit(set[0]) : select_of_all(select, set, words, 0);
    if (CNI_RARELY(k->selection != CN_SELECTION_RANDOM))
        keep_preferred(k, node, set);
    uint32_t rank = cni_worm_draw(k, node, *draws - 1, count_all(set, words));
    return select_of_all(select, set, words, rank);
}

/* The header of a worm takes any of the free virtual channels that are no escapes, else the
 * lowest free escape of any port. At least one is free. */
CNI_INLINE void serve_header(cni_worm_select_fn select, cni_wormhole *k, uint32_t worm,
                             uint32_t node, uint32_t words, const uint64_t choice[],
                             uint32_t *draws)
{
    const uint64_t *held = &k->waiting.held[(size_t)node * words];
    uint64_t set[CNI_WORM_WORDS], any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= set[i] = choice[i] & ~held[i];
    uint64_t needs_escape = (uint64_t)(any != 0) - 1;
    for (uint32_t i = 0; i < words; i++)
        set[i] |= cni_worm_lowest_of_ports(k, choice[words + i] & ~held[i] & needs_escape);
    grant_channel(k, worm, node, pick_channel(select, k, node, any != 0, set, words, draws));
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
CNI_INLINE void grant_at(cni_worm_select_fn select, cni_wormhole *k, uint32_t node, uint32_t words)
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
                serve_header(select, k, worm, node, words, choice, &draws);
                break;
            }
            cni_worm_add_choice(k, k->waiting.header[at].choice, words, still_wanted);
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

CNI_INLINE void grant_all(cni_worm_select_fn select, cni_wormhole *k)
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

CNI_INLINE uint32_t pick_port(cni_worm_select_fn select, const cni_wormhole *k,
                              const cni_worm_message *message, uint32_t bits)
{
    uint64_t room[2 * CNI_WORM_WORDS], ports[CNI_WORM_WORDS];
    const uint64_t *choice = cni_worm_find_choice(k, message->source, message, room);
    uint32_t words = k->node_words, i = 0, count = 0;
    do {
        ports[i] = cni_worm_lowest_of_ports(k, choice[i] | choice[words + i]);
        count += cni_popcount(ports[i]);
    } while (++i < words);
    uint32_t rank = cni_random_below(bits, count);
    return select_of_all(select, ports, words, rank) >> k->shift;
}

/* ---- for processors with PDEP and POPCNT, and for all ---- */

#if CNI_BMI2
CNI_FOR_BMI2 static void grant_bmi2(cni_wormhole *k)
{
    grant_all(cni_worm_select_bmi2, k);
}

CNI_FOR_BMI2 static uint32_t pick_port_bmi2(const cni_wormhole *k, const cni_worm_message *message,
                                            uint32_t bits)
{
    return pick_port(cni_worm_select_bmi2, k, message, bits);
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

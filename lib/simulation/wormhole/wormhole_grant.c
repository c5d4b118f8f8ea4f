/* Waiting headers of the wormhole kernel, and the virtual channels that they are given. */
#include "base/random.h"
#include "routing/decisions/channels.h"
#include "simulation/wormhole/wormhole.h"
#include "topology/topology.h"

/* ---- waiting headers ---- */

CNI_INLINE void add_choice(const cni_wormhole *k, uint32_t worm, uint32_t words, uint64_t set[])
{
    const uint64_t *choice = &k->choice[(size_t)k->facts[worm].message.choice * 2 * words];
    for (uint32_t i = 0; i < words; i++)
        set[i] |= choice[i] | choice[words + i];
}

/* Behind all that have waited longer, and by key among those of the same cycle. */
void cni_wormhole_wait(cni_wormhole *k, uint32_t worm, uint64_t since)
{
    cni_worm_facts *own = &k->facts[worm];
    cni_worm_list *list = &k->waiting[own->node];
    own->since = since;
    cni_worm_choose(k, worm);
    uint32_t after = list->last;
    while (after != CNI_WORM_NONE &&
           (k->facts[after].since > since ||
            (k->facts[after].since == since && k->facts[after].key > own->key)))
        after = k->facts[after].previous;
    own->previous = after;
    own->next = after == CNI_WORM_NONE ? list->first : k->facts[after].next;
    if (after == CNI_WORM_NONE)
        list->first = worm;
    else
        k->facts[after].next = worm;
    if (own->next == CNI_WORM_NONE)
        list->last = worm;
    else
        k->facts[own->next].previous = worm;
    add_choice(k, worm, k->node_words, &k->wanted[(size_t)own->node * k->node_words]);
    cni_wormhole_list(k, own->node, 1);
}

int cni_wormhole_come(cni_wormhole *k, uint32_t worm, uint32_t virtual_channel)
{
    cni_worm_facts *facts = &k->facts[worm];
    uint32_t from = facts->node, channel = virtual_channel >> k->shift;
    facts->node = k->network.far[channel];
    facts->key = virtual_channel;
    if (facts->node == facts->message.destination && facts->node == facts->message.target)
        return 1;
    if (CNI_RARELY(k->counts.words > 0) && facts->message.broadcast == CNI_WORM_NONE)
        k->counts.forwarded[facts->node] += 1;
    if (k->network.routing->kind->after != NULL)
        cni_worm_change_state(k, &facts->message, from, channel - from * k->ports,
                              virtual_channel & ((UINT32_C(1) << k->shift) - 1), facts->node);
    cni_wormhole_wait(k, worm, k->cycle);
    return 0;
}

static void stop_waiting(cni_wormhole *k, const cni_worm_facts *own)
{
    cni_worm_list *list = &k->waiting[own->node];
    if (own->previous == CNI_WORM_NONE)
        list->first = own->next;
    else
        k->facts[own->previous].next = own->next;
    if (own->next == CNI_WORM_NONE)
        list->last = own->previous;
    else
        k->facts[own->next].previous = own->previous;
}

/* ---- grant ---- */

/* The flits of a worm may make a hop, over a port of a node of which so many virtual channels are held. */
CNI_INLINE void let_flits(cni_wormhole *k, uint32_t worm, uint32_t hop, uint32_t node,
                          uint32_t port, uint32_t count)
{
    cni_worm *last = cni_worm_hop(cni_worm_at(k, worm), hop);
    if (count > 1)
        last->shared |= cni_worm_bit(hop);
    if (count == 2)
        cni_worm_mark_shared(k, node, port);
    last->vacant |= cni_worm_bit(hop);
    if (k->flits_in != NULL)
        k->flits_in[(size_t)worm * k->stride + hop] = 0;
    if (!k->awake[worm])
        k->active[k->active_count++] = worm;
    k->awake[worm] = 1;
}

/* Virtual channel number `at` of the node where the header of a worm is. */
CNI_INLINE void give_worm(cni_wormhole *k, uint32_t worm, uint32_t node, uint32_t at)
{
    cni_worm *w = cni_worm_at(k, worm);
    uint32_t hop = w->head++, port = at >> k->shift;
    uint32_t channel = node * k->ports + port, virtual_channel = node * k->span + at;
    uint32_t count = ++k->held_count[channel];
    cni_worm_hop(w, hop)->header = cni_worm_bit(hop);
    k->path[(size_t)worm * k->stride + hop] = virtual_channel;
    if (k->crowd.is_on)
        cni_crowd_give(k, worm, hop, count);
    else
        let_flits(k, worm, hop, node, port, count);
    k->held[(size_t)node * k->node_words + (at >> 6)] |= UINT64_C(1) << (at & 63);
    k->held_sum += 1;
    k->held_square += 2 * count - 1;
    k->busy += count == 1;
    k->holder[virtual_channel] = (cni_worm_holder){worm, hop};
    k->holders += hop == 0;
    k->moved = 1;
}

CNI_INLINE void give(cni_wormhole *k, uint32_t worm, uint32_t node, uint32_t at)
{
    cni_worm_facts *facts = &k->facts[worm];
    if (k->room > 0)
        cni_cut_through_give(k, worm, node, at);
    else
        give_worm(k, worm, node, at);
    k->counters[CNI_COUNT_WORM_UNICAST_GRANTS + facts->message.class] += 1;
    k->counters[CNI_COUNT_WORM_WAITING] += k->cycle - facts->since - 1;
    stop_waiting(k, facts);
}

CNI_INLINE uint32_t draw(const cni_wormhole *k, uint32_t node, uint32_t number, uint32_t count)
{
    uint64_t stream = cni_random_derive(k->cycle_seed, node);
    return cni_random_below((uint32_t)(cni_random_word(stream, number) >> 32), count);
}

/* One of the virtual channels in the words of a set. */
CNI_INLINE uint32_t pick(const cni_wormhole *k, uint32_t node, uint32_t number,
                         const uint64_t set[], uint32_t words)
{
    uint32_t count = 0, at = 0;
    if (words == 1 && (set[0] & (set[0] - 1)) == 0)
        return cni_lowest_bit(set[0]);
    for (uint32_t i = 0; i < words; i++)
        count += cni_popcount(set[i]);
    uint32_t rank = count == 1 ? 0 : draw(k, node, number, count);
    for (; words > 1 && rank >= cni_popcount(set[at]); at++)
        rank -= cni_popcount(set[at]);
    return at << 6 | cni_select_bit(set[at], rank);
}

/* The header of a worm takes any of the free virtual channels that are no escapes, else the free escape of the lowest
 * number. Whether it has found one. Of one alone there is nothing to draw, but it has its place in the sequence. */
CNI_INLINE int serve(cni_wormhole *k, uint32_t worm, uint32_t node, uint32_t words, uint32_t *draws)
{
    const uint64_t *held = &k->held[(size_t)node * words];
    const uint64_t *choice = &k->choice[(size_t)k->facts[worm].message.choice * 2 * words];
    uint64_t set[CNI_WORM_WORDS], any = 0, before = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= set[i] = choice[i] & ~held[i];
    *draws += any != 0;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t free = any != 0 || before != 0 ? 0 : choice[words + i] & ~held[i];
        set[i] |= free & (0 - free);
        before |= free;
    }
    if ((any | before) == 0)
        return 0;
    if (CNI_RARELY(k->selection != CN_SELECTION_RANDOM) && any != 0)
        cni_cut_through_select(k, node, set);
    give(k, worm, node, pick(k, node, *draws - 1, set, words));
    return 1;
}

/* Whether any of a set is free. */
CNI_INLINE int is_any_free(const uint64_t set[], const uint64_t held[], uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= set[i] & ~held[i];
    return any != 0;
}

/* The waiting headers of a node, in order. When nothing that is wanted is free the others need no look; else all have
 * had one, and what they want is known anew. */
CNI_INLINE void grant_at(cni_wormhole *k, uint32_t node, uint32_t words)
{
    const uint64_t *held = &k->held[(size_t)node * words];
    uint64_t *wanted = &k->wanted[(size_t)node * words], still_wanted[CNI_WORM_WORDS];
    uint32_t draws = 0;
    for (uint32_t i = 0; i < words; i++)
        still_wanted[i] = 0;
    for (uint32_t worm = k->waiting[node].first, next; worm != CNI_WORM_NONE; worm = next) {
        if (!is_any_free(wanted, held, words))
            return;
        next = k->facts[worm].next;
        if (next != CNI_WORM_NONE)
            CNI_PREFETCH(&k->facts[next]);
        if (!serve(k, worm, node, words, &draws))
            add_choice(k, worm, words, still_wanted);
    }
    for (uint32_t i = 0; i < words; i++)
        wanted[i] = still_wanted[i];
}

/* The first of the waiting headers of a node. */
static void fetch_node(const cni_wormhole *k, uint32_t node)
{
    uint32_t first = k->waiting[node].first;
    if (first == CNI_WORM_NONE)
        return;
    CNI_PREFETCH(&k->facts[first]);
    if (k->network.table == NULL)
        CNI_PREFETCH(&k->choice[(size_t)first * 2 * k->node_words]);
}

CNI_INLINE void grant_all(cni_wormhole *k)
{
    for (size_t i = 0; i < k->listed_count; i++) {
        if (i + CNI_WORM_AHEAD < k->listed_count)
            fetch_node(k, k->listed[i + CNI_WORM_AHEAD]);
        k->is_listed[k->listed[i]] = 0;
        if (k->node_words == 1)
            grant_at(k, k->listed[i], 1);
        else
            grant_at(k, k->listed[i], k->node_words);
    }
    k->listed_count = 0;
}

#if CNI_BMI2
__attribute__((target("bmi,bmi2,popcnt"))) static void grant_bmi2(cni_wormhole *k)
{
    grant_all(k);
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
    grant_all(k);
}

/* Waiting headers of the wormhole kernel, and the virtual channels that they are given. */
#include "base/random.h"
#include "routing/decisions/channels.h"
#include "simulation/wormhole/wormhole.h"
#include "topology/topology.h"

/* ---- waiting headers ---- */

void cni_wormhole_list(cni_wormhole *k, uint32_t node)
{
    if (k->is_listed[node])
        return;
    k->is_listed[node] = 1;
    k->listed[k->listed_count++] = node;
}

/* The number of what its header may take. */
static uint32_t find_choice(cni_wormhole *k, uint32_t worm)
{
    const cni_worm_facts *own = &k->facts[worm];
    const cni_worm_choice *found = cni_worm_find(k, own->node, &own->message, &k->choice[worm]);
    return (uint32_t)(found - k->choice);
}

/* Behind all that have waited longer, and by key among those of the same cycle. */
void cni_wormhole_wait(cni_wormhole *k, uint32_t worm)
{
    cni_worm_facts *own = &k->facts[worm];
    cni_worm_list *list = &k->waiting[own->node];
    own->since = k->cycle;
    if (!k->is_boolean)
        own->message.choice = find_choice(k, worm);
    uint32_t after = list->last;
    while (after != CNI_WORM_NONE && k->facts[after].since == k->cycle &&
           k->facts[after].key > own->key)
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
    cni_wormhole_list(k, own->node);
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

static void give(cni_wormhole *k, uint32_t worm, uint32_t channel, uint32_t number)
{
    cni_worm *w = &k->worm[worm];
    cni_worm_facts *facts = &k->facts[worm];
    uint32_t hop = w->head++, virtual_channel = channel << k->shift | number;
    uint64_t bit = UINT64_C(1) << hop;
    uint32_t count = ++k->held_count[channel];
    if (count == 2)
        cni_worm_mark_shared(k, channel);
    w->shared |= count > 1 ? bit : 0;
    w->vacant |= bit;
    w->travelling = 1;
    k->held[channel] |= UINT64_C(1) << number;
    k->free_count[channel] = (uint8_t)(k->free_count[channel] - (number > 0));
    k->held_sum += 1;
    k->held_square += 2 * count - 1;
    k->busy += count == 1;
    k->holder[virtual_channel] = (cni_worm_holder){worm, hop};
    k->path[(size_t)worm * k->stride + hop] = virtual_channel;
    if (k->flits_in != NULL)
        k->flits_in[(size_t)worm * k->stride + hop] = 0;
    k->holders += hop == 0;
    if (!w->awake)
        k->active[k->active_count++] = worm;
    w->awake = 1;
    k->counters[CNI_COUNT_WORM_UNICAST_GRANTS + facts->message.class] += 1;
    k->counters[CNI_COUNT_WORM_WAITING] += k->cycle - facts->since - 1;
    k->moved = 1;
    stop_waiting(k, facts);
}

/* Number `rank` of the free virtual channels of a channel that are in the set. */
static void give_free(cni_wormhole *k, uint32_t worm, uint32_t channel, uint64_t set, uint32_t rank)
{
    give(k, worm, channel, cni_select_bit(set & ~k->held[channel], rank));
}

static uint32_t draw(const cni_wormhole *k, uint32_t node, uint32_t *draws, uint32_t count)
{
    uint64_t stream = cni_random_derive(k->cycle_seed, node);
    return cni_random_below((uint32_t)(cni_random_word(stream, (*draws)++) >> 32), count);
}

/* Duato's rule in the Boolean cube: any free virtual channel above 0, then the escape. */
static void try_boolean(cni_wormhole *k, uint32_t worm, uint32_t *draws)
{
    uint32_t node = k->facts[worm].node, first = node * k->ports, count = 0;
    uint64_t header = node ^ k->facts[worm].message.destination;
    for (uint64_t rest = header; rest != 0; rest &= rest - 1)
        count += k->free_count[first + cni_lowest_bit(rest)];
    if (count == 0) {
        uint32_t lowest = first + cni_lowest_bit(header);
        if ((k->held[lowest] & 1) == 0)
            give(k, worm, lowest, 0);
        return;
    }
    uint32_t rank = draw(k, node, draws, count);
    uint32_t channel = first + cni_lowest_bit(header);
    while (rank >= k->free_count[channel]) {
        rank -= k->free_count[channel];
        header &= header - 1;
        channel = first + cni_lowest_bit(header);
    }
    give_free(k, worm, channel, k->every & ~UINT64_C(1), rank);
}

/* The free escape of the lowest number. */
static void try_escapes(cni_wormhole *k, uint32_t worm, uint32_t first,
                        const cni_worm_choice *choice)
{
    uint32_t from = choice->free, to = choice->all;
    for (uint64_t rest = cni_worm_ports(choice, from, to); rest != 0; rest &= rest - 1) {
        uint32_t port = cni_lowest_bit(rest);
        uint64_t set = cni_worm_set(choice, from, to, port) & ~k->held[first + port];
        if (set != 0) {
            give(k, worm, first + port, cni_lowest_bit(set));
            return;
        }
    }
}

/* Any routing, on any network that has it. */
static void try_any(cni_wormhole *k, uint32_t worm, uint32_t *draws)
{
    uint32_t node = k->facts[worm].node, first = node * k->ports, count = 0;
    const cni_worm_choice *choice = &k->choice[k->facts[worm].message.choice];
    uint32_t lanes = choice->free;
    uint64_t ports = cni_worm_ports(choice, 0, lanes);
    for (uint64_t rest = ports; rest != 0; rest &= rest - 1) {
        uint32_t port = cni_lowest_bit(rest);
        uint64_t set = cni_worm_set(choice, 0, lanes, port) & ~k->held[first + port];
        count += set == 0 ? 0 : cni_popcount(set);
    }
    if (count == 0) {
        try_escapes(k, worm, first, choice);
        return;
    }
    uint32_t rank = draw(k, node, draws, count);
    for (;; ports &= ports - 1) {
        uint32_t port = cni_lowest_bit(ports);
        uint64_t set = cni_worm_set(choice, 0, lanes, port) & ~k->held[first + port];
        uint32_t here = cni_popcount(set);
        if (rank < here) {
            give(k, worm, first + port, cni_select_bit(set, rank));
            return;
        }
        rank -= here;
    }
}

static void grant_at(cni_wormhole *k, uint32_t node)
{
    uint32_t draws = 0;
    for (uint32_t worm = k->waiting[node].first, next; worm != CNI_WORM_NONE; worm = next) {
        next = k->facts[worm].next;
        if (k->is_boolean)
            try_boolean(k, worm, &draws);
        else
            try_any(k, worm, &draws);
    }
}

void cni_wormhole_grant(cni_wormhole *k)
{
    for (size_t i = 0; i < k->listed_count; i++) {
        k->is_listed[k->listed[i]] = 0;
        grant_at(k, k->listed[i]);
    }
    k->listed_count = 0;
}

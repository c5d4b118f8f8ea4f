/* Snapshots of worms: broadcasts, messages, and the checks of messages that are read. */
#include "simulation/wormhole/wormhole_visit.h"

#include "base/error.h"
#include "base/memory.h"
#include "scenario/traffic/traffic.h"

/* ---- broadcasts ---- */

/* The number of nodes that a copy of a broadcast will reach; 0: the copy is impossible. */
static uint32_t reach_of(const cni_worm_visit *v, const cni_worm_message *m)
{
    const cni_wormhole *k = v->k;
    uint32_t from = m->source, to = m->destination, between = from ^ to;
    if (!k->is_binomial)
        return k->broadcasts.parent[(size_t)m->broadcast * k->nodes + to] == from
                   ? v->size[(size_t)m->broadcast * k->nodes + to]
                   : 0;
    if ((between & (between - 1)) != 0)
        return 0;
    uint32_t base = k->broadcasts.all[m->broadcast].base;
    uint32_t rank = (cni_lowest_bit(between) + k->ports - base) % k->ports + 1;
    return UINT32_C(1) << (k->ports - rank);
}

/* Finds the number of nodes of each subtree of a broadcast. */
static void find_sizes(cni_worm_visit *v, uint32_t broadcast)
{
    cni_wormhole *k = v->k;
    uint32_t *parent = &k->broadcasts.parent[(size_t)broadcast * k->nodes];
    uint32_t *size = &v->size[(size_t)broadcast * k->nodes];
    uint32_t found = cni_wormhole_grow_tree(k, k->broadcasts.all[broadcast].source, parent);
    for (uint32_t i = found; i-- > 1;) {
        size[k->broadcasts.search[i]] += 1;
        size[parent[k->broadcasts.search[i]]] += size[k->broadcasts.search[i]];
    }
}

static cn_status visit_broadcast(cni_worm_visit *v, cni_worm_broadcast *b)
{
    cni_archive_u64s(v->archive, &b->created, 1);
    cni_archive_u64s(v->archive, &b->sent, 1);
    cni_archive_u32s(v->archive, &b->source, 1);
    cni_archive_u32s(v->archive, &b->base, 1);
    cni_archive_u32s(v->archive, &b->number, 1);
    CNI_ALLOW(
        b->created <= v->k->cycle && b->source < v->k->nodes &&
            cni_network_serves(&v->k->network, b->source) && b->base < v->k->ports &&
            (b->sent == 0 || (b->sent <= v->k->cycle && b->sent > b->created + v->k->startup)),
        "a broadcast");
    return CN_OK;
}

static cn_status read_broadcasts(cni_worm_visit *v)
{
    cni_wormhole *k = v->k;
    if (!k->is_binomial) {
        v->size = cni_allocate((uint64_t)v->broadcasts * k->nodes, sizeof *v->size);
        if (v->size == NULL)
            return CN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < v->broadcasts; i++) {
        CNI_TRY(cni_wormhole_make_broadcast_room(k));
        k->broadcasts.used += 1;
        k->broadcasts.all[i] = (cni_worm_broadcast){0}; /* no node is missing yet */
        CNI_TRY(visit_broadcast(v, &k->broadcasts.all[i]));
        if (!k->is_binomial)
            find_sizes(v, i);
    }
    return CN_OK;
}

/* Gives the broadcasts under way new numbers. */
static cn_status number_broadcasts(cni_worm_visit *v)
{
    const cni_wormhole *k = v->k;
    v->number = cni_allocate(k->broadcasts.used, sizeof *v->number);
    if (v->number == NULL)
        return CN_ERR_MEMORY;
    for (uint32_t at = k->broadcasts.free; at != CNI_WORM_NONE; at = k->broadcasts.all[at].missing)
        v->number[at] = CNI_WORM_NONE;
    for (size_t i = 0; i < k->broadcasts.used; i++)
        if (v->number[i] != CNI_WORM_NONE)
            v->number[i] = v->broadcasts++;
    return CN_OK;
}

cn_status cni_worm_visit_broadcasts(cni_worm_visit *v)
{
    cni_wormhole *k = v->k;
    if (!cni_archive_reads(v->archive))
        CNI_TRY(number_broadcasts(v));
    /* a broadcast takes 28 bytes: visit_broadcast() */
    CNI_TRY(cni_archive_length(v->archive, &v->broadcasts, 28));
    if (cni_archive_reads(v->archive))
        return read_broadcasts(v);
    for (size_t i = 0; i < k->broadcasts.used; i++)
        if (v->number[i] != CNI_WORM_NONE)
            CNI_TRY(visit_broadcast(v, &k->broadcasts.all[i]));
    return CN_OK;
}

/* ---- messages ---- */

static int node_serves(const cni_wormhole *k, uint32_t node)
{
    return node < k->nodes && cni_network_serves(&k->network, node);
}

/* Checks a copy that was read, and counts the nodes that it will reach as missing. */
static cn_status check_copy(const cni_worm_visit *v, const cni_worm_message *m)
{
    CNI_ALLOW(m->broadcast < v->broadcasts && m->number == CNI_WORM_NONE && !m->traced &&
                  m->flits == v->k->flits,
              "a copy of a broadcast");
    cni_worm_broadcast *whole = &v->k->broadcasts.all[m->broadcast];
    int is_first = m->source == whole->source;
    uint32_t reach = reach_of(v, m), *missing = &whole->missing;
    CNI_ALLOW(m->class == (is_first ? CNI_WORM_BROADCAST : CNI_WORM_REPLICA) && reach > 0 &&
                  reach < v->k->network.served - *missing && (is_first || whole->sent != 0),
              "a copy of a broadcast");
    *missing += reach;
    return CN_OK;
}

static cn_status check_message(const cni_worm_visit *v, const cni_worm_message *m)
{
    const cni_wormhole *k = v->k;
    CNI_ALLOW(m->created <= k->cycle && node_serves(k, m->source) &&
                  node_serves(k, m->destination) && node_serves(k, m->target) &&
                  m->source != m->destination && m->flits > 0 &&
                  m->port < (k->one_port ? 1 : k->ports) && m->traced <= 1,
              "a message that cannot be");
    if (m->broadcast != CNI_WORM_NONE)
        return check_copy(v, m);
    CNI_ALLOW(m->class == CNI_WORM_UNICAST &&
                  (!m->traced || (cni_traffic_is_trace(k->traffic) &&
                                  m->number < k->traffic->table->trace_count)),
              "a message that cannot be");
    return CN_OK;
}

cn_status cni_worm_visit_message(const cni_worm_visit *v, cni_worm_message *m)
{
    cni_archive *archive = v->archive;
    uint32_t broadcast = m->broadcast;
    if (broadcast != CNI_WORM_NONE && !cni_archive_reads(archive))
        broadcast = v->number[broadcast];
    cni_archive_u64s(archive, &m->created, 1);
    uint32_t *const words[] = {&m->source, &m->destination, &m->flits,
                               &broadcast, &m->number,      &m->target};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        cni_archive_u32s(archive, words[i], 1);
    uint8_t *const bytes[] = {&m->port, &m->class, &m->state, &m->traced};
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
        cni_archive_u8s(archive, bytes[i], 1);
    if (!cni_archive_reads(archive))
        return CN_OK;
    m->broadcast = broadcast;
    return check_message(v, m);
}

/* ---- ways ---- */

static int is_empty(const cni_wormhole *k, const uint64_t choice[])
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < 2 * k->node_words; i++)
        any |= choice[i];
    return any == 0;
}

int cni_worm_leads_on(const cni_wormhole *k, uint32_t virtual_channel)
{
    return virtual_channel < k->nodes * k->span &&
           (virtual_channel & ((UINT32_C(1) << k->shift) - 1)) < k->virtual_channels &&
           node_serves(k, k->network.far[virtual_channel >> k->shift]);
}

/* Whether a message has a target and a class that the routing can give it. */
static int has_class(const cni_wormhole *k, const cni_worm_message *m)
{
    const cn_routing *routing = k->network.routing;
    return m->state < routing->classes &&
           (m->target == m->destination ||
            m->state < cni_leg_class(routing, routing->kind->legs - 1));
}

int cni_worm_comes(const cni_wormhole *k, const cni_worm_message *m, uint32_t virtual_channel,
                   uint32_t *node)
{
    uint64_t room[2 * CNI_WORM_WORDS];
    if (!cni_worm_leads_on(k, virtual_channel) || !has_class(k, m))
        return 0;
    *node = k->network.far[virtual_channel >> k->shift];
    return (*node == m->destination && *node == m->target) ||
           !is_empty(k, cni_worm_find_choice(k, *node, m, room));
}

int cni_worm_is_on(const cni_wormhole *k, const cni_worm_message *m, uint32_t virtual_channel,
                   uint32_t *node)
{
    uint64_t room[2 * CNI_WORM_WORDS];
    if (!cni_worm_leads_on(k, virtual_channel) || !has_class(k, m))
        return 0;
    *node = virtual_channel / k->span;
    uint32_t at = virtual_channel % k->span;
    const uint64_t *choice = cni_worm_find_choice(k, *node, m, room);
    return ((choice[at >> 6] | choice[k->node_words + (at >> 6)]) >> (at & 63) & 1) != 0;
}

cn_status cni_worm_check_unserved(const cni_wormhole *k, const cni_worm_message *m)
{
    uint64_t room[2 * CNI_WORM_WORDS];
    CNI_ALLOW(has_class(k, m) && !is_empty(k, cni_worm_find_choice(k, m->source, m, room)),
              "a message that its routing does not send");
    return CN_OK;
}

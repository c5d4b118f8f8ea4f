/* The two-phase assignment of deflection routing (Horng 1992, 3.2; Horng & Kleinrock 1991, 2.2). */
#include "cubenet/decision.h"

#include <stdio.h>

#include "base/error.h"
#include "base/random.h"
#include "routing/decisions/channels.h"
#include "routing/decisions/selection.h"
#include "topology/topology.h"

static cn_status check(const char *function, const cn_topology *topology, const uint64_t headers[],
                       size_t count, uint64_t buffers)
{
    CNI_TRY(cni_check_routable(function, topology));
    if (buffers < topology->max_degree)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: buffers = %llu, but %s needs at least %lu (one per incoming channel)",
                        function, (unsigned long long)buffers, topology->name,
                        (unsigned long)topology->max_degree);
    if (count > buffers)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but a node holds at most buffers = %llu",
                        function, count, (unsigned long long)buffers);
    for (size_t m = 0; m < count; m++)
        if (headers[m] == 0 || headers[m] >= topology->nodes)
            return cni_fail(CN_ERR_ARGUMENT, "%s: headers[%zu] = %llu, but it must be 1 to %llu",
                            function, m, (unsigned long long)headers[m],
                            (unsigned long long)(topology->nodes - 1));
    return CN_OK;
}

/* One channel of the set, by a random word. */
static uint32_t pick(uint64_t channels, uint32_t random)
{
    return cni_select_bit(channels, cni_random_below(random, cni_popcount(channels)));
}

cn_status cn_route_two_phase(const cn_topology *topology, const uint64_t headers[], size_t count,
                             uint64_t buffers, cn_selection selection, const uint32_t random[],
                             size_t random_count, uint32_t ports[])
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(headers, count);
    CNI_REQUIRE_ARRAY(random, count);
    CNI_REQUIRE_ARRAY(ports, count);
    CNI_TRY(cni_check_named(__func__, &cni_selections, "selection", (int)selection));
    CNI_TRY(check(__func__, topology, headers, count, buffers));
    if (count == 0)
        return CN_OK;
    if (random_count < count || random_count - count < topology->max_degree)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: random_count = %zu, but %zu messages and %lu ports need %zu words",
                        __func__, random_count, count, (unsigned long)topology->max_degree,
                        count + topology->max_degree);

    uint32_t degree = topology->max_degree;
    uint64_t free = degree == 64 ? UINT64_MAX : (UINT64_C(1) << degree) - 1;
    uint64_t waiting = 0;
    uint32_t wanted[64] = {0};
    for (size_t m = 0; selection == CN_SELECTION_LEAST_LOADED && m < count; m++)
        cni_want_channels(cni_preferred_channels(topology, headers[m]), wanted);
    /* phase 1, oldest message first: the first claim to a channel wins */
    for (size_t m = 0; m < count; m++) {
        uint64_t channels = cni_preferred_channels(topology, headers[m]);
        uint32_t port = pick(cni_selected(selection, channels, wanted), random[m]);
        int won = (free >> port & 1) != 0;
        free &= ~(UINT64_C(1) << port);
        ports[m] = won ? port : CN_NO_PORT;
        waiting += !won;
    }
    /* phase 2, youngest loser first: waiting <= buffers - degree leaves room for one message from
     * every neighbour */
    const uint32_t *next_random = random + count;
    for (size_t m = count; m-- > 0 && waiting > buffers - degree;) {
        if (ports[m] != CN_NO_PORT)
            continue;
        ports[m] = pick(free, *next_random++);
        free &= ~(UINT64_C(1) << ports[m]);
        waiting--;
    }
    return CN_OK;
}

/* ---- judging an assignment ---- */

typedef struct judged {
    const cn_topology *topology;
    const uint64_t *headers;
    const uint32_t *ports;
    size_t count;
    size_t *message; /* the answer: a message that is wrongly placed */
} judged;

static uint64_t preferred(const judged *node, size_t m)
{
    return cni_preferred_channels(node->topology, node->headers[m]);
}

static int is_preferred(const judged *node, size_t m)
{
    return node->ports[m] != CN_NO_PORT && (preferred(node, m) >> node->ports[m] & 1) != 0;
}

/* Words for an error text: what a message does that has not won a preferred channel. */
static const char *place_name(const judged *node, size_t m, char text[64])
{
    if (node->ports[m] == CN_NO_PORT)
        snprintf(text, 64, "stays");
    else
        snprintf(text, 64, "leaves by channel %lu, which it does not prefer,",
                 (unsigned long)node->ports[m]);
    return text;
}

/* Every channel exists and carries one message. */
static cn_status check_channels(const judged *node)
{
    for (size_t m = 0; m < node->count; m++) {
        uint32_t port = node->ports[m];
        *node->message = m;
        if (port != CN_NO_PORT && port >= node->topology->max_degree)
            return cni_fail(CN_ERR_STATE,
                            "message %zu is given channel %lu, but there are 0 to %lu", m,
                            (unsigned long)port, (unsigned long)(node->topology->max_degree - 1));
        for (size_t older = 0; older < m; older++)
            if (port != CN_NO_PORT && node->ports[older] == port)
                return cni_fail(CN_ERR_STATE,
                                "message %zu is given channel %lu, which message %zu has", m,
                                (unsigned long)port, older);
    }
    return CN_OK;
}

/* Message m has not won a preferred channel, so an older message must have won at least one of
 * the channels that m prefers. */
static cn_status check_loser(const judged *node, size_t m)
{
    uint64_t left = preferred(node, m);
    for (size_t older = 0; older < m; older++)
        if (is_preferred(node, older) && (left >> node->ports[older] & 1) != 0)
            return CN_OK;
    size_t holder = node->count; /* of a preferred channel that is not free */
    for (size_t other = 0; other < node->count; other++)
        if (other != m && node->ports[other] != CN_NO_PORT &&
            (left >> node->ports[other] & 1) != 0) {
            left &= ~(UINT64_C(1) << node->ports[other]);
            holder = other;
        }
    char text[64];
    *node->message = m;
    if (left != 0)
        return cni_fail(CN_ERR_STATE, "message %zu %s although its preferred channel %lu is free",
                        m, place_name(node, m, text), (unsigned long)cni_select_bit(left, 0));
    return cni_fail(
        CN_ERR_STATE,
        "message %zu %s although its preferred channel %lu went to message %zu, which %s", m,
        place_name(node, m, text), (unsigned long)node->ports[holder], holder,
        holder > m ? "is younger" : "does not prefer it");
}

/* Phase 2 forces the youngest losers out, and no more losers than it must. */
static cn_status check_forced(const judged *node, uint64_t may_stay)
{
    size_t stay = 0, youngest = node->count, forced = node->count;
    for (size_t m = 0; m < node->count; m++)
        if (node->ports[m] == CN_NO_PORT) {
            stay++;
            youngest = m;
        } else if (!is_preferred(node, m) && forced == node->count) {
            forced = m; /* the oldest */
        }
    char text[64];
    *node->message = youngest;
    if (stay > may_stay)
        return cni_fail(
            CN_ERR_STATE,
            "message %zu, the youngest of %zu that stay, must leave: only %llu may stay", youngest,
            stay, (unsigned long long)may_stay);
    *node->message = forced;
    if (forced < node->count && stay < may_stay)
        return cni_fail(CN_ERR_STATE, "message %zu %s although it may stay: %llu may, %zu %s",
                        forced, place_name(node, forced, text), (unsigned long long)may_stay, stay,
                        stay == 1 ? "does" : "do");
    if (forced < node->count && stay > 0 && forced < youngest)
        return cni_fail(CN_ERR_STATE,
                        "message %zu %s although message %zu, which is younger, stays", forced,
                        place_name(node, forced, text), youngest);
    return CN_OK;
}

/*
 * A message on a preferred channel may count as a winner of phase 1, even if phase 2 could have
 * sent it there: one more winner forbids nothing, and excuses the younger messages that prefer the
 * channel.
 */
cn_status cn_route_two_phase_check(const cn_topology *topology, const uint64_t headers[],
                                   size_t count, uint64_t buffers, const uint32_t ports[],
                                   size_t *message)
{
    CNI_REQUIRE_BOTH(topology, message);
    CNI_REQUIRE_ARRAY(headers, count);
    CNI_REQUIRE_ARRAY(ports, count);
    CNI_TRY(check(__func__, topology, headers, count, buffers));
    judged node = {topology, headers, ports, count, message};
    CNI_TRY(check_channels(&node));
    for (size_t m = 0; m < count; m++)
        if (!is_preferred(&node, m))
            CNI_TRY(check_loser(&node, m));
    CNI_TRY(check_forced(&node, buffers - topology->max_degree));
    *message = count;
    return CN_OK;
}

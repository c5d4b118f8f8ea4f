/* A subnet in which minimal routing works, on Boolean and k-ary n-cubes (Horng 1992, 6.1.4). */
#include "routing/subnets/subnet.h"

#include "cubenet/experimental/damage.h"

#include "base/error.h"
#include "routing/decisions/channels.h"

enum { MOST_NODES_LOG2 = 13 };

/*
 * u and v are in conflict when no good channel of u comes closer to v. Without conflicts a message
 * always finds a good channel and comes closer; with a conflict the message sticks at u, if not
 * before.
 */
typedef struct conflicts {
    cn_subnet *subnet;
    size_t words;     /* of a row */
    uint64_t *rows;   /* bit v of row u: a conflict of u on the way to v */
    uint64_t *valid;  /* by header: the channels that come closer */
    uint32_t *counts; /* by survivor: its conflicts, at either end */
    void *block;
} conflicts;

static uint64_t *word_of(const conflicts *c, uint64_t u, uint64_t v)
{
    return &c->rows[u * c->words + (v >> 6)];
}

/* Adds the conflicts of a survivor on its way to the others. While nodes are disabled, no conflict
 * of two survivors ends. */
static void find_conflicts_from(conflicts *c, uint64_t u)
{
    const cn_subnet *s = c->subnet;
    const cn_topology *topology = s->faults->topology;
    if (s->nodes[u].bad == 0)
        return;
    for (uint64_t v = 0; v < topology->nodes; v++) {
        if (v == u || !cni_survives(s, v) || (*word_of(c, u, v) >> (v & 63) & 1) != 0 ||
            (c->valid[cni_header(topology, u, v)] & ~s->nodes[u].bad) != 0)
            continue;
        *word_of(c, u, v) |= cni_bit(v & 63);
        c->counts[u]++;
        c->counts[v]++;
    }
}

static void forget_conflict(conflicts *c, uint64_t u, uint64_t v)
{
    uint64_t had = *word_of(c, u, v) >> (v & 63) & 1;
    *word_of(c, u, v) &= ~cni_bit(v & 63);
    c->counts[u] -= (uint32_t)had;
    c->counts[v] -= (uint32_t)had;
}

static void disable(conflicts *c, uint64_t node)
{
    cn_subnet *s = c->subnet;
    const cn_topology *topology = s->faults->topology;
    cni_subnet_kill(s, node, CN_NODE_DISABLED);
    for (uint64_t v = 0; v < topology->nodes; v++) {
        forget_conflict(c, node, v);
        forget_conflict(c, v, node);
    }
    for (uint32_t p = 0; p < topology->max_degree && cni_subnet_step(s, topology->nodes); p++) {
        uint32_t port;
        uint64_t near = cni_incoming(topology, node, p, &port);
        if (cni_survives(s, near))
            find_conflicts_from(c, near);
    }
}

/* The survivor in the most conflicts; N without conflicts. */
static uint64_t worst(const conflicts *c)
{
    const cn_subnet *s = c->subnet;
    uint64_t nodes = s->faults->topology->nodes, found = nodes;
    for (uint64_t v = 0; v < nodes; v++) {
        if (c->counts[v] == 0)
            continue;
        if (found == nodes || c->counts[v] > c->counts[found] ||
            (c->counts[v] == c->counts[found] &&
             cni_popcount(s->nodes[v].bad) > cni_popcount(s->nodes[found].bad)))
            found = v;
    }
    return found;
}

/* Whether a disabled node can be a survivor. Its return takes bad links from all other nodes, so
 * only its own conflicts, both ways, count. The caller has put the node back for the test. */
static int fits(const conflicts *c, uint64_t node)
{
    const cn_subnet *s = c->subnet;
    const cn_topology *topology = s->faults->topology;
    for (uint64_t v = 0; v < topology->nodes; v++)
        if (v != node && cni_survives(s, v) &&
            ((c->valid[cni_header(topology, node, v)] & ~s->nodes[node].bad) == 0 ||
             (c->valid[cni_header(topology, v, node)] & ~s->nodes[v].bad) == 0))
            return 0;
    return 1;
}

/* Puts disabled nodes back as long as one fits. */
static void enable(conflicts *c)
{
    cn_subnet *s = c->subnet;
    for (int again = 1; again;) {
        again = 0;
        for (uint64_t v = 0; v < s->faults->topology->nodes; v++) {
            if (s->state[v] != CN_NODE_DISABLED)
                continue;
            if (!cni_subnet_step(s, 2 * s->faults->topology->nodes))
                return;
            cni_subnet_revive(s, v);
            if (fits(c, v))
                again = 1;
            else
                cni_subnet_kill(s, v, CN_NODE_DISABLED);
        }
    }
}

static cn_status work_out(conflicts *c)
{
    const cn_topology *topology = c->subnet->faults->topology;
    size_t nodes = cni_size(topology->nodes);
    c->words = (nodes + 63) / 64;
    const cni_array arrays[] = {
        CNI_ARRAY(c->rows, (uint64_t)nodes * c->words),
        CNI_ARRAY(c->valid, nodes),
        CNI_ARRAY(c->counts, nodes),
    };
    CNI_TRY(cni_allocate_arrays(&c->block, arrays));
    for (uint64_t header = 0; header < nodes; header++)
        c->valid[header] = cni_valid_channels(topology, header);
    cni_subnet_reset(c->subnet);
    for (uint64_t v = 0; v < nodes; v++)
        if (cni_survives(c->subnet, v) && cni_subnet_step(c->subnet, 2 * nodes))
            find_conflicts_from(c, v);
    for (uint64_t node = worst(c); node < nodes && cni_subnet_step(c->subnet, 2 * nodes);
         node = worst(c))
        disable(c, node);
    enable(c);
    return CN_OK;
}

cn_status cni_make_minimal(cn_subnet *subnet)
{
    conflicts c = {.subnet = subnet};
    cn_status status = work_out(&c);
    cni_release(c.block);
    return status;
}

cn_status cn_subnet_minimal(const cn_faults *faults, const cn_control *control, cn_subnet **subnet)
{
    CNI_REQUIRE_OUT(subnet);
    CNI_REQUIRE(faults);
    if (faults->topology->nodes > UINT64_C(1) << MOST_NODES_LOG2)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has %llu nodes, but at most 2^%d are allowed",
                        __func__, faults->topology->name,
                        (unsigned long long)faults->topology->nodes, MOST_NODES_LOG2);
    return cni_subnet_new(__func__, faults, CNI_RULE_MINIMAL, 0, CN_LINK_IS_BAD, control, subnet);
}

/*
 * The routing of a composed network: the routing of its base network, lifted. A host sends to its
 * router. A router follows the base routing to the router of the destination; there the message
 * takes the port of its host. A relay sends the message on.
 *
 * On the relays of a link the class of a message tells three things: the end to which the message
 * goes, its class there, and the virtual channels among which it may go on. The sets of the base
 * divide all virtual channels into parts; of two virtual channels in one part the base allows both
 * or neither. So the relays of a link are a longer buffer of the part that the message entered, and
 * no message waits there for more than in the base: the deadlock verdict of the base holds. The
 * channels of a host are the first or the last of a walk, so no dependency cycle goes through a
 * host.
 */
#include "base/error.h"
#include "routing/rules/routing.h"
#include "topology/families/composed.h"

enum { MOST_PARTS = 64 };

/* The state of a lifted routing. */
typedef struct lifted {
    cni_routing_kind kind; /* the kind of the base, with the functions below in place of its own */
    uint32_t parts;        /* of the virtual channels; only with relays */
    uint64_t part[MOST_PARTS];                      /* sets, disjoint */
    unsigned char part_of[CN_MAX_VIRTUAL_CHANNELS]; /* by virtual channel */
} lifted;

static uint64_t base_nodes(const cn_routing *r)
{
    return r->base->topology->nodes;
}

/* ---- hosts ---- */

static void entry_with_hosts(const cn_routing *r, uint64_t node, uint32_t class, uint64_t target,
                             cni_entry *entry)
{
    const cn_topology *t = r->topology, *base = t->base;
    uint64_t router = cni_router_of(t, target);
    if (node >= t->first_host) {
        cni_allow(entry, 1, r->has_escapes);
    } else if (node == router) {
        uint32_t host = (uint32_t)((target - t->first_host) % cni_added_hosts(t));
        cni_allow(entry, cni_bit(cni_degree(base, node) + host), r->has_escapes);
    } else {
        *entry = *cni_routing_next(r->base, node, class, router, entry);
    }
}

static uint32_t after_with_hosts(const cn_routing *r, uint32_t class, uint64_t target,
                                 uint64_t node, uint32_t port, uint32_t virtual_channel)
{
    const cn_topology *t = r->topology;
    if (node >= t->first_host || port >= cni_degree(t->base, node))
        return 0; /* the walk of the base begins at the router that comes next, or is over */
    return cni_routing_after(r->base, class, cni_router_of(t, target), node, port, virtual_channel);
}

/* ---- lengths ---- */

/* Classes on relays follow the classes of the base: numbered by the end of the link to which the
 * message goes, by part, and by class of the base. onward: away from the first end of the link
 * (cni_is_first_end()). */
static uint32_t class_on_relay(const cn_routing *r, int onward, uint32_t part, uint32_t class)
{
    const lifted *l = r->state;
    return r->base->classes * (1 + (onward ? l->parts : 0) + part) + class;
}

/* The last port of a relay leads onward; a relay of a two-way link has a port back before it. */
static void entry_with_lengths(const cn_routing *r, uint64_t node, uint32_t class, uint64_t target,
                               cni_entry *entry)
{
    const lifted *l = r->state;
    uint32_t classes = r->base->classes;
    if (target >= base_nodes(r) || (class < classes) != (node < base_nodes(r)))
        return; /* no message is there */
    if (class < classes) {
        *entry = *cni_routing_next(r->base, node, class, target, entry);
        return;
    }
    uint32_t way = class / classes - 1, onward = way >= l->parts;
    int goes_back = cni_degree(r->topology, node) == 2;
    if (!onward && !goes_back)
        return;
    entry->ports = cni_bit(goes_back ? onward : 0);
    cni_add_lane(entry, entry->ports, l->part[way % l->parts], r->has_escapes);
}

static uint32_t after_with_lengths(const cn_routing *r, uint32_t class, uint64_t target,
                                   uint64_t node, uint32_t port, uint32_t virtual_channel)
{
    const lifted *l = r->state;
    const cn_topology *t = r->topology;
    uint64_t next = cni_neighbor(t, node, port);
    uint32_t part = virtual_channel == CNI_STORED ? 0 : l->part_of[virtual_channel];
    int onward;
    if (node < base_nodes(r)) {
        class = cni_routing_after(r->base, class, target, node, port, virtual_channel);
        onward = cni_is_first_end(t->base, node, port);
    } else {
        class %= r->base->classes;
        onward = port + 1 == cni_degree(t, node);
    }
    return next < base_nodes(r) ? class : class_on_relay(r, onward, part, class);
}

/* ---- the parts of the virtual channels ---- */

/* Divides every part by a set. 0 when there is no room for more. */
static int divide(lifted *l, uint64_t set)
{
    uint32_t parts = l->parts;
    for (uint32_t i = 0; i < parts; i++) {
        uint64_t inside = l->part[i] & set;
        if (inside == 0 || inside == l->part[i])
            continue;
        if (l->parts == MOST_PARTS)
            return 0;
        l->part[l->parts++] = l->part[i] & ~set;
        l->part[i] = inside;
    }
    return 1;
}

/* Divides the virtual channels by the sets that the base may allow: from its stored entries, or
 * from its kind. */
static int divide_by_base(lifted *l, const cn_routing *base)
{
    uint64_t sets[CNI_LANES];
    int fits = 1;
    l->parts = 1;
    l->part[0] = CNI_ALL_CHANNELS;
    for (size_t e = 0; e < base->table.count; e++)
        for (uint32_t i = 0; i < base->table.entries[e].lanes; i++)
            fits &= divide(l, base->table.entries[e].lane[i].set);
    uint32_t count = base->kind->sets == NULL ? 0 : base->kind->sets(base, sets);
    for (uint32_t i = 0; i < count; i++)
        fits &= divide(l, sets[i]);
    for (uint32_t i = 0; i < l->parts; i++)
        for (uint32_t v = 0; v < CN_MAX_VIRTUAL_CHANNELS; v++)
            if ((l->part[i] >> v & 1) != 0)
                l->part_of[v] = (unsigned char)i;
    return fits;
}

static cn_status take_lengths(const char *function, lifted *l, cn_routing *made)
{
    const cn_topology *t = made->topology;
    int fits = divide_by_base(l, made->base);
    l->kind.entry = entry_with_lengths;
    l->kind.after = after_with_lengths;
    l->kind.asks_more = made->base->classes > 1 || made->base->kind->asks_more;
    l->kind.is_minimal &= t->diameter > 0; /* known only where all links have one length */
    made->classes = made->base->classes * (1 + 2 * l->parts);
    if (fits && made->classes <= CNI_MOST_CLASSES)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: %s has %lu classes and %lu kinds of virtual channels, too many to be told "
                    "apart on the relays of %s",
                    function, made->kind->name, (unsigned long)made->base->classes,
                    (unsigned long)l->parts, t->name);
}

/* ---- faults ---- */

/* Whether a link of the base is broken: a channel or a relay is faulty. Asked at its first end, the
 * function looks at all of them, at the other end only at those beside the node. */
static int is_broken(const cn_routing *made, uint64_t node, uint32_t port)
{
    const cn_topology *t = made->topology;
    int broken = cni_faulty_links(made->faults, node) >> port & 1;
    for (uint64_t at = cni_neighbor(t, node, port); at >= t->base->nodes;
         at = cni_neighbor(t, at, cni_degree(t, at) - 1))
        broken |= cni_faulty_links(made->faults, at) != 0 || cni_node_faulty(made->faults, at);
    return broken;
}

/* What is faulty in the base; NULL: nothing. */
static cn_status faults_of_base(const cn_routing *made, cn_faults **faults)
{
    const cn_topology *t = made->topology, *base = t->base;
    if (made->faults == NULL)
        return CN_OK;
    CNI_TRY(cn_faults_new(base, faults));
    for (uint64_t v = 0; v < base->nodes; v++) {
        if (cni_node_faulty(made->faults, v))
            cni_faults_set_node(*faults, v, 1);
        for (uint32_t p = 0; p < cni_degree(base, v); p++) {
            if (!is_broken(made, v, p))
                continue;
            CNI_TRY(cni_faults_want_links(*faults));
            if (((*faults)->links[v] >> p & 1) == 0)
                cni_faults_set_link(*faults, v, p, 1);
        }
    }
    return CN_OK;
}

/* Every working host needs a working router and a working link to the router. */
static cn_status check_hosts(const char *function, const cn_routing *made)
{
    const cn_topology *t = made->topology;
    for (uint64_t h = t->first_host; made->faults != NULL && h < t->nodes; h++) {
        uint64_t router = cni_router_of(t, h);
        if (cni_routing_serves(made, h) &&
            (!cni_routing_serves(made, router) || cni_faulty_links(made->faults, h) != 0))
            return cni_fail_pair(function, made, h, router);
    }
    return CN_OK;
}

/* ---- all together ---- */

static cn_status lift(const char *function, cn_routing *made, cn_routing *base)
{
    lifted *l = cni_allocate(1, sizeof *l);
    CNI_TRY_MEMORY(l);
    made->state = l;
    l->kind = *base->kind;
    l->kind.origin = base->kind->origin == NULL ? base->kind : base->kind->origin;
    l->kind.is_minimal = base->kind->is_minimal && cni_routing_is_closed_form(base);
    l->kind.close = NULL;
    l->kind.sets = NULL;
    made->kind = &l->kind;
    made->base = cni_routing_retain(base);
    made->least = base->least;
    made->has_escapes = base->has_escapes;
    made->classes = base->classes;
    if (!cni_has_added_hosts(made->topology))
        return take_lengths(function, l, made);
    l->kind.entry = entry_with_hosts;
    l->kind.after = base->kind->after == NULL ? NULL : after_with_hosts;
    return check_hosts(function, made);
}

cn_status cni_routing_lift(const char *function, const cn_topology *topology, cn_routing *base,
                           cni_budget *budget, cn_routing **routing)
{
    cn_routing *made;
    CNI_TRY(cni_routing_make(function, base->kind, topology, NULL, budget, &made));
    return cni_routing_finish(made, lift(function, made, base), routing);
}

cn_status cni_routing_build_lifted(const char *function, const cni_routing_kind *kind,
                                   const cn_topology *topology, const cn_faults *faults,
                                   cni_budget *budget, cn_routing **routing)
{
    cn_routing *made, *base = NULL;
    cn_faults *below = NULL;
    if (kind == &cni_optimal_path || kind == &cni_two_level)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s goes by a subnet or a hierarchy, which composed networks such as "
                        "%s have not",
                        function, kind->name, topology->name);
    CNI_TRY(cni_routing_make(function, kind, topology, faults, budget, &made));
    cn_status status = faults_of_base(made, &below);
    if (status == CN_OK)
        status = cni_routing_build(function, kind, topology->base, below, budget, &base);
    if (status == CN_OK)
        status = lift(function, made, base);
    cn_faults_free(&below);
    cn_routing_free(&base);
    return cni_routing_finish(made, status, routing);
}

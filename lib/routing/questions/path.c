/* One walk of a stored message, every channel drawn among the allowed channels. */
#include "base/bits.h"
#include "base/error.h"
#include "base/random.h"
#include "routing/rules/routing.h"
#include "topology/topology.h"

typedef struct walker {
    const cn_routing *routing;
    uint64_t node, seed, drawn;
    uint64_t *nodes; /* NULL: the nodes are only counted */
    size_t count;
} walker;

static void come_to(walker *w, uint64_t node)
{
    w->node = node;
    if (w->nodes != NULL)
        w->nodes[w->count] = node;
    w->count++;
}

static uint64_t draw(walker *w)
{
    return cni_random_word(w->seed, w->drawn++);
}

static void walk_leg(walker *w, uint64_t target)
{
    const cn_routing *r = w->routing->leg;
    uint32_t class = 0;
    while (w->node != target) {
        uint64_t ports = cni_routing_ports(r, w->node, class, target);
        uint64_t rank = cni_random_scale(draw(w), cni_popcount(ports));
        uint32_t port = cni_select_bit(ports, (uint32_t)rank);
        class = cni_routing_after(r, class, target, w->node, port, CNI_STORED);
        come_to(w, cni_neighbor(r->topology, w->node, port));
    }
}

static void walk(walker *w, uint64_t source, uint64_t destination)
{
    come_to(w, source);
    if (w->routing->kind->legs > 1 && source != destination)
        walk_leg(w, cni_routing_begin(w->routing, destination, draw(w)));
    walk_leg(w, destination);
}

cn_status cn_routing_path(const cn_routing *routing, uint64_t source, uint64_t destination,
                          uint64_t seed, uint64_t nodes[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(routing);
    CNI_REQUIRE_ARRAY(nodes, capacity);
    CNI_TRY(cni_check_end(__func__, "source", routing, source));
    CNI_TRY(cni_check_end(__func__, "destination", routing, destination));
    walker w = {.routing = routing, .seed = seed};
    walk(&w, source, destination); /* once to count */
    CNI_REQUIRE_FIT(w.count, capacity, count, "the path has %zu nodes", w.count);
    w = (walker){.routing = routing, .seed = seed, .nodes = nodes};
    walk(&w, source, destination);
    return CN_OK;
}

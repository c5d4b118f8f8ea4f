/* Random faults: independent faults, a given number of faults, and clustered faults (Horng 1992,
 * 5.3.3). */
#include "routing/faults/fault.h"

#include "base/error.h"
#include "cubenet/experimental/damage.h"
#include "base/random.h"

/* A stream for each kind, so that nodes and links drawn with one seed are independent. */
enum { NODES = 1, LINKS = 2, CENTERS = 3, GROWN_CENTERS = 4, GROWTH = 5 };

/*
 * Decides for one candidate after the other whether the draw takes it: with a fixed probability, or
 * so that exactly `wanted` of `left` candidates are taken (Knuth, The Art of Computer Programming
 * 2, algorithm 3.4.2S). Uniform to within 2^-53.
 */
typedef struct lottery {
    uint64_t state, drawn; /* of the random sequence: its start, and how many words were taken */
    double p;
    uint64_t wanted, left; /* when p < 0 */
} lottery;

static lottery with_probability(uint64_t seed, uint64_t kind, double p)
{
    return (lottery){.state = cni_random_derive(seed, kind), .p = p};
}

static lottery exactly(uint64_t seed, uint64_t kind, uint64_t wanted, uint64_t left)
{
    return (lottery){
        .state = cni_random_derive(seed, kind), .p = -1, .wanted = wanted, .left = left};
}

static double draw_number(uint64_t state, uint64_t *drawn)
{
    return (double)(cni_random_word(state, (*drawn)++) >> 11) * 0x1p-53;
}

static int draw(lottery *l)
{
    double u = draw_number(l->state, &l->drawn);
    if (l->p >= 0)
        return u < l->p;
    int taken = u * (double)l->left-- < (double)l->wanted;
    l->wanted -= (uint64_t)taken;
    return taken;
}

/* In a composed network nodes of the base fail, with their hosts. */
static void draw_nodes(cn_faults *faults, lottery l)
{
    for (uint64_t v = 0; v < cni_innermost(faults->topology)->nodes; v++)
        if (!cni_node_faulty(faults, v) && draw(&l))
            cni_faults_lose_node(faults, v);
}

/* Links between routers are candidates; of a chain of relays, the link of the base is one
 * candidate. */
static int is_candidate(const cn_faults *faults, uint64_t node, uint32_t port)
{
    const cn_topology *t = faults->topology, *base = cni_innermost(t);
    return cni_is_first_end(base, node, port) && cni_is_router(t, node) &&
           cni_is_router(t, cni_neighbor(base, node, port)) &&
           (faults->links[node] >> port & 1) == 0;
}

/* Draws among the candidates; without a lottery counts them. */
static uint64_t visit_links(cn_faults *faults, lottery *l)
{
    const cn_topology *base = cni_innermost(faults->topology);
    uint64_t count = 0;
    for (uint64_t v = 0; v < base->nodes; v++)
        for (uint32_t p = 0; p < cni_degree(base, v); p++) {
            if (!is_candidate(faults, v, p))
                continue;
            count++;
            if (l != NULL && draw(l))
                cni_faults_set_link(faults, v, p, 1);
        }
    return count;
}

static uint64_t working_nodes(const cn_faults *faults)
{
    uint64_t working = 0;
    for (uint64_t v = 0; v < cni_innermost(faults->topology)->nodes; v++)
        working += (uint64_t)!cni_node_faulty(faults, v);
    return working;
}

cn_status cni_check_most(const char *function, const char *argument, uint64_t value, uint64_t most,
                         const char *what)
{
    if (value <= most)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %llu, but there are only %llu %s", function,
                    argument, (unsigned long long)value, (unsigned long long)most, what);
}

cn_status cni_check_centers(const char *function, const char *argument, uint64_t nodes,
                            uint64_t centers)
{
    if (centers <= nodes && (centers > 0 || nodes == 0))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %llu, but for %llu nodes it is %d to %llu", function,
                    argument, (unsigned long long)centers, (unsigned long long)nodes, nodes > 0,
                    (unsigned long long)nodes);
}

cn_status cn_faults_add_random_nodes(cn_faults *faults, uint64_t count, uint64_t seed)
{
    CNI_REQUIRE(faults);
    uint64_t working = working_nodes(faults);
    CNI_TRY(cni_check_most(__func__, "count", count, working, "working nodes"));
    draw_nodes(faults, exactly(seed, NODES, count, working));
    return CN_OK;
}

cn_status cn_faults_add_failing_nodes(cn_faults *faults, double p, uint64_t seed)
{
    CNI_REQUIRE(faults);
    CNI_TRY(cni_check_share(__func__, "p", p));
    draw_nodes(faults, with_probability(seed, NODES, p));
    return CN_OK;
}

/* Checks that links can fail, and makes the array of faulty links. */
static cn_status prepare_links(const char *function, cn_faults *faults)
{
    CNI_TRY(cni_check_links_can_fail(function, faults->topology));
    return cni_faults_want_links(faults);
}

cn_status cn_faults_add_random_links(cn_faults *faults, uint64_t count, uint64_t seed)
{
    CNI_REQUIRE(faults);
    CNI_TRY(prepare_links(__func__, faults));
    uint64_t links = visit_links(faults, NULL);
    CNI_TRY(cni_check_most(__func__, "count", count, links, "working links"));
    lottery l = exactly(seed, LINKS, count, links);
    visit_links(faults, &l);
    return CN_OK;
}

cn_status cn_faults_add_failing_links(cn_faults *faults, double p, uint64_t seed)
{
    CNI_REQUIRE(faults);
    CNI_TRY(cni_check_share(__func__, "p", p));
    CNI_TRY(prepare_links(__func__, faults));
    lottery l = with_probability(seed, LINKS, p);
    visit_links(faults, &l);
    return CN_OK;
}

/* The data of a search around a center: the nodes met so far, in the order of their distance.
 * Growing clusters keep their rim in the queue instead, in no order. */
typedef struct surroundings {
    uint32_t *queue;
    unsigned char *met;
    void *block; /* of both */
} surroundings;

static cn_status open_surroundings(const cn_topology *topology, surroundings *s)
{
    const cni_array arrays[] = {CNI_ARRAY(s->queue, topology->nodes),
                                CNI_ARRAY(s->met, topology->nodes)};
    s->block = NULL;
    return cni_allocate_arrays(&s->block, arrays);
}

/* All nodes within the radius of the center fail. */
static void bomb(cn_faults *faults, surroundings *s, uint64_t center, uint32_t radius)
{
    const cn_topology *topology = faults->topology;
    size_t begin = 0, end = 0;
    s->queue[end++] = (uint32_t)center;
    s->met[center] = 1;
    for (uint32_t hops = 0; hops < radius && begin < end; hops++)
        for (size_t stop = end; begin < stop; begin++)
            for (uint32_t p = 0; p < cni_degree(topology, s->queue[begin]); p++) {
                uint64_t far = cni_neighbor(topology, s->queue[begin], p);
                if (!s->met[far])
                    s->queue[end++] = (uint32_t)far;
                s->met[far] = 1;
            }
    for (size_t i = 0; i < end; i++) {
        cni_faults_set_node(faults, s->queue[i], 1);
        s->met[s->queue[i]] = 0;
    }
}

cn_status cn_faults_add_around(cn_faults *faults, uint64_t center, uint32_t radius)
{
    CNI_REQUIRE(faults);
    CNI_TRY(cni_check_node(__func__, "center", faults->topology, center));
    surroundings s;
    cn_status status = open_surroundings(faults->topology, &s);
    if (status == CN_OK)
        bomb(faults, &s, center, radius);
    cni_release(s.block);
    return status;
}

cn_status cn_faults_add_random_clusters(cn_faults *faults, uint64_t count, uint32_t radius,
                                        uint64_t seed)
{
    CNI_REQUIRE(faults);
    uint64_t nodes = faults->topology->nodes;
    CNI_TRY(cni_check_most(__func__, "count", count, nodes, "nodes"));
    surroundings s;
    cn_status status = open_surroundings(faults->topology, &s);
    lottery l = exactly(seed, CENTERS, count, nodes);
    for (uint64_t v = 0; status == CN_OK && l.wanted > 0; v++)
        if (draw(&l))
            bomb(faults, &s, v, radius);
    cni_release(s.block);
    return status;
}

/* ---- clusters of so many nodes ---- */

typedef struct growth {
    cn_faults *faults;
    /* queue: the rim, the working nodes beside a failed node; met: nodes that were in the rim */
    surroundings s;
    uint64_t rim;          /* nodes in the rim */
    uint64_t left;         /* nodes that are still to fail */
    uint64_t state, drawn; /* of the random sequence: its start, and how many words were taken */
} growth;

/* The node fails, and its working neighbours join the rim. */
static void grow_over(growth *g, uint64_t node)
{
    const cn_topology *topology = g->faults->topology;
    cni_faults_set_node(g->faults, node, 1);
    g->s.met[node] = 1;
    g->left--;
    for (uint32_t p = 0; p < cni_degree(topology, node); p++) {
        uint64_t far = cni_neighbor(topology, node, p);
        if (g->s.met[far] || cni_node_faulty(g->faults, far))
            continue;
        g->s.met[far] = 1;
        g->s.queue[g->rim++] = (uint32_t)far;
    }
}

/* A uniform number below `count`, at most 2^30, to within 2^-23. */
static uint64_t pick(growth *g, uint64_t count)
{
    return (uint64_t)(draw_number(g->state, &g->drawn) * (double)count);
}

/* A random node leaves the rim and fails. A center that lay in the rim has failed already. */
static void grow_once(growth *g)
{
    uint64_t at = pick(g, g->rim), node = g->s.queue[at];
    g->s.queue[at] = g->s.queue[--g->rim];
    if (!cni_node_faulty(g->faults, node))
        grow_over(g, node);
}

/* Where earlier failures enclose the clusters, another working node becomes a center. */
static void grow_anew(growth *g)
{
    uint64_t number = pick(g, g->faults->topology->nodes - g->faults->node_count);
    for (uint64_t v = 0;; v++)
        if (!cni_node_faulty(g->faults, v) && number-- == 0) {
            grow_over(g, v);
            return;
        }
}

cn_status cn_faults_add_grown_clusters(cn_faults *faults, uint64_t count, uint64_t centers,
                                       uint64_t seed)
{
    CNI_REQUIRE(faults);
    uint64_t working = faults->topology->nodes - faults->node_count;
    CNI_TRY(cni_check_most(__func__, "count", count, working, "working nodes"));
    CNI_TRY(cni_check_centers(__func__, "centers", count, centers));
    growth g = {.faults = faults, .left = count, .state = cni_random_derive(seed, GROWTH)};
    cn_status status = open_surroundings(faults->topology, &g.s);
    lottery l = exactly(seed, GROWN_CENTERS, centers, working);
    for (uint64_t v = 0; status == CN_OK && l.wanted > 0; v++)
        if (!cni_node_faulty(faults, v) && draw(&l))
            grow_over(&g, v);
    while (status == CN_OK && g.left > 0) {
        if (g.rim > 0)
            grow_once(&g);
        else
            grow_anew(&g);
    }
    cni_release(g.s.block);
    return status;
}

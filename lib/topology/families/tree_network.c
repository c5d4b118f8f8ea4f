/*
 * The balanced tree (Ginosar & Egozi 1989, 4.1.6): b children a node, m levels below the root,
 * N = 1 + b + ... + b^m. The star (4.1.5) is that of one level.
 *
 * Nodes are numbered level by level: the children of v are b v + 1 .. b v + b, its parent is (v -
 * 1) / b. Port 0 leads to the parent, the next ones to the children in order; the root has only the
 * latter.
 */
#include "topology/topology.h"

#include <stdio.h>

#include "base/error.h"

typedef struct tree_network {
    cn_topology common;
    uint64_t branching; /* b */
    uint32_t levels;    /* m */
    /* subtree[h]: nodes of a subtree whose root is h levels above the leaves; subtree[m] = N */
    uint64_t subtree[];
} tree_network;

static const tree_network *of(const cn_topology *topology)
{
    return (const tree_network *)topology;
}

static uint64_t parent(const tree_network *tree, uint64_t node)
{
    return (node - 1) / tree->branching;
}

static uint32_t degree(const cn_topology *t, uint64_t node)
{
    int is_leaf = node > (t->nodes - 2) / of(t)->branching;
    return (node > 0 ? 1u : 0u) + (is_leaf ? 0u : (uint32_t)of(t)->branching);
}

static uint64_t neighbor(const cn_topology *t, uint64_t node, uint32_t port)
{
    if (node > 0 && port == 0)
        return parent(of(t), node);
    return of(t)->branching * node + port + (node == 0 ? 1 : 0);
}

static uint32_t back_port(const cn_topology *t, uint64_t node, uint32_t port)
{
    if (node == 0 || port > 0)
        return 0;
    uint64_t up = parent(of(t), node);
    return (uint32_t)(node - of(t)->branching * up - (up == 0 ? 1 : 0));
}

static uint32_t port_to(const cn_topology *t, uint64_t node, uint64_t neighbor)
{
    if (node > 0 && neighbor == parent(of(t), node))
        return 0;
    if (neighbor > 0 && node == parent(of(t), neighbor))
        return (uint32_t)(neighbor - of(t)->branching * node - (node == 0 ? 1 : 0));
    return CN_NO_PORT;
}

/* The node with the greater number lies at least as deep, so that node goes up. */
static cn_status distance(const cn_topology *t, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    uint64_t a = source, b = destination;
    for (*hops = 0; a != b; *hops += 1) {
        if (a > b)
            a = parent(of(t), a);
        else
            b = parent(of(t), b);
    }
    return CN_OK;
}

static uint32_t depth_of(const tree_network *tree, uint64_t node)
{
    uint32_t depth = 0;
    for (uint64_t v = node; v > 0; v = parent(tree, v))
        depth++;
    return depth;
}

/* Adds the nodes h levels below a root, h = 0 .. height, each `times` over, to counts[away + h]. */
static void add_subtree(const tree_network *tree, uint32_t height, uint64_t times, uint64_t away,
                        uint64_t counts[])
{
    for (uint32_t h = 0; h <= height; h++) {
        counts[away + h] += times;
        times *= tree->branching;
    }
}

static cn_status distance_counts(const cn_topology *t, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count)
{
    const tree_network *tree = of(t);
    uint32_t m = tree->levels, depth = depth_of(tree, source);
    /* b = 1 makes a path, in which the root is an end. */
    uint64_t down = m - depth;
    uint64_t farthest = tree->branching > 1 && depth > 0 ? (uint64_t)depth + m
                        : down > depth                   ? down
                                                         : depth;
    *count = cni_size((uint64_t)farthest + 1);
    if (capacity < *count)
        return CN_ERR_CAPACITY;
    for (size_t h = 0; h < *count; h++)
        counts[h] = 0;
    add_subtree(tree, m - depth, 1, 0, counts);
    for (uint32_t up = 1; up <= depth; up++) { /* an ancestor and its other subtrees */
        counts[up] += 1;
        if (tree->branching > 1)
            add_subtree(tree, m - depth + up - 1, tree->branching - 1, up + 1, counts);
    }
    return CN_OK;
}

/* In a binary tree one subtree below the root is side 1; in a path or star the second half of the
 * nodes by number is. */
static int bisection_side(const cn_topology *t, uint64_t node)
{
    if (of(t)->levels == 1 || of(t)->branching == 1)
        return node >= (t->nodes + 1) / 2;
    while (node > 2)
        node = parent(of(t), node);
    return node == 1;
}

/* Trees with equal b and N have equal depth. */
static int same(const cn_topology *a, const cn_topology *b)
{
    return of(a)->branching == of(b)->branching;
}

#define STAR_OPS                                                                        \
    .degree = degree, .neighbor = neighbor, .back_port = back_port, .port_to = port_to, \
    .distance = distance, .distance_counts = distance_counts, .bisection_side = bisection_side

static const cni_topology_ops star_ops = {STAR_OPS};
static const cni_topology_ops tree_ops = {STAR_OPS, .same = same};

/* ---- what is known in closed form ---- */

/* A link above a subtree of s nodes lies between s (N - s) pairs. In a star 2 (N-1) ordered pairs
 * are at distance 1 and (N-1)(N-2) at 2: d = 2 (N-1) / N. */
static double mean_distance(const tree_network *tree)
{
    double nodes = (double)tree->common.nodes, sum = 0.0, links = 1.0;
    if (tree->common.family == CNI_STAR)
        return 2.0 * (nodes - 1.0) / nodes;
    for (uint32_t h = tree->levels; h-- > 0;) {
        links *= (double)tree->branching;
        sum += links * ((double)tree->subtree[h] / nodes) *
               ((double)(tree->common.nodes - tree->subtree[h]) / (nodes - 1.0));
    }
    return 2.0 * sum;
}

static void find_facts(tree_network *tree)
{
    cn_topology *t = &tree->common;
    uint64_t b = tree->branching, m = tree->levels;
    t->links = t->nodes - 1;
    t->diameter = b == 1 ? m : 2 * m;
    t->mean_distance = mean_distance(tree);
    /* one link at the root, or in the middle of the path; in a star half of all */
    t->bisection = m == 1 ? t->nodes / 2 : b <= 2 ? 1 : 0;
    t->broadcast_time = b == 1 ? m : (b + 1) * m - 1; /* from a leaf, or the end of the path */
}

static cn_status make_network(const char *function, const cni_topology_ops *ops, cni_family family,
                              uint64_t branching, uint32_t levels, cn_topology **topology)
{
    tree_network *tree =
        cni_allocate(1, sizeof *tree + ((size_t)levels + 1) * sizeof tree->subtree[0]);
    CNI_TRY_MEMORY(tree);
    tree->subtree[0] = 1;
    for (uint32_t h = 1; h <= levels; h++) {
        if (tree->subtree[h - 1] > (CNI_MAX_NODES - 1) / branching) {
            cni_release(tree);
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: branching = %llu, levels = %lu, but 1 + b + ... + b^m must be at "
                            "most 2^62",
                            function, (unsigned long long)branching, (unsigned long)levels);
        }
        tree->subtree[h] = branching * tree->subtree[h - 1] + 1;
    }
    cni_topology_init(&tree->common, ops, family, tree->subtree[levels]);
    tree->branching = branching;
    tree->levels = levels;
    tree->common.max_degree = (uint32_t)branching + (levels > 1 ? 1 : 0);
    find_facts(tree);
    *topology = &tree->common;
    return CN_OK;
}

cn_status cn_topology_tree(uint64_t branching, uint32_t levels, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    if (branching < 1 || branching >= UINT32_MAX)
        return cni_fail(CN_ERR_ARGUMENT, "%s: branching = %llu, but it must be 1 to 2^32 - 2",
                        __func__, (unsigned long long)branching);
    if (levels < 1 || levels > (UINT32_C(1) << 20))
        return cni_fail(CN_ERR_ARGUMENT, "%s: levels = %lu, but they must be 1 to 2^20", __func__,
                        (unsigned long)levels);
    CNI_TRY(make_network(__func__, &tree_ops, CNI_TREE, branching, levels, topology));
    snprintf((*topology)->name, CNI_NAME_CAPACITY, "tree(%llu,%lu)", (unsigned long long)branching,
             (unsigned long)levels);
    return CN_OK;
}

cn_status cn_topology_star(uint64_t nodes, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    if (nodes < 2 || nodes > UINT32_MAX)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nodes = %llu, but they must be 2 to 2^32 - 1",
                        __func__, (unsigned long long)nodes);
    CNI_TRY(make_network(__func__, &star_ops, CNI_STAR, nodes - 1, 1, topology));
    snprintf((*topology)->name, CNI_NAME_CAPACITY, "star(%llu)", (unsigned long long)nodes);
    return CN_OK;
}

/*
 * Stored trees: from the parents that a caller gives, or from a breadth-first search. One search
 * over the channels makes both trees. The search takes every channel to a node that it has not
 * reached or, with given parents, only the channel from the parent of that node. So children are in
 * the order of the ports that lead to them.
 */
#include "topology/trees/tree.h"

#include "base/error.h"
#include "topology/distances/graph.h"

struct cni_tree_rows {
    cni_references references;
    uint32_t *parent, *depth, *size; /* [node] */
    uint32_t *first, *child;         /* children of v: child[first[v]] .. child[first[v + 1] - 1] */
    void *block;                     /* the memory of the arrays */
};

void cni_tree_rows_retain(cni_tree_rows *rows)
{
    if (rows != NULL)
        cni_retain(&rows->references);
}

void cni_tree_rows_release(cni_tree_rows *rows)
{
    if (rows == NULL || !cni_drop(&rows->references))
        return;
    cni_release(rows->block);
    cni_release(rows);
}

/* ---- queries ---- */

static uint64_t parent(const cn_tree *tree, uint64_t node)
{
    return tree->rows->parent[node];
}

static uint64_t depth(const cn_tree *tree, uint64_t node)
{
    return tree->rows->depth[node];
}

static uint64_t children(const cn_tree *tree, uint64_t node, uint64_t from, uint64_t out[],
                         uint64_t room)
{
    const cni_tree_rows *rows = tree->rows;
    uint64_t count = rows->first[node + 1] - rows->first[node];
    for (uint64_t i = 0; i < room && i + from < count; i++)
        out[i] = rows->child[rows->first[node] + from + i];
    return count;
}

static uint64_t subtree_size(const cn_tree *tree, uint64_t node)
{
    return tree->rows->size[node];
}

static const cni_tree_ops stored_ops = {
    .name = "stored",
    .is_stored = 1,
    .parent = parent,
    .depth = depth,
    .children = children,
    .subtree_size = subtree_size,
};

/* ---- making ---- */

static cn_status open_rows(uint64_t nodes, cni_tree_rows **rows)
{
    cni_tree_rows *made = *rows = cni_allocate(1, sizeof *made);
    CNI_TRY_MEMORY(made);
    made->references = 1;
    const cni_array arrays[] = {
        CNI_ARRAY(made->parent, nodes), CNI_ARRAY(made->depth, nodes),
        CNI_ARRAY(made->size, nodes),   CNI_ARRAY(made->first, nodes + 1),
        CNI_ARRAY(made->child, nodes),
    };
    return cni_allocate_arrays(&made->block, arrays);
}

/* Puts the nodes into the queue in the order in which the search reaches them from the root, and
 * counts children. Returns the number of reached nodes. */
static size_t search(const cni_graph *graph, uint32_t root, const uint64_t parents[],
                     cni_budget *budget, cni_tree_rows *rows, uint32_t queue[])
{
    size_t reached = 1;
    queue[0] = root;
    for (size_t at = 0; at < reached; at++) {
        uint32_t v = queue[at];
        if (!cni_budget_work(budget, 2 + 2 * (graph->first[v + 1] - graph->first[v])))
            break;
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            uint32_t w = graph->neighbor[e];
            if (w == root || rows->depth[w] != 0 || (parents != NULL && parents[w] != v))
                continue;
            rows->parent[w] = v;
            rows->depth[w] = rows->depth[v] + 1;
            rows->first[v + 1]++;
            queue[reached++] = w;
        }
    }
    return reached;
}

/* Fills the rows from the order of the search: the children of a node have the same order in the
 * queue and in their row. */
static void fill_rows(size_t nodes, const uint32_t queue[], cni_tree_rows *rows)
{
    for (size_t v = 0; v < nodes; v++)
        rows->first[v + 1] += rows->first[v];
    for (size_t i = 1; i < nodes; i++) {
        uint32_t above = rows->parent[queue[i]];
        rows->child[rows->first[above] + rows->size[above]++] = queue[i];
    }
    for (size_t v = 0; v < nodes; v++)
        rows->size[v] = 1;
    for (size_t i = nodes; --i > 0;)
        rows->size[rows->parent[queue[i]]] += rows->size[queue[i]];
}

static cn_status fail_unreached(const char *function, const cn_topology *topology, uint64_t root,
                                const cni_tree_rows *rows)
{
    uint64_t node = 0;
    while (node == root || rows->depth[node] != 0)
        node++;
    return cni_fail(CN_ERR_DISCONNECTED, "%s: no path leads from root %llu to node %llu of %s",
                    function, (unsigned long long)root, (unsigned long long)node, topology->name);
}

static cn_status fill(const char *function, const cni_graph *graph, uint64_t root,
                      const uint64_t parents[], cni_budget *budget, cni_tree_rows *rows)
{
    uint32_t *queue = cni_allocate(graph->nodes, sizeof *queue);
    CNI_TRY_MEMORY(queue);
    size_t reached = search(graph, (uint32_t)root, parents, budget, rows, queue);
    cn_status status = cni_budget_go_on(budget, 0);
    if (status == CN_OK && reached < graph->nodes)
        status = fail_unreached(function, graph->topology, root, rows);
    else if (status == CN_OK)
        fill_rows(graph->nodes, queue, rows);
    cni_release(queue);
    return status;
}

/* Makes a tree from the parents of all nodes; NULL: by breadth-first search. */
static cn_status make_tree(const char *function, const cn_topology *topology, uint64_t root,
                           const uint64_t parents[], cni_budget *budget, cn_tree **tree)
{
    cni_graph graph;
    CNI_TRY(cni_check_all_hosts(function, topology));
    CNI_TRY(cni_graph_open(topology, budget, &graph));
    cni_tree_rows *rows = NULL;
    cn_status status = open_rows(graph.nodes, &rows);
    if (status == CN_OK)
        status = fill(function, &graph, root, parents, budget, rows);
    cni_graph_close(&graph);
    if (status == CN_OK)
        status = cni_make_tree(function, topology, &stored_ops, root, NULL, 0, tree);
    if (status == CN_OK)
        (*tree)->rows = rows;
    else
        cni_tree_rows_release(rows);
    return status;
}

cn_status cn_tree_from_parents(const cn_topology *topology, uint64_t root, const uint64_t parents[],
                               size_t count, const cn_control *control, cn_tree **tree)
{
    CNI_REQUIRE_OUT(tree);
    CNI_REQUIRE_BOTH(topology, parents);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_check_tree(__func__, topology, root, parents, count, &budget, NULL, NULL));
    return make_tree(__func__, topology, root, parents, &budget, tree);
}

cn_status cn_tree_breadth_first(const cn_topology *topology, uint64_t root,
                                const cn_control *control, cn_tree **tree)
{
    CNI_REQUIRE_OUT(tree);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_node(__func__, "root", topology, root));
    CNI_BUDGET(budget, control, 0);
    return make_tree(__func__, topology, root, NULL, &budget, tree);
}

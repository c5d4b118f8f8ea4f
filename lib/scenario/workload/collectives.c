/* Collective operations as workloads: the table of algorithms, and the algorithms without
 * phases. */
#include "scenario/workload/collectives.h"

#include "base/error.h"
#include "base/names.h"
#include "topology/addresses/necklace.h"
#include "topology/trees/tree.h"

enum { MOST_NODES = 1 << 20, MOST_MESSAGES = 1 << 24 };

cn_status cni_check_transfers(const cni_making *making, uint64_t transfers, uint64_t flits)
{
    size_t there = cn_workload_count(making->workload);
    if (transfers > (MOST_MESSAGES - there) / cni_count_pieces(making, flits))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s on %s is more than %d messages",
                        making->function, cn_collective_operation_name(making->operation),
                        making->topology->name, MOST_MESSAGES);
    if (making->most == 0 && flits > UINT32_MAX)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: flits = %llu, so that a message on %s has %llu; a message has at most "
                        "%lu, and so has each of several when most is not 0",
                        making->function, (unsigned long long)making->flits, making->topology->name,
                        (unsigned long long)flits, (unsigned long)UINT32_MAX);
    return CN_OK;
}

cn_status cni_add_transfer(const cni_making *making, cni_transfer *transfer)
{
    uint64_t left = transfer->flits, pieces = cni_count_pieces(making, left),
             behind = transfer->behind;
    uint64_t source = cni_host_at(making->topology, transfer->source);
    uint64_t destination = cni_host_at(making->topology, transfer->destination);
    CNI_TRY(cni_check_transfers(making, 1, left));
    for (uint64_t i = 0; i < pieces; i++) {
        uint64_t flits = making->most != 0 && left > making->most ? making->most : left, number;
        CNI_TRY(cn_workload_add(making->workload, source, destination, flits, 0, transfer->after,
                                transfer->count, &behind, behind != CNI_NOT_BEHIND, &number));
        left -= flits;
        behind = transfer->in_turn ? number : CNI_NOT_BEHIND;
        for (size_t w = transfer->count - transfer->alike; w < transfer->count; w++)
            transfer->after[w]++;
    }
    return CN_OK;
}

/* ---- one after the other ---- */

/* Each node sends to the node 1 above it, then 2 above it, and so on. `before` is the last message
 * that the same node has sent. */
static cn_status rotated(const cni_making *making)
{
    uint64_t n = making->topology->hosts, pieces = cni_count_pieces(making, making->flits);
    CNI_TRY(cni_check_transfers(making, n * (n - 1), making->flits));
    for (uint64_t away = 1; away < n; away++)
        for (uint64_t s = 0; s < n; s++) {
            uint64_t before = cn_workload_count(making->workload) - (n - 1) * pieces - 1;
            cni_transfer sent = {.source = s,
                                 .destination = (s + away) % n,
                                 .flits = making->flits,
                                 .in_turn = 1,
                                 .behind = away == 1 ? CNI_NOT_BEHIND : before};
            CNI_TRY(cni_add_transfer(making, &sent));
        }
    return CN_OK;
}

/* ---- all broadcasts at once ---- */

/*
 * The broadcasts of all nodes go along one tree, which is turned by the address of each root. A
 * message changes one digit, and there are L = n (k - 1) changes. A channel is used by one message
 * in a step when no two nodes of the tree that are reached in this step are reached by the same
 * change. The changes are the necklace of node 1: rotation leads from each change to the next.
 *
 * The nodes are placed on a tape, nodes near the root first. A necklace of P nodes takes P places
 * in a row. The node at place s is reached in step s / L by change s mod L: it is the node of its
 * necklace that this change can reach. P divides L, so a necklace fits anywhere.
 */
typedef struct tape {
    uint64_t *node, *change; /* by place; a change is written as the node 0 .. 0 x 0 .. 0 */
    uint64_t *place;         /* by node; CN_NO_NODE for node 0, the root */
    uint64_t places;         /* so far */
} tape;

/* Places the necklace of this node; one of its rotations has the digit 1 at the right. */
static void place_necklace(const cn_topology *topology, tape *t, uint64_t node)
{
    uint64_t changes = cni_unfolded_length(topology), period;
    cni_word word = cni_word_of(topology, node);
    period = cni_word_orbit(&word).period;
    while (cni_digit(topology, node, 0) != 1)
        node = cni_rotated_by(topology, node, 1 % changes);
    for (uint64_t i = 0; i < period; i++, t->places++) {
        uint64_t turn = t->places % changes, here = cni_rotated_by(topology, node, turn);
        t->node[t->places] = here;
        t->change[t->places] = cni_rotated_by(topology, 1, turn);
        t->place[here] = t->places;
    }
}

/* Places all nodes except node 0, nodes near the root first. */
static void fill_tape(const cn_topology *topology, tape *t)
{
    for (uint64_t v = 0; v < topology->nodes; v++)
        t->place[v] = CN_NO_NODE;
    for (uint32_t away = 1; away <= topology->dimensions; away++)
        for (uint64_t v = 1; v < topology->nodes; v++)
            if (t->place[v] == CN_NO_NODE && cni_popcount(cni_word_of(topology, v).mask) == away)
                place_necklace(topology, t, v);
}

/* Adds the transfers to the node at place s, one for each root. */
static cn_status add_place(const cni_making *making, const tape *t, uint64_t s)
{
    const cn_topology *topology = making->topology;
    uint64_t n = topology->nodes, changes = cni_unfolded_length(topology),
             pieces = cni_count_pieces(making, making->flits);
    uint64_t parent = t->node[s] - t->change[s]; /* the digit becomes 0 */
    for (uint64_t root = 0; root < n; root++) {
        cni_transfer sent = {.flits = making->flits, .in_turn = 1, .behind = CNI_NOT_BEHIND};
        sent.source = cni_translate(topology, root, parent);
        sent.destination = cni_translate(topology, root, t->node[s]);
        uint64_t came = (t->place[parent] * n + root) * pieces;
        if (parent != 0) {
            sent.after = &came;
            sent.count = sent.alike = 1;
        }
        if (s >= changes) { /* over the same channel in the step before */
            uint64_t other = cni_header(topology, sent.destination, t->node[s - changes]);
            sent.behind = ((s - changes) * n + other + 1) * pieces - 1;
        }
        CNI_TRY(cni_add_transfer(making, &sent));
    }
    return CN_OK;
}

static cn_status interleaved(const cni_making *making)
{
    uint64_t n = making->topology->hosts;
    tape t = {.places = 0};
    void *block = NULL;
    const cni_array arrays[] = {CNI_ARRAY(t.node, n), CNI_ARRAY(t.change, n),
                                CNI_ARRAY(t.place, n)};
    CNI_TRY(cni_check_transfers(making, n * (n - 1), making->flits));
    CNI_TRY(cni_allocate_arrays(&block, arrays));
    fill_tape(making->topology, &t);
    cn_status status = CN_OK;
    for (uint64_t s = 0; s < t.places && status == CN_OK; s++)
        status = add_place(making, &t, s);
    cni_release(block);
    return status;
}

/* ---- where they exist ---- */

static int on_tori(const cn_topology *topology)
{
    return cni_has_rings(topology) || cni_is_hypercube(topology);
}

static int on_powers_of_two(const cn_topology *topology)
{
    return cni_is_power_of_two(topology->hosts);
}

static int on_tori_of_powers_of_two(const cn_topology *topology)
{
    return on_tori(topology) && topology->bidirectional && cni_is_power_of_two(topology->hosts);
}

static int on_generalized_hypercubes(const cn_topology *topology)
{
    return cni_sets_digits(topology) || cni_is_hypercube(topology) || cni_is_complete(topology);
}

#define BIT(operation) (1u << CN_COLLECTIVE_##operation)
#define REDUCING (BIT(ALLREDUCE) | BIT(REDUCE_SCATTER) | BIT(ALLGATHER))

static const struct row {
    const char *name;
    unsigned operations; /* BIT() of each operation that it makes */
    const char *where;   /* NULL: in any network */
    int (*exists)(const cn_topology *topology);
    cn_status (*make)(const cni_making *making);
} algorithms[] = {
    [CN_ALGORITHM_RING] = {"ring", REDUCING, NULL, NULL, cni_make_phases},
    [CN_ALGORITHM_RINGS] = {"rings", REDUCING, "a k-ary n-cube, torus or hypercube", on_tori,
                            cni_make_phases},
    [CN_ALGORITHM_RECURSIVE] = {"recursive", REDUCING, "a network of 2, 4, 8, ... nodes",
                                on_powers_of_two, cni_make_phases},
    [CN_ALGORITHM_SWING] = {"swing", REDUCING,
                            "a torus with links both ways and sides of 2, 4, 8, ... nodes",
                            on_tori_of_powers_of_two, cni_make_phases},
    [CN_ALGORITHM_BINE] = {"bine", REDUCING, "a network of 2, 4, 8, ... nodes", on_powers_of_two,
                           cni_make_phases},
    [CN_ALGORITHM_DIMENSIONS] = {"dimensions", REDUCING | BIT(ALL_TO_ALL),
                                 "a generalized hypercube, hypercube or complete network",
                                 on_generalized_hypercubes, cni_make_phases},
    [CN_ALGORITHM_ROTATED] = {"rotated", BIT(ALL_TO_ALL), NULL, NULL, rotated},
    [CN_ALGORITHM_INTERLEAVED] = {"interleaved", BIT(ALLGATHER),
                                  "a hypercube or a generalized hypercube with equal radices",
                                  cni_has_necklaces, interleaved},
};
static const cni_names algorithm_names = CNI_NAMES("algorithm", algorithms, 0);
CNI_NAMED_ENUM(cn_algorithm, algorithm, algorithm_names);

static const char *const collectives[] = {"allreduce",  "reduce-scatter", "allgather",
                                          "all-to-all", "broadcast",      "reduce"};
static const cni_names collective_names = CNI_NAMES("collective operation", collectives, 0);
CNI_NAMED_ENUM(cn_collective_operation, operation, collective_names);

/* The algorithms for an operation, as bits. */
static uint64_t with_operation(cn_collective_operation operation)
{
    uint64_t found = 0;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        found |= (uint64_t)(algorithms[i].operations >> operation & 1) << i;
    return found;
}

static cn_status check_algorithm(const cni_making *making)
{
    const char *operation = cn_collective_operation_name(making->operation);
    const struct row *row = &algorithms[making->algorithm];
    char list[CNI_LIST_CAPACITY];
    uint64_t having = with_operation(making->operation);
    if (having == 0)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s goes along a tree: cn_workload_tree()",
                        making->function, operation);
    if ((having >> making->algorithm & 1) == 0)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: there is no %s by %s, only by %s",
                        making->function, operation, row->name,
                        cni_list_names(&algorithm_names, having, list));
    if (row->exists != NULL && !row->exists(making->topology))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s needs %s; %s is none", making->function,
                        row->name, row->where, making->topology->name);
    return CN_OK;
}

/* ---- the public face ---- */

static cn_status check_making(const cni_making *making)
{
    CNI_TRY(
        cni_check_named(making->function, &collective_names, "operation", (int)making->operation));
    CNI_TRY(cni_check_range(making->function, "flits", making->flits, 1, UINT32_MAX));
    CNI_TRY(cni_check_range(making->function, "most", making->most, 0, UINT32_MAX));
    if (making->topology->hosts > MOST_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has %llu hosts; at most %d", making->function,
                        making->topology->name, (unsigned long long)making->topology->hosts,
                        MOST_NODES);
    return CN_OK;
}

/* Hands the workload over, or gives it up. */
static cn_status finish(cni_making *making, cn_status status, cn_workload **workload)
{
    if (status == CN_OK)
        *workload = making->workload;
    else
        cn_workload_free(&making->workload);
    return cni_fail_as(making->function, status);
}

cn_status cn_workload_collective(const cn_topology *topology, cn_collective_operation operation,
                                 cn_algorithm algorithm, uint64_t flits, uint64_t most,
                                 cn_workload **workload)
{
    CNI_REQUIRE_OUT(workload);
    CNI_REQUIRE(topology);
    cni_making making = {__func__, topology, operation, algorithm, flits, most, NULL};
    CNI_TRY(check_making(&making));
    CNI_TRY(cni_check_named(__func__, &algorithm_names, "algorithm", (int)algorithm));
    CNI_TRY(check_algorithm(&making));
    CNI_TRY(cn_workload_new(topology, &making.workload));
    return finish(&making, algorithms[algorithm].make(&making), workload);
}

/* ---- along a tree ---- */

typedef struct branches {
    uint64_t *parent, *first, *child; /* as cn_tree_arrays() gives them */
    uint64_t *order;                  /* the nodes, parents first */
    /* by node: the first message between the node and its parent */
    uint64_t *sent;
    uint64_t *waits;
} branches;

/* Lists the nodes of the tree, parents before their children. */
static void put_in_order(branches *b, uint64_t root)
{
    size_t placed = 0;
    b->order[placed++] = root;
    for (size_t i = 0; i < placed; i++)
        for (uint64_t c = b->first[b->order[i]]; c < b->first[b->order[i] + 1]; c++)
            b->order[placed++] = b->child[c];
}

/* Adds the transfer between a node and its parent. */
static cn_status join_parent(const cni_making *making, branches *b, uint64_t node)
{
    uint64_t parent = b->parent[node];
    int out = making->operation == CN_COLLECTIVE_BROADCAST;
    cni_transfer sent = {.source = out ? parent : node,
                         .destination = out ? node : parent,
                         .flits = making->flits,
                         .after = b->waits,
                         .behind = CNI_NOT_BEHIND};
    if (out && b->parent[parent] != CN_NO_NODE)
        b->waits[sent.count++] = b->sent[parent];
    for (uint64_t c = b->first[node]; c < b->first[node + 1] && !out; c++)
        b->waits[sent.count++] = b->sent[b->child[c]];
    sent.alike = sent.count;
    b->sent[node] = cn_workload_count(making->workload);
    return cni_add_transfer(making, &sent);
}

static cn_status follow_tree(const cni_making *making, const cn_tree *tree)
{
    size_t n = (size_t)making->topology->hosts;
    branches b = {0};
    void *block = NULL;
    const cni_array arrays[] = {CNI_ARRAY(b.parent, n), CNI_ARRAY(b.first, n + 1),
                                CNI_ARRAY(b.child, n),  CNI_ARRAY(b.order, n),
                                CNI_ARRAY(b.sent, n),   CNI_ARRAY(b.waits, n)};
    CNI_TRY(cni_allocate_arrays(&block, arrays));
    cn_status status = cn_tree_arrays(tree, b.parent, b.first, b.child, n, NULL);
    if (status == CN_OK)
        put_in_order(&b, tree->root);
    for (size_t i = 1; i < n && status == CN_OK; i++)
        status = join_parent(making, &b,
                             b.order[making->operation == CN_COLLECTIVE_BROADCAST ? i : n - i]);
    cni_release(block);
    return status;
}

cn_status cn_workload_tree(const cn_tree *tree, cn_collective_operation operation, uint64_t flits,
                           uint64_t most, cn_workload **workload)
{
    CNI_REQUIRE_OUT(workload);
    CNI_REQUIRE(tree);
    cni_making making = {__func__, tree->topology, operation, 0, flits, most, NULL};
    CNI_TRY(check_making(&making));
    if (operation != CN_COLLECTIVE_BROADCAST && operation != CN_COLLECTIVE_REDUCE)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: operation = %s; along a tree go broadcast and reduce", __func__,
                        collectives[operation]);
    CNI_TRY(cn_workload_new(tree->topology, &making.workload));
    return finish(&making, follow_tree(&making, tree), workload);
}

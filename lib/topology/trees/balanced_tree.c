/*
 * The balanced spanning tree BST and the spanning graph BSG (Ziavras & Krishnamurthy 1999, 4 and
 * 5.2.2), for root 0.
 *
 * The parent of v follows from the index D(v) mod n, where D(v) is the displacement of v. The
 * parent has the displacement of v, unless it is the root. So the children of v follow from
 * generators. With the generator G = R^D(v)(v), put a digit in one of the zeros at the right end of
 * G, such that the result is a generator too, and rotate the result back D(v) times. A generator of
 * a short necklace, of P nodes, has displacements below P only.
 */
#include "topology/trees/tree.h"

#include "base/error.h"
#include "cubenet/experimental/multicast.h"
#include "topology/addresses/necklace.h"

/* Larger subtrees, and children in a dimension of more digits, are not counted one by one. */
static const uint64_t MOST_COUNTED = UINT64_C(1) << CN_TREE_MOST_COUNTED_LOG2;

/* The node with 0 in place of its first nonzero digit to the left of this index, cyclically; the
 * index itself comes last. */
static uint64_t parent_from(const cn_topology *cube, uint64_t node, const cni_word *word,
                            uint32_t index)
{
    uint32_t n = word->n, dimension = n - 1 - index;
    do /* higher dimensions lie to the left */
        dimension = dimension + 1 < n ? dimension + 1 : 0;
    while ((word->mask >> dimension & 1) == 0);
    uint64_t residue = word->residue[n - 1 - dimension];
    return node - (residue == 0 ? word->turn : residue) * cube->stride[dimension];
}

static uint64_t parent(const cn_tree *tree, uint64_t node)
{
    cni_word word = cni_word_of(tree->topology, node);
    uint32_t index = (uint32_t)(cni_word_orbit(&word).displacement % word.n);
    return parent_from(tree->topology, node, &word, index);
}

static uint64_t depth(const cn_tree *tree, uint64_t node)
{
    cni_word word = cni_word_of(tree->topology, node);
    return cni_popcount(word.mask);
}

/* The children in the order in which they are found. The children number `from` to
 * `from + room - 1` are written. */
typedef struct list {
    uint64_t from, room, count;
    int too_many;
    uint64_t *out;
} list;

static void add(list *children, uint64_t child)
{
    if (children->count >= children->from && children->count - children->from < children->room)
        children->out[children->count - children->from] = child;
    children->count++;
}

/* Of the next `length` children, counts those before the first child that is to be written. Returns
 * their number. */
static uint64_t skip_children(list *children, uint64_t length)
{
    uint64_t skipped = 0;
    if (children->count < children->from)
        skipped = children->from - children->count;
    else if (children->count - children->from >= children->room)
        skipped = length;
    skipped = skipped < length ? skipped : length;
    children->count += skipped;
    return skipped;
}

/* Child i of the root has displacement i: digit k-1, moved i mod n places to the right and
 * turned i/n times. */
static void add_root_children(const cn_topology *cube, list *children)
{
    uint32_t n = cube->dimensions;
    uint64_t k = cube->radix[0], count = cni_unfolded_length(cube);
    for (uint64_t i = skip_children(children, count); i < count;
         i += 1 + skip_children(children, count - i - 1))
        add(children, (k - 1 - i / n) * cube->stride[n - 1 - i % n]);
}

/* Adds the children with this displacement whose generators have a digit in the given dimension,
 * in which `generator` has 0. */
static void add_children_in(const cn_topology *cube, const cni_word *generator, uint32_t dimension,
                            uint64_t displacement, list *children)
{
    uint32_t n = generator->n;
    cni_word child = *generator;
    child.mask |= UINT64_C(1) << dimension;
    if (!cni_mask_is_largest(child.mask, n))
        return;
    /* when the mask has n different rotations, every digit makes a generator of a full necklace */
    int all_fit = cni_mask_period(child.mask, n) == n;
    uint64_t length = cni_unfolded_length(cube);
    if (!all_fit && child.turn > MOST_COUNTED) {
        children->too_many = 1;
        return;
    }
    for (uint64_t digit = 0; digit < child.turn; digit++) { /* k-1, 1, 2, ... */
        if (all_fit)
            digit += skip_children(children, child.turn - digit);
        if (digit == child.turn)
            return;
        child.residue[n - 1 - dimension] = digit;
        cni_orbit orbit = {.displacement = 0, .period = length};
        if (!all_fit)
            orbit = cni_word_orbit(&child);
        if (orbit.displacement != 0 || orbit.period <= displacement)
            continue;
        cni_word back = cni_word_rotate(&child, (length - displacement) % length);
        add(children, cni_word_node(cube, &back));
    }
}

static uint64_t children(const cn_tree *tree, uint64_t node, uint64_t from, uint64_t out[],
                         uint64_t room)
{
    const cn_topology *cube = tree->topology;
    list found = {.from = from, .room = room, .out = out};
    if (node == 0) {
        add_root_children(cube, &found);
        return found.count;
    }
    cni_word word = cni_word_of(cube, node);
    uint64_t displacement = cni_word_orbit(&word).displacement;
    cni_word generator = cni_word_rotate(&word, displacement);
    /* the zeros at the right end of the generator: the dimensions below this number */
    uint32_t zeros = 0;
    while ((generator.mask >> zeros & 1) == 0)
        zeros++;
    while (zeros-- > 0)
        add_children_in(cube, &generator, zeros, displacement, &found);
    return found.too_many ? CNI_TOO_MANY : found.count;
}

/* Adds the number of nodes below a node to *size; 0 when the nodes are too many. */
static int count_below(const cn_tree *tree, uint64_t node, uint64_t *size)
{
    enum { SOME = 16 };
    uint64_t some[SOME], count = 1;
    for (uint64_t from = 0; from < count; from += SOME) { /* the recursion is at most n deep */
        count = children(tree, node, from, some, SOME);
        if (count >= MOST_COUNTED - *size)
            return 0;
        for (uint64_t i = 0; i < SOME && from + i < count; i++) {
            *size += 1;
            if (!count_below(tree, some[i], size))
                return 0;
        }
    }
    return 1;
}

static uint64_t subtree_size(const cn_tree *tree, uint64_t node)
{
    const cn_topology *cube = tree->topology;
    if (node == 0)
        return cube->nodes;
    cni_word word = cni_word_of(cube, node);
    if ((word.mask & (word.mask - 1)) == 0) /* a child of the root */
        return cni_necklaces_longer_than(cube, cni_word_orbit(&word).displacement);
    uint64_t size = 1;
    return count_below(tree, node, &size) ? size : CNI_TOO_MANY;
}

static const cni_tree_ops balanced_ops = {
    .name = "balanced",
    .parent = parent,
    .depth = depth,
    .children = children,
    .subtree_size = subtree_size,
};

cn_status cn_tree_balanced(const cn_topology *topology, uint64_t root, cn_tree **tree)
{
    CNI_REQUIRE_OUT(tree);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_symmetric(__func__, topology));
    return cni_make_tree(__func__, topology, &balanced_ops, root, NULL, 0, tree);
}

cn_status cn_spanning_graph_parents(const cn_topology *topology, uint64_t root, uint64_t node,
                                    uint64_t parents[], uint64_t subtrees[], size_t capacity,
                                    size_t *count)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(parents, capacity);
    CNI_TRY(cni_check_symmetric(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "root", topology, root));
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    uint64_t from_root = cni_header(topology, node, root);
    cni_word word = cni_word_of(topology, from_root);
    cni_orbit orbit = cni_word_orbit(&word);
    uint64_t needed = node == root ? 0 : cni_unfolded_length(topology) / orbit.period;
    CNI_REQUIRE_FIT(needed, capacity, count, "node %llu has %llu parents", (unsigned long long)node,
                    (unsigned long long)needed);
    for (uint64_t i = 0; i < needed; i++) {
        uint64_t subtree = orbit.displacement + i * orbit.period;
        uint32_t index = (uint32_t)(subtree % topology->dimensions);
        uint64_t above = parent_from(topology, from_root, &word, index);
        parents[i] = cni_translate(topology, above, root);
        if (subtrees != NULL)
            subtrees[i] = subtree;
    }
    return CN_OK;
}

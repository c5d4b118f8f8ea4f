/* The array calls against the calls for one node, on every family. */
#include "topology/oracle.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"

enum { MANY = 3000 };

static uint64_t nodes[MANY], others[MANY], answers[MANY + 1], digits[MANY * 4];

static size_t draw(const cn_topology *t, uint64_t seed)
{
    for (size_t i = 0; i < MANY; i++) {
        nodes[i] = cni_random_word(seed, 2 * i) % cn_topology_node_count(t);
        others[i] = cni_random_word(seed, 2 * i + 1) % cn_topology_node_count(t);
    }
    return MANY;
}

static void check_adjacency(const cn_topology *t)
{
    uint64_t first[400], row[64], *neighbors, size = cn_topology_node_count(t);
    size_t count, channels = 0, degree;
    assert_ok(cn_topology_adjacency(t, NULL, first, 400, NULL, 0, &count));
    neighbors = malloc((count + 1) * sizeof *neighbors);
    memset(first, 0, sizeof first);
    assert_ok(cn_topology_adjacency(t, NULL, first, size + 1, neighbors, count, NULL));
    for (uint64_t v = 0; v < size; v++) {
        assert_int_equal(first[v], channels);
        assert_ok(cn_topology_neighbors(t, v, row, 64, &degree));
        assert_memory_equal(row, neighbors + channels, degree * sizeof *row);
        channels += degree;
    }
    assert_true(first[size] == channels && count == channels);
    first[0] = 7;
    assert_fails(cn_topology_adjacency(t, NULL, first, size, NULL, 0, NULL), CN_ERR_CAPACITY,
                 "first_capacity");
    if (count > 1)
        assert_fails(cn_topology_adjacency(t, NULL, first, size + 1, neighbors, count - 1, NULL),
                     CN_ERR_CAPACITY, "channels");
    assert_int_equal(first[0], 7);
    free(neighbors);
}

static void check_distances(const cn_topology *t)
{
    uint64_t size = cn_topology_node_count(t), hops;
    for (uint64_t source = 0; source < size; source += 1 + size / 3) {
        assert_ok(cn_topology_distances(t, source, NULL, answers, MANY));
        for (uint64_t v = 0; v < size; v++) {
            assert_ok(cn_topology_distance(t, source, v, NULL, &hops));
            assert_int_equal(answers[v], hops);
        }
    }
    answers[0] = 99;
    assert_fails(cn_topology_distances(t, 0, NULL, answers, size - 1), CN_ERR_CAPACITY, "capacity");
    assert_fails(cn_topology_distances(t, size, NULL, answers, MANY), CN_ERR_ARGUMENT, "source");
    assert_int_equal(answers[0], 99);
}

static void check_addresses(const cn_topology *t, uint64_t seed)
{
    size_t count = draw(t, seed), n = cn_topology_dimensions(t);
    uint64_t one, row[4];
    if (n == 0) {
        assert_fails(cn_topology_headers(t, nodes, others, count, NULL, answers),
                     CN_ERR_UNSUPPORTED, "no dimensions");
        assert_fails(cn_topology_digits_of(t, nodes, count, NULL, digits, count * 4),
                     CN_ERR_UNSUPPORTED, "no dimensions");
        return;
    }
    assert_true(n <= 4);
    assert_ok(cn_topology_digits_of(t, nodes, count, NULL, digits, count * n));
    for (size_t i = 0; i < count; i++) {
        assert_ok(cn_topology_digits(t, nodes[i], row, 4, NULL));
        assert_memory_equal(row, digits + i * n, n * sizeof *row);
    }
    assert_fails(cn_topology_digits_of(t, nodes, count, NULL, digits, count * n - 1),
                 CN_ERR_CAPACITY, "digits each");
    assert_ok(cn_topology_headers(t, nodes, others, count, NULL, answers));
    for (size_t i = 0; i < count; i++) {
        assert_ok(cn_topology_header(t, nodes[i], others[i], &one));
        assert_int_equal(answers[i], one);
    }
    assert_ok(cn_topology_translations(t, answers, others, count, NULL, answers)); /* in place */
    assert_memory_equal(answers, nodes, count * sizeof *nodes);
    if (cn_necklace_displacements(t, nodes, count, NULL, answers) != CN_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        assert_ok(cn_necklace_displacement(t, nodes[i], &one));
        assert_int_equal(answers[i], one);
    }
}

static void check_parents(const cn_topology *t, uint64_t seed)
{
    cn_tree *trees[3] = {NULL};
    size_t count = draw(t, seed);
    uint64_t one, root = cn_topology_node_count(t) / 2;
    assert_ok(cn_tree_breadth_first(t, root, NULL, &trees[0]));
    if (cn_tree_balanced(t, root, &trees[1]) != CN_OK)
        trees[1] = NULL;
    if (cn_tree_binomial(t, root, 0, &trees[2]) != CN_OK)
        trees[2] = NULL;
    for (int k = 0; k < 3; k++) {
        if (trees[k] == NULL)
            continue;
        assert_ok(cn_tree_parents(trees[k], nodes, count, NULL, answers));
        for (size_t i = 0; i < count; i++) {
            assert_ok(cn_tree_parent(trees[k], nodes[i], &one));
            assert_int_equal(answers[i], one);
        }
        cn_tree_free(&trees[k]);
    }
}

static void as_one_by_one(void **state)
{
    (void)state;
    cn_topology *t;
    int trees = 0;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint64_t hops;
        check_adjacency(t);
        check_distances(t);
        check_addresses(t, i);
        if (cn_topology_diameter(t, NULL, &hops) == CN_OK) {
            check_parents(t, 100 + i);
            trees++;
        }
        cn_topology_free(&t);
    }
    assert_true(trees > 10);
}

/* The index and the value; what comes before is answered, what follows is not touched. */
static void the_bad_element_is_named(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree;
    assert_ok(cn_topology_generalized_hypercube(3, 3, &t));
    assert_ok(cn_tree_balanced(t, 4, &tree));
    for (size_t bad = 0; bad < 50; bad += 7) {
        draw(t, bad);
        memset(answers, 0xab, sizeof answers);
        char sentence[64];
        nodes[bad] = 27;
        snprintf(sentence, sizeof sentence, "nodes[%zu] = 27, but the nodes of ", bad);
        assert_fails(cn_topology_headers(t, nodes, others, 60, NULL, answers), CN_ERR_ARGUMENT,
                     sentence);
        assert_int_equal(answers[bad], UINT64_C(0xabababababababab));
        assert_true(bad == 0 || answers[bad - 1] < 27);
        assert_fails(cn_topology_translations(t, nodes, others, 60, NULL, answers), CN_ERR_ARGUMENT,
                     sentence);
        assert_fails(cn_topology_digits_of(t, nodes, 60, NULL, digits, 180), CN_ERR_ARGUMENT,
                     sentence);
        assert_fails(cn_necklace_displacements(t, nodes, 60, NULL, answers), CN_ERR_ARGUMENT,
                     sentence);
        assert_fails(cn_tree_parents(tree, nodes, 60, NULL, answers), CN_ERR_ARGUMENT, sentence);
        snprintf(sentence, sizeof sentence, "destinations[%zu] = 27, but", bad);
        assert_fails(cn_topology_headers(t, others, nodes, 60, NULL, answers), CN_ERR_ARGUMENT,
                     sentence);
        snprintf(sentence, sizeof sentence, "by[%zu] = 27, but", bad);
        assert_fails(cn_topology_translations(t, others, nodes, 60, NULL, answers), CN_ERR_ARGUMENT,
                     sentence);
    }
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

static void nothing_and_null(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_hypercube(4, &t));
    assert_ok(cn_topology_headers(t, NULL, NULL, 0, NULL, NULL));
    assert_ok(cn_topology_digits_of(t, NULL, 0, NULL, NULL, 0));
    assert_fails(cn_topology_headers(t, NULL, others, 3, NULL, answers), CN_ERR_ARGUMENT, "nodes");
    assert_fails(cn_topology_headers(t, nodes, NULL, 3, NULL, answers), CN_ERR_ARGUMENT,
                 "destinations");
    assert_fails(cn_topology_headers(t, nodes, others, 3, NULL, NULL), CN_ERR_ARGUMENT, "headers");
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(62, &t)); /* 2^62 + 1 places */
    assert_fails(cn_topology_adjacency(t, NULL, answers, MANY, NULL, 0, NULL), CN_ERR_CAPACITY,
                 "4611686018427387904 nodes");
    assert_fails(cn_topology_digits_of(t, nodes, SIZE_MAX / 8, NULL, digits, MANY), CN_ERR_CAPACITY,
                 "62 digits");
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_one_by_one),
        cmocka_unit_test(the_bad_element_is_named),
        cmocka_unit_test(nothing_and_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

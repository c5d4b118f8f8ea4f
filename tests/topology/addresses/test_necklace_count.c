/* Numbers of necklaces: closed form, iteration and the nodes one by one must agree. */
#include "support/support.h"

#include "support/literal_necklaces.h"
#include "topology/addresses/necklace.h"

static cn_topology *build(uint64_t k, uint32_t n)
{
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(k, n, &t));
    return t;
}

static uint64_t count_of(const cn_topology *t, uint64_t distance)
{
    uint64_t necklaces;
    assert_ok(cn_necklace_count(t, distance, &necklaces));
    return necklaces;
}

/* Found independently, in the order of LITERAL_NETWORKS; distances 0 .. n. */
static const uint64_t KNOWN[LITERAL_LISTED][8] = {
    {1, 1, 4},
    {1, 1, 2, 2},
    {1, 1, 3, 3},
    {1, 1, 4, 6},
    {1, 1, 5, 9, 8},
    {1, 1, 5, 14, 20, 16, 6},
    {1, 1, 3, 5, 5, 3, 1, 1},
    {1, 1, 8, 32, 64, 52},
};

static void counts_have_the_known_values(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_LISTED; at++) {
        cn_topology *t = build(LITERAL_NETWORKS[at].k, LITERAL_NETWORKS[at].n);
        for (uint64_t w = 0; w <= LITERAL_NETWORKS[at].n; w++)
            assert_int_equal(count_of(t, w), KNOWN[at][w]);
        cn_topology_free(&t);
    }
}

/* Iteration gives each generator once, in its order, and skips none. */
static void iteration_meets_every_generator_once(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net->k, net->n);
        char *seen = calloc(literal_nodes(net), 1);
        uint64_t met = 0;
        for (uint64_t w = 0; w <= net->n; w++) {
            uint64_t v, here = 0, binary = UINT64_MAX;
            assert_ok(cn_necklace_first(t, w, &v));
            cn_status status = CN_OK;
            for (; status == CN_OK; status = cn_necklace_next(t, v, &v)) {
                assert_int_equal(literal_weight(net, v), w);
                assert_int_equal(literal_generator(net, v), v);
                assert_int_equal(seen[v], 0);
                assert_true(literal_binary_correspondent(net, v) <= binary);
                binary = literal_binary_correspondent(net, v);
                seen[v] = 1;
                here++;
            }
            assert_int_equal(status, CN_DONE);
            assert_int_equal(here, count_of(t, w));
            met += here;
        }
        uint64_t generators = 0;
        for (uint64_t v = 0; v < literal_nodes(net); v++)
            generators += literal_generator(net, v) == v;
        assert_int_equal(met, generators);
        free(seen);
        cn_topology_free(&t);
    }
}

static void displacements_are_as_frequent_as_the_closed_form_says(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net->k, net->n);
        uint64_t found[64] = {0};
        for (uint64_t v = 1; v < literal_nodes(net); v++)
            found[literal_displacement(net, v)]++;
        for (uint64_t i = 0; i < net->n * (net->k - 1); i++)
            assert_int_equal(cni_necklaces_longer_than(t, i), found[i]);
        cn_topology_free(&t);
    }
}

/* The cycles of the shuffle, the cyclic shift of n bits: the well known numbers of binary
 * necklaces. */
static void shuffle_cycles_are_binary_necklaces(void **state)
{
    (void)state;
    static const uint64_t CYCLES[] = {0, 2, 3, 4, 6, 8, 14, 20, 36, 60, 108, 188, 352};
    for (uint32_t n = 1; n <= 12; n++) {
        cn_topology *t;
        assert_ok(cn_topology_hypercube(n, &t));
        uint64_t sum = 0;
        for (uint64_t w = 0; w <= n; w++)
            sum += count_of(t, w);
        assert_int_equal(sum, CYCLES[n]);
        cn_topology_free(&t);
    }
}

static void large_networks_need_no_memory(void **state)
{
    (void)state;
    cn_topology *t = build(2, 62);
    assert_int_equal(count_of(t, 1), 1);
    assert_int_equal(count_of(t, 2), 31);
    assert_int_equal(count_of(t, 62), 1);
    /* (C(62,31) + 30 C(2,1)) / 62: e = 1 and e = 31 */
    assert_int_equal(count_of(t, 31), UINT64_C(7506908923471954));
    uint64_t v, met = 1;
    assert_ok(cn_necklace_first(t, 3, &v));
    while (cn_necklace_next(t, v, &v) == CN_OK)
        met++;
    assert_int_equal(met, count_of(t, 3)); /* 62 61 / 6 = 610 */
    /* full necklaces: (2^62 - 2^31 - 2^2 + 2) / 62 */
    assert_int_equal(cni_necklaces_longer_than(t, 61), UINT64_C(74382032520643617));
    cn_topology_free(&t);

    t = build(8, 20);
    uint64_t sum = 0;
    for (uint64_t w = 0; w <= 20; w++)
        sum += count_of(t, w);
    assert_int_equal(sum - 1, cni_necklaces_longer_than(t, 0));
    assert_int_equal(count_of(t, 2), 19 * 20 * 49 / 2 / 140 + 1);
    cn_topology_free(&t);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    uint64_t out;
    cn_topology *t = build(5, 3), *mixed;
    assert_fails(cn_necklace_count(t, 4, &out), CN_ERR_ARGUMENT, "distance = 4");
    assert_fails(cn_necklace_count(t, 3, NULL), CN_ERR_ARGUMENT, "necklaces");
    assert_fails(cn_necklace_count(NULL, 3, &out), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_necklace_first(t, 4, &out), CN_ERR_ARGUMENT, "distance = 4");
    assert_fails(cn_necklace_first(t, 4, NULL), CN_ERR_ARGUMENT, "generator");
    assert_fails(cn_necklace_first(NULL, 4, &out), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_necklace_next(t, 1, &out), CN_ERR_ARGUMENT, "generator = 1,");
    assert_fails(cn_necklace_next(t, 125, &out), CN_ERR_ARGUMENT, "generator = 125");
    assert_fails(cn_necklace_next(t, 0, NULL), CN_ERR_ARGUMENT, "next");
    assert_fails(cn_necklace_next(NULL, 0, &out), CN_ERR_ARGUMENT, "topology");
    out = 77;
    assert_int_equal(cn_necklace_next(t, 0, &out), CN_DONE);
    assert_int_equal(out, 77);
    assert_ok(cn_topology_generalized_hypercube_mixed((const uint64_t[]){3, 4}, 2, &mixed));
    assert_fails(cn_necklace_count(mixed, 0, &out), CN_ERR_UNSUPPORTED, "([3,4])");
    assert_fails(cn_necklace_first(mixed, 0, &out), CN_ERR_UNSUPPORTED, "([3,4])");
    assert_fails(cn_necklace_next(mixed, 0, &out), CN_ERR_UNSUPPORTED, "([3,4])");
    cn_topology_free(&mixed);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_the_known_values),
        cmocka_unit_test(iteration_meets_every_generator_once),
        cmocka_unit_test(displacements_are_as_frequent_as_the_closed_form_says),
        cmocka_unit_test(shuffle_cycles_are_binary_necklaces),
        cmocka_unit_test(large_networks_need_no_memory),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sets as bits, and nodes seen from a source: the quick ways against the plain ones. */
#include "support/support.h"

#include "base/random.h"
#include "simulation/collective/collective_nodes.h"
#include "simulation/collective/collective_routes.h"

enum { MEMBERS = 192, TRIALS = 20000 };

/* Step by step, going round. */
static uint32_t next_outside(const uint64_t set[], uint32_t base, uint32_t count, uint32_t number)
{
    for (uint32_t step = 1; step < count; step++) {
        uint32_t other = base + (number - base + step) % count;
        if (!cni_set_has(set, other))
            return other;
    }
    return number;
}

/* Of up to 64 numbers, which may lie in two words, and of more. The number itself is always a member: a port where
 * others are in line. */
static void the_next_outside_is_found_going_round(void **state)
{
    uint64_t set[MEMBERS / 64 + 1];
    uint64_t stream = cni_random_derive(1, 1), word = 0;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t count = 1 + (uint32_t)(cni_random_word(stream, word++) % 80);
        uint32_t base = (uint32_t)(cni_random_word(stream, word++) % (MEMBERS - count + 1));
        uint32_t number = base + (uint32_t)(cni_random_word(stream, word++) % count);
        uint32_t full = (uint32_t)(cni_random_word(stream, word++) % 7);
        for (size_t w = 0; w <= MEMBERS / 64; w++) {
            set[w] = full == 0 ? 0 : UINT64_MAX;
            for (uint32_t i = 0; full > 0 && i < full - 1; i++)
                set[w] ^= cni_bit(cni_random_word(stream, word++) % 64);
        }
        cni_set_add(set, number);
        assert_int_equal(cni_set_next_outside(set, base, count, number),
                         next_outside(set, base, count, number));
    }
}

static void many_nodes_are_seen_from_a_source_as_one_is(void **state)
{
    static const struct {
        uint64_t k, n;
    } networks[] = {{2, 8}, {3, 6}, {5, 5}, {25, 3}, {700, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        cn_topology *topology;
        cni_tree_routes routes = {0};
        assert_ok(
            cn_topology_generalized_hypercube(networks[i].k, (uint32_t)networks[i].n, &topology));
        assert_ok(cni_tree_routes_open(topology, CN_TREE_BALANCED, NULL, &routes));
        uint32_t node[CNI_RELATIVES], source = routes.nodes / 3;
        uint32_t relative[CNI_RELATIVES];
        for (uint32_t first = 0, count; first < routes.nodes; first += count) {
            count = 1 + first % CNI_RELATIVES;
            count = count < routes.nodes - first ? count : routes.nodes - first;
            for (uint32_t j = 0; j < count; j++)
                node[j] = first + j;
            cni_tree_routes_relatives(&routes, node, count, source, relative);
            for (uint32_t j = 0; j < count; j++)
                assert_int_equal(relative[j], cni_tree_routes_relative(&routes, node[j], source));
        }
        cni_tree_routes_close(&routes);
        cn_topology_free(&topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_outside_is_found_going_round),
        cmocka_unit_test(many_nodes_are_seen_from_a_source_as_one_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

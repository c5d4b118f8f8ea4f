#include "topology/oracle.h"

#include "cubenet/experimental/chord.h"

static void every_chord(void **state)
{
    (void)state;
    for (uint64_t nodes = 4; nodes <= 16; nodes++)
        for (uint64_t chord = 2; chord <= nodes - 2; chord++) {
            cn_topology *t;
            assert_ok(cn_topology_chordal_ring(nodes, chord, 1, &t));
            oracle_check_network(t);
            if (nodes % 2 != 0 || nodes < 6 || chord % 2 == 0 || chord > nodes - 3)
                continue;
            assert_ok(cn_topology_chordal_ring(nodes, chord, 0, &t));
            oracle_check_network(t);
        }
}

static uint64_t diameter(uint64_t nodes, uint64_t chord, int dual)
{
    cn_topology *t;
    uint64_t hops;
    assert_ok(cn_topology_chordal_ring(nodes, chord, dual, &t));
    assert_ok(cn_topology_diameter(t, NULL, &hops));
    cn_topology_free(&t);
    return hops;
}

/* The paper takes sqrt(N) for the best chord; it is not. */
static void best_chord(void **state)
{
    (void)state;
    uint64_t chord, hops;
    assert_int_equal(diameter(64, 0, 1), 7);
    assert_ok(cn_chordal_ring_best_chord(64, 1, NULL, &chord, &hops));
    assert_int_equal(hops, 6);
    assert_int_equal(diameter(64, chord, 1), 6);
    assert_int_equal(diameter(64, 9, 0), 8);
    assert_ok(cn_chordal_ring_best_chord(64, 0, NULL, &chord, &hops));
    assert_int_equal(hops, 7);
    assert_int_equal(chord, 11);
}

/* No shorter chord is as good, no longer one is better. */
static void best_chord_of_all(void **state)
{
    (void)state;
    for (uint64_t nodes = 4; nodes <= 40; nodes++)
        for (int dual = nodes % 2 != 0 || nodes < 6; dual < 2; dual++) {
            uint64_t chord, hops;
            assert_ok(cn_chordal_ring_best_chord(nodes, dual, NULL, &chord, &hops));
            for (uint64_t a = dual ? 2 : 3; a <= nodes / 2; a += dual ? 1 : 2)
                assert_true(a < chord    ? diameter(nodes, a, dual) > hops
                            : a == chord ? diameter(nodes, a, dual) == hops
                                         : diameter(nodes, a, dual) >= hops);
        }
}

static void errors(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t chord, hops;
    assert_fails(cn_topology_chordal_ring(60, 0, 1, &t), CN_ERR_ARGUMENT, "no square");
    assert_null(t);
    assert_fails(cn_topology_chordal_ring(15, 3, 0, &t), CN_ERR_ARGUMENT, "even");
    assert_fails(cn_topology_chordal_ring(16, 4, 0, &t), CN_ERR_ARGUMENT, "odd");
    assert_fails(cn_topology_chordal_ring(16, 1, 1, &t), CN_ERR_ARGUMENT, "chord = 1,");
    assert_fails(cn_topology_chordal_ring(16, 15, 0, &t), CN_ERR_ARGUMENT, "chord = 15,");
    assert_fails(cn_topology_chordal_ring(4, 3, 0, &t), CN_ERR_ARGUMENT, "nodes = 4,");
    assert_fails(cn_topology_chordal_ring(3, 2, 1, &t), CN_ERR_ARGUMENT, "nodes = 3,");
    assert_fails(cn_chordal_ring_best_chord(9, 0, NULL, &chord, &hops), CN_ERR_ARGUMENT, "even");
    assert_fails(cn_chordal_ring_best_chord(UINT64_C(1) << 28, 0, NULL, &chord, &hops),
                 CN_ERR_UNSUPPORTED, "nodes = 268435456,");
    assert_ok(cn_topology_chordal_ring(64, 0, 0, &t));
    assert_string_equal(cn_topology_name(t), "chordal_ring(64,9)");
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chord),
        cmocka_unit_test(best_chord),
        cmocka_unit_test(best_chord_of_all),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

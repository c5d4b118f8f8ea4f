#include "routing/damage.h"

#include "cubenet/experimental/damage.h"

/* The rule in its plainest form: one node after the other, from the highest number down. */
static void degrade_plainly(const cn_faults *faults, uint32_t n, uint32_t k, unsigned char alive[])
{
    for (int again = 1; again;) {
        again = 0;
        for (uint64_t v = UINT64_C(1) << n; v-- > 0;) {
            uint32_t bad = 0;
            for (uint32_t i = 0; i < n; i++)
                bad += cn_faults_has_link(faults, v, i) || !alive[v ^ (UINT64_C(1) << i)];
            if (alive[v] && bad > k) {
                alive[v] = 0;
                again = 1;
            }
        }
    }
}

static uint32_t live_links(const cn_faults *faults, uint32_t n, uint64_t v)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        count +=
            cn_faults_has_link(faults, v, i) && !cn_faults_has_node(faults, v ^ (UINT64_C(1) << i));
    return count;
}

/* Which nodes are there before the peeling begins. */
static void start(const cn_faults *faults, uint32_t n, cn_link_rule rule, unsigned char alive[])
{
    for (uint64_t v = 0; v < UINT64_C(1) << n; v++)
        alive[v] = !cn_faults_has_node(faults, v);
    for (uint64_t v = 0; rule == CN_LINK_DISABLES_END && v < UINT64_C(1) << n; v++)
        for (uint32_t i = 0; i < n; i++) {
            uint64_t far = v ^ (UINT64_C(1) << i);
            if (!cn_faults_has_link(faults, v, i) || cn_faults_has_node(faults, v) ||
                cn_faults_has_node(faults, far))
                continue;
            uint32_t mine = live_links(faults, n, v), others = live_links(faults, n, far);
            alive[mine > others || (mine == others && v < far) ? v : far] = 0;
        }
}

static void check(const cn_faults *faults, cn_subnet *subnet, uint32_t n, uint32_t k,
                  cn_link_rule rule)
{
    unsigned char expected[DAMAGE_MOST_NODES], alive[DAMAGE_MOST_NODES];
    assert_ok(cn_subnet_rebuild(subnet, faults, NULL));
    start(faults, n, rule, expected);
    degrade_plainly(faults, n, k, expected);
    damage_read(faults, subnet, n, alive);
    assert_memory_equal(alive, expected, (size_t)1 << n);
    if (k != 1 || (rule != CN_LINK_DISABLES_END && cn_faults_link_count(faults) > 0))
        return;
    int convex;
    assert_true(damage_is_convex(faults, alive, n));
    assert_ok(cn_subnet_is_convex(subnet, &convex));
    assert_int_equal(convex, 1);
    damage_route_all(subnet, n);
}

static void all_node_faults_of_small_cubes(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 4; n++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_subnet *subnet[4];
        damage_open(n, &cube, &faults);
        for (uint32_t k = 0; k < 4; k++)
            assert_ok(cn_subnet_degraded(faults, k, CN_LINK_IS_BAD, NULL, &subnet[k]));
        for (uint64_t set = 0; set < UINT64_C(1) << (1 << n); set++) {
            damage_set_nodes(faults, set);
            for (uint32_t k = n == 4 ? 1 : 0; k < (n == 4 ? 2 : 4); k++)
                check(faults, subnet[k], n, k, CN_LINK_IS_BAD);
        }
        for (uint32_t k = 0; k < 4; k++)
            cn_subnet_free(&subnet[k]);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

/* Largest: of all subsets with at most k bad links a node, that of the library contains each. */
static void no_other_set_is_larger(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    damage_open(3, &cube, &faults);
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &subnet));
    for (uint64_t seed = 0; seed < 200; seed++) {
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_random_nodes(faults, seed % 3, seed));
        assert_ok(cn_faults_add_random_links(faults, seed % 4, seed));
        assert_ok(cn_subnet_rebuild(subnet, faults, NULL));
        unsigned mine = 0;
        for (uint32_t v = 0; v < 8; v++)
            mine |= (unsigned)damage_survives(subnet, v) << v;
        for (unsigned set = 0; set < 256; set++) {
            int allowed = 1;
            for (uint32_t v = 0; v < 8; v++) {
                uint32_t bad = 0;
                for (uint32_t i = 0; i < 3; i++)
                    bad += !(set >> (v ^ 1u << i) & 1) || cn_faults_has_link(faults, v, i);
                if (set >> v & 1 && (bad > 1 || cn_faults_has_node(faults, v)))
                    allowed = 0;
            }
            assert_true(!allowed || (set & ~mine) == 0);
        }
    }
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void random_nodes_and_links(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n++) {
        cn_topology *cube;
        cn_faults *faults;
        damage_open(n, &cube, &faults);
        for (uint32_t k = 0; k < 4; k++)
            for (int rule = 0; rule < 2; rule++) {
                cn_subnet *subnet;
                assert_ok(cn_subnet_degraded(faults, k, (cn_link_rule)rule, NULL, &subnet));
                for (uint64_t seed = 1; seed <= 12; seed++) {
                    assert_ok(cn_faults_clear(faults));
                    assert_ok(cn_faults_add_failing_nodes(faults, 0.004 * (double)seed, seed));
                    assert_ok(cn_faults_add_failing_links(faults, 0.01, seed));
                    check(faults, subnet, n, k, (cn_link_rule)rule);
                }
                cn_subnet_free(&subnet);
            }
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

/* Why links need the second rule: one faulty link leaves its ends with one bad link each. */
static void one_faulty_link_is_a_counterexample(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    int convex;
    damage_open(4, &cube, &faults);
    assert_ok(cn_faults_add_link(faults, 9, 2)); /* figure 5.7: 1001 and 1101 */
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &subnet));
    assert_int_equal(cn_subnet_survivor_count(subnet), 16);
    assert_ok(cn_subnet_is_convex(subnet, &convex));
    assert_int_equal(convex, 0);
    cn_subnet_free(&subnet);
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_DISABLES_END, NULL, &subnet));
    assert_int_equal(cn_subnet_survivor_count(subnet), 15);
    assert_false(damage_survives(subnet, 9));
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* Figure 5.1 by hand. Round 1 takes 0000 0001 0101 0110 1011, which have two bad links and more,
 * round 2
 * 1010 1101 1111 1000 (each next to two dead nodes by then), round 3 the rest, 1100 and 1110. */
static void rounds_and_messages(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &subnet));
    assert_int_equal(cn_subnet_survivor_count(subnet), 0);
    assert_int_equal(cn_subnet_disabled_count(subnet), 11);
    assert_int_equal(cn_subnet_rounds(subnet), 3);
    assert_int_equal(cn_subnet_messages(subnet), 19);
    cn_subnet_free(&subnet);
    /* a single pair of faults two apart: their two common neighbours tell their n - 2 others */
    damage_set_nodes(faults, 1u << 0 | 1u << 3);
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &subnet));
    assert_int_equal(cn_subnet_rounds(subnet), 1);
    assert_int_equal(cn_subnet_messages(subnet), 4);
    assert_int_equal(cn_subnet_survivor_count(subnet), 12);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* What a bomb leaves (Horng 1992, 5.3.3): all of it around a subcube, nothing around a ball, whose
 * outer neighbours are next to two of its nodes. Convex are both. */
static void subcubes_and_balls(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *degraded, *convex;
    damage_open(7, &cube, &faults);
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &degraded));
    assert_ok(cn_subnet_convex(faults, NULL, &convex));
    for (uint64_t any = 0; any < 128; any++) {
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_subcube(faults, 93 & ~any, any));
        assert_ok(cn_subnet_rebuild(degraded, faults, NULL));
        assert_int_equal(cn_subnet_disabled_count(degraded), 0);
    }
    for (uint32_t radius = 1; radius < 7; radius++) {
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_around(faults, 93, radius));
        assert_ok(cn_subnet_rebuild(degraded, faults, NULL));
        assert_ok(cn_subnet_rebuild(convex, faults, NULL));
        assert_int_equal(cn_subnet_disabled_count(convex), 0);
        assert_int_equal(cn_subnet_survivor_count(degraded), 0);
    }
    cn_subnet_free(&degraded);
    cn_subnet_free(&convex);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void other_networks_can_be_degraded(void **state)
{
    (void)state;
    cn_topology *torus, *ring;
    cn_faults *faults;
    cn_subnet *subnet;
    assert_ok(cn_topology_kary_ncube(6, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    assert_ok(cn_faults_add_node(faults, 0));
    assert_ok(cn_faults_add_node(faults, 7)); /* diagonal to it: 1 and 6 have two bad links */
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &subnet));
    assert_int_equal(cn_subnet_survivor_count(subnet), 32);
    assert_false(damage_survives(subnet, 1) || damage_survives(subnet, 6));
    int safe;
    assert_fails(cn_subnet_is_convex(subnet, &safe), CN_ERR_UNSUPPORTED, "kary_ncube");
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    assert_ok(cn_topology_kary_ncube(6, 1, 0, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    assert_fails(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &subnet), CN_ERR_UNSUPPORTED,
                 "bidirectional links");
    cn_faults_free(&faults);
    cn_topology_free(&ring);
    cn_topology_free(&torus);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    damage_open(3, &cube, &faults);
    assert_fails(cn_subnet_degraded(faults, 1, (cn_link_rule)2, NULL, &subnet), CN_ERR_ARGUMENT,
                 "link_rule = 2");
    assert_null(subnet);
    assert_fails(cn_subnet_degraded(NULL, 1, CN_LINK_IS_BAD, NULL, &subnet), CN_ERR_ARGUMENT,
                 "faults");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_node_faults_of_small_cubes),
        cmocka_unit_test(no_other_set_is_larger),
        cmocka_unit_test(random_nodes_and_links),
        cmocka_unit_test(one_faulty_link_is_a_counterexample),
        cmocka_unit_test(rounds_and_messages),
        cmocka_unit_test(subcubes_and_balls),
        cmocka_unit_test(other_networks_can_be_degraded),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

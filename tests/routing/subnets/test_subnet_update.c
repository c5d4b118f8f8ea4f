#include "routing/damage.h"

#include "cubenet/experimental/damage.h"
#include "support/limits.h"

#include "routing/subnets/subnet.h"

/* One of the four changes at random, biased so that about a share of the network is broken. */
static void change(cn_faults *faults, cn_subnet *subnet, uint32_t n, uint64_t *random)
{
    uint64_t node = damage_random(random) % (UINT64_C(1) << n);
    uint32_t port = (uint32_t)(damage_random(random) % n);
    int fails = damage_random(random) % 8 == 0, link = damage_random(random) % 2 == 0;
    if (link && fails) {
        assert_ok(cn_faults_add_link(faults, node, port));
        assert_ok(cn_subnet_update(subnet, CN_CHANGE_FAIL_LINK, node, port, NULL));
    } else if (link) {
        assert_ok(cn_faults_remove_link(faults, node, port));
        assert_ok(cn_subnet_update(subnet, CN_CHANGE_REPAIR_LINK, node, port, NULL));
    } else if (fails) {
        assert_ok(cn_faults_add_node(faults, node));
        assert_ok(cn_subnet_update(subnet, CN_CHANGE_FAIL_NODE, node, 0, NULL));
    } else {
        assert_ok(cn_faults_remove_node(faults, node));
        assert_ok(cn_subnet_update(subnet, CN_CHANGE_REPAIR_NODE, node, 0, NULL));
    }
}

static void degraded_equals_a_new_one(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (uint32_t n = 2; n <= 8; n += 2)
        for (uint32_t k = 0; k < 4; k++)
            for (int rule = 0; rule < 2; rule++) {
                cn_topology *cube;
                cn_faults *faults;
                cn_subnet *subnet, *anew;
                unsigned char alive[DAMAGE_MOST_NODES], expected[DAMAGE_MOST_NODES];
                damage_open(n, &cube, &faults);
                assert_ok(cn_subnet_degraded(faults, k, (cn_link_rule)rule, NULL, &subnet));
                assert_ok(cn_subnet_degraded(faults, k, (cn_link_rule)rule, NULL, &anew));
                for (int step = 0; step < 1000; step++) {
                    change(faults, subnet, n, &random);
                    assert_ok(cn_subnet_rebuild(anew, faults, NULL));
                    damage_read(faults, subnet, n, alive);
                    damage_read(faults, anew, n, expected);
                    assert_memory_equal(alive, expected, (size_t)1 << n);
                    assert_memory_equal(subnet->state, anew->state, (size_t)1 << n);
                    assert_memory_equal(subnet->alive, anew->alive, 8);
                }
                cn_subnet_free(&subnet);
                cn_subnet_free(&anew);
                cn_faults_free(&faults);
                cn_topology_free(&cube);
            }
}

static void check_convex(uint32_t n)
{
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet, *anew;
    unsigned char alive[DAMAGE_MOST_NODES], expected[DAMAGE_MOST_NODES];
    uint64_t random = n;
    damage_open(n, &cube, &faults);
    assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    for (int step = 0; step < 1000; step++) {
        change(faults, subnet, n, &random);
        damage_read(faults, subnet, n, alive);
        if (n < 8 || step % 10 == 0)
            assert_true(damage_is_convex(faults, alive, n));
        if (step % 5 != 0)
            continue;
        assert_ok(cn_subnet_convex(faults, NULL, &anew));
        damage_read(faults, anew, n, expected);
        assert_memory_equal(alive, expected, (size_t)1 << n);
        cn_subnet_free(&anew);
    }
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void convex_equals_a_new_one(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n++)
        check_convex(n);
}

static void an_optimum_can_be_updated(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    uint64_t random = 9;
    unsigned char alive[16];
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_subnet_optimum(faults, LIMITS(.steps = 1000), &subnet, NULL, NULL));
    for (int step = 0; step < 200; step++) {
        change(faults, subnet, 4, &random);
        damage_read(faults, subnet, 4, alive);
        assert_true(damage_is_convex(faults, alive, 4));
    }
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void a_torus_can_be_updated(void **state)
{
    (void)state;
    cn_topology *torus;
    cn_faults *faults;
    cn_subnet *subnet, *anew;
    uint64_t random = 4;
    assert_ok(cn_topology_kary_ncube(6, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    assert_ok(cn_subnet_degraded(faults, 2, CN_LINK_DISABLES_END, NULL, &subnet));
    assert_ok(cn_subnet_degraded(faults, 2, CN_LINK_DISABLES_END, NULL, &anew));
    for (int step = 0; step < 1000; step++) {
        uint64_t node = damage_random(&random) % 36;
        uint32_t port = (uint32_t)(damage_random(&random) % 4);
        switch (damage_random(&random) % 8) {
        case 0:
            assert_ok(cn_faults_add_node(faults, node));
            assert_ok(cn_subnet_update(subnet, CN_CHANGE_FAIL_NODE, node, 0, NULL));
            break;
        case 1:
            assert_ok(cn_faults_add_link(faults, node, port));
            assert_ok(cn_subnet_update(subnet, CN_CHANGE_FAIL_LINK, node, port, NULL));
            break;
        case 2:
        case 3:
            assert_ok(cn_faults_remove_link(faults, node, port));
            assert_ok(cn_subnet_update(subnet, CN_CHANGE_REPAIR_LINK, node, port, NULL));
            break;
        default:
            assert_ok(cn_faults_remove_node(faults, node));
            assert_ok(cn_subnet_update(subnet, CN_CHANGE_REPAIR_NODE, node, 0, NULL));
        }
        assert_ok(cn_subnet_rebuild(anew, faults, NULL));
        assert_memory_equal(subnet->state, anew->state, 36);
    }
    cn_subnet_free(&subnet);
    cn_subnet_free(&anew);
    cn_faults_free(&faults);
    cn_topology_free(&torus);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *cube, *other;
    cn_faults *faults, *elsewhere;
    cn_subnet *chosen, *convex;
    damage_open(3, &cube, &faults);
    damage_open(4, &other, &elsewhere);
    assert_ok(cn_subnet_chosen(faults, NULL, 0, &chosen));
    assert_ok(cn_subnet_convex(faults, NULL, &convex));
    assert_fails(cn_subnet_update(chosen, CN_CHANGE_FAIL_NODE, 1, 0, NULL), CN_ERR_STATE, "chosen");
    assert_fails(cn_subnet_update(chosen, CN_CHANGE_REPAIR_LINK, 1, 0, NULL), CN_ERR_STATE,
                 "chosen");
    assert_fails(cn_subnet_rebuild(chosen, faults, NULL), CN_ERR_STATE, "chosen");
    assert_fails(cn_subnet_rebuild(convex, elsewhere, NULL), CN_ERR_ARGUMENT, "hypercube(4)");
    assert_fails(cn_subnet_update(convex, CN_CHANGE_FAIL_NODE, 8, 0, NULL), CN_ERR_ARGUMENT,
                 "node = 8");
    assert_fails(cn_subnet_update(convex, CN_CHANGE_FAIL_LINK, 1, 3, NULL), CN_ERR_ARGUMENT,
                 "port = 3");
    assert_fails(cn_subnet_update(convex, (cn_change)-1, 1, 0, NULL), CN_ERR_ARGUMENT,
                 "change = -1");
    assert_ok(
        cn_subnet_update(convex, CN_CHANGE_REPAIR_NODE, 1, 3, NULL)); /* no port is looked at */
    assert_fails(cn_subnet_update(NULL, CN_CHANGE_FAIL_NODE, 1, 0, NULL), CN_ERR_ARGUMENT,
                 "subnet");
    cn_subnet_free(&chosen);
    cn_subnet_free(&convex);
    cn_faults_free(&faults);
    cn_faults_free(&elsewhere);
    cn_topology_free(&cube);
    cn_topology_free(&other);
}

/* A handle of its own is the same network, when it has the same radices. */
static void equal_networks_are_the_same(void **state)
{
    (void)state;
    const uint64_t radices[] = {2, 3}, turned[] = {3, 2};
    cn_topology *networks[3];
    cn_faults *faults[3];
    cn_subnet *subnet;
    assert_ok(cn_topology_generalized_hypercube_mixed(radices, 2, &networks[0]));
    assert_ok(cn_topology_generalized_hypercube_mixed(radices, 2, &networks[1]));
    assert_ok(cn_topology_generalized_hypercube_mixed(turned, 2, &networks[2]));
    for (int i = 0; i < 3; i++)
        assert_ok(cn_faults_new(networks[i], &faults[i]));
    assert_ok(cn_subnet_degraded(faults[0], 1, CN_LINK_IS_BAD, NULL, &subnet));
    assert_ok(cn_subnet_rebuild(subnet, faults[1], NULL));
    assert_fails(cn_subnet_rebuild(subnet, faults[2], NULL), CN_ERR_ARGUMENT,
                 "faults are those of");
    cn_subnet_free(&subnet);
    for (int i = 0; i < 3; i++) {
        cn_faults_free(&faults[i]);
        cn_topology_free(&networks[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degraded_equals_a_new_one),
        cmocka_unit_test(convex_equals_a_new_one),
        cmocka_unit_test(an_optimum_can_be_updated),
        cmocka_unit_test(a_torus_can_be_updated),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(equal_networks_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

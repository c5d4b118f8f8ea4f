/* What a traffic makes the channels of a routing carry, against other ways to the same numbers. */
#include "scenario/traffic_cases.h"

#include <string.h>

enum { PLACES = 1024 };

static cn_status give_probability(void *user, uint64_t source, uint64_t destination, double *rate)
{
    return cn_traffic_probability(user, source, destination, rate);
}

/* As cn_routing_loads() of the probabilities. */
static void check_routing(const cn_traffic *traffic, const cn_routing *r)
{
    static double loads[PLACES], wanted[PLACES];
    size_t count, same;
    assert_ok(cn_traffic_loads(traffic, r, NULL, loads, PLACES, &count));
    assert_ok(cn_routing_loads(r, give_probability, (void *)traffic, NULL, wanted, PLACES, &same));
    assert_int_equal(count, same);
    for (size_t c = 0; c < count; c++)
        assert_near(loads[c], wanted[c], 1e-12);
}

static void check(const cn_topology *topology, const cn_traffic *traffic)
{
    static const char *const names[] = {"minimal", "valiant", "up-down", "preferred"};
    for (size_t i = 0; i < 4; i++) {
        cn_routing *r;
        cn_status status = cn_routing_new(topology, names[i], NULL, NULL, &r);
        if (status == CN_ERR_UNSUPPORTED)
            continue;
        assert_ok(status);
        check_routing(traffic, r);
        cn_routing_free(&r);
    }
}

static void every_traffic_is_its_probabilities(void **state)
{
    (void)state;
    for_every_traffic(check);
}

static void what_is_not_served_is_not_sent(void **state)
{
    (void)state;
    cn_topology *cube, *other;
    cn_faults *faults;
    cn_traffic *traffic;
    cn_routing *r, *wrong;
    double loads[32], sum = 0.0;
    assert_ok(cn_topology_hypercube(2, &cube));
    assert_ok(cn_topology_hypercube(3, &other));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_node(faults, 3));
    assert_ok(cn_traffic_new(cube, CN_PATTERN_UNIFORM, &traffic));
    assert_ok(cn_routing_new(cube, "minimal", faults, NULL, &r));
    assert_ok(cn_routing_new(other, "minimal", NULL, NULL, &wrong));
    assert_ok(cn_traffic_loads(traffic, r, NULL, loads, 8, NULL));
    for (int c = 0; c < 8; c++)
        sum += loads[c];
    assert_near(sum, 8.0 / 3, 1e-12); /* 4 pairs at one hop, 2 at two; a third of a message each */
    check_routing(traffic, r);
    assert_fails(cn_traffic_loads(traffic, wrong, NULL, loads, 32, NULL), CN_ERR_ARGUMENT,
                 "traffic is that of hypercube(2), but routing is on hypercube(3)");
    assert_fails(cn_traffic_loads(traffic, r, NULL, loads, 7, NULL), CN_ERR_CAPACITY,
                 "4 nodes of 2 ports");
    cn_routing_free(&r);
    cn_routing_free(&wrong);
    cn_traffic_free(&traffic);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    cn_topology_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_traffic_is_its_probabilities),
        cmocka_unit_test(what_is_not_served_is_not_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Traffic from a list of messages. */
#include "support/support.h"

#include "scenario/traffic/traffic.h"

static const uint64_t cycles[] = {0, 0, 3, 3, 3, 7}, sources[] = {5, 1, 2, 0, 2, 1},
                      destinations[] = {0, 2, 3, 1, 7, 2}, flits[] = {1, 2, 3, 4, 5, 6};

static cn_topology *cube(void)
{
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(3, &topology));
    return topology;
}

static void messages_are_kept_by_cycle_and_source(void **state)
{
    (void)state;
    static const uint32_t order[] = {1, 0, 3, 2, 4, 5};
    cn_topology *t = cube();
    cn_traffic *traffic;
    assert_ok(cn_traffic_trace(t, cycles, sources, destinations, flits, 6, &traffic));
    assert_int_equal(cn_traffic_trace_length(traffic), 6);
    assert_int_equal(cn_traffic_pattern(traffic), CN_PATTERN_TRACE);
    assert_true(cni_traffic_is_trace(traffic));
    for (size_t i = 0; i < 6; i++) {
        const cni_trace_message *m = &traffic->table->trace[i];
        assert_int_equal(m->index, order[i]);
        assert_int_equal(m->cycle, cycles[order[i]]);
        assert_int_equal(m->source, sources[order[i]]);
        assert_int_equal(m->destination, destinations[order[i]]);
        assert_int_equal(m->flits, flits[order[i]]);
    }
    for (uint64_t c = 0; c < 9; c++)
        for (uint64_t s = 0; s < 8; s++) {
            size_t at = 0;
            while (at < 6 &&
                   (traffic->table->trace[at].cycle < c ||
                    (traffic->table->trace[at].cycle == c && traffic->table->trace[at].source < s)))
                at++;
            assert_int_equal(cni_trace_find(traffic, c, s), at);
        }
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

static void a_trace_can_be_measured(void **state)
{
    (void)state;
    cn_topology *t = cube();
    cn_traffic *traffic;
    cn_routing *ecube;
    uint64_t senders;
    double p, mean, loads[24], sum = 0.0;
    size_t count;
    assert_ok(cn_traffic_trace(t, cycles, sources, destinations, NULL, 6, &traffic));
    assert_ok(cn_traffic_senders(traffic, &senders));
    assert_int_equal(senders, 4);
    assert_ok(cn_traffic_probability(traffic, 2, 7, &p));
    assert_true(p == 0.5);
    assert_ok(cn_traffic_probability(traffic, 1, 2, &p));
    assert_true(p == 1.0);
    assert_ok(cn_traffic_probability(traffic, 6, 2, &p));
    assert_true(p == 0.0);
    assert_ok(cn_traffic_mean_distance(traffic, NULL, &mean)); /* 2 + 2 + 1 + 1 + 2 + 2 */
    assert_near(mean, 10.0 / 6.0, 1e-15);
    assert_ok(cn_routing_new(t, "dimension-order", NULL, NULL, &ecube));
    assert_ok(cn_traffic_loads(traffic, ecube, NULL, loads, 24, &count));
    cn_routing_free(&ecube);
    for (size_t i = 0; i < count; i++)
        sum += loads[i];
    assert_near(sum, 10.0 / 8.0, 1e-15);
    assert_near(loads[1 * 3 + 0], 2.0 / 8.0, 1e-15); /* both from 1 to 2 begin with dimension 0 */
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

static void an_empty_trace_is_one(void **state)
{
    (void)state;
    cn_topology *t = cube();
    cn_traffic *traffic;
    double mean;
    uint64_t senders;
    assert_ok(cn_traffic_trace(t, NULL, NULL, NULL, NULL, 0, &traffic));
    assert_int_equal(cn_traffic_trace_length(traffic), 0);
    assert_ok(cn_traffic_senders(traffic, &senders));
    assert_int_equal(senders, 0);
    assert_fails(cn_traffic_mean_distance(traffic, NULL, &mean), CN_ERR_ARGUMENT, "no node sends");
    assert_fails(cn_traffic_set_source(traffic, CN_SOURCE_POISSON), CN_ERR_UNSUPPORTED, "trace");
    assert_fails(cn_traffic_set_on_off(traffic, 2.0, 2.0), CN_ERR_UNSUPPORTED, "trace");
    cn_traffic_free(&traffic);
    assert_int_equal(cn_traffic_trace_length(NULL), 0);
    cn_topology_free(&t);
}

static void bad_lists_are_refused(void **state)
{
    (void)state;
    cn_topology *t = cube();
    cn_traffic *traffic;
    static const uint64_t back[] = {3, 2}, late[] = {UINT64_C(1) << 63}, node[] = {8}, one[] = {1},
                          none[] = {0}, huge[] = {UINT64_C(1) << 32};
    assert_fails(cn_traffic_trace(t, back, sources, destinations, NULL, 2, &traffic),
                 CN_ERR_ARGUMENT, "cycles[1] = 2");
    assert_fails(cn_traffic_trace(t, late, sources, destinations, NULL, 1, &traffic),
                 CN_ERR_ARGUMENT, "2^63");
    assert_fails(cn_traffic_trace(t, none, node, destinations, NULL, 1, &traffic), CN_ERR_ARGUMENT,
                 "0 to 7");
    assert_fails(cn_traffic_trace(t, none, none, node, NULL, 1, &traffic), CN_ERR_ARGUMENT,
                 "0 to 7");
    assert_fails(cn_traffic_trace(t, none, one, one, NULL, 1, &traffic), CN_ERR_ARGUMENT, "itself");
    assert_fails(cn_traffic_trace(t, none, none, one, none, 1, &traffic), CN_ERR_ARGUMENT,
                 "flits[0] = 0");
    assert_fails(cn_traffic_trace(t, none, none, one, huge, 1, &traffic), CN_ERR_ARGUMENT,
                 "flits[0]");
    assert_fails(cn_traffic_trace(t, NULL, none, one, NULL, 1, &traffic), CN_ERR_ARGUMENT,
                 "cycles");
    assert_fails(cn_traffic_trace(t, none, NULL, one, NULL, 1, &traffic), CN_ERR_ARGUMENT,
                 "sources");
    assert_fails(cn_traffic_trace(t, none, none, NULL, NULL, 1, &traffic), CN_ERR_ARGUMENT,
                 "destinations");
    assert_null(traffic);
    cn_topology_free(&t);
}

static cn_status make(void *context)
{
    (void)context;
    cn_topology *t = NULL;
    cn_traffic *traffic = NULL;
    uint64_t senders;
    cn_status status = cn_topology_hypercube(3, &t);
    if (status == CN_OK)
        status = cn_traffic_trace(t, cycles, sources, destinations, flits, 6, &traffic);
    if (status == CN_OK)
        status = cn_traffic_senders(traffic, &senders);
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
    return status;
}

static void no_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    support_fail_every_allocation(make, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_kept_by_cycle_and_source),
        cmocka_unit_test(a_trace_can_be_measured),
        cmocka_unit_test(an_empty_trace_is_one),
        cmocka_unit_test(bad_lists_are_refused),
        cmocka_unit_test(no_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

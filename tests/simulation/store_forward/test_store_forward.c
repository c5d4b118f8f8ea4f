/* Driving the simulations that store and forward on damaged cubes, and their accounts. */
#include "support/support.h"
#include "support/faults.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

static const char *const routings[] = {"optimal-path", "two-level"};

static const char figure[] = "node 0010\nnode 0011\nnode 0100\nnode 0111\nnode 1001\n";

/* A scenario on the n-cube with these faults, without warm-up. */
static cn_scenario *damaged(const char *routing, uint32_t n, double load, int slotted,
                            const char *faults)
{
    cn_scenario *scenario = cube_scenario("separate-buffers", n, load);
    cn_topology *cube;
    cn_faults *set;
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(support_faults(cube, faults, &set));
    assert_ok(cn_scenario_set_faults(scenario, set));
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, slotted));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    cn_faults_free(&set);
    cn_topology_free(&cube);
    return scenario;
}

static cn_sim *open_and_free(cn_scenario *scenario)
{
    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    return sim;
}

static double total_hops(cn_sim *sim)
{
    cn_result *r;
    assert_ok(cn_sim_result(sim, &r));
    double hops = 0.0;
    if (cn_result_has(r, CN_METRIC_MEAN_HOPS))
        hops = value_of(r, CN_METRIC_MEAN_HOPS) * value_of(r, CN_METRIC_MESSAGES_DELIVERED);
    cn_result_free(&r);
    return hops;
}

/* ---- injected messages ---- */

/* Hops that the tables of the hierarchy promise, when they are the same for every choice of a
 * channel: they are in the network of figure 5.1. */
static uint64_t promised(const cn_routing *routing, uint64_t node, uint64_t destination)
{
    uint64_t hops = 0, channels;
    for (; node != destination; hops++) {
        assert_ok(cn_routing_channels(routing, node, destination, &channels));
        node ^= channels & (0 - channels);
    }
    return hops;
}

/* One message at a time, between any two survivors: the hops are those of the rule, and slotted so
 * is the delay. */
static void check_lone_messages(size_t s, int slotted)
{
    cn_topology *cube;
    cn_faults *faults;
    cn_routing *two_level;
    cn_delivery got;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(support_faults(cube, figure, &faults));
    assert_ok(cn_routing_new(cube, "two-level", faults, NULL, &two_level));
    cn_sim *sim = open_and_free(damaged(routings[s], 4, 0.0, slotted, figure));
    uint64_t pairs = 0;
    double before = 0.0;
    for (uint64_t from = 0; from < 16; from++)
        for (uint64_t to = 0; to < 16; to++) {
            if (from == to || cn_sim_inject(sim, from, to, 0, 100 * from + to) != CN_OK)
                continue;
            uint64_t begin = cn_sim_cycle(sim), hops;
            assert_ok(cn_topology_distance(cube, from, to, NULL, &hops));
            if (s == 1)
                hops = promised(two_level, from, to);
            assert_ok(cn_sim_step(sim, 100, NULL));
            assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
            assert_int_equal(got.tag, 100 * from + to);
            assert_int_equal(got.source, from);
            assert_int_equal(got.destination, to);
            assert_int_equal(got.injected, begin);
            assert_true(got.delivered > begin);
            if (slotted)
                assert_int_equal(got.delivered, begin + hops);
            assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
            double after = total_hops(sim);
            assert_near(after - before, (double)hops, 1e-6);
            before = after;
            pairs++;
        }
    assert_int_equal(pairs, s == 0 ? 9 * 8 : 11 * 10);
    cn_sim_close(&sim);
    cn_routing_free(&two_level);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void a_lone_message_takes_the_way_of_its_rule(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int slotted = 0; slotted < 2; slotted++)
            check_lone_messages(s, slotted);
}

/* Fewest and most hops of the two-level rule over all its choices; 0 stands for not known yet. */
static void find_range(const cn_routing *routing, uint64_t node, uint64_t to, uint64_t least[],
                       uint64_t most[])
{
    uint64_t channels;
    if (node == to || most[node] > 0)
        return;
    assert_ok(cn_routing_channels(routing, node, to, &channels));
    least[node] = UINT64_MAX;
    for (; channels != 0; channels &= channels - 1) {
        uint64_t next = node ^ (channels & (0 - channels));
        find_range(routing, next, to, least, most);
        least[node] = least[next] + 1 < least[node] ? least[next] + 1 : least[node];
        most[node] = most[next] + 1 > most[node] ? most[next] + 1 : most[node];
    }
}

/* In a 6-cube of many clusters, where the hops may depend on the choice: each pair, slotted, takes
 * a number that some choice takes. */
static void two_levels_keep_to_their_tables(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *hierarchy;
    cn_routing *two_level;
    cn_delivery got;
    assert_ok(cn_topology_hypercube(6, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_random_nodes(faults, 12, 5));
    assert_ok(cn_faults_add_random_links(faults, 2, 5));
    assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
    assert_ok(cn_hierarchy_make_tables(hierarchy, NULL));
    assert_true(cn_hierarchy_cluster_count(hierarchy) >= 5);
    assert_ok(cn_routing_two_level(hierarchy, NULL, &two_level));
    cn_scenario *scenario;
    assert_ok(support_routed_scenario(cube, "two-level", &scenario));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 1));
    cn_sim *sim = open_and_free(scenario);
    uint64_t pairs = 0, open_pairs = 0;
    for (uint64_t to = 0; to < 64; to++) {
        uint64_t least[64] = {0}, most[64] = {0};
        for (uint64_t from = 0; from < 64; from++) {
            if (from == to || cn_sim_inject(sim, from, to, 0, 0) != CN_OK)
                continue;
            find_range(two_level, from, to, least, most);
            assert_ok(cn_sim_step(sim, most[from], NULL));
            assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
            assert_true(got.delivered - got.injected >= least[from]);
            open_pairs += most[from] > least[from];
            pairs++;
        }
    }
    assert_int_equal(pairs, 52 * 51);
    assert_true(open_pairs > 0);
    cn_sim_close(&sim);
    cn_routing_free(&two_level);
    cn_hierarchy_free(&hierarchy);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void dead_ends_are_refused(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int slotted = 0; slotted < 2; slotted++) {
            cn_sim *sim = open_and_free(damaged(routings[s], 4, 0.3, slotted, figure));
            assert_fails(cn_sim_inject(sim, 2, 0, 0, 0), CN_ERR_DISCONNECTED, "source = 2");
            assert_fails(cn_sim_inject(sim, 0, 9, 0, 0), CN_ERR_DISCONNECTED, "destination = 9");
            if (s == 0) /* works, but is disabled */
                assert_fails(cn_sim_inject(sim, 0, 6, 0, 0), CN_ERR_DISCONNECTED,
                             "destination = 6");
            else
                assert_ok(cn_sim_inject(sim, 0, 6, 0, 0));
            assert_fails(cn_sim_inject(sim, 0, 16, 0, 0), CN_ERR_ARGUMENT, "0 to 15");
            assert_ok(cn_sim_step(sim, 100, NULL));
            cn_sim_close(&sim);
        }
}

/* Messages thrown in among the scenario's own traffic: each comes out once, with its tag, in order
 * of arrival. */
static void check_each_delivered_once(const char *system, int slotted, double load)
{
    enum { MESSAGES = 3000 };
    static char seen[MESSAGES];
    static uint64_t wanted[MESSAGES];
    memset(seen, 0, sizeof seen);
    cn_sim *sim = open_and_free(damaged(system, 6, load, slotted, "node 000001\nnode 000010\n"));
    uint64_t injected = 0, delivered = 0, draw = 0;
    cn_delivery got, last = {0};
    for (int round = 0; delivered < MESSAGES; round++) {
        assert_true(round < 10000);
        for (int tries = 0; tries < 60 && injected < MESSAGES; tries++) {
            uint64_t source = cni_random_word(9, draw++) % 64;
            wanted[injected] = cni_random_word(9, draw++) % 64;
            if (wanted[injected] != source &&
                cn_sim_inject(sim, source, wanted[injected], 0, injected) == CN_OK)
                injected++;
        }
        assert_ok(cn_sim_step(sim, 1 + (uint64_t)round % 3, NULL));
        while (cn_sim_next_delivery(sim, &got, sizeof got) == CN_OK) {
            assert_true(got.tag < injected);
            assert_int_equal(seen[got.tag]++, 0);
            assert_int_equal(got.destination, wanted[got.tag]);
            assert_true(got.delivered > got.injected && got.delivered <= cn_sim_cycle(sim));
            assert_true(got.delivered >= last.delivered);
            if (slotted && got.delivered == last.delivered)
                assert_true(got.destination >= last.destination);
            last = got;
            delivered++;
        }
    }
    cn_sim_close(&sim);
}

static void each_message_is_delivered_once_with_its_tag(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int slotted = 0; slotted < 2; slotted++) {
            check_each_delivered_once(routings[s], slotted, 0.0);
            check_each_delivered_once(routings[s], slotted, 0.9);
        }
}

/* A queue is first in, first out. */
static void messages_do_not_overtake_in_a_queue(void **state)
{
    (void)state;
    for (int slotted = 0; slotted < 2; slotted++) {
        cn_sim *sim = open_and_free(damaged("optimal-path", 3, 0.0, slotted, ""));
        cn_delivery got;
        for (uint64_t i = 0; i < 2000; i++)
            assert_ok(cn_sim_inject(sim, 2, 6, 0, i));
        assert_ok(cn_sim_step(sim, 4000, NULL));
        for (uint64_t i = 0; i < 2000; i++) {
            assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
            assert_int_equal(got.tag, i);
            if (slotted)
                assert_int_equal(got.delivered, i + 1);
        }
        cn_sim_close(&sim);
    }
}

/* ---- the same bits ---- */

static void stepping_equals_simulating(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int slotted = 0; slotted < 2; slotted++) {
            cn_scenario *scenario = damaged(routings[s], 4, 0.5, slotted, figure);
            assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 333));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 5000));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
            cn_result *whole, *stepped;
            assert_ok(cn_simulate(scenario, NULL, &whole));
            assert_int_equal(cn_result_stop(whole), CN_STOP_CYCLES);
            cn_sim *sim = open_and_free(scenario);
            for (uint64_t cycle = 0, step = 1; cycle < 5333;
                 cycle += step, step = 1 + step * 7 % 113)
                assert_ok(cn_sim_step(sim, step < 5333 - cycle ? step : 5333 - cycle, NULL));
            assert_ok(cn_sim_result(sim, &stepped));
            assert_same_result(whole, stepped);
            cn_result_free(&whole);
            cn_result_free(&stepped);
            cn_sim_close(&sim);
        }
}

static void threads_do_not_change_the_result(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int slotted = 0; slotted < 2; slotted++) {
            cn_result *one, *three;
            cn_scenario *scenario = damaged(routings[s], 4, 0.5, slotted, figure);
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 500));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 20));
            assert_ok(cn_simulate(scenario, NULL, &one));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 3));
            assert_ok(cn_simulate(scenario, NULL, &three));
            assert_same_result(one, three);
            cn_result_free(&one);
            cn_result_free(&three);
            cn_scenario_free(&scenario);
        }
}

/* The slotted form without damage is the system separate-buffers, to the last bit. */
static void without_damage_it_is_separate_buffers(void **state)
{
    (void)state;
    static const cn_metric metrics[] = {CN_METRIC_MEAN_DELAY,          CN_METRIC_THROUGHPUT,
                                        CN_METRIC_MEAN_QUEUE_LENGTH,   CN_METRIC_MEAN_HOPS,
                                        CN_METRIC_CHANNEL_UTILIZATION, CN_METRIC_DELAY_P50,
                                        CN_METRIC_DELAY_P99,           CN_METRIC_DELAY_MAX,
                                        CN_METRIC_MESSAGES_OFFERED,    CN_METRIC_MEAN_DISTANCE};
    cn_result *results[3];
    static const char *const three[] = {NULL, "optimal-path", "two-level"};
    for (size_t s = 0; s < 3; s++) {
        cn_scenario *scenario = cube_scenario("separate-buffers", 6, 1.4);
        assert_ok(cn_scenario_set_routing_name(scenario, three[s]));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 4000));
        assert_ok(cn_simulate(scenario, NULL, &results[s]));
        cn_scenario_free(&scenario);
    }
    for (size_t s = 1; s < 3; s++)
        for (size_t m = 0; m < sizeof metrics / sizeof metrics[0]; m++) {
            double wanted = value_of(results[0], metrics[m]);
            assert_near(value_of(results[s], metrics[m]), wanted, 1e-14 * wanted);
            assert_near(half_width_of(results[s], metrics[m]),
                        half_width_of(results[0], metrics[m]), 1e-12 * wanted);
        }
    for (size_t s = 0; s < 3; s++)
        cn_result_free(&results[s]);
}

/* The numbers of a run are frozen: on any machine, by any compiler. */
static void runs_are_the_same_everywhere(void **state)
{
    (void)state;
    static const struct {
        size_t system;
        int slotted;
        double delivered, delay, longest;
    } runs[] = {{0, 0, 54249, 4.8767358953101194, 38.295733451843262},
                {1, 0, 65964, 6.0854949614890499, 40.05257511138916},
                {0, 1, 54068, 3.5676000591847306, 21},
                {1, 1, 66046, 4.262014353632317, 28}};
    for (size_t i = 0; i < 4; i++) {
        cn_sim *sim =
            open_and_free(damaged(routings[runs[i].system], 4, 0.6, runs[i].slotted, figure));
        cn_result *r;
        assert_ok(cn_sim_step(sim, 10000, NULL));
        assert_ok(cn_sim_result(sim, &r));
        assert_near(value_of(r, CN_METRIC_MESSAGES_DELIVERED), runs[i].delivered, 0);
        assert_near(value_of(r, CN_METRIC_MEAN_DELAY), runs[i].delay, 1e-12);
        assert_near(value_of(r, CN_METRIC_DELAY_MAX), runs[i].longest, 0);
        cn_result_free(&r);
        cn_sim_close(&sim);
    }
}

/* ---- the accounting ---- */

/* Little's law without a rest: the time that messages were in the network is the sum of the delays,
 * once everything has arrived. */
static void the_accounts_add_up(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int slotted = 0; slotted < 2; slotted++) {
            cn_sim *sim = open_and_free(damaged(routings[s], 6, 0.0, slotted, "node 000001\n"));
            uint64_t injected = 0;
            for (uint64_t i = 0; i < 3000; i++) {
                uint64_t from = cni_random_word(4, 2 * i) % 64;
                injected +=
                    cn_sim_inject(sim, from, from ^ (1 + cni_random_word(4, 2 * i + 1) % 63), 0,
                                  i) == CN_OK;
                if (i % 40 == 39)
                    assert_ok(cn_sim_step(sim, 1, NULL));
            }
            assert_ok(cn_sim_step(sim, 225, NULL));
            cn_result *r;
            double messages = (double)injected, cycles = 300.0;
            assert_ok(cn_sim_result(sim, &r));
            assert_near(value_of(r, CN_METRIC_CYCLES), cycles, 0);
            assert_near(value_of(r, CN_METRIC_MESSAGES_OFFERED), messages, 0);
            assert_near(value_of(r, CN_METRIC_MESSAGES_DELIVERED), messages, 0);
            assert_near(value_of(r, CN_METRIC_MESSAGES_REFUSED), 0, 0);
            assert_near(value_of(r, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
            assert_near(value_of(r, CN_METRIC_MEAN_QUEUE_LENGTH) * 63.0 * cycles,
                        value_of(r, CN_METRIC_MEAN_DELAY) * messages, 1e-6);
            assert_near(value_of(r, CN_METRIC_CHANNEL_UTILIZATION) * (384.0 - 12.0) * cycles,
                        value_of(r, CN_METRIC_MEAN_HOPS) * messages, 1e-6);
            assert_near(value_of(r, CN_METRIC_THROUGHPUT) * 63.0 * cycles, messages, 1e-6);
            assert_near(value_of(r, CN_METRIC_SURVIVOR_FRACTION), 63.0 / 64.0, 0.0);
            assert_near(value_of(r, CN_METRIC_REACHABLE_FRACTION), 1.0, 0.0);
            cn_result_free(&r);
            cn_sim_close(&sim);
        }
}

/* An empty network without load costs nothing, however long. */
static void nothing_happens_at_once(void **state)
{
    (void)state;
    for (int slotted = 0; slotted < 2; slotted++) {
        cn_sim *sim = open_and_free(damaged("two-level", 4, 0.0, slotted, figure));
        cn_delivery got;
        assert_ok(cn_sim_step(sim, UINT64_C(1) << 40, NULL));
        assert_ok(cn_sim_inject(sim, 0, 1, 0, 7));
        assert_ok(cn_sim_step(sim, 100, NULL));
        assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
        assert_int_equal(got.injected, UINT64_C(1) << 40);
        assert_ok(cn_sim_step(sim, UINT64_C(1) << 44, NULL));
        if (slotted) /* times are cycles, not ticks */
            assert_ok(cn_sim_inject(sim, 0, 1, 0, 7));
        else
            assert_fails(cn_sim_inject(sim, 0, 1, 0, 7), CN_ERR_OVERFLOW, "below 2^44");
        cn_sim_close(&sim);
    }
}

/* ---- no steady state ---- */

static void above_its_limit_there_is_no_delay(void **state)
{
    (void)state;
    static const double limits[] = {8.0 / 9.0, 0.8};
    for (size_t s = 0; s < 2; s++)
        for (int slotted = 0; slotted < 2; slotted++)
            for (int over = 0; over < 3; over++) {
                static const double factors[] = {0.99, 1.0001, 3.0};
                cn_result *r;
                cn_scenario *scenario =
                    damaged(routings[s], 4, factors[over] * limits[s], slotted, figure);
                assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000));
                assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 1000));
                assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, over == 2 ? 2 : 1));
                assert_ok(cn_simulate(scenario, NULL, &r));
                assert_int_equal(cn_result_is_saturated(r), over > 0);
                assert_int_equal(cn_result_stop(r), over > 0 ? CN_STOP_SATURATED : CN_STOP_CYCLES);
                assert_int_equal(cn_result_has(r, CN_METRIC_MEAN_DELAY), over == 0);
                assert_int_equal(cn_result_has(r, CN_METRIC_DELAY_P50), over == 0);
                if (over > 0)
                    assert_true(value_of(r, CN_METRIC_CYCLES) < 2100);
                cn_result_free(&r);
                cn_scenario_free(&scenario);
            }
}

/* At 2 (N-1) / N every channel of an undamaged cube is full, however the sums of the flows are
 * rounded. */
static void at_its_limit_there_is_no_delay(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (uint32_t n = 1; n <= 10; n++) {
            cn_result *r;
            cn_sim *sim = open_and_free(damaged(routings[s], n, 2.0 - ldexp(2.0, -(int)n), 0, ""));
            assert_ok(cn_sim_step(sim, 1, NULL));
            assert_ok(cn_sim_result(sim, &r));
            assert_true(cn_result_is_saturated(r));
            cn_result_free(&r);
            cn_sim_close(&sim);
        }
}

static void injected_messages_can_saturate(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        cn_sim *sim = open_and_free(damaged("optimal-path", 4, 1.875 / 2, 0, ""));
        for (uint64_t cycle = 0; cycle < 500; cycle++) {
            for (uint64_t node = 0; node < 16; node++) /* half of the channels, or more */
                if (over || cycle % 8 > 0)
                    assert_ok(cn_sim_inject(sim, node, node ^ (cycle % 2 ? 3 : 12), 0, 0));
            if (over && cycle % 50 == 0)
                assert_ok(cn_sim_inject(sim, 0, 15, 0, 0));
            assert_ok(cn_sim_step(sim, 1, NULL));
        }
        cn_result *r;
        assert_ok(cn_sim_result(sim, &r));
        assert_int_equal(cn_result_is_saturated(r), over);
        cn_result_free(&r);
        cn_sim_close(&sim);
    }
}

/* ---- memory ---- */

typedef struct memory_case {
    char routing[16];
    int slotted;
} memory_case;

static cn_status drive(void *context)
{
    const memory_case *which = context;
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_hypercube(3, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_add_node(faults, 7);
    if (status == CN_OK)
        status = support_routed_scenario(cube, which->routing, &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 3.0);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_SLOTTED, which->slotted);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20);
    if (status == CN_OK)
        status = cn_scenario_set_faults(scenario, faults);
    if (status == CN_OK)
        status = cn_sim_open(scenario, NULL, &sim);
    for (uint64_t i = 0; i < 40 && status == CN_OK; i++)
        status = cn_sim_inject(sim, i % 7, (i + 1) % 7, 0, i);
    if (status == CN_OK) {
        status = cn_sim_step(sim, 1050, NULL);
        if (status == CN_ERR_MEMORY)
            assert_int_equal(cn_sim_step(sim, 1, NULL), CN_ERR_STATE);
    }
    if (status == CN_OK)
        status = cn_simulate(scenario, NULL, &result);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int slotted = 0; slotted < 2; slotted++) {
            memory_case which = {.slotted = slotted};
            strcpy(which.routing, routings[s]);
            support_fail_every_allocation(drive, &which);
        }
}

static void a_steady_run_allocates_nothing_more(void **state)
{
    (void)state;
    for (int slotted = 0; slotted < 2; slotted++) {
        support_install_allocator(0);
        cn_sim *sim = open_and_free(damaged("two-level", 4, 0.5, slotted, figure));
        assert_ok(cn_sim_step(sim, 20000, NULL));
        uint64_t before = support_allocations();
        assert_ok(cn_sim_step(sim, 5000, NULL));
        assert_int_equal(support_allocations(), before);
        cn_sim_close(&sim);
        support_remove_allocator();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_message_takes_the_way_of_its_rule),
        cmocka_unit_test(two_levels_keep_to_their_tables),
        cmocka_unit_test(dead_ends_are_refused),
        cmocka_unit_test(each_message_is_delivered_once_with_its_tag),
        cmocka_unit_test(messages_do_not_overtake_in_a_queue),
        cmocka_unit_test(stepping_equals_simulating),
        cmocka_unit_test(threads_do_not_change_the_result),
        cmocka_unit_test(without_damage_it_is_separate_buffers),
        cmocka_unit_test(runs_are_the_same_everywhere),
        cmocka_unit_test(the_accounts_add_up),
        cmocka_unit_test(nothing_happens_at_once),
        cmocka_unit_test(above_its_limit_there_is_no_delay),
        cmocka_unit_test(at_its_limit_there_is_no_delay),
        cmocka_unit_test(injected_messages_can_saturate),
        cmocka_unit_test(every_failed_allocation_unwinds),
        cmocka_unit_test(a_steady_run_allocates_nothing_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

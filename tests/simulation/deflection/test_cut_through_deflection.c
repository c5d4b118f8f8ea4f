/* The system "cut-through-deflection": the kernel against the plain simulator of segments,
 * mini-cycle by mini-cycle; latencies that are known, what never happens, and what is refused. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "simulation/deflection/deflection.h"
#include "simulation/deflection/deflection_kernel.h"
#include "simulation/plain_cut_through.h"
#include "simulation/run/sim.h"

enum { NETWORKS = 7 };

static cn_topology *make_network(int which)
{
    cn_topology *t = NULL;
    static const struct {
        uint64_t k;
        uint32_t n;
        int two_way;
    } rings[] = {{8, 2, 0}, {4, 3, 0}, {5, 2, 1}, {4, 2, 1}, {70, 1, 0}};
    if (which < 2)
        assert_ok(cn_topology_hypercube(which == 0 ? 4 : 7, &t));
    else
        assert_ok(cn_topology_kary_ncube(rings[which - 2].k, rings[which - 2].n,
                                         rings[which - 2].two_way, &t));
    return t;
}

/* ---- one experiment in both ---- */

typedef struct experiment {
    cn_topology *topology;
    cn_traffic *traffic;
    double load; /* of a cycle of n + m */
    uint32_t buffers, flits;
    uint64_t seed;
} experiment;

static double load_of(const experiment *e)
{
    return e->load / (cn_topology_max_degree(e->topology) + e->flits - 1);
}

static cn_scenario *scenario_of(const experiment *e)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(e->topology, "cut-through-deflection", &scenario));
    assert_ok(cn_scenario_set_traffic(scenario, e->traffic));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load_of(e)));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, e->buffers));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, e->flits));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set_seed(scenario, e->seed));
    return scenario;
}

static plain_cut_through *open_plain(const experiment *e)
{
    plain_cut_through *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->net.topology = e->topology;
    p->net.traffic = e->traffic;
    p->net.load = load_of(e);
    p->net.buffers = e->buffers;
    p->net.seed = e->seed;
    p->segments = e->flits;
    plain_cut_through_open(p);
    return p;
}

static void check_same(const cni_deflection *k, const plain_cut_through *p)
{
    uint64_t counters[CNI_COUNTERS];
    const plain_deflection_counts *c = &p->net.counts;
    for (uint64_t v = 0; v < p->net.nodes; v++) {
        assert_int_equal(k->length[v], plain_cut_through_headers(p, v));
        assert_int_equal(k->holds[v / 64] >> v % 64 & 1, k->length[v] > 0);
    }
    cni_cut_through_deflection_kernel.count(k, counters);
    assert_int_equal(counters[CNI_COUNT_OFFERED], c->offered);
    assert_int_equal(counters[CNI_COUNT_ACCEPTED], c->accepted);
    assert_int_equal(counters[CNI_COUNT_DELIVERED], c->delivered);
    assert_int_equal(counters[CNI_COUNT_DELAY], c->delay);
    assert_int_equal(counters[CNI_COUNT_FIRST_PHASE], c->first);
    assert_int_equal(counters[CNI_COUNT_SECOND_PHASE], c->second);
    assert_int_equal(counters[CNI_COUNT_DEFLECTED], c->deflected);
    assert_int_equal(counters[CNI_COUNT_FLITS + CNI_CROSSING_FIRST], p->crossed[0]);
    assert_int_equal(counters[CNI_COUNT_FLITS + CNI_CROSSING_SECOND], p->crossed[1]);
    assert_int_equal(counters[CNI_COUNT_FLITS + CNI_CROSSING_LAST], p->arrived);
    assert_int_equal(counters[CNI_COUNT_QUEUE], c->queue);
    assert_int_equal(counters[CNI_COUNT_DISTANCE], c->distance);
    assert_int_equal(cni_cut_through_deflection_kernel.in_flight(k), p->count);
    assert_int_equal(c->accepted, c->delivered + p->count);
}

/* Both for so many mini-cycles. */
static uint64_t compare(const experiment *e, uint64_t cycles)
{
    cn_sim *sim;
    cn_scenario *scenario = scenario_of(e);
    plain_cut_through *p = open_plain(e);
    int has_statistics = e->seed % 2 == 0;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, has_statistics));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint64_t c = 0; c < cycles; c++) {
        plain_cut_through_step(p);
        assert_ok(cn_sim_step(sim, 1, NULL));
        check_same(sim->state, p);
    }
    uint64_t deflected = p->net.counts.deflected;
    assert_true(p->net.counts.delivered > 0);
    if (has_statistics)
        assert_same_statistics(sim, &p->net.tally, 0);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    plain_cut_through_close(p);
    free(p);
    return deflected;
}

static void every_network_equals_the_plain_simulator(void **state)
{
    (void)state;
    static const double loads[] = {0.2, 1.0, 8.0};
    static const uint32_t flits[] = {1, 2, 9, 3};
    uint64_t deflected = 0;
    for (int which = 0; which < NETWORKS; which++)
        for (uint32_t b = 0; b < 4; b++)
            for (size_t l = 0; l < 3; l++) {
                experiment e = {.topology = make_network(which), .load = loads[l]};
                uint32_t ports = cn_topology_max_degree(e.topology);
                e.buffers = b == 0 ? 2 : b == 1 ? 3 : b == 2 ? ports + 1 : 2 * ports + 3;
                e.flits = flits[(b + l + (size_t)which) % 4];
                e.seed = 3 * b + l;
                deflected += compare(&e, 15 * (ports + e.flits - 1) + b);
                cn_topology_free(&e.topology);
            }
    assert_true(deflected > 1000);
}

static void traffic_equals_the_plain_simulator(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which += 2)
        for (int is_hot = 0; is_hot < 2; is_hot++) {
            experiment e = {
                .topology = make_network(which), .load = 2, .seed = 4, .buffers = 3, .flits = 5};
            assert_ok(is_hot ? cn_traffic_hotspot(e.topology, 3, 0.2, &e.traffic)
                             : cn_traffic_permutation(e.topology, 5, &e.traffic));
            compare(&e, 300);
            cn_traffic_free(&e.traffic);
            cn_topology_free(&e.topology);
        }
}

/* ---- what is known ---- */

/* A message alone that comes when a cycle begins: in the Boolean cube its header crosses its last
 * dimension in this cycle; in a ring of k a hop a cycle. The tail comes m mini-cycles later. */
static void a_message_alone_takes_what_it_must(void **state)
{
    (void)state;
    static const uint32_t flits[] = {1, 2, 32};
    for (size_t f = 0; f < 3; f++)
        for (int which = 0; which < 3; which += 2) {
            experiment e = {.topology = make_network(which), .buffers = 2, .flits = flits[f]};
            cn_scenario *scenario = scenario_of(&e);
            uint64_t header, period = cn_topology_max_degree(e.topology) + flits[f] - 1, cycles = 0;
            cn_sim *sim;
            assert_ok(cn_sim_open(scenario, NULL, &sim));
            for (uint64_t to = 1; to < cn_topology_node_count(e.topology); to++) {
                cn_delivery d = {0};
                uint64_t last = 0;
                assert_ok(cn_topology_header(e.topology, 0, to, &header));
                if (which == 0) {
                    for (uint64_t i = 0; header >> i != 0; i++)
                        last = i;
                } else {
                    uint64_t low = header % 8, high = header / 8;
                    last = low > high ? (low - 1) * period : (high - 1) * period + 1;
                }
                assert_ok(cn_sim_inject(sim, 0, to, 0, to));
                assert_ok(cn_sim_step(sim, last + flits[f], NULL));
                assert_ok(cn_sim_next_delivery(sim, &d, sizeof d));
                cycles += last + flits[f];
                assert_int_equal(d.tag, to);
                assert_int_equal(d.delivered, cycles);
                assert_int_equal(d.hops, which == 0 ? (uint64_t)__builtin_popcountll(header)
                                                    : header % 8 + header / 8);
                assert_int_equal(d.deflections, 0);
                uint64_t rest = (period - cycles % period) % period;
                assert_ok(cn_sim_step(sim, rest, NULL));
                cycles += rest;
            }
            cn_sim_close(&sim);
            cn_scenario_free(&scenario);
            cn_topology_free(&e.topology);
        }
}

/* As uniform traffic sees it when the network is empty: the sum over all headers and all
 * mini-cycles of a cycle. */
static void the_mean_delay_without_load_is_exact(void **state)
{
    (void)state;
    experiment e = {
        .topology = make_network(0), .load = 0.004, .buffers = 8, .flits = 6, .seed = 9};
    cn_scenario *scenario = scenario_of(&e);
    cn_result *result;
    uint64_t sum = 0, period = 4 + 5;
    for (uint64_t header = 1; header < 16; header++)
        for (uint64_t begin = 0; begin < period; begin++) {
            uint64_t rest = header, cycle = begin;
            for (; rest != 0; cycle++)
                if (cycle % period < 4)
                    rest &= ~(UINT64_C(1) << cycle % period);
            sum += cycle - begin + 5;
        }
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_simulate(scenario, NULL, &result));
    double exact = (double)sum / 15.0 / (double)period;
    assert_near(value_of(result, CN_METRIC_MEAN_DELAY), exact,
                2.0 * half_width_of(result, CN_METRIC_MEAN_DELAY) + 0.003 * exact);
    assert_true(half_width_of(result, CN_METRIC_MEAN_DELAY) < 0.03 * exact);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&e.topology);
}

/* ---- what never happens ---- */

/* Two buffers, more offered than fits in: the oldest message of all comes closer in every cycle, so
 * none is in the network for longer than all older ones, and all that were there have left it. */
static void nothing_stays_for_ever(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        experiment e = {.topology = make_network(which == 3   ? 4
                                                 : which == 1 ? 0
                                                              : which),
                        .load = which == 1 ? 1.2 : 40,
                        .buffers = which == 1 ? 8 : 2,
                        .flits = 2,
                        .seed = 1};
        cn_scenario *scenario = scenario_of(&e);
        uint64_t counters[CNI_COUNTERS];
        cn_sim *sim;
        double worst;
        cn_result *result;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, which == 0 ? 1000000 : 100000, NULL));
        cni_cut_through_deflection_kernel.count(sim->state, counters);
        assert_int_equal(counters[CNI_COUNT_ACCEPTED],
                         counters[CNI_COUNT_DELIVERED] +
                             cni_cut_through_deflection_kernel.in_flight(sim->state));
        assert_ok(cn_sim_result(sim, &result));
        worst = value_of(result, CN_METRIC_DELAY_MAX);
        assert_true(worst < 500);
        cn_result_free(&result);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_topology_free(&e.topology);
    }
}

/* With more than one buffer a full node keeps its oldest message; a channel that no message wants
 * carries the youngest, whose delivery says so. */
static void a_deflected_message_counts_its_hops(void **state)
{
    (void)state;
    experiment e = {.topology = make_network(0), .buffers = 2, .flits = 3};
    cn_scenario *scenario = scenario_of(&e);
    cn_delivery d = {0};
    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_inject(sim, 0, 8, 0, 1));
    assert_ok(cn_sim_inject(sim, 0, 8, 0, 2));
    assert_int_equal(cn_sim_inject(sim, 0, 8, 0, 3), CN_REFUSED);
    /* Port 0: number 2 is forced out; then there is room. Port 3: both go on. In the next cycle it
     * comes back. */
    assert_ok(cn_sim_step(sim, 6, NULL));
    assert_ok(cn_sim_next_delivery(sim, &d, sizeof d));
    assert_int_equal(d.tag, 1);
    assert_int_equal(d.hops, 1);
    assert_int_equal(cn_sim_next_delivery(sim, &d, sizeof d), CN_DONE);
    assert_ok(cn_sim_step(sim, 2, NULL));
    assert_int_equal(cn_sim_next_delivery(sim, &d, sizeof d), CN_DONE);
    assert_ok(cn_sim_step(sim, 1, NULL));
    assert_ok(cn_sim_next_delivery(sim, &d, sizeof d));
    assert_int_equal(d.tag, 2);
    assert_int_equal(d.hops, 3);
    assert_int_equal(d.deflections, 1);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&e.topology);
}

/* ---- how it is run ---- */

static cn_result *result_of(const experiment *e, uint32_t threads, uint64_t step)
{
    cn_scenario *scenario = scenario_of(e);
    cn_result *result;
    cn_sim *sim;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 1));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint64_t done = 0; done < 4000; done += step)
        assert_ok(cn_sim_step(sim, step, NULL));
    assert_ok(cn_sim_result(sim, &result));
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    return result;
}

static void runs_do_not_depend_on_steps_and_threads(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        experiment e = {.load = 3, .buffers = 4, .flits = which == 2 ? 1 : 5, .seed = 3};
        if (which == 0)
            assert_ok(cn_topology_hypercube(11, &e.topology));
        else
            assert_ok(cn_topology_kary_ncube(which == 1 ? 40 : 1500, which == 1 ? 2 : 1, which == 1,
                                             &e.topology));
        cn_result *one = result_of(&e, 1, 4000), *steps = result_of(&e, 1, 1),
                  *three = result_of(&e, 3, 500);
        double count = value_of(one, CN_METRIC_MESSAGES_DELIVERED);
        assert_true(count > 1000);
        for (int m = 0; m < 2; m++) {
            const cn_result *other = m == 0 ? steps : three;
            assert_true(value_of(other, CN_METRIC_MESSAGES_DELIVERED) == count);
            assert_true(value_of(other, CN_METRIC_MEAN_HOPS) == value_of(one, CN_METRIC_MEAN_HOPS));
            assert_true(value_of(other, CN_METRIC_MEAN_DELAY) ==
                        value_of(one, CN_METRIC_MEAN_DELAY));
        }
        cn_result_free(&one);
        cn_result_free(&steps);
        cn_result_free(&three);
        cn_topology_free(&e.topology);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    cn_topology *mesh = NULL;
    static const uint64_t sides[] = {4, 4};
    cn_scenario *scenario = cube_scenario("cut-through-deflection", 4, 0.01);
    cn_sim *sim;
    assert_fails(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 2), CN_ERR_UNSUPPORTED,
                 "cut-through-deflection does not take the parameter virtual_channels");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 1));
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_ARGUMENT, "buffers = 1");
    cn_scenario_free(&scenario);
    assert_ok(cn_topology_mesh(sides, 2, &mesh));
    assert_fails(cn_scenario_new(mesh, "cut-through-deflection", &scenario), CN_ERR_UNSUPPORTED,
                 "k-ary n-cubes");
    cn_topology_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_network_equals_the_plain_simulator),
        cmocka_unit_test(traffic_equals_the_plain_simulator),
        cmocka_unit_test(a_message_alone_takes_what_it_must),
        cmocka_unit_test(the_mean_delay_without_load_is_exact),
        cmocka_unit_test(nothing_stays_for_ever),
        cmocka_unit_test(a_deflected_message_counts_its_hops),
        cmocka_unit_test(runs_do_not_depend_on_steps_and_threads),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

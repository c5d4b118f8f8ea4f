/* The kernel of deflection routing against the pure function cn_route_two_phase(), node by node and
 * cycle by cycle, and the invariants that the paper promises. */
#include "support/support.h"

#include <string.h>

#include "scenario/scenario.h"
#include "simulation/deflection/deflection.h"
#include "simulation/kernel/processor.h"
#include "simulation/deflection/deflection_kernel.h"
#include "topology/topology.h"

typedef struct network {
    cn_topology *topology;
    cn_scenario *scenario;
    cni_deflection *kernel;
} network;

static network open_selecting(cn_topology *topology, double load, uint32_t buffers, uint64_t seed,
                              int statistics, cn_selection selection)
{
    network net = {.topology = topology};
    void *state = NULL;
    assert_ok(cn_scenario_new(topology, "deflection", &net.scenario));
    assert_ok(cn_scenario_set(net.scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(net.scenario, CN_PARAM_BUFFERS, buffers));
    assert_ok(cn_scenario_set(net.scenario, CN_PARAM_STATISTICS, statistics));
    assert_ok(cn_scenario_set(net.scenario, CN_PARAM_SELECTION, selection));
    assert_ok(cni_deflection_kernel.open(net.scenario, seed, &state));
    net.kernel = state;
    return net;
}

static network open_counted(cn_topology *topology, double load, uint32_t buffers, uint64_t seed,
                            int statistics)
{
    return open_selecting(topology, load, buffers, seed, statistics, CN_SELECTION_RANDOM);
}

static network open_network(cn_topology *topology, double load, uint32_t buffers, uint64_t seed)
{
    return open_counted(topology, load, buffers, seed, 0);
}

static void close_network(network *net)
{
    cni_deflection_kernel.close(net->kernel);
    cn_scenario_free(&net->scenario);
    cn_topology_free(&net->topology);
}

/* ---- what one cycle must do, by the pure function ---- */

/* By a routing, a message says where it goes, not how far it is from there. */
static uint64_t header_of(const cni_deflection *k, uint64_t node, uint64_t message)
{
    uint64_t header = 0;
    if (k->form == CNI_FORM_ROUTED) {
        assert_ok(cn_topology_header(k->topology, node, message & k->shape.header_mask, &header));
        return header;
    }
    for (uint32_t i = k->shape.dimensions; i-- > 0;)
        header = header * k->shape.radix +
                 (message >> i * k->shape.digit_bits & ((UINT64_C(1) << k->shape.digit_bits) - 1));
    return header;
}

static uint64_t with_header(const cni_deflection *k, uint64_t message, uint64_t header)
{
    if (k->form == CNI_FORM_ROUTED)
        return message;
    message &= ~k->shape.header_mask;
    for (uint32_t i = 0; i < k->shape.dimensions; i++, header /= k->shape.radix)
        message |= header % k->shape.radix << i * k->shape.digit_bits;
    return message;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef struct slot {
    uint64_t message;
    uint32_t random;
} slot;

static int by_age(const void *a, const void *b)
{
    return by_value(&((const slot *)a)->message, &((const slot *)b)->message);
}

/* Everything that must be in the nodes after the next cycle, but for what is then admitted. */
typedef struct expectation {
    uint64_t *messages; /* by node and place */
    uint32_t *lengths;
    uint64_t delivered;
    uint64_t sent;
    uint64_t deflected;
} expectation;

static void put(const cni_deflection *k, expectation *after, uint64_t node, uint64_t message)
{
    if (header_of(k, node, message) == 0) {
        after->delivered++;
        return;
    }
    after->messages[node * k->shape.slots + after->lengths[node]++] = message;
    assert_true(after->lengths[node] <= k->shape.buffers);
}

static void expect_node(const cni_deflection *k, uint64_t node, expectation *after)
{
    uint32_t count = k->length[node];
    uint64_t stream = cni_random_derive(cni_random_derive(k->base.seed, k->base.cycle), node);
    slot slots[64];
    uint64_t headers[64];
    uint32_t random[128], ports[64];
    assert_true(count <= k->shape.buffers && k->shape.buffers <= 64);
    for (uint32_t m = 0; m < count; m++) {
        uint64_t word = cni_random_word(stream, m / 2);
        slots[m].message = k->queue[node * k->shape.slots + m];
        slots[m].random = (uint32_t)(m % 2 == 0 ? word >> 32 : word);
    }
    qsort(slots, count, sizeof slots[0], by_age);
    for (uint32_t m = 0; m < count; m++) {
        headers[m] = header_of(k, node, slots[m].message);
        random[m] = slots[m].random;
    }
    for (uint32_t x = 0; x < k->shape.ports; x++)
        random[count + x] = (uint32_t)(cni_random_word(stream, CNI_WORDS_PHASE_TWO + x) >> 32);
    assert_ok(cn_route_two_phase(k->topology, headers, count, k->shape.buffers, k->selection,
                                 random, sizeof random / sizeof random[0], ports));
    for (uint32_t m = 0; m < count; m++) {
        if (k->shape.buffers == k->shape.ports)
            assert_int_not_equal(ports[m], CN_NO_PORT); /* M = n: nobody ever waits */
        if (ports[m] == CN_NO_PORT) {
            put(k, after, node, slots[m].message);
            continue;
        }
        uint64_t neighbor, header, valid;
        assert_ok(cn_route_valid(k->topology, headers[m], &valid));
        after->sent += 1;
        after->deflected += (valid >> ports[m] & 1) == 0;
        assert_ok(cn_topology_neighbor(k->topology, node, ports[m], &neighbor));
        assert_ok(cn_route_move(k->topology, headers[m], ports[m], &header));
        put(k, after, neighbor, with_header(k, slots[m].message, header));
    }
}

/* The oldest message of all, and how far it still has to go; 0 when there is none. */
static uint64_t oldest(const cni_deflection *k, uint64_t *hops_left)
{
    uint64_t first = CNI_NO_MESSAGE, at = 0;
    for (uint64_t node = 0; node < k->shape.nodes; node++)
        for (uint32_t m = 0; m < k->length[node]; m++)
            if (k->queue[node * k->shape.slots + m] < first) {
                first = k->queue[node * k->shape.slots + m];
                at = node;
            }
    *hops_left = 0;
    if (first == CNI_NO_MESSAGE)
        return first;
    assert_ok(cn_topology_distance(k->topology, header_of(k, at, first), 0, NULL, hops_left));
    return first;
}

/* Wherever the message is now, it is one hop closer than before. */
static void check_oldest_moved(const cni_deflection *k, uint64_t message, uint64_t hops_left)
{
    uint64_t identity = message >> k->shape.number_shift, now = 0;
    for (uint64_t node = 0; node < k->shape.nodes; node++)
        for (uint32_t m = 0; m < k->length[node]; m++)
            if (k->queue[node * k->shape.slots + m] >> k->shape.number_shift == identity)
                assert_ok(cn_topology_distance(
                    k->topology, header_of(k, node, k->queue[node * k->shape.slots + m]), 0, NULL,
                    &now));
    if (message != CNI_NO_MESSAGE)
        assert_int_equal(now, hops_left - 1);
}

/* Returns the sum of the distances of what was admitted just now. */
static uint64_t check_node(const cni_deflection *k, uint64_t node, expectation *after)
{
    uint64_t found[64], distance = 0;
    uint32_t old = 0;
    assert_true(k->length[node] <= k->shape.buffers);
    for (uint32_t m = 0; m < k->length[node]; m++) {
        uint64_t message = k->queue[node * k->shape.slots + m];
        uint64_t hops;
        assert_ok(cn_topology_distance(k->topology, header_of(k, node, message), 0, NULL, &hops));
        if (k->epoch + (message >> k->shape.created_shift) < k->base.cycle)
            found[old++] = message;
        else
            distance += hops;
    }
    assert_int_equal(old, after->lengths[node]);
    qsort(found, old, sizeof found[0], by_value);
    qsort(after->messages + node * k->shape.slots, old, sizeof found[0], by_value);
    assert_memory_equal(found, after->messages + node * k->shape.slots, old * sizeof found[0]);
    return distance;
}

static void run_against_pure(network net, uint32_t cycles)
{
    cni_deflection *k = net.kernel;
    expectation after = {calloc(k->shape.nodes * k->shape.slots, sizeof(uint64_t)),
                         calloc(k->shape.nodes, sizeof(uint32_t)), 0, 0, 0};
    uint64_t before[CNI_COUNTERS], counters[CNI_COUNTERS] = {0};
    for (uint32_t c = 0; c < cycles; c++) {
        memset(after.lengths, 0, k->shape.nodes * sizeof(uint32_t));
        after.delivered = after.sent = after.deflected = 0;
        for (uint64_t node = 0; node < k->shape.nodes; node++)
            expect_node(k, node, &after);
        uint64_t hops_left, first = oldest(k, &hops_left);
        memcpy(before, counters, sizeof before);
        assert_ok(cni_deflection_kernel.step(k, 1));
        cni_deflection_kernel.count(k, counters);
        assert_int_equal(counters[CNI_COUNT_DELIVERED] - before[CNI_COUNT_DELIVERED],
                         after.delivered);
        assert_int_equal(counters[CNI_COUNT_DEFLECTED] - before[CNI_COUNT_DEFLECTED],
                         after.deflected);
        assert_int_equal(counters[CNI_COUNT_FIRST_PHASE] + counters[CNI_COUNT_SECOND_PHASE] -
                             before[CNI_COUNT_FIRST_PHASE] - before[CNI_COUNT_SECOND_PHASE],
                         after.sent);
        uint64_t distance = 0;
        for (uint64_t node = 0; node < k->shape.nodes; node++)
            distance += check_node(k, node, &after);
        assert_int_equal(counters[CNI_COUNT_DISTANCE] - before[CNI_COUNT_DISTANCE], distance);
        check_oldest_moved(k, first, hops_left);
        assert_int_equal(counters[CNI_COUNT_ACCEPTED],
                         counters[CNI_COUNT_DELIVERED] + cni_deflection_kernel.in_flight(k));
    }
    assert_true(counters[CNI_COUNT_DELIVERED] > 0);
    free(after.messages);
    free(after.lengths);
    close_network(&net);
}

static void on_every_load(cn_topology *(*make)(uint32_t), uint32_t size)
{
    static const double loads[] = {0.2, 1.5, 20.0};
    for (uint32_t extra = 0; extra < 3; extra++)
        for (size_t i = 0; i < 3; i++) {
            cn_topology *topology = make(size);
            uint32_t ports = cn_topology_max_degree(topology);
            uint32_t buffers = extra == 0 ? ports : extra == 1 ? ports + 1 : 2 * ports;
            run_against_pure(open_network(topology, loads[i], buffers, 10 * extra + i), 60);
        }
}

static cn_topology *cube(uint32_t n)
{
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(n, &topology));
    return topology;
}

static cn_topology *kary(uint32_t k, uint32_t n, int bidirectional)
{
    cn_topology *topology;
    assert_ok(cn_topology_kary_ncube(k, n, bidirectional, &topology));
    return topology;
}

static cn_topology *complete_of(uint32_t nodes)
{
    cn_topology *topology;
    assert_ok(cn_topology_complete(nodes, &topology));
    return topology;
}

static cn_topology *one_way_square(uint32_t k)
{
    return kary(k, 2, 0);
}

static cn_topology *two_way_square(uint32_t k)
{
    return kary(k, 2, 1);
}

static cn_topology *two_way_ring(uint32_t k)
{
    return kary(k, 1, 1);
}

static void hypercubes_equal_the_pure_function(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 6; n++)
        on_every_load(cube, n);
}

static void kary_ncubes_equal_the_pure_function(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 5; k++) {
        on_every_load(one_way_square, k);
        on_every_load(two_way_square, k);
        on_every_load(two_way_ring, k);
    }
    /* 64 nodes, which processors with AVX-512 go through eight at a time, and 17 more */
    on_every_load(one_way_square, 8);
    on_every_load(two_way_square, 9);
    run_against_pure(open_network(kary(4, 3, 1), 1.2, 12, 1), 60);
    run_against_pure(open_network(kary(3, 5, 1), 1.5, 20, 1), 30); /* more than eight ports */
    run_against_pure(open_network(kary(3, 3, 0), 0.7, 6, 1), 100);
    run_against_pure(open_network(kary(3, 3, 1), 1.0, 7, 1), 100);
    run_against_pure(open_network(kary(17, 2, 0), 0.1, 4, 1), 100);
}

/* A header of more bits than the table of preferred channels has. */
static void large_headers_equal_the_pure_function(void **state)
{
    (void)state;
    run_against_pure(open_network(kary(3, 9, 0), 0.5, 18, 1), 12);
    run_against_pure(open_network(kary(9, 5, 1), 0.1, 10, 1), 12);
}

/* Cubes go by a routing then, with the table of it and, when they are large, without. */
static void every_selection_equals_the_pure_function(void **state)
{
    (void)state;
    for (int by = CN_SELECTION_LOWEST; by <= CN_SELECTION_LEAST_LOADED; by++) {
        const cn_selection selection = (cn_selection)by;
        cn_topology *const nets[] = {cube(1),       cube(4),       cube(6),
                                     kary(2, 3, 1), kary(5, 2, 0), kary(5, 2, 1),
                                     kary(4, 3, 1), kary(8, 2, 1), kary(9, 1, 1)};
        for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
            uint32_t ports = cn_topology_max_degree(nets[i]);
            network net = open_selecting(nets[i], i % 3 == 0 ? 0.4 : 3.0,
                                         ports + (uint32_t)i % 4 * 2, i, 0, selection);
            assert_int_equal(net.kernel->form, CNI_FORM_ROUTED);
            run_against_pure(net, 60);
        }
        run_against_pure(open_selecting(cube(11), 1.5, 22, 1, 0, selection), 8);
        run_against_pure(open_selecting(kary(35, 2, 1), 0.4, 8, 1, 0, selection), 8);
    }
}

/* ---- the same bits in every way ---- */

static void check_same_state(const cni_deflection *a, const cni_deflection *b)
{
    uint64_t of_a[CNI_COUNTERS], of_b[CNI_COUNTERS];
    cni_deflection_kernel.count(a, of_a);
    cni_deflection_kernel.count(b, of_b);
    assert_memory_equal(of_a, of_b, sizeof of_a);
    assert_memory_equal(a->length, b->length, a->shape.nodes * sizeof *a->length);
    for (uint64_t node = 0; node < a->shape.nodes; node++)
        for (uint32_t m = 0; m < a->length[node]; m++) {
            uint64_t x = a->queue[node * a->shape.slots + m],
                     y = b->queue[node * b->shape.slots + m];
            assert_int_equal((x >> a->shape.created_shift) + a->epoch,
                             (y >> b->shape.created_shift) + b->epoch);
            assert_int_equal(x & ((UINT64_C(1) << a->shape.created_shift) - 1),
                             y & ((UINT64_C(1) << b->shape.created_shift) - 1));
        }
    assert_memory_equal(cni_deflection_kernel.delays(a), cni_deflection_kernel.delays(b),
                        sizeof(cni_histogram));
}

/* What is counted by channel and node. */
static void check_same_statistics(const cni_deflection *a, const cni_deflection *b)
{
    uint64_t nodes = a->shape.nodes, blocks = a->shape.rows * a->shape.blocks;
    if (a->came == NULL)
        return;
    assert_memory_equal(a->came, b->came, blocks * CNI_BLOCK * sizeof *a->came);
    assert_memory_equal(a->base.counts.queue, b->base.counts.queue, nodes * sizeof(uint64_t));
    assert_memory_equal(a->base.counts.offered, b->base.counts.offered, nodes * sizeof(uint64_t));
    assert_memory_equal(a->base.counts.accepted, b->base.counts.accepted, nodes * sizeof(uint64_t));
    assert_memory_equal(a->base.counts.delivered, b->base.counts.delivered,
                        nodes * sizeof(uint64_t));
    assert_memory_equal(a->base.counts.hops, b->base.counts.hops, sizeof *a->base.counts.hops);
}

static void check_variants_selecting(cn_selection selection, const cni_deflection_form form,
                                     cn_topology *(*make)(uint32_t), uint32_t n, double load,
                                     uint32_t buffers, int statistics, int cycles)
{
    network net[3];
    for (int i = 0; i < 3; i++) {
        net[i] = open_selecting(make(n), load, buffers, 5, statistics, selection);
        assert_int_equal(net[i].kernel->form, form);
        net[i].kernel->shape.has_pdep &= i > 0;
        net[i].kernel->shape.has_lanes &= i > 1;
        assert_ok(cni_deflection_kernel.step(net[i].kernel, (uint64_t)cycles));
    }
    for (int i = 1; i < 3; i++) {
        check_same_state(net[0].kernel, net[i].kernel);
        check_same_statistics(net[0].kernel, net[i].kernel);
        close_network(&net[i]);
    }
    close_network(&net[0]);
}

static void check_variants(const cni_deflection_form form, cn_topology *(*make)(uint32_t),
                           uint32_t n, double load, uint32_t buffers, int statistics, int cycles)
{
    check_variants_selecting(CN_SELECTION_RANDOM, form, make, n, load, buffers, statistics, cycles);
}

static cn_topology *five_ary(uint32_t n)
{
    return kary(5, n, 1);
}

static void variants_for_processors_give_the_same_bits(void **state)
{
    (void)state;
    if (!cni_has_pdep())
        skip_because("this processor has no PDEP");
    check_variants(CNI_FORM_KARY, five_ary, 3, 2.0, 8, 0, 300);
    check_variants(CNI_FORM_ROUTED, complete_of, 9, 2.0, 8, 0, 300);
    for (int by = CN_SELECTION_LOWEST; by <= CN_SELECTION_LEAST_LOADED; by++) {
        check_variants_selecting((cn_selection)by, CNI_FORM_ROUTED, cube, 7, 1.5, 14, 0, 100);
        check_variants_selecting((cn_selection)by, CNI_FORM_ROUTED, five_ary, 3, 2.0, 8, 1, 100);
    }
    /* In full blocks eight nodes at a time where there is much to do; and smaller blocks. */
    for (int statistics = 0; statistics < 2; statistics++)
        for (uint32_t n = 4; n <= 9; n++) {
            check_variants(CNI_FORM_BOOLEAN, cube, n, 0.5, 2 * n, statistics, 100);
            check_variants(CNI_FORM_BOOLEAN, cube, n, 1.0, n + 1, statistics, 100);
            check_variants(CNI_FORM_BOOLEAN, cube, n, 2.0, 2 * n, statistics, 100);
            check_variants(CNI_FORM_BOOLEAN, cube, n, 60.0, 5 * n, statistics, 100);
        }
    check_variants(CNI_FORM_BOOLEAN, cube, 6, 6.0, 6, 1, 300);
    check_variants(CNI_FORM_BOOLEAN, cube, 12, 1.5, 24, 0, 30);
    check_variants(CNI_FORM_BOOLEAN, cube, 13, 0.8, 20, 0, 20);
    check_variants(CNI_FORM_BOOLEAN, cube, 17, 2.0, 20, 0, 3);
}

static void steps_of_any_length_give_the_same_bits(void **state)
{
    (void)state;
    network whole = open_network(cube(5), 1.5, 7, 3), parts = open_network(cube(5), 1.5, 7, 3);
    assert_ok(cni_deflection_kernel.step(whole.kernel, 200));
    static const uint64_t lengths[] = {1, 2, 3, 94, 50, 49, 1};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        assert_ok(cni_deflection_kernel.step(parts.kernel, lengths[i]));
    check_same_state(whole.kernel, parts.kernel);
    close_network(&whole);
    close_network(&parts);
}

/* With an age field of six bits in use the epoch moves every 32 cycles; also where eight nodes go
 * at a time. */
static void moving_the_epoch_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t n = 5; n <= 8; n += 3) {
        network wide = open_network(cube(n), 1.0, 2 * n, 3);
        network narrow = open_network(cube(n), 1.0, 2 * n, 3);
        narrow.kernel->greatest_created = 62;
        assert_ok(cni_deflection_kernel.step(wide.kernel, 1000));
        assert_ok(cni_deflection_kernel.step(narrow.kernel, 1000));
        assert_true(narrow.kernel->epoch > 900);
        check_same_state(wide.kernel, narrow.kernel);
        close_network(&wide);
        close_network(&narrow);
    }
}

static void a_message_too_old_to_tell_is_an_error(void **state)
{
    (void)state;
    network net = open_network(cube(6), 1.5, 40, 3);
    net.kernel->greatest_created = 6;
    assert_fails(cni_deflection_kernel.step(net.kernel, 1000), CN_ERR_OVERFLOW, "2 cycles");
    close_network(&net);
}

static void networks_too_large_for_a_word_are_refused(void **state)
{
    (void)state;
    cn_topology *topology = cube(26);
    cn_scenario *scenario;
    void *kernel = NULL;
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_fails(cni_deflection_kernel.open(scenario, 1, &kernel), CN_ERR_UNSUPPORTED,
                 "hypercube(26)");
    assert_null(kernel);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hypercubes_equal_the_pure_function),
        cmocka_unit_test(kary_ncubes_equal_the_pure_function),
        cmocka_unit_test(large_headers_equal_the_pure_function),
        cmocka_unit_test(every_selection_equals_the_pure_function),
        cmocka_unit_test(variants_for_processors_give_the_same_bits),
        cmocka_unit_test(steps_of_any_length_give_the_same_bits),
        cmocka_unit_test(moving_the_epoch_changes_nothing),
        cmocka_unit_test(a_message_too_old_to_tell_is_an_error),
        cmocka_unit_test(networks_too_large_for_a_word_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

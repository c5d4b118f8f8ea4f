/* The kernels with unlimited buffers against the pure function and the kernel of deflection, and a
 * plain form of the separate queues. */
#include "support/support.h"

#include <string.h>

#include "base/random.h"
#include "scenario/scenario.h"
#include "simulation/store_forward/unlimited.h"
#include "simulation/store_forward/unlimited_kernel.h"
#include "topology/topology.h"

enum { MOST = 400 }; /* messages of a node that the tests can hold */

typedef struct network {
    cn_topology *topology;
    cn_scenario *scenario;
    const cni_kernel *kernel;
    cni_unlimited *state;
} network;

static network open_network(const char *system, cn_topology *topology, double load, uint64_t seed)
{
    network net = {.topology = topology};
    void *state = NULL;
    net.kernel = strcmp(system, "shared-buffer") == 0 ? &cni_shared_buffer_kernel
                                                      : &cni_separate_buffers_kernel;
    assert_ok(cn_scenario_new(topology, system, &net.scenario));
    assert_ok(cn_scenario_set(net.scenario, CN_PARAM_LOAD, load));
    assert_ok(net.kernel->open(net.scenario, seed, &state));
    net.state = state;
    return net;
}

static void close_network(network *net)
{
    net->kernel->close(net->state);
    cn_scenario_free(&net->scenario);
    cn_topology_free(&net->topology);
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

/* ---- one cycle, in plain form ---- */

/* Messages by queue, each `count` long. */
typedef struct picture {
    cni_message (*message)[MOST];
    uint32_t *count;
} picture;

static picture new_picture(const cni_unlimited *k)
{
    picture p = {calloc(k->nodes * k->queues, sizeof *p.message),
                 calloc(k->nodes * k->queues, sizeof *p.count)};
    assert_non_null(p.message);
    assert_non_null(p.count);
    return p;
}

static void free_picture(picture *p)
{
    free(p->message);
    free(p->count);
}

static void put(picture *p, uint64_t queue, const cni_message *message)
{
    assert_true(p->count[queue] < MOST);
    p->message[queue][p->count[queue]++] = *message;
}

static void take_picture(const cni_unlimited *k, picture *p)
{
    for (uint64_t q = 0; q < k->nodes * k->queues; q++) {
        p->count[q] = 0;
        for (uint32_t at = k->queue[q].first; at != 0; at = k->place[at].next)
            put(p, q, &k->place[at]);
    }
}

static uint64_t stream_of(const cni_unlimited *k, uint64_t cycle, uint64_t node)
{
    return cni_random_derive(cni_random_derive(k->seed, cycle), node);
}

/* One of the preferred channels, by the public functions. */
static uint32_t channel_of(const cni_unlimited *k, const cni_message *message, uint32_t random)
{
    uint64_t channels, found = 0;
    assert_ok(cn_route_preferred(k->topology, message->identity & k->header_mask, &channels));
    for (uint32_t p = 0; p < 64; p++)
        found += channels >> p & 1;
    uint64_t rank = (uint64_t)random * found >> 32;
    for (uint32_t p = 0;; p++)
        if ((channels >> p & 1) != 0 && rank-- == 0)
            return p;
}

/* The message over a channel: its header and node change. */
static cni_message moved(const cni_unlimited *k, cni_message message, uint32_t port)
{
    uint64_t header = message.identity & k->header_mask, next, node;
    assert_ok(cn_route_move(k->topology, header, port, &next));
    assert_ok(cn_topology_neighbor(k->topology, message.node, port, &node));
    message.identity = (message.identity & ~k->header_mask) | next;
    message.node = (uint32_t)node;
    return message;
}

typedef struct sent {
    cni_message message;
    uint32_t port;
} sent;

/* What leaves the nodes in the next cycle; the picture keeps what stays. */
typedef size_t (*send_fn)(const cni_unlimited *k, picture *p, sent out[]);

static size_t send_first_of_each(const cni_unlimited *k, picture *p, sent out[])
{
    size_t count = 0;
    for (uint64_t node = 0; node < k->nodes; node++)
        for (uint32_t port = 0; port < k->ports; port++) {
            uint64_t q = node * k->ports + port;
            if (p->count[q] == 0)
                continue;
            out[count++] = (sent){moved(k, p->message[q][0], port), port};
            p->count[q]--;
            memmove(p->message[q], p->message[q] + 1, p->count[q] * sizeof(cni_message));
        }
    return count;
}

typedef struct claim {
    cni_message message;
    uint32_t random;
} claim;

static int by_age(const void *a, const void *b)
{
    const cni_message *x = &((const claim *)a)->message, *y = &((const claim *)b)->message;
    if (x->created != y->created)
        return x->created < y->created ? -1 : 1;
    return x->identity < y->identity ? -1 : x->identity > y->identity;
}

/* cn_route_two_phase() with so many buffers that there is never a phase 2. */
static size_t send_by_pure_function(const cni_unlimited *k, picture *p, sent out[])
{
    size_t sending = 0;
    for (uint64_t node = 0; node < k->nodes; node++) {
        uint32_t count = p->count[node], ports[MOST], random[MOST + 64] = {0};
        uint64_t headers[MOST], stream = stream_of(k, k->cycle, node);
        static claim claims[MOST];
        for (uint32_t m = 0; m < count; m++) {
            uint64_t word = cni_random_word(stream, m / 2);
            claims[m].message = p->message[node][m];
            claims[m].random = (uint32_t)(m % 2 == 0 ? word >> 32 : word);
        }
        qsort(claims, count, sizeof claims[0], by_age);
        for (uint32_t m = 0; m < count; m++) {
            headers[m] = claims[m].message.identity & k->header_mask;
            random[m] = claims[m].random;
        }
        assert_ok(cn_route_two_phase(k->topology, headers, count, count + k->ports, random,
                                     sizeof random / sizeof random[0], ports));
        p->count[node] = 0;
        for (uint32_t m = 0; m < count; m++)
            if (ports[m] == CN_NO_PORT)
                put(p, node, &claims[m].message);
            else
                out[sending++] = (sent){moved(k, claims[m].message, ports[m]), ports[m]};
    }
    return sending;
}

/* What was sent arrives, by ports; the number of messages that are delivered. */
static uint64_t receive(const cni_unlimited *k, picture *p, const sent out[], size_t count)
{
    uint64_t delivered = 0;
    for (uint32_t port = 0; port < k->ports; port++)
        for (size_t i = 0; i < count; i++) {
            if (out[i].port != port)
                continue;
            const cni_message *message = &out[i].message;
            if ((message->identity & k->header_mask) == 0) {
                delivered++;
                continue;
            }
            uint64_t word = cni_random_word(stream_of(k, k->cycle + 1, message->node), port);
            uint64_t queue = message->node;
            if (k->separate)
                queue = queue * k->ports + channel_of(k, message, (uint32_t)(word >> 32));
            put(p, queue, message);
        }
    return delivered;
}

/* The new messages of the cycle, numbered and with the right queue. */
static void check_new(const cni_unlimited *k, uint64_t queue, const cni_message *message)
{
    uint64_t number = message->identity >> k->number_shift & (k->numbers - 1);
    uint64_t stream = stream_of(k, k->cycle, message->node);
    assert_int_equal(message->created, k->cycle);
    assert_int_equal(message->identity >> k->source_shift, message->node);
    assert_int_equal(message->node, queue / k->queues);
    assert_int_equal(message->identity & k->header_mask,
                     cni_uniform_header(stream, number, k->nodes));
    if (k->separate)
        assert_int_equal(
            queue % k->queues,
            channel_of(k, message,
                       (uint32_t)(cni_random_word(stream, CNI_WORDS_NEW + number) >> 32)));
}

static int by_message(const void *a, const void *b)
{
    claim x = {*(const cni_message *)a, 0}, y = {*(const cni_message *)b, 0};
    return by_age(&x, &y);
}

/* The queues are what was expected, then what is new. Of a shared buffer the order does not matter. */
static void check_queues(const cni_unlimited *k, picture *expected, picture *found)
{
    for (uint64_t q = 0; q < k->nodes * k->queues; q++) {
        uint32_t old = expected->count[q];
        assert_true(found->count[q] >= old);
        if (!k->separate) {
            qsort(expected->message[q], old, sizeof(cni_message), by_message);
            qsort(found->message[q], found->count[q], sizeof(cni_message), by_message);
        }
        for (uint32_t m = 0; m < old; m++) {
            const cni_message *x = &expected->message[q][m], *y = &found->message[q][m];
            assert_int_equal(x->created, y->created);
            assert_int_equal(x->identity, y->identity);
            assert_int_equal(y->node, q / k->queues);
        }
        for (uint32_t m = old; m < found->count[q]; m++)
            check_new(k, q, &found->message[q][m]);
    }
}

static void run_against_plain(network net, send_fn send, uint32_t cycles)
{
    cni_unlimited *k = net.state;
    picture expected = new_picture(k), found = new_picture(k);
    sent *out = calloc(k->nodes * k->ports, sizeof *out);
    uint64_t before[CNI_COUNTERS] = {0}, after[CNI_COUNTERS];
    for (uint32_t c = 0; c < cycles; c++) {
        take_picture(k, &expected);
        size_t count = send(k, &expected, out);
        uint64_t delivered = receive(k, &expected, out, count);
        assert_ok(net.kernel->step(k, 1));
        take_picture(k, &found);
        check_queues(k, &expected, &found);
        net.kernel->count(k, after);
        assert_int_equal(after[CNI_COUNT_DELIVERED] - before[CNI_COUNT_DELIVERED], delivered);
        assert_int_equal(after[CNI_COUNT_HOPS] - before[CNI_COUNT_HOPS], count);
        assert_int_equal(after[CNI_COUNT_ACCEPTED],
                         after[CNI_COUNT_DELIVERED] + net.kernel->in_flight(k));
        memcpy(before, after, sizeof before);
    }
    assert_true(before[CNI_COUNT_DELIVERED] > 0);
    free(out);
    free_picture(&expected);
    free_picture(&found);
    close_network(&net);
}

static void run_everywhere(const char *system, send_fn send)
{
    for (uint32_t n = 1; n <= 6; n++) {
        run_against_plain(open_network(system, cube(n), 0.3, n), send, 60);
        run_against_plain(open_network(system, cube(n), 1.0, n), send, 60);
        run_against_plain(open_network(system, cube(n), 3.0, n), send, 40);
    }
    for (uint32_t k = 3; k <= 5; k++)
        for (int bidirectional = 0; bidirectional < 2; bidirectional++) {
            run_against_plain(open_network(system, kary(k, 2, bidirectional), 0.4, k), send, 60);
            run_against_plain(open_network(system, kary(k, 3, bidirectional), 0.8, k), send, 40);
        }
}

static void separate_queues_equal_the_plain_form(void **state)
{
    (void)state;
    run_everywhere("separate-buffers", send_first_of_each);
}

static void a_shared_buffer_equals_the_pure_function(void **state)
{
    (void)state;
    run_everywhere("shared-buffer", send_by_pure_function);
}

/* ---- a shared buffer is deflection with buffers that never run out ---- */

static cn_result *run_system(const char *system, const cn_topology *topology, double load,
                             double buffers)
{
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_scenario_new(topology, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    if (buffers > 0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 100));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 3000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_simulate(scenario, &result));
    cn_scenario_free(&scenario);
    return result;
}

static void check_same_as_deflection(cn_topology *topology, double load)
{
    cn_result *shared = run_system("shared-buffer", topology, load, 0);
    cn_result *deflection = run_system("deflection", topology, load, 2000);
    double second;
    assert_ok(cn_result_value(deflection, CN_METRIC_SECOND_PHASE_UTILIZATION, &second));
    assert_true(second == 0.0);
    int compared = 0;
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        cn_metric metric = (cn_metric)m;
        double x, y;
        if (!cn_result_has(shared, metric))
            continue;
        assert_ok(cn_result_value(shared, metric, &x));
        assert_ok(cn_result_value(deflection, metric, &y));
        assert_memory_equal(&x, &y, sizeof x);
        assert_ok(cn_result_half_width(shared, metric, &x));
        assert_ok(cn_result_half_width(deflection, metric, &y));
        assert_memory_equal(&x, &y, sizeof x);
        compared++;
    }
    assert_true(compared >= 20);
    cn_result_free(&shared);
    cn_result_free(&deflection);
    cn_topology_free(&topology);
}

static void a_shared_buffer_is_deflection_without_a_limit(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 7; n++)
        check_same_as_deflection(cube(n), n == 1 ? 0.7 : 1.3);
    check_same_as_deflection(kary(4, 2, 0), 0.5);
    check_same_as_deflection(kary(5, 3, 1), 1.0);
    check_same_as_deflection(kary(4, 3, 1), 1.2);
}

/* ---- the same bits, room, limits ---- */

static void steps_of_any_length_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const systems[] = {"separate-buffers", "shared-buffer"};
    static const uint64_t lengths[] = {1, 2, 3, 94, 50, 49, 1};
    for (size_t s = 0; s < 2; s++) {
        network whole = open_network(systems[s], cube(5), 1.5, 3);
        network parts = open_network(systems[s], cube(5), 1.5, 3);
        uint64_t of_whole[CNI_COUNTERS], of_parts[CNI_COUNTERS];
        assert_ok(whole.kernel->step(whole.state, 200));
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
            assert_ok(parts.kernel->step(parts.state, lengths[i]));
        whole.kernel->count(whole.state, of_whole);
        parts.kernel->count(parts.state, of_parts);
        assert_memory_equal(of_whole, of_parts, sizeof of_whole);
        assert_memory_equal(whole.state->place, parts.state->place,
                            whole.state->used * sizeof *whole.state->place);
        assert_memory_equal(whole.state->queue, parts.state->queue,
                            32 * whole.state->queues * sizeof *whole.state->queue);
        close_network(&whole);
        close_network(&parts);
    }
}

/* Places come back: in a steady state there are no more of them than messages at the worst moment. */
static void room_is_used_again(void **state)
{
    (void)state;
    network net = open_network("shared-buffer", cube(6), 1.0, 3);
    assert_ok(net.kernel->step(net.state, 20000));
    uint64_t counters[CNI_COUNTERS];
    net.kernel->count(net.state, counters);
    assert_true(counters[CNI_COUNT_ACCEPTED] > 1000000);
    assert_true(net.state->used < 1000);
    assert_int_equal(net.state->messages, net.kernel->in_flight(net.state));
    close_network(&net);
}

static void too_large_networks_are_refused(void **state)
{
    (void)state;
    cn_topology *topology = cube(23);
    cn_scenario *scenario;
    void *kernel = NULL;
    assert_ok(cn_scenario_new(topology, "shared-buffer", &scenario));
    assert_fails(cni_shared_buffer_kernel.open(scenario, 1, &kernel), CN_ERR_UNSUPPORTED,
                 "up to 2^22 nodes, not the 8388608 of hypercube(23)");
    assert_null(kernel);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

/* A field of numbers too small for the messages of one cycle, and more places than there are names. */
static void what_cannot_be_numbered_is_an_error(void **state)
{
    (void)state;
    network net = open_network("separate-buffers", cube(4), 50.0, 3);
    net.state->numbers = 16;
    assert_fails(net.kernel->step(net.state, 100), CN_ERR_OVERFLOW, "more than 16 messages");
    close_network(&net);
    net = open_network("separate-buffers", cube(4), 1.0, 3);
    net.state->messages = UINT32_MAX - 1;
    assert_fails(net.kernel->inject(net.state, 0, 1, 0), CN_ERR_MEMORY, "2^32 messages");
    net.state->messages = 0;
    close_network(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_queues_equal_the_plain_form),
        cmocka_unit_test(a_shared_buffer_equals_the_pure_function),
        cmocka_unit_test(a_shared_buffer_is_deflection_without_a_limit),
        cmocka_unit_test(steps_of_any_length_give_the_same_bits),
        cmocka_unit_test(room_is_used_again),
        cmocka_unit_test(too_large_networks_are_refused),
        cmocka_unit_test(what_cannot_be_numbered_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

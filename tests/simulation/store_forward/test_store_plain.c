/* The kernel of stored messages against a plain simulator: node by node, cycle by cycle. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "cubenet/experimental/damage.h"
#include "cubenet/experimental/hosts.h"
#include "routing/decisions/channels.h"
#include "routing/networks.h"
#include "simulation/plain_store.h"
#include "simulation/run/sim.h"
#include "simulation/store_forward/store_forward.h"

enum { CYCLES = 40 };

/* ---- networks ---- */

static cn_status own_neighbor(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    (void)user;
    if (port < 2)
        *neighbor = port == 0 ? (node + 1) % 11 : (node + 10) % 11;
    else
        *neighbor = (node + 4) % 11; /* one way */
    return CN_OK;
}

/* Each with the load per node, and faults or NULL. */
typedef struct network {
    const char *what;
    cn_topology *topology;
    cn_faults *faults;
    double load;
} network;

enum { NETWORKS = 46, WHOLE = 11, DAMAGED = 16, COMPOSED = 20, WORN = 44 };

static cn_topology *make(size_t which)
{
    static const uint64_t mesh[] = {3, 4}, torus[] = {3, 5};
    static const uint64_t edges[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
                                     0, 0, 3, 6, 2, 6, 7, 7, 8, 8, 1};
    cn_topology *t = NULL;
    switch (which) {
    case 0:
        assert_ok(cn_topology_hypercube(4, &t));
        break;
    case 1:
        assert_ok(cn_topology_kary_ncube(4, 2, 0, &t));
        break;
    case 2:
        assert_ok(cn_topology_kary_ncube(5, 2, 1, &t));
        break;
    case 3:
        assert_ok(cn_topology_mesh(mesh, 2, &t));
        break;
    case 4:
        assert_ok(cn_topology_torus(torus, 2, &t));
        break;
    case 5:
        assert_ok(cn_topology_generalized_hypercube(3, 2, &t));
        break;
    case 6:
        assert_ok(cn_topology_psnn(4, &t));
        break;
    case 7:
        assert_ok(cn_topology_de_bruijn(4, &t));
        break;
    case 8:
        assert_ok(cn_topology_tree(3, 2, &t));
        break;
    case 9:
        assert_ok(cn_topology_from_edges(9, edges, sizeof edges / sizeof edges[0] / 2, NULL, &t));
        break;
    case 10:
        assert_ok(cn_topology_from_function(11, 3, own_neighbor, NULL, NULL, &t));
        break;
    default:
        fail();
    }
    return t;
}

static void make_networks(network list[NETWORKS])
{
    const char *const names[COMPOSED] = {"cube",          "one-way rings",
                                         "two-way rings", "mesh",
                                         "torus",         "generalized",
                                         "psnn",          "de Bruijn",
                                         "tree",          "edges",
                                         "function",      "damaged cube",
                                         "damaged torus", "damaged generalized",
                                         "cut cube",      "damaged edges",
                                         "fat tree",      "leaves and spines",
                                         "hosts",         "hosts, one way"};
    static const double loads[COMPOSED] = {1.2, 0.3, 0.8, 0.3, 0.6, 1.0, 0.4, 0.3, 0.1, 0.2,
                                           0.4, 0.7, 0.4, 0.7, 0.5, 0.1, 0.6, 0.8, 0.3, 0.3};
    for (size_t i = 0; i < NETWORKS; i++)
        list[i] = (network){i < COMPOSED ? names[i] : "composed", NULL, NULL,
                            i < COMPOSED ? loads[i] : 0.2};
    for (size_t i = 0; i < WHOLE; i++)
        list[i].topology = make(i);
    for (size_t i = DAMAGED; i < COMPOSED; i++)
        list[i].topology = network_with_hosts((unsigned)(i - DAMAGED));
    for (size_t i = COMPOSED; i < NETWORKS; i++) {
        cn_topology *base = NULL; /* at last hosts and lengths on a torus and on a graph, damaged */
        list[i].topology = network_composed((unsigned)(i < WORN    ? i - COMPOSED
                                                       : i == WORN ? 2
                                                                   : 20),
                                            &base);
        if (i >= WORN) {
            cn_faults *faults = NULL;
            assert_ok(cn_faults_new(base, &faults));
            assert_ok(i == WORN ? cn_faults_add_node(faults, 3) : cn_faults_add_link(faults, 0, 0));
            assert_ok(cn_faults_carry(faults, list[i].topology, &list[i].faults));
            cn_faults_free(&faults);
        }
        cn_topology_free(&base); /* what is made of it keeps it */
    }
    static const size_t damaged[] = {11, 12, 13, 14, 15}, from[] = {0, 4, 5, 0, 9};
    for (size_t i = 0; i < 5; i++) {
        network *n = &list[damaged[i]];
        n->topology = make(from[i]);
        assert_ok(cn_faults_new(n->topology, &n->faults));
        if (i != 3)
            assert_ok(cn_faults_add_node(n->faults, 6));
        if (i != 4)
            assert_ok(cn_faults_add_link(n->faults, 1, 1));
    }
}

static void free_networks(network list[NETWORKS])
{
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_faults_free(&list[i].faults);
        cn_topology_free(&list[i].topology);
    }
}

/* ---- one run ---- */

typedef struct pair {
    cn_sim *sim;
    cni_store *k;
    plain_store *plain;
    uint64_t random;
} pair;

static cni_message decode(const cni_store *k, const uint64_t *words)
{
    int more = k->shape.is_wide ? 1 : 0;
    cni_message m = {words[0], words[more],
                     k->shape.form == CNI_STORE_CLASSED ? words[more + 1] : 0};
    m.created = cni_store_created(&k->shape, &m);
    return m;
}

static uint64_t number_of(const cni_store *k, const cni_message *m)
{
    return m->identity >> k->shape.number_shift & (k->shape.numbers - 1);
}

static uint64_t is_injected(const cni_store *k, const cni_message *m)
{
    return m->identity >> k->shape.injected_shift & 1;
}

static void compare_message(const pair *p, uint64_t node, const uint64_t *words,
                            const plain_message *m)
{
    const cni_message got = decode(p->k, words);
    uint64_t to = m->destination;
    if (p->k->shape.form == CNI_STORE_CUBE || p->k->shape.form == CNI_STORE_RINGS)
        assert_ok(cn_topology_header(p->plain->topology, node, to, &to));
    assert_int_equal(got.created, m->created);
    assert_int_equal(cni_store_source(&p->k->shape, got.identity), m->source);
    assert_int_equal(is_injected(p->k, &got), m->injected);
    assert_int_equal(number_of(p->k, &got), m->number);
    assert_int_equal(got.identity & p->k->shape.to_mask, to);
    if (p->k->shape.form == CNI_STORE_CLASSED) {
        assert_int_equal(got.way >> 8, m->target);
        assert_int_equal(got.way & 255, m->class);
    }
}

static void compare_queues(const pair *p)
{
    const cni_store *k = p->k;
    const cni_store_worker *w = cni_store_worker_at(k, 0);
    for (uint64_t q = 0; q < k->shape.nodes * k->queues; q++) {
        uint64_t node = q / k->queues;
        const cni_queue *queue =
            &k->queue[cni_store_queue(k->queues, node, (uint32_t)(q % k->queues))];
        const plain_line *line = &p->plain->line[k->separate ? q : q * k->shape.ports];
        assert_int_equal(cni_queue_length(queue), line->count);
        for (uint32_t i = 0; i < cni_queue_length(queue); i++) {
            uint64_t place = cni_queue_place(queue, i);
            compare_message(p, node, w->pool.words + place * k->shape.width, &line->message[i]);
        }
    }
}

static void compare_counters(const pair *p)
{
    uint64_t counters[CNI_COUNTERS];
    p->sim->kernel->count(p->k, counters);
    assert_int_equal(counters[CNI_COUNT_CYCLES], p->plain->cycle);
    assert_int_equal(counters[CNI_COUNT_OFFERED], p->plain->offered);
    assert_int_equal(counters[CNI_COUNT_ACCEPTED], p->plain->offered);
    assert_int_equal(counters[CNI_COUNT_DELIVERED], p->plain->delivered);
    assert_int_equal(counters[CNI_COUNT_DELAY], p->plain->delay);
    assert_int_equal(counters[CNI_COUNT_HOPS], p->plain->hops);
    assert_int_equal(counters[CNI_COUNT_WAITING], p->plain->waiting);
    assert_int_equal(p->sim->kernel->in_flight(p->k), p->plain->in_network);
}

static void inject_some(pair *p)
{
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t nodes = p->plain->nodes, tag = p->random;
        uint64_t from = cni_random_word(1, p->random++) % nodes;
        uint64_t to = cni_random_word(1, p->random++) % nodes;
        if (from == to)
            continue;
        cn_status status = cn_sim_inject(p->sim, from, to, 0, tag);
        int are_ends = p->plain->is_end[from] && p->plain->is_end[to];
        if (p->plain->faults == NULL)
            assert_int_equal(status, are_ends ? CN_OK : CN_ERR_ARGUMENT);
        else
            assert_int_equal(status == CN_OK, are_ends);
        if (are_ends)
            plain_store_inject(p->plain, from, to, tag);
    }
}

static void run_pair(pair *p)
{
    size_t fetched = 0;
    cn_delivery got;
    for (int c = 0; c < CYCLES; c++) {
        inject_some(p);
        compare_queues(p);
        assert_ok(cn_sim_step(p->sim, 1, NULL));
        plain_store_step(p->plain);
        compare_queues(p);
        compare_counters(p);
        for (; fetched < p->plain->arrived_count; fetched++) {
            assert_ok(cn_sim_next_delivery(p->sim, &got, sizeof got));
            assert_int_equal(got.tag, p->plain->arrived[fetched].tag);
            assert_int_equal(got.destination, p->plain->arrived[fetched].destination);
            assert_int_equal(got.delivered, p->plain->arrived[fetched].cycle);
            assert_int_equal(got.hops, p->plain->arrived[fetched].hops);
            assert_int_equal(got.flits, 1);
            assert_int_equal(got.deflections, 0);
        }
        assert_int_equal(cn_sim_next_delivery(p->sim, &got, sizeof got), CN_DONE);
    }
    assert_true(p->plain->delivered > 20);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Spans of an epoch that runs have by turns, and how many of them moved it, or made messages
 * wide. */
static const uint64_t spans[] = {UINT64_MAX, 30, 9, 20};
static int moved, widened;

/* By name, or by an object, which takes the general way. 0: there is no such routing here, and
 * opening says so. */
static int check_run(const network *n, const char *name, const cn_routing *object, int separate,
                     cn_selection selection)
{
    cn_scenario *scenario;
    cn_routing *routing = NULL;
    pair p = {.random = 0};
    static int has_statistics, run; /* every other run */
    has_statistics = !has_statistics;
    cn_status status;
    assert_ok(
        cn_scenario_new(n->topology, separate ? "separate-buffers" : "shared-buffer", &scenario));
    assert_ok(cn_scenario_set_faults(scenario, n->faults));
    assert_ok(object != NULL ? cn_scenario_set_routing(scenario, object)
                             : cn_scenario_set_routing_name(scenario, name));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, n->load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, selection));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, has_statistics));
    assert_ok(cn_scenario_set_seed(scenario, 7));
    status = cni_scenario_open_routing("test", scenario, &routing);
    if (status != CN_OK) {
        assert_int_equal(cn_sim_open(scenario, NULL, &p.sim), status);
        cn_scenario_free(&scenario);
        return 0;
    }
    assert_ok(cn_sim_open(scenario, NULL, &p.sim));
    p.k = p.sim->state;
    int was_wide = p.k->shape.is_wide;
    p.k->shape.span = was_wide ? p.k->shape.span : least(p.k->shape.span, spans[run++ % 4]);
    p.plain = plain_store_open(n->topology, n->faults, routing, separate, selection, n->load, 7);
    run_pair(&p);
    widened += !was_wide && p.k->shape.is_wide;
    moved += !p.k->shape.is_wide && p.k->shape.epoch > 0;
    if (has_statistics)
        assert_same_statistics(p.sim, &p.plain->tally, 0);
    plain_store_close(p.plain);
    cn_sim_close(&p.sim);
    cn_routing_free(&routing);
    cn_scenario_free(&scenario);
    return 1;
}

static int check_all(const network *n, const char *name, const cn_routing *object)
{
    int runs = 0;
    for (int s = CN_SELECTION_RANDOM; s <= CN_SELECTION_LEAST_LOADED; s++)
        runs += check_run(n, name, object, 1, (cn_selection)s);
    runs += check_run(n, name, object, 0, CN_SELECTION_RANDOM);
    runs += check_run(n, name, object, 0, CN_SELECTION_LOWEST);
    return runs;
}

static void the_kernel_equals_the_plain_form(void **state)
{
    (void)state;
    static const char *const routings[] = {
        "minimal",        "preferred", "dimension-order", "up-down",   "up-down-adaptive",
        "negative-first", "valiant",   "optimal-path",    "two-level", NULL};
    network list[NETWORKS];
    make_networks(list);
    for (size_t i = 0; i < NETWORKS; i++) {
        int runs = check_all(&list[i], NULL, NULL);
        assert_int_equal(runs, 5);
        for (size_t r = 0; routings[r] != NULL; r++)
            runs += check_all(&list[i], routings[r], NULL);
        assert_true(runs >= 10 && runs % 5 == 0);
    }
    assert_true(moved > 50 && widened > 50);
    free_networks(list);
}

/* Over a rule: the messages turn round the ring the short way, and class by class. */
static cn_status turn(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                      uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *t = user;
    (void)previous;
    (void)port;
    (void)virtual_channel;
    uint64_t here, there, to;
    assert_ok(cn_topology_distance(t, node, destination, NULL, &here));
    for (uint32_t p = 0; p < cn_topology_max_degree(t); p++) {
        if (cn_topology_neighbor(t, node, p, &to) != CN_OK)
            continue;
        assert_ok(cn_topology_distance(t, to, destination, NULL, &there));
        channels[p] = there < here;
    }
    return CN_OK;
}

/* An object of the same routing takes the general way: the same messages in the same queues as the
 * special one, since both equal the plain form. */
static void objects_go_the_general_way(void **state)
{
    (void)state;
    static const char *const names[] = {"preferred", "minimal"};
    network list[NETWORKS];
    make_networks(list);
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_routing *r;
        for (size_t j = 0; j < 2; j++)
            if (cn_routing_new(list[i].topology, names[j], list[i].faults, NULL, &r) == CN_OK) {
                assert_int_equal(check_all(&list[i], NULL, r), 5);
                cn_routing_free(&r);
            }
        if (list[i].faults != NULL)
            continue;
        assert_ok(cn_routing_own(list[i].topology, 1, turn, NULL, list[i].topology, NULL, &r));
        assert_int_equal(check_all(&list[i], NULL, r), 5);
        cn_routing_free(&r);
    }
    free_networks(list);
}

/* ---- results of the general and the special form ---- */

static cn_result *run(const cn_topology *t, const char *system, const cn_routing *routing,
                      double load, int slotted)
{
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_scenario_new(t, system, &scenario));
    assert_ok(cn_scenario_set_routing(scenario, routing));
    double most = 0.97 * cn_topology_max_degree(t); /* more than the degree is not run */
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load < most ? load : most));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, slotted));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 50));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 400));
    assert_ok(cn_simulate(scenario, NULL, &result));
    cn_scenario_free(&scenario);
    return result;
}

static void results_do_not_depend_on_the_form(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
        int two_way;
    } shapes[] = {{2, 1, 1}, {2, 5, 1}, {3, 2, 1}, {4, 2, 1}, {5, 2, 0}, {6, 1, 1}};
    static const double loads[] = {0.2, 0.9, 2.5};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (size_t l = 0; l < 3; l++)
            for (int which = 0; which < 3; which++) {
                const char *system = which == 2 ? "shared-buffer" : "separate-buffers";
                cn_topology *t;
                cn_routing *r;
                if (shapes[i].k == 2)
                    assert_ok(cn_topology_hypercube(shapes[i].n, &t));
                else
                    assert_ok(
                        cn_topology_kary_ncube(shapes[i].k, shapes[i].n, shapes[i].two_way, &t));
                if (loads[l] > cn_topology_max_degree(t)) { /* refused */
                    cn_topology_free(&t);
                    continue;
                }
                assert_ok(cn_routing_new(t, "preferred", NULL, NULL, &r));
                cn_result *special = run(t, system, NULL, loads[l], which > 0);
                cn_result *general = run(t, system, r, loads[l], which > 0);
                assert_same_result(special, general);
                cn_result_free(&special);
                cn_result_free(&general);
                cn_routing_free(&r);
                cn_topology_free(&t);
            }
}

/* A buffer as large as that of deflection's nodes when nothing is ever deflected. */
static void check_same_as_deflection(cn_topology *t, double load)
{
    cn_result *results[2];
    double second;
    int compared = 0;
    for (int which = 0; which < 2; which++) {
        cn_scenario *scenario;
        assert_ok(cn_scenario_new(t, which ? "deflection" : "shared-buffer", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
        if (which)
            assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 2000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 50));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 1000));
        assert_ok(cn_simulate(scenario, NULL, &results[which]));
        cn_scenario_free(&scenario);
    }
    assert_ok(cn_result_value(results[1], CN_METRIC_SECOND_PHASE_UTILIZATION, &second));
    assert_true(second == 0.0);
    for (int m = 1; m <= (int)cn_metric_count(); m++) {
        if (!cn_result_has(results[0], (cn_metric)m) || !cn_result_has(results[1], (cn_metric)m))
            continue;
        double x = value_of(results[0], (cn_metric)m), y = value_of(results[1], (cn_metric)m);
        assert_memory_equal(&x, &y, sizeof x);
        x = half_width_of(results[0], (cn_metric)m);
        y = half_width_of(results[1], (cn_metric)m);
        assert_memory_equal(&x, &y, sizeof x);
        compared++;
    }
    assert_true(compared >= 20);
    cn_result_free(&results[0]);
    cn_result_free(&results[1]);
    cn_topology_free(&t);
}

static cn_topology *kary(uint64_t k, uint32_t n, int two_way)
{
    cn_topology *t;
    if (k == 2)
        assert_ok(cn_topology_hypercube(n, &t));
    else
        assert_ok(cn_topology_kary_ncube(k, n, two_way, &t));
    return t;
}

static void a_shared_buffer_is_deflection_without_a_limit(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 7; n++)
        check_same_as_deflection(kary(2, n, 1), n == 1 ? 0.7 : 1.3);
    check_same_as_deflection(kary(4, 2, 0), 0.5);
    check_same_as_deflection(kary(5, 3, 1), 1.0);
    check_same_as_deflection(kary(4, 3, 1), 1.2);
}

/* ---- steps, threads, limits ---- */

static cn_sim *open_sim(cn_topology *t, const char *system, const char *routing, double load,
                        int threads)
{
    cn_scenario *scenario;
    cn_sim *sim;
    assert_ok(cn_scenario_new(t, system, &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
    return sim;
}

static const cni_store_worker *worker_of(const cni_store *k, uint64_t queue)
{
    uint32_t i = cni_team_workers(k->base.team) - 1;
    while (k->queue + queue < cni_store_worker_at(k, i)->queue)
        i--;
    return cni_store_worker_at(k, i);
}

/* In one word or two. */
static void assert_same_message(const cni_store *x, const uint64_t *words, const cni_store *y,
                                const uint64_t *others)
{
    const cni_message a = decode(x, words), b = decode(y, others);
    uint64_t low = (UINT64_C(1) << x->shape.number_shift) - 1;
    assert_int_equal(a.created, b.created);
    assert_int_equal(cni_store_source(&x->shape, a.identity),
                     cni_store_source(&y->shape, b.identity));
    assert_int_equal(is_injected(x, &a), is_injected(y, &b));
    assert_int_equal(number_of(x, &a), number_of(y, &b));
    assert_int_equal(a.identity & low, b.identity & low);
    assert_int_equal(a.way, b.way);
}

/* All messages, in order. */
static void assert_same_state(const cn_sim *a, const cn_sim *b)
{
    const cni_store *x = a->state, *y = b->state;
    uint64_t of_x[CNI_COUNTERS], of_y[CNI_COUNTERS];
    a->kernel->count(x, of_x);
    b->kernel->count(y, of_y);
    assert_memory_equal(of_x, of_y, sizeof of_x);
    for (uint64_t q = 0; q < cni_store_queues(x->queues, x->shape.nodes); q++) {
        const cni_queue *p = &x->queue[q], *r = &y->queue[q];
        const cni_store_worker *wx = worker_of(x, q), *wy = worker_of(y, q);
        assert_int_equal(cni_queue_length(p), cni_queue_length(r));
        for (uint32_t i = 0; i < cni_queue_length(p); i++)
            assert_same_message(
                x, wx->pool.words + (uint64_t)cni_queue_place(p, i) * x->shape.width, y,
                wy->pool.words + (uint64_t)cni_queue_place(r, i) * y->shape.width);
    }
}

/* With so many messages of the caller: as long as one of them is on its way the kernel looks at
 * every arrival. */
static void check_threads(const char *system, const char *routing, int rings, double load,
                          uint64_t injected)
{
    static const uint64_t lengths[] = {1, 2, 3, 34, 30, 29, 1};
    cn_sim *whole = open_sim(rings ? kary(30, 2, 1) : kary(2, 10, 1), system, routing, load, 1);
    cn_sim *parts = open_sim(rings ? kary(30, 2, 1) : kary(2, 10, 1), system, routing, load, 3);
    cn_delivery one, three;
    cni_store *k = parts->state;
    assert_int_equal(cni_team_workers(k->base.team), 3);
    if (injected > 0) /* more of a source make messages wide */
        k->shape.numbers = least(k->shape.numbers, 16);
    for (uint64_t i = 0; i < injected; i++) {
        uint64_t source = 20 * (i % 40), to = (7 * i + 5) % 900 == source ? 1 : (7 * i + 5) % 900;
        assert_ok(cn_sim_inject(whole, source, to, 0, i));
        assert_ok(cn_sim_inject(parts, source, to, 0, i));
    }
    assert_true(injected == 0 || k->shape.is_wide);
    assert_ok(cn_sim_step(whole, 100, NULL));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        assert_ok(cn_sim_step(parts, lengths[i], NULL));
    assert_same_state(whole, parts);
    uint64_t fetched = 0;
    while (cn_sim_next_delivery(whole, &one, sizeof one) == CN_OK) {
        assert_ok(cn_sim_next_delivery(parts, &three, sizeof three));
        assert_memory_equal(&one, &three, sizeof one);
        fetched++;
    }
    assert_true(injected == 0 || fetched > 700);
    cn_sim_close(&whole);
    cn_sim_close(&parts);
}

static void threads_and_steps_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const systems[] = {"separate-buffers", "shared-buffer"};
    static const char *const routings[] = {NULL, "minimal", "up-down", "valiant"};
    for (size_t s = 0; s < 2; s++)
        for (size_t r = 0; r < 4; r++)
            for (int rings = 0; rings < 2; rings++) {
                double load = r < 2 ? 0.9 : 0.1;
                check_threads(systems[s], routings[r], rings, rings ? load / 8 : load, 0);
                check_threads(systems[s], routings[r], rings, rings ? load / 8 : load, 800);
            }
}

#if CNI_BMI2
/* A scenario without messages of the caller, run by each variant of the kernel: without PDEP, with
 * it, and eight nodes at a time. 0: there is no such routing here. */
static int check_variants_and(int statistics, int wide, const network *n, const char *system,
                              const char *routing, double load, const cn_traffic *traffic)
{
    enum { CYCLES_OF_VARIANTS = 120 };
    static int turn; /* of the selections */
    int selection = strcmp(system, "separate-buffers") == 0 ? turn++ % 3 : CN_SELECTION_RANDOM;
    cn_sim *sims[3];
    for (int i = 0; i < 3; i++) {
        cn_scenario *scenario;
        assert_ok(cn_scenario_new(n->topology, system, &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, selection));
        assert_ok(cn_scenario_set_faults(scenario, n->faults));
        assert_ok(cn_scenario_set_routing_name(scenario, routing));
        assert_ok(cn_scenario_set_traffic(scenario, traffic));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, statistics));
        cn_status status = cn_sim_open(scenario, NULL, &sims[i]);
        cn_scenario_free(&scenario);
        if (status != CN_OK && routing != NULL)
            return 0;
        assert_ok(status);
        cni_store *k = sims[i]->state;
        assert_true(!k->by_lanes || cni_store_fits_lanes(k) || k->seen_length != NULL ||
                    k->shape.form == CNI_STORE_CLASSED);
        if (wide && !k->shape.is_wide)
            assert_ok(cni_store_widen(k));
        k->base.cycle = traffic == NULL ? 1000 : 0;
        k->shape.epoch = traffic == NULL ? 990 : 0;
        k->shape.has_pdep &= i > 0;
        k->by_lanes &= i > 1;
        assert_ok(cni_store_run_cycles(k, CYCLES_OF_VARIANTS));
        k->base.cycle += CYCLES_OF_VARIANTS;
    }
    for (int i = 1; i < 3; i++) {
        assert_same_state(sims[0], sims[i]);
        assert_memory_equal(sims[0]->kernel->delays(sims[0]->state),
                            sims[i]->kernel->delays(sims[i]->state), sizeof(cni_histogram));
        const cni_counts *one = &((cni_store *)sims[0]->state)->base.counts;
        const cni_counts *other = &((cni_store *)sims[i]->state)->base.counts;
        assert_int_equal(one->words > 0, statistics);
        if (statistics)
            assert_memory_equal(one->word, other->word, one->words * sizeof *one->word);
        cn_sim_close(&sims[i]);
    }
    cn_sim_close(&sims[0]);
    return 1;
}

static int check_variants(const network *n, const char *system, const char *routing, double load,
                          const cn_traffic *traffic)
{
    static int wide; /* by turns without statistics and with them */
    wide = !wide;
    return check_variants_and(0, wide, n, system, routing, load, traffic) &&
           check_variants_and(1, !wide, n, system, routing, load, traffic);
}

static void check_variants_with_traffic(const char *system)
{
    static const uint64_t cycles[] = {0, 3, 3, 90}, from[] = {2, 9, 9, 31}, to[] = {1, 3, 7, 8};
    network cube = {"cube", kary(2, 5, 1), NULL, 0.0};
    cn_traffic *traffic;
    assert_ok(cn_traffic_new(cube.topology, CN_PATTERN_BIT_REVERSE, &traffic));
    assert_ok(cn_traffic_set_on_off(traffic, 5, 5));
    check_variants(&cube, system, NULL, 0.4, traffic);
    check_variants(&cube, system, "minimal", 0.4, traffic);
    cn_traffic_free(&traffic);
    assert_ok(cn_traffic_trace(cube.topology, cycles, from, to, NULL, 4, &traffic));
    check_variants(&cube, system, NULL, 0.0, traffic);
    cn_traffic_free(&traffic);
    cn_topology_free(&cube.topology);
}
#endif

static void variants_for_processors_give_the_same_bits(void **state)
{
    (void)state;
#if CNI_BMI2
    static const char *const systems[] = {"separate-buffers", "shared-buffer"};
    if (!__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt"))
        skip_because("this processor has no BMI2");
    network list[NETWORKS];
    make_networks(list);
    for (size_t i = 0; i < NETWORKS; i++)
        for (size_t s = 0; s < 2; s++) {
            assert_true(check_variants(&list[i], systems[s], NULL, list[i].load, NULL));
            double full = cn_topology_max_degree(list[i].topology); /* more than it carries */
            check_variants(&list[i], systems[s], NULL, full, NULL);
            check_variants(&list[i], systems[s], "up-down", full, NULL);
            check_variants(&list[i], systems[s], "preferred", full, NULL);
        }
    for (uint32_t n = 1; n <= 7; n++)
        for (size_t s = 0; s < 2; s++) {
            network cube = {"cube", kary(2, n, 1), NULL, 0.0};
            check_variants(&cube, systems[s], NULL, 0.3 * n, NULL);
            check_variants(&cube, systems[s], NULL, n, NULL);
            cn_topology_free(&cube.topology);
        }
    static const uint64_t nodes[] = {15, 20, 60}; /* ports in 16, 32 and 64 bits */
    for (size_t i = 0; i < 3; i++)
        for (size_t s = 0; s < 2; s++) {
            network complete = {"complete", NULL, NULL, 0.0};
            assert_ok(cn_topology_complete(nodes[i], &complete.topology));
            /* of 60 nodes: some messages more than the table of numbers tells */
            check_variants(&complete, systems[s], NULL, 0.9 * (double)nodes[i], NULL);
            cn_topology_free(&complete.topology);
        }
    for (size_t s = 0; s < 2; s++)
        check_variants_with_traffic(systems[s]);
    free_networks(list);
#else
    skip_because("the library is built without code for BMI2");
#endif
}

/* A trace with more messages of a node and cycle than a word has numbers for. */
static void a_trace_may_need_wide_messages(void **state)
{
    (void)state;
    enum { MESSAGES = 5000 };
    static uint64_t cycles[MESSAGES], from[MESSAGES], to[MESSAGES];
    for (int many = 0; many < 2; many++) {
        cn_topology *t = kary(30, 2, 1);
        cn_scenario *scenario;
        cn_traffic *traffic;
        cn_sim *sim;
        for (uint64_t i = 0; i < MESSAGES; i++) {
            cycles[i] = many ? 1 : 1 + i / 100;
            from[i] = 3;
            to[i] = 4 + i % 7;
        }
        assert_ok(cn_traffic_trace(t, cycles, from, to, NULL, MESSAGES, &traffic));
        assert_ok(cn_scenario_new(t, "separate-buffers", &scenario));
        assert_ok(cn_scenario_set_routing_name(scenario, "minimal"));
        assert_ok(cn_scenario_set_traffic(scenario, traffic));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_int_equal(((cni_store *)sim->state)->shape.is_wide, many);
        assert_ok(cn_sim_step(sim, 100, NULL));
        assert_true(sim->kernel->in_flight(sim->state) > 4000);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_traffic_free(&traffic);
        cn_topology_free(&t);
    }
}

/* Places come back: in a steady state there are not many more than messages at the worst moment. */
static void room_is_used_again(void **state)
{
    (void)state;
    static const char *const systems[] = {"separate-buffers", "shared-buffer"};
    for (size_t s = 0; s < 2; s++) {
        cn_sim *sim = open_sim(kary(2, 6, 1), systems[s], NULL, 1.0, 1);
        const cni_store *k = sim->state;
        uint64_t counters[CNI_COUNTERS], homes = cni_store_worker_at(k, 0)->pool.used;
        assert_ok(cn_sim_step(sim, 20000, NULL));
        sim->kernel->count(k, counters);
        assert_true(counters[CNI_COUNT_ACCEPTED] > 1000000);
        assert_true(cni_store_worker_at(k, 0)->pool.used < homes + 1000);
        cn_sim_close(&sim);
    }
}

static void what_cannot_be_numbered_is_an_error(void **state)
{
    (void)state;
    for (int threads = 1; threads < 4; threads += 2) {
        cn_sim *sim = open_sim(kary(2, 10, 1), "separate-buffers", NULL, 50.0, threads);
        cni_store *k = sim->state;
        k->shape.numbers = 16;
        assert_fails(cn_sim_step(sim, 100, NULL), CN_ERR_OVERFLOW, "more than 16 messages");
        assert_fails(cn_sim_step(sim, 1, NULL), CN_ERR_STATE, "ended");
        cn_sim_close(&sim);
        sim = open_sim(kary(2, 10, 1), "separate-buffers", NULL, 50.0, threads);
        k = sim->state;
        cni_store_worker_at(k, (uint32_t)threads - 1)->pool.used = UINT32_MAX - 1;
        assert_fails(cn_sim_step(sim, 100, NULL), CN_ERR_MEMORY, "cannot grow");
        cn_sim_close(&sim);
    }
}

static void assert_refused(cn_topology *t, const char *system, const char *routing, cn_param param,
                           double value, cn_status status, const char *why)
{
    cn_scenario *scenario;
    cn_sim *sim;
    assert_ok(cn_scenario_new(t, system, &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, param, value));
    assert_fails(cn_sim_open(scenario, NULL, &sim), status, why);
    assert_null(sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
}

static void what_cannot_run_says_why(void **state)
{
    (void)state;
    assert_refused(kary(2, 4, 1), "shared-buffer", NULL, CN_PARAM_SLOTTED, 0, CN_ERR_UNSUPPORTED,
                   "shared-buffer has only: yes");
    assert_refused(kary(2, 4, 1), "shared-buffer", NULL, CN_PARAM_SELECTION,
                   CN_SELECTION_LEAST_LOADED, CN_ERR_UNSUPPORTED,
                   "shared-buffer has only: random, lowest");
    assert_refused(kary(2, 25, 1), "shared-buffer", NULL, CN_PARAM_LOAD, 0.1, CN_ERR_UNSUPPORTED,
                   "at most 16777216 nodes");
    assert_refused(kary(5, 2, 1), "separate-buffers", "negative-first", CN_PARAM_LOAD, 0.1,
                   CN_ERR_UNSUPPORTED, "negative-first");
}

/* The limit of a selection that looks at queues or not at all, and of shared buffers, is not known:
 * the queues tell. */
static void growing_queues_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        cn_selection selection;
        double load;
        int saturated;
    } runs[] = {
        {"separate-buffers", CN_SELECTION_RANDOM, 0.3, 0},
        {"separate-buffers", CN_SELECTION_LOWEST, 0.2, 0},
        {"separate-buffers", CN_SELECTION_LOWEST, 0.625, 1},
        {"separate-buffers", CN_SELECTION_LEAST_LOADED, 0.3, 0},
        {"separate-buffers", CN_SELECTION_LEAST_LOADED, 0.7, 1},
        {"shared-buffer", CN_SELECTION_RANDOM, 0.3, 0},
        {"shared-buffer", CN_SELECTION_RANDOM, 0.7, 1},
    };
    static const uint64_t sides[] = {8, 8};
    cn_topology *mesh;
    assert_ok(cn_topology_mesh(sides, 2, &mesh));
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        cn_scenario *scenario;
        cn_result *result;
        assert_ok(cn_scenario_new(mesh, runs[i].system, &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, runs[i].load));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, runs[i].selection));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000));
        assert_ok(cn_simulate(scenario, NULL, &result));
        assert_int_equal(cn_result_is_saturated(result), runs[i].saturated);
        assert_int_equal(cn_result_stop(result) == CN_STOP_SATURATED, runs[i].saturated);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
    cn_topology_free(&mesh);
}

static void traffic_to_the_dead_is_refused(void **state)
{
    (void)state;
    static const uint64_t cycles[] = {0, 1}, sources[] = {6, 2}, destinations[] = {1, 3};
    for (int which = 0; which < 3; which++) {
        cn_topology *cube = kary(2, 4, 1);
        cn_traffic *traffic;
        cn_faults *faults;
        cn_scenario *scenario;
        cn_result *result;
        cn_sim *sim;
        assert_ok(cn_faults_new(cube, &faults));
        assert_ok(cn_faults_add_node(faults, 6));
        assert_ok(cn_scenario_new(cube, "separate-buffers", &scenario));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.2));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 300));
        if (which == 2) /* from a faulty node */
            assert_ok(cn_traffic_trace(cube, cycles, sources, destinations, NULL, 2, &traffic));
        else
            assert_ok(cn_traffic_new(cube, which ? CN_PATTERN_UNIFORM : CN_PATTERN_BIT_COMPLEMENT,
                                     &traffic));
        if (which == 1)
            assert_ok(cn_traffic_set_on_off(traffic, 5, 5));
        assert_ok(cn_scenario_set_traffic(scenario, traffic));
        if (which == 0) {
            assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_DISCONNECTED,
                         "from node 9 to node 6, but node 6 does not survive");
        } else if (which == 1) {
            assert_ok(cn_simulate(scenario, NULL, &result));
            assert_near(value_of(result, CN_METRIC_OFFERED_LOAD), 0.2, 0.08);
            cn_result_free(&result);
        } else {
            assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_DISCONNECTED,
                         "from node 6 to node 1, but node 6 does not survive");
        }
        cn_traffic_free(&traffic);
        cn_scenario_free(&scenario);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

/* In continuous time a pattern has Poisson arrivals; other sources are refused. */
static void patterns_in_continuous_time(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        cn_topology *cube = kary(2, 4, 1);
        cn_scenario *scenario;
        cn_traffic *traffic;
        cn_result *model, *result;
        assert_ok(cn_scenario_new(cube, "separate-buffers", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.4));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000));
        assert_ok(cn_traffic_new(cube, CN_PATTERN_BIT_REVERSE, &traffic));
        assert_ok(cn_traffic_set_source(traffic, which ? CN_SOURCE_BERNOULLI : CN_SOURCE_POISSON));
        assert_ok(cn_scenario_set_traffic(scenario, traffic));
        if (which == 1) {
            assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                         "source bernoulli");
        } else {
            assert_ok(cn_predict(scenario, NULL, &model));
            assert_ok(cn_simulate(scenario, NULL, &result));
            assert_near(value_of(result, CN_METRIC_MEAN_DELAY),
                        value_of(model, CN_METRIC_MEAN_DELAY),
                        0.02 * value_of(model, CN_METRIC_MEAN_DELAY));
            cn_result_free(&model);
            cn_result_free(&result);
        }
        cn_traffic_free(&traffic);
        cn_scenario_free(&scenario);
        cn_topology_free(&cube);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_equals_the_plain_form),
        cmocka_unit_test(objects_go_the_general_way),
        cmocka_unit_test(results_do_not_depend_on_the_form),
        cmocka_unit_test(a_shared_buffer_is_deflection_without_a_limit),
        cmocka_unit_test(threads_and_steps_give_the_same_bits),
        cmocka_unit_test(variants_for_processors_give_the_same_bits),
        cmocka_unit_test(a_trace_may_need_wide_messages),
        cmocka_unit_test(room_is_used_again),
        cmocka_unit_test(what_cannot_be_numbered_is_an_error),
        cmocka_unit_test(what_cannot_run_says_why),
        cmocka_unit_test(growing_queues_are_told),
        cmocka_unit_test(traffic_to_the_dead_is_refused),
        cmocka_unit_test(patterns_in_continuous_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

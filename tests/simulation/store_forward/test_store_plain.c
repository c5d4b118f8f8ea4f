/* The kernel of stored messages against a plain simulator: node by node, cycle by cycle. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "routing/decisions/channels.h"
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

enum { NETWORKS = 16 };

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
        assert_ok(cn_topology_from_edges(9, edges, sizeof edges / sizeof edges[0] / 2, &t));
        break;
    case 10:
        assert_ok(cn_topology_from_function(11, 3, own_neighbor, NULL, &t));
        break;
    default:
        fail();
    }
    return t;
}

static void make_networks(network list[NETWORKS])
{
    const char *const names[NETWORKS] = {"cube",          "one-way rings",
                                         "two-way rings", "mesh",
                                         "torus",         "generalized",
                                         "psnn",          "de Bruijn",
                                         "tree",          "edges",
                                         "function",      "damaged cube",
                                         "damaged torus", "damaged generalized",
                                         "cut cube",      "damaged edges"};
    static const double loads[NETWORKS] = {1.2, 0.3, 0.8, 0.3, 0.6, 1.0, 0.4, 0.3,
                                           0.1, 0.2, 0.4, 0.7, 0.4, 0.7, 0.5, 0.1};
    for (size_t i = 0; i < NETWORKS; i++)
        list[i] = (network){names[i], NULL, NULL, loads[i]};
    for (size_t i = 0; i < 11; i++)
        list[i].topology = make(i);
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

static void compare_message(const pair *p, uint64_t node, const uint64_t *words,
                            const plain_message *m)
{
    const cni_store_shape *s = &p->k->shape;
    uint64_t to = m->destination;
    if (p->k->form == CNI_STORE_CUBE || p->k->form == CNI_STORE_RINGS)
        assert_ok(cn_topology_header(p->plain->topology, node, to, &to));
    assert_int_equal(words[0], m->created);
    assert_int_equal(words[1] >> s->source_shift, m->source);
    assert_int_equal(words[1] >> s->injected_shift & 1, m->injected);
    assert_int_equal(words[1] >> s->number_shift & (s->numbers - 1), m->number);
    assert_int_equal(words[1] & s->to_mask, to);
    if (p->k->form == CNI_STORE_CLASSED) {
        assert_int_equal(words[2] >> 8, m->target);
        assert_int_equal(words[2] & 255, m->class);
    }
}

static void compare_queues(const pair *p)
{
    const cni_store *k = p->k;
    const cni_store_worker *w = k->workers[0];
    for (uint64_t q = 0; q < k->shape.nodes * k->queues; q++) {
        const cni_queue *queue = &k->queue[q];
        const plain_line *line = &p->plain->line[k->separate ? q : q * k->shape.ports];
        assert_int_equal(queue->length, line->count);
        for (uint32_t i = 0; i < queue->length; i++) {
            uint64_t place = queue->block + (uint64_t)((queue->head + i) & queue->mask);
            compare_message(p, q / k->queues, w->pool.words + place * k->shape.width,
                            &line->message[i]);
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
        int is_served = cni_routing_serves(p->plain->routing, from) &&
                        cni_routing_serves(p->plain->routing, to);
        cn_status status = cn_sim_inject(p->sim, from, to, tag);
        assert_int_equal(status, is_served ? CN_OK : CN_ERR_DISCONNECTED);
        if (is_served)
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
        assert_ok(cn_sim_step(p->sim, 1));
        plain_store_step(p->plain);
        compare_queues(p);
        compare_counters(p);
        for (; fetched < p->plain->arrived_count; fetched++) {
            assert_ok(cn_sim_next_delivery(p->sim, &got, sizeof got));
            assert_int_equal(got.tag, p->plain->arrived[fetched].tag);
            assert_int_equal(got.destination, p->plain->arrived[fetched].destination);
            assert_int_equal(got.delivered, p->plain->arrived[fetched].cycle);
        }
        assert_int_equal(cn_sim_next_delivery(p->sim, &got, sizeof got), CN_DONE);
    }
    assert_true(p->plain->delivered > 20);
}

/* By name, or by an object, which takes the general way. 0: there is no such routing here, and opening says
 * so. */
static int check_run(const network *n, const char *name, const cn_routing *object, int separate,
                     cn_selection selection)
{
    cn_scenario *scenario;
    cn_routing *routing = NULL;
    pair p = {.random = 0};
    cn_status status;
    assert_ok(
        cn_scenario_new(n->topology, separate ? "separate-buffers" : "shared-buffer", &scenario));
    assert_ok(cn_scenario_set_faults(scenario, n->faults));
    assert_ok(object != NULL ? cn_scenario_set_routing(scenario, object)
                             : cn_scenario_set_routing_name(scenario, name));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, n->load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, selection));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set_seed(scenario, 7));
    status = cni_scenario_open_routing("test", scenario, &routing);
    if (status != CN_OK) {
        assert_int_equal(cn_sim_open(scenario, &p.sim), status);
        cn_scenario_free(&scenario);
        return 0;
    }
    assert_ok(cn_sim_open(scenario, &p.sim));
    p.k = p.sim->state;
    p.plain = plain_store_open(n->topology, n->faults, routing, separate, selection, n->load, 7);
    run_pair(&p);
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
    assert_ok(cn_topology_distance(t, node, destination, &here));
    for (uint32_t p = 0; p < cn_topology_max_degree(t); p++) {
        if (cn_topology_neighbor(t, node, p, &to) != CN_OK)
            continue;
        assert_ok(cn_topology_distance(t, to, destination, &there));
        channels[p] = there < here;
    }
    return CN_OK;
}

/* An object of the same routing takes the general way: the same messages in the same queues as the special
 * one, since both equal the plain form. */
static void objects_go_the_general_way(void **state)
{
    (void)state;
    static const char *const names[] = {"preferred", "minimal"};
    network list[NETWORKS];
    make_networks(list);
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_routing *r;
        for (size_t j = 0; j < 2; j++)
            if (cn_routing_new(list[i].topology, names[j], list[i].faults, &r) == CN_OK) {
                assert_int_equal(check_all(&list[i], NULL, r), 5);
                cn_routing_free(&r);
            }
        if (list[i].faults != NULL)
            continue;
        assert_ok(cn_routing_own(list[i].topology, 1, turn, NULL, list[i].topology, &r));
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
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, slotted));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 50));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 400));
    assert_ok(cn_simulate(scenario, &result));
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
                assert_ok(cn_routing_new(t, "preferred", NULL, &r));
                cn_result *special = run(t, system, NULL, loads[l], which > 0);
                cn_result *general = run(t, system, r, loads[l], which > 0);
                assert_same_result(special, general);
                cn_result_free(&special);
                cn_result_free(&general);
                cn_routing_free(&r);
                cn_topology_free(&t);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_equals_the_plain_form),
        cmocka_unit_test(objects_go_the_general_way),
        cmocka_unit_test(results_do_not_depend_on_the_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Scenarios, simulations and studies: the bytes are a program of calls on a few objects of one
 * network (and some of another of any family), in any order and with any arguments. What a call
 * accepts is to be read back, messages are neither lost nor made, and a stepped run and
 * cn_simulate() give the same bits. Some handles are wrong: of another type, or of an object that
 * was freed.
 */
#include "input.h"

#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/shape.h"
#include "cubenet/experimental/study.h"
#include "cubenet/experimental/damage.h"

#include <math.h>
#include <string.h>

enum { MOST_NODES = 32, MOST_CALLS = 48, OBJECTS = 2, MOST_TAGS = 256, MOST_CYCLES = 96 };

/* A running simulation and what is known of it from outside. */
typedef struct run {
    cn_sim *sim;
    int alone;                /* nothing but injected messages */
    uint64_t admitted;        /* injected messages, and how many of them came out */
    uint64_t delivered;       /* also: the tag of the next one is admitted */
    uint8_t state[MOST_TAGS]; /* by tag: 1 admitted, 2 delivered */
    uint64_t cost;            /* node cycles, so that an input takes a moment only */
} run;

typedef struct pool {
    input *in;
    cn_topology *network[OBJECTS];
    cn_faults *faults[OBJECTS];
    cn_subnet *subnet[OBJECTS];
    cn_traffic *traffic[OBJECTS];
    cn_operations *operations[OBJECTS];
    cn_scenario *scenario[OBJECTS];
    cn_study *study[OBJECTS];
    cn_result *result;
    void *freed; /* an object that was */
    run run;
} pool;

/* Most often the first, sometimes NULL. */
#define PICK(p, objects) \
    (input_below((p)->in, 16) == 15 ? NULL : (p)->objects[input_below((p)->in, 4) == 3])

static cn_topology *pick_network(pool *p)
{
    return p->network[input_below(p->in, 8) == 7];
}

static uint64_t pick_node(pool *p, const cn_topology *network)
{
    uint64_t nodes = cn_topology_node_count(network);
    uint8_t byte = input_byte(p->in);
    return byte >= 250 || nodes == 0 ? input_hostile(p->in) : byte % nodes;
}

/* ---- wrong handles ---- */

/* A living object of any type, one that was freed a moment ago, or none of the library's. */
static void *wrong_handle(pool *p, int *type)
{
    static uint64_t foreign[64] = {17};
    uint8_t which = input_byte(p->in), at = which / 16 % 2;
    void *const objects[] = {p->network[at],    p->faults[at],   p->subnet[at], p->traffic[at],
                             p->operations[at], p->scenario[at], p->study[at],  p->result,
                             p->run.sim,        p->freed,        foreign};
    *type = which % 16;
    return *type < (int)(sizeof objects / sizeof objects[0]) ? objects[*type] : NULL;
}

static void free_one(pool *p)
{
    cn_faults *faults = NULL;
    if (p->freed != NULL || !MAKES(cn_faults_new(p->network[0], &faults), faults))
        return;
    p->freed = faults;
    memory_keeps(1);
    cn_faults_free(&faults);
    memory_keeps(0);
}

static void call_with_wrong_handle(pool *p)
{
    enum { NETWORK, FAULTS, SUBNET, TRAFFIC, OPERATIONS, SCENARIO, STUDY, RESULT, SIM };
    int type;
    void *handle = wrong_handle(p, &type);
    double value;
    uint64_t number;
    size_t count;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    switch (input_below(p->in, 10)) {
    case 0:
        if (type != NETWORK)
            CHECK(CALL(cn_scenario_new(handle, "deflection", &scenario)) == CN_ERR_ARGUMENT &&
                  scenario == NULL && cn_topology_node_count(handle) == 0);
        break;
    case 1:
        if (type != FAULTS)
            CHECK(CALL(cn_faults_add_node(handle, 0)) == CN_ERR_ARGUMENT);
        break;
    case 2:
        if (type != SUBNET)
            CHECK(CALL(cn_subnet_rebuild(handle, p->faults[0], NULL)) == CN_ERR_ARGUMENT);
        break;
    case 3:
        if (type != TRAFFIC)
            CHECK(CALL(cn_traffic_senders(handle, &number)) == CN_ERR_ARGUMENT);
        break;
    case 4:
        if (type != OPERATIONS)
            CHECK(CALL(cn_operations_add_broadcast(handle, 0, 0)) == CN_ERR_ARGUMENT);
        break;
    case 5:
        if (type != SCENARIO)
            CHECK(CALL(cn_simulate(handle, NULL, &result)) == CN_ERR_ARGUMENT && result == NULL);
        break;
    case 6:
        if (type != STUDY)
            CHECK(CALL(cn_study_run(handle, NULL, &result)) == CN_ERR_ARGUMENT && result == NULL);
        break;
    case 7:
        if (type != RESULT)
            CHECK(CALL(cn_result_value(handle, CN_METRIC_MEAN_DELAY, &value)) == CN_ERR_ARGUMENT);
        break;
    case 8:
        if (type != SIM)
            CHECK(CALL(cn_sim_deadlock(handle, NULL, 0, &count)) == CN_ERR_ARGUMENT);
        break;
    default:
        /* NULL would be none */
        if (handle != NULL && type != FAULTS)
            CHECK(CALL(cn_scenario_set_faults(p->scenario[0], handle)) == CN_ERR_ARGUMENT);
        break;
    }
}

/* ---- results ---- */

static double value_of(const cn_result *result, cn_metric metric)
{
    double value = -1.0;
    CHECK(CALL(cn_result_value(result, metric, &value)) == CN_OK);
    return value;
}

static void check_result(const cn_result *result)
{
    for (int m = 0; m <= (int)cn_metric_count() + 1; m++) {
        double value, half_width;
        uint64_t samples;
        cn_status status = CALL(cn_result_value(result, (cn_metric)m, &value));
        CHECK((status == CN_OK) == cn_result_has(result, (cn_metric)m));
        CHECK(cn_result_half_width(result, (cn_metric)m, &half_width) == status);
        CHECK(cn_result_samples(result, (cn_metric)m, &samples) == status);
        if (status != CN_OK)
            continue;
        CHECK(!isnan(value) && !isnan(half_width) && half_width >= 0.0);
    }
    if (!cn_result_has(result, CN_METRIC_MESSAGES_OFFERED))
        return;
    double accepted = value_of(result, CN_METRIC_MESSAGES_ACCEPTED);
    /* whole numbers, but for the means over the patterns of a study */
    double rounding = cn_result_has(result, CN_METRIC_SURVIVOR_FRACTION) ? 1e-12 * accepted : 0.0;
    CHECK(fabs(value_of(result, CN_METRIC_MESSAGES_OFFERED) - accepted -
               value_of(result, CN_METRIC_MESSAGES_REFUSED)) <= rounding);
    CHECK(fabs(accepted - value_of(result, CN_METRIC_MESSAGES_DELIVERED) -
               value_of(result, CN_METRIC_MESSAGES_IN_FLIGHT)) <= rounding);
    CHECK(value_of(result, CN_METRIC_MESSAGES_IN_FLIGHT) >= 0.0);
    CHECK(value_of(result, CN_METRIC_MESSAGES_REFUSED) >= 0.0);
}

static void check_same_results(const cn_result *a, const cn_result *b)
{
    for (int m = 1; m <= (int)cn_metric_count(); m++) {
        double x, y;
        CHECK(cn_result_has(a, (cn_metric)m) == cn_result_has(b, (cn_metric)m));
        if (!cn_result_has(a, (cn_metric)m))
            continue;
        CHECK(cn_result_value(a, (cn_metric)m, &x) == CN_OK);
        CHECK(cn_result_value(b, (cn_metric)m, &y) == CN_OK);
        CHECK(memcmp(&x, &y, sizeof x) == 0);
        CHECK(cn_result_half_width(a, (cn_metric)m, &x) == CN_OK);
        CHECK(cn_result_half_width(b, (cn_metric)m, &y) == CN_OK);
        CHECK(memcmp(&x, &y, sizeof x) == 0);
    }
}

/* ---- what a scenario may hold ---- */

static void make_faults(pool *p)
{
    cn_topology *network = pick_network(p);
    cn_faults **faults = &p->faults[network == p->network[1]];
    if (*faults == NULL && !MAKES(cn_faults_new(network, faults), *faults))
        return;
    uint64_t node = pick_node(p, network);
    uint32_t port = (uint32_t)input_below(p->in, 5);
    switch (input_below(p->in, 4)) {
    case 0:
        CALL(cn_faults_add_node(*faults, node));
        break;
    case 1:
        CALL(cn_faults_add_link(*faults, node, port));
        break;
    case 2:
        CALL(cn_faults_add_random_nodes(*faults, input_below(p->in, 5), 1));
        break;
    default:
        CALL(cn_faults_clear(*faults));
        break;
    }
}

static void make_subnet(pool *p)
{
    cn_faults *faults = PICK(p, faults);
    cn_subnet **subnet = &p->subnet[input_below(p->in, 2)];
    cn_subnet_free(subnet);
    cn_control *control = NULL;
    uint64_t chosen = input_below(p->in, MOST_NODES);
    switch (input_below(p->in, 5)) {
    case 0:
        MAKES(cn_subnet_degraded(faults, (uint32_t)chosen, CN_LINK_IS_BAD, NULL, subnet), *subnet);
        break;
    case 1:
        MAKES(cn_subnet_convex(faults, NULL, subnet), *subnet);
        break;
    case 2:
        MAKES(cn_subnet_minimal(faults, NULL, subnet), *subnet);
        break;
    case 3:
        if (MAKES(cn_control_new(&control), control))
            CHECK(CALL(cn_control_set_steps(control, chosen)) == CN_OK);
        MAKES(cn_subnet_optimum(faults, control, subnet, NULL, NULL), *subnet);
        cn_control_free(&control);
        break;
    default:
        MAKES(cn_subnet_chosen(faults, &chosen, 1, subnet), *subnet);
        break;
    }
}

static cn_status make_trace(pool *p, const cn_topology *network, cn_traffic **traffic)
{
    uint64_t cycles[8], sources[8], destinations[8], flits[8];
    size_t count = (size_t)input_below(p->in, 9);
    for (size_t i = 0; i < count; i++) {
        cycles[i] = (i > 0 ? cycles[i - 1] : 0) + input_hostile(p->in);
        sources[i] = pick_node(p, network);
        destinations[i] = pick_node(p, network);
        flits[i] = input_hostile(p->in);
    }
    int long_ones = input_below(p->in, 2) == 1;
    return CALL(cn_traffic_trace(network, cycles, sources, destinations, long_ones ? flits : NULL,
                                 count, traffic));
}

static cn_status make_table(pool *p, const cn_topology *network, int matrix, cn_traffic **traffic)
{
    static double weights[MOST_NODES * MOST_NODES];
    uint64_t destinations[MOST_NODES], nodes = cn_topology_node_count(network);
    for (uint64_t i = 0; i < nodes && !matrix; i++)
        destinations[i] = pick_node(p, network);
    if (!matrix)
        return CALL(cn_traffic_destinations(network, destinations, nodes, traffic));
    for (uint64_t i = 0; i < nodes * nodes; i++)
        weights[i] = i % (nodes + 1) == 0 || p->in->left == 0 ? 0.0 : input_real(p->in);
    return CALL(cn_traffic_matrix(network, weights, nodes * nodes, traffic));
}

static cn_status make_locality(pool *p, const cn_topology *network, cn_traffic **traffic)
{
    double weights[8];
    for (int i = 0; i < 8; i++)
        weights[i] = input_real(p->in);
    return CALL(cn_traffic_locality(network, weights, input_below(p->in, 9), traffic));
}

static void check_traffic(pool *p, const cn_topology *network, cn_traffic *traffic)
{
    double probability, sum = 0.0;
    uint64_t source = input_byte(p->in) % cn_topology_node_count(network), senders;
    double on = input_real(p->in), off = input_real(p->in);
    if (input_below(p->in, 2) == 1)
        CALL(cn_traffic_set_source(traffic, (cn_source)input_below(p->in, 6)));
    else
        CALL(cn_traffic_set_on_off(traffic, on, off));
    CHECK(CALL(cn_traffic_senders(traffic, &senders)) == CN_OK);
    CHECK(senders <= cn_topology_node_count(network));
    for (uint64_t v = 0; v < cn_topology_node_count(network); v++) {
        CHECK(CALL(cn_traffic_probability(traffic, source, v, &probability)) == CN_OK);
        CHECK(probability >= 0.0 && probability <= 1.0 && (v != source || probability == 0.0));
        sum += probability;
    }
    CHECK(fabs(sum) < 1e-9 || fabs(sum - 1.0) < 1e-9);
    CALL(cn_traffic_mean_distance(traffic, NULL, &probability));
}

static void make_traffic(pool *p)
{
    cn_topology *network = pick_network(p);
    cn_traffic **traffic = &p->traffic[network == p->network[1]];
    cn_status status;
    cn_traffic_free(traffic);
    switch (input_below(p->in, 8)) {
    case 0:
    case 1:
        status = CALL(cn_traffic_new(network, (cn_pattern)input_below(p->in, 14), traffic));
        break;
    case 2: {
        uint64_t node = pick_node(p, network);
        status = CALL(cn_traffic_hotspot(network, node, input_real(p->in), traffic));
        break;
    }
    case 3:
        status = CALL(cn_traffic_permutation(network, input_byte(p->in), traffic));
        break;
    case 4:
        status = make_locality(p, network, traffic);
        break;
    case 5:
        status = CALL(cn_traffic_geometric_locality(network, input_real(p->in), traffic));
        break;
    case 6:
        status = make_table(p, network, input_below(p->in, 2) == 1, traffic);
        break;
    default:
        status = make_trace(p, network, traffic);
        break;
    }
    CHECK((status == CN_OK) == (*traffic != NULL));
    if (status == CN_OK)
        check_traffic(p, network, *traffic);
}

static void make_operations(pool *p)
{
    cn_topology *network = pick_network(p);
    cn_operations **list = &p->operations[network == p->network[1]];
    uint64_t destinations[4], source = pick_node(p, network), start = input_hostile(p->in);
    if (*list == NULL && !MAKES(cn_operations_new(network, list), *list))
        return;
    size_t before = cn_operations_count(*list), count = (size_t)input_below(p->in, 5);
    for (size_t i = 0; i < count; i++)
        destinations[i] = pick_node(p, network);
    cn_status status = count == 0
                           ? CALL(cn_operations_add_broadcast(*list, source, start))
                           : CALL(cn_operations_add(*list, source, destinations, count, start));
    CHECK(cn_operations_count(*list) == before + (status == CN_OK));
}

/* ---- scenarios ---- */

static void make_scenario(pool *p)
{
    cn_scenario **scenario = &p->scenario[input_below(p->in, 2)];
    const char *system = cn_system_name(input_below(p->in, cn_system_count()));
    cn_scenario_free(scenario);
    MAKES(cn_scenario_new(pick_network(p), system, scenario), *scenario);
}

static void set_parameter(pool *p)
{
    cn_scenario *scenario = PICK(p, scenario);
    cn_param param = (cn_param)input_below(p->in, cn_param_count() + 2);
    double value = input_real(p->in), before = 0.0, after = 0.0;
    cn_status taken = CALL(cn_scenario_get(scenario, param, &before));
    CHECK((taken == CN_OK) == (cn_scenario_takes(scenario, param) == 1));
    cn_status status = CALL(cn_scenario_set(scenario, param, value));
    CHECK(status != CN_OK || taken == CN_OK);
    if (taken != CN_OK)
        return;
    CHECK(cn_scenario_get(scenario, param, &after) == CN_OK);
    CHECK(after == (status == CN_OK ? value : before));
}

static void attach(pool *p)
{
    cn_scenario *scenario = PICK(p, scenario);
    switch (input_below(p->in, 6)) {
    case 0:
        CALL(cn_scenario_set_faults(scenario, PICK(p, faults)));
        break;
    case 1:
        CALL(cn_scenario_set_subnet(scenario, PICK(p, subnet)));
        break;
    case 2:
    case 3:
        CALL(cn_scenario_set_traffic(scenario, PICK(p, traffic)));
        break;
    case 4:
        CALL(cn_scenario_set_operations(scenario, PICK(p, operations)));
        break;
    default:
        CALL(cn_scenario_set_seed(scenario, input_word(p->in)));
        break;
    }
}

static void limit(cn_scenario *scenario, cn_param param, double most)
{
    double value;
    if (cn_scenario_takes(scenario, param) == 1 &&
        cn_scenario_get(scenario, param, &value) == CN_OK && value > most)
        CHECK(CALL(cn_scenario_set(scenario, param, most)) == CN_OK);
}

/* What costs time or memory in proportion to its value, as documented, comes down to a moment's
 * worth. */
static void limit_cost(cn_scenario *scenario)
{
    static const struct {
        cn_param param;
        double most;
    } limits[] = {
        {CN_PARAM_LOAD, 12.0},
        {CN_PARAM_BUFFERS, 24.0},
        {CN_PARAM_WARMUP_CYCLES, 32.0},
        {CN_PARAM_MEASURE_CYCLES, MOST_CYCLES},
        {CN_PARAM_REPLICATIONS, 3.0},
        {CN_PARAM_THREADS, 2.0},
        {CN_PARAM_MESSAGE_FLITS, 64.0},
        {CN_PARAM_FLIT_BUFFERS, 64.0},
        {CN_PARAM_OPERATIONS, 16.0},
        {CN_PARAM_START_CYCLES, 64.0},
        {CN_PARAM_DESTINATIONS, 64.0},
        {CN_PARAM_OPERATION_RATE, 12.0},
        {CN_PARAM_TRANSIT_BUFFERS, 24.0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        limit(scenario, limits[i].param, limits[i].most);
}

static void keep_result(pool *p, cn_result **result)
{
    check_result(*result);
    cn_result_free(&p->result);
    p->result = *result;
    *result = NULL;
}

static void predict(pool *p)
{
    cn_scenario *scenario = PICK(p, scenario);
    cn_result *result = NULL;
    limit(scenario, CN_PARAM_BUFFERS, 24.0);
    limit(scenario, CN_PARAM_MESSAGE_FLITS, 1000.0);
    if (MAKES(cn_predict(scenario, NULL, &result), result)) {
        CHECK(cn_result_stop(result) == CN_STOP_MODEL);
        keep_result(p, &result);
    }
}

/* The same cycles stepped by hand, in two parts and with another number of threads. */
static void check_stepped(pool *p, cn_scenario *scenario, const cn_result *expected)
{
    double warmup, measured, precision, replications;
    cn_sim *sim = NULL;
    cn_result *result = NULL;
    if (cn_scenario_get(scenario, CN_PARAM_WARMUP_CYCLES, &warmup) != CN_OK ||
        cn_scenario_get(scenario, CN_PARAM_MEASURE_CYCLES, &measured) != CN_OK ||
        cn_scenario_get(scenario, CN_PARAM_RELATIVE_PRECISION, &precision) != CN_OK ||
        cn_scenario_get(scenario, CN_PARAM_REPLICATIONS, &replications) != CN_OK ||
        replications != 1.0 || precision != 0.0 || cn_result_stop(expected) != CN_STOP_CYCLES)
        return;
    if (warmup == CN_WARMUP_AUTOMATIC)
        CHECK(cn_result_value(expected, CN_METRIC_WARMUP_CYCLES, &warmup) == CN_OK);
    uint64_t cycles = (uint64_t)(warmup + measured), part = input_below(p->in, cycles + 1);
    CHECK(CALL(cn_scenario_set(scenario, CN_PARAM_THREADS, 2.0)) == CN_OK);
    CHECK(MAKES(cn_sim_open(scenario, NULL, &sim), sim));
    CHECK(CALL(cn_sim_step(sim, part, NULL)) == CN_OK);
    CHECK(CALL(cn_sim_step(sim, cycles - part, NULL)) == CN_OK && cn_sim_cycle(sim) == cycles);
    CHECK(MAKES(cn_sim_result(sim, &result), result));
    check_same_results(expected, result);
    cn_result_free(&result);
    cn_sim_close(&sim);
}

static void simulate(pool *p)
{
    cn_scenario *scenario = PICK(p, scenario);
    cn_result *result = NULL;
    limit_cost(scenario);
    p->run.cost += MOST_CYCLES * MOST_NODES;
    if (MAKES(cn_simulate(scenario, NULL, &result), result)) {
        check_stepped(p, scenario, result);
        keep_result(p, &result);
    }
}

/* Parts of the models that can be asked alone. */
static void ask_models(pool *p)
{
    double values[80], matrix[16 * 16];
    uint32_t n = (uint32_t)input_below(p->in, 66);
    double number = input_real(p->in);
    uint64_t radix = input_hostile(p->in), states, messages = input_below(p->in, 40);
    switch (input_below(p->in, 8)) {
    case 0:
        CALL(cn_deflection_hops(n, number, values, 80, NULL));
        break;
    case 1:
        CALL(cn_shared_buffer_queue(n, number, values, 80));
        CALL(cn_separate_buffers_arrivals(n, number, values, 80));
        CALL(cn_separate_buffers_queue(n, number, values, 80));
        CALL(cn_optimistic_bound_queue(n, number, values, 80));
        break;
    case 2:
        CALL(cn_bisection_cycle_time(radix, (int)(n % 2), number, values));
        break;
    case 3:
        CALL(cn_assignment_phase_one(n, messages, values, 80, NULL));
        break;
    case 4:
        CALL(cn_assignment_both_phases(n, 32, messages, values, 80, NULL));
        break;
    case 5:
        CALL(cn_deflection_queue(n, messages, number, input_real(p->in), NULL, values, 80, NULL));
        break;
    case 6:
        CALL(cn_deflection_headers(p->network[0], n % 4, number, NULL, values, matrix, 16, NULL));
        break;
    default:
        CALL(cn_deflection_mean_hops(p->network[0], n % 4, number, NULL, values, &states));
        break;
    }
}

/* ---- a driven simulation ---- */

static void open_run(pool *p)
{
    cn_scenario *scenario = PICK(p, scenario);
    double load = 1.0, operations;
    run *r = &p->run;
    uint64_t cost = r->cost;
    cn_sim_close(&r->sim);
    memset(r, 0, sizeof *r);
    r->cost = cost;
    limit_cost(scenario);
    if (!MAKES(cn_sim_open(scenario, NULL, &r->sim), r->sim))
        return;
    /* a trace and operations bring messages, too */
    r->alone = cn_scenario_get(scenario, CN_PARAM_LOAD, &load) == CN_OK && load == 0.0 &&
               cn_scenario_get(scenario, CN_PARAM_OPERATIONS, &operations) != CN_OK &&
               CALL(cn_scenario_set_traffic(scenario, NULL)) == CN_OK;
    if (r->alone) {
        cn_sim_close(&r->sim);
        MAKES(cn_sim_open(scenario, NULL, &r->sim), r->sim);
    }
}

static void step(pool *p)
{
    uint64_t cycles = input_below(p->in, MOST_CYCLES), before = cn_sim_cycle(p->run.sim);
    p->run.cost += cycles * MOST_NODES;
    if (CALL(cn_sim_step(p->run.sim, cycles, NULL)) == CN_OK)
        CHECK(cn_sim_cycle(p->run.sim) == before + cycles);
}

static void inject(pool *p)
{
    run *r = &p->run;
    const cn_topology *network = p->network[0];
    uint64_t source = pick_node(p, network), tag = r->admitted;
    if (r->admitted >= MOST_TAGS)
        return;
    cn_status status =
        input_below(p->in, 8) == 7
            ? CALL(cn_sim_inject_broadcast(
                  r->sim, source, tag % 3 == 0 ? (uint32_t)(tag % 8) : CN_BASE_OF_SCENARIO, tag))
            : CALL(cn_sim_inject(r->sim, source, pick_node(p, network), 0, tag));
    if (status == CN_OK) {
        r->state[tag] = 1;
        r->admitted++;
    }
}

static void fetch(pool *p)
{
    run *r = &p->run;
    cn_delivery delivery;
    if (r->sim == NULL)
        return;
    cn_status status;
    while ((status = CALL(cn_sim_next_delivery(r->sim, &delivery, sizeof delivery))) == CN_OK) {
        CHECK(delivery.tag < r->admitted && r->state[delivery.tag] == 1);
        CHECK(delivery.injected <= delivery.delivered);
        CHECK(delivery.delivered <= cn_sim_cycle(r->sim));
        r->state[delivery.tag] = 2;
        r->delivered++;
    }
    CHECK(status == CN_DONE);
}

static void check_run(pool *p)
{
    run *r = &p->run;
    uint64_t loads[MOST_NODES * MOST_NODES], dependent[MOST_NODES * MOST_NODES];
    size_t count;
    cn_result *result = NULL;
    CALL(cn_sim_channel_loads(r->sim, loads, MOST_NODES * MOST_NODES, &count));
    CALL(cn_sim_deadlock(r->sim, dependent, MOST_NODES * MOST_NODES, &count));
    if (!MAKES(cn_sim_result(r->sim, &result), result))
        return;
    fetch(p);
    /* broadcasts count as the system counts them */
    if (r->alone && strcmp(cn_result_system(result), "collective") != 0) {
        CHECK(value_of(result, CN_METRIC_MESSAGES_ACCEPTED) == (double)r->admitted);
        CHECK(value_of(result, CN_METRIC_MESSAGES_DELIVERED) == (double)r->delivered);
    }
    keep_result(p, &result);
}

/* ---- studies ---- */

/* A number that may be wrong, for anything that a study has a number for. */
static void set_in_study(pool *p, cn_study *study)
{
    cn_study_param what = (cn_study_param)input_below(p->in, CN_STUDY_THREADS + 2);
    /* C does not say in which order arguments are computed */
    double whole = (double)input_hostile(p->in), real = input_real(p->in);
    int is_real = input_byte(p->in) % 2;
    /* patterns and threads are set where the study is run */
    if (what != CN_STUDY_PATTERNS && what != CN_STUDY_THREADS)
        CALL(cn_study_set(study, what, is_real ? real : whole));
}

static void change_study(pool *p)
{
    cn_topology *network = pick_network(p);
    cn_study **study = &p->study[network == p->network[1]];
    if (*study == NULL && !MAKES(cn_study_new(network, study), *study))
        return;
    switch (input_below(p->in, 4)) {
    case 0:
    case 1:
        set_in_study(p, *study);
        break;
    case 2:
        CALL(cn_study_set_faults(*study, PICK(p, faults)));
        break;
    default: {
        cn_scenario *scenario = PICK(p, scenario);
        limit_cost(scenario);
        CALL(cn_study_set_scenario(*study, scenario, (int)input_below(p->in, 2)));
        break;
    }
    }
}

static void run_study(pool *p)
{
    cn_study *study = PICK(p, study);
    cn_result *result = NULL, *again = NULL;
    if (study == NULL)
        return;
    CHECK(CALL(cn_study_set(study, CN_STUDY_PATTERNS, 1 + (double)input_below(p->in, 3))) == CN_OK);
    CHECK(CALL(cn_study_set(study, CN_STUDY_THREADS, 1)) == CN_OK);
    p->run.cost += 6 * MOST_CYCLES * MOST_NODES;
    if (!MAKES(cn_study_run(study, NULL, &result), result))
        return;
    CHECK(CALL(cn_study_set(study, CN_STUDY_THREADS, 2)) == CN_OK);
    CHECK(MAKES(cn_study_run(study, NULL, &again), again));
    check_same_results(result, again);
    cn_result_free(&again);
    keep_result(p, &result);
}

/* ---- the program ---- */

typedef void (*call_fn)(pool *p);

static void run_program(pool *p)
{
    static const call_fn calls[] = {
        make_faults,
        make_subnet,
        make_traffic,
        make_operations,
        make_scenario,
        set_parameter,
        set_parameter,
        attach,
        attach,
        predict,
        simulate,
        open_run,
        step,
        step,
        inject,
        inject,
        fetch,
        check_run,
        change_study,
        run_study,
        ask_models,
        free_one,
        call_with_wrong_handle,
    };
    enum { CALLS = sizeof calls / sizeof calls[0], MOST_COST = 48 * MOST_CYCLES * MOST_NODES };
    for (int i = 0; i < MOST_CALLS && p->in->left > 0 && p->run.cost < MOST_COST; i++)
        calls[input_below(p->in, CALLS)](p);
}

static void close_pool(pool *p)
{
    for (int i = 0; i < OBJECTS; i++) {
        cn_topology_free(&p->network[i]);
        cn_faults_free(&p->faults[i]);
        cn_subnet_free(&p->subnet[i]);
        cn_traffic_free(&p->traffic[i]);
        cn_operations_free(&p->operations[i]);
        cn_scenario_free(&p->scenario[i]);
        cn_study_free(&p->study[i]);
    }
    cn_result_free(&p->result);
    cn_sim_close(&p->run.sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static pool p;
    input in = {data, size};
    memory_begins();
    p = (pool){.in = &in};
    p.network[0] = network_small(&in, MOST_NODES);
    /* of another family, of the same in another size, or the same once more; sometimes none */
    p.network[1] = network_small(&in, MOST_NODES);
    if (p.network[0] != NULL)
        run_program(&p);
    close_pool(&p);
    memory_ends();
    return 0;
}

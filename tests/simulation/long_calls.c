/* Runs, models, studies and routings; and the objects. */
#include "simulation/long_calls.h"

#include "cubenet/experimental/damage.h"
#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/part.h"
#include "cubenet/experimental/shape.h"
#include "cubenet/experimental/shard.h"

objects have;

static cn_scenario *scenario_of(cn_topology *topology, const char *system, double load)
{
    cn_scenario *made;
    assert_ok(cn_scenario_new(topology, system, &made));
    if (load > 0.0)
        assert_ok(cn_scenario_set(made, CN_PARAM_LOAD, load));
    return made;
}

void set_cycles(cn_scenario *scenario, double warmup, double measured)
{
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, warmup));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, measured));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.0));
}

static int no_exchange(void *user, int call, uint64_t number, cn_part_neighbor *const neighbors[],
                       size_t count)
{
    (void)user;
    (void)call;
    (void)number;
    (void)neighbors;
    return count > 0;
}

void make_objects(void)
{
    assert_ok(cn_topology_hypercube(9, &have.cube));
    assert_ok(cn_topology_psnn(11, &have.shuffle));
    have.plain = support_as_edges(have.shuffle);
    assert_ok(cn_topology_hypercube(7, &have.small));
    assert_ok(cn_topology_psnn(8, &have.tall));
    assert_ok(cn_topology_psnn(6, &have.low));
    assert_ok(cn_topology_psnn(15, &have.wide));
    assert_ok(cn_topology_hypercube(14, &have.large));
    assert_ok(cn_faults_new(have.cube, &have.faults));
    assert_ok(cn_faults_add_random_nodes(have.faults, 40, 1));
    assert_ok(cn_hierarchy_new(have.faults, NULL, &have.hierarchy));
    assert_ok(cn_hierarchy_make_tables(have.hierarchy, NULL));
    assert_ok(cn_faults_new(have.large, &have.damage));
    assert_ok(cn_faults_add_random_nodes(have.damage, 1600, 1));
    assert_ok(cn_subnet_degraded(have.damage, 1, CN_LINK_IS_BAD, NULL, &have.degraded));
    assert_ok(cn_subnet_convex(have.damage, NULL, &have.convex));
    assert_ok(cn_topology_hypercube(10, &have.medium));
    assert_ok(cn_faults_new(have.medium, &have.few));
    assert_ok(cn_faults_add_random_nodes(have.few, 120, 1));
    assert_ok(cn_tree_breadth_first(have.wide, 0, NULL, &have.tree));
    assert_ok(cn_traffic_new(have.shuffle, CN_PATTERN_UNIFORM, &have.traffic));
    assert_ok(cn_routing_new(have.tall, "up-down", NULL, NULL, &have.up_down));
    assert_ok(cn_traffic_permutation(have.large, 1, &have.permuted));
    assert_ok(cn_traffic_new(have.tall, CN_PATTERN_UNIFORM, &have.spread));
    have.run = scenario_of(have.cube, "deflection", 0.5);
    set_cycles(have.run, 20, 400);
    have.runs = scenario_of(have.cube, "separate-buffers", 0.2);
    set_cycles(have.runs, 20, 150);
    assert_ok(cn_scenario_set(have.runs, CN_PARAM_REPLICATIONS, 3));
    assert_ok(cn_scenario_set(have.runs, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_scenario_set(have.runs, CN_PARAM_THREADS, 2));
    have.model = scenario_of(have.tall, "separate-buffers", 0.02);
    have.chain = scenario_of(have.cube, "deflection", 0.5);
    assert_ok(cn_scenario_set(have.chain, CN_PARAM_BUFFERS, 1000));
    have.light = scenario_of(have.small, "separate-buffers", 0.0);
    set_cycles(have.light, 20, 150);
    have.operations = scenario_of(have.cube, "collective", 0.0);
    assert_ok(cn_study_new(have.cube, &have.study));
    assert_ok(cn_study_set(have.study, CN_STUDY_RANDOM_NODES, 20));
    assert_ok(cn_study_set(have.study, CN_STUDY_PATTERNS, 10));
    assert_ok(cn_sim_open(have.run, NULL, &have.sim));
    have.worms = scenario_of(have.tall, "wormhole", 0.001);
    assert_ok(cn_scenario_set_routing_name(have.worms, "up-down-adaptive"));
    assert_ok(cn_sim_open(have.worms, NULL, &have.at_rest));
    assert_ok(cn_sim_save(have.at_rest, have.snapshot, sizeof have.snapshot, &have.snapshot_size));
    have.broadcasts = scenario_of(have.small, "wormhole", 0.0);
    assert_ok(cn_scenario_set(have.broadcasts, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_ok(cn_scenario_set(have.broadcasts, CN_PARAM_BROADCAST_FRACTION, 0.1));
    have.many = scenario_of(have.small, "collective", 0.0);
    assert_ok(cn_scenario_set(have.many, CN_PARAM_OPERATIONS, 200000));
    assert_ok(cn_scenario_set(have.many, CN_PARAM_START_CYCLES, 1000));
    have.wandering = scenario_of(have.shuffle, "collective", 0.0);
    assert_ok(cn_scenario_set(have.wandering, CN_PARAM_TREE, CN_TREE_LEAST_USED));
    assert_ok(cn_scenario_set(have.wandering, CN_PARAM_DESTINATIONS, 1));
    have.divided = scenario_of(have.shuffle, "deflection", 0.01);
    set_cycles(have.divided, 20, 400);
    assert_ok(cn_sim_open_part(have.divided, 1, 2, no_exchange, NULL, NULL, &have.part));
    assert_ok(cn_sim_save(have.part, have.saved_part, sizeof have.saved_part, &have.part_size));
    make_texts();
}

void free_objects(void)
{
    free_texts();
    cn_sim_close(&have.sim);
    cn_sim_close(&have.at_rest);
    cn_sim_close(&have.part);
    cn_scenario_free(&have.divided);
    cn_scenario_free(&have.worms);
    cn_scenario_free(&have.broadcasts);
    cn_scenario_free(&have.many);
    cn_scenario_free(&have.wandering);
    cn_study_free(&have.study);
    cn_scenario_free(&have.run);
    cn_scenario_free(&have.runs);
    cn_scenario_free(&have.model);
    cn_scenario_free(&have.chain);
    cn_scenario_free(&have.light);
    cn_scenario_free(&have.operations);
    cn_routing_free(&have.up_down);
    cn_traffic_free(&have.traffic);
    cn_traffic_free(&have.permuted);
    cn_traffic_free(&have.spread);
    cn_tree_free(&have.tree);
    cn_subnet_free(&have.degraded);
    cn_subnet_free(&have.convex);
    cn_faults_free(&have.damage);
    cn_faults_free(&have.few);
    cn_hierarchy_free(&have.hierarchy);
    cn_faults_free(&have.faults);
    cn_topology_free(&have.cube);
    cn_topology_free(&have.shuffle);
    cn_topology_free(&have.plain);
    cn_topology_free(&have.small);
    cn_topology_free(&have.tall);
    cn_topology_free(&have.low);
    cn_topology_free(&have.wide);
    cn_topology_free(&have.medium);
    cn_topology_free(&have.large);
}

/* What a call that makes a result found; a cancelled one may have none. */
static cn_status value_in(cn_status status, cn_metric metric, cn_result *result, double *value)
{
    if (result != NULL && cn_result_has(result, metric))
        *value = value_of(result, metric);
    cn_result_free(&result);
    return status;
}

static cn_status simulate(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_simulate(have.run, control, &result);
    return value_in(status, CN_METRIC_MEAN_DELAY, result, value);
}

static cn_status simulate_threads(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_simulate(have.runs, control, &result);
    return value_in(status, CN_METRIC_MEAN_DELAY, result, value);
}

static cn_status simulate_shard(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_simulate_shard(have.runs, 1, 2, control, &result);
    *value = result != NULL;
    cn_result_free(&result);
    return status;
}

static cn_status simulate_operations(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_simulate(have.operations, control, &result);
    return value_in(status, CN_METRIC_MESSAGES_DELIVERED, result, value);
}

/* A cancelled step counts, and the next one goes on from there. */
static cn_status step(const cn_control *control, double *value)
{
    uint64_t before = cn_sim_cycle(have.sim);
    cn_status status = cn_sim_step(have.sim, 300, control);
    uint64_t stepped = cn_sim_cycle(have.sim) - before;
    assert_true(status == CN_OK ? stepped == 300 : stepped <= 300);
    *value = 1.0;
    return status;
}

static cn_status opened(cn_status status, cn_sim *sim, double *value)
{
    *value = status == CN_OK;
    assert_int_equal(sim != NULL, status == CN_OK);
    cn_sim_close(&sim);
    return status;
}

static cn_status open_sim(const cn_control *control, double *value)
{
    cn_sim *sim;
    cn_status status = cn_sim_open(have.worms, control, &sim);
    return opened(status, sim, value);
}

static cn_status open_many(const cn_control *control, double *value)
{
    cn_sim *sim;
    cn_status status = cn_sim_open(have.many, control, &sim);
    return opened(status, sim, value);
}

static cn_status open_wandering(const cn_control *control, double *value)
{
    cn_sim *sim;
    cn_status status = cn_sim_open(have.wandering, control, &sim);
    return opened(status, sim, value);
}

static cn_status restore(const cn_control *control, double *value)
{
    cn_sim *sim;
    cn_status status = cn_sim_restore(have.worms, have.snapshot, have.snapshot_size, control, &sim);
    return opened(status, sim, value);
}

static cn_status open_part(const cn_control *control, double *value)
{
    cn_sim *sim;
    cn_status status = cn_sim_open_part(have.divided, 0, 2, no_exchange, NULL, control, &sim);
    return opened(status, sim, value);
}

static cn_status restore_part(const cn_control *control, double *value)
{
    cn_sim *sim;
    cn_status status = cn_sim_restore_part(have.divided, have.saved_part, have.part_size,
                                           no_exchange, NULL, control, &sim);
    return opened(status, sim, value);
}

static cn_status copy(const cn_control *control, double *value)
{
    cn_sim *sim;
    cn_status status = cn_sim_copy(have.at_rest, control, &sim);
    return opened(status, sim, value);
}

static cn_status predict(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_predict(have.model, control, &result);
    return value_in(status, CN_METRIC_MEAN_DELAY, result, value);
}

static cn_status channel_delays(const cn_control *control, double *value)
{
    static double delays[1 << 16];
    cn_status status = cn_predict_channel_delays(have.model, control, delays,
                                                 sizeof delays / sizeof *delays, NULL);
    *value = delays[0];
    return status;
}

static cn_status predict_chain(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_predict(have.chain, control, &result);
    return value_in(status, CN_METRIC_MEAN_DELAY, result, value);
}

static cn_status optimal_load(const cn_control *control, double *value)
{
    return cn_optimal_load(have.chain, control, value, NULL);
}

static cn_status flow_deviation(const cn_control *control, double *value)
{
    return cn_flow_deviation(have.low, NULL, NULL, 0, 0.1, 1e-6, control, value, NULL, NULL, 0);
}

static cn_status flow_saturation(const cn_control *control, double *value)
{
    double upper;
    return cn_flow_saturation(have.low, NULL, NULL, 0, 1e-3, control, value, &upper);
}

static cn_status study(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_study_run(have.study, control, &result);
    return value_in(status, CN_METRIC_MEAN_DISTANCE, result, value);
}

static cn_status study_shard(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_study_run_shard(have.study, 1, 2, control, &result);
    *value = result != NULL;
    cn_result_free(&result);
    return status;
}

static cn_status make_routing(const char *name, const cn_control *control, double *value)
{
    cn_routing *routing;
    cn_status status = cn_routing_new(have.shuffle, name, NULL, control, &routing);
    *value = routing != NULL;
    cn_routing_free(&routing);
    return status;
}

static cn_status minimal(const cn_control *control, double *value)
{
    return make_routing("minimal", control, value);
}

static cn_status valiant(const cn_control *control, double *value)
{
    return make_routing("valiant", control, value);
}

static cn_status two_level(const cn_control *control, double *value)
{
    cn_routing *routing;
    cn_status status = cn_routing_two_level(have.hierarchy, control, &routing);
    *value = routing != NULL;
    cn_routing_free(&routing);
    return status;
}

static cn_status two_level_weighted(const cn_control *control, double *value)
{
    cn_routing *routing;
    cn_status status =
        cn_routing_two_level_weighted(have.hierarchy, NULL, 0, 0.5, control, &routing, NULL, NULL);
    *value = routing != NULL;
    cn_routing_free(&routing);
    return status;
}

static cn_status loads(const cn_control *control, double *value)
{
    return cn_routing_saturation_load(have.up_down, NULL, NULL, control, value);
}

static cn_status stretch(const cn_control *control, double *value)
{
    return cn_routing_stretch(have.up_down, control, value, NULL);
}

static cn_status dimension_order(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                                 uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    (void)user, (void)previous, (void)port, (void)virtual_channel;
    uint64_t left = node ^ destination;
    for (uint32_t i = 0; left != 0; i++, left >>= 1)
        if (left & 1) {
            channels[i] = 1;
            break;
        }
    return CN_OK;
}

static cn_status deadlock_own(const cn_control *control, double *value)
{
    cn_deadlock *check;
    cn_status status =
        cn_deadlock_check(have.small, 1, dimension_order, NULL, 0, NULL, control, &check);
    *value = cn_deadlock_is_free(check);
    cn_deadlock_free(&check);
    return status;
}

static cn_status own_routing(const cn_control *control, double *value)
{
    cn_routing *routing;
    cn_status status =
        cn_routing_own(have.small, 1, dimension_order, NULL, NULL, control, &routing);
    *value = routing != NULL;
    cn_routing_free(&routing);
    return status;
}

/* A routing keeps what it has once found: these ask one that has found nothing yet. */
static cn_routing *fresh_routing(void)
{
    cn_routing *routing;
    assert_ok(cn_routing_new(have.tall, "up-down", NULL, NULL, &routing));
    return routing;
}

static cn_status deadlock_of_routing(const cn_control *control, double *value)
{
    cn_deadlock *check;
    cn_routing *routing = fresh_routing();
    cn_status status = cn_routing_deadlock_check(routing, 2, control, &check);
    *value = cn_deadlock_is_free(check);
    cn_deadlock_free(&check);
    cn_routing_free(&routing);
    return status;
}

static cn_status routing_distance(const cn_control *control, double *value)
{
    uint64_t hops = 0;
    cn_routing *routing;
    assert_ok(cn_routing_new(have.large, "minimal", NULL, NULL, &routing));
    cn_status status = cn_routing_distance(routing, 0, 16383, control, &hops);
    *value = (double)hops;
    cn_routing_free(&routing);
    return status;
}

static cn_status longest_walk(const cn_control *control, double *value)
{
    uint64_t hops = 0;
    cn_routing *routing = fresh_routing();
    cn_status status = cn_routing_longest_walk(routing, control, &hops);
    *value = (double)hops;
    cn_routing_free(&routing);
    return status;
}

static cn_status is_minimal(const cn_control *control, double *value)
{
    int found = 0;
    cn_routing *routing;
    assert_ok(cn_routing_new(have.tall, "minimal", NULL, NULL, &routing));
    cn_status status = cn_routing_is_minimal(routing, control, &found);
    *value = found;
    cn_routing_free(&routing);
    return status;
}

static cn_status all_loads(const cn_control *control, double *value)
{
    static double found[256 * 8];
    found[0] = 0.0;
    cn_status status =
        cn_routing_loads(have.up_down, NULL, NULL, control, found, sizeof found / 8, NULL);
    *value = status == CN_OK ? found[0] : 0.0;
    return status;
}

static cn_status loads_of_traffic(const cn_control *control, double *value)
{
    static double found[256 * 8];
    cn_status status =
        cn_traffic_loads(have.spread, have.up_down, control, found, sizeof found / 8, NULL);
    *value = status == CN_OK ? found[0] : 0.0;
    return status;
}

static cn_status distance_of_traffic(const cn_control *control, double *value)
{
    return cn_traffic_mean_distance(have.traffic, control, value);
}

static cn_status saturation_load(const cn_control *control, double *value)
{
    return cn_saturation_load(have.model, control, value);
}

static cn_status saturation_of_worms(const cn_control *control, double *value)
{
    return cn_saturation_load(have.broadcasts, control, value);
}

static cn_status simulated_saturation(const cn_control *control, double *value)
{
    double upper;
    return cn_simulated_saturation_load(have.light, 0.2, control, value, &upper);
}

/* As step() does, until a cycle: nobody has messages of one's own to be delivered. */
static cn_status step_until(const cn_control *control, double *value)
{
    uint64_t before = cn_sim_cycle(have.sim), limit = before + 300;
    cn_status status = cn_sim_step_until(have.sim, limit, control);
    assert_true(cn_sim_cycle(have.sim) <= limit);
    assert_true(status < CN_OK || cn_sim_cycle(have.sim) == limit);
    *value = 1.0;
    return status < CN_OK ? status : CN_OK;
}

static cn_status buffer_range(const cn_control *control, double *value)
{
    uint64_t least = 0, greatest;
    cn_topology *t;
    assert_ok(cn_topology_kary_ncube(9, 4, 1, &t));
    cn_scenario *scenario = scenario_of(t, "deflection", 0.2);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATE_SPACE, CN_STATES_EXACT));
    cn_status status = cn_buffer_range(scenario, 0.9, control, &least, &greatest, NULL);
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
    *value = (double)least;
    return status;
}

static cn_status predict_shape(const cn_control *control, double *value)
{
    double delay;
    cn_topology *ring;
    assert_ok(cn_topology_kary_ncube(1024, 1, 0, &ring));
    cn_status status =
        cn_predict_shape(ring, NULL, 0.0, 0.5 / 1024, CN_MODEL_OWN, control, value, &delay);
    cn_topology_free(&ring);
    return status;
}

static cn_status deflection_hops(const cn_control *control, double *value)
{
    cn_topology *t;
    assert_ok(cn_topology_kary_ncube(21, 4, 1, &t));
    cn_status status = cn_deflection_mean_hops(t, CN_STATES_EXACT, 0.3, control, value, NULL);
    cn_topology_free(&t);
    return status;
}

static cn_status deflection_headers(const cn_control *control, double *value)
{
    enum { STATES = 2080 };
    cn_topology *t;
    double *start = malloc(STATES * sizeof *start);
    double *matrix = malloc((size_t)STATES * STATES * sizeof *matrix);
    assert_true(start != NULL && matrix != NULL);
    assert_ok(cn_topology_kary_ncube(64, 2, 0, &t));
    cn_status status =
        cn_deflection_headers(t, CN_STATES_EXACT, 0.3, control, start, matrix, STATES, NULL);
    *value = status == CN_OK ? matrix[(size_t)STATES] : 0.0;
    cn_topology_free(&t);
    free(start);
    free(matrix);
    return status;
}

static cn_status deflection_queue(const cn_control *control, double *value)
{
    enum { BUFFERS = 4000 };
    double *probabilities = malloc((BUFFERS + 1) * sizeof *probabilities);
    assert_non_null(probabilities);
    cn_status status =
        cn_deflection_queue(24, BUFFERS, 3.0, 0.6, control, probabilities, BUFFERS + 1, NULL);
    *value = status == CN_OK ? probabilities[0] : 0.0;
    free(probabilities);
    return status;
}

static const long_call long_calls[] = {
    {"cn_simulate", simulate},
    {"cn_simulate, threads", simulate_threads},
    {"cn_simulate_shard", simulate_shard},
    {"cn_simulate, operations", simulate_operations},
    {"cn_sim_step", step},
    {"cn_sim_step_until", step_until},
    {"cn_sim_open", open_sim},
    {"cn_sim_open, operations", open_many},
    {"cn_sim_open, paths of operations", open_wandering},
    {"cn_sim_restore", restore},
    {"cn_sim_open_part", open_part},
    {"cn_sim_restore_part", restore_part},
    {"cn_sim_copy", copy},
    {"cn_simulated_saturation_load", simulated_saturation},
    {"cn_predict", predict},
    {"cn_predict_channel_delays", channel_delays},
    {"cn_predict, chain", predict_chain},
    {"cn_saturation_load", saturation_load},
    {"cn_saturation_load, worms", saturation_of_worms},
    {"cn_optimal_load", optimal_load},
    {"cn_buffer_range", buffer_range},
    {"cn_predict_shape", predict_shape},
    {"cn_deflection_mean_hops", deflection_hops},
    {"cn_deflection_headers", deflection_headers},
    {"cn_deflection_queue", deflection_queue},
    {"cn_flow_deviation", flow_deviation},
    {"cn_flow_saturation", flow_saturation},
    {"cn_study_run", study},
    {"cn_study_run_shard", study_shard},
    {"cn_routing_new, minimal", minimal},
    {"cn_routing_new, valiant", valiant},
    {"cn_routing_two_level", two_level},
    {"cn_routing_two_level_weighted", two_level_weighted},
    {"cn_routing_own", own_routing},
    {"cn_routing_loads", all_loads},
    {"cn_routing_saturation_load", loads},
    {"cn_routing_distance", routing_distance},
    {"cn_routing_stretch", stretch},
    {"cn_routing_longest_walk", longest_walk},
    {"cn_routing_is_minimal", is_minimal},
    {"cn_routing_deadlock_check", deadlock_of_routing},
    {"cn_deadlock_check", deadlock_own},
    {"cn_traffic_mean_distance", distance_of_traffic},
    {"cn_traffic_loads", loads_of_traffic},
};
enum { LONG_CALLS = sizeof long_calls / sizeof long_calls[0] };

size_t long_call_count(void)
{
    return LONG_CALLS + long_network_call_count + long_json_call_count;
}

const long_call *long_call_at(size_t index)
{
    if (index < LONG_CALLS)
        return &long_calls[index];
    index -= LONG_CALLS;
    return index < long_network_call_count ? &long_network_calls[index]
                                           : &long_json_calls[index - long_network_call_count];
}

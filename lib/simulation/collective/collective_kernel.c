/* The kernel of collective operations: opening, stepping, counting. */
#include "simulation/collective/collective.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "scenario/operations.h"
#include "topology/topology.h"

/* ---- opening ---- */

static void close_run(void *state)
{
    cni_collective *run = state;
    if (run->own != NULL)
        run->machine->close(run);
    cni_release(run->own);
    for (size_t i = 0; i < run->operations; i++)
        cni_collective_close_operation(&run->operation[i]);
    for (size_t turn = 0; turn < CNI_ROUTES_COLUMNS; turn++)
        cni_release(run->whole[turn]);
    cni_release(run->operation);
    cni_release(run->block);
    cni_release(run->arrived);
    cni_counts_close(&run->counts);
    cni_planner_close(&run->planner);
    cni_source_trees_close(&run->routes, &run->trees);
    cn_routing_free(&run->shortest);
    cni_tree_routes_close(&run->routes);
    cni_release(run);
}

/* *broadcasts: 1 when all operations are broadcasts, 0 when not all are. The paper's machine
 * takes no mixture. */
static cn_status find_broadcasts(const cn_scenario *scenario, int *broadcasts)
{
    const cn_operations *list = cni_operations_of(scenario);
    *broadcasts = scenario->value[CN_PARAM_DESTINATIONS] == 0.0;
    if (list == NULL)
        return CN_OK;
    size_t count = 0;
    for (size_t i = 0; i < list->rows; i++)
        count += list->row[i].count == 0;
    *broadcasts = count == list->rows;
    if (count == 0 || count == list->rows || scenario->value[CN_PARAM_MACHINE] != CN_MACHINE_PAPER)
        return CN_OK;
    return cni_fail(
        CN_ERR_ARGUMENT,
        "collective: the list has %zu broadcasts and %zu multicasts, but machine = paper takes "
        "either only broadcasts or only multicasts",
        count, list->rows - count);
}

/* Whether the lower bound goes by channels: where channels are scarce, and every run uses the
 * same channels. Otherwise the bound goes by the copies that a node sends, or accepts. */
static int bound_by_channels(const cni_collective *run)
{
    return run->machine == &cni_channel_machine && !run->wandering &&
           run->scenario->value[CN_PARAM_ONE_PORT] == 0.0;
}

/* The copies a cycle that a node, or a channel, can pass: `rate` of the run. */
static uint32_t rate_of(const cni_collective *run)
{
    const double *value = run->scenario->value;
    if (run->machine != &cni_channel_machine)
        return run->buffers;
    if (value[CN_PARAM_ONE_PORT] != 0.0)
        return 1;
    double ports = run->passed == NULL ? 1.0 : run->routes.degree;
    double rate = ports * value[CN_PARAM_CHANNEL_CAPACITY];
    return rate < UINT32_MAX ? (uint32_t)rate : UINT32_MAX;
}

static cn_status open_tables(cni_collective *run)
{
    const int by_channels = bound_by_channels(run);
    const int draws = run->scenario->value[CN_PARAM_DESTINATION_CHOICE] == CN_DESTINATIONS_UNIFORM;
    uint64_t nodes = run->routes.nodes, channels = nodes * run->routes.degree;
    const cni_array arrays[] = {CNI_ARRAY(run->chosen, nodes),
                                CNI_ARRAY(run->load, channels),
                                CNI_ARRAY(run->since, by_channels ? channels : nodes),
                                CNI_ARRAY_IF(run->wandering, run->given, channels),
                                CNI_ARRAY_IF(!by_channels, run->passed, nodes),
                                CNI_ARRAY_IF(draws, run->identity, nodes)};
    CNI_TRY(cni_allocate_arrays(&run->block, arrays));
    for (uint32_t i = 0; draws && i < nodes; i++)
        run->identity[i] = i;
    return CN_OK;
}

static cn_status open_parts(const cn_topology *topology, cni_collective *run)
{
    cni_budget *budget = run->scenario->budget;
    if (run->scenario->value[CN_PARAM_STATISTICS] != 0.0)
        CNI_TRY(cni_counts_open(topology, &run->counts));
    CNI_TRY(cni_tree_routes_open(topology, run->tree, budget, &run->routes));
    CNI_TRY(cni_source_trees_open(&run->routes, cni_operations_of(run->scenario), &run->trees));
    CNI_TRY(cni_planner_open(&run->routes, &run->planner));
    if (run->spreading && run->routes.columns == 0)
        CNI_TRY(
            cni_routing_build("collective", &cni_minimal, topology, NULL, budget, &run->shortest));
    CNI_TRY(open_tables(run));
    /* the order of service decides which messages combine */
    run->rate = run->kind == CN_OPERATIONS_COMBINING ? 0 : rate_of(run);
    run->own = cni_allocate(1, run->machine->size);
    CNI_TRY_MEMORY(run->own);
    CNI_TRY(run->machine->open(run));
    return cni_collective_draw(run);
}

static cn_status open_run(const cn_scenario *scenario, uint64_t seed, void **state)
{
    int broadcasts;
    CNI_TRY(find_broadcasts(scenario, &broadcasts));
    cni_collective *run = cni_allocate(1, sizeof *run);
    CNI_TRY_MEMORY(run);
    const double *value = scenario->value;
    run->scenario = scenario;
    run->seed = seed;
    run->buffers = (uint32_t)value[CN_PARAM_TRANSIT_BUFFERS];
    run->tree = (uint32_t)value[CN_PARAM_TREE];
    run->kind = (uint32_t)value[CN_PARAM_OPERATION_KIND];
    run->clubbing = value[CN_PARAM_CLUBBING] != 0.0;
    run->machine = &cni_channel_machine;
    if (value[CN_PARAM_MACHINE] == CN_MACHINE_PAPER)
        run->machine = broadcasts ? &cni_paper_accept_machine : &cni_paper_send_machine;
    run->accepting = run->machine == &cni_paper_accept_machine;
    /* a node that accepts copies has no choice of channels */
    run->detours = cni_collective_detours(scenario) && !run->accepting;
    run->spreading = run->tree == CN_TREE_LEAST_USED && !run->clubbing;
    run->wandering = run->detours || run->spreading;
    cn_status status = open_parts(scenario->topology, run);
    if (status == CN_OK)
        *state = run;
    else
        close_run(run);
    return status;
}

/* ---- stepping ---- */

static int is_finished(const cni_collective *run)
{
    return run->cycle > 0 && run->queued == 0 && run->started == run->own_operations;
}

/* No schedule on these trees needs fewer cycles: a path cannot be shortened, and the copies
 * through a channel or node of a given rate cannot begin before the first copy can be there. */
static uint64_t lower_bound(const cni_collective *run)
{
    uint64_t bound = run->deepest;
    const uint32_t *load = run->passed != NULL ? run->passed : run->load;
    size_t count = run->routes.nodes * (run->passed != NULL ? (size_t)1 : run->routes.degree);
    for (size_t i = 0; i < count && run->rate > 0; i++) {
        uint64_t least = ((uint64_t)load[i] + run->rate - 1) / run->rate + run->since[i];
        if (load[i] > 0 && least > bound)
            bound = least;
    }
    return bound;
}

/* The first cycle after the present one at whose end the state can change. Operations that start
 * with the run start in its first step. */
static uint64_t next_event(const void *state)
{
    const cni_collective *run = state;
    if (run->queued > 0 || run->failed != CN_OK)
        return run->cycle + 1;
    if (run->started == run->own_operations)
        return CN_NEVER;
    uint64_t start = run->operation[run->started].start;
    return start > run->cycle ? start : run->cycle + 1;
}

static void skip(void *state, uint64_t cycles)
{
    cni_collective *run = state;
    run->cycle += cycles;
}

/* An operation without some of its copies will never be complete. */
static cn_status fail_again(const cni_collective *run)
{
    return cni_fail(run->failed, "collective: an operation could not be started: %s",
                    cn_status_text(run->failed));
}

static cn_status step(void *state, uint64_t cycles)
{
    cni_collective *run = state;
    if (run->failed != CN_OK)
        return fail_again(run);
    CNI_TRY(cni_collective_start_due(run)); /* operations that start before the first cycle */
    run->attentive = run->counts.words > 0 || run->witness != NULL || run->routes.shorts > 0 ||
                     run->operations > run->own_operations;
    for (; cycles > 0; cycles--) {
        run->cycle++;
        if (run->queued > 0)
            CNI_TRY(run->machine->cycle(run));
        CNI_TRY(cni_collective_start_due(run));
        if (run->total[CNI_COUNT_TRANSMISSIONS] > UINT32_MAX)
            return cni_fail(CN_ERR_OVERFLOW,
                            "collective: the run has more than 2^32 - 1 transmissions");
    }
    if (is_finished(run) && run->bound == 0)
        run->bound = lower_bound(run);
    return CN_OK;
}

/* ---- messages from the caller ---- */

/* Starts a message of the caller; destination CN_ALL_NODES: a broadcast. */
static cn_status start_injected(cni_collective *run, uint64_t source, uint64_t destination,
                                uint64_t tag)
{
    int broadcast = destination == CN_ALL_NODES;
    if (run->failed != CN_OK)
        return fail_again(run);
    CNI_TRY(run->failed = cni_collective_start_due(run));
    CNI_TRY(cni_grow(&run->operation, &run->operations_room, run->operations + 1,
                     sizeof *run->operation));
    CNI_TRY(cni_grow(&run->arrived, &run->arrived_room, run->arrivals + run->awaited + 1,
                     sizeof *run->arrived));
    size_t index = run->operations++;
    run->operation[index] = (cni_operation){.start = run->cycle,
                                            .source = (uint32_t)source,
                                            .destination = (uint32_t)destination,
                                            .number = (uint32_t)index,
                                            .tag = tag,
                                            .broadcast = destination == CN_ALL_NODES,
                                            .injected = 1};
    run->awaited++;
    run->bound = 0;
    if (!broadcast)
        run->chosen[0] = (uint32_t)destination;
    cn_status status = cni_collective_start(run, index, broadcast ? 0 : 1);
    if (status == CN_ERR_DISCONNECTED) { /* the operation leaves no trace */
        run->operations--;
        run->awaited--;
        return status;
    }
    return run->failed = status;
}

static cn_status inject(void *state, uint64_t source, uint64_t destination, uint64_t flits,
                        uint64_t tag)
{
    (void)flits;
    return start_injected(state, source, destination, tag);
}

static cn_status inject_broadcast(void *state, uint64_t source, uint32_t base, uint64_t tag)
{
    if (base == CN_BASE_OF_SCENARIO)
        return start_injected(state, source, CN_ALL_NODES, tag);
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "cn_sim_inject_broadcast: base = %lu, but the trees of collective have no base; "
        "it must be CN_BASE_OF_SCENARIO",
        (unsigned long)base);
}

static int by_destination(const void *a, const void *b)
{
    const cni_collective_arrival *one = a, *other = b;
    if (one->delivery.destination != other->delivery.destination)
        return one->delivery.destination < other->delivery.destination ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

/* Sorts the arrivals of the next cycle with arrivals by destination. */
static void sort_arrivals(cni_collective *run)
{
    size_t end = run->sorted;
    while (end < run->arrivals &&
           run->arrived[end].delivery.delivered == run->arrived[run->sorted].delivery.delivered)
        end++;
    cni_sort(run->arrived + run->sorted, end - run->sorted, sizeof *run->arrived, by_destination,
             NULL);
    run->sorted = end;
}

static cn_status next_delivery(void *state, cn_delivery *delivery)
{
    cni_collective *run = state;
    if (run->fetched == run->arrivals)
        return CN_DONE;
    if (run->fetched == run->sorted)
        sort_arrivals(run);
    *delivery = run->arrived[run->fetched++].delivery;
    if (run->fetched == run->arrivals)
        run->fetched = run->arrivals = run->sorted = 0;
    return CN_OK;
}

/* ---- counting ---- */

static void count(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_collective *run = state;
    int finished = is_finished(run);
    memcpy(counters, run->total, sizeof run->total);
    counters[CNI_COUNT_CYCLES] = run->cycle;
    counters[CNI_COUNT_ACCEPTED] = counters[CNI_COUNT_OFFERED];
    counters[CNI_COUNT_RUNS] = run->cycle > 0;
    counters[CNI_COUNT_FINISHED] = finished != 0;
    counters[CNI_COUNT_COMPLETION] = finished ? run->last_delivery : 0;
    counters[CNI_COUNT_PEAK_BUFFER] = run->peak_buffer;
    counters[CNI_COUNT_PEAK_CHANNEL] = run->peak_channel;
    counters[CNI_COUNT_BOUND] = finished ? run->bound : 0;
}

static uint64_t in_flight(const void *state)
{
    return ((const cni_collective *)state)->missing;
}

/* The source of a message counts the message in its queue from the start to the delivery. */
static void read_counts(const void *state, cni_counts *counts)
{
    const cni_collective *run = state;
    if (cni_counts_all(counts)) {
        cni_counts_copy(counts, &run->counts);
        for (uint32_t node = 0; node < run->routes.nodes; node++) {
            counts->queue[node] += run->cycle * counts->offered[node];
            counts->offered[node] = counts->accepted[node];
        }
        counts->broadcasts = NULL;
    }
    for (size_t c = 0; c < run->routes.nodes * (size_t)run->routes.degree; c++)
        counts->load[c] = run->load[c];
}

static const cni_histogram *delays(const void *state)
{
    return &((const cni_collective *)state)->delays;
}

static void clear_delays(void *state)
{
    cni_histogram_clear(&((cni_collective *)state)->delays);
}

/* For several runs: means over the runs. Numbers of a whole run tell nothing of a batch of its
 * cycles, so only a batch with the begin of the run has them. */
static void evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                     cn_result *result)
{
    static const struct {
        cn_metric metric;
        int sum, divisor;
    } means[] = {
        {CN_METRIC_MEAN_DELAY, CNI_COUNT_DELAY, CNI_COUNT_DELIVERED},
        {CN_METRIC_NETWORK_THROUGHPUT, CNI_COUNT_DELIVERED, CNI_COUNT_CYCLES},
        {CN_METRIC_TRANSMISSIONS, CNI_COUNT_TRANSMISSIONS, CNI_COUNT_RUNS},
        {CN_METRIC_CONTENTIONS, CNI_COUNT_CONTENTIONS, CNI_COUNT_RUNS},
        {CN_METRIC_PEAK_BUFFER_USE, CNI_COUNT_PEAK_BUFFER, CNI_COUNT_RUNS},
        {CN_METRIC_PEAK_CHANNEL_LOAD, CNI_COUNT_PEAK_CHANNEL, CNI_COUNT_RUNS},
        {CN_METRIC_COMPLETION_CYCLES, CNI_COUNT_COMPLETION, CNI_COUNT_FINISHED},
        {CN_METRIC_OPERATION_CYCLES, CNI_COUNT_OPERATION_TIME, CNI_COUNT_OPERATIONS},
        {CN_METRIC_LOWER_BOUND_CYCLES, CNI_COUNT_BOUND, CNI_COUNT_FINISHED},
    };
    (void)scenario;
    for (size_t i = 0; i < sizeof means / sizeof means[0]; i++) {
        uint64_t divisor = counters[means[i].divisor];
        if (means[i].divisor == CNI_COUNT_FINISHED && counters[CNI_COUNT_RUNS] == 0)
            continue;
        cni_result_put(result, means[i].metric, (double)counters[means[i].sum] / (double)divisor,
                       divisor);
    }
}

/* With a list of operations only random trees depend on the seed. */
static int is_certain(const cn_scenario *scenario)
{
    return cni_operations_of(scenario) != NULL && scenario->value[CN_PARAM_TREE] != CN_TREE_TURNED;
}

const cni_kernel cni_collective_kernel = {
    .open = open_run,
    .close = close_run,
    .visit = cni_collective_visit_run,
    .step = step,
    .next_event = next_event,
    .skip = skip,
    .inject = inject,
    .inject_broadcast = inject_broadcast,
    .next_delivery = next_delivery,
    .count = count,
    .in_flight = in_flight,
    .delays = delays,
    .clear_delays = clear_delays,
    .evaluate = evaluate,
    .read = read_counts,
    .counts_channels = 1,
    .is_certain = is_certain,
    .ends = 1,
};

/*
 * The operations of a scenario: from its list, or drawn from its seed.
 *
 * Random words: operation j has the sequence that begins at derive(derive(seed, OPERATIONS), j),
 * for its start, its source and its destinations. Poisson numbers take their words from
 * derive(derive(seed, STARTS), cycle), destinations that all operations share from derive(seed,
 * SHARED), turns from derive(derive(seed, TURNS), operation), and numbers of nodes from
 * derive(derive(seed, NUMBERS), cycle).
 */
#include "simulation/collective/collective.h"

#include <math.h>

#include "base/error.h"
#include "base/exponential.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "scenario/operations.h"

enum { OPERATIONS = 1, STARTS, SHARED, TURNS, NUMBERS };               /* keys of streams */
enum { WORD_START, WORD_SOURCE, WORD_FIRST, WORD_STRIDE, WORD_DRAWS }; /* of an operation */

/* Uniform on 0 .. bound-1 to within bound / 2^53. */
static uint64_t below(uint64_t word, uint64_t bound)
{
    return (uint64_t)((double)(word >> 11) * 0x1p-53 * (double)bound);
}

static uint64_t stream_of(const cni_collective *run, uint64_t number)
{
    return cni_random_derive(cni_random_derive(run->seed, OPERATIONS), number);
}

enum { UNITS = 16 }; /* of work for a drawn operation */

static cn_status add(cni_collective *run, uint64_t start, uint64_t source, int broadcast)
{
    if (run->operations >= CNI_MOST_OPERATIONS)
        return cni_fail(CN_ERR_OVERFLOW, "collective: the run has more than %d operations",
                        CNI_MOST_OPERATIONS);
    CNI_TRY(cni_budget_go_on(run->scenario->budget, UNITS));
    CNI_TRY(cni_grow(&run->operation, &run->operations_room, run->operations + 1,
                     sizeof *run->operation));
    run->operation[run->operations] = (cni_operation){.start = start,
                                                      .source = (uint32_t)source,
                                                      .number = (uint32_t)run->operations,
                                                      .broadcast = broadcast != 0};
    run->operations++;
    return CN_OK;
}

/* Adds an operation with a random source; start = 0: also with a random start. */
static cn_status add_random(cni_collective *run, uint64_t start, int broadcast)
{
    uint64_t stream = stream_of(run, run->operations);
    if (start == 0) {
        double cycles = run->scenario->value[CN_PARAM_START_CYCLES];
        start = 1 + below(cni_random_word(stream, WORD_START), (uint64_t)cycles);
    }
    return add(run, start, below(cni_random_word(stream, WORD_SOURCE), run->routes.nodes),
               broadcast);
}

/* A Poisson number: the number of factors, uniform on (0, 1], before their product falls below
 * e^-mean; the mean is split into parts of at most 16. */
static uint64_t poisson(double mean, uint64_t stream)
{
    double parts = ceil(mean / 16.0), limit = cni_decay(mean / parts);
    uint64_t number = 0, word = 0;
    for (double part = 0.0; part < parts; part += 1.0) {
        double product = 1.0;
        for (;; number++) {
            product *= (double)((cni_random_word(stream, word++) >> 11) + 1) * 0x1p-53;
            if (product < limit)
                break;
        }
    }
    return number;
}

/* Adds a Poisson number of operations in every cycle. */
static cn_status add_poisson(cni_collective *run, double load, int broadcast)
{
    uint64_t cycles = (uint64_t)run->scenario->value[CN_PARAM_START_CYCLES];
    double mean = load * run->routes.nodes;
    if (mean * (double)cycles > CNI_MOST_OPERATIONS)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "collective: operation_rate = %g over start_cycles = %llu starts about %.3g "
            "operations on these nodes, but it must be at most %d",
            load, (unsigned long long)cycles, mean * (double)cycles, CNI_MOST_OPERATIONS);
    uint64_t streams = cni_random_derive(run->seed, STARTS);
    for (uint64_t cycle = 1; cycle <= cycles; cycle++) {
        CNI_TRY(cni_budget_go_on(run->scenario->budget, UNITS));
        for (uint64_t number = poisson(mean, cni_random_derive(streams, cycle)); number > 0;
             number--)
            CNI_TRY(add_random(run, cycle, broadcast));
    }
    return CN_OK;
}

/* The least and the greatest k >= 1 whose Poisson probability P[k] is above `share` times the
 * greatest probability; least is above greatest when there is none. From the mode on, P[k+1] /
 * P[k] = mean / (k+1). */
static void find_likely(double mean, double share, double most, double *least, double *greatest)
{
    const double mode = floor(mean);
    *least = mode + 1.0;
    *greatest = mode;
    for (double p = 1.0; p > share && *least > 1.0; p *= *least / mean)
        *least -= 1.0;
    for (double p = mean / (mode + 1.0); p > share && *greatest < most;
         p *= mean / (*greatest + 1.0))
        *greatest += 1.0;
}

/* Adds operations as in Ziavras & Krishnamurthy 1999, 5.1 and 6.2: in every cycle each node draws
 * k, uniform on 1 .. N, and starts an operation if k is likely (find_likely()). */
static cn_status add_likely(cni_collective *run, double load, double share, int broadcast)
{
    uint64_t cycles = (uint64_t)run->scenario->value[CN_PARAM_START_CYCLES];
    double nodes = run->routes.nodes, mean = load * (double)cycles, least, greatest;
    if (mean > CNI_MOST_OPERATIONS)
        return cni_fail(CN_ERR_ARGUMENT,
                        "collective: operation_threshold takes the Poisson distribution of mean "
                        "operation_rate start_cycles = %g, but it must be at most %d",
                        mean, CNI_MOST_OPERATIONS);
    find_likely(mean, share, nodes, &least, &greatest);
    for (uint64_t cycle = 1; cycle <= cycles; cycle++) {
        uint64_t words = cni_random_derive(cni_random_derive(run->seed, NUMBERS), cycle);
        CNI_TRY(cni_budget_go_on(run->scenario->budget, run->routes.nodes));
        for (uint32_t node = 0; node < run->routes.nodes; node++) {
            double k = 1.0 + (double)below(cni_random_word(words, node), run->routes.nodes);
            if (k >= least && k <= greatest)
                CNI_TRY(add(run, cycle, node, broadcast));
        }
    }
    return CN_OK;
}

static int by_start(const void *a, const void *b)
{
    const cni_operation *one = a, *other = b;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

cn_status cni_collective_draw(cni_collective *run)
{
    const cn_scenario *scenario = run->scenario;
    int broadcast = scenario->value[CN_PARAM_DESTINATIONS] == 0.0;
    double load = scenario->value[CN_PARAM_OPERATION_RATE];
    double share = scenario->value[CN_PARAM_OPERATION_THRESHOLD];
    const cn_operations *list = cni_operations_of(scenario);
    if (list != NULL)
        for (size_t i = 0; i < list->rows; i++)
            CNI_TRY(add(run, list->row[i].start, list->row[i].source, list->row[i].count == 0));
    else if (load > 0.0 && share > 0.0)
        CNI_TRY(add_likely(run, load, share, broadcast));
    else if (load > 0.0)
        CNI_TRY(add_poisson(run, load, broadcast));
    else
        for (double i = 0; i < scenario->value[CN_PARAM_OPERATIONS]; i += 1.0)
            CNI_TRY(add_random(run, 0, broadcast));
    run->own_operations = run->operations;
    return cni_sort(run->operation, run->operations, sizeof *run->operation, by_start,
                    scenario->budget);
}

uint32_t cni_collective_random_turn(const cni_collective *run, const cni_operation *operation)
{
    uint64_t stream = cni_random_derive(cni_random_derive(run->seed, TURNS), operation->number);
    return (uint32_t)below(cni_random_word(stream, 0), run->routes.columns);
}

/* ---- destinations ---- */

/* Chooses first + i stride modulo N for i below count, without the source, each node once. */
static uint32_t choose_stride(cni_collective *run, uint64_t first, uint64_t stride, uint64_t count,
                              uint32_t source)
{
    uint64_t nodes = run->routes.nodes, node = first;
    uint32_t chosen = 0;
    for (uint64_t i = 0; i < count && (i == 0 || node != first); i++) {
        if (node != source)
            run->chosen[chosen++] = (uint32_t)node;
        node = (node + stride) % nodes;
    }
    return chosen;
}

static void swap_drawn(uint32_t order[], uint64_t stream, uint32_t i, uint32_t others)
{
    uint32_t j = i + (uint32_t)below(cni_random_word(stream, WORD_DRAWS + i), others - i);
    uint32_t drawn = order[j];
    order[j] = order[i];
    order[i] = drawn;
}

/* Chooses the first nodes of a random order of all nodes but the source, and undoes the swaps
 * that made the order. */
static uint32_t choose_uniform(cni_collective *run, uint64_t stream, uint32_t count,
                               uint32_t source)
{
    uint32_t others = run->routes.nodes - 1;
    for (uint32_t i = 0; i < count; i++) {
        swap_drawn(run->identity, stream, i, others);
        uint32_t drawn = run->identity[i];
        run->chosen[i] = drawn < source ? drawn : drawn + 1;
    }
    for (uint32_t i = count; i-- > 0;)
        swap_drawn(run->identity, stream, i, others);
    return count;
}

static uint32_t choose_listed(cni_collective *run, const cni_listed_operation *row)
{
    for (size_t i = 0; i < row->count; i++)
        run->chosen[i] = (uint32_t)cni_operations_of(run->scenario)->destination[row->first + i];
    return (uint32_t)row->count;
}

uint32_t cni_collective_choose(cni_collective *run, const cni_operation *operation)
{
    const cn_scenario *scenario = run->scenario;
    if (cni_operations_of(scenario) != NULL)
        return choose_listed(run, &cni_operations_of(scenario)->row[operation->number]);
    uint64_t nodes = run->routes.nodes, stream = stream_of(run, operation->number);
    uint64_t count = (uint64_t)scenario->value[CN_PARAM_DESTINATIONS];
    int choice = (int)scenario->value[CN_PARAM_DESTINATION_CHOICE];
    if (choice == CN_DESTINATIONS_UNIFORM)
        return choose_uniform(run, stream, (uint32_t)count, operation->source);
    if (choice != CN_DESTINATIONS_STRIDE)
        stream = cni_random_derive(run->seed, SHARED);
    uint64_t first = below(cni_random_word(stream, WORD_FIRST), nodes);
    uint64_t stride = below(cni_random_word(stream, WORD_STRIDE), nodes);
    return choose_stride(run, first, choice == CN_DESTINATIONS_SAME_RUN ? 1 : stride, count,
                         operation->source);
}

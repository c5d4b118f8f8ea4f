/* A traffic that is a list of messages. */
#include "scenario/traffic/pattern.h"

#include "base/error.h"
#include "base/sort.h"
#include "topology/topology.h"

static int in_order(const void *a, const void *b)
{
    const cni_trace_message *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Checks a message of the list, which must not be offered before `since`. */
static cn_status check_message(const char *function, const cn_topology *topology, size_t i,
                               const cni_trace_message *m, uint64_t since)
{
    unsigned long long at = i, cycle = m->cycle;
    if (m->cycle < since)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: cycles[%llu] = %llu, but the message before has %llu, and cycles must "
                        "not decrease",
                        function, at, cycle, (unsigned long long)since);
    if (m->cycle >> 63 != 0)
        return cni_fail(CN_ERR_ARGUMENT, "%s: cycles[%llu] = %llu, but it must be below 2^63",
                        function, at, cycle);
    if (m->source >= topology->nodes || m->destination >= topology->nodes)
        return cni_fail(
            CN_ERR_ARGUMENT, "%s: message %llu goes from %llu to %llu, but the nodes are 0 to %llu",
            function, at, (unsigned long long)m->source, (unsigned long long)m->destination,
            (unsigned long long)(topology->nodes - 1));
    if (!cni_is_host(topology, m->source) || !cni_is_host(topology, m->destination))
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: message %llu goes from %llu to %llu, but messages go from host to "
                        "host",
                        function, at, (unsigned long long)m->source,
                        (unsigned long long)m->destination);
    if (m->source == m->destination)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: message %llu goes from %llu to itself, but source and destination "
                        "must differ",
                        function, at, (unsigned long long)m->source);
    return CN_OK;
}

static cn_status fill(const char *function, cn_traffic *made, const uint64_t cycles[],
                      const uint64_t sources[], const uint64_t destinations[],
                      const uint64_t flits[], size_t count)
{
    cni_traffic_table *table = made->table;
    table->trace_place = cni_allocate(count, sizeof *table->trace_place);
    CNI_TRY_MEMORY(table->trace_place);
    for (size_t i = 0; i < count; i++) {
        cni_trace_message *m = &table->trace[i];
        m->cycle = cycles[i];
        m->source = sources[i];
        m->destination = destinations[i];
        m->index = (uint32_t)i;
        CNI_TRY(check_message(function, made->topology, i, m, i == 0 ? 0 : cycles[i - 1]));
        if (flits == NULL)
            continue;
        if (flits[i] < 1 || flits[i] > UINT32_MAX)
            return cni_fail(CN_ERR_ARGUMENT, "%s: flits[%zu] = %llu, but it must be 1 to 2^32-1",
                            function, i, (unsigned long long)flits[i]);
        m->flits = (uint32_t)flits[i];
        table->trace_has_flits |= flits[i] != 1;
    }
    table->trace_count = count;
    cni_sort(table->trace, count, sizeof *table->trace, in_order, NULL);
    for (size_t i = 0; i < count; i++)
        table->trace_place[table->trace[i].index] = (uint32_t)i;
    return CN_OK;
}

cn_status cn_traffic_trace(const cn_topology *topology, const uint64_t cycles[],
                           const uint64_t sources[], const uint64_t destinations[],
                           const uint64_t flits[], size_t count, cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(cycles, count);
    CNI_REQUIRE_ARRAY(sources, count);
    CNI_REQUIRE_ARRAY(destinations, count);
    if (count > UINT32_MAX)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but a trace has at most 2^32-1 messages",
                        __func__, count);
    cn_traffic *made = NULL;
    CNI_TRY(cni_traffic_create(__func__, topology, CN_PATTERN_TRACE, count,
                               sizeof(cni_trace_message), &made));
    cn_status status = fill(__func__, made, cycles, sources, destinations, flits, count);
    return cni_traffic_finish(status, made, traffic);
}

uint64_t cn_traffic_trace_length(const cn_traffic *traffic)
{
    return CNI_IS_VALID(traffic) && cni_traffic_is_trace(traffic) ? traffic->table->trace_count : 0;
}

size_t cni_trace_find(const cn_traffic *traffic, uint64_t cycle, uint64_t source)
{
    const cni_trace_message *trace = traffic->table->trace;
    size_t low = 0, high = traffic->table->trace_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const cni_trace_message *m = &trace[middle];
        if (m->cycle < cycle || (m->cycle == cycle && m->source < source))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t cni_trace_next(const cn_traffic *traffic, uint64_t cycle)
{
    const cni_traffic_table *table = traffic->table;
    if (cycle == 0 && table->trace_count > 0 && table->trace[0].cycle == 0)
        return 1;
    size_t next = cni_trace_find(traffic, cycle + 1, 0);
    return next < table->trace_count ? table->trace[next].cycle : UINT64_MAX;
}

uint64_t cni_trace_most(const cn_traffic *traffic)
{
    uint64_t most = 0, count = 0;
    if (!cni_traffic_is_trace(traffic))
        return 0;
    const cni_trace_message *m = traffic->table->trace;
    for (size_t i = 0; i < traffic->table->trace_count; i++) {
        int follows = i > 0 && m[i].cycle == m[i - 1].cycle && m[i].source == m[i - 1].source;
        count = follows ? count + 1 : 1;
        most = count > most ? count : most;
    }
    return most;
}

/* ---- as JSON: [cycle, source, destination] or [cycle, source, destination, flits], in the order
 * of the list ---- */

static void put_message(cni_io *io, size_t i, void *of)
{
    const cni_traffic_table *table = of;
    const cni_trace_message *m = &table->trace[table->trace_place[i]];
    uint64_t is[] = {m->cycle, m->source, m->destination, m->flits};
    cni_io_wholes(io, NULL, is, m->flits > 0 ? 4 : 3, UINT64_MAX);
}

/* The arrays of cn_traffic_trace(), one after the other. The length of the first message is their
 * number. */
typedef struct columns {
    uint64_t *word;
    size_t count, length;
} columns;

static void read_message(cni_io *io, size_t i, void *of)
{
    columns *to = of;
    uint64_t is[4];
    if (i == 0)
        to->length = cni_io_count(io, NULL) == 4 ? 4 : 3;
    cni_io_wholes(io, NULL, is, to->length, UINT64_MAX);
    for (size_t c = 0; c < to->length && cni_io_reads(io); c++)
        to->word[c * to->count + i] = is[c];
}

static void visit(cni_io *io, void *object)
{
    cni_traffic_form *f = object;
    columns to = {NULL, 0, 0};
    if (cni_io_writes(io)) {
        cni_io_array(io, "messages", f->traffic->table->trace_count, put_message,
                     f->traffic->table);
        return;
    }
    to.count = cni_io_count(io, "messages");
    to.word = cni_io_allocate(io, (uint64_t)to.count * 4, sizeof *to.word);
    cni_io_array(io, "messages", 0, read_message, &to);
    CNI_IO_CALL(io, "messages",
                cn_traffic_trace(f->topology, to.word, to.word + to.count, to.word + 2 * to.count,
                                 to.length == 4 ? to.word + 3 * to.count : NULL, to.count,
                                 &f->traffic));
    cni_release(to.word);
}

/* ---- what can be said of it ---- */

static cn_status count_sources(const cn_traffic *traffic, uint64_t *senders)
{
    size_t count = traffic->table->trace_count;
    uint64_t *source = cni_allocate(count, sizeof *source), found = 0;
    CNI_TRY_MEMORY(source);
    for (size_t i = 0; i < count; i++)
        source[i] = traffic->table->trace[i].source;
    cni_sort(source, count, sizeof *source, cni_by_number, NULL);
    for (size_t i = 0; i < count; i++)
        found += i == 0 || source[i] != source[i - 1];
    cni_release(source);
    *senders = found;
    return CN_OK;
}

static double share_of(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                       uint64_t distance)
{
    uint64_t of_source = 0, of_both = 0;
    source = cni_host_at(traffic->topology, source);
    destination = cni_host_at(traffic->topology, destination);
    (void)distance;
    for (size_t i = 0; i < traffic->table->trace_count; i++) {
        const cni_trace_message *m = &traffic->table->trace[i];
        of_source += m->source == source;
        of_both += m->source == source && m->destination == destination;
    }
    return of_source == 0 ? 0.0 : (double)of_both / (double)of_source;
}

static cn_status add_distances(const cn_traffic *traffic, cni_distances *from, double *sum,
                               double *count)
{
    for (size_t i = 0; i < traffic->table->trace_count; i++) {
        const cni_trace_message *m = &traffic->table->trace[i];
        CNI_TRY(cni_add_distance(from, cni_host_rank(from->topology, m->source),
                                 cni_host_rank(from->topology, m->destination), 1.0, sum));
        *count += 1.0;
    }
    return CN_OK;
}

const cni_pattern_row cni_trace_pattern = {
    .sends = cni_everybody_sends,
    .senders = count_sources,
    .share = share_of,
    .add_distances = add_distances,
    .visit = visit,
};

/*
 * The inside of a cn_traffic, and the draws of a kernel.
 *
 * All draws are functions of their arguments alone and allocate nothing. A destination takes one
 * uniform word and derives what else it needs from it, so a kernel picks the word as it picks all
 * others: by place and time, never by the order in which nodes are visited.
 */
#ifndef CNI_SCENARIO_TRAFFIC_TRAFFIC_H
#define CNI_SCENARIO_TRAFFIC_TRAFFIC_H

#include "cubenet/traffic.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/object.h"
#include "base/random.h"
#include "topology/topology.h"

/* More nodes than this have no tables of a word each. */
#define CNI_TRAFFIC_TABLE_NODES (UINT64_C(1) << 24)

/* Patterns number hosts by rank; what names a node is a node. */

/* A message of a trace. Ordered by cycle, then by source, then as in the list. */
typedef struct cni_trace_message {
    uint64_t cycle; /* offered when so many cycles are over */
    uint64_t source, destination;
    uint32_t flits; /* 0: as the scenario says */
    uint32_t index; /* in the list of the caller */
} cni_trace_message;

struct cni_locality;

/* What is large, shared between a traffic and its copies and never changed. */
typedef struct cni_traffic_table {
    cni_references references;
    uint32_t *destination; /* by source, ranks: CN_PATTERN_PERMUTATION, CN_PATTERN_DESTINATIONS */
    uint64_t *row; /* CN_PATTERN_MATRIX: row[s N + d] / 2^53 is the share that goes up to d */
    struct cni_locality *locality;
    cni_trace_message *trace;
    uint32_t *trace_place; /* by index: where a message of the list is in the trace */
    size_t trace_count;
    int trace_has_flits; /* some length is given and not 1 */
} cni_traffic_table;

struct cni_distances;

/* What a pattern is, of hosts by their ranks: where a message goes, and what can be said of that
 * without running it. pattern.h has the table. */
typedef struct cni_pattern_row {
    /* For cn_traffic_new(): CN_ERR_UNSUPPORTED on a network that does not have the pattern. NULL:
     * the pattern has a function of its own. */
    cn_status (*check)(const char *function, const char *name, const cn_topology *topology);
    /* 0 for a node that is silent. */
    int (*sends)(const cn_traffic *traffic, uint64_t source);
    /* How many nodes send. */
    cn_status (*senders)(const cn_traffic *traffic, uint64_t *senders);
    /* Of one message of a node that sends; never the node itself. NULL: a trace, which lists
     * them. */
    uint64_t (*destination)(const cn_traffic *traffic, uint64_t source, uint64_t word);
    /* Probability that a message of a node that sends goes to another one. */
    double (*share)(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                    uint64_t distance);
    int by_distance; /* the share asks for the distance */
    int is_even;     /* every channel of a symmetric network is as busy as any other */
    /* Adds the distances of messages to *sum and their number to *count. */
    cn_status (*add_distances)(const cn_traffic *traffic, struct cni_distances *from, double *sum,
                               double *count);
    /* Messages for the busiest destination when each sender offers one. NULL: no node gets more
     * than one sends. */
    cn_status (*busiest)(const cn_traffic *traffic, double *busiest);
    /* Of a pattern with a constructor of its own: what it was given, as members of an object in
     * JSON, and the traffic from them; it gets a cni_traffic_form. NULL: cn_traffic_new() makes
     * it. */
    cni_visit_fn visit;
} cni_pattern_row;

/* A traffic that is written as JSON, or is to be read. */
typedef struct cni_traffic_form {
    const cn_topology *topology;
    cn_traffic *traffic;
} cni_traffic_form;

struct cn_traffic {
    cni_object head;
    cn_topology *topology;
    cn_pattern pattern;
    const cni_pattern_row *rule; /* of the pattern */
    cn_source source;
    double mean_on, mean_off;
    uint64_t node;            /* CN_PATTERN_HOTSPOT: rank */
    uint64_t share;           /* of it, in 2^-53 */
    cni_traffic_table *table; /* NULL: the pattern needs none */
};

/* A traffic with an empty table or none; cni_traffic_finish() hands it out when what fills it
 * succeeds and frees it when not. */
cn_status cni_traffic_create(const char *function, const cn_topology *topology, cn_pattern pattern,
                             int with_table, cn_traffic **traffic);
cn_status cni_traffic_finish(cn_status status, cn_traffic *made, cn_traffic **traffic);

/* Another handle on the same tables. CN_ERR_MEMORY. */
cn_status cni_traffic_copy(const cn_traffic *traffic, cn_traffic **copy);

/* 1 when the traffic is NULL or the one that a scenario has without: uniform, from this source. */
int cni_traffic_is_plain(const cn_traffic *traffic, cn_source of_system);

/* 1 when, from this source, all nodes send alike and how much one sends to another is told by their
 * distance. NULL is uniform. */
int cni_traffic_is_by_distance(const cn_traffic *traffic, cn_source of_system);

/* Of such a traffic: messages to a node so far away, at least 1, relative to uniform traffic;
 * exactly 1 where it is uniform. */
double cni_traffic_lean(const cn_traffic *traffic, uint64_t distance);

/* 1 when it is a trace: no random traffic then. NULL is none. */
int cni_traffic_is_trace(const cn_traffic *traffic);

/* 0 for a node that is silent. */
static inline int cni_traffic_sends(const cn_traffic *traffic, uint64_t source)
{
    const cn_topology *t = traffic->topology;
    if (cni_all_are_hosts(t))
        return traffic->rule->sends(traffic, source);
    return cni_is_host(t, source) && traffic->rule->sends(traffic, cni_host_rank(t, source));
}

/* Destination of one message of a node that sends; never the node itself. Not for a trace.
 * `word` is uniform on 64 bits and of this message alone. */
static inline uint64_t cni_traffic_destination(const cn_traffic *traffic, uint64_t source,
                                               uint64_t word)
{
    const cn_topology *t = traffic->topology;
    if (cni_all_are_hosts(t))
        return traffic->rule->destination(traffic, source, word);
    return cni_host_at(t, traffic->rule->destination(traffic, cni_host_rank(t, source), word));
}

/* Probability that a message of a node that sends goes to another. `distance` is that of the two,
 * which only rows that go by_distance read. */
static inline double cni_traffic_share(const cn_traffic *traffic, uint64_t source,
                                       uint64_t destination, uint64_t distance)
{
    const cn_topology *t = traffic->topology;
    if (cni_all_are_hosts(t))
        return traffic->rule->share(traffic, source, destination, distance);
    if (!cni_is_host(t, destination))
        return 0.0;
    return traffic->rule->share(traffic, cni_host_rank(t, source), cni_host_rank(t, destination),
                                distance);
}

/* The first message of a trace that is offered at `cycle` by `source` or a later one of both; they
 * follow in order, trace_count is past the end. O(log count). */
size_t cni_trace_find(const cn_traffic *traffic, uint64_t cycle, uint64_t source);

/* The first cycle after this one at whose end a trace offers something, or that follows what it
 * offers at the beginning; UINT64_MAX. O(log count). */
uint64_t cni_trace_next(const cn_traffic *traffic, uint64_t cycle);

/* The greatest number of messages that a trace has of one source and cycle; 0 without a trace. */
uint64_t cni_trace_most(const cn_traffic *traffic);

/* ---- in JSON ---- */

/* The member "traffic" of what stands on a topology. Start from NULL to read; NULL stays after a
 * failure. */
void cni_io_traffic(cni_io *io, const cn_topology *topology, cn_traffic **traffic);

#endif

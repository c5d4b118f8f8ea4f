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

/* Networks with more nodes have no tables with a word a node. */
#define CNI_TRAFFIC_TABLE_NODES (UINT64_C(1) << 24)

/* The functions of cni_pattern_row take and return the ranks of hosts. All other functions of
 * this header take and return numbers of nodes. */

/* A message of a trace. Ordered by cycle, then by source, then as in the list. */
typedef struct cni_trace_message {
    uint64_t cycle; /* offered when so many cycles are over */
    uint64_t source, destination;
    uint32_t flits; /* 0: as the scenario says */
    uint32_t index; /* in the list of the caller */
} cni_trace_message;

struct cni_locality;

/* The large data of a traffic, shared with its copies and never changed. */
typedef struct cni_traffic_table {
    cni_references references;
    union {
        void *data;
        uint32_t *destination; /* by source, ranks: CN_PATTERN_PERMUTATION, _DESTINATIONS */
        /* CN_PATTERN_MATRIX: row[s N + d] / 2^53 is the share of the messages of s to 0 .. d */
        uint64_t *row;
        struct cni_locality *locality;
        cni_trace_message *trace;
    };
    uint32_t *trace_place; /* by index: the place of a message of the caller's list in the trace */
    size_t trace_count;
    int trace_has_flits; /* 1: some message has a length that is not 1 */
} cni_traffic_table;

struct cni_distances;

/* A pattern over the ranks of hosts: the destinations of messages, and facts about them that
 * need no run. pattern.h has the table. */
typedef struct cni_pattern_row {
    /* For cn_traffic_new(): CN_ERR_UNSUPPORTED on a network that does not have the pattern. NULL:
     * the pattern has a function of its own. */
    cn_status (*check)(const char *function, const char *name, const cn_topology *topology);
    /* 0 for a node that is silent. */
    int (*sends)(const cn_traffic *traffic, uint64_t source);
    /* How many nodes send. NULL: all, or each node is asked. */
    cn_status (*senders)(const cn_traffic *traffic, uint64_t *senders);
    /* The destination of a message of a sending node; never the node itself. NULL: a trace,
     * which lists its destinations. */
    uint64_t (*destination)(const cn_traffic *traffic, uint64_t source, uint64_t word);
    /* The probability that a message of a sending node goes to another given node. */
    double (*share)(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                    uint64_t distance);
    int by_distance; /* the share asks for the distance */
    int is_even;     /* every channel of a symmetric network is as busy as any other */
    /* The first destination of a sending node that is not below `from`; the number of hosts where
     * there is none. traffic_measure.c finds the two measures below by this function. NULL: the row
     * has add_distances. */
    uint64_t (*next_destination)(const cn_traffic *traffic, uint64_t source, uint64_t from);
    /* Adds the distances of messages to *sum and their number to *count. */
    cn_status (*add_distances)(const cn_traffic *traffic, struct cni_distances *from, double *sum,
                               double *count);
    /* The messages for the busiest destination when each sender offers one. NULL: found by
     * next_destination; without that function no node receives more than one node sends. */
    double (*busiest)(const cn_traffic *traffic);
    /* For a pattern with a constructor of its own: writes the arguments of the constructor as
     * members of an object in JSON, or reads them and makes the traffic. The object is a
     * cni_traffic_form. NULL: cn_traffic_new() makes the traffic. */
    cni_visit_fn visit;
} cni_pattern_row;

/* A traffic that is written to JSON, or read from JSON. */
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
    uint64_t node;            /* CN_PATTERN_HOTSPOT: the rank of the hotspot */
    uint64_t share;           /* the share of all messages that go there, in 2^-53 */
    cni_traffic_table *table; /* NULL: the pattern needs none */
};

/* Makes a traffic with a table of so many zeroed elements, or without a table where their size is
 * 0. The caller fills the table; then cni_traffic_finish() gives out the traffic, or frees it after
 * a failure. */
cn_status cni_traffic_create(const char *function, const cn_topology *topology, cn_pattern pattern,
                             uint64_t count, size_t size, cn_traffic **traffic);
cn_status cni_traffic_finish(cn_status status, cn_traffic *made, cn_traffic **traffic);

/* Another handle on the same tables. CN_ERR_MEMORY. */
cn_status cni_traffic_copy(const cn_traffic *traffic, cn_traffic **copy);

/* 1 for uniform traffic from this source, which is also the traffic of NULL. */
int cni_traffic_is_plain(const cn_traffic *traffic, cn_source of_system);

/* 1 when, from this source, all nodes send alike, and the rate between two nodes depends on
 * their distance only. NULL is uniform. */
int cni_traffic_is_by_distance(const cn_traffic *traffic, cn_source of_system);

/* For such a traffic: the messages to a node at this distance, at least 1, relative to uniform
 * traffic; exactly 1 for uniform traffic. */
double cni_traffic_lean(const cn_traffic *traffic, uint64_t distance);

/* 1 for a trace, which has no random traffic. NULL is no trace. */
int cni_traffic_is_trace(const cn_traffic *traffic);

/* 0 for a node that is silent. */
static inline int cni_traffic_sends(const cn_traffic *traffic, uint64_t source)
{
    const cn_topology *t = traffic->topology;
    if (cni_all_are_hosts(t))
        return traffic->rule->sends(traffic, source);
    return cni_is_host(t, source) && traffic->rule->sends(traffic, cni_host_rank(t, source));
}

/* The destination of a message of a sending node; never the node itself. Not for a trace. `word`
 * is uniform on 64 bits and used for this message alone. */
static inline uint64_t cni_traffic_destination(const cn_traffic *traffic, uint64_t source,
                                               uint64_t word)
{
    const cn_topology *t = traffic->topology;
    if (cni_all_are_hosts(t))
        return traffic->rule->destination(traffic, source, word);
    return cni_host_at(t, traffic->rule->destination(traffic, cni_host_rank(t, source), word));
}

/* The probability that a message of a sending node goes to another node at `distance`; only rows
 * with by_distance read the distance. */
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

/* The first message of a trace at this cycle and source or a later pair; the messages follow in
 * order, trace_count is past the end. O(log count). */
size_t cni_trace_find(const cn_traffic *traffic, uint64_t cycle, uint64_t source);

/* The first cycle after this one at whose end a trace offers a message; cycle 1 after cycle 0
 * where the trace offers messages before the first cycle. UINT64_MAX: none. O(log count). */
uint64_t cni_trace_next(const cn_traffic *traffic, uint64_t cycle);

/* The greatest number of messages of one source and cycle in a trace; 0 without a trace. */
uint64_t cni_trace_most(const cn_traffic *traffic);

/* ---- in JSON ---- */

/* The member "traffic" of an object on a topology. Start from NULL to read; the traffic stays
 * NULL after a failure. */
void cni_io_traffic(cni_io *io, const cn_topology *topology, cn_traffic **traffic);

#endif

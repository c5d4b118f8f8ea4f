/* The inside of a cn_topology: facts that all networks have, and the operations of a family. */
#ifndef CNI_TOPOLOGY_TOPOLOGY_H
#define CNI_TOPOLOGY_TOPOLOGY_H

#include "cubenet/topology.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/object.h"

struct cni_graph;

/* The longest name has a list of 61 radices: generalized_hypercube([2,2,...,3]). */
enum { CNI_MAX_DIMENSIONS = 62, CNI_NAME_CAPACITY = 160 };
#define CNI_MAX_NODES (UINT64_C(1) << 62)
#define CNI_NO_HOST UINT32_MAX

typedef enum cni_family {
    CNI_BOOLEAN_CUBE,
    CNI_KARY_UNIDIRECTIONAL, /* k >= 3 */
    CNI_KARY_BIDIRECTIONAL,  /* k >= 3 */
    CNI_EDGE_LIST,
    CNI_GENERALIZED_HYPERCUBE, /* some radix is 3 or more */
    CNI_COMPLETE,
    CNI_STAR,
    CNI_TREE,
    CNI_TORUS, /* of different radices */
    CNI_MESH,
    CNI_CHORDAL_RING,
    CNI_PSNN,
    CNI_SHUFFLE_EXCHANGE,
    CNI_DE_BRUIJN,
    CNI_WITH_HOSTS,  /* composed of a base network and hosts */
    CNI_WITH_LENGTHS /* composed of a base network and relays */
} cni_family;

/*
 * The operations of a family. Arguments are valid: nodes below N, ports below the degree, outputs
 * not NULL. Operations that may need memory or may have no answer return a status.
 */
typedef struct cni_topology_ops {
    uint32_t (*degree)(const cn_topology *topology, uint64_t node);
    uint64_t (*neighbor)(const cn_topology *topology, uint64_t node, uint32_t port);
    uint32_t (*back_port)(const cn_topology *topology, uint64_t node, uint32_t port);
    /* The port of a node that leads to another node, CN_NO_PORT without one. NULL: all ports are
     * tried. */
    uint32_t (*port_to)(const cn_topology *topology, uint64_t node, uint64_t neighbor);
    /* A closed form, or cni_search_distance(). */
    cn_status (*distance)(const cn_topology *topology, uint64_t source, uint64_t destination,
                          uint64_t *distance);
    /* Fills counts when capacity allows; always sets *count. NULL: by search. */
    cn_status (*distance_counts)(const cn_topology *topology, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count);
    /* For a family that counts distances without a closed form of their mean: for the lowest
     * node of a class of nodes that look alike, the size of the class; for other nodes 0. NULL:
     * by representatives. */
    uint64_t (*orbit)(const cn_topology *topology, uint64_t node);
    /* The side of a node in a cut of the width `bisection`. NULL: halves of a lexicographic order
     * of the nodes, see cni_order_dimensions(). */
    int (*bisection_side)(const cn_topology *topology, uint64_t node);
    /* Whether two networks of the family with equal nodes and dimensions are one network; NULL:
     * yes. */
    int (*same)(const cn_topology *a, const cn_topology *b);
    /* For a family that stores its graph: its arrays (graph.h); else NULL. */
    void (*lend_graph)(const cn_topology *topology, struct cni_graph *graph);
    void (*destroy)(cn_topology *topology); /* releases all but the struct itself; may be NULL */
} cni_topology_ops;

struct cn_topology {
    cni_object head;
    /* 0 once the caller has freed the topology, and only other objects hold it */
    int has_handle;
    cni_references references;
    const cni_topology_ops *ops;
    cni_family family;
    uint64_t nodes;
    uint32_t max_degree;
    uint32_t dimensions; /* 0: no addresses; the two arrays are then unused */
    int bidirectional;
    /* Nodes 0 .. representatives-1 stand for all. 1: the network is node-symmetric. N/2: v and
     * N-1-v are images of each other. 0: nothing is proved, and every node stands for itself. */
    uint64_t representatives;
    /* Closed forms of distances between hosts and of measures; 0 where there is none. */
    uint64_t diameter, bisection;
    double mean_distance;
    uint64_t broadcast_time; /* from the worst source */
    /* 0: each node has max_degree ports; UINT64_MAX: that or more. See cni_links(). */
    uint64_t links;
    /* The nodes that send and receive, by default all nodes: first_host, first_host + 1, ... or
     * the nodes of a list. */
    uint64_t hosts, first_host;
    const uint32_t *host_at;   /* by rank, ascending; NULL: there is no list */
    const uint32_t *host_rank; /* by node, CNI_NO_HOST for other nodes; NULL likewise */
    /* 1: hosts are routers; 0: all nodes but hosts and relays are routers */
    int hosts_forward;
    uint64_t relays, first_relay; /* nodes within links; see cn_topology_with_lengths() */
    cn_topology *base;            /* of a composed network: its base, kept alive; else NULL */
    char name[CNI_NAME_CAPACITY];
    uint64_t radix[CNI_MAX_DIMENSIONS];
    uint64_t stride[CNI_MAX_DIMENSIONS]; /* of dimension i in the node number */
    /* where every radix is a power of two: the highest bit of each digit; else 0 */
    uint64_t tops;
};

extern const cni_topology_ops cni_boolean_cube_ops;

/* Fills zeroed memory with the facts of a topology without dimensions. */
void cni_topology_init(cn_topology *topology, const cni_topology_ops *ops, cni_family family,
                       uint64_t nodes);

/* Makes another reference to the topology, which is no handle of the caller; and releases one. */
cn_topology *cni_topology_retain(const cn_topology *topology);
void cni_topology_release(cn_topology *topology);

/* The topology of a family that has this name. CN_ERR_NOT_FOUND, errors of the constructor. */
cn_status cni_topology_by_name(const char *name, cn_topology **topology);

/* A hash of everything that cn_topology_equal() compares: O(1) where a few numbers define the
 * network, else O(links). Of no use once the budget was stopped. */
uint64_t cni_topology_fingerprint(const cn_topology *topology, cni_budget *budget);

/* CN_ERR_ARGUMENT, in the name of the calling function, unless node is a node of the topology. */
cn_status cni_check_node(const char *function, const char *argument, const cn_topology *topology,
                         uint64_t node);

/* The same for `node`, and CN_ERR_ARGUMENT unless the node has the port. */
cn_status cni_check_port(const char *function, const cn_topology *topology, uint64_t node,
                         uint32_t port);

/* CN_ERR_UNSUPPORTED unless the topology is a Boolean cube. */
cn_status cni_check_hypercube(const char *function, const cn_topology *topology);

/* CN_ERR_ARGUMENT unless the two words are a subcube of the Boolean n-cube. */
cn_status cni_check_subcube(const char *function, uint32_t n, uint64_t value, uint64_t any);

static inline uint64_t cni_representatives(const cn_topology *topology)
{
    return topology->representatives > 0 ? topology->representatives : topology->nodes;
}

static inline uint64_t cni_digit(const cn_topology *topology, uint64_t node, uint32_t dimension)
{
    return node / topology->stride[dimension] % topology->radix[dimension];
}

/* The least significant digit of the rest of a node number; removes the digit from the rest. A
 * division of 32 bits is much faster. */
static inline uint64_t cni_take_digit(uint64_t *rest, uint64_t radix)
{
    uint64_t digit;
    if ((*rest | radix) >> 32 == 0) {
        digit = (uint32_t)*rest % (uint32_t)radix;
        *rest = (uint32_t)*rest / (uint32_t)radix;
    } else {
        digit = *rest % radix;
        *rest /= radix;
    }
    return digit;
}

/* ---- classes of networks ---- */

/* Port i flips bit i of the node. */
static inline int cni_is_hypercube(const cn_topology *topology)
{
    return topology->ops == &cni_boolean_cube_ops;
}

/* A hop changes a digit by one, and there are rings of three or more. Ports: one for each
 * dimension down; with two-way links, then one for each dimension up. */
static inline int cni_has_rings(const cn_topology *topology)
{
    return topology->family == CNI_KARY_UNIDIRECTIONAL ||
           topology->family == CNI_KARY_BIDIRECTIONAL || topology->family == CNI_TORUS;
}

/* A hop changes a digit by one without end-around channels: a border node has no port beyond the
 * border. */
static inline int cni_is_mesh(const cn_topology *topology)
{
    return topology->family == CNI_MESH;
}

/* A hop sets one digit to any other value; some radix is at least 3. */
static inline int cni_sets_digits(const cn_topology *topology)
{
    return topology->family == CNI_GENERALIZED_HYPERCUBE;
}

/* A message may go dimension by dimension. */
static inline int cni_has_dimension_order(const cn_topology *topology)
{
    return cni_is_hypercube(topology) || cni_has_rings(topology) || cni_is_mesh(topology) ||
           cni_sets_digits(topology);
}

/* Any two nodes are neighbours. The network has no addresses. */
static inline int cni_is_complete(const cn_topology *topology)
{
    return topology->family == CNI_COMPLETE;
}

/* A complete tree: every node but the leaves has the same number of children. */
static inline int cni_is_tree(const cn_topology *topology)
{
    return topology->family == CNI_TREE;
}

/* The Boolean or a k-ary n-cube: a digit of a header is a number of hops down a ring. */
static inline int cni_is_kary_ncube(const cn_topology *topology)
{
    return cni_is_hypercube(topology) || (cni_has_rings(topology) && topology->family != CNI_TORUS);
}

/* All dimensions have the same radix. */
static inline int cni_is_symmetric(const cn_topology *topology)
{
    for (uint32_t i = 1; i < topology->dimensions; i++)
        if (topology->radix[i] != topology->radix[0])
            return 0;
    return topology->dimensions > 0;
}

/* The network looks the same from every node, and a distance is a sum over the digits of a
 * header. */
static inline int cni_adds_digits(const cn_topology *topology)
{
    return cni_is_hypercube(topology) || cni_has_rings(topology) || cni_sets_digits(topology);
}

/* Whether counts and lists of links take the link at this end: a two-way link at its lower node, a
 * one-way channel at its only end. */
static inline int cni_is_first_end(const cn_topology *topology, uint64_t node, uint32_t port)
{
    return topology->ops->back_port(topology, node, port) == CN_NO_PORT ||
           node < topology->ops->neighbor(topology, node, port);
}

/* The degree of a node in a network where every degree is max_degree. */
uint32_t cni_regular_degree(const cn_topology *topology, uint64_t node);

/* The number of links. For more than 2^64 - 1 the first function returns UINT64_MAX, the second
 * CN_ERR_OVERFLOW. */
uint64_t cni_links(const cn_topology *topology);
cn_status cni_link_count(const cn_topology *topology, uint64_t *links);

/* ceil(log2 N), the broadcast time of a network where informed nodes can double in every step. */
uint64_t cni_doubling_time(const cn_topology *topology);

/* The dimensions, the most significant first, in the order in which the first and the second half
 * of the nodes have the fewest links between them. Dimensions of equal radix keep the order that
 * they have in node numbers. */
void cni_order_dimensions(const cn_topology *topology, uint32_t order[]);

/* A node-symmetric topology of n dimensions, still without ports and name. CN_ERR_ARGUMENT, in
 * the name of the calling function, unless the radices are at least 2 and their product is at
 * most 2^62. */
cn_status cni_topology_of_radices(const char *function, const cni_topology_ops *ops,
                                  cni_family family, const uint64_t radices[], uint32_t n,
                                  cn_topology **topology);

/* The radix k n times. CN_ERR_ARGUMENT: k is below 2, or k^n above 2^62. */
cn_status cni_equal_radices(const char *function, uint64_t k, uint32_t n,
                            uint64_t radices[CNI_MAX_DIMENSIONS]);

/* "torus([3,4])": the name of a family with the radix of each dimension, dimension 0 first. */
void cni_name_by_radices(cn_topology *topology, const char *family);

/* The base from which a composed network was made, through all compositions, or the topology
 * itself. Routings, faults and traffic patterns follow the class of that network. */
static inline const cn_topology *cni_innermost(const cn_topology *topology)
{
    while (topology->base != NULL)
        topology = topology->base;
    return topology;
}

/* ---- hosts ---- */

static inline int cni_all_are_hosts(const cn_topology *topology)
{
    return topology->hosts == topology->nodes;
}

static inline int cni_is_host(const cn_topology *topology, uint64_t node)
{
    if (topology->host_rank != NULL)
        return topology->host_rank[node] != CNI_NO_HOST;
    return node - topology->first_host < topology->hosts;
}

static inline uint64_t cni_host_at(const cn_topology *topology, uint64_t rank)
{
    return topology->host_at != NULL ? topology->host_at[rank] : topology->first_host + rank;
}

/* The rank of a node that is a host. */
static inline uint64_t cni_host_rank(const cn_topology *topology, uint64_t host)
{
    return topology->host_rank != NULL ? topology->host_rank[host] : host - topology->first_host;
}

/* A node that may be the intermediate node of a message. */
static inline int cni_is_router(const cn_topology *topology, uint64_t node)
{
    return cni_is_host(topology, node)
               ? topology->hosts_forward
               : !topology->hosts_forward && node - topology->first_relay >= topology->relays;
}

/* CN_ERR_ARGUMENT, in the name of the calling function, unless node is a host. */
cn_status cni_check_host(const char *function, const char *argument, const cn_topology *topology,
                         uint64_t node);

/* CN_ERR_UNSUPPORTED, for a function that takes no other network, unless all nodes are hosts. */
cn_status cni_check_all_hosts(const char *what, const cn_topology *topology);

/* The translation of a node and the header: the sum, and the difference, of the digits of two
 * nodes, each modulo its radix. */
uint64_t cni_translate(const cn_topology *topology, uint64_t node, uint64_t by);
uint64_t cni_header(const cn_topology *topology, uint64_t node, uint64_t destination);

/* The greatest common divisor. */
static inline uint64_t cni_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Number of one-bits. */
static inline uint32_t cni_popcount(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcountll(word);
#else
    uint32_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
#endif
}

/* cn_topology_from_edges() for 1 to 2^32 nodes, within a call that has a budget. */
cn_status cni_graph_from_edges(uint64_t node_count, const uint64_t edges[], size_t edge_count,
                               cni_budget *budget, cn_topology **topology);

#endif

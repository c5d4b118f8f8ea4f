/*
 * The paths of collective messages through a network, tabulated: by digits, or along stored trees.
 *
 * By digits, in a generalized hypercube or Boolean cube: a path sets one digit after the other to
 * the digit of the destination. The path begins at a column that depends on destination and source,
 * goes right, cyclically, and leaves out the digits that agree already. Columns are dimensions from
 * the left for the balanced tree (Ziavras & Krishnamurthy 1999, 5.2.2) and from the right for the
 * binomial tree. In the spanning graph a node of a short necklace has several paths, from columns
 * `turn` apart, one for each piece of its message.
 *
 * A balanced tree may be turned: all paths begin that many columns further right. They stay
 * shortest paths, but two of them may come to a node over different channels; collective_plan.h
 * tells how a shared copy reaches such a node.
 *
 * Along the tree of its source, in any network: the tree is an array that holds for every node the
 * channel into the node, as a number node * degree + port (collective_trees.h).
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_ROUTES_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_ROUTES_H

#include "cubenet/choice.h"

#include "base/bits.h"
#include "topology/distances/graph.h"

enum { CNI_ROUTES_NODES = 1 << 20, CNI_ROUTES_CHANNELS = 1 << 26, CNI_ROUTES_COLUMNS = 20 };

#define CNI_NO_SHORT UINT32_MAX

/* By digits: the change of a node number by a hop over a port. */
typedef struct cni_port_step {
    uint32_t up, back;     /* up is added; back is taken away where the digit is `limit` or more */
    uint16_t limit, shift; /* of the digit */
} cni_port_step;

typedef struct cni_column {
    uint32_t wrap;      /* stride of the digit in the node number times the radix */
    uint16_t port_base; /* its first port */
    uint8_t shift;      /* of its digit */
} cni_column;

typedef struct cni_tree_routes {
    uint32_t nodes, degree;
    cni_graph graph;         /* for messages along stored trees, where columns is 0 */
    uint32_t columns, radix; /* these and all members below are for digits */
    uint32_t bits;    /* of a digit; all columns together have at most 24, since nodes are few */
    uint32_t mask;    /* `bits` ones */
    void *block;      /* of the arrays */
    uint32_t *digits; /* [node]: its digits, column 0 lowest */
    cni_column column[32]; /* by bit of the digits */
    cni_port_step *step;   /* [port] */
    uint8_t *start;        /* [destination - source, by digits]: first column */
    /* For split messages, by destination - source; else NULL: */
    uint8_t *pieces, *turn; /* number of pieces; columns from one piece to the next */
    uint32_t *short_number; /* numbers of nodes with several pieces; CNI_NO_SHORT for other nodes */
    uint32_t shorts;
} cni_tree_routes;

/* CN_ERR_UNSUPPORTED: a topology that is too large, or one node. */
cn_status cni_tree_routes_check(const cn_topology *topology);
/* 1 where messages on this tree go by digits, else along stored trees. */
int cni_goes_by_digits(const cn_topology *topology, uint32_t tree);
/* Makes the tables; the topology must have the tree. CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_tree_routes_open(const cn_topology *topology, uint32_t tree, cni_budget *budget,
                               cni_tree_routes *routes);
void cni_tree_routes_close(cni_tree_routes *routes);

/* The number of columns in which two nodes differ. */
uint32_t cni_tree_routes_distance(const cni_tree_routes *routes, uint32_t a, uint32_t b);

static inline uint32_t cni_route_degree(const cni_tree_routes *routes, uint32_t node)
{
    if (routes->columns > 0)
        return routes->degree;
    return (uint32_t)(routes->graph.first[node + 1] - routes->graph.first[node]);
}

/* A range of ports with all ports from a node to neighbours of the node at `port`: returns their
 * number, and the first port in *base. By digits: the ports of the same dimension. */
static inline uint32_t cni_ports_around(const cni_tree_routes *routes, uint32_t node, uint32_t port,
                                        uint32_t *base)
{
    *base = routes->columns == 0 ? 0 : routes->column[routes->step[port].shift].port_base;
    return routes->columns > 0 ? routes->radix - 1 : cni_route_degree(routes, node);
}

/* The port of the neighbour at port `taken` that leads to the neighbour at port `meant`;
 * CN_NO_PORT without such a port. */
uint32_t cni_port_back(const cni_tree_routes *routes, uint32_t node, uint32_t taken,
                       uint32_t meant);

static inline uint32_t cni_pieces(const cni_tree_routes *routes, uint32_t relative)
{
    return routes->pieces == NULL ? 1 : routes->pieces[relative];
}

/* The column at which the path of a piece begins in a turned tree. */
static inline uint32_t cni_path_start(const cni_tree_routes *routes, uint32_t relative,
                                      uint32_t piece, uint32_t turn)
{
    uint32_t apart = piece > 0 ? piece * routes->turn[relative] : 0;
    return (routes->start[relative] + apart + turn) % routes->columns;
}

/* The difference of the digits of two nodes: the difference of the numbers, plus `wrap` of the
 * column of each digit below 0. */
static inline uint32_t cni_tree_routes_relative(const cni_tree_routes *routes, uint32_t node,
                                                uint32_t source)
{
    const uint32_t a = routes->digits[node], b = routes->digits[source], bits = routes->bits;
    const cni_column *column = routes->column, *end = column + routes->columns * bits;
    uint32_t relative = node - source;
    for (uint32_t mask = routes->mask; column < end; column += bits, mask <<= bits)
        relative += (0 - (((a & mask) - (b & mask)) >> 31)) & column->wrap;
    return relative;
}

/* The port that sets the digit of a column to that of the destination; `from` and `to` are the
 * digits of both nodes. */
static inline uint32_t cni_port_in_column(const cni_tree_routes *routes, const cni_column *column,
                                          uint32_t from, uint32_t to)
{
    uint32_t up = (to >> column->shift & routes->mask) - (from >> column->shift & routes->mask);
    up += routes->radix & (0 - (up >> 31)); /* a branch would be taken half of the times */
    return column->port_base + up - 1;
}

/* The first column from `start` on, cyclically, in which digits differ. */
static inline const cni_column *cni_first_column(const cni_tree_routes *routes,
                                                 uint32_t differences, uint32_t start)
{
    uint32_t right = differences >> start * routes->bits << start * routes->bits;
    return &routes->column[cni_lowest_bit(right != 0 ? right : differences)];
}

/* The next port of a message for another node, whose path begins at a column. */
static inline uint32_t cni_route_port(const cni_tree_routes *routes, uint32_t node,
                                      uint32_t destination, uint32_t start)
{
    uint32_t from = routes->digits[node], to = routes->digits[destination];
    return cni_port_in_column(routes, cni_first_column(routes, from ^ to, start), from, to);
}

/* Among the ports on shortest paths to another node, the port with the least number in `used`;
 * of equal ports the first from the column `start` on. */
static inline uint32_t cni_route_least_used(const cni_tree_routes *routes, uint32_t node,
                                            uint32_t destination, uint32_t start,
                                            const uint32_t used[])
{
    uint32_t from = routes->digits[node], to = routes->digits[destination];
    uint32_t best = UINT32_MAX;
    for (uint32_t rest = from ^ to; rest != 0;) {
        const cni_column *column = cni_first_column(routes, rest, start);
        uint32_t port = cni_port_in_column(routes, column, from, to);
        if (best == UINT32_MAX || used[port] < used[best])
            best = port;
        rest &= ~(routes->mask << column->shift);
    }
    return best;
}

/* The port over which a message for another node leaves a node along a stored tree. */
static inline uint32_t cni_tree_port(const cni_tree_routes *routes, const uint32_t inlet[],
                                     uint32_t node, uint32_t destination)
{
    uint32_t channel = inlet[destination];
    while (channel / routes->degree != node)
        channel = inlet[channel / routes->degree];
    return channel % routes->degree;
}

/* The neighbour at a port. */
static inline uint32_t cni_route_neighbor(const cni_tree_routes *routes, uint32_t node,
                                          uint32_t port)
{
    if (routes->columns == 0)
        return routes->graph.neighbor[routes->graph.first[node] + port];
    const cni_port_step *step = &routes->step[port];
    uint32_t digit = routes->digits[node] >> step->shift & routes->mask;
    /* without a branch, which would be taken half of the times */
    uint32_t below = 0 - ((digit - step->limit) >> 31);
    return node + step->up - (step->back & ~below);
}

#endif

/**
 * @file interchange.h
 * Networks as text, for exchange with other programs. The library opens no files: it writes text
 * into memory of the caller, and reads text from memory.
 *
 * - CN_FORMAT_EDGES, "edges": one line "u v" per link, nodes numbered from 0; '#' and '%' begin
 *   comments. The first line is the comment "# nodes N", from which the reader takes N; without
 *   this comment N is the greatest node number + 1. networkx and igraph use the same format.
 * - CN_FORMAT_METIS, "metis": a METIS .graph file: "N M", then for each node one line with its
 *   neighbours, numbered from 1. The reader ignores weights. Bidirectional networks only.
 * - CN_FORMAT_DOT, "dot": Graphviz; the labels of nodes are their addresses. In a network of at
 *   most 256 nodes the nodes have the positions of cn_topology_layout(). The library only writes
 *   this format.
 * - CN_FORMAT_GRAPHML, "graphml": GraphML; the addresses are data of the nodes. The library only
 *   writes this format.
 * - CN_FORMAT_SVG, "svg": a drawing of a network of at most CN_DRAWING_NODES nodes, with the
 *   positions of cn_topology_layout(). Links run behind nodes; a link that a node would hide is
 *   bent. Nodes have labels in networks of at most 256 nodes. The library only writes this format.
 *
 * In all formats but METIS a link appears once, from its lower node. In a unidirectional network
 * each channel goes from its sender to its receiver, and DOT and GraphML declare the graph as
 * directed.
 *
 * @since 1.0
 */
#ifndef CUBENET_INTERCHANGE_H
#define CUBENET_INTERCHANGE_H

#include "control.h"
#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The text formats. The numbers never change; new ones may be added. */
typedef enum cn_format {
    CN_FORMAT_EDGES = 1,
    CN_FORMAT_METIS = 2,
    CN_FORMAT_DOT = 3,
    CN_FORMAT_GRAPHML = 4,
    CN_FORMAT_SVG = 5
} cn_format;

#define CN_READ_NODES UINT64_C(1048576) /**< default node limit for any text: 2^20 */
/** node limit for each byte of text, where the product is above CN_READ_NODES */
#define CN_READ_NODES_PER_BYTE UINT64_C(16)
#define CN_DRAWING_NODES UINT64_C(1024) /**< the most nodes that a drawing has */

/**
 * Writes a network as text into memory of the caller.
 *
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (METIS of a unidirectional network,
 *         SVG above CN_DRAWING_NODES nodes), CN_ERR_OVERFLOW (METIS above 2^64 - 1 links),
 *         CN_ERR_MEMORY (DOT, SVG). O(N + links); for DOT and SVG also the cost of
 *         cn_topology_layout(), and for SVG of up to 256 nodes O(N links).
 */
CN_API cn_status cn_topology_write(const cn_topology *topology, cn_format format,
                                   const cn_control *control, char text[], size_t capacity,
                                   size_t *length);

/**
 * Makes the network of a text in memory. The network is that of cn_topology_from_edges() for the
 * links of the text in the order in which they first appear.
 *
 * A few bytes of text can name any number of nodes, so there is a limit on the number of nodes.
 * With the default limit the function allocates at most 16 MiB plus 300 bytes per byte of text.
 *
 * @param length characters in @p text, which need not be NUL-terminated
 * @param node_limit the greatest number of nodes to accept, up to 2^32; 0: CN_READ_NODES, or
 *        CN_READ_NODES_PER_BYTE times @p length if this is more
 * @return CN_ERR_ARGUMENT (the text is malformed or has more nodes than the limit; in METIS also a
 *         link at one end only or a wrong number of links: the error sentence gives the line. For a
 *         node out of range, a loop or a double link it is the sentence of
 *         cn_topology_from_edges(), with the number of the edge), CN_ERR_UNSUPPORTED (a format that
 *         the library only writes), CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_read(cn_format format, const char *text, size_t length,
                                  uint64_t node_limit, const cn_control *control,
                                  cn_topology **topology);

/**
 * Returns the positions of the nodes in a drawing. The first three dimensions of a Boolean cube are
 * nested squares; the other dimensions set these squares side by side and one above the other.
 * Tori, meshes and generalized hypercubes are grids. Rings, complete networks, chordal rings, PSNN,
 * shuffle-exchange and de Bruijn networks are circles. Stars and trees look like stars and trees.
 * In other networks the distances in the drawing approach the distances in hops. Neighbours are
 * about 1 apart.
 *
 * @param x out: x[v] is the position of node v from 0 to the right
 * @param y out: y[v] is the position of node v from 0 up
 * @param capacity room in each of @p x and @p y, in elements
 * @param count out: number of nodes, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_UNSUPPORTED (more than CN_DRAWING_NODES nodes), CN_ERR_MEMORY.
 *         O(N); for networks drawn by their distances in hops 80 N^2 steps (20 N^2 above 256
 *         nodes).
 */
CN_API cn_status cn_topology_layout(const cn_topology *topology, double x[], double y[],
                                    size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif

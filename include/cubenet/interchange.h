/**
 * @file interchange.h
 * Writes and reads networks as text, to exchange them with other programs. The library opens no
 * files: it writes text into the caller's memory, and reads text from memory.
 *
 * - CN_FORMAT_EDGES, "edges": one line "u v" per link, nodes numbered from 0; '#' and '%' begin
 *   comments. The first line is the comment "# nodes N", from which the reader takes N; without it
 *   N is the greatest node number + 1. (The edge list of networkx and igraph.)
 * - CN_FORMAT_METIS, "metis": a METIS .graph file: "N M", then for each node one line with its
 *   neighbours, numbered from 1. The reader ignores weights. Bidirectional networks only.
 * - CN_FORMAT_DOT, "dot": Graphviz; nodes are labelled with their addresses, and those of a network
 *   of at most 256 nodes have the places of cn_topology_layout(). The library only writes this
 *   format.
 * - CN_FORMAT_GRAPHML, "graphml": GraphML; the addresses are data of the nodes. The library only
 *   writes this format.
 * - CN_FORMAT_SVG, "svg": a drawing of a network of at most CN_DRAWING_NODES nodes, which lie where
 *   cn_topology_layout() says. Links run behind nodes, and those that would be hidden by one are
 *   bent. Up to 256 nodes have labels. The library only writes this format.
 *
 * Each link is written once, starting at its lower node. In a unidirectional network each channel
 * is written from its sender to its receiver, and DOT and GraphML declare the graph as directed.
 *
 * @since 0.1
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
/** or this many nodes per byte of text, where that is more */
#define CN_READ_NODES_PER_BYTE UINT64_C(16)
#define CN_DRAWING_NODES UINT64_C(1024) /**< the most nodes that a drawing has */

/**
 * Writes a network into memory.
 *
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY; CN_ERR_ARGUMENT; CN_ERR_UNSUPPORTED for METIS
 *         and a unidirectional network, and for SVG above CN_DRAWING_NODES nodes; CN_ERR_OVERFLOW
 *         (METIS above 2^64 - 1 links); CN_ERR_MEMORY (DOT, SVG). O(N + links), but for DOT and SVG
 *         as cn_topology_layout(), and for SVG up to 256 nodes O(N links).
 */
CN_API cn_status cn_topology_write(const cn_topology *topology, cn_format format,
                                   const cn_control *control, char text[], size_t capacity,
                                   size_t *length);

/**
 * Reads a network from memory. The result is that of cn_topology_from_edges() for the links of the
 * text in the order in which they first appear.
 *
 * A few bytes of text can name any number of nodes, so the number is limited. With the default
 * limit the function allocates at most 16 MiB plus 300 bytes per byte of text.
 *
 * @param length characters in @p text, which need not be NUL-terminated
 * @param node_limit the greatest number of nodes to accept, up to 2^32; 0: CN_READ_NODES, or
 *        CN_READ_NODES_PER_BYTE times @p length where that is more
 * @return CN_ERR_ARGUMENT when the text is malformed or has more nodes than the limit, or (METIS)
 *         when a link is listed at one end only or the number of links is wrong; the error sentence
 *         gives the line. For a node out of range, a loop or a double link the sentence is that of
 *         cn_topology_from_edges(), with the number of the edge; CN_ERR_UNSUPPORTED for formats
 *         that are only written; CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_read(cn_format format, const char *text, size_t length,
                                  uint64_t node_limit, const cn_control *control,
                                  cn_topology **topology);

/**
 * Where the nodes of a network lie in a drawing: Boolean cubes are nested squares (the first three
 * dimensions; the others set these side by side and one above the other), tori, meshes and
 * generalized hypercubes grids, rings, complete networks, chordal rings, PSNN, shuffle-exchange and
 * de Bruijn networks circles, the star and the trees what their names say. Other networks are laid
 * out so that the distances approach those in hops. Neighbours are about 1 apart.
 *
 * @param x out: by node, from 0 to the right
 * @param y out: by node, from 0 up
 * @param capacity room in each of @p x and @p y
 * @param count out: number of nodes, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_UNSUPPORTED above CN_DRAWING_NODES nodes, CN_ERR_MEMORY. O(N); 80
 *         N^2 where the distances in hops are approached (20 N^2 above 256 nodes).
 */
CN_API cn_status cn_topology_layout(const cn_topology *topology, double x[], double y[],
                                    size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif

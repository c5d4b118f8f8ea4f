/**
 * @file interchange.h
 * Networks as text, for and from other programs. The library opens no files: text goes to a callback
 * or into the caller's memory, and is read from memory.
 *
 * - CN_FORMAT_EDGES, "edges": a line "u v" a link, nodes from 0, '#' and '%' begin comments. The
 *   first line is the comment "# nodes N", which also the reader knows; without it N is the greatest
 *   number + 1. (What networkx and igraph call an edge list.)
 * - CN_FORMAT_METIS, "metis": a METIS .graph file: "N M", then a line a node with its neighbours,
 *   from 1. Weights are read over. Links both ways only.
 * - CN_FORMAT_DOT, "dot": Graphviz, nodes labelled with their addresses. Written only.
 * - CN_FORMAT_GRAPHML, "graphml": GraphML, addresses as data of the nodes. Written only.
 *
 * A link is written once, from its smaller node; of a unidirectional network each channel, from its
 * tail, and DOT and GraphML then say that the graph is directed.
 *
 * @since 0.1
 */
#ifndef CUBENET_INTERCHANGE_H
#define CUBENET_INTERCHANGE_H

#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The numbers never change; new ones are added. */
typedef enum cn_format {
    CN_FORMAT_EDGES = 1,
    CN_FORMAT_METIS = 2,
    CN_FORMAT_DOT = 3,
    CN_FORMAT_GRAPHML = 4
} cn_format;

#define CN_READ_NODES UINT64_C(1048576)     /**< nodes that any text may have: 2^20 */
#define CN_READ_NODES_PER_BYTE UINT64_C(16) /**< or so many a byte, where that is more */

/** Takes the next piece of the text, which is not NUL-terminated. Nonzero ends the writing. */
typedef int (*cn_write_fn)(void *user, const char *text, size_t length);

/** The name of a format as above; NULL for a number that is none. */
CN_API const char *cn_format_name(cn_format format);

/** Finds the format with this canonical name. CN_ERR_NOT_FOUND. */
CN_API cn_status cn_format_from_name(const char *name, cn_format *format);

/**
 * Writes a network, piece by piece, through @p write, which is called on the calling thread and not
 * kept.
 *
 * @return CN_DONE when @p write has ended it; CN_ERR_ARGUMENT; CN_ERR_UNSUPPORTED for METIS and
 *         a unidirectional network; CN_ERR_OVERFLOW (METIS above 2^64 - 1 links). O(N + links).
 */
CN_API cn_status cn_topology_write(const cn_topology *topology, cn_format format, cn_write_fn write,
                                   void *user);

/**
 * Writes a network into memory.
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, and as cn_topology_write()
 */
CN_API cn_status cn_topology_write_text(const cn_topology *topology, cn_format format, char text[],
                                        size_t capacity, size_t *length);

/**
 * Reads a network from memory: what cn_topology_from_edges() would make of its links in the order in
 * which they first appear.
 *
 * Text from an unknown source may name any number of nodes in a few bytes, so there is a limit. Within the
 * default one no more than 16 MiB and 300 bytes a byte of text are allocated.
 *
 * @param length characters in @p text, which need not be NUL-terminated
 * @param node_limit the most nodes that are accepted, up to 2^32; 0: CN_READ_NODES, or
 *        CN_READ_NODES_PER_BYTE times @p length where that is more
 * @return CN_ERR_ARGUMENT when the text is malformed, has more nodes than the limit, or (METIS) a link is missing from one end or
 *         their number is wrong: the sentence has the line; for a node out of range, a loop or a double
 *         link it is that of cn_topology_from_edges(), with the number of the edge;
 *         CN_ERR_UNSUPPORTED for formats that are only written; CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_read(cn_format format, const char *text, size_t length,
                                  uint64_t node_limit, cn_topology **topology);

#ifdef __cplusplus
}
#endif

#endif

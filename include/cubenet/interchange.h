/**
 * @file interchange.h
 * Writes and reads networks as text, to exchange them with other programs. The library opens no
 * files: it writes text to a callback or into the caller's memory, and reads text from memory.
 *
 * - CN_FORMAT_EDGES, "edges": one line "u v" per link, nodes numbered from 0; '#' and '%' begin
 *   comments. The first line is the comment "# nodes N", from which the reader takes N; without it
 *   N is the greatest node number + 1. (The edge list of networkx and igraph.)
 * - CN_FORMAT_METIS, "metis": a METIS .graph file: "N M", then for each node one line with its
 *   neighbours, numbered from 1. The reader ignores weights. Bidirectional networks only.
 * - CN_FORMAT_DOT, "dot": Graphviz; nodes are labelled with their addresses. The library only
 *   writes this format.
 * - CN_FORMAT_GRAPHML, "graphml": GraphML; the addresses are data of the nodes. The library only
 *   writes this format.
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
    CN_FORMAT_GRAPHML = 4
} cn_format;

#define CN_READ_NODES UINT64_C(1048576) /**< default node limit for any text: 2^20 */
/** or this many nodes per byte of text, where that is more */
#define CN_READ_NODES_PER_BYTE UINT64_C(16)

/**
 * Receives the next piece of the text, which is not NUL-terminated. A nonzero result ends the
 * writing.
 */
typedef int (*cn_write_fn)(void *user, const char *text, size_t length);

/** Returns the name of a format as quoted above; NULL for a number that is no format. */
CN_API const char *cn_format_name(cn_format format);

/** Finds the format with this canonical name. CN_ERR_NOT_FOUND. */
CN_API cn_status cn_format_from_name(const char *name, cn_format *format);

/**
 * Writes a network piece by piece through @p write, which is called on the calling thread and not
 * after the call has returned.
 *
 * @return CN_DONE when @p write ended the writing; CN_ERR_ARGUMENT; CN_ERR_UNSUPPORTED for METIS
 *         and a unidirectional network; CN_ERR_OVERFLOW (METIS above 2^64 - 1 links). O(N + links).
 */
CN_API cn_status cn_topology_write(const cn_topology *topology, cn_format format, cn_write_fn write,
                                   void *user);

/**
 * Writes a network into memory.
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, and as cn_topology_write()
 */
CN_API cn_status cn_topology_write_text(const cn_topology *topology, cn_format format,
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

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file chord.h
 * The best chord of chordal rings.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_CHORD_H
#define CUBENET_EXPERIMENTAL_CHORD_H

#include "../control.h"
#include "../topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Finds the least diameter of a chordal ring of N nodes, and the shortest chord with this diameter.
 * The function tries every chord up to N/2 with a search from one node. O(N^2): well below a second
 * for N = 10^4, some ten seconds for N = 10^5.
 *
 * @param nodes N, as for cn_topology_chordal_ring()
 * @param dual nonzero for two chords at every node
 * @param chord out: length of the chord
 * @param diameter out: the least diameter, in hops
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_UNSUPPORTED above 2^27 nodes
 */
CN_API cn_status cn_chordal_ring_best_chord(uint64_t nodes, int dual, const cn_control *control,
                                            uint64_t *chord, uint64_t *diameter);

#ifdef __cplusplus
}
#endif

#endif

/* The table of patterns, and functions that its rows share. */
#ifndef CNI_SCENARIO_TRAFFIC_PATTERN_H
#define CNI_SCENARIO_TRAFFIC_PATTERN_H

#include "scenario/traffic/traffic.h"

#include "base/names.h"
#include "scenario/traffic/traffic_measure.h"

/* All patterns: a new pattern has a number in traffic.h, a line with its canonical name here,
 * and a row cni_NAME_pattern. */
#define CNI_PATTERNS(X)                                 \
    X(UNIFORM, uniform, "uniform")                      \
    X(BIT_COMPLEMENT, bit_complement, "bit-complement") \
    X(BIT_REVERSE, bit_reverse, "bit-reverse")          \
    X(TRANSPOSE, transpose, "transpose")                \
    X(SHUFFLE, shuffle, "shuffle")                      \
    X(TORNADO, tornado, "tornado")                      \
    X(NEIGHBOR, neighbor, "neighbor")                   \
    X(HOTSPOT, hotspot, "hotspot")                      \
    X(PERMUTATION, permutation, "permutation")          \
    X(LOCALITY, locality, "locality")                   \
    X(DESTINATIONS, destinations, "destinations")       \
    X(MATRIX, matrix, "matrix")                         \
    X(TRACE, trace, "trace")

#define CNI_PATTERN_ROW(number, name, text) extern const cni_pattern_row cni_##name##_pattern;
CNI_PATTERNS(CNI_PATTERN_ROW)

/* NULL for a number that is no pattern. */
const cni_pattern_row *cni_pattern_row_of(cn_pattern pattern);

/* ---- what rows share ---- */

/* A check that every network passes. */
cn_status cni_pattern_anywhere(const char *function, const char *name, const cn_topology *topology);

/* Every node sends. */
int cni_everybody_sends(const cn_traffic *traffic, uint64_t source);

/* For patterns with one destination a node: a node whose destination is itself sends nothing. */
int cni_single_sends(const cn_traffic *traffic, uint64_t source);
double cni_single_share(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                        uint64_t distance);
/* The destination where `from` is 0, else the number of hosts: there is no other destination. */
uint64_t cni_single_next(const cn_traffic *traffic, uint64_t source, uint64_t from);

#define CNI_SINGLE \
    .sends = cni_single_sends, .share = cni_single_share, .next_destination = cni_single_next

/* Releases the arrays of a locality. */
void cni_locality_close(struct cni_locality *locality);

extern const cni_names cni_patterns;

#endif

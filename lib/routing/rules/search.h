/* The searches from a target that tables are filled by. */
#ifndef CNI_ROUTING_RULES_SEARCH_H
#define CNI_ROUTING_RULES_SEARCH_H

#include "routing/rules/inlets.h"
#include "routing/rules/routing.h"

/* keys[v].first: the ports of v that come closer to the target. scratch has 2 N + 1 elements. */
void cni_search_closer(const cni_inlets *inlets, uint32_t target, uint32_t scratch[],
                       cni_key keys[]);

/*
 * The shortest ways up and then down; channels are sorted. The ports of v that begin one go into
 * keys[v].second while v may go up, and into keys[N + v].second when it may no more. scratch has 4 N + 1
 * elements.
 */
void cni_search_up_down(const cni_inlets *inlets, uint32_t target, uint32_t scratch[],
                        cni_key keys[]);

#endif

/*
 * Parallel tangents (Shah, Buehler & Kempthorne 1964): after each round of improvements the flow goes on
 * along the line from where it was before the round before. Near saturation, where the lengths of some
 * channels change a million times faster than those of others, rounds alone creep.
 */
#ifndef CNI_QUEUEING_FLOW_FLOW_TANGENT_H
#define CNI_QUEUEING_FLOW_FLOW_TANGENT_H

#include "queueing/flow/flow_bush.h"

typedef struct cni_tangent {
    double *before; /* the parts of the flow before the latest round; NULL: there was none */
    double *now;    /* the same at present, and then the direction */
} cni_tangent;

/* A round, and a step beyond it. The load has to be the same in all rounds. CN_ERR_MEMORY */
cn_status cni_tangent_improve(cni_tangent *tangent, cni_flow *flow);
void cni_tangent_close(cni_tangent *tangent);

#endif

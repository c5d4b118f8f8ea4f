/* Two messages that have met on two rings and meet again: for model_variant own of deflection where M = 3. */
#ifndef CNI_QUEUEING_DEFLECTION_ENCOUNTERS_H
#define CNI_QUEUEING_DEFLECTION_ENCOUNTERS_H

#include "queueing/deflection/age_order.h"

/* On longer rings messages that are far from turning are told apart too little. */
enum { CNI_ENCOUNTERS_RADIX = 64 };

typedef struct cni_encounters {
    const cni_node_chain *node;
    const cni_age_order *ages; /* with its trips */
    uint32_t side;             /* nodes of a ring that are told apart */
    int begun;
    double *now,
        *then; /* density of pairs: by place of the older one as seen from the younger one, wish of either */
    double channels_meet; /* two from different channels want the same one with this probability */
    double common;        /* one from a channel and one that was kept with 1 + common over 2 */
} cni_encounters;

/* A unidirectional k-ary 2-cube, k = 3 .. CNI_ENCOUNTERS_RADIX, with 3 buffers a node. Both are kept by reference. */
cn_status cni_encounters_open(uint32_t k, const cni_node_chain *node, const cni_age_order *ages,
                              cni_encounters *encounters);
void cni_encounters_close(cni_encounters *encounters);

/* Some cycles of the pairs, with what the chain and the ages now say. */
void cni_encounters_update(cni_encounters *encounters);

#endif

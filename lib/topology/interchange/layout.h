/* The places of the nodes of a network in a drawing. */
#ifndef CNI_TOPOLOGY_INTERCHANGE_LAYOUT_H
#define CNI_TOPOLOGY_INTERCHANGE_LAYOUT_H

#include "topology/topology.h"

typedef struct cni_layout {
    double *x, *y; /* by node, from 0 to the right and from 0 up; neighbours are about 1 apart */
    double width, height;
} cni_layout;

/* Errors in the name of the calling function: CN_ERR_UNSUPPORTED above CN_DRAWING_NODES nodes,
 * CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_layout_open(const char *function, const cn_topology *topology, cni_budget *budget,
                          cni_layout *layout);
void cni_layout_close(cni_layout *layout);

#endif

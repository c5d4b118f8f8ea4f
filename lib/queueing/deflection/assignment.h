/* The probabilities of the random message assignment ((D1), (D2)), row by row for the models. */
#ifndef CNI_QUEUEING_DEFLECTION_ASSIGNMENT_H
#define CNI_QUEUEING_DEFLECTION_ASSIGNMENT_H

#include "cubenet/queueing.h"

/* Turns the row f_{i-1,j}, j = 0..n, into f_{i,j} (D1). The first row is f_{0,0} = 1. */
void cni_assignment_next(uint32_t channels, double row[]);

/* Turns the row f_{i,j} into f'_{i,j} for M buffers (D2). */
void cni_assignment_force(uint32_t channels, uint64_t buffers, uint64_t messages, double row[]);

#endif

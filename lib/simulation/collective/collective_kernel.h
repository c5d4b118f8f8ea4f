/* The kernel of the system of collective operations. */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_KERNEL_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_KERNEL_H

#include "simulation/kernel/kernel.h"

extern const cni_kernel cni_collective_kernel;

#endif

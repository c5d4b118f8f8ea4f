/* The kernels of the systems that store and forward on a damaged hypercube. */
#ifndef CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_KERNEL_H
#define CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_KERNEL_H

#include "simulation/kernel/kernel.h"

extern const cni_kernel cni_optimal_path_kernel;
extern const cni_kernel cni_two_level_kernel;

#endif

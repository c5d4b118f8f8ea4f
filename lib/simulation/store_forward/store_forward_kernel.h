/* The kernels of the systems that store and forward. */
#ifndef CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_KERNEL_H
#define CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_KERNEL_H

#include "simulation/kernel/kernel.h"

extern const cni_kernel cni_separate_buffers_kernel;
extern const cni_kernel cni_shared_buffer_kernel;

#endif

/* The kernels of the systems with unlimited buffers. */
#ifndef CNI_SIMULATION_STORE_FORWARD_UNLIMITED_KERNEL_H
#define CNI_SIMULATION_STORE_FORWARD_UNLIMITED_KERNEL_H

#include "simulation/kernel/kernel.h"

extern const cni_kernel cni_separate_buffers_kernel;
extern const cni_kernel cni_shared_buffer_kernel;

#endif

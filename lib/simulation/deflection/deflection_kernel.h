/* The kernels of the systems "deflection" and "cut-through-deflection". */
#ifndef CNI_SIMULATION_DEFLECTION_DEFLECTION_KERNEL_H
#define CNI_SIMULATION_DEFLECTION_DEFLECTION_KERNEL_H

#include "simulation/kernel/kernel.h"

/* The variants of the kernel. */
enum { CNI_STORE_AND_FORWARD, CNI_CUT_THROUGH };

extern const cni_kernel cni_deflection_kernel, cni_cut_through_deflection_kernel;

#endif

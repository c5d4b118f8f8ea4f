/* The kernel of the system "deflection". */
#ifndef CNI_SIMULATION_DEFLECTION_DEFLECTION_KERNEL_H
#define CNI_SIMULATION_DEFLECTION_DEFLECTION_KERNEL_H

#include "simulation/kernel/kernel.h"

extern const cni_kernel cni_deflection_kernel;

#endif

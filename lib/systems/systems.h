/* The rows of the systems. A new one is declared here and listed in systems.c. */
#ifndef CNI_SYSTEMS_SYSTEMS_H
#define CNI_SYSTEMS_SYSTEMS_H

#include "scenario/system.h"

extern const cni_system cni_collective_system;
extern const cni_system cni_deflection_system;
extern const cni_system cni_degraded_bound_system;
extern const cni_system cni_flow_deviation_system;
extern const cni_system cni_optimal_path_system;
extern const cni_system cni_optimistic_bound_system;
extern const cni_system cni_separate_buffers_system;
extern const cni_system cni_shared_buffer_system;
extern const cni_system cni_two_level_system;

#endif

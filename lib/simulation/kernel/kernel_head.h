/* The head of the states of most kernels, and the functions of a kernel that need only the head. */
#ifndef CNI_SIMULATION_KERNEL_KERNEL_HEAD_H
#define CNI_SIMULATION_KERNEL_KERNEL_HEAD_H

#include "simulation/kernel/kernel.h"
#include "simulation/kernel/mailbox.h"

/* The first member of a kernel's state. */
typedef struct cni_kernel_head {
    cni_mailbox mailbox;
    cni_histogram delays;
} cni_kernel_head;

void cni_head_report_trace(void *state);
cn_status cni_head_fetch(void *state, cn_delivery *delivery);
const cni_histogram *cni_head_delays(const void *state);
void cni_head_clear_delays(void *state);

#endif

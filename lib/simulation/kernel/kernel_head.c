/* Functions of a kernel that need only the head of its state. */
#include "simulation/kernel/kernel_head.h"

void cni_head_report_trace(void *state)
{
    cni_kernel_head *head = state;
    head->mailbox.reports_trace = 1;
}

cn_status cni_head_fetch(void *state, cn_delivery *delivery)
{
    cni_kernel_head *head = state;
    return cni_mailbox_fetch(&head->mailbox, delivery);
}

const cni_histogram *cni_head_delays(const void *state)
{
    const cni_kernel_head *head = state;
    return &head->delays;
}

void cni_head_clear_delays(void *state)
{
    cni_kernel_head *head = state;
    cni_histogram_clear(&head->delays);
}

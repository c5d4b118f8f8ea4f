/* The cycles of a network or a part: workers pass over their nodes, and between passes messages
 * go to other parts. */
#include "simulation/kernel/part.h"

/* Runs a step of the exchange on a bank while the other workers wait. Returns 0 when the run is
 * over. */
static int exchange_bank(const cni_part_cycles *order, uint32_t worker, int bank, uint64_t cycle,
                         cn_status (*action)(cni_part *part, const cni_part_bank *bank,
                                             uint64_t cycle))
{
    if (bank == CNI_NO_BANK || order->part->links == 0)
        return 1;
    cni_team_meet(order->team);
    if (worker == 0 && order->part->status == CN_OK)
        order->part->status = action(order->part, &order->bank[bank], cycle);
    cni_team_meet(order->team);
    return order->part->status == CN_OK;
}

static void run_worker(void *work, uint32_t worker)
{
    const cni_part_cycles *order = work;
    for (uint64_t c = 0; c <= order->cycles; c++) {
        int in = c > 0 ? (int)((c - 1) % 2) : CNI_NO_BANK;
        int out = c < order->cycles ? (int)(c % 2) : CNI_NO_BANK;
        uint64_t cycle = order->first + c;
        if (c > 0) {
            cni_team_meet(order->team);
            if (order->has_failed != NULL && order->has_failed(order->kernel, cycle - 1))
                return; /* all workers return together */
        }
        if (!exchange_bank(order, worker, in, cycle, cni_part_receive))
            return;
        order->pass(order->kernel, worker, cycle, in, out);
        if (!exchange_bank(order, worker, out, cycle + 1, cni_part_send))
            return;
    }
}

void cni_part_run_cycles(cni_part_cycles *order)
{
    cni_team_run(order->team, run_worker, order);
}

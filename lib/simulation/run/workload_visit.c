/* A run of a workload in snapshots: the times of injection and delivery of its messages; all
 * other data follow. */
#include "base/archive.h"
#include "simulation/run/workload_run.h"

/* Takes a message that was read, after all messages before it. */
static cn_status take_up_message(const cn_sim *sim, uint32_t m, uint32_t hops)
{
    cni_workload_run *run = sim->workload;
    uint64_t injected = run->times.injected[m], delivered = run->times.delivered[m];
    uint64_t *ready = &run->times.ready[m];
    int is_sent = injected != CN_NEVER, is_there = delivered != CN_NEVER;
    cni_last_event last = cni_find_last_event(run->workload, &run->times, m);
    if (last.missing == 0 && run->start != CN_NEVER)
        *ready = (last.cycle > run->start ? last.cycle : run->start) +
                 run->workload->message[m].computing;
    CNI_ALLOW(!is_sent || (*ready <= injected && injected <= sim->cycle), "an injection");
    CNI_ALLOW(!is_there || (is_sent && injected <= delivered && delivered <= sim->cycle),
              "a delivery");
    CNI_ALLOW(is_sent == is_there || !cni_is_computing(&run->workload->message[m]),
              "a time of computing");
    run->done += (size_t)is_there;
    run->under_way += (size_t)(is_sent && !is_there);
    run->word[m] = is_there ? hops : last.missing;
    if (!is_sent && *ready != CN_NEVER)
        cni_workload_run_push(run, m);
    return CN_OK;
}

cn_status cni_workload_run_visit(cn_sim *sim, cni_archive *archive)
{
    cni_workload_run *run = sim->workload;
    cni_archive_u64s(archive, &run->start, 1);
    CNI_ALLOW((run->start == CN_NEVER) == (sim->cycle < sim->warmup) &&
                  (run->start == CN_NEVER || run->start <= sim->warmup),
              "the begin of its workload");
    for (uint32_t m = 0; m < run->workload->messages; m++) {
        uint32_t hops = run->times.delivered[m] == CN_NEVER ? 0 : run->word[m];
        cni_archive_u64s(archive, &run->times.injected[m], 1);
        cni_archive_u64s(archive, &run->times.delivered[m], 1);
        cni_archive_u32s(archive, &hops, 1);
        if (cni_archive_reads(archive))
            CNI_TRY(take_up_message(sim, m, hops));
    }
    return CN_OK;
}

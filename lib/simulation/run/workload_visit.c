/* A run of a workload in snapshots: when its messages were injected and delivered; all else follows. */
#include "base/archive.h"
#include "simulation/run/workload_run.h"

/* Works out, of a message of which all before are read, whether it is ready, and since when. */
static void find_ready(cni_workload_run *run, uint32_t message)
{
    const cn_workload *workload = run->workload;
    uint64_t latest = run->start;
    uint32_t missing = 0;
    for (size_t w = workload->message[message].waits; w < cni_workload_waits_end(workload, message);
         w++) {
        cni_workload_wait wait = workload->wait[w];
        const uint64_t *time = cni_waits_for_sent(wait) ? run->injected : run->delivered;
        uint64_t cycle = time[cni_waited_number(wait)];
        missing += cycle == CN_NEVER;
        latest = cycle > latest ? cycle : latest;
    }
    run->ready[message] = missing > 0 || run->start == CN_NEVER
                              ? CN_NEVER
                              : latest + workload->message[message].computing;
    run->word[message] = missing;
}

static cn_status take_up(const cn_sim *sim, uint32_t m, uint32_t hops)
{
    cni_workload_run *run = sim->workload;
    uint64_t injected = run->injected[m], delivered = run->delivered[m];
    find_ready(run, m);
    int is_sent = injected != CN_NEVER, is_there = delivered != CN_NEVER;
    CNI_ALLOW(!is_sent || (run->ready[m] <= injected && injected <= sim->cycle), "an injection");
    CNI_ALLOW(!is_there || (is_sent && injected <= delivered && delivered <= sim->cycle),
              "a delivery");
    CNI_ALLOW(is_sent == is_there || !cni_is_computing(&run->workload->message[m]),
              "a time of computing");
    run->done += (size_t)is_there;
    run->under_way += (size_t)(is_sent && !is_there);
    if (is_there)
        run->word[m] = hops;
    if (!is_sent && run->ready[m] != CN_NEVER)
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
        uint32_t hops = run->delivered[m] == CN_NEVER ? 0 : run->word[m];
        cni_archive_u64s(archive, &run->injected[m], 1);
        cni_archive_u64s(archive, &run->delivered[m], 1);
        cni_archive_u32s(archive, &hops, 1);
        if (cni_archive_reads(archive))
            CNI_TRY(take_up(sim, m, hops));
    }
    return CN_OK;
}

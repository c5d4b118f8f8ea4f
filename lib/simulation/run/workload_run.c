/* The course of a workload: ready messages enter the simulation, deliveries make others ready. */
#include "simulation/run/workload_run.h"

#include "base/error.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "topology/topology.h"

/* ---- opening ---- */

static cn_status check_message(const cn_sim *sim, size_t number, const cni_workload_row *m)
{
    const uint64_t ends[] = {m->source, m->destination};
    if (m->flits > 1 && !sim->kernel->has_flits)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_sim_open: message %zu has %lu flits, but the messages of %s have no "
                        "flits: make it as many messages",
                        number, (unsigned long)m->flits, sim->scenario->system->name);
    for (int i = 0; i < 2; i++)
        if (sim->kernel->can_accept(sim->state, "cn_sim_open", ends[i]) < CN_OK)
            return cni_fail(CN_ERR_DISCONNECTED,
                            "cn_sim_open: message %zu goes from node %lu to node %lu, but node "
                            "%lu does not survive: it is faulty or disabled",
                            number, (unsigned long)m->source, (unsigned long)m->destination,
                            (unsigned long)ends[i]);
    return CN_OK;
}

/* Counts the heirs of each message, then lists them. */
static void list_heirs(cni_workload_run *run)
{
    const cn_workload *workload = run->workload;
    size_t messages = workload->messages;
    for (size_t w = 0; w < workload->waits; w++)
        run->first[cni_waited_number(workload->wait[w])]++;
    for (size_t m = 1; m <= messages; m++)
        run->first[m] += run->first[m - 1]; /* the end of its heirs */
    for (size_t m = messages; m-- > 0;)
        for (size_t w = cni_workload_waits_end(workload, m); w-- > workload->message[m].waits;) {
            cni_workload_wait wait = workload->wait[w];
            run->heir[--run->first[cni_waited_number(wait)]] =
                (cni_workload_wait)m << 1 | (wait & 1);
        }
}

static cn_status open_run(cni_workload_run *run, uint64_t nodes)
{
    uint64_t messages = run->workload->messages;
    const cni_array arrays[] = {
        CNI_ARRAY(run->word, messages),
        CNI_ARRAY(run->first, messages + 1),
        CNI_ARRAY(run->heir, run->workload->waits),
        CNI_ARRAY(run->heap, messages),
        CNI_ARRAY(run->queue, nodes),
        CNI_ARRAY(run->waiting, nodes),
    };
    CNI_TRY(cni_message_times_open(&run->times, (size_t)messages));
    CNI_TRY(cni_allocate_arrays(&run->block, arrays));
    run->start = CN_NEVER;
    for (uint64_t node = 0; node < nodes; node++)
        run->queue[node].first = CNI_NOTHING_NEXT;
    for (size_t m = 0; m < messages; m++)
        run->word[m] =
            (uint32_t)(cni_workload_waits_end(run->workload, m) - run->workload->message[m].waits);
    list_heirs(run);
    return CN_OK;
}

cn_status cni_workload_run_open(cn_sim *sim)
{
    const cn_workload *workload = cni_workload_of(sim->scenario);
    sim->workload = cni_allocate(1, sizeof *sim->workload);
    CNI_TRY_MEMORY(sim->workload);
    sim->workload->workload = workload;
    for (size_t m = 0; m < workload->messages; m++)
        CNI_TRY(check_message(sim, m, &workload->message[m]));
    return open_run(sim->workload, workload->topology->nodes);
}

void cni_workload_run_close(cni_workload_run *run)
{
    if (run == NULL)
        return;
    cni_message_times_close(&run->times);
    cni_release(run->block);
    cni_release(run);
}

/* ---- messages with a known ready time: a heap by cycle, then number ---- */

static int is_before(const cni_workload_run *run, uint32_t a, uint32_t b)
{
    return run->times.ready[a] != run->times.ready[b] ? run->times.ready[a] < run->times.ready[b]
                                                      : a < b;
}

void cni_workload_run_push(cni_workload_run *run, uint32_t message)
{
    size_t at = run->in_heap++;
    for (; at > 0 && is_before(run, message, run->heap[(at - 1) / 2]); at = (at - 1) / 2)
        run->heap[at] = run->heap[(at - 1) / 2];
    run->heap[at] = message;
}

static uint32_t pop(cni_workload_run *run)
{
    uint32_t top = run->heap[0], last = run->heap[--run->in_heap];
    size_t at = 0, next;
    for (; (next = 2 * at + 1) < run->in_heap; at = next) {
        next += next + 1 < run->in_heap && is_before(run, run->heap[next + 1], run->heap[next]);
        if (!is_before(run, run->heap[next], last))
            break;
        run->heap[at] = run->heap[next];
    }
    run->heap[at] = last;
    return top;
}

/* All events that the message waits for have happened, the last event in this cycle. */
static void compute(cni_workload_run *run, uint32_t message, uint64_t cycle)
{
    run->times.ready[message] = cycle + run->workload->message[message].computing;
    cni_workload_run_push(run, message);
}

/* Tells the heirs of a message of an event: its injection or its delivery. */
static void tell_heirs(cni_workload_run *run, uint32_t message, int is_sent, uint64_t cycle)
{
    for (uint32_t i = run->first[message]; i < run->first[message + 1]; i++) {
        uint32_t heir = cni_waited_number(run->heir[i]);
        if (cni_waits_for_sent(run->heir[i]) == is_sent && --run->word[heir] == 0)
            compute(run, heir, cycle);
    }
}

void cni_workload_run_begin(cni_workload_run *run, uint64_t cycle)
{
    if (run->start != CN_NEVER)
        return;
    run->start = cycle;
    for (uint32_t m = 0; m < run->workload->messages; m++)
        if (run->word[m] == 0)
            compute(run, m, cycle);
}

/* ---- the end of a cycle ---- */

static void deliver(cni_workload_run *run, uint32_t message, uint64_t hops, uint64_t cycle)
{
    run->word[message] = hops < UINT32_MAX ? (uint32_t)hops : UINT32_MAX;
    run->times.delivered[message] = cycle;
    run->done++;
    tell_heirs(run, message, 0, cycle);
}

static cn_status take_deliveries(cn_sim *sim)
{
    cni_workload_run *run = sim->workload;
    cn_delivery d;
    cn_status status;
    while ((status = sim->kernel->next_delivery(sim->state, &d)) == CN_OK) {
        if (d.tag >= run->workload->messages || run->times.injected[d.tag] == CN_NEVER ||
            run->times.delivered[d.tag] != CN_NEVER)
            return cni_fail(CN_ERR_INTERNAL, "message %llu arrived, but it was not under way",
                            (unsigned long long)d.tag);
        run->under_way--;
        deliver(run, (uint32_t)d.tag, d.hops, d.delivered);
    }
    return status == CN_DONE ? CN_OK : status;
}

/* CN_REFUSED: the message waits on. */
static cn_status inject(cn_sim *sim, uint32_t message)
{
    cni_workload_run *run = sim->workload;
    const cni_workload_row *m = &run->workload->message[message];
    CNI_TRY(sim->kernel->can_accept(sim->state, "cn_sim_step", m->source));
    CNI_TRY(sim->kernel->inject(sim->state, m->source, m->destination, m->flits, message));
    run->times.injected[message] = sim->cycle;
    run->under_way++;
    tell_heirs(run, message, 1, sim->cycle);
    return CN_OK;
}

static void enqueue(cni_workload_run *run, uint32_t message)
{
    uint32_t source = run->workload->message[message].source;
    cni_source_queue *queue = &run->queue[source];
    if (queue->first == CNI_NOTHING_NEXT) {
        run->waiting[run->in_waiting++] = source;
        queue->first = message;
    } else {
        run->word[queue->last] = message;
    }
    run->word[message] = CNI_NOTHING_NEXT;
    queue->last = message;
}

/* Injects the messages that wait at their sources, in order, until a source refuses a message. */
static cn_status admit_waiting(cn_sim *sim)
{
    cni_workload_run *run = sim->workload;
    size_t kept = 0;
    for (size_t i = 0; i < run->in_waiting; i++) {
        cni_source_queue *queue = &run->queue[run->waiting[i]];
        cn_status status = CN_OK;
        while (status == CN_OK && queue->first != CNI_NOTHING_NEXT) {
            uint32_t next = run->word[queue->first];
            status = inject(sim, queue->first);
            queue->first = status == CN_OK ? next : queue->first;
        }
        if (status == CN_REFUSED)
            run->waiting[kept++] = run->waiting[i];
        else
            CNI_TRY(status);
    }
    run->in_waiting = kept;
    return CN_OK;
}

/* Sends a message that is ready in this cycle. */
static cn_status send(cn_sim *sim, uint32_t message)
{
    cni_workload_run *run = sim->workload;
    const cni_workload_row *m = &run->workload->message[message];
    if (cni_is_computing(m)) {
        run->times.injected[message] = sim->cycle;
        tell_heirs(run, message, 1, sim->cycle);
        deliver(run, message, 0, sim->cycle);
        return CN_OK;
    }
    if (run->queue[m->source].first == CNI_NOTHING_NEXT) {
        cn_status status = inject(sim, message);
        if (status != CN_REFUSED)
            return status;
    }
    enqueue(run, message);
    return CN_OK;
}

cn_status cni_workload_run_look(cn_sim *sim)
{
    cni_workload_run *run = sim->workload;
    if (run == NULL)
        return CN_OK;
    CNI_TRY(take_deliveries(sim));
    CNI_TRY(admit_waiting(sim));
    while (run->in_heap > 0 && run->times.ready[run->heap[0]] <= sim->cycle)
        CNI_TRY(send(sim, pop(run)));
    return CN_OK;
}

uint64_t cni_workload_run_next(const cn_sim *sim)
{
    const cni_workload_run *run = sim->workload;
    if (run->start == CN_NEVER)
        return sim->warmup;
    if (run->in_heap == 0)
        return CN_NEVER;
    uint64_t ready = run->times.ready[run->heap[0]];
    return ready > sim->cycle ? ready : sim->cycle + 1;
}

uint64_t cni_workload_run_room(const cn_sim *sim, uint64_t room)
{
    const cni_workload_run *run = sim->workload;
    if (run == NULL)
        return room;
    uint64_t next = cni_workload_run_next(sim);
    if (run->under_way > 0 || run->in_waiting > 0) {
        uint64_t event = sim->kernel->next_event(sim->state);
        next = event < next ? event : next;
    }
    return next - sim->cycle < room ? next - sim->cycle : room;
}

/*
 * A host in C with a clock of its own, and cubenet behind the interface that GPU simulators give
 * their interconnect: has_buffer, push, pop, transfer, busy.
 *
 * A 4 x 4 mesh joins 12 cores (nodes 0..11) and 4 memory partitions (12..15). Every core reads 40
 * lines, with at most 4 reads under way. A read is a message of 1 flit, the answer one of 5. They
 * go by two networks, so that answers never wait behind reads. The host makes 3 cycles while the
 * networks make 2.
 *
 * Printed are for each read its core and partition, and the host's cycles of push and pop; then
 * totals.
 *
 * Compile it with
 *
 *     cc -o gpu_interconnect gpu_interconnect.c $(pkg-config --cflags --libs cubenet)
 */
#include <cubenet.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 4, NODES = SIDE * SIDE, CORES = 12, READS = 40, UNDER_WAY = 4 };
enum { ROOM = 3, MEMORY_CYCLES = 20 };
enum { QUESTIONS, ANSWERS, NETWORKS };
static const uint64_t flits_of[NETWORKS] = {1, 5};

/* ---- the interconnect ---- */

/* The host's packet. The network carries its address as the tag. */
typedef struct packet {
    struct packet *next;
    uint64_t core, partition, begun, due;
} packet;

typedef struct line {
    packet *first, **end;
} line;

static cn_sim *network[NETWORKS];
static line ejected[NETWORKS][NODES];

static void must(cn_status status)
{
    if (status < 0) {
        fprintf(stderr, "%s\n", cn_last_error());
        exit(1);
    }
}

static void append(line *to, packet *p)
{
    p->next = NULL;
    if (to->first == NULL)
        to->end = &to->first;
    *to->end = p;
    to->end = &p->next;
}

static packet *take(line *from)
{
    packet *p = from->first;
    if (p != NULL)
        from->first = p->next;
    return p;
}

static void icnt_create(void)
{
    cn_topology *mesh;
    cn_scenario *scenario;
    must(cn_topology_mesh((const uint64_t[]){SIDE, SIDE}, 2, &mesh));
    must(cn_scenario_new(mesh, "wormhole", &scenario));
    must(cn_scenario_set_routing_name(scenario, "dimension-order"));
    must(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 2));
    must(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    for (int net = 0; net < NETWORKS; net++)
        must(cn_sim_open(scenario, NULL, &network[net]));
    cn_scenario_free(&scenario), cn_topology_free(&mesh);
}

/* The queue between a node and the network has room for so many packets. */
static int icnt_has_buffer(int net, uint64_t node)
{
    uint64_t waiting;
    must(cn_sim_queued(network[net], node, &waiting));
    return waiting < ROOM;
}

static void icnt_push(int net, uint64_t from, uint64_t to, packet *p)
{
    must(cn_sim_inject(network[net], from, to, flits_of[net], (uint64_t)(uintptr_t)p));
}

static packet *icnt_pop(int net, uint64_t node)
{
    return take(&ejected[net][node]);
}

static void icnt_transfer(void)
{
    cn_delivery arrived;
    for (int net = 0; net < NETWORKS; net++) {
        must(cn_sim_step(network[net], 1, NULL));
        while (cn_sim_next_delivery(network[net], &arrived, sizeof arrived) == CN_OK)
            append(&ejected[net][arrived.destination], (packet *)(uintptr_t)arrived.tag);
    }
}

/* Without traffic of its own a network in which nothing can happen is empty. */
static int icnt_busy(void)
{
    return cn_sim_next_event(network[QUESTIONS]) != CN_NEVER ||
           cn_sim_next_event(network[ANSWERS]) != CN_NEVER;
}

/* Flits over all channels. */
static uint64_t icnt_flit_hops(void)
{
    uint64_t loads[4 * NODES], sum = 0;
    for (int net = 0; net < NETWORKS; net++) {
        size_t count;
        must(cn_sim_channel_loads(network[net], loads, 4 * NODES, &count));
        for (size_t c = 0; c < count; c++)
            sum += loads[c];
    }
    return sum;
}

/* ---- the host: cores and memory ---- */

static packet packets[CORES][READS];
static uint64_t sent[CORES], answered[CORES];
static line memory[NODES];

static void run_core(uint64_t core, uint64_t now)
{
    packet *p = icnt_pop(ANSWERS, core);
    if (p != NULL) {
        answered[core]++;
        printf("read %llu %llu %llu %llu\n", (unsigned long long)core,
               (unsigned long long)p->partition, (unsigned long long)p->begun,
               (unsigned long long)now);
    }
    if (sent[core] == READS || sent[core] - answered[core] == UNDER_WAY ||
        !icnt_has_buffer(QUESTIONS, core))
        return;
    p = &packets[core][sent[core]];
    *p = (packet){.core = core, .partition = CORES + (5 * core + 3 * sent[core]) % 4, .begun = now};
    sent[core]++;
    icnt_push(QUESTIONS, core, p->partition, p);
}

/* One read a cycle comes in, one answer goes out. */
static void run_partition(uint64_t node, uint64_t now)
{
    packet *p = icnt_pop(QUESTIONS, node);
    if (p != NULL) {
        p->due = now + MEMORY_CYCLES;
        append(&memory[node], p);
    }
    p = memory[node].first;
    if (p != NULL && p->due <= now && icnt_has_buffer(ANSWERS, node))
        icnt_push(ANSWERS, node, p->core, take(&memory[node]));
}

int main(void)
{
    uint64_t now = 0, done = 0;
    icnt_create();
    while (done < CORES * READS || icnt_busy()) {
        for (uint64_t v = 0; v < NODES; v++)
            (v < CORES ? run_core : run_partition)(v, now);
        if (now++ % 3 != 0)
            icnt_transfer();
        done = 0;
        for (int core = 0; core < CORES; core++)
            done += answered[core];
    }
    printf("total %llu cycles, %llu network cycles, %llu flit hops\n", (unsigned long long)now,
           (unsigned long long)cn_sim_cycle(network[0]), (unsigned long long)icnt_flit_hops());
    for (int net = 0; net < NETWORKS; net++)
        cn_sim_close(&network[net]);
    return 0;
}

/*
 * A host in C that survives being ended: it keeps a file with its own state and a snapshot of the
 * network, and a later call goes on from there.
 *
 *     checkpoint FILE CYCLES
 *
 * Each node of an 8 x 8 torus sends 20 blocks, each to another node and each when the one before
 * has arrived. The host saves every 100 cycles. After CYCLES cycles it ends like a job whose time
 * is over: what it did since it saved last is lost. The exit status is then 75. A call that comes
 * to the end prints for each block its source, its number and the cycle of its arrival, and then
 * totals: the same, however often it was ended.
 *
 * Compile it with
 *
 *     cc -o checkpoint checkpoint.c $(pkg-config --cflags --libs cubenet)
 */
#include <cubenet.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 8, NODES = SIDE * SIDE, BLOCKS = 20, FLITS = 12, EVERY = 100, TIME_IS_OVER = 75 };

/* The state of the host; that of the network is in the snapshot. */
typedef struct work {
    uint64_t arrived[NODES][BLOCKS]; /* cycle */
    uint64_t sent[NODES], left;
} work;

static void must(cn_status status)
{
    if (status < 0) {
        fprintf(stderr, "%s\n", cn_last_error());
        exit(1);
    }
}

static void must_write(int worked)
{
    if (!worked) {
        perror("checkpoint");
        exit(1);
    }
}

/* ---- the file ---- */

/* Under another name first: whenever the host ends, there is a whole file. */
static void save(const char *path, const work *w, const cn_sim *sim)
{
    char other[1024];
    size_t size = 0;
    must_write(snprintf(other, sizeof other, "%s.new", path) < (int)sizeof other);
    cn_sim_save(sim, NULL, 0, &size);
    uint8_t *data = malloc(size);
    must_write(data != NULL);
    must(cn_sim_save(sim, data, size, NULL));
    FILE *file = fopen(other, "wb");
    must_write(file != NULL && fwrite(w, sizeof *w, 1, file) == 1 &&
               fwrite(data, 1, size, file) == size && fclose(file) == 0);
    must_write(rename(other, path) == 0);
    free(data);
}

/* 0: there is no file yet. */
static int load(const char *path, work *w, const cn_scenario *scenario, cn_sim **sim)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    must_write(fread(w, sizeof *w, 1, file) == 1);
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    must(cn_sim_restore(scenario, data, size, NULL, sim));
    return 1;
}

/* ---- the work ---- */

static void send_next(work *w, cn_sim *sim, uint64_t node)
{
    uint64_t number = w->sent[node]++,
             to = (node + 1 + (5 * number + 3 * node) % (NODES - 1)) % NODES;
    must(cn_sim_inject(sim, node, to, FLITS, node * BLOCKS + number));
}

static void begin(work *w, const cn_scenario *scenario, cn_sim **sim)
{
    must(cn_sim_open(scenario, NULL, sim));
    w->left = NODES * BLOCKS;
    for (uint64_t node = 0; node < NODES; node++)
        send_next(w, *sim, node);
}

static void step(work *w, cn_sim *sim)
{
    cn_delivery d;
    must(cn_sim_step(sim, 1, NULL));
    while (cn_sim_next_delivery(sim, &d, sizeof d) == CN_OK) {
        w->arrived[d.source][d.tag % BLOCKS] = d.delivered;
        w->left -= 1;
        if (w->sent[d.source] < BLOCKS)
            send_next(w, sim, d.source);
    }
}

static void print(const work *w, const cn_sim *sim)
{
    static uint64_t loads[NODES * 4];
    uint64_t flit_hops = 0;
    for (uint64_t node = 0; node < NODES; node++)
        for (uint64_t number = 0; number < BLOCKS; number++)
            printf("block %d %d %llu\n", (int)node, (int)number,
                   (unsigned long long)w->arrived[node][number]);
    must(cn_sim_channel_loads(sim, loads, NODES * 4, NULL));
    for (int channel = 0; channel < NODES * 4; channel++)
        flit_hops += loads[channel];
    printf("%llu cycles, %llu flit hops\n", (unsigned long long)cn_sim_cycle(sim),
           (unsigned long long)flit_hops);
}

int main(int count, char *arguments[])
{
    static const uint64_t sides[] = {SIDE, SIDE};
    static work w;
    cn_topology *torus;
    cn_scenario *scenario;
    cn_sim *sim;
    if (count != 3)
        return fprintf(stderr, "usage: checkpoint FILE CYCLES\n"), 2;
    long cycles = strtol(arguments[2], NULL, 10);
    must(cn_topology_torus(sides, 2, &torus));
    must(cn_scenario_new(torus, "wormhole", &scenario));
    must(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    if (!load(arguments[1], &w, scenario, &sim))
        begin(&w, scenario, &sim);
    for (; w.left > 0 && cycles > 0; cycles--) {
        step(&w, sim);
        if (cn_sim_cycle(sim) % EVERY == 0)
            save(arguments[1], &w, sim);
    }
    if (w.left == 0)
        print(&w, sim);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
    return w.left == 0 ? 0 : TIME_IS_OVER;
}

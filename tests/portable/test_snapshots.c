/*
 * Snapshots against sizes and hashes in a file: their bytes are the same on every machine, and so
 * are those of the simulation that was restored from them, some cycles later. What one machine
 * wrote, another one can therefore read.
 *
 *     test_snapshots [--write] snapshots.txt
 *
 * Whoever has to write the file anew has changed what a snapshot is, and gives it a new version.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/snapshot_cases.h"

enum { FIRST = 50, LATER = 60, MOST_NODES = 64 };

typedef struct state {
    unsigned char *bytes;
    size_t size;
} state;

static int fail(const char *name, const char *what)
{
    return fprintf(stderr, "%s: %s: %s\n", name, what, cn_last_error()), 1;
}

/* FNV-1a. */
static uint64_t hash_of(const state *s)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < s->size; i++)
        hash = (hash ^ s->bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Steps with a host that injects something now and then; a deadlock ends it. */
static int drive(cn_sim *sim, size_t index, uint64_t nodes, uint64_t cycles)
{
    uint64_t end = cn_sim_cycle(sim) + cycles;
    cn_status status = CN_OK;
    while (cn_sim_cycle(sim) < end && status == CN_OK) {
        uint64_t word = (cn_sim_cycle(sim) + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
        status = snapshot_case_inject(sim, index, nodes, word);
        if (status == CN_OK)
            status = cn_sim_step(sim, 1, NULL);
    }
    return status == CN_OK || status == CN_ERR_DEADLOCK;
}

static int save(const cn_sim *sim, state *s)
{
    cn_sim_save(sim, NULL, 0, &s->size);
    s->bytes = malloc(s->size);
    return s->bytes != NULL && cn_sim_save(sim, s->bytes, s->size, NULL) == CN_OK;
}

/* The state after FIRST cycles, and after LATER more of what was restored from it. */
static int run(size_t index, uint64_t nodes, state states[2])
{
    cn_scenario *scenario = snapshot_case_scenario(index, 1);
    cn_sim *sim = NULL, *restored = NULL;
    int worked =
        scenario != NULL && cn_sim_open(scenario, NULL, &sim) == CN_OK &&
        drive(sim, index, nodes, FIRST) && save(sim, &states[0]) &&
        cn_sim_restore(scenario, states[0].bytes, states[0].size, NULL, &restored) == CN_OK &&
        drive(restored, index, nodes, LATER) && save(restored, &states[1]);
    cn_sim_close(&sim);
    cn_sim_close(&restored);
    cn_scenario_free(&scenario);
    return worked;
}

static int check(FILE *file, int writing, size_t index)
{
    const char *name = snapshot_case_name(index);
    uint64_t nodes = snapshot_case_nodes(index), sizes[2], hashes[2];
    state states[2] = {{NULL, 0}, {NULL, 0}};
    char found[64];
    if (nodes > MOST_NODES)
        return 0;
    int wrong = run(index, nodes, states) ? 0 : fail(name, "it does not run");
    for (int i = 0; i < 2 && !wrong; i++) {
        if (writing) {
            fprintf(file, "%s %d %zu %016" PRIx64 "\n", name, i, states[i].size,
                    hash_of(&states[i]));
            continue;
        }
        int number, read = fscanf(file, "%63s %d %" SCNu64 " %" SCNx64, found, &number, &sizes[i],
                                  &hashes[i]);
        if (read != 4 || strcmp(found, name) != 0 || number != i || sizes[i] != states[i].size ||
            hashes[i] != hash_of(&states[i]))
            wrong =
                fail(name, i == 0 ? "another snapshot" : "another snapshot after it was restored");
    }
    free(states[0].bytes);
    free(states[1].bytes);
    return wrong;
}

int main(int argc, char **argv)
{
    int wrong = 0, writing = argc == 3 && strcmp(argv[1], "--write") == 0;
    FILE *file = argc < 2 ? NULL : fopen(argv[argc - 1], writing ? "w" : "r");
    if (file == NULL)
        return fprintf(stderr, "test_snapshots [--write] FILE\n"), 2;
    for (size_t i = 0; i < snapshot_cases(); i++)
        wrong += check(file, writing, i);
    wrong += fclose(file) != 0;
    printf("%zu cases, %d wrong\n", snapshot_cases(), wrong);
    return wrong > 0;
}

/*
 * Snapshots: the bytes pick a simulation and a cycle, and change its snapshot. What is changed is
 * refused; when the hash is made to fit again, it is refused or gives a simulation that runs,
 * whatever it counts.
 */
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "../support/snapshot_cases.h"

enum {
    STAGES = 4,
    MOST_NODES = 64,
    MOST_CASES = 128,
    HASH_BYTES = 8,
    SIZE_AT = 16,
    MORE_CYCLES = 40
};

/* A snapshot that was taken once. */
typedef struct sample {
    unsigned char *bytes;
    size_t size;
} sample;

static sample samples[MOST_CASES][STAGES];

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The hash at the end of a snapshot, as docs/simulation.md says. */
static uint64_t hash_of(const unsigned char bytes[], size_t size)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = size;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        for (size_t i = 0; i < 8 && at + i < size; i++)
            word |= (uint64_t)bytes[at + i] << 8 * i;
        hash = mix(mix(hash + step) + (word + 1) * step);
    }
    return hash;
}

static void put(unsigned char bytes[], uint64_t number)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
}

/* Steps with a host that injects something now and then. */
static cn_status drive(cn_sim *sim, size_t index, uint64_t nodes, uint64_t cycles)
{
    cn_status status = CN_OK;
    for (uint64_t i = 0; i < cycles && status == CN_OK; i++) {
        status = snapshot_case_inject(sim, index, nodes, mix(cn_sim_cycle(sim) + 77));
        if (status == CN_OK)
            status = cn_sim_step(sim, 1 + i % 3, NULL);
    }
    return status;
}

static void take(size_t index, size_t stage, uint64_t nodes, sample *s)
{
    static const uint64_t cycles[STAGES] = {0, 7, 40, 110};
    cn_scenario *scenario = snapshot_case_scenario(index, 1);
    cn_sim *sim = NULL;
    CHECK(scenario != NULL && cn_sim_open(scenario, NULL, &sim) == CN_OK);
    drive(sim, index, nodes, cycles[stage]); /* or to its deadlock */
    CHECK(cn_sim_save(sim, NULL, 0, &s->size) == CN_ERR_CAPACITY);
    s->bytes = malloc(s->size);
    CHECK(s->bytes != NULL && cn_sim_save(sim, s->bytes, s->size, NULL) == CN_OK);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* Changes the bytes as the input says; the size afterwards. */
static size_t change(input *in, unsigned char bytes[], size_t size)
{
    while (in->left > 0 && size > 0) {
        uint8_t how = input_byte(in);
        size_t at = (size_t)input_below(in, size);
        if (how < 100)
            bytes[at] = input_byte(in);
        else if (how < 150)
            bytes[at] = (unsigned char)(bytes[at] + (how % 2 == 0 ? 1 : 255));
        else if (how < 230 && at + 8 <= size)
            put(bytes + at, input_hostile(in));
        else if (how < 245)
            memmove(bytes + at, bytes + (size_t)input_below(in, at + 1), (size - at) % 40);
        else if (how >= 254)
            size = at;
    }
    return size;
}

/* A simulation that was made up: every call returns. */
static void use(cn_sim *sim, size_t index, uint64_t nodes)
{
    cn_delivery delivery;
    cn_result *result = NULL;
    uint64_t loads[8];
    size_t count;
    cn_sim *copy = NULL;
    cn_sim_next_event(sim);
    drive(sim, index, nodes, MORE_CYCLES);
    while (cn_sim_next_delivery(sim, &delivery, sizeof delivery) == CN_OK)
        ;
    cn_sim_channel_loads(sim, loads, 8, &count);
    cn_sim_deadlock(sim, NULL, 0, &count);
    cn_sim_result(sim, &result);
    cn_result_free(&result);
    cn_sim_copy(sim, NULL, &copy);
    cn_sim_close(&copy);
}

static void restore(const unsigned char bytes[], size_t size, size_t index, uint64_t nodes,
                    int is_same)
{
    cn_sim *sim = NULL;
    cn_scenario *scenario = snapshot_case_scenario(index, 1);
    cn_status status = CALL(cn_sim_restore(scenario, bytes, size, NULL, &sim));
    CHECK((status == CN_OK) == (sim != NULL));
    CHECK(status == CN_OK || status == CN_ERR_ARGUMENT || status == CN_ERR_UNSUPPORTED ||
          status == CN_ERR_MEMORY);
    CHECK(!is_same || status == CN_OK);
    if (sim != NULL)
        use(sim, index, nodes);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    input in = {data, length};
    size_t index = (size_t)input_below(&in, snapshot_cases());
    size_t stage = (size_t)input_below(&in, STAGES);
    int fits = input_byte(&in) % 8 != 0; /* the hash is made to */
    uint64_t nodes = snapshot_case_nodes(index);
    sample *s = &samples[index][stage];
    if (nodes > MOST_NODES)
        return 0;
    if (s->bytes == NULL)
        take(index, stage, nodes, s);
    unsigned char *bytes = malloc(s->size);
    CHECK(bytes != NULL);
    memcpy(bytes, s->bytes, s->size);
    size_t size = change(&in, bytes, s->size);
    if (fits && size >= SIZE_AT + 8 + HASH_BYTES) {
        put(bytes + SIZE_AT, size);
        put(bytes + size - HASH_BYTES, hash_of(bytes, size - HASH_BYTES));
    }
    int is_same = size == s->size && memcmp(bytes, s->bytes, size) == 0;
    unsigned char *exact = malloc(size + (size == 0)); /* so that a read past its end is seen */
    CHECK(exact != NULL);
    memcpy(exact, bytes, size);
    memory_begins();
    if (!fits && !is_same) {
        cn_sim *sim = NULL;
        cn_scenario *scenario = snapshot_case_scenario(index, 1);
        CHECK(CALL(cn_sim_restore(scenario, exact, size, NULL, &sim)) < CN_OK);
        cn_scenario_free(&scenario);
    } else {
        restore(exact, size, index, nodes, is_same);
    }
    memory_ends();
    free(exact);
    free(bytes);
    return 0;
}

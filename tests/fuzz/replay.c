/*
 * Runs a target without libFuzzer: on every file of a folder, and on bytes of its own, which are
 * the same in every run: random ones, and files of the folder with some bytes changed.
 *
 *     replay FOLDER RUNS [SEED]
 */
#include "input.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 256, MOST_BYTES = 1024 };

typedef struct sample {
    char name[256];
    size_t size;
    uint8_t bytes[MOST_BYTES];
} sample;

static uint64_t random_state;

static uint64_t next_random(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const sample *)a)->name, ((const sample *)b)->name);
}

static size_t read_folder(const char *folder, sample samples[])
{
    size_t count = 0;
    DIR *open = opendir(folder);
    if (open == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(open)) != NULL && count < MOST_FILES;) {
        char path[1024];
        sample *next = &samples[count];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        if (file == NULL)
            continue;
        snprintf(next->name, sizeof next->name, "%.255s", entry->d_name);
        next->size = fread(next->bytes, 1, MOST_BYTES, file);
        fclose(file);
        count++;
    }
    closedir(open);
    /* the order in a folder differs between machines */
    qsort(samples, count, sizeof samples[0], by_name);
    return count;
}

/* A block of its own, so that a sanitizer sees a read past its end. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + (size == 0));
    if (copy == NULL)
        abort();
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_random(const sample samples[], size_t count)
{
    uint8_t bytes[MOST_BYTES];
    size_t size = (size_t)(next_random() % (MOST_BYTES / 4)), changes = size;
    if (next_random() % 8 != 0) {
        const sample *chosen = &samples[next_random() % count];
        size = chosen->size;
        changes = 1 + (size_t)(next_random() % 4);
        memcpy(bytes, chosen->bytes, size);
    } else {
        for (size_t i = 0; i < size; i++)
            bytes[i] = 0;
    }
    int is_random = changes == size;
    for (size_t i = 0; i < changes && size > 0; i++) {
        uint8_t *place = &bytes[is_random ? i : next_random() % size];
        /* of a text mostly a character that it has, which may leave it a text of its kind */
        *place = !is_random && next_random() % 2 == 0 ? bytes[next_random() % size]
                                                      : (uint8_t)(next_random() >> 56);
    }
    run(bytes, size);
}

int main(int argc, char **argv)
{
    static sample samples[MOST_FILES];
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: %s FOLDER RUNS [SEED]\n", argv[0]);
        return 2;
    }
    random_state = argc == 4 ? strtoul(argv[3], NULL, 10) : 1;
    size_t count = read_folder(argv[1], samples);
    if (count == 0) {
        fprintf(stderr, "%s: there are no files\n", argv[1]);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "%s\n", samples[i].name);
        run(samples[i].bytes, samples[i].size);
    }
    unsigned long runs = strtoul(argv[2], NULL, 10);
    for (unsigned long i = 0; i < runs; i++)
        run_random(samples, count);
    printf("%zu files, %lu random runs\n", count, runs);
    return 0;
}

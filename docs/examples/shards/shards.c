/*
 * Experiments that are divided among the processes of any job system, and put together again.
 *
 *     shards run FILE SHARD SHARDS [THREADS]    what process SHARD = 0 .. SHARDS - 1 has to do, to standard output
 *     shards merge FILE...                      what all of them wrote, in any files and any order
 *
 * The FILE of a run holds scenarios and studies as JSON (cn_scenario_json(), cn_study_json()), one
 * after the other: one, or a whole sweep. The replications of a scenario are divided among the
 * processes, and so are the patterns of a study; scenarios of one run, and those that end by
 * precision, are dealt out as a whole. `merge` writes one result for each of them, in their order:
 * to the last bit what `shards run FILE 0 1` gives, merged.
 *
 *     parallel -j 8 'shards run sweep.json {} 100 > part{}.json' ::: $(seq 0 99) && shards merge
 *     part*.json > results.json
 *
 * shards.sbatch does the same with a job array of Slurm.
 */
#include <cubenet.h>
#include <cubenet/experimental/shard.h>
#include <cubenet/experimental/study.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "shards: %s: %s\n", what, why);
    exit(1);
}

static void must(cn_status status, const char *what)
{
    if (status < 0)
        fail(what, cn_last_error());
}

static void *grown(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (memory == NULL)
        fail("realloc", "out of memory");
    return memory;
}

/* ---- files of texts ---- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0, got;
    if (file == NULL)
        fail(path, strerror(errno));
    do {
        text = grown(text, length + 65536);
        got = fread(text + length, 1, 65535, file);
        length += got;
    } while (got > 0);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* The next object, with a NUL after it; NULL: there is none. *rest: what follows. */
static char *next_object(char *text, char **rest, char *end)
{
    size_t depth = 0;
    char *begin = strchr(text, '{'), *c = begin;
    if (begin == NULL)
        return NULL;
    do {
        if (*c == '"')
            for (c++; *c != '"' && *c != '\0'; c++)
                c += *c == '\\' && c[1] != '\0';
        depth += *c == '{';
        depth -= *c == '}';
        c += *c != '\0';
    } while (depth > 0 && *c != '\0');
    *end = *c;
    *c = '\0';
    *rest = c;
    return begin;
}

/* ---- run ---- */

typedef struct experiment {
    cn_scenario *scenario; /* or a study */
    cn_study *study;
    uint64_t parts; /* into which it is divided */
} experiment;

static experiment read_experiment(const char *path, const char *text, uint64_t shards,
                                  uint32_t threads)
{
    experiment made = {.parts = shards};
    double runs = 1, precision = 0;
    cn_status status = cn_scenario_from_json(text, NULL, &made.scenario);
    if (status < 0 && strstr(cn_last_error(), "this is \"study\"") != NULL) {
        must(cn_study_from_json(text, NULL, &made.study), path);
        must(cn_study_set(made.study, CN_STUDY_THREADS, threads), path);
        return made;
    }
    must(status, path);
    cn_scenario_get(made.scenario, CN_PARAM_REPLICATIONS, &runs); /* where there are any */
    if (cn_scenario_takes(made.scenario, CN_PARAM_RELATIVE_PRECISION))
        cn_scenario_get(made.scenario, CN_PARAM_RELATIVE_PRECISION, &precision);
    must(cn_scenario_set(made.scenario, CN_PARAM_THREADS, threads), path);
    if (precision > 0)
        runs = 1;
    if (runs < (double)shards)
        made.parts = (uint64_t)runs;
    return made;
}

static void print(const cn_result *result)
{
    size_t length = 0;
    cn_result_json(result, NULL, 0, &length);
    char *text = grown(NULL, length + 1);
    must(cn_result_json(result, text, length + 1, NULL), "a result");
    puts(text);
    free(text);
}

/* What this process has of an experiment; *dealt counts the parts of all, which go round. */
static void run_parts(const experiment *one, uint64_t shard, uint64_t shards, uint64_t *dealt,
                      const char *name)
{
    for (uint64_t part = 0; part < one->parts; part++) {
        cn_result *result;
        if ((*dealt)++ % shards != shard)
            continue;
        must(one->study == NULL ? cn_simulate_shard(one->scenario, part, one->parts, NULL, &result)
                                : cn_study_run_shard(one->study, part, one->parts, NULL, &result),
             name);
        puts(name);
        print(result);
        cn_result_free(&result);
    }
}

static void run(const char *path, uint64_t shard, uint64_t shards, uint32_t threads)
{
    experiment *all = NULL;
    size_t count = 0;
    uint64_t dealt = 0;
    char *whole = read_file(path), *rest = whole, *text, end;
    while ((text = next_object(rest, &rest, &end)) != NULL) {
        all = grown(all, (count + 1) * sizeof *all);
        all[count++] = read_experiment(path, text, shards, threads);
        *rest = end;
    }
    if (count == 0)
        fail(path, "there is neither a scenario nor a study in it");
    for (size_t i = 0; i < count; i++) {
        char name[64]; /* which of how many */
        snprintf(name, sizeof name, "%zu %zu", i, count);
        run_parts(&all[i], shard, shards, &dealt, name);
        cn_scenario_free(&all[i].scenario);
        cn_study_free(&all[i].study);
    }
    free(all);
    free(whole);
}

/* ---- merge ---- */

typedef struct parts {
    const cn_result **result;
    size_t count, room;
} parts;

static parts *merged;
static unsigned long long experiments;

static void add_parts(const char *path)
{
    unsigned long long which, of;
    char *whole = read_file(path), *rest = whole, *text, end;
    while (sscanf(rest, "%llu %llu", &which, &of) == 2 &&
           (text = next_object(rest, &rest, &end)) != NULL) {
        cn_result *result;
        if (which >= of || (experiments > 0 && of != experiments))
            fail(path, "it is of another file of experiments");
        if (experiments == 0)
            merged = calloc((size_t)of, sizeof *merged);
        if (merged == NULL)
            fail(path, "out of memory");
        experiments = of;
        must(cn_result_from_json(text, NULL, &result), path);
        parts *own = &merged[which];
        if (own->count == own->room) {
            own->room = 2 * own->room + 1;
            own->result = grown(own->result, own->room * sizeof *own->result);
        }
        own->result[own->count++] = result;
        *rest = end;
    }
    if (rest[strspn(rest, " \t\r\n")] != '\0')
        fail(path, "what stands there is not what `shards run` writes");
    free(whole);
}

static void merge(void)
{
    if (experiments == 0)
        fail("merge", "there are no results");
    for (unsigned long long i = 0; i < experiments; i++) {
        char name[64];
        cn_result *result;
        snprintf(name, sizeof name, "experiment %llu of %llu", i, experiments);
        if (merged[i].count == 0)
            fail(name, "there is no part of it");
        must(cn_result_merge(merged[i].result, merged[i].count, NULL, &result), name);
        print(result);
        cn_result_free(&result);
        for (size_t part = 0; part < merged[i].count; part++)
            cn_result_free((cn_result **)&merged[i].result[part]);
        free(merged[i].result);
    }
    free(merged);
}

/* ---- the command line ---- */

static uint64_t number(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
        fail(text, "must be a whole number");
    return value;
}

int main(int count, char *arguments[])
{
    if ((count == 5 || count == 6) && strcmp(arguments[1], "run") == 0) {
        uint64_t shard = number(arguments[3]), shards = number(arguments[4]);
        uint64_t threads = count == 6 ? number(arguments[5]) : 1;
        if (shard >= shards)
            fail(arguments[3], "the number of a shard must be below that of all");
        run(arguments[2], shard, shards, threads > UINT32_MAX ? 0 : (uint32_t)threads);
    } else if (count > 2 && strcmp(arguments[1], "merge") == 0) {
        for (int i = 2; i < count; i++)
            add_parts(arguments[i]);
        merge();
    } else {
        fputs("usage: shards run FILE SHARD SHARDS [THREADS]\n       shards merge FILE...\n",
              stderr);
        return 2;
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}

/* A shard in JSON: its rows and sums, without trailing zeros. */
#include "scenario/result_json.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"

/* Visits an array of at most `most` numbers, without the zeros at its end. */
static void visit_short(cni_io *io, const char *key, uint64_t values[], size_t most)
{
    size_t count = most;
    if (cni_io_writes(io))
        while (count > 0 && values[count - 1] == 0)
            count--;
    else
        count = cni_io_count(io, key);
    if (cni_io_reads(io) && count > most)
        cni_io_fail(io, key, "there are %zu numbers, but at most %zu are read", count, most);
    cni_io_wholes(io, key, values, count, UINT64_MAX);
}

static void visit_row(cni_io *io, size_t r, void *of)
{
    cni_shard *shard = of;
    visit_short(io, NULL, shard->row + r * CNI_COUNTERS, CNI_COUNTERS);
}

/* Fails unless the text has so many rows. */
static void check_rows(cni_io *io, const char *key, uint64_t rows)
{
    size_t count = cni_io_count(io, key);
    if (cni_io_reads(io) && count != rows)
        cni_io_fail(io, key, "there are %zu rows, but the shard has %llu", count,
                    (unsigned long long)rows);
}

/* ---- the moments of a metric, column by column ---- */

enum { COUNTS, MEANS, SQUARE_SUMS };

static const char *const columns[] = {
    [COUNTS] = "counts", [MEANS] = "means", [SQUARE_SUMS] = "square_sums"};

typedef struct column {
    cni_shard *shard;
    size_t metric, which;
} column;

static void visit_cell(cni_io *io, size_t r, void *of)
{
    const column *c = of;
    cni_moments *m = &c->shard->moments[c->metric][r];
    double *number = c->which == MEANS ? &m->mean : &m->square_sum;
    if (c->which == COUNTS) {
        cni_io_whole(io, NULL, &m->count, cni_study_block(c->shard->units));
        return;
    }
    cni_io_real(io, NULL, number);
    if (cni_io_reads(io) && (!isfinite(*number) || (c->which == SQUARE_SUMS && *number < 0.0)))
        cni_io_fail(io, NULL, "means are finite, and sums of squares at least 0");
}

/* The sums of squares of blocks of one pattern are 0 and left out. The function counts the rows of
 * the text before it makes room for them, so the text bounds the room. */
static void visit_metric(cni_io *io, void *of)
{
    column *c = of;
    size_t rows = (size_t)c->shard->rows, count = cni_study_block(c->shard->units) > 1 ? 3 : 2;
    for (c->which = 0; c->which < count; c->which++) {
        check_rows(io, columns[c->which], rows);
        if (cni_io_reads(io) && cni_shard_moments(c->shard, c->metric) == NULL)
            io->status = CN_ERR_MEMORY;
        cni_io_array(io, columns[c->which], rows, visit_cell, c);
    }
}

static void visit_moments(cni_io *io, void *of)
{
    cni_shard *shard = of;
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        column c = {shard, m, COUNTS};
        if (CNI_IO_HAS(io, cn_metric_name((cn_metric)m), shard->moments[m] != NULL))
            cni_io_object(io, cn_metric_name((cn_metric)m), visit_metric, &c);
    }
}

/* ---- the shard ---- */

/* Checks the members before the rows, and makes a shard of that size. has[] tells whether the text
 * has counters, delays and moments. */
static cni_shard *open_shard(cni_io *io, cni_shard *size, const int has[3], cn_result *result)
{
    const cn_scenario *scenario = result->scenario;
    int of_study = size->study != 0, has_metrics = 0;
    for (size_t m = 1; m <= cn_metric_count(); m++)
        has_metrics |= result->has[m];
    if (size->units == 0)
        cni_io_fail(io, "units", "nothing has no shards");
    else if (has[0] == of_study || has[1] == of_study || has[2] != of_study)
        cni_io_fail(io, "shard",
                    "a shard has \"counters\" and \"delays\", or those of a \"study\" \"moments\"");
    else if (!of_study &&
             (scenario == NULL || !cn_scenario_takes(scenario, CN_PARAM_REPLICATIONS) ||
              scenario->value[CN_PARAM_REPLICATIONS] != (double)size->units))
        cni_io_fail(io, "units", "these are not the replications of the scenario");
    else
        cni_io_blame(io, "shard",
                     cni_division_check(io->json->function, size->division,
                                        cni_shard_all_rows(size), "rows"));
    if (cni_io_reads(io) && size->division.shards == 1)
        cni_io_fail(io, "shards", "what has one shard is a whole result");
    if (cni_io_reads(io) && has_metrics)
        cni_io_fail(io, NULL, "a shard holds no metrics");
    if (cni_io_reads(io) && !of_study)
        check_rows(io, "counters", cni_shard_rows(size));
    if (!cni_io_reads(io))
        return size;
    io->status = cni_shard_new(size->division, size->study, size->units, &result->shard);
    if (io->status != CN_OK)
        return size;
    memcpy(result->shard->sum, size->sum, sizeof size->sum);
    result->shard->stop = result->stop;
    return result->shard;
}

void cni_shard_visit(cni_io *io, void *of)
{
    static const uint64_t most = UINT64_C(1) << 40; /* patterns of a study */
    cn_result *result = of;
    cni_shard none = {0}, *shard = cni_io_writes(io) ? result->shard : &none;
    cni_io_whole(io, "shard", &shard->division.shard, most);
    cni_io_whole(io, "shards", &shard->division.shards, most);
    cni_io_whole(io, "units", &shard->units, most);
    visit_short(io, "sums", shard->sum, CNI_SHARD_SUMS);
    if (CNI_IO_HAS(io, "study", shard->study != 0))
        cni_io_whole(io, "study", &shard->study, UINT64_MAX);
    const int has[] = {CNI_IO_HAS(io, "counters", shard->study == 0),
                       CNI_IO_HAS(io, "delays", shard->study == 0),
                       CNI_IO_HAS(io, "moments", shard->study != 0)};
    if (cni_io_reads(io))
        shard = open_shard(io, &none, has, result);
    if (has[0])
        cni_io_array(io, "counters", (size_t)shard->rows, visit_row, shard);
    if (has[1])
        cni_io_histogram(io, "delays", shard->delays);
    if (has[2])
        cni_io_object(io, "moments", visit_moments, shard);
}

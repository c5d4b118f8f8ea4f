/* A shard in JSON: its rows and sums, without the zeros at the end of each. */
#include "scenario/result_json.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"

enum { SHARD, SHARDS, UNITS, SUMS, STUDY, COUNTERS, DELAYS, MOMENTS, KEYS };
static const char *const keys[KEYS] = {"shard", "shards",   "units",  "sums",
                                       "study", "counters", "delays", "moments"};

enum { COUNTS, MEANS, SQUARE_SUMS, COLUMNS };
static const char *const columns[COLUMNS] = {"counts", "means", "square_sums"};

/* ---- writing ---- */

static void put_short(cni_json_writer *w, const char *key, const uint64_t values[], size_t count)
{
    while (count > 0 && values[count - 1] == 0)
        count--;
    cni_json_put_wholes(w, key, values, count);
}

/* The sums of squares of blocks of one pattern are 0, and left out. */
static void put_moments(cni_json_writer *w, const char *metric, const cni_moments moments[],
                        uint64_t rows, int has_squares)
{
    cni_json_open(w, metric, '{');
    for (int column = 0; column < COLUMNS - !has_squares; column++) {
        cni_json_open(w, columns[column], '[');
        for (uint64_t r = 0; r < rows; r++)
            if (column == COUNTS)
                cni_json_put_whole(w, NULL, moments[r].count);
            else
                cni_json_put_real(w, NULL,
                                  column == MEANS ? moments[r].mean : moments[r].square_sum);
        cni_json_close(w, ']');
    }
    cni_json_close(w, '}');
}

static void put_study(cni_json_writer *w, const cni_shard *shard)
{
    cni_json_put_whole(w, keys[STUDY], shard->study);
    cni_json_open(w, keys[MOMENTS], '{');
    for (size_t m = 1; m <= cn_metric_count(); m++)
        if (shard->moments[m] != NULL)
            put_moments(w, cn_metric_name((cn_metric)m), shard->moments[m], shard->rows,
                        cni_study_block(shard->units) > 1);
    cni_json_close(w, '}');
}

void cni_shard_put(cni_json_writer *w, const cni_shard *shard)
{
    cni_json_open(w, "shard", '{');
    cni_json_put_whole(w, keys[SHARD], shard->division.shard);
    cni_json_put_whole(w, keys[SHARDS], shard->division.shards);
    cni_json_put_whole(w, keys[UNITS], shard->units);
    put_short(w, keys[SUMS], shard->sum, CNI_SHARD_SUMS);
    if (shard->study != 0) {
        put_study(w, shard);
    } else {
        cni_json_open(w, keys[COUNTERS], '[');
        for (uint64_t r = 0; r < shard->rows; r++)
            put_short(w, NULL, shard->row + r * CNI_COUNTERS, CNI_COUNTERS);
        cni_json_close(w, ']');
        cni_histogram_put(w, keys[DELAYS], shard->greatest, shard->bin, shard->bins);
    }
    cni_json_close(w, '}');
}

/* ---- reading ---- */

static cn_status read_short(const cni_json *json, cni_json_value array, uint64_t values[],
                            size_t most)
{
    size_t count;
    CNI_TRY(cni_json_count(json, array, &count));
    if (count > most)
        return cni_json_fail(json, array, "there are %zu numbers, but at most %zu are read", count,
                             most);
    return cni_json_wholes(json, array, UINT64_MAX, values, count);
}

static cn_status check_rows(const cni_json *json, cni_json_value array, uint64_t rows)
{
    size_t count;
    CNI_TRY(cni_json_count(json, array, &count));
    if (count == rows)
        return CN_OK;
    return cni_json_fail(json, array, "there are %zu rows, but the shard has %llu", count,
                         (unsigned long long)rows);
}

static cn_status read_replications(const cni_json *json, const cni_json_value is[KEYS],
                                   cni_shard *shard)
{
    uint64_t *row = shard->row;
    for (cni_json_value v = cni_json_first(is[COUNTERS]); v.at != NULL; v = cni_json_next(v)) {
        CNI_TRY(read_short(json, v, row, CNI_COUNTERS));
        row += CNI_COUNTERS;
    }
    cni_histogram *delays = cni_allocate(1, sizeof *delays);
    cn_status status =
        delays == NULL ? CN_ERR_MEMORY : cni_histogram_of_json(json, is[DELAYS], delays);
    if (status == CN_OK)
        status = cni_shard_keep_delays(shard, delays);
    cni_release(delays);
    return status;
}

static cn_status read_column(const cni_json *json, cni_json_value array, int column, uint64_t rows,
                             uint64_t most, cni_moments moments[])
{
    CNI_TRY(check_rows(json, array, rows));
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v), moments++) {
        double *number = column == MEANS ? &moments->mean : &moments->square_sum;
        if (column == COUNTS) {
            CNI_TRY(cni_json_whole(json, v, most, &moments->count));
            continue;
        }
        CNI_TRY(cni_json_real(json, v, number));
        if (!isfinite(*number) || (column == SQUARE_SUMS && *number < 0.0))
            return cni_json_fail(json, v, "means are finite, and sums of squares at least 0");
    }
    return CN_OK;
}

static cn_status read_moments(const cni_json *json, cni_json_value value, cni_shard *shard)
{
    const char *names[CNI_METRIC_ROOM];
    cni_json_value metrics[CNI_METRIC_ROOM], is[COLUMNS];
    size_t count = cn_metric_count();
    uint64_t block = cni_study_block(shard->units);
    for (size_t i = 0; i < count; i++)
        names[i] = cn_metric_name((cn_metric)(i + 1));
    CNI_TRY(cni_json_members(json, value, names, 0, count, metrics));
    for (size_t i = 0; i < count; i++) {
        if (metrics[i].at == NULL)
            continue;
        size_t present = block > 1 ? COLUMNS : SQUARE_SUMS;
        CNI_TRY(cni_json_members(json, metrics[i], columns, present, present, is));
        CNI_TRY(check_rows(json, is[COUNTS], shard->rows)); /* before room is made for them */
        cni_moments *moments = cni_shard_moments(shard, i + 1);
        CNI_TRY_MEMORY(moments);
        for (size_t column = 0; column < present; column++)
            CNI_TRY(read_column(json, is[column], (int)column, shard->rows, block, moments));
    }
    return CN_OK;
}

/* Whether such a shard can be, and has a row of its own for each of its array. */
static cn_status read_size(const cni_json *json, const cni_json_value is[KEYS],
                           const cn_result *result, cni_shard *shard)
{
    static const uint64_t most = UINT64_C(1) << 40; /* patterns of a study */
    const cn_scenario *scenario = result->scenario;
    CNI_TRY(cni_json_whole(json, is[SHARD], most, &shard->division.shard));
    CNI_TRY(cni_json_whole(json, is[SHARDS], most, &shard->division.shards));
    CNI_TRY(cni_json_whole(json, is[UNITS], most, &shard->units));
    if (shard->units == 0)
        return cni_json_fail(json, is[UNITS], "nothing has no shards");
    if (is[STUDY].at != NULL)
        CNI_TRY(cni_json_whole(json, is[STUDY], UINT64_MAX, &shard->study));
    int of_study = shard->study != 0;
    if ((is[COUNTERS].at != NULL) == of_study || (is[DELAYS].at != NULL) == of_study ||
        (is[MOMENTS].at != NULL) != of_study)
        return cni_json_fail(json, is[SHARD],
                             "a shard has \"counters\" and \"delays\", or those of a \"study\" "
                             "\"moments\"");
    if (!of_study && (scenario == NULL || !cn_scenario_takes(scenario, CN_PARAM_REPLICATIONS) ||
                      scenario->value[CN_PARAM_REPLICATIONS] != (double)shard->units))
        return cni_json_fail(json, is[UNITS], "these are not the replications of the scenario");
    CNI_TRY(cni_json_blame(
        json, is[SHARD],
        cni_division_check(json->function, shard->division, cni_shard_all_rows(shard), "rows")));
    return shard->division.shards > 1
               ? CN_OK
               : cni_json_fail(json, is[SHARDS], "what has one shard is a whole result");
}

cn_status cni_shard_of_json(const cni_json *json, cni_json_value value, cn_result *result)
{
    cni_json_value is[KEYS];
    cni_shard size = {0};
    cni_shard *shard;
    CNI_TRY(cni_json_members(json, value, keys, STUDY, KEYS, is));
    CNI_TRY(read_size(json, is, result, &size));
    for (size_t m = 1; m <= cn_metric_count(); m++)
        if (result->has[m])
            return cni_json_fail(json, value, "a shard holds no metrics");
    uint64_t all = cni_shard_all_rows(&size);
    if (size.study == 0) /* before room is made for them */
        CNI_TRY(check_rows(json, is[COUNTERS],
                           cni_shard_begin(all, size.division.shard + 1, size.division.shards) -
                               cni_shard_begin(all, size.division.shard, size.division.shards)));
    CNI_TRY(cni_shard_new(size.division, size.study, size.units, &shard));
    result->shard = shard;
    shard->stop = result->stop;
    CNI_TRY(read_short(json, is[SUMS], shard->sum, CNI_SHARD_SUMS));
    return size.study == 0 ? read_replications(json, is, shard)
                           : read_moments(json, is[MOMENTS], shard);
}

/* Traffic in JSON: its pattern, its source and, under "with", what the pattern was given. */
#include "scenario/traffic/traffic_json.h"

#include "base/error.h"
#include "scenario/traffic/pattern.h"
#include "topology/families/topology_json.h"

static void put_members(cni_json_writer *w, const cn_traffic *traffic)
{
    cni_json_put_name(w, "pattern", cn_pattern_name(traffic->pattern));
    if (!cni_traffic_is_trace(traffic))
        cni_json_put_name(w, "source", cn_source_name(traffic->source));
    if (traffic->source == CN_SOURCE_ON_OFF) {
        cni_json_put_real(w, "mean_on", traffic->mean_on);
        cni_json_put_real(w, "mean_off", traffic->mean_off);
    }
    if (traffic->rule->put == NULL)
        return;
    cni_json_open(w, "with", '{');
    traffic->rule->put(w, traffic);
    cni_json_close(w, '}');
}

void cni_traffic_put(cni_json_writer *w, const cn_traffic *traffic)
{
    cni_json_open(w, "traffic", '{');
    put_members(w, traffic);
    cni_json_close(w, '}');
}

static void put(cni_json_writer *w, const void *object)
{
    const cn_traffic *traffic = object;
    cni_topology_put(w, traffic->topology);
    put_members(w, traffic);
}

CNI_JSON_TEXT(cn_traffic_json, traffic, put);

/* ---- reading ---- */

enum { PATTERN, SOURCE, MEAN_ON, MEAN_OFF, WITH, KEYS };
#define MEMBERS "pattern", "source", "mean_on", "mean_off", "with"

static cn_status read_pattern(const cni_json *json, const cni_json_value is[KEYS],
                              const cn_topology *topology, cn_traffic **traffic)
{
    char name[CNI_JSON_NAME];
    cn_pattern pattern;
    CNI_TRY(cni_json_name(json, is[PATTERN], name));
    CNI_TRY(cni_json_blame(json, is[PATTERN], cn_pattern_from_name(name, &pattern)));
    const cni_pattern_row *row = cni_pattern_row_of(pattern);
    if ((row->read != NULL) != (is[WITH].at != NULL))
        return cni_json_fail(json, is[PATTERN], "the pattern %s has %s \"with\"", name,
                             row->read == NULL ? "no object" : "an object");
    if (row->read != NULL)
        return row->read(json, is[WITH], topology, traffic);
    return cni_json_blame(json, is[PATTERN], cn_traffic_new(topology, pattern, traffic));
}

static cn_status read_source(const cni_json *json, const cni_json_value is[KEYS],
                             cn_traffic *traffic)
{
    char name[CNI_JSON_NAME];
    cn_source source;
    double on, off;
    if (is[SOURCE].at == NULL)
        return is[MEAN_ON].at == NULL && is[MEAN_OFF].at == NULL
                   ? CN_OK
                   : cni_json_fail(json, is[PATTERN], "there are periods without a source");
    CNI_TRY(cni_json_name(json, is[SOURCE], name));
    CNI_TRY(cni_json_blame(json, is[SOURCE], cn_source_from_name(name, &source)));
    if ((is[MEAN_ON].at != NULL) != (source == CN_SOURCE_ON_OFF) ||
        (is[MEAN_OFF].at != NULL) != (source == CN_SOURCE_ON_OFF))
        return cni_json_fail(
            json, is[SOURCE],
            "the source on-off has \"mean_on\" and \"mean_off\", and no other has");
    if (source != CN_SOURCE_ON_OFF)
        return cni_json_blame(json, is[SOURCE], cn_traffic_set_source(traffic, source));
    CNI_TRY(cni_json_real(json, is[MEAN_ON], &on));
    CNI_TRY(cni_json_real(json, is[MEAN_OFF], &off));
    return cni_json_blame(json, is[SOURCE], cn_traffic_set_on_off(traffic, on, off));
}

static cn_status read_members(const cni_json *json, const cni_json_value is[KEYS],
                              const cn_topology *topology, cn_traffic **traffic)
{
    *traffic = NULL;
    cn_status status = read_pattern(json, is, topology, traffic);
    if (status == CN_OK)
        status = read_source(json, is, *traffic);
    if (status != CN_OK)
        cn_traffic_free(traffic);
    return status;
}

cn_status cni_traffic_of_json(const cni_json *json, cni_json_value value,
                              const cn_topology *topology, cn_traffic **traffic)
{
    static const char *const keys[] = {MEMBERS};
    cni_json_value is[KEYS];
    CNI_TRY(cni_json_members(json, value, keys, 1, KEYS, is));
    return read_members(json, is, topology, traffic);
}

cn_status cn_traffic_from_json(const char *text, const cn_control *control, cn_traffic **traffic)
{
    static const char *const keys[] = {"topology", MEMBERS};
    cni_json_value is[KEYS + 1];
    cn_topology *topology;
    CNI_REQUIRE_OUT(traffic);
    CNI_JSON_READ(json, text, control);
    CNI_TRY(cni_json_begin(&json, "traffic", keys, 2, KEYS + 1, is));
    CNI_TRY(cni_topology_of_json(&json, is[0], &topology));
    cn_status status = read_members(&json, is + 1, topology, traffic);
    cn_topology_free(&topology);
    return status;
}

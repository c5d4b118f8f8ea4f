/* Traffic objects: creation, release, source, and questions about the pattern. */
#include "scenario/traffic/traffic.h"

#include "base/error.h"
#include "scenario/traffic/pattern.h"
#include "scenario/traffic/source.h"
#include "topology/topology.h"

/* ---- life ---- */

void cn_traffic_free(cn_traffic **traffic)
{
    if (traffic == NULL || !CNI_IS_VALID(*traffic))
        return;
    cni_traffic_table *table = (*traffic)->table;
    if (table != NULL && cni_drop(&table->references)) {
        if ((*traffic)->pattern == CN_PATTERN_LOCALITY && table->locality != NULL)
            cni_locality_close(table->locality);
        cni_release(table->data);
        cni_release(table->trace_place);
        cni_release(table);
    }
    cni_topology_release((*traffic)->topology);
    cni_object_release(*traffic);
    *traffic = NULL;
}

cn_status cni_traffic_copy(const cn_traffic *traffic, cn_traffic **copy)
{
    cn_traffic *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    *made = *traffic;
    cni_topology_retain(made->topology);
    if (made->table != NULL)
        cni_retain(&made->table->references);
    *copy = made;
    return CN_OK;
}

cn_status cni_traffic_create(const char *function, const cn_topology *topology, cn_pattern pattern,
                             uint64_t count, size_t size, cn_traffic **traffic)
{
    if (topology->hosts < 2)
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s has a single node, which can send to no other",
                        function, topology->name);
    cn_traffic *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->rule = cni_pattern_row_of(pattern);
    made->pattern = pattern;
    made->topology = cni_topology_retain(topology);
    if (size > 0)
        made->table = cni_allocate(1, sizeof *made->table);
    if (made->table != NULL) {
        atomic_init(&made->table->references, 1);
        made->table->data = cni_allocate(count, size);
    }
    int is_whole = size == 0 || (made->table != NULL && made->table->data != NULL);
    return cni_traffic_finish(is_whole ? CN_OK : CN_ERR_MEMORY, made, traffic);
}

cn_status cni_traffic_finish(cn_status status, cn_traffic *made, cn_traffic **traffic)
{
    if (status == CN_OK)
        *traffic = made;
    else
        cn_traffic_free(&made);
    return status;
}

/* ---- patterns ---- */

cn_status cn_traffic_new(const cn_topology *topology, cn_pattern pattern, cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_named(__func__, &cni_patterns, "pattern", (int)pattern));
    const cni_pattern_row *rule = cni_pattern_row_of(pattern);
    const char *name = cni_name_of(&cni_patterns, (int)pattern);
    if (rule->check == NULL)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: pattern = %d (%s), but that pattern needs more than a name; "
                        "cn_traffic_%s() makes it",
                        __func__, (int)pattern, name, name);
    CNI_TRY(rule->check(__func__, name, topology));
    return cni_traffic_create(__func__, topology, pattern, 0, 0, traffic);
}

/* ---- sources ---- */

static cn_status check_source(const char *function, const cn_traffic *traffic)
{
    if (traffic->pattern != CN_PATTERN_TRACE)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: a trace sets the times of its messages and takes no source", function);
}

cn_status cn_traffic_set_source(cn_traffic *traffic, cn_source source)
{
    CNI_REQUIRE(traffic);
    CNI_TRY(check_source(__func__, traffic));
    CNI_TRY(cni_source_check_plain(__func__, source));
    traffic->source = source;
    return CN_OK;
}

cn_status cn_traffic_set_on_off(cn_traffic *traffic, double mean_on, double mean_off)
{
    CNI_REQUIRE(traffic);
    CNI_TRY(check_source(__func__, traffic));
    if (!(mean_on >= 1.0 && mean_on <= 1e15 && mean_off >= 1.0 && mean_off <= 1e15))
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: mean_on = %g, mean_off = %g, but both must be 1 to 1e15 cycles",
                        __func__, mean_on, mean_off);
    traffic->source = CN_SOURCE_ON_OFF;
    traffic->mean_on = mean_on;
    traffic->mean_off = mean_off;
    return CN_OK;
}

/* ---- what it is ---- */

CNI_GETTER(cn_pattern, cn_traffic_pattern, traffic, traffic->pattern, CN_PATTERN_UNIFORM);
CNI_GETTER(cn_source, cn_traffic_source, traffic, traffic->source, CN_SOURCE_OF_SYSTEM);

int cni_traffic_is_trace(const cn_traffic *traffic)
{
    return traffic != NULL && traffic->pattern == CN_PATTERN_TRACE;
}

/* Whether messages come from this source, which is the source of the system. */
static int is_from(const cn_traffic *traffic, cn_source source)
{
    return traffic->source == CN_SOURCE_OF_SYSTEM || traffic->source == source;
}

int cni_traffic_is_plain(const cn_traffic *traffic, cn_source of_system)
{
    return traffic == NULL ||
           (traffic->pattern == CN_PATTERN_UNIFORM && is_from(traffic, of_system));
}

int cni_traffic_is_by_distance(const cn_traffic *traffic, cn_source of_system)
{
    if (cni_traffic_is_plain(traffic, of_system))
        return 1;
    const cn_topology *t = traffic->topology;
    return traffic->pattern == CN_PATTERN_LOCALITY && is_from(traffic, of_system) &&
           (cni_adds_digits(t) || cni_is_complete(t));
}

double cni_traffic_lean(const cn_traffic *traffic, uint64_t distance)
{
    if (cn_traffic_pattern(traffic) == CN_PATTERN_UNIFORM)
        return 1.0;
    /* only the distance counts, so any two nodes do */
    return cni_traffic_share(traffic, 0, 1, distance) * ((double)traffic->topology->hosts - 1.0);
}

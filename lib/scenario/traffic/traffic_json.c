/* Traffic in JSON: its pattern, its source and, under "with", the arguments of the pattern. */
#include "scenario/traffic/traffic.h"

#include "base/error.h"
#include "scenario/traffic/pattern.h"
#include "scenario/traffic/source.h"
#include "topology/families/topology_json.h"

/* The periods belong to the source on-off alone. */
static void visit_source(cni_io *io, cn_traffic *traffic)
{
    int writes = cni_io_writes(io), source = writes ? (int)traffic->source : CN_SOURCE_OF_SYSTEM;
    double on = writes ? traffic->mean_on : 0.0, off = writes ? traffic->mean_off : 0.0;
    int has_source = CNI_IO_HAS(io, "source", !cni_traffic_is_trace(traffic));
    int has_on = CNI_IO_HAS(io, "mean_on", source == CN_SOURCE_ON_OFF);
    int has_off = CNI_IO_HAS(io, "mean_off", source == CN_SOURCE_ON_OFF);
    if (has_source)
        cni_io_choice(io, "source", &cni_sources, &source);
    if (has_on)
        cni_io_real(io, "mean_on", &on);
    if (has_off)
        cni_io_real(io, "mean_off", &off);
    int is_on_off = has_source && source == CN_SOURCE_ON_OFF;
    if (cni_io_reads(io) && (has_on != is_on_off || has_off != is_on_off))
        cni_io_fail(io, has_source ? "source" : "pattern",
                    "the source on-off has \"mean_on\" and \"mean_off\", and no other has");
    else if (cni_io_reads(io) && has_source)
        cni_io_blame(io, "source",
                     is_on_off ? cn_traffic_set_on_off(traffic, on, off)
                               : cn_traffic_set_source(traffic, (cn_source)source));
}

static void visit_members(cni_io *io, void *object)
{
    cni_traffic_form *f = object;
    int pattern = cni_io_writes(io) ? (int)f->traffic->pattern : CN_PATTERN_UNIFORM;
    cni_io_choice(io, "pattern", &cni_patterns, &pattern);
    if (cni_io_writes(io))
        visit_source(io, f->traffic);
    const cni_pattern_row *row = cni_pattern_row_of((cn_pattern)pattern);
    int has_more = CNI_IO_HAS(io, "with", row->visit != NULL);
    if (cni_io_reads(io) && (row->visit != NULL) != has_more)
        cni_io_fail(io, "pattern", "the pattern %s has %s \"with\"",
                    cni_name_of(&cni_patterns, pattern),
                    row->visit == NULL ? "no object" : "an object");
    if (has_more)
        cni_io_object(io, "with", row->visit, f);
    else if (cni_io_reads(io))
        cni_io_blame(io, "pattern", cn_traffic_new(f->topology, (cn_pattern)pattern, &f->traffic));
    if (!cni_io_writes(io))
        visit_source(io, f->traffic);
    if (io->status != CN_OK)
        cn_traffic_free(&f->traffic);
}

void cni_io_traffic(cni_io *io, const cn_topology *topology, cn_traffic **traffic)
{
    cni_traffic_form f = {topology, *traffic};
    cni_io_object(io, "traffic", visit_members, &f);
    *traffic = f.traffic;
}

static void visit(cni_io *io, void *object)
{
    cn_traffic **traffic = object;
    cn_topology *topology = cni_io_writes(io) ? (*traffic)->topology : NULL;
    cni_io_topology(io, &topology);
    cni_traffic_form f = {topology, *traffic};
    visit_members(io, &f);
    *traffic = f.traffic;
    if (!cni_io_writes(io))
        cn_topology_free(&topology);
}

CNI_JSON_TEXTS(traffic, visit);

/* Traffic in JSON: its pattern, its source and, under "with", the arguments of the pattern. */
#include "scenario/traffic/traffic.h"

#include "base/error.h"
#include "scenario/traffic/pattern.h"
#include "scenario/traffic/source.h"
#include "topology/families/topology_json.h"

/* What was read of it, and whether it was there. */
typedef struct periods {
    int source; /* cn_source */
    double on, off;
    int has_source, has_on, has_off;
} periods;

static void visit_source(cni_io *io, const cn_traffic *traffic, periods *p)
{
    if (cni_io_writes(io))
        *p = (periods){
            .source = (int)traffic->source, .on = traffic->mean_on, .off = traffic->mean_off};
    p->has_source = CNI_IO_HAS(io, "source", !cni_traffic_is_trace(traffic));
    if (p->has_source)
        cni_io_choice(io, "source", &cni_sources, &p->source);
    p->has_on = CNI_IO_HAS(io, "mean_on", p->source == CN_SOURCE_ON_OFF);
    if (p->has_on)
        cni_io_real(io, "mean_on", &p->on);
    p->has_off = CNI_IO_HAS(io, "mean_off", p->source == CN_SOURCE_ON_OFF);
    if (p->has_off)
        cni_io_real(io, "mean_off", &p->off);
}

static void set_source(cni_io *io, const periods *p, cn_traffic *traffic)
{
    int is_on_off = p->has_source && p->source == CN_SOURCE_ON_OFF;
    if (p->has_on == is_on_off && p->has_off == is_on_off) {
        if (p->has_source)
            cni_io_blame(io, "source",
                         is_on_off ? cn_traffic_set_on_off(traffic, p->on, p->off)
                                   : cn_traffic_set_source(traffic, (cn_source)p->source));
    } else if (p->has_source) {
        cni_io_fail(io, "source",
                    "the source on-off has \"mean_on\" and \"mean_off\", and no other has");
    } else {
        cni_io_fail(io, "pattern", "there are periods without a source");
    }
}

static void visit_members(cni_io *io, void *object)
{
    cni_traffic_form *f = object;
    int pattern = cni_io_writes(io) ? (int)f->traffic->pattern : CN_PATTERN_UNIFORM;
    periods p = {.source = CN_SOURCE_OF_SYSTEM};
    cni_io_choice(io, "pattern", &cni_patterns, &pattern);
    visit_source(io, f->traffic, &p);
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
    if (cni_io_reads(io))
        set_source(io, &p, f->traffic);
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

/* Networks as text for other programs. */
#include "cubenet/address.h"
#include "cubenet/interchange.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/names.h"
#include "topology/topology.h"

static const char *const names[] = {
    [CN_FORMAT_EDGES] = "edges",
    [CN_FORMAT_METIS] = "metis",
    [CN_FORMAT_DOT] = "dot",
    [CN_FORMAT_GRAPHML] = "graphml",
};
static const cni_names format_names = CNI_NAMES("format", names, 0);
CNI_NAMED_ENUM(cn_format, format, format_names);

/* ---- pieces ---- */

enum { PIECE = 4096, LONGEST = 512 };

typedef struct writer {
    const cn_topology *topology;
    cn_write_fn write;
    void *user;
    int ended;
    size_t length;
    char piece[PIECE];
} writer;

static void flush(writer *w)
{
    if (w->length > 0 && !w->ended)
        w->ended = w->write(w->user, w->piece, w->length) != 0;
    w->length = 0;
}

/* Up to LONGEST characters. */
static void CNI_PRINTF(2, 3) put(writer *w, const char *format, ...)
{
    if (PIECE - w->length <= LONGEST)
        flush(w);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->piece + w->length, LONGEST, format, arguments);
    va_end(arguments);
    if (length > 0)
        w->length += (size_t)length;
}

/* ---- formats ---- */

/* A line a link, or a channel where there is only one way. */
static void put_links(writer *w, const char *format)
{
    const cn_topology *t = w->topology;
    for (uint64_t v = 0; v < t->nodes && !w->ended; v++) {
        uint32_t degree = t->ops->degree(t, v);
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t u = t->ops->neighbor(t, v, p);
            if (u > v || !t->bidirectional)
                put(w, format, (unsigned long long)v, (unsigned long long)u);
        }
    }
}

static void put_addresses(writer *w, const char *format)
{
    char address[LONGEST / 2];
    for (uint64_t v = 0; v < w->topology->nodes && !w->ended; v++) {
        cn_topology_address_text(w->topology, v, address, sizeof address, NULL);
        put(w, format, (unsigned long long)v, address);
    }
}

static void put_edges(writer *w)
{
    put(w, "# nodes %llu\n", (unsigned long long)w->topology->nodes);
    put_links(w, "%llu %llu\n");
}

static void put_metis(writer *w, uint64_t links)
{
    const cn_topology *t = w->topology;
    put(w, "%llu %llu\n", (unsigned long long)t->nodes, (unsigned long long)links);
    for (uint64_t v = 0; v < t->nodes && !w->ended; v++) {
        uint32_t degree = t->ops->degree(t, v);
        for (uint32_t p = 0; p < degree; p++)
            put(w, "%s%llu", p > 0 ? " " : "", (unsigned long long)t->ops->neighbor(t, v, p) + 1);
        put(w, "\n");
    }
}

static void put_dot(writer *w)
{
    const cn_topology *t = w->topology;
    put(w, "%s \"%s\" {\n", t->bidirectional ? "graph" : "digraph", t->name);
    put_addresses(w, "  %llu [label=\"%s\"];\n");
    put_links(w, t->bidirectional ? "  %llu -- %llu;\n" : "  %llu -> %llu;\n");
    put(w, "}\n");
}

static void put_graphml(writer *w)
{
    const cn_topology *t = w->topology;
    put(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
           "  <key id=\"address\" for=\"node\" attr.name=\"address\" attr.type=\"string\"/>\n");
    put(w, "  <graph id=\"%s\" edgedefault=\"%s\">\n", t->name,
        t->bidirectional ? "undirected" : "directed");
    put_addresses(w, "    <node id=\"n%llu\"><data key=\"address\">%s</data></node>\n");
    put_links(w, "    <edge source=\"n%llu\" target=\"n%llu\"/>\n");
    put(w, "  </graph>\n</graphml>\n");
}

cn_status cn_topology_write(const cn_topology *topology, cn_format format, cn_write_fn write,
                            void *user)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_FUNCTION(write);
    uint64_t links = 0;
    writer w = {.topology = topology, .write = write, .user = user};
    switch (format) {
    case CN_FORMAT_EDGES:
        put_edges(&w);
        break;
    case CN_FORMAT_METIS:
        if (!topology->bidirectional)
            return cni_fail(
                CN_ERR_UNSUPPORTED,
                "%s: %s is unidirectional, but a METIS file holds only links that go both ways",
                __func__, topology->name);
        CNI_TRY(topology->ops->link_count(topology, &links));
        put_metis(&w, links);
        break;
    case CN_FORMAT_DOT:
        put_dot(&w);
        break;
    case CN_FORMAT_GRAPHML:
        put_graphml(&w);
        break;
    default:
        return cni_check_named(__func__, &format_names, "format", (int)format);
    }
    flush(&w);
    return w.ended ? CN_DONE : CN_OK;
}

/* ---- into memory ---- */

typedef struct memory {
    char *text;
    size_t length;
    cni_budget *budget;
} memory;

/* Only counts where there is no text. */
static int append(void *user, const char *text, size_t length)
{
    memory *m = user;
    if (m->text != NULL)
        memcpy(m->text + m->length, text, length);
    m->length += length;
    m->budget->done += length;
    return !cni_budget_work(m->budget, 8 * length);
}

static cn_status write_to(memory *m, const cn_topology *topology, cn_format format)
{
    cn_status status = cn_topology_write(topology, format, append, m);
    return status == CN_DONE ? cni_budget_fail(m->budget) : status;
}

cn_status cn_topology_write_text(const cn_topology *topology, cn_format format,
                                 const cn_control *control, char text[], size_t capacity,
                                 size_t *length)
{
    CNI_REQUIRE(topology);
    if (capacity > 0)
        CNI_REQUIRE(text);
    cni_budget budget;
    CNI_TRY(cni_budget_begin(&budget, __func__, control, 0));
    memory m = {NULL, 0, &budget}; /* the text is written when it is known to fit */
    CNI_TRY(write_to(&m, topology, format));
    if (length != NULL)
        *length = m.length;
    if (capacity <= m.length)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but the text needs %zu", __func__,
                        capacity, m.length + 1);
    m = (memory){text, 0, &budget};
    CNI_TRY(write_to(&m, topology, format));
    text[m.length] = '\0';
    return CN_OK;
}

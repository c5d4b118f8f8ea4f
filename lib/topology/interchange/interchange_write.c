/* Writes networks as texts for other programs. */
#include "cubenet/address.h"
#include "cubenet/interchange.h"

#include <string.h>

#include "base/names.h"
#include "topology/interchange/picture.h"

static const char *const names[] = {
    [CN_FORMAT_EDGES] = "edges",     [CN_FORMAT_METIS] = "metis", [CN_FORMAT_DOT] = "dot",
    [CN_FORMAT_GRAPHML] = "graphml", [CN_FORMAT_SVG] = "svg",
};
const cni_names cni_formats = CNI_NAMES("format", names, 0);

/* ---- formats ---- */

enum { PIECE = 4096, LONGEST_ADDRESS = 256 };

/* Writes a line for each link, or for each channel of a one-way network. */
static void put_links(cni_text *w, const cn_topology *t, const char *format)
{
    for (uint64_t v = 0; v < t->nodes && !w->ended; v++) {
        uint32_t degree = t->ops->degree(t, v);
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t u = t->ops->neighbor(t, v, p);
            if (u > v || !t->bidirectional)
                cni_text_put(w, format, (unsigned long long)v, (unsigned long long)u);
        }
    }
}

static void put_addresses(cni_text *w, const cn_topology *t, const char *format)
{
    char address[LONGEST_ADDRESS];
    for (uint64_t v = 0; v < t->nodes && !w->ended; v++) {
        cn_topology_address_text(t, v, address, sizeof address, NULL);
        cni_text_put(w, format, (unsigned long long)v, address);
    }
}

static void put_metis(cni_text *w, const cn_topology *t, uint64_t links)
{
    cni_text_put(w, "%llu %llu\n", (unsigned long long)t->nodes, (unsigned long long)links);
    for (uint64_t v = 0; v < t->nodes && !w->ended; v++) {
        uint32_t degree = t->ops->degree(t, v);
        for (uint32_t p = 0; p < degree; p++)
            cni_text_put(w, "%s%llu", p > 0 ? " " : "",
                         (unsigned long long)t->ops->neighbor(t, v, p) + 1);
        cni_text_put(w, "\n");
    }
}

static void put_graphml(cni_text *w, const cn_topology *t)
{
    cni_text_put(
        w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
           "  <key id=\"address\" for=\"node\" attr.name=\"address\" attr.type=\"string\"/>\n");
    cni_text_put(w, "  <graph id=\"%s\" edgedefault=\"%s\">\n", t->name,
                 t->bidirectional ? "undirected" : "directed");
    put_addresses(w, t, "    <node id=\"n%llu\"><data key=\"address\">%s</data></node>\n");
    put_links(w, t, "    <edge source=\"n%llu\" target=\"n%llu\"/>\n");
    cni_text_put(w, "  </graph>\n</graphml>\n");
}

/* ---- into memory ---- */

typedef struct memory {
    char *text; /* NULL: the text is only measured */
    size_t length;
    cni_budget *budget;
} memory;

static int append(void *user, const char *text, size_t length)
{
    memory *m = user;
    if (m->text != NULL)
        memcpy(m->text + m->length, text, length);
    m->length += length;
    m->budget->done += length;
    return !cni_budget_work(m->budget, 8 * length);
}

/* Writes a network in any format, with an open canvas. */
static cn_status put_canvas(const cni_canvas *canvas, cn_format format, memory *into)
{
    const char *function = into->budget->function;
    const cn_topology *t = canvas->picture->topology;
    char piece[PIECE];
    cni_text w = {.text = piece, .capacity = sizeof piece, .write = append, .user = into};
    uint64_t links = 0;
    switch (format) {
    case CN_FORMAT_EDGES:
        cni_text_put(&w, "# nodes %llu\n", (unsigned long long)t->nodes);
        put_links(&w, t, "%llu %llu\n");
        break;
    case CN_FORMAT_METIS:
        if (!t->bidirectional)
            return cni_fail(
                CN_ERR_UNSUPPORTED,
                "%s: %s is unidirectional, but a METIS file holds only links that go both ways",
                function, t->name);
        CNI_TRY(cni_link_count(t, &links));
        put_metis(&w, t, links);
        break;
    case CN_FORMAT_GRAPHML:
        put_graphml(&w, t);
        break;
    case CN_FORMAT_DOT:
    case CN_FORMAT_SVG:
        cni_canvas_put(canvas, format, &w);
        break;
    default:
        return cni_check_named(function, &cni_formats, "format", (int)format);
    }
    cni_text_flush(&w);
    return w.ended ? cni_budget_fail(into->budget) : CN_OK;
}

/* Writes the whole text into memory of the caller. */
static cn_status write_text(const cni_picture *picture, cn_format format, cni_budget *budget,
                            char text[], size_t capacity, size_t *length)
{
    const char *function = budget->function;
    memory measured = {.budget = budget}, m = measured;
    cni_canvas canvas;
    if (capacity > 0 && text == NULL)
        return cni_fail_invalid(function, "text", NULL, CNI_NO_OBJECT);
    CNI_TRY(cni_canvas_open(function, picture, format, budget, &canvas));
    cn_status status = put_canvas(&canvas, format, &measured);
    if (status == CN_OK)
        status = cni_text_fits(function, "text", measured.length, capacity, length);
    if (status == CN_OK) {
        m.text = text;
        status = put_canvas(&canvas, format, &m);
        text[m.length] = '\0';
    }
    cni_canvas_close(&canvas);
    return status;
}

cn_status cni_picture_draw(const cni_picture *picture, cn_format format, cni_budget *budget,
                           char text[], size_t capacity, size_t *length)
{
    CNI_TRY(cni_check_named(budget->function, &cni_formats, "format", (int)format));
    if (format == CN_FORMAT_DOT || format == CN_FORMAT_SVG)
        return write_text(picture, format, budget, text, capacity, length);
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: format = %s, but a drawing is dot or svg",
                    budget->function, cni_name_of(&cni_formats, (int)format));
}

cn_status cn_topology_write(const cn_topology *topology, cn_format format,
                            const cn_control *control, char text[], size_t capacity, size_t *length)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(text, capacity);
    CNI_BUDGET(budget, control, 0);
    return write_text(&(cni_picture){.topology = topology}, format, &budget, text, capacity,
                      length);
}

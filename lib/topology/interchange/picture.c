/* Pictures of networks, as DOT and as SVG; nodes and links may have looks of their own. */
#include "topology/interchange/picture.h"

#include "cubenet/address.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { ADDRESS_ROOM = 256 }; /* characters of an address */

/* In tenths of a pixel. */
enum {
    MARGIN = 200,
    TITLE_HEIGHT = 300,
    KEY_HEIGHT = 280, /* of a row */
    LETTER = 75       /* width of a letter at the size of 12 pixels */
};

static const cni_look plain[1];

static const cni_look *look_of_node(const cni_picture *p, uint64_t node)
{
    return p->looks == NULL ? plain : &p->looks[p->node_look(p->user, node)];
}

static const cni_look *look_of_link(const cni_picture *p, uint64_t node, uint32_t port)
{
    return p->looks == NULL ? plain : &p->looks[p->link_look(p->user, node, port)];
}

/* ---- preparation ---- */

/* Fills the key with the looks that nodes or links have. */
static cn_status mark_used(cni_canvas *c, cni_budget *budget)
{
    const cni_picture *p = c->picture;
    unsigned char used[CNI_MOST_LOOKS] = {0};
    for (uint64_t v = 0; p->looks != NULL && v < p->topology->nodes; v++) {
        uint32_t degree = p->topology->ops->degree(p->topology, v);
        CNI_TRY(cni_budget_go_on(budget, 1 + 16 * (uint64_t)degree));
        used[look_of_node(p, v) - p->looks] = 1;
        for (uint32_t port = 0; port < degree; port++)
            used[look_of_link(p, v, port) - p->looks] = 1;
    }
    for (unsigned i = CNI_PLAIN + 1; i < CNI_MOST_LOOKS; i++)
        if (used[i])
            c->key[c->keys++] = &p->looks[i];
    return CN_OK;
}

static size_t longest_label(const cn_topology *t)
{
    char address[ADDRESS_ROOM];
    size_t longest = 0, length;
    for (uint64_t v = 0; v < t->nodes; v++)
        if (cn_topology_address_text(t, v, address, sizeof address, &length) == CN_OK)
            longest = length > longest ? length : longest;
    return longest;
}

cn_status cni_canvas_open(const char *function, const cni_picture *picture, cn_format format,
                          cni_budget *budget, cni_canvas *canvas)
{
    const cn_topology *t = picture->topology;
    *canvas = (cni_canvas){.picture = picture};
    if (format != CN_FORMAT_DOT && format != CN_FORMAT_SVG)
        return CN_OK;
    CNI_TRY(mark_used(canvas, budget));
    if (format == CN_FORMAT_DOT && t->nodes > CNI_FEW_NODES)
        return CN_OK;
    CNI_TRY(cni_layout_open(function, t, budget, &canvas->layout));
    const int labelled = t->nodes <= CNI_FEW_NODES;
    canvas->label_length = labelled ? longest_label(t) : 0;
    canvas->half_width =
        labelled ? fmax(110.0, 0.5 * LETTER * (double)canvas->label_length + 50.0) : 40.0;
    canvas->half_height = labelled ? 105.0 : 40.0;
    canvas->unit = labelled ? fmax(500.0, 2.0 * canvas->half_width + 160.0) : 160.0;
    cn_status status = format == CN_FORMAT_SVG ? cni_bend_links(canvas, budget) : CN_OK;
    if (status != CN_OK)
        cni_canvas_close(canvas);
    return status;
}

void cni_canvas_close(cni_canvas *canvas)
{
    cni_layout_close(&canvas->layout);
    cni_release(canvas->bends);
}

/* ---- SVG ---- */

/* SVG gets whole numbers only, because a decimal point depends on the locale. */
static long whole(double x)
{
    return lround(x);
}

/* The point in SVG, where y runs down. */
static cni_point on_paper(const cni_canvas *c, cni_point at)
{
    return (cni_point){at.x - c->left + c->half_width + MARGIN,
                       c->top - at.y + c->half_height + MARGIN + TITLE_HEIGHT};
}

/* The point where an arrow from `from` meets the box around `to`. */
static cni_point at_border(const cni_canvas *c, cni_point from, cni_point to)
{
    double dx = from.x - to.x, dy = from.y - to.y;
    double share = fmin(1.0, fmin((c->half_width + 15.0) / fmax(fabs(dx), 1.0),
                                  (c->half_height + 15.0) / fmax(fabs(dy), 1.0)));
    return (cni_point){to.x + share * dx, to.y + share * dy};
}

static void put_line_look(cni_text *text, const cni_look *look)
{
    if (look->line != NULL)
        cni_text_put(text, " stroke=\"%s\"", look->line);
    if (look->dashed)
        cni_text_put(text, " stroke-dasharray=\"60 40\"");
}

static void put_svg_link(const cni_canvas *c, cni_text *text, uint64_t from, uint64_t to,
                         double bend, const cni_look *look)
{
    cni_point a = cni_place_of(c, from), b = cni_place_of(c, to),
              control = cni_control_of(a, b, bend);
    cni_point start = on_paper(c, a), middle = on_paper(c, control);
    cni_point end = on_paper(c, c->picture->topology->bidirectional ? b : at_border(c, control, b));
    cni_text_put(text, "<path d=\"M%ld %ld", whole(start.x), whole(start.y));
    if (whole(bend) == 0)
        cni_text_put(text, "L");
    else
        cni_text_put(text, "Q%ld %ld ", whole(middle.x), whole(middle.y));
    cni_text_put(text, "%ld %ld\"", whole(end.x), whole(end.y));
    put_line_look(text, look);
    cni_text_put(text, "/>\n");
}

static void put_box(const cni_canvas *c, cni_text *text, cni_point at, const cni_look *look,
                    double half_width)
{
    cni_text_put(text, "<rect x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%ld\" rx=\"40\"",
                 whole(at.x - half_width), whole(at.y - c->half_height), whole(2.0 * half_width),
                 whole(2.0 * c->half_height));
    if (look->fill != NULL)
        cni_text_put(text, " fill=\"%s\"", look->fill);
    if (look->dashed)
        cni_text_put(text, " stroke-dasharray=\"40 30\"");
    cni_text_put(text, "/>");
}

static void put_svg_text(cni_text *text, cni_point at, const char *colour, const char *words)
{
    cni_text_put(text, "<text x=\"%ld\" y=\"%ld\" fill=\"%s\" stroke=\"none\">%s</text>",
                 whole(at.x), whole(at.y + 42.0), colour == NULL ? "#111111" : colour, words);
}

static void put_svg_links(const cni_canvas *c, cni_text *text)
{
    const cn_topology *t = c->picture->topology;
    const double *bend = c->bends;
    cni_text_put(text,
                 "<g class=\"links\" fill=\"none\" stroke=\"#444444\" stroke-width=\"12\"%s>\n",
                 t->bidirectional ? "" : " marker-end=\"url(#arrow)\"");
    for (uint64_t v = 0; v < t->nodes && !text->ended; v++)
        for (uint32_t p = 0; p < t->ops->degree(t, v); p++) {
            uint64_t far = t->ops->neighbor(t, v, p);
            if (cni_is_put(t, v, far))
                put_svg_link(c, text, v, far, *bend++, look_of_link(c->picture, v, p));
        }
    cni_text_put(text, "</g>\n");
}

static void put_svg_nodes(const cni_canvas *c, cni_text *text)
{
    const cn_topology *t = c->picture->topology;
    char address[ADDRESS_ROOM];
    cni_text_put(text, "<g class=\"nodes\" fill=\"white\" stroke=\"#444444\" stroke-width=\"10\" "
                       "text-anchor=\"middle\" font-size=\"120\">\n");
    for (uint64_t v = 0; v < t->nodes && !text->ended; v++) {
        const cni_look *look = look_of_node(c->picture, v);
        cni_point at = on_paper(c, cni_place_of(c, v));
        put_box(c, text, at, look, c->half_width);
        cn_topology_address_text(t, v, address, sizeof address, NULL);
        if (c->label_length > 0)
            put_svg_text(text, at, look->label, address);
        cni_text_put(text, "\n");
    }
    cni_text_put(text, "</g>\n");
}

/* Writes a row for each look in use: a sample of the look and its meaning. */
static void put_svg_key(const cni_canvas *c, cni_text *text, double y)
{
    const double x = MARGIN;
    cni_text_put(text, "<g class=\"key\" fill=\"white\" stroke=\"#444444\" stroke-width=\"10\" "
                       "font-size=\"120\">\n");
    for (unsigned i = 0; i < c->keys; i++, y += KEY_HEIGHT) {
        if (c->key[i]->line != NULL) {
            cni_text_put(text, "<path d=\"M%ld %ldh400\" stroke-width=\"12\"", whole(x), whole(y));
            put_line_look(text, c->key[i]);
            cni_text_put(text, "/>");
        } else
            put_box(c, text, (cni_point){x + 200.0, y}, c->key[i], 160.0);
        put_svg_text(text, (cni_point){x + 500.0, y}, NULL, c->key[i]->meaning);
        cni_text_put(text, "\n");
    }
    cni_text_put(text, "</g>\n");
}

static void put_svg(const cni_canvas *c, cni_text *text)
{
    const cn_topology *t = c->picture->topology;
    size_t widest = strlen(t->name);
    for (unsigned i = 0; i < c->keys; i++) {
        size_t here = strlen(c->key[i]->meaning) + 7;
        widest = here > widest ? here : widest;
    }
    double height = c->top - c->bottom + 2.0 * (c->half_height + MARGIN) + TITLE_HEIGHT;
    double width = fmax(c->right - c->left + 2.0 * c->half_width, LETTER * 1.15 * (double)widest) +
                   2.0 * MARGIN;
    double whole_height = height + KEY_HEIGHT * (double)c->keys;
    cni_text_put(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %ld %ld\" width=\"%ld\" "
        "height=\"%ld\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>%s</title>\n",
        whole(width), whole(whole_height), whole(0.1 * width), whole(0.1 * whole_height), t->name);
    cni_text_put(text, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    if (!t->bidirectional)
        cni_text_put(text,
                     "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
                     "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 1L10 5L0 "
                     "9z\" fill=\"#444444\"/></marker></defs>\n");
    cni_text_put(text, "<text x=\"%d\" y=\"%d\" font-size=\"140\" fill=\"#111111\">%s</text>\n",
                 MARGIN, MARGIN + 140, t->name);
    put_svg_links(c, text);
    put_svg_nodes(c, text);
    if (c->keys > 0)
        put_svg_key(c, text, height);
    cni_text_put(text, "</svg>\n");
}

/* ---- DOT ---- */

/* Writes a length in inches with two decimals. */
static void put_inches(cni_text *text, double hundredths)
{
    long at = whole(hundredths);
    cni_text_put(text, "%ld.%02ld", at / 100, at % 100);
}

static void put_dot_nodes(const cni_canvas *c, cni_text *text)
{
    const cn_topology *t = c->picture->topology;
    const double unit =
        fmax(60.0, 12.0 * (double)c->label_length + 40.0); /* hundredths of an inch */
    char address[ADDRESS_ROOM];
    for (uint64_t v = 0; v < t->nodes && !text->ended; v++) {
        const cni_look *look = look_of_node(c->picture, v);
        cn_topology_address_text(t, v, address, sizeof address, NULL);
        cni_text_put(text, "  %llu [label=\"%s\"", (unsigned long long)v, address);
        if (look->fill != NULL)
            cni_text_put(text, ", fillcolor=\"%s\"", look->fill);
        if (look->label != NULL)
            cni_text_put(text, ", fontcolor=\"%s\"", look->label);
        if (look->dashed)
            cni_text_put(text, ", style=\"filled,dashed\"");
        if (c->layout.x != NULL) {
            cni_text_put(text, ", pos=\"");
            put_inches(text, unit * c->layout.x[v]);
            cni_text_put(text, ",");
            put_inches(text, unit * c->layout.y[v]);
            cni_text_put(text, "!\"");
        }
        cni_text_put(text, "];\n");
    }
}

static void put_dot_links(const cni_canvas *c, cni_text *text)
{
    const cn_topology *t = c->picture->topology;
    for (uint64_t v = 0; v < t->nodes && !text->ended; v++)
        for (uint32_t p = 0; p < t->ops->degree(t, v); p++) {
            uint64_t far = t->ops->neighbor(t, v, p);
            if (!cni_is_put(t, v, far))
                continue;
            const cni_look *look = look_of_link(c->picture, v, p);
            cni_text_put(text, "  %llu %s %llu", (unsigned long long)v,
                         t->bidirectional ? "--" : "->", (unsigned long long)far);
            if (look->line != NULL)
                cni_text_put(text, " [color=\"%s\"%s]", look->line,
                             look->dashed ? ", style=dashed" : "");
            cni_text_put(text, ";\n");
        }
}

/* The middle of the key lies below the nodes. */
static void put_dot_key(const cni_canvas *c, cni_text *text)
{
    cni_text_put(text, "  key [shape=plain, style=\"\"");
    if (c->layout.x != NULL) {
        cni_text_put(text, ", pos=\"1.00,-");
        put_inches(text, 50.0 + 18.0 * c->keys);
        cni_text_put(text, "!\"");
    }
    cni_text_put(text, ", label=<<TABLE BORDER=\"0\" CELLSPACING=\"8\">");
    for (unsigned i = 0; i < c->keys; i++) {
        const cni_look *look = c->key[i];
        if (look->line != NULL)
            cni_text_put(text, "<TR><TD><FONT COLOR=\"%s\">%s</FONT> %s</TD></TR>", look->line,
                         look->dashed ? "- - -" : "&#8212;&#8212;", look->meaning);
        else
            cni_text_put(
                text,
                "<TR><TD BORDER=\"1\"%s BGCOLOR=\"%s\"><FONT COLOR=\"%s\">%s</FONT></TD></TR>",
                look->dashed ? " STYLE=\"dashed\"" : "", look->fill,
                look->label == NULL ? "black" : look->label, look->meaning);
    }
    cni_text_put(text, "</TABLE>>];\n");
}

static void put_dot(const cni_canvas *c, cni_text *text)
{
    const cn_topology *t = c->picture->topology;
    cni_text_put(text, "%s \"%s\" {\n", t->bidirectional ? "graph" : "digraph", t->name);
    cni_text_put(text, "  outputorder=edgesfirst;\n%s",
                 c->layout.x == NULL ? "" : "  layout=neato; splines=true;\n");
    cni_text_put(text, "  node [shape=box, style=filled, fillcolor=white, height=0.3, width=0.3, "
                       "margin=\"0.06,0.03\", fontname=Helvetica, fontsize=12];\n"
                       "  edge [color=\"#444444\"];\n");
    put_dot_nodes(c, text);
    put_dot_links(c, text);
    if (c->keys > 0)
        put_dot_key(c, text);
    cni_text_put(text, "}\n");
}

void cni_canvas_put(const cni_canvas *canvas, cn_format format, cni_text *text)
{
    if (format == CN_FORMAT_DOT)
        put_dot(canvas, text);
    else
        put_svg(canvas, text);
}

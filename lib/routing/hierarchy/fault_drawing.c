/* Damaged networks as pictures: text in the DOT language of graphviz. */
#include "routing/hierarchy/hierarchy.h"
#include "routing/subnets/subnet.h"

#include "base/error.h"
#include "base/text.h"

/* What is drawn; subnet, hierarchy or both are NULL. */
typedef struct drawing {
    const cn_faults *faults;
    const cn_subnet *subnet;
    const cn_hierarchy *hierarchy;
} drawing;

/* An address is at most 62 digits, or fewer longer ones that make up a number below 2^30. */
enum { ADDRESS_CAPACITY = 128, MOST_PLACED = 8, PALETTE = 8 };

/* Light, and told apart also by those who do not see all colours. */
static const char *const palette[PALETTE] = {"#CFE8F7", "#F9DDB5", "#CDEBDD", "#F3D3E4",
                                             "#FBF3B9", "#DAD5F2", "#E5E5E5", "#F6CBBB"};

static int is_disabled(const drawing *d, uint64_t node)
{
    return d->subnet != NULL && !cni_survives(d->subnet, node) && !cni_node_faulty(d->faults, node);
}

/* Three dimensions make a cube in perspective, the others set such cubes side by side and one above the
 * other; in tenths of an inch. Slanted so that no node covers another and, up to 5 dimensions, no
 * link runs behind a node that it does not end at. */
static void put_place(cni_text *t, uint32_t dimensions, uint64_t node)
{
    static const int x[MOST_PLACED] = {18, 0, 10, 34, 8, 80, 4, 170};
    static const int y[MOST_PLACED] = {3, 14, 6, 1, 30, 4, 62, 6};
    int at_x = 0, at_y = 0;
    for (uint32_t i = 0; i < dimensions; i++) {
        at_x += (node >> i & 1) != 0 ? x[i] : 0;
        at_y += (node >> i & 1) != 0 ? y[i] : 0;
    }
    cni_text_put(t, ", pos=\"%d.%d,%d.%d!\"", at_x / 10, at_x % 10, at_y / 10, at_y % 10);
}

static int has_places(const drawing *d)
{
    const cn_topology *topology = d->faults->topology;
    return cni_is_hypercube(topology) && topology->dimensions <= MOST_PLACED &&
           d->hierarchy == NULL;
}

static cn_status put_node(cni_text *t, const drawing *d, uint64_t node)
{
    const cn_topology *topology = d->faults->topology;
    char address[ADDRESS_CAPACITY];
    CNI_TRY(cn_topology_address_text(topology, node, address, sizeof address, NULL));
    cni_text_put(t, "  %llu [label=\"%s\"", (unsigned long long)node, address);
    if (cni_node_faulty(d->faults, node))
        cni_text_put(t, ", fillcolor=black, fontcolor=white");
    else if (is_disabled(d, node))
        cni_text_put(t, ", fillcolor=\"#BBBBBB\", style=\"filled,dashed\"");
    else if (d->hierarchy != NULL)
        cni_text_put(t, ", fillcolor=\"%s\"", palette[d->hierarchy->cluster_of[node] % PALETTE]);
    if (has_places(d))
        put_place(t, topology->dimensions, node);
    cni_text_put(t, "];\n");
    return CN_OK;
}

static cn_status put_clusters(cni_text *t, const drawing *d)
{
    const cn_hierarchy *h = d->hierarchy;
    char address[ADDRESS_CAPACITY];
    for (uint32_t c = 0; c < h->cluster_count; c++) {
        const cni_cut *cut = &h->cuts[h->clusters[c].leaf];
        CNI_TRY(cn_subcube_text(d->faults->topology->dimensions, cut->value, cut->any, address,
                                sizeof address, NULL));
        cni_text_put(t,
                     "  subgraph cluster_%lu {\n  label=\"%s\"; labelloc=b; fontsize=14; "
                     "style=\"rounded\"; color=\"#444444\";\n",
                     (unsigned long)c, address);
        uint64_t v = cut->value;
        do {
            if (!cni_node_faulty(d->faults, v))
                CNI_TRY(put_node(t, d, v));
            v = cni_next_in(cut, v);
        } while (v != cut->value);
        cni_text_put(t, "  }\n");
    }
    return CN_OK;
}

static cn_status put_nodes(cni_text *t, const drawing *d)
{
    if (d->hierarchy != NULL)
        CNI_TRY(put_clusters(t, d));
    for (uint64_t v = 0; v < d->faults->topology->nodes; v++)
        if (d->hierarchy == NULL || cni_node_faulty(d->faults, v))
            CNI_TRY(put_node(t, d, v));
    return CN_OK;
}

static void put_link(cni_text *t, const drawing *d, uint64_t node, uint32_t port)
{
    uint64_t far = cni_neighbor(d->faults->topology, node, port);
    const uint32_t *cluster = d->hierarchy == NULL ? NULL : d->hierarchy->cluster_of;
    int dead = cni_node_faulty(d->faults, node) || cni_node_faulty(d->faults, far) ||
               is_disabled(d, node) || is_disabled(d, far);
    const char *look = "";
    if ((cni_faulty_links(d->faults, node) >> (port & 63) & 1) != 0)
        look = " [color=\"#D50000\", style=dashed]";
    else if (dead)
        look = " [color=\"#BBBBBB\"]";
    else if (cluster != NULL && cluster[node] != cluster[far])
        look = " [color=\"#0072B2\", constraint=false]";
    cni_text_put(t, "  %llu %s %llu%s;\n", (unsigned long long)node,
                 d->faults->topology->bidirectional ? "--" : "->", (unsigned long long)far, look);
}

/* Samples of all that has been drawn and needs a word: a row below a cube, else a column. */
static void put_key(cni_text *t, const drawing *d)
{
    const int row = has_places(d);
    int node = 0, disabled = 0, link = 0;
    for (uint64_t v = 0; v < d->faults->topology->nodes; v++) {
        node |= cni_node_faulty(d->faults, v);
        disabled |= is_disabled(d, v);
        link |= cni_faulty_links(d->faults, v) != 0;
    }
    const struct {
        int shown;
        const char *cell;
    } samples[] = {
        {node, "BORDER=\"1\" BGCOLOR=\"black\"><FONT COLOR=\"white\">faulty node</FONT>"},
        {disabled, "BORDER=\"1\" STYLE=\"dashed\" BGCOLOR=\"#BBBBBB\">disabled node"},
        {link, "><FONT COLOR=\"#D50000\">- - -</FONT> faulty link"},
        {node || disabled, "><FONT COLOR=\"#BBBBBB\">&#8212;&#8212;</FONT> link of such a node"},
        {d->hierarchy != NULL,
         "><FONT COLOR=\"#0072B2\">&#8212;&#8212;</FONT> link between clusters"},
    };
    if (!node && !link && d->hierarchy == NULL)
        return;
    cni_text_put(
        t, "  key [shape=plain, style=\"\"%s, label=<<TABLE BORDER=\"0\" CELLSPACING=\"8\">%s",
        row ? ", pos=\"1.5,-0.7!\"" : "", row ? "<TR>" : "");
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        if (samples[i].shown)
            cni_text_put(t, row ? "<TD %s</TD>" : "<TR><TD %s</TD></TR>", samples[i].cell);
    cni_text_put(t, "%s</TABLE>>];\n", row ? "</TR>" : "");
}

static cn_status put_all(cni_text *t, const drawing *d)
{
    const cn_topology *topology = d->faults->topology;
    cni_text_put(t, "%s \"%s\" {\n", topology->bidirectional ? "graph" : "digraph", topology->name);
    cni_text_put(t, "  outputorder=edgesfirst;\n");
    if (has_places(d))
        cni_text_put(t, "  layout=neato;\n");
    cni_text_put(t, "  node [shape=box, style=filled, fillcolor=white, height=0.3, width=0.3, "
                    "margin=\"0.06,0.03\", fontname=Helvetica, fontsize=12];\n"
                    "  edge [color=\"#444444\"];\n");
    CNI_TRY(put_nodes(t, d));
    for (uint64_t v = 0; v < topology->nodes; v++)
        for (uint32_t p = 0; p < cni_degree(topology, v); p++)
            if (!topology->bidirectional || v < cni_neighbor(topology, v, p))
                put_link(t, d, v, p);
    put_key(t, d);
    cni_text_put(t, "}\n");
    return CN_OK;
}

static cn_status draw(const char *function, const drawing *d, char text[], size_t capacity,
                      size_t *length)
{
    cni_text measure = {0}, write = {.text = text, .capacity = capacity};
    if (capacity > 0 && text == NULL)
        return cni_fail_invalid(function, "text", NULL, CNI_NO_OBJECT);
    CNI_TRY(put_all(&measure, d));
    if (length != NULL)
        *length = measure.length;
    if (capacity <= measure.length)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but the text needs %zu", function,
                        capacity, measure.length + 1);
    CNI_TRY(put_all(&write, d));
    text[write.length] = '\0';
    return CN_OK;
}

cn_status cn_faults_dot(const cn_faults *faults, char text[], size_t capacity, size_t *length)
{
    CNI_REQUIRE(faults);
    return draw(__func__, &(drawing){.faults = faults}, text, capacity, length);
}

cn_status cn_subnet_dot(const cn_subnet *subnet, char text[], size_t capacity, size_t *length)
{
    CNI_REQUIRE(subnet);
    return draw(__func__, &(drawing){.faults = subnet->faults, .subnet = subnet}, text, capacity,
                length);
}

cn_status cn_hierarchy_dot(const cn_hierarchy *hierarchy, char text[], size_t capacity,
                           size_t *length)
{
    CNI_REQUIRE(hierarchy);
    return draw(__func__, &(drawing){.faults = hierarchy->faults, .hierarchy = hierarchy}, text,
                capacity, length);
}

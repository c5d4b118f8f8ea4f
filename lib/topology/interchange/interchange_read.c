/* Reads networks from texts of other programs. */
#include "cubenet/interchange.h"

#include <string.h>

#include "base/text.h"
#include "topology/interchange/picture.h"
#include "topology/topology.h"

/* ---- lines and numbers ---- */

typedef struct reader {
    const char *at, *end;
    size_t line; /* from 1 */
    uint64_t *edges;
    size_t count;    /* of edges */
    size_t capacity; /* in numbers */
    cni_budget *budget;
    uint64_t last;           /* value of budget->done at the end of the text */
    const cn_topology *made; /* for the second reading of METIS: the network of the first */
} reader;

static cn_status malformed(const reader *r, const char *what)
{
    return cni_fail(CN_ERR_ARGUMENT, "cn_topology_read: line %zu: %s", r->line, what);
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static int at_line_end(reader *r)
{
    skip_blanks(r);
    return r->at == r->end || *r->at == '\n';
}

static void next_line(reader *r)
{
    while (r->at < r->end && *r->at != '\n')
        r->at++;
    if (r->at < r->end)
        r->at++;
    r->line++;
}

/* Reports after each line or number how much of the text is read. */
static cn_status report_progress(reader *r)
{
    uint64_t before = r->budget->done;
    r->budget->done = r->last - (uint64_t)(r->end - r->at);
    return cni_budget_go_on(r->budget, 1 + r->budget->done - before);
}

static cn_status read_number(reader *r, uint64_t *number)
{
    skip_blanks(r);
    if (!cni_read_whole(&r->at, r->end, number) ||
        (r->at < r->end && *r->at != ' ' && *r->at != '\t' && *r->at != '\r' && *r->at != '\n'))
        return malformed(r, "a whole number of at most 2^64 - 1 was expected");
    return CN_OK;
}

static cn_status keep_edge(reader *r, uint64_t u, uint64_t v)
{
    CNI_TRY(cni_grow(&r->edges, &r->capacity, 2 * r->count + 2, sizeof *r->edges));
    r->edges[2 * r->count] = u;
    r->edges[2 * r->count + 1] = v;
    r->count++;
    return CN_OK;
}

/* ---- edges ---- */

/* Takes the number of nodes from "# nodes N", and skips any other comment. */
static cn_status read_comment(reader *r, uint64_t *nodes)
{
    static const char word[] = "nodes ";
    r->at++;
    skip_blanks(r);
    size_t left = (size_t)(r->end - r->at);
    if (left < sizeof word || memcmp(r->at, word, sizeof word - 1) != 0)
        return CN_OK;
    r->at += sizeof word - 1;
    return read_number(r, nodes);
}

static cn_status read_edges(reader *r, uint64_t *nodes)
{
    uint64_t greatest = 0, u, v;
    *nodes = 0;
    for (; r->at < r->end; next_line(r)) {
        CNI_TRY(report_progress(r));
        if (at_line_end(r))
            continue;
        if (*r->at == '#' || *r->at == '%') {
            CNI_TRY(read_comment(r, nodes));
            continue;
        }
        CNI_TRY(read_number(r, &u));
        CNI_TRY(read_number(r, &v));
        if (!at_line_end(r))
            return malformed(r, "more than two numbers");
        if (u == UINT64_MAX || v == UINT64_MAX)
            return malformed(r, "a node is above 2^64 - 2");
        CNI_TRY(keep_edge(r, u, v));
        greatest = u > greatest ? u : greatest;
        greatest = v > greatest ? v : greatest;
    }
    if (*nodes == 0 && r->count > 0)
        *nodes = greatest + 1;
    return CN_OK;
}

/* ---- METIS ---- */

typedef struct metis {
    uint64_t nodes, links;
    uint64_t weights; /* numbers before the neighbours of a node */
    int edge_weights;
} metis;

static void skip_comments(reader *r)
{
    while (r->at < r->end && *r->at == '%')
        next_line(r);
}

/* Reads "N M [fmt [ncon]]": the digits of fmt tell whether sizes of nodes, weights of nodes and
 * weights of links follow. */
static cn_status read_metis_header(reader *r, metis *m)
{
    uint64_t format = 0, constraints = 1;
    skip_comments(r);
    CNI_TRY(read_number(r, &m->nodes));
    CNI_TRY(read_number(r, &m->links));
    if (!at_line_end(r))
        CNI_TRY(read_number(r, &format));
    if (!at_line_end(r))
        CNI_TRY(read_number(r, &constraints));
    if (!at_line_end(r) || format > 111 || format % 10 > 1 || format / 10 % 10 > 1)
        return malformed(r, "the first line must be \"N M [fmt [ncon]]\" with fmt of three bits");
    m->weights = format / 100 + (format / 10 % 10) * constraints;
    m->edge_weights = format % 10 == 1;
    next_line(r);
    return CN_OK;
}

/* The first reading keeps a link at its smaller node; the second checks that both ends list the
 * link. */
static cn_status take_neighbor(reader *r, uint64_t node, uint64_t far)
{
    uint32_t port;
    CNI_TRY(report_progress(r));
    if (r->made == NULL)
        return far >= node ? keep_edge(r, node, far) : CN_OK; /* the constructor refuses loops */
    CNI_TRY(cn_topology_port_to(r->made, node, far, &port));
    return port == CN_NO_PORT ? malformed(r, "a neighbour does not list this node") : CN_OK;
}

static cn_status read_metis_node(reader *r, const metis *m, uint64_t node, uint64_t *ends)
{
    uint64_t number, weight;
    for (uint64_t i = 0; i < m->weights; i++)
        CNI_TRY(read_number(r, &weight));
    while (!at_line_end(r)) {
        CNI_TRY(read_number(r, &number));
        if (number < 1 || number > m->nodes)
            return malformed(r, "a neighbour is not from 1 to N");
        if (m->edge_weights)
            CNI_TRY(read_number(r, &weight));
        *ends += 1;
        CNI_TRY(take_neighbor(r, node, number - 1));
    }
    next_line(r);
    return CN_OK;
}

static cn_status read_metis(reader *r, uint64_t *nodes)
{
    metis m;
    uint64_t ends = 0;
    CNI_TRY(read_metis_header(r, &m));
    for (uint64_t v = 0; v < m.nodes; v++) {
        skip_comments(r);
        CNI_TRY(report_progress(r));
        if (r->at == r->end && (m.weights > 0 || ends < 2 * m.links))
            return malformed(r, "the text ends before the last node");
        CNI_TRY(read_metis_node(r, &m, v, &ends));
        if (r->at == r->end && ends >= 2 * m.links)
            break; /* nodes without neighbours may follow as empty lines, or not */
    }
    if (r->count != m.links || ends != 2 * m.links)
        return malformed(r, "the number of links is not what the first line says, or a link is "
                            "missing from one of its ends");
    *nodes = m.nodes;
    return CN_OK;
}

/* ---- both ---- */

/* Checks the number of nodes: a few bytes may name any number, and each node takes memory. */
static cn_status check_nodes(uint64_t nodes, size_t length, uint64_t limit)
{
    if (limit == 0) {
        limit = CN_READ_NODES_PER_BYTE * (uint64_t)length;
        limit = limit < CN_READ_NODES ? CN_READ_NODES : limit;
    }
    if (nodes > limit)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "cn_topology_read: the text has %llu nodes, but node_limit allows %llu for its "
            "%zu bytes",
            (unsigned long long)nodes, (unsigned long long)limit, length);
    if (nodes >= 1 && nodes <= UINT64_C(1) << 32)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_topology_read: the text has %llu nodes, but it must be 1 to 2^32",
                    (unsigned long long)nodes);
}

cn_status cn_topology_read(cn_format format, const char *text, size_t length, uint64_t node_limit,
                           const cn_control *control, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE(text);
    CNI_TRY(cni_check_named(__func__, &cni_formats, "format", (int)format));
    if (format != CN_FORMAT_EDGES && format != CN_FORMAT_METIS)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the format %s can only be written", __func__,
                        cni_name_of(&cni_formats, (int)format));
    uint64_t passes = format == CN_FORMAT_METIS ? 2 : 1, nodes = 0;
    CNI_BUDGET(budget, control, passes * length);
    reader r = {.at = text, .end = text + length, .line = 1, .budget = &budget, .last = length};
    cn_status status = format == CN_FORMAT_EDGES ? read_edges(&r, &nodes) : read_metis(&r, &nodes);
    if (status == CN_OK)
        status = check_nodes(nodes, length, node_limit);
    if (status == CN_OK)
        status = cni_graph_from_edges(nodes, r.edges, r.count, &budget, topology);
    cni_release(r.edges);
    if (status == CN_OK && format == CN_FORMAT_METIS) {
        reader again = {.at = text,
                        .end = text + length,
                        .line = 1,
                        .count = r.count,
                        .budget = &budget,
                        .last = 2 * length,
                        .made = *topology};
        status = read_metis(&again, &nodes);
        if (status != CN_OK)
            cn_topology_free(topology);
    }
    return cni_fail_as(__func__, status);
}

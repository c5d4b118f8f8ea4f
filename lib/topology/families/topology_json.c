/* Topologies, to JSON and from JSON. */
#include "topology/families/topology_json.h"

#include <string.h>

#include "cubenet/experimental/hosts.h"

#include "topology/distances/graph.h"
#include "topology/families/composed.h"
#include "topology/families/stored_graph.h"

/* ---- a stored graph ---- */

typedef struct rows {
    uint64_t nodes, node; /* all, and the one at hand */
    const size_t *first;  /* of the ports of a node */
    const uint32_t *neighbor;
    cni_stored_graph *into; /* what is read: the same arrays */
    size_t channels;        /* of the rows counted so far */
} rows;

static void visit_neighbor(cni_io *io, size_t i, void *of)
{
    rows *r = of;
    size_t place = r->first[r->node] + i;
    uint64_t far = cni_io_writes(io) ? r->neighbor[place] : 0;
    cni_io_whole(io, NULL, &far, r->nodes - 1);
    if (cni_io_reads(io))
        r->into->neighbor[place] = (uint32_t)far;
}

static void visit_row(cni_io *io, size_t node, void *of)
{
    rows *r = of;
    size_t ports = cni_io_writes(io) ? r->first[node + 1] - r->first[node] : cni_io_count(io, NULL);
    r->node = node;
    cni_io_array(io, NULL, ports, visit_neighbor, r);
    if (cni_io_reads(io))
        r->into->first[node + 1] = r->first[node] + ports;
}

static void count_row(cni_io *io, size_t node, void *of)
{
    rows *r = of;
    (void)node;
    r->channels += cni_io_count(io, NULL);
}

/* Room for the rows, after they have been counted. */
static cn_status open_rows(cni_io *io, rows *r)
{
    r->nodes = cni_io_count(io, "neighbors");
    if (cni_io_reads(io) && r->nodes == 0)
        cni_io_fail(io, "neighbors", "a network has at least one node");
    cni_io_array(io, "neighbors", 0, count_row, r);
    CNI_TRY(io->status);
    r->into = cni_stored_graph_new(r->nodes);
    CNI_TRY_MEMORY(r->into);
    r->first = r->into->first;
    r->into->neighbor = cni_allocate(r->channels, sizeof *r->neighbor);
    return r->into->neighbor == NULL ? CN_ERR_MEMORY : CN_OK;
}

static void put_host(cni_io *io, size_t rank, void *of)
{
    cni_io_put(io, cni_host_at(of, rank));
}

/* The hosts, where not all nodes are. */
static void visit_hosts(cni_io *io, cn_topology *topology)
{
    static const char key[] = "hosts";
    uint64_t *hosts = NULL;
    size_t count = 0;
    if (!CNI_IO_HAS(io, key, !cni_all_are_hosts(topology)))
        return;
    if (cni_io_writes(io))
        cni_io_array(io, key, (size_t)topology->hosts, put_host, topology);
    else
        cni_io_list(io, key, &hosts, &count, UINT64_MAX);
    if (cni_io_reads(io))
        cni_io_blame(
            io, key,
            cni_stored_graph_choose((cni_stored_graph *)topology, hosts, count, io->json->budget));
    cni_release(hosts);
}

static void visit_graph(cni_io *io, void *object)
{
    cn_topology **topology = object;
    char made_of[CNI_JSON_NAME] = "";
    rows r = {0};
    if (cni_io_writes(io)) {
        cni_graph graph;
        memcpy(made_of, (*topology)->name, strcspn((*topology)->name, "("));
        (*topology)->ops->lend_graph(*topology, &graph);
        r = (rows){.nodes = graph.nodes, .first = graph.first, .neighbor = graph.neighbor};
    }
    cni_io_name(io, "made_of", made_of, made_of);
    int of_edges = strcmp(made_of, "edges") == 0;
    if (cni_io_reads(io) && !of_edges && strcmp(made_of, "function") != 0)
        cni_io_fail(io, "made_of", "a graph is made of \"edges\" or \"function\"");
    if (cni_io_reads(io))
        io->status = open_rows(io, &r);
    cni_io_array(io, "neighbors", (size_t)r.nodes, visit_row, &r);
    if (r.into != NULL)
        *topology = &r.into->common;
    if (cni_io_reads(io))
        cni_io_blame(io, "neighbors", cni_stored_graph_finish(r.into, made_of, io->json->budget));
    if (cni_io_reads(io) && of_edges && !(*topology)->bidirectional)
        cni_io_fail(io, "neighbors",
                    "a graph of edges has a way back for every channel, but this one has not");
    if (*topology != NULL) /* NULL after a failure, and when keys are listed */
        visit_hosts(io, *topology);
}

/* ---- a composed network ---- */

static void put_length(cni_io *io, size_t link, void *of)
{
    cni_io_put(io, ((const cni_stored_graph *)of)->lengths[link]);
}

static void read_lengths(cni_io *io, const char *key, const cn_topology *base,
                         cn_topology **topology)
{
    uint64_t *list = NULL;
    uint32_t *lengths = NULL;
    size_t count = 0;
    cni_io_list(io, key, &list, &count, UINT32_MAX);
    if (cni_io_reads(io)) {
        lengths = cni_allocate((uint64_t)count + 1, sizeof *lengths);
        io->status = lengths == NULL ? CN_ERR_MEMORY : CN_OK;
    }
    for (size_t i = 0; i < count && cni_io_reads(io); i++)
        lengths[i] = (uint32_t)list[i];
    if (cni_io_reads(io))
        cni_io_blame(io, key, cn_topology_with_lengths(base, lengths, count, NULL, topology));
    cni_release(list);
    cni_release(lengths);
}

static void read_composed(cni_io *io, cn_topology **topology)
{
    cn_topology *base = NULL;
    uint64_t hosts = 0;
    cni_io_topology(io, &base);
    if (cni_io_finds(io, "with_lengths")) {
        read_lengths(io, "with_lengths", base, topology);
    } else if (cni_io_reads(io)) {
        cni_io_whole(io, "with_hosts", &hosts, UINT32_MAX);
        if (cni_io_reads(io))
            cni_io_blame(io, "with_hosts", cn_topology_with_hosts(base, (uint32_t)hosts, topology));
    }
    cn_topology_free(&base);
}

/* The base, and what is added. */
static void visit_composed(cni_io *io, cn_topology **topology)
{
    if (!cni_io_writes(io)) {
        read_composed(io, topology);
        return;
    }
    cn_topology *t = *topology, *base = t->base;
    cni_io_topology(io, &base);
    if (cni_has_added_hosts(t)) {
        uint64_t hosts = cni_added_hosts(t);
        cni_io_whole(io, "with_hosts", &hosts, UINT32_MAX);
    } else {
        cni_io_array(io, "with_lengths", ((cni_stored_graph *)t)->links, put_length, t);
    }
}

/* ---- both ---- */

static void visit_network(cni_io *io, void *object)
{
    /* the first three are of a composed network, which has one of keys 1 and 2 */
    static const char *const keys[] = {"topology", "with_hosts", "with_lengths",
                                       "made_of",  "neighbors",  "hosts"};
    cn_topology **topology = object;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && io->lists; i++)
        cni_io_finds(io, keys[i]);
    if (io->lists)
        return;
    int is_composed = CNI_IO_HAS(io, "topology", (*topology)->base != NULL);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && cni_io_reads(io); i++)
        if (cni_io_finds(io, keys[i]) &&
            (is_composed != (i < 3) || (i == 2 && cni_io_finds(io, keys[1]))))
            cni_io_fail(io, keys[i], "this key does not go with %s",
                        !is_composed ? "neighbors"
                        : i == 2     ? "with_hosts"
                                     : "topology");
    if (is_composed)
        visit_composed(io, topology);
    else
        visit_graph(io, topology);
}

static int is_stored(cni_io *io, const cn_topology *topology)
{
    if (cni_io_writes(io))
        return topology->ops->lend_graph != NULL || topology->base != NULL;
    return cni_io_begins(io, "topology", '{');
}

void cni_io_topology(cni_io *io, cn_topology **topology)
{
    char name[CNI_JSON_NAME];
    if (is_stored(io, *topology)) {
        cni_io_object(io, "topology", visit_network, topology);
    } else {
        cni_io_name(io, "topology", cni_io_writes(io) ? (*topology)->name : NULL, name);
        if (cni_io_reads(io))
            cni_io_blame(io, "topology", cni_topology_by_name(name, topology));
    }
    if (io->status != CN_OK)
        cn_topology_free(topology);
}

static void visit(cni_io *io, void *topology)
{
    cni_io_topology(io, topology);
}

CNI_JSON_TEXTS(topology, visit);

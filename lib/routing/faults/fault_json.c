#include "routing/faults/fault_json.h"

#include "topology/families/topology_json.h"

/* ---- writing ---- */

static void put_nodes(cni_json_writer *w, const cn_faults *faults)
{
    cni_json_open(w, "nodes", '[');
    for (uint64_t v = 0; v < faults->topology->nodes; v++)
        if (cni_node_faulty(faults, v))
            cni_json_put_whole(w, NULL, v);
    cni_json_close(w, ']');
}

/* A link that goes both ways stands once, from its lower node. */
static void put_links(cni_json_writer *w, const cn_faults *faults)
{
    const cn_topology *topology = faults->topology;
    cni_json_open(w, "links", '[');
    for (uint64_t v = 0; v < topology->nodes; v++)
        for (uint64_t left = faults->links[v]; left != 0; left &= left - 1) {
            uint32_t port = cni_lowest_bit(left);
            uint64_t ends[] = {v, cni_neighbor(topology, v, port)};
            if (cni_is_first_end(topology, v, port))
                cni_json_put_wholes(w, NULL, ends, 2);
        }
    cni_json_close(w, ']');
}

static void put_sets(cni_json_writer *w, const cn_faults *faults)
{
    if (faults->node_count > 0)
        put_nodes(w, faults);
    if (faults->link_count > 0)
        put_links(w, faults);
}

void cni_faults_put(cni_json_writer *w, const cn_faults *faults)
{
    cni_json_open(w, "faults", '{');
    put_sets(w, faults);
    cni_json_close(w, '}');
}

static void put(cni_json_writer *w, const void *object)
{
    const cn_faults *faults = object;
    cni_topology_put(w, faults->topology);
    put_sets(w, faults);
}

CNI_JSON_TEXT(cn_faults_json, faults, put);

/* ---- reading ---- */

enum { NODES, LINKS, KEYS };

static cn_status read_nodes(const cni_json *json, cni_json_value array, cn_faults *faults)
{
    size_t count;
    uint64_t node;
    CNI_TRY(cni_json_count(json, array, &count));
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v)) {
        CNI_TRY(cni_json_whole(json, v, faults->topology->nodes - 1, &node));
        if (cni_node_faulty(faults, node))
            return cni_json_fail(json, v, "node %llu stands here a second time",
                                 (unsigned long long)node);
        cni_faults_set_node(faults, node, 1);
    }
    return CN_OK;
}

static cn_status read_links(const cni_json *json, cni_json_value array, cn_faults *faults)
{
    const cn_topology *t = faults->topology;
    size_t count;
    uint64_t ends[2];
    uint32_t port;
    CNI_TRY(cni_json_count(json, array, &count));
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v)) {
        CNI_TRY(cni_json_wholes(json, v, t->nodes - 1, ends, 2));
        cn_topology_port_to(t, ends[0], ends[1], &port); /* both are nodes */
        if (port == CN_NO_PORT)
            return cni_json_fail(json, v, "%s has no link from %llu to %llu", t->name,
                                 (unsigned long long)ends[0], (unsigned long long)ends[1]);
        if (cn_faults_has_link(faults, ends[0], port))
            return cni_json_fail(json, v, "the link from %llu to %llu stands here a second time",
                                 (unsigned long long)ends[0], (unsigned long long)ends[1]);
        CNI_TRY(cni_json_blame(json, v, cn_faults_add_link(faults, ends[0], port)));
    }
    return CN_OK;
}

static cn_status read_sets(const cni_json *json, cni_json_value value, const cni_json_value sets[],
                           const cn_topology *topology, cn_faults **faults)
{
    *faults = NULL;
    CNI_TRY(cni_json_blame(json, value, cn_faults_new(topology, faults)));
    cn_status status = CN_OK;
    if (sets[NODES].at != NULL)
        status = read_nodes(json, sets[NODES], *faults);
    if (status == CN_OK && sets[LINKS].at != NULL)
        status = read_links(json, sets[LINKS], *faults);
    if (status != CN_OK)
        cn_faults_free(faults);
    return status;
}

cn_status cni_faults_of_json(const cni_json *json, cni_json_value value,
                             const cn_topology *topology, cn_faults **faults)
{
    static const char *const keys[] = {"nodes", "links"};
    cni_json_value sets[KEYS];
    CNI_TRY(cni_json_members(json, value, keys, 0, KEYS, sets));
    return read_sets(json, value, sets, topology, faults);
}

cn_status cn_faults_from_json(const char *text, const cn_control *control, cn_faults **faults)
{
    static const char *const keys[] = {"topology", "nodes", "links"};
    cni_json_value is[KEYS + 1];
    cn_topology *topology;
    CNI_REQUIRE_OUT(faults);
    CNI_JSON_READ(json, text, control);
    CNI_TRY(cni_json_begin(&json, "faults", keys, 1, KEYS + 1, is));
    CNI_TRY(cni_topology_of_json(&json, is[0], &topology));
    cn_status status = read_sets(&json, is[0], is + 1, topology, faults);
    cn_topology_free(&topology);
    return status;
}

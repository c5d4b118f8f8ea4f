/* An own rule in JSON: the table, and the class of every channel and virtual channel. */
#include "base/error.h"
#include "routing/rules/own.h"
#include "routing/rules/table_json.h"

void cni_own_put(cni_json_writer *w, const cn_routing *routing)
{
    const cni_own_rule *o = routing->state;
    size_t channels = o->first[routing->topology->nodes] * o->virtual_channels;
    cni_json_put_whole(w, "virtual_channels", o->virtual_channels);
    cni_json_put_flag(w, "escapes", routing->has_escapes);
    cni_json_put_whole(w, "classes", routing->classes);
    cni_json_open(w, "arrivals", '[');
    for (size_t i = 0; i < channels; i++)
        cni_json_put_whole(w, NULL, o->arrival[i]);
    cni_json_close(w, ']');
    cni_table_put(w, routing);
}

/* What is read stands in for the caller's rule, so all that is asked of one is asked of it. */
typedef struct tabled {
    cni_read_table table;
    const cn_topology *topology;
    size_t *first; /* nodes + 1: channels of the nodes before */
    uint64_t *arrivals;
    uint32_t virtual_channels;
} tabled;

static cn_status look_up(const tabled *t, uint64_t node, uint64_t target, uint64_t previous,
                         uint32_t port, uint32_t virtual_channel, int escapes_only, uint64_t sets[])
{
    uint64_t class = 0;
    if (port != CN_NO_PORT)
        class = t->arrivals[(t->first[previous] + port) * t->virtual_channels + virtual_channel];
    cni_lanes_to_sets(cni_read_entry(&t->table, node, (uint32_t) class, target),
                      CN_MAX_VIRTUAL_CHANNELS, escapes_only, sets);
    return CN_OK;
}

static cn_status tabled_rule(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                             uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    return look_up(user, node, destination, previous, port, virtual_channel, 0, channels);
}

static cn_status tabled_escape(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                               uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    return look_up(user, node, destination, previous, port, virtual_channel, 1, channels);
}

enum { VIRTUAL_CHANNELS, ESCAPES, CLASSES, ARRIVALS, ENTRIES, TABLE, KEYS };

static cn_status read_tables(const cni_json *json, const cni_json_value is[KEYS], cn_routing *like,
                             tabled *t)
{
    uint64_t nodes = t->topology->nodes, channels = 0, count;
    CNI_TRY(cni_json_whole(json, is[CLASSES], CNI_MOST_CLASSES, &count));
    CNI_TRY(cni_read_table_open(json, is[ENTRIES], is[TABLE], like, (uint32_t)count, &t->table));
    t->first = cni_allocate(nodes + 1, sizeof *t->first);
    CNI_TRY_MEMORY(t->first);
    for (uint64_t v = 0; v < nodes; v++)
        t->first[v + 1] = t->first[v] + cni_degree(t->topology, v);
    channels = t->first[nodes] * t->virtual_channels;
    t->arrivals = cni_allocate(channels, sizeof *t->arrivals);
    CNI_TRY_MEMORY(t->arrivals);
    return cni_json_wholes(json, is[ARRIVALS], count - 1, t->arrivals, cni_size(channels));
}

cn_status cni_own_read(const cni_json *json, cni_json_value with, const cn_topology *topology,
                       const cn_faults *faults, cn_routing **routing)
{
    static const char *const keys[] = {"virtual_channels", "escapes", "classes",
                                       "arrivals",         "entries", "table"};
    cni_json_value is[KEYS];
    uint64_t virtual_channels;
    int escapes;
    cn_routing *like;
    tabled t = {.topology = topology};
    if (faults != NULL)
        return cni_json_fail(json, with, "an own rule takes no faults");
    CNI_TRY(cni_json_members(json, with, keys, KEYS, KEYS, is));
    CNI_TRY(cni_json_flag(json, is[ESCAPES], &escapes));
    CNI_TRY(cni_json_whole(json, is[VIRTUAL_CHANNELS], CN_MAX_VIRTUAL_CHANNELS, &virtual_channels));
    if (virtual_channels == 0)
        return cni_json_fail(json, is[VIRTUAL_CHANNELS], "there must be at least 1");
    t.virtual_channels = (uint32_t)virtual_channels;
    CNI_TRY(cni_routing_make(json->function, &cni_own, topology, NULL, json->budget, &like));
    cn_status status = read_tables(json, is, like, &t);
    if (status == CN_OK)
        status = cni_json_blame(json, with,
                                cni_own_build(json->function, topology, t.virtual_channels,
                                              tabled_rule, escapes ? tabled_escape : NULL, &t,
                                              json->budget, routing));
    cn_routing_free(&like);
    cni_read_table_close(&t.table);
    cni_release(t.first);
    cni_release(t.arrivals);
    return status;
}

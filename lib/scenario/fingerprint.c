#include "scenario/fingerprint.h"

#include <string.h>

#include "base/random.h"
#include "routing/rules/routing.h"
#include "routing/subnets/subnet.h"
#include "scenario/operations.h"
#include "scenario/system.h"
#include "scenario/traffic/locality.h"
#include "scenario/traffic/traffic.h"

static void add(uint64_t *hash, uint64_t number)
{
    *hash = cni_random_derive(*hash, number);
}

static void add_all(uint64_t *hash, const uint64_t numbers[], uint64_t count)
{
    add(hash, count);
    for (uint64_t i = 0; i < count; i++)
        add(hash, numbers[i]);
}

static void add_real(uint64_t *hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    add(hash, number == 0.0 ? 0 : bits);
}

static void add_text(uint64_t *hash, const char *text)
{
    for (; *text != '\0'; text++)
        add(hash, (unsigned char)*text);
    add(hash, 0);
}

static void add_faults(uint64_t *hash, const cn_faults *faults)
{
    if (faults == NULL || (faults->node_count == 0 && faults->link_count == 0)) {
        add(hash, 0);
        return;
    }
    add_all(hash, faults->nodes, (faults->topology->nodes + 63) / 64);
    add_all(hash, faults->links, faults->links == NULL ? 0 : faults->topology->nodes);
}

static void add_subnet(uint64_t *hash, const cn_subnet *subnet)
{
    add(hash, subnet != NULL);
    if (subnet == NULL)
        return;
    add_faults(hash, subnet->faults);
    for (uint64_t v = 0; v < subnet->faults->topology->nodes; v++)
        add(hash, subnet->state[v]);
}

/* ---- traffic ---- */

static void add_trace(uint64_t *hash, const cni_traffic_table *table)
{
    add(hash, table->trace_count);
    for (size_t i = 0; i < table->trace_count; i++) {
        const cni_trace_message *m = &table->trace[i];
        const uint64_t numbers[] = {m->cycle, m->source, m->destination, m->flits, m->index};
        add_all(hash, numbers, sizeof numbers / sizeof numbers[0]);
    }
}

static void add_table(uint64_t *hash, const cni_traffic_table *table, uint64_t nodes)
{
    for (uint64_t v = 0; table->destination != NULL && v < nodes; v++)
        add(hash, table->destination[v]);
    add_all(hash, table->row, table->row == NULL ? 0 : nodes * nodes);
    for (uint64_t d = 0; table->locality != NULL && d <= table->locality->diameter; d++)
        add_real(hash, table->locality->up_to[d]);
    add_trace(hash, table);
}

static void add_traffic(uint64_t *hash, const cn_traffic *traffic)
{
    add(hash, traffic != NULL);
    if (traffic == NULL)
        return;
    add(hash, traffic->pattern);
    add(hash, traffic->source);
    add_real(hash, traffic->mean_on);
    add_real(hash, traffic->mean_off);
    add(hash, traffic->node);
    add(hash, traffic->share);
    if (traffic->table != NULL)
        add_table(hash, traffic->table, traffic->topology->nodes);
}

/* ---- routings and trees ---- */

static void add_tree(uint64_t *hash, const cn_tree *tree)
{
    add(hash, tree->root);
    for (uint64_t v = 0; v < tree->topology->nodes; v++)
        add(hash, v == tree->root ? v : cni_parent_in_tree(tree, v));
}

static void add_entries(uint64_t *hash, const cni_table *table)
{
    for (size_t i = 0; i < table->numbers.count && table->entries != NULL; i++)
        add(hash, cni_table_number(table, i));
    for (size_t e = 0; e < table->count && table->entries != NULL; e++) {
        const cni_entry *entry = &table->entries[e];
        add(hash, entry->ports);
        add(hash, entry->lanes);
        for (uint32_t i = 0; i < entry->lanes; i++) {
            add(hash, entry->lane[i].ports);
            add(hash, entry->lane[i].set);
            add(hash, entry->lane[i].is_escape != 0);
        }
    }
}

/* Into which classes an own rule divides messages by the channel over which they come. */
static void add_classes(uint64_t *hash, const cn_routing *routing)
{
    const cn_topology *t = routing->topology;
    for (uint64_t v = 0; v < t->nodes; v++)
        for (uint32_t port = 0; port < t->ops->degree(t, v); port++)
            for (uint32_t i = 0; i < routing->least; i++)
                add(hash, routing->kind->after(routing, 0, 0, v, port, i));
}

static void add_routing(uint64_t *hash, const cn_routing *routing)
{
    add(hash, routing != NULL);
    if (routing == NULL)
        return;
    add(hash, routing->classes);
    add(hash, routing->least);
    for (size_t i = 0; i < routing->ports.count; i++)
        add(hash, cni_packed_at(&routing->ports, i));
    add_entries(hash, &routing->table);
    if (routing->kind == &cni_own)
        add_classes(hash, routing);
    if (routing->kind == &cni_tree_routing)
        add_tree(hash, routing->state);
}

static void add_operations(uint64_t *hash, const cn_operations *operations)
{
    add(hash, operations != NULL);
    for (size_t i = 0; operations != NULL && i < operations->rows; i++) {
        const cni_listed_operation *row = &operations->row[i];
        add(hash, row->source);
        add(hash, row->start);
        add_all(hash, operations->destination + row->first, row->count);
    }
    for (size_t i = 0; operations != NULL && i < operations->trees; i++)
        add_tree(hash, operations->tree[i]);
}

/* ---- all ---- */

/* Whether a driven simulation does not look at it, or gives the same bits whatever it is. */
static int is_ignored(size_t param)
{
    return param == CN_PARAM_THREADS || param == CN_PARAM_REPLICATIONS ||
           param == CN_PARAM_RELATIVE_PRECISION || param == CN_PARAM_MODEL_VARIANT;
}

uint64_t cni_fingerprint(const cn_scenario *scenario)
{
    uint64_t hash = 0;
    add_text(&hash, scenario->system->name);
    add(&hash, cni_topology_fingerprint(scenario->topology));
    for (size_t param = 1; param <= cn_param_count(); param++)
        if (cni_row_takes(scenario->system, (cn_param)param) && !is_ignored(param))
            add_real(&hash, scenario->value[param]);
    add_text(&hash, cn_scenario_routing_name(scenario));
    add_routing(&hash, cni_routing_of(scenario));
    add_faults(&hash, cni_faults_of(scenario));
    add_subnet(&hash, cni_subnet_of(scenario));
    add_traffic(&hash, cni_traffic_of(scenario));
    add_operations(&hash, cni_operations_of(scenario));
    return hash;
}

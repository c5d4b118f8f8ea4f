#include "routing/rules/table_json.h"

/* ---- writing ---- */

static void put_entry(cni_json_writer *w, const cni_entry *entry)
{
    cni_json_open(w, NULL, '[');
    for (uint32_t i = 0; i < entry->lanes; i++) {
        const cni_lane *lane = &entry->lane[i];
        uint64_t is[] = {lane->ports, lane->set, 1};
        cni_json_put_wholes(w, NULL, is, lane->is_escape ? 3 : 2);
    }
    cni_json_close(w, ']');
}

void cni_table_put(cni_json_writer *w, const cn_routing *routing)
{
    const cni_table *table = &routing->table;
    cni_json_open(w, "entries", '[');
    for (size_t i = 0; i < table->count; i++)
        put_entry(w, &table->entries[i]);
    cni_json_close(w, ']');
    cni_json_open(w, "table", '[');
    for (size_t i = 0; i < table->numbers.count; i++)
        cni_json_put_whole(w, NULL, cni_table_number(table, i));
    cni_json_close(w, ']');
}

/* ---- reading ---- */

static cn_status read_lane(const cni_json *json, cni_json_value array, cni_entry *entry)
{
    uint64_t is[3] = {0, 0, 0};
    size_t count;
    CNI_TRY(cni_json_count(json, array, &count));
    CNI_TRY(cni_json_wholes(json, array, UINT64_MAX, is, count == 3 ? 3 : 2));
    if (is[0] == 0 || is[1] == 0 || is[2] != (count == 3))
        return cni_json_fail(json, array,
                             "a lane is [ports, virtual channels], neither of them 0, and a 1 "
                             "after them for escapes");
    if (entry->lanes == CNI_LANES)
        return cni_json_fail(json, array, "an entry has at most %d lanes", CNI_LANES);
    cni_add_lane(entry, is[0], is[1], is[2] != 0);
    entry->ports |= is[0];
    return CN_OK;
}

static cn_status read_entries(const cni_json *json, cni_json_value array, cni_entry entries[])
{
    size_t count;
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v), entries++) {
        CNI_TRY(cni_json_count(json, v, &count));
        for (cni_json_value lane = cni_json_first(v); lane.at != NULL; lane = cni_json_next(lane))
            CNI_TRY(read_lane(json, lane, entries));
    }
    return CN_OK;
}

static cn_status check_ports(const cni_json *json, cni_json_value numbers,
                             const cn_routing *routing, const cni_read_table *table)
{
    uint64_t nodes = table->nodes;
    for (uint64_t v = 0; v < nodes; v++) {
        uint64_t working = routing->faults == NULL ? cni_all_ports(routing->topology, v)
                                                   : cni_good_ports(routing->faults, v);
        for (uint64_t row = 0; row < nodes * table->classes; row++) {
            uint64_t number = table->numbers[row * nodes + v];
            if ((table->entries[number].ports & ~working) != 0)
                return cni_json_fail(json, numbers,
                                     "entry %llu is that of node %llu, which has not all of its "
                                     "ports, or not working",
                                     (unsigned long long)number, (unsigned long long)v);
        }
    }
    return CN_OK;
}

cn_status cni_read_table_open(const cni_json *json, cni_json_value entries, cni_json_value numbers,
                              const cn_routing *routing, uint32_t classes, cni_read_table *table)
{
    uint64_t nodes = routing->topology->nodes;
    size_t count, places;
    *table = (cni_read_table){.nodes = nodes, .classes = classes};
    CNI_TRY(cni_json_count(json, entries, &count));
    CNI_TRY(cni_json_count(json, numbers, &places));
    if (count == 0 || classes == 0 || nodes > CNI_MOST_PLACES || places != nodes * nodes * classes)
        return cni_json_fail(json, numbers,
                             "the table has %zu numbers of %zu entries, but %llu x %lu x %llu "
                             "numbers are needed",
                             places, count, (unsigned long long)nodes, (unsigned long)classes,
                             (unsigned long long)nodes);
    table->entries = cni_allocate(count, sizeof *table->entries);
    CNI_TRY_MEMORY(table->entries);
    CNI_TRY(read_entries(json, entries, table->entries));
    CNI_TRY(cni_json_all_wholes(json, numbers, count - 1, &table->numbers, &places));
    return check_ports(json, numbers, routing, table);
}

void cni_read_table_close(cni_read_table *table)
{
    cni_release(table->entries);
    cni_release(table->numbers);
}

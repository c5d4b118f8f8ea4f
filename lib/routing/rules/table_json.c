/* The table of a routing, to JSON and from JSON. */
#include "routing/rules/table_json.h"

static void visit_lane(cni_io *io, size_t i, void *of)
{
    cni_entry *entry = of;
    uint64_t is[3] = {0, 0, 0}; /* ports, virtual channels, 1 for escapes */
    size_t count =
        cni_io_writes(io) ? 2u + (entry->lane[i].is_escape != 0) : cni_io_count(io, NULL);
    if (cni_io_writes(io)) {
        is[0] = entry->lane[i].ports;
        is[1] = entry->lane[i].set;
        is[2] = 1;
    }
    cni_io_wholes(io, NULL, is, count == 3 ? 3 : 2, UINT64_MAX);
    if (!cni_io_reads(io))
        return;
    if (is[0] == 0 || is[1] == 0 || is[2] != (count == 3))
        cni_io_fail(
            io, NULL,
            "a lane is [ports, virtual channels], neither of them 0, and a 1 after them for "
            "escapes");
    else if (entry->lanes == CNI_LANES)
        cni_io_fail(io, NULL, "an entry has at most %d lanes", CNI_LANES);
    else
        cni_add_lane(entry, is[0], is[1], is[2] != 0);
    entry->ports |= is[0];
}

static void visit_entry(cni_io *io, size_t i, void *of)
{
    cni_entry *entries = of;
    cni_io_array(io, NULL, entries[i].lanes, visit_lane, &entries[i]);
}

static void put_number(cni_io *io, size_t i, void *of)
{
    cni_io_put(io, cni_table_number(of, i));
}

/* The ports of an entry must exist at its node and work. */
static void check_ports(cni_io *io, const cni_routing_form *f, const cni_read_table *table)
{
    uint64_t nodes = table->nodes;
    for (uint64_t v = 0; v < nodes; v++) {
        uint64_t working =
            f->faults == NULL ? cni_all_ports(f->topology, v) : cni_good_ports(f->faults, v);
        for (uint64_t row = 0; row < nodes * table->classes && cni_io_reads(io); row++) {
            uint64_t number = table->numbers[row * nodes + v];
            if ((table->entries[number].ports & ~working) != 0)
                cni_io_fail(io, "table",
                            "entry %llu is that of node %llu, which has not all of its ports, or "
                            "not working",
                            (unsigned long long)number, (unsigned long long)v);
        }
    }
}

/* Room for all entries; the text must have as many numbers as the table has places. */
static void open_table(cni_io *io, size_t *count, cni_read_table *table)
{
    uint64_t nodes = table->nodes;
    uint32_t classes = table->classes;
    *count = cni_io_count(io, "entries");
    size_t places = cni_io_count(io, "table");
    if (!cni_io_reads(io))
        return;
    if (*count == 0 || classes == 0 || nodes > CNI_MOST_PLACES || places != nodes * nodes * classes)
        cni_io_fail(io, "table",
                    "the table has %zu numbers of %zu entries, but %llu x %lu x %llu numbers are "
                    "needed",
                    places, *count, (unsigned long long)nodes, (unsigned long)classes,
                    (unsigned long long)nodes);
    else if ((table->entries = cni_allocate(*count, sizeof *table->entries)) == NULL)
        io->status = CN_ERR_MEMORY;
}

void cni_io_table(cni_io *io, const cni_routing_form *of, cni_read_table *table)
{
    size_t count = 0, places;
    if (cni_io_writes(io)) {
        const cni_table *own = &of->routing->table;
        cni_io_array(io, "entries", own->count, visit_entry, own->entries);
        cni_io_array(io, "table", own->numbers.count, put_number, cni_mutable(own));
        return;
    }
    table->nodes = of->topology->nodes;
    if (cni_io_reads(io))
        open_table(io, &count, table);
    cni_io_array(io, "entries", 0, visit_entry, table->entries);
    cni_io_list(io, "table", &table->numbers, &places, count - 1);
    if (cni_io_reads(io))
        check_ports(io, of, table);
}

void cni_read_table_close(cni_read_table *table)
{
    cni_release(table->entries);
    cni_release(table->numbers);
}

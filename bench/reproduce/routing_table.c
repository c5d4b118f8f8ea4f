/*
 * Which routing serves which network, whole and with a faulty node, and what comes of it.
 *
 * The rule of an own routing is the caller's, so it has no rows; a tree serves whole networks only.
 */
#include "reproduce.h"

#include <math.h>
#include <string.h>

/* ---- a row ---- */

static cn_status make_routing(const char *name, const cn_topology *topology,
                              const cn_faults *faults, cn_routing **routing)
{
    if (strcmp(name, "tree") != 0)
        return cn_routing_new(topology, name, faults, NULL, routing);
    cn_tree *tree;
    cn_status status = cn_tree_balanced(topology, 0, &tree);
    if (status != CN_OK)
        return status;
    status = cn_routing_tree(tree, routing);
    cn_tree_free(&tree);
    return status;
}

static void write_answers(rp_table *table, const cn_routing *routing)
{
    rp_run *run = table->run;
    cn_deadlock *check = NULL;
    cn_verdict verdict = CN_VERDICT_STUCK;
    uint32_t least = 0;
    uint64_t walk = 0;
    double load = NAN;
    rp_check(run, cn_routing_least_virtual_channels(routing, &least));
    if (rp_check(run, cn_routing_deadlock_check(routing, least, NULL, &check)))
        rp_check(run, cn_deadlock_verdict(check, &verdict));
    cn_deadlock_free(&check);
    rp_check(run, cn_routing_longest_walk(routing, NULL, &walk));
    rp_check(run, cn_routing_saturation_load(routing, NULL, NULL, NULL, &load));
    rp_table_numbers(table, least);
    rp_table_text(table, cn_enum_name(CN_ENUM_VERDICT, (int)verdict));
    rp_table_numbers(table, (double)walk, load);
    rp_table_text(table, "");
}

static void write_refusal(rp_table *table)
{
    rp_table_numbers(table, NAN);
    rp_table_text(table, "");
    rp_table_numbers(table, NAN, NAN);
    rp_table_text(table, cn_last_error());
}

static void write_row(rp_table *table, const char *name, const cn_topology *topology,
                      const cn_faults *faults)
{
    cn_routing *routing;
    rp_table_text(table, name);
    rp_table_text(table, cn_topology_name(topology));
    rp_table_numbers(table, faults != NULL);
    if (make_routing(name, topology, faults, &routing) == CN_OK) {
        write_answers(table, routing);
        cn_routing_free(&routing);
    } else {
        write_refusal(table);
    }
}

/* ---- the table ---- */

static void write_network(rp_table *table, const char *name, const cn_topology *topology)
{
    write_row(table, name, topology, NULL);
    if (strcmp(name, "tree") == 0)
        return;
    cn_faults *faults = rp_sample_faults(table->run, topology);
    if (faults != NULL)
        write_row(table, name, topology, faults);
    cn_faults_free(&faults);
}

static void make_table(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "routing,network,damaged,virtual_channels,verdict,longest_walk,saturation_load,"
                  "refusal");
    for (size_t k = 0; k < cn_routing_kind_count(); k++) {
        const char *name = cn_routing_kind_name(k);
        cn_topology *topology = NULL;
        for (size_t i = 0; strcmp(name, "own") != 0; i++) {
            topology = rp_sample_network(run, i);
            if (topology == NULL)
                break;
            write_network(&table, name, topology);
            cn_topology_free(&topology);
        }
    }
    rp_table_close(&table);
}

const rp_exhibit routing_table[] = {
    {"routing-table", "Which routing serves which network, and what comes of it", "no paper", 0.1,
     make_table, NULL},
    {0},
};

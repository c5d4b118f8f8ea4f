/* subnet.h, hierarchy.h */
#include "given.h"

#include "cubenet/experimental/damage.h"

#include "support/limits.h"

static void optimum(void)
{
    faults();
    assert_ok(cn_subnet_optimum(given.faults, LIMITS(.steps = 1000), &given.subnet, NULL, NULL));
}

static void convex_nodes(void)
{
    node_faults();
    assert_ok(cn_subnet_convex(given.faults, NULL, &given.subnet));
}

/* The faults have a link that those of the subnet do not have. */
static void degraded_and_links(void)
{
    degraded_nodes();
    assert_ok(cn_faults_add_link(given.faults, 8, 0));
}

static void convex_and_links(void)
{
    convex_nodes();
    assert_ok(cn_faults_add_link(given.faults, 8, 0));
}

static void without_link_faults(void)
{
    node_faults();
    assert_ok(cn_hierarchy_new(given.faults, NULL, &given.hierarchy));
}

/* A 6-cube with so many faults that one more, or one less, takes the hierarchy past the 16 places
 * that it has for its cuts. */
static void full_hierarchy(uint64_t nodes, uint64_t seed)
{
    assert_ok(cn_topology_hypercube(6, &given.topology));
    assert_ok(cn_faults_new(given.topology, &given.faults));
    assert_ok(cn_faults_add_random_nodes(given.faults, nodes, seed));
    assert_ok(cn_faults_add_random_links(given.faults, 3, seed));
    assert_ok(cn_hierarchy_new(given.faults, NULL, &given.hierarchy));
}

static void full_before_fault(void)
{
    full_hierarchy(9, 3);
}

static void full_before_repair(void)
{
    full_hierarchy(10, 12);
}

static void full_before_link(void)
{
    full_hierarchy(9, 4);
}

/* With tables, clusters that appear need rows of their own. */
static void tables_before_fault(void)
{
    full_hierarchy(15, 23);
    assert_ok(cn_hierarchy_make_tables(given.hierarchy, NULL));
}

static void tables_before_repair(void)
{
    full_hierarchy(19, 13);
    assert_ok(cn_hierarchy_make_tables(given.hierarchy, NULL));
}

static void tables_before_link(void)
{
    full_hierarchy(8, 2);
    assert_ok(cn_hierarchy_make_tables(given.hierarchy, NULL));
}

static void made_and_copied(void)
{
    static const uint64_t disabled[] = {0, 15};
    FAILS(cn_subnet_degraded, faults, given.faults, 1, CN_LINK_DISABLES_END, NULL, &made.subnet);
    FAILS(cn_subnet_degraded, node_faults, given.faults, 1, CN_LINK_IS_BAD, NULL, &made.subnet);
    FAILS(cn_subnet_convex, faults, given.faults, NULL, &made.subnet);
    FAILS(cn_subnet_convex, node_faults, given.faults, NULL, &made.subnet);
    FAILS(cn_subnet_optimum, faults, given.faults, LIMITS(.steps = 1000), &made.subnet,
          &out.words[0][0], &out.words[0][1]);
    FAILS(cn_subnet_minimal, faults, given.faults, NULL, &made.subnet);
    FAILS(cn_subnet_minimal, two_way_faults, given.faults, NULL, &made.subnet);
    FAILS(cn_subnet_minimal, one_way_faults, given.faults, NULL, &made.subnet);
    FAILS(cn_subnet_chosen, faults, given.faults, disabled, 2, &made.subnet);
    FAILS(cn_subnet_copy, degraded, given.subnet, &made.subnet);
    FAILS(cn_subnet_copy, convex, given.subnet, &made.subnet);
    FAILS(cn_subnet_copy, optimum, given.subnet, &made.subnet);
    FREES(cn_subnet_free, convex, &given.subnet);
    FAILS(cn_subnet_rebuild, degraded_and_links, given.subnet, given.faults, NULL);
    FAILS(cn_subnet_rebuild, convex_and_links, given.subnet, given.faults, NULL);
    NEVER(cn_subnet_rebuild, degraded, given.subnet, given.faults, NULL);
    NEVER(cn_subnet_rebuild, convex, given.subnet, given.faults, NULL);
}

static void asked(void)
{
    NUMBER(cn_subnet_survivor_count, convex, given.subnet);
    NUMBER(cn_subnet_disabled_count, convex, given.subnet);
    NUMBER(cn_subnet_rounds, degraded, given.subnet);
    NUMBER(cn_subnet_messages, degraded, given.subnet);
    NEVER(cn_subnet_node_state, convex, given.subnet, 5, (cn_node_state *)(void *)out.numbers);
    NEVER(cn_subnet_survivors, convex, given.subnet, out.words[0], 16, out.sizes);
    NEVER(cn_subnet_neighbor_status, convex, given.subnet, 1, out.words[0]);
    NEVER(cn_subnet_is_safe, convex, given.subnet, 15, out.numbers);
    NEVER(cn_subnet_is_convex, convex, given.subnet, out.numbers);
    FAILS(cn_subnet_draw, convex, given.subnet, CN_FORMAT_DOT, NULL, out.text, sizeof out.text,
          out.sizes);
    FAILS(cn_subnet_draw, convex, given.subnet, CN_FORMAT_SVG, NULL, out.text, sizeof out.text,
          out.sizes);
}

static void updated(void)
{
    NEVER(cn_subnet_update, degraded, given.subnet, CN_CHANGE_FAIL_NODE, 0, 0, NULL);
    NEVER(cn_subnet_update, degraded, given.subnet, CN_CHANGE_REPAIR_NODE, 5, 0, NULL);
    FAILS(cn_subnet_update, degraded_nodes, given.subnet, CN_CHANGE_FAIL_LINK, 0, 1, NULL);
    NEVER(cn_subnet_update, degraded, given.subnet, CN_CHANGE_REPAIR_LINK, 8, 0, NULL);
    NEVER(cn_subnet_update, convex, given.subnet, CN_CHANGE_FAIL_NODE, 0, 0, NULL);
    NEVER(cn_subnet_update, convex, given.subnet, CN_CHANGE_REPAIR_NODE, 5, 0, NULL);
    FAILS(cn_subnet_update, convex_nodes, given.subnet, CN_CHANGE_FAIL_LINK, 0, 1, NULL);
    NEVER(cn_subnet_update, convex, given.subnet, CN_CHANGE_REPAIR_LINK, 8, 0, NULL);
}

static void hierarchy_updates(void)
{
    FAILS(cn_hierarchy_update, hierarchy, given.hierarchy, CN_CHANGE_FAIL_NODE, 0, 0, NULL);
    FAILS(cn_hierarchy_update, hierarchy_tables, given.hierarchy, CN_CHANGE_REPAIR_NODE, 5, 0,
          NULL);
    FAILS(cn_hierarchy_update, hierarchy, given.hierarchy, CN_CHANGE_FAIL_LINK, 0, 1, NULL);
    FAILS(cn_hierarchy_update, hierarchy_tables, given.hierarchy, CN_CHANGE_REPAIR_LINK, 8, 0,
          NULL);
    FAILS(cn_hierarchy_update, full_before_fault, given.hierarchy, CN_CHANGE_FAIL_NODE, 36, 0,
          NULL);
    FAILS(cn_hierarchy_update, full_before_repair, given.hierarchy, CN_CHANGE_REPAIR_NODE, 48, 0,
          NULL);
    FAILS(cn_hierarchy_update, full_before_link, given.hierarchy, CN_CHANGE_FAIL_LINK, 0, 4, NULL);
    FAILS(cn_hierarchy_update, tables_before_fault, given.hierarchy, CN_CHANGE_FAIL_NODE, 7, 0,
          NULL);
    FAILS(cn_hierarchy_update, tables_before_repair, given.hierarchy, CN_CHANGE_REPAIR_NODE, 3, 0,
          NULL);
    FAILS(cn_hierarchy_update, tables_before_link, given.hierarchy, CN_CHANGE_FAIL_LINK, 3, 3,
          NULL);
    FAILS(cn_hierarchy_update, without_link_faults, given.hierarchy, CN_CHANGE_FAIL_LINK, 8, 0,
          NULL);
}

static void hierarchy_queries(void)
{
    NUMBER(cn_hierarchy_cluster_count, hierarchy, given.hierarchy);
    NEVER(cn_hierarchy_cluster, hierarchy, given.hierarchy, 0, out.words[0], out.words[1],
          out.words[2]);
    NEVER(cn_hierarchy_cluster_of, hierarchy, given.hierarchy, 1, out.shorts[0]);
    NEVER(cn_hierarchy_table, hierarchy_tables, given.hierarchy, 1, out.words[0], out.words[1],
          out.words[2], out.words[3], 16, out.sizes);
    NEVER(cn_hierarchy_neighbor_status, hierarchy, given.hierarchy, 1, out.words[0]);
    FAILS(cn_hierarchy_draw, hierarchy, given.hierarchy, CN_FORMAT_DOT, NULL, out.text,
          sizeof out.text, out.sizes);
    FAILS(cn_hierarchy_draw, hierarchy, given.hierarchy, CN_FORMAT_SVG, NULL, out.text,
          sizeof out.text, out.sizes);
}

void subnet_rows(void **state)
{
    (void)state;
    made_and_copied();
    asked();
    updated();
    FAILS(cn_hierarchy_new, faults, given.faults, NULL, &made.hierarchy);
    FREES(cn_hierarchy_free, hierarchy_tables, &given.hierarchy);
    hierarchy_queries();
    FAILS(cn_hierarchy_make_tables, hierarchy, given.hierarchy, NULL);
    FAILS(cn_hierarchy_mean_hops, hierarchy_tables, given.hierarchy, CN_TIE_HEADER, NULL,
          out.reals[0], out.words[0]);
    hierarchy_updates();
}

/* fault.h */
#include "given.h"

#include "cubenet/experimental/damage.h"
#include "cubenet/experimental/hosts.h"

static void in_edges(void)
{
    edges();
    assert_ok(cn_faults_new(given.topology, &given.faults));
    assert_ok(cn_faults_add_node(given.faults, 2));
}

/* Faults of a cube beside hosts on its longer links. */
static void composed(void)
{
    cn_topology *longer, *made_of;
    faults();
    assert_ok(cn_topology_with_lengths(given.topology, (uint32_t[]){2}, 1, NULL, &longer));
    assert_ok(cn_topology_with_hosts(longer, 2, &made_of));
    cn_topology_free(&longer);
    cn_topology_free(&given.topology);
    given.topology = made_of;
}

static void changes(void)
{
    FAILS(cn_faults_new, cube, given.topology, &made.faults);
    FAILS(cn_faults_copy, faults, given.faults, &made.faults);
    FAILS(cn_faults_copy, node_faults, given.faults, &made.faults);
    FAILS(cn_faults_carry, composed, given.faults, given.topology, &made.faults);
    FREES(cn_faults_free, faults, &given.faults);
    NEVER(cn_faults_add_node, node_faults, given.faults, 9);
    NEVER(cn_faults_remove_node, faults, given.faults, 5);
    FAILS(cn_faults_add_link, node_faults, given.faults, 9, 1);
    NEVER(cn_faults_add_link, faults, given.faults, 9, 1);
    NEVER(cn_faults_remove_link, faults, given.faults, 8, 0);
    NEVER(cn_faults_clear, faults, given.faults);
    NUMBER(cn_faults_has_node, faults, given.faults, 5);
    NUMBER(cn_faults_has_link, faults, given.faults, 8, 0);
    NUMBER(cn_faults_node_count, faults, given.faults);
    NUMBER(cn_faults_link_count, faults, given.faults);
    NEVER(cn_faults_nodes, faults, given.faults, out.words[0], 16, out.sizes);
    NEVER(cn_faults_links, faults, given.faults, out.words[0], out.shorts[0], 16, out.sizes);
}

static void at_random(void)
{
    NEVER(cn_faults_add_random_nodes, node_faults, given.faults, 3, 7);
    NEVER(cn_faults_add_failing_nodes, node_faults, given.faults, 0.2, 7);
    FAILS(cn_faults_add_random_links, node_faults, given.faults, 3, 7);
    FAILS(cn_faults_add_failing_links, node_faults, given.faults, 0.3, 7);
    NEVER(cn_faults_add_subcube, node_faults, given.faults, 8, 3);
    FAILS(cn_faults_add_around, node_faults, given.faults, 15, 1);
    FAILS(cn_faults_add_around, in_edges, given.faults, 4, 1);
    FAILS(cn_faults_add_random_clusters, node_faults, given.faults, 2, 1, 7);
    FAILS(cn_faults_add_grown_clusters, node_faults, given.faults, 4, 2, 7);
}

static void measured(void (*damaged)(void))
{
    FAILS(cn_faults_distance, damaged, given.faults, 0, 3, NULL, out.words[0]);
    FAILS(cn_faults_mean_distance, damaged, given.faults, NULL, out.reals[0], out.words[0]);
    FAILS(cn_faults_reachable_pairs, damaged, given.faults, NULL, out.words[0]);
    FAILS(cn_faults_stretch_counts, damaged, given.faults, NULL, out.words[0], 16, out.sizes,
          out.words[1]);
}

void fault_rows(void **state)
{
    (void)state;
    changes();
    at_random();
    NEVER(cn_faults_json, faults, given.faults, out.text, 8192, out.sizes);
    FAILS(cn_faults_from_json, nothing,
          "{\"cubenet\":\"faults\",\"format\":1,\"topology\":\"ring(5)\",\"nodes\":[1],\"links\":["
          "[3,4]]}",
          NULL, &made.faults);
    measured(faults);
    measured(one_way_faults);
    measured(in_edges);
    FAILS(cn_faults_monotone_counts, faults, given.faults, NULL, out.words[0], 16, out.sizes,
          out.words[1]);
    FAILS(cn_faults_monotone_counts, one_way_faults, given.faults, NULL, out.words[0], 16,
          out.sizes, out.words[1]);
    FAILS(cn_faults_monotone_counts, two_way_faults, given.faults, NULL, out.words[0], 16,
          out.sizes, out.words[1]);
    FAILS(cn_faults_draw, faults, given.faults, CN_FORMAT_DOT, NULL, out.text, sizeof out.text,
          out.sizes);
    FAILS(cn_faults_draw, faults, given.faults, CN_FORMAT_SVG, NULL, out.text, sizeof out.text,
          out.sizes);
}

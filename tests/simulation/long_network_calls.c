/* Networks, faults, what is kept of them, and trees. */
#include "simulation/long_calls.h"

#include "cubenet/experimental/hosts.h"

#include "cubenet/experimental/chord.h"
#include "cubenet/experimental/damage.h"

#include <stdlib.h>
#include <string.h>

/* ---- networks ---- */

static cn_status diameter(const cn_control *control, double *value)
{
    uint64_t hops = 0;
    cn_status status = cn_topology_diameter(have.plain, control, &hops);
    *value = (double)hops;
    return status;
}

static cn_status mean_distance(const cn_control *control, double *value)
{
    return cn_topology_mean_distance(have.shuffle, control, value);
}

static cn_status best_chord(const cn_control *control, double *value)
{
    uint64_t chord = 0, hops;
    cn_status status = cn_chordal_ring_best_chord(3000, 0, control, &chord, &hops);
    *value = (double)chord;
    return status;
}

static cn_status distance(const cn_control *control, double *value)
{
    uint64_t hops = 0;
    cn_status status = cn_topology_distance(have.wide, 0, 21845, control, &hops);
    *value = (double)hops;
    return status;
}

static cn_status distance_counts(const cn_control *control, double *value)
{
    uint64_t counts[64] = {0};
    cn_status status = cn_topology_distance_counts(have.wide, 0, control, counts, 64, NULL);
    *value = (double)counts[5];
    return status;
}

/* Arrays of nodes: each question is short, but there are many. */
enum { MANY = 1 << 18 };
static uint64_t asked[MANY], wanted[MANY], answered[14 * MANY];

static void ask_about(uint64_t nodes)
{
    for (uint64_t i = 0; i < MANY; i++) {
        asked[i] = i * 7919 % nodes;
        wanted[i] = i * 104729 % nodes;
    }
}

static cn_status adjacency(const cn_control *control, double *value)
{
    static uint64_t first[(1 << 15) + 1], neighbors[4 << 15];
    cn_status status =
        cn_topology_adjacency(have.wide, control, first, (1 << 15) + 1, neighbors, 4 << 15, NULL);
    *value = (double)neighbors[1000];
    return status;
}

static cn_status all_distances(const cn_control *control, double *value)
{
    static uint64_t distances[1 << 15];
    cn_status status = cn_topology_distances(have.wide, 0, control, distances, 1 << 15);
    *value = (double)distances[21845];
    return status;
}

static cn_status digits_of(const cn_control *control, double *value)
{
    ask_about(1 << 14);
    cn_status status =
        cn_topology_digits_of(have.large, asked, MANY, control, answered, sizeof answered / 8);
    *value = (double)answered[14 * 1000 + 3];
    return status;
}

static cn_status headers(const cn_control *control, double *value)
{
    ask_about(1 << 14);
    cn_status status = cn_topology_headers(have.large, asked, wanted, MANY, control, answered);
    *value = (double)answered[1000];
    return status;
}

static cn_status translations(const cn_control *control, double *value)
{
    ask_about(1 << 14);
    cn_status status = cn_topology_translations(have.large, asked, wanted, MANY, control, answered);
    *value = (double)answered[1000];
    return status;
}

static cn_status displacements(const cn_control *control, double *value)
{
    ask_about(1 << 14);
    cn_status status = cn_necklace_displacements(have.large, asked, MANY, control, answered);
    *value = (double)answered[1000];
    return status;
}

static cn_status parents_of(const cn_control *control, double *value)
{
    ask_about(1 << 15);
    cn_status status = cn_tree_parents(have.tree, asked, MANY, control, answered);
    *value = (double)answered[1000];
    return status;
}

static cn_status next_hops(const cn_control *control, double *value)
{
    ask_about(cn_topology_node_count(have.tall));
    cn_status status = cn_routing_next_hops(have.up_down, asked, wanted, MANY, control, answered);
    *value = (double)answered[1000];
    return status;
}

static cn_status bisection(const cn_control *control, double *value)
{
    uint8_t side[64];
    uint64_t lower, upper;
    cn_known known;
    cn_status status =
        cn_topology_bisection(have.low, control, side, sizeof side, &lower, &upper, &known);
    *value = (double)upper;
    return status;
}

static cn_status bisection_check(const cn_control *control, double *value)
{
    static uint8_t side[1 << 15];
    uint64_t width = 0;
    for (size_t v = 0; v < sizeof side; v++)
        side[v] = v & 1;
    cn_status status = cn_bisection_check(have.wide, side, sizeof side, control, &width);
    *value = (double)width;
    return status;
}

static cn_status broadcast(const cn_control *control, double *value)
{
    uint64_t sender[256], receiver[256], lower, upper;
    uint32_t sent_at[256];
    cn_known known;
    cn_status status = cn_topology_broadcast_schedule(have.tall, 0, control, sender, receiver,
                                                      sent_at, 256, &lower, &upper, &known);
    *value = (double)upper;
    return status;
}

static cn_status from_edges(const cn_control *control, double *value)
{
    enum { NODES = 1 << 14 };
    static uint64_t edges[4 * NODES];
    for (uint64_t v = 0; v < NODES; v++) {
        edges[4 * v] = edges[4 * v + 2] = v;
        edges[4 * v + 1] = (v + 1) % NODES;
        edges[4 * v + 3] = (v + 5) % NODES;
    }
    cn_topology *made;
    cn_status status = cn_topology_from_edges(NODES, edges, 2 * NODES, control, &made);
    *value = made != NULL;
    cn_topology_free(&made);
    return status;
}

static cn_status next_on_ring(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    (void)user;
    *neighbor = (node + (port == 0 ? 1 : 8191)) % 8192;
    return CN_OK;
}

static cn_status choose_hosts(const cn_control *control, double *value)
{
    enum { NODES = 1 << 18 };
    static uint64_t edges[2 * NODES], hosts[NODES / 2];
    for (uint64_t v = 0; v < NODES; v++) {
        edges[2 * v] = v;
        edges[2 * v + 1] = (v + 1) % NODES;
        hosts[v / 2] = v;
    }
    cn_topology *base, *made;
    assert_ok(cn_topology_from_edges(NODES, edges, NODES, NULL, &base));
    cn_status status = cn_topology_choose_hosts(base, hosts, NODES / 2, control, &made);
    *value = (double)cn_topology_host_count(made);
    cn_topology_free(&made);
    cn_topology_free(&base);
    return status;
}

static cn_status with_lengths(const cn_control *control, double *value)
{
    cn_topology *base, *made;
    assert_ok(cn_topology_hypercube(16, &base));
    cn_status status = cn_topology_with_lengths(base, (uint32_t[]){3}, 1, control, &made);
    *value = (double)cn_topology_node_count(made);
    cn_topology_free(&made);
    cn_topology_free(&base);
    return status;
}

static cn_status from_function(const cn_control *control, double *value)
{
    cn_topology *made;
    cn_status status = cn_topology_from_function(8192, 2, next_on_ring, NULL, control, &made);
    *value = made != NULL;
    cn_topology_free(&made);
    return status;
}

enum { ROOM = 1 << 20 };
static char text[ROOM], drawing[8 * ROOM];

static cn_status write_text(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_status status = cn_topology_write(have.wide, CN_FORMAT_EDGES, control, text, ROOM, &length);
    *value = (double)length;
    return status;
}

static cn_status read_text(cn_format format, const cn_control *control, double *value)
{
    size_t length;
    cn_topology *made;
    assert_ok(cn_topology_write(have.wide, format, NULL, text, ROOM, &length));
    cn_status status = cn_topology_read(format, text, length, 0, control, &made);
    *value = made != NULL;
    cn_topology_free(&made);
    return status;
}

static cn_status read_edges(const cn_control *control, double *value)
{
    return read_text(CN_FORMAT_EDGES, control, value);
}

static cn_status read_metis(const cn_control *control, double *value)
{
    return read_text(CN_FORMAT_METIS, control, value);
}

/* ---- trees ---- */

static cn_status breadth_first(const cn_control *control, double *value)
{
    cn_tree *tree;
    cn_status status = cn_tree_breadth_first(have.wide, 0, control, &tree);
    *value = tree != NULL;
    cn_tree_free(&tree);
    return status;
}

enum { WIDE = 1 << 15 };
static uint64_t parents[WIDE];

static void find_parents(void)
{
    for (uint64_t v = 0; v < WIDE; v++)
        assert_ok(cn_tree_parent(have.tree, v, &parents[v]));
}

static cn_status from_parents(const cn_control *control, double *value)
{
    cn_tree *tree;
    find_parents();
    cn_status status = cn_tree_from_parents(have.wide, 0, parents, WIDE, control, &tree);
    *value = tree != NULL;
    cn_tree_free(&tree);
    return status;
}

static cn_status validate(const cn_control *control, double *value)
{
    uint64_t height = 0;
    int shortest = -1;
    find_parents();
    cn_status status = cn_tree_validate(have.wide, 0, parents, WIDE, control, &height, &shortest);
    assert_true(status == CN_OK ? shortest == 1 : shortest == -1);
    *value = (double)height;
    return status;
}

/* ---- drawings ---- */

static cn_status drawn(cn_status status, size_t length, double *value)
{
    *value = (double)length;
    return status;
}

static cn_status tree_dot(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_status status =
        cn_tree_draw(have.tree, CN_FORMAT_DOT, control, drawing, sizeof drawing, &length);
    return drawn(status, length, value);
}

static cn_status tree_svg(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_tree *tree;
    assert_ok(cn_tree_breadth_first(have.medium, 0, NULL, &tree));
    cn_status status = cn_tree_draw(tree, CN_FORMAT_SVG, control, drawing, sizeof drawing, &length);
    cn_tree_free(&tree);
    return drawn(status, length, value);
}

static cn_status faults_dot(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_status status =
        cn_faults_draw(have.damage, CN_FORMAT_DOT, control, drawing, sizeof drawing, &length);
    return drawn(status, length, value);
}

static cn_status faults_svg(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_status status =
        cn_faults_draw(have.few, CN_FORMAT_SVG, control, drawing, sizeof drawing, &length);
    return drawn(status, length, value);
}

static cn_status subnet_dot(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_status status =
        cn_subnet_draw(have.convex, CN_FORMAT_DOT, control, drawing, sizeof drawing, &length);
    return drawn(status, length, value);
}

static cn_status subnet_svg(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_subnet *subnet;
    assert_ok(cn_subnet_convex(have.few, NULL, &subnet));
    cn_status status =
        cn_subnet_draw(subnet, CN_FORMAT_SVG, control, drawing, sizeof drawing, &length);
    cn_subnet_free(&subnet);
    return drawn(status, length, value);
}

static cn_status hierarchy_dot(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_status status =
        cn_hierarchy_draw(have.hierarchy, CN_FORMAT_DOT, control, drawing, sizeof drawing, &length);
    return drawn(status, length, value);
}

static cn_status hierarchy_svg(const cn_control *control, double *value)
{
    size_t length = 0;
    cn_status status =
        cn_hierarchy_draw(have.hierarchy, CN_FORMAT_SVG, control, drawing, sizeof drawing, &length);
    return drawn(status, length, value);
}

/* ---- faults ---- */

static cn_status faults_distance(const cn_control *control, double *value)
{
    uint64_t hops = 0, source = 0;
    while (cn_faults_has_node(have.damage, source))
        source++;
    cn_status status = cn_faults_distance(have.damage, source, 16383, control, &hops);
    *value = (double)hops;
    return status;
}

static cn_status reachable_pairs(const cn_control *control, double *value)
{
    uint64_t pairs = 0;
    cn_status status = cn_faults_reachable_pairs(have.damage, control, &pairs);
    *value = (double)pairs;
    return status;
}

static cn_status faults_mean(const cn_control *control, double *value)
{
    return cn_faults_mean_distance(have.faults, control, value, NULL);
}

static cn_status faults_stretch(const cn_control *control, double *value)
{
    uint64_t counts[512], unreachable = 0;
    size_t count = 0;
    cn_status status =
        cn_faults_stretch_counts(have.faults, control, counts, 512, &count, &unreachable);
    *value = (double)count;
    return status;
}

static cn_status monotone(const cn_control *control, double *value)
{
    uint64_t counts[64], blocked = 0;
    size_t count = 0;
    cn_status status =
        cn_faults_monotone_counts(have.faults, control, counts, 64, &count, &blocked);
    *value = (double)blocked;
    return status;
}

static cn_status mean_hops(const cn_control *control, double *value)
{
    return cn_hierarchy_mean_hops(have.hierarchy, CN_TIE_HEADER, control, value, NULL);
}

static cn_status measure(const cn_control *control, double *value)
{
    double upper;
    cn_known kind;
    return cn_topology_measure(have.shuffle, CN_MEASURE_MEAN_DISTANCE, 0.5, control, value, &upper,
                               &kind);
}

/* ---- subnets ---- */

static cn_status survivors_of(cn_status status, cn_subnet *subnet, double *value)
{
    *value = (double)cn_subnet_survivor_count(subnet);
    cn_subnet_free(&subnet);
    return status;
}

static cn_status degraded(const cn_control *control, double *value)
{
    cn_subnet *subnet;
    cn_status status = cn_subnet_degraded(have.damage, 1, CN_LINK_IS_BAD, control, &subnet);
    return survivors_of(status, subnet, value);
}

static cn_status convex(const cn_control *control, double *value)
{
    cn_subnet *subnet;
    cn_status status = cn_subnet_convex(have.damage, control, &subnet);
    return survivors_of(status, subnet, value);
}

static cn_status minimal_subnet(const cn_control *control, double *value)
{
    cn_subnet *subnet;
    cn_status status = cn_subnet_minimal(have.few, control, &subnet);
    return survivors_of(status, subnet, value);
}

static cn_status optimum(const cn_control *control, double *value)
{
    cn_topology *t;
    cn_faults *faults;
    cn_subnet *subnet;
    assert_ok(cn_topology_hypercube(6, &t));
    assert_ok(cn_faults_new(t, &faults));
    assert_ok(cn_faults_add_random_nodes(faults, 14, 3));
    cn_status status = cn_subnet_optimum(faults, control, &subnet, NULL, NULL);
    cn_faults_free(&faults);
    cn_topology_free(&t);
    return survivors_of(status, subnet, value);
}

/* A subnet that was changed, or not quite: another rebuild makes it what it should be. */
static cn_status changed_of(const cn_faults *faults, cn_status status, cn_subnet *subnet,
                            double *value)
{
    cn_subnet *again;
    uint64_t survivors = cn_subnet_survivor_count(subnet);
    int is_convex;
    if (status != CN_OK) {
        assert_ok(cn_subnet_is_convex(subnet, &is_convex));
        assert_true(is_convex || survivors > 0);
        assert_ok(cn_subnet_rebuild(subnet, faults, NULL));
        assert_ok(cn_subnet_copy(subnet, &again));
        assert_ok(cn_subnet_rebuild(again, faults, NULL));
        assert_int_equal(cn_subnet_survivor_count(again), cn_subnet_survivor_count(subnet));
        cn_subnet_free(&again);
    }
    return survivors_of(status, subnet, value);
}

static cn_status changed(cn_status status, cn_subnet *subnet, double *value)
{
    return changed_of(have.damage, status, subnet, value);
}

static cn_subnet *copy_of(const cn_subnet *subnet)
{
    cn_subnet *copy;
    assert_ok(cn_subnet_copy(subnet, &copy));
    return copy;
}

static cn_status rebuild(const cn_control *control, double *value)
{
    cn_faults *other;
    cn_subnet *subnet = copy_of(have.degraded);
    assert_ok(cn_faults_copy(have.damage, &other));
    assert_ok(cn_faults_add_random_nodes(other, 200, 2));
    cn_status status = cn_subnet_rebuild(subnet, other, control);
    assert_true(status == CN_OK || cn_subnet_survivor_count(subnet) == 0 ||
                cn_subnet_survivor_count(subnet) == cn_subnet_survivor_count(have.degraded));
    cn_faults_free(&other);
    return changed(status, subnet, value);
}

static uint64_t a_node(int faulty)
{
    uint64_t node = 0;
    while (cn_faults_has_node(have.damage, node) != faulty)
        node++;
    return node;
}

static cn_status fail_node(const cn_control *control, double *value)
{
    cn_subnet *subnet = copy_of(have.convex);
    return changed(cn_subnet_update(subnet, CN_CHANGE_FAIL_NODE, a_node(0), 0, control), subnet,
                   value);
}

static cn_status repair_node(const cn_control *control, double *value)
{
    cn_subnet *subnet = copy_of(have.convex);
    return changed(cn_subnet_update(subnet, CN_CHANGE_REPAIR_NODE, a_node(1), 0, control), subnet,
                   value);
}

/* Of a degraded subnet the update itself takes long: all disabled nodes hang together. */
static cn_status repair_node_of_degraded(const cn_control *control, double *value)
{
    cn_subnet *subnet = copy_of(have.degraded);
    return changed(cn_subnet_update(subnet, CN_CHANGE_REPAIR_NODE, a_node(1), 0, control), subnet,
                   value);
}

/* A subnet of the smaller network, and one of its nodes. The exchanges that follow the failure of a
 * link take long there, and seconds on the larger network. */
static cn_subnet *subnet_of_few(uint64_t *node)
{
    cn_subnet *subnet;
    *node = 0;
    while (cn_faults_has_node(have.few, *node))
        ++*node;
    assert_ok(cn_subnet_convex(have.few, NULL, &subnet));
    return subnet;
}

static cn_status fail_link(const cn_control *control, double *value)
{
    uint64_t node;
    cn_subnet *subnet = subnet_of_few(&node);
    return changed_of(have.few, cn_subnet_update(subnet, CN_CHANGE_FAIL_LINK, node, 3, control),
                      subnet, value);
}

static cn_status repair_link(const cn_control *control, double *value)
{
    uint64_t node;
    cn_subnet *subnet = subnet_of_few(&node);
    assert_ok(cn_subnet_update(subnet, CN_CHANGE_FAIL_LINK, node, 3, NULL));
    return changed_of(have.few, cn_subnet_update(subnet, CN_CHANGE_REPAIR_LINK, node, 3, control),
                      subnet, value);
}

/* ---- hierarchies ---- */

static cn_status new_hierarchy(const cn_control *control, double *value)
{
    cn_hierarchy *hierarchy;
    cn_status status = cn_hierarchy_new(have.damage, control, &hierarchy);
    *value = (double)cn_hierarchy_cluster_count(hierarchy);
    cn_hierarchy_free(&hierarchy);
    return status;
}

static cn_status make_tables(const cn_control *control, double *value)
{
    cn_hierarchy *hierarchy;
    assert_ok(cn_hierarchy_new(have.few, NULL, &hierarchy));
    cn_status status = cn_hierarchy_make_tables(hierarchy, control);
    *value = (double)cn_hierarchy_cluster_count(hierarchy);
    cn_hierarchy_free(&hierarchy);
    return status;
}

/* Makes it, changes it, and asks something of it, whether it was changed or not. */
static cn_status change_hierarchy(cn_change change, const cn_control *control, double *value)
{
    cn_hierarchy *h;
    uint64_t node = 0;
    double mean;
    while (cn_faults_has_node(have.few, node) != (change == CN_CHANGE_REPAIR_NODE))
        node++;
    assert_ok(cn_hierarchy_new(have.few, NULL, &h));
    if (change == CN_CHANGE_REPAIR_LINK)
        assert_ok(cn_hierarchy_update(h, CN_CHANGE_FAIL_LINK, node, 2, NULL));
    assert_ok(cn_hierarchy_make_tables(h, NULL));
    cn_status status = cn_hierarchy_update(h, change, node, 2, control);
    assert_ok(cn_hierarchy_make_tables(h, NULL));
    assert_ok(cn_hierarchy_mean_hops(h, CN_TIE_HEADER, NULL, &mean, NULL));
    assert_true(mean >= 1.0);
    *value = (double)cn_hierarchy_cluster_count(h);
    cn_hierarchy_free(&h);
    return status;
}

static cn_status fail_node_of_hierarchy(const cn_control *control, double *value)
{
    return change_hierarchy(CN_CHANGE_FAIL_NODE, control, value);
}

static cn_status repair_node_of_hierarchy(const cn_control *control, double *value)
{
    return change_hierarchy(CN_CHANGE_REPAIR_NODE, control, value);
}

static cn_status fail_link_of_hierarchy(const cn_control *control, double *value)
{
    return change_hierarchy(CN_CHANGE_FAIL_LINK, control, value);
}

static cn_status repair_link_of_hierarchy(const cn_control *control, double *value)
{
    return change_hierarchy(CN_CHANGE_REPAIR_LINK, control, value);
}

const long_call long_network_calls[] = {
    {"cn_topology_diameter", diameter},
    {"cn_topology_mean_distance", mean_distance},
    {"cn_topology_distance", distance},
    {"cn_topology_distance_counts", distance_counts},
    {"cn_chordal_ring_best_chord", best_chord},
    {"cn_topology_measure", measure},
    {"cn_topology_adjacency", adjacency},
    {"cn_topology_distances", all_distances},
    {"cn_topology_digits_of", digits_of},
    {"cn_topology_headers", headers},
    {"cn_topology_translations", translations},
    {"cn_necklace_displacements", displacements},
    {"cn_tree_parents", parents_of},
    {"cn_routing_next_hops", next_hops},
    {"cn_topology_bisection", bisection},
    {"cn_bisection_check", bisection_check},
    {"cn_topology_broadcast_schedule", broadcast},
    {"cn_topology_from_edges", from_edges},
    {"cn_topology_from_function", from_function},
    {"cn_topology_choose_hosts", choose_hosts},
    {"cn_topology_with_lengths", with_lengths},
    {"cn_topology_write", write_text},
    {"cn_topology_read, edges", read_edges},
    {"cn_topology_read, METIS", read_metis},
    {"cn_tree_breadth_first", breadth_first},
    {"cn_tree_from_parents", from_parents},
    {"cn_tree_validate", validate},
    {"cn_tree_draw, dot", tree_dot},
    {"cn_tree_draw, svg", tree_svg},
    {"cn_faults_draw, dot", faults_dot},
    {"cn_faults_draw, svg", faults_svg},
    {"cn_subnet_draw, dot", subnet_dot},
    {"cn_subnet_draw, svg", subnet_svg},
    {"cn_hierarchy_draw, dot", hierarchy_dot},
    {"cn_hierarchy_draw, svg", hierarchy_svg},
    {"cn_faults_distance", faults_distance},
    {"cn_faults_mean_distance", faults_mean},
    {"cn_faults_reachable_pairs", reachable_pairs},
    {"cn_faults_stretch_counts", faults_stretch},
    {"cn_faults_monotone_counts", monotone},
    {"cn_subnet_degraded", degraded},
    {"cn_subnet_convex", convex},
    {"cn_subnet_minimal", minimal_subnet},
    {"cn_subnet_optimum", optimum},
    {"cn_subnet_rebuild", rebuild},
    {"cn_subnet_update, fail node", fail_node},
    {"cn_subnet_update, repair node", repair_node},
    {"cn_subnet_update, repair node, degraded", repair_node_of_degraded},
    {"cn_subnet_update, fail link", fail_link},
    {"cn_subnet_update, repair link", repair_link},
    {"cn_hierarchy_new", new_hierarchy},
    {"cn_hierarchy_make_tables", make_tables},
    {"cn_hierarchy_mean_hops", mean_hops},
    {"cn_hierarchy_update, fail node", fail_node_of_hierarchy},
    {"cn_hierarchy_update, repair node", repair_node_of_hierarchy},
    {"cn_hierarchy_update, fail link", fail_link_of_hierarchy},
    {"cn_hierarchy_update, repair link", repair_link_of_hierarchy},
};
const size_t long_network_call_count = sizeof long_network_calls / sizeof long_network_calls[0];

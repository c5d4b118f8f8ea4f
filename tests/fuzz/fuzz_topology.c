/*
 * Networks of all families, with arguments of any size: numbering, ports, links, addresses and
 * distances agree with each other; in small ones also trees, necklaces, measures and wormhole
 * rules.
 */
#include "input.h"

#include <string.h>

/* Up to here everything may be gone through; up to SEARCHED one search, and all ports of one
 * node. */
enum { SMALL = 40, SEARCHED = 4096, MOST_STEPS = 300 };

/* ---- one node ---- */

static void check_port(const cn_topology *topology, uint64_t node, uint32_t port)
{
    uint64_t neighbor, home;
    uint32_t back, same;
    CHECK(CALL(cn_topology_neighbor(topology, node, port, &neighbor)) == CN_OK);
    CHECK(neighbor < cn_topology_node_count(topology) && neighbor != node);
    CHECK(CALL(cn_topology_back_port(topology, node, port, &back)) == CN_OK);
    CHECK(back != CN_NO_PORT || !cn_topology_is_bidirectional(topology));
    if (back != CN_NO_PORT) {
        CHECK(CALL(cn_topology_neighbor(topology, neighbor, back, &home)) == CN_OK);
        CHECK(home == node);
    }
    if (cn_topology_max_degree(topology) > SEARCHED)
        return;
    CHECK(CALL(cn_topology_port_to(topology, node, neighbor, &same)) == CN_OK && same == port);
    CHECK(CALL(cn_topology_port_to(topology, neighbor, node, &same)) == CN_OK && same == back);
}

static void check_address(const cn_topology *topology, uint64_t node, uint64_t other)
{
    uint64_t digits[64], again, header, radix, moved;
    char text[1024];
    uint32_t n = cn_topology_dimensions(topology);
    CHECK(CALL(cn_topology_address_text(topology, node, text, sizeof text, NULL)) == CN_OK);
    CHECK(CALL(cn_topology_parse_address(topology, text, &again)) == CN_OK && again == node);
    cn_status status = CALL(cn_topology_digits(topology, node, digits, 64, NULL));
    CHECK((status == CN_OK) == (n > 0));
    if (status != CN_OK)
        return;
    for (uint32_t i = 0; i < n; i++)
        CHECK(CALL(cn_topology_radix(topology, i, &radix)) == CN_OK && digits[i] < radix);
    CHECK(CALL(cn_topology_radix(topology, n, &radix)) == CN_ERR_ARGUMENT);
    CHECK(CALL(cn_topology_node_at(topology, digits, n, &again)) == CN_OK && again == node);
    CHECK(CALL(cn_topology_translate(topology, node, other, &moved)) == CN_OK);
    CHECK(CALL(cn_topology_header(topology, moved, other, &header)) == CN_OK && header == node);
    CHECK(CALL(cn_topology_header(topology, node, node, &header)) == CN_OK && header == 0);
}

static void check_distance(const cn_topology *topology, uint64_t a, uint64_t b)
{
    uint64_t forth, back;
    cn_status status = CALL(cn_topology_distance(topology, a, b, NULL, &forth));
    if (status != CN_OK)
        return;
    CHECK((forth == 0) == (a == b));
    CHECK(CALL(cn_topology_distance(topology, b, a, NULL, &back)) == CN_OK);
    CHECK(forth == back || !cn_topology_is_bidirectional(topology));
}

static void check_node(const cn_topology *topology, input *in, int searched)
{
    uint64_t nodes = cn_topology_node_count(topology), word;
    uint64_t node = input_word(in) % nodes, other = input_word(in) % nodes;
    uint32_t degree, port;
    CHECK(CALL(cn_topology_degree(topology, node, &degree)) == CN_OK);
    CHECK(degree <= cn_topology_max_degree(topology));
    CHECK(CALL(cn_topology_neighbor(topology, node, degree, &word)) == CN_ERR_ARGUMENT);
    CHECK(CALL(cn_topology_back_port(topology, node, degree, &port)) == CN_ERR_ARGUMENT);
    CHECK(CALL(cn_topology_degree(topology, nodes + input_hostile(in) % (~nodes), &degree)) ==
          CN_ERR_ARGUMENT);
    if (degree > 0) {
        check_port(topology, node, 0);
        check_port(topology, node, degree - 1);
        check_port(topology, node, (uint32_t)(input_word(in) % degree));
    }
    check_address(topology, node, other);
    if (!searched || nodes <= SEARCHED)
        check_distance(topology, node, other);
}

/* ---- a small network as a whole ---- */

static void check_distances(const cn_topology *topology)
{
    uint64_t nodes = cn_topology_node_count(topology), diameter, links, channels = 0, reached = 0;
    uint64_t greatest = 0, counts[SMALL + 1];
    uint32_t degree;
    for (uint64_t v = 0; v < nodes; v++) {
        size_t count = 0;
        CHECK(CALL(cn_topology_distance_counts(topology, v, NULL, counts, SMALL + 1, &count)) ==
              CN_OK);
        for (size_t h = 0; h < count; h++)
            reached += counts[h];
        greatest = count - 1 > greatest ? count - 1 : greatest;
        CHECK(CALL(cn_topology_degree(topology, v, &degree)) == CN_OK);
        CHECK(degree == (count > 1 ? counts[1] : 0));
        channels += degree;
    }
    CHECK(CALL(cn_topology_link_count(topology, &links)) == CN_OK);
    CHECK(channels == links * (cn_topology_is_bidirectional(topology) ? 2 : 1));
    cn_status status = CALL(cn_topology_diameter(topology, NULL, &diameter));
    CHECK(status == (reached == nodes * nodes ? CN_OK : CN_ERR_DISCONNECTED));
    CHECK(status != CN_OK || diameter == greatest);
}

static void check_measures(const cn_topology *topology, input *in)
{
    double lower, upper;
    cn_known kind;
    uint64_t nodes = cn_topology_node_count(topology), low, high, length, width;
    cn_measure measure = (cn_measure)input_below(in, 12);
    double alpha = input_real(in);
    cn_control *control = NULL;
    if (!MAKES(cn_control_new(&control), control))
        return;
    CHECK(CALL(cn_control_set_steps(control, MOST_STEPS)) == CN_OK);
    if (CALL(cn_topology_measure(topology, measure, alpha, control, &lower, &upper, &kind)) ==
        CN_OK)
        CHECK(lower <= upper && (lower == upper || kind == CN_KNOWN_BOUNDS));
    uint8_t side[SMALL];
    if (CALL(cn_topology_bisection(topology, control, side, SMALL, &low, &high, &kind)) == CN_OK) {
        CHECK(low <= high);
        CHECK(CALL(cn_bisection_check(topology, side, nodes, NULL, &width)) == CN_OK &&
              width == high);
    }
    uint64_t sender[SMALL], receiver[SMALL], source = input_below(in, nodes);
    uint32_t step[SMALL];
    if (CALL(cn_topology_broadcast_schedule(topology, source, control, sender, receiver, step,
                                            SMALL, &low, &high, &kind)) == CN_OK) {
        CHECK(low <= high);
        CHECK(CALL(cn_schedule_check(topology, source, sender, receiver, step, nodes - 1,
                                     &length)) == CN_OK);
        CHECK(length == high);
    }
    cn_control_free(&control);
}

static void check_deadlock(const cn_topology *topology, input *in)
{
    static const char *const names[] = {"minimal", "dimension-order", "duato", "up-down", "?"};
    uint64_t name = input_below(in, 5);
    uint32_t virtual_channels = (uint32_t)input_below(in, 5);
    cn_routing *routing = NULL;
    cn_deadlock *check = NULL;
    cn_verdict verdict;
    if (cn_topology_node_count(topology) > 16 || cn_topology_max_degree(topology) > 4)
        return;
    if (!MAKES(cn_routing_new(topology, names[name], NULL, NULL, &routing), routing))
        return;
    if (MAKES(cn_routing_deadlock_check(routing, virtual_channels, NULL, &check), check)) {
        CHECK(CALL(cn_deadlock_verdict(check, &verdict)) == CN_OK);
        CHECK(cn_deadlock_is_free(check) ==
              (verdict == CN_VERDICT_ACYCLIC || verdict == CN_VERDICT_ESCAPE));
        CHECK(cn_deadlock_is_free(check) || name == 0);
        cn_deadlock_free(&check);
    }
    cn_routing_free(&routing);
}

/* ---- trees and necklaces ---- */

static cn_status make_tree(const cn_topology *topology, input *in, uint64_t root, cn_tree **tree)
{
    uint8_t kind = input_byte(in) % 3;
    uint32_t number = (uint32_t)input_below(in, 66);
    return kind == 0   ? CALL(cn_tree_balanced(topology, root, tree))
           : kind == 1 ? CALL(cn_tree_binomial(topology, root, number, tree))
                       : CALL(cn_tree_edge_disjoint(topology, root, number, tree));
}

static void check_path(const cn_tree *tree, uint64_t node)
{
    uint64_t depth, parent, path[256];
    size_t count = 0;
    CHECK(CALL(cn_tree_depth(tree, node, &depth)) == CN_OK);
    CHECK(CALL(cn_tree_path(tree, node, path, 256, &count)) == CN_OK);
    CHECK(count == depth + 1 && path[0] == cn_tree_root(tree) && path[depth] == node);
    CHECK(CALL(cn_tree_parent(tree, node, &parent)) == CN_OK);
    CHECK(parent == (depth == 0 ? CN_NO_NODE : path[depth - 1]));
}

static void check_whole_tree(const cn_topology *topology, const cn_tree *tree)
{
    uint64_t parents[SMALL], first[SMALL + 1], children[SMALL], size, height;
    uint64_t nodes = cn_topology_node_count(topology), root = cn_tree_root(tree);
    CHECK(CALL(cn_tree_arrays(tree, parents, first, children, SMALL, NULL)) == CN_OK);
    CHECK(CALL(cn_tree_validate(topology, root, parents, nodes, NULL, &height, NULL)) == CN_OK);
    CHECK(CALL(cn_tree_subtree_size(tree, root, &size)) == CN_OK && size == nodes);
    for (uint64_t v = 0; v < nodes; v++) {
        uint64_t count, sum = 1, own[SMALL];
        CHECK(CALL(cn_tree_child_count(tree, v, &count)) == CN_OK);
        CHECK(count == first[v + 1] - first[v]);
        CHECK(CALL(cn_tree_children(tree, v, own, SMALL, NULL)) == CN_OK);
        for (uint64_t i = 0; i < count; i++) {
            CHECK(own[i] == children[first[v] + i] && parents[own[i]] == v);
            CHECK(CALL(cn_tree_subtree_size(tree, own[i], &size)) == CN_OK);
            sum += size;
        }
        CHECK(CALL(cn_tree_subtree_size(tree, v, &size)) == CN_OK && size == sum);
    }
}

static void check_tree(const cn_topology *topology, input *in)
{
    uint64_t nodes = cn_topology_node_count(topology);
    uint64_t beyond = input_byte(in) == 0, root = input_word(in) % (nodes + beyond);
    cn_tree *tree = NULL;
    cn_status status = make_tree(topology, in, root, &tree);
    CHECK((status == CN_OK) == (tree != NULL));
    if (status != CN_OK)
        return;
    check_path(tree, input_word(in) % nodes);
    check_path(tree, root);
    if (nodes <= SMALL)
        check_whole_tree(topology, tree);
    cn_tree_free(&tree);
}

static void check_necklace(const cn_topology *topology, input *in)
{
    uint64_t nodes = cn_topology_node_count(topology), node = input_word(in) % nodes;
    uint64_t rotated, back, period, displacement, generator;
    if (CALL(cn_necklace_rotate(topology, node, &rotated)) != CN_OK)
        return;
    CHECK(CALL(cn_necklace_rotate_back(topology, rotated, &back)) == CN_OK && back == node);
    CHECK(CALL(cn_necklace_period(topology, node, &period)) == CN_OK && period > 0);
    CHECK(CALL(cn_necklace_generator(topology, node, &generator)) == CN_OK);
    CHECK(CALL(cn_necklace_displacement(topology, node, &displacement)) == CN_OK);
    CHECK(displacement < period);
    if (period > SEARCHED)
        return;
    for (uint64_t i = 0; i < period; i++) {
        CHECK((back == generator) == (i == displacement));
        CHECK(CALL(cn_necklace_rotate(topology, back, &back)) == CN_OK);
        CHECK((back == node) == (i + 1 == period));
    }
}

static void check_all_necklaces(const cn_topology *topology, input *in)
{
    uint64_t distance = input_below(in, cn_topology_dimensions(topology) + 2), expected, v,
             seen = 1;
    if (CALL(cn_necklace_count(topology, distance, &expected)) != CN_OK)
        return;
    CHECK(CALL(cn_necklace_first(topology, distance, &v)) == CN_OK);
    for (cn_status status; (status = CALL(cn_necklace_next(topology, v, &v))) != CN_DONE; seen++)
        CHECK(status == CN_OK && seen < expected);
    CHECK(seen == expected);
}

/* ---- rules of routing on headers ---- */

static void check_route(const cn_topology *topology, input *in)
{
    uint64_t nodes = cn_topology_node_count(topology), header = input_word(in) % nodes;
    uint64_t valid, preferred, next;
    uint32_t port = (uint32_t)input_below(in, 70);
    if (CALL(cn_route_valid(topology, header, &valid)) != CN_OK)
        return;
    CHECK(CALL(cn_route_preferred(topology, header, &preferred)) == CN_OK);
    CHECK((preferred & ~valid) == 0 && (preferred == 0) == (header == 0));
    cn_status status = CALL(cn_route_move(topology, header, port, &next));
    CHECK((status == CN_OK) == (port < cn_topology_max_degree(topology)));
    CHECK(status != CN_OK || next < nodes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    int small = input_byte(&in) % 2, searched = 1;
    memory_begins();
    cn_topology *topology = small ? network_small(&in, SMALL) : network_any(&in, &searched);
    if (topology != NULL) {
        CHECK(cn_topology_node_count(topology) > 0 && cn_topology_name(topology)[0] != '\0');
        for (int i = 0; i < 4; i++)
            check_node(topology, &in, searched);
        check_tree(topology, &in);
        check_necklace(topology, &in);
        check_route(topology, &in);
        if (cn_topology_node_count(topology) <= SMALL) {
            check_distances(topology);
            check_measures(topology, &in);
            check_deadlock(topology, &in);
            check_all_necklaces(topology, &in);
        }
    }
    cn_topology_free(&topology);
    memory_ends();
    return 0;
}

/* Routings by name, held against brute force and the older functions on small networks of all
 * families. */
#include "routing/damage.h"
#include "routing/networks.h"
#include "support/wormhole_rules.h"

#include <string.h>

enum { MOST_PORTS = 64, MOST_NODES = 2048 };

static uint64_t stored(const cn_routing *r, uint64_t node, uint64_t destination)
{
    uint64_t ports;
    assert_ok(cn_routing_channels(r, node, destination, &ports));
    return ports;
}

/* What a worm may take at its source. */
static void worm(const cn_routing *r, uint32_t virtual_channels, uint64_t node,
                 uint64_t destination, uint64_t sets[MOST_PORTS])
{
    size_t count;
    assert_ok(cn_routing_virtual_channels(r, virtual_channels, node, destination, 0, CN_NO_PORT, 0,
                                          sets, MOST_PORTS, &count));
}

/* From all nodes to each destination, one in so many, the channels over which it is one hop nearer,
 * and every virtual channel. */
static void check_shortest_to(const cn_topology *t, const cn_faults *faults, const cn_routing *r,
                              int with_worms, uint64_t step)
{
    uint64_t nodes = cn_topology_node_count(t);
    uint32_t hops[MOST_NODES], degree;
    for (uint64_t d = 0; d < nodes; d += step) {
        if (faults != NULL && cn_faults_has_node(faults, d))
            continue;
        network_hops(t, faults, d, hops);
        for (uint64_t v = 0; v < nodes; v++) {
            uint64_t wanted = 0, far, sets[MOST_PORTS];
            if (faults != NULL && cn_faults_has_node(faults, v))
                continue;
            assert_ok(cn_topology_degree(t, v, &degree));
            for (uint32_t p = 0; p < degree; p++) {
                assert_ok(cn_topology_neighbor(t, v, p, &far));
                if (network_works(t, faults, v, p) && hops[far] != UINT32_MAX &&
                    hops[far] + 1 == hops[v])
                    wanted |= UINT64_C(1) << p;
            }
            assert_int_equal(stored(r, v, d), wanted);
            if (with_worms)
                worm(r, 3, v, d, sets);
            for (uint32_t p = 0; p < degree && with_worms; p++)
                assert_int_equal(sets[p], (wanted >> p & 1) != 0 ? 7 : 0);
        }
    }
}

static void check_shortest(const cn_topology *t, const cn_faults *faults, const cn_routing *r,
                           int with_worms)
{
    check_shortest_to(t, faults, r, with_worms, 1);
}

static void minimal_is_all_neighbours_one_hop_nearer(void **state)
{
    (void)state;
    cn_topology *t;
    for (unsigned i = 0; (t = network_of_family(i)) != NULL; i++) {
        cn_routing *r;
        uint32_t least;
        assert_ok(cn_routing_new(t, "minimal", NULL, NULL, &r));
        assert_string_equal(cn_routing_name(r), "minimal");
        assert_ok(cn_routing_least_virtual_channels(r, &least));
        assert_int_equal(least, 1);
        check_shortest(t, NULL, r, 1);
        cn_topology_free(&t); /* the routing holds it */
        cn_routing_free(&r);
    }
    assert_true(t == NULL);
}

/* On more than 1448 nodes distances say where to go, on fewer a table. */
static void minimal_is_the_same_by_distances_and_by_a_table(void **state)
{
    (void)state;
    cn_topology *networks[4] = {NULL};
    assert_ok(cn_topology_torus((const uint64_t[]){7, 9, 23}, 3, &networks[0]));  /* 1449 */
    assert_ok(cn_topology_torus((const uint64_t[]){4, 19, 19}, 3, &networks[1])); /* 1444 */
    assert_ok(cn_topology_tree(2, 10, &networks[2]));
    assert_ok(cn_topology_mesh((const uint64_t[]){30, 49}, 2, &networks[3]));
    for (int i = 0; i < 4; i++) {
        cn_routing *r;
        assert_ok(cn_routing_new(networks[i], "minimal", NULL, NULL, &r));
        check_shortest_to(networks[i], NULL, r, 0, 97);
        cn_routing_free(&r);
        cn_topology_free(&networks[i]);
    }
}

/* Where networks are long, waves touch few nodes at a time. */
static void searches_come_far(void **state)
{
    (void)state;
    uint64_t seed = 5;
    cn_topology *long_ones[] = {network_random(300, 0, &seed), network_random(300, 12, &seed),
                                network_one_way(300, 9, &seed)};
    for (int i = 0; i < 3; i++) {
        cn_routing *minimal, *up_down;
        assert_ok(cn_routing_new(long_ones[i], "minimal", NULL, NULL, &minimal));
        check_shortest(long_ones[i], NULL, minimal, 0);
        if (i == 0) { /* in a tree there is one way */
            assert_ok(cn_routing_new(long_ones[i], "up-down", NULL, NULL, &up_down));
            for (uint64_t v = 0; v < 300; v++)
                for (uint64_t d = 0; d < 300; d++)
                    assert_int_equal(stored(up_down, v, d), stored(minimal, v, d));
            cn_routing_free(&up_down);
        }
        cn_routing_free(&minimal);
        cn_topology_free(&long_ones[i]);
    }
}

/* As many as 16, 32 and 64 bits hold and one more, and many links lost: ways of two hops begin with
 * many sets of ports. */
static void nodes_may_have_many_ports(void **state)
{
    (void)state;
    static const char *const names[] = {"minimal", "up-down-adaptive"};
    static const uint64_t ports[] = {16, 17, 32, 33, 59, 64};
    uint64_t words = 17;
    for (size_t n = 0; n < sizeof ports / sizeof ports[0]; n++) {
        uint64_t nodes = ports[n] + 1;
        cn_topology *t;
        cn_faults *faults;
        assert_ok(cn_topology_generalized_hypercube((uint32_t)nodes, 1, &t));
        assert_ok(cn_faults_new(t, &faults));
        for (uint64_t i = 0; i < nodes * ports[n] / 7; i++) {
            uint64_t v = damage_random(&words) % nodes;
            assert_ok(cn_faults_add_link(faults, v, (uint32_t)(damage_random(&words) % ports[n])));
        }
        for (int i = 0; i < 2; i++) {
            cn_routing *r;
            assert_ok(cn_routing_new(t, names[i], faults, NULL, &r));
            check_shortest(t, faults, r, 0);
            cn_routing_free(&r);
        }
        cn_faults_free(&faults);
        cn_topology_free(&t);
    }
}

static void minimal_goes_round_faults(void **state)
{
    (void)state;
    uint64_t words = 7;
    unsigned made = 0;
    cn_topology *t;
    for (unsigned i = 0; (t = network_of_family(i)) != NULL; i++) {
        cn_faults *faults;
        cn_routing *r;
        uint32_t degree;
        uint64_t v = damage_random(&words) % cn_topology_node_count(t);
        assert_ok(cn_faults_new(t, &faults));
        assert_ok(cn_faults_add_node(faults, v));
        v = damage_random(&words) % cn_topology_node_count(t);
        assert_ok(cn_topology_degree(t, v, &degree));
        assert_ok(cn_faults_add_link(faults, v, (uint32_t)(damage_random(&words) % degree)));
        cn_status status = cn_routing_new(t, "minimal", faults, NULL, &r);
        if (status == CN_OK) {
            made++;
            check_shortest(t, faults, r, 1);
        } else {
            assert_int_equal(status, CN_ERR_DISCONNECTED);
            assert_non_null(strstr(cn_last_error(), "no path from node"));
        }
        cn_routing_free(&r);
        cn_faults_free(&faults);
        cn_topology_free(&t);
    }
    assert_true(made >= 12);
}

/* ---- the rules of wormhole.h ---- */

static void check_wormhole(const cn_topology *t, const char *name, wormhole_rule rule)
{
    cn_routing *r;
    uint32_t least, wanted, degree;
    uint64_t nodes = cn_topology_node_count(t), sets[MOST_PORTS], expected[MOST_PORTS];
    assert_ok(cn_routing_new(t, name, NULL, NULL, &r));
    assert_ok(cn_routing_least_virtual_channels(r, &least));
    assert_ok(wormhole_least(t, rule, &wanted));
    assert_int_equal(least, wanted);
    for (uint32_t v_count = least; v_count <= 64; v_count += v_count < 6 ? 1 : 29)
        for (uint64_t v = 0; v < nodes; v++)
            for (uint64_t d = 0; d < nodes; d++) {
                uint64_t ports = 0;
                assert_ok(cn_topology_degree(t, v, &degree));
                assert_ok(wormhole_route(t, rule, v_count, v, d, expected, MOST_PORTS, NULL));
                worm(r, v_count, v, d, sets);
                for (uint32_t p = 0; p < degree; p++) {
                    ports |= (uint64_t)(expected[p] != 0) << p;
                    if (sets[p] != expected[p])
                        fail_msg("%s on %s: port %u of %u for %u", name, cn_topology_name(t), p,
                                 (unsigned)v, (unsigned)d);
                }
                assert_int_equal(stored(r, v, d), ports);
            }
    cn_routing_free(&r);
}

static void dimension_order_and_duato_are_the_wormhole_rules(void **state)
{
    (void)state;
    cn_topology *t;
    unsigned served = 0;
    for (unsigned i = 0; (t = network_of_family(i)) != NULL; i++) {
        uint32_t least;
        cn_routing *r;
        if (wormhole_least(t, WORMHOLE_DUATO, &least) == CN_OK) {
            check_wormhole(t, "dimension-order", WORMHOLE_ORDER);
            check_wormhole(t, "duato", WORMHOLE_DUATO);
            served++;
        } else {
            assert_fails(cn_routing_new(t, "duato", NULL, NULL, &r), CN_ERR_UNSUPPORTED,
                         "is not a (generalized) hypercube, k-ary n-cube, torus or mesh");
        }
        cn_topology_free(&t);
    }
    assert_int_equal(served, 13);
}

static void preferred_are_those_of_the_header(void **state)
{
    (void)state;
    cn_topology *t;
    unsigned served = 0;
    for (unsigned i = 0; (t = network_of_family(i)) != NULL; i++) {
        cn_routing *r;
        cn_status status = cn_routing_new(t, "preferred", NULL, NULL, &r);
        uint64_t nodes = cn_topology_node_count(t), header, wanted;
        if (status != CN_OK)
            assert_int_equal(status, CN_ERR_UNSUPPORTED);
        else
            served++;
        for (uint64_t v = 0; status == CN_OK && v < nodes; v++)
            for (uint64_t d = 0; d < nodes; d++) {
                assert_ok(cn_topology_header(t, v, d, &header));
                assert_ok(cn_route_preferred(t, header, &wanted));
                assert_int_equal(stored(r, v, d), wanted);
            }
        cn_routing_free(&r);
        cn_topology_free(&t);
    }
    assert_int_equal(served, 7);
}

/* ---- negative first ---- */

static void negative_first_makes_hops_down_before_hops_up(void **state)
{
    (void)state;
    static const unsigned meshes[] = {0, 1, 10, 11, 20};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        cn_topology *t = network_of_family(meshes[i]);
        cn_routing *r, *all;
        assert_ok(cn_routing_new(t, "negative-first", NULL, NULL, &r));
        assert_ok(cn_routing_new(t, "minimal", NULL, NULL, &all));
        for (uint64_t v = 0; v < cn_topology_node_count(t); v++)
            for (uint64_t d = 0; d < cn_topology_node_count(t); d++) {
                uint64_t down = 0, up = 0, far, closer = stored(all, v, d);
                for (uint32_t p = 0; p < MOST_PORTS; p++) {
                    if ((closer >> p & 1) == 0)
                        continue;
                    assert_ok(cn_topology_neighbor(t, v, p, &far));
                    *(far < v ? &down : &up) |= UINT64_C(1) << p;
                }
                assert_int_equal(stored(r, v, d), down != 0 ? down : up);
            }
        cn_routing_free(&r);
        cn_routing_free(&all);
        cn_topology_free(&t);
    }
}

/* ---- damaged hypercubes ---- */

static void optimal_path_is_that_of_the_subnet(void **state)
{
    (void)state;
    uint64_t words = 3;
    for (int times = 0; times < 20; times++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_subnet *subnet;
        cn_routing *routings[2];
        uint64_t wanted;
        damage_open(6, &cube, &faults);
        for (int i = 0; i < times; i++)
            assert_ok(cn_faults_add_node(faults, damage_random(&words) % 64));
        assert_ok(cn_faults_add_link(faults, damage_random(&words) % 64, 2));
        assert_ok(cn_subnet_convex(faults, NULL, &subnet));
        assert_ok(cn_routing_optimal_path(subnet, &routings[0]));
        assert_ok(cn_routing_new(cube, "optimal-path", faults, NULL, &routings[1]));
        for (uint64_t v = 0; v < 64; v++)
            for (uint64_t d = 0; d < 64; d++)
                for (int i = 0; i < 2; i++) {
                    uint64_t ports;
                    if (!damage_survives(subnet, v) || !damage_survives(subnet, d)) {
                        assert_fails(cn_routing_channels(routings[i], v, d, &ports),
                                     CN_ERR_ARGUMENT, "serves only nodes that survive");
                        continue;
                    }
                    if (v != d)
                        assert_ok(damage_next_hops(subnet, v, d, &wanted));
                    assert_int_equal(stored(routings[i], v, d), v == d ? 0 : wanted);
                }
        cn_routing_free(&routings[0]);
        cn_routing_free(&routings[1]);
        cn_subnet_free(&subnet);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static cn_status by_table(const cn_hierarchy *h, uint64_t node, uint64_t destination,
                          uint64_t *channels)
{
    uint64_t values[32], anys[32], table[32], hops[32], status;
    size_t count;
    assert_ok(cn_hierarchy_table(h, node, values, anys, table, hops, 32, &count));
    assert_ok(cn_hierarchy_neighbor_status(h, node, &status));
    return cn_route_two_level(node, destination, status, values, anys, table, count, CN_TIE_HEADER,
                              channels);
}

static void two_level_is_that_of_the_hierarchy(void **state)
{
    (void)state;
    uint64_t words = 5;
    unsigned served = 0;
    for (int times = 0; times < 30; times++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_hierarchy *hierarchy;
        cn_routing *r, *named;
        uint64_t wanted;
        damage_open(5, &cube, &faults);
        for (int i = 0; i < times % 12; i++)
            assert_ok(cn_faults_add_node(faults, damage_random(&words) % 32));
        assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
        assert_fails(cn_routing_two_level(hierarchy, NULL, &r), CN_ERR_STATE, "has no tables");
        assert_ok(cn_hierarchy_make_tables(hierarchy, NULL));
        cn_status status = cn_routing_two_level(hierarchy, NULL, &r);
        assert_int_equal(cn_routing_new(cube, "two-level", faults, NULL, &named), status);
        if (status == CN_OK)
            served++;
        else
            assert_int_equal(status, CN_ERR_DISCONNECTED);
        for (uint64_t v = 0; status == CN_OK && v < 32; v++)
            for (uint64_t d = 0; d < 32; d++) {
                if (v == d || cn_faults_has_node(faults, v) || cn_faults_has_node(faults, d))
                    continue;
                assert_ok(by_table(hierarchy, v, d, &wanted));
                assert_int_equal(stored(r, v, d), wanted);
                assert_int_equal(stored(named, v, d), wanted);
            }
        cn_routing_free(&r);
        cn_routing_free(&named);
        cn_hierarchy_free(&hierarchy);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
    assert_true(served >= 15);
}

/* What is left of a rule on a damaged network, or a pair that it does not serve. */
static void fixed_rules_serve_a_damaged_network_or_name_a_pair(void **state)
{
    (void)state;
    static const char *const fixed[] = {"dimension-order", "duato", "negative-first"};
    cn_topology *mesh, *line;
    cn_faults *faults, *end;
    cn_routing *r, *whole;
    uint64_t radices[] = {4, 4};
    assert_ok(cn_topology_mesh(radices, 2, &mesh));
    assert_ok(cn_topology_mesh(radices, 1, &line));
    assert_ok(cn_faults_new(mesh, &faults));
    assert_ok(cn_faults_new(line, &end));
    /* no way that comes down before it goes up leads through the highest corner */
    assert_ok(cn_faults_add_node(faults, 15));
    assert_ok(cn_routing_new(mesh, "negative-first", faults, NULL, &r));
    assert_ok(cn_routing_new(mesh, "negative-first", NULL, NULL, &whole));
    for (uint64_t v = 0; v < 15; v++)
        for (uint64_t d = 0; d < 15; d++)
            assert_int_equal(stored(r, v, d), stored(whole, v, d));
    cn_routing_free(&r);
    cn_routing_free(&whole);
    assert_fails(cn_routing_new(mesh, "dimension-order", faults, NULL, &r), CN_ERR_DISCONNECTED,
                 "with these faults: no path from node 14 to 3");
    assert_fails(cn_routing_new(mesh, "duato", faults, NULL, &r), CN_ERR_DISCONNECTED,
                 "duato does not serve mesh([4,4]) with these faults: no path from node 14 to 3");
    assert_ok(cn_faults_add_node(faults, 5));
    for (size_t i = 0; i < 3; i++)
        assert_fails(cn_routing_new(mesh, fixed[i], faults, NULL, &r), CN_ERR_DISCONNECTED,
                     fixed[i]);
    assert_ok(cn_faults_add_node(end, 0)); /* and a line may lose its end */
    for (size_t i = 0; i < 3; i++) {
        assert_ok(cn_routing_new(line, fixed[i], end, NULL, &r));
        check_shortest(line, end, r, 0);
        cn_routing_free(&r);
    }
    cn_faults_free(&faults);
    cn_faults_free(&end);
    cn_topology_free(&mesh);
    cn_topology_free(&line);
}

/* ---- trees ---- */

static void a_tree_leads_from_any_node_to_any(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *trees[3];
    assert_ok(cn_topology_hypercube(5, &t));
    assert_ok(cn_tree_binomial(t, 6, 2, &trees[0]));
    assert_ok(cn_tree_balanced(t, 0, &trees[1]));
    assert_ok(cn_tree_edge_disjoint(t, 31, 1, &trees[2]));
    for (int i = 0; i < 3; i++) {
        cn_routing *r;
        uint64_t parents[32];
        assert_ok(cn_tree_arrays(trees[i], parents, NULL, NULL, 32, NULL));
        assert_ok(cn_routing_tree(trees[i], &r));
        cn_tree_free(&trees[i]);
        for (uint64_t v = 0; v < 32; v++)
            for (uint64_t d = 0; d < 32; d++) {
                uint64_t at = v, ports, next, hops = 0;
                while (at != d) {
                    ports = stored(r, at, d);
                    assert_true(ports != 0 && (ports & (ports - 1)) == 0);
                    next = at ^ ports;
                    assert_true(parents[at] == next || parents[next] == at);
                    at = next;
                    assert_true(hops++ < 12);
                }
            }
        cn_routing_free(&r);
    }
    cn_topology_free(&t);
}

/* ---- names and refusals ---- */

static void valiant_says_by_what_it_goes(void)
{
    static const char by[] =
        "cn_routing_new: valiant goes by dimension-order on undamaged cubes, generalized "
        "hypercubes, tori and meshes, by up-down elsewhere: up-down ";
    cn_topology *ring, *psnn, *path;
    cn_faults *faults;
    cn_routing *r;
    assert_ok(cn_topology_ring(5, 0, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    assert_ok(cn_routing_new(ring, "valiant", faults, NULL, &r));
    cn_routing_free(&r);
    assert_ok(cn_faults_add_node(faults, 3));
    assert_fails(cn_routing_new(ring, "valiant", faults, NULL, &r), CN_ERR_UNSUPPORTED, by);
    assert_fails(cn_routing_new(ring, "valiant", faults, NULL, &r), CN_ERR_UNSUPPORTED,
                 "ring(5,bidirectional=False)");
    cn_faults_free(&faults);
    assert_ok(cn_topology_psnn(14, &psnn));
    assert_fails(cn_routing_new(psnn, "valiant", NULL, NULL, &r), CN_ERR_UNSUPPORTED, by);
    assert_ok(cn_topology_mesh((uint64_t[]){4}, 1, &path));
    assert_ok(cn_faults_new(path, &faults));
    assert_ok(cn_faults_add_node(faults, 1));
    assert_fails(cn_routing_new(path, "valiant", faults, NULL, &r), CN_ERR_DISCONNECTED, by);
    assert_fails(cn_routing_new(path, "valiant", faults, NULL, &r), CN_ERR_DISCONNECTED,
                 "from node 0 to 2");
    cn_faults_free(&faults);
    cn_topology_free(&path);
    cn_topology_free(&psnn);
    cn_topology_free(&ring);
}

static void every_name_makes_a_routing_or_says_what_it_needs(void **state)
{
    (void)state;
    cn_topology *cube, *ring, *large;
    cn_routing *r;
    uint64_t sets[64], ports;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_ring(5, 0, &ring));
    assert_ok(cn_topology_psnn(15, &large));
    assert_int_equal(cn_routing_kind_count(), 12);
    for (size_t i = 0; i < 12; i++) {
        const char *name = cn_routing_kind_name(i);
        assert_non_null(cn_routing_kind_summary(i));
        cn_status status = cn_routing_new(cube, name, NULL, NULL, &r);
        int needs_more = strcmp(name, "tree") == 0 || strcmp(name, "own") == 0;
        assert_int_equal(status, needs_more ? CN_ERR_ARGUMENT : CN_OK);
        assert_string_equal(cn_routing_name(r), needs_more ? "" : name);
        cn_routing_free(&r);
    }
    assert_null(cn_routing_kind_name(12));
    assert_null(cn_routing_kind_summary(12));
    assert_fails(cn_routing_new(cube, "e-cube", NULL, NULL, &r), CN_ERR_NOT_FOUND, "\"e-cube\"");
    assert_null(r);
    assert_fails(cn_routing_new(ring, "up-down", NULL, NULL, &r), CN_ERR_UNSUPPORTED,
                 "bidirectional links");
    valiant_says_by_what_it_goes();
    assert_fails(cn_routing_new(large, "minimal", NULL, NULL, &r), CN_ERR_UNSUPPORTED,
                 "at most 2^28");
    assert_fails(cn_routing_new(large, "up-down-adaptive", NULL, NULL, &r), CN_ERR_UNSUPPORTED,
                 "3 times 32768^2");
    assert_fails(cn_routing_new(ring, "negative-first", NULL, NULL, &r), CN_ERR_UNSUPPORTED,
                 "for meshes");
    assert_fails(cn_routing_new(ring, "two-level", NULL, NULL, &r), CN_ERR_UNSUPPORTED,
                 "for hypercubes");
    assert_fails(cn_routing_new(NULL, "minimal", NULL, NULL, &r), CN_ERR_ARGUMENT,
                 "topology is NULL");
    assert_ok(cn_routing_new(cube, "duato", NULL, NULL, &r));
    assert_fails(cn_routing_channels(r, 16, 0, &ports), CN_ERR_ARGUMENT, "node = 16");
    assert_fails(cn_routing_virtual_channels(r, 1, 0, 1, 0, CN_NO_PORT, 0, sets, 64, NULL),
                 CN_ERR_ARGUMENT, "must be 2 to 64");
    assert_fails(cn_routing_virtual_channels(r, 2, 0, 1, 2, 0, 0, sets, 64, NULL), CN_ERR_ARGUMENT,
                 "leads to node 0");
    assert_fails(cn_routing_virtual_channels(r, 2, 0, 1, 2, 1, 2, sets, 64, NULL), CN_ERR_ARGUMENT,
                 "virtual_channel = 2");
    assert_fails(cn_routing_virtual_channels(r, 2, 0, 1, 2, 1, 0, sets, 3, NULL), CN_ERR_CAPACITY,
                 "capacity = 3");
    cn_routing_free(&r);
    cn_topology_free(&cube);
    cn_topology_free(&ring);
    cn_topology_free(&large);
}

/* ---- memory ---- */

static cn_status make_all(void *context)
{
    cn_topology *t = NULL, *cube = NULL;
    cn_faults *faults = NULL;
    cn_status status = cn_topology_psnn(4, &t);
    (void)context;
    if (status == CN_OK)
        status = cn_topology_hypercube(4, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_add_node(faults, 3);
    for (size_t i = 0; i < 10 && status == CN_OK; i++) {
        cn_routing *r = (cn_routing *)(void *)&r;
        const char *name = cn_routing_kind_name(i);
        int fits = strncmp(name, "up", 2) == 0 || strcmp(name, "minimal") == 0;
        status = fits ? cn_routing_new(t, name, NULL, NULL, &r)
                      : cn_routing_new(cube, name, i < 7 ? NULL : faults, NULL, &r);
        if (status != CN_OK)
            assert_null(r);
        cn_deadlock *check = NULL;
        if (status == CN_OK)
            status = cn_routing_deadlock_check(r, 4, NULL, &check);
        cn_deadlock_free(&check);
        cn_routing_free(&r);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    cn_topology_free(&t);
    return status;
}

static void without_memory_nothing_is_left_behind(void **state)
{
    (void)state;
    support_fail_every_allocation(make_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimal_is_all_neighbours_one_hop_nearer),
        cmocka_unit_test(minimal_is_the_same_by_distances_and_by_a_table),
        cmocka_unit_test(searches_come_far),
        cmocka_unit_test(nodes_may_have_many_ports),
        cmocka_unit_test(minimal_goes_round_faults),
        cmocka_unit_test(dimension_order_and_duato_are_the_wormhole_rules),
        cmocka_unit_test(preferred_are_those_of_the_header),
        cmocka_unit_test(negative_first_makes_hops_down_before_hops_up),
        cmocka_unit_test(optimal_path_is_that_of_the_subnet),
        cmocka_unit_test(two_level_is_that_of_the_hierarchy),
        cmocka_unit_test(fixed_rules_serve_a_damaged_network_or_name_a_pair),
        cmocka_unit_test(a_tree_leads_from_any_node_to_any),
        cmocka_unit_test(every_name_makes_a_routing_or_says_what_it_needs),
        cmocka_unit_test(without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

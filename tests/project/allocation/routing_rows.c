/* routing.h */
#include "given.h"

#include "cubenet/experimental/damage.h"

/* What a routing is made of, and its name. */
static void named(void (*make)(void), const char *name)
{
    make();
    assert_ok(cn_routing_new(given.topology, name, given.faults, NULL, &given.routing));
}

static void closed(void)
{
    named(two_way, "duato");
}

static void tabulated(void)
{
    named(two_way_faults, "up-down-adaptive");
}

static void two_legs(void)
{
    named(mesh, "valiant");
}

static void by_tree(void)
{
    cube();
    assert_ok(cn_tree_binomial(given.topology, 3, 1, &given.tree));
    assert_ok(cn_routing_tree(given.tree, &given.routing));
}

/* All shortest ways in the topology that is handed over. */
static cn_status any_closer(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                            uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *t = user;
    uint64_t neighbors[8], here, there;
    size_t count;
    (void)previous, (void)port, (void)virtual_channel;
    assert_ok(cn_topology_distance(t, node, destination, NULL, &here));
    assert_ok(cn_topology_neighbors(t, node, neighbors, 8, &count));
    for (size_t p = 0; p < count; p++) {
        assert_ok(cn_topology_distance(t, neighbors[p], destination, NULL, &there));
        if (there < here)
            channels[p] = 1;
    }
    return CN_OK;
}

static void a_tree(void)
{
    cube();
    assert_ok(cn_tree_binomial(given.topology, 3, 1, &given.tree));
}

/* No shortest way that comes down before it goes up leads through the last node. */
static void last_fails(void)
{
    mesh();
    assert_ok(cn_faults_new(given.topology, &given.faults));
    assert_ok(cn_faults_add_node(given.faults, 11));
}

static void two_levels(void)
{
    node_faults();
    assert_ok(cn_hierarchy_new(given.faults, NULL, &given.hierarchy));
    assert_ok(cn_hierarchy_make_tables(given.hierarchy, NULL));
}

static void checked(void)
{
    closed();
    assert_ok(cn_routing_deadlock_check(given.routing, 3, NULL, &given.deadlock));
}

static void making(void)
{
    NUMBER(cn_routing_kind_count, nothing, );
    TEXT(cn_routing_kind_name, nothing, 3);
    TEXT(cn_routing_kind_summary, nothing, 3);
    static const char *const anywhere[] = {"minimal", "up-down", "up-down-adaptive", "valiant"};
    for (size_t i = 0; i < 4; i++) {
        FAILS(cn_routing_new, cube, given.topology, anywhere[i], NULL, NULL, &made.routing);
        FAILS(cn_routing_new, two_way, given.topology, anywhere[i], NULL, NULL, &made.routing);
        FAILS(cn_routing_new, psnn, given.topology, anywhere[i], NULL, NULL, &made.routing);
        FAILS(cn_routing_new, faults, given.topology, anywhere[i], given.faults, NULL,
              &made.routing);
    }
    static const char *const fixed[] = {"preferred", "dimension-order", "duato", "negative-first"};
    for (size_t i = 0; i < 4; i++)
        FAILS(cn_routing_new, cube, given.topology, fixed[i], NULL, NULL, &made.routing);
    FAILS(cn_routing_new, last_fails, given.topology, "negative-first", given.faults, NULL,
          &made.routing);
    FAILS(cn_routing_new, faults, given.topology, "optimal-path", given.faults, NULL,
          &made.routing);
    FAILS(cn_routing_new, faults, given.topology, "two-level", given.faults, NULL, &made.routing);
    FAILS(cn_routing_optimal_path, convex, given.subnet, &made.routing);
    FAILS(cn_routing_two_level, two_levels, given.hierarchy, NULL, &made.routing);
    FAILS(cn_routing_two_level_weighted, two_levels, given.hierarchy, NULL, 0, 0.5, NULL,
          &made.routing, &out.words[0][0], &out.words[0][1]);
    FAILS(cn_routing_tree, a_tree, given.tree, &made.routing);
    FAILS(cn_routing_own, small_cube, given.topology, 1, any_closer, NULL, given.topology, NULL,
          &made.routing);
    FAILS(cn_routing_own, small_cube, given.topology, 2, any_closer, any_closer, given.topology,
          NULL, &made.routing);
}

static cn_status one(void *user, uint64_t source, uint64_t destination, double *rate)
{
    (void)user, (void)source, (void)destination;
    *rate = 1.0;
    return CN_OK;
}

/* What is asked of each of them. */
#define ON(network) "{\"cubenet\":\"routing\",\"format\":1,\"topology\":\"" network "\",\"name\":"

/* One of each way to make them. */
static const char *const texts[] = {
    ON("mesh([2,3])") "\"up-down\",\"faults\":{\"nodes\":[1]}}",
    ON("hypercube(2)") "\"optimal-path\",\"faults\":{\"nodes\":[3]},\"with\":{\"disabled\":[]}}",
    ON("ring(3)") "\"tree\",\"with\":{\"tree\":{\"family\":\"stored\",\"root\":0,\"parents\":[0,0,"
                  "0]}}}",
    ON("hypercube(1)") "\"two-level\",\"with\":{\"entries\":[[],[[1,1]]],\"table\":[0,1,1,0]}}",
    ON("hypercube(1)") "\"own\",\"with\":{\"virtual_channels\":1,\"escapes\":true,\"classes\":1,"
                       "\"arrivals\":[0,0],\"entries\":[[],[[1,1,1]]],\"table\":[0,1,1,0]}}",
};

static void asking(void (*make)(void))
{
    TEXT(cn_routing_name, make, given.routing);
    NEVER(cn_routing_least_virtual_channels, make, given.routing, out.shorts[0]);
    NEVER(cn_routing_channels, make, given.routing, 1, 7, out.words[0]);
    NEVER(cn_routing_next_hops, make, given.routing, (uint64_t[]){1, 7}, (uint64_t[]){7, 1}, 2,
          NULL, out.words[0]);
    NEVER(cn_routing_virtual_channels, make, given.routing, 4, 1, 7, 0, CN_NO_PORT, 0, out.words[0],
          64, out.sizes);
    FAILS(cn_routing_deadlock_check, make, given.routing, 4, NULL, &made.deadlock);
    NEVER(cn_routing_path, make, given.routing, 1, 7, 5, out.words[0], 64, out.sizes);
    FAILS(cn_routing_distance, make, given.routing, 1, 7, NULL, out.words[0]);
    FAILS(cn_routing_stretch, make, given.routing, NULL, out.reals[0], out.reals[1]);
    FAILS(cn_routing_longest_walk, make, given.routing, NULL, out.words[0]);
    FAILS(cn_routing_is_minimal, make, given.routing, NULL, out.numbers);
    FAILS(cn_routing_loads, make, given.routing, NULL, NULL, NULL, out.reals[0], 256, out.sizes);
    FAILS(cn_routing_loads, make, given.routing, one, NULL, NULL, out.reals[0], 256, out.sizes);
    FAILS(cn_routing_saturation_load, make, given.routing, NULL, NULL, NULL, out.reals[0]);
    FREES(cn_routing_free, make, &given.routing);
    NEVER(cn_routing_json, make, given.routing, out.text, 8192, out.sizes);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        FAILS(cn_routing_from_json, nothing, texts[i], NULL, &made.routing);
}

void routing_rows(void **state)
{
    (void)state;
    making();
    asking(closed);
    asking(tabulated);
    asking(two_legs);
    asking(by_tree);
    NEVER(cn_routing_deadlock_check, checked, given.routing, 3, NULL, &made.deadlock);
}

/* traffic.h */
#include "given.h"

static const uint64_t cycles[] = {0, 0, 4}, sources[] = {1, 2, 1}, ends[] = {2, 3, 5},
                      flits[] = {1, 2, 3};
static const uint64_t reversed[16] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
static const double weights[16] = {3, 2, 1, 1};
static double matrix[256];

static void make_matrix(void)
{
    for (size_t i = 0; i < 256; i++)
        matrix[i] = i / 16 == i % 16 ? 0 : (double)(i % 7);
}

static void uniform(void)
{
    cube();
    assert_ok(cn_traffic_new(given.topology, CN_PATTERN_UNIFORM, &given.traffic));
}

static void turned(void)
{
    cube();
    assert_ok(cn_traffic_new(given.topology, CN_PATTERN_BIT_REVERSE, &given.traffic));
}

static void uniform_psnn(void)
{
    psnn();
    assert_ok(cn_traffic_new(given.topology, CN_PATTERN_UNIFORM, &given.traffic));
}

static void hotspot_psnn(void)
{
    psnn();
    assert_ok(cn_traffic_hotspot(given.topology, 3, 0.2, &given.traffic));
}

static void permutation(void)
{
    cube();
    assert_ok(cn_traffic_permutation(given.topology, 3, &given.traffic));
}

static void local(void)
{
    cube();
    assert_ok(cn_traffic_locality(given.topology, weights, 4, &given.traffic));
}

static void local_mesh(void)
{
    mesh();
    assert_ok(cn_traffic_geometric_locality(given.topology, 0.5, &given.traffic));
}

static void by_matrix(void)
{
    make_matrix();
    psnn();
    assert_ok(cn_traffic_matrix(given.topology, matrix, 256, &given.traffic));
}

static void trace(void)
{
    cube();
    assert_ok(cn_traffic_trace(given.topology, cycles, sources, ends, flits, 3, &given.traffic));
}

static void with_routing(void (*make)(void), const char *name)
{
    make();
    assert_ok(cn_routing_new(given.topology, name, NULL, NULL, &given.routing));
}

static void uniform_routed(void)
{
    with_routing(uniform, "dimension-order");
}

static void trace_routed(void)
{
    with_routing(trace, "valiant");
}

static void local_routed(void)
{
    psnn();
    assert_ok(cn_traffic_locality(given.topology, weights, 4, &given.traffic));
    assert_ok(cn_routing_new(given.topology, "up-down", NULL, NULL, &given.routing));
}

static void making(void)
{
    make_matrix();
    FAILS(cn_traffic_new, cube, given.topology, CN_PATTERN_UNIFORM, &made.traffic);
    FAILS(cn_traffic_new, mesh, given.topology, CN_PATTERN_NEIGHBOR, &made.traffic);
    FAILS(cn_traffic_hotspot, cube, given.topology, 3, 0.2, &made.traffic);
    FAILS(cn_traffic_permutation, cube, given.topology, 3, &made.traffic);
    FAILS(cn_traffic_locality, cube, given.topology, weights, 4, &made.traffic);
    FAILS(cn_traffic_locality, two_way, given.topology, weights, 4, &made.traffic);
    FAILS(cn_traffic_locality, psnn, given.topology, weights, 4, &made.traffic);
    FAILS(cn_traffic_geometric_locality, general, given.topology, 0.5, &made.traffic);
    FAILS(cn_traffic_geometric_locality, mesh, given.topology, 0.5, &made.traffic);
    FAILS(cn_traffic_destinations, cube, given.topology, reversed, 16, &made.traffic);
    FAILS(cn_traffic_matrix, cube, given.topology, matrix, 256, &made.traffic);
    FAILS(cn_traffic_trace, cube, given.topology, cycles, sources, ends, flits, 3, &made.traffic);
    FAILS(cn_traffic_trace, cube, given.topology, cycles, sources, ends, NULL, 3, &made.traffic);
}

static void asking(void)
{
    NUMBER(cn_traffic_pattern, uniform, given.traffic);
    NUMBER(cn_traffic_source, uniform, given.traffic);
    NUMBER(cn_traffic_trace_length, trace, given.traffic);
    NEVER(cn_traffic_senders, uniform, given.traffic, out.words[0]);
    NEVER(cn_traffic_senders, turned, given.traffic, out.words[0]);
    FAILS(cn_traffic_senders, trace, given.traffic, out.words[0]);
    NEVER(cn_traffic_probability, uniform, given.traffic, 1, 2, out.reals[0]);
    NEVER(cn_traffic_probability, local, given.traffic, 1, 2, out.reals[0]);
    NEVER(cn_traffic_probability, trace, given.traffic, 1, 2, out.reals[0]);
    NEVER(cn_traffic_probability, by_matrix, given.traffic, 1, 2, out.reals[0]);
    NEVER(cn_traffic_probability, local_mesh, given.traffic, 1, 2, out.reals[0]);
    NEVER(cn_traffic_mean_distance, uniform, given.traffic, NULL, out.reals[0]);
    FAILS(cn_traffic_mean_distance, uniform_psnn, given.traffic, NULL, out.reals[0]);
    FAILS(cn_traffic_mean_distance, hotspot_psnn, given.traffic, NULL, out.reals[0]);
    FAILS(cn_traffic_mean_distance, by_matrix, given.traffic, NULL, out.reals[0]);
    NEVER(cn_traffic_mean_distance, permutation, given.traffic, NULL, out.reals[0]);
    NEVER(cn_traffic_mean_distance, local_mesh, given.traffic, NULL, out.reals[0]);
    NEVER(cn_traffic_mean_distance, trace, given.traffic, NULL, out.reals[0]);
    static void (*const routed[])(void) = {uniform_routed, trace_routed, local_routed};
    for (size_t i = 0; i < 3; i++) {
        FAILS(cn_traffic_loads, routed[i], given.traffic, given.routing, NULL, out.reals[0], 256,
              out.sizes);
    }
}

#define ON_A_RING "{\"cubenet\":\"traffic\",\"format\":1,\"topology\":\"ring(4)\",\"pattern\":"

/* Each with an array of its own to fill. */
static const char *const texts[] = {
    ON_A_RING "\"uniform\"}",
    ON_A_RING "\"destinations\",\"with\":{\"destinations\":[1,2,2,2]}}",
    ON_A_RING "\"permutation\",\"with\":{\"destinations\":[1,2,0,3]}}",
    ON_A_RING "\"locality\",\"with\":{\"cumulative_weights\":[0.5,1]}}",
    ON_A_RING "\"matrix\",\"with\":{\"shares\":[[[1,9007199254740992]],[],[],[]]}}",
    ON_A_RING "\"trace\",\"with\":{\"messages\":[[0,1,2,4],[3,2,0,1]]}}",
};

void traffic_rows(void **state)
{
    (void)state;
    making();
    FREES(cn_traffic_free, trace, &given.traffic);
    NEVER(cn_traffic_json, trace, given.traffic, out.text, 8192, out.sizes);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        FAILS(cn_traffic_from_json, nothing, texts[i], NULL, &made.traffic);
    NEVER(cn_traffic_set_source, uniform, given.traffic, CN_SOURCE_POISSON);
    NEVER(cn_traffic_set_on_off, uniform, given.traffic, 4, 8);
    asking();
}

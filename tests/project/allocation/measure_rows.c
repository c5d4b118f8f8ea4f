/* measure.h */
#include "given.h"

#include "support/limits.h"

#define BOUNDS &out.words[3][0], &out.words[3][1], (cn_known *)(void *)out.numbers

static void five_shuffle(void)
{
    assert_ok(cn_topology_shuffle_exchange(5, &given.topology));
}

static void big_psnn(void)
{
    assert_ok(cn_topology_psnn(6, &given.topology));
}

static void binary_tree(void)
{
    assert_ok(cn_topology_tree(3, 2, &given.topology));
}

static void of_measure(void (*network)(void), cn_measure measure)
{
    FAILS(cn_topology_measure, network, given.topology, measure, 0.5, LIMITS(.steps = 20000),
          &out.reals[0][0], &out.reals[0][1], (cn_known *)(void *)out.numbers);
}

static void two_cube(void)
{
    assert_ok(cn_topology_hypercube(2, &given.topology));
}

void measure_rows(void **state)
{
    static const uint64_t sender[] = {0, 0, 1}, receiver[] = {1, 2, 3};
    static const uint32_t step[] = {1, 2, 2};
    static const uint8_t side[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    (void)state;
    for (int measure = CN_MEASURE_DIAMETER; measure <= CN_MEASURE_COST_EFFECTIVENESS; measure++)
        if (measure != CN_MEASURE_MEAN_DEGREE) {
            if (measure != CN_MEASURE_DIAMETER) /* a closed form */
                of_measure(psnn, (cn_measure)measure);
            of_measure(edges, (cn_measure)measure);
        }
    of_measure(edges, CN_MEASURE_LOOSENESS_PRODUCT);
    of_measure(edges, CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS);
    /* where the diameter and the printed schedule meet */
    NEVER(cn_topology_measure, five_shuffle, given.topology, CN_MEASURE_BROADCAST_TIME, 0.5, NULL,
          &out.reals[0][0], &out.reals[0][1], (cn_known *)(void *)out.numbers);
    NEVER(cn_topology_measure, psnn, given.topology, CN_MEASURE_LINKS, 0.5, NULL, &out.reals[0][0],
          &out.reals[0][1], (cn_known *)(void *)out.numbers);
    NEVER(cn_topology_cost, psnn, given.topology, 2, 3, out.reals[0]);
    FAILS(cn_topology_bisection, psnn, given.topology, LIMITS(.steps = 20000), out.bytes, 256,
          BOUNDS);
    FAILS(cn_topology_bisection, big_psnn, given.topology, LIMITS(.steps = 20000), out.bytes, 256,
          BOUNDS);
    FAILS(cn_topology_bisection, binary_tree, given.topology, LIMITS(.steps = 20000), out.bytes,
          256, BOUNDS);
    NEVER(cn_topology_bisection, cube, given.topology, NULL, NULL, 0, BOUNDS);
    NEVER(cn_bisection_check, small_cube, given.topology, side, 8, NULL, out.words[0]);
    NEVER(cn_bisection_side, small_cube, given.topology, 5, out.shorts[0]);
    FAILS(cn_topology_broadcast_schedule, psnn, given.topology, 3, LIMITS(.steps = 20000),
          out.words[0], out.words[1], out.shorts[0], 256, BOUNDS);
    FAILS(cn_topology_broadcast_schedule, cube, given.topology, 3, LIMITS(.steps = 20000),
          out.words[0], out.words[1], out.shorts[0], 256, BOUNDS);
    FAILS(cn_topology_broadcast_schedule, mesh, given.topology, 3, LIMITS(.steps = 20000),
          out.words[0], out.words[1], out.shorts[0], 256, BOUNDS);
    FAILS(cn_topology_broadcast_schedule, edges, given.topology, 3, LIMITS(.steps = 20000), NULL,
          NULL, NULL, 0, BOUNDS);
    FAILS(cn_schedule_check, two_cube, given.topology, 0, sender, receiver, step, 3, out.words[0]);
}

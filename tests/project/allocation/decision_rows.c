/* decision.h, deadlock.h */
#include "given.h"

#include "cubenet/experimental/multicast.h"

#include <string.h>

static void deadlock(void)
{
    two_way();
    assert_ok(cn_routing_new(given.topology, "duato", NULL, NULL, &given.routing));
    assert_ok(cn_routing_deadlock_check(given.routing, 3, NULL, &given.deadlock));
}

/* Everything is allowed on every port of the 3-cube: that has cycles. */
static cn_status any_port(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                          uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    (void)user, (void)node, (void)destination, (void)previous, (void)port, (void)virtual_channel;
    channels[0] = channels[1] = channels[2] = 1;
    return CN_OK;
}

static void wormholes(void)
{
    FAILS(cn_deadlock_check, small_cube, given.topology, 1, any_port, NULL, 0, NULL, NULL,
          &made.deadlock);
    FAILS(cn_deadlock_check, small_cube, given.topology, 1, any_port, any_port, 0, NULL, NULL,
          &made.deadlock);
    NEVER(cn_deadlock_verdict, deadlock, given.deadlock, (cn_verdict *)(void *)out.numbers);
    NUMBER(cn_deadlock_is_free, deadlock, given.deadlock);
    NEVER(cn_deadlock_counts, deadlock, given.deadlock, &out.words[0][0], &out.words[0][1],
          &out.words[0][2], &out.words[0][3]);
    NEVER(cn_deadlock_cycle, deadlock, given.deadlock, out.words[0], out.shorts[0], out.shorts[1],
          out.words[1], 256, out.sizes);
    FREES(cn_deadlock_free, deadlock, &given.deadlock);
    TEXT(cn_verdict_text, nothing, CN_VERDICT_CYCLIC);
}

void decision_rows(void **state)
{
    static const uint64_t headers[] = {3, 5}, destinations[] = {1, 5, 8};
    static const uint64_t values[] = {0, 8}, anys[] = {7, 7}, channels[] = {0, 8};
    static const uint32_t random[8] = {1, 2, 3, 4, 5, 6, 7, 8}, assigned[] = {0, 2};
    (void)state;
    NEVER(cn_route_valid, two_way, given.topology, 6, out.words[0]);
    NEVER(cn_route_preferred, two_way, given.topology, 6, out.words[0]);
    NEVER(cn_route_move, two_way, given.topology, 6, 1, out.words[0]);
    NEVER(cn_route_two_phase, cube, given.topology, headers, 2, 4, CN_SELECTION_LEAST_LOADED,
          random, 8, out.shorts[0]);
    NEVER(cn_route_two_phase_check, cube, given.topology, headers, 2, 4, assigned, out.sizes);
    NEVER(cn_route_multicast_next_hop, general, given.topology, 0, 0, 5, out.words[0]);
    NEVER(cn_route_multicast_groups, general, given.topology, 0, 0, destinations, 3, out.shorts[0],
          out.words[0], out.words[1], 8, out.sizes);
    NEVER(cn_route_optimal_path, nothing, 6, 3, out.words[0]);
    NEVER(cn_route_two_level, nothing, 1, 9, 15, values, anys, channels, 2, CN_TIE_HEADER,
          out.words[0]);
    wormholes();
}

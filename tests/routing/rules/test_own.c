/* Own rules: stored as they answer, and refused where they are bad. */
#include "routing/damage.h"
#include "routing/networks.h"
#include "support/wormhole_rules.h"

#include <string.h>

enum { MOST_PORTS = 64 };

/* A rule of this file: what it goes by, and what is wrong with it. */
typedef struct teller {
    const cn_topology *t;
    const cn_routing *r; /* answers for it; NULL: a rule of wormhole_rules.h */
    wormhole_rule rule;
    uint32_t virtual_channels;
    uint64_t calls, again;
    int flaw;
} teller;

enum { SOUND, NO_SUCH_PORT, NO_SUCH_CHANNEL, NOWHERE, ROUND_AND_ROUND, FICKLE, FAILING, POSITIVE };

static cn_status tell(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                      uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    teller *it = user;
    uint32_t degree;
    int is_here = node == 5 && destination == 9;
    it->calls++;
    assert_int_not_equal(node, destination);
    assert_ok(cn_topology_degree(it->t, node, &degree));
    if (it->r != NULL)
        assert_ok(cn_routing_virtual_channels(it->r, it->virtual_channels, node, destination,
                                              previous, port, virtual_channel, channels, degree,
                                              NULL));
    else
        assert_ok(wormhole_route(it->t, it->rule, it->virtual_channels, node, destination, channels,
                                 degree, NULL));
    if (it->flaw == ROUND_AND_ROUND && destination == 9 && node < 4) { /* 0 1 3 2 0 */
        memset(channels, 0, degree * sizeof *channels);
        channels[node == 0 || node == 3 ? 0 : 1] = 1;
    }
    if (!is_here)
        return CN_OK;
    if (it->flaw == NO_SUCH_PORT)
        channels[degree] = 1;
    if (it->flaw == NO_SUCH_CHANNEL)
        channels[0] |= UINT64_C(1) << it->virtual_channels;
    if (it->flaw == NOWHERE)
        memset(channels, 0, degree * sizeof *channels);
    if (it->flaw == FICKLE && it->again++ > 0)
        channels[2] ^= 2;
    if (it->flaw == FAILING)
        return CN_ERR_NOT_FOUND;
    return it->flaw == POSITIVE ? CN_DONE : CN_OK;
}

static cn_status all_of_port_0(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                               uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    (void)user;
    (void)node;
    (void)destination;
    (void)previous;
    (void)port;
    (void)virtual_channel;
    channels[0] = 1;
    return CN_OK;
}

/* The escape channels of the rule of wormhole_rules.h. */
static cn_status tell_escape(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                             uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    teller *it = user;
    uint64_t set;
    uint32_t degree;
    assert_ok(tell(user, node, destination, previous, port, virtual_channel, channels));
    assert_ok(wormhole_escape(it->t, it->rule, it->virtual_channels, &set));
    assert_ok(cn_topology_degree(it->t, node, &degree));
    for (uint32_t p = 0; p < degree; p++)
        channels[p] &= set;
    return CN_OK;
}

/* Every answer for a message that may be there, and the verdicts with their counts. */
static void check_same(const cn_topology *t, const cn_routing *a, const cn_routing *b,
                       uint32_t virtual_channels)
{
    uint64_t nodes = cn_topology_node_count(t), x[MOST_PORTS], y[MOST_PORTS], counts[2][4];
    for (uint64_t v = 0; v < nodes; v++)
        for (uint64_t d = 0; d < nodes; d++) {
            size_t degree;
            assert_ok(cn_routing_channels(a, v, d, &x[0]));
            assert_ok(cn_routing_channels(b, v, d, &y[0]));
            assert_int_equal(x[0], y[0]);
            assert_ok(cn_routing_virtual_channels(a, virtual_channels, v, d, 0, CN_NO_PORT, 0, x,
                                                  MOST_PORTS, &degree));
            assert_ok(cn_routing_virtual_channels(b, virtual_channels, v, d, 0, CN_NO_PORT, 0, y,
                                                  MOST_PORTS, &degree));
            assert_memory_equal(x, y, degree * sizeof *x);
        }
    const cn_routing *both[] = {a, b};
    cn_verdict verdicts[2];
    for (int i = 0; i < 2; i++) {
        cn_deadlock *check;
        assert_ok(cn_routing_deadlock_check(both[i], virtual_channels, NULL, &check));
        assert_ok(cn_deadlock_verdict(check, &verdicts[i]));
        assert_ok(
            cn_deadlock_counts(check, &counts[i][0], &counts[i][1], &counts[i][2], &counts[i][3]));
        cn_deadlock_free(&check);
    }
    assert_int_equal(verdicts[0], verdicts[1]);
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
}

static void own_dimension_order_is_the_built_in_one(void **state)
{
    (void)state;
    static const unsigned networks[] = {0, 1, 3, 4, 8, 9, 11};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        cn_topology *t = network_of_family(networks[i]);
        cn_routing *built_in, *own;
        teller it = {.t = t, .rule = WORMHOLE_ORDER};
        assert_ok(cn_routing_new(t, "dimension-order", NULL, NULL, &built_in));
        assert_ok(cn_routing_least_virtual_channels(built_in, &it.virtual_channels));
        assert_ok(cn_routing_own(t, it.virtual_channels, tell, NULL, &it, NULL, &own));
        assert_string_equal(cn_routing_name(own), "own");
        uint64_t calls = it.calls;
        check_same(t, built_in, own, it.virtual_channels);
        assert_int_equal(it.calls, calls); /* it is not asked again */
        cn_routing_free(&built_in);
        cn_routing_free(&own);
        cn_topology_free(&t);
    }
}

static void own_duato_with_its_escape_is_the_built_in_one(void **state)
{
    (void)state;
    static const unsigned networks[] = {0, 3, 9, 11};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        cn_topology *t = network_of_family(networks[i]);
        cn_routing *built_in, *own;
        teller it = {.t = t, .rule = WORMHOLE_DUATO};
        assert_ok(cn_routing_new(t, "duato", NULL, NULL, &built_in));
        assert_ok(cn_routing_least_virtual_channels(built_in, &it.virtual_channels));
        assert_ok(cn_routing_own(t, it.virtual_channels, tell, tell_escape, &it, NULL, &own));
        check_same(t, built_in, own, it.virtual_channels);
        cn_routing_free(&built_in);
        cn_routing_free(&own);
        cn_topology_free(&t);
    }
}

/* A rule that goes by the arriving channel: up-down and its adaptive form, told again. */
static void classes_of_arriving_channels_are_kept_apart(void **state)
{
    (void)state;
    uint64_t words = 17;
    for (int i = 0; i < 20; i++) {
        cn_topology *t = network_random(24, 20, &words);
        uint64_t x[MOST_PORTS], y[MOST_PORTS], far;
        for (uint32_t least = 1; least <= 2; least++) {
            cn_routing *built_in, *own;
            teller it = {.t = t, .virtual_channels = least};
            assert_ok(cn_routing_new(t, least == 1 ? "up-down" : "up-down-adaptive", NULL, NULL,
                                     &built_in));
            it.r = built_in;
            assert_ok(cn_routing_own(t, least, tell, NULL, &it, NULL, &own));
            /* all that a message may come to */
            for (uint64_t d = 0; d < 24; d++)
                for (uint64_t v = 0; v < 24; v++) {
                    size_t degree, next;
                    assert_ok(cn_routing_virtual_channels(own, least, v, d, 0, CN_NO_PORT, 0, x,
                                                          MOST_PORTS, &degree));
                    for (uint32_t p = 0; p < degree; p++)
                        for (uint32_t w = 0; w < least; w++) {
                            if ((x[p] >> w & 1) == 0)
                                continue;
                            uint64_t a[MOST_PORTS];
                            assert_ok(cn_topology_neighbor(t, v, p, &far));
                            assert_ok(cn_routing_virtual_channels(own, least, far, d, v, p, w, a,
                                                                  MOST_PORTS, &next));
                            assert_ok(cn_routing_virtual_channels(built_in, least, far, d, v, p, w,
                                                                  y, MOST_PORTS, &next));
                            assert_memory_equal(a, y, next * sizeof *a);
                        }
                }
            cn_deadlock *check;
            assert_ok(cn_routing_deadlock_check(own, least, NULL, &check));
            cn_verdict verdict;
            assert_ok(cn_deadlock_verdict(check, &verdict));
            if (least == 1)
                assert_int_equal(verdict, CN_VERDICT_ACYCLIC);
            else
                assert_true(verdict == CN_VERDICT_ACYCLIC || verdict == CN_VERDICT_CYCLIC);
            cn_deadlock_free(&check);
            cn_routing_free(&built_in);
            cn_routing_free(&own);
        }
        cn_topology_free(&t);
    }
}

static void bad_rules_get_a_sentence(void **state)
{
    (void)state;
    static const struct {
        int flaw;
        cn_status status;
        const char *part;
    } cases[] = {
        {NO_SUCH_PORT, CN_ERR_ARGUMENT, "at node 5 for destination 9, channels 0x1 of port 4"},
        {NO_SUCH_CHANNEL, CN_ERR_ARGUMENT, "at node 5 for destination 9, channels"},
        {NOWHERE, CN_ERR_DISCONNECTED, "at node 5 for destination 9 rule gave no channel"},
        {ROUND_AND_ROUND, CN_ERR_ARGUMENT,
         "a message for destination 9 to travel without end, through"},
        {FICKLE, CN_ERR_ARGUMENT,
         "different channels for the same arguments, at node 5 for destination 9"},
        {FAILING, CN_ERR_NOT_FOUND, "rule returned -5 at node 5 for destination 9"},
        {POSITIVE, CN_ERR_ARGUMENT, "rule returned 1 at node 5 for destination 9"},
    };
    cn_topology *cube;
    cn_routing *r;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        teller it = {.t = cube, .virtual_channels = 2, .flaw = cases[i].flaw};
        assert_fails(cn_routing_own(cube, 2, tell, NULL, &it, NULL, &r), cases[i].status,
                     cases[i].part);
        assert_null(r);
    }
    teller it = {.t = cube, .virtual_channels = 1};
    assert_fails(cn_routing_own(cube, 1, tell, all_of_port_0, &it, NULL, &r), CN_ERR_ARGUMENT,
                 "escape gave a channel that rule does not give");
    assert_fails(cn_routing_own(cube, 0, tell, NULL, &it, NULL, &r), CN_ERR_ARGUMENT, "1 to 64");
    assert_fails(cn_routing_own(cube, 65, tell, NULL, &it, NULL, &r), CN_ERR_ARGUMENT, "1 to 64");
    assert_fails(cn_routing_own(cube, 1, NULL, NULL, &it, NULL, &r), CN_ERR_ARGUMENT,
                 "rule is NULL");
    cn_topology_free(&cube);
}

static cn_status make_own(void *context)
{
    cn_topology *t = NULL;
    cn_routing *told = NULL, *r = NULL;
    cn_status status = cn_topology_kary_ncube(3, 2, 1, &t);
    (void)context;
    if (status == CN_OK)
        status = cn_routing_new(t, "dimension-order", NULL, NULL, &told);
    teller it = {.t = t, .r = told, .virtual_channels = 2};
    if (status == CN_OK)
        status = cn_routing_own(t, 2, tell, NULL, &it, NULL, &r);
    cn_routing_free(&told);
    if (status == CN_OK)
        cn_routing_free(&r);
    assert_null(r);
    cn_topology_free(&t);
    return status;
}

static void without_memory_nothing_is_left_behind(void **state)
{
    (void)state;
    support_fail_every_allocation(make_own, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_dimension_order_is_the_built_in_one),
        cmocka_unit_test(own_duato_with_its_escape_is_the_built_in_one),
        cmocka_unit_test(classes_of_arriving_channels_are_kept_apart),
        cmocka_unit_test(bad_rules_get_a_sentence),
        cmocka_unit_test(without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "topology/oracle.h"
#include "support/limits.h"

static void schedule(const cn_topology *t, uint64_t source, uint64_t steps, uint64_t *lower,
                     uint64_t *upper, cn_known *kind)
{
    size_t nodes = (size_t)cn_topology_node_count(t);
    uint64_t *sender = malloc(nodes * sizeof *sender), *receiver = malloc(nodes * sizeof *receiver);
    uint32_t *step = malloc(nodes * sizeof *step);
    uint64_t length;
    assert_ok(cn_topology_broadcast_schedule(t, source, LIMITS(.steps = steps), sender, receiver,
                                             step, nodes - 1, lower, upper, kind));
    assert_ok(cn_schedule_check(t, source, sender, receiver, step, nodes - 1, &length));
    assert_int_equal(length, *upper);
    assert_true(*lower <= *upper);
    assert_int_equal(*kind == CN_KNOWN_BOUNDS, *lower < *upper);
    free(sender);
    free(receiver);
    free(step);
}

/* Every source of every small network against the search through all informed sets. */
static void against_all_sets(void **state)
{
    (void)state;
    cn_topology *t;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint64_t nodes = cn_topology_node_count(t), worst = 0;
        for (uint64_t v = 0; v < nodes && nodes <= 13; v++) {
            uint64_t lower, upper, exact = oracle_broadcast(t, v);
            cn_known kind;
            schedule(t, v, 2000000, &lower, &upper, &kind);
            assert_true(lower <= exact && exact <= upper);
            assert_int_equal(upper, exact); /* not promised, but so it is */
            worst = exact > worst ? exact : worst;
        }
        double lower, upper;
        cn_known kind;
        assert_ok(
            cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper, &kind));
        if (nodes <= 13) {
            assert_true(lower <= (double)worst);
            assert_true(upper == (double)worst);
        }
        cn_topology_free(&t);
    }
}

/* F of a network, which is freed. */
static void expect(cn_topology *t, double steps, cn_known known)
{
    double lower, upper;
    cn_known kind;
    assert_ok(cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper, &kind));
    if (lower != steps || upper != steps || kind != known)
        print_error("%s: %g..%g\n", cn_topology_name(t), lower, upper);
    assert_true(lower == steps && upper == steps);
    assert_int_equal(kind, known);
    cn_topology_free(&t);
}

/* Closed forms against schedules from every source, which exist, and their bounds, which hold. */
static void closed_forms(void **state)
{
    (void)state;
    const uint64_t shapes[][2] = {{4, 6}, {2, 4}, {8, 4}};
    for (int which = 0; which < 14; which++) {
        cn_topology *t = NULL;
        switch (which) {
        case 0:
            assert_ok(cn_topology_hypercube(6, &t));
            break;
        case 1:
            assert_ok(cn_topology_kary_ncube(4, 3, 1, &t));
            break;
        case 2:
            assert_ok(cn_topology_kary_ncube(5, 2, 0, &t));
            break;
        case 3:
            assert_ok(cn_topology_ring(11, 1, &t));
            break;
        case 4:
            assert_ok(cn_topology_ring(12, 1, &t));
            break;
        case 5:
            assert_ok(cn_topology_ring(12, 0, &t));
            break;
        case 6:
            assert_ok(cn_topology_complete(37, &t));
            break;
        case 7:
            assert_ok(cn_topology_star(9, &t));
            break;
        case 8:
            assert_ok(cn_topology_tree(2, 4, &t));
            break;
        case 9:
            assert_ok(cn_topology_tree(3, 3, &t));
            break;
        case 10:
            assert_ok(cn_topology_tree(1, 9, &t));
            break;
        default:
            assert_ok(which % 2 ? cn_topology_torus(shapes[which - 11], 2, &t)
                                : cn_topology_mesh(shapes[which - 11], 2, &t));
        }
        double lower, upper;
        cn_known kind;
        uint64_t worst_lower = 0, worst_upper = 0;
        assert_ok(
            cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper, &kind));
        assert_int_equal(kind, CN_KNOWN_CLOSED_FORM);
        for (uint64_t v = 0; v < cn_topology_node_count(t); v++) {
            uint64_t low, high;
            schedule(t, v, 100000, &low, &high, &kind);
            worst_lower = low > worst_lower ? low : worst_lower;
            worst_upper = high > worst_upper ? high : worst_upper;
        }
        if (worst_lower != (uint64_t)lower || worst_upper != (uint64_t)upper)
            print_error("%s\n", cn_topology_name(t));
        assert_true((double)worst_lower == lower && (double)worst_upper == upper);
        cn_topology_free(&t);
    }
}

/* Products of complete graphs: the informed double in every step, in products of every shape. */
static void doubling(void **state)
{
    (void)state;
    const uint64_t shapes[][4] = {{3, 3, 3, 3}, {5, 7, 3, 2}, {2, 3, 7, 5},  {9, 2, 5, 3},
                                  {4, 6, 5, 5}, {2, 2, 2, 3}, {11, 3, 2, 7}, {3, 13, 6, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint32_t n = 1; n <= (shapes[i][3] == 1 ? 3 : 4); n++) {
            cn_topology *t;
            double lower, upper;
            uint64_t least = 0, low, high;
            cn_known kind;
            assert_ok(cn_topology_generalized_hypercube_mixed(shapes[i], n, &t));
            uint64_t nodes = cn_topology_node_count(t);
            while (UINT64_C(1) << least < nodes)
                least++;
            assert_ok(cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper,
                                          &kind));
            assert_true(lower == (double)least && upper == lower && kind == CN_KNOWN_CLOSED_FORM);
            for (uint64_t v = 0; v < nodes; v += 1 + nodes / 7) {
                schedule(t, v, 1, &low, &high, &kind);
                assert_int_equal(low, least);
                assert_int_equal(high, least);
            }
            cn_topology_free(&t);
        }
}

/* Bounds that need no search come first, however little time there is. */
static void bounds_without_search(void **state)
{
    (void)state;
    cn_topology *t;
    double lower, upper;
    cn_known kind;
    assert_ok(cn_topology_generalized_hypercube(100, 2, &t));
    expect(t, 14, CN_KNOWN_CLOSED_FORM);
    assert_ok(cn_topology_generalized_hypercube(64, 2, &t));
    expect(t, 12, CN_KNOWN_CLOSED_FORM);
    assert_ok(cn_topology_psnn(14, &t)); /* its diameter is above ceil(log2 N) */
    assert_ok(cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, LIMITS(.steps = 1), &lower,
                                  &upper, &kind));
    assert_true(lower >= 19 && upper <= 27);
    cn_topology_free(&t);
}

/* F of a mesh is its diameter: a schedule that is no longer exists from every source. */
static void meshes(void **state)
{
    (void)state;
    for (uint64_t a = 2; a <= 5; a++)
        for (uint64_t b = 2; b <= 5; b++) {
            const uint64_t radices[] = {a, b};
            cn_topology *t;
            uint64_t diameter, lower, upper;
            double f;
            cn_known kind;
            assert_ok(cn_topology_mesh(radices, 2, &t));
            assert_ok(cn_topology_diameter(t, NULL, &diameter));
            assert_ok(cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &f, &f, &kind));
            assert_true(f == (double)diameter);
            for (uint64_t v = 0; v < cn_topology_node_count(t); v++) {
                schedule(t, v, 1000, &lower, &upper, &kind);
                assert_true(upper <= diameter);
            }
            cn_topology_free(&t);
        }
}

static void shift_networks(void **state)
{
    (void)state;
    const double psnn[] = {2, 4, 5, 7, 8, 10};
    cn_topology *t;
    for (uint32_t n = 2; n <= 7; n++) {
        assert_ok(cn_topology_psnn(n, &t));
        expect(t, psnn[n - 2], CN_KNOWN_EXACT);
        assert_ok(cn_topology_shuffle_exchange(n, &t));
        expect(t, 2 * n - 1, CN_KNOWN_EXACT);
    }
    uint64_t lower, upper;
    cn_known kind;
    assert_ok(cn_topology_psnn(8, &t));
    schedule(t, 0, 0, &lower, &upper, &kind);
    assert_true(lower == 12 && upper == 12);
    cn_topology_free(&t);
}

/* The paper's n ceil(k/2) is the time of its schedule, not the least. */
static void odd_tori(void **state)
{
    (void)state;
    const uint64_t k[] = {5, 7, 3, 3}, n[] = {2, 2, 3, 4};
    const double f[] = {5, 7, 5, 7};
    for (int i = 0; i < 4; i++) {
        cn_topology *t;
        assert_ok(cn_topology_kary_ncube(k[i], (uint32_t)n[i], 1, &t));
        expect(t, f[i], CN_KNOWN_EXACT);
    }
}

static void dual_chords(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_chordal_ring(16, 0, 1, &t));
    expect(t, 4, CN_KNOWN_EXACT);
    assert_ok(cn_topology_chordal_ring(25, 0, 1, &t));
    expect(t, 5, CN_KNOWN_EXACT);
}

static void one_node_and_two(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t lower, upper, length;
    cn_known kind;
    assert_ok(cn_topology_from_edges(1, NULL, 0, NULL, &t));
    assert_ok(
        cn_topology_broadcast_schedule(t, 0, NULL, NULL, NULL, NULL, 0, &lower, &upper, &kind));
    assert_true(lower == 0 && upper == 0);
    assert_ok(cn_schedule_check(t, 0, NULL, NULL, NULL, 0, &length));
    assert_int_equal(length, 0);
    cn_topology_free(&t);
    assert_ok(cn_topology_psnn(1, &t));
    expect(t, 1, CN_KNOWN_EXACT);
}

static void checker(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_ring(4, 1, &t));
    uint64_t length;
    uint64_t from[] = {0, 0, 1}, to[] = {1, 3, 2};
    uint32_t step[] = {1, 2, 2};
    assert_ok(cn_schedule_check(t, 0, from, to, step, 3, &length));
    assert_int_equal(length, 2);
    assert_fails(cn_schedule_check(t, 0, from, to, step, 2, &length), CN_ERR_ARGUMENT, "count = 2");
    step[1] = 1;
    assert_fails(cn_schedule_check(t, 0, from, to, step, 3, &length), CN_ERR_ARGUMENT,
                 "sends twice");
    step[0] = step[1] = 2;
    assert_fails(cn_schedule_check(t, 0, from, to, step, 3, &length), CN_ERR_ARGUMENT,
                 "sends twice");
    step[0] = 3;
    assert_fails(cn_schedule_check(t, 0, from, to, step, 3, &length), CN_ERR_ARGUMENT, "go back");
    step[0] = 0;
    assert_fails(cn_schedule_check(t, 0, from, to, step, 3, &length), CN_ERR_ARGUMENT,
                 "begin at 1");
    step[0] = 1, step[1] = 2, step[2] = 3;
    to[2] = 3;
    assert_fails(cn_schedule_check(t, 0, from, to, step, 3, &length), CN_ERR_ARGUMENT,
                 "no channel");
    from[2] = 0;
    assert_fails(cn_schedule_check(t, 0, from, to, step, 3, &length), CN_ERR_ARGUMENT,
                 "has the message already");
    from[1] = 2, to[1] = 3;
    assert_fails(cn_schedule_check(t, 0, from, to, step, 3, &length), CN_ERR_ARGUMENT,
                 "does not have the message");
    to[0] = 9;
    assert_fails(cn_schedule_check(t, 0, from, to, step, 3, &length), CN_ERR_ARGUMENT,
                 "receiver = 9");
    cn_topology_free(&t);
}

/* The number of nodes alone bounds the time of so few nodes, but not all have a time. */
static void few_nodes_without_a_way_have_no_time(void **state)
{
    (void)state;
    const uint64_t edges[] = {0, 1, 1, 2};
    for (uint64_t nodes = 1; nodes <= 3; nodes++)
        for (size_t links = 0; links < nodes; links++) {
            cn_topology *t;
            double lower = -1.0, upper = -1.0;
            cn_known kind;
            assert_ok(cn_topology_from_edges(nodes, edges, links, NULL, &t));
            cn_status status =
                cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper, &kind);
            assert_int_equal(status, links == nodes - 1 ? CN_OK : CN_ERR_DISCONNECTED);
            assert_true(upper == (status == CN_OK ? (double)links : -1.0));
            cn_topology_free(&t);
        }
}

/* The schedule along one dimension after another has more than 2^32 steps. */
static void bounds_of_long_sides_do_not_wrap(void **state)
{
    (void)state;
    const uint64_t sides[] = {UINT64_C(8589934592), 3};
    cn_topology *t;
    double lower, upper;
    cn_known kind;
    assert_ok(cn_topology_torus(sides, 2, &t));
    cn_status status =
        cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper, &kind);
    assert_true(status == CN_ERR_UNSUPPORTED || (status == CN_OK && lower <= upper));
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    const uint64_t edges[] = {0, 1, 2, 3};
    cn_topology *t;
    uint64_t lower, upper, nodes[4];
    uint32_t step[4];
    double f;
    cn_known kind;
    assert_ok(cn_topology_from_edges(4, edges, 2, NULL, &t));
    assert_fails(
        cn_topology_broadcast_schedule(t, 0, NULL, NULL, NULL, NULL, 0, &lower, &upper, &kind),
        CN_ERR_DISCONNECTED, "reaches 2 of its 4");
    assert_fails(cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &f, &f, &kind),
                 CN_ERR_DISCONNECTED, "reaches 2 of its 4");
    assert_fails(
        cn_topology_broadcast_schedule(t, 4, NULL, NULL, NULL, NULL, 0, &lower, &upper, &kind),
        CN_ERR_ARGUMENT, "source = 4");
    assert_fails(
        cn_topology_broadcast_schedule(t, 0, NULL, nodes, nodes, step, 2, &lower, &upper, &kind),
        CN_ERR_CAPACITY, "capacity = 2");
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(40, &t)); /* bounds alone need no memory where they are known */
    assert_ok(
        cn_topology_broadcast_schedule(t, 4, NULL, NULL, NULL, NULL, 0, &lower, &upper, &kind));
    assert_int_equal(lower, 40);
    assert_int_equal(upper, 40);
    assert_int_equal(kind, CN_KNOWN_CLOSED_FORM);
    cn_topology_free(&t);
    assert_ok(cn_topology_psnn(40, &t));
    assert_fails(
        cn_topology_broadcast_schedule(t, 4, NULL, NULL, NULL, NULL, 0, &lower, &upper, &kind),
        CN_ERR_UNSUPPORTED, "1099511627776");
    cn_topology_free(&t);
}

static cn_status build_and_broadcast(void *context)
{
    (void)context;
    double lower, upper;
    uint64_t low, high;
    uint64_t sender[16], receiver[16];
    uint32_t step[16];
    cn_known kind;
    cn_topology *t;
    cn_status status = cn_topology_psnn(4, &t);
    if (status == CN_OK)
        status =
            cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper, &kind);
    if (status == CN_OK)
        status = cn_topology_broadcast_schedule(t, 0, NULL, sender, receiver, step, 16, &low, &high,
                                                &kind);
    cn_topology_free(&t);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    support_fail_every_allocation(build_and_broadcast, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all_sets),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(doubling),
        cmocka_unit_test(bounds_without_search),
        cmocka_unit_test(meshes),
        cmocka_unit_test(shift_networks),
        cmocka_unit_test(odd_tori),
        cmocka_unit_test(dual_chords),
        cmocka_unit_test(one_node_and_two),
        cmocka_unit_test(checker),
        cmocka_unit_test(bounds_of_long_sides_do_not_wrap),
        cmocka_unit_test(few_nodes_without_a_way_have_no_time),
        cmocka_unit_test(errors),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

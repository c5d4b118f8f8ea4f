#include "routing/damage.h"

#include "cubenet/experimental/damage.h"

/* Whether steps in the directions of the orthant, in any order, lead from one node to the other. */
static int walks(const cn_topology *network, const cn_faults *faults, uint32_t n, uint64_t ups,
                 uint64_t from, uint64_t to)
{
    uint64_t here[8], there[8], next;
    if (cn_faults_has_node(faults, from))
        return 0;
    if (from == to)
        return 1;
    assert_ok(cn_topology_digits(network, from, here, 8, NULL));
    assert_ok(cn_topology_digits(network, to, there, 8, NULL));
    for (uint32_t d = 0; d < n; d++) {
        uint32_t port = (ups >> d & 1) != 0 ? n + d : d;
        if (here[d] == there[d] || cn_faults_has_link(faults, from, port))
            continue;
        assert_ok(cn_topology_neighbor(network, from, port, &next));
        if (walks(network, faults, n, ups, next, to))
            return 1;
    }
    return 0;
}

/* Dimensions that these directions take the long way. */
static uint64_t longs(const cn_topology *network, uint32_t n, uint64_t ups, uint64_t from,
                      uint64_t to)
{
    uint64_t here[8], there[8], sum = 0, k;
    assert_ok(cn_topology_radix(network, 0, &k));
    assert_ok(cn_topology_digits(network, from, here, 8, NULL));
    assert_ok(cn_topology_digits(network, to, there, 8, NULL));
    for (uint32_t d = 0; d < n; d++) {
        uint64_t up = (there[d] + k - here[d]) % k;
        sum += up != 0 && 2 * ((ups >> d & 1) != 0 ? up : k - up) > k;
    }
    return sum;
}

static void check(uint64_t k, uint32_t n, int two_way, double p, double links, uint64_t seed)
{
    cn_topology *network;
    cn_faults *faults;
    uint64_t expected[9] = {0}, apart = 0, counts[9], stretch[64], blocked;
    size_t count, length = 0;
    assert_ok(cn_topology_kary_ncube(k, n, two_way, &network));
    assert_ok(cn_faults_new(network, &faults));
    assert_ok(cn_faults_add_failing_nodes(faults, p, seed));
    assert_ok(cn_faults_add_failing_links(faults, links, seed));
    uint64_t nodes = cn_topology_node_count(network), orthants = two_way ? 1u << n : 1;
    for (uint64_t u = 0; u < nodes; u++)
        for (uint64_t v = 0; v < nodes; v++) {
            uint64_t fewest = UINT64_MAX;
            if (u == v || cn_faults_has_node(faults, u) || cn_faults_has_node(faults, v))
                continue;
            for (uint64_t ups = 0; ups < orthants; ups++) {
                uint64_t x = two_way ? longs(network, n, ups, u, v) : 0;
                if (x < fewest && walks(network, faults, n, ups, u, v))
                    fewest = x;
            }
            if (fewest == UINT64_MAX) {
                apart++;
                continue;
            }
            expected[fewest]++;
            length = fewest >= length ? fewest + 1 : length;
        }
    assert_ok(cn_faults_monotone_counts(faults, NULL, counts, 9, &count, &blocked));
    assert_int_equal(count, length);
    assert_int_equal(blocked, apart);
    assert_memory_equal(counts, expected, length * sizeof counts[0]);
    if (length > 0) {
        assert_fails(cn_faults_monotone_counts(faults, NULL, counts, 0, &count, NULL),
                     CN_ERR_CAPACITY, "capacity = 0");
        assert_ok(cn_faults_stretch_counts(faults, NULL, stretch, 64, &count, NULL));
        assert_int_equal(counts[0], stretch[0]);
    }
    cn_faults_free(&faults);
    cn_topology_free(&network);
}

static void counts_are_those_of_all_walks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (int two_way = 0; two_way < 2; two_way++) {
            check(7, 1, two_way, 0.1, 0.05, seed);
            check(3, 2, two_way, 0.1, 0.1, seed);
            check(4, 2, two_way, 0.2, 0, seed);
            check(5, 2, two_way, 0.1, 0.05, seed);
            check(3, 3, two_way, 0.1, 0.05, seed);
        }
    check(5, 2, 1, 0, 0, 1);
    check(5, 2, 1, 1, 0, 1);
}

/* A Boolean cube has one direction, so these are the minimal paths. */
static void in_a_boolean_cube_they_are_the_minimal_paths(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        check(2, 4, 0, 0.2, 0.1, seed);
}

/*
 * One fault in a two-way torus of odd arity: the only pairs without a minimal path are those on a
 * line with it, it being between them on the short way; the long way round the ring is then free.
 */
static void one_fault_sends_its_lines_the_long_way(void **state)
{
    (void)state;
    for (uint64_t k = 5; k <= 9; k += 2) {
        cn_topology *torus;
        cn_faults *faults;
        uint64_t counts[3], blocked, half = k / 2;
        size_t count;
        assert_ok(cn_topology_kary_ncube(k, 2, 1, &torus));
        assert_ok(cn_faults_new(torus, &faults));
        assert_ok(cn_faults_add_node(faults, 0));
        assert_ok(cn_faults_monotone_counts(faults, NULL, counts, 3, &count, &blocked));
        assert_int_equal(count, 2);
        assert_int_equal(blocked, 0);
        assert_int_equal(counts[1], 2 * half * (half - 1));
        cn_faults_free(&faults);
        cn_topology_free(&torus);
    }
}

static void other_networks_are_refused(void **state)
{
    (void)state;
    cn_topology *network;
    cn_faults *faults;
    uint64_t counts[20];
    size_t count;
    assert_fails(cn_faults_monotone_counts(NULL, NULL, counts, 20, &count, NULL), CN_ERR_ARGUMENT,
                 "faults");
    assert_ok(cn_topology_complete(5, &network));
    assert_ok(cn_faults_new(network, &faults));
    assert_fails(cn_faults_monotone_counts(faults, NULL, counts, 20, &count, NULL),
                 CN_ERR_UNSUPPORTED, "complete");
    assert_fails(cn_faults_monotone_counts(faults, NULL, NULL, 20, &count, NULL), CN_ERR_ARGUMENT,
                 "counts");
    cn_faults_free(&faults);
    cn_topology_free(&network);
    assert_ok(cn_topology_hypercube(13, &network));
    assert_ok(cn_faults_new(network, &faults));
    assert_fails(cn_faults_monotone_counts(faults, NULL, counts, 20, &count, NULL),
                 CN_ERR_UNSUPPORTED, "2^12");
    cn_faults_free(&faults);
    cn_topology_free(&network);
}

static cn_status count_all(void *context)
{
    cn_topology *torus = NULL;
    cn_faults *faults = NULL;
    uint64_t counts[3];
    (void)context;
    cn_status status = cn_topology_kary_ncube(4, 2, 1, &torus);
    if (status == CN_OK)
        status = cn_faults_new(torus, &faults);
    if (status == CN_OK)
        status = cn_faults_monotone_counts(faults, NULL, counts, 3, NULL, NULL);
    cn_faults_free(&faults);
    cn_topology_free(&torus);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    support_fail_every_allocation(count_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_all_walks),
        cmocka_unit_test(in_a_boolean_cube_they_are_the_minimal_paths),
        cmocka_unit_test(one_fault_sends_its_lines_the_long_way),
        cmocka_unit_test(other_networks_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

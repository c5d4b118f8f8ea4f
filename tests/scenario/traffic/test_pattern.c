/* The fixed patterns against their definitions, digit by digit and bit by bit. */
#include "support/support.h"

#include "scenario/traffic/pattern.h"
#include "topology/topology.h"

/* A definition: place i of the destination from the places of the source. */
typedef uint64_t (*place_fn)(const uint64_t from[], uint32_t places, uint32_t i, uint64_t base);

static uint64_t complemented(const uint64_t from[], uint32_t places, uint32_t i, uint64_t base)
{
    (void)places;
    return base - 1 - from[i];
}

static uint64_t reversed(const uint64_t from[], uint32_t places, uint32_t i, uint64_t base)
{
    (void)base;
    return from[places - 1 - i];
}

static uint64_t transposed(const uint64_t from[], uint32_t places, uint32_t i, uint64_t base)
{
    (void)base;
    return from[(i + places / 2) % places];
}

static uint64_t shuffled(const uint64_t from[], uint32_t places, uint32_t i, uint64_t base)
{
    (void)base;
    return from[(i + places - 1) % places];
}

static uint64_t tornado(const uint64_t from[], uint32_t places, uint32_t i, uint64_t base)
{
    (void)places;
    uint64_t half = base % 2 == 0 ? base / 2 : base / 2 + 1;
    return (from[i] + half - 1) % base;
}

static uint64_t neighbor(const uint64_t from[], uint32_t places, uint32_t i, uint64_t base)
{
    (void)places;
    return from[i] + 1 == base ? 0 : from[i] + 1;
}

static const place_fn definition[] = {NULL,     complemented, reversed, transposed,
                                      shuffled, tornado,      neighbor};

/* With places of the bases given, lowest first. Gives the topology up. */
static void check_pattern(cn_topology *topology, cn_pattern pattern, const uint64_t base[],
                          uint32_t places)
{
    cn_traffic *traffic;
    uint64_t nodes = cn_topology_node_count(topology), silent = 0, senders;
    assert_ok(cn_traffic_new(topology, pattern, &traffic));
    assert_int_equal(cn_traffic_pattern(traffic), pattern);
    for (uint64_t s = 0; s < nodes; s++) {
        uint64_t from[16], rest = s, destination = 0, stride = 1;
        double p;
        for (uint32_t i = 0; i < places; rest /= base[i], i++)
            from[i] = rest % base[i];
        for (uint32_t i = 0; i < places; stride *= base[i], i++)
            destination += stride * definition[pattern](from, places, i, base[i]);
        assert_int_equal(cni_traffic_destination(traffic, s, 0), destination);
        assert_int_equal(cni_traffic_sends(traffic, s), destination != s);
        silent += destination == s;
        for (uint64_t d = 0; d < nodes; d++) {
            assert_ok(cn_traffic_probability(traffic, s, d, &p));
            assert_true(p == (d == destination && d != s ? 1.0 : 0.0));
        }
    }
    assert_ok(cn_traffic_senders(traffic, &senders));
    assert_int_equal(senders, nodes - silent);
    cn_traffic_free(&traffic);
    cn_topology_free(&topology);
}

/* Beyond the table the senders are not counted, and the output stays. */
static void too_many_nodes_leave_the_senders_alone(void **state)
{
    (void)state;
    cn_topology *topology;
    cn_traffic *traffic;
    uint64_t senders = 77;
    assert_ok(cn_topology_hypercube(26, &topology));
    assert_ok(cn_traffic_new(topology, CN_PATTERN_TRANSPOSE, &traffic));
    assert_fails(cn_traffic_senders(traffic, &senders), CN_ERR_UNSUPPORTED, "hypercube(26)");
    assert_int_equal(senders, 77);
    cn_traffic_free(&traffic);
    cn_topology_free(&topology);
}

static const uint64_t bits[] = {2, 2, 2, 2, 2, 2, 2, 2};

static cn_topology *cube(uint32_t n)
{
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(n, &topology));
    return topology;
}

static cn_topology *kary(uint64_t k, uint32_t n, int bidirectional)
{
    cn_topology *topology;
    assert_ok(cn_topology_kary_ncube(k, n, bidirectional, &topology));
    return topology;
}

static void bit_patterns_permute_the_bits_of_a_cube(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 7; n++) {
        check_pattern(cube(n), CN_PATTERN_BIT_COMPLEMENT, bits, n);
        check_pattern(cube(n), CN_PATTERN_NEIGHBOR, bits, n); /* the same there */
        if (n >= 2) {
            check_pattern(cube(n), CN_PATTERN_BIT_REVERSE, bits, n);
            check_pattern(cube(n), CN_PATTERN_SHUFFLE, bits, n);
        }
        if (n % 2 == 0)
            check_pattern(cube(n), CN_PATTERN_TRANSPOSE, bits, n);
    }
}

static void bits_are_those_of_the_node_number_where_it_has_them(void **state)
{
    (void)state;
    static const uint64_t fours[] = {4, 4, 4};
    check_pattern(kary(4, 3, 1), CN_PATTERN_BIT_REVERSE, bits, 6);
    check_pattern(kary(4, 3, 0), CN_PATTERN_SHUFFLE, bits, 6);
    check_pattern(kary(8, 2, 1), CN_PATTERN_TRANSPOSE, bits, 6);
    check_pattern(kary(4, 3, 1), CN_PATTERN_BIT_COMPLEMENT, fours, 3); /* the same in both ways */
    check_pattern(kary(4, 3, 1), CN_PATTERN_BIT_COMPLEMENT, bits, 6);
    cn_topology *topology;
    static const uint64_t mixed[] = {4, 8};
    assert_ok(cn_topology_torus(mixed, 2, &topology));
    check_pattern(topology, CN_PATTERN_BIT_REVERSE, bits, 5);
    assert_ok(cn_topology_complete(16, &topology));
    check_pattern(topology, CN_PATTERN_TRANSPOSE, bits, 4);
    assert_ok(cn_topology_de_bruijn(4, &topology));
    check_pattern(topology, CN_PATTERN_SHUFFLE, bits, 4);
}

static void digits_take_the_place_of_bits_elsewhere(void **state)
{
    (void)state;
    static const uint64_t threes[] = {3, 3, 3}, fives[] = {5, 5}, sixes[] = {6, 6};
    check_pattern(kary(3, 3, 1), CN_PATTERN_BIT_REVERSE, threes, 3);
    check_pattern(kary(3, 3, 0), CN_PATTERN_SHUFFLE, threes, 3);
    check_pattern(kary(5, 2, 1), CN_PATTERN_TRANSPOSE, fives, 2);
    check_pattern(kary(5, 2, 0), CN_PATTERN_BIT_COMPLEMENT, fives, 2);
    cn_topology *mesh;
    assert_ok(cn_topology_mesh(sixes, 2, &mesh));
    check_pattern(mesh, CN_PATTERN_TRANSPOSE, sixes, 2);
    assert_ok(cn_topology_generalized_hypercube(3, 2, &mesh));
    check_pattern(mesh, CN_PATTERN_SHUFFLE, threes, 2);
}

static void digit_patterns_move_along_every_dimension(void **state)
{
    (void)state;
    static const uint64_t fives[] = {5, 5, 5}, fours[] = {4, 4, 4}, mixed[] = {2, 3, 5};
    cn_topology *topology;
    for (int way = 0; way < 2; way++) {
        check_pattern(kary(5, 3, way), CN_PATTERN_TORNADO, fives, 3);
        check_pattern(kary(4, 3, way), CN_PATTERN_TORNADO, fours, 3);
        check_pattern(kary(5, 3, way), CN_PATTERN_NEIGHBOR, fives, 3);
        check_pattern(kary(4, 3, way), CN_PATTERN_NEIGHBOR, fours, 3);
    }
    assert_ok(cn_topology_torus(mixed, 3, &topology));
    check_pattern(topology, CN_PATTERN_TORNADO, mixed, 3);
    assert_ok(cn_topology_mesh(mixed, 3, &topology));
    check_pattern(topology, CN_PATTERN_NEIGHBOR, mixed, 3);
}

static void check_undefined(cn_topology *topology, cn_pattern pattern, const char *why)
{
    cn_traffic *traffic = (cn_traffic *)&traffic;
    assert_fails(cn_traffic_new(topology, pattern, &traffic), CN_ERR_UNSUPPORTED, why);
    assert_null(traffic);
    cn_topology_free(&topology);
}

static void undefined_patterns_are_refused_with_the_reason(void **state)
{
    (void)state;
    cn_topology *topology;
    check_undefined(cube(5), CN_PATTERN_TRANSPOSE,
                    "has 5 bits, but transpose needs an even number");
    check_undefined(cube(1), CN_PATTERN_BIT_REVERSE, "two or more");
    check_undefined(cube(1), CN_PATTERN_SHUFFLE, "two or more");
    check_undefined(cube(5), CN_PATTERN_TORNADO, "0 in every dimension");
    check_undefined(kary(5, 3, 1), CN_PATTERN_TRANSPOSE, "has 3 digits");
    check_undefined(kary(5, 1, 1), CN_PATTERN_SHUFFLE, "has 1 digits");
    assert_ok(cn_topology_complete(9, &topology));
    check_undefined(topology, CN_PATTERN_BIT_REVERSE, "neither");
    assert_ok(cn_topology_complete(8, &topology));
    check_undefined(topology, CN_PATTERN_NEIGHBOR, "needs address digits");
    static const uint64_t mixed[] = {3, 5};
    assert_ok(cn_topology_torus(mixed, 2, &topology));
    check_undefined(topology, CN_PATTERN_TRANSPOSE, "neither");
}

/* What is NULL in a row says something: a pattern with a constructor of its own, a trace without
 * random destinations, no node that gets more than one sends, distances that follow from the
 * destinations. */
static void every_row_is_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i <= CN_PATTERN_TRACE; i++) {
        const cni_pattern_row *row = cni_pattern_row_of((cn_pattern)i);
        assert_true((row->check != NULL) == (i <= CN_PATTERN_NEIGHBOR));
        assert_true((row->destination == NULL) == (i == CN_PATTERN_TRACE));
        assert_true(row->sends != NULL && row->share != NULL);
        assert_true((row->next_destination == NULL) == (row->add_distances != NULL));
    }
    assert_null(cni_pattern_row_of((cn_pattern)(CN_PATTERN_TRACE + 1)));
    assert_null(cni_pattern_row_of((cn_pattern)-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bit_patterns_permute_the_bits_of_a_cube),
        cmocka_unit_test(bits_are_those_of_the_node_number_where_it_has_them),
        cmocka_unit_test(digits_take_the_place_of_bits_elsewhere),
        cmocka_unit_test(digit_patterns_move_along_every_dimension),
        cmocka_unit_test(undefined_patterns_are_refused_with_the_reason),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(too_many_nodes_leave_the_senders_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

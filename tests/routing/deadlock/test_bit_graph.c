#include "support/support.h"

#include "base/random.h"
#include "routing/deadlock/bit_graph.h"

enum { MOST = 130 };

/* All distances by Floyd and Warshall; the shortest way from a vertex to itself. */
static size_t shortest(const cni_bit_graph *graph)
{
    static size_t far[MOST][MOST];
    size_t n = graph->vertices, best = SIZE_MAX;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            far[a][b] = cni_has_bit(cni_bit_row(graph, a), b) ? 1 : MOST + 1;
    for (size_t via = 0; via < n; via++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                if (far[a][via] + far[via][b] < far[a][b])
                    far[a][b] = far[a][via] + far[via][b];
    for (size_t a = 0; a < n; a++)
        best = far[a][a] < best ? far[a][a] : best;
    return best > MOST ? 0 : best;
}

static void check(const cni_bit_graph *graph)
{
    uint32_t cycle[MOST];
    size_t length = SIZE_MAX, expected = shortest(graph);
    assert_ok(cni_shortest_cycle(graph, NULL, cycle, &length));
    assert_int_equal(length, expected);
    for (size_t i = 0; i < length; i++)
        assert_true(cni_has_bit(cni_bit_row(graph, cycle[i]), cycle[(i + 1) % length]));
}

/* From none to many edges, so that all lengths of shortest cycles come up. */
static void random_graphs(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 5, 17, 63, 64, 65, MOST};
    uint64_t word = 0, lengths = 0;
    for (size_t r = 0; r < sizeof sizes / sizeof sizes[0]; r++)
        for (uint64_t density = 0; density < 24; density++) {
            cni_bit_graph graph = {.rows = NULL};
            uint64_t edges = 0, n = sizes[r];
            uint32_t cycle[MOST];
            size_t length;
            assert_ok(cni_bit_graph_open(&graph, n));
            for (uint64_t i = 0; i < n * density / 8; i++) {
                uint64_t from = cni_random_mix(++word) % n, to = cni_random_mix(++word) % n;
                if (from == to && density % 6 != 5)
                    continue;
                edges += (uint64_t)!cni_has_bit(cni_bit_row(&graph, from), to);
                cni_set_bit(cni_bit_row(&graph, from), to);
            }
            assert_true(cni_bit_graph_edges(&graph) == edges);
            check(&graph);
            assert_ok(cni_shortest_cycle(&graph, NULL, cycle, &length));
            lengths |= UINT64_C(1) << length;
            cni_bit_graph_close(&graph);
        }
    assert_int_equal(lengths & 0x3f, 0x3f);
}

/* Rings of seven, six, ... three vertices, in this order, each joined to the one before. */
static void the_shorter_comes_later(void **state)
{
    (void)state;
    cni_bit_graph graph = {.rows = NULL};
    size_t first = 0;
    assert_ok(cni_bit_graph_open(&graph, 7 + 6 + 5 + 4 + 3));
    for (size_t length = 7; length >= 3; first += length--) {
        for (size_t i = 0; i < length; i++)
            cni_set_bit(cni_bit_row(&graph, first + i), first + (i + 1) % length);
        if (first > 0) /* also one way from ring to ring */
            cni_set_bit(cni_bit_row(&graph, first - 1), first);
        check(&graph);
    }
    cni_bit_graph_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(the_shorter_comes_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

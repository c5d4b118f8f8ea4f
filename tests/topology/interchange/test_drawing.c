/* Layouts and SVG: what a drawing must hold, and that everything in it is seen. */
#include "cubenet/experimental/hosts.h"
#include "topology/oracle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static char *svg_of(const cn_topology *t)
{
    size_t length;
    assert_fails(cn_topology_write(t, CN_FORMAT_SVG, NULL, NULL, 0, &length), CN_ERR_CAPACITY,
                 "capacity = 0");
    char *text = malloc(length + 1);
    assert_ok(cn_topology_write(t, CN_FORMAT_SVG, NULL, text, length + 1, NULL));
    assert_int_equal(strlen(text), length);
    return text;
}

typedef struct box {
    long x, y, width, height;
} box;

/* The boxes in their order, which is that of the nodes. */
static size_t read_boxes(const char *text, box boxes[MOST])
{
    size_t count = 0;
    const char *at = strstr(text, "<g class=\"nodes\"");
    while (count < MOST && (at = strstr(at, "<rect x=")) != NULL) {
        box *b = &boxes[count++];
        assert_int_equal(sscanf(at, "<rect x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%ld\"", &b->x,
                                &b->y, &b->width, &b->height),
                         4);
        at++;
    }
    return count;
}

static int holds(const box *b, double x, double y)
{
    return x > (double)b->x && x < (double)(b->x + b->width) && y > (double)b->y &&
           y < (double)(b->y + b->height);
}

/* Boxes that do not cover each other, inside the picture; links from box to box, each seen
 * whole. */
static void assert_drawn(const cn_topology *t)
{
    static box boxes[MOST];
    uint64_t nodes = cn_topology_node_count(t), links;
    long width, height;
    char *text = svg_of(t);
    assert_ok(cn_topology_link_count(t, &links));
    assert_int_equal(sscanf(strstr(text, "viewBox"), "viewBox=\"0 0 %ld %ld\"", &width, &height),
                     2);
    assert_int_equal(read_boxes(text, boxes), nodes);
    for (size_t v = 0; v < nodes; v++) {
        assert_true(boxes[v].x > 0 && boxes[v].x + boxes[v].width < width);
        assert_true(boxes[v].y > 0 && boxes[v].y + boxes[v].height < height);
        for (size_t w = 0; w < v; w++)
            assert_true(labs(boxes[v].x - boxes[w].x) >= boxes[v].width ||
                        labs(boxes[v].y - boxes[w].y) >= boxes[v].height);
    }
    const char *at = strstr(text, "<g class=\"links\"");
    const char *end = strstr(text, "<g class=\"nodes\"");
    assert_true(at != NULL && end > at);
    uint64_t drawn = 0;
    int hidden = 0;
    for (at = strstr(at, "<path d="); at != NULL && at < end; at = strstr(at + 1, "<path d=")) {
        long x[3], y[3];
        int curved = sscanf(at, "<path d=\"M%ld %ldQ%ld %ld %ld %ld", &x[0], &y[0], &x[1], &y[1],
                            &x[2], &y[2]) == 6;
        if (!curved) {
            assert_int_equal(sscanf(at, "<path d=\"M%ld %ldL%ld %ld", &x[0], &y[0], &x[2], &y[2]),
                             4);
            x[1] = (x[0] + x[2]) / 2;
            y[1] = (y[0] + y[2]) / 2;
        }
        drawn++;
        size_t ends = 0;
        for (size_t v = 0; v < nodes; v++) {
            int inside = 0, is_end = holds(&boxes[v], (double)x[0], (double)y[0]) ||
                                     (cn_topology_is_bidirectional(t) &&
                                      holds(&boxes[v], (double)x[2], (double)y[2]));
            for (int i = 0; i <= 200; i++) {
                double s = i / 200.0, u = 1 - s;
                double on_x =
                    u * u * (double)x[0] + 2 * u * s * (double)x[1] + s * s * (double)x[2];
                double on_y =
                    u * u * (double)y[0] + 2 * u * s * (double)y[1] + s * s * (double)y[2];
                assert_true(on_x > 0 && on_x < (double)width && on_y > 0 && on_y < (double)height);
                inside |= holds(&boxes[v], on_x, on_y);
            }
            ends += (size_t)is_end;
            hidden += inside && !is_end;
        }
        assert_int_equal(ends, cn_topology_is_bidirectional(t) ? 2 : 1);
    }
    assert_int_equal(drawn, links);
    if (hidden > 0)
        fail_msg("%d nodes hide links of %s", hidden, cn_topology_name(t));
    assert_int_equal(count_of(text, "<text "), nodes + 1);
    assert_int_equal(count_of(text, "marker-end"), cn_topology_is_bidirectional(t) ? 0 : 1);
    assert_non_null(strstr(text, cn_topology_name(t)));
    assert_null(strstr(text, "class=\"key\""));
    free(text);
}

static void every_family_is_drawn(void **state)
{
    (void)state;
    cn_topology *t;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        assert_drawn(t);
        cn_topology_free(&t);
    }
    for (uint32_t n = 1; n <= 6; n++) {
        assert_ok(cn_topology_hypercube(n, &t));
        assert_drawn(t);
        cn_topology_free(&t);
    }
}

/* Composed networks are of no family that has a layout of its own. */
static void composed_networks_are_drawn(void **state)
{
    (void)state;
    static const uint64_t sides[] = {3, 4};
    static const uint32_t lengths[] = {3};
    cn_topology *base, *composed, *both;
    assert_ok(cn_topology_torus(sides, 2, &base));
    assert_ok(cn_topology_with_hosts(base, 1, &composed));
    assert_drawn(composed);
    cn_topology_free(&composed);
    cn_topology_free(&base);
    assert_ok(cn_topology_ring(6, 1, &base));
    assert_ok(cn_topology_with_lengths(base, lengths, 1, NULL, &composed));
    assert_drawn(composed);
    assert_ok(cn_topology_with_hosts(composed, 2, &both));
    assert_drawn(both);
    cn_topology_free(&both);
    cn_topology_free(&composed);
    cn_topology_free(&base);
}

typedef struct layout {
    double x[MOST], y[MOST];
} layout;

static layout layout_of(const cn_topology *t)
{
    layout l;
    size_t count;
    assert_ok(cn_topology_layout(t, l.x, l.y, MOST, &count));
    assert_int_equal(count, cn_topology_node_count(t));
    return l;
}

static double apart(const layout *l, uint64_t v, uint64_t w)
{
    return hypot(l->x[v] - l->x[w], l->y[v] - l->y[w]);
}

static void cubes_are_nested_squares(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_hypercube(3, &t));
    layout l = layout_of(t);
    for (uint64_t v = 0; v < 4;
         v++) /* the inner square lies inside the outer one, on its diagonals */
        assert_true(l.x[v + 4] > l.x[0] && l.x[v + 4] < l.x[1] && l.y[v + 4] > l.y[0] &&
                    l.y[v + 4] < l.y[2] && (l.x[v + 4] - l.x[v]) * (v & 1 ? -1 : 1) > 0);
    cn_topology_free(&t);
}

static void rings_are_circles(void **state)
{
    (void)state;
    cn_topology *t[3];
    assert_ok(cn_topology_ring(12, 1, &t[0]));
    assert_ok(cn_topology_psnn(4, &t[1]));
    assert_ok(cn_topology_star(13, &t[2]));
    for (int i = 0; i < 3; i++) {
        layout l = layout_of(t[i]);
        uint64_t nodes = cn_topology_node_count(t[i]), first = i == 2 ? 1 : 0;
        double x = 0, y = 0;
        for (uint64_t v = first; v < nodes; v++) {
            x += l.x[v] / (double)(nodes - first);
            y += l.y[v] / (double)(nodes - first);
        }
        for (uint64_t v = first; v < nodes; v++) {
            assert_near(hypot(l.x[v] - x, l.y[v] - y), hypot(l.x[first] - x, l.y[first] - y), 1e-9);
            assert_true(v == first || apart(&l, v, v - 1) >= 1);
        }
        if (first == 1)
            assert_near(hypot(l.x[0] - x, l.y[0] - y), 0, 1e-9);
        cn_topology_free(&t[i]);
    }
}

static void tori_are_grids(void **state)
{
    (void)state;
    const uint64_t radices[] = {5, 4};
    cn_topology *t;
    assert_ok(cn_topology_torus(radices, 2, &t));
    layout l = layout_of(t);
    for (uint64_t v = 0; v < 20; v++) {
        assert_near(l.x[v], (double)(v % 5), 1e-9);
        assert_near(l.y[v], (double)(v / 5), 1e-9);
    }
    cn_topology_free(&t);
}

/* A parent above the middle of its children, in the family and as an edge list in any order. */
static void trees_are_trees(void **state)
{
    (void)state;
    static const uint64_t edges[] = {4, 0, 0, 2, 2, 1, 2, 3, 4, 5, 6, 4};
    cn_topology *t;
    assert_ok(cn_topology_tree(2, 3, &t));
    layout l = layout_of(t);
    for (uint64_t v = 0; v < 7; v++) {
        assert_near(l.x[v], 0.5 * (l.x[2 * v + 1] + l.x[2 * v + 2]), 1e-9);
        assert_true(l.y[v] > l.y[2 * v + 1] && l.y[2 * v + 1] == l.y[2 * v + 2]);
    }
    cn_topology_free(&t);
    assert_ok(cn_topology_from_edges(7, edges, 6, NULL, &t));
    l = layout_of(t);
    assert_true(l.y[0] > l.y[4] && l.y[4] == l.y[2] && l.y[2] > l.y[1] && l.y[1] == l.y[5]);
    assert_drawn(t);
    cn_topology_free(&t);
}

/* By stress, a mesh given by its links alone is unfolded: far is far on paper, too. */
static void distances_are_seen(void **state)
{
    (void)state;
    uint64_t edges[2 * 40], count = 0;
    cn_topology *t;
    for (uint64_t v = 0; v < 25; v++) {
        if (v % 5 < 4)
            edges[count++] = v, edges[count++] = v + 1;
        if (v < 20)
            edges[count++] = v, edges[count++] = v + 5;
    }
    assert_ok(cn_topology_from_edges(25, edges, count / 2, NULL, &t));
    layout l = layout_of(t);
    double shortest = apart(&l, 0, 1), longest = shortest;
    for (uint64_t i = 0; i < count; i += 2) {
        shortest = fmin(shortest, apart(&l, edges[i], edges[i + 1]));
        longest = fmax(longest, apart(&l, edges[i], edges[i + 1]));
    }
    assert_true(shortest >= 1 && longest < 1.4 * shortest);
    assert_true(apart(&l, 0, 24) > 5 * shortest && apart(&l, 4, 20) > 5 * shortest);
    assert_drawn(t);
    cn_topology_free(&t);
}

static void limits(void **state)
{
    (void)state;
    static double x[CN_DRAWING_NODES], y[CN_DRAWING_NODES];
    cn_topology *t;
    size_t count = 0;
    assert_ok(cn_topology_hypercube(11, &t));
    assert_fails(cn_topology_write(t, CN_FORMAT_SVG, NULL, NULL, 0, NULL), CN_ERR_UNSUPPORTED,
                 "hypercube(11) has 2048 nodes, but a drawing has at most 1024");
    assert_ok(cn_topology_write(t, CN_FORMAT_DOT, NULL, NULL, 0, &count) == CN_ERR_CAPACITY
                  ? CN_OK
                  : CN_ERR_ARGUMENT);
    assert_true(count > 2048 * 20);
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(10, &t));
    assert_fails(cn_topology_layout(t, x, y, 1023, &count), CN_ERR_CAPACITY, "capacity = 1023");
    assert_int_equal(count, 1024);
    assert_fails(cn_topology_layout(t, NULL, y, 1024, &count), CN_ERR_ARGUMENT, "x is NULL");
    assert_fails(cn_topology_layout(t, x, NULL, 1024, &count), CN_ERR_ARGUMENT, "y is NULL");
    assert_fails(cn_topology_layout(NULL, x, y, 1024, &count), CN_ERR_ARGUMENT, "topology is NULL");
    assert_ok(cn_topology_layout(t, x, y, 1024, NULL));
    char *text = svg_of(t); /* too many for labels */
    assert_int_equal(count_of(text, "<text "), 1);
    assert_int_equal(count_of(text, "<path "), 5120);
    free(text);
    cn_topology_free(&t);
}

static cn_status draw_all(void *context)
{
    (void)context;
    static const uint64_t edges[] = {0, 1, 1, 2, 2, 3, 3, 0, 0, 2};
    double x[MOST], y[MOST];
    cn_topology *t;
    cn_status status = cn_topology_from_edges(4, edges, 5, NULL, &t);
    if (status == CN_OK)
        status = cn_topology_layout(t, x, y, MOST, NULL);
    if (status == CN_OK)
        status = cn_topology_write(t, CN_FORMAT_SVG, NULL, NULL, 0, NULL);
    cn_topology_free(&t);
    return status == CN_ERR_CAPACITY ? CN_OK : status;
}

static void out_of_memory(void **state)
{
    (void)state;
    support_fail_every_allocation(draw_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_is_drawn),
        cmocka_unit_test(composed_networks_are_drawn),
        cmocka_unit_test(cubes_are_nested_squares),
        cmocka_unit_test(rings_are_circles),
        cmocka_unit_test(tori_are_grids),
        cmocka_unit_test(trees_are_trees),
        cmocka_unit_test(distances_are_seen),
        cmocka_unit_test(limits),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

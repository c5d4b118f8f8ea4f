#include "routing/damage.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 65536 };

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

/* The line that begins with this, without its end. */
static const char *line_of(const char *text, const char *begin)
{
    static char line[1024];
    const char *at = strstr(text, begin);
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    return line;
}

static void assert_line(const char *text, const char *begin, const char *part)
{
    assert_non_null(strstr(line_of(text, begin), part));
}

/* Figure 5.1 with a faulty link between 1100 and 1110. */
static void figure_5_1(cn_topology **cube, cn_faults **faults)
{
    damage_figure_5_1(cube, faults);
    assert_ok(cn_faults_add_link(*faults, 12, 1));
}

static void faults_are_drawn(void **state)
{
    (void)state;
    static char text[ROOM];
    size_t length;
    cn_topology *cube;
    cn_faults *faults;
    figure_5_1(&cube, &faults);
    assert_ok(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, text, sizeof text, &length));
    assert_int_equal(length, strlen(text));
    assert_int_equal(strncmp(text, "graph \"hypercube(4)\" {\n", 23), 0);
    assert_string_equal(text + length - 2, "}\n");
    assert_int_equal(count_of(text, "[label="), 16);
    assert_int_equal(count_of(text, "fillcolor=\"black\""), 5);
    assert_int_equal(count_of(text, " -- "), 32);
    assert_int_equal(count_of(text, "dashed"), 1);
    /* 5 times 4, less 0010-0011 and 0011-0111; and the key */
    assert_int_equal(count_of(text, "#BBBBBB"), 18 + 1);
    assert_int_equal(count_of(text, "outputorder=edgesfirst"), 1);
    assert_line(text, "  key [", "faulty node</FONT>");
    assert_line(text, "  key [", "faulty link");
    assert_null(strstr(text, "disabled"));
    assert_null(strstr(text, "between"));
    assert_int_equal(count_of(text, "pos="), 16 + 1);
    assert_line(text, "  7 [", "label=\"0111\", fillcolor=\"black\"");
    assert_line(text, "  12 -- 14", "dashed");
    assert_string_equal(line_of(text, "  12 -- 13"), "  12 -- 13;");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void subnets_are_drawn(void **state)
{
    (void)state;
    static char text[ROOM];
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    assert_ok(cn_subnet_draw(subnet, CN_FORMAT_DOT, NULL, text, sizeof text, NULL));
    assert_int_equal(count_of(text, "fillcolor=\"black\""), 5);
    assert_int_equal(count_of(text, "filled,dashed"), 2);
    assert_line(text, "  key [", "disabled node");
    assert_line(text, "  key [", "link of such a node");
    assert_null(strstr(line_of(text, "  key ["), "faulty link"));
    assert_line(text, "  6 [", "filled,dashed");
    assert_line(text, "  11 [", "filled,dashed");
    assert_line(text, "  11 -- 15", "#BBBBBB");
    assert_string_equal(line_of(text, "  14 -- 15"), "  14 -- 15;");
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void clusters_are_coloured(void **state)
{
    (void)state;
    static char text[ROOM];
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *hierarchy;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
    assert_ok(cn_hierarchy_draw(hierarchy, CN_FORMAT_DOT, NULL, text, sizeof text, NULL));
    assert_line(text, "  key [", "BGCOLOR=\"#CFE8F7\"><FONT COLOR=\"black\">cluster XX0X<");
    assert_line(text, "  key [", "BGCOLOR=\"#F9DDB5\"><FONT COLOR=\"black\">cluster XX1X<");
    assert_int_equal(count_of(text, "[label="), 16);
    assert_line(text, "  8 -- 10", "#0072B2"); /* between clusters */
    assert_string_equal(line_of(text, "  10 -- 11"), "  10 -- 11;");
    assert_line(text, "  key [", "link between clusters");
    /* each working node has the colour of its cluster */
    for (uint64_t v = 0; v < 16; v++) {
        static const char *const colours[] = {"#CFE8F7", "#F9DDB5"};
        char begin[16];
        uint32_t cluster;
        snprintf(begin, sizeof begin, "\n  %d [", (int)v);
        assert_ok(cn_hierarchy_cluster_of(hierarchy, v, &cluster));
        assert_line(text, begin + 1, cluster == CN_NO_CLUSTER ? "black" : colours[cluster]);
    }
    cn_hierarchy_free(&hierarchy);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* What is seen of a damaged network in each of its three drawings as SVG. */
static void svg_has_all_of_it(void **state)
{
    (void)state;
    static char text[ROOM];
    size_t length;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    cn_hierarchy *hierarchy;
    figure_5_1(&cube, &faults);
    assert_ok(cn_faults_draw(faults, CN_FORMAT_SVG, NULL, text, sizeof text, &length));
    assert_int_equal(length, strlen(text));
    const char *links = strstr(text, "<g class=\"links\""),
               *nodes = strstr(text, "<g class=\"nodes\"");
    const char *key = strstr(text, "<g class=\"key\"");
    assert_true(links != NULL && nodes > links &&
                key > nodes); /* what is put later covers the rest */
    assert_int_equal(count_of(links, "<path ") - count_of(nodes, "<path "), 32);
    assert_int_equal(count_of(nodes, "<rect ") - count_of(key, "<rect "), 16);
    assert_int_equal(count_of(nodes, "<rect ") - count_of(nodes, "rx=\"40\"/>"), 5 + 1);
    assert_int_equal(count_of(text, "fill=\"black\""), 5 + 1);
    assert_int_equal(count_of(text, "stroke=\"#D50000\" stroke-dasharray"), 1 + 1);
    assert_int_equal(count_of(text, "stroke=\"#BBBBBB\""), 18 + 1);
    assert_int_equal(count_of(key, "<text "), 3);
    assert_non_null(strstr(key, ">faulty node<"));
    assert_non_null(strstr(key, ">faulty link<"));
    assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    assert_ok(cn_subnet_draw(subnet, CN_FORMAT_SVG, NULL, text, sizeof text, NULL));
    assert_int_equal(count_of(strstr(text, "<g class=\"key\""), "<text "), 4);
    assert_non_null(strstr(text, ">disabled node<"));
    assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
    assert_ok(cn_hierarchy_draw(hierarchy, CN_FORMAT_SVG, NULL, text, sizeof text, NULL));
    assert_non_null(strstr(text, ">cluster XX1X<"));
    assert_fails(cn_faults_draw(NULL, CN_FORMAT_SVG, NULL, text, 9, NULL), CN_ERR_ARGUMENT,
                 "faults");
    assert_fails(cn_subnet_draw(NULL, CN_FORMAT_SVG, NULL, text, 9, NULL), CN_ERR_ARGUMENT,
                 "subnet");
    assert_fails(cn_hierarchy_draw(NULL, CN_FORMAT_SVG, NULL, text, 9, NULL), CN_ERR_ARGUMENT,
                 "hierarchy");
    cn_hierarchy_free(&hierarchy);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    assert_ok(cn_topology_hypercube(11, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    assert_fails(cn_faults_draw(faults, CN_FORMAT_SVG, NULL, text, sizeof text, NULL),
                 CN_ERR_UNSUPPORTED,
                 "cn_faults_draw: hypercube(11) has 2048 nodes, but a drawing has at most 1024");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    /* an undamaged network needs no key */
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_draw(faults, CN_FORMAT_SVG, NULL, text, sizeof text, NULL));
    assert_null(strstr(text, "class=\"key\""));
    assert_ok(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, text, sizeof text, NULL));
    assert_null(strstr(text, "key ["));
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* More clusters than colours, and a line of the key that is full. */
static void many_clusters_share_colours(void **state)
{
    (void)state;
    static char text[1 << 20];
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *hierarchy;
    assert_ok(cn_topology_hypercube(10, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    for (uint64_t v = 0; v < 1024; v++)
        if ((v * v * 2654435761u >> 20) % 3 == 0)
            assert_ok(cn_faults_add_node(faults, v));
    assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
    assert_true(cn_hierarchy_cluster_count(hierarchy) > 20);
    assert_ok(cn_hierarchy_draw(hierarchy, CN_FORMAT_SVG, NULL, text, sizeof text, NULL));
    const char *key = strstr(text, "<g class=\"key\"");
    assert_int_equal(count_of(key, ">cluster "), 10);
    assert_int_equal(count_of(key, "...</text>"), 10);
    cn_hierarchy_free(&hierarchy);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void other_networks_are_drawn(void **state)
{
    (void)state;
    static char text[ROOM];
    cn_topology *ring;
    cn_faults *faults;
    assert_ok(cn_topology_kary_ncube(5, 1, 0, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    assert_ok(cn_faults_add_link(faults, 4, 0));
    assert_ok(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, text, sizeof text, NULL));
    assert_int_equal(strncmp(text, "digraph ", 8), 0);
    assert_int_equal(count_of(text, " -> "), 5);
    uint64_t far;
    char begin[16];
    assert_ok(cn_topology_neighbor(ring, 4, 0, &far));
    snprintf(begin, sizeof begin, "  4 -> %d", (int)far);
    assert_line(text, begin, "dashed");
    assert_int_equal(count_of(text, "style=dashed"), 1);
    assert_line(text, "  key [", "faulty link");
    assert_null(strstr(line_of(text, "  key ["), "node<"));
    assert_int_equal(count_of(text, "pos="), 5 + 1);
    cn_faults_free(&faults);
    cn_topology_free(&ring);
    /* more ports than links can fail on */
    assert_ok(cn_topology_complete(70, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    size_t length;
    assert_fails(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, NULL, 0, &length), CN_ERR_CAPACITY,
                 "capacity = 0");
    assert_true(length > 70 * 69 / 2 * 8);
    cn_faults_free(&faults);
    cn_topology_free(&ring);
}

static void too_little_room_is_told(void **state)
{
    (void)state;
    static char text[ROOM];
    size_t length, again;
    cn_topology *cube;
    cn_faults *faults;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, text, sizeof text, &length));
    text[0] = '?';
    assert_fails(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, text, length, &again), CN_ERR_CAPACITY,
                 "needs");
    assert_int_equal(again, length);
    assert_int_equal(text[0], '?');
    assert_ok(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, text, length + 1, NULL));
    assert_fails(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, NULL, 9, NULL), CN_ERR_ARGUMENT,
                 "text");
    assert_fails(cn_faults_draw(NULL, CN_FORMAT_DOT, NULL, text, 9, NULL), CN_ERR_ARGUMENT,
                 "faults");
    assert_fails(cn_subnet_draw(NULL, CN_FORMAT_DOT, NULL, text, 9, NULL), CN_ERR_ARGUMENT,
                 "subnet");
    assert_fails(cn_hierarchy_draw(NULL, CN_FORMAT_DOT, NULL, text, 9, NULL), CN_ERR_ARGUMENT,
                 "hierarchy");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_drawn),
        cmocka_unit_test(subnets_are_drawn),
        cmocka_unit_test(clusters_are_coloured),
        cmocka_unit_test(svg_has_all_of_it),
        cmocka_unit_test(many_clusters_share_colours),
        cmocka_unit_test(other_networks_are_drawn),
        cmocka_unit_test(too_little_room_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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
    assert_ok(cn_faults_dot(faults, text, sizeof text, &length));
    assert_int_equal(length, strlen(text));
    assert_int_equal(strncmp(text, "graph \"hypercube(4)\" {\n", 23), 0);
    assert_string_equal(text + length - 2, "}\n");
    assert_int_equal(count_of(text, "[label="), 16);
    assert_int_equal(count_of(text, "fillcolor=black"), 5);
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
    assert_line(text, "  7 [", "label=\"0111\", fillcolor=black");
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
    assert_ok(cn_subnet_dot(subnet, text, sizeof text, NULL));
    assert_int_equal(count_of(text, "fillcolor=black"), 5);
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

static void clusters_are_boxes(void **state)
{
    (void)state;
    static char text[ROOM];
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *hierarchy;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
    assert_ok(cn_hierarchy_dot(hierarchy, text, sizeof text, NULL));
    assert_int_equal(count_of(text, "subgraph cluster_"), 2);
    assert_int_equal(count_of(text, "label=\"XX0X\""), 1);
    assert_int_equal(count_of(text, "label=\"XX1X\""), 1);
    assert_int_equal(count_of(text, "[label="), 16);
    assert_int_equal(count_of(text, "pos="), 0);
    assert_line(text, "  8 -- 10", "#0072B2"); /* between clusters */
    assert_string_equal(line_of(text, "  10 -- 11"), "  10 -- 11;");
    assert_line(text, "  key [", "link between clusters");
    /* each working node is in the box of its cluster */
    for (uint64_t v = 0; v < 16; v++) {
        char begin[16];
        uint32_t cluster, box = CN_NO_CLUSTER;
        snprintf(begin, sizeof begin, "\n  %d [", (int)v);
        const char *at = strstr(text, begin), *open = NULL;
        assert_ok(cn_hierarchy_cluster_of(hierarchy, v, &cluster));
        for (const char *s = strstr(text, "subgraph"); s != NULL && s < at;
             s = strstr(s + 1, "subgraph"))
            open = s;
        if (open != NULL && strstr(open, "\n  }\n") > at)
            box = (uint32_t)(open[strlen("subgraph cluster_")] - '0');
        assert_int_equal(box, cluster);
    }
    cn_hierarchy_free(&hierarchy);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* Whether the line from a to b, in tenths of an inch, passes the box of a label around c. */
static int passes(const int a[2], const int b[2], const int c[2], double width)
{
    const double half[2] = {width / 2, 1.5};
    double from = 0, to = 1;
    for (int i = 0; i < 2; i++) {
        double step = b[i] - a[i], at = c[i] - a[i];
        if (b[i] == a[i]) {
            if (at <= -half[i] || at >= half[i])
                return 0;
            continue;
        }
        double in = (at - (step > 0 ? half[i] : -half[i])) / step;
        double out = (at + (step > 0 ? half[i] : -half[i])) / step;
        from = in > from ? in : from;
        to = out < to ? out : to;
    }
    return from < to;
}

static void read_places(const char *text, int nodes, int place[][2])
{
    for (int v = 0; v < nodes; v++) {
        char begin[16];
        int part[4];
        snprintf(begin, sizeof begin, "\n  %d [", v);
        const char *at = strstr(text, begin);
        assert_non_null(at);
        assert_int_equal(sscanf(strstr(at, "pos="), "pos=\"%d.%d,%d.%d!", &part[0], &part[1],
                                &part[2], &part[3]),
                         4);
        place[v][0] = 10 * part[0] + part[1];
        place[v][1] = 10 * part[2] + part[3];
    }
}

static void no_link_runs_behind_a_node(void **state)
{
    (void)state;
    static char text[ROOM];
    for (uint32_t n = 1; n <= 6; n++) {
        cn_topology *cube;
        cn_faults *faults;
        int place[64][2];
        const int nodes = 1 << n;
        const double width = 0.93 * n + 1.2; /* digits of 12 points and the margin */
        assert_ok(cn_topology_hypercube(n, &cube));
        assert_ok(cn_faults_new(cube, &faults));
        assert_ok(cn_faults_dot(faults, text, sizeof text, NULL));
        assert_null(strstr(text, "key")); /* nothing to explain */
        read_places(text, nodes, place);
        for (int u = 0; u < nodes; u++)
            for (int w = 0; w < nodes; w++) {
                assert_true(u == w || !passes(place[u], place[u], place[w], width));
                for (int bit = 1; bit < nodes && n <= 5; bit *= 2)
                    assert_true(u == w || (u ^ bit) == w ||
                                !passes(place[u], place[u ^ bit], place[w], width));
            }
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
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
    assert_ok(cn_faults_dot(faults, text, sizeof text, NULL));
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
    assert_int_equal(count_of(text, "pos="), 0);
    cn_faults_free(&faults);
    cn_topology_free(&ring);
    /* more ports than links can fail on */
    assert_ok(cn_topology_complete(70, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    size_t length;
    assert_fails(cn_faults_dot(faults, NULL, 0, &length), CN_ERR_CAPACITY, "capacity = 0");
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
    assert_ok(cn_faults_dot(faults, text, sizeof text, &length));
    text[0] = '?';
    assert_fails(cn_faults_dot(faults, text, length, &again), CN_ERR_CAPACITY, "needs");
    assert_int_equal(again, length);
    assert_int_equal(text[0], '?');
    assert_ok(cn_faults_dot(faults, text, length + 1, NULL));
    assert_fails(cn_faults_dot(faults, NULL, 9, NULL), CN_ERR_ARGUMENT, "text");
    assert_fails(cn_faults_dot(NULL, text, 9, NULL), CN_ERR_ARGUMENT, "faults");
    assert_fails(cn_subnet_dot(NULL, text, 9, NULL), CN_ERR_ARGUMENT, "subnet");
    assert_fails(cn_hierarchy_dot(NULL, text, 9, NULL), CN_ERR_ARGUMENT, "hierarchy");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_drawn),         cmocka_unit_test(subnets_are_drawn),
        cmocka_unit_test(clusters_are_boxes),       cmocka_unit_test(no_link_runs_behind_a_node),
        cmocka_unit_test(other_networks_are_drawn), cmocka_unit_test(too_little_room_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

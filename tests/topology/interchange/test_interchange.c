#include "topology/oracle.h"

#include <string.h>

static cn_status read_text(cn_format format, const char *text, cn_topology **t)
{
    return cn_topology_read(format, text, strlen(text), 0, NULL, t);
}

static char *text_of(const cn_topology *t, cn_format format)
{
    size_t length, again;
    assert_fails(cn_topology_write(t, format, NULL, NULL, 0, &length), CN_ERR_CAPACITY,
                 "capacity = 0");
    char *text = malloc(length + 1);
    assert_fails(cn_topology_write(t, format, NULL, text, length, &again), CN_ERR_CAPACITY,
                 "capacity");
    assert_ok(cn_topology_write(t, format, NULL, text, length + 1, &again));
    assert_int_equal(again, length);
    assert_int_equal(strlen(text), length);
    return text;
}

/* Written and read again, every network has the same nodes and links. */
static void there_and_back(void **state)
{
    (void)state;
    cn_topology *t, *back;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++)
        for (int f = CN_FORMAT_EDGES; f <= CN_FORMAT_METIS; f++) {
            char *text = text_of(t, (cn_format)f);
            assert_ok(read_text((cn_format)f, text, &back));
            uint64_t nodes = cn_topology_node_count(t), links, links_back;
            assert_int_equal(cn_topology_node_count(back), nodes);
            assert_ok(cn_topology_link_count(t, &links));
            assert_ok(cn_topology_link_count(back, &links_back));
            assert_int_equal(links, links_back);
            for (uint64_t u = 0; u < nodes; u++)
                for (uint64_t v = 0; v < nodes; v++) {
                    uint32_t port, port_back;
                    assert_ok(cn_topology_port_to(t, u, v, &port));
                    assert_ok(cn_topology_port_to(back, u, v, &port_back));
                    assert_int_equal(port == CN_NO_PORT, port_back == CN_NO_PORT);
                }
            free(text);
            cn_topology_free(&back);
            if (f == CN_FORMAT_METIS)
                cn_topology_free(&t);
        }
}

static void exact_text(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_hypercube(2, &t));
    const char *expected[] = {
        "# nodes 4\n0 1\n0 2\n1 3\n2 3\n",
        "4 4\n2 3\n1 4\n4 1\n3 2\n",
        "graph \"hypercube(2)\" {\n  outputorder=edgesfirst;\n  layout=neato; splines=true;\n"
        "  node [shape=box, style=filled, fillcolor=white, height=0.3, width=0.3, "
        "margin=\"0.06,0.03\", fontname=Helvetica, fontsize=12];\n  edge [color=\"#444444\"];\n"
        "  0 [label=\"00\", pos=\"0.00,0.00!\"];\n  1 [label=\"01\", pos=\"0.64,0.00!\"];\n"
        "  2 [label=\"10\", pos=\"0.00,0.64!\"];\n  3 [label=\"11\", pos=\"0.64,0.64!\"];\n"
        "  0 -- 1;\n  0 -- 2;\n  1 -- 3;\n  2 -- 3;\n}\n",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"address\" for=\"node\" attr.name=\"address\" attr.type=\"string\"/>\n"
        "  <graph id=\"hypercube(2)\" edgedefault=\"undirected\">\n"
        "    <node id=\"n0\"><data key=\"address\">00</data></node>\n"
        "    <node id=\"n1\"><data key=\"address\">01</data></node>\n"
        "    <node id=\"n2\"><data key=\"address\">10</data></node>\n"
        "    <node id=\"n3\"><data key=\"address\">11</data></node>\n"
        "    <edge source=\"n0\" target=\"n1\"/>\n    <edge source=\"n0\" target=\"n2\"/>\n"
        "    <edge source=\"n1\" target=\"n3\"/>\n    <edge source=\"n2\" target=\"n3\"/>\n"
        "  </graph>\n</graphml>\n",
    };
    for (int f = 1; f <= 4; f++) {
        char *text = text_of(t, (cn_format)f);
        assert_string_equal(text, expected[f - 1]);
        free(text);
    }
    cn_topology_free(&t);
    assert_ok(cn_topology_ring(3, 0, &t));
    char *text = text_of(t, CN_FORMAT_DOT);
    assert_non_null(strstr(text, "digraph"));
    assert_non_null(strstr(text, "0 -> 2;"));
    assert_null(strstr(text, "2 -> 0;"));
    free(text);
    assert_fails(cn_topology_write(t, CN_FORMAT_METIS, NULL, NULL, 0, NULL), CN_ERR_UNSUPPORTED,
                 "unidirectional");
    cn_topology_free(&t);
}

/* A large network is put together from many pieces. */
static void pieces(void **state)
{
    (void)state;
    cn_topology *t;
    size_t lines = 0;
    assert_ok(cn_topology_hypercube(12, &t));
    char *text = text_of(t, CN_FORMAT_EDGES);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 1 + 12 * 2048);
    free(text);
    cn_topology_free(&t);
}

static void what_others_write(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t links;
    assert_ok(read_text(CN_FORMAT_EDGES, "% konect\r\n0 1\r\n\r\n  1\t2 \r\n", &t));
    assert_int_equal(cn_topology_node_count(t), 3);
    cn_topology_free(&t);
    assert_ok(read_text(CN_FORMAT_EDGES, "# nodes 5\n0 1", &t));
    assert_int_equal(cn_topology_node_count(t), 5);
    cn_topology_free(&t);
    /* sizes, two weights a node and weights of the links */
    assert_ok(
        read_text(CN_FORMAT_METIS, "% c\n3 2 111 2\n1 8 8 2 7\n1 8 8 1 7 3 9\n1 8 8 2 9\n", &t));
    assert_ok(cn_topology_link_count(t, &links));
    assert_int_equal(links, 2);
    cn_topology_free(&t);
    assert_ok(read_text(CN_FORMAT_METIS, "3 1\n2\n1\n\n", &t)); /* the last node is alone */
    assert_int_equal(cn_topology_node_count(t), 3);
    cn_topology_free(&t);
}

static void malformed(void **state)
{
    (void)state;
    cn_topology *t;
    assert_fails(read_text(CN_FORMAT_EDGES, "0 1\n0 x\n", &t), CN_ERR_ARGUMENT, "line 2");
    assert_null(t);
    assert_fails(read_text(CN_FORMAT_EDGES, "0 1 2\n", &t), CN_ERR_ARGUMENT, "more than two");
    assert_fails(read_text(CN_FORMAT_EDGES, "0\n1\n", &t), CN_ERR_ARGUMENT, "line 1");
    assert_fails(read_text(CN_FORMAT_EDGES, "0 -1\n", &t), CN_ERR_ARGUMENT, "whole number");
    assert_fails(read_text(CN_FORMAT_EDGES, "0 1.5\n", &t), CN_ERR_ARGUMENT, "whole number");
    assert_fails(read_text(CN_FORMAT_EDGES, "1 99999999999999999999\n", &t), CN_ERR_ARGUMENT,
                 "2^64");
    assert_fails(read_text(CN_FORMAT_EDGES, "0 1\n18446744073709551615 1\n", &t), CN_ERR_ARGUMENT,
                 "line 2: a node is above");
    assert_fails(read_text(CN_FORMAT_EDGES, "# nodes 2\n0 2\n", &t), CN_ERR_ARGUMENT, "edge 0");
    assert_fails(read_text(CN_FORMAT_EDGES, "1 1\n", &t), CN_ERR_ARGUMENT,
                 "node 1 is joined to 1, but");
    assert_fails(read_text(CN_FORMAT_EDGES, "0 1\n1 0\n", &t), CN_ERR_ARGUMENT, "more than once");
    assert_fails(read_text(CN_FORMAT_EDGES, "", &t), CN_ERR_ARGUMENT, "the text has 0 nodes");
    assert_fails(read_text(CN_FORMAT_METIS, "3 2\n2\n1 3\n", &t), CN_ERR_ARGUMENT, "ends before");
    assert_fails(read_text(CN_FORMAT_METIS, "3 2\n2\n1 4\n2\n", &t), CN_ERR_ARGUMENT, "1 to N");
    assert_fails(read_text(CN_FORMAT_METIS, "3 3\n2\n1 3\n2\n", &t), CN_ERR_ARGUMENT,
                 "number of links");
    /* more ends than the first line says: the nodes behind the end of the text are not walked
     * through */
    assert_fails(read_text(CN_FORMAT_METIS, "619999999999 0\n5 8\n5 11\n", &t), CN_ERR_ARGUMENT,
                 "number of links");
    assert_fails(read_text(CN_FORMAT_METIS, "4 2\n2\n3\n2\n1\n", &t), CN_ERR_ARGUMENT,
                 "does not list");
    assert_fails(read_text(CN_FORMAT_METIS, "3 2 7\n2\n1 3\n2\n", &t), CN_ERR_ARGUMENT, "fmt");
    assert_fails(read_text(CN_FORMAT_DOT, "graph {}", &t), CN_ERR_UNSUPPORTED, "dot");
    assert_fails(read_text((cn_format)9, "", &t), CN_ERR_ARGUMENT, "format = 9");
}

/* A few bytes that name many nodes cost nothing without the caller's word for it. */
static void node_limit(void **state)
{
    (void)state;
    const struct {
        cn_format format;
        const char *text;
    } bombs[] = {
        {CN_FORMAT_EDGES, "0 268435455"},
        {CN_FORMAT_EDGES, "# nodes 268435456\n"},
        {CN_FORMAT_METIS, "268435456 0"},
        {CN_FORMAT_EDGES, "0 4294967295"},
        {CN_FORMAT_EDGES, "# nodes 4294967296\n5 100000\n"},
        {CN_FORMAT_EDGES, "0 18446744073709551614"},
        {CN_FORMAT_EDGES, "0 1048576"},
    };
    cn_topology *t;
    support_install_allocator(0);
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        assert_fails(read_text(bombs[i].format, bombs[i].text, &t), CN_ERR_ARGUMENT,
                     "node_limit allows 1048576");
        assert_null(t);
    }
    assert_true(support_allocations() <= sizeof bombs / sizeof *bombs); /* the edges */
    support_remove_allocator();
    assert_ok(read_text(CN_FORMAT_EDGES, "0 1048575", &t));
    cn_topology_free(&t);
    assert_ok(cn_topology_read(CN_FORMAT_EDGES, "0 9", 3, 10, NULL, &t));
    cn_topology_free(&t);
    assert_fails(cn_topology_read(CN_FORMAT_EDGES, "0 9", 3, 9, NULL, &t), CN_ERR_ARGUMENT,
                 "has 10 nodes, but node_limit allows 9 for its 3 bytes");
    /* a longer text has room for more: 16 a byte */
    char *text = malloc(70000);
    memset(text, '\n', 70000);
    memcpy(text, "0 1119999", 9);
    assert_ok(cn_topology_read(CN_FORMAT_EDGES, text, 70000, 0, NULL, &t));
    cn_topology_free(&t);
    text[8] = '0', text[3] = '2'; /* 1219990 */
    assert_fails(cn_topology_read(CN_FORMAT_EDGES, text, 70000, 0, NULL, &t), CN_ERR_ARGUMENT,
                 "1120000");
    free(text);
}

static cn_status read_both(void *context)
{
    (void)context;
    cn_topology *t;
    cn_status status = read_text(CN_FORMAT_METIS, "3 2\n2\n1 3\n2\n", &t);
    cn_topology_free(&t);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    support_fail_every_allocation(read_both, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back), cmocka_unit_test(exact_text),
        cmocka_unit_test(pieces),         cmocka_unit_test(what_others_write),
        cmocka_unit_test(malformed),      cmocka_unit_test(node_limit),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

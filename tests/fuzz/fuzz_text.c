/*
 * All readers of text. The first character says which: e, m, d, g a network as edges, METIS, DOT,
 * GraphML; a an address, in the network that the next character names; s a subcube; n names. What a
 * reader accepts is written, read again, and must come out the same.
 */
#include "input.h"

#include <stdlib.h>
#include <string.h>

typedef cn_status (*text_fn)(const void *object, char text[], size_t capacity, size_t *length);

/* The text of an object. The length that is asked for is the one that is written, and a byte less
 * is too little. */
static char *written(const void *object, text_fn write, size_t *length)
{
    size_t needed = 0, got = 0;
    CHECK(CALL(write(object, NULL, 0, &needed)) == CN_ERR_CAPACITY);
    char *text = malloc(needed + 1);
    CHECK(text != NULL);
    if (needed > 0)
        CHECK(CALL(write(object, text, needed, &got)) == CN_ERR_CAPACITY && got == needed);
    CHECK(CALL(write(object, text, needed + 1, &got)) == CN_OK && got == needed);
    CHECK(strlen(text) == needed);
    *length = needed;
    return text;
}

/* ---- networks ---- */

static cn_status edges_text(const void *topology, char text[], size_t capacity, size_t *length)
{
    return cn_topology_write(topology, CN_FORMAT_EDGES, NULL, text, capacity, length);
}

static cn_status metis_text(const void *topology, char text[], size_t capacity, size_t *length)
{
    return cn_topology_write(topology, CN_FORMAT_METIS, NULL, text, capacity, length);
}

static cn_status dot_text(const void *topology, char text[], size_t capacity, size_t *length)
{
    return cn_topology_write(topology, CN_FORMAT_DOT, NULL, text, capacity, length);
}

static cn_status svg_text(const void *topology, char text[], size_t capacity, size_t *length)
{
    return cn_topology_write(topology, CN_FORMAT_SVG, NULL, text, capacity, length);
}

static cn_status graphml_text(const void *topology, char text[], size_t capacity, size_t *length)
{
    return cn_topology_write(topology, CN_FORMAT_GRAPHML, NULL, text, capacity, length);
}

static void check_same_graph(const cn_topology *a, const cn_topology *b)
{
    uint64_t links_a, links_b;
    CHECK(cn_topology_node_count(a) == cn_topology_node_count(b));
    CHECK(cn_topology_max_degree(a) == cn_topology_max_degree(b));
    CHECK(cn_topology_link_count(a, &links_a) == CN_OK);
    CHECK(cn_topology_link_count(b, &links_b) == CN_OK && links_a == links_b);
    for (uint64_t v = 0; v < cn_topology_node_count(a); v++) {
        uint32_t degree, other, port;
        CHECK(cn_topology_degree(a, v, &degree) == CN_OK);
        CHECK(cn_topology_degree(b, v, &other) == CN_OK && degree == other);
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t w;
            CHECK(cn_topology_neighbor(a, v, p, &w) == CN_OK);
            CHECK(cn_topology_port_to(b, v, w, &port) == CN_OK && port != CN_NO_PORT);
        }
    }
}

static void check_round_trip(const cn_topology *topology, cn_format format, text_fn write)
{
    size_t length, again;
    char *first = written(topology, write, &length);
    cn_topology *copy = NULL;
    CHECK(MAKES(cn_topology_read(format, first, length, 0, NULL, &copy), copy));
    check_same_graph(topology, copy);
    char *second = written(copy, write, &again);
    /* METIS lists neighbours by port, and ports are numbered as links appear */
    if (format == CN_FORMAT_EDGES)
        CHECK(length == again && memcmp(first, second, length) == 0);
    CHECK(length == again);
    free(first);
    free(second);
    cn_topology_free(&copy);
}

static void read_network(cn_format format, const char *text, size_t length)
{
    size_t unused;
    cn_topology *topology = (cn_topology *)(void *)&unused;
    if (!MAKES(cn_topology_read(format, text, length, 0, NULL, &topology), topology))
        return;
    if (cn_topology_node_count(topology) <= 4096) {
        check_round_trip(topology, CN_FORMAT_EDGES, edges_text);
        check_round_trip(topology, CN_FORMAT_METIS, metis_text);
        free(written(topology, dot_text, &unused));
        if (cn_topology_node_count(topology) <= 64)
            free(written(topology, svg_text, &unused));
        free(written(topology, graphml_text, &unused));
    }
    cn_topology_free(&topology);
}

/* ---- what is read with a network ---- */

static cn_topology *named_network(char letter)
{
    static const uint64_t radices[] = {3, 12, 2};
    cn_topology *topology = NULL;
    switch (letter) {
    case 'k':
        CHECK(cn_topology_kary_ncube(4, 2, 1, &topology) == CN_OK);
        break;
    case 'u':
        CHECK(cn_topology_kary_ncube(12, 2, 0, &topology) == CN_OK);
        break;
    case 't':
        CHECK(cn_topology_torus(radices, 3, &topology) == CN_OK);
        break;
    case 'g':
        CHECK(cn_topology_generalized_hypercube(5, 3, &topology) == CN_OK);
        break;
    case 'r':
        CHECK(cn_topology_tree(3, 3, &topology) == CN_OK);
        break;
    case 'b':
        CHECK(cn_topology_hypercube(62, &topology) == CN_OK);
        break;
    default:
        CHECK(cn_topology_hypercube(4, &topology) == CN_OK);
        break;
    }
    return topology;
}

static void read_address(const cn_topology *topology, const char *text)
{
    uint64_t node, again;
    char address[512];
    if (CALL(cn_topology_parse_address(topology, text, &node)) != CN_OK)
        return;
    CHECK(node < cn_topology_node_count(topology));
    CHECK(cn_topology_address_text(topology, node, address, sizeof address, NULL) == CN_OK);
    CHECK(strcmp(address, text) == 0);
    CHECK(cn_topology_parse_address(topology, address, &again) == CN_OK && again == node);
}

/* ---- what is read alone ---- */

static void read_subcube(const char *text)
{
    uint32_t n;
    uint64_t value, any;
    char again[64];
    if (CALL(cn_subcube_parse(text, &n, &value, &any)) != CN_OK)
        return;
    CHECK(n >= 1 && n <= 62 && (value & any) == 0 && (value | any) >> n == 0);
    CHECK(cn_subcube_text(n, value, any, again, sizeof again, NULL) == CN_OK);
    CHECK(strlen(text) == n);
    for (uint32_t i = 0; i < n; i++)
        CHECK(text[i] == again[i] || (text[i] == 'x' && again[i] == 'X'));
}

/* What is found has just this name. */
#define READ_NAME(type)                                    \
    do {                                                   \
        type found;                                        \
        if (CALL(type##_from_name(text, &found)) == CN_OK) \
            CHECK(strcmp(type##_name(found), text) == 0);  \
    } while (0)

static void read_names(const char *text)
{
    READ_NAME(cn_param);
    READ_NAME(cn_metric);
    for (int which = 0; which <= CN_ENUM_ATTACHMENT + 1; which++) {
        int value;
        if (CALL(cn_enum_from_name((cn_enum)which, text, &value)) == CN_OK)
            CHECK(strcmp(cn_enum_name((cn_enum)which, value), text) == 0);
    }
    for (int param = 0; param <= (int)cn_param_count(); param++) {
        double value;
        if (CALL(cn_param_choice_from_name((cn_param)param, text, &value)) == CN_OK)
            CHECK(strcmp(cn_param_choice_name((cn_param)param, (size_t)value), text) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    char kind = (char)input_byte(&in);
    cn_topology *topology = NULL;
    memory_begins();
    if (kind == 'a')
        topology = named_network((char)input_byte(&in));
    char *text = malloc(in.left + 1);
    CHECK(text != NULL);
    if (in.left > 0)
        memcpy(text, in.data, in.left);
    text[in.left] = '\0';
    switch (kind) {
    case 'm':
        read_network(CN_FORMAT_METIS, (const char *)in.data, in.left);
        break;
    case 'd':
        read_network(CN_FORMAT_DOT, (const char *)in.data, in.left);
        break;
    case 'g':
        read_network(CN_FORMAT_GRAPHML, (const char *)in.data, in.left);
        break;
    case 'a':
        read_address(topology, text);
        break;
    case 's':
        read_subcube(text);
        break;
    case 'n':
        read_names(text);
        break;
    default:
        read_network(CN_FORMAT_EDGES, (const char *)in.data, in.left);
        break;
    }
    free(text);
    cn_topology_free(&topology);
    memory_ends();
    return 0;
}

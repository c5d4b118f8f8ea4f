/* topology.h, address.h, interchange.h */
#include "given.h"

#include "cubenet/experimental/chord.h"
#include "cubenet/experimental/hosts.h"

static const char edge_text[] = "# nodes 5\n0 1\n1 2\n2 3\n3 0\n";
static const char metis_text[] = "3 2\n2\n1 3\n2\n";

/* Round a ring of five, and with a second port also back. */
static cn_status next_on_ring(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    (void)user;
    *neighbor = (node + (port == 0 ? 1 : 4)) % 5;
    return CN_OK;
}

static void disconnected(void)
{
    assert_ok(cn_topology_from_edges(4, (uint64_t[]){0, 1, 2, 3}, 2, NULL, &given.topology));
}

static void chordal(void)
{
    assert_ok(cn_topology_chordal_ring(16, 5, 0, &given.topology));
}

static void shuffle(void)
{
    assert_ok(cn_topology_shuffle_exchange(4, &given.topology));
}

static void de_bruijn(void)
{
    assert_ok(cn_topology_de_bruijn(4, &given.topology));
}

static void families(void)
{
    static const uint64_t radices[] = {4, 3, 2}, ends[] = {0, 1, 1, 2, 2, 0};
    FAILS(cn_topology_hypercube, nothing, 4, &made.topology);
    FAILS(cn_topology_kary_ncube, nothing, 3, 2, 0, &made.topology);
    FAILS(cn_topology_kary_ncube, nothing, 3, 2, 1, &made.topology);
    FAILS(cn_topology_kary_ncube, nothing, 2, 3, 1, &made.topology);
    FAILS(cn_topology_generalized_hypercube, nothing, 3, 2, &made.topology);
    FAILS(cn_topology_generalized_hypercube_mixed, nothing, radices, 3, &made.topology);
    FAILS(cn_topology_ring, nothing, 5, 1, &made.topology);
    FAILS(cn_topology_torus, nothing, radices, 3, &made.topology);
    FAILS(cn_topology_mesh, nothing, radices, 3, &made.topology);
    FAILS(cn_topology_complete, nothing, 5, &made.topology);
    FAILS(cn_topology_star, nothing, 5, &made.topology);
    FAILS(cn_topology_tree, nothing, 2, 3, &made.topology);
    FAILS(cn_topology_chordal_ring, nothing, 16, 5, 0, &made.topology);
    FAILS(cn_topology_chordal_ring, nothing, 16, 4, 1, &made.topology);
    FAILS(cn_chordal_ring_best_chord, nothing, 16, 0, NULL, &out.words[0][0], &out.words[0][1]);
    FAILS(cn_chordal_ring_best_chord, nothing, 16, 1, NULL, &out.words[0][0], &out.words[0][1]);
    FAILS(cn_topology_psnn, nothing, 4, &made.topology);
    FAILS(cn_topology_shuffle_exchange, nothing, 4, &made.topology);
    FAILS(cn_topology_de_bruijn, nothing, 4, &made.topology);
    FAILS(cn_topology_from_edges, nothing, 3, ends, 3, NULL, &made.topology);
    FAILS(cn_topology_from_edges, nothing, 3, NULL, 0, NULL, &made.topology);
    FAILS(cn_topology_with_hosts, cube, given.topology, 3, &made.topology);
    FAILS(cn_topology_with_lengths, general, given.topology, (uint32_t[]){3}, 1, NULL,
          &made.topology);
    FAILS(cn_topology_with_lengths, edges, given.topology, (uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8}, 8,
          NULL, &made.topology);
    FAILS(cn_topology_choose_hosts, edges, given.topology, ends, 2, NULL, &made.topology);
    FAILS(cn_topology_from_function, nothing, 5, 1, next_on_ring, NULL, NULL, &made.topology);
    FAILS(cn_topology_from_function, nothing, 5, 2, next_on_ring, NULL, NULL, &made.topology);
    FREES(cn_topology_free, cube, &given.topology);
    FREES(cn_topology_free, edges, &given.topology);
}

static void nodes_and_ports(void)
{
    TEXT(cn_topology_name, cube, given.topology);
    NEVER(cn_topology_json, cube, given.topology, out.text, 8192, out.sizes);
    NEVER(cn_topology_json, edges, given.topology, out.text, 8192, out.sizes);
    FAILS(cn_topology_from_json, nothing,
          "{\"cubenet\":\"topology\",\"format\":1,\"topology\":\"tree(2,3)\"}", NULL,
          &made.topology);
    FAILS(cn_topology_from_json, nothing,
          "{\"cubenet\":\"topology\",\"format\":1,\"topology\":{\"made_of\":\"function\","
          "\"neighbors\":[[1],[2],[0]]}}",
          NULL, &made.topology);
    NUMBER(cn_topology_equal, psnn, given.topology, given.topology);
    NUMBER(cn_topology_node_count, cube, given.topology);
    NUMBER(cn_topology_host_count, cube, given.topology);
    NEVER(cn_topology_hosts, edges, given.topology, out.words[0], 8, out.sizes);
    NUMBER(cn_topology_max_degree, psnn, given.topology);
    NUMBER(cn_topology_is_bidirectional, one_way, given.topology);
    NEVER(cn_topology_link_count, cube, given.topology, out.words[0]);
    NEVER(cn_topology_link_count, psnn, given.topology, out.words[0]);
    NEVER(cn_topology_degree, cube, given.topology, 3, out.shorts[0]);
    NEVER(cn_topology_neighbor, psnn, given.topology, 3, 1, out.words[0]);
    NEVER(cn_topology_neighbors, edges, given.topology, 3, out.words[0], 8, out.sizes);
    NEVER(cn_topology_adjacency, psnn, given.topology, NULL, out.words[0], 40, NULL, 0, out.sizes);
    NEVER(cn_topology_back_port, psnn, given.topology, 3, 1, out.shorts[0]);
    NEVER(cn_topology_port_to, psnn, given.topology, 3, 4, out.shorts[0]);
    NUMBER(cn_topology_dimensions, mesh, given.topology);
    NEVER(cn_topology_radix, mesh, given.topology, 1, out.words[0]);
    NEVER(cn_topology_digits, mesh, given.topology, 7, out.words[0], 8, NULL);
    NEVER(cn_topology_digits_of, mesh, given.topology, (uint64_t[]){3, 2}, 2, NULL, out.words[0],
          8);
    NEVER(cn_topology_node_at, mesh, given.topology, (uint64_t[]){3, 2}, 2, out.words[0]);
    NEVER(cn_topology_address_text, mesh, given.topology, 7, out.text, 32, out.sizes);
    NEVER(cn_topology_parse_address, cube, given.topology, "0101", out.words[0]);
    NEVER(cn_topology_header, two_way, given.topology, 3, 9, out.words[0]);
    NEVER(cn_topology_translate, two_way, given.topology, 3, 9, out.words[0]);
    NEVER(cn_topology_headers, two_way, given.topology, (uint64_t[]){3, 2}, (uint64_t[]){9, 4}, 2,
          NULL, out.words[0]);
    NEVER(cn_topology_translations, two_way, given.topology, (uint64_t[]){3, 2}, (uint64_t[]){9, 4},
          2, NULL, out.words[0]);
    NEVER(cn_subcube_parse, nothing, "0X1X", out.shorts[0], out.words[0], out.words[1]);
    NEVER(cn_subcube_text, nothing, 4, 2, 5, out.text, 32, out.sizes);
}

static void distances(void)
{
    NEVER(cn_topology_distance, cube, given.topology, 1, 14, NULL, out.words[0]);
    FAILS(cn_topology_distance, psnn, given.topology, 1, 14, NULL, out.words[0]);
    FAILS(cn_topology_distance, disconnected, given.topology, 0, 3, NULL, out.words[0]);
    FAILS(cn_topology_distance, edges, given.topology, 0, 4, NULL, out.words[0]);
    NEVER(cn_topology_distance, shuffle, given.topology, 1, 14, NULL, out.words[0]);
    FAILS(cn_topology_distance, chordal, given.topology, 1, 14, NULL, out.words[0]);
    NEVER(cn_topology_diameter, cube, given.topology, NULL, out.words[0]);
    NEVER(cn_topology_diameter, psnn, given.topology, NULL, out.words[0]);
    FAILS(cn_topology_diameter, chordal, given.topology, NULL, out.words[0]);
    FAILS(cn_topology_diameter, edges, given.topology, NULL, out.words[0]);
    NEVER(cn_topology_mean_distance, cube, given.topology, NULL, out.reals[0]);
    FAILS(cn_topology_mean_distance, psnn, given.topology, NULL, out.reals[0]);
    FAILS(cn_topology_mean_distance, de_bruijn, given.topology, NULL, out.reals[0]);
    FAILS(cn_topology_mean_distance, edges, given.topology, NULL, out.reals[0]);
    FAILS(cn_topology_distances, psnn, given.topology, 1, NULL, out.words[0], 16);
    NEVER(cn_topology_distances, two_way, given.topology, 1, NULL, out.words[0], 16);
    FAILS(cn_topology_distance_counts, de_bruijn, given.topology, 1, NULL, out.words[0], 9,
          out.sizes);
    FAILS(cn_topology_distance_counts, psnn, given.topology, 1, NULL, out.words[0], 9, out.sizes);
    NEVER(cn_topology_distance_counts, cube, given.topology, 1, NULL, out.words[0], 9, out.sizes);
    NEVER(cn_topology_distance_counts, mesh, given.topology, 1, NULL, out.words[0], 9, out.sizes);
    NEVER(cn_topology_distance_counts, two_way, given.topology, 1, NULL, out.words[0], 9,
          out.sizes);
}

static void interchange(void)
{
    NEVER(cn_topology_write, psnn, given.topology, CN_FORMAT_METIS, NULL, out.text, sizeof out.text,
          out.sizes);
    FAILS(cn_topology_write, psnn, given.topology, CN_FORMAT_SVG, NULL, out.text, sizeof out.text,
          out.sizes);
    NEVER(cn_topology_write, psnn, given.topology, CN_FORMAT_EDGES, NULL, out.text, sizeof out.text,
          out.sizes);
    FAILS(cn_topology_write, psnn, given.topology, CN_FORMAT_DOT, NULL, out.text, sizeof out.text,
          out.sizes);
    FAILS(cn_topology_layout, psnn, given.topology, out.reals[0], out.reals[1], 256, out.sizes);
    FAILS(cn_topology_layout, edges, given.topology, out.reals[0], out.reals[1], 256, out.sizes);
    FAILS(cn_topology_read, nothing, CN_FORMAT_EDGES, edge_text, sizeof edge_text - 1, 0, NULL,
          &made.topology);
    FAILS(cn_topology_read, nothing, CN_FORMAT_METIS, metis_text, sizeof metis_text - 1, 0, NULL,
          &made.topology);
}

void topology_rows(void **state)
{
    (void)state;
    families();
    nodes_and_ports();
    distances();
    interchange();
}

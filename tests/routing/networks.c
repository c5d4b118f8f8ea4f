#include "routing/networks.h"

#include "cubenet/experimental/hosts.h"

#include "routing/damage.h"

static const uint64_t radices_2_3[] = {2, 3}, radices_4_4_4[] = {4, 4, 4},
                      radices_5_2_3[] = {5, 2, 3};

cn_topology *network_of_family(unsigned index)
{
    cn_topology *t = NULL;
    switch (index) {
    case 0:
        assert_ok(cn_topology_hypercube(3, &t));
        return t;
    case 1:
        assert_ok(cn_topology_hypercube(6, &t));
        return t;
    case 2:
        assert_ok(cn_topology_kary_ncube(4, 3, 1, &t));
        return t;
    case 3:
        assert_ok(cn_topology_kary_ncube(5, 2, 1, &t));
        return t;
    case 4:
        assert_ok(cn_topology_kary_ncube(4, 2, 0, &t));
        return t;
    case 5:
        assert_ok(cn_topology_generalized_hypercube(3, 3, &t));
        return t;
    case 6:
        assert_ok(cn_topology_generalized_hypercube_mixed(radices_5_2_3, 3, &t));
        return t;
    case 7:
        assert_ok(cn_topology_ring(9, 1, &t));
        return t;
    case 8:
        assert_ok(cn_topology_ring(7, 0, &t));
        return t;
    case 9:
        assert_ok(cn_topology_torus(radices_5_2_3, 3, &t));
        return t;
    case 10:
        assert_ok(cn_topology_mesh(radices_4_4_4, 3, &t));
        return t;
    case 11:
        assert_ok(cn_topology_mesh(radices_5_2_3, 3, &t));
        return t;
    case 12:
        assert_ok(cn_topology_complete(11, &t));
        return t;
    case 13:
        assert_ok(cn_topology_star(13, &t));
        return t;
    case 14:
        assert_ok(cn_topology_tree(3, 3, &t));
        return t;
    case 15:
        assert_ok(cn_topology_chordal_ring(36, 0, 0, &t));
        return t;
    case 16:
        assert_ok(cn_topology_chordal_ring(30, 5, 1, &t));
        return t;
    case 17:
        assert_ok(cn_topology_psnn(6, &t));
        return t;
    case 18:
        assert_ok(cn_topology_shuffle_exchange(5, &t));
        return t;
    case 19:
        assert_ok(cn_topology_de_bruijn(6, &t));
        return t;
    case 20:
        assert_ok(cn_topology_mesh(radices_2_3, 2, &t));
        return t;
    case 21:
        return network_random(40, 30, &(uint64_t){1});
    case 22:
        return network_one_way(30, 40, &(uint64_t){2});
    default:
        return NULL;
    }
}

/* ---- random graphs ---- */

enum { MOST = 300 };

typedef struct matrix {
    uint32_t nodes;
    unsigned char has[MOST][MOST];
} matrix;

cn_topology *network_random(uint32_t nodes, uint32_t extra, uint64_t *state)
{
    static matrix m;
    static uint64_t edges[2 * MOST * MOST];
    size_t count = 0;
    cn_topology *t;
    m = (matrix){.nodes = nodes};
    for (uint32_t i = 1; i < nodes + extra; i++) {
        uint64_t u = i < nodes ? i : damage_random(state) % nodes;
        uint64_t v = damage_random(state) % (i < nodes ? i : nodes);
        if (u == v || m.has[u][v])
            continue;
        m.has[u][v] = m.has[v][u] = 1;
        edges[2 * count] = u;
        edges[2 * count++ + 1] = v;
    }
    assert_ok(cn_topology_from_edges(nodes, edges, count, NULL, &t));
    return t;
}

static cn_status of_matrix(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    const matrix *m = user;
    if (m->has[node][port])
        *neighbor = port;
    return CN_OK;
}

cn_topology *network_one_way(uint32_t nodes, uint32_t extra, uint64_t *state)
{
    static matrix m;
    cn_topology *t;
    m = (matrix){.nodes = nodes};
    for (uint32_t i = 0; i < nodes; i++)
        m.has[i][(i + 1) % nodes] = 1;
    for (uint32_t i = 0; i < extra; i++) {
        uint64_t u = damage_random(state) % nodes, v = damage_random(state) % nodes;
        m.has[u][v] = (unsigned char)(m.has[u][v] | (u != v));
    }
    assert_ok(cn_topology_from_function(nodes, nodes, of_matrix, &m, NULL, &t));
    assert_int_equal(cn_topology_is_bidirectional(t), 0);
    return t;
}

/* ---- hosts ---- */

static void add_edge(uint64_t edges[], size_t *count, uint64_t u, uint64_t v)
{
    edges[2 * *count] = u;
    edges[2 * (*count)++ + 1] = v;
}

/* With 4 ports a router: 16 hosts, then 8 routers at the edge, 8 in the middle and 4 in the
 * core. */
static size_t fat_tree(uint64_t edges[])
{
    size_t count = 0;
    for (uint64_t pod = 0; pod < 4; pod++)
        for (uint64_t i = 0; i < 2; i++)
            for (uint64_t j = 0; j < 2; j++) {
                add_edge(edges, &count, pod * 4 + i * 2 + j, 16 + pod * 2 + i);
                add_edge(edges, &count, 16 + pod * 2 + i, 24 + pod * 2 + j);
                add_edge(edges, &count, 24 + pod * 2 + i, 32 + i * 2 + j);
            }
    return count;
}

/* 3 spines, 4 leaves and 3 hosts at each of them, numbered from the spines on. */
static size_t leaves_and_spines(uint64_t edges[])
{
    size_t count = 0;
    for (uint64_t leaf = 3; leaf < 7; leaf++)
        for (uint64_t i = 0; i < 3; i++) {
            add_edge(edges, &count, leaf, i);
            add_edge(edges, &count, leaf, 7 + (leaf - 3) * 3 + i);
        }
    return count;
}

cn_topology *network_with_hosts(unsigned index)
{
    uint64_t edges[200], hosts[40], state = 5;
    cn_topology *base = NULL, *t = NULL;
    size_t count = 0;
    if (index > 3)
        return NULL;
    if (index < 2) {
        size_t links = index == 0 ? fat_tree(edges) : leaves_and_spines(edges);
        assert_ok(cn_topology_from_edges(index == 0 ? 36 : 19, edges, links, NULL, &base));
        for (uint64_t v = index == 0 ? 0 : 7; v < (index == 0 ? 16 : 19); v++)
            hosts[count++] = v;
    } else {
        base = index == 2 ? network_random(20, 14, &state) : network_one_way(18, 14, &state);
        for (uint64_t v = 18; v-- > 0;) /* in any order */
            if (v % 5 < 2)
                hosts[count++] = v;
    }
    assert_ok(cn_topology_choose_hosts(base, hosts, count, NULL, &t));
    cn_topology_free(&base);
    return t;
}

/* Channels that lead back to each other are one link. */
static uint64_t count_links(const cn_topology *t)
{
    uint64_t links = 0, far;
    for (uint64_t v = 0; v < cn_topology_node_count(t); v++) {
        uint32_t degree, back;
        assert_ok(cn_topology_degree(t, v, &degree));
        for (uint32_t p = 0; p < degree; p++) {
            assert_ok(cn_topology_neighbor(t, v, p, &far));
            assert_ok(cn_topology_back_port(t, v, p, &back));
            links += back == CN_NO_PORT || v < far;
        }
    }
    return links;
}

/* What is composed: 1 or 2 hosts a router, one length, or different ones. */
static cn_topology *compose(const cn_topology *base, uint32_t hosts, uint32_t most, uint64_t seed)
{
    uint64_t links = count_links(base), state = seed;
    uint32_t lengths[200];
    cn_topology *longer = NULL, *t = NULL;
    if (most == 0) {
        assert_ok(cn_topology_with_hosts(base, hosts, &t));
        return t;
    }
    for (uint64_t i = 0; i < links; i++)
        lengths[i] = 1 + (uint32_t)(damage_random(&state) % (links > 12 ? 2 : most));
    size_t count = seed % 2 == 0 ? 1 : (size_t)links;
    assert_ok(cn_topology_with_lengths(base, lengths, count, NULL, &longer));
    if (hosts == 0)
        return longer;
    assert_ok(cn_topology_with_hosts(longer, hosts, &t));
    cn_topology_free(&longer);
    return t;
}

static cn_topology *small_base(unsigned index)
{
    static const uint64_t torus[] = {3, 3}, mesh[] = {2, 3}, digits[] = {3, 2};
    uint64_t state = index;
    cn_topology *t = NULL;
    switch (index % 8) {
    case 0:
        assert_ok(cn_topology_torus(torus, 2, &t));
        return t;
    case 1:
        assert_ok(cn_topology_mesh(mesh, 2, &t));
        return t;
    case 2:
        assert_ok(cn_topology_hypercube(3, &t));
        return t;
    case 3:
        assert_ok(cn_topology_generalized_hypercube_mixed(digits, 2, &t));
        return t;
    case 4:
        assert_ok(cn_topology_kary_ncube(3, 2, 0, &t));
        return t;
    case 5:
        return network_one_way(6, 4, &state);
    default:
        return network_random(5 + index % 3, 3, &state);
    }
}

cn_topology *network_composed(unsigned index, cn_topology **base)
{
    static const uint32_t forms[3][2] = {{2, 0}, {0, 3}, {1, 2}};
    if (index >= 24)
        return NULL;
    *base = small_base(index / 3 * 5 + index % 3);
    cn_topology *t = compose(*base, forms[index % 3][0], forms[index % 3][1], index);
    assert_true(cn_topology_node_count(t) <= 40);
    return t;
}

int network_is_host(const cn_topology *t, uint64_t node)
{
    static uint64_t hosts[5000];
    size_t count = 0;
    assert_ok(cn_topology_hosts(t, hosts, 5000, &count));
    for (size_t i = 0; i < count; i++)
        if (hosts[i] == node)
            return 1;
    return 0;
}

/* ---- brute force ---- */

int network_works(const cn_topology *t, const cn_faults *faults, uint64_t node, uint32_t port)
{
    uint64_t far;
    assert_ok(cn_topology_neighbor(t, node, port, &far));
    return faults == NULL ||
           (!cn_faults_has_node(faults, node) && !cn_faults_has_node(faults, far) &&
            !cn_faults_has_link(faults, node, port));
}

void network_hops(const cn_topology *t, const cn_faults *faults, uint64_t destination,
                  uint32_t hops[])
{
    uint64_t nodes = cn_topology_node_count(t), far;
    for (uint64_t v = 0; v < nodes; v++)
        hops[v] = UINT32_MAX;
    hops[destination] = 0;
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint64_t v = 0; v < nodes; v++) {
            uint32_t degree;
            assert_ok(cn_topology_degree(t, v, &degree));
            for (uint32_t p = 0; p < degree; p++) {
                assert_ok(cn_topology_neighbor(t, v, p, &far));
                if (!network_works(t, faults, v, p) || hops[far] == UINT32_MAX ||
                    hops[far] + 1 >= hops[v])
                    continue;
                hops[v] = hops[far] + 1;
                changed = 1;
            }
        }
    }
}

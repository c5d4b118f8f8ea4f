/* Random networks with random damage, up to a thousandth below saturation: the promised gap is
 * always met. docs/theory/flow-deviation.md has the figures of a larger sample of the same kind. */
#include "support/support.h"

#include "cubenet/experimental/intermediate.h"

enum { NETWORKS = 40, MOST_NODES = 40, MOST_FAULTS = 4, FAMILIES = 5 };

static uint64_t random_state;

static uint64_t below(uint64_t bound)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % bound;
}

/* A random tree and some more edges; an edge list may not name an edge twice. */
static cn_topology *random_edges(void)
{
    uint64_t edges[4 * MOST_NODES], nodes = 5 + below(MOST_NODES - 5);
    size_t count = 0;
    cn_topology *made;
    for (uint64_t v = 1; v < nodes; v++) {
        edges[2 * count] = v;
        edges[2 * count++ + 1] = below(v);
    }
    for (uint64_t more = below(nodes); more > 0; more--) {
        uint64_t a = below(nodes), b = below(nodes);
        int taken = a == b;
        for (size_t e = 0; e < count; e++)
            taken |= (edges[2 * e] == a && edges[2 * e + 1] == b) ||
                     (edges[2 * e] == b && edges[2 * e + 1] == a);
        if (taken)
            continue;
        edges[2 * count] = a;
        edges[2 * count++ + 1] = b;
    }
    assert_ok(cn_topology_from_edges(nodes, edges, count, NULL, &made));
    return made;
}

static cn_topology *random_network(uint64_t family)
{
    static const uint64_t longest[] = {20, 6, 3};
    uint64_t radices[3], k = 2 + below(4);
    uint32_t n = 1 + (uint32_t)below(3);
    cn_topology *made;
    for (uint32_t i = 0; i < n; i++)
        radices[i] = 2 + below(longest[n - 1] - 1);
    if (family == 0)
        assert_ok(cn_topology_mesh(radices, n, &made));
    else if (family == 1)
        assert_ok(cn_topology_torus(radices, n, &made));
    else if (family == 2)
        assert_ok(cn_topology_hypercube(2 + (uint32_t)below(4), &made));
    else if (family == 3)
        assert_ok(cn_topology_kary_ncube(k, k < 4 ? 3 : 2, (int)below(2), &made));
    else
        made = random_edges();
    return made;
}

static cn_faults *random_faults(const cn_topology *network)
{
    cn_faults *faults;
    assert_ok(cn_faults_new(network, &faults));
    for (uint64_t i = below(MOST_FAULTS + 1); i > 0; i--) {
        uint64_t node = below(cn_topology_node_count(network));
        uint32_t port = (uint32_t)below(cn_topology_max_degree(network));
        if (port == 0)
            assert_ok(cn_faults_add_node(faults, node));
        else
            (void)cn_faults_add_link(faults, node, port); /* the node may have fewer */
    }
    return faults;
}

static void every_gap_is_met(void **state)
{
    (void)state;
    static const double gaps[] = {1e-4, 1e-6};
    int loaded = 0;
    random_state = 1973;
    for (uint64_t i = 0; i < NETWORKS; i++) {
        cn_topology *network = random_network(i % FAMILIES);
        cn_faults *faults = random_faults(network);
        double least, most, shares[] = {0.5 + 0.09 * (double)below(6), 0.99, 0.999};
        cn_status status = cn_flow_saturation(network, faults, NULL, 0, 1e-6, NULL, &least, &most);
        /* damage may part the network or leave one node */
        assert_true(status == CN_OK || status == CN_ERR_DISCONNECTED || status == CN_ERR_ARGUMENT);
        for (size_t at = 0; at < 6 && status == CN_OK; at++) {
            double delay, lower, share = shares[at / 2], gap = gaps[at % 2];
            assert_ok(cn_flow_deviation(network, faults, NULL, 0, share * least, gap, NULL, &delay,
                                        &lower, NULL, 0));
            assert_true(lower <= delay && delay - lower <= gap * delay);
            loaded++;
        }
        cn_faults_free(&faults);
        cn_topology_free(&network);
    }
    assert_true(loaded >= 4 * NETWORKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_gap_is_met)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The diagrams of headers: against each other, the values of the project's sheet, and headers one
 * by one. */
#include "support/support.h"

#include "cubenet/experimental/intermediate.h"

#include <math.h>
#include <string.h>

#include "queueing/deflection/hop_model.h"

static const double shares[] = {0.0, 0.01, 0.1, 0.35, 0.7, 0.99};
enum { SHARES = sizeof shares / sizeof shares[0] };

static double mean_hops(uint64_t k, uint32_t n, int bidirectional, uint32_t state_space, double q,
                        uint64_t *states)
{
    cn_topology *topology;
    double hops;
    assert_ok(cn_topology_kary_ncube(k, n, bidirectional, &topology));
    assert_ok(cn_deflection_mean_hops(topology, state_space, q, NULL, &hops, states));
    cn_topology_free(&topology);
    return hops;
}

/* With two digits the three diagrams are one, and the recursion of the Boolean cube solves it. */
static void all_agree_where_k_is_2(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 62; n = n < 8 ? n + 1 : n + 18) {
        cni_hop_model models[3];
        assert_ok(cni_hops_exact(2, n, CNI_ALL_VALUES, &models[0]));
        assert_ok(cni_hops_exact(2, n, CNI_ONE_WAY, &models[1]));
        assert_ok(cni_hops_reduced(2, n, &models[2]));
        for (size_t i = n > 1 ? 0 : SHARES - 1; i < SHARES; i++) {
            double h[63], expected = 0.0, weight = 1.0;
            assert_ok(cn_deflection_hops(n, shares[i], h, 63, NULL));
            for (uint32_t j = 1; j <= n; j++) {
                weight = weight * (n - j + 1) / j;
                expected += weight / (ldexp(1.0, (int)n) - 1.0) * h[j];
            }
            for (int m = 0; m < 3; m++) {
                double hops, deflections;
                cni_hop_model_means(&models[m], shares[i], &hops, &deflections);
                assert_near(hops / expected, 1.0, 1e-13);
            }
        }
        for (int m = 0; m < 3; m++) {
            assert_int_equal(models[m].states, n + 1);
            cni_hop_model_close(&models[m]);
        }
    }
}

static void the_check_values_come_out(void **state)
{
    (void)state;
    assert_near(mean_hops(8, CN_STATES_REDUCED, 0, 1, 0.1, NULL), 8.789945, 5e-7);
    assert_near(mean_hops(8, CN_STATES_REDUCED, 0, 2, 0.1, NULL), 8.935820, 5e-7);
    assert_near(mean_hops(4, (cn_state_space)3, 0, 1, 0.1, NULL), 5.536244, 5e-7);
    assert_near(mean_hops(4, (cn_state_space)3, 0, 2, 0.1, NULL), 5.550719, 5e-7);
}

static uint64_t states_of(uint64_t k, uint32_t n, uint32_t state_space)
{
    uint64_t states;
    mean_hops(k, n, 0, state_space, 0.1, &states);
    return states;
}

static void the_states_are_counted_right(void **state)
{
    (void)state;
    assert_int_equal(states_of(16, 2, 2), 45); /* Horng 1992, table 4.1 */
    assert_int_equal(states_of(4, 4, 2), 25);
    assert_int_equal(states_of(2, 8, 2), 9);
    assert_int_equal(states_of(16, 3, 1), 816);
    assert_int_equal(states_of(4, 10, 1), 286);
    assert_int_equal(states_of(16, 3, 0), 816); /* automatic: the exact one while it is cheap */
    assert_int_equal(states_of(4, 10, 0), 286);
    assert_int_equal(states_of(16, 4, 0), 3876);
    assert_int_equal(states_of(4, 20, 0), 441); /* and else the reduced one */
    assert_int_equal(states_of(4, 20, 2), 441);
}

/* ---- every header by itself ---- */

/* Eq. 4.6 for one port of one header, by channels. */
static double port_probability(uint64_t preferred, uint32_t port, uint32_t ports, double q)
{
    double wanted = (double)__builtin_popcountll(preferred), others = ports - 1.0;
    if ((preferred >> port & 1) == 0)
        return others > 0.0 ? q / others : 0.0;
    return (1.0 - q) / wanted + (others > 0.0 ? (1.0 - 1.0 / wanted) * q / others : q);
}

/* Sweeps over h = 1 + sum of P h, and the same for the deflections, until nothing moves. */
static void sweep_headers(const cn_topology *topology, double q, double *hops, double *deflections)
{
    static double h[2][4096];
    uint64_t nodes = cn_topology_node_count(topology);
    uint32_t ports = cn_topology_max_degree(topology);
    double moved = 1.0;
    for (uint64_t e = 0; e < nodes; e++)
        h[0][e] = h[1][e] = 0.0;
    while (moved > 1e-15) {
        moved = 0.0;
        for (uint64_t e = 1; e < nodes; e++) {
            uint64_t preferred, valid;
            double sum[2] = {1.0, 0.0};
            assert_ok(cn_route_preferred(topology, e, &preferred));
            assert_ok(cn_route_valid(topology, e, &valid));
            for (uint32_t port = 0; port < ports; port++) {
                uint64_t next;
                double chance = port_probability(preferred, port, ports, q);
                assert_ok(cn_route_move(topology, e, port, &next));
                sum[0] += chance * h[0][next];
                sum[1] += chance * (h[1][next] + ((valid >> port & 1) == 0));
            }
            moved = fmax(moved, fabs(sum[0] - h[0][e]) / sum[0]);
            h[0][e] = sum[0];
            h[1][e] = sum[1];
        }
    }
    *hops = *deflections = 0.0;
    for (uint64_t e = 1; e < nodes; e++) {
        *hops += h[0][e] / (double)(nodes - 1);
        *deflections += h[1][e] / (double)(nodes - 1);
    }
}

static void sorted_headers_are_as_good_as_all(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
        int bidirectional;
    } nets[] = {{3, 1, 0}, {3, 2, 0}, {8, 2, 0}, {4, 3, 0}, {3, 4, 0}, {5, 3, 0},
                {7, 1, 0}, {3, 2, 1}, {4, 2, 1}, {5, 2, 1}, {8, 2, 1}, {3, 3, 1},
                {4, 3, 1}, {5, 3, 1}, {6, 3, 1}, {7, 1, 1}, {6, 1, 1}, {9, 2, 1}};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
        cn_topology *topology;
        cni_hop_model model;
        assert_ok(cn_topology_kary_ncube(nets[i].k, nets[i].n, nets[i].bidirectional, &topology));
        assert_ok(cni_hop_model_open("test", topology, CN_STATES_EXACT, &model));
        /* a ring of one dimension has one channel, and no phase 2 */
        for (size_t s = 0; s < (nets[i].n == 1 && !nets[i].bidirectional ? 1 : 4); s++) {
            double hops, deflections, all_hops, all_deflections, distance;
            cni_hop_model_means(&model, shares[s], &hops, &deflections);
            sweep_headers(topology, shares[s], &all_hops, &all_deflections);
            assert_near(hops / all_hops, 1.0, 1e-12);
            assert_near(deflections, all_deflections, 1e-12 * all_hops);
            assert_ok(cn_topology_mean_distance(topology, NULL, &distance));
            if (s == 0)
                assert_near(hops / distance, 1.0, 1e-14);
            if (!nets[i].bidirectional) /* a deflection is k - 1 hops further */
                assert_near(deflections * (double)nets[i].k, hops - distance, 1e-12 * hops);
        }
        cni_hop_model_close(&model);
        cn_topology_free(&topology);
    }
}

/* The rows of every diagram are probabilities, of phase 1 and of phase 2. */
static void every_state_leads_on(void **state)
{
    (void)state;
    cni_hop_model models[7];
    assert_ok(cni_hops_exact(2, 7, CNI_ALL_VALUES, &models[0]));
    assert_ok(cni_hops_exact(5, 4, CNI_ONE_WAY, &models[1]));
    assert_ok(cni_hops_exact(6, 3, CNI_TWO_WAY, &models[2]));
    assert_ok(cni_hops_exact(7, 3, CNI_TWO_WAY, &models[3]));
    assert_ok(cni_hops_reduced(9, 5, &models[4]));
    assert_ok(cni_hops_exact(5, 4, CNI_ALL_VALUES, &models[5]));
    assert_ok(cni_hops_exact(9, 1, CNI_ALL_VALUES, &models[6]));
    for (int m = 0; m < 7; m++) {
        double start = 0.0;
        for (size_t i = 0; i < models[m].states; i++) {
            double first = 0.0, second = 0.0;
            for (size_t e = models[m].first_hop[i]; e < models[m].first_hop[i + 1]; e++) {
                const cni_hop *hop = &models[m].hop[e];
                uint64_t here = models[m].distance[i], there = models[m].distance[hop->target];
                first += hop->first;
                second += hop->second;
                assert_int_equal((here + models[m].period - 1 - there) % models[m].period, 0);
                assert_true(hop->onward >= 0.0 && hop->onward <= 1.0);
            }
            assert_near(first, i > 0, 1e-14);
            assert_near(second, i > 0, 1e-14);
            start += models[m].start[i];
        }
        assert_near(start, 1.0, 1e-14);
        cni_hop_model_close(&models[m]);
    }
}

/* Two rings of three, by hand: with p = 1 - q the headers 10, 20, 11, 21, 22 have
 *     h10 = 1 + q h21, h20 = 1 + p h10 + q h22, h11 = 1 + h10, h21 = 1 + p h11 + q h20, h22 = 1 +
 *     h21,
 * so h21 = (1 + p + q + q^2 + p (1 + q)) / (p^2 (1 + q)). A subtraction of nearly equal numbers on
 * the way would cost all digits. */
static void rare_arrivals_keep_their_digits(void **state)
{
    (void)state;
    for (int power = 1; power < 50; power += 6) {
        double p = ldexp(1.0, -power), q = 1.0 - p;
        double h21 = (1.0 + p + q + q * q + p * (1.0 + q)) / (p * p * (1.0 + q));
        double h10 = 1.0 + q * h21, h20 = 1.0 + p * h10 + q * (1.0 + h21);
        double expected = (2.0 * h10 + 2.0 * h20 + (1.0 + h10) + 2.0 * h21 + (1.0 + h21)) / 8.0;
        assert_near(mean_hops(3, CN_STATES_REDUCED, 0, 1, q, NULL) / expected, 1.0, 1e-13);
    }
}

/* ---- generalized hypercubes ---- */

static cn_topology *generalized(uint64_t k, uint32_t n)
{
    cn_topology *topology;
    if (n == 1)
        assert_ok(cn_topology_complete(k, &topology));
    else
        assert_ok(cn_topology_generalized_hypercube(k, n, &topology));
    return topology;
}

/* The ports of a node by where they lead: closer to node 0, as far from it, away. */
static void count_ports(const cn_topology *topology, uint64_t node, uint32_t count[3])
{
    uint64_t here, there, next;
    uint32_t degree;
    count[0] = count[1] = count[2] = 0;
    assert_ok(cn_topology_distance(topology, node, 0, NULL, &here));
    assert_ok(cn_topology_degree(topology, node, &degree));
    for (uint32_t port = 0; port < degree; port++) {
        assert_ok(cn_topology_neighbor(topology, node, port, &next));
        assert_ok(cn_topology_distance(topology, next, 0, NULL, &there));
        count[there + 1 - here]++;
    }
}

/* Every channel of every node: i lead closer, i (k-2) sideways, (n-i)(k-1) away, and phase 2 gives
 * any but one that led closer. */
static void channels_are_counted_right(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 4; n++)
        for (uint64_t k = 2; k <= (n < 4 ? 8 : 4); k++) {
            cn_topology *topology = generalized(k, n);
            uint64_t nodes = cn_topology_node_count(topology), of_state[5] = {0};
            double ports = cn_topology_max_degree(topology), distance = 0.0;
            cni_hop_model model;
            assert_ok(cni_hop_model_open("test", topology, CN_STATES_AUTOMATIC, &model));
            assert_int_equal(model.states, n + 1);
            for (uint64_t node = 1; node < nodes; node++) {
                uint32_t count[3];
                uint64_t i;
                double to[3] = {0.0};
                assert_ok(cn_topology_distance(topology, node, 0, NULL, &i));
                count_ports(topology, node, count);
                of_state[i]++;
                assert_int_equal(count[0], i);
                assert_int_equal(count[1], i * (k - 2));
                assert_int_equal(count[2], (n - i) * (k - 1));
                assert_int_equal(model.wants[i], count[0]);
                for (size_t e = model.first_hop[i]; e < model.first_hop[i + 1]; e++) {
                    const cni_hop *hop = &model.hop[e];
                    to[model.distance[hop->target] + 1 - i] += hop->second;
                    assert_near(hop->first, hop->target == i - 1, 0.0);
                    assert_int_equal(hop->deflects, hop->target != i - 1);
                }
                for (int way = 0; way < 3 && ports > 1.0; way++)
                    assert_near(to[way], (count[way] - (way == 0)) / (ports - 1.0), 1e-15);
            }
            for (uint32_t i = 1; i <= n; i++) {
                assert_near(model.start[i], (double)of_state[i] / (double)(nodes - 1), 1e-15);
                distance += i * model.start[i];
            }
            double expected;
            assert_ok(cn_topology_mean_distance(topology, NULL, &expected));
            assert_near(distance, expected, 1e-14);
            cni_hop_model_close(&model);
            cn_topology_free(&topology);
        }
}

/* Sweeps over h = 1 + sum of P h node by node, the ports told by distances alone. */
static double sweep_nodes(const cn_topology *topology, double q)
{
    static double h[4096];
    uint64_t nodes = cn_topology_node_count(topology), here, there, next;
    uint32_t ports = cn_topology_max_degree(topology);
    double moved = 1.0, sum = 0.0;
    for (uint64_t v = 0; v < nodes; v++)
        h[v] = 0.0;
    while (moved > 1e-15) {
        moved = 0.0;
        for (uint64_t v = 1; v < nodes; v++) {
            uint64_t closer = 0;
            double hops = 1.0;
            assert_ok(cn_topology_distance(topology, v, 0, NULL, &here));
            for (uint32_t pass = 0; pass < 2; pass++)
                for (uint32_t port = 0; port < ports; port++) {
                    assert_ok(cn_topology_neighbor(topology, v, port, &next));
                    assert_ok(cn_topology_distance(topology, next, 0, NULL, &there));
                    if (pass == 0)
                        closer |= (uint64_t)(there < here) << port;
                    else
                        hops += port_probability(closer, port, ports, q) * h[next];
                }
            moved = fmax(moved, fabs(hops - h[v]) / hops);
            h[v] = hops;
        }
    }
    for (uint64_t v = 1; v < nodes; v++)
        sum += h[v] / (double)(nodes - 1);
    return sum;
}

static void states_are_as_good_as_nodes(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
    } nets[] = {{3, 1}, {8, 1}, {3, 2}, {7, 2}, {3, 3}, {5, 3}, {3, 4}, {2, 5}};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
        cn_topology *topology = generalized(nets[i].k, nets[i].n);
        for (size_t s = 0; s < 4; s++) {
            double hops;
            uint64_t states;
            assert_ok(cn_deflection_mean_hops(topology, CN_STATES_AUTOMATIC, shares[s], NULL, &hops,
                                              &states));
            assert_int_equal(states, nets[i].n + 1);
            assert_near(hops / sweep_nodes(topology, shares[s]), 1.0, 1e-12);
        }
        cn_topology_free(&topology);
    }
}

/* In a complete network every message is one hop away, and stays so however often it is
 * deflected. */
static void complete_networks_by_hand(void **state)
{
    (void)state;
    for (uint64_t k = 3; k <= 100000; k *= 7)
        for (size_t s = 0; s < SHARES; s++) {
            cn_topology *topology;
            double hops;
            assert_ok(cn_topology_complete(k, &topology));
            assert_ok(cn_deflection_mean_hops(topology, CN_STATES_AUTOMATIC, shares[s], NULL, &hops,
                                              NULL));
            assert_near(hops * (1.0 - shares[s]), 1.0, 1e-13);
            cn_topology_free(&topology);
        }
}

/* ---- the chain of a header ---- */

/* Mean hops from the start to state 0, by going on until hardly anything is on its way. */
static double hops_of_chain(const double start[], const double matrix[], size_t states)
{
    double at[200], next[200], hops = 0.0, moving = 1.0;
    memcpy(at, start, states * sizeof at[0]);
    for (int hop = 0; hop < 100000 && moving > 1e-15; hop++) {
        hops += moving;
        moving = 0.0;
        for (size_t j = 0; j < states; j++) {
            next[j] = 0.0;
            for (size_t i = 0; i < states; i++)
                next[j] += at[i] * matrix[i * states + j];
            moving += j > 0 ? next[j] : 0.0;
        }
        memcpy(at, next, states * sizeof at[0]);
    }
    return hops;
}

static void the_chain_has_the_mean_hops(void **state)
{
    (void)state;
    static double start[200], matrix[200 * 200];
    static const cn_state_space spaces[] = {CN_STATES_EXACT, CN_STATES_REDUCED};
    cn_topology *networks[6];
    assert_ok(cn_topology_hypercube(6, &networks[0]));
    assert_ok(cn_topology_kary_ncube(4, 3, 0, &networks[1]));
    assert_ok(cn_topology_kary_ncube(8, 2, 0, &networks[2]));
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &networks[3]));
    assert_ok(cn_topology_generalized_hypercube(5, 3, &networks[4]));
    assert_ok(cn_topology_complete(7, &networks[5]));
    for (size_t i = 0; i < 6; i++)
        for (size_t s = 0; s < (i == 3 ? 1u : 2u); s++) {
            double hops, sum = 0.0;
            uint64_t states;
            size_t count;
            assert_ok(cn_deflection_mean_hops(networks[i], spaces[s], 0.3, NULL, &hops, &states));
            assert_ok(cn_deflection_headers(networks[i], spaces[s], 0.3, NULL, start, matrix, 200,
                                            &count));
            assert_int_equal(count, states);
            for (size_t row = 0; row < count; row++) {
                double out = 0.0;
                for (size_t j = 0; j < count; j++)
                    out += matrix[row * count + j];
                assert_near(out, 1.0, 1e-14);
                sum += start[row];
            }
            assert_near(sum, 1.0, 1e-14);
            assert_true(start[0] == 0.0 && matrix[0] == 1.0);
            assert_near(hops_of_chain(start, matrix, count) / hops, 1.0, 1e-11);
        }
    for (size_t i = 0; i < 6; i++)
        cn_topology_free(&networks[i]);
}

/* The numbers of the states that queueing.h promises: 00 10 11 20 21 22 of the 3-ary 2-cube, and
 * (0,0) (1,1) (1,2) (2,2) (2,3) (2,4). */
static void states_have_the_numbers_promised(void **state)
{
    (void)state;
    cn_topology *ring;
    double start[6], matrix[36];
    assert_ok(cn_topology_kary_ncube(3, 2, 0, &ring));
    assert_ok(cn_deflection_headers(ring, CN_STATES_EXACT, 0.25, NULL, start, matrix, 6, NULL));
    static const double exact[6] = {0, 2, 1, 2, 2, 1}, reduced[6] = {0, 2, 2, 1, 2, 1};
    for (size_t i = 0; i < 6; i++)
        assert_near(start[i] * 8.0, exact[i], 1e-14);
    assert_near(matrix[1 * 6 + 0], 0.75, 1e-15); /* 1 0 in phase 1, to 0 0; in phase 2 to 2 1 */
    assert_near(matrix[1 * 6 + 4], 0.25, 1e-15);
    assert_near(matrix[4 * 6 + 2], 0.75, 1e-15); /* 2 1 in phase 1, to 1 1; in phase 2 to 2 0 */
    assert_near(matrix[4 * 6 + 3], 0.25, 1e-15);
    assert_ok(cn_deflection_headers(ring, CN_STATES_REDUCED, 0.25, NULL, start, matrix, 6, NULL));
    for (size_t i = 0; i < 6; i++)
        assert_near(start[i] * 8.0, reduced[i], 1e-14);
    assert_near(matrix[1 * 6 + 0], 0.75, 1e-15);
    assert_near(matrix[1 * 6 + 4], 0.25, 1e-15); /* (1, 1) is sent away to (2, 3) */
    assert_fails(cn_deflection_headers(ring, CN_STATES_EXACT, 1.0, NULL, start, matrix, 6, NULL),
                 CN_ERR_ARGUMENT, "cn_deflection_headers: q = 1");
    assert_fails(cn_deflection_headers(ring, CN_STATES_EXACT, 0.1, NULL, start, matrix, 5, NULL),
                 CN_ERR_CAPACITY, "there are 6 states");
    assert_fails(cn_deflection_headers(ring, CN_STATES_EXACT, 0.1, NULL, NULL, matrix, 6, NULL),
                 CN_ERR_ARGUMENT, "start");
    cn_topology_free(&ring);
}

/* Only these have such diagrams. */
static void other_networks_are_refused(void **state)
{
    (void)state;
    static const uint64_t radices[] = {5, 4, 3};
    cn_topology *networks[7];
    assert_ok(cn_topology_star(9, &networks[0]));
    assert_ok(cn_topology_chordal_ring(10, 3, 0, &networks[1]));
    assert_ok(cn_topology_tree(3, 2, &networks[2]));
    assert_ok(cn_topology_psnn(4, &networks[3]));
    assert_ok(cn_topology_torus(radices, 3, &networks[4]));
    assert_ok(cn_topology_mesh(radices, 3, &networks[5]));
    assert_ok(cn_topology_generalized_hypercube_mixed(radices, 3, &networks[6]));
    for (size_t i = 0; i < 7; i++) {
        double hops = -1.0;
        for (uint32_t states = 0; states < 3; states++)
            assert_fails(cn_deflection_mean_hops(networks[i], states, 0.3, NULL, &hops, NULL),
                         CN_ERR_UNSUPPORTED, cn_topology_name(networks[i]));
        assert_near(hops, -1.0, 0.0);
        cn_topology_free(&networks[i]);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    cn_topology *path, *ring, *wide, *cube;
    double hops = -1.0;
    uint64_t states = 77;
    static const uint64_t edges[] = {0, 1};
    assert_ok(cn_topology_from_edges(2, edges, 1, NULL, &path));
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &ring));
    assert_ok(cn_topology_kary_ncube(16, 15, 0, &wide));
    assert_ok(cn_topology_kary_ncube(4, 2, 0, &cube));
    assert_fails(cn_deflection_mean_hops(path, CN_STATES_AUTOMATIC, 0.1, NULL, &hops, &states),
                 CN_ERR_UNSUPPORTED, "edges(2,1)");
    assert_fails(cn_deflection_mean_hops(ring, CN_STATES_REDUCED, 0.1, NULL, &hops, &states),
                 CN_ERR_UNSUPPORTED, "state_space = reduced");
    assert_fails(cn_deflection_mean_hops(wide, CN_STATES_EXACT, 0.1, NULL, &hops, &states),
                 CN_ERR_UNSUPPORTED, "1.551e+08 states");
    assert_fails(cn_deflection_mean_hops(cube, (cn_state_space)3, 0.1, NULL, &hops, &states),
                 CN_ERR_ARGUMENT, "state_space = 3");
    assert_fails(cn_deflection_mean_hops(cube, CN_STATES_AUTOMATIC, 1.0, NULL, &hops, &states),
                 CN_ERR_ARGUMENT, "q = 1");
    assert_fails(cn_deflection_mean_hops(cube, CN_STATES_AUTOMATIC, NAN, NULL, &hops, &states),
                 CN_ERR_ARGUMENT, "q = ");
    assert_fails(cn_deflection_mean_hops(NULL, CN_STATES_AUTOMATIC, 0.1, NULL, &hops, &states),
                 CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_deflection_mean_hops(cube, CN_STATES_AUTOMATIC, 0.1, NULL, NULL, &states),
                 CN_ERR_ARGUMENT, "mean_hops");
    assert_true(hops == -1.0 && states == 77);
    assert_ok(cn_deflection_mean_hops(wide, CN_STATES_AUTOMATIC, 0.1, NULL, &hops,
                                      NULL)); /* the reduced one */
    cn_topology_free(&path);
    cn_topology_free(&ring);
    cn_topology_free(&wide);
    cn_topology_free(&cube);
}

static cn_status solve_all(void *context)
{
    const uint32_t *state_space = context;
    cn_topology *topology = NULL;
    double hops;
    cn_status status = cn_topology_kary_ncube(5, 3, 0, &topology);
    if (status == CN_OK)
        status = cn_deflection_mean_hops(topology, *state_space, 0.2, NULL, &hops, NULL);
    cn_topology_free(&topology);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    uint32_t exact = 1, reduced = 2;
    support_fail_every_allocation(solve_all, &exact);
    support_fail_every_allocation(solve_all, &reduced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_agree_where_k_is_2),
        cmocka_unit_test(the_check_values_come_out),
        cmocka_unit_test(the_states_are_counted_right),
        cmocka_unit_test(sorted_headers_are_as_good_as_all),
        cmocka_unit_test(every_state_leads_on),
        cmocka_unit_test(rare_arrivals_keep_their_digits),
        cmocka_unit_test(channels_are_counted_right),
        cmocka_unit_test(states_are_as_good_as_nodes),
        cmocka_unit_test(complete_networks_by_hand),
        cmocka_unit_test(the_chain_has_the_mean_hops),
        cmocka_unit_test(states_have_the_numbers_promised),
        cmocka_unit_test(other_networks_are_refused),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

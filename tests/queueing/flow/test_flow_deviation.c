#include "support/support.h"

#include "cubenet/experimental/intermediate.h"
#include "support/faults.h"

#include <math.h>

enum { MOST = 256 };

static cn_faults *faults_at(const cn_topology *topology, const int nodes[], int count)
{
    cn_faults *faults;
    assert_ok(cn_faults_new(topology, &faults));
    for (int i = 0; i < count; i++)
        assert_ok(cn_faults_add_node(faults, (uint64_t)nodes[i]));
    return faults;
}

/* The delay found; checks the promised gap on the way. */
static double delay_at(const cn_topology *topology, const cn_faults *faults, const double traffic[],
                       double load, double gap, double flows[])
{
    double delay, lower;
    size_t n = (size_t)cn_topology_node_count(topology);
    assert_ok(cn_flow_deviation(topology, faults, traffic, traffic == NULL ? 0 : n * n, load, gap,
                                NULL, &delay, &lower, flows, flows == NULL ? 0 : MOST));
    assert_true(lower <= delay && delay - lower <= gap * delay);
    return delay;
}

static void assert_saturation(const cn_topology *topology, const cn_faults *faults, double expected)
{
    double lower, upper;
    assert_ok(cn_flow_saturation(topology, faults, NULL, 0, 1e-6, NULL, &lower, &upper));
    assert_true(lower <= expected * (1 + 1e-12) && expected <= upper * (1 + 1e-12));
    assert_true(upper - lower <= 1e-6 * upper);
}

/* Horng 1992, figure 5.1; the numbers were computed independently. */
static void the_damaged_cube_of_figure_5_1(void **state)
{
    (void)state;
    static const int nodes[] = {2, 3, 4, 7, 9, 6, 11}; /* the last two only disabled */
    static const double expected[2][5][2] = {
        {{0.1, 2.525924}, {0.2, 2.817304}, {0.4, 3.685011}, {0.6, 5.483675}, {0.8, 17.511962}},
        {{0.0, 19.0 / 9.0}, {0.2, 2.566730}, {0.4, 3.290043}, {0.8, 9.583333}, {0.8, 9.583333}},
    };
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (int convex = 0; convex < 2; convex++) {
        cn_faults *faults = faults_at(cube, nodes, convex ? 7 : 5);
        for (int i = 0; i < 5; i++)
            assert_near(delay_at(cube, faults, NULL, expected[convex][i][0], 1e-7, NULL),
                        expected[convex][i][1], 1e-5);
        assert_saturation(cube, faults, convex ? 8.0 / 9.0 : 5.0 / 6.0);
        cn_faults_free(&faults);
    }
    cn_topology_free(&cube);
}

/* All channels alike: T = d / (1 - load d / degree), at any gap. */
static void symmetric_networks_have_a_closed_form(void **state)
{
    (void)state;
    cn_topology *made[7];
    const uint64_t square[] = {4, 4};
    assert_ok(cn_topology_hypercube(1, &made[0]));
    assert_ok(cn_topology_hypercube(5, &made[1]));
    assert_ok(cn_topology_ring(9, 1, &made[2]));
    assert_ok(cn_topology_ring(8, 1, &made[3]));
    assert_ok(cn_topology_ring(6, 0, &made[4]));
    assert_ok(cn_topology_torus(square, 2, &made[5]));
    assert_ok(cn_topology_complete(7, &made[6]));
    for (size_t i = 0; i < 7; i++) {
        double d, ports = cn_topology_max_degree(made[i]);
        assert_ok(cn_topology_mean_distance(made[i], NULL, &d));
        for (double rho = 0.0; rho < 0.95; rho += 0.1)
            assert_near(delay_at(made[i], NULL, NULL, rho * ports / d, 1e-6, NULL), d / (1.0 - rho),
                        1e-8);
        assert_near(delay_at(made[i], NULL, NULL, 0.9999 * ports / d, 1e-6, NULL), d * 1e4,
                    1e-5 * d);
        assert_saturation(made[i], NULL, ports / d);
        cn_topology_free(&made[i]);
    }
}

/* Where there is one path only, the flows need no search: of a path graph channel i -> i+1 carries
 * what goes from the i+1 nodes before it to the others. */
static void one_path_is_a_plain_sum(void **state)
{
    (void)state;
    enum { N = 7 };
    cn_topology *path, *star;
    double flows[MOST], load = 0.4, sum = 0.0, in_star = load, out_of_middle = load;
    assert_ok(cn_topology_tree(1, N - 1, &path));
    for (int i = 1; i < N; i++) {
        double f = load * i * (N - i) / (N - 1);
        sum += 2.0 * f / (1.0 - f);
    }
    assert_true(load * 3 * 4 / 6 < 1.0);
    assert_near(delay_at(path, NULL, NULL, load, 1e-9, flows), sum / (load * N), 1e-9);
    assert_near(flows[0], load * 1 * 6 / 6, 1e-12); /* the root has one port only */
    assert_saturation(path, NULL, 6.0 / 12.0);
    cn_topology_free(&path);
    /* a leaf sends and receives `load` over its one link */
    assert_ok(cn_topology_star(N, &star));
    sum = (N - 1) * (in_star / (1.0 - in_star) + out_of_middle / (1.0 - out_of_middle));
    assert_near(delay_at(star, NULL, NULL, load, 1e-9, NULL), sum / (load * N), 1e-9);
    cn_topology_free(&star);
}

/* Rings of four with all traffic from 0 to 2 or from 0 to 1: two paths, of one and three channels
 * or of two and two. */
static void two_paths_by_hand(void **state)
{
    (void)state;
    cn_topology *ring;
    double flows[MOST], traffic[16] = {0};
    assert_ok(cn_topology_ring(4, 1, &ring));
    traffic[2] = 1.0;
    assert_near(delay_at(ring, NULL, traffic, 1.2, 1e-9, flows), 2.0 / 0.4, 1e-8);
    for (size_t i = 0; i < 8; i++)
        assert_near(flows[i], i == 0 || i == 1 || i == 3 || i == 6 ? 0.6 : 0.0, 1e-5);
    traffic[2] = 0.0;
    traffic[1] = 2.0; /* twice as much at the same load */
    for (double load = 0.1; load < 0.95; load += 0.1) {
        /* by halving: x on the long path, 3 / (1-x)^2 = 1 / (1 - 2 load + x)^2, unless the left is
         * more */
        double low = fmax(0.0, 2 * load - 1.0), high = fmin(1.0, 2 * load);
        for (int i = 0; i < 100; i++) {
            double x = (low + high) / 2.0, rest = 1.0 - 2 * load + x;
            *(3.0 * rest * rest < (1 - x) * (1 - x) ? &low : &high) = x;
        }
        double sum = 3 * low / (1 - low) + (2 * load - low) / (1 - 2 * load + low);
        double least = sum / (2 * load), delay, lower;
        for (double gap = 1e-9; gap < 2.0; gap *= gap < 0.05 ? 100 : 10) {
            assert_ok(cn_flow_deviation(ring, NULL, traffic, 16, load, gap, NULL, &delay, &lower,
                                        NULL, 0));
            assert_true(lower <= least * (1 + 1e-12) && least <= delay * (1 + 1e-12));
            assert_true(delay - lower <= gap * delay);
        }
        assert_near(delay_at(ring, NULL, traffic, load, 1e-9, NULL), least, 1e-8);
    }
    double delay, lower, upper;
    assert_ok(cn_flow_saturation(ring, NULL, traffic, 16, 1e-7, NULL, &lower, &upper));
    assert_true(lower <= 1.0 && 1.0 <= upper + 1e-12 && upper - lower < 1.1e-7);
    assert_fails(cn_flow_deviation(ring, NULL, traffic, 16, 1.0, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_UNSTABLE, "load = 1, but ring(4) carries less than 1");
    cn_topology_free(&ring);
}

/* ---- an irregular graph, and plain Frank-Wolfe as another way there ---- */

enum { NODES = 8 };

static const uint64_t edges[] = {0, 1, 1, 2, 2, 3, 3, 0, 0, 4, 4, 5, 5, 6, 6, 2, 6, 7, 7, 3, 4, 7};

static uint64_t noise = 12345;

static double next_noise(void)
{
    noise = noise * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (double)(noise >> 40) / 16777216.0;
}

static void fill_traffic(double traffic[])
{
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < NODES; j++)
            traffic[i * NODES + j] = i == j || next_noise() < 0.3 ? 0.0 : 0.4 * next_noise();
}

/* Flows between i and j as a matrix; all traffic on the shortest paths for these lengths. */
static void all_or_nothing(double length[NODES][NODES], const double traffic[],
                           double flow[NODES][NODES])
{
    double far[NODES][NODES];
    size_t next[NODES][NODES];
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < NODES; j++) {
            far[i][j] = i == j ? 0.0 : length[i][j];
            next[i][j] = j;
            flow[i][j] = 0.0;
        }
    for (size_t k = 0; k < NODES; k++)
        for (size_t i = 0; i < NODES; i++)
            for (size_t j = 0; j < NODES; j++)
                if (far[i][k] + far[k][j] < far[i][j]) {
                    far[i][j] = far[i][k] + far[k][j];
                    next[i][j] = next[i][k];
                }
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < NODES; j++)
            for (size_t v = i; v != j; v = next[v][j])
                flow[v][next[v][j]] += traffic[i * NODES + j];
}

static double slope(double f[NODES][NODES], double y[NODES][NODES], double step)
{
    double sum = 0.0;
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < NODES; j++) {
            double at = f[i][j] + step * (y[i][j] - f[i][j]);
            if (at >= 1.0)
                return INFINITY;
            sum += (y[i][j] - f[i][j]) / ((1.0 - at) * (1.0 - at));
        }
    return sum;
}

static double frank_wolfe(const double traffic[], int steps)
{
    double length[NODES][NODES], f[NODES][NODES], y[NODES][NODES], total = 0.0, sum = 0.0;
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < NODES; j++)
            length[i][j] = INFINITY;
    for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e += 2)
        length[edges[e]][edges[e + 1]] = length[edges[e + 1]][edges[e]] = 1.0;
    all_or_nothing(length, traffic, f);
    for (int step = 0; step < steps; step++) {
        for (size_t i = 0; i < NODES; i++)
            for (size_t j = 0; j < NODES; j++)
                if (isfinite(length[i][j]))
                    length[i][j] = 1.0 / ((1.0 - f[i][j]) * (1.0 - f[i][j]));
        all_or_nothing(length, traffic, y);
        double low = 0.0, high = 1.0;
        for (int i = 0; i < 50; i++)
            *(slope(f, y, (low + high) / 2.0) < 0.0 ? &low : &high) = (low + high) / 2.0;
        for (size_t i = 0; i < NODES; i++)
            for (size_t j = 0; j < NODES; j++)
                f[i][j] += low * (y[i][j] - f[i][j]);
    }
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < NODES; j++) {
            total += traffic[i * NODES + j];
            sum += f[i][j] / (1.0 - f[i][j]);
        }
    return sum / total;
}

/* What leaves a node is what enters it and what it sends, less what it takes. */
static void assert_conserved(const cn_topology *topology, const double traffic[], double load,
                             const double flows[], double tolerance)
{
    double surplus[NODES] = {0};
    uint32_t ports = cn_topology_max_degree(topology);
    for (uint64_t v = 0; v < NODES; v++)
        for (uint32_t p = 0; p < ports; p++) {
            uint32_t degree;
            uint64_t head;
            assert_ok(cn_topology_degree(topology, v, &degree));
            if (p >= degree) {
                assert_near(flows[v * ports + p], 0.0, 0.0);
                continue;
            }
            assert_ok(cn_topology_neighbor(topology, v, p, &head));
            surplus[v] += flows[v * ports + p];
            surplus[head] -= flows[v * ports + p];
        }
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < NODES; j++) {
            surplus[i] -= load * traffic[i * NODES + j];
            surplus[j] += load * traffic[i * NODES + j];
        }
    for (size_t i = 0; i < NODES; i++)
        assert_near(surplus[i], 0.0, tolerance);
}

static void random_traffic_on_an_irregular_graph(void **state)
{
    (void)state;
    cn_topology *graph;
    int compared = 0;
    double traffic[NODES * NODES], scaled[NODES * NODES], flows[MOST], lower, upper;
    assert_ok(
        cn_topology_from_edges(NODES, edges, sizeof edges / sizeof edges[0] / 2, NULL, &graph));
    for (int run = 0; run < 5; run++) {
        fill_traffic(traffic);
        assert_ok(
            cn_flow_saturation(graph, NULL, traffic, NODES * NODES, 1e-6, NULL, &lower, &upper));
        for (double share = 0.25; share < 0.5; share += 0.2) {
            double load = share * lower, least;
            for (size_t i = 0; i < NODES * NODES; i++)
                scaled[i] = load * traffic[i];
            double slow = frank_wolfe(scaled, 40000);
            least = delay_at(graph, NULL, traffic, load, 1e-9, flows);
            if (isfinite(slow)) /* its first flow may be too much for a channel */
                assert_near(least, slow, 1e-5 * slow);
            compared += isfinite(slow);
            assert_conserved(graph, traffic, load, flows, 1e-12);
            double sum = 0.0, total = 0.0;
            for (size_t i = 0; i < NODES * cn_topology_max_degree(graph); i++)
                sum += flows[i] / (1.0 - flows[i]);
            for (size_t i = 0; i < NODES * NODES; i++)
                total += scaled[i];
            assert_near(least, sum / total, 1e-12 * least);
        }
        assert_true(delay_at(graph, NULL, traffic, 0.99 * lower, 1e-6, flows) > 5.0);
        /* long steps magnify rounding */
        assert_conserved(graph, traffic, 0.99 * lower, flows, 1e-10);
    }
    assert_true(compared >= 5);
    cn_topology_free(&graph);
}

static void faulty_channels_carry_nothing(void **state)
{
    (void)state;
    cn_topology *cube;
    double flows[MOST], without;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_faults *faults = faults_at(cube, (const int[]){5}, 1);
    assert_ok(cn_faults_add_link(faults, 0, 3));
    for (double load = 0.0; load < 0.7; load += 0.3) {
        double delay = delay_at(cube, faults, NULL, load, 1e-6, flows);
        double greatest = 0.0, sum = 0.0;
        for (uint64_t v = 0; v < 16; v++)
            for (uint32_t p = 0; p < 4; p++) {
                if (v == 5 || (v ^ (1u << p)) == 5 || (p == 3 && (v == 0 || v == 8)))
                    assert_near(flows[4 * v + p], 0.0, 0.0);
                greatest = fmax(greatest, flows[4 * v + p]);
                sum += flows[4 * v + p];
            }
        without = delay_at(cube, NULL, NULL, load, 1e-6, NULL);
        assert_true(load > 0.0 ? greatest < 1.0 && sum > 15 * load * 2.0 : greatest == 0.0);
        assert_true(load > 0.0 ? delay > without : delay > 2.0);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* Networks that are not alike everywhere, close to saturation: moving the flow of one origin after
 * the other came to a standstill a share of 1e-3 from the optimum. */
static void loads_near_saturation_converge(void **state)
{
    (void)state;
    enum { NETWORKS = 6, MOST_FAULTS = 3 };
    static const struct {
        uint64_t radices[3];
        int rings, count, faulty[MOST_FAULTS]; /* a torus; faulty nodes */
    } sample[NETWORKS] = {
        {{2, 5, 5}, 0, 0, {0}},         {{2, 5, 5}, 0, 2, {4, 20}}, {{2, 5, 3}, 0, 3, {3, 8, 22}},
        {{7, 4, 1}, 1, 3, {5, 13, 22}}, {{4, 4, 2}, 0, 1, {9}},     {{3, 3, 3}, 1, 2, {1, 14}},
    };
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_topology *network;
        uint32_t n = sample[i].radices[2] == 1 ? 2 : 3;
        double lower, upper;
        if (sample[i].rings)
            assert_ok(cn_topology_torus(sample[i].radices, n, &network));
        else
            assert_ok(cn_topology_mesh(sample[i].radices, n, &network));
        cn_faults *faults = faults_at(network, sample[i].faulty, sample[i].count);
        assert_ok(cn_flow_saturation(network, faults, NULL, 0, 1e-4, NULL, &lower, &upper));
        for (double share = 0.8; share < 0.96; share += 0.05)
            delay_at(network, faults, NULL, share * lower, 1e-6, NULL);
        delay_at(network, faults, NULL, 0.98 * lower, 1e-5, NULL);
        cn_faults_free(&faults);
        cn_topology_free(&network);
    }
}

static int count_rounds(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)total, (void)lower, (void)upper;
    *(uint64_t *)user = done;
    return 0;
}

/* Moving the flow of one origin after the other alone took 45 rounds and more, and as many of
 * Newton's steps without the linear change of the flows. */
static void few_rounds_do_near_saturation(void **state)
{
    (void)state;
    static const uint64_t sample[][2] = {{2, 1}, {4, 1}, {8, 1}, {16, 1}}; /* faults, seed */
    cn_topology *cube;
    cn_control *control;
    uint64_t rounds = 0;
    assert_ok(cn_topology_hypercube(7, &cube));
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, count_rounds, &rounds));
    assert_ok(cn_control_set_interval(control, 0));
    for (size_t i = 0; i < sizeof sample / sizeof sample[0]; i++) {
        cn_faults *faults;
        double least, most, delay, lower;
        assert_ok(cn_faults_new(cube, &faults));
        assert_ok(cn_faults_add_random_nodes(faults, sample[i][0], sample[i][1]));
        assert_ok(cn_flow_saturation(cube, faults, NULL, 0, 1e-3, NULL, &least, &most));
        assert_ok(cn_flow_deviation(cube, faults, NULL, 0, 0.95 * least, 1e-6, control, &delay,
                                    &lower, NULL, 0));
        assert_true(delay - lower <= 1e-6 * delay);
        assert_in_range(rounds, 2, 25);
        cn_faults_free(&faults);
    }
    cn_control_free(&control);
    cn_topology_free(&cube);
}

/* Seven percent below saturation. */
static void a_damaged_mesh_converges(void **state)
{
    (void)state;
    static const uint64_t radices[] = {5, 5, 2};
    cn_topology *mesh;
    cn_faults *faults;
    assert_ok(cn_topology_mesh(radices, 3, &mesh));
    assert_ok(support_faults(mesh, "node 002\nnode 010\n", &faults));
    double wide = delay_at(mesh, faults, NULL, 0.725, 1e-4, NULL);
    double narrow = delay_at(mesh, faults, NULL, 0.725, 1e-6, NULL);
    assert_true(narrow <= wide * (1 + 1e-6) && wide <= narrow * (1 + 2e-4));
    cn_faults_free(&faults);
    cn_topology_free(&mesh);
}

/* Where rounding leaves a rest behind a node that the flow no longer goes through, Newton's step
 * must not scale it up. */
static void no_traffic_is_lost(void **state)
{
    (void)state;
    static const struct {
        uint64_t radices[2], times, more;
        double load;
    } sample[] = {{{3, 3}, 5, 5, 0.98}, {{3, 4}, 3, 2, 0.4975}};
    for (size_t i = 0; i < sizeof sample / sizeof sample[0]; i++) {
        cn_topology *mesh;
        double flows[MOST], traffic[MOST] = {0}, net[16] = {0};
        assert_ok(cn_topology_mesh(sample[i].radices, 2, &mesh));
        uint64_t nodes = cn_topology_node_count(mesh);
        for (uint64_t v = 0; v < nodes; v++) {
            uint64_t to = (v * sample[i].times + sample[i].more) % nodes;
            if (to == v)
                continue;
            traffic[v * nodes + to] = 1.0;
            net[v] += sample[i].load;
            net[to] -= sample[i].load;
        }
        delay_at(mesh, NULL, traffic, sample[i].load, 1e-8, flows);
        for (uint64_t v = 0; v < nodes; v++) {
            uint32_t degree;
            assert_ok(cn_topology_degree(mesh, v, &degree));
            for (uint32_t port = 0; port < degree; port++) {
                double f = flows[v * cn_topology_max_degree(mesh) + port];
                uint64_t head;
                assert_ok(cn_topology_neighbor(mesh, v, port, &head));
                assert_true(f >= 0.0);
                net[v] -= f;
                net[head] += f;
            }
        }
        for (uint64_t v = 0; v < nodes; v++)
            assert_near(net[v], 0.0, 1e-9);
        cn_topology_free(&mesh);
    }
}

static void wrong_arguments_are_told(void **state)
{
    (void)state;
    cn_topology *cube, *ring, *huge;
    double delay, lower, flows[32], traffic[64] = {0};
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_topology_ring(8, 0, &ring));
    assert_ok(cn_topology_hypercube(11, &huge));
    cn_faults *faults = faults_at(cube, (const int[]){3}, 1);
    assert_fails(cn_flow_deviation(NULL, NULL, NULL, 0, 1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, 1, 1e-6, NULL, NULL, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "delay");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, NAN, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "load = nan");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, -1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "load = -1");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, 1, 1e-10, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "gap = 1e-10, but it must be 1e-09 to 1");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, 1, NAN, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "gap = nan");
    assert_fails(cn_flow_deviation(huge, NULL, NULL, 0, 1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_UNSUPPORTED, "not hypercube(11)");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, 1, 1e-6, NULL, &delay, NULL, flows, 23),
                 CN_ERR_CAPACITY, "capacity = 23, but hypercube(3) has 24");
    assert_fails(cn_flow_deviation(ring, faults, NULL, 0, 0.1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "faults of hypercube(3)");
    assert_fails(cn_flow_deviation(cube, NULL, traffic, 63, 1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "count = 63");
    assert_fails(cn_flow_deviation(cube, NULL, traffic, 64, 1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "sums up to 0, but it must be 1e-290 to 1e+290");
    traffic[1] = 1e302;
    assert_fails(cn_flow_deviation(cube, NULL, traffic, 64, 1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "sums up to 1e+302");
    traffic[1] = 1e-200; /* the load times the sum is below all doubles */
    assert_ok(
        cn_flow_deviation(cube, NULL, traffic, 64, 1e-200, 1e-6, NULL, &delay, NULL, NULL, 0));
    assert_near(delay, 1.0, 1e-12);
    traffic[1] = 0.0;
    static const struct {
        size_t at;
        double value;
        const char *part;
    } wrong[] = {{1, NAN, "traffic[1] = nan"},
                 {2, -0.5, "traffic[2] = -0.5"},
                 {8, INFINITY, "traffic[8] = inf"},
                 {9, 1.0, "node 1 to 1"},
                 {3, 1.0, "is faulty"},
                 {24, 1.0, "is faulty"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        traffic[wrong[i].at] = wrong[i].value;
        assert_fails(
            cn_flow_deviation(cube, faults, traffic, 64, 1, 1e-6, NULL, &delay, NULL, NULL, 0),
            CN_ERR_ARGUMENT, wrong[i].part);
        traffic[wrong[i].at] = 0.0;
    }
    assert_fails(cn_flow_saturation(cube, NULL, NULL, 0, 1e-8, NULL, &lower, &delay),
                 CN_ERR_ARGUMENT, "accuracy = 1e-08");
    assert_fails(cn_flow_saturation(cube, NULL, NULL, 0, 1e-3, NULL, NULL, &delay), CN_ERR_ARGUMENT,
                 "lower");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    cn_topology_free(&ring);
    cn_topology_free(&huge);
}

static void networks_that_carry_nothing(void **state)
{
    (void)state;
    cn_topology *cube, *ring;
    double delay = -1.0, traffic[64] = {0};
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_topology_ring(8, 0, &ring));
    cn_faults *around = faults_at(cube, (const int[]){1, 2, 4}, 3);
    assert_fails(cn_flow_deviation(cube, around, NULL, 0, 0, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_DISCONNECTED, "from node 0 to node 3 of hypercube(3)");
    /* the pairs that talk are joined */
    traffic[3 * 8 + 6] = 0.5;
    assert_near(delay_at(cube, around, traffic, 1.0, 1e-6, NULL), 4.0, 1e-6);
    traffic[3 * 8] = 0.5;
    assert_fails(cn_flow_deviation(cube, around, traffic, 64, 1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_DISCONNECTED, "from node 3 to node 0");
    cn_faults *all = faults_at(cube, (const int[]){0, 1, 2, 3, 4, 5, 6, 7}, 8);
    assert_fails(cn_flow_deviation(cube, all, NULL, 0, 0.1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "with 0 working nodes");
    assert_ok(cn_faults_remove_node(all, 5));
    assert_fails(cn_flow_deviation(cube, all, NULL, 0, 0.1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_ARGUMENT, "with 1 working nodes");
    cn_faults *broken = faults_at(ring, (const int[]){3}, 1);
    assert_fails(cn_flow_deviation(ring, broken, NULL, 0, 0.1, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_DISCONNECTED, "no working path");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, 1.75, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_UNSTABLE, "less than 1.75");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, 1e300, 1e-6, NULL, &delay, NULL, NULL, 0),
                 CN_ERR_UNSTABLE, "load = 1e+300");
    assert_near(delay, -1.0, 0.0);
    cn_faults_free(&around);
    cn_faults_free(&all);
    cn_faults_free(&broken);
    cn_topology_free(&cube);
    cn_topology_free(&ring);
}

/* The tighter the room, the wider the gap that is asked for: see docs/theory/flow-deviation.md. */
static void close_to_saturation(void **state)
{
    (void)state;
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_faults *faults = faults_at(cube, (const int[]){2, 3, 4, 7, 9}, 5);
    double before = 17.5, delay;
    for (double room = 1e-2; room > 5e-6; room /= 10) {
        delay =
            delay_at(cube, faults, NULL, 5.0 / 6.0 * (1 - room), room > 5e-4 ? 1e-6 : 1e-4, NULL);
        assert_true(delay > 2 * before && delay < 1.0 / room);
        before = delay;
    }
    assert_fails(
        cn_flow_deviation(cube, faults, NULL, 0, 5.0 / 6.0, 1e-6, NULL, &delay, NULL, NULL, 0),
        CN_ERR_UNSTABLE, "carries less than 0.8333333");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static cn_status run_once(void *context)
{
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    double delay, lower, upper;
    (void)context;
    cn_status status = cn_topology_hypercube(3, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_add_node(faults, 6);
    if (status == CN_OK)
        status = cn_flow_deviation(cube, faults, NULL, 0, 0.5, 1e-6, NULL, &delay, &lower, NULL, 0);
    if (status == CN_OK)
        status = cn_flow_saturation(cube, faults, NULL, 0, 1e-3, NULL, &lower, &upper);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    support_fail_every_allocation(run_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_damaged_cube_of_figure_5_1),
        cmocka_unit_test(symmetric_networks_have_a_closed_form),
        cmocka_unit_test(one_path_is_a_plain_sum),
        cmocka_unit_test(two_paths_by_hand),
        cmocka_unit_test(random_traffic_on_an_irregular_graph),
        cmocka_unit_test(faulty_channels_carry_nothing),
        cmocka_unit_test(loads_near_saturation_converge),
        cmocka_unit_test(few_rounds_do_near_saturation),
        cmocka_unit_test(a_damaged_mesh_converges),
        cmocka_unit_test(no_traffic_is_lost),
        cmocka_unit_test(wrong_arguments_are_told),
        cmocka_unit_test(networks_that_carry_nothing),
        cmocka_unit_test(close_to_saturation),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

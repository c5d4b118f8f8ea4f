/* The shapes of one size and their comparison at constant bisection width. */
#include "support/support.h"

#include "cubenet/experimental/shape.h"

#include <math.h>

static void all_shapes_are_found(void **state)
{
    (void)state;
    for (uint64_t nodes = 2; nodes <= 5000; nodes++) {
        uint64_t k[12];
        uint32_t n[12];
        size_t count, expected = 0;
        assert_ok(cn_kary_shapes(nodes, k, n, 12, &count));
        for (uint64_t radix = nodes; radix >= 2; radix--) { /* n rises as k falls */
            uint64_t power = radix;
            uint32_t dimensions = 1;
            while (power < nodes) {
                power *= radix;
                dimensions++;
            }
            if (power != nodes)
                continue;
            assert_true(expected < count);
            assert_int_equal(k[expected], radix);
            assert_int_equal(n[expected], dimensions);
            expected++;
        }
        assert_int_equal(count, expected);
    }
}

static void large_sizes_are_exact(void **state)
{
    (void)state;
    uint64_t k[8];
    uint32_t n[8];
    size_t count;
    assert_ok(cn_kary_shapes(UINT64_C(1) << 62, k, n, 8, &count));
    assert_int_equal(count, 4); /* 62 = 1, 2, 31, 62 */
    assert_true(k[0] == UINT64_C(1) << 62 && k[1] == UINT64_C(1) << 31 && k[2] == 4 && k[3] == 2);
    uint64_t odd = UINT64_C(1000003) * 1000003 * 1000003;
    assert_ok(cn_kary_shapes(odd, k, n, 8, &count));
    assert_int_equal(count, 2);
    assert_true(k[1] == 1000003 && n[1] == 3);
    assert_ok(cn_kary_shapes(odd - 1, k, n, 8, &count));
    assert_int_equal(count, 1);
}

static void room_and_arguments_are_checked(void **state)
{
    (void)state;
    uint64_t k[4];
    uint32_t n[4];
    double cycle_time = -1.0;
    size_t count = 77;
    assert_fails(cn_kary_shapes(64, NULL, NULL, 0, &count), CN_ERR_CAPACITY, "capacity = 0");
    assert_int_equal(count, 4);
    assert_fails(cn_kary_shapes(64, k, n, 3, &count), CN_ERR_CAPACITY, "4 shapes");
    assert_fails(cn_kary_shapes(1, k, n, 4, &count), CN_ERR_ARGUMENT, "nodes = 1");
    assert_fails(cn_kary_shapes(64, k, NULL, 4, &count), CN_ERR_ARGUMENT, "dimensions");
    assert_ok(cn_kary_shapes(64, k, n, 4, NULL));
    assert_fails(cn_bisection_cycle_time(1, 0, 0.0, &cycle_time), CN_ERR_ARGUMENT, "radix = 1");
    assert_fails(cn_bisection_cycle_time(2, 0, -1.0, &cycle_time), CN_ERR_ARGUMENT,
                 "processing_ratio = -1");
    assert_fails(cn_bisection_cycle_time(2, 0, NAN, &cycle_time), CN_ERR_ARGUMENT,
                 "processing_ratio");
    assert_fails(cn_bisection_cycle_time(2, 0, 0.0, NULL), CN_ERR_ARGUMENT, "cycle_time");
    assert_true(cycle_time == -1.0);
}

static cn_topology *rings_of(uint64_t k, uint32_t n, int bidirectional)
{
    cn_topology *topology;
    assert_ok(cn_topology_kary_ncube(k, n, bidirectional, &topology));
    return topology;
}

static void what_has_no_prediction_is_refused(void **state)
{
    (void)state;
    double throughput = 77, delay = 77, *t = &throughput, *d = &delay;
    cn_topology *cube = rings_of(8, 2, 0), *ring = rings_of(UINT64_C(1) << 23, 1, 0), *mesh;
    cn_traffic *tornado;
    const uint64_t sides[] = {8, 8};
    assert_ok(cn_topology_mesh(sides, 2, &mesh));
    assert_ok(cn_traffic_new(cube, CN_PATTERN_TORNADO, &tornado));
    assert_fails(cn_predict_shape(cube, NULL, 0.0, -1.0, CN_MODEL_PUBLISHED, NULL, t, d),
                 CN_ERR_ARGUMENT, "load = -1");
    assert_fails(cn_predict_shape(cube, NULL, -1.0, 1.0, CN_MODEL_PUBLISHED, NULL, t, d),
                 CN_ERR_ARGUMENT, "cn_predict_shape: processing_ratio = -1");
    assert_fails(cn_predict_shape(NULL, NULL, 0.0, 1.0, CN_MODEL_PUBLISHED, NULL, t, d),
                 CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_predict_shape(mesh, NULL, 0.0, 1.0, CN_MODEL_PUBLISHED, NULL, t, d),
                 CN_ERR_UNSUPPORTED, "is no k-ary n-cube");
    assert_fails(cn_predict_shape(cube, tornado, 0.0, 1.0, CN_MODEL_PUBLISHED, NULL, t, d),
                 CN_ERR_UNSUPPORTED, "cn_predict_shape: the model of deflection covers uniform");
    assert_fails(cn_predict_shape(ring, tornado, 0.0, 1.0, CN_MODEL_PUBLISHED, NULL, t, d),
                 CN_ERR_ARGUMENT, "cn_predict_shape: ");
    assert_fails(cn_predict_shape(cube, NULL, 0.0, 1.0, CN_MODEL_CORRECTED, NULL, t, d),
                 CN_ERR_UNSUPPORTED, "model_variant = corrected");
    assert_fails(cn_predict_shape(ring, NULL, 0.0, 0.1, CN_MODEL_OWN, NULL, t, d),
                 CN_ERR_UNSUPPORTED, "which takes too long");
    assert_fails(cn_predict_shape(cube, NULL, 0.0, 1.0, CN_MODEL_PUBLISHED, NULL, NULL, d),
                 CN_ERR_ARGUMENT, "throughput");
    assert_fails(cn_predict_shape(cube, NULL, 0.0, 1.0, CN_MODEL_PUBLISHED, NULL, t, NULL),
                 CN_ERR_ARGUMENT, "delay");
    assert_true(throughput == 77 && delay == 77);
    cn_traffic_free(&tornado);
    cn_topology_free(&cube);
    cn_topology_free(&ring);
    cn_topology_free(&mesh);
}

/* With rings of both ways k/4 times as wide a channel; those of 2 nodes are the Boolean cube. */
static void both_ways_have_twice_the_channels(void **state)
{
    (void)state;
    double one, both;
    assert_ok(cn_bisection_cycle_time(8, 0, 0.5, &one));
    assert_ok(cn_bisection_cycle_time(8, 1, 0.5, &both));
    assert_near(one, 0.75 / 1.5, 1e-15);
    assert_near(both, 1.0 / 1.5, 1e-15);
    assert_ok(cn_bisection_cycle_time(2, 1, 0.5, &both));
    assert_true(both == 1.0);
}

/* gamma_N = gamma (beta + 1) / (beta + 2/k), T_N = T (beta + 2/k) / (beta + 1), by the traffic and
 * the rings that are asked for. */
static void compare(cn_topology *topology, const cn_traffic *traffic, double beta, double cycle)
{
    double gamma, t, throughput, delay;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.8 * cycle));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_ok(cn_result_value(result, CN_METRIC_THROUGHPUT, &gamma));
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_DELAY, &t));
    assert_ok(cn_predict_shape(topology, traffic, beta, 0.8, CN_MODEL_PUBLISHED, NULL, &throughput,
                               &delay));
    assert_near(throughput, gamma / cycle, 1e-12);
    assert_near(delay, t * cycle, 1e-11);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void a_shape_is_its_prediction_normalised(void **state)
{
    (void)state;
    static const double betas[] = {0.0, 0.25, 1.0};
    uint64_t k[4];
    uint32_t n[4];
    size_t count;
    assert_ok(cn_kary_shapes(64, k, n, 4, &count));
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        for (int both = 0; both < 2; both++) {
            cn_topology *topology = rings_of(k[i], n[i], both);
            cn_traffic *near;
            assert_ok(cn_traffic_geometric_locality(topology, 0.4, &near));
            double channels = both && k[i] > 2 ? 4.0 : 2.0;
            for (size_t b = 0; b < 3; b++) {
                double cycle = (betas[b] + channels / (double)k[i]) / (betas[b] + 1.0);
                compare(topology, NULL, betas[b], cycle);
                compare(topology, near, betas[b], cycle);
            }
            cn_traffic_free(&near);
            cn_topology_free(&topology);
        }
}

/* Horng 1992, figures 4.8 to 4.10: few dimensions are best when nodes take no time, many when they
 * do. */
static void processing_time_speaks_for_many_dimensions(void **state)
{
    (void)state;
    static const cn_model_variant variants[] = {CN_MODEL_PUBLISHED, CN_MODEL_OWN};
    uint64_t k[4];
    uint32_t n[4];
    assert_ok(cn_kary_shapes(64, k, n, 4, NULL));
    for (int v = 0; v < 2; v++) {
        double throughput[4], quick[4], slow[4], best = 0.0;
        for (int i = 0; i < 4; i++) {
            cn_topology *cube = rings_of(k[i], n[i], 0);
            assert_ok(cn_predict_shape(cube, NULL, 0.0, 0.5, variants[v], NULL, &throughput[i],
                                       &quick[i]));
            assert_ok(cn_predict_shape(cube, NULL, 1.0, 0.5, variants[v], NULL, &throughput[i],
                                       &slow[i]));
            cn_topology_free(&cube);
            best = fmax(best, throughput[i] / slow[i]);
        }
        assert_true(quick[0] < quick[1] && quick[1] < quick[2] && quick[2] < quick[3]);
        assert_true(slow[0] > slow[1] && slow[1] > slow[2] && slow[2] > slow[3]);
        assert_true(k[3] == 2 && throughput[3] / slow[3] == best);
    }
}

static cn_status predict(void *context)
{
    double throughput, delay;
    const cn_model_variant *variant = context;
    cn_topology *cube = NULL;
    cn_traffic *near = NULL;
    cn_status status = cn_topology_kary_ncube(4, 2, 0, &cube);
    if (status == CN_OK)
        status = cn_traffic_geometric_locality(cube, 0.7, &near);
    if (status == CN_OK)
        status = cn_predict_shape(cube, near, 0.5, 0.3, *variant, NULL, &throughput, &delay);
    cn_traffic_free(&near);
    cn_topology_free(&cube);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    cn_model_variant published = CN_MODEL_PUBLISHED, own = CN_MODEL_OWN;
    support_fail_every_allocation(predict, &published);
    support_fail_every_allocation(predict, &own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_shapes_are_found),
        cmocka_unit_test(large_sizes_are_exact),
        cmocka_unit_test(room_and_arguments_are_checked),
        cmocka_unit_test(what_has_no_prediction_is_refused),
        cmocka_unit_test(both_ways_have_twice_the_channels),
        cmocka_unit_test(a_shape_is_its_prediction_normalised),
        cmocka_unit_test(processing_time_speaks_for_many_dimensions),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

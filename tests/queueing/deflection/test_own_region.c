/*
 * The region of model_variant own of deflection: at random points in it, own is nowhere further
 * from the simulation than published is. CUBENET_POINTS in the environment is the number of points.
 */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 120, MOST_NODES = 1000, KINDS = 4 };

/* Beyond the half-width of the simulation: where errors of published change their sign it is right
 * by chance, and own, which may be 2 % off, is not. */
static const double ALLOWANCE = 0.01;
static const double NODE_CYCLES = 4e5;

typedef enum kind { ONE_WAY, TWO_WAY, GENERALIZED, BOOLEAN } kind;

typedef struct point {
    kind kind;
    uint64_t k;
    uint32_t n, channels, buffers;
    double load;
} point;

static double uniform(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*random >> 11) * 0x1p-53;
}

static uint32_t whole(uint32_t least, uint32_t greatest, uint64_t *random)
{
    return least + (uint32_t)floor((greatest - least + 1.0) * uniform(random));
}

static cn_topology *network(const point *p)
{
    cn_topology *topology;
    if (p->kind == GENERALIZED)
        assert_ok(cn_topology_generalized_hypercube(p->k, p->n, &topology));
    else
        assert_ok(cn_topology_kary_ncube(p->k, p->n, p->kind == TWO_WAY, &topology));
    return topology;
}

/* Few buffers and two dimensions are where messages meet again: half of the points have them. */
static point draw(int number, uint64_t *random)
{
    static const uint32_t greatest_k[KINDS] = {28, 28, 9, 2};
    point p = {.kind = (kind)(number % KINDS)};
    do {
        p.n = p.kind == BOOLEAN       ? whole(2, 9, random)
              : uniform(random) < 0.5 ? 2
                                      : whole(1, 4, random);
        p.k = p.kind == BOOLEAN ? 2 : whole(3, greatest_k[p.kind], random);
    } while (pow((double)p.k, p.n) > MOST_NODES);
    p.channels = p.n * (p.kind == GENERALIZED ? (uint32_t)p.k - 1 : p.kind == TWO_WAY ? 2 : 1);
    p.buffers = uniform(random) < 0.5 ? whole(p.channels, p.channels + 2, random)
                                      : whole(p.channels, 6 * p.channels, random);
    double x = uniform(random);
    p.load = uniform(random) < 0.5 ? 0.2 * pow(25.0, x) : 0.7 + 0.6 * x; /* still a share */
    return p;
}

static cn_scenario *scenario_of(point *p)
{
    cn_topology *topology = network(p);
    cn_scenario *scenario;
    double distance, upper;
    cn_known known;
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_topology_measure(topology, CN_MEASURE_MEAN_DISTANCE, 0.0, NULL, &distance, &upper,
                                  &known));
    cn_topology_free(&topology);
    p->load *= p->channels / distance;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, p->buffers));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, p->load));
    return scenario;
}

/* NULL: refused. */
static cn_result *predict(cn_scenario *scenario, cn_model_variant variant)
{
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
    cn_status status = cn_predict(scenario, NULL, &result);
    assert_true(status == CN_OK || status == CN_ERR_UNSUPPORTED);
    return result;
}

/* As long as the queue of a node needs to settle, and longer. */
static cn_result *simulate(cn_scenario *scenario, const point *p, const cn_result *model)
{
    cn_result *result;
    double queue = value_of(model, CN_METRIC_MEAN_QUEUE_LENGTH);
    double distance = value_of(model, CN_METRIC_MEAN_DISTANCE);
    double settles = 100.0 + 3.0 * distance * fmax(1.0, queue * queue) / p->channels +
                     10.0 * value_of(model, CN_METRIC_MEAN_DELAY);
    double cycles = fmax(NODE_CYCLES / pow((double)p->k, p->n), 4.0 * settles);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, floor(settles)));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, floor(cycles)));
    assert_ok(cn_simulate(scenario, NULL, &result));
    return result;
}

/* 1 unless the simulation does not know this metric well enough to tell. */
static int is_no_further(const point *p, cn_metric metric, const cn_result *published,
                         const cn_result *own, const cn_result *simulated)
{
    double truth = value_of(simulated, metric), doubt;
    assert_ok(cn_result_half_width(simulated, metric, &doubt));
    if (!(doubt < 0.05 * truth))
        return 0;
    double further =
        fabs(value_of(own, metric) - truth) - fabs(value_of(published, metric) - truth);
    if (further > doubt + ALLOWANCE * truth)
        print_error(
            "kind %d, k = %lu, n = %u, M = %u, load %g: %s %g +- %g, published %g, own %g\n",
            (int)p->kind, (unsigned long)p->k, p->n, p->buffers, p->load, cn_metric_name(metric),
            truth, doubt, value_of(published, metric), value_of(own, metric));
    assert_true(further <= doubt + ALLOWANCE * truth);
    return 1;
}

/* Returns how many metrics were compared; own_refused counts. */
static int compare(point *p, uint64_t seed, int *own_refused)
{
    int compared = 0;
    cn_scenario *scenario = scenario_of(p);
    cn_result *own = predict(scenario, CN_MODEL_OWN);
    cn_result *published = predict(scenario, CN_MODEL_PUBLISHED);
    assert_non_null(published);
    assert_ok(cn_scenario_set_seed(scenario, seed));
    *own_refused += own == NULL;
    if (own != NULL) {
        cn_result *simulated = simulate(scenario, p, own);
        compared += is_no_further(p, CN_METRIC_MEAN_DELAY, published, own, simulated);
        compared += is_no_further(p, CN_METRIC_THROUGHPUT, published, own, simulated);
        cn_result_free(&simulated);
    }
    cn_result_free(&own);
    cn_result_free(&published);
    cn_scenario_free(&scenario);
    return compared;
}

static void own_is_no_further_than_published(void **state)
{
    (void)state;
    skip_under_sanitizers();
    const char *asked = getenv("CUBENET_POINTS");
    int points = asked == NULL ? POINTS : atoi(asked), compared = 0, refused = 0;
    uint64_t random = 37;
    for (int i = 0; i < points; i++) {
        point p = draw(i, &random);
        compared += compare(&p, (uint64_t)i + 1, &refused);
    }
    assert_true(refused < points / 4);
    assert_true(compared > 2 * (points - refused) * 4 / 5);
}

/* ---- the region itself ---- */

static void check_covered(kind of, uint64_t k, uint32_t n, uint32_t buffers, int covered)
{
    /* the region does not speak of the load */
    for (double share = 0.0; share < 1e4; share = 10.0 * share + 0.01) {
        point p = {.kind = of, .k = k, .n = n, .channels = 1, .buffers = buffers, .load = share};
        cn_scenario *scenario = scenario_of(&p);
        cn_result *own = predict(scenario, CN_MODEL_OWN);
        cn_result *published = predict(scenario, CN_MODEL_PUBLISHED);
        assert_int_equal(own != NULL, covered);
        assert_non_null(published);
        assert_false(cn_result_has(published, CN_METRIC_EXTRAPOLATED));
        cn_result_free(&own);
        cn_result_free(&published);
        cn_scenario_free(&scenario);
    }
}

static void where_the_region_ends(void **state)
{
    (void)state;
    check_covered(ONE_WAY, 33, 2, 2, 0);
    check_covered(ONE_WAY, 3, 2, 3, 0);
    check_covered(ONE_WAY, 8, 2, 4, 1);
    check_covered(ONE_WAY, 24, 2, 4, 1);
    check_covered(ONE_WAY, 25, 2, 12, 0);
    check_covered(TWO_WAY, 24, 2, 4, 1);
    check_covered(TWO_WAY, 25, 2, 12, 0);
    check_covered(TWO_WAY, 8, 1, 2, 1);
    check_covered(TWO_WAY, 9, 1, 20, 0);
    check_covered(ONE_WAY, 100, 1, 1, 1);
    check_covered(ONE_WAY, 5, 3, 3, 1);
    check_covered(ONE_WAY, 64, 3, 6, 0); /* only the reduced states are few enough */
    check_covered(BOOLEAN, 2, 2, 2, 1);
    check_covered(GENERALIZED, 4, 2, 6, 1);
}

static void the_sentence_names_the_region(void **state)
{
    (void)state;
    point p = {.kind = ONE_WAY, .k = 33, .n = 2, .channels = 2, .buffers = 2, .load = 1.0};
    cn_scenario *scenario = scenario_of(&p);
    cn_result *result;
    double load;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_fails(
        cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
        "cn_predict: model_variant = own of deflection covers k-ary 2-cubes of k up to 24 with at "
        "least 4 buffers");
    assert_fails(cn_saturation_load(scenario, NULL, &load), CN_ERR_UNSUPPORTED,
                 "cn_saturation_load: model_variant = own of deflection covers");
    assert_fails(cn_optimal_load(scenario, NULL, &load, NULL), CN_ERR_UNSUPPORTED,
                 "cn_optimal_load: model_variant = own of deflection covers");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 4.0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATE_SPACE, CN_STATES_REDUCED));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "and the exact state space");
    cn_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_is_no_further_than_published),
        cmocka_unit_test(where_the_region_ends),
        cmocka_unit_test(the_sentence_names_the_region),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

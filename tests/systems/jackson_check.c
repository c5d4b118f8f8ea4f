#include "jackson_check.h"

#include <math.h>

static double within, cases;

void check_against_model(cn_scenario *scenario, double least)
{
    cn_result *model, *run;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 30000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.01));
    assert_ok(cn_predict(scenario, NULL, &model));
    assert_ok(cn_simulate(scenario, NULL, &run));
    double exact = value_of(model, CN_METRIC_MEAN_DELAY);
    double delay = value_of(run, CN_METRIC_MEAN_DELAY);
    double half_width = half_width_of(run, CN_METRIC_MEAN_DELAY);
    assert_true(half_width < 0.08 * exact); /* 30000 cycles, and t of some 8 degrees of freedom */
    assert_near(delay, exact, 1.6 * half_width);
    assert_true(delay >= least - half_width);
    within += fabs(delay - exact) <= half_width;
    cases += 1;
    assert_near(value_of(run, CN_METRIC_MEAN_HOPS), value_of(model, CN_METRIC_MEAN_HOPS), 0.02);
    assert_near(value_of(run, CN_METRIC_CHANNEL_UTILIZATION),
                value_of(model, CN_METRIC_CHANNEL_UTILIZATION), 0.01);
    assert_near(value_of(run, CN_METRIC_MEAN_DISTANCE), value_of(model, CN_METRIC_MEAN_DISTANCE),
                0.02);
    assert_near(value_of(run, CN_METRIC_SURVIVOR_FRACTION),
                value_of(model, CN_METRIC_SURVIVOR_FRACTION), 0.0);
    cn_result_free(&model);
    cn_result_free(&run);
}

void check_that_most_were_within(void)
{
    assert_true(cases > 0.0 && within >= 0.8 * cases);
}

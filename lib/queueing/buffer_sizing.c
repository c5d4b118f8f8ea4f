/*
 * The number of buffers and the load at which a network serves best, by the power of a scenario's
 * model (Horng 1992, 3.4 and 4.4.1). The power is the throughput of the network over the mean
 * delay.
 */
#include <math.h>

#include "base/error.h"
#include "cubenet/queueing.h"
#include "scenario/scenario.h"
#include "scenario/system.h"
#include "scenario/traffic/source.h"
#include "topology/topology.h"

/* A copy of the caller's scenario, in which the search changes one parameter. */
typedef struct search {
    cn_scenario *scenario;
    cn_param param;
    double most; /* the greatest value of the parameter that is tried */
    cni_budget budget;
    /* The failure of the first prediction that failed. From then on every power is 0. */
    cn_status status;
} search;

static cn_status open_search(const char *function, const cn_scenario *scenario, cn_param param,
                             const cn_control *control, search *s)
{
    cni_budget budget;
    CNI_TRY(cni_budget_begin(&budget, function, control, 0));
    CNI_TRY(cni_scenario_check_takes(function, scenario, param));
    double most = 0.0;
    CNI_TRY(cn_param_range(param, NULL, &most, NULL, NULL));
    *s = (search){.scenario = cni_scenario_duplicate(scenario),
                  .param = param,
                  .most = most,
                  .budget = budget};
    return s->scenario == NULL ? CN_ERR_MEMORY : CN_OK;
}

/* Predicts the power at a value of the parameter. A prediction may be too short for a look at
 * the budget of its own, so there is one before it. Every model gives the two metrics. */
static cn_status find_power(search *s, double value, double *power)
{
    cn_result *result = NULL;
    CNI_TRY(cn_scenario_set(s->scenario, s->param, value));
    if (!cni_budget_look(&s->budget))
        return cni_budget_fail(&s->budget);
    cni_budget inner = cni_budget_within(&s->budget);
    s->budget.done++;
    CNI_TRY(cni_scenario_predict(s->scenario, &inner, &result));
    *power = result->value[CN_METRIC_NETWORK_THROUGHPUT] / result->value[CN_METRIC_MEAN_DELAY];
    cn_result_free(&result);
    return CN_OK;
}

/* The power at a value of the parameter; 0 after a failure. */
static double power_at(search *s, double value)
{
    double power = 0.0;
    if (s->status == CN_OK)
        s->status = find_power(s, value, &power);
    return power;
}

/* ---- the load ---- */

/* The search gives up below this load: no load above it has a steady state then. */
#define LEAST_LOAD 1e-30

typedef struct peak {
    double load, power;
} peak;

/* Finds the power at a load, and keeps the best load so far. A load without a steady state has
 * an infinite delay, so its power is 0. */
static double try_load(search *s, double load, peak *best)
{
    double power = power_at(s, load);
    if (s->status == CN_ERR_UNSTABLE)
        s->status = CN_OK;
    if (power > best->power)
        *best = (peak){load, power};
    return power;
}

/* Goes from a small load by factors of two to a load from which the power rises neither way. The
 * peak is then less than a factor of two away. */
static double climb_loads(search *s, peak *best)
{
    double at = 1e-3, here = try_load(s, at, best), next;
    for (; 2.0 * at <= s->most && (next = try_load(s, 2.0 * at, best)) > here; at *= 2.0)
        here = next;
    for (; at > LEAST_LOAD && ((next = try_load(s, at / 2.0, best)) > here || here <= 0.0);
         at /= 2.0)
        here = next;
    return at;
}

/* Finds the peak by golden section on the logarithm of the load. The section ends at 1e-7 of the
 * load: the power is flat at its peak, so its differences are about 1e-14 there, and smaller
 * differences are rounding. */
static void narrow_load(search *s, double at, peak *best)
{
    const double golden = (sqrt(5.0) - 1.0) / 2.0;
    double low = log(at / 2.0), high = log(fmin(2.0 * at, s->most));
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = try_load(s, exp(left), best), at_right = try_load(s, exp(right), best);
    while (high - low > 1e-7 && s->status == CN_OK) {
        if (at_left > at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = try_load(s, exp(left), best);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = try_load(s, exp(right), best);
        }
    }
}

static peak find_load(search *s)
{
    peak best = {0.0, 0.0};
    double at = climb_loads(s, &best);
    if (s->status == CN_OK && best.power <= 0.0)
        s->status = CN_ERR_UNSTABLE; /* the failure of the last prediction has the reason */
    if (s->status != CN_OK)
        return best;
    narrow_load(s, at, &best);
    peak end = {s->most, 0.0};
    end.power = try_load(s, s->most, &best);
    return end.power >= best.power ? end : best;
}

cn_status cn_optimal_load(const cn_scenario *scenario, const cn_control *control, double *load,
                          double *power)
{
    search s = {0};
    CNI_REQUIRE_BOTH(scenario, load);
    CNI_TRY(open_search(__func__, scenario, CN_PARAM_LOAD, control, &s));
    s.most = fmin(s.most, cni_source_most(cni_traffic_of(scenario)));
    peak found = find_load(&s);
    cn_scenario_free(&s.scenario);
    CNI_TRY(cni_fail_as(__func__, s.status));
    *load = found.load;
    CNI_GIVE(power, found.power);
    return CN_OK;
}

cn_status cn_saturation_load(const cn_scenario *scenario, const cn_control *control, double *load)
{
    CNI_REQUIRE_BOTH(scenario, load);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_scenario_check_takes(__func__, scenario, CN_PARAM_LOAD));
    cn_scenario asked = cni_scenario_for_model(scenario, &budget);
    CNI_TRY(cni_scenario_check_model(__func__, &asked));
    double found = 0.0;
    CNI_TRY(cni_fail_as(__func__, scenario->system->limit(&asked, &found)));
    *load = found;
    return CN_OK;
}

/* ---- the buffers ---- */

enum { MOST_BUFFERS = 1 << 20 };

/* The power is at rest when one more step of the survey changes it by less than this share. More
 * buffers than at rest change nothing that the search can see. */
#define AT_REST 1e-10

/* A range of numbers of buffers that holds the peak of the power. `peak` is the number with the
 * greatest power so far. Beyond `behind` the search need not look: there the power is below the
 * wanted share of the greatest, or at rest, or the number is MOST_BUFFERS. */
typedef struct stretch {
    uint64_t first, peak, behind;
    double power, power_behind;
    int rests; /* the power is at rest at `behind`, or the number is MOST_BUFFERS */
} stretch;

/* Surveys numbers of buffers from the first one on, in steps of a quarter. */
static stretch survey_buffers(search *s, uint64_t first, double share)
{
    stretch found = {.first = first, .peak = first};
    double before = power_at(s, (double)first);
    found.power = before;
    for (uint64_t step, m = first; s->status == CN_OK; before = found.power_behind) {
        step = m / 4 + 1;
        m = m + step < MOST_BUFFERS ? m + step : MOST_BUFFERS;
        found.behind = m;
        found.power_behind = power_at(s, (double)m);
        if (found.power_behind > found.power) {
            found.power = found.power_behind;
            found.peak = m;
        }
        found.rests = m == MOST_BUFFERS || fabs(found.power_behind - before) <= AT_REST * before;
        if (found.rests || found.power_behind < share * found.power)
            break;
    }
    return found;
}

/* Finds the peak by halving. The survey took steps of a quarter, so the peak lies less than a
 * step away from the best number of the survey. */
static void find_peak(search *s, stretch *found)
{
    uint64_t step = found->peak / 4 + 1;
    uint64_t low = found->peak - found->first > step ? found->peak - step : found->first;
    uint64_t high = found->behind - found->peak > step ? found->peak + step : found->behind;
    while (low < high && s->status == CN_OK) {
        uint64_t middle = low + (high - low) / 2;
        if (power_at(s, (double)middle) < power_at(s, (double)(middle + 1)))
            low = middle + 1;
        else
            high = middle;
    }
    double power = power_at(s, (double)low);
    if (power >= found->power) {
        found->peak = low;
        found->power = power;
    }
}

/* Finds, by halving, the last number of buffers with enough power between `from`, which has
 * enough, and `to`, which has not. */
static uint64_t last_with_enough(search *s, uint64_t from, uint64_t to, double enough)
{
    while ((from > to ? from - to : to - from) > 1 && s->status == CN_OK) {
        uint64_t middle = from > to ? to + (from - to) / 2 : from + (to - from) / 2;
        if (power_at(s, (double)middle) >= enough)
            from = middle;
        else
            to = middle;
    }
    return from;
}

static cn_status check_buffers(search *s, uint64_t buffers)
{
    CNI_TRY(cn_scenario_set(s->scenario, CN_PARAM_BUFFERS, (double)buffers));
    cn_scenario asked = cni_scenario_for_model(s->scenario, NULL);
    return cni_scenario_check_model(s->budget.function, &asked);
}

/* Finds the fewest buffers that the model covers. The region of a model has no upper end in
 * buffers, so halving finds the lower end. */
static cn_status find_first(search *s, uint64_t *first)
{
    uint64_t outside = s->scenario->topology->max_degree, inside = MOST_BUFFERS;
    *first = outside;
    cn_status status = check_buffers(s, outside);
    if (status != CN_ERR_UNSUPPORTED)
        return status;
    if (check_buffers(s, inside) != CN_OK)
        return check_buffers(s, outside); /* the reason is not the number of buffers */
    while (inside - outside > 1) {
        uint64_t middle = outside + (inside - outside) / 2;
        if (check_buffers(s, middle) == CN_OK)
            inside = middle;
        else
            outside = middle;
    }
    *first = inside;
    return CN_OK;
}

static cn_status find_range(search *s, double share, uint64_t *least, uint64_t *greatest,
                            double *power)
{
    uint64_t first = 0;
    CNI_TRY(find_first(s, &first));
    stretch found = survey_buffers(s, first, share);
    find_peak(s, &found);
    double enough = share * found.power * (1.0 - AT_REST);
    uint64_t fewest = first, most = 0;
    if (power_at(s, (double)first) < enough)
        fewest = last_with_enough(s, found.peak, first, enough);
    if (!found.rests || found.power_behind < enough)
        most = last_with_enough(s, found.peak, found.behind, enough);
    if (s->status != CN_OK)
        return s->status;
    if (fewest == first && first > s->scenario->topology->max_degree)
        /* fewer buffers may do, but the model does not cover such a number */
        return check_buffers(s, first - 1);
    *least = fewest;
    *greatest = most;
    CNI_GIVE(power, found.power);
    return CN_OK;
}

cn_status cn_buffer_range(const cn_scenario *scenario, double share, const cn_control *control,
                          uint64_t *least, uint64_t *greatest, double *power)
{
    search s = {0};
    CNI_REQUIRE_BOTH(scenario, least);
    CNI_REQUIRE(greatest);
    CNI_REQUIRE_OR_NULL(control);
    if (!(share > 0.0 && share <= 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: share = %g, but it must be above 0 and at most 1",
                        __func__, share);
    CNI_TRY(open_search(__func__, scenario, CN_PARAM_BUFFERS, control, &s));
    /* Resolves the automatic choices of the model for the least number of buffers. That choice
     * covers all greater numbers too, and one choice for all keeps the power from jumping. */
    s.scenario->value[CN_PARAM_BUFFERS] = scenario->topology->max_degree;
    *s.scenario = cni_scenario_for_model(s.scenario, NULL);
    cn_status status = find_range(&s, share, least, greatest, power);
    cn_scenario_free(&s.scenario);
    return cni_fail_as(__func__, status);
}

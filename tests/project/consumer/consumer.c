/* A program of somebody else's, in C or C++: one model and one simulation, every metric in full. */
#include <cubenet.h>

#include <stdio.h>

static int print_result(const char *kind, const cn_result *result)
{
    for (size_t i = 1; i <= cn_metric_count(); i++) {
        cn_metric metric = (cn_metric)i;
        double value;
        if (!cn_result_has(result, metric))
            continue;
        if (cn_result_value(result, metric, &value) != CN_OK)
            return 1;
        printf("%s %s %.17g\n", kind, cn_metric_name(metric), value);
    }
    return 0;
}

int main(void)
{
    cn_topology *cube = NULL;
    cn_scenario *scenario = NULL;
    cn_result *model = NULL, *simulation = NULL;

    int failed = cn_topology_hypercube(5, &cube) != CN_OK ||
                 cn_scenario_new(cube, "deflection", &scenario) != CN_OK ||
                 cn_scenario_set(scenario, CN_PARAM_LOAD, 1.25) != CN_OK ||
                 cn_scenario_set(scenario, CN_PARAM_BUFFERS, 8) != CN_OK ||
                 cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000) != CN_OK ||
                 cn_scenario_set_seed(scenario, 20240229) != CN_OK ||
                 cn_predict(scenario, NULL, &model) != CN_OK ||
                 cn_simulate(scenario, NULL, &simulation) != CN_OK;
    if (failed) {
        printf("error %s\n", cn_last_error());
    } else {
        printf("version %s\n", cn_version_text());
        failed = print_result("model", model) || print_result("simulation", simulation);
    }

    cn_topology_free(&cube);
    cn_result_free(&simulation);
    cn_result_free(&model);
    cn_scenario_free(&scenario);
    return failed;
}

/* cc first.c $(pkg-config --cflags --libs cubenet) -o first */
#include <cubenet.h>
#include <stdio.h>

int main(void)
{
    cn_topology *cube;
    cn_scenario *scenario;
    cn_result *model;
    double delay;
    if (cn_topology_hypercube(6, &cube) || cn_scenario_new(cube, "deflection", &scenario) ||
        cn_scenario_set(scenario, CN_PARAM_LOAD, 1.5) || cn_predict(scenario, NULL, &model) ||
        cn_result_value(model, CN_METRIC_MEAN_DELAY, &delay))
        return fprintf(stderr, "%s\n", cn_last_error()), 1;
    printf("mean delay %.4f cycles\n", delay);
    cn_result_free(&model), cn_scenario_free(&scenario), cn_topology_free(&cube);
}

// The same as consumer.c, with cubenet.hpp.
#include <cubenet.hpp>

#include <cstdio>

static void print_result(const char *kind, const cn_result *result)
{
    for (size_t i = 1; i <= cn_metric_count(); i++) {
        const auto metric = static_cast<cn_metric>(i);
        if (cn_result_has(result, metric))
            std::printf("%s %s %.17g\n", kind, cn_metric_name(metric),
                        cubenet::value(result, metric));
    }
}

int main()
{
    using cubenet::check, cubenet::make;
    auto cube = make<cubenet::topology>(cn_topology_hypercube, 5u);
    auto scenario = make<cubenet::scenario>(cn_scenario_new, cube, "deflection");
    check(cn_scenario_set(scenario, CN_PARAM_LOAD, 1.25));
    check(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 8));
    check(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000));
    check(cn_scenario_set_seed(scenario, 20240229));
    auto model = make<cubenet::result>(cn_predict, scenario, nullptr);
    auto simulation = make<cubenet::result>(cn_simulate, scenario, nullptr);
    std::printf("version %s\n", cn_version_text());
    print_result("model", model);
    print_result("simulation", simulation);
}

/* queueing.h */
#include "given.h"

#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/shape.h"

static void deflection(void)
{
    scenario_of("deflection", 0.5);
}

void queueing_rows(void **state)
{
    static double traffic[36];
    (void)state;
    for (size_t i = 0; i < 36; i++)
        traffic[i] = i / 6 == i % 6 ? 0 : 0.01 * (double)(i % 5);
    NEVER(cn_assignment_phase_one, nothing, 4, 6, out.reals[0], 16, NULL);
    NEVER(cn_assignment_both_phases, nothing, 4, 8, 6, out.reals[0], 16, NULL);
    NEVER(cn_deflection_hops, nothing, 4, 0.2, out.reals[0], 16, NULL);
    FAILS(cn_shared_buffer_queue, nothing, 4, 0.5, out.reals[0], 16);
    FAILS(cn_separate_buffers_arrivals, nothing, 4, 0.5, out.reals[0], 16);
    FAILS(cn_separate_buffers_queue, nothing, 4, 0.5, out.reals[0], 16);
    FAILS(cn_optimistic_bound_queue, nothing, 4, 0.5, out.reals[0], 16);
    FAILS(cn_deflection_mean_hops, cube, given.topology, 0, 0.2, NULL, out.reals[0], out.words[0]);
    FAILS(cn_deflection_mean_hops, two_way, given.topology, 1, 0.2, NULL, out.reals[0],
          out.words[0]);
    FAILS(cn_deflection_mean_hops, one_way, given.topology, 2, 0.2, NULL, out.reals[0],
          out.words[0]);
    FAILS(cn_deflection_headers, one_way, given.topology, 1, 0.2, NULL, out.reals[0], out.reals[1],
          256, out.sizes);
    FAILS(cn_deflection_queue, nothing, 4, 6, 0.5, 0.3, NULL, out.reals[0], 16, NULL);
    FAILS(cn_optimal_load, deflection, given.scenario, NULL, out.reals[0], out.reals[1]);
    FAILS(cn_saturation_load, deflection, given.scenario, NULL, out.reals[0]);
    FAILS(cn_buffer_range, deflection, given.scenario, 0.9, NULL, out.words[0], out.words[1],
          out.reals[0]);
    NEVER(cn_kary_shapes, nothing, 16, out.words[0], out.shorts[0], 16, out.sizes);
    NEVER(cn_bisection_cycle_time, nothing, 4, 0, 1, out.reals[0]);
    FAILS(cn_predict_shape, one_way, given.topology, NULL, 1, 0.1, 0, NULL, out.reals[0],
          out.reals[1]);
    FAILS(cn_flow_deviation, edges, given.topology, NULL, traffic, 36, 0.5, 1e-3, NULL,
          out.reals[0], out.reals[1], out.reals[2], 256);
    FAILS(cn_flow_deviation, node_faults, given.topology, given.faults, NULL, 0, 0.3, 1e-3, NULL,
          out.reals[0], out.reals[1], out.reals[2], 256);
    FAILS(cn_flow_saturation, edges, given.topology, NULL, traffic, 36, 1e-2, NULL, out.reals[0],
          out.reals[1]);
    FAILS(cn_flow_saturation, faults, given.topology, given.faults, NULL, 0, 1e-2, NULL,
          out.reals[0], out.reals[1]);
}

#include "simulation/kernel/saturation.h"

#include <math.h>

/* Messages per channel, on average, at which a run without a steady state has shown what it can. */
#define BACKLOG 32.0

/*
 * After c cycles there wait the excess of c cycles and what a queue on the brink gathers by chance, less
 * than the root of c: growth c + sqrt(c) = BACKLOG.
 */
void cni_shorten_run(cn_scenario *scenario, double growth)
{
    double *warmup = &scenario->value[CN_PARAM_WARMUP_CYCLES];
    int automatic = *warmup == CN_WARMUP_AUTOMATIC;
    double *measured = &scenario->value[CN_PARAM_MEASURE_CYCLES];
    double root = 2.0 * BACKLOG / (1.0 + sqrt(1.0 + 4.0 * growth * BACKLOG));
    double longest = ceil(root * root);
    if (automatic) { /* no more than a quarter of what is measured */
        *measured = fmin(*measured, ceil(longest / 1.25));
        return;
    }
    if (*warmup + *measured <= longest)
        return;
    *warmup = fmin(*warmup, floor(longest / 4.0));
    *measured = fmin(*measured, longest - *warmup);
}

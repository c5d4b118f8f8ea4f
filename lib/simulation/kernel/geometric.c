/* New messages of a slotted simulation: a geometric number for each node and cycle. */
#include "simulation/kernel/geometric.h"

#include <math.h>

void cni_geometric_start(cni_geometric *traffic, double load)
{
    double ratio = load / (1.0 + load), power = ratio;
    traffic->thresholds = 0;
    for (; traffic->thresholds < CNI_GEOMETRIC_THRESHOLDS; power *= ratio) {
        double threshold = ldexp(power, 64);
        if (threshold < 1.0)
            break;
        traffic->threshold[traffic->thresholds++] = (uint64_t)threshold;
    }
}

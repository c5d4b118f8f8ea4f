/* New messages of a slotted simulation: a geometric number for each node and cycle. */
#include "simulation/kernel/geometric.h"

#include <math.h>

/* The number of thresholds above a word. */
static uint32_t thresholds_above(const cni_geometric *traffic, uint64_t word)
{
    uint32_t number = 0;
    while (number < traffic->thresholds && word < traffic->threshold[number])
        number++;
    return number;
}

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
    uint64_t width = UINT64_MAX / CNI_GEOMETRIC_BINS + 1;
    for (uint64_t bin = 0; bin < CNI_GEOMETRIC_BINS; bin++) {
        uint32_t low = thresholds_above(traffic, bin * width),
                 high = thresholds_above(traffic, bin * width + (width - 1));
        traffic->bin[bin] = (uint8_t)(low == high ? low : CNI_GEOMETRIC_OPEN);
    }
}

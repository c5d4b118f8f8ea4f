#include "simulation/traffic.h"

#include <math.h>

#include "base/random.h"

void cni_traffic_start(cni_traffic *traffic, double load)
{
    double ratio = load / (1.0 + load), power = ratio;
    traffic->thresholds = 0;
    for (; traffic->thresholds < CNI_TRAFFIC_THRESHOLDS; power *= ratio) {
        double threshold = ldexp(power, 64);
        if (threshold < 1.0)
            return;
        traffic->threshold[traffic->thresholds++] = (uint64_t)threshold;
    }
}

uint64_t cni_traffic_offered(const cni_traffic *traffic, uint64_t stream)
{
    uint64_t offered = 0;
    for (uint64_t draw = 0;; draw++) {
        uint64_t word = cni_random_word(stream, CNI_TRAFFIC_OFFERED + draw);
        uint32_t number = 0;
        while (number < traffic->thresholds && word < traffic->threshold[number])
            number++;
        offered += number;
        /* at the end of the table: without memory, the rest is as much again as at the start */
        if (number < CNI_TRAFFIC_THRESHOLDS)
            return offered;
    }
}

uint64_t cni_traffic_header(uint64_t stream, uint64_t index, uint64_t nodes)
{
    uint64_t word = cni_random_word(stream, CNI_TRAFFIC_HEADERS + index);
    return 1 + ((word >> 24) * (nodes - 1) >> 40);
}

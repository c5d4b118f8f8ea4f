#include "simulation/wormhole_source.h"

double cni_wormhole_exponential(uint64_t word)
{
    uint64_t whole = (word >> 11) | 1; /* an odd multiple of 2^-53: never 0, never 1 */
    int exponent = -53;
    double mantissa = (double)whole;
    while (mantissa > 0x1p32) {
        mantissa *= 0x1p-16;
        exponent += 16;
    }
    while (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        exponent += 1;
    }
    double s = (mantissa - 1.0) / (mantissa + 1.0), square = s * s, sum = 0.0;
    for (int term = 23; term > 0; term -= 2)
        sum = sum * square + 1.0 / term;
    return -(2.0 * s * sum + exponent * 0.69314718055994531);
}

/* Tables and functions for exponential times, with the same bits under every math library. */
#include "base/exponential.h"

#include <math.h>

/* -ln m for m = (256 + i) / 512 is 2 artanh z with z = (1 - m) / (1 + m), at most 1/3. The terms
 * are added from the small ones up. */
#define RATIO(i) ((256.0 - (i)) / (768.0 + (i)))
#define TERMS(s, k, rest) (1.0 / (k) + (s) * (rest))
#define SERIES(s, k, rest) \
    TERMS(s, k, TERMS(s, (k) + 2, TERMS(s, (k) + 4, TERMS(s, (k) + 6, TERMS(s, (k) + 8, rest)))))
#define ARTANH(z, s) ((z)*SERIES(s, 1.0, SERIES(s, 11.0, SERIES(s, 21.0, SERIES(s, 31.0, 0.0)))))

/* round(-2^44 ln m), and round(2^30 / m). No -2^44 ln m lies nearer than 0.005 to a number and a
 * half, and the error of the series is smaller, so every compiler rounds alike. */
#define LOGARITHM(i)                                                                \
    {                                                                               \
        (uint64_t)(ARTANH(RATIO(i), RATIO(i) * RATIO(i)) * 35184372088832.0 + 0.5), \
            (uint32_t)(((UINT64_C(1) << 39) + (256 + (i)) / 2) / (256 + (i)))       \
    }
#define LOGARITHMS_4(i) LOGARITHM(i), LOGARITHM((i) + 1), LOGARITHM((i) + 2), LOGARITHM((i) + 3)
#define LOGARITHMS_16(i) \
    LOGARITHMS_4(i), LOGARITHMS_4((i) + 4), LOGARITHMS_4((i) + 8), LOGARITHMS_4((i) + 12)
#define LOGARITHMS_64(i) \
    LOGARITHMS_16(i), LOGARITHMS_16((i) + 16), LOGARITHMS_16((i) + 32), LOGARITHMS_16((i) + 48)

const cni_logarithm cni_logarithms[256] = {LOGARITHMS_64(0), LOGARITHMS_64(64), LOGARITHMS_64(128),
                                           LOGARITHMS_64(192)};

double cni_decay(double x)
{
    double part = x / 16.0, term = 1.0, sum = 1.0;
    for (int i = 1; i <= 20; i++) { /* e^(x/16); 1/20! is below 2^-60 */
        term *= part / i;
        sum += term;
    }
    for (int i = 0; i < 4; i++)
        sum *= sum;
    return 1.0 / sum;
}

double cni_decay_rate(uint64_t probability)
{
    int exponent;
    double m = frexp((double)((UINT64_C(1) << 53) - probability), &exponent); /* [1/2, 1) */
    double z = (1.0 - m) / (1.0 + m), square = z * z, power = z, sum = z;
    for (int i = 3; i <= 35; i += 2) { /* -ln m = 2 artanh z, z at most 1/3 */
        power *= square;
        double term = power / i;
        sum += term;
    }
    double halvings = (53 - exponent) * 0.69314718055994530942;
    return halvings + 2.0 * sum;
}

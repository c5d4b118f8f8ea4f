/*
 * Assignment 4: the Markov chains of deflection routing (4-chain.md).
 *
 * A node has n channels, at most 16, and M buffers, at most 64; all functions but the last one are
 * computed without cubenet.
 */
#include "course.h"

#include <math.h>

/* Fills f with f_{i,j} for i = messages, j = 0 .. n: the probability that they win j channels. */
void phase_one(unsigned n, unsigned messages, double f[])
{
    not_written();
}

/* Fills f with f'_{i,j} for i = messages, j = 0 .. n: the probability that j of them leave the
 * node. */
void both_phases(unsigned n, unsigned buffers, unsigned messages, double f[])
{
    not_written();
}

/* Fills pi with the stationary distribution of the number of messages at the start of a cycle, for
 * 0 .. buffers; transit is P_t. */
void stationary(unsigned n, unsigned buffers, double load, double transit, double pi[])
{
    not_written();
}

/* Fills the chain of a header in the n-cube, n + 1 rows of n + 1 elements: element i (n + 1) + j is
 * the probability that a hop of a message with i one-bits leaves it with j of them. A share q of
 * all hops are of phase 2. Row 0 stays in
 * 0. */
void headers(unsigned n, double q, double matrix[])
{
    not_written();
}

/* The error of the published model of the mean delay on the n-cube, (model / simulation - 1) * 100.
 * System "deflection", CN_MODEL_PUBLISHED; measure_cycles 20000, relative_precision 0, seed 1. NAN
 * when cubenet refuses. */
double model_error(unsigned n, unsigned buffers, double load)
{
    not_written();
}

/*
 * Assignment 6: the traffic of broadcasts (6-broadcast.md).
 *
 * A node of the n-cube creates load messages a cycle; a share beta of them are broadcasts over a
 * binomial tree.
 */
#include "course.h"

#include <math.h>

/* Fills nodes[i], i = 0 .. n - 1: how many of the 2^n - 1 nodes other than the source send i copies
 * on. */
void replications(unsigned n, uint64_t nodes[])
{
    not_written();
}

/* lambda_cr by equations 3, 10 and 11 as they were published. */
double published_replica_rate(unsigned n, double beta, double load)
{
    not_written();
}

/* lambda_cr as it is: copies per cycle over one channel that do not come from the source of their
 * broadcast. */
double replica_rate(unsigned n, double beta, double load)
{
    not_written();
}

/* lambda_cr / lambda_cb in the simulator: the system of latency_errors(), metrics
 * channel_rate_replica and channel_rate_broadcast. NAN when cubenet refuses. */
double measured_ratio(unsigned n, double beta, double load)
{
    not_written();
}

/* Fills errors with those of mean_delay_broadcast, (model / simulation - 1) * 100: published,
 * corrected.
 *
 * System "wormhole" on the n-cube: virtual_channels 2, message_flits 32, broadcast_fraction beta;
 * simulated with seed 1, measure_cycles 100000, relative_precision 0. The models CN_MODEL_PUBLISHED
 * and CN_MODEL_CORRECTED need startup_latency 1, for the cycle that they leave out; the simulation
 * has 0. NAN when cubenet refuses. */
void latency_errors(unsigned n, double beta, double load, double errors[2])
{
    not_written();
}

/* What the figures of Horng 1992, chapter 3 share with those of chapter 4: deflection routing. */
#ifndef CUBENET_REPRODUCE_HORNG92_CHAPTER3_H
#define CUBENET_REPRODUCE_HORNG92_CHAPTER3_H

#include "reproduce.h"

enum { DIMENSIONS = 6 };

extern const char horng92_load_label[], horng92_buffers_label[];

rp_experiment horng92_deflection(const cn_topology *network, double load, double buffers);

enum { GREATEST_BUFFERS = 8 * DIMENSIONS };

/* The power with each number of buffers from n to 8n, or until it has long been falling. */
typedef struct power_list {
    double buffers[GREATEST_BUFFERS], power[GREATEST_BUFFERS]; /* no more than 6 dimensions */
    double half_width;                                         /* of the greatest */
    size_t count, best;
} power_list;

power_list horng92_powers_at(rp_run *run, const cn_topology *network, double load, int simulate);

typedef struct size_region {
    double least, greatest; /* buffer sizes; the greatest is NaN when it was not found */
} size_region;

/* The sizes around the best that reach this share of its power. */
size_region horng92_region_of(const power_list *powers, double share);

/* Figure 3.11. */
void horng92_best_buffers(rp_run *run, const rp_exhibit *exhibit);

#endif

/* What the figures of Horng 1992, chapter 3, share: deflection routing on the Boolean 6-cube. */
#ifndef CUBENET_REPRODUCE_HORNG92_CHAPTER3_H
#define CUBENET_REPRODUCE_HORNG92_CHAPTER3_H

#include "reproduce.h"

enum { DIMENSIONS = 6 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

extern const char horng92_load_label[], horng92_buffers_label[];

rp_experiment horng92_on_cube(const cn_topology *cube, double load, double buffers);

/* Figure 3.11. */
void horng92_best_buffers(rp_run *run, const rp_exhibit *exhibit);

#endif

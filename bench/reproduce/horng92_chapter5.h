/* What the figures of Horng 1992, chapter 5 share: damaged Boolean cubes and studies of them. */
#ifndef CUBENET_REPRODUCE_HORNG92_CHAPTER5_H
#define CUBENET_REPRODUCE_HORNG92_CHAPTER5_H

#include "reproduce.h"

#include "cubenet/experimental/study.h"

/* A study of the n-cube with so many patterns; NULL after a failure. */
cn_study *horng92_study(rp_run *run, uint32_t n, int patterns);

/* The study's result; NULL after a failure. */
cn_result *horng92_run(rp_run *run, const cn_study *study);

/* The mean delay of the optimistic bound of 5.2. */
double horng92_bound(rp_run *run, const cn_topology *cube, double rate, double load,
                     cn_model_variant variant);

/* The 4-cube of Figure 5.1; NULL after a failure. */
cn_faults *horng92_figure_5_1(rp_run *run);

/* horng92_survivors.c: Figures 5.5, 5.8, 5.9, 5.13, 5.14 */
void horng92_survivors(
    rp_run *run, const rp_exhibit *exhibit); /* of an int: in convex subnets, or 1-degraded ones */
void horng92_survivors_both(rp_run *run, const rp_exhibit *exhibit);
void horng92_clusters(rp_run *run, const rp_exhibit *exhibit);
void horng92_path_lengths(rp_run *run, const rp_exhibit *exhibit);

/* horng92_figure_5_1.c: Table 5.1, Figures 5.1, 5.6, 5.7, 5.12 */
void horng92_bad_dimensions(rp_run *run, const rp_exhibit *exhibit);
void horng92_damaged_drawing(rp_run *run, const rp_exhibit *exhibit);
void horng92_link_drawing(rp_run *run, const rp_exhibit *exhibit);
void horng92_convex_drawing(rp_run *run, const rp_exhibit *exhibit);
void horng92_cluster_drawing(rp_run *run, const rp_exhibit *exhibit);

/* horng92_convex_delay.c: Figure 5.10 */
void horng92_convex_delay(rp_run *run, const rp_exhibit *exhibit);

#endif

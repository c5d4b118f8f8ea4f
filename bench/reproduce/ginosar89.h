/* The tables and figures of Ginosar & Egozi (1989), each as CSV: what is printed, what is true, and a
 * mark where the two differ. */
#ifndef CUBENET_BENCH_GINOSAR89_H
#define CUBENET_BENCH_GINOSAR89_H

#include <stdio.h>

#include "cubenet.h"

/* steps: of every search, see measure.h; 0 takes its default. */
cn_status ginosar89_table_1(FILE *out, uint64_t steps);
cn_status ginosar89_table_2(FILE *out, uint64_t steps);
cn_status ginosar89_table_a(FILE *out, uint64_t steps);
cn_status ginosar89_fig_3(FILE *out, uint64_t steps);
cn_status ginosar89_fig_4(FILE *out, uint64_t steps);
cn_status ginosar89_fig_5(FILE *out, uint64_t steps);
cn_status ginosar89_fig_6(FILE *out, uint64_t steps);
cn_status ginosar89_fig_7(FILE *out, uint64_t steps);
cn_status ginosar89_fig_8(FILE *out, uint64_t steps);
cn_status ginosar89_fig_9(FILE *out, uint64_t steps);

#endif

/* Tables 1 and 2 and figures 2 to 6 of Ziavras & Krishnamurthy 1999: networks, necklaces and trees. */
#ifndef ZIAVRAS99_TREES_H
#define ZIAVRAS99_TREES_H

#include <stdio.h>

#include "cubenet.h"

/* Each writes a header row and one observation a row to csv. */
cn_status ziavras99_table_1(FILE *csv);
cn_status ziavras99_table_2(FILE *csv);

/* Each writes the edges as CSV and the drawing as DOT (graphviz); either file may be NULL. */
cn_status ziavras99_fig_2(FILE *csv, FILE *dot);
cn_status ziavras99_fig_3(FILE *csv, FILE *dot);
cn_status ziavras99_fig_4(FILE *csv, FILE *dot);
cn_status ziavras99_fig_5(FILE *csv, FILE *dot);
cn_status ziavras99_fig_6(FILE *csv, FILE *dot);

#endif

/* The CSV file of an exhibit and the summary of how well its columns agree. */
#include "reproduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../bench.h"

void rp_table_open(rp_table *table, rp_run *run, const rp_exhibit *exhibit, const char *header)
{
    memset(table, 0, sizeof *table);
    table->run = run;
    table->exhibit = exhibit;
    table->columns = 1;
    for (const char *c = header; *c != '\0'; c++)
        table->columns += *c == ',';
    table->part = rp_part_open(run, exhibit, "csv");
    rp_part_print(table->part, "%s\n", header);
}

static void begin_field(const rp_table *table)
{
    if (table->column > 0)
        rp_part_print(table->part, ",");
}

/* The last one of a row ends it. */
static void end_field(rp_table *table)
{
    if (++table->column < table->columns)
        return;
    rp_part_print(table->part, "\n");
    table->column = 0;
    table->rows++;
}

/* Quoted only when it must be, as spreadsheets do. */
void rp_table_text(rp_table *table, const char *text)
{
    int quoted = strpbrk(text, ",\"\n") != NULL;
    begin_field(table);
    rp_part_print(table->part, quoted ? "\"" : "");
    for (; *text != '\0'; text++)
        rp_part_print(table->part, *text == '"' ? "\"\"" : "%c", *text);
    rp_part_print(table->part, quoted ? "\"" : "");
    end_field(table);
}

void rp_table_put(rp_table *table, const double values[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        begin_field(table);
        if (!isnan(values[i]))
            rp_part_print(table->part, "%.8g", values[i]);
        end_field(table);
    }
}

void rp_table_estimate(rp_table *table, rp_estimate estimate)
{
    rp_table_numbers(table, estimate.value, estimate.half_width);
}

static difference *difference_of(rp_table *table, const char *name, const char *unit)
{
    for (size_t i = 0; i < table->difference_count; i++)
        if (strcmp(table->differences[i].name, name) == 0)
            return &table->differences[i];
    if (table->difference_count == MAX_DIFFERENCES) {
        rp_fail(table->run, "%s: more than %d names to compare", table->exhibit->id,
                MAX_DIFFERENCES);
        return &table->differences[0];
    }
    difference *made = &table->differences[table->difference_count++];
    snprintf(made->name, sizeof made->name, "%s", name);
    made->unit = unit;
    return made;
}

static void compare(difference *of, double value, double expected, double bound)
{
    double absolute = fabs(value - expected);
    double relative = absolute > 0.0 ? absolute / fabs(expected) : 0.0;
    double with_sign = value < expected ? -relative : relative;
    of->absolute = fmax(of->absolute, absolute);
    of->relative = fmax(of->relative, relative);
    of->lowest = of->points == 0 ? with_sign : fmin(of->lowest, with_sign);
    of->highest = of->points == 0 ? with_sign : fmax(of->highest, with_sign);
    of->bound = bound;
    of->squares += relative * relative;
    of->points += 1;
    of->above += relative > bound;
}

void rp_table_compare_within(rp_table *table, const char *name, const char *unit, double value,
                             double expected, double bound)
{
    char ranged[120];
    if (isnan(value) || isnan(expected))
        return;
    compare(difference_of(table, name, unit), value, expected, bound);
    for (size_t i = 0; i < table->range_count; i++)
        if (table->at <= table->ranges[i]) {
            snprintf(ranged, sizeof ranged, "%s/%s<=%g", name, table->along, table->ranges[i]);
            compare(difference_of(table, ranged, unit), value, expected, bound);
        }
}

void rp_table_compare(rp_table *table, const char *name, const char *unit, double value,
                      double expected)
{
    rp_table_compare_within(table, name, unit, value, expected, 0.0);
}

void rp_table_ranges(rp_table *table, const char *along, const double ranges[], size_t count)
{
    table->along = along;
    table->ranges = ranges;
    table->range_count = count;
}

void rp_table_at(rp_table *table, double at)
{
    table->at = at;
}

void rp_table_state(rp_table *table, const char *name, const char *unit, double value)
{
    if (table->stated_count == MAX_STATED) {
        rp_fail(table->run, "%s: more than %d numbers to state", table->exhibit->id, MAX_STATED);
        return;
    }
    rp_stated *made = &table->stated[table->stated_count++];
    *made = (rp_stated){.unit = unit, .value = value};
    snprintf(made->name, sizeof made->name, "%s", name);
}

static double root_mean_square(const difference *of)
{
    return sqrt(of->squares / (double)of->points);
}

static void print_line(const rp_table *table, const difference *of, const char *what, double value,
                       const char *unit)
{
    char name[240];
    snprintf(name, sizeof name, "%s/%s/%s", table->exhibit->id, of->name, what);
    bench_report(1, name, value, unit);
}

static void print_summary(const rp_table *table)
{
    char above[40], name[200];
    for (size_t i = 0; i < table->difference_count; i++) {
        const difference *of = &table->differences[i];
        print_line(table, of, "worst_difference", of->absolute, of->unit);
        print_line(table, of, "worst_relative_difference", of->relative, "1");
        if (of->bound == 0.0)
            continue;
        snprintf(above, sizeof above, "points_above_%g_percent", 100.0 * of->bound);
        print_line(table, of, "lowest_relative_difference", of->lowest, "1");
        print_line(table, of, "highest_relative_difference", of->highest, "1");
        print_line(table, of, "rms_relative_difference", root_mean_square(of), "1");
        print_line(table, of, "points", (double)of->points, "points");
        print_line(table, of, above, (double)of->above, "points");
    }
    for (size_t i = 0; i < table->stated_count; i++) {
        snprintf(name, sizeof name, "%s/%s", table->exhibit->id, table->stated[i].name);
        bench_report(1, name, table->stated[i].value, table->stated[i].unit);
    }
}

static void print_summary_for_people(const rp_table *table, const char *path)
{
    printf("%s  %s (%s)\n  %zu rows in %s\n", table->exhibit->id, table->exhibit->title,
           table->exhibit->paper, table->rows, path);
    for (size_t i = 0; i < table->difference_count; i++) {
        const difference *of = &table->differences[i];
        printf("  %-40s differs by at most %.3g %s (%.2g %%)\n", of->name, of->absolute,
               strcmp(of->unit, "1") == 0 ? "" : of->unit, 100.0 * of->relative);
        if (of->bound > 0.0)
            printf("  %-40s %+.2g to %+.2g %%, rms %.2g %%, %zu of %zu points above %g %%\n", "",
                   100.0 * of->lowest, 100.0 * of->highest, 100.0 * root_mean_square(of), of->above,
                   of->points, 100.0 * of->bound);
    }
    for (size_t i = 0; i < table->stated_count; i++)
        printf("  %-40s %.4g %s\n", table->stated[i].name, table->stated[i].value,
               strcmp(table->stated[i].unit, "1") == 0 ? "" : table->stated[i].unit);
}

void rp_table_close(rp_table *table)
{
    char path[1100] = "";
    if (table->column != 0)
        rp_fail(table->run, "%s: the last row has %zu fields under a header of %zu",
                table->exhibit->id, table->column, table->columns);
    if (table->part != NULL)
        snprintf(path, sizeof path, "%s", rp_part_path(table->part));
    rp_part_close(table->run, table->part, 1);
    table->part = NULL;
    if (table->run->failed)
        return;
    if (table->run->csv)
        print_summary(table);
    else
        print_summary_for_people(table, path);
    fflush(stdout);
}

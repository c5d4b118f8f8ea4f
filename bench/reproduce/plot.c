/* The drawing of an exhibit: a script for gnuplot in one common style. */
#include "reproduce.h"

#include <stdio.h>
#include <string.h>

/* Told apart also by those who do not see all colours (Okabe & Ito). */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
                                      "#56B4E9", "#444444", "#882255", "#999933"};

/* The shape of the points of each colour. */
static const int point_types[] = {7, 5, 9, 11, 13, 15, 7, 4, 6};

enum { COLOURS = sizeof palette / sizeof *palette };

/* The CSV file and the drawing are the arguments of the script, so that their names may hold any
 * character. */
static const char preamble[] =
    "set encoding utf8\n"
    "set terminal svg size 860,560 font 'Helvetica,15' background 'white' rounded\n"
    "set output ARG2\n"
    "set datafile separator ','\n"
    "set datafile columnheaders\n"
    "set border 3 lc '#444444'\n"
    "set tics nomirror out scale 0.6\n"
    "set grid lc '#dddddd' lt 1 lw 0.6\n"
    "set key outside right center Left reverse spacing 1.25 samplen 2.2\n"
    "set format '%g'\n"
    "set bars 0.6\n"
    "set pointintervalbox 0.01\n";

static int gnuplot_is_installed(void)
{
    static int known = -1;
    char name[] = "gnuplot", version[] = "--version";
    if (known < 0)
        known = rp_program_answers((char *[]){name, version, NULL});
    return known;
}

void rp_plot_open(rp_plot *plot, rp_run *run, const rp_exhibit *exhibit, const char *x_label,
                  const char *y_label)
{
    memset(plot, 0, sizeof *plot);
    plot->run = run;
    plot->exhibit = exhibit;
    if (run->failed || !gnuplot_is_installed())
        return;
    plot->script = rp_part_open(run, exhibit, "gnuplot");
    rp_part_print(plot->script, "%s", preamble);
    rp_part_print(plot->script, "set title \"%s\\n%s\" noenhanced\n", exhibit->title,
                  exhibit->paper);
    rp_part_print(plot->script, "set xlabel \"%s\"\nset ylabel \"%s\"\n", x_label, y_label);
}

void rp_plot_panels(rp_plot *plot, unsigned panels)
{
    rp_part_print(plot->script,
                  "set terminal svg size 860,%u font 'Helvetica,15' background 'white' rounded\n"
                  "set output ARG2\nset multiplot layout %u,1\n",
                  440 * panels, panels);
}

void rp_plot_next_panel(rp_plot *plot, const char *x_label)
{
    rp_part_print(plot->script, "\nunset title\nset xlabel \"%s\"\n", x_label);
    plot->curves = 0;
}

void rp_plot_command(rp_plot *plot, const char *command)
{
    rp_part_print(plot->script, "%s\n", command);
}

void rp_plot_curve(rp_plot *plot, curve_kind kind, unsigned colour, const char *title,
                   const char *format, ...)
{
    static const char *const styles[] = {
        [CURVE_LINE] = "with lines lw 2",
        [CURVE_DASHED] = "with lines lw 1.5 dt (8,6)",
        [CURVE_DOTTED] = "with lines lw 2 dt (2,4)",
        [CURVE_POINTS] = "with yerrorbars ps 0.6 lw 1.2",
        [CURVE_POINTS2] = "with xyerrorbars ps 0.6 lw 1.2",
        [CURVE_AREA] = "with filledcurves fs solid 0.35 noborder",
    };
    va_list arguments;
    rp_part_print(plot->script, "%s ARG1 using ", plot->curves++ == 0 ? "plot" : ", \\\n    ");
    va_start(arguments, format);
    rp_part_vprint(plot->script, format, arguments);
    va_end(arguments);
    rp_part_print(plot->script, " %s", styles[kind]);
    if (kind == CURVE_POINTS || kind == CURVE_POINTS2)
        rp_part_print(plot->script, " pt %d", point_types[colour % COLOURS]);
    rp_part_print(plot->script, " lc '%s' title \"%s\"", palette[colour % COLOURS], title);
}

void rp_plot_close(rp_plot *plot)
{
    rp_run *run = plot->run;
    if (plot->script == NULL)
        return;
    rp_part_print(plot->script, "\n");
    rp_part_flush(plot->script);
    rp_part *drawing = rp_part_open(run, plot->exhibit, "svg");
    if (drawing != NULL) {
        char name[] = "gnuplot", option[] = "-c", script[1100], csv[1100], svg[1100];
        snprintf(script, sizeof script, "%s", rp_part_temporary_path(plot->script));
        snprintf(csv, sizeof csv, "%s/%s.csv", run->directory, plot->exhibit->id);
        snprintf(svg, sizeof svg, "%s", rp_part_temporary_path(drawing));
        if (!rp_program_run((char *[]){name, option, script, csv, svg, NULL}, NULL, NULL))
            rp_fail(run, "gnuplot could not draw %s", plot->exhibit->id);
    }
    rp_part_close(run, drawing, 1);
    rp_part_close(run, plot->script, 0);
    plot->script = NULL;
}

/*
 * The core of `reproduce`: what the file of a chapter needs to turn a figure or table of a paper
 * into a CSV file and a drawing.
 *
 * To add one, write a function that fills a table and draws it, and give it a row in the exhibits
 * of its chapter; a new chapter is listed in main.c. Nothing has to be checked on the way: the
 * first failure prints its sentence, everything after it does nothing, and no file of that exhibit
 * is left behind.
 */
#ifndef CUBENET_REPRODUCE_H
#define CUBENET_REPRODUCE_H

#include <stdarg.h>

#include <cubenet.h>

#if defined(__GNUC__)
#define RP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define RP_PRINTF(text, first)
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct rp_run rp_run;
typedef struct rp_exhibit rp_exhibit;
typedef struct rp_plot rp_plot;

/* A figure or a table, mostly of a paper. */
struct rp_exhibit {
    const char *id;    /* paper key and number; also the name of the files */
    const char *title; /* what it shows, one line */
    const char *paper; /* the paper and its own name for it */
    double weight;     /* seconds of a full run; for the estimate of the time left */
    void (*make)(rp_run *run, const rp_exhibit *exhibit);
    const void *of; /* what it makes, of a type of its own; NULL where it makes one thing */
};

/* The chapters. Each list ends with a row without id. */
extern const rp_exhibit collectives[];
extern const rp_exhibit combinations[];
extern const rp_exhibit coverage[];
extern const rp_exhibit cut_through[];
extern const rp_exhibit cut_through_deflection[];
extern const rp_exhibit deflection_model[];
extern const rp_exhibit cut_through_regions[];
extern const rp_exhibit wormhole_model[];
extern const rp_exhibit drawings[];
extern const rp_exhibit ginosar89[];
extern const rp_exhibit ginosar89_permutations[];
extern const rp_exhibit horng92_chapter2[];
extern const rp_exhibit horng92_chapter3[];
extern const rp_exhibit horng92_chain[];
extern const rp_exhibit horng92_chapter4[];
extern const rp_exhibit horng92_chapter5[];
extern const rp_exhibit horng92_locality[];
extern const rp_exhibit hosted_networks[];
extern const rp_exhibit networks_compared[];
extern const rp_exhibit routing_table[];
extern const rp_exhibit selection[];
extern const rp_exhibit shahrabi01[];
extern const rp_exhibit ziavras99_trees[];
extern const rp_exhibit ziavras99_tables[];
extern const rp_exhibit ziavras99_congestion[];

struct rp_run {
    const char *directory; /* where the files go */
    int quick;
    int csv;    /* summary as lines name,value,unit */
    int failed; /* set by the first failure */
    size_t threads;
    struct rp_known *known;
};

/* Prints the sentence and marks the run as failed; does nothing when it has failed already. */
RP_PRINTF(2, 3) void rp_fail(rp_run *run, const char *format, ...);

/* 1 when the library's call went well; else fails the run with the library's sentence. */
int rp_check(rp_run *run, cn_status status);

/* A text of these pieces; good until sixteen more are made. Not in parts that are worked on
 * together. */
RP_PRINTF(1, 2) const char *rp_text(const char *format, ...);

/* ---- experiment.c: models and simulations ---- */

/* The network with this name, as cn_topology_name() writes it (printf). Free it; NULL after a
 * failure. */
RP_PRINTF(2, 3) cn_topology *rp_network(rp_run *run, const char *name, ...);

/* A k-ary n-cube whose rings go one way, as those of Horng 1992 do. */
cn_topology *rp_one_way_cube(rp_run *run, uint64_t k, uint32_t n);

enum { MAX_SETTINGS = 16 };

typedef struct setting {
    cn_param param; /* 0 ends the list */
    double value;
} setting;

typedef struct rp_experiment {
    const char *system, *routing; /* NULL: the routing that the system takes by itself */
    const cn_topology *topology;
    uint64_t seed; /* 0: the library's */
    setting settings[MAX_SETTINGS];
} rp_experiment;

/* Free it; NULL after a failure. */
cn_scenario *rp_scenario(rp_run *run, const rp_experiment *experiment);

void rp_set(rp_run *run, cn_scenario *scenario, cn_param param, double value);

/* The experiment with some more settings. */
rp_experiment rp_with(const rp_experiment *experiment, const setting more[]);

/* Free them. NULL after a failure, where there is no steady state, and outside of the region of a
 * model. */
cn_result *rp_run_model(rp_run *run, const cn_scenario *scenario);
cn_result *rp_run_simulation(rp_run *run, const cn_scenario *scenario);

/* The same, each made once a run; the results belong to the run. The seed of a simulation follows
 * from the experiment, so that it is the same in every figure and no two points share their
 * randomness. */
const cn_result *rp_predict(rp_run *run, const rp_experiment *experiment);
const cn_result *rp_simulate(rp_run *run, const rp_experiment *experiment);

/* NaN where the result, which may be NULL, has none. */
double rp_value(const cn_result *result, cn_metric metric);

typedef struct rp_estimate {
    double value, half_width;
} rp_estimate;

/* Both times the unit; NaN as above. */
rp_estimate rp_read(const cn_result *result, cn_metric metric, double unit);

/* By how many per cent a model is above what is expected. */
double rp_percent(double model, double expected);

typedef struct rp_range {
    double lower, upper;
    cn_known known;
} rp_range;

/* A result or a measure that was made once, by the name of what it is of. */
typedef struct rp_known {
    struct rp_known *next;
    char name[256];
    int made;
    cn_result *result;
    rp_range range;
} rp_known;

/* What is known by this name, or a place for it. NULL after a failure. */
rp_known *rp_known_as(rp_run *run, const char *name);
void rp_forget(rp_run *run);

/* ---- curves.c: what models and simulations say along the load, curve by curve ---- */

enum { RP_MAX_POINTS = 128, RP_MAX_CURVES = 8, RP_MAX_METRICS = 4, RP_MAX_RANGES = 4 };

/* Where on an axis the model is solved, and where it is simulated too. */
typedef struct rp_points {
    double at[RP_MAX_POINTS];
    char simulated[RP_MAX_POINTS];
    size_t count;
} rp_points;

void rp_points_add(rp_points *points, double at, int simulated);

typedef struct rp_curve {
    char title[48];
    /* its first setting is the load, the second the buffers if they matter */
    rp_experiment experiment;
    rp_points along;
    double time_unit; /* cycles are this long; a throughput is divided by it, a delay multiplied */
} rp_curve;

/* One way of modelling: what is set besides the settings of the experiment. */
typedef struct rp_model {
    const char *column, *title;
    setting settings[3];
} rp_model;

enum { RP_MAX_MODELS = 2 };

typedef struct rp_curves {
    const rp_curve *curves;
    size_t count;
    cn_param
        by; /* what tells the curves apart: the load, then they run along the buffers, or the buffers; 0: their
                  * numbers. 0 and the buffers: they run along the load */
    cn_metric metrics[RP_MAX_METRICS]; /* 0 ends them */
    const char *prefix;                /* of the names of their columns; may be NULL */
    int per_buffer;                    /* divides the metrics by the buffers */
    const rp_model *models;            /* the first is drawn as lines, the second as dots; a row
                                        * without column ends the at most RP_MAX_MODELS */
    cn_metric ideal; /* one more column: throughput or net progress with unlimited buffers;
                                        * 0: none */
    double ranges[RP_MAX_RANGES]; /* loads up to which the difference is of interest; 0 ends them */
} rp_curves;

/* Makes the CSV file: a row for each point of each curve. */
void rp_curves_write(rp_run *run, const rp_exhibit *exhibit, const rp_curves *curves);

/* Adds all curves and, in the key, what lines and points stand for. With x 0 what they run along is
 * on the x axis. */
void rp_curves_draw(rp_plot *plot, const rp_curves *curves, cn_metric x, cn_metric y);

/* The same for all metrics of the first curve. */
void rp_curves_draw_metrics(rp_plot *plot, const rp_curves *curves, const char *const titles[]);

/* ---- measured.c: measures of networks, each searched for once a run ---- */

/* Of a family of networks, whose name tells it from all others. NaN after a failure. */
rp_range rp_measure(rp_run *run, const cn_topology *topology, cn_measure measure);
/* Looseness of fanout f and disconnectivity d, and what it costs: times the mean degree. */
rp_range rp_weighted(double alpha, rp_range f, rp_range d);
rp_range rp_product(rp_range a, rp_range b);

/* ---- sample_networks.c: a network of each family, of some 16 nodes ---- */

/* Free it; NULL after the last one, and after a failure. */
cn_topology *rp_sample_network(rp_run *run, size_t number);

/* The node in the middle is faulty. Free it; NULL after a failure. */
cn_faults *rp_sample_faults(rp_run *run, const cn_topology *topology);

/* ---- together.c: work in parts that know nothing of each other ---- */

typedef void (*rp_work_fn)(void *user, size_t part);

/* Does all parts, on the threads of the run; which thread does which must not matter. */
void rp_together(const rp_run *run, size_t parts, rp_work_fn work, void *user);

/* A uniform number in [0, 1) for each word (SplitMix64): what a part draws depends on its number
 * alone. */
double rp_draw(uint64_t word);
double rp_draw_between(double least, double greatest, uint64_t word);
/* All whole numbers from the least to the greatest alike. */
double rp_draw_whole(double least, double greatest, uint64_t word);

/* ---- table.c: the CSV file ---- */

enum { MAX_DIFFERENCES = 256, MAX_STATED = 64 };

typedef struct difference {
    char name[120];
    const char *unit;
    double absolute, relative;
    double bound;           /* of the relative ones; 0: what follows is not printed */
    double squares;         /* sum of those of the relative ones */
    double lowest, highest; /* of the relative ones with their sign */
    size_t points, above;
} difference;

typedef struct rp_stated {
    char name[80];
    const char *unit;
    double value;
} rp_stated;

typedef struct rp_table {
    rp_run *run;
    const rp_exhibit *exhibit;
    struct rp_part *part;
    size_t columns, column, rows;
    difference differences[MAX_DIFFERENCES];
    size_t difference_count;
    rp_stated stated[MAX_STATED];
    size_t stated_count;
    const char *along; /* what the ranges are of */
    const double *ranges;
    size_t range_count;
    double at;
} rp_table;

/* @param header names of the columns with commas between them */
void rp_table_open(rp_table *table, rp_run *run, const rp_exhibit *exhibit, const char *header);

/* Fields: a text, numbers, a number and its half-width. NaN makes an empty one. The last of a row
 * ends it. */
void rp_table_text(rp_table *table, const char *text);
void rp_table_put(rp_table *table, const double values[], size_t count);
#define rp_table_numbers(table, ...) \
    rp_table_put(table, (const double[]){__VA_ARGS__}, COUNT(((const double[]){__VA_ARGS__})))
void rp_table_estimate(rp_table *table, rp_estimate estimate);

/* Remembers the worst difference between what should agree, by name; NaN is passed over. The worst
 * relative one is over the size of `expected`. */
void rp_table_compare(rp_table *table, const char *name, const char *unit, double value,
                      double expected);

/* The same for a class of points; the summary also has the lowest, the highest and the root mean
 * square of the relative differences, and how many of the points are above the bound, 0.05 for 5
 * %. */
void rp_table_compare_within(rp_table *table, const char *name, const char *unit, double value,
                             double expected, double bound);

/* What is compared is compared once more for each range from 0 to one of these values, by the name
 * NAME/ALONG<=VALUE, where `at` of the row is within. */
void rp_table_ranges(rp_table *table, const char *along, const double ranges[], size_t count);
void rp_table_at(rp_table *table, double at);

/* One more number for the summary. */
void rp_table_state(rp_table *table, const char *name, const char *unit, double value);

/* Puts the file in its place and prints the summary. */
void rp_table_close(rp_table *table);

/* ---- points.c: exhibits of points that know nothing of each other ---- */

typedef struct rp_point_set {
    const char *header;                        /* of the file */
    size_t size, count;                        /* bytes of a point, and how many there are */
    int (*is_quick)(size_t number);            /* those made under --quick; NULL: all */
    void (*place)(void *point, size_t number); /* begins with all bytes zero */
    void (*work)(rp_run *run, void *point);    /* the run is of this point alone */
    void (*write)(rp_table *table, const void *point); /* one row, and what is compared */
} rp_point_set;

/* Makes the file: a row for each point, in their order. */
void rp_make_points(rp_run *run, const rp_exhibit *exhibit, const rp_point_set *set);

/* show.c: prints the file of an exhibit in columns. */
void rp_table_show(const rp_run *run, const rp_exhibit *exhibit);

/* ---- plot.c: the drawing, by gnuplot from the CSV file ---- */

typedef enum curve_kind {
    CURVE_LINE,    /* a model */
    CURVE_DASHED,  /* an ideal */
    CURVE_DOTTED,  /* another model */
    CURVE_POINTS,  /* simulations: x:y:half width */
    CURVE_POINTS2, /* simulations: x:y:half width of x:half width of y */
    CURVE_AREA     /* between two lines: x:y1:y2 */
} curve_kind;

struct rp_plot {
    rp_run *run;
    const rp_exhibit *exhibit;
    struct rp_part *script;
    size_t curves;
};

/* Does nothing, and neither do the others, where gnuplot is not installed. */
void rp_plot_open(rp_plot *plot, rp_run *run, const rp_exhibit *exhibit, const char *x_label,
                  const char *y_label);

/* A line of gnuplot before the first curve, like "set yrange [0:1]". */
/* So many drawings, one under the other; before any command. What follows goes into the first, then
 * into the next one. */
void rp_plot_panels(rp_plot *plot, unsigned panels);
void rp_plot_next_panel(rp_plot *plot, const char *x_label);
void rp_plot_command(rp_plot *plot, const char *command);

/* One more curve. `colour` picks from the palette, `title` "" keeps it out of the key, the rest
 * makes the text after "using" (printf). */
RP_PRINTF(5, 6)
void rp_plot_curve(rp_plot *plot, curve_kind kind, unsigned colour, const char *title,
                   const char *format, ...);
void rp_plot_close(rp_plot *plot);

/* ---- graph.c: the drawing of a graph, as DOT and by graphviz ---- */

typedef struct rp_graph {
    rp_run *run;
    const rp_exhibit *exhibit;
    struct rp_part *part;
} rp_graph;

void rp_graph_open(rp_graph *graph, rp_run *run, const rp_exhibit *exhibit);

/* One statement of DOT, as in "a -> b", without the semicolon (printf). */
RP_PRINTF(2, 3) void rp_graph_print(rp_graph *graph, const char *format, ...);

/* Keeps the DOT file; where graphviz is installed it draws it too. */
void rp_graph_close(rp_graph *graph);

/* The same for a whole DOT text whose first line opens the graph; the title is added. */
void rp_graph_draw(rp_run *run, const rp_exhibit *exhibit, const char *text);

/* The same for a drawing that one of the library's functions makes. */
typedef cn_status (*rp_draw_fn)(const void *object, char text[], size_t capacity, size_t *length);
void rp_graph_draw_by(rp_run *run, const rp_exhibit *exhibit, rp_draw_fn draw, const void *object);

/* ---- program.c: programs that draw ---- */

/* 1 when the program is installed and ends well with these arguments (name first, NULL last). */
int rp_program_answers(char *const arguments[]);

/* 1 when it ended well. `input` and `output` are files that exist; NULL for none. */
int rp_program_run(char *const arguments[], const char *input, const char *output);

/* ---- files.c: a file appears whole or not at all ---- */

typedef struct rp_part rp_part;

/* A new file <directory>/<id>.<extension> under a name of its own until it is kept. NULL and a
 * failed run when it cannot be made. */
rp_part *rp_part_open(rp_run *run, const rp_exhibit *exhibit, const char *extension);

/* All three do nothing with NULL. What goes wrong shows when the part is closed. */
RP_PRINTF(2, 3) void rp_part_print(rp_part *part, const char *format, ...);
void rp_part_vprint(rp_part *part, const char *format, va_list arguments);
void rp_part_flush(rp_part *part);

const char *rp_part_path(const rp_part *part);           /* the name it will have */
const char *rp_part_temporary_path(const rp_part *part); /* the name it has now */
/* Ends the writing; on a failed run, or with keep 0, removes the file, else gives it its name. */
void rp_part_close(rp_run *run, rp_part *part, int keep);

/* Makes the directory and those above it. */
void rp_make_directory(rp_run *run, const char *path);

#endif

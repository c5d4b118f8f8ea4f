/*
 * Deflection routing in a Boolean n-cube: the analytic model beside the simulation.
 *
 *     deflection_table [n] [load...]
 *
 * A table for five buffer sizes M from n to 10n/3, then a picture of delay against throughput.
 */
#include <cubenet.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 5, CURVES = 3, MODEL_STEPS = 300, COLUMNS = 64, ROWS = 20 };

typedef struct point {
    double throughput, delay; /* not a number when nothing was delivered */
} point;

typedef struct experiment {
    cn_scenario *scenario;
    double buffers[SIZES];
    int load_count;
    double *loads;
    point *simulated; /* of buffer size i and load j at i * load_count + j */
} experiment;

/* Every call of the library that can fail passes through here. */
static void check(cn_status status)
{
    if (status == CN_OK)
        return;
    fprintf(stderr, "%s\n", status == CN_ERR_MEMORY ? cn_status_text(status) : cn_last_error());
    exit(EXIT_FAILURE);
}

static void *allocate(int count, size_t size)
{
    void *memory = calloc((size_t)count, size);
    check(memory == NULL ? CN_ERR_MEMORY : CN_OK);
    return memory;
}

static double value_of(const cn_result *result, cn_metric metric)
{
    double value = NAN;
    if (cn_result_has(result, metric))
        check(cn_result_value(result, metric, &value));
    return value;
}

static double half_width_of(const cn_result *result, cn_metric metric)
{
    double half_width = NAN;
    if (cn_result_has(result, metric))
        check(cn_result_half_width(result, metric, &half_width));
    return half_width;
}

static point point_of(const cn_result *result)
{
    point p = {value_of(result, CN_METRIC_THROUGHPUT), value_of(result, CN_METRIC_MEAN_DELAY)};
    return p;
}

/* ---- what to run ---- */

static double read_number(const char *name, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end != text && *end == '\0')
        return value;
    fprintf(stderr, "%s = \"%s\", but it must be a number\n", name, text);
    exit(EXIT_FAILURE);
}

static uint32_t read_dimension(const char *text)
{
    double value = read_number("n", text);
    if (value >= 0 && value <= UINT32_MAX && value == floor(value))
        return (uint32_t)value;
    fprintf(stderr, "n = %s, but the dimension of a cube must be a whole number above 0\n", text);
    exit(EXIT_FAILURE);
}

/* The library judges every load here, before the first run. */
static void set_loads(experiment *e, int count, char *texts[])
{
    static const double usual[] = {0.5, 1.0, 1.5, 3.0};
    e->load_count = count > 0 ? count : (int)(sizeof usual / sizeof usual[0]);
    e->loads = allocate(e->load_count, sizeof *e->loads);
    for (int j = 0; j < e->load_count; j++) {
        e->loads[j] = count > 0 ? read_number("load", texts[j]) : usual[j];
        check(cn_scenario_set(e->scenario, CN_PARAM_LOAD, e->loads[j]));
    }
    e->simulated = allocate(SIZES * e->load_count, sizeof *e->simulated);
}

/* Refuses what cannot be simulated before anything is printed: the most buffers need the most. */
static void check_size(const experiment *e)
{
    cn_sim *sim;
    check(cn_scenario_set(e->scenario, CN_PARAM_BUFFERS, e->buffers[SIZES - 1]));
    check(cn_sim_open(e->scenario, NULL, &sim));
    cn_sim_close(&sim);
}

static void set_up(experiment *e, int count, char *arguments[])
{
    uint32_t n = count > 0 ? read_dimension(arguments[0]) : 6;
    const double buffers[SIZES] = {n, ceil(4.0 * n / 3), ceil(5.0 * n / 3), 2.0 * n,
                                   ceil(10.0 * n / 3)};
    for (int i = 0; i < SIZES; i++)
        e->buffers[i] = buffers[i];

    cn_topology *cube;
    check(cn_topology_hypercube(n, &cube));
    check(cn_scenario_new(cube, "deflection", &e->scenario));
    check(cn_scenario_set(e->scenario, CN_PARAM_RELATIVE_PRECISION, 0.003));
    set_loads(e, count - 1, arguments + 1);
    check_size(e);
    printf("Deflection routing in %s with M buffers a node: model and simulation\n\n",
           cn_topology_name(cube));
    cn_topology_free(&cube); /* the scenario keeps what it needs */
}

/* ---- the table ---- */

static void print_number(const char *format, int width, double value)
{
    if (isnan(value))
        printf("%*s", width, "-");
    else
        printf(format, width, value);
}

static void print_comparison(const cn_result *model, const cn_result *simulation, cn_metric metric)
{
    double predicted = value_of(model, metric);
    double simulated = value_of(simulation, metric);
    print_number("%*.4f", 9, predicted);
    print_number("%*.4f", 8, simulated);
    print_number("+-%-*.4f", 6, half_width_of(simulation, metric));
    print_number("%+*.1f", 6, 100 * (predicted / simulated - 1));
}

static point print_row(const experiment *e, double buffers, double load)
{
    cn_result *model, *simulation;
    check(cn_scenario_set(e->scenario, CN_PARAM_BUFFERS, buffers));
    check(cn_scenario_set(e->scenario, CN_PARAM_LOAD, load));
    check(cn_predict(e->scenario, NULL, &model));
    check(cn_simulate(e->scenario, NULL, &simulation));

    printf("%4g %6g%c", buffers, load, cn_result_is_saturated(simulation) ? '*' : ' ');
    print_comparison(model, simulation, CN_METRIC_THROUGHPUT);
    print_comparison(model, simulation, CN_METRIC_MEAN_DELAY);
    print_comparison(model, simulation, CN_METRIC_ACCEPTANCE_PROBABILITY);
    printf("\n");
    fflush(stdout);

    point simulated = point_of(simulation);
    cn_result_free(&model);
    cn_result_free(&simulation);
    return simulated;
}

static void print_table(experiment *e)
{
    printf("%12s%-31s%-31s%s\n", "", "    throughput per node", "    mean delay in cycles",
           "    acceptance probability");
    printf("   M   load ");
    for (int i = 0; i < 3; i++)
        printf("%9s%14s%8s", "model", "simulation", "diff%");
    printf("\n");
    for (int i = 0; i < SIZES; i++) {
        if (i + 1 < SIZES && e->buffers[i] == e->buffers[i + 1])
            continue; /* small cubes */
        for (int j = 0; j < e->load_count; j++)
            e->simulated[i * e->load_count + j] = print_row(e, e->buffers[i], e->loads[j]);
    }
    printf("\n+- is the half-width of the 95 %% confidence interval, diff%% that of the model from "
           "the simulation.\n"
           "* saturated: more is offered than the network carries; the delay is that of what it "
           "admits.\n");
}

/* ---- the picture ---- */

typedef struct picture {
    double left, right, bottom, top;
    char cell[ROWS][COLUMNS];
} picture;

static void mark(picture *pic, point p, char sign)
{
    double x = (p.throughput - pic->left) / (pic->right - pic->left);
    double y = (p.delay - pic->bottom) / (pic->top - pic->bottom);
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1)
        pic->cell[(int)lround((1 - y) * (ROWS - 1))][(int)lround(x * (COLUMNS - 1))] = sign;
}

static void print_picture(const picture *pic)
{
    printf("\nmean delay\n");
    for (int row = 0; row < ROWS; row++) {
        if (row == 0 || row == ROWS - 1)
            printf("%7g |", row == 0 ? pic->top : pic->bottom);
        else
            printf("%7s |", "");
        printf("%.*s\n", COLUMNS, pic->cell[row]);
    }
    printf("%7s +", "");
    for (int column = 0; column < COLUMNS; column++)
        printf("-");
    printf("\n%9g%*.4g\n%*s\n\n", pic->left, COLUMNS - 1, pic->right, COLUMNS + 9,
           "throughput per node");
}

/* The model's points for loads from near 0 to the greatest, close together where they are small. */
static void predict_curve(const experiment *e, double buffers, point curve[MODEL_STEPS])
{
    double greatest = 0;
    for (int j = 0; j < e->load_count; j++)
        greatest = fmax(greatest, e->loads[j]);
    check(cn_scenario_set(e->scenario, CN_PARAM_BUFFERS, buffers));
    for (int k = 0; k < MODEL_STEPS; k++) {
        cn_result *model;
        double load = greatest * pow((k + 1.0) / MODEL_STEPS, 3);
        check(cn_scenario_set(e->scenario, CN_PARAM_LOAD, load));
        check(cn_predict(e->scenario, NULL, &model));
        curve[k] = point_of(model);
        cn_result_free(&model);
    }
}

static void include(picture *pic, const point points[], int count)
{
    for (int i = 0; i < count; i++) {
        pic->right = fmax(pic->right, points[i].throughput);
        pic->bottom = fmin(pic->bottom, points[i].delay);
        pic->top = fmax(pic->top, points[i].delay);
    }
}

static void draw(const experiment *e)
{
    static const int drawn[CURVES] = {0, 3, 4}; /* M = n, 2n and 10n/3 */
    static const char line[] = ".-~", sign[] = "ox+";
    static point curve[CURVES][MODEL_STEPS];
    picture pic = {.bottom = INFINITY};

    for (int c = 0; c < CURVES; c++) {
        predict_curve(e, e->buffers[drawn[c]], curve[c]);
        include(&pic, curve[c], MODEL_STEPS);
        include(&pic, &e->simulated[drawn[c] * e->load_count], e->load_count);
    }
    if (!(pic.right > 0))
        return; /* no load, nothing to see */
    pic.bottom = floor(pic.bottom);
    pic.top = floor(pic.top) + 1;

    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            pic.cell[row][column] = ' ';
    for (int c = 0; c < CURVES; c++)
        for (int k = 0; k < MODEL_STEPS; k++)
            mark(&pic, curve[c][k], line[c]);
    for (int c = 0; c < CURVES; c++)
        for (int j = 0; j < e->load_count; j++)
            mark(&pic, e->simulated[drawn[c] * e->load_count + j], sign[c]);
    print_picture(&pic);
    for (int c = 0; c < CURVES; c++)
        printf("%9sM = %-4g model %c%c%c   simulation %c\n", "", e->buffers[drawn[c]], line[c],
               line[c], line[c], sign[c]);
}

int main(int count, char *arguments[])
{
    experiment e = {0};
    set_up(&e, count - 1, arguments + 1);
    print_table(&e);
    draw(&e);
    cn_scenario_free(&e.scenario);
    free(e.loads);
    free(e.simulated);
    return EXIT_SUCCESS;
}

/*
 * Sources: Bernoulli, geometric, Poisson, and a two-state chain that switches a Bernoulli source on
 * and off. The two ways of drawing use different words and have the same law.
 */
#include "scenario/traffic/source.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/exponential.h"

/* Whole numbers of 2^-53 stand for probabilities. */
static uint64_t scaled(double probability)
{
    return probability >= 1.0 ? UINT64_C(1) << 53 : (uint64_t)ldexp(probability, 53);
}

static int happens(uint64_t probability, uint64_t word)
{
    return word >> 11 < probability;
}

/* A rate per unit of cni_exponential(); 0 for events that never happen, and for certain events,
 * which need no draw. */
static double rate_of(uint64_t probability)
{
    if (probability == 0 || probability >> 53 != 0)
        return 0.0;
    return ldexp(cni_decay_rate(probability), CNI_EXPONENTIAL_BITS);
}

/* A Poisson number with a greater mean is drawn as a sum of several numbers. */
#define MOST_MEAN 16.0

/* ---- starting ---- */

/* threshold[j]: P(more than j) in 2^-64 of a Poisson number. Past the table it is below 2^-64. */
static void start_poisson(const cn_traffic *traffic, cni_source_process *source)
{
    (void)traffic;
    source->rounds = (uint32_t)ceil(source->load / MOST_MEAN);
    double mean = source->load / source->rounds;
    double term[2 * CNI_SOURCE_THRESHOLDS] = {cni_decay(mean)}, above = 0.0;
    for (int j = 1; j < 2 * CNI_SOURCE_THRESHOLDS; j++)
        term[j] = term[j - 1] * mean / j;
    for (int j = 2 * CNI_SOURCE_THRESHOLDS - 1; j > 0; j--) {
        above += term[j]; /* from the small ones up; P(more than j - 1) */
        double words = ldexp(above, 64);
        if (j > CNI_SOURCE_THRESHOLDS || words < 1.0)
            continue;
        if (source->thresholds == 0)
            source->thresholds = (uint32_t)j;
        source->threshold[j - 1] = words < 18446744073709551616.0 ? (uint64_t)words : UINT64_MAX;
    }
    source->emit_rate = ldexp(source->load, CNI_EXPONENTIAL_BITS);
}

static void start_bernoulli(const cn_traffic *traffic, cni_source_process *source)
{
    (void)traffic;
    source->emit = scaled(source->load);
}

static void start_geometric(const cn_traffic *traffic, cni_source_process *source)
{
    (void)traffic;
    source->emit =
        scaled(source->load / (1.0 + source->load)); /* probability of one more message */
}

/* The share of the cycles that are in on periods. */
static double duty_of(const cn_traffic *traffic)
{
    return traffic->mean_on / (traffic->mean_on + traffic->mean_off);
}

static void start_on_off(const cn_traffic *traffic, cni_source_process *source)
{
    source->emit = scaled(source->load / duty_of(traffic));
    source->to_off = scaled(1.0 / traffic->mean_on);
    source->to_on = scaled(1.0 / traffic->mean_off);
    source->first_on = scaled(duty_of(traffic));
}

/* ---- cycle by cycle ---- */

uint8_t cni_source_first_state(const cni_source_process *source, uint64_t word)
{
    return (uint8_t)happens(source->first_on, word);
}

static uint64_t offered_poisson(const cni_source_process *source, uint64_t stream, uint64_t first,
                                uint8_t *on)
{
    uint64_t offered = 0;
    (void)on;
    for (uint32_t round = 0; round < source->rounds; round++) {
        uint64_t word = cni_random_word(stream, first + round);
        for (uint32_t j = 0; j < source->thresholds && word < source->threshold[j]; j++)
            offered++;
    }
    return offered;
}

static uint64_t offered_bernoulli(const cni_source_process *source, uint64_t stream, uint64_t first,
                                  uint8_t *on)
{
    (void)on;
    return (uint64_t)happens(source->emit, cni_random_word(stream, first));
}

static uint64_t offered_geometric(const cni_source_process *source, uint64_t stream, uint64_t first,
                                  uint8_t *on)
{
    uint64_t offered = 0;
    (void)on;
    while (happens(source->emit, cni_random_word(stream, first + offered)))
        offered++;
    return offered;
}

static uint64_t offered_on_off(const cni_source_process *source, uint64_t stream, uint64_t first,
                               uint8_t *on)
{
    uint64_t offered = *on ? offered_bernoulli(source, stream, first, on) : 0;
    *on ^=
        (uint8_t)happens(*on ? source->to_off : source->to_on, cni_random_word(stream, first + 1));
    return offered;
}

/* ---- from message to message ---- */

static double draw_time(uint64_t stream, cni_arrivals *a)
{
    return (double)cni_exponential(cni_random_word(stream, a->draws++));
}

/* The number of cycles up to the first event of this probability, the event's cycle included: at
 * least 1; 2^62 for all greater numbers. */
static uint64_t draw_wait(uint64_t probability, double rate, uint64_t stream, cni_arrivals *a)
{
    if (probability >> 53 != 0)
        return 1;
    double wait = probability == 0 ? INFINITY : draw_time(stream, a) / rate;
    return wait < 4611686018427387904.0 ? 1 + (uint64_t)wait : UINT64_C(1) << 62;
}

/* Moves the next message so many cycles on. */
static void wait(cni_arrivals *a, uint64_t cycles)
{
    a->cycle = cycles < UINT64_MAX - a->cycle ? a->cycle + cycles : UINT64_MAX;
}

static void next_poisson(const cni_source_process *source, uint64_t stream, cni_arrivals *a)
{
    double gap = a->fraction + draw_time(stream, a) / source->emit_rate;
    int64_t whole = gap < 4611686018427387904.0 ? (int64_t)gap : INT64_C(1) << 62;
    a->fraction = gap < 4611686018427387904.0 ? gap - (double)whole : 0.0;
    wait(a, (uint64_t)whole);
}

/* The on periods without a message over which next_on_off() looks ahead before it waits for
 * their time. */
enum { LOOK_AHEAD = 64 };

static void next_on_off(const cni_source_process *source, uint64_t stream, cni_arrivals *a)
{
    for (int period = 0; period < LOOK_AHEAD; period++) {
        uint64_t cycles = draw_wait(source->emit, source->emit_rate, stream, a);
        if (cycles <= a->left) {
            a->left -= cycles;
            wait(a, cycles);
            return;
        }
        /* the on period ends before: messages that have not come by then are dropped */
        wait(a, a->left);
        wait(a, draw_wait(source->to_on, source->on_rate, stream, a));
        a->left = draw_wait(source->to_off, source->off_rate, stream, a);
        if (a->cycle >> 62 != 0) {
            a->cycle = UINT64_MAX;
            return;
        }
    }
    a->silent = 1;
}

static void next_bernoulli(const cni_source_process *source, uint64_t stream, cni_arrivals *a)
{
    wait(a, draw_wait(source->emit, source->emit_rate, stream, a));
}

static void next_geometric(const cni_source_process *source, uint64_t stream, cni_arrivals *a)
{
    if (!happens(source->emit, cni_random_word(stream, a->draws++)))
        next_bernoulli(source, stream, a);
}

static void begin_poisson(const cni_source_process *source, uint64_t stream, cni_arrivals *a)
{
    a->cycle = 1;
    next_poisson(source, stream, a);
}

/* Either cycle 1 is on, or the first on period begins after it. */
static void begin_on_off(const cni_source_process *source, uint64_t stream, cni_arrivals *a)
{
    if (happens(source->first_on, cni_random_word(stream, a->draws++)))
        a->left = draw_wait(source->to_off, source->off_rate, stream, a);
    else
        wait(a, draw_wait(source->to_on, source->on_rate, stream, a));
    if (a->cycle > 0)
        a->left = draw_wait(source->to_off, source->off_rate, stream, a);
    cni_source_next(source, stream, a);
}

/* ---- the sources ---- */

struct cni_source_row {
    const char *name;
    int is_apart;       /* cn_traffic_set_source() cannot set it: another function does */
    const char *offers; /* for the sentence about a load that is too high; NULL: none is */
    /* Sets the members that follow from the load, which is above 0. cni_source_start() finds the
     * rates of the probabilities. */
    void (*start)(const cn_traffic *traffic, cni_source_process *source);
    uint64_t (*offered)(const cni_source_process *source, uint64_t stream, uint64_t first,
                        uint8_t *on);
    void (*begin)(const cni_source_process *source, uint64_t stream, cni_arrivals *arrivals);
    void (*next)(const cni_source_process *source, uint64_t stream, cni_arrivals *arrivals);
};

static const cni_source_row rows[] = {
    [CN_SOURCE_OF_SYSTEM] = {.name = "system"}, /* the system names another row */
    [CN_SOURCE_GEOMETRIC] = {"geometric", 0, NULL, start_geometric, offered_geometric,
                             next_bernoulli, next_geometric},
    [CN_SOURCE_BERNOULLI] = {"bernoulli", 0, "a Bernoulli source offers", start_bernoulli,
                             offered_bernoulli, next_bernoulli, next_bernoulli},
    [CN_SOURCE_POISSON] = {"poisson", 0, NULL, start_poisson, offered_poisson, begin_poisson,
                           next_poisson},
    [CN_SOURCE_ON_OFF] = {"on-off", 1,
                          "a source that sends in mean_on of mean_on + mean_off cycles offers",
                          start_on_off, offered_on_off, begin_on_off, next_on_off},
};

const cni_names cni_sources = CNI_NAMES("source", rows, 0);

cn_status cni_source_check_plain(const char *function, cn_source source)
{
    CNI_TRY(cni_check_named(function, &cni_sources, "source", (int)source));
    if (!rows[source].is_apart)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: source = %s, but only cn_traffic_set_on_off() sets this source", function,
                    rows[source].name);
}

static double most_of(cn_source source, const cn_traffic *traffic)
{
    return source == CN_SOURCE_BERNOULLI ? 1.0
           : source == CN_SOURCE_ON_OFF  ? duty_of(traffic)
                                         : INFINITY;
}

double cni_source_most(const cn_traffic *traffic)
{
    return traffic == NULL ? INFINITY : most_of(traffic->source, traffic);
}

cn_status cni_source_start(const char *function, const cn_traffic *traffic, cn_source of_system,
                           double load, cni_source_process *source)
{
    char given[CNI_NUMBER_CAPACITY], allowed[CNI_NUMBER_CAPACITY];
    memset(source, 0, sizeof *source);
    source->kind =
        traffic == NULL || traffic->source == CN_SOURCE_OF_SYSTEM ? of_system : traffic->source;
    source->row = &rows[source->kind];
    source->load = load;
    if (load == 0.0)
        return CN_OK;
    double most = most_of(source->kind, traffic);
    if (load > most)
        return cni_fail(CN_ERR_ARGUMENT, "%s: load = %s, but %s at most %s", function,
                        cni_number_text(load, given), source->row->offers,
                        cni_number_text(most, allowed));
    source->row->start(traffic, source);
    if (source->kind != CN_SOURCE_POISSON)
        source->emit_rate = rate_of(source->emit);
    source->off_rate = rate_of(source->to_off);
    source->on_rate = rate_of(source->to_on);
    return CN_OK;
}

uint64_t cni_source_offered(const cni_source_process *source, uint64_t stream, uint64_t first,
                            uint8_t *on)
{
    return source->load == 0.0 ? 0 : source->row->offered(source, stream, first, on);
}

void cni_source_next(const cni_source_process *source, uint64_t stream, cni_arrivals *a)
{
    if (a->cycle == UINT64_MAX)
        return;
    a->silent = 0;
    source->row->next(source, stream, a);
}

void cni_source_begin(const cni_source_process *source, uint64_t stream, cni_arrivals *a)
{
    memset(a, 0, sizeof *a);
    if (source->load == 0.0)
        a->cycle = UINT64_MAX;
    else
        source->row->begin(source, stream, a);
}

cn_status cni_arrivals_visit(cni_archive *archive, cni_arrivals *a, uint64_t cycle)
{
    uint8_t silent = a->silent != 0;
    cni_archive_u64s(archive, &a->cycle, 1);
    cni_archive_double(archive, &a->fraction);
    cni_archive_u64s(archive, &a->draws, 1);
    cni_archive_u64s(archive, &a->left, 1);
    cni_archive_u8s(archive, &silent, 1);
    CNI_ALLOW(a->cycle > cycle && a->fraction >= 0.0 && a->fraction < 1.0,
              "the time of a source's next message");
    if (cni_archive_reads(archive))
        a->silent = silent;
    return CN_OK;
}

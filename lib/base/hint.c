/* The hint in an error text: the known name that is most like a name that the library does not
 * know. */
#include "base/hint.h"

#include <string.h>

#include "base/text.h"

/* ---- words of others ---- */

const cni_translation cni_translations[] = {
    /* parameters */
    {"injection_rate", "load"},
    {"inj_rate", "load"},
    {"arrival_rate", "load"},
    {"offered_load", "load"},
    {"num_vcs", "virtual_channels"},
    {"vc", "virtual_channels"},
    {"vcs", "virtual_channels"},
    {"vcs_per_vnet", "virtual_channels"},
    {"vc_buf_size", "flit_buffers"},
    {"vc_buffer_size", "flit_buffers"},
    {"buffer_depth", "flit_buffers"},
    {"buffer_size", "buffers"},
    {"buf_size", "buffers"},
    {"queue_size", "buffers"},
    {"packet_size", "message_flits"},
    {"packet_length", "message_flits"},
    {"message_length", "message_flits"},
    {"flits", "message_flits"},
    {"warmup", "warmup_cycles"},
    {"warmup_periods", "warmup_cycles"},
    {"cycles", "measure_cycles"},
    {"sim_cycles", "measure_cycles"},
    {"sample_period", "measure_cycles"},
    {"runs", "replications"},
    {"precision", "relative_precision"},
    {"num_threads", "threads"},
    {"jobs", "threads"},
    {"n_jobs", "threads"},
    /* metrics */
    {"latency", "mean_delay"},
    {"mean_latency", "mean_delay"},
    {"average_latency", "mean_delay"},
    {"avg_latency", "mean_delay"},
    {"packet_latency", "mean_delay"},
    {"delay", "mean_delay"},
    {"average_delay", "mean_delay"},
    {"delay_mean", "mean_delay"},
    {"max_latency", "delay_max"},
    {"max_delay", "delay_max"},
    {"hops", "mean_hops"},
    {"average_hops", "mean_hops"},
    {"hop_count", "mean_hops"},
    {"accepted", "throughput"},
    {"accepted_load", "throughput"},
    {"accepted_rate", "throughput"},
    {"injection_rate", "offered_load"},
    {"load", "offered_load"},
    {"utilization", "channel_utilization"},
    {"queue_length", "mean_queue_length"},
    /* measures */
    {"average_distance", "mean_distance"},
    {"average_path_length", "mean_distance"},
    {"mean_path_length", "mean_distance"},
    {"bisection", "bisection_width"},
    /* routings */
    {"dor", "dimension-order"},
    {"dim_order", "dimension-order"},
    {"xy", "dimension-order"},
    {"ecube", "dimension-order"},
    {"deterministic", "dimension-order"},
    {"adaptive", "duato"},
    {"fully_adaptive", "duato"},
    {"min_adapt", "duato"},
    {"shortest_path", "minimal"},
    {"min", "minimal"},
    {"vlb", "valiant"},
    /* systems */
    {"store_and_forward", "separate-buffers"},
    {"saf", "separate-buffers"},
    {"virtual_cut_through", "cut-through"},
    {"vct", "cut-through"},
    {"wormhole_switching", "wormhole"},
    {"hot_potato", "deflection"},
    {"bufferless", "deflection"},
    /* traffic patterns */
    {"random", "uniform"},
    {"uniform_random", "uniform"},
    {"bitcomp", "bit-complement"},
    {"bitrev", "bit-reverse"},
    {"bit_reversal", "bit-reverse"},
    {"perfect_shuffle", "shuffle"},
    {"nearest_neighbor", "neighbor"},
    {"randperm", "permutation"},
    /* topologies */
    {"grid", "mesh"},
    {"grid_graph", "mesh"},
    {"lattice", "mesh"},
    {"line", "mesh"},
    {"path", "mesh"},
    {"path_graph", "mesh"},
    {"cube", "hypercube"},
    {"ncube", "hypercube"},
    {"hypercube_graph", "hypercube"},
    {"cycle", "ring"},
    {"cycle_graph", "ring"},
    {"star_graph", "star"},
    {"binary_tree", "tree"},
    {"complete_graph", "complete"},
    {"all_to_all", "complete"},
    {"clique", "complete"},
    {"fully_connected", "complete"},
    {"hamming", "generalized_hypercube"},
    {"flattened_butterfly", "generalized_hypercube"},
    {NULL, NULL},
};

/* Words that are no names of a table (`what`, see cni_names), and what offers the thing. */
static const struct {
    const char *what, *theirs, *sentence;
} elsewhere[] = {
    {"parameter", "injection_rate", "did you mean \"load\"? It counts messages, not flits"},
    {"parameter", "inj_rate", "did you mean \"load\"? It counts messages, not flits"},
    {"parameter", "random_seed", "cn_scenario_set_seed() sets the seed"},
    {"parameter", "seed", "cn_scenario_set_seed() sets the seed"},
    {"parameter", "routing", "cn_scenario_set_routing_name() sets the routing"},
    {"parameter", "routing_function", "cn_scenario_set_routing_name() sets the routing"},
    {"parameter", "traffic", "cn_scenario_set_traffic() sets the traffic"},
    {"parameter", "faults", "cn_scenario_set_faults() sets the faults"},
    {"parameter of a study", "seed", "cn_study_set_seed() sets the seed"},
    {"metric", "saturated", "cn_result_is_saturated() says whether the network is saturated"},
    {"metric", "seed", "cn_result_seed() has the seed"},
    {"metric", "median", "cn_result_quantile() has it"},
    {"metric", "p99", "cn_result_quantile() has it"},
};

/* ---- words ---- */

enum { WORD = 48 };

/* The letters and digits of a name, in lower case. */
static void plain(const char *name, char word[WORD])
{
    size_t length = 0;
    for (; *name != '\0' && length < WORD - 1; name++)
        if (*name >= 'A' && *name <= 'Z')
            word[length++] = (char)(*name - 'A' + 'a');
        else if ((*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9'))
            word[length++] = *name;
    word[length] = '\0';
}

static int is_word(const char *name, const char word[WORD])
{
    char other[WORD];
    plain(name, other);
    return strcmp(other, word) == 0;
}

/* The share of the letters of both names that the names have in common, in the same order. */
static double likeness(const char *name, const char word[WORD])
{
    char other[WORD];
    size_t row[WORD] = {0};
    plain(name, other);
    size_t length = strlen(other), letters = length + strlen(word);
    for (size_t i = 0; word[i] != '\0'; i++)
        for (size_t j = 0, diagonal = 0; j < length; j++) {
            size_t above = row[j + 1], longer = above > row[j] ? above : row[j];
            row[j + 1] = word[i] == other[j] ? diagonal + 1 : longer;
            diagonal = above;
        }
    return letters == 0 ? 0.0 : 2.0 * (double)row[length] / (double)letters;
}

/* ---- the hint ---- */

/* The name that is most like a word, of those that are more like it than `least`. */
static const char *likeliest(const cni_names *names, const char word[WORD], double least)
{
    const char *best = NULL;
    for (int i = names->first; i <= names->last; i++) {
        const char *name = cni_name_of(names, i);
        double share = name == NULL ? 0.0 : likeness(name, word);
        if (share > least) {
            best = name;
            least = share;
        }
    }
    return best;
}

/* Limits of likeness. SAME: all letters are the same. ALIKE is so high that "grid" is not like
 * "period", "saturated" not like "saturated_fraction", a fat tree not like "tree". */
static const double SAME = 0.999, ALIKE = 0.74;

static const char *translated(const cni_names *names, const char word[WORD])
{
    char ours[WORD];
    for (const cni_translation *row = cni_translations; row->theirs != NULL; row++) {
        plain(row->ours, ours);
        const char *name = is_word(row->theirs, word) ? likeliest(names, ours, SAME) : NULL;
        if (name != NULL)
            return name;
    }
    return NULL;
}

const char *cni_hint(const cni_names *names, const char *name, char text[CNI_HINT_CAPACITY])
{
    char word[WORD], list[CNI_LIST_CAPACITY];
    cni_text hint = {.text = text, .capacity = CNI_HINT_CAPACITY};
    text[0] = '\0';
    plain(name, word);
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcmp(elsewhere[i].what, names->what) == 0 && is_word(elsewhere[i].theirs, word))
            cni_text_put(&hint, "; %s", elsewhere[i].sentence);
    const char *meant = likeliest(names, word, SAME);
    if (meant == NULL)
        meant = translated(names, word);
    if (meant == NULL)
        meant = likeliest(names, word, ALIKE);
    if (hint.length == 0 && meant != NULL)
        cni_text_put(&hint, "; did you mean \"%s\"?", meant);
    else if (hint.length == 0 && cni_list_names(names, CNI_ALL_OF_THEM, list)[0] != '\0')
        cni_text_put(&hint, "; there are: %s", list);
    text[hint.length < CNI_HINT_CAPACITY ? hint.length : 0] = '\0';
    return text;
}

/* The table of parameters: validation, error texts, names and documentation come from its rows. */
#include "scenario/scenario.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/team.h"

typedef struct param_row {
    const char *name;
    const char *unit;
    double least, greatest, default_value;
    int whole;
    const char *meaning;
} param_row;

#define WHOLE 1
#define REAL 0

/* Whole numbers stay below 2^53, where a double still counts by ones. */
static const param_row rows[] = {
    [CN_PARAM_LOAD] =
        {"load", "messages/node/cycle", 0, 1e6, 0, REAL,
         "mean number of new messages (collective: operations) that a node offers per cycle (or "
         "unit time)"},
    [CN_PARAM_BUFFERS] =
        {"buffers", "messages", 0, 1048576, 0, WHOLE,
         "messages that a node can hold (collective with machine = 0: handle in a cycle); 0 is "
         "unlimited"},
    [CN_PARAM_WARMUP_CYCLES] = {"warmup_cycles", "cycles", 0, 1e15, 1000, WHOLE,
                                "cycles simulated before anything is measured"},
    [CN_PARAM_MEASURE_CYCLES] = {"measure_cycles", "cycles", 1, 1e15, 100000, WHOLE,
                                 "cycles measured at the most"},
    [CN_PARAM_REPLICATIONS] = {"replications", "runs", 1, 1000000, 1, WHOLE,
                               "independent runs, each on a seed of its own"},
    [CN_PARAM_RELATIVE_PRECISION] = {"relative_precision", "1", 0, 1, 0.005, REAL,
                                     "a run ends early when the 95 % half-widths of throughput and "
                                     "mean delay are at most this share of their values; 0 never"},
    [CN_PARAM_THREADS] = {"threads", "threads", 1, CNI_MAX_WORKERS, 1, WHOLE,
                          "threads that share the work; the result does not depend on it"},
    [CN_PARAM_VIRTUAL_CHANNELS] = {"virtual_channels", "channels", 1, 64, 2, WHOLE,
                                   "virtual channels per directed physical channel"},
    [CN_PARAM_MESSAGE_FLITS] = {"message_flits", "flits", 1, 1048576, 32, WHOLE,
                                "length of a message"},
    [CN_PARAM_FLIT_BUFFERS] = {"flit_buffers", "flits", 1, 1048576, 2, WHOLE,
                               "depth of the buffer of a virtual channel"},
    [CN_PARAM_BROADCAST_FRACTION] = {"broadcast_fraction", "1", 0, 1, 0, REAL,
                                     "share of the new messages that are broadcasts"},
    [CN_PARAM_STARTUP_LATENCY] = {"startup_latency", "cycles", 0, 1e9, 0, REAL,
                                  "time from the creation of a message to its first flit"},
    [CN_PARAM_NODE_FAILURE_PROBABILITY] = {"node_failure_probability", "1", 0, 1, 0, REAL,
                                           "probability that a node is faulty, each on its own"},
    [CN_PARAM_PROCESSING_RATIO] = {"processing_ratio", "1", 0, 1e6, 0, REAL,
                                   "node processing time over the transmission time of a message "
                                   "on a Boolean n-cube's channel"},
    [CN_PARAM_MODEL_VARIANT] =
        {"model_variant", "1", 0, 2, 0, WHOLE,
         "0 the model as published; 1, 2 corrected or the library's own, by system"},
    [CN_PARAM_STATE_SPACE] = {"state_space", "1", 0, 2, 0, WHOLE,
                              "states of the path length model: 0 automatic, 1 exact, 2 reduced"},
    [CN_PARAM_ADAPTIVE] = {"adaptive", "1", 0, 3, 0, WHOLE,
                           "1: a message may avoid channels that others use or wait for; 0: it may "
                           "not; 3, 2: the same without protection against deadlock"},
    [CN_PARAM_INJECTION_SERVERS] = {"injection_servers", "messages", 1, 64, 1, WHOLE,
                                    "messages of one source queue that may be entering the network "
                                    "at a time"},
    [CN_PARAM_ONE_PORT] = {"one_port", "1", 0, 1, 0, WHOLE,
                           "1: a node sends over one channel at a time; 0: over all of them"},
    [CN_PARAM_SLOTTED] = {"slotted", "1", 0, 1, 0, WHOLE,
                          "0: transmissions last an exponential time of mean 1, drawn anew at each "
                          "hop; 1: one cycle each"},
    [CN_PARAM_OPERATIONS] =
        {"operations", "operations", 0, 1e9, 1, WHOLE,
         "broadcasts or multicasts that are started, unless load says how many"},
    [CN_PARAM_START_CYCLES] = {"start_cycles", "cycles", 1, 1e9, 20, WHOLE,
                               "cycles from the first on in which operations start"},
    [CN_PARAM_DESTINATIONS] = {"destinations", "nodes", 0, 16777216, 0, WHOLE,
                               "destinations of an operation before what falls together is left "
                               "out; 0: all other nodes"},
    [CN_PARAM_DESTINATION_CHOICE] =
        {"destination_choice", "1", 0, 3, 0, WHOLE,
         "destinations of a multicast: 0 random start and stride, 1 the same start and stride for "
         "all, 2 uniform without repetition, 3 nodes that follow each other, the same for all"},
    [CN_PARAM_MACHINE] =
        {"machine", "1", 0, 1, 0, WHOLE,
         "what is scarce: 0 what a node handles in a cycle (of multicasts sends, first come first "
         "served; of broadcasts accepts, last come first served), a reading of Ziavras & "
         "Krishnamurthy 1999; 1 channels and buffers"},
    [CN_PARAM_TREE] =
        {"tree", "1", 0, 4, 0, WHOLE,
         "tree that messages follow: 0 balanced, 1 balanced spanning graph with split messages, "
         "2 binomial, 3 balanced and turned at random for each operation, 4 balanced, but a "
         "message to one destination takes at every node the channel on a shortest path that was "
         "given fewest"},
    [CN_PARAM_CLUBBING] =
        {"clubbing", "1", 0, 1, 0, WHOLE,
         "1: messages of one multicast go as one copy as far as their paths on the tree "
         "agree, as those of a broadcast always do; 0: each goes alone"},
    [CN_PARAM_CHANNEL_CAPACITY] = {"channel_capacity", "messages/cycle", 0, 1048576, 1, WHOLE,
                                   "messages that a directed channel carries in a cycle; 0 is "
                                   "unlimited"},
    [CN_PARAM_BUFFER_CLASSES] =
        {"buffer_classes", "1", 0, 1, 0, WHOLE,
         "1: buffers are divided into classes by the hops that a message has "
         "made, which keeps the network free of deadlock"},
};

enum { PARAMS = sizeof rows / sizeof rows[0] - 1 };

_Static_assert(sizeof rows / sizeof rows[0] <= CNI_PARAM_ROOM,
               "a scenario has no room for so many values");

/* NULL for a number that is no parameter. The cast also catches numbers below zero. */
static const param_row *row_of(cn_param param)
{
    unsigned id = (unsigned)param;
    return id >= 1 && id <= PARAMS ? &rows[id] : NULL;
}

cn_status cni_param_check_id(const char *function, cn_param param)
{
    if (row_of(param) != NULL)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: param = %d, but the parameters are 1 to %d", function,
                    (int)param, PARAMS);
}

size_t cn_param_count(void)
{
    return PARAMS;
}

const char *cn_param_name(cn_param param)
{
    const param_row *row = row_of(param);
    return row == NULL ? NULL : row->name;
}

const char *cn_param_unit(cn_param param)
{
    const param_row *row = row_of(param);
    return row == NULL ? NULL : row->unit;
}

const char *cn_param_meaning(cn_param param)
{
    const param_row *row = row_of(param);
    return row == NULL ? NULL : row->meaning;
}

cn_status cn_param_range(cn_param param, double *least, double *greatest, double *default_value,
                         int *whole)
{
    CNI_TRY(cni_param_check_id(__func__, param));
    const param_row *row = row_of(param);
    if (least != NULL)
        *least = row->least;
    if (greatest != NULL)
        *greatest = row->greatest;
    if (default_value != NULL)
        *default_value = row->default_value;
    if (whole != NULL)
        *whole = row->whole;
    return CN_OK;
}

cn_status cn_param_from_name(const char *name, cn_param *param)
{
    CNI_REQUIRE(name);
    CNI_REQUIRE(param);
    for (int id = 1; id <= PARAMS; id++) {
        if (strcmp(rows[id].name, name) != 0)
            continue;
        *param = (cn_param)id;
        return CN_OK;
    }
    return cni_fail(CN_ERR_NOT_FOUND, "%s: there is no parameter \"%.80s\"", __func__, name);
}

double cni_param_default(cn_param param)
{
    return row_of(param)->default_value;
}

cn_status cni_param_check(const char *function, cn_param param, double value)
{
    CNI_TRY(cni_param_check_id(function, param));
    const param_row *row = row_of(param);
    char given[CNI_NUMBER_CAPACITY], least[CNI_NUMBER_CAPACITY], greatest[CNI_NUMBER_CAPACITY];
    const char *unit = strcmp(row->unit, "1") == 0 ? "" : row->unit;
    /* written so that NaN fails */
    if (!(value >= row->least && value <= row->greatest))
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but it must be %s to %s%s%s", function,
                        row->name, cni_number_text(value, given),
                        cni_number_text(row->least, least),
                        cni_number_text(row->greatest, greatest), unit[0] == '\0' ? "" : " ", unit);
    if (row->whole && value != floor(value))
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but it must be a whole number", function,
                        row->name, cni_number_text(value, given));
    return CN_OK;
}

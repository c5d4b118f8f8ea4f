/* The table of parameters: validation, error texts, names and documentation come from its rows. */
#include "scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cubenet/choice.h"

#include "base/team.h"
#include "routing/decisions/selection.h"
#include "scenario/parameter.h"

/* ---- the choices ---- */

static const cni_named model_variants[] = {
    [CN_MODEL_PUBLISHED] = {"published", "the equations of the paper"},
    [CN_MODEL_CORRECTED] = {"corrected", "the equations with the errors of the paper corrected"},
    [CN_MODEL_OWN] = {"own", "the library's own model"},
    [CN_MODEL_AUTOMATIC] = {"automatic", "the form that is nearest to the simulation"},
};
const cni_names cni_model_variants = CNI_NAMES("model variant", model_variants, 0);

static const cni_named state_spaces[] = {
    [CN_STATES_AUTOMATIC] = {"automatic", "exact where that is fast, otherwise reduced"},
    [CN_STATES_EXACT] = {"exact", "one state for each sorted header"},
    [CN_STATES_REDUCED] = {"reduced",
                           "states of valid dimensions and distance; unidirectional rings only"},
};
const cni_names cni_state_spaces = CNI_NAMES("state space", state_spaces, 0);

static const cni_named message_trees[] = {
    [CN_TREE_BALANCED] = {"balanced", "the balanced tree"},
    [CN_TREE_SPLIT] = {"split", "the balanced spanning graph, with split messages"},
    [CN_TREE_BINOMIAL] = {"binomial", "the binomial tree of base 0; hypercubes only"},
    [CN_TREE_TURNED] = {"turned", "the balanced tree, rotated at random for each operation"},
    [CN_TREE_LEAST_USED] =
        {"least-used",
         "balanced or breadth-first, but at every node a message to one destination takes, of the "
         "channels on a shortest path, the one that has been given the fewest messages"},
    [CN_TREE_BREADTH_FIRST] = {"breadth-first", "the breadth-first tree, in any network"},
};

static const cni_named destination_choices[] = {
    [CN_DESTINATIONS_STRIDE] = {"stride", "a random start and stride for each operation"},
    [CN_DESTINATIONS_SAME_STRIDE] = {"same-stride", "the same start and stride for all operations"},
    [CN_DESTINATIONS_UNIFORM] = {"uniform", "distinct nodes, drawn uniformly"},
    [CN_DESTINATIONS_SAME_RUN] = {"same-run", "consecutive nodes, the same for all operations"},
};

static const cni_named operation_kinds[] = {
    [CN_OPERATIONS_OUTWARD] = {"outward", "the source sends to its destinations"},
    [CN_OPERATIONS_CONTENTION] = {"contention", "each destination sends a message to the source"},
    [CN_OPERATIONS_COMBINING] = {"combining", "each destination sends a message to the source; of "
                                              "those that meet at a node one goes on"},
    [CN_OPERATIONS_CONCENTRATION] = {"concentration",
                                     "each destination sends one message towards the source when "
                                     "all messages from beyond it have come"},
};

static const cni_named machines[] = {
    [CN_MACHINE_PAPER] = {"paper",
                          "a node handles a limited number of messages in a cycle: it sends "
                          "multicasts first come, first served and accepts broadcasts last come, "
                          "first served (an interpretation of Ziavras & Krishnamurthy 1999)"},
    [CN_MACHINE_CHANNELS] = {"channels", "channels and buffers are limited"},
};

static const cni_named broadcast_bases[] = {
    [CN_BASE_RANDOM] = {"random", "a random dimension for each broadcast"},
    [CN_BASE_FIXED] = {"fixed", "dimension 0 for all"},
    [CN_BASE_ROUND_ROBIN] = {"round-robin", "dimension 0 for the first broadcast of a node, then "
                                            "the next dimension each time"},
};

static const cni_named warmups[] = {
    {"automatic", "until the number of messages in flight no longer grows, at most a quarter of "
                  "measure_cycles"},
};

/* ---- the rows ---- */

/* A table of names for one parameter only. */
#define CHOICES(what, rows) (&((const cni_names)CNI_NAMES(what, rows, 0)))

/* A choice between no and yes, with the meaning of each. */
#define ANSWER(default_value, name, meaning, no, yes)   \
    CNI_PARAM_CHOICE_FROM(default_value, name, meaning, \
                          CHOICES("answer", ((const cni_named[]){{"no", no}, {"yes", yes}})))

/* Whole numbers stay below 2^53, where a double still has every whole number. Number 14 was
 * never used. */
static const cni_param_row rows[] = {
    [CN_PARAM_LOAD] =
        {"load", "messages/node/cycle", 0, 1e6, 0, CNI_PARAM_REAL,
         "offered load, the mean number of new messages per node and cycle (or unit of time)"},
    [CN_PARAM_BUFFERS] = {"buffers", "messages", 0, 1048576, 0, CNI_PARAM_WHOLE,
                          "number of messages that a node can hold"},
    [CN_PARAM_WARMUP_CYCLES] = {"warmup_cycles", "cycles", CN_WARMUP_AUTOMATIC, 1e15,
                                CN_WARMUP_AUTOMATIC, 1, CHOICES("warm-up", warmups),
                                "cycles simulated before measuring starts"},
    [CN_PARAM_MEASURE_CYCLES] = {"measure_cycles", "cycles", 1, 1e15, 100000, CNI_PARAM_WHOLE,
                                 "greatest number of measured cycles"},
    [CN_PARAM_REPLICATIONS] = {"replications", "runs", 1, 1000000, 1, CNI_PARAM_WHOLE,
                               "number of independent runs, each with a seed of its own"},
    [CN_PARAM_RELATIVE_PRECISION] = {"relative_precision", "1", 0, 1, 0.005, CNI_PARAM_REAL,
                                     "a run ends early when the 95 % half-widths of throughput and "
                                     "mean delay are at most this share of their values; 0: never"},
    [CN_PARAM_THREADS] = {"threads", "threads", 1, CNI_MAX_WORKERS, 1, CNI_PARAM_WHOLE,
                          "number of threads that share the work; does not affect the result"},
    [CN_PARAM_VIRTUAL_CHANNELS] = {"virtual_channels", "channels", 1, 64, 2, CNI_PARAM_WHOLE,
                                   "number of virtual channels per directed physical channel"},
    [CN_PARAM_MESSAGE_FLITS] = {"message_flits", "flits", 1, 1048576, 32, CNI_PARAM_WHOLE,
                                "length of a message"},
    [CN_PARAM_FLIT_BUFFERS] = {"flit_buffers", "flits", 1, 1048576, 2, CNI_PARAM_WHOLE,
                               "depth of the buffer of a virtual channel"},
    [CN_PARAM_BROADCAST_FRACTION] = {"broadcast_fraction", "1", 0, 1, 0, CNI_PARAM_REAL,
                                     "share of the new messages that are broadcasts"},
    [CN_PARAM_STARTUP_LATENCY] = {"startup_latency", "cycles", 0, 1e9, 0, CNI_PARAM_REAL,
                                  "time from the creation of a message to its first flit"},
    [CN_PARAM_NODE_FAILURE_PROBABILITY] =
        {"node_failure_probability", "1", 0, 1, 0, CNI_PARAM_REAL,
         "probability that a node is faulty, independently of the others"},
    [CN_PARAM_MODEL_VARIANT] =
        CNI_PARAM_CHOICE_FROM(CN_MODEL_AUTOMATIC, "model_variant",
                              "form of the system's analytic model", &cni_model_variants),
    [CN_PARAM_STATE_SPACE] = CNI_PARAM_CHOICE(
        "state_space", "state diagram of the model of path lengths", &cni_state_spaces),
    [CN_PARAM_SELECTION] = CNI_PARAM_CHOICE(
        "selection", "which of the channels that the routing allows a message takes",
        &cni_selections),
    [CN_PARAM_INJECTION_SERVERS] =
        {"injection_servers", "messages", 1, 64, 1, CNI_PARAM_WHOLE,
         "number of messages of one source queue that may enter the network at the same time"},
    [CN_PARAM_ONE_PORT] =
        ANSWER(0, "one_port", "whether a node sends over only one channel at a time",
               "a node may send over all its channels in a cycle",
               "a node sends over only one channel at a time"),
    [CN_PARAM_SLOTTED] =
        ANSWER(1, "slotted", "whether each transmission takes exactly one cycle",
               "each transmission takes an exponential time of mean 1, drawn again at each hop",
               "each transmission takes exactly one cycle"),
    [CN_PARAM_OPERATIONS] =
        {"operations", "operations", 0, 1e9, 1, CNI_PARAM_WHOLE,
         "number of broadcasts or multicasts to start, unless operation_rate determines it"},
    [CN_PARAM_START_CYCLES] = {"start_cycles", "cycles", 1, 1e9, 20, CNI_PARAM_WHOLE,
                               "number of cycles, from the first on, in which operations start"},
    [CN_PARAM_DESTINATIONS] = {"destinations", "nodes", 0, 16777216, 0, CNI_PARAM_WHOLE,
                               "number of destinations drawn for an operation, before the source "
                               "and repeated nodes are left out; 0: all other nodes"},
    [CN_PARAM_DESTINATION_CHOICE] =
        CNI_PARAM_CHOICE("destination_choice", "rule for the destinations of a random multicast",
                         CHOICES("destination choice", destination_choices)),
    [CN_PARAM_MACHINE] = CNI_PARAM_CHOICE_FROM(
        CN_MACHINE_CHANNELS, "machine", "limited resource of a node", CHOICES("machine", machines)),
    [CN_PARAM_TREE] =
        CNI_PARAM_CHOICE("tree", "tree that the messages follow", CHOICES("tree", message_trees)),
    [CN_PARAM_CLUBBING] =
        ANSWER(0, "clubbing",
               "whether messages of one multicast travel as one copy while they share a path on "
               "the tree, as those of a broadcast always do",
               "each message of a multicast travels separately",
               "messages of one multicast travel as one copy while they share a path"),
    [CN_PARAM_CHANNEL_CAPACITY] =
        {"channel_capacity", "messages/cycle", 0, 1048576, 1, CNI_PARAM_WHOLE,
         "number of messages that a directed channel can carry in a cycle; 0: unlimited"},
    [CN_PARAM_BUFFER_CLASSES] = ANSWER(0, "buffer_classes",
                                       "whether buffers are divided into classes by the number of "
                                       "hops made, which makes the network free of deadlock",
                                       "a message may take any buffer of a node",
                                       "each buffer class holds messages with one number of hops "
                                       "made, so that no deadlock can occur"),
    [CN_PARAM_DETOURS] = ANSWER(
        0, "detours", "whether a message may avoid a channel for which other messages wait",
        "a message never leaves its path",
        "a message may avoid a channel for which other messages wait, at the cost of one more hop"),
    [CN_PARAM_OPERATION_RATE] = {"operation_rate", "operations/node/cycle", 0, 1e6, 0,
                                 CNI_PARAM_REAL,
                                 "mean number of operations that a node starts per cycle; 0: the "
                                 "parameter operations determines their number"},
    [CN_PARAM_TRANSIT_BUFFERS] =
        {"transit_buffers", "messages", 0, 1048576, 0, CNI_PARAM_WHOLE,
         "number of buffers of a node for messages in transit (machine = paper: number of messages "
         "that it handles in a cycle); 0: unlimited"},
    [CN_PARAM_UNSAFE] =
        ANSWER(0, "unsafe", "whether a routing that can deadlock may run",
               "a message takes only channels among which no deadlock can occur",
               "the rules that prevent deadlock are left out: a run may end in one"),
    [CN_PARAM_STATISTICS] = ANSWER(
        0, "statistics", "whether channels, nodes and hops are counted one by one",
        "a run counts what its metrics need", "a run also counts by channel, by node and by hops"),
    [CN_PARAM_MESSAGE_BUFFERS] =
        {"message_buffers", "messages", 0, 1048576, 2, CNI_PARAM_WHOLE,
         "number of messages that the buffer of a virtual channel can hold; 0: unlimited"},
    [CN_PARAM_BROADCAST_BASE] =
        CNI_PARAM_CHOICE("broadcast_base",
                         "dimension in which the binomial tree of a broadcast begins; other values "
                         "than random on undamaged Boolean n-cubes only",
                         CHOICES("broadcast base", broadcast_bases)),
    [CN_PARAM_OPERATION_THRESHOLD] =
        {"operation_threshold", "1", 0, 1, 0, CNI_PARAM_REAL,
         "in each cycle every node draws a number k and starts an operation when its Poisson "
         "probability is above this share of the greatest one; 0: numbers of operations are "
         "Poisson numbers"},
    [CN_PARAM_OPERATION_KIND] = CNI_PARAM_CHOICE("operation_kind", "what an operation is",
                                                 CHOICES("operation kind", operation_kinds)),
};

enum { PARAMS = sizeof rows / sizeof rows[0] - 1 };

_Static_assert(sizeof rows / sizeof rows[0] <= CNI_PARAM_ROOM,
               "a scenario has no room for so many values");

static const cni_names params = CNI_NAMES("parameter", rows, 0);
CNI_NAMED_ENUM(cn_param, param, params);

/* NULL for a number that is no parameter. */
static const cni_param_row *row_of(cn_param param)
{
    return cni_row_of(&params, (int)param);
}

/* 1: all values have names. CNI_PARAM_CHOICE() leaves the greatest value 0. */
static int is_choice(const cni_param_row *row)
{
    return row->choices != NULL && row->greatest == 0.0;
}

static double greatest_of(const cni_param_row *row)
{
    return is_choice(row) ? row->choices->last : row->greatest;
}

cn_status cni_param_check_id(const char *function, cn_param param)
{
    if (row_of(param) != NULL)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: param = %d, but no parameter has this number (the last one is %d)",
                    function, (int)param, PARAMS);
}

size_t cn_param_count(void)
{
    return PARAMS;
}

CNI_ROW_FACT(cn_param_unit, cn_param, param, params, cni_param_row, unit);
CNI_ROW_FACT(cn_param_meaning, cn_param, param, params, cni_param_row, meaning);

void cni_param_row_range(const cni_param_row *row, double *least, double *greatest,
                         double *default_value, int *whole)
{
    CNI_GIVE(least, row->least);
    CNI_GIVE(greatest, greatest_of(row));
    CNI_GIVE(default_value, row->default_value);
    CNI_GIVE(whole, row->whole);
}

cn_status cn_param_range(cn_param param, double *least, double *greatest, double *default_value,
                         int *whole)
{
    CNI_TRY(cni_param_check_id(__func__, param));
    cni_param_row_range(row_of(param), least, greatest, default_value, whole);
    return CN_OK;
}

/* ---- choices ---- */

/* NULL for a number, and for an unknown parameter. */
static const cni_names *choices_of(cn_param param)
{
    const cni_param_row *row = row_of(param);
    return row == NULL ? NULL : row->choices;
}

size_t cn_param_choice_count(cn_param param)
{
    const cni_names *choices = choices_of(param);
    return choices == NULL ? 0 : (size_t)choices->last + 1;
}

const char *cn_param_choice_name(cn_param param, size_t value)
{
    return value < cn_param_choice_count(param) ? cni_name_of(choices_of(param), (int)value) : NULL;
}

const char *cn_param_choice_meaning(cn_param param, size_t value)
{
    return value < cn_param_choice_count(param) ? cni_text_of(choices_of(param), (int)value, NULL)
                                                : NULL;
}

cn_status cn_param_choice_from_name(cn_param param, const char *name, double *value)
{
    int number;
    CNI_REQUIRE_BOTH(name, value);
    CNI_TRY(cni_param_check_id(__func__, param));
    if (choices_of(param) == NULL)
        return cni_fail(CN_ERR_ARGUMENT, "%s: name = \"%.80s\", but %s is a number", __func__, name,
                        cn_param_name(param));
    CNI_TRY(cni_from_name(__func__, choices_of(param), name, &number));
    *value = row_of(param)->least + number;
    return CN_OK;
}

const char *cni_param_text(cn_param param, double value, char text[CNI_NUMBER_CAPACITY])
{
    const cni_names *choices = choices_of(param);
    double index = value - row_of(param)->least;
    if (choices != NULL && index >= 0.0 && index <= choices->last && index == floor(index))
        return cni_name_of(choices, (int)index);
    return cni_number_text(value, text);
}

cn_status cni_param_check_choice(const char *function, const char *system, cn_param param,
                                 double value, uint64_t allowed)
{
    char given[CNI_NUMBER_CAPACITY], list[CNI_LIST_CAPACITY];
    if ((allowed >> (int)value & 1) != 0)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s = %s, but %s has only: %s", function,
                    cn_param_name(param), cni_param_text(param, value, given), system,
                    cni_list_names(choices_of(param), allowed, list));
}

/* ---- values ---- */

double cni_param_default(cn_param param)
{
    const cni_param_row *row = row_of(param);
    return row == NULL ? 0.0 : row->default_value;
}

cn_status cni_param_row_check(const char *function, const cni_param_row *row, double value)
{
    char given[CNI_NUMBER_CAPACITY], least[CNI_NUMBER_CAPACITY], greatest[CNI_NUMBER_CAPACITY];
    char list[CNI_LIST_CAPACITY] = "", range[CNI_LIST_CAPACITY] = "";
    const char *unit = strcmp(row->unit, "1") == 0 ? "" : row->unit;
    int is_inside = value >= row->least && value <= greatest_of(row); /* 0 for NaN */
    if (is_inside && (!row->whole || value == floor(value)))
        return CN_OK;
    if (is_inside && !is_choice(row))
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but it must be a whole number", function,
                        row->name, cni_number_text(value, given));
    if (row->choices != NULL)
        cni_list_names(row->choices, CNI_ALL_OF_THEM, list);
    if (!is_choice(row)) /* numbers below 0 have names */
        snprintf(range, sizeof range, "%s to %s%s%s%s",
                 row->choices == NULL ? cni_number_text(row->least, least) : "0",
                 cni_number_text(row->greatest, greatest), unit[0] == '\0' ? "" : " ", unit,
                 row->choices == NULL ? "" : ", or ");
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but it must be %s%s%s", function, row->name,
                    cni_number_text(value, given), range,
                    row->choices == NULL ? "" : "one of: ", list);
}

cn_status cni_param_check(const char *function, cn_param param, double value)
{
    CNI_TRY(cni_param_check_id(function, param));
    return cni_param_row_check(function, row_of(param), value);
}

/* The table of parameters: validation, error texts, names and documentation come from its rows. */
#include "scenario/scenario.h"

#include <math.h>
#include <string.h>

#include "base/team.h"
#include "routing/decisions/selection.h"
#include "scenario/choice.h"
#include "scenario/parameter.h"

/* Whole numbers stay below 2^53, where a double still has every whole number. Number 14 was
 * never used. */
static const cni_param_row rows[] = {
    [CN_PARAM_LOAD] =
        {"load", "messages/node/cycle", 0, 1e6, 0, CNI_PARAM_REAL,
         "offered load, the mean number of new messages per node and cycle (or unit of time)"},
    [CN_PARAM_BUFFERS] = {"buffers", "messages", 0, 1048576, 0, CNI_PARAM_WHOLE,
                          "number of messages that a node can hold; 0: unlimited"},
    [CN_PARAM_WARMUP_CYCLES] = {"warmup_cycles", "cycles", CN_WARMUP_AUTOMATIC, 1e15,
                                CN_WARMUP_AUTOMATIC, 1, &cni_warmups,
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
    [CN_PARAM_ONE_PORT] = CNI_PARAM_CHOICE(
        "one_port", "whether a node sends over only one channel at a time", &cni_one_port_choices),
    [CN_PARAM_SLOTTED] = {"slotted", "1", 0, 0, 1, 1, &cni_slotted_choices,
                          "whether each transmission takes exactly one cycle"},
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
                         &cni_destination_choices),
    [CN_PARAM_MACHINE] = CNI_PARAM_CHOICE_FROM(CN_MACHINE_CHANNELS, "machine",
                                               "limited resource of a node", &cni_machines),
    [CN_PARAM_TREE] = CNI_PARAM_CHOICE("tree", "tree that the messages follow", &cni_message_trees),
    [CN_PARAM_CLUBBING] =
        CNI_PARAM_CHOICE("clubbing",
                         "whether messages of one multicast travel as one copy while they "
                         "share a path on the tree, as those of a broadcast always do",
                         &cni_clubbing_choices),
    [CN_PARAM_CHANNEL_CAPACITY] =
        {"channel_capacity", "messages/cycle", 0, 1048576, 1, CNI_PARAM_WHOLE,
         "number of messages that a directed channel can carry in a cycle; 0: unlimited"},
    [CN_PARAM_BUFFER_CLASSES] =
        CNI_PARAM_CHOICE("buffer_classes",
                         "whether buffers are divided into classes by the number of "
                         "hops made, which makes the network free of deadlock",
                         &cni_buffer_class_choices),
    [CN_PARAM_DETOURS] = CNI_PARAM_CHOICE(
        "detours", "whether a message may avoid a channel for which other messages wait",
        &cni_detour_choices),
    [CN_PARAM_OPERATION_RATE] = {"operation_rate", "operations/node/cycle", 0, 1e6, 0,
                                 CNI_PARAM_REAL,
                                 "mean number of operations that a node starts per cycle; 0: the "
                                 "parameter operations determines their number"},
    [CN_PARAM_TRANSIT_BUFFERS] =
        {"transit_buffers", "messages", 0, 1048576, 0, CNI_PARAM_WHOLE,
         "number of buffers of a node for messages in transit (machine = paper: number of messages "
         "that it handles in a cycle); 0: unlimited"},
    [CN_PARAM_UNSAFE] = CNI_PARAM_CHOICE("unsafe", "whether a routing that can deadlock may run",
                                         &cni_unsafe_choices),
    [CN_PARAM_STATISTICS] =
        CNI_PARAM_CHOICE("statistics", "whether channels, nodes and hops are counted one by one",
                         &cni_statistics_choices),
    [CN_PARAM_MESSAGE_BUFFERS] =
        {"message_buffers", "messages", 0, 1048576, 2, CNI_PARAM_WHOLE,
         "number of messages that the buffer of a virtual channel can hold; 0: unlimited"},
    [CN_PARAM_BROADCAST_BASE] =
        CNI_PARAM_CHOICE("broadcast_base",
                         "dimension in which the binomial tree of a broadcast begins; other values "
                         "than random on undamaged Boolean n-cubes only",
                         &cni_broadcast_bases),
    [CN_PARAM_OPERATION_THRESHOLD] =
        {"operation_threshold", "1", 0, 1, 0, CNI_PARAM_REAL,
         "in each cycle every node draws a number k and starts an operation when its Poisson "
         "probability is above this share of the greatest one; 0: numbers of operations are "
         "Poisson numbers"},
    [CN_PARAM_OPERATION_KIND] =
        CNI_PARAM_CHOICE("operation_kind", "what an operation is", &cni_operation_kinds),
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

/* 1: all values have names. */
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
    char list[CNI_LIST_CAPACITY];
    const char *unit = strcmp(row->unit, "1") == 0 ? "" : row->unit;
    int is_inside = value >= row->least && value <= greatest_of(row); /* 0 for NaN */
    if (is_inside && (!row->whole || value == floor(value)))
        return CN_OK;
    cni_number_text(value, given);
    if (is_choice(row))
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but it must be one of: %s", function,
                        row->name, given, cni_list_names(row->choices, CNI_ALL_OF_THEM, list));
    if (is_inside)
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but it must be a whole number", function,
                        row->name, given);
    if (row->choices != NULL)
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but it must be 0 to %s%s%s, or one of: %s",
                        function, row->name, given, cni_number_text(row->greatest, greatest),
                        unit[0] == '\0' ? "" : " ", unit,
                        cni_list_names(row->choices, CNI_ALL_OF_THEM, list));
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but it must be %s to %s%s%s", function,
                    row->name, given, cni_number_text(row->least, least),
                    cni_number_text(row->greatest, greatest), unit[0] == '\0' ? "" : " ", unit);
}

cn_status cni_param_check(const char *function, cn_param param, double value)
{
    CNI_TRY(cni_param_check_id(function, param));
    return cni_param_row_check(function, row_of(param), value);
}

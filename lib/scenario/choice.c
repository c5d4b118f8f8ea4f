/* The names of all parameter values that are choices. */
#include "scenario/choice.h"

#include "cubenet/choice.h"

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
const cni_names cni_message_trees = CNI_NAMES("tree", message_trees, 0);

static const cni_named destination_choices[] = {
    [CN_DESTINATIONS_STRIDE] = {"stride", "a random start and stride for each operation"},
    [CN_DESTINATIONS_SAME_STRIDE] = {"same-stride", "the same start and stride for all operations"},
    [CN_DESTINATIONS_UNIFORM] = {"uniform", "distinct nodes, drawn uniformly"},
    [CN_DESTINATIONS_SAME_RUN] = {"same-run", "consecutive nodes, the same for all operations"},
};
const cni_names cni_destination_choices = CNI_NAMES("destination choice", destination_choices, 0);

static const cni_named operation_kinds[] = {
    [CN_OPERATIONS_OUTWARD] = {"outward", "the source sends to its destinations"},
    [CN_OPERATIONS_CONTENTION] = {"contention", "each destination sends a message to the source"},
    [CN_OPERATIONS_COMBINING] = {"combining", "each destination sends a message to the source; of "
                                              "those that meet at a node one goes on"},
    [CN_OPERATIONS_CONCENTRATION] = {"concentration",
                                     "each destination sends one message towards the source when "
                                     "all messages from beyond it have come"},
};
const cni_names cni_operation_kinds = CNI_NAMES("operation kind", operation_kinds, 0);

static const cni_named machines[] = {
    [CN_MACHINE_PAPER] = {"paper",
                          "a node handles a limited number of messages in a cycle: it sends "
                          "multicasts first come, first served and accepts broadcasts last come, "
                          "first served (an interpretation of Ziavras & Krishnamurthy 1999)"},
    [CN_MACHINE_CHANNELS] = {"channels", "channels and buffers are limited"},
};
const cni_names cni_machines = CNI_NAMES("machine", machines, 0);

static const cni_named broadcast_bases[] = {
    [CN_BASE_RANDOM] = {"random", "a random dimension for each broadcast"},
    [CN_BASE_FIXED] = {"fixed", "dimension 0 for all"},
    [CN_BASE_ROUND_ROBIN] = {"round-robin", "dimension 0 for the first broadcast of a node, then "
                                            "the next dimension each time"},
};
const cni_names cni_broadcast_bases = CNI_NAMES("broadcast base", broadcast_bases, 0);

static const cni_named warmups[] = {
    {"automatic", "until the number of messages in flight no longer grows, at most a quarter of "
                  "measure_cycles"},
};
const cni_names cni_warmups = CNI_NAMES("warm-up", warmups, 0);

/* ---- whether or not ---- */

static const cni_named one_port[] = {{"no", "a node may send over all its channels in a cycle"},
                                     {"yes", "a node sends over only one channel at a time"}};
const cni_names cni_one_port_choices = CNI_NAMES("answer", one_port, 0);

static const cni_named slotted[] = {
    {"no", "each transmission takes an exponential time of mean 1, drawn again at each hop"},
    {"yes", "each transmission takes exactly one cycle"}};
const cni_names cni_slotted_choices = CNI_NAMES("answer", slotted, 0);

static const cni_named clubbing[] = {
    {"no", "each message of a multicast travels separately"},
    {"yes", "messages of one multicast travel as one copy while they share a path"}};
const cni_names cni_clubbing_choices = CNI_NAMES("answer", clubbing, 0);

static const cni_named buffer_classes[] = {
    {"no", "a message may take any buffer of a node"},
    {"yes", "each buffer class holds messages with one number of hops made, so that no deadlock "
            "can occur"}};
const cni_names cni_buffer_class_choices = CNI_NAMES("answer", buffer_classes, 0);

static const cni_named detours[] = {
    {"no", "a message never leaves its path"},
    {"yes",
     "a message may avoid a channel for which other messages wait, at the cost of one more hop"}};
const cni_names cni_detour_choices = CNI_NAMES("answer", detours, 0);

static const cni_named unsafe[] = {
    {"no", "a message takes only channels among which no deadlock can occur"},
    {"yes", "the rules that prevent deadlock are left out: a run may end in one"}};
const cni_names cni_unsafe_choices = CNI_NAMES("answer", unsafe, 0);

static const cni_named statistics[] = {
    {"no", "a run counts what its metrics need"},
    {"yes", "a run also counts by channel, by node and by hops"}};
const cni_names cni_statistics_choices = CNI_NAMES("answer", statistics, 0);

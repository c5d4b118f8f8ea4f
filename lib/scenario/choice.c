#include "scenario/choice.h"

#include "cubenet/choice.h"

static const cni_named model_variants[] = {
    [CN_MODEL_PUBLISHED] = {"published", "the equations of the paper"},
    [CN_MODEL_CORRECTED] = {"corrected", "the paper's model with its errors mended"},
    [CN_MODEL_OWN] = {"own", "the library's own model"},
};
const cni_names cni_model_variants = CNI_NAMES("model variant", model_variants, 0);
CNI_NAMED_ENUM(cn_model_variant, model_variant, cni_model_variants);

static const cni_named state_spaces[] = {
    [CN_STATES_AUTOMATIC] = {"automatic", "exact where that is quick, else reduced"},
    [CN_STATES_EXACT] = {"exact", "sorted headers"},
    [CN_STATES_REDUCED] = {"reduced", "valid dimensions and distance; unidirectional rings only"},
};
const cni_names cni_state_spaces = CNI_NAMES("state space", state_spaces, 0);
CNI_NAMED_ENUM(cn_state_space, state_space, cni_state_spaces);

static const cni_named message_trees[] = {
    [CN_TREE_BALANCED] = {"balanced", "the balanced tree"},
    [CN_TREE_SPLIT] = {"split", "the balanced spanning graph, with split messages"},
    [CN_TREE_BINOMIAL] = {"binomial", "the binomial tree of base 0; hypercubes only"},
    [CN_TREE_TURNED] = {"turned", "balanced, turned at random for each operation"},
    [CN_TREE_LEAST_USED] = {"least-used",
                            "balanced, but a message to one destination takes at every node the "
                            "channel on a shortest path that was given fewest"},
};
const cni_names cni_message_trees = CNI_NAMES("tree", message_trees, 0);
CNI_NAMED_ENUM(cn_message_tree, tree, cni_message_trees);

static const cni_named destination_choices[] = {
    [CN_DESTINATIONS_STRIDE] = {"stride", "a random start and stride for each operation"},
    [CN_DESTINATIONS_SAME_STRIDE] = {"same-stride", "the same start and stride for all operations"},
    [CN_DESTINATIONS_UNIFORM] = {"uniform", "different nodes, uniformly"},
    [CN_DESTINATIONS_SAME_RUN] = {"same-run", "consecutive nodes, the same for all operations"},
};
const cni_names cni_destination_choices = CNI_NAMES("destination choice", destination_choices, 0);
CNI_NAMED_ENUM(cn_destination_choice, destination_choice, cni_destination_choices);

static const cni_named machines[] = {
    [CN_MACHINE_PAPER] = {"paper",
                          "what a node handles in a cycle is scarce (of multicasts sends, "
                          "first come first served; of broadcasts accepts, last come first "
                          "served), a reading of Ziavras & Krishnamurthy 1999"},
    [CN_MACHINE_CHANNELS] = {"channels", "channels and buffers are scarce"},
};
const cni_names cni_machines = CNI_NAMES("machine", machines, 0);
CNI_NAMED_ENUM(cn_machine, machine, cni_machines);

static const cni_named selections[] = {
    [CN_SELECTION_RANDOM] = {"random", "any of them, with equal probability"},
    [CN_SELECTION_LOWEST] = {"lowest", "the one of the lowest port"},
    [CN_SELECTION_LEAST_LOADED] = {"least-loaded", "the one for which the fewest messages wait"},
};
const cni_names cni_selections = CNI_NAMES("selection", selections, 0);
CNI_NAMED_ENUM(cn_selection, selection, cni_selections);

/* ---- whether or not ---- */

static const cni_named one_port[] = {{"no", "a node sends over all its channels in a cycle"},
                                     {"yes", "a node sends over one channel at a time"}};
const cni_names cni_one_port_choices = CNI_NAMES("answer", one_port, 0);

static const cni_named slotted[] = {
    {"no", "transmissions last an exponential time of mean 1, drawn anew at each hop"},
    {"yes", "transmissions last one cycle each"}};
const cni_names cni_slotted_choices = CNI_NAMES("answer", slotted, 0);

static const cni_named clubbing[] = {
    {"no", "each message of a multicast goes alone"},
    {"yes", "messages of one multicast go as one copy as far as their paths agree"}};
const cni_names cni_clubbing_choices = CNI_NAMES("answer", clubbing, 0);

static const cni_named buffer_classes[] = {
    {"no", "any message may take any buffer of a node"},
    {"yes", "each buffer serves one number of hops made, so that no deadlock can occur"}};
const cni_names cni_buffer_class_choices = CNI_NAMES("answer", buffer_classes, 0);

static const cni_named detours[] = {
    {"no", "a message keeps to its path"},
    {"yes", "a message goes round a channel for which others wait, by one more hop"}};
const cni_names cni_detour_choices = CNI_NAMES("answer", detours, 0);

static const cni_named unsafe[] = {
    {"no", "a message takes only channels among which no deadlock can occur"},
    {"yes", "the rules that prevent deadlock are left out: a run may end in one"}};
const cni_names cni_unsafe_choices = CNI_NAMES("answer", unsafe, 0);

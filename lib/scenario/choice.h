/* The tables of names for parameters that are choices; their rows are cni_named. */
#ifndef CNI_SCENARIO_CHOICE_H
#define CNI_SCENARIO_CHOICE_H

#include "base/names.h"

extern const cni_names cni_broadcast_bases, cni_model_variants, cni_state_spaces, cni_message_trees,
    cni_destination_choices, cni_machines, cni_operation_kinds;

/* Names for values of a numeric parameter; the first name belongs to the least value. */
extern const cni_names cni_warmups;

/* Of parameters that say whether or not. */
extern const cni_names cni_one_port_choices, cni_slotted_choices, cni_clubbing_choices,
    cni_buffer_class_choices, cni_detour_choices, cni_unsafe_choices, cni_statistics_choices;

#endif

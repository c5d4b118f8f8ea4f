/**
 * @file choice.h
 * The values of the parameters that select one of several alternatives, as enums.
 *
 *     cn_scenario_set(scenario, CN_PARAM_TREE, CN_TREE_BINOMIAL);
 *
 * The table of parameters lists the same values: cn_param_choice_name(), cn_param_choice_meaning()
 * and cn_param_choice_from_name() (parameter.h). A yes-or-no parameter has the values 0, "no", and
 * 1, "yes". The values of `selection` are in decision.h.
 *
 * @since 1.0
 */
#ifndef CUBENET_CHOICE_H
#define CUBENET_CHOICE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Parameter `model_variant`: the form of the analytic model. Not every system has every form;
 * cn_predict() refuses a form that the system does not have. The numbers never change.
 *
 * "automatic" takes the form that is nearest to the simulation of this network with these
 * parameters: "own" inside the region of the own model, "corrected" or "published" outside. The
 * choice does not depend on the load, so a curve over the load and its saturation load come from
 * one form. cn_buffer_range(), which tries many numbers of buffers, takes the form of the least
 * number for all. cn_result_model() says which form made a prediction. The other values ask for one
 * form, "published" for a comparison with the paper.
 *
 * The own model has a region of networks, parameters and routings, which the page of each model
 * states; the region does not depend on the load. Outside the region, functions that predict return
 * CN_ERR_UNSUPPORTED with a sentence that names the region. The stated accuracy of the model holds
 * up to a share of the capacity; results for greater loads have CN_METRIC_EXTRAPOLATED = 1.
 */
typedef enum cn_model_variant {
    CN_MODEL_PUBLISHED = 0, /**< "published": the equations of the paper */
    /** "corrected": the equations with the errors of the paper corrected (docs/errata.md) */
    CN_MODEL_CORRECTED = 1,
    CN_MODEL_OWN = 2,      /**< "own": the library's own model */
    CN_MODEL_AUTOMATIC = 3 /**< "automatic": the form that is nearest to the simulation */
} cn_model_variant;

/**
 * Parameter `state_space`: the state diagram of headers that the deflection model uses
 * (cn_deflection_headers()). The numbers never change.
 */
typedef enum cn_state_space {
    CN_STATES_AUTOMATIC = 0, /**< "automatic": exact where that is fast, otherwise reduced */
    CN_STATES_EXACT = 1,     /**< "exact": one state for each sorted header */
    CN_STATES_REDUCED = 2    /**< "reduced": states of valid dimensions and distance */
} cn_state_space;

/** Parameter `tree`: the tree that the messages of collective operations follow
 *  (docs/collective.md). The numbers never change. */
typedef enum cn_message_tree {
    CN_TREE_BALANCED = 0, /**< "balanced": the balanced tree */
    CN_TREE_SPLIT = 1,    /**< "split": the balanced spanning graph, with split messages */
    CN_TREE_BINOMIAL = 2, /**< "binomial": the binomial tree of base 0; hypercubes only */
    CN_TREE_TURNED = 3,   /**< "turned": the balanced tree, rotated at random for each operation */
    /**
     * "least-used": the balanced tree, or the breadth-first tree where there is no balanced tree,
     * for a message with several destinations. A message to one destination takes at every node, of
     * the channels on shortest paths, the channel that has been given the fewest messages.
     */
    CN_TREE_LEAST_USED = 4,
    /**
     * "breadth-first": the breadth-first tree of the source (cn_tree_breadth_first()), in any
     * network; the default where the balanced tree does not exist
     */
    CN_TREE_BREADTH_FIRST = 5
} cn_message_tree;

/**
 * The value "automatic" of the parameter `warmup_cycles`: the warm-up ends when the number of
 * messages in flight no longer grows, and at the latest after a quarter of `measure_cycles`.
 * docs/simulation.md describes the test.
 */
#define CN_WARMUP_AUTOMATIC (-1)

/**
 * Parameter `destination_choice`: the destinations of a random multicast operation
 * (docs/collective.md). The numbers never change.
 */
typedef enum cn_destination_choice {
    CN_DESTINATIONS_STRIDE = 0,      /**< "stride": a random start and stride for each operation */
    CN_DESTINATIONS_SAME_STRIDE = 1, /**< "same-stride": one start and stride for all */
    CN_DESTINATIONS_UNIFORM = 2,     /**< "uniform": distinct nodes, drawn uniformly */
    CN_DESTINATIONS_SAME_RUN = 3     /**< "same-run": consecutive nodes, the same for all */
} cn_destination_choice;

/**
 * Parameter `operation_kind`: what a collective operation is (docs/collective.md). The numbers
 * never change.
 */
typedef enum cn_operation_kind {
    CN_OPERATIONS_OUTWARD = 0, /**< "outward": broadcasts and multicasts of the sources */
    /** "contention": each destination sends a message to the source */
    CN_OPERATIONS_CONTENTION = 1,
    /** "combining": as "contention", but messages that meet at a node go on as one message */
    CN_OPERATIONS_COMBINING = 2,
    /**
     * "concentration": an inverse broadcast: a node sends one message to its parent when the
     * messages of all nodes below it in the tree have arrived
     */
    CN_OPERATIONS_CONCENTRATION = 3
} cn_operation_kind;

/**
 * Parameter `machine`: the limited resource of a node in collective operations
 * (docs/collective.md). The numbers never change.
 */
typedef enum cn_machine {
    /**
     * "paper": the number of messages that a node handles in a cycle, an interpretation of Ziavras
     * & Krishnamurthy 1999
     */
    CN_MACHINE_PAPER = 0,
    CN_MACHINE_CHANNELS = 1 /**< "channels": channels and buffers; the default */
} cn_machine;

/**
 * Parameter `broadcast_base`: the dimension in which the binomial tree of a broadcast begins, on
 * undamaged Boolean n-cubes. The numbers never change. Source: Shahrabi et al. 2001, section 2,
 * after Abraham & Padmanabhan: one base for all trees loads some channels more than others.
 */
typedef enum cn_broadcast_base {
    CN_BASE_RANDOM = 0, /**< "random": a random dimension for each broadcast */
    CN_BASE_FIXED = 1,  /**< "fixed": dimension 0 for all */
    /** "round-robin": dimension 0 for the first broadcast of a node, then the next dimension each
     * time */
    CN_BASE_ROUND_ROBIN = 2
} cn_broadcast_base;

#ifdef __cplusplus
}
#endif

#endif

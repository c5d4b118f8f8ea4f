/* The row of a system. The rows themselves are in lib/systems/. */
#ifndef CNI_SCENARIO_SYSTEM_H
#define CNI_SCENARIO_SYSTEM_H

#include "scenario/result.h"
#include "scenario/scenario.h"

/* The parameters that a system takes, for its row. */
#define CNI_TAKES(...) ((const cn_param[]){__VA_ARGS__, (cn_param)0})

/* What every slotted simulation takes. */
#define CNI_TAKES_RUN                                                       \
    CN_PARAM_WARMUP_CYCLES, CN_PARAM_MEASURE_CYCLES, CN_PARAM_REPLICATIONS, \
        CN_PARAM_RELATIVE_PRECISION, CN_PARAM_THREADS, CN_PARAM_STATISTICS

#define CNI_WITH(attachment) (1u << (attachment))

/* The forms of a model; `automatic` only stands for one of them. */
enum { CNI_MODEL_VARIANTS = CN_MODEL_OWN + 1 };

typedef struct cni_system {
    const char *name;
    const char *summary;
    const cn_param *params; /* CNI_TAKES() of what it takes; 0 ends them */
    unsigned with;          /* CNI_WITH() of what may be attached */
    /* The name of each form of the model, system/form/revision; NULL: the system lacks the form.
     * The numbers of a form change only with its revision. */
    const char *model[CNI_MODEL_VARIANTS];
    int model_of_hypercubes; /* 1: the model covers Boolean n-cubes only, the simulator more */
    /* CN_ERR_UNSUPPORTED for a topology without a model; NULL: every topology of the system has
     * a model. */
    cn_status (*check_model)(const char *function, const cn_topology *topology);
    /* The form nearest to the simulation at any load. NULL: the last form. */
    cn_model_variant (*nearest)(const cn_scenario *scenario);
    /* CN_ERR_UNSUPPORTED, with a sentence that names the region, outside the region of the own
     * model. The load does not matter. NULL: the own model covers whatever the published model
     * covers. */
    cn_status (*check_own)(const char *function, const cn_scenario *scenario);
    int model_of_traffic; /* 1: the model checks its traffic itself */
    /* 1: the model covers traffic by distance; 0: plain traffic only. Without model_of_traffic. */
    int model_of_distances;
    /* Why no message has a choice of channel, for the sentence that refuses `selection`; NULL:
     * some messages have a choice. */
    const char *no_choice;
    int random_paths; /* 1: every hop takes a random preferred channel, whatever the queues */
    /* the source of traffic when the scenario brings none; for systems with traffic */
    cn_source source;
    /* The default routing; NULL: the system takes no routing. */
    const char *(*routing)(const cn_scenario *scenario);
    /* CN_ERR_UNSUPPORTED for a topology on which the system does not exist. */
    cn_status (*accepts)(const cn_topology *topology);
    /* Defaults that differ from the rows of the parameters; may be NULL. */
    void (*set_defaults)(cn_scenario *scenario);
    /* Narrows the range of a parameter of the system to the values that agree with the other
     * parameters, whatever the present value; may be NULL. */
    void (*narrow)(const cn_scenario *scenario, cn_param param, double *least, double *greatest);
    /* CN_ERR_ARGUMENT for parameters that disagree beyond what ranges tell; may be NULL. */
    cn_status (*check)(const cn_scenario *scenario);
    /* Fills a result without metrics. NULL: the system has no model. */
    cn_status (*predict)(const cn_scenario *scenario, cn_result *result);
    /* The delay at each channel for cn_predict_channel_delays(), up to CNI_WALKS_NODES nodes; an
     * element without a channel may get any value. NULL: the model gives none. Errors of
     * predict. */
    cn_status (*channel_delays)(const cn_scenario *scenario, double delays[]);
    /* The load at which the model loses its steady state, whatever the load of the scenario. For
     * a model that refuses messages and always has a steady state: its throughput as the load
     * grows. Not NULL where the system has a model and the parameter load. Errors of predict. */
    cn_status (*limit)(const cn_scenario *scenario, double *load);
    /* 1: the system refuses messages without a buffer, so that it has a steady state at every
     * load */
    int refuses;
    /* The kernel of the simulation; NULL: none. Declared in simulation/kernel/kernel.h. */
    const struct cni_kernel *kernel;
} cni_system;

/* The rows of all systems. */
extern const cni_names cni_systems;

int cni_row_takes(const cni_system *system, cn_param param);
int cni_row_takes_attachment(const cni_system *system, cn_attachment attachment);

/* CN_ERR_UNSUPPORTED, with a sentence, where the system has no model, or none for this topology,
 * which the system accepts. NULL: any topology. The second function: where the system has no
 * simulator. */
cn_status cni_check_model(const char *function, const cni_system *system,
                          const cn_topology *topology);
cn_status cni_check_simulator(const char *function, const cni_system *system);

/* A copy for the model, which shares the attachments: with the budget of the call, and the form
 * that `automatic` stands for. */
cn_scenario cni_scenario_for_model(const cn_scenario *scenario, cni_budget *budget);

/* Puts the name of the model that predicts the scenario into a result. */
void cni_result_put_model(cn_result *result, const cn_scenario *scenario);

/* The checks of cn_predict() on a copy from cni_scenario_for_model(), except the check of the
 * load. */
cn_status cni_scenario_check_model(const char *function, const cn_scenario *scenario);

/* The flits of a message; 1 where the system does not take message_flits. */
double cni_scenario_flits(const cn_scenario *scenario);

/* The most messages that a node can send in a cycle: a channel carries one message, or one flit,
 * a cycle. */
double cni_scenario_most_load(const cn_scenario *scenario);

/* A new scenario of this system. */
cn_status cni_scenario_create(const cni_system *system, const cn_topology *topology,
                              cn_scenario **scenario);

#endif

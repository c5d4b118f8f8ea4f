/* What a system is: one row. The rows themselves are in lib/systems/. */
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

enum { CNI_MODEL_VARIANTS = CN_MODEL_OWN + 1 };

typedef struct cni_system {
    const char *name;
    const char *summary;
    const cn_param *params; /* CNI_TAKES() of what it takes; 0 ends them */
    unsigned with;          /* CNI_WITH() of what may be attached */
    /* The name of each form of the model, system/form/revision; NULL: there is none. The numbers of
     * a form change only with its revision. */
    const char *model[CNI_MODEL_VARIANTS];
    int model_of_hypercubes; /* 1: the model covers Boolean n-cubes only, the simulator more */
    /* CN_ERR_UNSUPPORTED for a topology without a model; NULL: there is one wherever the system
     * exists. */
    cn_status (*check_model)(const char *function, const cn_topology *topology);
    /* The form that is nearest to the simulation, whatever the load. NULL: the last that there
     * is. */
    cn_model_variant (*nearest)(const cn_scenario *scenario);
    /* CN_ERR_UNSUPPORTED, with a sentence that names the region, for what the library's own model
     * does not cover. The load does not matter. NULL: that model covers whatever the published one
     * does. */
    cn_status (*check_own)(const char *function, const cn_scenario *scenario);
    int model_of_traffic; /* 1: the model says itself which traffic it covers; 0: the plain one, */
    int model_of_distances; /* and, where this is 1, all that is by distance */
    /* Why no message has a choice of channel, for the sentence that refuses `selection`; NULL: some
     * have. */
    const char *no_choice;
    int random_paths; /* 1: every hop takes a random preferred channel, whatever waits there */
    cn_source source; /* of the traffic of a scenario that brings none; systems with traffic */
    /* Name of the routing of a scenario that names none; NULL: the system takes no routing. */
    const char *(*routing)(const cn_scenario *scenario);
    /* CN_ERR_UNSUPPORTED for a topology on which the system does not exist. */
    cn_status (*accepts)(const cn_topology *topology);
    /* Defaults that differ from the rows of the parameters; may be NULL. */
    void (*set_defaults)(cn_scenario *scenario);
    /* Narrows the range of a parameter that the system takes to what goes together with the others,
     * whatever the value of this parameter now; may be NULL. */
    void (*narrow)(const cn_scenario *scenario, cn_param param, double *least, double *greatest);
    /* CN_ERR_ARGUMENT for what does not go together and no range says; may be NULL. */
    cn_status (*check)(const cn_scenario *scenario);
    /* Fills a result that says "no metric" so far. NULL: there is none. */
    cn_status (*predict)(const cn_scenario *scenario, cn_result *result);
    /* The delay at each channel, as cn_predict_channel_delays() says, for at most CNI_WALKS_NODES;
     * an element without a channel may get any value. NULL: the model does not know. Errors of
     * predict. */
    cn_status (*channel_delays)(const cn_scenario *scenario, double delays[]);
    /* The load from which on the model has no steady state, whatever the scenario's load; of a
     * model that always has one because messages are refused, what it delivers as the load grows.
     * Not NULL where the model and the parameter load are there. Errors of predict. */
    cn_status (*limit)(const cn_scenario *scenario, double *load);
    int refuses; /* 1: it refuses what does not fit in, so that no load is too much */
    /* What is simulated; NULL: nothing. Declared in simulation/kernel.h. */
    const struct cni_kernel *kernel;
} cni_system;

int cni_row_takes(const cni_system *system, cn_param param);
int cni_row_takes_attachment(const cni_system *system, cn_attachment attachment);

/* CN_ERR_UNSUPPORTED, with a sentence, where the system has none. The topology is one that the
 * system accepts, or NULL: on any. */
cn_status cni_check_model(const char *function, const cni_system *system,
                          const cn_topology *topology);
cn_status cni_check_simulator(const char *function, const cni_system *system);

/* A copy for the model, which shares what is attached: with the budget of the call, and the form
 * that `automatic` stands for. */
cn_scenario cni_scenario_for_model(const cn_scenario *scenario, cni_budget *budget);

/* Puts the name of the model that predicts the scenario into a result. */
void cni_result_put_model(cn_result *result, const cn_scenario *scenario);

/* All that cn_predict() asks of such a copy before it runs the model, but for the load. */
cn_status cni_scenario_check_model(const char *function, const cn_scenario *scenario);

/* Of a message; 1 where the system has none. */
double cni_scenario_flits(const cn_scenario *scenario);

/* Messages that a node sends a cycle at most: a channel carries one, or one flit, a cycle. */
double cni_scenario_most_load(const cn_scenario *scenario);

/* A new scenario of this system, for cn_scenario_new(). */
cn_status cni_scenario_create(const cni_system *system, const cn_topology *topology,
                              cn_scenario **scenario);

#endif

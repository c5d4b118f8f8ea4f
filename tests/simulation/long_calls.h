/* Every call that takes a cn_control, on objects with which it takes some milliseconds at least:
 * long enough to look at its control. */
#ifndef CUBENET_TESTS_SIMULATION_LONG_CALLS_H
#define CUBENET_TESTS_SIMULATION_LONG_CALLS_H

#include "support/support.h"

#include "cubenet/experimental/study.h"

/* Objects that the calls use and must leave as they are. */
typedef struct objects {
    cn_topology *cube, *small, *shuffle, *plain, *tall, *low, *wide, *large, *medium;
    cn_faults *faults, *damage, *few;
    cn_hierarchy *hierarchy;
    cn_subnet *degraded, *convex;
    cn_traffic *traffic, *permuted, *spread;
    cn_routing *up_down;
    cn_tree *tree;
    cn_scenario *run, *runs, *model, *chain, *operations, *light, *worms, *broadcasts, *many,
        *wandering;
    cn_study *study;
    cn_sim *sim, *at_rest; /* that of `worms`, which takes long to open */
    uint8_t snapshot[1 << 16];
    size_t snapshot_size;
    cn_scenario *divided;
    cn_sim *part;
    uint8_t saved_part[1 << 16];
    size_t part_size;
} objects;

extern objects have;

void make_objects(void);
void free_objects(void);
void set_cycles(cn_scenario *scenario, double warmup, double measured);

/* It gives one number of the result; a cancelled call may leave that as it is. */
typedef struct long_call {
    const char *name; /* of the function, and what else is to be known */
    cn_status (*call)(const cn_control *control, double *value);
} long_call;

size_t long_call_count(void);
const long_call *long_call_at(size_t index);

/* Those of networks, faults and trees; long_call_at() knows them all. */
extern const long_call long_network_calls[];
extern const size_t long_network_call_count;

/* Those that read JSON, and the texts that they read. */
extern const long_call long_json_calls[];
extern const size_t long_json_call_count;
void make_texts(void);
void free_texts(void);

#endif

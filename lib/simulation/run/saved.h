/*
 * Saved data of a simulation: a head, the bytes of a visit, and a hash of both.
 */
#ifndef CNI_SIMULATION_RUN_SAVED_H
#define CNI_SIMULATION_RUN_SAVED_H

#include "base/archive.h"
#include "scenario/scenario.h"
#include "simulation/kernel/part.h"
#include "simulation/run/sim.h"

/* The first 7 bytes of saved data, and the words for sentences: the function that reads the
 * data, the name of the data, the function that made them. */
typedef struct cni_saved {
    const char *magic, *reader, *noun, *maker;
} cni_saved;

/* Writes the object, which belongs to the simulation, into memory of the caller. CN_ERR_CAPACITY,
 * CN_ERR_MEMORY. */
cn_status cni_save(const cni_saved *kind, const char *function, const cn_sim *sim,
                   cn_status (*visit)(void *object, cni_archive *archive), void *object,
                   uint8_t data[], size_t capacity, size_t *size);

/* Checks that saved data have this kind and version, are undamaged and belong to the scenario.
 * order gets the part and the number of parts; 0 parts: the whole network. The archive then
 * holds the bytes of the visit. CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED. */
cn_status cni_saved_check(const cni_saved *kind, cni_archive *archive, const cn_scenario *scenario,
                          cni_part_order *order);

/* Visits the numbers of batches. CN_ERR_ARGUMENT. */
cn_status cni_visit_batches(cni_archive *archive, cni_batches *batches);

/* Whether none of the first `count` counters falls from one time to a later time, and the number of
 * refused messages does not fall either. */
int cni_never_fall(const uint64_t before[], const uint64_t after[], size_t count);

#endif

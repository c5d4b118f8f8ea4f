/*
 * What a simulation writes for later: a head, the bytes of a visit, and a hash of both.
 */
#ifndef CNI_SIMULATION_RUN_SAVED_H
#define CNI_SIMULATION_RUN_SAVED_H

#include "base/archive.h"
#include "scenario/scenario.h"
#include "simulation/kernel/part.h"
#include "simulation/run/sim.h"

/* The first 7 bytes of what is written, and its names in sentences: who reads it, what it is, who
 * made it. */
typedef struct cni_saved {
    const char *magic, *reader, *noun, *maker;
} cni_saved;

/* Writes the object, which belongs to the simulation, into memory of the caller. CN_ERR_CAPACITY,
 * CN_ERR_MEMORY. */
cn_status cni_save(const cni_saved *kind, const char *function, const cn_sim *sim,
                   cn_status (*visit)(void *object, cni_archive *archive), void *object,
                   uint8_t data[], size_t capacity, size_t *size);

/* That it is of this kind and version, undamaged, and of this scenario, and which part of how many
 * (0: of the whole); the archive is then what was visited. CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED. */
cn_status cni_saved_check(const cni_saved *kind, cni_archive *archive, const cn_scenario *scenario,
                          cni_part_order *order);

/* Their numbers. CN_ERR_ARGUMENT. */
cn_status cni_visit_batches(cni_archive *archive, cni_batches *batches);

/* Whether counters can be those of the end of the warm-up, of the batches, of the end of these
 * (NULL: whatever they come to), and of now: what is subtracted from another is no more than that,
 * message by message that was offered, accepted, refused or delivered. all: no counter of the
 * kernel ever falls; in a part some do, and where a run that ended goes on. */
int cni_are_counted(const uint64_t warm[], const cni_batches *batches, const uint64_t batched[],
                    const uint64_t now[], int all);

#endif

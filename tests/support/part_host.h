/*
 * A host for the parts of a simulation: each runs in a thread of its own, and what they send each
 * other goes through memory. Nothing but the public functions, for tests and benchmarks.
 */
#ifndef CUBENET_TESTS_PART_HOST_H
#define CUBENET_TESTS_PART_HOST_H

#include <cubenet.h>
#include <cubenet/experimental/part.h>

typedef struct part_host part_host;

/* What the exchange function of a part gets. */
typedef struct part_port {
    part_host *host;
    uint32_t part;
    uint64_t calls;     /* so far */
    uint64_t fails_at;  /* at this one the exchange fails; 0: never */
    uint64_t damage_at; /* from this one on what was received is damaged; 0: never */
    int (*damage)(struct part_port *port, uint64_t words[], size_t count); /* 0: it is as it was */
    uint64_t damaged;                                                      /* so often */
    void *context;
    int stopped; /* the library has said that the part failed */
} part_port;

int part_exchange(void *port, int call, uint64_t number, cn_part_neighbor *const neighbors[],
                  size_t count);

/* Runs work(port) for each part, each in a thread, and returns when all are back. 0: a thread could
 * not be started. */
int part_host_run(uint32_t parts, part_port ports[], void (*work)(part_port *port));

#endif

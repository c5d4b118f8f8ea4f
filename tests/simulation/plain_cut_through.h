/*
 * Virtual cut-through with deflection, mini-cycle by mini-cycle and segment by segment, written
 * from Horng 1992, 6.1.1 and the choices of docs/cut-through.md. Nothing is taken for granted that
 * the kernel takes for granted: every segment of a message crosses every channel by itself, and
 * must have come before it goes on; no channel carries two at a time; no node holds more segments
 * than M messages have. Networks, traffic and counts are those of the plain simulator of
 * deflection.
 */
#ifndef CUBENET_TESTS_PLAIN_CUT_THROUGH_H
#define CUBENET_TESTS_PLAIN_CUT_THROUGH_H

#include "simulation/plain_deflection.h"

enum { PLAIN_PATH = 400 };

/* A message whose tail has not arrived. */
typedef struct plain_train {
    plain_message head;
    size_t hops;                   /* channels that its header has crossed */
    uint64_t node[PLAIN_PATH + 1]; /* where it was: hops + 1 of them */
    uint64_t port[PLAIN_PATH];     /* by which it left each of them */
    uint64_t passed[PLAIN_PATH];   /* how many of its segments have crossed each channel */
    int forced[PLAIN_PATH];        /* whether it was sent over it because it had to go somewhere */
} plain_train;

typedef struct plain_cut_through {
    plain_deflection net; /* its cycles are mini-cycles */
    uint64_t segments;    /* m + 1 */
    uint64_t crossed
        [2]; /* segments, over all channels: of messages that were not forced, and that were */
    uint64_t arrived; /* segments over the channels to their destinations */
    plain_train *trains;
    size_t count, room;
} plain_cut_through;

/* From a struct in which those members of net are set that plain_deflection_open() wants, and the
 * segments. */
void plain_cut_through_open(plain_cut_through *p);
void plain_cut_through_close(plain_cut_through *p);

/* One mini-cycle. Aborts when what is said above is broken. */
void plain_cut_through_step(plain_cut_through *p);

/* Headers in a node that are not at their destination. */
size_t plain_cut_through_headers(const plain_cut_through *p, uint64_t node);

#endif

/*
 * The messages that a caller injected. A message of a kernel is too small for a tag, so the data
 * for the caller wait here until the message arrives, and then in a queue until the caller fetches
 * them. A message is known by its injection cycle, its source and its number among the messages of
 * that source and cycle.
 */
#ifndef CNI_SIMULATION_KERNEL_MAILBOX_H
#define CNI_SIMULATION_KERNEL_MAILBOX_H

#include "cubenet/simulation.h"

#include "base/archive.h"
#include "scenario/traffic/traffic.h"

/* Of one message; millions may be on their way. */
typedef struct cni_letter {
    uint64_t tag, injected;
    uint64_t number;              /* once it has arrived, the cycle of that */
    uint32_t source, destination; /* UINT32_MAX: all nodes */
    uint32_t hops, flits, deflections;
    uint32_t next; /* the next letter in the same place, queue or list of free letters */
} cni_letter;

/* A chain of letters; CNI_NO_LETTER as the first: empty. */
#define CNI_NO_LETTER UINT32_MAX

typedef struct cni_letter_list {
    uint32_t first, last;
} cni_letter_list;

/* Start from {0}. */
typedef struct cni_mailbox {
    cni_letter **page; /* all letters, which stay where they are */
    size_t pages, pages_room;
    size_t room;     /* letters */
    uint32_t free;   /* the first letter of these that is unused; valid only when there is room */
    uint32_t *place; /* by hash: the first message on its way */
    size_t places;   /* a power of two, or 0 */
    size_t waiting;
    size_t arrived; /* and still to be fetched */
    cni_letter_list arrivals;
    int reports_trace; /* messages of a trace arrive here, too */
} cni_mailbox;

/* Registers a message and makes all the room that its arrival will need. CN_ERR_MEMORY. */
cn_status cni_mailbox_post(cni_mailbox *mailbox, uint64_t number, const cn_delivery *delivery);

/* The letter of a message on its way, valid until the next one is posted or arrives; NULL: the
 * caller does not wait for the message. Threads may look for different messages at the same time
 * and write into their letters. */
cni_letter *cni_mailbox_find(const cni_mailbox *mailbox, uint64_t injected, uint64_t source,
                             uint64_t number);

/* The message of a letter leaves for another part of the network. */
void cni_mailbox_withdraw(cni_mailbox *mailbox, cni_letter *letter);

/* The message of a letter (NULL: nothing to do) has arrived at the end of a cycle. */
void cni_mailbox_arrive(cni_mailbox *mailbox, cni_letter *letter, uint64_t cycle);

/* What is known of a message on its way. */
cn_delivery cni_letter_delivery(const cni_letter *letter);

/* Room for this many messages of a trace that arrive before the next message is posted.
 * CN_ERR_MEMORY. */
cn_status cni_mailbox_make_room(cni_mailbox *mailbox, size_t messages);

/* A message of the trace has arrived, with so many flits, after so many hops. Messages without
 * room, as when an exchange doubles messages, are dropped; the run then finds that messages were
 * lost. */
void cni_mailbox_report(cni_mailbox *mailbox, const cni_trace_message *message, uint64_t cycle,
                        uint64_t hops, uint64_t flits);

/* The next arrived message: CN_OK, or CN_DONE without one. */
cn_status cni_mailbox_fetch(cni_mailbox *mailbox, cn_delivery *delivery);

/* Writes an open mailbox, or reads into an empty one. CN_ERR_ARGUMENT, CN_ERR_MEMORY. */
cn_status cni_mailbox_visit(cni_archive *archive, cni_mailbox *mailbox, int has_trace);
void cni_archive_delivery(cni_archive *archive, cn_delivery *delivery);

void cni_mailbox_close(cni_mailbox *mailbox);

#endif

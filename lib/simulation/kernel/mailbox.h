/*
 * The messages that a caller injected. A message of a kernel is too small for a tag, so the
 * caller's data wait in the mailbox until the message arrives, and then in a queue until the caller
 * fetches them. A message is named by its injection cycle, its source, and its number among the
 * messages of this source and cycle.
 */
#ifndef CNI_SIMULATION_KERNEL_MAILBOX_H
#define CNI_SIMULATION_KERNEL_MAILBOX_H

#include "cubenet/simulation.h"

#include "base/archive.h"
#include "scenario/traffic/traffic.h"

/* The data of one message. Millions may be on their way, so nodes and counts have 32 bits. */
typedef struct cni_letter {
    uint64_t tag, injected;
    /* the number of the message; after its arrival, the cycle of arrival */
    uint64_t number;
    uint32_t source, destination; /* UINT32_MAX: all nodes */
    uint32_t hops, flits, deflections;
    uint32_t next; /* the next letter in the same place, queue or list of free letters */
} cni_letter;

/* A chain of letters; first = CNI_NO_LETTER: empty. */
#define CNI_NO_LETTER UINT32_MAX

typedef struct cni_letter_list {
    uint32_t first, last;
} cni_letter_list;

/* Start from {0}. */
typedef struct cni_mailbox {
    cni_letter **page; /* all letters, in pages that never move */
    size_t pages, pages_room;
    size_t room;     /* letters in the pages */
    uint32_t free;   /* the first unused letter; valid only when there is one */
    uint32_t *place; /* by hash: the first letter of a message on its way */
    size_t places;   /* a power of two, or 0 */
    size_t waiting;  /* messages on their way */
    size_t arrived;  /* arrived messages that are not fetched yet */
    cni_letter_list arrivals;
    int reports_trace; /* arrivals of trace messages are reported, too */
} cni_mailbox;

/* Registers a message, and makes all the room that its arrival will need. CN_ERR_MEMORY. */
cn_status cni_mailbox_post(cni_mailbox *mailbox, uint64_t number, const cn_delivery *delivery);

/* The letter of a message on its way, valid until the next message is registered or arrives;
 * NULL: the caller does not wait for the message. Threads may look up different messages at the
 * same time, and write into their letters. */
cni_letter *cni_mailbox_find(const cni_mailbox *mailbox, uint64_t injected, uint64_t source,
                             uint64_t number);

/* Removes a letter whose message leaves for another part of the network. */
void cni_mailbox_withdraw(cni_mailbox *mailbox, cni_letter *letter);

/* Reports that the message of a letter (NULL: nothing to do) has arrived at the end of a cycle. */
void cni_mailbox_arrive(cni_mailbox *mailbox, cni_letter *letter, uint64_t cycle);

/* The delivery of a message on its way, as far as it is known. */
cn_delivery cni_letter_delivery(const cni_letter *letter);

/* Makes room for this many trace messages that arrive before the next message is registered.
 * CN_ERR_MEMORY. */
cn_status cni_mailbox_make_room(cni_mailbox *mailbox, size_t messages);

/* Reports that a trace message has arrived after this many hops, with this many flits. Without
 * room, as when an exchange doubles messages, the report is dropped; the run later finds that
 * messages were lost. */
void cni_mailbox_report(cni_mailbox *mailbox, const cni_trace_message *message, uint64_t cycle,
                        uint64_t hops, uint64_t flits);

/* Fetches the next arrived message: CN_OK, or CN_DONE when there is none. */
cn_status cni_mailbox_fetch(cni_mailbox *mailbox, cn_delivery *delivery);

/* Writes an open mailbox, or reads into an empty mailbox. has_trace: the traffic is a trace.
 * CN_ERR_ARGUMENT, CN_ERR_MEMORY. */
cn_status cni_mailbox_visit(cni_archive *archive, cni_mailbox *mailbox, int has_trace);
void cni_archive_delivery(cni_archive *archive, cn_delivery *delivery);

void cni_mailbox_close(cni_mailbox *mailbox);

#endif

/* The mailbox: injected messages by cycle, source and number, and the queue of deliveries. */
#include "simulation/kernel/mailbox.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"

/* An empty mailbox of more letters gives its memory back, so that a burst does not hold it. */
enum { LARGE = 1 << 10 };

/* ---- the places of letters ---- */

static size_t place_of(const cni_mailbox *mailbox, uint64_t injected, uint64_t source,
                       uint64_t number)
{
    uint64_t hash = cni_random_derive(cni_random_derive(injected, source), number);
    return (size_t)hash & (mailbox->room - 1);
}

static uint32_t *place_of_letter(const cni_mailbox *mailbox, const cni_letter *letter)
{
    return &mailbox->place[place_of(mailbox, letter->delivery.injected, letter->delivery.source,
                                    letter->number)];
}

static void push_letter(const cni_mailbox *mailbox, uint32_t number, uint32_t *first)
{
    mailbox->letter[number].next = *first;
    *first = number;
}

static void insert_letter(const cni_mailbox *mailbox, uint32_t number)
{
    push_letter(mailbox, number, place_of_letter(mailbox, &mailbox->letter[number]));
}

/* Doubles the room, so that a place has one letter at most on average. */
static cn_status grow_room(cni_mailbox *mailbox)
{
    cni_mailbox grown = *mailbox;
    grown.room = mailbox->room == 0 ? 16 : 2 * mailbox->room;
    const cni_array arrays[] = {CNI_ARRAY(grown.letter, (uint64_t)grown.room + 1),
                                CNI_ARRAY(grown.place, grown.room)};
    CNI_TRY(cni_allocate_arrays(&grown.block, arrays));
    for (size_t i = 1; i <= grown.room; i++)
        if (i <= mailbox->room)
            grown.letter[i] = mailbox->letter[i];
        else
            push_letter(&grown, (uint32_t)i, &grown.free);
    for (size_t i = 0; i < mailbox->room; i++)
        for (uint32_t at = mailbox->place[i]; at != 0; at = mailbox->letter[at].next)
            insert_letter(&grown, at);
    cni_release(mailbox->block);
    *mailbox = grown;
    return CN_OK;
}

cn_status cni_mailbox_make_room(cni_mailbox *mailbox, size_t messages)
{
    while (mailbox->room - mailbox->waiting - mailbox->arrived < messages)
        CNI_TRY(grow_room(mailbox));
    return CN_OK;
}

/* Takes a free letter, which exists, for a message. */
static uint32_t take_letter(cni_mailbox *mailbox, uint64_t number, const cn_delivery *delivery)
{
    uint32_t taken = mailbox->free;
    mailbox->free = mailbox->letter[taken].next;
    mailbox->letter[taken] = (cni_letter){.delivery = *delivery, .number = number};
    return taken;
}

cn_status cni_mailbox_post(cni_mailbox *mailbox, uint64_t number, const cn_delivery *delivery)
{
    CNI_TRY(cni_mailbox_make_room(mailbox, 1));
    insert_letter(mailbox, take_letter(mailbox, number, delivery));
    mailbox->waiting += 1;
    return CN_OK;
}

cni_letter *cni_mailbox_find(const cni_mailbox *mailbox, uint64_t injected, uint64_t source,
                             uint64_t number)
{
    if (mailbox->waiting == 0)
        return NULL;
    uint32_t at = mailbox->place[place_of(mailbox, injected, source, number)];
    for (cni_letter *letter; at != 0; at = letter->next) {
        letter = &mailbox->letter[at];
        if (letter->delivery.injected == injected && letter->delivery.source == source &&
            letter->number == number)
            return letter;
    }
    return NULL;
}

/* Removes a letter from its place and returns its number. */
static uint32_t take_out_letter(cni_mailbox *mailbox, const cni_letter *letter)
{
    uint32_t number = (uint32_t)(letter - mailbox->letter), *at = place_of_letter(mailbox, letter);
    while (*at != number)
        at = &mailbox->letter[*at].next;
    *at = letter->next;
    mailbox->waiting -= 1;
    return number;
}

void cni_mailbox_withdraw(cni_mailbox *mailbox, cni_letter *letter)
{
    push_letter(mailbox, take_out_letter(mailbox, letter), &mailbox->free);
}

/* ---- arrivals ---- */

static void append_arrival(cni_mailbox *mailbox, uint32_t number, uint64_t cycle)
{
    if (mailbox->arrived++ == 0)
        mailbox->first_arrival = number;
    else
        mailbox->letter[mailbox->last_arrival].next = number;
    mailbox->last_arrival = number;
    mailbox->letter[number].delivery.delivered = cycle;
}

void cni_mailbox_arrive(cni_mailbox *mailbox, cni_letter *letter, uint64_t cycle)
{
    if (letter != NULL)
        append_arrival(mailbox, take_out_letter(mailbox, letter), cycle);
}

void cni_mailbox_report(cni_mailbox *mailbox, const cni_trace_message *message, uint64_t cycle,
                        uint64_t hops, uint64_t flits)
{
    const cn_delivery delivery = {.tag = message->index,
                                  .source = message->source,
                                  .destination = message->destination,
                                  .injected = message->cycle,
                                  .hops = hops,
                                  .flits = flits};
    if (mailbox->free != 0)
        append_arrival(mailbox, take_letter(mailbox, 0, &delivery), cycle);
}

cn_status cni_mailbox_fetch(cni_mailbox *mailbox, cn_delivery *delivery)
{
    int reports_trace = mailbox->reports_trace;
    uint32_t first = mailbox->first_arrival;
    if (mailbox->arrived == 0)
        return CN_DONE;
    *delivery = mailbox->letter[first].delivery;
    mailbox->first_arrival = mailbox->letter[first].next;
    mailbox->arrived -= 1;
    push_letter(mailbox, first, &mailbox->free);
    if (mailbox->waiting + mailbox->arrived == 0 && mailbox->room > LARGE) {
        cni_mailbox_close(mailbox);
        mailbox->reports_trace = reports_trace;
    }
    return CN_OK;
}

/* ---- snapshots ---- */

enum { DELIVERY_BYTES = sizeof(cn_delivery), LETTER_BYTES = DELIVERY_BYTES + 8 };

/* A delivery is an array of 64-bit words. */
void cni_archive_delivery(cni_archive *archive, cn_delivery *delivery)
{
    cni_archive_u64s(archive, (uint64_t *)delivery, DELIVERY_BYTES / 8);
}

static int by_name(const void *a, const void *b)
{
    const cni_letter *one = *(cni_letter *const *)a, *other = *(cni_letter *const *)b;
    const uint64_t names[][2] = {{one->delivery.injected, other->delivery.injected},
                                 {one->delivery.source, other->delivery.source},
                                 {one->number, other->number}};
    for (int i = 0; i < 3; i++)
        if (names[i][0] != names[i][1])
            return names[i][0] < names[i][1] ? -1 : 1;
    return 0;
}

/* Writes the letters sorted by name, because the order of the places depends on the room. */
static cn_status write_letters(cni_archive *archive, const cni_mailbox *mailbox)
{
    size_t count = 0;
    cni_letter **list = cni_allocate(mailbox->waiting, sizeof(cni_letter *));
    CNI_TRY_MEMORY(list);
    for (size_t i = 0; i < mailbox->room; i++)
        for (uint32_t at = mailbox->place[i]; at != 0; at = mailbox->letter[at].next)
            list[count++] = &mailbox->letter[at];
    cni_sort(list, count, sizeof(cni_letter *), by_name, NULL);
    for (size_t i = 0; i < count; i++) {
        cni_archive_delivery(archive, &list[i]->delivery);
        cni_archive_u64s(archive, &list[i]->number, 1);
    }
    cni_release(list);
    return CN_OK;
}

static void write_arrivals(cni_archive *archive, const cni_mailbox *mailbox)
{
    uint32_t at = mailbox->first_arrival;
    for (size_t i = 0; i < mailbox->arrived; i++, at = mailbox->letter[at].next)
        cni_archive_delivery(archive, &mailbox->letter[at].delivery);
}

/* Reads a message on its way, with its number, or a message that has arrived. */
static cn_status read_letter(cni_archive *archive, cni_mailbox *mailbox, int has_arrived)
{
    cn_delivery d;
    uint64_t number = 0;
    cni_archive_delivery(archive, &d);
    CNI_ALLOW(d.source <= UINT32_MAX &&
                  (d.destination <= UINT32_MAX || d.destination == CN_ALL_NODES),
              "the nodes of an injected message");
    if (has_arrived) {
        CNI_TRY(cni_mailbox_make_room(mailbox, 1));
        append_arrival(mailbox, take_letter(mailbox, 0, &d), d.delivered);
        return CN_OK;
    }
    cni_archive_u64s(archive, &number, 1);
    return cni_mailbox_post(mailbox, number, &d);
}

cn_status cni_mailbox_visit(cni_archive *archive, cni_mailbox *mailbox, int has_trace)
{
    const int reads = cni_archive_reads(archive);
    uint8_t reports_trace = mailbox->reports_trace != 0;
    uint64_t waiting = mailbox->waiting, arrived = mailbox->arrived;
    cni_archive_u8s(archive, &reports_trace, 1);
    CNI_ALLOW(reports_trace <= (has_trace != 0), "a trace that there is not");
    CNI_TRY(cni_archive_count(archive, &waiting, LETTER_BYTES));
    if (!reads)
        CNI_TRY(write_letters(archive, mailbox));
    for (uint64_t i = 0; i < waiting && reads; i++)
        CNI_TRY(read_letter(archive, mailbox, 0));
    CNI_TRY(cni_archive_count(archive, &arrived, DELIVERY_BYTES));
    if (!reads)
        write_arrivals(archive, mailbox);
    for (uint64_t i = 0; i < arrived && reads; i++)
        CNI_TRY(read_letter(archive, mailbox, 1));
    if (reads) /* several threads may write the same state at once: writing changes nothing */
        mailbox->reports_trace = reports_trace;
    return CN_OK;
}

void cni_mailbox_close(cni_mailbox *mailbox)
{
    cni_release(mailbox->block);
    memset(mailbox, 0, sizeof *mailbox);
}

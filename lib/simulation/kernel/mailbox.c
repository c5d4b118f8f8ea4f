/* The mailbox: injected messages by cycle, source and number, and the queue of deliveries. */
#include "simulation/kernel/mailbox.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"

enum { PAGE = 1 << 10 }; /* letters of a page: about 50 KB are allocated at a time */

static cni_letter *letter_at(const cni_mailbox *mailbox, uint32_t number)
{
    return &mailbox->page[number / PAGE][number % PAGE];
}

/* ---- the places of letters ---- */

static size_t place_of(const cni_mailbox *mailbox, uint64_t injected, uint64_t source,
                       uint64_t number)
{
    uint64_t hash = cni_random_derive(cni_random_derive(injected, source), number);
    return (size_t)hash & (mailbox->places - 1);
}

static void insert_letter(cni_mailbox *mailbox, uint32_t number)
{
    cni_letter *letter = letter_at(mailbox, number);
    uint32_t *first =
        &mailbox->place[place_of(mailbox, letter->injected, letter->source, letter->number)];
    letter->next = *first;
    *first = number;
}

/* Keeps at least as many places as messages on their way, so that a place has one letter at most
 * on average. */
static cn_status grow_places(cni_mailbox *mailbox)
{
    if (mailbox->waiting < mailbox->places)
        return CN_OK;
    cni_mailbox grown = *mailbox;
    grown.places = mailbox->places == 0 ? 16 : 2 * mailbox->places;
    grown.place = cni_allocate(grown.places, sizeof *grown.place);
    CNI_TRY_MEMORY(grown.place);
    for (size_t i = 0; i < grown.places; i++)
        grown.place[i] = CNI_NO_LETTER;
    for (size_t i = 0; i < mailbox->places; i++)
        for (uint32_t at = mailbox->place[i], next; at != CNI_NO_LETTER; at = next) {
            next = letter_at(mailbox, at)->next;
            insert_letter(&grown, at);
        }
    cni_release(mailbox->place);
    *mailbox = grown;
    return CN_OK;
}

static cn_status add_page(cni_mailbox *mailbox)
{
    CNI_TRY(
        cni_grow(&mailbox->page, &mailbox->pages_room, mailbox->pages + 1, sizeof(cni_letter *)));
    cni_letter *page = cni_allocate(PAGE, sizeof *page);
    CNI_TRY_MEMORY(page);
    mailbox->page[mailbox->pages++] = page;
    for (uint32_t i = PAGE; i-- > 0;) {
        page[i].next = mailbox->free;
        mailbox->free = (uint32_t)mailbox->room + i;
    }
    mailbox->room += PAGE;
    return CN_OK;
}

static size_t free_letters(const cni_mailbox *mailbox)
{
    return mailbox->room - mailbox->waiting - mailbox->arrived;
}

cn_status cni_mailbox_make_room(cni_mailbox *mailbox, size_t messages)
{
    while (free_letters(mailbox) < messages)
        CNI_TRY(add_page(mailbox));
    return CN_OK;
}

/* Takes a free letter, which exists, for a message. */
static uint32_t take_letter(cni_mailbox *mailbox, uint64_t number, const cn_delivery *d)
{
    uint32_t taken = mailbox->free;
    cni_letter *letter = letter_at(mailbox, taken);
    mailbox->free = letter->next;
    *letter = (cni_letter){.tag = d->tag,
                           .injected = d->injected,
                           .number = number,
                           .source = (uint32_t)d->source,
                           .destination = (uint32_t)d->destination,
                           .hops = (uint32_t)d->hops,
                           .flits = (uint32_t)d->flits,
                           .deflections = (uint32_t)d->deflections};
    return taken;
}

cn_delivery cni_letter_delivery(const cni_letter *letter)
{
    return (cn_delivery){.tag = letter->tag,
                         .source = letter->source,
                         .destination =
                             letter->destination == UINT32_MAX ? CN_ALL_NODES : letter->destination,
                         .injected = letter->injected,
                         .hops = letter->hops,
                         .flits = letter->flits,
                         .deflections = letter->deflections};
}

cn_status cni_mailbox_post(cni_mailbox *mailbox, uint64_t number, const cn_delivery *delivery)
{
    CNI_TRY(grow_places(mailbox));
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
    for (cni_letter *letter; at != CNI_NO_LETTER; at = letter->next) {
        letter = letter_at(mailbox, at);
        if (letter->injected == injected && letter->source == source && letter->number == number)
            return letter;
    }
    return NULL;
}

/* Removes a letter from its place and returns its number. */
static uint32_t take_out_letter(cni_mailbox *mailbox, const cni_letter *letter)
{
    uint32_t *at =
        &mailbox->place[place_of(mailbox, letter->injected, letter->source, letter->number)];
    while (letter_at(mailbox, *at) != letter)
        at = &letter_at(mailbox, *at)->next;
    uint32_t number = *at;
    *at = letter->next;
    mailbox->waiting -= 1;
    return number;
}

static void set_free(cni_mailbox *mailbox, uint32_t number)
{
    letter_at(mailbox, number)->next = mailbox->free;
    mailbox->free = number;
}

void cni_mailbox_withdraw(cni_mailbox *mailbox, cni_letter *letter)
{
    set_free(mailbox, take_out_letter(mailbox, letter));
}

/* ---- arrivals ---- */

static void append_arrival(cni_mailbox *mailbox, uint32_t number, uint64_t cycle)
{
    if (mailbox->arrived++ == 0)
        mailbox->arrivals.first = number;
    else
        letter_at(mailbox, mailbox->arrivals.last)->next = number;
    mailbox->arrivals.last = number;
    letter_at(mailbox, number)->number = cycle;
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
    if (free_letters(mailbox) > 0)
        append_arrival(mailbox, take_letter(mailbox, 0, &delivery), cycle);
}

/* Releases the pages when no message is left, so that a burst of messages does not hold memory. */
static void give_back_pages(cni_mailbox *mailbox)
{
    int reports_trace = mailbox->reports_trace;
    if (mailbox->waiting + mailbox->arrived > 0 || mailbox->pages < 2)
        return;
    cni_mailbox_close(mailbox);
    mailbox->reports_trace = reports_trace;
}

cn_status cni_mailbox_fetch(cni_mailbox *mailbox, cn_delivery *delivery)
{
    if (mailbox->arrived == 0)
        return CN_DONE;
    uint32_t first = mailbox->arrivals.first;
    const cni_letter *letter = letter_at(mailbox, first);
    *delivery = cni_letter_delivery(letter);
    delivery->delivered = letter->number;
    mailbox->arrivals.first = letter->next;
    mailbox->arrived -= 1;
    set_free(mailbox, first);
    give_back_pages(mailbox);
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
    const uint64_t names[][2] = {{one->injected, other->injected},
                                 {one->source, other->source},
                                 {one->number, other->number}};
    for (int i = 0; i < 3; i++)
        if (names[i][0] != names[i][1])
            return names[i][0] < names[i][1] ? -1 : 1;
    return 0;
}

/* Writes the letters sorted by name, because the order of the places depends on the size of the
 * table. */
static cn_status write_letters(cni_archive *archive, const cni_mailbox *mailbox)
{
    size_t count = 0;
    cni_letter **list = cni_allocate(mailbox->waiting, sizeof(cni_letter *));
    CNI_TRY_MEMORY(list);
    for (size_t i = 0; i < mailbox->places; i++)
        for (uint32_t at = mailbox->place[i]; at != CNI_NO_LETTER; at = list[count++]->next)
            list[count] = letter_at(mailbox, at);
    cni_sort(list, count, sizeof(cni_letter *), by_name, NULL);
    for (size_t i = 0; i < count; i++) {
        cn_delivery delivery = cni_letter_delivery(list[i]);
        cni_archive_delivery(archive, &delivery);
        cni_archive_u64s(archive, &list[i]->number, 1);
    }
    cni_release(list);
    return CN_OK;
}

/* Whether the delivery fits into a letter. */
static int fits_letter(const cn_delivery *d)
{
    uint64_t destination = d->destination == CN_ALL_NODES ? 0 : d->destination;
    return (d->source | destination | d->hops | d->flits | d->deflections) <= UINT32_MAX;
}

static cn_status read_letters(cni_archive *archive, cni_mailbox *mailbox, uint64_t waiting)
{
    for (uint64_t i = 0; i < waiting; i++) {
        cn_delivery delivery;
        uint64_t number;
        cni_archive_delivery(archive, &delivery);
        cni_archive_u64s(archive, &number, 1);
        CNI_ALLOW(fits_letter(&delivery), "an injected message");
        CNI_TRY(cni_mailbox_post(mailbox, number, &delivery));
    }
    return CN_OK;
}

static cn_status read_arrivals(cni_archive *archive, cni_mailbox *mailbox, uint64_t arrived)
{
    CNI_TRY(cni_mailbox_make_room(mailbox, (size_t)arrived));
    for (uint64_t i = 0; i < arrived; i++) {
        cn_delivery delivery;
        cni_archive_delivery(archive, &delivery);
        CNI_ALLOW(fits_letter(&delivery), "a message that has arrived");
        append_arrival(mailbox, take_letter(mailbox, 0, &delivery), delivery.delivered);
    }
    return CN_OK;
}

static void write_arrivals(cni_archive *archive, const cni_mailbox *mailbox)
{
    uint32_t at = mailbox->arrivals.first;
    for (size_t i = 0; i < mailbox->arrived; i++, at = letter_at(mailbox, at)->next) {
        cn_delivery delivery = cni_letter_delivery(letter_at(mailbox, at));
        delivery.delivered = letter_at(mailbox, at)->number;
        cni_archive_delivery(archive, &delivery);
    }
}

cn_status cni_mailbox_visit(cni_archive *archive, cni_mailbox *mailbox, int has_trace)
{
    uint8_t reports_trace = mailbox->reports_trace != 0;
    uint64_t waiting = mailbox->waiting, arrived = mailbox->arrived;
    cni_archive_u8s(archive, &reports_trace, 1);
    CNI_ALLOW(reports_trace <= (has_trace != 0), "a trace that there is not");
    CNI_TRY(cni_archive_count(archive, &waiting, LETTER_BYTES));
    if (cni_archive_reads(archive))
        CNI_TRY(read_letters(archive, mailbox, waiting));
    else if (waiting > 0)
        CNI_TRY(write_letters(archive, mailbox));
    CNI_TRY(cni_archive_count(archive, &arrived, DELIVERY_BYTES));
    /* several threads may write the same state at once, so writing must change nothing */
    if (!cni_archive_reads(archive)) {
        write_arrivals(archive, mailbox);
        return CN_OK;
    }
    mailbox->reports_trace = reports_trace;
    return read_arrivals(archive, mailbox, arrived);
}

void cni_mailbox_close(cni_mailbox *mailbox)
{
    for (size_t i = 0; i < mailbox->pages; i++)
        cni_release(mailbox->page[i]);
    cni_release(mailbox->page);
    cni_release(mailbox->place);
    memset(mailbox, 0, sizeof *mailbox);
}

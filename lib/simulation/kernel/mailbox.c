#include "simulation/kernel/mailbox.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"

struct cni_letter {
    cn_delivery delivery; /* first: by its address the letter is found */
    uint64_t number;
    int used;
};

/* Where the search for a message begins. */
static size_t home(const cni_mailbox *mailbox, uint64_t injected, uint64_t source, uint64_t number)
{
    uint64_t hash = cni_random_derive(cni_random_derive(injected, source), number);
    return (size_t)hash & (mailbox->slots - 1);
}

static size_t home_of(const cni_mailbox *mailbox, const struct cni_letter *letter)
{
    return home(mailbox, letter->delivery.injected, letter->delivery.source, letter->number);
}

static void insert(cni_mailbox *mailbox, const struct cni_letter *letter)
{
    size_t at = home_of(mailbox, letter);
    while (mailbox->table[at].used)
        at = (at + 1) & (mailbox->slots - 1);
    mailbox->table[at] = *letter;
}

/* Keeps the table at most half full. */
static cn_status grow_table(cni_mailbox *mailbox)
{
    if (2 * (mailbox->waiting + 1) <= mailbox->slots)
        return CN_OK;
    cni_mailbox grown = *mailbox;
    grown.slots = mailbox->slots == 0 ? 16 : 2 * mailbox->slots;
    grown.table = cni_allocate(grown.slots, sizeof *grown.table);
    CNI_TRY_MEMORY(grown.table);
    for (size_t i = 0; i < mailbox->slots; i++)
        if (mailbox->table[i].used)
            insert(&grown, &mailbox->table[i]);
    cni_release(mailbox->table);
    *mailbox = grown;
    return CN_OK;
}

cn_status cni_mailbox_make_room(cni_mailbox *mailbox, size_t messages)
{
    return cni_grow((void **)&mailbox->arrived, &mailbox->room,
                    mailbox->delivered + mailbox->waiting + messages, sizeof *mailbox->arrived);
}

cn_status cni_mailbox_post(cni_mailbox *mailbox, uint64_t number, const cn_delivery *delivery)
{
    CNI_TRY(grow_table(mailbox));
    CNI_TRY(cni_mailbox_make_room(mailbox, 1));
    struct cni_letter letter = {.delivery = *delivery, .number = number, .used = 1};
    insert(mailbox, &letter);
    mailbox->waiting += 1;
    return CN_OK;
}

/* Empties a slot and closes the gap that would cut off what was pushed past it. */
static void erase(cni_mailbox *mailbox, size_t gap)
{
    size_t mask = mailbox->slots - 1;
    for (size_t at = (gap + 1) & mask; mailbox->table[at].used; at = (at + 1) & mask) {
        size_t wanted = home_of(mailbox, &mailbox->table[at]);
        if (((at - wanted) & mask) < ((at - gap) & mask))
            continue; /* it begins behind the gap and stays reachable */
        mailbox->table[gap] = mailbox->table[at];
        gap = at;
    }
    mailbox->table[gap].used = 0;
}

cn_delivery *cni_mailbox_find(const cni_mailbox *mailbox, uint64_t injected, uint64_t source,
                              uint64_t number)
{
    if (mailbox->waiting == 0)
        return NULL;
    size_t at = home(mailbox, injected, source, number);
    for (; mailbox->table[at].used; at = (at + 1) & (mailbox->slots - 1)) {
        struct cni_letter *letter = &mailbox->table[at];
        if (letter->delivery.injected == injected && letter->delivery.source == source &&
            letter->number == number)
            return &letter->delivery;
    }
    return NULL;
}

void cni_mailbox_withdraw(cni_mailbox *mailbox, cn_delivery *delivery)
{
    mailbox->waiting -= 1;
    erase(mailbox, (size_t)((struct cni_letter *)(void *)delivery - mailbox->table));
}

void cni_mailbox_arrive(cni_mailbox *mailbox, cn_delivery *delivery, uint64_t cycle)
{
    if (delivery == NULL)
        return;
    delivery->delivered = cycle;
    mailbox->arrived[mailbox->delivered++] = *delivery;
    cni_mailbox_withdraw(mailbox, delivery);
}

void cni_mailbox_report(cni_mailbox *mailbox, const cni_trace_message *message, uint64_t cycle,
                        uint64_t hops, uint64_t flits)
{
    if (mailbox->delivered + mailbox->waiting == mailbox->room)
        return;
    mailbox->arrived[mailbox->delivered++] = (cn_delivery){.tag = message->index,
                                                           .source = message->source,
                                                           .destination = message->destination,
                                                           .injected = message->cycle,
                                                           .delivered = cycle,
                                                           .hops = hops,
                                                           .flits = flits};
}

cn_status cni_mailbox_fetch(cni_mailbox *mailbox, cn_delivery *delivery)
{
    if (mailbox->fetched == mailbox->delivered)
        return CN_DONE;
    *delivery = mailbox->arrived[mailbox->fetched++];
    if (mailbox->fetched == mailbox->delivered)
        mailbox->fetched = mailbox->delivered = 0;
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
    const struct cni_letter *one = *(struct cni_letter *const *)a,
                            *other = *(struct cni_letter *const *)b;
    const uint64_t names[][2] = {{one->delivery.injected, other->delivery.injected},
                                 {one->delivery.source, other->delivery.source},
                                 {one->number, other->number}};
    for (int i = 0; i < 3; i++)
        if (names[i][0] != names[i][1])
            return names[i][0] < names[i][1] ? -1 : 1;
    return 0;
}

/* In an order that does not tell the size of the table. */
static cn_status write_letters(cni_archive *archive, const cni_mailbox *mailbox)
{
    size_t count = 0;
    struct cni_letter **list = cni_allocate(mailbox->waiting, sizeof(struct cni_letter *));
    CNI_TRY_MEMORY(list);
    for (size_t i = 0; i < mailbox->slots; i++)
        if (mailbox->table[i].used)
            list[count++] = &mailbox->table[i];
    cni_sort(list, count, sizeof(struct cni_letter *), by_name, NULL);
    for (size_t i = 0; i < count; i++) {
        cni_archive_delivery(archive, &list[i]->delivery);
        cni_archive_u64s(archive, &list[i]->number, 1);
    }
    cni_release(list);
    return CN_OK;
}

static cn_status read_letters(cni_archive *archive, cni_mailbox *mailbox, uint64_t waiting)
{
    for (uint64_t i = 0; i < waiting; i++) {
        cn_delivery delivery;
        uint64_t number;
        cni_archive_delivery(archive, &delivery);
        cni_archive_u64s(archive, &number, 1);
        CNI_TRY(cni_mailbox_post(mailbox, number, &delivery));
    }
    return CN_OK;
}

cn_status cni_mailbox_visit(cni_archive *archive, cni_mailbox *mailbox, int has_trace)
{
    uint8_t reports_trace = mailbox->reports_trace != 0;
    uint64_t waiting = mailbox->waiting, arrived = mailbox->delivered - mailbox->fetched;
    cni_archive_u8s(archive, &reports_trace, 1);
    CNI_ALLOW(reports_trace <= (has_trace != 0), "a trace that there is not");
    CNI_TRY(cni_archive_count(archive, &waiting, LETTER_BYTES));
    if (cni_archive_reads(archive))
        CNI_TRY(read_letters(archive, mailbox, waiting));
    else if (waiting > 0)
        CNI_TRY(write_letters(archive, mailbox));
    CNI_TRY(cni_archive_count(archive, &arrived, DELIVERY_BYTES));
    if (cni_archive_reads(archive)) {
        mailbox->reports_trace = reports_trace;
        CNI_TRY(cni_mailbox_make_room(mailbox, (size_t)arrived));
        mailbox->delivered = (size_t)arrived;
    }
    for (size_t i = mailbox->fetched; i < mailbox->delivered; i++)
        cni_archive_delivery(archive, &mailbox->arrived[i]);
    return CN_OK;
}

void cni_mailbox_close(cni_mailbox *mailbox)
{
    cni_release(mailbox->table);
    cni_release(mailbox->arrived);
    memset(mailbox, 0, sizeof *mailbox);
}

/* The exchange between parts: messages are packed and unpacked. */
#include <string.h>

#include "base/bits.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/memory.h"
#include "simulation/kernel/part.h"
#include "simulation/kernel/part_buffer.h"
#include "topology/topology.h"

/* The low bits of the number of an exchange count further exchanges for letters; the bits above are
 * the cycle. */
enum { ROUND_BITS = 16 };

#define NO_MESSAGE UINT64_MAX

static uint64_t words_of(const uint64_t head[])
{
    return CNI_HEAD_WORDS + head[CNI_HEAD_RUNS] + head[CNI_HEAD_LETTERS] * CNI_PART_LETTER_WORDS;
}

/* ---- the bits of a bank ---- */

/* The word of `sent` with the bit of a place, and the shift of the bit. */
static uint64_t *bits_at(const cni_part_bank *bank, uint64_t place, uint32_t *shift)
{
    uint64_t row = place / bank->stride, node = place % bank->stride;
    *shift = (uint32_t)(node % CNI_PART_BLOCK);
    return bank->sent + row * bank->sent_stride + 1 + node / CNI_PART_BLOCK;
}

/* The places with a message, among `count` places, a bit each. */
static uint64_t find_taken(const cni_part_bank *bank, uint64_t place, uint32_t count,
                           uint32_t width)
{
    const uint64_t *word = bank->word + place * width;
    uint64_t taken = 0;
    uint32_t shift;
    if (bank->sent != NULL) {
        const uint64_t *bits = bits_at(bank, place, &shift);
        taken = bits[0] >> shift | bits[1] << 1 << (63 - shift);
        return taken & UINT64_MAX >> (CNI_PART_BLOCK - count);
    }
    for (uint32_t j = 0; j < count; j++)
        taken |= (uint64_t)(word[j * width] != NO_MESSAGE) << j;
    return taken;
}

/* Flips the bits of places that have become free, or have got a message. */
static void flip_bits(const cni_part_bank *bank, uint64_t place, uint64_t changed)
{
    uint32_t shift;
    if (bank->sent == NULL)
        return;
    uint64_t *bits = bits_at(bank, place, &shift);
    bits[0] ^= changed << shift;
    bits[1] ^= changed >> 1 >> (63 - shift);
}

/* ---- packing ---- */

/* Adds the letter of a message, if it has one, to the link. CN_ERR_MEMORY. */
static cn_status pack_letter(cni_part *part, cni_part_link *link, const uint64_t *message)
{
    uint64_t number;
    cni_letter *found = part->find(part->kernel, message, &number);
    if (found == NULL)
        return CN_OK;
    const cn_delivery delivery = cni_letter_delivery(found);
    CNI_TRY(cni_grow(&link->letter, &link->letter_room, (link->letters + 1) * CNI_PART_LETTER_WORDS,
                     sizeof *link->letter));
    uint64_t *letter = link->letter + link->letters * CNI_PART_LETTER_WORDS;
    memcpy(letter, &delivery, sizeof delivery);
    letter[CNI_PART_LETTER_WORDS - 1] = number;
    link->letters += 1;
    cni_mailbox_withdraw(part->mailbox, found);
    return CN_OK;
}

/* Adds as many letters as the buffer holds, behind its contents, and completes the head. */
static void add_letters(cni_part_link *link, uint64_t number, uint64_t from)
{
    uint64_t *out = link->out, words = out[CNI_HEAD_RUNS];
    size_t left = link->letters - link->letters_sent,
           now = left < CNI_PART_LETTERS ? left : CNI_PART_LETTERS;
    if (now > 0)
        memcpy(out + CNI_HEAD_WORDS + words,
               link->letter + link->letters_sent * CNI_PART_LETTER_WORDS,
               now * CNI_PART_LETTER_WORDS * sizeof *out);
    link->letters_sent += now;
    out[CNI_HEAD_NUMBER] = number;
    out[CNI_HEAD_PART] = from;
    out[CNI_HEAD_LETTERS] = now;
    out[CNI_HEAD_MORE] = left > now;
    out[CNI_HEAD_SUM] = cni_part_sum(out, words_of(out));
}

/* Adds the messages of a run behind the contents of the buffer, and frees their places.
 * CN_ERR_MEMORY. */
static cn_status pack_run(cni_part *part, cni_part_link *link, const cni_part_bank *bank,
                          const cni_part_run *run, uint64_t *out, uint64_t *at)
{
    const uint32_t width = part->width;
    uint64_t *word = bank->word + run->from * width;
    uint64_t taken = find_taken(bank, run->from, run->count, width), begin = *at, end = begin + 2;
    if (taken == 0)
        return CN_OK;
    out[begin] = run->to;
    out[begin + 1] = taken;
    for (uint64_t left = taken; left != 0; left &= left - 1) {
        uint32_t j = cni_lowest_bit(left);
        for (uint32_t i = 0; i < width; i++)
            out[end++] = word[j * width + i];
        word[j * width] = NO_MESSAGE;
        if (part->gone != NULL)
            part->gone[run->from + j] += 1;
    }
    flip_bits(bank, run->from, taken);
    for (uint64_t i = begin + 2; i < end && part->mailbox->waiting > 0; i += width)
        CNI_TRY(pack_letter(part, link, out + i));
    part->messages += cni_popcount(taken);
    part->balance -= cni_popcount(taken);
    *at = end;
    return CN_OK;
}

static cn_status pack_link(cni_part *part, cni_part_link *link, const cni_part_bank *bank)
{
    uint64_t at = CNI_HEAD_WORDS;
    link->letters = link->letters_sent = 0;
    for (size_t i = 0; i < link->runs; i++)
        CNI_TRY(pack_run(part, link, bank, &link->run[i], link->out, &at));
    link->out[CNI_HEAD_RUNS] = at - CNI_HEAD_WORDS;
    return CN_OK;
}

/* ---- unpacking ---- */

static cn_status fail_damaged(const cni_part *part, const cni_part_link *link)
{
    return cni_fail(
        CN_ERR_EXCHANGE,
        "cn_sim_step: what part %lu got from part %llu in the exchange is not what that one sent",
        (unsigned long)part->part, (unsigned long long)link->part);
}

static cn_status check_buffer(const cni_part *part, const cni_part_link *link, uint64_t number)
{
    const uint64_t *in = link->in, bytes = link->neighbor.received_size;
    if (bytes < CNI_HEAD_WORDS * sizeof *in || bytes > link->room_in * sizeof *in)
        return fail_damaged(part, link);
    if (in[CNI_HEAD_PART] == link->part && in[CNI_HEAD_NUMBER] != number)
        return cni_fail(CN_ERR_EXCHANGE,
                        "cn_sim_step: part %lu is in cycle %llu, but it got what part %llu sent in "
                        "cycle %llu",
                        (unsigned long)part->part, (unsigned long long)(number >> ROUND_BITS),
                        (unsigned long long)link->part,
                        (unsigned long long)(in[CNI_HEAD_NUMBER] >> ROUND_BITS));
    if (in[CNI_HEAD_PART] != link->part || in[CNI_HEAD_LETTERS] > CNI_PART_LETTERS ||
        in[CNI_HEAD_RUNS] > link->room_in || words_of(in) * sizeof *in != bytes ||
        in[CNI_HEAD_SUM] != cni_part_sum(in, words_of(in)))
        return fail_damaged(part, link);
    return CN_OK;
}

/* Unpacks a run. Returns the number of messages; UINT64_MAX when a message has no place, the
 * words end, or a message is invalid. */
static uint64_t unpack_run(const cni_part *part, const cni_part_bank *bank, const uint64_t run[],
                           uint64_t words, uint64_t cycle)
{
    const uint32_t width = part->width;
    uint64_t row = run[0] >> CNI_PART_ROW_SHIFT, bits = run[1];
    uint64_t node = run[0] & ((UINT64_C(1) << CNI_PART_ROW_SHIFT) - 1);
    uint64_t place = row * bank->stride + node - part->first;
    if (row >= bank->rows || node < part->first || node >= part->end || bits == 0 ||
        63 - cni_leading_zeros(bits) >= part->end - node ||
        (uint64_t)cni_popcount(bits) * width > words - 2)
        return UINT64_MAX;
    const uint64_t *message = run + 2;
    for (uint64_t left = bits; left != 0; left &= left - 1) {
        uint32_t j = cni_lowest_bit(left);
        uint64_t *word = bank->word + (place + j) * width;
        if (*word != NO_MESSAGE || !part->allows(part->kernel, row, node + j, message, cycle))
            return UINT64_MAX;
        for (uint32_t i = 0; i < width; i++)
            word[i] = *message++;
    }
    flip_bits(bank, place, bits);
    return cni_popcount(bits);
}

static cn_status unpack_letter(cni_part *part, const uint64_t letter[])
{
    cn_delivery delivery;
    memcpy(&delivery, letter, sizeof delivery);
    CNI_TRY(cni_mailbox_post(part->mailbox, letter[CNI_PART_LETTER_WORDS - 1], &delivery));
    return part->make_room(part->kernel);
}

static cn_status unpack_link(cni_part *part, const cni_part_link *link, const cni_part_bank *bank,
                             uint64_t cycle)
{
    const uint64_t *in = link->in + CNI_HEAD_WORDS, words = link->in[CNI_HEAD_RUNS];
    for (uint64_t at = 0; at < words;) {
        uint64_t taken =
            words - at < 3 ? UINT64_MAX : unpack_run(part, bank, in + at, words - at, cycle);
        if (taken == UINT64_MAX)
            return fail_damaged(part, link);
        part->balance += taken;
        at += 2 + taken * part->width;
    }
    for (uint64_t i = 0; i < link->in[CNI_HEAD_LETTERS]; i++)
        CNI_TRY(unpack_letter(part, in + words + i * CNI_PART_LETTER_WORDS));
    return CN_OK;
}

/* ---- exchanges ---- */

/* Calls the host once, for the links that take part in the exchange. */
static cn_status ask_host(cni_part *part, int call, uint64_t number)
{
    size_t count = 0;
    for (size_t i = 0; i < part->links; i++) {
        cni_part_link *link = &part->link[i];
        if (!link->asks)
            continue;
        uint64_t bytes = words_of(link->out) * sizeof *link->out;
        if (call == CN_EXCHANGE_BEGIN) {
            link->neighbor = (cn_part_neighbor){.sent = link->out,
                                                .sent_size = bytes,
                                                .received = link->in,
                                                .received_room = link->room_in * sizeof *link->in,
                                                .part = link->part};
            part->bytes += bytes;
        }
        part->neighbors[count++] = &link->neighbor;
    }
    if (count == 0)
        return CN_OK;
    int answer = part->exchange(part->user, call, number, part->neighbors, count);
    if (answer == 0)
        return CN_OK;
    return cni_fail(
        CN_ERR_EXCHANGE,
        "cn_sim_step: the exchange function of part %lu of %lu returned %d in cycle %llu",
        (unsigned long)part->part, (unsigned long)part->parts, answer,
        (unsigned long long)(number >> ROUND_BITS));
}

cn_status cni_part_send(cni_part *part, const cni_part_bank *bank, uint64_t cycle)
{
    uint64_t number = cycle << ROUND_BITS;
    for (size_t i = 0; i < part->links; i++) {
        cni_part_link *link = &part->link[i];
        CNI_TRY(pack_link(part, link, bank));
        add_letters(link, number, part->part);
        link->asks = 1;
    }
    return ask_host(part, CN_EXCHANGE_BEGIN, number);
}

/* Ends an exchange, and unpacks the received buffers. */
static cn_status take_in_buffers(cni_part *part, const cni_part_bank *bank, uint64_t number)
{
    double begin = cni_clock();
    CNI_TRY(ask_host(part, CN_EXCHANGE_END, number));
    part->waiting += cni_clock() - begin;
    for (size_t i = 0; i < part->links; i++) {
        cni_part_link *link = &part->link[i];
        if (!link->asks)
            continue;
        CNI_TRY(check_buffer(part, link, number));
        CNI_TRY(unpack_link(part, link, bank, number >> ROUND_BITS));
    }
    return CN_OK;
}

/* Finds the links on which one side or the other has more letters to send. Returns their number. */
static size_t find_unfinished(cni_part *part)
{
    size_t count = 0;
    for (size_t i = 0; i < part->links; i++) {
        cni_part_link *link = &part->link[i];
        link->asks = link->asks && (link->out[CNI_HEAD_MORE] | link->in[CNI_HEAD_MORE]) != 0;
        count += (size_t)link->asks;
    }
    return count;
}

/* Receives the messages of the cycle. Further exchanges follow while a link has letters left. */
cn_status cni_part_receive(cni_part *part, const cni_part_bank *bank, uint64_t cycle)
{
    uint64_t number = cycle << ROUND_BITS;
    uint64_t kept = bank->kept * bank->stride * part->width;
    for (uint64_t i = kept; i < bank->rows * bank->stride * part->width; i++)
        bank->word[i] = NO_MESSAGE;
    CNI_TRY(take_in_buffers(part, bank, number));
    while (find_unfinished(part) > 0) {
        number += 1;
        for (size_t i = 0; i < part->links; i++) {
            part->link[i].out[CNI_HEAD_RUNS] = 0;
            if (part->link[i].asks)
                add_letters(&part->link[i], number, part->part);
        }
        CNI_TRY(ask_host(part, CN_EXCHANGE_BEGIN, number));
        CNI_TRY(take_in_buffers(part, bank, number));
    }
    return CN_OK;
}

void cni_part_stop(cni_part *part)
{
    part->exchange(part->user, CN_EXCHANGE_STOP, 0, NULL, 0);
}

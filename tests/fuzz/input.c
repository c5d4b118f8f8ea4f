#include "input.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes as arguments ---- */

uint8_t input_byte(input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->data++;
}

uint64_t input_word(input *in)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | input_byte(in);
    return word;
}

uint64_t input_below(input *in, uint64_t bound)
{
    return bound <= 256 ? input_byte(in) % bound : input_word(in) % bound;
}

uint64_t input_hostile(input *in)
{
    uint8_t kind = input_byte(in);
    if (kind < 160)
        return kind % 40;
    if (kind < 200)
        return (UINT64_C(1) << input_below(in, 64)) + kind % 4 - 1;
    if (kind < 230)
        return UINT64_MAX - kind % 8;
    return input_word(in);
}

double input_real(input *in)
{
    static const double table[] = {0.0, -0.0,    1.0,     0.5,          -1.0,
                                   2.0, 1e-300,  DBL_MAX, -DBL_MAX,     1e15,
                                   1e6, DBL_MIN, 1e-12,   4294967296.0, 0x1p-1074};
    uint8_t kind = input_byte(in);
    if (kind < 15)
        return table[kind];
    if (kind < 18)
        return kind == 15 ? (double)NAN : kind == 16 ? (double)INFINITY : -(double)INFINITY;
    if (kind < 128)
        return (double)(kind - 18) / 64.0;
    if (kind < 240)
        return kind - 128;
    uint64_t word = input_word(in);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* ---- what must hold ---- */

void check_that(int holds, const char *text, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: %s\nlast error: %s\n", file, line, text, cn_last_error());
    abort();
}

/* The sentence that no other call of a target leaves. */
static char untouched[256];

void call_begins(void)
{
    CHECK(cn_param_range((cn_param)-7, NULL, NULL, NULL, NULL) == CN_ERR_ARGUMENT);
    snprintf(untouched, sizeof untouched, "%s", cn_last_error());
}

cn_status call_ended(cn_status status, const char *text, const char *file, int line)
{
    check_that(status >= CN_ERR_DISCONNECTED && status <= CN_REFUSED, text, file, line);
    if (status < 0) {
        const char *sentence = cn_last_error();
        check_that(sentence[0] != '\0' && strcmp(sentence, untouched) != 0, text, file, line);
    }
    return status;
}

/* ---- memory ---- */

/* No object of a network as small as those here needs more; a larger block was asked for by a
 * number. */
enum { LARGEST_BLOCK = 1 << 22 };

static atomic_llong blocks_alive;
static atomic_llong blocks_until_failure = -1;

static void *allocate(void *user, size_t size)
{
    (void)user;
    if (size > LARGEST_BLOCK)
        return NULL;
    if (atomic_load(&blocks_until_failure) >= 0 && atomic_fetch_sub(&blocks_until_failure, 1) == 0)
        return NULL;
    void *block = malloc(size);
    if (block != NULL)
        atomic_fetch_add(&blocks_alive, 1);
    return block;
}

/* Blocks given back while memory_keeps(1): by one thread only. */
enum { MOST_KEPT = 64 };
static void *kept[MOST_KEPT];
static size_t kept_count;
static atomic_int keeping;

static void release(void *user, void *block)
{
    (void)user;
    atomic_fetch_sub(&blocks_alive, 1);
    if (atomic_load(&keeping) && kept_count < MOST_KEPT)
        kept[kept_count++] = block;
    else
        free(block);
}

void memory_keeps(int keeps)
{
    atomic_store(&keeping, keeps);
}

void memory_begins(void)
{
    CHECK(cn_set_allocator(allocate, release, NULL) == CN_OK);
}

void memory_ends(void)
{
    memory_recovers();
    while (kept_count > 0)
        free(kept[--kept_count]);
    CHECK(atomic_load(&blocks_alive) == 0);
}

void memory_fails_after(uint64_t blocks)
{
    atomic_store(&blocks_until_failure, (long long)blocks);
}

int memory_recovers(void)
{
    return atomic_exchange(&blocks_until_failure, -1) == -1;
}

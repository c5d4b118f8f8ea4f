/* Text of a length that is not known before: it goes into memory of the caller, or piece by piece
 * to a function of the caller. */
#ifndef CNI_BASE_TEXT_H
#define CNI_BASE_TEXT_H

#include "base/error.h"

/* Characters beyond the capacity are only counted. Start from {.text, .capacity}, or {0} to
 * measure; or, with room for a piece of more than 1000 characters, from {.text, .capacity,
 * .write, .user}, and end with cni_text_flush(). */
typedef struct cni_text {
    char *text;
    size_t capacity;
    size_t length; /* length of the whole text; of the piece where there is a function */
    int (*write)(void *user, const char *text, size_t length);
    void *user;
    int ended;      /* 1 once the function has returned a nonzero number */
    uint64_t *hash; /* NULL, or a number that every character changes: a hash of the text */
} cni_text;

/* Adds the next part, whole or not at all. */
void cni_text_add(cni_text *text, const char *part, size_t length);

/* Adds the next part (printf) of at most 1000 characters, whole or not at all. Beside %s only
 * conversions that do not depend on the locale. */
void cni_text_put(cni_text *text, const char *format, ...) CNI_PRINTF(2, 3);

/* Sets *told, unless it is NULL, to the length. CN_ERR_CAPACITY, in the name of the calling
 * function, when a text of this length and a '\0' do not fit; `what` says for the sentence what
 * the text is ("text", "address"). */
cn_status cni_text_fits(const char *function, const char *what, size_t length, size_t capacity,
                        size_t *told);

/* Reads the decimal digits from *at on, up to `end` or, with NULL, to the first other character,
 * and moves *at behind them. Returns 0 without a digit, or for a number above 2^64 - 1. */
int cni_read_whole(const char **at, const char *end, uint64_t *number);

/* Gives the piece to `write`, which ends the text by a nonzero result. */
void cni_text_flush(cni_text *text);

#endif

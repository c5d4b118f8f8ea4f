/* Text that is put together in memory of the caller, who may not know how long it will be. */
#ifndef CNI_BASE_TEXT_H
#define CNI_BASE_TEXT_H

#include "base/error.h"

/* What does not fit is only counted. Start from {.text, .capacity}, or {0} to measure. */
typedef struct cni_text {
    char *text;
    size_t capacity;
    size_t length;  /* of all that was put */
    uint64_t *hash; /* NULL, or which of it is to become the hash */
} cni_text;

/* Puts a part, whole or not at all. */
void cni_text_add(cni_text *text, const char *part, size_t length);

/* Puts the next part (printf), which has at most 1000 characters, whole or not at all. Beside %s only
 * what does not depend on the locale. */
void cni_text_put(cni_text *text, const char *format, ...) CNI_PRINTF(2, 3);

#endif

/* Texts of unknown length: into an array of the caller, or piece by piece to a function. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

enum { LONGEST = 1001 }; /* characters of a part, with the '\0' */

void cni_text_flush(cni_text *text)
{
    if (text->length > 0 && !text->ended)
        text->ended = text->write(text->user, text->text, text->length) != 0;
    text->length = 0;
}

void cni_text_add(cni_text *text, const char *part, size_t length)
{
    if (text->write != NULL && text->length + length >= text->capacity)
        cni_text_flush(text);
    if (text->length + length < text->capacity)
        memcpy(text->text + text->length, part, length);
    text->length += length;
    for (size_t i = 0; text->hash != NULL && i < length; i++)
        *text->hash = cni_random_derive(*text->hash, (unsigned char)part[i]);
}

void cni_text_put(cni_text *text, const char *format, ...)
{
    char part[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    if (length > 0)
        cni_text_add(text, part, (size_t)length);
}

cn_status cni_text_fits(const char *function, const char *what, size_t length, size_t capacity,
                        size_t *told)
{
    CNI_GIVE(told, length);
    return capacity > length
               ? CN_OK
               : cni_fail_capacity(function, capacity, "the %s needs %zu", what, length + 1);
}

int cni_read_whole(const char **at, const char *end, uint64_t *number)
{
    const char *from = *at;
    for (*number = 0; *at != end && **at >= '0' && **at <= '9'; ++*at) {
        unsigned digit = (unsigned)(**at - '0');
        if (*number > (UINT64_MAX - digit) / 10)
            return 0;
        *number = 10 * *number + digit;
    }
    return *at > from;
}

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 1001 };

void cni_text_put(cni_text *text, const char *format, ...)
{
    char part[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    if (length <= 0)
        return;
    if (text->length + (size_t)length < text->capacity)
        memcpy(text->text + text->length, part, (size_t)length);
    text->length += (size_t)length;
}

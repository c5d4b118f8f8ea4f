/* The text of cn_last_error(), one for each thread, and the checks of numbers whose failure writes
 * it. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_CAPACITY = 320 };

static _Thread_local char last_error[ERROR_CAPACITY];

const char *cn_last_error(void)
{
    return last_error;
}

cn_status cni_fail(cn_status status, const char *format, ...)
{
    char sentence[ERROR_CAPACITY]; /* the arguments may point into the last one */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    memcpy(last_error, sentence, sizeof last_error);
    return status;
}

cn_status cni_fail_as(const char *who, cn_status status)
{
    if (status >= CN_OK)
        return status;
    size_t name = strspn(last_error, "abcdefghijklmnopqrstuvwxyz_");
    int has_name = strncmp(last_error, "cn_", 3) == 0 && strncmp(last_error + name, ": ", 2) == 0;
    return cni_fail(status, "%s: %s", who, last_error + (has_name ? name + 2 : 0));
}

cn_status cni_fail_capacity(const char *function, size_t capacity, const char *format, ...)
{
    char need[ERROR_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(need, sizeof need, format, arguments);
    va_end(arguments);
    return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but %s", function, capacity, need);
}

cn_status cni_check_range(const char *function, const char *argument, uint64_t value,
                          uint64_t least, uint64_t greatest)
{
    if (value >= least && value <= greatest)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %llu, but it must be %llu to %llu", function,
                    argument, (unsigned long long)value, (unsigned long long)least,
                    (unsigned long long)greatest);
}

/* The condition is written so that NaN fails. */
cn_status cni_check_share(const char *function, const char *argument, double value)
{
    if (value >= 0.0 && value <= 1.0)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %g, but it must be 0 to 1", function, argument,
                    value);
}

const char *cni_number_text(double value, char text[CNI_NUMBER_CAPACITY])
{
    snprintf(text, CNI_NUMBER_CAPACITY, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, CNI_NUMBER_CAPACITY, "%.17g", value);
    char *to = text;
    for (const char *at = text; *at != '\0'; at++)
        if (strchr("0123456789+-einfa", *at) != NULL)
            *to++ = *at;
        else if (to > text && to[-1] != '.') /* the point of the locale, of one byte or more */
            *to++ = '.';
    *to = '\0';
    return text;
}

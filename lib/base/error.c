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

const char *cni_number_text(double value, char text[CNI_NUMBER_CAPACITY])
{
    snprintf(text, CNI_NUMBER_CAPACITY, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, CNI_NUMBER_CAPACITY, "%.17g", value);
    for (char *at = text; *at != '\0'; at++)
        if (*at == ',')
            *at = '.';
    return text;
}

const char *cn_status_text(cn_status status)
{
    switch (status) {
    case CN_OK:
        return "success";
    case CN_DONE:
        return "nothing more to give";
    case CN_REFUSED:
        return "the network did not take the message";
    case CN_ERR_ARGUMENT:
        return "invalid argument";
    case CN_ERR_MEMORY:
        return "out of memory";
    case CN_ERR_UNSUPPORTED:
        return "this combination is not supported";
    case CN_ERR_UNSTABLE:
        return "no steady state at this load";
    case CN_ERR_NOT_FOUND:
        return "not found";
    case CN_ERR_OVERFLOW:
        return "the answer does not fit its type";
    case CN_ERR_CAPACITY:
        return "the array is too small";
    case CN_ERR_STATE:
        return "not allowed now";
    case CN_ERR_CONVERGENCE:
        return "an iteration did not converge";
    case CN_ERR_DEADLOCK:
        return "the network is deadlocked";
    case CN_ERR_THREAD:
        return "no thread could be started";
    case CN_ERR_DISCONNECTED:
        return "some node cannot reach some other";
    case CN_ERR_INTERNAL:
        return "a bug in cubenet";
    }
    return "unknown status";
}

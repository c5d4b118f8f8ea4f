/* Setting the text of cn_last_error(). */
#ifndef CNI_BASE_ERROR_H
#define CNI_BASE_ERROR_H

#include "base/object.h"

#include "base/arithmetic.h"
#include "base/memory.h"

#if defined(__MINGW32__) && !defined(__clang__) /* where "printf" is that of an older C library */
#define CNI_PRINTF(format_at, arguments_at) \
    __attribute__((format(gnu_printf, format_at, arguments_at), cold))
#elif defined(__GNUC__)
#define CNI_PRINTF(format_at, arguments_at) \
    __attribute__((format(printf, format_at, arguments_at), cold))
#else
#define CNI_PRINTF(format_at, arguments_at)
#endif

/* Keeps the sentence for cn_last_error() and returns status, so that a function can `return
 * cni_fail(...)`. The sentence names the argument, its value and the allowed values. */
cn_status cni_fail(cn_status status, const char *format, ...) CNI_PRINTF(2, 3);

/* Returns status. Where a call inside another call failed, the sentence begins with `who`, the
 * function that the caller knows, in place of the name of the inner function. */
cn_status cni_fail_as(const char *who, cn_status status);

/* CN_ERR_ARGUMENT unless the whole number lies from least to greatest. */
cn_status cni_check_range(const char *function, const char *argument, uint64_t value,
                          uint64_t least, uint64_t greatest);
/* CN_ERR_ARGUMENT unless the real number lies from 0 to 1. */
cn_status cni_check_share(const char *function, const char *argument, double value);

/* A number for a sentence: the shortest of 15 or 17 digits that reads back as the same number,
 * with a decimal point in every locale. Returns text. */
enum { CNI_NUMBER_CAPACITY = 32 };
const char *cni_number_text(double value, char text[CNI_NUMBER_CAPACITY]);

/* Leaves the calling function, which returns cn_status, when a pointer argument is NULL, or a
 * handle is no living object of its type. */
#define CNI_REQUIRE(argument)                                                              \
    do {                                                                                   \
        if (!CNI_IS_VALID(argument))                                                       \
            return cni_fail_invalid(__func__, #argument, argument, CNI_TYPE_OF(argument)); \
    } while (0)

#define CNI_REQUIRE_BOTH(one, other) \
    do {                             \
        CNI_REQUIRE(one);            \
        CNI_REQUIRE(other);          \
    } while (0)

/* The same for each element of an array of handles. */
#define CNI_REQUIRE_EACH(array, count)                                                \
    do {                                                                              \
        for (size_t cni_at = 0; cni_at < (count); cni_at++)                           \
            if (!CNI_IS_VALID((array)[cni_at]))                                       \
                return cni_fail_invalid_at(__func__, #array, cni_at, (array)[cni_at], \
                                           CNI_TYPE_OF((array)[cni_at]));             \
    } while (0)

/* The same of a pointer to a function. */
#define CNI_REQUIRE_FUNCTION(argument)                                         \
    do {                                                                       \
        if ((argument) == NULL)                                                \
            return cni_fail_invalid(__func__, #argument, NULL, CNI_NO_OBJECT); \
    } while (0)

/* The same of a handle that may be NULL. */
#define CNI_REQUIRE_OR_NULL(argument) \
    do {                              \
        if ((argument) != NULL)       \
            CNI_REQUIRE(argument);    \
    } while (0)

/* The same for an array of so many elements; the array may be NULL when the count is 0. */
#define CNI_REQUIRE_ARRAY(array, count) \
    do {                                \
        if ((count) > 0)                \
            CNI_REQUIRE(array);         \
    } while (0)

/* Sets an output unless the caller passed NULL for it. */
#define CNI_GIVE(output, value)  \
    do {                         \
        if ((output) != NULL)    \
            *(output) = (value); \
    } while (0)

/* Sets *count, unless count is NULL, to the number of elements that an array needs, and leaves
 * the calling function when there is room for fewer. The other arguments are the words after
 * "capacity = 3, but". */
#define CNI_REQUIRE_FIT(needed, capacity, count, ...)                  \
    do {                                                               \
        CNI_GIVE(count, cni_size(needed));                             \
        if ((capacity) < (needed))                                     \
            return cni_fail_capacity(__func__, capacity, __VA_ARGS__); \
    } while (0)
cn_status cni_fail_capacity(const char *function, size_t capacity, const char *format, ...)
    CNI_PRINTF(3, 4);

/* CNI_REQUIRE() for the pointer to a handle that the call makes; the handle is NULL until then. */
#define CNI_REQUIRE_OUT(handle) \
    do {                        \
        CNI_REQUIRE(handle);    \
        *(handle) = NULL;       \
    } while (0)

/* Leaves the calling function with the status of a call that failed. */
#define CNI_TRY(call)                      \
    do {                                   \
        cn_status cni_try_status = (call); \
        if (cni_try_status != CN_OK)       \
            return cni_try_status;         \
    } while (0)

#endif

/* Names of the values of an enum: from number to name and back, by one table for every enum. */
#ifndef CNI_BASE_NAMES_H
#define CNI_BASE_NAMES_H

#include "base/error.h"

/* A table of names. Each row begins with a `const char *`, the name; a name of NULL: no value has
 * this number. */
typedef struct cni_names {
    const char *what; /* what a value is, for sentences: "traffic pattern" */
    const void *rows;
    size_t size;     /* of a row; 0: `rows` is an array of pointers to the rows */
    int first, last; /* numbers of the rows */
} cni_names;

/* The table of an array of rows; the first row has the number `first_number`. */
#define CNI_NAMES(what_it_is, array, first_number)                      \
    {                                                                   \
        what_it_is, array, sizeof *(array), first_number,               \
            (first_number) + (int)(sizeof(array) / sizeof *(array)) - 1 \
    }

/* The same of an array of pointers to rows; the first row has the number 0. */
#define CNI_NAMES_AT(what_it_is, array)                                     \
    {                                                                       \
        what_it_is, array, 0, 0, (int)(sizeof(array) / sizeof *(array)) - 1 \
    }

/* A row with a sentence or a meaning beside its name. */
typedef struct cni_named {
    const char *name, *text;
} cni_named;

/* The row and the name of a number; NULL for a number that has no name. */
const void *cni_row_of(const cni_names *names, int number);
const char *cni_name_of(const cni_names *names, int number);

/* For rows that are cni_named: the text, or `otherwise` for a number without a name. */
const char *cni_text_of(const cni_names *names, int number, const char *otherwise);

/* CN_ERR_NOT_FOUND with a sentence that proposes the name that was probably meant, or lists all
 * names. */
cn_status cni_from_name(const char *function, const cni_names *names, const char *name,
                        int *number);

/* The names whose bit in `allowed` is 1, separated by commas; "" when they are too many for a
 * sentence. Returns text. */
enum { CNI_LIST_CAPACITY = 160 };
#define CNI_ALL_OF_THEM UINT64_MAX
const char *cni_list_names(const cni_names *names, uint64_t allowed, char text[CNI_LIST_CAPACITY]);

/* CN_ERR_ARGUMENT for a number without a name. */
cn_status cni_check_named(const char *function, const cni_names *names, const char *argument,
                          int number);

/* The status codes, cn_status. */
extern const cni_names cni_statuses;

/* A public function that returns one fact of a row; NULL for a number without a row. */
#define CNI_ROW_FACT(function, type, argument, names, row_type, fact) \
    const char *function(type argument)                               \
    {                                                                 \
        const row_type *row = cni_row_of(&(names), (int)argument);    \
        return row == NULL ? NULL : row->fact;                        \
    }                                                                 \
    enum { function##_is_there } /* takes the semicolon */

/* The two public functions of an enum: TYPE_name() and TYPE_from_name(). */
#define CNI_NAMED_ENUM(type, argument, names)                      \
    const char *type##_name(type argument)                         \
    {                                                              \
        return cni_name_of(&(names), (int)argument);               \
    }                                                              \
    cn_status type##_from_name(const char *name, type *argument)   \
    {                                                              \
        int number;                                                \
        CNI_REQUIRE_BOTH(name, argument);                          \
        CNI_TRY(cni_from_name(__func__, &(names), name, &number)); \
        *argument = (type)number;                                  \
        return CN_OK;                                              \
    }                                                              \
    enum { type##_is_named } /* takes the semicolon */

#endif

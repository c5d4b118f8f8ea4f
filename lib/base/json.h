/*
 * Objects as JSON (RFC 8259). The writer puts one canonical form: the members of an object in the order of the calls,
 * each in a line of its own, arrays and what lies deeper in one line. The reader checks the whole text once, then goes through it in place
 * and allocates nothing. It is strict: no key twice, no key that is not asked for, no number that does not fit.
 */
#ifndef CNI_BASE_JSON_H
#define CNI_BASE_JSON_H

#include "base/budget.h"
#include "base/text.h"

/* The version of the form that all objects have; a text of another one is refused. */
enum { CNI_JSON_FORMAT = 1 };

/* ---- writing ---- */

typedef struct cni_json_writer {
    cni_text out;
    uint32_t depth; /* of what is open */
    uint32_t flat;  /* arrays that are open */
    int is_first;   /* nothing has been put into what was opened last */
} cni_json_writer;

/* Opens an object '{' or an array '['; closes it with '}' or ']'. In an array the key is NULL. */
void cni_json_open(cni_json_writer *w, const char *key, char bracket);
void cni_json_close(cni_json_writer *w, char bracket);

/* Names are ASCII without quotes and backslashes. A real number that is none has the text "Infinity", "-Infinity" or
 * "NaN", since JSON has no such numbers. */
void cni_json_put_name(cni_json_writer *w, const char *key, const char *name);
void cni_json_put_whole(cni_json_writer *w, const char *key, uint64_t value);
void cni_json_put_real(cni_json_writer *w, const char *key, double value);
void cni_json_put_flag(cni_json_writer *w, const char *key, int value);
void cni_json_put_wholes(cni_json_writer *w, const char *key, const uint64_t values[],
                         uint64_t count);
void cni_json_put_reals(cni_json_writer *w, const char *key, const double values[], uint64_t count);

/* Puts the members of an object. */
typedef void (*cni_json_put_fn)(cni_json_writer *w, const void *object);

/* The text of an object of this kind, with the members that say what it is. */
cn_status cni_json_give(const char *function, const char *kind, cni_json_put_fn put,
                        const void *object, char text[], size_t capacity, size_t *length);

/* The public function cn_TYPE_json() of a type. */
#define CNI_JSON_TEXT(function, type, put)                                                  \
    cn_status function(const cn_##type *type, char text[], size_t capacity, size_t *length) \
    {                                                                                       \
        CNI_REQUIRE(type);                                                                  \
        CNI_REQUIRE_ARRAY(text, capacity);                                                  \
        return cni_json_give(__func__, #type, put, type, text, capacity, length);           \
    }                                                                                       \
    enum { function##_is_there } /* takes the semicolon */

/* ---- reading ---- */

typedef struct cni_json {
    const char *function; /* the public one, for sentences */
    const char *text;
    cni_budget *budget; /* of the call; NULL: none */
} cni_json;

/* Begins a public function that reads: the text is required, and the call has a budget. */
#define CNI_JSON_READ(json, text, control) \
    CNI_REQUIRE(text);                     \
    CNI_BUDGET(budget, control, 0);        \
    cni_json json = {__func__, text, &budget}

/* A place in a text that has been checked. */
typedef struct cni_json_value {
    const char *at;  /* NULL: there is none */
    const char *key; /* by which it was found, for sentences */
} cni_json_value;

/* Begins to read an object of this kind. Its members are those of a kind, "cubenet" and "format", which are checked,
 * and the caller's keys, of which the first `required` must be there; values[i] is that of keys[i]. */
cn_status cni_json_begin(cni_json *json, const char *kind, const char *const keys[],
                         size_t required, size_t count, cni_json_value values[]);

/* The members of an object inside. */
cn_status cni_json_members(const cni_json *json, cni_json_value object, const char *const keys[],
                           size_t required, size_t count, cni_json_value values[]);

/* CN_ERR_ARGUMENT with line, column and key of the value before the sentence. */
cn_status cni_json_fail(const cni_json *json, cni_json_value value, const char *format, ...)
    CNI_PRINTF(3, 4);

/* Puts that before the sentence of a call that failed for what was read; CN_OK stays. */
cn_status cni_json_blame(const cni_json *json, cni_json_value value, cn_status status);

/* The check of the whole text, which cni_json_begin() makes first, and what it shares with those who go through it:
 * where white space and digits end, and a string; NULL and *wrong at what may not stand in it. */
cn_status cni_json_check(const cni_json *json);
const char *cni_json_after_space(const char *at);
const char *cni_json_after_digits(const char *at);
const char *cni_json_after_string(const char *at, const char **wrong);

/* The character of a string that begins here, as UTF-8, whether it stands for itself or is an escape. Returns where it
 * ends; NULL where no character begins. */
const char *cni_json_character(const char *at, char utf8[4], size_t *bytes);

/* What begins at a value: '{', '[', '"', 't', 'f', 'n' or '0' for a number. */
char cni_json_type(cni_json_value value);

/* The elements of an array: their number, the first, the next one; at is NULL after the last. */
cn_status cni_json_count(const cni_json *json, cni_json_value array, size_t *count);
cni_json_value cni_json_first(cni_json_value array);
cni_json_value cni_json_next(cni_json_value element);

cn_status cni_json_whole(const cni_json *json, cni_json_value value, uint64_t most, uint64_t *out);
cn_status cni_json_real(const cni_json *json, cni_json_value value, double *out);
cn_status cni_json_flag(const cni_json *json, cni_json_value value, int *out);

/* The characters of a string. */
enum { CNI_JSON_NAME = 200 };
cn_status cni_json_name(const cni_json *json, cni_json_value value, char out[CNI_JSON_NAME]);

/* Exactly so many whole or real numbers. */
cn_status cni_json_wholes(const cni_json *json, cni_json_value array, uint64_t most, uint64_t out[],
                          size_t count);
cn_status cni_json_reals(const cni_json *json, cni_json_value array, double out[], size_t count);

/* As many as there are, in a new array, which is to be released also after a failure. */
cn_status cni_json_all_wholes(const cni_json *json, cni_json_value array, uint64_t most,
                              uint64_t **out, size_t *count);

#endif

/*
 * Objects as JSON (RFC 8259). One function visits the members of an object, and they are written or
 * read. The writer puts one canonical form: the members in the order of the visit, each in a line
 * of its own, arrays and what lies deeper in one line. The reader checks the whole text once, then
 * goes through it in place and allocates nothing. It is strict: no key twice, no key that is not
 * asked for, no number that does not fit.
 */
#ifndef CNI_BASE_JSON_H
#define CNI_BASE_JSON_H

#include "base/budget.h"
#include "base/names.h"
#include "base/text.h"

/* The version of the form of all objects; a text with another version is refused. */
enum { CNI_JSON_FORMAT = 1 };

/* ---- writing ---- */

typedef struct cni_json_writer {
    cni_text out;
    uint32_t depth; /* brackets that are open */
    uint32_t flat;  /* those among them whose members stand in one line */
    int is_first;   /* the bracket that was opened last is still empty */
} cni_json_writer;

/* ---- reading ---- */

enum { CNI_JSON_NAME = 200 }; /* room for a string */

typedef struct cni_json {
    const char *function; /* the public function, for sentences */
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
    const char *key; /* by which the value was found, for sentences */
} cni_json_value;

/* The status, with line, column and key of the value before the sentence. */
cn_status cni_json_fail(const cni_json *json, cni_json_value value, cn_status status,
                        const char *format, ...) CNI_PRINTF(4, 5);

/* The check of the whole text, which cni_json_take() makes first. */
cn_status cni_json_check(const cni_json *json);

/* The character of a string that begins here, plain or escaped. Only ASCII is read: no key and no
 * name has other characters. Returns its end; NULL where no character begins. */
const char *cni_json_character(const char *at, char *c);

/* Where white space ends. */
const char *cni_json_after_space(const char *at);
/* Where the value ends that begins here, in a checked text. */
const char *cni_json_after_value(const char *at);

/* The type of a value: '{', '[', '"', 't', 'f', 'n', or '0' for a number. */
char cni_json_type(cni_json_value value);

/* The first element of an array, and the next element; `at` is NULL after the last. In an object
 * the elements are the keys. */
cni_json_value cni_json_first(cni_json_value array);
cni_json_value cni_json_next(cni_json_value element);

/* ---- both ---- */

/* The most members of an object: more than there are metrics or parameters. */
enum { CNI_IO_KEYS = 72 };

/* A visit to an object that is written or read. Reading visits twice: the first visit only lists
 * the keys. After a failure the rest is not read. */
typedef struct cni_io {
    cni_json_writer *writer; /* NULL: it does not write */
    const cni_json *json;    /* NULL: it does not read */
    int lists;               /* 1 in the first visit of reading */
    cn_status status;
    cni_json_value at;                 /* the object, or the element of an array */
    size_t count;                      /* listed keys */
    cni_json_value value[CNI_IO_KEYS]; /* of the listed keys */
    char required[CNI_IO_KEYS];        /* 1: the text must have this key */
} cni_io;

/* Visits the members of an object. While keys are listed the visit looks at no member, and only
 * reading changes the object. The second form visits an element of an array by its number. */
typedef void (*cni_visit_fn)(cni_io *io, void *object);
typedef void (*cni_visit_element_fn)(cni_io *io, size_t i, void *array);

static inline int cni_io_writes(const cni_io *io)
{
    return io->writer != NULL;
}

/* 1 until something failed. */
static inline int cni_io_reads(const cni_io *io)
{
    return io->writer == NULL && !io->lists && io->status == CN_OK;
}

/* Whether to visit an optional member: when writing, is_there decides; when reading, the text
 * decides. */
#define CNI_IO_HAS(io, key, is_there) (cni_io_writes(io) ? (is_there) : cni_io_finds(io, key))
int cni_io_finds(cni_io *io, const char *key);

/* While reading: whether the value has this type, see cni_json_type(). */
int cni_io_begins(cni_io *io, const char *key, char type);

/* The members of the object by their keys; NULL: the element of the array itself. Names are
 * ASCII without quotes and backslashes. Infinite numbers and NaN have the texts "Infinity",
 * "-Infinity" and "NaN", since JSON lacks such numbers. */
void cni_io_whole(cni_io *io, const char *key, uint64_t *value, uint64_t most);
void cni_io_real(cni_io *io, const char *key, double *value);
void cni_io_flag(cni_io *io, const char *key, int *value);
void cni_io_name(cni_io *io, const char *key, const char *written, char read[CNI_JSON_NAME]);
void cni_io_wholes(cni_io *io, const char *key, uint64_t values[], uint64_t count, uint64_t most);
void cni_io_reals(cni_io *io, const char *key, double values[], uint64_t count);
void cni_io_object(cni_io *io, const char *key, cni_visit_fn visit, void *object);

/* A new array with as many elements as the text; the caller releases it, also after a failure.
 * Start from NULL to read. */
void cni_io_list(cni_io *io, const char *key, uint64_t **values, size_t *count, uint64_t most);

/* Visits the elements of an array: so many when writing, all that the text has when reading. */
void cni_io_array(cni_io *io, const char *key, size_t count, cni_visit_element_fn visit,
                  void *array);
/* While reading: the number of elements of an array in the text. */
size_t cni_io_count(cni_io *io, const char *key);

/* A value of an enum, by its name. */
void cni_io_choice(cni_io *io, const char *key, const cni_names *names, int *value);

/* When reading: keeps a failure, with the place of the value at fault. cni_io_blame() keeps the
 * sentence of the call that returned the status. */
void cni_io_fail(cni_io *io, const char *key, const char *format, ...) CNI_PRINTF(3, 4);
void cni_io_blame(cni_io *io, const char *key, cn_status status);

/* When reading: makes a call and keeps its failure. */
#define CNI_IO_CALL(io, key, call)       \
    do {                                 \
        if (cni_io_reads(io))            \
            cni_io_blame(io, key, call); \
    } while (0)

/* When reading: new memory; else, and after a failure, NULL. */
void *cni_io_allocate(cni_io *io, uint64_t count, size_t size);

/* While writing: puts a number as an element of an array. */
void cni_io_put(cni_io *io, uint64_t value);

/* A hash of the members, and of `start`. */
uint64_t cni_json_hash(uint64_t start, cni_visit_fn visit, const void *object);

/* The text of an object of this kind, with the members that name kind and format; an object of
 * this kind from its text. */
cn_status cni_json_give(const char *function, const char *kind, cni_visit_fn visit,
                        const void *object, char text[], size_t capacity, size_t *length);
cn_status cni_json_take(const cni_json *json, const char *kind, cni_visit_fn visit, void *object);

/* The public functions cn_TYPE_json() and cn_TYPE_from_json() of a type. The visit gets a
 * pointer to the handle; the handle is NULL before reading and stays NULL after a failure. */
#define CNI_JSON_TEXTS(type, visit)                                                                \
    cn_status cn_##type##_json(const cn_##type *type, char text[], size_t capacity,                \
                               size_t *length)                                                     \
    {                                                                                              \
        CNI_REQUIRE(type);                                                                         \
        CNI_REQUIRE_ARRAY(text, capacity);                                                         \
        return cni_json_give(__func__, #type, visit, &type, text, capacity, length);               \
    }                                                                                              \
    cn_status cn_##type##_from_json(const char *text, const cn_control *control, cn_##type **type) \
    {                                                                                              \
        CNI_REQUIRE_OUT(type);                                                                     \
        CNI_JSON_READ(json, text, control);                                                        \
        return cni_json_take(&json, #type, visit, type);                                           \
    }                                                                                              \
    enum { type##_is_in_json } /* takes the semicolon */

#endif

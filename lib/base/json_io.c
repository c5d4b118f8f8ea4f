/* Visits to objects that are written or read. */
#include "base/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "base/memory.h"

/* ---- writing ---- */

/* Spaces of a level; objects deeper than LINES levels are written into one line. */
enum { INDENT = 2, LINES = 2 };

enum { LONGEST_NUMBER = 40 };

/* While writing: puts what stands before an element or a member, a comma, its line, its key, and
 * returns the text, which continues with the value. Else NULL. */
static cni_text *begin(cni_io *io, const char *key)
{
    cni_json_writer *w = io->writer;
    if (w == NULL)
        return NULL;
    if (w->depth > 0 && w->flat == 0)
        cni_text_put(&w->out, "%s\n%*s", w->is_first ? "" : ",", (int)(INDENT * w->depth), "");
    else if (!w->is_first)
        cni_text_add(&w->out, ", ", 2);
    if (key != NULL)
        cni_text_put(&w->out, "\"%s\": ", key);
    w->is_first = 0;
    return &w->out;
}

static int open_bracket(cni_io *io, const char *key, char bracket)
{
    cni_json_writer *w = io->writer;
    if (begin(io, key) == NULL)
        return 0;
    cni_text_put(&w->out, "%c", bracket);
    w->depth++;
    w->flat += bracket == '[' || w->depth > LINES || w->flat > 0;
    w->is_first = 1;
    return 1;
}

static void close_bracket(cni_json_writer *w, char bracket)
{
    w->depth--;
    if (w->flat == 0 && !w->is_first)
        cni_text_put(&w->out, "\n%*s", (int)(INDENT * w->depth), "");
    w->flat -= w->flat > 0;
    cni_text_put(&w->out, "%c", bracket);
    w->is_first = 0;
}

/* ---- finding the members of an object ---- */

/* Whether a string is this name. */
static int is_name(const char *at, const char *name)
{
    char c;
    for (at++; *at != '"'; name++) {
        at = cni_json_character(at, &c);
        if (c != *name)
            return 0;
    }
    return *name == '\0';
}

static cn_status fail_unknown(const cni_io *io, const char *key, size_t length)
{
    cni_json_value at = {key, NULL};
    cni_names keys = {"key", &io->value[0].key, sizeof io->value[0], 0, (int)io->count - 1};
    char name[CNI_JSON_NAME], hint[CNI_HINT_CAPACITY];
    snprintf(name, sizeof name, "%.*s", (int)(length < 40 ? length : 40), key + 1);
    return cni_json_fail(io->json, at, CN_ERR_ARGUMENT, "there is no key \"%s\" here%s", name,
                         cni_hint(&keys, name, hint));
}

/* Finds the listed members in the text. with_others: the list has only kind and format, and the
 * object may have other members; otherwise another member is refused. */
static cn_status find_members(cni_io *io, int with_others)
{
    for (cni_json_value v = cni_json_first(io->at); v.at != NULL; v = cni_json_next(v)) {
        const char *key = v.at, *end = cni_json_after_value(key);
        size_t i = 0;
        while (i < io->count && !is_name(key, io->value[i].key))
            i++;
        if (i == io->count && !with_others)
            return fail_unknown(io, key, (size_t)(end - key) - 2);
        if (i < io->count && io->value[i].at != NULL)
            return cni_json_fail(io->json, (cni_json_value){key, NULL}, CN_ERR_ARGUMENT,
                                 "the key \"%s\" stands here a second time", io->value[i].key);
        v.at = cni_json_after_space(cni_json_after_space(end) + 1);
        if (i < io->count)
            io->value[i].at = v.at;
    }
    for (size_t i = 0; i < io->count; i++)
        if (io->required[i] && io->value[i].at == NULL && with_others)
            return cni_json_fail(io->json, io->at, CN_ERR_ARGUMENT,
                                 "the keys \"cubenet\" and \"format\" must say what this is");
        else if (io->required[i] && io->value[i].at == NULL)
            return cni_json_fail(io->json, io->at, CN_ERR_ARGUMENT, "the key \"%s\" is missing",
                                 io->value[i].key);
    return CN_OK;
}

static void list_key(cni_io *io, const char *key, int required)
{
    io->required[io->count] = (char)required;
    io->value[io->count++] = (cni_json_value){NULL, key};
}

static cn_status read_object(const cni_json *json, cni_json_value at, int with_others,
                             cni_visit_fn visit, void *object)
{
    cni_io io = {.json = json, .at = at, .lists = 1};
    visit(&io, object);
    CNI_TRY(find_members(&io, with_others));
    io.lists = 0;
    visit(&io, object);
    return io.status;
}

/* ---- what a visit reads, or lists ---- */

/* The value of a listed key; a NULL key stands for the object. */
static cni_json_value value_of(const cni_io *io, const char *key)
{
    size_t i = 0;
    if (key == NULL)
        return io->at;
    while (i < io->count && strcmp(io->value[i].key, key) != 0)
        i++;
    return i < io->count ? io->value[i] : (cni_json_value){NULL, key};
}

int cni_io_finds(cni_io *io, const char *key)
{
    if (io->lists)
        list_key(io, key, 0);
    return cni_io_reads(io) && value_of(io, key).at != NULL;
}

void cni_io_fail(cni_io *io, const char *key, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    io->status = cni_json_fail(io->json, value_of(io, key), CN_ERR_ARGUMENT, "%s", sentence);
}

void cni_io_blame(cni_io *io, const char *key, cn_status status)
{
    io->status = status;
    if (status != CN_OK && status != CN_ERR_MEMORY && status != CN_ERR_CANCELLED)
        cni_json_fail(io->json, value_of(io, key), status, "%s", cn_last_error());
}

void *cni_io_allocate(cni_io *io, uint64_t count, size_t size)
{
    void *memory = cni_io_reads(io) ? cni_allocate(count, size) : NULL;
    if (cni_io_reads(io) && memory == NULL)
        io->status = CN_ERR_MEMORY;
    return memory;
}

int cni_io_begins(cni_io *io, const char *key, char type)
{
    return cni_io_reads(io) && cni_json_type(value_of(io, key)) == type;
}

/* ---- what a visit does ---- */

void cni_io_put(cni_io *io, uint64_t value)
{
    cni_text_put(begin(io, NULL), "%llu", (unsigned long long)value);
}

/* Says what stands at a value and what must. */
static void fail_other(cni_io *io, const char *key, const char *what)
{
    enum { SHOWN = 40 };
    const char *at = value_of(io, key).at;
    int length = (int)(cni_json_after_value(at) - at);
    cni_io_fail(io, key, "%.*s%s stands here, but it must be %s", length < SHOWN ? length : SHOWN,
                at, length > SHOWN ? "..." : "", what);
}

/* 1 when a value of this type is to be read; type 0: any. A member that is missing here is a
 * failure: the visit listed it as one of several, or did not list it. */
static int reads(cni_io *io, const char *key, char type, const char *what)
{
    if (cni_io_reads(io) && key != NULL && value_of(io, key).at == NULL)
        io->status =
            cni_json_fail(io->json, io->at, CN_ERR_ARGUMENT, "the key \"%s\" is missing", key);
    else if (cni_io_reads(io) && type != 0 && !cni_io_begins(io, key, type))
        fail_other(io, key, what);
    return cni_io_reads(io);
}

/* The same; lists the key. */
static int takes(cni_io *io, const char *key, char type, const char *what)
{
    if (io->lists && key != NULL)
        list_key(io, key, 1);
    return reads(io, key, type, what);
}

static void read_whole(cni_io *io, const char *key, uint64_t *value, uint64_t most)
{
    const char *from = value_of(io, key).at, *at = from;
    char range[64];
    uint64_t number;
    if (cni_read_whole(&at, NULL, &number) && at == cni_json_after_value(from) && number <= most) {
        *value = number;
        return;
    }
    snprintf(range, sizeof range, "a whole number from 0 to %llu", (unsigned long long)most);
    fail_other(io, key, range);
}

void cni_io_whole(cni_io *io, const char *key, uint64_t *value, uint64_t most)
{
    cni_text *out = begin(io, key);
    if (out != NULL)
        cni_text_put(out, "%llu", (unsigned long long)*value);
    else if (takes(io, key, '0', "a whole number"))
        read_whole(io, key, value, most);
}

/* strtod() reads the decimal point of the locale, which printf() shows. */
static void read_number(cni_io *io, const char *key, double *value)
{
    char copy[LONGEST_NUMBER + 16], half[16];
    const char *at = value_of(io, key).at;
    size_t length = (size_t)(cni_json_after_value(at) - at), put = 0;
    if (length > LONGEST_NUMBER) {
        cni_io_fail(io, key, "the number has %zu characters, but at most %d are read", length,
                    LONGEST_NUMBER);
        return;
    }
    size_t point = (size_t)snprintf(half, sizeof half, "%.1f", 0.5) - 2;
    for (size_t i = 0; i < length; i++) {
        memcpy(copy + put, at[i] == '.' ? half + 1 : at + i, at[i] == '.' ? point : 1);
        put += at[i] == '.' ? point : 1;
    }
    copy[put] = '\0';
    *value = strtod(copy, NULL);
    if (isinf(*value))
        cni_io_fail(io, key, "%.*s is too large for a number", (int)length, at);
}

/* The text of a number that JSON lacks. */
static const char *word_of(double value)
{
    return isnan(value) ? "NaN" : value > 0.0 ? "Infinity" : "-Infinity";
}

static void read_word(cni_io *io, const char *key, double *value)
{
    static const double words[] = {INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (cni_io_begins(io, key, '"') && is_name(value_of(io, key).at, word_of(words[i]))) {
            *value = words[i];
            return;
        }
    fail_other(io, key, "a number, or \"Infinity\", \"-Infinity\" or \"NaN\"");
}

void cni_io_real(cni_io *io, const char *key, double *value)
{
    char number[CNI_NUMBER_CAPACITY];
    cni_text *out = begin(io, key);
    if (out != NULL && isfinite(*value))
        cni_text_put(out, "%s", cni_number_text(*value, number));
    else if (out != NULL)
        cni_text_put(out, "\"%s\"", word_of(*value));
    else if (takes(io, key, 0, NULL) && cni_io_begins(io, key, '0'))
        read_number(io, key, value);
    else if (cni_io_reads(io))
        read_word(io, key, value);
}

void cni_io_flag(cni_io *io, const char *key, int *value)
{
    cni_text *out = begin(io, key);
    if (out != NULL)
        cni_text_put(out, "%s", *value ? "true" : "false");
    else if (takes(io, key, 0, NULL))
        *value = cni_io_begins(io, key, 't');
    if (cni_io_reads(io) && !*value && !cni_io_begins(io, key, 'f'))
        fail_other(io, key, "true or false");
}

static void read_name(cni_io *io, const char *key, char name[CNI_JSON_NAME])
{
    size_t length = 0;
    for (const char *at = value_of(io, key).at + 1; *at != '"'; length++)
        at = cni_json_character(at, &name[length < CNI_JSON_NAME ? length : 0]);
    if (length >= CNI_JSON_NAME)
        cni_io_fail(io, key, "the name has %zu bytes, but at most %d are read", length,
                    CNI_JSON_NAME - 1);
    else
        name[length] = '\0';
}

void cni_io_name(cni_io *io, const char *key, const char *written, char read[CNI_JSON_NAME])
{
    cni_text *out = begin(io, key);
    if (out != NULL)
        cni_text_put(out, "\"%s\"", written);
    else if (takes(io, key, '"', "a name in double quotes"))
        read_name(io, key, read);
}

void cni_io_choice(cni_io *io, const char *key, const cni_names *names, int *value)
{
    char name[CNI_JSON_NAME];
    cni_io_name(io, key, cni_name_of(names, *value), name);
    CNI_IO_CALL(io, key, cni_from_name(io->json->function, names, name, value));
}

void cni_io_object(cni_io *io, const char *key, cni_visit_fn visit, void *object)
{
    if (open_bracket(io, key, '{')) {
        visit(io, object);
        close_bracket(io->writer, '}');
    } else if (takes(io, key, '{', "an object")) {
        io->status = read_object(io->json, value_of(io, key), 0, visit, object);
    }
}

size_t cni_io_count(cni_io *io, const char *key)
{
    size_t count = 0;
    if (reads(io, key, '[', "an array"))
        for (cni_json_value v = cni_json_first(value_of(io, key)); v.at != NULL; count++)
            v = cni_json_next(v);
    return count;
}

void cni_io_array(cni_io *io, const char *key, size_t count, cni_visit_element_fn visit,
                  void *array)
{
    if (open_bracket(io, key, '[')) {
        for (size_t i = 0; i < count; i++)
            visit(io, i, array);
        close_bracket(io->writer, ']');
    } else if (takes(io, key, '[', "an array")) {
        cni_io element = {.json = io->json, .at = cni_json_first(value_of(io, key))};
        for (size_t i = 0; element.at.at != NULL && element.status == CN_OK; i++) {
            visit(&element, i, array);
            if (element.status == CN_OK)
                element.status = cni_budget_go_on(io->json->budget, 8);
            element.at = cni_json_next(element.at);
        }
        io->status = element.status;
    }
}

typedef struct numbers {
    uint64_t *whole, most;
    double *real;
} numbers;

static void visit_number(cni_io *io, size_t i, void *of)
{
    const numbers *n = of;
    if (n->real != NULL)
        cni_io_real(io, NULL, n->real + i);
    else
        cni_io_whole(io, NULL, n->whole + i, n->most);
}

static void visit_numbers(cni_io *io, const char *key, uint64_t count, numbers *n)
{
    size_t found = cni_io_count(io, key);
    if (cni_io_reads(io) && found != count)
        cni_io_fail(io, key, "the array has %zu elements, but it must have %zu", found,
                    cni_size(count));
    cni_io_array(io, key, cni_size(count), visit_number, n);
}

void cni_io_wholes(cni_io *io, const char *key, uint64_t values[], uint64_t count, uint64_t most)
{
    visit_numbers(io, key, count, &(numbers){values, most, NULL});
}

void cni_io_reals(cni_io *io, const char *key, double values[], uint64_t count)
{
    visit_numbers(io, key, count, &(numbers){NULL, 0, values});
}

void cni_io_list(cni_io *io, const char *key, uint64_t **values, size_t *count, uint64_t most)
{
    if (!cni_io_writes(io)) {
        *count = cni_io_count(io, key);
        *values = cni_io_allocate(io, *count, sizeof **values);
    }
    cni_io_wholes(io, key, *values, *count, most);
}

/* ---- whole texts ---- */

uint64_t cni_json_hash(uint64_t start, cni_visit_fn visit, const void *object)
{
    cni_json_writer w = {.out = {.hash = &start}};
    cni_io io = {.writer = &w};
    visit(&io, cni_mutable(object)); /* writing does not change the object */
    return start;
}

typedef struct whole {
    const char *kind;
    cni_visit_fn visit; /* NULL: visit only kind and format */
    void *object;
} whole;

static void visit_whole(cni_io *io, void *of)
{
    const whole *w = of;
    char name[CNI_JSON_NAME];
    uint64_t format = CNI_JSON_FORMAT;
    cni_io_name(io, "cubenet", w->kind, name);
    if (cni_io_reads(io) && strcmp(name, w->kind) != 0)
        cni_io_fail(io, "cubenet", "this is \"%.40s\", but \"%s\" is read here", name, w->kind);
    cni_io_whole(io, "format", &format, UINT64_MAX);
    if (cni_io_reads(io) && format != CNI_JSON_FORMAT)
        io->status =
            cni_json_fail(io->json, value_of(io, "format"), CN_ERR_UNSUPPORTED,
                          "the text has format %llu, but version %s of cubenet reads format %d",
                          (unsigned long long)format, cn_version_text(), CNI_JSON_FORMAT);
    if (w->visit != NULL)
        w->visit(io, w->object);
}

cn_status cni_json_give(const char *function, const char *kind, cni_visit_fn visit,
                        const void *object, char text[], size_t capacity, size_t *length)
{
    whole all = {kind, visit, cni_mutable(object)};
    cni_json_writer measure = {.is_first = 1};
    cni_json_writer write = {.is_first = 1, .out = {.text = text, .capacity = capacity}};
    cni_io_object(&(cni_io){.writer = &measure}, NULL, visit_whole, &all);
    CNI_TRY(cni_text_fits(function, "text", measure.out.length, capacity, length));
    cni_io_object(&(cni_io){.writer = &write}, NULL, visit_whole, &all);
    text[measure.out.length] = '\0';
    return CN_OK;
}

/* Kind and format first: no other member is of interest in another kind or format. */
cn_status cni_json_take(const cni_json *json, const char *kind, cni_visit_fn visit, void *object)
{
    cni_json_value root = {cni_json_after_space(json->text), NULL};
    CNI_TRY(cni_json_check(json));
    CNI_TRY(read_object(json, root, 1, visit_whole, &(whole){kind, NULL, NULL}));
    return read_object(json, root, 0, visit_whole, &(whole){kind, visit, object});
}

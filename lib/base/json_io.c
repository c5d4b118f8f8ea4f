/* Visits to objects that are written or read. */
#include "base/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hint.h"
#include "base/memory.h"

/* ---- writing ---- */

/* Objects that lie deeper than this are written into one line. */
enum { INDENT = 2, LINES = 2 };

/* The text before an element or a member: a comma, its line, its key. */
static void begin(cni_json_writer *w, const char *key)
{
    if (w->depth > 0 && w->flat == 0)
        cni_text_put(&w->out, "%s\n%*s", w->is_first ? "" : ",", (int)(INDENT * w->depth), "");
    else if (!w->is_first)
        cni_text_add(&w->out, ", ", 2);
    if (key != NULL)
        cni_text_put(&w->out, "\"%s\": ", key);
    w->is_first = 0;
}

static void open_bracket(cni_json_writer *w, const char *key, char bracket)
{
    begin(w, key);
    cni_text_put(&w->out, "%c", bracket);
    w->depth++;
    w->flat += bracket == '[' || w->depth > LINES || w->flat > 0;
    w->is_first = 1;
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

static void put_name(cni_json_writer *w, const char *key, const char *name)
{
    begin(w, key);
    cni_text_put(&w->out, "\"%s\"", name);
}

static void put_whole(cni_json_writer *w, const char *key, uint64_t value)
{
    char digits[20];
    size_t first = sizeof digits;
    begin(w, key);
    do
        digits[--first] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    cni_text_add(&w->out, digits + first, sizeof digits - first);
}

static void put_real(cni_json_writer *w, const char *key, double value)
{
    char number[CNI_NUMBER_CAPACITY];
    if (isnan(value)) {
        put_name(w, key, "NaN");
        return;
    }
    if (isinf(value)) {
        put_name(w, key, value > 0.0 ? "Infinity" : "-Infinity");
        return;
    }
    begin(w, key);
    cni_text_put(&w->out, "%s", cni_number_text(value, number));
}

static void put_flag(cni_json_writer *w, const char *key, int value)
{
    begin(w, key);
    cni_text_put(&w->out, "%s", value ? "true" : "false");
}

/* ---- finding the members of an object ---- */

/* Whether a string is this name. */
static int is_name(const char *at, const char *name)
{
    char utf8[4];
    size_t bytes;
    for (at++; *at != '"'; name += bytes) {
        at = cni_json_character(at, utf8, &bytes);
        if (strncmp(utf8, name, bytes) != 0)
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
    return cni_json_fail(io->json, at, "there is no key \"%s\" here%s", name,
                         cni_hint(&keys, name, hint));
}

/* Finds the listed members, and refuses any other. */
static cn_status find_members(cni_io *io)
{
    CNI_TRY(cni_json_check_type(io->json, io->at, '{', "an object"));
    for (cni_json_value v = cni_json_first(io->at); v.at != NULL; v = cni_json_next(v)) {
        const char *key = v.at, *end = cni_json_after_value(key);
        size_t i = 0;
        while (i < io->count && !is_name(key, io->value[i].key))
            i++;
        if (i == io->count)
            return fail_unknown(io, key, (size_t)(end - key) - 2);
        if (io->value[i].at != NULL)
            return cni_json_fail(io->json, (cni_json_value){key, NULL},
                                 "the key \"%s\" stands here a second time", io->value[i].key);
        v.at = io->value[i].at = cni_json_after_space(cni_json_after_space(end) + 1);
    }
    for (size_t i = 0; i < io->count; i++)
        if (io->required[i] && io->value[i].at == NULL)
            return cni_json_fail(io->json, io->at, "the key \"%s\" is missing", io->value[i].key);
    return CN_OK;
}

/* Checks kind and format before all other members, which are of no interest in another kind or
 * format. */
static cn_status check_kind(const cni_json *json, const char *kind, cni_json_value root)
{
    char name[CNI_JSON_NAME];
    uint64_t format = 0;
    cni_json_value is = {NULL, "cubenet"}, in = {NULL, "format"};
    for (cni_json_value v = cni_json_first(root); v.at != NULL; v = cni_json_next(v)) {
        cni_json_value *found = is_name(v.at, "cubenet") ? &is : is_name(v.at, "format") ? &in : &v;
        v.at = found->at =
            cni_json_after_space(cni_json_after_space(cni_json_after_value(v.at)) + 1);
    }
    if (is.at == NULL || in.at == NULL)
        return cni_json_fail(json, root,
                             "the keys \"cubenet\" and \"format\" must say what this is");
    CNI_TRY(cni_json_name(json, is, name));
    if (strcmp(name, kind) != 0)
        return cni_json_fail(json, is, "this is \"%.40s\", but \"%s\" is read here", name, kind);
    CNI_TRY(cni_json_whole(json, in, UINT64_MAX, &format));
    if (format == CNI_JSON_FORMAT)
        return CN_OK;
    cni_json_fail(json, in, "the text has format %llu, but version %s of cubenet reads format %d",
                  (unsigned long long)format, cn_version_text(), CNI_JSON_FORMAT);
    return CN_ERR_UNSUPPORTED;
}

static void list_key(cni_io *io, const char *key, int required)
{
    io->required[io->count] = (char)required;
    io->value[io->count++] = (cni_json_value){NULL, key};
}

/* All but the room for keys. */
static void start_reading(cni_io *io, const cni_json *json, cni_json_value at)
{
    io->writer = NULL;
    io->json = json;
    io->lists = 0;
    io->status = CN_OK;
    io->at = at;
    io->count = 0;
}

static cn_status read_object(const cni_json *json, cni_json_value at, int is_whole,
                             cni_visit_fn visit, void *object)
{
    cni_io io;
    start_reading(&io, json, at);
    io.lists = 1;
    visit(&io, object);
    if (is_whole) {
        list_key(&io, "cubenet", 1);
        list_key(&io, "format", 1);
    }
    CNI_TRY(find_members(&io));
    io.lists = 0;
    visit(&io, object);
    return io.status;
}

cn_status cni_json_take(const cni_json *json, const char *kind, cni_visit_fn visit, void *object)
{
    CNI_TRY(cni_json_check(json));
    cni_json_value root = {cni_json_after_space(json->text), NULL};
    CNI_TRY(check_kind(json, kind, root));
    return read_object(json, root, 1, visit, object);
}

/* ---- what a visit reads, or lists ---- */

cni_json_value cni_io_value(const cni_io *io, const char *key)
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
    return cni_io_reads(io) && cni_io_value(io, key).at != NULL;
}

/* Whether a member is to be read. A member that is missing here is a failure: the visit listed
 * it as one of several, or did not list it. */
static int reads_member(cni_io *io, const char *key)
{
    if (key != NULL && cni_io_reads(io) && cni_io_value(io, key).at == NULL)
        io->status = cni_json_fail(io->json, io->at, "the key \"%s\" is missing", key);
    return cni_io_reads(io);
}

int cni_io_takes(cni_io *io, const char *key)
{
    if (io->lists && key != NULL)
        list_key(io, key, 1);
    return reads_member(io, key);
}

void cni_io_fail(cni_io *io, const char *key, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    io->status = cni_json_fail(io->json, cni_io_value(io, key), "%s", sentence);
}

void cni_io_blame(cni_io *io, const char *key, cn_status status)
{
    io->status = cni_json_blame(io->json, cni_io_value(io, key), status);
}

int cni_io_begins(cni_io *io, const char *key, char type)
{
    return cni_io_reads(io) && cni_json_type(cni_io_value(io, key)) == type;
}

/* ---- what a visit does ---- */

void cni_io_put(cni_io *io, uint64_t value)
{
    put_whole(io->writer, NULL, value);
}

void cni_io_whole(cni_io *io, const char *key, uint64_t *value, uint64_t most)
{
    if (cni_io_writes(io))
        put_whole(io->writer, key, *value);
    else if (cni_io_takes(io, key))
        io->status = cni_json_whole(io->json, cni_io_value(io, key), most, value);
}

void cni_io_real(cni_io *io, const char *key, double *value)
{
    if (cni_io_writes(io))
        put_real(io->writer, key, *value);
    else if (cni_io_takes(io, key))
        io->status = cni_json_real(io->json, cni_io_value(io, key), value);
}

void cni_io_flag(cni_io *io, const char *key, int *value)
{
    if (cni_io_writes(io))
        put_flag(io->writer, key, *value);
    else if (cni_io_takes(io, key))
        *value = cni_json_type(cni_io_value(io, key)) == 't';
    if (cni_io_reads(io) && !*value)
        io->status = cni_json_check_type(io->json, cni_io_value(io, key), 'f', "true or false");
}

void cni_io_name(cni_io *io, const char *key, const char *written, char read[CNI_JSON_NAME])
{
    if (cni_io_writes(io))
        put_name(io->writer, key, written);
    else if (cni_io_takes(io, key))
        io->status = cni_json_name(io->json, cni_io_value(io, key), read);
}

void cni_io_choice(cni_io *io, const char *key, const cni_names *names, int *value)
{
    char name[CNI_JSON_NAME];
    cni_io_name(io, key, cni_name_of(names, *value), name);
    if (cni_io_reads(io))
        cni_io_blame(io, key, cni_from_name(io->json->function, names, name, value));
}

void cni_io_object(cni_io *io, const char *key, cni_visit_fn visit, void *object)
{
    if (cni_io_writes(io)) {
        open_bracket(io->writer, key, '{');
        visit(io, object);
        close_bracket(io->writer, '}');
    } else if (cni_io_takes(io, key)) {
        io->status = read_object(io->json, cni_io_value(io, key), 0, visit, object);
    }
}

size_t cni_io_count(cni_io *io, const char *key)
{
    size_t count = 0;
    if (reads_member(io, key))
        io->status = cni_json_count(io->json, cni_io_value(io, key), &count);
    return count;
}

void cni_io_array(cni_io *io, const char *key, size_t count, cni_visit_element_fn visit,
                  void *array)
{
    if (cni_io_writes(io)) {
        open_bracket(io->writer, key, '[');
        for (size_t i = 0; i < count; i++)
            visit(io, i, array);
        close_bracket(io->writer, ']');
    } else if (cni_io_takes(io, key)) {
        cni_io element;
        cni_json_value whole = cni_io_value(io, key);
        io->status = cni_json_check_type(io->json, whole, '[', "an array");
        if (io->status != CN_OK)
            return;
        start_reading(&element, io->json, cni_json_first(whole));
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
    if (!cni_io_writes(io))
        *count = cni_io_count(io, key);
    if (cni_io_reads(io)) {
        *values = cni_allocate(*count, sizeof **values);
        io->status = *values == NULL ? CN_ERR_MEMORY : CN_OK;
    }
    cni_io_wholes(io, key, *values, *count, most);
}

/* ---- whole texts ---- */

uint64_t cni_json_hash(uint64_t start, cni_visit_fn visit, const void *object)
{
    cni_json_writer w = {.out = {.hash = &start}};
    cni_io io = {.writer = &w};
    visit(&io, cni_mutable(object)); /* which is not changed */
    return start;
}

static void put_whole_object(cni_json_writer *w, const char *kind, cni_visit_fn visit,
                             const void *object)
{
    cni_io io = {.writer = w};
    w->is_first = 1;
    open_bracket(w, NULL, '{');
    put_name(w, "cubenet", kind);
    put_whole(w, "format", CNI_JSON_FORMAT);
    visit(&io, cni_mutable(object));
    close_bracket(w, '}');
}

cn_status cni_json_give(const char *function, const char *kind, cni_visit_fn visit,
                        const void *object, char text[], size_t capacity, size_t *length)
{
    cni_json_writer measure = {0}, write = {.out = {.text = text, .capacity = capacity}};
    put_whole_object(&measure, kind, visit, object);
    CNI_TRY(cni_text_fits(function, "text", measure.out.length, capacity, length));
    put_whole_object(&write, kind, visit, object);
    text[measure.out.length] = '\0';
    return CN_OK;
}

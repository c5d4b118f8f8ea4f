#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LONGEST_NUMBER = 40 };

/* ---- going through a text that has been checked ---- */

static const char *after_value(const char *at)
{
    const char *wrong;
    size_t depth = 0;
    do {
        if (*at == '"')
            at = cni_json_after_string(at, &wrong);
        else if (*at == '{' || *at == '[')
            depth++, at++;
        else if (*at == '}' || *at == ']')
            depth--, at++;
        else
            at += 1 + strcspn(at + 1, "\"{}[], \t\r\n");
    } while (depth > 0);
    return at;
}

char cni_json_type(cni_json_value value)
{
    return (char)((*value.at >= '0' && *value.at <= '9') || *value.at == '-' ? '0' : *value.at);
}

/* What follows the bracket or the comma at a place; NULL where that is the end. */
static const char *step(const char *at)
{
    at = cni_json_after_space(at + 1);
    return *at == ']' || *at == '}' ? NULL : at;
}

cni_json_value cni_json_first(cni_json_value array)
{
    return (cni_json_value){step(array.at), array.key};
}

cni_json_value cni_json_next(cni_json_value element)
{
    const char *at = cni_json_after_space(after_value(element.at));
    return (cni_json_value){*at == ',' ? step(at) : NULL, element.key};
}

/* Says what stands at a value and what must. */
static cn_status fail_other(const cni_json *json, cni_json_value value, const char *what)
{
    enum { SHOWN = 40 };
    int length = (int)(after_value(value.at) - value.at);
    return cni_json_fail(json, value, "%.*s%s stands here, but it must be %s",
                         length < SHOWN ? length : SHOWN, value.at, length > SHOWN ? "..." : "",
                         what);
}

static cn_status check_type(const cni_json *json, cni_json_value value, char type, const char *what)
{
    return cni_json_type(value) == type ? CN_OK : fail_other(json, value, what);
}

cn_status cni_json_count(const cni_json *json, cni_json_value array, size_t *count)
{
    CNI_TRY(check_type(json, array, '[', "an array"));
    *count = 0;
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v))
        ++*count;
    return CN_OK;
}

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

/* ---- objects ---- */

/* Of two short names: how many characters must be inserted, deleted or replaced. */
static size_t edits(const char *a, size_t length, const char *b)
{
    size_t row[CNI_JSON_NAME];
    size_t most = strlen(b);
    for (size_t j = 0; j <= most; j++)
        row[j] = j;
    for (size_t i = 0; i < length; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < most; j++) {
            size_t least = diagonal + (a[i] != b[j]);
            least = row[j] + 1 < least ? row[j] + 1 : least;
            diagonal = row[j + 1];
            row[j + 1] = diagonal + 1 < least ? diagonal + 1 : least;
        }
    }
    return row[most];
}

static cn_status fail_unknown(const cni_json *json, const char *key, size_t length,
                              const char *const keys[], size_t count)
{
    cni_json_value at = {key, NULL};
    size_t least = 3, nearest = count;
    length = length < 40 ? length : 40;
    for (size_t i = 0; i < count; i++)
        if (edits(key + 1, length, keys[i]) < least) {
            least = edits(key + 1, length, keys[i]);
            nearest = i;
        }
    if (nearest < count)
        return cni_json_fail(json, at, "there is no key \"%.*s\" here; did you mean \"%s\"?",
                             (int)length, key + 1, keys[nearest]);
    char list[160];
    cni_text names = {.text = list, .capacity = sizeof list};
    for (size_t i = 0; i < count; i++)
        cni_text_put(&names, "%s%s", i == 0 ? "" : ", ", keys[i]);
    list[names.length < sizeof list ? names.length : 0] = '\0';
    return cni_json_fail(json, at, "there is no key \"%.*s\" here%s%s", (int)length, key + 1,
                         list[0] == '\0' ? "" : "; there are: ", list);
}

cn_status cni_json_members(const cni_json *json, cni_json_value object, const char *const keys[],
                           size_t required, size_t count, cni_json_value values[])
{
    CNI_TRY(check_type(json, object, '{', "an object"));
    for (size_t i = 0; i < count; i++)
        values[i] = (cni_json_value){NULL, keys[i]};
    for (cni_json_value v = cni_json_first(object); v.at != NULL; v = cni_json_next(v)) {
        const char *key = v.at, *end = after_value(key);
        size_t i = 0;
        while (i < count && !is_name(key, keys[i]))
            i++;
        if (i == count)
            return fail_unknown(json, key, (size_t)(end - key) - 2, keys, count);
        if (values[i].at != NULL)
            return cni_json_fail(json, (cni_json_value){key, NULL},
                                 "the key \"%s\" stands here a second time", keys[i]);
        v.at = values[i].at = cni_json_after_space(cni_json_after_space(end) + 1);
    }
    for (size_t i = 0; i < required; i++)
        if (values[i].at == NULL)
            return cni_json_fail(json, object, "the key \"%s\" is missing", keys[i]);
    return CN_OK;
}

/* What it is, whatever other members there are: those of another kind or format are of no interest. */
static cn_status check_kind(const cni_json *json, const char *kind, cni_json_value root)
{
    char name[CNI_JSON_NAME];
    uint64_t format = 0;
    cni_json_value is = {NULL, "cubenet"}, in = {NULL, "format"};
    for (cni_json_value v = cni_json_first(root); v.at != NULL; v = cni_json_next(v)) {
        cni_json_value *found = is_name(v.at, "cubenet") ? &is : is_name(v.at, "format") ? &in : &v;
        v.at = found->at = cni_json_after_space(cni_json_after_space(after_value(v.at)) + 1);
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

cn_status cni_json_begin(cni_json *json, const char *kind, const char *const keys[],
                         size_t required, size_t count, cni_json_value values[])
{
    enum { MOST_KEYS = 24 };
    const char *all[MOST_KEYS];
    cni_json_value found[MOST_KEYS], root;
    CNI_TRY(cni_json_check(json));
    root = (cni_json_value){cni_json_after_space(json->text), NULL};
    CNI_TRY(check_kind(json, kind, root));
    memcpy(all, keys, count * sizeof *keys);
    all[count] = "cubenet";
    all[count + 1] = "format";
    CNI_TRY(cni_json_members(json, root, all, required, count + 2, found));
    memcpy(values, found, count * sizeof *values);
    return CN_OK;
}

/* ---- scalars ---- */

cn_status cni_json_whole(const cni_json *json, cni_json_value value, uint64_t most, uint64_t *out)
{
    CNI_TRY(check_type(json, value, '0', "a whole number"));
    const char *end = cni_json_after_digits(value.at);
    uint64_t number = 0;
    int fits = end == after_value(value.at);
    for (const char *c = value.at; c < end && fits; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        fits = number <= (UINT64_MAX - digit) / 10;
        number = number * 10 + digit;
    }
    if (!fits || number > most) {
        char range[64];
        snprintf(range, sizeof range, "a whole number from 0 to %llu", (unsigned long long)most);
        return fail_other(json, value, range);
    }
    *out = number;
    return CN_OK;
}

/* strtod() reads the point of the locale, which printf() shows. */
static cn_status read_number(const cni_json *json, cni_json_value value, double *out)
{
    char copy[LONGEST_NUMBER + 16], half[16];
    size_t length = (size_t)(after_value(value.at) - value.at), put = 0;
    if (length > LONGEST_NUMBER)
        return cni_json_fail(json, value, "the number has %zu characters, but at most %d are read",
                             length, LONGEST_NUMBER);
    int point = snprintf(half, sizeof half, "%.1f", 0.5) - 2;
    for (size_t i = 0; i < length; i++)
        if (value.at[i] == '.') {
            memcpy(copy + put, half + 1, (size_t)point);
            put += (size_t)point;
        } else {
            copy[put++] = value.at[i];
        }
    copy[put] = '\0';
    *out = strtod(copy, NULL);
    if (isinf(*out))
        return cni_json_fail(json, value, "%.*s is too large for a number", (int)length, value.at);
    return CN_OK;
}

cn_status cni_json_real(const cni_json *json, cni_json_value value, double *out)
{
    static const struct {
        const char *name;
        double number;
    } names[] = {{"Infinity", INFINITY}, {"-Infinity", -INFINITY}, {"NaN", NAN}};
    static const char what[] = "a number, or \"Infinity\", \"-Infinity\" or \"NaN\"";
    char name[CNI_JSON_NAME];
    if (cni_json_type(value) == '0')
        return read_number(json, value, out);
    CNI_TRY(check_type(json, value, '"', what));
    CNI_TRY(cni_json_name(json, value, name));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i].name) == 0) {
            *out = names[i].number;
            return CN_OK;
        }
    return fail_other(json, value, what);
}

cn_status cni_json_flag(const cni_json *json, cni_json_value value, int *out)
{
    *out = *value.at == 't';
    return *out ? CN_OK : check_type(json, value, 'f', "true or false");
}

cn_status cni_json_name(const cni_json *json, cni_json_value value, char out[CNI_JSON_NAME])
{
    CNI_TRY(check_type(json, value, '"', "a name in double quotes"));
    char utf8[4];
    size_t length = 0, bytes;
    for (const char *at = value.at + 1; *at != '"'; length += bytes) {
        at = cni_json_character(at, utf8, &bytes);
        if (length + bytes < CNI_JSON_NAME)
            memcpy(out + length, utf8, bytes);
    }
    if (length >= CNI_JSON_NAME)
        return cni_json_fail(json, value, "the name has %zu bytes, but at most %d are read", length,
                             CNI_JSON_NAME - 1);
    out[length] = '\0';
    return CN_OK;
}

/* ---- arrays of numbers ---- */

static cn_status check_count(const cni_json *json, cni_json_value array, size_t count)
{
    size_t found;
    CNI_TRY(cni_json_count(json, array, &found));
    if (found == count)
        return CN_OK;
    return cni_json_fail(json, array, "the array has %zu elements, but it must have %zu", found,
                         count);
}

cn_status cni_json_wholes(const cni_json *json, cni_json_value array, uint64_t most, uint64_t out[],
                          size_t count)
{
    CNI_TRY(check_count(json, array, count));
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v)) {
        CNI_TRY(cni_json_whole(json, v, most, out++));
        CNI_TRY(cni_budget_go_on(json->budget, 8));
    }
    return CN_OK;
}

cn_status cni_json_reals(const cni_json *json, cni_json_value array, double out[], size_t count)
{
    CNI_TRY(check_count(json, array, count));
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v))
        CNI_TRY(cni_json_real(json, v, out++));
    return CN_OK;
}

cn_status cni_json_all_wholes(const cni_json *json, cni_json_value array, uint64_t most,
                              uint64_t **out, size_t *count)
{
    *out = NULL;
    CNI_TRY(cni_json_count(json, array, count));
    *out = cni_allocate(*count, sizeof **out);
    CNI_TRY_MEMORY(*out);
    return cni_json_wholes(json, array, most, *out, *count);
}

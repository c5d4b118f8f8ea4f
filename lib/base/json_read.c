/* The reader of JSON: steps through a checked text, and takes numbers and names from it. */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 40 };

/* ---- steps through a checked text ---- */

const char *cni_json_after_value(const char *at)
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

/* The value after the bracket or the comma at a place; NULL at the end. */
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
    const char *at = cni_json_after_space(cni_json_after_value(element.at));
    return (cni_json_value){*at == ',' ? step(at) : NULL, element.key};
}

/* Says what stands at a value and what must. */
static cn_status fail_other(const cni_json *json, cni_json_value value, const char *what)
{
    enum { SHOWN = 40 };
    int length = (int)(cni_json_after_value(value.at) - value.at);
    return cni_json_fail(json, value, "%.*s%s stands here, but it must be %s",
                         length < SHOWN ? length : SHOWN, value.at, length > SHOWN ? "..." : "",
                         what);
}

cn_status cni_json_check_type(const cni_json *json, cni_json_value value, char type,
                              const char *what)
{
    return cni_json_type(value) == type ? CN_OK : fail_other(json, value, what);
}

cn_status cni_json_count(const cni_json *json, cni_json_value array, size_t *count)
{
    CNI_TRY(cni_json_check_type(json, array, '[', "an array"));
    *count = 0;
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v))
        ++*count;
    return CN_OK;
}

/* ---- scalars ---- */

cn_status cni_json_whole(const cni_json *json, cni_json_value value, uint64_t most, uint64_t *out)
{
    CNI_TRY(cni_json_check_type(json, value, '0', "a whole number"));
    const char *at = value.at;
    uint64_t number;
    int fits = cni_read_whole(&at, NULL, &number) && at == cni_json_after_value(value.at);
    if (!fits || number > most) {
        char range[64];
        snprintf(range, sizeof range, "a whole number from 0 to %llu", (unsigned long long)most);
        return fail_other(json, value, range);
    }
    *out = number;
    return CN_OK;
}

/* strtod() reads the decimal point of the locale, which printf() shows. */
static cn_status read_number(const cni_json *json, cni_json_value value, double *out)
{
    char copy[LONGEST_NUMBER + 16], half[16];
    size_t length = (size_t)(cni_json_after_value(value.at) - value.at), put = 0;
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
    CNI_TRY(cni_json_check_type(json, value, '"', what));
    CNI_TRY(cni_json_name(json, value, name));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i].name) == 0) {
            *out = names[i].number;
            return CN_OK;
        }
    return fail_other(json, value, what);
}

cn_status cni_json_name(const cni_json *json, cni_json_value value, char out[CNI_JSON_NAME])
{
    CNI_TRY(cni_json_check_type(json, value, '"', "a name in double quotes"));
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

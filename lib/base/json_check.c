/* A text of JSON: its check, the sentences about it, and steps through it. */
#include "base/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 16 };

/* ---- sentences ---- */

/* The text ends at a NUL, so a character before its end is always there to look at. */
static void find_place(const cni_json *json, const char *at, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (const char *c = json->text; c < at; c++) {
        *column = *c == '\n' ? 1 : *column + 1;
        *line += *c == '\n';
    }
}

cn_status cni_json_fail(const cni_json *json, cni_json_value value, cn_status status,
                        const char *format, ...)
{
    char sentence[320];
    size_t line, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    find_place(json, value.at, &line, &column);
    return cni_fail(status, "%s: line %zu, column %zu%s%s: %s", json->function, line, column,
                    value.key == NULL ? "" : ", ", value.key == NULL ? "" : value.key, sentence);
}

/* ---- the check of the whole text ---- */

const char *cni_json_after_space(const char *at)
{
    return at + strspn(at, " \t\n\r");
}

/* Where digits end, NULL where there is none. */
static const char *after_digits(const char *at)
{
    size_t count = strspn(at, "0123456789");
    return count == 0 ? NULL : at + count;
}

/* Where a number ends, NULL where it is none. */
static const char *after_number(const char *at)
{
    at += *at == '-';
    const char *end = after_digits(at);
    if (end != NULL && *at == '0' && end > at + 1)
        return NULL;
    if (end != NULL && *end == '.')
        end = after_digits(end + 1);
    if (end != NULL && (*end == 'e' || *end == 'E'))
        end = after_digits(end + 1 + (end[1] == '+' || end[1] == '-'));
    return end;
}

/* "\u" and four hexadecimal digits, of a character of ASCII. */
static const char *escaped_number(const char *at, char *c)
{
    char digits[5];
    if (strspn(at + 2, "0123456789abcdefABCDEF") < 4)
        return NULL;
    memcpy(digits, at + 2, 4);
    digits[4] = '\0';
    unsigned long code = strtoul(digits, NULL, 16);
    *c = (char)code;
    return code == 0 || code >= 128 ? NULL : at + 6;
}

const char *cni_json_character(const char *at, char *c)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    unsigned char byte = (unsigned char)*at;
    *c = *at;
    if (byte != '\\')
        return byte < 0x20 || byte >= 0x80 ? NULL : at + 1;
    if (at[1] == 'u')
        return escaped_number(at, c);
    const char *letter = at[1] == '\0' ? NULL : strchr(letters, at[1]);
    *c = letter == NULL ? '\0' : meanings[letter - letters];
    return letter == NULL ? NULL : at + 2;
}

/* Where a string ends; NULL, and *wrong, at a character that no string has. */
static const char *after_string(const char *at, const char **wrong)
{
    char c;
    for (at++; at != NULL && *at != '"';) {
        *wrong = at;
        at = cni_json_character(at, &c);
    }
    return at == NULL ? NULL : at + 1;
}

static const char *after_word(const char *at)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return NULL;
}

static cn_status fail_at(const cni_json *json, const char *at, const char *sentence)
{
    return cni_json_fail(json, (cni_json_value){at, NULL}, CN_ERR_ARGUMENT, "%s", sentence);
}

/* A string, a number, true, false or null. */
static cn_status check_scalar(const cni_json *json, const char **at)
{
    const char *wrong = *at;
    int is_number = strchr("-0123456789", *wrong) != NULL && *wrong != '\0';
    const char *end = *wrong == '"' ? after_string(*at, &wrong)
                      : is_number   ? after_number(*at)
                                    : after_word(*at);
    if (end == NULL && **at == '"')
        return fail_at(json, wrong,
                       "the string has no end, or a character here that is not of ASCII");
    if (end == NULL && *wrong == '\0')
        return fail_at(json, wrong, "the text ends in the middle of an object");
    if (end == NULL)
        return cni_json_fail(json, (cni_json_value){wrong, NULL}, CN_ERR_ARGUMENT,
                             "\"%.1s\" does not begin a JSON value",
                             *wrong >= ' ' && *wrong < 127 ? wrong : "?");
    *at = end;
    return CN_OK;
}

/* The key of a member and its colon. */
static cn_status check_key(const cni_json *json, const char **at)
{
    if (**at != '"')
        return fail_at(json, *at, "a key in double quotes must stand here");
    CNI_TRY(check_scalar(json, at));
    *at = cni_json_after_space(*at);
    if (**at != ':')
        return fail_at(json, *at, "a colon must stand here");
    *at = cni_json_after_space(*at + 1);
    return CN_OK;
}

/* A value inside `depth` objects and arrays. */
static cn_status check_value(const cni_json *json, const char **at, int depth)
{
    char end = **at == '{' ? '}' : ']';
    CNI_TRY(cni_budget_go_on(json->budget, 8));
    if (**at != '{' && **at != '[')
        return check_scalar(json, at);
    if (depth == MOST_DEPTH)
        return cni_json_fail(json, (cni_json_value){*at, NULL}, CN_ERR_ARGUMENT,
                             "more than %d objects and arrays are inside each other", MOST_DEPTH);
    *at = cni_json_after_space(*at + 1);
    for (int follows = **at != end; follows;) {
        if (end == '}')
            CNI_TRY(check_key(json, at));
        CNI_TRY(check_value(json, at, depth + 1));
        *at = cni_json_after_space(*at);
        follows = **at == ',';
        if (follows)
            *at = cni_json_after_space(*at + 1);
        else if (**at != end)
            return cni_json_fail(json, (cni_json_value){*at, NULL}, CN_ERR_ARGUMENT,
                                 "a comma or \"%c\" must stand here", end);
    }
    ++*at;
    return CN_OK;
}

cn_status cni_json_check(const cni_json *json)
{
    const char *at = cni_json_after_space(json->text);
    if (*at != '{')
        return fail_at(json, at, "an object \"{\" must stand here");
    CNI_TRY(check_value(json, &at, 0));
    at = cni_json_after_space(at);
    return *at == '\0' ? CN_OK : fail_at(json, at, "the object has ended, and nothing may follow");
}

/* ---- steps through a checked text ---- */

static const char *after_checked_string(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

const char *cni_json_after_value(const char *at)
{
    size_t depth = 0;
    do {
        if (*at == '"')
            at = after_checked_string(at);
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

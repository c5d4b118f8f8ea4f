/* The check of a whole text, and the sentences about it. */
#include "base/json.h"

#include <stdarg.h>
#include <stdio.h>
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

static cn_status fail(const cni_json *json, cni_json_value value, cn_status status,
                      const char *sentence)
{
    size_t line, column;
    find_place(json, value.at, &line, &column);
    return cni_fail(status, "%s: line %zu, column %zu%s%s: %s", json->function, line, column,
                    value.key == NULL ? "" : ", ", value.key == NULL ? "" : value.key, sentence);
}

cn_status cni_json_fail(const cni_json *json, cni_json_value value, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return fail(json, value, CN_ERR_ARGUMENT, sentence);
}

cn_status cni_json_blame(const cni_json *json, cni_json_value value, cn_status status)
{
    if (status == CN_OK || status == CN_ERR_MEMORY || status == CN_ERR_CANCELLED)
        return status;
    return fail(json, value, status, cn_last_error());
}

/* ---- the check of the whole text ---- */

const char *cni_json_after_space(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

const char *cni_json_after_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* Where a number ends, NULL where it is none. */
static const char *after_number(const char *at)
{
    at += *at == '-';
    if (!is_digit(*at) || (*at == '0' && is_digit(at[1])))
        return NULL;
    at = cni_json_after_digits(at);
    if (*at == '.') {
        if (!is_digit(at[1]))
            return NULL;
        at = cni_json_after_digits(at + 1);
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        if (!is_digit(*at))
            return NULL;
        at = cni_json_after_digits(at);
    }
    return at;
}

/* The bytes of the character in UTF-8 that begins here (RFC 3629, 4); 0 where none begins. */
static size_t utf8_length(const unsigned char *c)
{
    size_t length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (c[0] > 0xf4 || (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* The unit of UTF-16 that "\u" and four digits stand for; 0 for other text, and for a NUL, which
 * would end the text. */
static uint32_t escaped_unit(const char *at)
{
    uint32_t unit = 0;
    if (at[0] != '\\' || at[1] != 'u' || strspn(at + 2, "0123456789abcdefABCDEF") < 4)
        return 0;
    for (int i = 2; i < 6; i++)
        unit = unit << 4 | (is_digit(at[i]) ? (uint32_t)(at[i] - '0') : ((uint32_t)at[i] & 7) + 9);
    return unit;
}

/* The same for one character, which may take two units. */
static const char *escaped_character(const char *at, char utf8[4], size_t *bytes)
{
    uint32_t code = escaped_unit(at), low;
    if (code == 0 || code >> 10 == 0xdc00 >> 10)
        return NULL;
    at += 6;
    if (code >> 10 == 0xd800 >> 10) {
        low = escaped_unit(at);
        if (low >> 10 != 0xdc00 >> 10)
            return NULL;
        code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
        at += 6;
    }
    *bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = *bytes - 1; i > 0; i--, code >>= 6)
        utf8[i] = (char)(0x80 | (code & 0x3f));
    utf8[0] = (char)(*bytes == 1 ? code : (0xf00u >> *bytes & 0xff) | code);
    return at;
}

const char *cni_json_character(const char *at, char utf8[4], size_t *bytes)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (at[0] == '\\' && at[1] == 'u')
        return escaped_character(at, utf8, bytes);
    if (at[0] == '\\') {
        const char *letter = at[1] == '\0' ? NULL : strchr(letters, at[1]);
        *bytes = 1;
        utf8[0] = letter == NULL ? '\0' : meanings[letter - letters];
        return letter == NULL ? NULL : at + 2;
    }
    *bytes = (unsigned char)*at < 0x20 ? 0 : utf8_length((const unsigned char *)at);
    memcpy(utf8, at, *bytes);
    return *bytes == 0 ? NULL : at + *bytes;
}

const char *cni_json_after_string(const char *at, const char **wrong)
{
    char utf8[4];
    size_t bytes;
    for (at++; at != NULL && *at != '"';) {
        *wrong = at;
        at = cni_json_character(at, utf8, &bytes);
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

/* A string, a number, true, false or null. */
static cn_status check_scalar(const cni_json *json, const char **at)
{
    const char *wrong = *at;
    const char *end = *wrong == '"'                       ? cni_json_after_string(*at, &wrong)
                      : is_digit(*wrong) || *wrong == '-' ? after_number(*at)
                                                          : after_word(*at);
    if (end == NULL && **at == '"')
        return cni_json_fail(json, (cni_json_value){wrong, NULL},
                             "the string has no end, or a byte here that is no JSON in UTF-8");
    if (end == NULL)
        return cni_json_fail(json, (cni_json_value){wrong, NULL},
                             *wrong == '\0' ? "the text ends in the middle of an object"
                                            : "\"%.1s\" does not begin a JSON value",
                             *wrong >= ' ' && *wrong < 127 ? wrong : "?");
    *at = end;
    return CN_OK;
}

/* The key of a member and its colon. */
static cn_status check_key(const cni_json *json, const char **at)
{
    if (**at != '"')
        return cni_json_fail(json, (cni_json_value){*at, NULL},
                             "a key in double quotes must stand here");
    CNI_TRY(check_scalar(json, at));
    *at = cni_json_after_space(*at);
    if (**at != ':')
        return cni_json_fail(json, (cni_json_value){*at, NULL}, "a colon must stand here");
    *at = cni_json_after_space(*at + 1);
    return CN_OK;
}

/* Closes the brackets that end after a value, up to the comma before the next value, and checks
 * its key. */
static cn_status check_after(const cni_json *json, const char **at, const char open[],
                             size_t *depth)
{
    for (; *depth > 0; ++*at, --*depth) {
        char end = open[*depth - 1] == '{' ? '}' : ']';
        *at = cni_json_after_space(*at);
        if (**at == ',') {
            *at = cni_json_after_space(*at + 1);
            return end == '}' ? check_key(json, at) : CN_OK;
        }
        if (**at != end)
            return cni_json_fail(json, (cni_json_value){*at, NULL},
                                 "a comma or \"%c\" must stand here", end);
    }
    *at = cni_json_after_space(*at);
    if (**at != '\0')
        return cni_json_fail(json, (cni_json_value){*at, NULL},
                             "the object has ended, and nothing may follow");
    return CN_OK;
}

cn_status cni_json_check(const cni_json *json)
{
    char open[MOST_DEPTH];
    size_t depth = 0;
    const char *at = cni_json_after_space(json->text);
    if (*at != '{')
        return cni_json_fail(json, (cni_json_value){at, NULL}, "an object \"{\" must stand here");
    do {
        CNI_TRY(cni_budget_go_on(json->budget, 8));
        if (*at == '{' || *at == '[') {
            if (depth == MOST_DEPTH)
                return cni_json_fail(json, (cni_json_value){at, NULL},
                                     "more than %d objects and arrays are inside each other",
                                     MOST_DEPTH);
            open[depth++] = *at;
            at = cni_json_after_space(at + 1);
            if (*at == (open[depth - 1] == '{' ? '}' : ']')) {
                at++;
                depth--;
                CNI_TRY(check_after(json, &at, open, &depth));
            } else if (open[depth - 1] == '{') {
                CNI_TRY(check_key(json, &at));
            }
        } else {
            CNI_TRY(check_scalar(json, &at));
            CNI_TRY(check_after(json, &at, open, &depth));
        }
    } while (depth > 0);
    return CN_OK;
}

#include "base/json.h"

#include <math.h>

/* Objects in more than so many others are put into one line. */
enum { INDENT = 2, LINES = 2 };

/* What stands before an element or a member: a comma, its line, its key. */
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

void cni_json_open(cni_json_writer *w, const char *key, char bracket)
{
    begin(w, key);
    cni_text_put(&w->out, "%c", bracket);
    w->depth++;
    w->flat += bracket == '[' || w->depth > LINES || w->flat > 0;
    w->is_first = 1;
}

void cni_json_close(cni_json_writer *w, char bracket)
{
    w->depth--;
    if (w->flat == 0 && !w->is_first)
        cni_text_put(&w->out, "\n%*s", (int)(INDENT * w->depth), "");
    w->flat -= w->flat > 0;
    cni_text_put(&w->out, "%c", bracket);
    w->is_first = 0;
}

void cni_json_put_name(cni_json_writer *w, const char *key, const char *name)
{
    begin(w, key);
    cni_text_put(&w->out, "\"%s\"", name);
}

void cni_json_put_whole(cni_json_writer *w, const char *key, uint64_t value)
{
    char digits[20];
    size_t first = sizeof digits;
    begin(w, key);
    do
        digits[--first] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    cni_text_add(&w->out, digits + first, sizeof digits - first);
}

void cni_json_put_real(cni_json_writer *w, const char *key, double value)
{
    char number[CNI_NUMBER_CAPACITY];
    if (isnan(value)) {
        cni_json_put_name(w, key, "NaN");
        return;
    }
    if (isinf(value)) {
        cni_json_put_name(w, key, value > 0.0 ? "Infinity" : "-Infinity");
        return;
    }
    begin(w, key);
    cni_text_put(&w->out, "%s", cni_number_text(value, number));
}

void cni_json_put_flag(cni_json_writer *w, const char *key, int value)
{
    begin(w, key);
    cni_text_put(&w->out, "%s", value ? "true" : "false");
}

void cni_json_put_wholes(cni_json_writer *w, const char *key, const uint64_t values[],
                         uint64_t count)
{
    cni_json_open(w, key, '[');
    for (uint64_t i = 0; i < count; i++)
        cni_json_put_whole(w, NULL, values[i]);
    cni_json_close(w, ']');
}

void cni_json_put_reals(cni_json_writer *w, const char *key, const double values[], uint64_t count)
{
    cni_json_open(w, key, '[');
    for (uint64_t i = 0; i < count; i++)
        cni_json_put_real(w, NULL, values[i]);
    cni_json_close(w, ']');
}

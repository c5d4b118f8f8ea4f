/* A table of a paper on the terminal: what the paper prints beside what comes out here. */
#include "reproduce.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 32, LONGEST_LINE = 1024 };

/* Cuts a line of a CSV file into its fields, in place; a quoted field loses its quotes. */
static size_t cut(char *line, char *fields[MOST_FIELDS])
{
    size_t count = 0;
    char *to = line;
    for (char *c = line; count < MOST_FIELDS; c++) {
        int quoted = *c == '"';
        fields[count++] = to;
        for (c += quoted; *c != '\0' && *c != '\n' && (quoted || *c != ','); c++) {
            if (*c == '"' && quoted && *++c != '"')
                quoted = 0, c--;
            else
                *to++ = *c;
        }
        int last = *c != ',';
        *to++ = '\0';
        if (last)
            break;
    }
    return count;
}

static void widen(size_t widths[MOST_FIELDS], char *line)
{
    char *fields[MOST_FIELDS];
    size_t count = cut(line, fields);
    for (size_t i = 0; i < count; i++)
        widths[i] = strlen(fields[i]) > widths[i] ? strlen(fields[i]) : widths[i];
}

static void print_row(const size_t widths[MOST_FIELDS], char *line)
{
    char *fields[MOST_FIELDS];
    size_t count = cut(line, fields);
    for (size_t i = 0; i < count; i++)
        printf("  %*s", (int)widths[i], fields[i]);
    printf("\n");
}

void rp_table_show(const rp_run *run, const rp_exhibit *exhibit)
{
    char path[1100], line[LONGEST_LINE];
    size_t widths[MOST_FIELDS] = {0};
    snprintf(path, sizeof path, "%s/%s.csv", run->directory, exhibit->id);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL)
        widen(widths, line);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        print_row(widths, line);
    fclose(file);
}

/* A file that appears whole or not at all: written under another name, then renamed. */
#define _POSIX_C_SOURCE 200809L /* mkdir */
#include "reproduce.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct rp_part {
    FILE *file;
    char path[1024], temporary[1040];
};

rp_part *rp_part_open(rp_run *run, const rp_exhibit *exhibit, const char *extension)
{
    if (run->failed)
        return NULL;
    rp_part *made = calloc(1, sizeof *made);
    if (made == NULL) {
        rp_fail(run, "out of memory");
        return NULL;
    }
    int length =
        snprintf(made->path, sizeof made->path, "%s/%s.%s", run->directory, exhibit->id, extension);
    if (length < 0 || (size_t)length >= sizeof made->path) {
        rp_fail(run, "the name of the directory is too long: %s", run->directory);
        free(made);
        return NULL;
    }
    snprintf(made->temporary, sizeof made->temporary, "%s.part", made->path);
    made->file = fopen(made->temporary, "w");
    if (made->file == NULL) {
        rp_fail(run, "cannot write %s: %s", made->temporary, strerror(errno));
        free(made);
        return NULL;
    }
    return made;
}

void rp_part_print(rp_part *part, const char *format, ...)
{
    if (part == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    rp_part_vprint(part, format, arguments);
    va_end(arguments);
}

void rp_part_vprint(rp_part *part, const char *format, va_list arguments)
{
    if (part != NULL)
        vfprintf(part->file, format, arguments);
}

void rp_part_flush(rp_part *part)
{
    if (part != NULL)
        fflush(part->file);
}

const char *rp_part_path(const rp_part *part)
{
    return part->path;
}

const char *rp_part_temporary_path(const rp_part *part)
{
    return part->temporary;
}

void rp_part_close(rp_run *run, rp_part *part, int keep)
{
    if (part == NULL)
        return;
    int broken = ferror(part->file);
    if (fclose(part->file) != 0 || broken)
        rp_fail(run, "cannot write %s: %s", part->temporary, strerror(errno));
    if (run->failed || !keep)
        remove(part->temporary);
    else if (rename(part->temporary, part->path) != 0)
        rp_fail(run, "cannot rename %s: %s", part->temporary, strerror(errno));
    free(part);
}

void rp_make_directory(rp_run *run, const char *path)
{
    char name[1024];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof name) {
        rp_fail(run, "the name of the directory is empty or too long: %s", path);
        return;
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(name, path, i);
        name[i] = '\0';
        if (mkdir(name, 0777) != 0 && errno != EEXIST) {
            rp_fail(run, "cannot make the directory %s: %s", name, strerror(errno));
            return;
        }
    }
}

/* A file that appears whole or not at all: written under another name, then renamed; removed when
 * the program is stopped. */
#define _POSIX_C_SOURCE 200809L /* mkdir, sigaction */
#include "reproduce.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rp_part {
    FILE *file;
    char path[1024], temporary[1040];
    size_t slot;
};

/* The parts that are open at a time: a table, a script and its drawing. For the handler of
 * signals. */
enum { MAX_OPEN = 8 };

static char open_now[MAX_OPEN][1040];
static volatile sig_atomic_t is_open[MAX_OPEN];

/* Ctrl-C and the like: what is half written goes, then the signal does what it does. */
static void stop(int number)
{
    for (size_t i = 0; i < MAX_OPEN; i++)
        if (is_open[i])
            unlink(open_now[i]);
    raise(number); /* by its default: SA_RESETHAND */
}

static void watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action, before;
    static int watched;
    if (watched++ > 0)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        sigaction(numbers[i], &action, &before);
        if (before.sa_handler == SIG_IGN) /* in the background, under nohup */
            sigaction(numbers[i], &before, NULL);
    }
}

/* A place in what the handler removes; MAX_OPEN when there is none. */
static size_t slot_of(const char *temporary)
{
    size_t slot = 0;
    watch_signals();
    while (slot < MAX_OPEN && is_open[slot])
        slot++;
    if (slot < MAX_OPEN) {
        snprintf(open_now[slot], sizeof open_now[slot], "%s", temporary);
        is_open[slot] = 1;
    }
    return slot;
}

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
    made->slot = slot_of(made->temporary);
    made->file = made->slot < MAX_OPEN ? fopen(made->temporary, "w") : NULL;
    if (made->file == NULL) {
        rp_fail(run, "cannot write %s: %s", made->temporary, strerror(errno));
        if (made->slot < MAX_OPEN)
            is_open[made->slot] = 0;
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
    is_open[part->slot] = 0;
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

/* Programs that draw: gnuplot and graphviz's dot, where they are installed. */
#define _POSIX_C_SOURCE 200809L /* posix_spawn */
#include "reproduce.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static const char nowhere[] = "/dev/null";

/* Its exit status; 127 where it is not installed. */
static int run(char *const arguments[], const char *input, const char *output, const char *errors)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return 127;
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0);
    if (errors != NULL)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY, 0);
    int failed = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        return 127;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int rp_program_answers(char *const arguments[])
{
    return run(arguments, nowhere, nowhere, nowhere) == 0;
}

int rp_program_run(char *const arguments[], const char *input, const char *output)
{
    /* standard output is for our own lines */
    return run(arguments, input == NULL ? nowhere : input, output == NULL ? nowhere : output,
               NULL) == 0;
}

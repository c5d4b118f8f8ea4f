/* reproduce: regenerates the figures and tables of the papers. */
#include "reproduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "../bench.h"

static const rp_exhibit *const chapters[] = {
    drawings,
    horng92_chapter2,
    horng92_chain,
    horng92_chapter3,
    horng92_chapter4,
    horng92_chapter5,
    horng92_locality,
    shahrabi01,
    ziavras99_trees,
    ziavras99_tables,
    ziavras99_congestion,
    ginosar89,
    ginosar89_permutations,
    routing_table,
    combinations,
    networks_compared,
    hosted_networks,
    collectives,
    selection,
    cut_through_regions,
    cut_through,
    wormhole_model,
    cut_through_deflection,
    deflection_model,
    coverage,
};

/* The last five judge the library's own models, half-widths and verdicts, and take several times as
 * long as all others. */
enum { CHAPTERS = sizeof chapters / sizeof *chapters, ALL = CHAPTERS - 5 };

static const char usage[] =
    "usage: reproduce list\n"
    "       reproduce ID... [--quick] [--out DIR] [--csv] [--threads T]\n"
    "       reproduce all   [--quick] [--out DIR] [--csv] [--threads T]\n"
    "       reproduce accuracy [--quick] [--out DIR] [--csv] [--threads T]\n"
    "\n"
    "all leaves out what judges the library's own models and statistics at random points and in "
    "many\n"
    "runs: cut-through-model, wormhole-model, cut-through-deflection-model, deflection-model,\n"
    "coverage, verdicts. accuracy makes these.\n"
    "Writes DIR/ID.csv, for a graph also DIR/ID.dot, and where gnuplot (graphviz for a graph) is\n"
    "installed DIR/ID.svg. DIR is \"reproduced\" unless given. --quick is coarse and short, --csv\n"
    "prints the summary as lines name,value,unit; without it a table is printed too. The files are "
    "the same for any number of "
    "threads.\n";

static const rp_exhibit *find(const char *id)
{
    for (size_t c = 0; c < CHAPTERS; c++)
        for (const rp_exhibit *e = chapters[c]; e->id != NULL; e++)
            if (strcmp(e->id, id) == 0)
                return e;
    return NULL;
}

static int list(void)
{
    for (size_t c = 0; c < CHAPTERS; c++)
        for (const rp_exhibit *e = chapters[c]; e->id != NULL; e++)
            printf("%-17s  %-69s  %s\n", e->id, e->title, e->paper);
    return 0;
}

static int make(rp_run *run, const rp_exhibit *exhibit)
{
    exhibit->make(run, exhibit);
    return !run->failed;
}

/* The time left is judged by the weights of what is done and what is not. */
static int make_chapters(rp_run *run, size_t first, size_t end)
{
    double all = 0.0, done = 0.0, start = bench_now();
    size_t count = 0, number = 0;
    for (size_t c = first; c < end; c++)
        for (const rp_exhibit *e = chapters[c]; e->id != NULL; e++, count++)
            all += e->weight;
    for (size_t c = first; c < end; c++) {
        for (const rp_exhibit *e = chapters[c]; e->id != NULL; e++) {
            double seconds = bench_now() - start;
            fprintf(stderr, "[%zu/%zu] %s", ++number, count, e->id);
            if (done > 0.0)
                fprintf(stderr, " (about %.0f s left)", seconds * (all - done) / done);
            fprintf(stderr, "\n");
            if (!make(run, e))
                return 0;
            done += e->weight;
        }
    }
    fprintf(stderr, "%zu figures and tables in %s, %.0f s\n", count, run->directory,
            bench_now() - start);
    return 1;
}

static int complain(const char *format, const char *what)
{
    fprintf(stderr, "reproduce: ");
    fprintf(stderr, format, what);
    fprintf(stderr, "\n");
    return 1;
}

enum { MAX_IDS = 256 };

/* An exhibit runs thousands of short simulations. Memory that one gives back is kept for the next:
 * fetching it from the system again took a third of the time of the shortest. */
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

int main(int argc, char **argv)
{
    keep_memory();
    rp_run run = {.directory = "reproduced", .threads = 1};
    const char *ids[MAX_IDS];
    size_t id_count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return fputs(usage, stdout) < 0;
        if (strcmp(argv[i], "--quick") == 0)
            run.quick = 1;
        else if (strcmp(argv[i], "--csv") == 0)
            run.csv = 1;
        else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc)
            run.directory = argv[++i];
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc &&
                 (run.threads = strtoul(argv[i + 1], NULL, 10)) > 0)
            i++;
        else if (argv[i][0] == '-')
            return complain("there is no option %s, or it lacks its value", argv[i]);
        else if (id_count < MAX_IDS)
            ids[id_count++] = argv[i];
    }
    if (id_count == 0) {
        fputs(usage, stderr);
        return 1;
    }
    if (strcmp(ids[0], "list") == 0)
        return list();
    int all = strcmp(ids[0], "all") == 0, many = all || strcmp(ids[0], "accuracy") == 0;
    for (size_t i = 0; i < id_count && !many; i++)
        if (find(ids[i]) == NULL)
            return complain("there is no figure or table \"%s\"; `reproduce list` prints them all",
                            ids[i]);
    rp_make_directory(&run, run.directory);
    if (many && !run.failed)
        make_chapters(&run, all ? 0 : ALL, all ? ALL : CHAPTERS);
    for (size_t i = 0; i < id_count && !many && !run.failed; i++)
        if (make(&run, find(ids[i])) && !run.csv && strstr(ids[i], "-table-") != NULL)
            rp_table_show(&run, find(ids[i]));
    rp_forget(&run);
    return run.failed;
}

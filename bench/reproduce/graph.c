/* The drawing of an exhibit that is a graph: DOT in one common style, laid out by graphviz. */
#include "reproduce.h"

#include <stdlib.h>
#include <string.h>

static const char preamble[] = "digraph {\n"
                               "  labelloc=t; fontname=Helvetica; fontsize=18;\n"
                               "  rankdir=LR; ordering=out; nodesep=0.06; ranksep=0.7;\n"
                               "  node [shape=box, style=rounded, height=0.26, width=0.5, "
                               "margin=\"0.05,0.02\", fontname=Helvetica, fontsize=12, "
                               "color=\"#444444\", fillcolor=\"#F5D48A\"];\n"
                               "  edge [color=\"#444444\", arrowsize=0.5, fontname=Helvetica, "
                               "fontsize=10, fontcolor=\"#0072B2\"];\n";

static int dot_is_installed(void)
{
    static int known = -1;
    char name[] = "dot", version[] = "-V";
    if (known < 0)
        known = rp_program_answers((char *[]){name, version, NULL});
    return known;
}

void rp_graph_open(rp_graph *graph, rp_run *run, const rp_exhibit *exhibit)
{
    graph->run = run;
    graph->exhibit = exhibit;
    graph->part = rp_part_open(run, exhibit, "dot");
    rp_part_print(graph->part, "%s  label=\"%s\\n%s\";\n", preamble, exhibit->title,
                  exhibit->paper);
}

void rp_graph_print(rp_graph *graph, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rp_part_print(graph->part, "  ");
    rp_part_vprint(graph->part, format, arguments);
    rp_part_print(graph->part, ";\n");
    va_end(arguments);
}

/* Keeps the DOT file, and draws it where graphviz is installed. */
static void finish(rp_graph *graph)
{
    rp_run *run = graph->run;
    rp_part_flush(graph->part);
    if (graph->part != NULL && !run->failed && dot_is_installed()) {
        rp_part *drawing = rp_part_open(run, graph->exhibit, "svg");
        char name[] = "dot", option[] = "-Tsvg";
        if (drawing != NULL &&
            !rp_program_run((char *[]){name, option, NULL}, rp_part_temporary_path(graph->part),
                            rp_part_temporary_path(drawing)))
            rp_fail(run, "graphviz could not draw %s", graph->exhibit->id);
        rp_part_close(run, drawing, 1);
    }
    rp_part_close(run, graph->part, 1);
    graph->part = NULL;
}

void rp_graph_close(rp_graph *graph)
{
    rp_part_print(graph->part, "}\n");
    finish(graph);
}

void rp_graph_draw(rp_run *run, const rp_exhibit *exhibit, const char *text)
{
    rp_graph graph = {.run = run, .exhibit = exhibit, .part = rp_part_open(run, exhibit, "dot")};
    const char *body = strchr(text, '\n');
    body = body == NULL ? text : body + 1;
    rp_part_print(graph.part,
                  "%.*s  labelloc=t; fontname=Helvetica; fontsize=18; label=\"%s\\n%s\";\n%s",
                  (int)(body - text), text, exhibit->title, exhibit->paper, body);
    finish(&graph);
}

void rp_graph_draw_by(rp_run *run, const rp_exhibit *exhibit, rp_draw_fn draw, const void *object)
{
    size_t length = 0;
    if (run->failed || draw(object, NULL, 0, &length) != CN_ERR_CAPACITY)
        return;
    char *text = malloc(length + 1);
    if (text == NULL)
        rp_fail(run, "out of memory");
    else if (rp_check(run, draw(object, text, length + 1, NULL)))
        rp_graph_draw(run, exhibit, text);
    free(text);
}

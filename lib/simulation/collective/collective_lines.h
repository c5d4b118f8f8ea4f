/*
 * The copies that wait at the nodes of the paper's machines, in one line a node. All lines stand in a few large blocks of
 * memory: they are many, short, and go to and fro between the nodes. A line that needs more room gives its place to the
 * next that needs as much.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_LINES_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_LINES_H

#include "base/inline.h"
#include "simulation/collective/collective.h"

/* One behind the other: copy[first] is served first, or where the last come is served first, the last one. */
typedef struct cni_line {
    cni_copy *copy;
    size_t room;
    uint32_t first, length;
    uint32_t onward; /* of the last ones, those that go on and have come in this cycle */
} cni_line;

typedef struct cni_lines {
    cni_line *line; /* [node] */
    cni_copy **block;
    size_t blocks, blocks_room;
    cni_copy *next; /* of the last block, what was never used */
    size_t left;
    /* [log2 of the room]: a chain of places, the first bytes of each lead to the next. */
    void *unused[64];
} cni_lines;

/* Start from {0}; close them also after a failure. */
cn_status cni_lines_open(size_t nodes, cni_lines *lines);
void cni_lines_close(cni_lines *lines);

/* For so many more at the end of a line. */
cn_status cni_line_make_room(cni_lines *lines, cni_line *line, uint64_t more);

/* A copy joins a line. Last come, first served: `fresh` ones come under those that go on. */
CNI_INLINE cn_status cni_line_join(cni_lines *lines, const cni_moved *m, int last_come_first,
                                   int fresh)
{
    cni_line *into = &lines->line[m->node];
    if (CNI_RARELY((size_t)into->first + into->length == into->room))
        CNI_TRY(cni_line_make_room(lines, into, 1));
    cni_copy *at = into->copy + into->first + into->length;
    if (last_come_first && fresh)
        for (uint32_t over = into->onward; over > 0; over--, at--)
            *at = at[-1];
    else if (last_come_first)
        into->onward++;
    *at = m->copy;
    into->length++;
    return CN_OK;
}

#endif

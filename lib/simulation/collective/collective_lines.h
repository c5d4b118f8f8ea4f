/*
 * The copies that wait at the nodes of the paper's machines, in one line a node. All lines stand in a few large blocks of
 * memory: they are many, short, and go to and fro between the nodes. A line that needs more room gives its place to the
 * next that needs as much.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_LINES_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_LINES_H

#include "base/inline.h"
#include "simulation/collective/collective.h"

/* One behind the other: the first one is served first, or where the last come is served first, the last one. */
typedef struct cni_line {
    cni_copy *place;
    uint32_t first, end; /* of those that wait, in its place */
    uint32_t room;       /* of its place, a power of two; 0: it has none */
    uint32_t onward;     /* of the last ones, those that go on and have come in this cycle */
} cni_line;

/* A copy that leaves a line. */
typedef struct cni_leaving {
    const cni_copy *copy;
    uint64_t node; /* of one size with the other, so that both are written at once */
} cni_leaving;

/* So many places of a list are written at least, since most lines are short, and how short could not be foreseen. */
enum { CNI_FEW_LEAVE = 4 };

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

static inline uint32_t cni_line_length(const cni_line *line)
{
    return line->end - line->first;
}

/* For so many more at the end of a line. */
cn_status cni_line_make_room(cni_lines *lines, cni_line *line, uint64_t more);

/* A copy joins a line. Last come, first served: `fresh` ones come under those that go on. */
CNI_INLINE cn_status cni_line_join(cni_lines *lines, const cni_moved *m, int last_come_first,
                                   int fresh)
{
    cni_line *into = &lines->line[m->node];
    if (CNI_RARELY(into->end == into->room))
        CNI_TRY(cni_line_make_room(lines, into, 1));
    cni_copy *at = into->place + into->end++;
    if (last_come_first && fresh)
        for (uint32_t over = into->onward; over > 0; over--, at--)
            *at = at[-1];
    else if (last_come_first)
        into->onward++;
    *at = m->copy;
    return CN_OK;
}

/* At most so many leave a line that is not empty. They are listed in their order, with room for CNI_FEW_LEAVE more, and
 * stay where they are until a copy joins the line. Their number. */
CNI_INLINE uint32_t cni_line_leave(cni_line *from, uint32_t node, uint32_t most,
                                   int last_come_first, cni_leaving list[])
{
    uint32_t length = cni_line_length(from), left = length < most ? length : most;
    const cni_copy *next = from->place + (last_come_first ? from->end - 1 : from->first);
    for (uint32_t i = 0; i < CNI_FEW_LEAVE; i++)
        list[i] = (cni_leaving){.copy = last_come_first ? next - i : next + i, .node = node};
    for (uint32_t i = CNI_FEW_LEAVE; i < left; i++)
        list[i] = (cni_leaving){.copy = last_come_first ? next - i : next + i, .node = node};
    uint32_t stay = 0 - (uint32_t)(left < length); /* an empty one begins at the beginning again */
    from->onward = 0;
    from->first = (from->first + (last_come_first ? 0 : left)) & stay;
    from->end = (from->end - (last_come_first ? left : 0)) & stay;
    return left;
}

#endif

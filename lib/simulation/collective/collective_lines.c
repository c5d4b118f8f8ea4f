#include "simulation/collective/collective_lines.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Copies in the first block, and in the shortest line: as many as stand in one row of the cache. */
enum { FIRST_BLOCK = 1 << 12, LEAST_ROOM = 4 };

/* A block for so many at least, twice as large as the last one. */
static cn_status add_block(cni_lines *lines, size_t count)
{
    size_t most = (size_t)FIRST_BLOCK << (lines->blocks < 8 ? lines->blocks : 8);
    most = most < count ? count : most;
    CNI_TRY(cni_grow(&lines->block, &lines->blocks_room, lines->blocks + 1, sizeof *lines->block));
    cni_copy *made = cni_allocate(most, sizeof *made);
    if (made == NULL)
        return CN_ERR_MEMORY;
    lines->block[lines->blocks++] = lines->next = made;
    lines->left = most;
    return CN_OK;
}

cn_status cni_lines_open(size_t nodes, cni_lines *lines)
{
    lines->line = cni_allocate(nodes, sizeof *lines->line);
    if (lines->line == NULL)
        return CN_ERR_MEMORY;
    CNI_TRY(add_block(lines, 0));
    for (size_t node = 0; node < nodes; node++)
        lines->line[node].copy =
            lines->next; /* a place that is nobody's: it is fetched, not read */
    lines->next += LEAST_ROOM;
    lines->left -= LEAST_ROOM;
    return CN_OK;
}

void cni_lines_close(cni_lines *lines)
{
    for (size_t i = 0; i < lines->blocks; i++)
        cni_release(lines->block[i]);
    cni_release(lines->block);
    cni_release(lines->line);
    *lines = (cni_lines){0};
}

static uint32_t log_of(size_t room)
{
    uint32_t log = 0;
    while (room >>= 1)
        log++;
    return log;
}

/* A place for so many, which is a power of two. */
static cn_status take(cni_lines *lines, size_t room, cni_copy **place)
{
    void **unused = &lines->unused[log_of(room)];
    *place = *unused;
    if (*place != NULL) {
        memcpy(unused, *place, sizeof *unused);
        return CN_OK;
    }
    if (lines->left < room)
        CNI_TRY(add_block(lines, room));
    *place = lines->next;
    lines->next += room;
    lines->left -= room;
    return CN_OK;
}

static void give_back(cni_lines *lines, size_t room, cni_copy *place)
{
    if (room == 0)
        return;
    void **unused = &lines->unused[log_of(room)];
    memcpy(place, unused, sizeof *unused);
    *unused = place;
}

/* The room in front is used when there is at least as much as what waits takes. */
cn_status cni_line_make_room(cni_lines *lines, cni_line *line, uint64_t more)
{
    if (line->length + more > UINT32_MAX)
        return cni_fail(CN_ERR_OVERFLOW,
                        "collective: more than 2^32 - 1 copies are waiting at a node");
    size_t needed = (size_t)(line->length + more), room = LEAST_ROOM;
    cni_copy *from = line->copy + line->first, *to = line->copy;
    if (needed > line->room || line->first < line->length) {
        while (room <= line->room || room < needed)
            room *= 2;
        CNI_TRY(take(lines, room, &to));
    }
    memcpy(to, from, line->length * sizeof *to);
    if (to != line->copy) {
        give_back(lines, line->room, line->copy);
        line->copy = to;
        line->room = room;
    }
    line->first = 0;
    return CN_OK;
}

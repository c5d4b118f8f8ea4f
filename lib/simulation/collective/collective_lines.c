#include "simulation/collective/collective_lines.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Copies in the first block, and in the shortest line: as many as stand in one row of the cache. */
enum { FIRST_BLOCK = 1 << 12, LEAST_ROOM = 4 };

/* Copies in the longest line. */
#define MOST_ROOM (UINT32_C(1) << 31)

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
    return lines->line == NULL ? CN_ERR_MEMORY : CN_OK;
}

void cni_lines_close(cni_lines *lines)
{
    for (size_t i = 0; i < lines->blocks; i++)
        cni_release(lines->block[i]);
    cni_release(lines->block);
    cni_release(lines->line);
    *lines = (cni_lines){0};
}

/* A place for a power of two. */
static cn_status take(cni_lines *lines, uint32_t room, cni_copy **place)
{
    void **unused = &lines->unused[cni_lowest_bit(room)];
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

static void give_back(cni_lines *lines, uint32_t room, cni_copy *place)
{
    void **unused = &lines->unused[cni_lowest_bit(room)];
    memcpy(place, unused, sizeof *unused);
    *unused = place;
}

/* The room in front is used when there is at least as much as what waits takes. */
cn_status cni_line_make_room(cni_lines *lines, cni_line *line, uint64_t more)
{
    uint32_t length = cni_line_length(line), room = line->room;
    cni_copy *old = line->place, *to = old;
    if (length + more > MOST_ROOM)
        return cni_fail(CN_ERR_OVERFLOW, "collective: more than 2^31 copies are waiting at a node");
    if (room == 0 || length + more > room || line->first < length) {
        room = room == 0 ? LEAST_ROOM : room < MOST_ROOM ? 2 * room : room;
        while (room < length + more)
            room *= 2;
        CNI_TRY(take(lines, room, &to));
    }
    if (length > 0)
        memcpy(to, old + line->first, length * sizeof *to);
    if (old != NULL && to != old)
        give_back(lines, line->room, old);
    *line = (cni_line){.place = to, .end = length, .room = room, .onward = line->onward};
    return CN_OK;
}

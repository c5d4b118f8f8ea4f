/* The nodes of a part, and its channels to and from other parts. */
#include "simulation/kernel/part.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "simulation/kernel/part_buffer.h"
#include "topology/topology.h"

/* The first block of a part. The parts have equal numbers of blocks, or differ by one. */
static uint64_t first_block(uint64_t nodes, uint64_t part, uint64_t parts)
{
    uint64_t blocks = (nodes + CNI_PART_BLOCK - 1) / CNI_PART_BLOCK;
    return blocks / parts * part + blocks % parts * part / parts;
}

static uint64_t first_node(uint64_t nodes, uint64_t part, uint64_t parts)
{
    uint64_t node = first_block(nodes, part, parts) * CNI_PART_BLOCK;
    return node < nodes ? node : nodes;
}

uint64_t cni_part_of(const cni_part *part, uint64_t node)
{
    uint64_t low = 0, high = part->parts;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (first_node(part->nodes, middle, part->parts) <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}

cn_status cn_part_nodes(const cn_topology *topology, uint32_t part, uint32_t parts, uint64_t *first,
                        uint64_t *count)
{
    CNI_REQUIRE_BOTH(topology, first);
    CNI_REQUIRE(count);
    uint64_t blocks = topology->nodes / CNI_PART_BLOCK + (topology->nodes % CNI_PART_BLOCK != 0);
    if (parts == 0 || parts > blocks || parts > CNI_MOST_PARTS)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "%s: parts = %lu, but a part of %s is whole blocks of %d nodes, so there are 1 "
            "to %llu parts",
            __func__, (unsigned long)parts, topology->name, CNI_PART_BLOCK,
            (unsigned long long)(blocks < CNI_MOST_PARTS ? blocks : CNI_MOST_PARTS));
    if (part >= parts)
        return cni_fail(CN_ERR_ARGUMENT, "%s: part = %lu, but the parts are 0 to %lu", __func__,
                        (unsigned long)part, (unsigned long)parts - 1);
    *first = first_node(topology->nodes, part, parts);
    *count = first_node(topology->nodes, (uint64_t)part + 1, parts) - *first;
    return CN_OK;
}

void cni_part_begin(const cn_scenario *scenario, cni_part *part)
{
    const cni_part_order *order = scenario->part;
    *part = (cni_part){.nodes = scenario->topology->nodes, .stages = 1, .width = 1};
    part->end = part->nodes;
    if (order == NULL)
        return;
    part->part = order->part;
    part->parts = order->parts;
    part->exchange = order->exchange;
    part->user = order->user;
    part->first = first_node(part->nodes, order->part, order->parts);
    part->end = first_node(part->nodes, (uint64_t)order->part + 1, order->parts);
}

void cni_part_close(cni_part *part)
{
    for (uint32_t s = 0; s < CNI_PART_STAGES; s++) {
        for (size_t i = 0; i < part->links[s]; i++) {
            cni_release(part->link[s][i].run);
            cni_release(part->link[s][i].out);
            cni_release(part->link[s][i].in);
            cni_release(part->link[s][i].letter);
        }
        cni_release(part->link[s]);
    }
    cni_release(part->stage);
    cni_release(part->neighbors);
    cni_release(part->pointers);
    cni_release(part->gone);
}

void cni_part_visit(cni_archive *archive, cni_part *part)
{
    if (part->parts > 0)
        cni_archive_u64s(archive, &part->balance, 1);
}

/* ---- stages ---- */

static cn_status divide_stages(cni_part *part)
{
    part->stage = cni_allocate((part->end - part->first) / CNI_PART_BLOCK + 1, sizeof *part->stage);
    part->stages = 2;
    return part->stage == NULL ? CN_ERR_MEMORY : CN_OK;
}

/* Divides a part into halves. A channel that leaves the part leads into the same half of another
 * part. The halves alternate in runs of a 32nd to a 64th of the blocks, so that each thread has
 * as much work in one half as in the other. */
static cn_status halve_blocks(cni_part *part)
{
    uint64_t blocks = (part->end - part->first) / CNI_PART_BLOCK, run = 1;
    while (64 * run <= blocks)
        run *= 2;
    if (blocks < 2)
        return CN_OK;
    CNI_TRY(divide_stages(part));
    for (uint64_t b = 0; b < blocks; b++)
        part->stage[b] = b / run % 2;
    return CN_OK;
}

cn_status cni_part_find_edge(cni_part *part)
{
    CNI_TRY(divide_stages(part));
    memset(part->stage, 1, (size_t)((part->end - part->first) / CNI_PART_BLOCK + 1));
    return CN_OK;
}

uint64_t cni_part_stretch(const cni_part *part, uint32_t stage, uint64_t *node, uint64_t end)
{
    if (part->stage == NULL)
        return end;
    while (*node < end && cni_part_stage_of(part, *node) != stage)
        *node += CNI_PART_BLOCK - (*node - part->first) % CNI_PART_BLOCK;
    *node = *node < end ? *node : end;
    uint64_t last = *node;
    while (last < end && cni_part_stage_of(part, last) == stage)
        last += CNI_PART_BLOCK - (last - part->first) % CNI_PART_BLOCK;
    return last < end ? last : end;
}

/* ---- links ---- */

/* Finds or adds the link with the part of a node; links are in the order of the parts.
 * CN_ERR_MEMORY. */
static cn_status find_link(cni_part *part, uint32_t stage, uint64_t far, cni_part_link **link)
{
    uint64_t other = cni_part_of(part, far);
    size_t count = part->links[stage], at = 0;
    while (at < count && part->link[stage][at].part < other)
        at++;
    if (at < count && part->link[stage][at].part == other) {
        *link = &part->link[stage][at];
        return CN_OK;
    }
    CNI_TRY(cni_grow(&part->link[stage], &part->link_room[stage], count + 1, sizeof **link));
    *link = part->link[stage] + at;
    memmove(*link + 1, *link, (count - at) * sizeof **link);
    **link = (cni_part_link){.part = other};
    part->links[stage] += 1;
    return CN_OK;
}

cn_status cni_part_add(cni_part *part, uint32_t stage, uint64_t from, uint64_t row, uint64_t far)
{
    cni_part_link *link;
    uint64_t to = row << CNI_PART_ROW_SHIFT | far;
    CNI_TRY(find_link(part, stage, far, &link));
    link->channels += 1;
    if (link->runs > 0) {
        cni_part_run *last = &link->run[link->runs - 1];
        if (last->from + last->count == from && last->to + last->count == to &&
            last->count < CNI_PART_BLOCK) {
            last->count += 1;
            return CN_OK;
        }
    }
    CNI_TRY(cni_grow(&link->run, &link->run_room, link->runs + 1, sizeof *link->run));
    link->run[link->runs++] = (cni_part_run){from, to, 1};
    return CN_OK;
}

cn_status cni_part_expect(cni_part *part, uint32_t stage, uint64_t far)
{
    cni_part_link *link;
    CNI_TRY(find_link(part, stage, far, &link));
    link->arriving += 1;
    return CN_OK;
}

/* Chooses the stages of a cube. Halves need parts of equal size, a power of two: then the bits
 * that tell parts apart are not the bits that number the blocks of a part, and neighbours in
 * other parts are in the same half. */
static cn_status open_stages(cni_part *part, const cn_topology *cube)
{
    part->is_mirrored = 1;
    if (cni_is_hypercube(cube) && (part->parts & (part->parts - 1)) == 0 &&
        (part->end - part->first) * part->parts == part->nodes)
        return halve_blocks(part);
    CNI_TRY(cni_part_find_edge(part));
    for (uint64_t node = part->first; node < part->end; node++)
        for (uint32_t p = 0; p < cube->max_degree; p++)
            if (!cni_part_has(part, cube->ops->neighbor(cube, node, p)))
                cni_part_mark_edge(part, node);
    return CN_OK;
}

cn_status cni_part_link_cube(cni_part *part, const cn_topology *cube, uint64_t stride)
{
    CNI_TRY(open_stages(part, cube));
    for (uint32_t p = 0; p < cube->max_degree; p++)
        for (uint64_t node = part->first; node < part->end; node++) {
            uint64_t far = cube->ops->neighbor(cube, node, p);
            if (!cni_part_has(part, far))
                CNI_TRY(cni_part_add(part, cni_part_stage_of(part, node),
                                     p * stride + node - part->first,
                                     cube->ops->back_port(cube, node, p), far));
        }
    return CN_OK;
}

/* Allocates the buffers of a link. The other side may have as many runs as channels, unless it
 * has the same runs as this side. */
static cn_status open_buffers(const cni_part *part, cni_part_link *link)
{
    link->room_out = cni_part_words(link->runs, link->channels, part->width);
    link->room_in = part->is_mirrored ? link->room_out
                                      : cni_part_words(link->arriving, link->arriving, part->width);
    link->out = cni_allocate(link->room_out, sizeof *link->out);
    link->in = cni_allocate(link->room_in, sizeof *link->in);
    return link->out == NULL || link->in == NULL ? CN_ERR_MEMORY : CN_OK;
}

cn_status cni_part_seal(cni_part *part)
{
    size_t most = 0;
    for (uint32_t s = 0; s < CNI_PART_STAGES; s++) {
        most = part->links[s] > most ? part->links[s] : most;
        for (size_t i = 0; i < part->links[s]; i++)
            CNI_TRY(open_buffers(part, &part->link[s][i]));
    }
    part->neighbors = cni_allocate(most, sizeof *part->neighbors);
    part->pointers = cni_allocate(most, sizeof(cn_part_neighbor *));
    return part->neighbors == NULL || part->pointers == NULL ? CN_ERR_MEMORY : CN_OK;
}

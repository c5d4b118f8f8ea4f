/* The nodes of a part, and its channels to and from other parts. */
#include "simulation/kernel/part.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "simulation/kernel/part_buffer.h"
#include "topology/topology.h"

/* The first node of a part. The parts have equal numbers of blocks, or differ by one. */
static uint64_t first_node(uint64_t nodes, uint64_t part, uint64_t parts)
{
    uint64_t blocks = (nodes + CNI_PART_BLOCK - 1) / CNI_PART_BLOCK;
    uint64_t node = (blocks / parts * part + blocks % parts * part / parts) * CNI_PART_BLOCK;
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
    *part = (cni_part){.nodes = scenario->topology->nodes, .width = 1};
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
    for (size_t i = 0; i < part->links; i++) {
        cni_release(part->link[i].run);
        cni_release(part->link[i].out);
        cni_release(part->link[i].in);
        cni_release(part->link[i].letter);
    }
    cni_release(part->link);
    cni_release(part->neighbors);
    cni_release(part->gone);
}

void cni_part_visit(cni_archive *archive, cni_part *part)
{
    if (part->parts > 0)
        cni_archive_u64s(archive, &part->balance, 1);
}

/* ---- links ---- */

/* Finds or adds the link with the part of a node; links are in the order of the parts.
 * CN_ERR_MEMORY. */
static cn_status find_link(cni_part *part, uint64_t far, cni_part_link **link)
{
    uint64_t other = cni_part_of(part, far);
    size_t at = 0;
    while (at < part->links && part->link[at].part < other)
        at++;
    if (at == part->links || part->link[at].part != other) {
        CNI_TRY(cni_grow(&part->link, &part->link_room, part->links + 1, sizeof **link));
        memmove(part->link + at + 1, part->link + at, (part->links - at) * sizeof **link);
        part->link[at] = (cni_part_link){.part = other};
        part->links += 1;
    }
    *link = &part->link[at];
    return CN_OK;
}

cn_status cni_part_add(cni_part *part, uint64_t from, uint64_t row, uint64_t far)
{
    cni_part_link *link;
    uint64_t to = row << CNI_PART_ROW_SHIFT | far;
    CNI_TRY(find_link(part, far, &link));
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

cn_status cni_part_expect(cni_part *part, uint64_t far)
{
    cni_part_link *link;
    CNI_TRY(find_link(part, far, &link));
    link->arriving += 1;
    return CN_OK;
}

cn_status cni_part_link_cube(cni_part *part, const cn_topology *cube, uint64_t stride)
{
    part->is_mirrored = 1;
    for (uint32_t p = 0; p < cube->max_degree; p++)
        for (uint64_t node = part->first; node < part->end; node++) {
            uint64_t far = cube->ops->neighbor(cube, node, p);
            if (!cni_part_has(part, far))
                CNI_TRY(cni_part_add(part, p * stride + node - part->first,
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
    for (size_t i = 0; i < part->links; i++)
        CNI_TRY(open_buffers(part, &part->link[i]));
    part->neighbors = cni_allocate(part->links, sizeof(cn_part_neighbor *));
    return part->neighbors == NULL ? CN_ERR_MEMORY : CN_OK;
}

/* A part of a network in the kernel of deflection routing. */
#include "simulation/deflection/deflection.h"

#include "base/error.h"
#include "base/memory.h"
#include "simulation/deflection/deflection_node.h"
#include "topology/topology.h"

static cn_status make_tagged_room(void *state)
{
    cni_deflection *k = state;
    CNI_TRY(cni_mailbox_make_room(&k->mailbox, k->traced));
    return cni_deflection_make_tagged_room(k, k->mailbox.waiting + k->traced);
}

/* Neighbours in other parts are in the same half where the bits that differ between parts are not those that number
 * the blocks of a part. */
static cn_status open_stages(cni_deflection *k)
{
    cni_part *part = &k->part;
    uint64_t nodes = part->end - part->first;
    part->is_mirrored = 1;
    if (k->form == CNI_FORM_BOOLEAN && (part->parts & (part->parts - 1)) == 0 &&
        nodes * part->parts == part->nodes)
        return cni_part_halve(part);
    return cni_part_find_edge(part);
}

/* Which nodes have a neighbour in another part; then, in the order of ports and nodes, the channels to these. */
static cn_status link_cube(cni_deflection *k, int is_last)
{
    const cni_deflection_shape *s = &k->shape;
    const cn_topology *t = k->topology;
    cni_part *part = &k->part;
    for (uint32_t p = 0; p < s->ports; p++)
        for (uint64_t node = part->first; node < part->end; node++) {
            uint64_t far = t->ops->neighbor(t, node, p), at = node - s->first;
            uint32_t back = cni_deflection_back(s, p);
            if (cni_part_has(part, far))
                continue;
            if (is_last) {
                CNI_TRY(cni_part_add(part, cni_part_stage_of(part, node), p * s->stride + at, back,
                                     far));
                continue;
            }
            k->outer[back * s->blocks + at / CNI_BLOCK] |= UINT64_C(1) << at % CNI_BLOCK;
            if (!part->halves)
                cni_part_mark_edge(part, node);
        }
    return CN_OK;
}

cn_status cni_deflection_open_part(cni_deflection *k)
{
    const cni_deflection_shape *s = &k->shape;
    cni_part *part = &k->part;
    part->kernel = k;
    part->mailbox = &k->mailbox;
    part->find = cni_deflection_find_letter;
    part->make_room = make_tagged_room;
    if (part->parts < 2)
        return CN_OK;
    if (k->form == CNI_FORM_ROUTED)
        return cni_part_seal(part);
    k->outer = cni_allocate(s->ports * s->blocks, sizeof *k->outer);
    if (k->outer == NULL)
        return CN_ERR_MEMORY;
    CNI_TRY(open_stages(k));
    CNI_TRY(link_cube(k, 0));
    CNI_TRY(link_cube(k, 1));
    return cni_part_seal(part);
}

/* A part of a network in the kernel of deflection routing. */
#include "simulation/deflection/deflection.h"

#include "base/error.h"
#include "base/memory.h"
#include "simulation/deflection/deflection_node.h"
#include "topology/topology.h"

static cni_letter *find_letter(void *kernel, const uint64_t *message, uint64_t *number)
{
    const cni_deflection *k = kernel;
    uint64_t source, created = cni_deflection_name(k, *message, &source, number);
    if ((*message >> k->shape.tag_shift & 1) == 0)
        return NULL;
    return cni_mailbox_find(&k->base.head.mailbox, created, source, *number);
}

/* Whether a message may come to a node in a row. In CNI_FORM_ROUTED a node has no room for
 * messages in rows beyond its inlets. */
static int allows_message(const void *kernel, uint64_t row, uint64_t node, const uint64_t *message,
                          uint64_t cycle)
{
    const cni_deflection *k = kernel;
    const cni_deflection_shape *s = &k->shape;
    uint64_t source, number, created = cni_deflection_name(k, *message, &source, &number);
    uint64_t header = *message & s->header_mask;
    int is_tagged = (*message >> s->tag_shift & 1) != 0;
    if (created > cycle || source >= s->nodes ||
        (k->form == CNI_FORM_ROUTED && row >= s->buffers - k->any.most_kept[node]))
        return 0;
    return (header == (k->form == CNI_FORM_ROUTED ? node : 0) ||
            cni_deflection_is_header(k, node, header)) &&
           (is_tagged || k->base.slotted.trace == NULL ||
            cni_slotted_find(&k->base.slotted, created, source, number) != NULL);
}

/* Finds the nodes to which the channel of a port comes from another part. */
static void find_outer(cni_deflection *k)
{
    const cni_deflection_shape *s = &k->shape;
    const cn_topology *t = k->topology;
    for (uint64_t node = k->base.part.first; node < k->base.part.end; node++)
        for (uint32_t p = 0; p < s->ports; p++) {
            uint64_t at = node - s->first, block = cni_deflection_back(s, p) * s->blocks;
            if (!cni_part_has(&k->base.part, t->ops->neighbor(t, node, p)))
                k->outer[block + at / CNI_BLOCK] |= UINT64_C(1) << at % CNI_BLOCK;
        }
}

cn_status cni_deflection_open_part(cni_deflection *k)
{
    const cni_deflection_shape *s = &k->shape;
    cni_part *part = &k->base.part;
    part->kernel = k;
    part->mailbox = &k->base.head.mailbox;
    part->allows = allows_message;
    part->find = find_letter;
    part->make_room = cni_divided_make_room;
    if (part->parts < 2)
        return CN_OK;
    if (k->form == CNI_FORM_ROUTED)
        return cni_part_seal(part);
    k->outer = cni_allocate(s->ports * s->blocks, sizeof *k->outer);
    CNI_TRY_MEMORY(k->outer);
    find_outer(k);
    CNI_TRY(cni_part_link_cube(part, k->topology, s->stride));
    return cni_part_seal(part);
}

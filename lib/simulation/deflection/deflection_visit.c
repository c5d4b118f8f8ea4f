/* The state of the kernel of deflection routing in a snapshot. Between steps all channels are
 * empty. */
#include "simulation/deflection/deflection.h"

#include "base/error.h"

int cni_deflection_is_header(const cni_deflection *k, uint64_t node, uint64_t header)
{
    const cni_deflection_shape *s = &k->shape;
    if (k->form == CNI_FORM_ROUTED)
        return header < s->nodes && header != node && cni_network_serves(&k->any.network, node) &&
               cni_network_serves(&k->any.network, header) &&
               cni_network_ports(&k->any.network, node, 0, header) != 0;
    for (uint32_t i = 0; i < s->dimensions; i++)
        if ((header >> i * s->digit_bits & ((UINT64_C(1) << s->digit_bits) - 1)) >= s->radix)
            return 0;
    return header != 0;
}

/* Refuses a message that cannot be in the network. is_place: its header allows its place. */
static cn_status check_message(const cni_deflection *k, int is_place, uint64_t message,
                               uint64_t *tagged)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t source, number, created = cni_deflection_name(k, message, &source, &number);
    uint64_t is_tagged = message >> s->tag_shift & 1;
    CNI_ALLOW(created <= k->base.cycle && source < s->nodes && is_place,
              "a message that cannot be");
    CNI_ALLOW(is_tagged || k->base.slotted.trace == NULL ||
                  cni_slotted_find(&k->base.slotted, created, source, number) != NULL,
              "a message that the trace does not have");
    *tagged += is_tagged;
    return CN_OK;
}

/* Visits, for a port and a block of nodes, the nodes to which a tail is on its way, and the
 * messages of these tails. */
static cn_status visit_tails_of(cni_deflection *k, cni_archive *archive, uint32_t port,
                                uint64_t block, uint64_t *tagged)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t base = block * CNI_BLOCK, *tails = k->tails + port * s->stride + base, nodes = 0;
    uint64_t there =
        s->nodes - base < CNI_BLOCK ? (UINT64_C(1) << (s->nodes - base)) - 1 : UINT64_MAX;
    for (uint64_t j = 0; j < CNI_BLOCK; j++)
        nodes |= (uint64_t)(tails[j] != CNI_NO_MESSAGE) << j;
    cni_archive_u64s(archive, &nodes, 1);
    CNI_ALLOW((nodes & ~there) == 0, "the tails of messages");
    if (cni_archive_reads(archive))
        cni_deflection_worker_at(k, 0)->crossing[port][CNI_CROSSING_LAST] += cni_popcount(nodes);
    for (; nodes != 0; nodes &= nodes - 1) {
        uint64_t j = cni_lowest_bit(nodes);
        cni_archive_u64s(archive, &tails[j], 1);
        if (cni_archive_reads(archive))
            CNI_TRY(check_message(k, (tails[j] & s->header_mask) == base + j, tails[j], tagged));
    }
    return CN_OK;
}

/* Visits the counters of messages whose tails are still crossing a channel of a port. The
 * counter of messages at their destination follows from their tails. */
static void visit_crossing(cni_deflection *k, cni_archive *archive, uint32_t port)
{
    uint64_t *sent[CNI_MAX_WORKERS];
    for (uint32_t i = 0; i < cni_team_workers(k->base.team); i++)
        sent[i] = cni_deflection_worker_at(k, i)->crossing[port];
    cni_archive_sums(archive, sent, cni_team_workers(k->base.team), CNI_CROSSING_LAST);
}

static cn_status visit_tails(cni_deflection *k, cni_archive *archive, uint64_t *tagged)
{
    for (uint32_t port = 0; port < k->shape.ports; port++) {
        visit_crossing(k, archive, port);
        for (uint64_t block = 0; block < k->shape.blocks; block++)
            CNI_TRY(visit_tails_of(k, archive, port, block, tagged));
    }
    return CN_OK;
}

static cn_status visit_queues(cni_deflection *k, cni_archive *archive)
{
    uint64_t tagged = 0;
    for (uint64_t node = k->base.part.first; node < k->base.part.end; node++) {
        uint64_t at = node - k->base.part.first, *queue = k->queue + at * k->shape.slots;
        uint32_t length = k->length[at];
        cni_archive_u32s(archive, &length, 1);
        CNI_ALLOW(length <= k->shape.buffers, "a queue that is longer than its buffers");
        cni_archive_u64s(archive, queue, length);
        if (!cni_archive_reads(archive))
            continue;
        for (uint32_t m = 0; m < length; m++)
            CNI_TRY(
                check_message(k, cni_deflection_is_header(k, node, queue[m] & k->shape.header_mask),
                              queue[m], &tagged));
        k->length[at] = length;
        k->holds[at / CNI_BLOCK] |= (uint64_t)(length > 0) << at % CNI_BLOCK;
    }
    if (k->tails != NULL)
        CNI_TRY(visit_tails(k, archive, &tagged));
    CNI_ALLOW(!cni_archive_reads(archive) || tagged == k->base.head.mailbox.waiting,
              "the number of injected messages");
    return CN_OK;
}

cn_status cni_deflection_visit(void *state, cni_archive *archive)
{
    cni_deflection *k = state;
    cni_archive_u64s(archive, &k->base.cycle, 1);
    cni_archive_u64s(archive, &k->epoch, 1);
    CNI_ALLOW(k->epoch <= k->base.cycle && k->base.cycle - k->epoch <= k->greatest_created,
              "the epoch of the messages");
    cni_part_visit(archive, &k->base.part);
    CNI_TRY(cni_divided_visit_counters(archive, &k->base));
    CNI_TRY(cni_slotted_visit(archive, &k->base.slotted));
    CNI_TRY(cni_mailbox_visit(archive, &k->base.head.mailbox, k->base.slotted.trace != NULL));
    CNI_TRY(visit_queues(k, archive));
    CNI_TRY(cni_deflection_visit_counts(k, archive));
    return cni_archive_reads(archive)
               ? cni_divided_make_landing_room(&k->base, k->base.head.mailbox.waiting)
               : CN_OK;
}

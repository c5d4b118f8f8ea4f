/* The part of a network in the kernels that store and forward; and the places where nodes find
 * their messages, also in a whole network. */
#include "base/error.h"
#include "base/memory.h"
#include "simulation/store_forward/store_forward_node.h"
#include "topology/topology.h"

/* ---- where inlets find their messages ---- */

/* The place in a bank where an inlet of a node finds its message: a row and a node. A message of
 * this part lies in the place of the channel. A message of another part lies in the place of a
 * channel that leads from the receiver to another part; inlets from other parts take these
 * outlets in order, and then rows behind the ports. Every part computes the same places for all
 * nodes, so senders know them. */
typedef struct inlet_place {
    uint32_t row;
    uint64_t node; /* the sender, or the receiver itself */
} inlet_place;

/* Returns the number of inlets. */
static uint32_t place_inlets(const cni_store *k, uint64_t node, inlet_place places[])
{
    const cni_network *net = &k->network;
    const size_t *first = net->inlets.first + node;
    const uint32_t *far = net->far + node * net->ports;
    const uint64_t home = k->base.part.parts > 1 ? cni_part_of(&k->base.part, node) : 0;
    uint32_t outlet = 0, count = 0;
    for (size_t i = first[0]; i < first[1]; i++) {
        uint64_t from = net->inlets.tail[i];
        if (k->base.part.parts < 2 || cni_part_of(&k->base.part, from) == home) {
            places[count++] = (inlet_place){net->inlets.port[i], from};
            continue;
        }
        while (outlet < net->ports &&
               (far[outlet] == CNI_ABSENT || cni_part_of(&k->base.part, far[outlet]) == home))
            outlet++;
        places[count++] = (inlet_place){outlet++, node};
    }
    return count;
}

/* Counts rows and allocates the lists of inlets. In a group of CNI_STORE_LANES nodes all have
 * room for as many inlets as the node with most inlets. */
static cn_status open_inlets(cni_store *k)
{
    size_t blocks = (size_t)(cni_store_nodes(k) + CNI_STORE_LANES - 1) / CNI_STORE_LANES;
    inlet_place places[CNI_MOST_PORTS];
    k->from_first = cni_allocate(blocks + 1, sizeof *k->from_first);
    CNI_TRY_MEMORY(k->from_first);
    for (uint64_t at = 0; at < cni_store_nodes(k); at++) {
        uint32_t count = place_inlets(k, k->base.part.first + at, places);
        size_t *most = &k->from_first[at / CNI_STORE_LANES + 1];
        *most = count > *most ? count : *most;
        for (uint32_t i = 0; i < count; i++)
            k->rows = places[i].row >= k->rows ? places[i].row + 1 : k->rows;
    }
    for (size_t b = 0; b < blocks; b++)
        k->from_first[b + 1] += k->from_first[b];
    k->from = cni_allocate(k->from_first[blocks] * CNI_STORE_LANES, sizeof *k->from);
    return k->from == NULL ? CN_ERR_MEMORY : CN_OK;
}

cn_status cni_store_list_inlets(cni_store *k)
{
    inlet_place places[CNI_MOST_PORTS];
    k->rows = k->shape.ports;
    if (k->shape.form == CNI_STORE_CUBE)
        return CN_OK;
    CNI_TRY(open_inlets(k));
    size_t blocks = (size_t)(cni_store_nodes(k) + CNI_STORE_LANES - 1) / CNI_STORE_LANES;
    for (size_t i = 0; i < k->from_first[blocks] * CNI_STORE_LANES; i++)
        k->from[i] = (uint32_t)(k->shape.stride * k->rows);
    for (uint64_t at = 0; at < cni_store_nodes(k); at++) {
        uint32_t *from = k->from + (cni_store_from(k, at) - k->from);
        uint32_t count = place_inlets(k, k->base.part.first + at, places);
        for (uint32_t i = 0; i < count; i++)
            from[(size_t)i * CNI_STORE_LANES] =
                (uint32_t)(places[i].row * k->shape.stride + cni_store_at(k, places[i].node));
    }
    return CN_OK;
}

/* ---- channels to and from other parts ---- */

/* Finds for each channel to another part the row in which the receiver looks for its message. */
static cn_status find_rows(cni_store *k, uint8_t rows[])
{
    const cni_inlets *inlets = &k->network.inlets;
    cni_part *part = &k->base.part;
    inlet_place places[CNI_MOST_PORTS];
    for (uint64_t v = 0; v < k->shape.nodes; v++) {
        uint32_t count = place_inlets(k, v, places);
        for (uint32_t i = 0; i < count; i++) {
            size_t inlet = inlets->first[v] + i;
            uint64_t from = inlets->tail[inlet];
            if (cni_part_has(part, v) == cni_part_has(part, from))
                continue;
            if (cni_part_has(part, v))
                CNI_TRY(cni_part_expect(part, from));
            else
                rows[inlets->port[inlet] * k->shape.stride + cni_store_at(k, from)] =
                    (uint8_t)places[i].row;
        }
    }
    return CN_OK;
}

/* Links the channels to and from other parts, in all forms but CNI_STORE_CUBE. */
static cn_status link_any(cni_store *k)
{
    const cni_network *net = &k->network;
    cni_part *part = &k->base.part;
    uint8_t *rows = cni_allocate(k->shape.stride * net->ports, sizeof *rows);
    CNI_TRY_MEMORY(rows);
    cn_status status = find_rows(k, rows);
    for (uint32_t p = 0; p < net->ports; p++)
        for (uint64_t v = part->first; v < part->end && status == CN_OK; v++) {
            uint32_t far = net->far[v * net->ports + p];
            uint64_t from = p * k->shape.stride + cni_store_at(k, v);
            if (far != CNI_ABSENT && !cni_part_has(part, far))
                status = cni_part_add(part, from, rows[from], far);
        }
    cni_release(rows);
    return status;
}

/* ---- messages from other parts ---- */

/* Whether the place of a message belongs to a channel inside the part, whose other end would take
 * the message. */
static int is_inside(const cni_store *k, uint64_t row, uint64_t node)
{
    const cni_network *net = &k->network;
    if (k->shape.form == CNI_STORE_CUBE || row >= net->ports)
        return 0;
    uint32_t far = net->far[node * net->ports + row];
    return far != CNI_ABSENT && cni_part_has(&k->base.part, far);
}

/* As cni_part.allows. */
static int allows_message(const void *kernel, uint64_t row, uint64_t node, const uint64_t *message,
                          uint64_t cycle)
{
    const cni_store *k = kernel;
    cni_message m = {message[0], message[1], k->shape.form == CNI_STORE_CLASSED ? message[2] : 0};
    uint64_t source = cni_store_source(&k->shape, m.identity);
    if (is_inside(k, row, node) || m.created > cycle || source >= k->shape.nodes ||
        !cni_network_is_endpoint(&k->network, source) || !cni_network_serves(&k->network, node))
        return 0;
    if (k->base.slotted.trace != NULL && (m.identity >> k->shape.injected_shift & 1) == 0 &&
        cni_store_find_traced(k, m.created, m.identity) == NULL)
        return 0;
    return cni_store_arrives(k, &k->shape, node, &m) ? cni_network_is_endpoint(&k->network, node)
                                                     : cni_store_ports_of(k, node, &m) != 0;
}

/* As cni_part.find. */
static cni_letter *find_letter(void *kernel, const uint64_t *message, uint64_t *number)
{
    const cni_store *k = kernel;
    const cni_store_shape *s = &k->shape;
    *number = message[1] >> s->number_shift & (s->numbers - 1);
    return (message[1] >> s->injected_shift & 1) == 0
               ? NULL
               : cni_store_find_letter(k, message[0], message[1]);
}

cn_status cni_store_open_part(cni_store *k)
{
    cni_part *part = &k->base.part;
    part->kernel = k;
    part->mailbox = &k->base.head.mailbox;
    part->width = k->shape.width;
    part->allows = allows_message;
    part->find = find_letter;
    part->make_room = cni_divided_make_room;
    if (part->parts < 2)
        return CN_OK;
    CNI_TRY(k->shape.form == CNI_STORE_CUBE
                ? cni_part_link_cube(part, k->network.topology, k->shape.stride)
                : link_any(k));
    return cni_part_seal(part);
}

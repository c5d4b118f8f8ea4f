/* Opening the kernel of deflection routing: the form of its cycle, its layout and its arrays. */
#include "simulation/deflection/deflection.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/decisions/channels.h"
#include "scenario/system.h"
#include "simulation/deflection/deflection_kernel.h"
#include "simulation/deflection/deflection_node.h"
#include "simulation/kernel/processor.h"
#include "topology/topology.h"

enum { WORDS_OF_CACHE_LINE = 8 };

/* The least number of bits of the age field. A message older than half the span of the field
 * ends the run, and with fewer bits messages of real runs get that old. Paths in Boolean cubes are
 * short, so 10 bits suffice there; cubes of 24 dimensions have exactly these. */
enum { LEAST_CREATED_BITS = 12, LEAST_CREATED_BITS_OF_CUBE = 10 };

/* With statistics: the bits that stay for the age, and the least and greatest number of bits for
 * the hops. A field of fewer than 6 bits would cut off counts from 31 on; more than 2^16 hops
 * are unlikely. */
enum { AGE_BITS = 16, LEAST_HOP_BITS = 6, MOST_HOP_BITS = 16 };

/* Tables by header have at most 2^16 entries, half a megabyte each. Larger tables would leave
 * the near caches, and headers are computed instead. */
enum { TABLE_BITS = 16 };

static uint32_t bits_for(uint64_t greatest)
{
    uint32_t bits = 0;
    for (; greatest > 0; greatest >>= 1)
        bits++;
    return bits;
}

/* The form of the cycle. Header arithmetic knows one routing, one selection and no damage; in a
 * part of a network it has no rings of one direction, where no port leads back. */
static cni_deflection_form form_of(const cn_scenario *scenario)
{
    const cn_topology *t = scenario->topology;
    const cn_faults *faults = cni_faults_of(scenario);
    if (scenario->system->kernel->variant == CNI_CUT_THROUGH)
        return cni_is_hypercube(t) ? CNI_FORM_BOOLEAN : CNI_FORM_KARY;
    int is_whole =
        faults == NULL || (cn_faults_node_count(faults) == 0 && cn_faults_link_count(faults) == 0);
    int is_one_way = t->max_degree == t->dimensions && !cni_is_hypercube(t);
    if (!cni_is_kary_ncube(t) || !is_whole || cni_subnet_of(scenario) != NULL ||
        cni_routing_of(scenario) != NULL || (scenario->part != NULL && is_one_way) ||
        scenario->value[CN_PARAM_SELECTION] != CN_SELECTION_RANDOM ||
        strcmp(cn_scenario_routing_name(scenario), "preferred") != 0)
        return CNI_FORM_ROUTED;
    return cni_is_hypercube(t) ? CNI_FORM_BOOLEAN : CNI_FORM_KARY;
}

uint64_t cni_deflection_period(const cn_scenario *scenario, uint64_t *tail)
{
    *tail = 0;
    if (scenario->system->kernel->variant != CNI_CUT_THROUGH)
        return 0;
    *tail = (uint64_t)scenario->value[CN_PARAM_MESSAGE_FLITS] - 1;
    return scenario->topology->max_degree + *tail;
}

/* Sets the numbers of ports, and the digits of a header. */
static void shape_header(cni_deflection *k, const cn_topology *topology)
{
    cni_deflection_shape *s = &k->shape;
    s->ports = s->rows = topology->max_degree;
    s->has_pdep = cni_has_pdep();
    s->has_lanes = cni_has_lanes();
    s->digit_bits = bits_for(s->nodes - 1);
    s->dimensions = 1;
    s->radix = s->nodes;
    if (k->form == CNI_FORM_ROUTED) {
        s->rows = 0; /* place_channels() and check_node() count the rows */
        return;
    }
    s->dimensions = topology->dimensions;
    s->radix = topology->radix[0];
    s->bidirectional = topology->max_degree > topology->dimensions;
    s->digit_bits = bits_for(s->radix - 1);
    s->inverse = (UINT64_C(1) << 40) / s->radix + 1;
}

/* The bits of the hop field, from the bits left for the age. A message older than its age field
 * ends the run, so the hops get only the bits beyond AGE_BITS. Hops with fewer than
 * LEAST_HOP_BITS are not counted at all. */
static uint32_t find_hop_bits(uint32_t left)
{
    uint32_t bits = left > AGE_BITS ? left - AGE_BITS : 0;
    bits = bits < MOST_HOP_BITS ? bits : MOST_HOP_BITS;
    return bits < LEAST_HOP_BITS ? 0 : bits;
}

/* The slots of a queue. Code for one node writes one word behind the messages, code for eight
 * nodes up to four. On cubes queues are whole cache lines. A multiple of four lines is avoided:
 * then all queues would begin in a quarter of the sets of the cache. */
static uint64_t find_slots(const cni_deflection *k)
{
    uint64_t lines =
        ((uint64_t)k->shape.buffers + 4 + WORDS_OF_CACHE_LINE - 1) / WORDS_OF_CACHE_LINE;
    if (k->form == CNI_FORM_ROUTED || k->shape.period != 0)
        return (uint64_t)k->shape.buffers + 1;
    return (lines + (lines % 4 == 0)) * WORDS_OF_CACHE_LINE;
}

/* Lays out the fields of a message, and the queues and banks of the part. */
static cn_status lay_out_message(cni_deflection *k, const cn_topology *topology)
{
    shape_header(k, topology);
    uint32_t header_bits = k->shape.dimensions * k->shape.digit_bits;
    uint32_t source_bits = bits_for(k->shape.nodes - 1);
    uint32_t number_bits = bits_for(k->shape.buffers);
    uint32_t used = header_bits + 1 + number_bits + source_bits, age = LEAST_CREATED_BITS;
    if (k->form == CNI_FORM_BOOLEAN)
        age = LEAST_CREATED_BITS_OF_CUBE;
    if (k->shape.nodes > CNI_UNIFORM_NODES || header_bits > 31 || used > 64 - age)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "the simulator keeps a message in 64 bits, but on %s with buffers = %lu it "
                        "needs %lu for header, source and number and %lu for the age",
                        topology->name, (unsigned long)k->shape.buffers, (unsigned long)used,
                        (unsigned long)age);
    uint32_t hop_bits = k->base.counts.words > 0 ? find_hop_bits(64 - used) : 0;
    k->shape.header_mask = (UINT64_C(1) << header_bits) - 1;
    k->shape.tag_shift = header_bits;
    k->shape.hop_shift = header_bits + 1;
    k->shape.hop_mask = (UINT64_C(1) << hop_bits) - 1;
    k->shape.number_shift = k->shape.hop_shift + hop_bits;
    k->shape.source_shift = k->shape.number_shift + number_bits;
    k->shape.created_shift = k->shape.source_shift + source_bits;
    k->greatest_created =
        (UINT64_C(1) << (64 - k->shape.created_shift)) - 2; /* all ones mean no message */
    k->shape.slots = find_slots(k);
    k->shape.first = k->base.part.first;
    k->shape.blocks = (k->base.part.end - k->base.part.first + CNI_BLOCK - 1) / CNI_BLOCK;
    k->shape.stride = k->shape.blocks * CNI_BLOCK + WORDS_OF_CACHE_LINE;
    return CN_OK;
}

/* Makes the tables by header, on k-ary n-cubes where they are small. */
static cn_status list_headers(cni_deflection *k)
{
    if (k->form != CNI_FORM_KARY || k->shape.period != 0 ||
        k->shape.dimensions * k->shape.digit_bits > TABLE_BITS)
        return CN_OK;
    k->preferred = cni_allocate((uint64_t)k->shape.header_mask + 1, sizeof *k->preferred);
    k->fresh = cni_allocate(k->shape.nodes, sizeof *k->fresh);
    if (k->preferred == NULL || k->fresh == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t header = 1; header < k->shape.nodes; header++) {
        k->fresh[header] = cni_deflection_fresh(&k->shape, header);
        k->preferred[k->fresh[header] & k->shape.header_mask] =
            cni_preferred_channels(k->topology, header);
    }
    return CN_OK;
}

/* Finds the nodes at the ends of rings. A channel down comes round to nodes with the greatest
 * digit, a channel up to nodes with digit 0. */
static cn_status find_wrapped(cni_deflection *k)
{
    const cni_deflection_shape *s = &k->shape;
    if (k->form == CNI_FORM_ROUTED)
        return CN_OK;
    k->wrapped = cni_allocate(s->ports * s->blocks, sizeof *k->wrapped);
    CNI_TRY_MEMORY(k->wrapped);
    uint64_t digit[CNI_MAX_DIMENSIONS] = {0}, rest = s->first; /* the digits of the node */
    for (uint32_t i = 0; i < s->dimensions; i++, rest /= s->radix)
        digit[i] = rest % s->radix;
    for (uint64_t node = 0; node < k->base.part.end - s->first; node++) {
        for (uint32_t p = 0; p < s->ports; p++) {
            int up = p >= s->dimensions;
            uint64_t wraps = digit[up ? p - s->dimensions : p] == (up ? 0 : s->radix - 1);
            k->wrapped[p * s->blocks + node / CNI_BLOCK] |= wraps << node % CNI_BLOCK;
        }
        for (uint32_t i = 0; i < s->dimensions && ++digit[i] == s->radix; i++)
            digit[i] = 0;
    }
    return CN_OK;
}

static cn_status open_workers(cni_deflection *k, uint32_t threads)
{
    uint64_t offset = k->shape.first / CNI_BLOCK, last = offset + k->shape.blocks;
    CNI_TRY(cni_divided_open_hands(&k->base, threads, k->shape.blocks * CNI_BLOCK,
                                   sizeof(cni_deflection_worker)));
    uint32_t workers = cni_team_workers(k->base.team);
    uint64_t share = (k->shape.blocks + workers - 1) / workers;
    for (uint32_t i = 0; i < workers; i++) {
        cni_deflection_worker *w = cni_deflection_worker_at(k, i);
        uint64_t first = offset + i * share, end = first + share;
        w->first_block = first < last ? first : last;
        w->end_block = end < last ? end : last;
    }
    return CN_OK;
}

static cn_status open_counts(cni_deflection *k)
{
    if (k->base.counts.words == 0)
        return CN_OK;
    k->came = cni_allocate(k->shape.rows * k->shape.blocks * CNI_BLOCK, sizeof *k->came);
    CNI_TRY_MEMORY(k->came);
    if (k->base.part.parts > 1)
        CNI_TRY_MEMORY(k->base.part.gone = cni_allocate(k->words, sizeof *k->base.part.gone));
    return CN_OK;
}

/* Allocates words from the start of a cache line on. `memory` keeps the whole allocation for its
 * release. */
static uint64_t *allocate_lines(cni_deflection *k, int which, uint64_t count)
{
    char *block = cni_allocate(count + WORDS_OF_CACHE_LINE - 1, sizeof(uint64_t));
    k->memory[which] = block;
    if (block == NULL)
        return NULL;
    return (uint64_t *)(void *)(block + (0 - (uintptr_t)block) % (WORDS_OF_CACHE_LINE * 8));
}

/* Allocates places without messages. */
static uint64_t *allocate_places(cni_deflection *k, int which, uint64_t count)
{
    uint64_t *places = allocate_lines(k, which, count);
    if (places != NULL)
        memset(places, 0xff, (size_t)count * sizeof *places);
    return places;
}

static cn_status open_state(cni_deflection *k)
{
    const cni_deflection_shape *s = &k->shape;
    size_t nodes = (size_t)(k->base.part.end - k->base.part.first);
    k->words = s->stride * s->rows + k->any.leaving;
    if (s->slots > SIZE_MAX / nodes)
        return cni_fail(CN_ERR_MEMORY, "out of memory: %zu nodes of %llu messages", nodes,
                        (unsigned long long)s->slots);
    k->queue = allocate_lines(k, 0, (uint64_t)nodes * s->slots);
    k->length = cni_allocate(s->blocks * CNI_BLOCK, sizeof *k->length);
    k->holds = cni_allocate(s->blocks, sizeof *k->holds);
    if (k->queue == NULL || k->length == NULL || k->holds == NULL)
        return CN_ERR_MEMORY;
    CNI_TRY(open_counts(k));
    if (s->period != 0 && (k->tails = allocate_places(k, 1, s->stride * s->ports)) == NULL)
        return CN_ERR_MEMORY;
    for (int bank = 0; bank < 2; bank++) {
        if (bank == 1 && k->form == CNI_FORM_BOOLEAN && s->period == 0)
            k->channel[bank] = k->channel[0];
        else
            k->channel[bank] = allocate_places(k, 2 + bank, s->period != 0 ? s->stride : k->words);
        CNI_TRY_MEMORY(k->channel[bank]);
        if (k->form == CNI_FORM_ROUTED || s->period != 0)
            continue;
        k->sent[bank] = cni_allocate(s->ports * (s->blocks + 2), sizeof *k->sent[bank]);
        CNI_TRY_MEMORY(k->sent[bank]);
    }
    return CN_OK;
}

void cni_deflection_close(void *state)
{
    cni_deflection *k = state;
    cni_divided_close(&k->base);
    cni_release(k->came);
    cni_deflection_close_network(&k->any);
    cni_release(k->preferred);
    cni_release(k->fresh);
    cni_release(k->wrapped);
    cni_release(k->outer);
    cni_release(k->length);
    cni_release(k->holds);
    for (int bank = 0; bank < 2; bank++)
        cni_release(k->sent[bank]);
    for (size_t i = 0; i < sizeof k->memory / sizeof *k->memory; i++)
        cni_release(k->memory[i]);
    cni_release(k);
}

static cn_status open_kernel(const cn_scenario *scenario, uint64_t seed, cni_deflection *k)
{
    k->topology = scenario->topology;
    k->form = form_of(scenario);
    k->selection = (cn_selection)scenario->value[CN_PARAM_SELECTION];
    cni_part_begin(scenario, &k->base.part);
    k->shape.nodes = scenario->topology->nodes;
    k->shape.buffers = (uint32_t)scenario->value[CN_PARAM_BUFFERS];
    k->shape.period = cni_deflection_period(scenario, &k->shape.tail);
    k->base.seed = seed;
    if (scenario->value[CN_PARAM_STATISTICS] != 0.0)
        CNI_TRY(cni_counts_open_nodes(scenario->topology, k->base.part.end - k->base.part.first,
                                      CNI_ALL_COUNTS, &k->base.counts));
    CNI_TRY(lay_out_message(k, scenario->topology));
    CNI_TRY(cni_slotted_open(scenario, seed, k->base.part.first,
                             k->base.part.end - k->base.part.first, &k->base.slotted));
    CNI_TRY(cni_deflection_open_network(scenario, k));
    CNI_TRY(list_headers(k));
    CNI_TRY(find_wrapped(k));
    CNI_TRY(cni_deflection_open_part(k));
    CNI_TRY(open_state(k));
    return open_workers(k, (uint32_t)scenario->value[CN_PARAM_THREADS]);
}

cn_status cni_deflection_open(const cn_scenario *scenario, uint64_t seed, void **state)
{
    cni_deflection *k = cni_allocate(1, sizeof *k);
    CNI_TRY_MEMORY(k);
    cn_status status = open_kernel(scenario, seed, k);
    if (status == CN_OK)
        *state = k;
    else
        cni_deflection_close(k);
    return status;
}

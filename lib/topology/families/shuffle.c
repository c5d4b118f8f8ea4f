/*
 * The perfect-shuffle networks (Ginosar & Egozi 1989, 4.1.8), v = b_{n-1} ... b_1 b_0:
 *   sigma(v) = b_{n-2} ... b_0 b_{n-1}, epsilon(v) = v with b_0 inverted.
 * PSNN: v - 1, v + 1 (mod N), sigma(v), sigma^-1(v). PSE: epsilon(v), sigma(v), sigma^-1(v).
 *
 * In both a path is like a head that moves round the n bits of a word and changes bits where it is.
 *
 * The diameter of PSNN is b = floor(3 (n - 1) / 2) from n = 3 on. The proof:
 *
 * The diameter is at most b: identify 0 and N-1. Then v counts modulo m = N - 1, and a change at
 * place i adds or subtracts 2^i. Let the head go from place 0 up to place r, and z be what is to be
 * added; let z have at most n/2 ones, else take all bits inverted. r = n - 2: the ones of z are
 * added, one at place n - 1 as two at n - 2; of a z with n/2 ones the inverse is subtracted if it
 * has no one at place n - 1 and z has. That takes b hops, and one more if the sum passes 0 = N - 1
 * on the way, from one of them to the other. When that would be too many (then the source is 1...1
 * above the inverse of the low part of z), n odd: the inverse of z is subtracted, which does not
 * pass 0; n even: r = n - 3 saves the hop. What is left (ends 0, 1, 2 and their inverses) is done
 * from the other end, or has few cases.
 *
 * The diameter is at least b: a boundary is a place at which a bit differs from the one below,
 * around the word. A change by one with the head at place i changes whether there are boundaries at
 * i and at the end of the carry; that is at i + 1, or next above the first boundary that is above
 * i. From 0 to 10...10 (n even) or 10...101, n or n - 1 boundaries are made. g consecutive places
 * at which the head never is need g - 1 boundaries that are made, unmade and made again (more than
 * that for g > 2), so n - 1 - g moves of the head need n/2 + g - 1 changes. For odd n the cases
 * with equality reach 010...010 instead.
 */
#include "topology/families/shift_network.h"

#include "base/error.h"
#include "topology/distances/breadth_first.h"

static uint32_t nearest_neighbors(const cn_topology *t, uint64_t node,
                                  uint64_t candidates[CNI_SHIFT_PORTS])
{
    candidates[0] = (node - 1) & (t->nodes - 1);
    candidates[1] = (node + 1) & (t->nodes - 1);
    candidates[2] = cni_shuffle(t, node);
    candidates[3] = cni_unshuffle(t, node);
    return 4;
}

static uint32_t exchange(const cn_topology *t, uint64_t node, uint64_t candidates[CNI_SHIFT_PORTS])
{
    candidates[0] = node ^ 1;
    candidates[1] = cni_shuffle(t, node);
    candidates[2] = cni_unshuffle(t, node);
    return 3;
}

/* The number of shuffle links: N - 2, as 0 and N-1 have loops; one less for even n, where 0101...01
 * and 1010...10 lead to each other. */
static uint64_t shuffle_links(uint32_t n)
{
    return (UINT64_C(1) << (n & 63)) - 2 - (n % 2 == 0 ? 1 : 0);
}

/* ---- distances ---- */

/* The shortest walk of the head from place 0 to place `end` that visits all places of the set:
 * once around, or back and forth without crossing one gap between two places of the set. */
static uint32_t walk(uint64_t set, uint32_t end, uint32_t n)
{
    uint32_t least = end < n - end ? n + end : 2 * n - end, up = 0;
    set |= UINT64_C(1) << end;
    for (uint32_t place = 1; place <= n; place++) {
        if (place < n && !(set >> place & 1))
            continue;
        uint32_t down = n - place; /* the gap is between `up` and this place */
        uint32_t hops = 2 * (up + down) - (end <= up ? end : n - end);
        least = hops < least ? hops : least;
        up = place;
    }
    return least;
}

/* The least over the places r at which the head may end: r decides which bits change. */
static cn_status exchange_distance(const cn_topology *t, uint64_t source, uint64_t destination,
                                   uint64_t *hops)
{
    uint32_t n = cni_shift_bits(t), least = UINT32_MAX;
    for (uint32_t r = 0; r < n; r++, destination = cni_shuffle(t, destination)) {
        uint64_t changes = source ^ destination;
        uint32_t here = cni_popcount(changes) + walk(changes, r, n);
        least = here < least ? here : least;
    }
    *hops = least;
    return CN_OK;
}

static const cni_topology_ops psnn_ops = {CNI_SHIFT_OPS, .distance = cni_search_distance};
static const cni_topology_ops exchange_ops = {CNI_SHIFT_OPS, .distance = exchange_distance};

cn_status cn_topology_psnn(uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    /* N links of the ring; 1-2 and (N-3)-(N-2) are shuffle links, too */
    uint64_t links = (UINT64_C(1) << (n & 63)) + shuffle_links(n) - 2;
    CNI_TRY(cni_shift_network_new(__func__, "psnn", CNI_PSNN, &psnn_ops, n, nearest_neighbors,
                                  links, topology));
    (*topology)->diameter = n < 3 ? n : 3 * (n - 1) / 2; /* see the head of this file */
    return CN_OK;
}

cn_status cn_topology_shuffle_exchange(uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    uint64_t links = (UINT64_C(1) << (n & 63)) / 2 + shuffle_links(n);
    CNI_TRY(cni_shift_network_new(__func__, "shuffle_exchange", CNI_SHUFFLE_EXCHANGE, &exchange_ops,
                                  n, exchange, links, topology));
    /* From 0...0 to 1...1 every bit changes and the head visits all places; no pair needs more. */
    (*topology)->diameter = 2 * (uint64_t)n - 1;
    return CN_OK;
}

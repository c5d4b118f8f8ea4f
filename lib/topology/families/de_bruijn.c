/*
 * The binary de Bruijn network, links in both directions: v leads to 2v and 2v + 1 (mod N) and to
 * v/2 and v/2 + N/2 (rounded down).
 *
 * A hop moves a window of n bits along a tape by one place, and the bit that comes in may be
 * chosen. Take a path that ends d places away and covers w places up and down in all: s = n - w
 * bits stay in the window all the time, and in these source and destination must agree. The
 * shortest such path takes 2 w - |d| hops. For each d, the windows of source and destination
 * overlap in o = n - |d| places; let s be the longest run of these places in which the two agree.
 * The gain of d is 2 s - o. The distance is n less the greatest gain of all d, and the diameter is
 * n.
 */
#include "topology/families/shift_network.h"

#include <string.h>

#include "base/error.h"

static uint32_t shifts(const cn_topology *t, uint64_t node, uint64_t candidates[CNI_SHIFT_PORTS])
{
    candidates[0] = 2 * node & (t->nodes - 1);
    candidates[1] = candidates[0] | 1;
    candidates[2] = node >> 1;
    candidates[3] = node >> 1 | t->nodes / 2;
    return 4;
}

/* ---- between two nodes ---- */

static uint32_t longest_run(uint64_t ones)
{
    uint32_t length = 0;
    for (; ones != 0; ones &= ones << 1)
        length++;
    return length;
}

static cn_status distance(const cn_topology *t, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    uint32_t n = cni_shift_bits(t);
    int32_t most = 0;
    for (uint32_t d = 0; most < (int32_t)(n - d); d++) { /* no gain of d is above n - d */
        uint64_t overlap = (t->nodes - 1) >> d;
        uint32_t up = longest_run(~(source >> d ^ destination) & overlap);
        uint32_t down = longest_run(~(destination >> d ^ source) & overlap);
        int32_t gain = (int32_t)(2 * (up > down ? up : down)) - (int32_t)(n - d);
        most = gain > most ? gain : most;
    }
    *hops = n - (uint32_t)most;
    return CN_OK;
}

/* ---- from one node to all ---- */

enum { MOST_BITS = CNI_MAX_DIMENSIONS, MOST_STRINGS = MOST_BITS * (MOST_BITS + 1) / 2 + 1 };

/*
 * The bits of a destination are read one by one. The state of the reading is the longest string at
 * its end that occurs in the source. These strings are the states of an automaton, shorter strings
 * first. Only the first and the last place of each string matter, because the overlap depends on
 * the distance of the place.
 */
typedef struct automaton {
    uint32_t n, strings;
    uint32_t shorter[MOST_BITS + 2]; /* by length: the number of strings shorter than this */
    uint16_t next[MOST_STRINGS][2];
    uint16_t tail[MOST_STRINGS]; /* the string without its first bit */
    uint8_t length[MOST_STRINGS];
    uint8_t first[MOST_STRINGS], last[MOST_STRINGS]; /* where in the source it ends */
    /* the gain of the string and its tails, when they end at the place where the reading is */
    uint8_t gain[MOST_STRINGS];
    uint64_t *counts; /* by string and gain below n, of the bits read; and room for one bit more */
} automaton;

static size_t most_strings(size_t n)
{
    return n * (n + 1) / 2 + 1;
}

/* Finds the strings of the source, by rising length, and what follows each. */
static void list_strings(automaton *a, uint64_t source)
{
    enum { NONE = UINT16_MAX };
    /* by place of the source: the string that ends there, of the length before */
    uint16_t ending[MOST_BITS + 1] = {0};
    a->strings = 1;
    a->length[0] = 0;
    a->tail[0] = 0;
    a->next[0][0] = a->next[0][1] = NONE;
    a->shorter[0] = 0;
    a->shorter[1] = 1;
    for (uint32_t length = 1; length <= a->n; length++) {
        for (uint32_t end = a->n; end-- > length - 1;) {
            uint16_t head = length > 1 ? ending[end - 1] : 0;
            uint32_t bit = source >> end & 1;
            if (a->next[head][bit] == NONE) {
                uint16_t fresh = (uint16_t)a->strings++;
                a->next[head][bit] = fresh;
                a->length[fresh] = (uint8_t)length;
                a->tail[fresh] = length > 1 ? a->next[a->tail[head]][bit] : 0;
                a->last[fresh] = (uint8_t)end;
                a->next[fresh][0] = a->next[fresh][1] = NONE;
            }
            ending[end] = a->next[head][bit];
            a->first[ending[end]] = (uint8_t)end;
        }
        /* a bit with which a string does not go on leads where it leads from the tail of the
         * string, which is settled by now */
        for (uint32_t s = a->shorter[length - 1]; s < a->shorter[length]; s++)
            for (uint32_t bit = 0; bit < 2; bit++)
                if (a->next[s][bit] == NONE)
                    a->next[s][bit] = s > 0 ? a->next[a->tail[s]][bit] : 0;
        a->shorter[length + 1] = a->strings;
    }
}

static void find_gains(automaton *a, uint32_t end, size_t strings)
{
    a->gain[0] = 0;
    for (size_t s = 1; s < strings; s++) {
        uint32_t from_last = a->last[s] > end ? a->last[s] - end : end - a->last[s];
        uint32_t from_first = a->first[s] > end ? a->first[s] - end : end - a->first[s];
        uint32_t apart = from_last > from_first ? from_last : from_first;
        uint32_t twice = 2 * (uint32_t)a->length[s] + apart, gain = a->gain[a->tail[s]];
        a->gain[s] = (uint8_t)(twice > a->n + gain ? twice - a->n : gain);
    }
}

/* below[g]: the destinations from this source whose gain is at most g < n. */
static void count_gains(automaton *a, uint64_t source, uint64_t below[MOST_BITS])
{
    size_t n = a->n, rows = most_strings(a->n);
    uint64_t *now = a->counts, *then = a->counts + rows * n;
    list_strings(a, source);
    for (size_t g = 0; g < n; g++)
        now[g] = 1;
    for (uint32_t end = 0; end < n; end++) {
        size_t strings = a->shorter[end + 2];
        find_gains(a, end, strings);
        memset(then, 0, strings * n * sizeof *then);
        for (size_t s = 0; s < a->shorter[end + 1]; s++)
            for (uint32_t bit = 0; bit < 2; bit++) {
                size_t to = a->next[s][bit];
                for (size_t g = a->gain[to]; g < n; g++)
                    then[to * n + g] += now[s * n + g];
            }
        uint64_t *swap = now;
        now = then;
        then = swap;
    }
    memset(below, 0, n * sizeof *below);
    for (size_t s = 0; s < a->strings; s++)
        for (size_t g = 0; g < n; g++)
            below[g] += now[s * n + g];
}

static cn_status distance_counts(const cn_topology *t, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count)
{
    uint32_t n = cni_shift_bits(t);
    uint64_t below[MOST_BITS];
    automaton *a = cni_allocate(1, sizeof *a);
    if (a != NULL)
        a->counts = cni_allocate(2 * most_strings(n) * n, sizeof *a->counts);
    if (a == NULL || a->counts == NULL) {
        cni_release(a);
        return CN_ERR_MEMORY;
    }
    a->n = n;
    count_gains(a, source, below);
    cni_release(a->counts);
    cni_release(a);
    /* hops = n - gain; gain n is the source itself */
    size_t farthest = n;
    for (uint32_t g = 0; g < n && below[g] == 0; g++)
        farthest--;
    *count = farthest + 1;
    if (capacity < *count)
        return CN_ERR_CAPACITY;
    counts[0] = 1;
    for (size_t h = 1; h <= farthest; h++)
        counts[h] = below[n - h] - (h < n ? below[n - h - 1] : 0);
    return CN_OK;
}

/* The images of a node have its bits inverted, in reverse order, or both. */
static uint64_t orbit(const cn_topology *t, uint64_t node)
{
    uint64_t all = t->nodes - 1, back = 0;
    for (uint32_t i = 0; i < cni_shift_bits(t); i++)
        back = back << 1 | (node >> i & 1);
    if ((node ^ all) < node || back < node || (back ^ all) < node)
        return 0;
    return back == node || back == (node ^ all) ? 2 : 4;
}

static const cni_topology_ops ops = {
    CNI_SHIFT_OPS,
    .distance = distance,
    .distance_counts = distance_counts,
    .orbit = orbit,
};

cn_status cn_topology_de_bruijn(uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    /* 2 N shifts without the loops at 0 and N-1; 0101... and 1010... shift to each other */
    uint64_t links = (UINT64_C(2) << (n & 63)) - 3;
    CNI_TRY(cni_shift_network_new(__func__, "de_bruijn", CNI_DE_BRUIJN, &ops, n, shifts, links,
                                  topology));
    (*topology)->diameter = n; /* from 0...0 to 1...1 */
    return CN_OK;
}

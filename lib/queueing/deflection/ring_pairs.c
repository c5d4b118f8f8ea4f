/*
 * Two channels, two buffers, rings of one direction: a node sends all that it holds, each message over another
 * channel. Nobody waits, so all that are on one diagonal move to the next one, and each cycle moves two of them at most one
 * node against each other. The network is k networks of one dimension each, where those who met meet again. Here pairs are
 * followed, not nodes.
 *
 * A message gives way to older ones only. Let B be one that has just been created and A any older one. A table has the
 * density of A by B's header, the place of A on the diagonal as seen from B, and what A wants, for B of age t. It goes on
 * from t to t + 1:
 *
 *   - In one node, A takes what it prefers and B the other channel.
 *   - In two nodes, B goes as it prefers, or as an older message C in its node leaves it to, with the probability that the
 *     table has for B's header.
 *   - A goes as it prefers, or as an older message C in its node leaves it to. How often there is one is told by all pairs
 *     of messages older than t, times how many C the table has in A's node to how many there are in the mean. Both are taken
 *     of the C anywhere around B: when B is so old that there is hardly any C, that one exists tells nothing of its place.
 *
 * Of A is known by which channel it came and whether it wants to go on there or to turn, by two hops or more or by one, or either.
 * What it wants next is told by the headers of all messages older than t that want the same. So all that is asked of older
 * messages comes from the same table at later t, and the table is made again until it stays the same. Of those created in one
 * cycle half are older.
 *
 * A new B finds the others as they are in the mean. With q_i the probability that i messages in transit come to a node, and
 * new messages admitted with probability a each until one fails or the node is full,
 *
 *     created = q_1 a + q_0 (a + a^2),
 *
 * where of q_1 a and q_0 a^2 there is an older one in their node. q_2 is that of independent channels times what the table has
 * more or less.
 *
 * Both channels are alike. B's frame is turned so that it came by the first one: its header is (hops left in the
 * direction that it came, in the other). Those that are more than REACH nodes apart know nothing of each other.
 *
 * Nothing is taken from simulations.
 *
 * Check value, of this code: k = 8, load 0.3: 11.00884570 hops, 0.13239368 created.
 */
#include "queueing/deflection/ring_pairs.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* What a message wants: the direction that it came by, by two hops or more or by one; any; the other. */
enum { FAR_AHEAD, AHEAD, EITHER, ASIDE, FAR_ASIDE, WANTS };
/* Where it goes; and by which channel A came: that by which B came, or the other one. */
enum { ON, TURN, WAYS };
enum { OWN, OTHER, CHANNELS };
enum { KINDS = CHANNELS * WANTS };

/* The two in the middle of the nodes along the diagonal stand for all that are further away than REACH. */
enum { REACH = 4, MOST_SITES = 2 * REACH + 3, ROW = MOST_SITES + 1 }; /* of even length */
enum { MOST_AGES_A_HOP = 64, MOST_ROUNDS = 1000, AT_REST = 3 };
#define LAST 1e-12     /* B that are so few are followed no more */
#define ACCURACY 1e-11 /* of the number of hops, for AT_REST rounds */
#define NOTHING 1e-30  /* a share of them that changes no digit */
/* Below, whom one meets is in proportion to the load, and all else as without load. */
#define LEAST_LOAD 1e-12

/* Of the budget, for a header, place and kind. */
enum { UNITS = 4 };

static const double goes_on[WANTS] = {1.0, 1.0, 0.5, 0.0, 0.0};

/* What those of one age are, for one that was created; or all that are older. */
typedef struct age {
    double wants[WANTS];
    double next[WANTS * WAYS * WANTS]; /* what these would want after a hop either way */
    double older[WANTS * WANTS];       /* of these, by what an older one in the node wants */
} age;

/* Those older than t, as A and as C. */
typedef struct elders {
    double density[WANTS]; /* of either channel */
    double next[WANTS][WAYS][WANTS];
    double turned
        [WANTS]
        [WANTS]; /* by how much one goes on more for each older one of some want in its node */
} elders;

typedef struct pairs {
    uint32_t k;
    size_t headers, sites; /* nodes along the diagonal that are told apart */
    double ratio;          /* a */
    double rest;           /* 1 - a */
    cni_budget *budget;
    age *ages;
    size_t known;           /* ages that the last round had */
    void *block;            /* of the arrays */
    double *now, *then;     /* by header, kind of A, place */
    double *share, *shares; /* of the B, by header: now and then */
    double alone[WANTS];    /* in transit with no other in the node */
    double none, single;    /* q_0, q_1 */
    cni_ring_pairs found;
} pairs;

static size_t most_ages(const pairs *p)
{
    return (size_t)MOST_AGES_A_HOP * p->k;
}

static size_t table_size(const pairs *p)
{
    return p->headers * KINDS * ROW;
}

static cn_status open_pairs(uint32_t k, double load, cni_budget *budget, pairs *p)
{
    *p = (pairs){.k = k, .headers = (size_t)k * k, .budget = budget, .none = 1.0};
    p->sites = k < MOST_SITES ? k : MOST_SITES;
    p->ratio = load / (1.0 + load);
    p->rest = 1.0 / (1.0 + load);
    const cni_array arrays[] = {CNI_ARRAY(p->ages, most_ages(p)), CNI_ARRAY(p->now, table_size(p)),
                                CNI_ARRAY(p->then, table_size(p)), CNI_ARRAY(p->share, p->headers),
                                CNI_ARRAY(p->shares, p->headers)};
    return cni_allocate_arrays(&p->block, arrays);
}

/* ---- headers ---- */

static int wish(const pairs *p, size_t header)
{
    size_t ahead = header / p->k, aside = header % p->k;
    if (ahead > aside)
        return ahead > aside + 1 ? FAR_AHEAD : AHEAD;
    return ahead == aside ? EITHER : aside > ahead + 1 ? FAR_ASIDE : ASIDE;
}

/* The header after a hop, in the frame of the channel of that hop. */
static size_t after(const pairs *p, size_t header, int way)
{
    size_t ahead = header / p->k, aside = header % p->k;
    if (way == TURN)
        return (aside > 0 ? aside - 1 : p->k - 1) * p->k + ahead;
    return (ahead > 0 ? ahead - 1 : p->k - 1) * p->k + aside;
}

/* ---- all that are older ---- */

static void add_up(double own[], double sum[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double here = own[i];
        own[i] = sum[i] + here / 2.0;
        sum[i] += here;
    }
}

/* Puts in the place of those of each age all that are older. */
static void add_up_ages(pairs *p)
{
    age sum = {{0.0}, {0.0}, {0.0}};
    for (size_t t = p->known; t-- > 0;) {
        age *own = &p->ages[t];
        add_up(own->wants, sum.wants, WANTS);
        add_up(own->next, sum.next, sizeof sum.next / sizeof(double));
        add_up(own->older, sum.older, sizeof sum.older / sizeof(double));
    }
}

static elders take_elders(const pairs *p, size_t t)
{
    elders all;
    memset(&all, 0, sizeof all);
    if (t >= p->known)
        return all;
    const age *older = &p->ages[t];
    for (int w = 0; w < WANTS; w++) {
        double here = older->wants[w];
        if (!(here > 0.0))
            continue;
        all.density[w] = p->found.created * here / CHANNELS;
        for (int i = 0; i < WAYS * WANTS; i++)
            all.next[w][i / WANTS][i % WANTS] = older->next[w * WAYS * WANTS + i] / here;
    }
    for (int w = 0; w < WANTS; w++)
        for (int other = 0; other < WANTS; other++) {
            double evenly = older->wants[w] * all.density[other];
            if (evenly > 0.0)
                all.turned[w][other] =
                    older->older[w * WANTS + other] / evenly * (goes_on[other] - goes_on[w]);
        }
    return all;
}

/* ---- from one age to the next ---- */

/* By place. */
static double *row_of(double *table, size_t header, int channel, int want)
{
    return table + (header * KINDS + (size_t)(channel * WANTS + want)) * ROW;
}

typedef double by_place[ROW];

static void add_to(by_place sum, double factor, const by_place row)
{
    if (factor == 0.0) /* most of them: what one wants leaves few wants after a hop */
        return;
    for (int i = 0; i < ROW; i++)
        sum[i] += factor * row[i];
}

static double probability(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* What the A of a kind do, of any place: by the channel that they take, what they want then. `one`: what the mean density of the
 * older is to that around this B. */
static void let_elders_go(const pairs *p, const elders *all, size_t header, int channel, int want,
                          double one, by_place going[CHANNELS][WANTS])
{
    const double *own = row_of(p->now, header, channel, want);
    by_place turned = {0.0}, on, turn;
    for (int other = 0; other < WANTS; other++)
        add_to(turned, one * all->turned[want][other], row_of(p->now, header, 1 - channel, other));
    turned[0] = 0.0; /* there B is the third */
    for (int place = 0; place < ROW; place++) {
        on[place] = own[place] * probability(goes_on[want] + turned[place]);
        turn[place] = own[place] - on[place];
    }
    for (int next = 0; next < WANTS; next++) {
        add_to(going[channel][next], all->next[want][ON][next], on);
        add_to(going[1 - channel][next], all->next[want][TURN][next], turn);
    }
}

/* What the mean density of the older is to that around the B with this header. */
static double mean_to_here(const pairs *p, const elders *all, size_t header)
{
    const double *here = row_of(p->now, header, OWN, 0);
    double total = 0.0, mean = 0.0;
    for (size_t i = 0; i < ROW * KINDS; i++)
        total += here[i];
    for (int want = 0; want < WANTS; want++)
        mean += all->density[want] * (double)(p->sites * CHANNELS);
    return total > 0.0 ? mean / total : 0.0;
}

/* B with this header and all A, from one cycle to the next; `on`: B's share that goes on when no A is in its node. */
static void let_pairs_go(pairs *p, const elders *all, size_t header, double on)
{
    size_t ahead = after(p, header, ON), aside = after(p, header, TURN), sites = p->sites;
    by_place going[CHANNELS][WANTS];
    double one = mean_to_here(p, all, header);
    memset(going, 0, sizeof going);
    for (int kind = 0; kind < KINDS; kind++)
        let_elders_go(p, all, header, kind / WANTS, kind % WANTS, one, going);
    for (int want = 0; want < WANTS; want++) {
        const double *own = going[OWN][want], *other = going[OTHER][want];
        double *both_on = row_of(p->then, ahead, OWN, want);
        double *b_on = row_of(p->then, ahead, OTHER, want);
        double *a_on = row_of(p->then, aside, OTHER, want);
        double *none_on = row_of(p->then, aside, OWN, want);
        b_on[sites - 1] += other[0]; /* from one node they go different ways */
        a_on[sites - 1] += own[0];
        for (size_t place = 1; place < sites; place++) {
            both_on[place] += on * own[place];
            b_on[place - 1] += on * other[place];
            a_on[sites - 1 - place] += (1.0 - on) * own[place];
            none_on[sites - place] += (1.0 - on) * other[place];
        }
    }
}

/* A cycle of the B with this header: what they tell of their age, and where they are then. */
static void let_header_go(pairs *p, const elders *all, size_t header, age *own)
{
    int want = wish(p, header);
    double here = p->share[header], on = goes_on[want] * here;
    own->wants[want] += here;
    for (int w = 0; w < WANTS; w++) {
        double both = goes_on[want] * goes_on[w] + (1.0 - goes_on[want]) * (1.0 - goes_on[w]);
        double met = row_of(p->now, header, OTHER, w)[0];
        own->older[want * WANTS + w] += met;
        on += met * (goes_on[w] - goes_on[want]);
        p->found.lost += met * (1.0 - both);
    }
    on = fmin(here, fmax(0.0, on));
    for (int way = 0; way < WAYS; way++) {
        size_t target = after(p, header, way);
        if (target == 0)
            continue;
        own->next[(want * WAYS + way) * WANTS + wish(p, target)] += here;
        p->shares[target] += way == ON ? on : here - on;
    }
    let_pairs_go(p, all, header, on / here);
}

/* Beyond REACH a pair is two messages of the mean. */
static void forget_far(pairs *p, const elders *all)
{
    if (p->sites == p->k)
        return;
    for (size_t header = 1; header < p->headers; header++)
        for (int kind = 0; kind < KINDS; kind++) {
            double *row = row_of(p->now, header, kind / WANTS, kind % WANTS);
            row[REACH + 1] = row[REACH + 2] = p->share[header] * all->density[kind % WANTS];
        }
}

static double step(pairs *p, size_t t)
{
    elders all = take_elders(p, t);
    double left = 0.0;
    age own = {{0.0}, {0.0}, {0.0}};
    memset(p->then, 0, table_size(p) * sizeof *p->then);
    memset(p->shares, 0, p->headers * sizeof *p->shares);
    forget_far(p, &all);
    for (size_t header = 1; header < p->headers; header++)
        if (p->share[header] > NOTHING)
            let_header_go(p, &all, header, &own);
    p->ages[t] = own;
    double *table = p->now, *shares = p->share;
    p->now = p->then;
    p->then = table;
    p->share = p->shares;
    p->shares = shares;
    for (size_t header = 1; header < p->headers; header++)
        left += p->share[header];
    return left;
}

/* ---- a round ---- */

/* B has just been created. It is as if it had come by a channel of its own. */
static void create(pairs *p)
{
    double each = 1.0 / ((double)p->headers - 1.0), a = p->ratio, alone = 0.0;
    double after_one = p->single * a, after_new = p->none * a * a;
    double start[WANTS] = {0.0}, created = after_one + after_new + p->none * a;
    elders all = take_elders(p, 0);
    for (size_t header = 1; header < p->headers; header++)
        start[wish(p, header)] += each;
    for (int w = 0; w < WANTS; w++)
        alone += p->alone[w];
    for (size_t header = 1; header < p->headers; header++) {
        p->share[header] = each;
        for (int kind = 0; kind < KINDS; kind++) {
            double *row = row_of(p->now, header, kind / WANTS, kind % WANTS);
            int want = kind % WANTS;
            double of_one = alone > 0.0 ? after_one * p->alone[want] / alone : 0.0;
            for (size_t place = 1; place < p->sites; place++)
                row[place] = each * all.density[want];
            row[0] = each * (of_one + after_new * start[want]) / created;
            row[0] *= kind / WANTS == OTHER ? 1.0 : 0.0;
        }
    }
    p->share[0] = 0.0;
}

/* In transit: pairs in a node and messages alone, for one that is created. */
static double count_met(pairs *p)
{
    double met = 0.0;
    memset(p->alone, 0, sizeof p->alone);
    for (size_t t = 1; t < p->known; t++)
        for (int w = 0; w < WANTS; w++) {
            p->alone[w] += p->ages[t].wants[w];
            for (int other = 0; other < WANTS; other++) {
                double both = p->ages[t].older[w * WANTS + other];
                met += both;
                p->alone[w] -= both;
                p->alone[other] -= both;
            }
        }
    for (int w = 0; w < WANTS; w++)
        p->alone[w] = fmax(0.0, p->alone[w]);
    return met;
}

/* What is created, and q_0 and q_1: the root of created = a (1 + a - a x - (1 - a) q_2) with x = (h - 1) created in transit and
 * q_2 = together x x / 4, unless that leaves q_0 or q_1 below 0. */
static void balance(pairs *p, double met)
{
    double a = p->ratio, transit = p->found.hops - 1.0, evenly = transit * transit / 4.0;
    double before = p->found.created;
    p->found.together = before > 0.0 ? met / (before * evenly) : 1.0;
    double square = p->rest * a * p->found.together * evenly, slope = 1.0 + a * a * transit;
    double most = a * (1.0 + a);
    double created = 2.0 * most / (slope + sqrt(slope * slope + 4.0 * square * most));
    created = fmin(created, 2.0 * a / (1.0 + a * transit));
    created = fmax(created, most / (1.0 + most * transit / 2.0));
    double x = created * transit;
    double both = fmin(x / 2.0, fmax(fmax(0.0, x - 1.0), p->found.together * x * x / 4.0));
    p->none = 1.0 - x + both;
    p->single = x - 2.0 * both;
    p->found.created = created;
}

static cn_status make_again(pairs *p)
{
    double left = 1.0;
    size_t t = 0;
    add_up_ages(p);
    create(p);
    p->found.hops = p->found.lost = 0.0;
    for (; left > LAST; t++) {
        if (t == most_ages(p))
            return cni_fail(CN_ERR_CONVERGENCE,
                            "cn_predict: after %zu cycles, a share of %g of the messages in "
                            "model_variant own is still in the network",
                            t, left);
        CNI_TRY(cni_budget_go_on(p->budget, UNITS * table_size(p)));
        p->found.hops += left;
        left = step(p, t);
    }
    p->known = t;
    balance(p, count_met(p));
    return CN_OK;
}

static cn_status settle_pairs(pairs *p)
{
    int still = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double before = p->found.hops, created = p->found.created;
        CNI_TRY(make_again(p));
        int rests = fabs(p->found.hops - before) <= ACCURACY * before &&
                    fabs(p->found.created - created) <= ACCURACY * created;
        still = rests ? still + 1 : 0;
        if (still == AT_REST)
            return CN_OK;
    }
    return cni_fail(CN_ERR_CONVERGENCE,
                    "cn_predict: the pairs of model_variant own did not settle at a = %g",
                    p->ratio);
}

cn_status cni_ring_pairs_solve(uint32_t k, double load, cni_budget *budget, cni_ring_pairs *found)
{
    pairs p;
    double solved = fmax(load, LEAST_LOAD);
    CNI_TRY(open_pairs(k, solved, budget, &p));
    cn_status status = settle_pairs(&p);
    *found = p.found;
    found->created *= load / solved;
    found->lost *= load / solved;
    cni_release(p.block);
    return status;
}

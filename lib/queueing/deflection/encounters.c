/*
 * Two channels, three buffers: a node keeps one message or none, and sends the others. Two that have met want what they
 * wanted then, and with few nodes around them they meet again. So two messages of a node want the same channel more often than
 * by chance, and all three of them do: then the youngest is forced out.
 *
 * A table has the density of pairs, of an older message A and a younger one B, by the place of A as seen from B and by what
 * both want: the hops left in one direction less those in the other, up to FAR of them. It goes on from cycle to cycle:
 *
 *   - In two nodes, each goes as messages that want the same do in the mean: the older ones of all pairs, and the younger
 *     ones. They know nothing of each other but for those that share a node with one of them. If of the messages in A's node
 *     more want the one channel than the other, as the table says for B's wish, A wins that one less often, and is forced
 *     out more often. To first order that is the excess times the difference that a message with the same wish makes to A.
 *   - In one node, the third, if there is one, is the oldest, the youngest or between the two. That is exact but for how often
 *     it wants the same, which the rows of the chain say.
 *
 * New pairs are a B that has just been created and all A, as often at any place; at B's own as often as leaves in one node
 * the pairs that the chain has there. What pairs that have come to one node want, by how they came, is the result. Rings of
 * more than SIDE nodes are taken for such of SIDE: of those that are further apart nothing is known.
 *
 * Nothing is taken from simulations.
 *
 * Check value, of this code: k = 12, load 0.5, P_t = 0.9, published claims: two from different channels want the same with probability
 * 0.503636586549, V = 0.049168332891.
 */
#include "queueing/deflection/encounters.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Wishes: the channel FIRST by FAR hops or more .. by one; either; the other channel by one .. by FAR or more. */
enum { FAR = 3, LEVEL = FAR, WISHES = 2 * FAR + 1, WISH_PAIRS = WISHES * WISHES };
enum { FIRST, SECOND, WAYS_OUT, STAYS = WAYS_OUT }; /* where a message goes */
enum { MET_MOVING, MET_KEPT, MEETINGS };            /* both have come, or one of them */

enum { SIDE = 9, CYCLES = 8 };

/* Messages that meet so few others change no digit. */
#define ALONE 1e-13

/* Of the budget, for a pair of wishes at a place. */
enum { UNITS = 64 };

/* The few wishes after a cycle. */
typedef struct outcome {
    size_t count, wish[WISHES];
    double share[WISHES];
} outcome;

/* Messages of a node with this wish, and where those go that leave. */
typedef struct travel {
    double present[WISHES], created[WISHES];
    double goes[WAYS_OUT][WISHES];
    double wants[WAYS_OUT][WISHES]
                [WISHES];                /* then, by the wish before; those that arrive are gone */
    outcome after[WAYS_OUT + 1][WISHES]; /* the same, and of those that stay */
} travel;

/* Two in a node, older and younger: pairs in all; of those that want the same, as many of either of two kinds lose both the
 * youngest place; and what a message more with A's wish makes to A. */
typedef struct company {
    double pairs,
        forced;        /* forced: the younger one is, and the older one wins; or stays, as often */
    double two, three; /* nodes of two and of three */
    double fewer_wins,
        more_forced; /* of a message, for each in its node with its wish in place of the other */
} company;

static size_t table_cells(const cni_encounters *e)
{
    return (size_t)e->side * e->side * WISH_PAIRS;
}

cn_status cni_encounters_open(uint32_t k, const cni_node_chain *node, const cni_age_order *ages,
                              cni_encounters *e)
{
    *e = (cni_encounters){.node = node, .ages = ages, .side = k < SIDE ? k : SIDE};
    e->channels_meet = 0.5;
    e->now = cni_allocate(table_cells(e), sizeof *e->now);
    e->then = cni_allocate(table_cells(e), sizeof *e->then);
    if (e->now && e->then)
        return CN_OK;
    cni_encounters_close(e);
    return CN_ERR_MEMORY;
}

void cni_encounters_close(cni_encounters *e)
{
    cni_release(e->now);
    cni_release(e->then);
    memset(e, 0, sizeof *e);
}

/* ---- how messages travel ---- */

/* Hops of phase 1 until either channel will do; FAR at most. */
static int hops_to_level(const cni_hop_model *path, size_t state)
{
    int hops = 0;
    for (; hops < FAR && path->wants[state] == 1; hops++) {
        size_t e = path->first_hop[state];
        while (!(path->hop[e].first > 0.0))
            e++;
        state = path->hop[e].target;
        if (state == 0)
            return hops + 1;
    }
    return hops;
}

/* A hop over FIRST of messages in this state, by one phase. */
static void add_hop(const cni_hop_model *path, size_t state, const cni_hop *hop, int forced,
                    double sent, travel *t)
{
    int level = hops_to_level(path, state), wish = forced ? LEVEL + level : LEVEL - level;
    t->goes[FIRST][wish] += sent;
    if (hop->target == 0)
        return;
    int next = hops_to_level(path, hop->target);
    double onward = next > 0 ? hop->onward : 1.0;
    t->wants[FIRST][wish][LEVEL - next] += sent * onward;
    t->wants[FIRST][wish][LEVEL + next] += sent * (1.0 - onward);
}

static void add_state(const cni_encounters *e, cni_age_role role, size_t state, travel *t)
{
    const cni_hop_model *path = e->ages->path;
    const cni_trip *trip = &e->ages->trips[(size_t)role * path->states + state];
    double created = e->node->load * e->node->accepted * path->start[state];
    int level = hops_to_level(path, state);
    t->present[LEVEL - level] += trip->present / 2.0;
    t->present[LEVEL + level] += trip->present / 2.0;
    t->created[LEVEL - level] += created / 2.0;
    t->created[LEVEL + level] += created / 2.0;
    for (size_t i = path->first_hop[state]; i < path->first_hop[state + 1]; i++) {
        const cni_hop *hop = &path->hop[i];
        add_hop(path, state, hop, 0, trip->win * hop->first / 2.0, t);
        add_hop(path, state, hop, 1, trip->forced * hop->second / 2.0, t);
    }
}

static void add_outcome(outcome *o, int wish, double share)
{
    if (share > 0.0) {
        o->wish[o->count] = (size_t)wish;
        o->share[o->count++] = share;
    }
}

static void list_outcomes(travel *t)
{
    for (int w = 0; w < WISHES; w++) {
        add_outcome(&t->after[STAYS][w], w, 1.0);
        for (int way = 0; way < WAYS_OUT; way++)
            for (int next = 0; next < WISHES; next++)
                add_outcome(&t->after[way][w], next, t->wants[way][w][next]);
    }
}

/* Of those of all pairs that are older, or younger, than the other. */
static travel mean_travel(const cni_encounters *e, cni_age_role role)
{
    travel t;
    memset(&t, 0, sizeof t);
    for (size_t state = 1; state < e->ages->path->states; state++)
        add_state(e, role, state, &t);
    for (int w = 0; w < WISHES; w++) {
        double sent = t.goes[FIRST][w];
        for (int next = 0; next < WISHES; next++) {
            double share = sent > 0.0 ? t.wants[FIRST][w][next] / sent : 0.0;
            t.wants[FIRST][w][next] = t.wants[SECOND][WISHES - 1 - w][WISHES - 1 - next] = share;
        }
        double leaves = t.present[w] > 0.0 ? sent / t.present[w] : 0.0;
        t.goes[FIRST][w] = t.goes[SECOND][WISHES - 1 - w] = leaves;
    }
    list_outcomes(&t);
    return t;
}

static double claims_first(int wish)
{
    return wish < LEVEL ? 1.0 : wish > LEVEL ? 0.0 : 0.5;
}

static double claim_same(int a, int b)
{
    double p = claims_first(a), q = claims_first(b);
    return p * q + (1.0 - p) * (1.0 - q);
}

/* f_{i,1} is how often i messages all claim one channel. */
static company in_a_node(const cni_node_chain *node)
{
    size_t row = (size_t)node->channels + 1;
    double two = node->pi[2], three = node->pi[3], same = node->first[2 * row + 1];
    double forced = same > 0.0 ? three * node->first[3 * row + 1] / same : 0.0;
    company c = {.pairs = two + 3.0 * three, .forced = forced, .two = two, .three = three};
    c.fewer_wins = (two + 1.5 * three + forced) / node->queue;
    c.more_forced = 2.0 * forced / node->queue;
    return c;
}

/* ---- from one cycle to the next ---- */

static double *pairs_at(const cni_encounters *e, double *table, int x, int y)
{
    int side = (int)e->side;
    x = (x % side + side) % side;
    y = (y % side + side) % side;
    return table + (size_t)(x * side + y) * WISH_PAIRS;
}

typedef struct cycle_of_pairs {
    const cni_encounters *of;
    travel older, younger;
    company company;
    double met[MEETINGS][WISH_PAIRS]; /* come to one node */
} cycle_of_pairs;

/* Where pairs at (x, y) are then. */
static double *place_after(cycle_of_pairs *c, int x, int y, int a_way, int b_way)
{
    int side = (int)c->of->side, kind = a_way != STAYS && b_way != STAYS ? MET_MOVING : MET_KEPT;
    x += (a_way == FIRST) - (b_way == FIRST);
    y += (a_way == SECOND) - (b_way == SECOND);
    return x % side == 0 && y % side == 0 ? c->met[kind] : pairs_at(c->of, c->of->then, x, y);
}

/* A pair with wishes a and b, to what they want then. */
static void add_pair(double *to, const outcome *a, const outcome *b, double density)
{
    for (size_t i = 0; i < a->count; i++) {
        double *row = to + a->wish[i] * WISHES, part = density * a->share[i];
        for (size_t j = 0; j < b->count; j++)
            row[b->wish[j]] += part * b->share[j];
    }
}

static double not_below_0(double x)
{
    return x > 0.0 ? x : 0.0;
}

/* Where one goes when of those in its node so many more want FIRST than SECOND. */
static void leaves(const travel *t, const company *c, int wish, double excess,
                   double goes[WAYS_OUT + 1])
{
    double first = claims_first(wish), second = 1.0 - first;
    double to_first = -c->fewer_wins * first - c->more_forced * second;
    double to_second = c->fewer_wins * second + c->more_forced * first;
    goes[FIRST] = not_below_0(t->goes[FIRST][wish] + excess / 2.0 * to_first);
    goes[SECOND] = not_below_0(t->goes[SECOND][wish] + excess / 2.0 * to_second);
    goes[STAYS] = not_below_0(1.0 - goes[FIRST] - goes[SECOND]);
}

/* Of the messages in a node, FIRST less SECOND: of those in A's node when B has the wish, or those in B's node when A has it.
 * `there` has the pairs with the one who has the wish younger than those, `here` with the one older. */
static double excess_of(const double *there, size_t there_step, const double *here,
                        size_t here_step)
{
    double all = 0.0, more = 0.0;
    for (int w = 0; w < WISHES; w++) {
        double density = there[(size_t)w * there_step] + here[(size_t)w * here_step];
        all += density;
        more += density * (2.0 * claims_first(w) - 1.0);
    }
    return all > 0.0 ? more / all : 0.0;
}

/* Pairs in two nodes. */
static void let_apart_go(cycle_of_pairs *c, int x, int y)
{
    const double *pairs = pairs_at(c->of, c->of->now, x, y);
    const double *turned = pairs_at(c->of, c->of->now, -x, -y);
    double a_goes[WISHES][WISHES][WAYS_OUT + 1], b_goes[WAYS_OUT + 1];
    double *to[WAYS_OUT + 1][WAYS_OUT + 1];
    for (int ways = 0; ways < (WAYS_OUT + 1) * (WAYS_OUT + 1); ways++) {
        int a_way = ways / (WAYS_OUT + 1), b_way = ways % (WAYS_OUT + 1);
        to[a_way][b_way] = place_after(c, x, y, a_way, b_way);
    }
    for (int b = 0; b < WISHES; b++) {
        double excess = excess_of(pairs + b, WISHES, turned + b * WISHES, 1);
        for (int a = 0; a < WISHES; a++)
            leaves(&c->older, &c->company, a, excess, a_goes[a][b]);
    }
    for (int a = 0; a < WISHES; a++) {
        double excess = excess_of(pairs + a * WISHES, 1, turned + a, WISHES);
        for (int b = 0; b < WISHES; b++) {
            leaves(&c->younger, &c->company, b, excess, b_goes);
            for (int a_way = 0; a_way <= WAYS_OUT; a_way++)
                for (int b_way = 0; b_way <= WAYS_OUT; b_way++) {
                    double share = a_goes[a][b][a_way] * b_goes[b_way];
                    add_pair(to[a_way][b_way], &c->older.after[a_way][a],
                             &c->younger.after[b_way][b], share * pairs[a * WISHES + b]);
                }
        }
    }
}

static void let_pair_go(cycle_of_pairs *c, int a, int a_way, int b, int b_way, double density)
{
    add_pair(place_after(c, 0, 0, a_way, b_way), &c->older.after[a_way][a],
             &c->younger.after[b_way][b], density);
}

/* Those in one node, of the given wishes and claims. */
static void let_together_go(cycle_of_pairs *c, int a, int a_claim, int b, int b_claim,
                            double density)
{
    double each = density / c->company.pairs, three = c->company.three, forced = c->company.forced;
    if (a_claim == b_claim) {
        double stays = c->company.two + 3.0 * three - 2.0 * forced;
        let_pair_go(c, a, a_claim, b, STAYS, each * stays);
        let_pair_go(c, a, a_claim, b, 1 - b_claim, each * forced);
        let_pair_go(c, a, STAYS, b, 1 - b_claim, each * forced);
    } else {
        let_pair_go(c, a, a_claim, b, b_claim, each * (c->company.two + 1.5 * three));
        let_pair_go(c, a, a_claim, b, STAYS, each * three);
        let_pair_go(c, a, STAYS, b, b_claim, each * three / 2.0);
    }
}

/* B has just been created, and A, too, or not; where both are in one node, so many pairs are missing there. */
static void add_created(cycle_of_pairs *c, double missing)
{
    double pairs[WISH_PAIRS], all = 0.0;
    size_t places = (size_t)c->of->side * c->of->side;
    for (int i = 0; i < WISH_PAIRS; i++) {
        int a = i / WISHES, b = i % WISHES;
        double older = c->older.present[a] + c->younger.present[a] - c->older.created[a] / 2.0;
        pairs[i] = older * c->younger.created[b];
        all += pairs[i];
    }
    for (int i = 0; i < WISH_PAIRS; i++) {
        c->of->then[i] = c->met[MET_MOVING][i] + c->met[MET_KEPT][i];
        c->of->then[i] += all > 0.0 ? missing * pairs[i] / all : 0.0;
        for (size_t place = 1; place < places; place++)
            c->of->then[place * WISH_PAIRS + (size_t)i] += pairs[i];
    }
}

static void let_all_go(cycle_of_pairs *c)
{
    const double *together = c->of->now;
    int side = (int)c->of->side;
    double come = 0.0;
    memset(c->of->then, 0, table_cells(c->of) * sizeof(double));
    memset(c->met, 0, sizeof c->met);
    for (int place = 1; place < side * side; place++)
        let_apart_go(c, place / side, place % side);
    for (int i = 0; i < WISH_PAIRS; i++)
        come += c->met[MET_MOVING][i] + c->met[MET_KEPT][i];
    for (int i = 0; i < WISH_PAIRS * WAYS_OUT * WAYS_OUT; i++) {
        int a = i / WAYS_OUT / WAYS_OUT / WISHES, b = i / WAYS_OUT / WAYS_OUT % WISHES;
        int a_claim = i / WAYS_OUT % WAYS_OUT, b_claim = i % WAYS_OUT;
        double a_does = a_claim == FIRST ? claims_first(a) : 1.0 - claims_first(a);
        double b_does = b_claim == FIRST ? claims_first(b) : 1.0 - claims_first(b);
        double density = together[a * WISHES + b] * a_does * b_does;
        let_together_go(c, a, a_claim, b, b_claim, density);
    }
    add_created(c, fmax(0.0, c->company.pairs - come));
}

static double met_alike(const double met[WISH_PAIRS])
{
    double all = 0.0, same = 0.0;
    for (int i = 0; i < WISH_PAIRS; i++) {
        all += met[i];
        same += met[i] * claim_same(i / WISHES, i % WISHES);
    }
    return all > 0.0 ? same / all : 0.5;
}

/* As if all were independent. */
static void begin(const cycle_of_pairs *c, cni_encounters *e)
{
    for (size_t i = 0; i < table_cells(e); i++) {
        size_t a = i / WISHES % WISHES, b = i % WISHES;
        e->now[i] = (c->older.present[a] + c->younger.present[a]) *
                    (c->older.present[b] + c->younger.present[b]) / 2.0;
    }
    e->begun = 1;
}

void cni_encounters_update(cni_encounters *e)
{
    cycle_of_pairs c = {.of = e,
                        .older = mean_travel(e, CNI_AGE_OLDER),
                        .younger = mean_travel(e, CNI_AGE_YOUNGER),
                        .company = in_a_node(e->node)};
    if (!(c.company.pairs > ALONE * e->node->queue))
        return;
    if (!e->begun)
        begin(&c, e);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        if (!cni_budget_work(e->node->budget, UNITS * table_cells(e)))
            return;
        let_all_go(&c);
        double *table = e->now;
        e->now = e->then;
        e->then = table;
    }
    e->channels_meet = met_alike(c.met[MET_MOVING]);
    e->common = 2.0 * met_alike(c.met[MET_KEPT]) - 1.0;
}

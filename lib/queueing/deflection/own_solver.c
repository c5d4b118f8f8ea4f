/* The rounds of the own model (docs/theory/deflection.md, Algorithm): new claims for the present
 * P_t, and a step of P_t for these claims. */
#include "queueing/deflection/own_model.h"

#include <math.h>

#include "base/error.h"

/* A step of s is at most so many times what it corrects. */
#define LONGEST_STEP 50.0
/* Where s has missed by as much as in the last round, by the mean square, the difference is
 * rounding. */
#define LEAST_MOVE 1e-28
/* Of what V misses, the part that is added: what messages want in common makes some stay longer,
 * these claim fewer channels, and that leaves less in common, so V swings to and fro unless its
 * steps are short. */
#define COMMON_STEP 0.25

/* The relative accuracy of claims and balance; and what is taken for rest once the change
 * of the claims has not fallen for some rounds: from a late round on, for each of these. */
#define CLAIMS 1e-12
#define AT_REST 1e-8
enum { MOST_ROUNDS = 1000, LATE_ROUND = 500, STUCK_ROUNDS = 4, LAST_STEPS = 20 };
/* Claims that swing to and fro after FIRST_SWINGS rounds get shorter steps, and still shorter ones
 * after each SWINGS rounds more: on two rings, with a hundred buffers or loads in the hundreds,
 * they do not come to rest otherwise. */
enum { FIRST_SWINGS = 300, SWINGS = 100, LEAST_SWINGS = 20 };
#define SHORTER 0.3
/* The first step of P_t, as a share of 1 - P_t, before the secant has a slope; and the least
 * relative step from which a slope is taken. */
#define FIRST_STEP 1e-4
#define LEAST_STEP 1e-7

/* The next guess at s(x), which has given `found`: Anderson's step, the secant step of many
 * numbers, because what is found swings to and fro on rings and is slow to follow where messages
 * insist. */
static void next_same(cni_own_model *own)
{
    size_t kinds = own->node->states - own->node->channels;
    double along = 0.0, moved = 0.0;
    for (size_t x = 2; x < kinds; x++) {
        double miss = own->found[x] - own->same[x], turned = miss - own->miss_before[x];
        along += own->kept[x] * miss * turned;
        moved += own->kept[x] * turned * turned;
    }
    double back = own->rounds >= 3 && moved > LEAST_MOVE ? along / moved : 0.0;
    back = fmin(LONGEST_STEP, fmax(-LONGEST_STEP, back));
    for (size_t x = 2; x < kinds; x++) {
        double same = own->same[x], miss = own->found[x] - same;
        double next =
            own->found[x] - back * (same - own->same_before[x] + miss - own->miss_before[x]);
        if (own->step < 1.0)
            next = same + own->step * miss;
        own->same_before[x] = same;
        own->miss_before[x] = miss;
        own->same[x] = fmin(1.0, fmax(0.0, next));
    }
}

/* s, A and B from the claims of the last round. */
static void meet_again(cni_own_model *own)
{
    cni_pair_count count = cni_own_count_pairs(own);
    next_same(own);
    own->meetings = count.same;
    if (!(count.of_one > 0.0 && count.all > count.same))
        return;
    /* a judgement: of two that are kept the younger came by a channel, and not by the one in n that
     * the older may want, on which they would not meet */
    double common = own->common * (1.0 - 1.0 / own->node->channels);
    cni_rivals_update(&own->rivals, &(cni_rivalry){.rings = own->path->digits == 0,
                                                   .both_stay = count.of_one / count.same,
                                                   .apart_stay = (count.losers - count.of_one) /
                                                                 (count.all - count.same),
                                                   .wanting = own->wanting,
                                                   .leaving = own->leaving,
                                                   .common = common});
}

double cni_own_renew(cni_own_model *own)
{
    if (own->node->channels == 1)
        return 0.0;
    cni_own_count_kept(own);
    if (own->rounds++ > 0) /* the first round has the published claims, c = 1/n */
        meet_again(own);
    double wants = cni_correlated_wants(own->node, own->path->digits, own->rivals.share);
    own->common += own->step * COMMON_STEP * (wants - own->common);
    double claimed = cni_own_claim(own), leaned = cni_own_lean(own);
    return own->rounds == 1 ? 1.0 : fmax(leaned, claimed);
}

/* What comes in less what goes out, per node (eq. 3.22): falls as P_t rises. */
static cn_status surplus(cni_own_model *own, double transit, double *found)
{
    cni_node_chain *node = own->node;
    own->transit = transit;
    cni_node_chain_solve(node, transit);
    CNI_TRY(cni_budget_go_on(node->budget, 0));
    CNI_TRY(cni_own_follow(own));
    *found = node->load * node->accepted - node->channels * (node->rho_1 + node->rho_2) / own->hops;
    return CN_OK;
}

/* In turn new claims for the present P_t, and a secant step of P_t for these claims. Where a node
 * is nearly always full (a load of thousands) the lean of P_t is a quotient of two small numbers,
 * and the claims come to rest a little above CLAIMS; the last steps of P_t are for claims that stay
 * as they are. */
cn_status cni_own_settle(cni_own_model *own, double transit)
{
    double value, then, slope = 0.0, nearest = 1.0, change = 1.0;
    CNI_TRY(surplus(own, transit, &value));
    for (int round = 0, stuck = 0, last = 0; round < MOST_ROUNDS; round++) {
        if (last == 0)
            change = cni_own_renew(own);
        CNI_TRY(surplus(own, transit, &value));
        stuck = change < nearest ? 0 : stuck + 1;
        nearest = fmin(nearest, change);
        double rest = round < LATE_ROUND ? AT_REST : AT_REST * stuck;
        double near = stuck > STUCK_ROUNDS ? rest : CLAIMS;
        double off = fabs(value) / (own->node->load * own->node->accepted);
        last += last > 0 || (change <= near && off <= near);
        if (last > LAST_STEPS || (last > 0 && off <= CLAIMS))
            return CN_OK;
        if (round >= FIRST_SWINGS && round % SWINGS == 0 && stuck > LEAST_SWINGS)
            own->step *= SHORTER;
        double step = slope < 0.0 ? -value / slope : FIRST_STEP * (1.0 - transit);
        double next = fmin(0.5 + 0.5 * transit, fmax(0.5 * transit, transit + step));
        CNI_TRY(surplus(own, next, &then));
        if (fabs(next - transit) > LEAST_STEP * transit)
            slope = fmin(0.0, (then - value) / (next - transit));
        transit = next;
    }
    return cni_fail(CN_ERR_CONVERGENCE,
                    "cn_predict: the claims of model_variant own did not settle at load = %g",
                    own->node->load);
}

/* The rounds of the own model ("Algorithm" in docs/theory/deflection.md): new claims for the
 * present P_t, then a step of P_t for these claims. */
#include "queueing/deflection/own_model.h"

#include <math.h>

#include "base/error.h"

/* A step of s(x) is at most this multiple of its miss: where the miss hardly changes from round
 * to round Anderson's step has no bound. */
#define LONGEST_STEP 50.0
/* Below this change of the misses since the last round, as a mean square, the difference is
 * rounding. */
#define LEAST_MOVE 1e-28
/* The part of its miss by which W moves. A greater W keeps some messages longer, these claim
 * fewer channels, and that lowers W. So W swings to and fro unless its steps are short. */
#define COMMON_STEP 0.25

/* The relative accuracy of claims and balance is CLAIMS. Once the change of the claims has not
 * fallen for STUCK_ROUNDS rounds, AT_REST is enough, and from LATE_ROUND on AT_REST times the
 * rounds without a fall: far above capacity P_t(x) is a quotient of two small numbers and has no
 * more digits. The result is CN_ERR_CONVERGENCE after MOST_ROUNDS. LAST_STEPS steps of P_t with
 * constant claims still reach CLAIMS for the balance. */
#define CLAIMS 1e-12
#define AT_REST 1e-8
enum { MOST_ROUNDS = 1000, LATE_ROUND = 500, STUCK_ROUNDS = 4, LAST_STEPS = 20 };
/* Claims that swing to and fro after FIRST_SWINGS rounds get steps times SHORTER, and again
 * after each SWINGS rounds more. On two rings with a hundred buffers, or at loads of hundreds,
 * the claims do not come to rest otherwise. Claims swing when their change has not fallen for
 * more than LEAST_SWINGS rounds. */
enum { FIRST_SWINGS = 300, SWINGS = 100, LEAST_SWINGS = 20 };
#define SHORTER 0.3
/* The first step of P_t, as a share of 1 - P_t: the secant has no slope yet. The least relative
 * step that gives a slope. */
#define FIRST_STEP 1e-4
#define LEAST_STEP 1e-7

/* Finds the next s(x), when the present one has given `found`, by Anderson's step, the secant
 * step for many numbers. The found values swing to and fro on rings, and follow slowly where
 * messages insist on their channel. */
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

/* Finds s(x), A and B of (D14) from the claims of the last round. */
static void update_rivals(cni_own_model *own)
{
    cni_pair_count count = cni_own_count_pairs(own);
    next_same(own);
    own->meetings = count.same;
    if (!(count.of_one > 0.0 && count.all > count.same))
        return;
    /* A judgement: of two kept messages the younger came by a channel. It does not want this
     * channel, one of n, so it cannot meet the older message there. */
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
        update_rivals(own);
    double wants = cni_correlated_wants(own->node, own->path->digits, own->rivals.share);
    own->common += own->step * COMMON_STEP * (wants - own->common);
    double claimed = cni_own_claim(own), leaned = cni_own_lean(own);
    return own->rounds == 1 ? 1.0 : fmax(leaned, claimed);
}

/* Finds the messages that come in less the messages that go out, per node and cycle (D7; eq.
 * 3.22). The difference falls as P_t rises. */
static cn_status find_surplus(cni_own_model *own, double transit, double *found)
{
    cni_node_chain *node = own->node;
    own->transit = transit;
    cni_node_chain_solve(node, transit);
    CNI_TRY(cni_budget_go_on(node->budget, 0));
    CNI_TRY(cni_own_follow(own));
    *found = node->load * node->accepted - node->channels * (node->rho_1 + node->rho_2) / own->hops;
    return CN_OK;
}

/* Makes new claims for the present P_t and a secant step of P_t for these claims, in turn. Where
 * a node is nearly always full, at a load of thousands, P_t(x) is a quotient of two small
 * numbers, and the claims come to rest a little above CLAIMS. The last steps of P_t keep the
 * claims as they are. */
cn_status cni_own_settle(cni_own_model *own, double transit)
{
    double value, then, slope = 0.0, nearest = 1.0, change = 1.0;
    CNI_TRY(find_surplus(own, transit, &value));
    for (int round = 0, stuck = 0, last = 0; round < MOST_ROUNDS; round++) {
        if (last == 0)
            change = cni_own_renew(own);
        CNI_TRY(find_surplus(own, transit, &value));
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
        /* a step goes at most half of the way to 0 or to 1 */
        double next = fmin(0.5 + 0.5 * transit, fmax(0.5 * transit, transit + step));
        CNI_TRY(find_surplus(own, next, &then));
        if (fabs(next - transit) > LEAST_STEP * transit)
            slope = fmin(0.0, (then - value) / (next - transit));
        transit = next;
    }
    return cni_fail(CN_ERR_CONVERGENCE,
                    "cn_predict: the claims of model_variant own did not settle at load = %g",
                    own->node->load);
}

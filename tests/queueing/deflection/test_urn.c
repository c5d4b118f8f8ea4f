/* Claims from an urn, against all ways in which they can be made. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "queueing/deflection/own_equations.h"

enum { CHANNELS = 3, MOST = 7 };

typedef struct ways {
    int kept, came; /* messages of two kinds, the older ones first */
    double b[2];    /* of the kinds */
    double draw;    /* of the younger kind */
    int may_stay;   /* losers beyond these are forced out */
    int count[CHANNELS], kin[CHANNELS], counted[CHANNELS];
    double claimed[CHANNELS + 1], pairs[CHANNELS + 1];
} ways;

/* Every sequence of claims with its probability. */
static void enumerate(ways *w, int made, int losers, double probability)
{
    if (made == w->kept + w->came) {
        int claimed = 0;
        double pairs = 0.0;
        for (int c = 0; c < CHANNELS; c++) {
            claimed += w->count[c] > 0;
            pairs += w->counted[c] * (w->counted[c] - 1) / 2.0;
        }
        w->claimed[claimed] += probability;
        w->pairs[claimed] += probability * pairs;
        return;
    }
    int kind = made >= w->kept, kin = made - (kind ? w->kept : 0);
    double draw = kind ? w->draw : 0.0, all = CHANNELS + kin * w->b[kind] + made * draw;
    ways before = *w;
    for (int c = 0; c < CHANNELS; c++) {
        int is_kin = made == w->kept ? 0 : w->kin[c]; /* a new kind begins with none */
        double chance = (1.0 + is_kin * w->b[kind] + w->count[c] * draw) / all;
        int loses = w->count[c] > 0, counts = !loses || losers < w->may_stay;
        if (made == w->kept)
            memset(w->kin, 0, sizeof w->kin);
        w->count[c]++;
        w->kin[c]++;
        w->counted[c] += counts;
        enumerate(w, made + 1, losers + loses, probability * chance);
        memcpy(w->count, before.count, sizeof w->count);
        memcpy(w->kin, before.kin, sizeof w->kin);
        memcpy(w->counted, before.counted, sizeof w->counted);
    }
}

static void check_tally(int kept, int came, int may_stay, const double b[2], double draw)
{
    ways w = {.kept = kept, .came = came, .b = {b[0], b[1]}, .draw = draw, .may_stay = may_stay};
    cni_urn_tally tally;
    enumerate(&w, 0, 0, 1.0);
    cni_urn_begin(&tally, CHANNELS, (size_t)may_stay);
    for (int x = 0; x < kept; x++)
        cni_urn_claim(&tally, x, x, b[0], 0.0);
    cni_urn_next_kind(&tally);
    for (int y = 0; y < came; y++)
        cni_urn_claim(&tally, kept + y, y, b[1], draw);
    for (int c = 0; c <= CHANNELS; c++) {
        assert_near(tally.claimed[c], w.claimed[c], 1e-12);
        assert_near(tally.pairs[c], w.pairs[c], 1e-12);
    }
}

/* Those who draw others count as long as they stay: exact where nobody is forced out. */
static void tallies_are_sums_over_all_ways(void **state)
{
    (void)state;
    static const double b[] = {0.0, 0.5, 1.0, 7.0};
    for (int kept = 0; kept <= 4; kept++)
        for (int came = 0; came <= 3; came++)
            for (int i = 0; i < 16; i++) {
                const double of_kinds[] = {b[i / 4], b[i % 4]};
                for (int may_stay = kept; may_stay <= MOST; may_stay += 2)
                    check_tally(kept, came, may_stay, of_kinds, 0.0);
                check_tally(kept, came, MOST, of_kinds, 0.4);
            }
}

/* The urn has the c that it was made for, whatever the number of messages. */
static void two_of_a_kind_meet_as_often_as_wanted(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 64; n *= 2)
        for (double c = 1.0 / n; c < 0.99; c += 0.13) {
            cni_urn_tally tally;
            cni_urn_begin(&tally, n, 100);
            for (int x = 0; x < 20; x++) {
                cni_urn_claim(&tally, x, x, cni_urn_bias(n, c), 0.0);
                double pairs = 0.0, all = 0.0;
                for (uint32_t j = 0; j <= n; j++) {
                    pairs += tally.pairs[j];
                    all += tally.claimed[j];
                }
                assert_near(all, 1.0, 1e-13);
                assert_near(pairs, c * (x + 1) * x / 2.0, 1e-11);
            }
        }
}

/* b = 0 is the published model. */
static void even_claims_are_published(void **state)
{
    (void)state;
    cni_urn_tally tally;
    cni_urn_begin(&tally, 6, 10);
    for (uint64_t i = 0; i < 10; i++) {
        double f[7];
        assert_ok(cn_assignment_phase_one(6, i, f, 7, NULL));
        for (int j = 0; j <= 6; j++)
            assert_near(tally.claimed[j], f[j], 1e-14);
        cni_urn_claim(&tally, (double)i, (double)i, 0.0, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tallies_are_sums_over_all_ways),
        cmocka_unit_test(two_of_a_kind_meet_as_often_as_wanted),
        cmocka_unit_test(even_claims_are_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

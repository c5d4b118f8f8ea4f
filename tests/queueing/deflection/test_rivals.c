/* Kept messages that meet again: where it is known how often. */
#include "support/support.h"

#include <math.h>

#include "queueing/deflection/rivals.h"

/* As many come as were kept, and half of either go: all stay as long. The second round knows the means. */
static cni_rivals met(uint32_t channels, uint32_t siblings, const double wanting[],
                      cni_rivalry rivalry)
{
    cni_rivals rivals;
    double parting[65];
    for (int t = 0; t <= 64; t++)
        parting[t] = wanting[t] / 2.0;
    rivalry.wanting = rivalry.leaving = wanting;
    rivalry.parting = parting;
    cni_rivals_begin(&rivals, channels, siblings);
    for (int round = 0; round < 2; round++)
        cni_rivals_update(&rivals, &rivalry);
    return rivals;
}

/* Who wants one channel only meets those that have lost it, and no other. */
static void single_minds_meet_again(void **state)
{
    (void)state;
    static const double wanting[65] = {[1] = 0.7};
    for (uint32_t channels = 2; channels <= 64; channels *= 2) {
        cni_rivals r =
            met(channels, 0, wanting, (cni_rivalry){.both_stay = 0.6, .apart_stay = 0.5});
        assert_near(r.insist, 1.0, 1e-15);
        assert_near(r.again, 1.0, 1e-15);
        assert_near(r.chance, 0.0, 1e-15);
    }
}

/* Who would take any channel meets anybody as often as not. */
static void open_minds_meet_by_chance(void **state)
{
    (void)state;
    static const double wanting[65] = {[5] = 1.0};
    cni_rivals r = met(5, 0, wanting, (cni_rivalry){.both_stay = 0.6, .apart_stay = 0.4});
    assert_near(r.insist, 0.2, 1e-15);
    assert_near(r.again, 0.2, 1e-14);
    assert_near(r.chance, 0.2, 1e-14);
}

/* Two channels of four for each, one in each of two dimensions: 0, 1, 2 in common with probability 1/4, 1/2, 1/4. Without
 * siblings: 1/6, 4/6, 1/6. */
static void two_of_four_by_hand(void **state)
{
    (void)state;
    static const double wanting[65] = {[2] = 3.0};
    static const double chance[2][3] = {{1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0}, {0.25, 0.5, 0.25}};
    for (uint32_t siblings = 0; siblings < 2; siblings++)
        for (int rings = 0; rings < 2; rings++) {
            double same = 0.0, again = 0.0, apart = 0.0, by_chance = 0.0;
            cni_rivals r = met(
                4, siblings, wanting,
                (cni_rivalry){.both_stay = 0.6, .apart_stay = 0.3, .rings = rings, .lose = 0.5});
            for (int m = 0; m < 3; m++) {
                double c = m / 4.0, stay = 0.6 * c + 0.3 * (1.0 - c);
                double weight = chance[siblings][m] / (1.0 - stay);
                same += weight * 0.6 * c;
                again += weight * 0.6 * c * c;
                apart += weight * 0.3 * (1.0 - c);
                by_chance += weight * 0.3 * (1.0 - c) * c;
            }
            assert_near(r.again, again / same, 1e-14);
            assert_near(r.chance, by_chance / apart, 1e-14);
            assert_near(r.insist, 0.5, 1e-15);
        }
}

/* The same, where of one kept for each half of one that comes 0.3 go: with 0.3 those that were kept, with 0.4 those that come.
 * Of two one of which has come, 1 to 0.25 are one of each and two that have come. */
static void those_that_come_go_sooner(void **state)
{
    (void)state;
    static const double wanting[65] = {[2] = 1.0}, leaving[65] = {[2] = 0.5},
                        parting[65] = {[2] = 0.3}, chance[3] = {0.25, 0.5, 0.25};
    const double win[2] = {0.6, (0.7 + 0.25 * 0.8) / 1.25},
                 stay[2] = {0.49, (0.42 + 0.25 * 0.36) / 1.25};
    cni_rivalry rivalry = {.both_stay = 0.6,
                           .apart_stay = 0.3,
                           .wanting = wanting,
                           .leaving = leaving,
                           .parting = parting};
    cni_rivals before, r;
    cni_rivals_begin(&r, 4, 1);
    for (int round = 0; round < 50; round++) {
        before = r;
        cni_rivals_update(&r, &rivalry);
    }
    double same[2], apart[2], lost[2] = {0.0, 0.0}, again[2] = {0.0, 0.0};
    for (int came = 0; came < 2; came++) {
        same[came] = 1.0 - 0.4 * win[came] / before.same;
        apart[came] = 0.3 * stay[came] / before.apart;
    }
    for (int m = 0; m < 3; m++) {
        double c = m / 4.0, next = c * same[1] + (1.0 - c) * apart[1];
        double kept = chance[m] * next / (1.0 - c * same[0] - (1.0 - c) * apart[0]);
        double on_one = c * (kept * same[0] + chance[m] * same[1]);
        double on_two = (1.0 - c) * (kept * apart[0] + chance[m] * apart[1]);
        lost[0] += on_one;
        lost[1] += on_two;
        again[0] += c * on_one;
        again[1] += c * on_two;
    }
    assert_true(r.same > 0.6 && r.same < win[1] && r.apart < 0.49 && r.apart > stay[1]);
    assert_near(r.again, again[0] / lost[0], 1e-13);
    assert_near(r.chance, again[1] / lost[1], 1e-13);
}

/* Of single and of open minds, those with more rivals are kept longer, and so are more. */
static void the_stubborn_stay(void **state)
{
    (void)state;
    static const double wanting[65] = {[1] = 0.5, [2] = 0.5};
    cni_rivals r;
    cni_rivals_begin(&r, 4, 1);
    cni_rivalry rivalry = {.both_stay = 0.7,
                           .apart_stay = 0.5,
                           .rings = 1,
                           .lose = 0.6,
                           .wanting = wanting,
                           .leaving = wanting,
                           .parting = wanting};
    for (int round = 0; round < 50; round++)
        cni_rivals_update(&r, &rivalry);
    assert_true(r.share[1] > 0.51 && r.share[1] < 0.6);
    assert_near(r.share[1] + r.share[2], 1.0, 1e-15);
    rivalry.lose = 0.0; /* nobody is kept: nobody longer than others */
    cni_rivals_update(&r, &rivalry);
    cni_rivals_update(&r, &rivalry);
    assert_near(r.share[1], 0.5, 1e-15);
}

/* Two channels of four, as above: met with (1 + V) / 4, when w is that of E c = 1/4 and E c c = 3/32. */
static void what_is_wanted_in_common_is_met_more(void **state)
{
    (void)state;
    static const double wanting[65] = {[2] = 3.0}, chance[3] = {0.25, 0.5, 0.25};
    const double common = 0.1, w = 0.1 / 4.0 / (3.0 / 32.0 - 1.1 / 16.0);
    double mean = 0.0, squares = 0.0, weight = 0.0;
    cni_rivals r =
        met(4, 1, wanting, (cni_rivalry){.both_stay = 0.5, .apart_stay = 0.5, .common = common});
    for (int m = 0; m < 3; m++) {
        double c = m / 4.0;
        weight += chance[m] * (1.0 + w * c);
        mean += chance[m] * (1.0 + w * c) * c;
        squares += chance[m] * (1.0 + w * c) * c * c;
    }
    assert_near(mean / weight, (1.0 + common) / 4.0, 1e-14);
    assert_near(r.again, squares / mean, 1e-14);
    assert_near(r.chance, (mean - squares) / (weight - mean), 1e-14);
    r = met(4, 1, wanting,
            (cni_rivalry){
                .both_stay = 0.5, .apart_stay = 0.5, .common = 1e6}); /* no more than can be */
    assert_near(r.drawn, 4.0, 1e-14);
}

/* Of pairs that claim the same channel more want only that one: where these stay longer than others such pairs do, too. */
static void pairs_stay_as_their_messages_do(void **state)
{
    (void)state;
    static const double wanting[65] = {[1] = 0.5, [2] = 0.5};
    static const double leaving[3][65] = {
        {[1] = 0.4, [2] = 0.6}, {[1] = 0.5, [2] = 0.5}, {[1] = 0.6, [2] = 0.4}};
    for (int i = 0; i < 3; i++) {
        cni_rivals r;
        cni_rivals_begin(&r, 4, 1);
        cni_rivalry rivalry = {.both_stay = 0.7,
                               .apart_stay = 0.5,
                               .rings = 1,
                               .wanting = wanting,
                               .leaving = leaving[i],
                               .parting = leaving[i]};
        for (int round = 0; round < 50; round++)
            cni_rivals_update(&r, &rivalry);
        for (int t = 1; t <= 2; t++)
            assert_near(r.win[0][t], leaving[i][t] / (0.5 + leaving[i][t]), 1e-14);
        if (i == 1)
            assert_near(r.same, r.apart, 1e-14);
        else
            assert_true((r.same > r.apart) == (i == 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_minds_meet_again),
        cmocka_unit_test(open_minds_meet_by_chance),
        cmocka_unit_test(two_of_four_by_hand),
        cmocka_unit_test(those_that_come_go_sooner),
        cmocka_unit_test(the_stubborn_stay),
        cmocka_unit_test(what_is_wanted_in_common_is_met_more),
        cmocka_unit_test(pairs_stay_as_their_messages_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

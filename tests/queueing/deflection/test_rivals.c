/* Kept messages that meet again: where it is known how often. */
#include "support/support.h"

#include <math.h>

#include "queueing/deflection/own_equations.h"

/* As many come as were kept, and half of either go: all stay as long. The second round knows the
 * means. */
static cni_rivals met(uint32_t channels, const double wanting[], cni_rivalry rivalry)
{
    cni_rivals rivals;
    rivalry.wanting = rivalry.leaving = wanting;
    cni_rivals_begin(&rivals, channels);
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
        cni_rivals r = met(channels, wanting, (cni_rivalry){.both_stay = 0.6, .apart_stay = 0.5});
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
    cni_rivals r = met(5, wanting, (cni_rivalry){.both_stay = 0.6, .apart_stay = 0.4});
    assert_near(r.insist, 0.2, 1e-15);
    assert_near(r.again, 0.2, 1e-14);
    assert_near(r.chance, 0.2, 1e-14);
}

/* Two channels of four for each: 0, 1, 2 in common with probability 1/6, 4/6, 1/6. Half as much in
 * common with two thirds and none else has the same means of c and of c c as 1/4 and 1/12. */
static void two_of_four_by_hand(void **state)
{
    (void)state;
    static const double wanting[65] = {[2] = 3.0};
    for (int rings = 0; rings < 2; rings++) {
        double same = 0.0, again = 0.0, apart = 0.0, by_chance = 0.0;
        cni_rivals r =
            met(4, wanting, (cni_rivalry){.both_stay = 0.6, .apart_stay = 0.3, .rings = rings});
        for (int some = 0; some < 2; some++) {
            double c = some / 3.0, stay = 0.6 * c + 0.3 * (1.0 - c);
            double weight = (some ? 0.75 : 0.25) / (1.0 - stay);
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

/* Of single and of open minds, those with more rivals are kept longer, and so are more. */
static void the_stubborn_stay(void **state)
{
    (void)state;
    static const double wanting[65] = {[1] = 0.5, [2] = 0.5};
    cni_rivals r;
    double leaving[65] = {[1] = 0.3, [2] = 0.3};
    cni_rivals_begin(&r, 4);
    cni_rivalry rivalry = {
        .both_stay = 0.7, .apart_stay = 0.5, .rings = 1, .wanting = wanting, .leaving = leaving};
    for (int round = 0; round < 50; round++)
        cni_rivals_update(&r, &rivalry);
    assert_true(r.share[1] > 0.51 && r.share[1] < 0.65);
    assert_near(r.share[1] + r.share[2], 1.0, 1e-15);
    leaving[1] = leaving[2] = 1e9; /* nobody is kept: nobody longer than others */
    cni_rivals_update(&r, &rivalry);
    cni_rivals_update(&r, &rivalry);
    assert_near(r.share[1], 0.5, 1e-9);
}

/* Two channels of four, as above: met with (1 + V) / 4, when w is that of E c = 1/4 and E c c =
 * 1/12. */
static void what_is_wanted_in_common_is_met_more(void **state)
{
    (void)state;
    static const double wanting[65] = {[2] = 3.0}, chance[2] = {0.25, 0.75};
    const double common = 0.1, w = 0.1 / 4.0 / (1.0 / 12.0 - 1.1 / 16.0);
    double mean = 0.0, squares = 0.0, weight = 0.0;
    cni_rivals r =
        met(4, wanting, (cni_rivalry){.both_stay = 0.5, .apart_stay = 0.5, .common = common});
    for (int m = 0; m < 2; m++) {
        double c = m / 3.0;
        weight += chance[m] * (1.0 + w * c);
        mean += chance[m] * (1.0 + w * c) * c;
        squares += chance[m] * (1.0 + w * c) * c * c;
    }
    assert_near(mean / weight, (1.0 + common) / 4.0, 1e-14);
    assert_near(r.again, squares / mean, 1e-14);
    assert_near(r.chance, (mean - squares) / (weight - mean), 1e-14);
    r = met(4, wanting,
            (cni_rivalry){
                .both_stay = 0.5, .apart_stay = 0.5, .common = 1e6}); /* no more than can be */
    assert_near(r.drawn, 4.0, 1e-14);
}

/* Of pairs that claim the same channel more want only that one: the longer these stay than others,
 * the longer such pairs do. */
static void pairs_stay_as_their_messages_do(void **state)
{
    (void)state;
    static const double wanting[65] = {[1] = 0.5, [2] = 0.5};
    static const double leaving[3][65] = {
        {[1] = 0.4, [2] = 0.6}, {[1] = 0.5, [2] = 0.5}, {[1] = 0.6, [2] = 0.4}};
    double before = 1.0;
    for (int i = 0; i < 3; i++) {
        cni_rivals r;
        cni_rivals_begin(&r, 4);
        cni_rivalry rivalry = {.both_stay = 0.7,
                               .apart_stay = 0.5,
                               .rings = 1,
                               .wanting = wanting,
                               .leaving = leaving[i]};
        for (int round = 0; round < 50; round++)
            cni_rivals_update(&r, &rivalry);
        for (int t = 1; t <= 2; t++)
            assert_near(r.stay[t], r.share[t] / (r.share[t] + leaving[i][t]), 1e-14);
        assert_true(r.same - r.apart < before);
        before = r.same - r.apart;
    }
    assert_true(before < 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_minds_meet_again),
        cmocka_unit_test(open_minds_meet_by_chance),
        cmocka_unit_test(two_of_four_by_hand),
        cmocka_unit_test(the_stubborn_stay),
        cmocka_unit_test(what_is_wanted_in_common_is_met_more),
        cmocka_unit_test(pairs_stay_as_their_messages_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/support.h"

#include "base/random.h"
#include "simulation/kernel/mailbox.h"

static void hands_out_in_order_of_arrival(void **state)
{
    (void)state;
    cni_mailbox box = {0};
    cn_delivery got;
    for (uint64_t i = 0; i < 3; i++) {
        cn_delivery sent = {.tag = 100 + i, .source = i, .destination = 9, .injected = 5};
        assert_ok(cni_mailbox_post(&box, 0, &sent));
    }
    assert_int_equal(cni_mailbox_fetch(&box, &got), CN_DONE);
    cni_mailbox_arrive(&box, cni_mailbox_find(&box, 5, 2, 0), 7);
    cni_mailbox_arrive(&box, cni_mailbox_find(&box, 5, 0, 0), 8);
    cni_mailbox_arrive(&box, cni_mailbox_find(&box, 5, 0, 0), 8); /* known no more */
    cni_mailbox_arrive(&box, cni_mailbox_find(&box, 4, 1, 0), 8); /* never posted */
    assert_ok(cni_mailbox_fetch(&box, &got));
    assert_int_equal(got.tag, 102);
    assert_int_equal(got.source, 2);
    assert_int_equal(got.delivered, 7);
    assert_ok(cni_mailbox_fetch(&box, &got));
    assert_int_equal(got.tag, 100);
    assert_int_equal(cni_mailbox_fetch(&box, &got), CN_DONE);
    assert_int_equal(box.waiting, 1);
    cni_mailbox_close(&box);
}

/* Thousands of letters come and go at random; a plain array says which must still be there. */
static void keeps_every_letter_through_a_long_life(void **state)
{
    (void)state;
    enum { LETTERS = 3000, STEPS = 40000 };
    cni_mailbox box = {0};
    static char waiting[LETTERS];
    uint64_t posted = 0, arrived = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        uint64_t i = cni_random_word(1, step) % LETTERS;
        uint64_t source = i % 7, number = i / 7 % 5, injected = i / 35;
        if (!waiting[i]) {
            cn_delivery sent = {.tag = i, .source = source, .injected = injected};
            assert_ok(cni_mailbox_post(&box, number, &sent));
            posted++;
        } else {
            cn_delivery got;
            cni_mailbox_arrive(&box, cni_mailbox_find(&box, injected, source, number), step);
            assert_ok(cni_mailbox_fetch(&box, &got));
            assert_int_equal(got.tag, i);
            assert_int_equal(got.delivered, step);
            arrived++;
        }
        waiting[i] = !waiting[i];
        assert_int_equal(box.waiting, posted - arrived);
    }
    cni_mailbox_close(&box);
}

/* As when an exchange between parts doubles them: they take no room from the letters. */
static void drops_messages_of_a_trace_beyond_its_room(void **state)
{
    (void)state;
    cni_mailbox box = {0};
    cn_delivery sent = {.tag = 7}, got = {0};
    const cni_trace_message traced = {.index = 3};
    assert_ok(cni_mailbox_post(&box, 0, &sent));
    assert_ok(cni_mailbox_make_room(&box, 1));
    size_t room = box.room;
    for (size_t i = 0; i < 2 * room; i++)
        cni_mailbox_report(&box, &traced, 1, 0, 1);
    cni_mailbox_arrive(&box, cni_mailbox_find(&box, 0, 0, 0), 2);
    for (size_t i = 0; i < room; i++)
        assert_ok(cni_mailbox_fetch(&box, &got));
    assert_int_equal(got.tag, 7);
    assert_int_equal(cni_mailbox_fetch(&box, &got), CN_DONE);
    cni_mailbox_close(&box);
}

static void arrivals_need_no_memory(void **state)
{
    (void)state;
    cni_mailbox box = {0};
    support_install_allocator(0);
    for (uint64_t i = 0; i < 500; i++) {
        cn_delivery sent = {.tag = i, .source = i, .injected = 1};
        assert_ok(cni_mailbox_post(&box, 3, &sent));
    }
    uint64_t before = support_allocations();
    for (uint64_t i = 0; i < 500; i++)
        cni_mailbox_arrive(&box, cni_mailbox_find(&box, 1, i, 3), 2);
    assert_int_equal(support_allocations(), before);
    for (uint64_t i = 0; i < 500; i++) {
        cn_delivery got;
        assert_ok(cni_mailbox_fetch(&box, &got));
        assert_int_equal(got.tag, i);
    }
    cni_mailbox_close(&box);
    support_remove_allocator();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_out_in_order_of_arrival),
        cmocka_unit_test(keeps_every_letter_through_a_long_life),
        cmocka_unit_test(drops_messages_of_a_trace_beyond_its_room),
        cmocka_unit_test(arrivals_need_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

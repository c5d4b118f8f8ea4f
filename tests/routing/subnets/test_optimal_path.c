#include "support/support.h"

static void header_and_status(void **state)
{
    (void)state;
    uint64_t channels = 77;
    for (uint64_t header = 1; header < 64; header++)
        for (uint64_t status = 0; status < 64; status++) {
            channels = 77;
            if ((header & status) != 0) {
                assert_ok(cn_route_optimal_path(header, status, &channels));
                assert_int_equal(channels, header & status);
            } else {
                assert_fails(cn_route_optimal_path(header, status, &channels), CN_ERR_DISCONNECTED,
                             "a bit in common");
                assert_int_equal(channels, 77);
            }
        }
    assert_int_equal(cn_route_optimal_path(0, 0, &channels), CN_DONE);
    assert_fails(cn_route_optimal_path(1, 1, NULL), CN_ERR_ARGUMENT, "channels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_and_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What all tests share. Include this first: it brings cmocka and what cmocka needs. */
#ifndef CUBENET_TESTS_SUPPORT_H
#define CUBENET_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cubenet.h"

/* The call succeeds; else the test fails with the library's own sentence. */
#define assert_ok(call) support_assert_ok((call), #call, __FILE__, __LINE__)
void support_assert_ok(cn_status status, const char *call, const char *file, int line);

/* The call fails with this status, and cn_last_error() is a new sentence that contains `part`: the
 * words that matter, as "buffers = 5". A part of fewer than two characters fails the test. */
#define assert_fails(call, expected, part)                                           \
    do {                                                                             \
        support_forget_error();                                                      \
        support_assert_fails((call), (expected), (part), #call, __FILE__, __LINE__); \
    } while (0)
void support_forget_error(void);
void support_assert_fails(cn_status status, cn_status expected, const char *part, const char *call,
                          const char *file, int line);

/* The text as error texts quote it; until the next call. */
const char *quoted(const char *text);

/* Ends the test as skipped; tests/skipped.py collects the reasons. */
void skip_because(const char *reason);

/* Begins a test that compares numbers of many or long runs. A sanitizer makes these slow and finds
 * nothing in them that it has not found in the other tests of the same file, so under one the test
 * is skipped. */
void skip_under_sanitizers(void);

/* Whether the test was built for a sanitizer. */
int is_sanitized(void);

/* |value - expected| <= tolerance, and neither is NaN. */
#define assert_near(value, expected, tolerance) \
    support_assert_near((value), (expected), (tolerance), #value, __FILE__, __LINE__)
void support_assert_near(double value, double expected, double tolerance, const char *what,
                         const char *file, int line);

/* The line is once in this page. */
#define assert_page_has(page, line) support_assert_page_has((page), (line), __FILE__, __LINE__)
void support_assert_page_has(const char *page, const char *line, const char *file, int at);

/* A row of a table of the page: how it begins, then these errors in per cent. */
void support_assert_errors_in(const char *page, const char *begins, const double errors[],
                              size_t count, const char *file, int at);
#define assert_errors_in(page, begins, errors, count) \
    support_assert_errors_in((page), (begins), (errors), (count), __FILE__, __LINE__)

/* A scenario of a system on the n-cube, with a load. */
cn_scenario *cube_scenario(const char *system, uint32_t n, double load);

/* The system "separate-buffers" by this routing in continuous time, on a network that is to be
 * damaged. */
/* The same network as a list of edges: nothing is known of it but by search. */
cn_topology *support_as_edges(const cn_topology *topology);

cn_status support_routed_scenario(const cn_topology *topology, const char *routing,
                                  cn_scenario **scenario);

/* A metric that the result holds, and its half-width. */
double value_of(const cn_result *result, cn_metric metric);
double half_width_of(const cn_result *result, cn_metric metric);

/* Every metric and half-width of the two is the same, to the last bit, and so is all else that they
 * say, but for the reason why the run ended. */
void assert_same_result(const cn_result *a, const cn_result *b);

/* An allocator whose k-th allocation fails, k = 1, 2, ...; 0: none does. Installing it resets the
 * count. support_allocations() tells how many were asked for since, support_blocks() how many have
 * not been given back. */
void support_install_allocator(uint64_t failing);
void support_remove_allocator(void);
void support_fail_allocation(uint64_t failing); /* counts from now on; what was allocated stays */
uint64_t support_allocations(void);
uint64_t support_blocks(void);

/* Runs `work` again and again, its 1st, 2nd, ... allocation failing, until it gets through. Each
 * time before that it must return CN_ERR_MEMORY, and each time nothing may be left allocated.
 * `work` takes back everything that it made. */
void support_fail_every_allocation(cn_status (*work)(void *context), void *context);

/* The load at which the busiest channel of a routing is full under this traffic: 1 / the greatest
 * of cn_traffic_loads(). */
double support_saturation(const cn_traffic *traffic, const cn_routing *routing);

#endif

#include "support/support.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void support_assert_ok(cn_status status, const char *call, const char *file, int line)
{
    if (status == CN_OK)
        return;
    print_error("%s returned %d: %s\n", call, (int)status, cn_last_error());
    _fail(file, line);
}

void support_assert_page_has(const char *page, const char *line, const char *file, int at)
{
    char read[1000];
    size_t length = strlen(line), times = 0;
    FILE *text = fopen(page, "r");
    if (text == NULL) {
        print_error("there is no page %s\n", page);
        _fail(file, at);
        return;
    }
    while (fgets(read, sizeof read, text) != NULL)
        times += strncmp(read, line, length) == 0 && strcmp(read + length, "\n") == 0;
    fclose(text);
    if (times == 1)
        return;
    print_error("%s has %zu times, not once:\n%s\n", page, times, line);
    _fail(file, at);
}

void support_assert_errors_in(const char *page, const char *begins, const double errors[],
                              size_t count, const char *file, int at)
{
    char row[500];
    int length = snprintf(row, sizeof row, "| %s |", begins);
    for (size_t i = 0; i < count; i++) /* + 0.0: there is no -0.0 */
        length += snprintf(row + length, sizeof row - (size_t)length, " %+.1f |",
                           round(1000.0 * errors[i]) / 10.0 + 0.0);
    support_assert_page_has(page, row, file, at);
}

void skip_because(const char *reason)
{
    print_message("skipped: %s\n", reason);
    skip();
}

int is_sanitized(void)
{
    return SANITIZED;
}

void skip_under_sanitizers(void)
{
    if (SANITIZED)
        skip_because("a sanitizer makes these numbers slow and finds nothing in them");
}

/* Of a test program only the functions run that CUBENET_TESTS names, with * for any text. */
__attribute__((constructor)) static void choose_functions(void)
{
    cmocka_set_test_filter(getenv("CUBENET_TESTS"));
}

void support_forget_error(void)
{
    cn_topology *none;
    cn_topology_hypercube(4000000000u, &none); /* leaves a sentence that no other call leaves */
}

void support_assert_fails(cn_status status, cn_status expected, const char *part, const char *call,
                          const char *file, int line)
{
    const char *text = cn_last_error();
    if (strlen(part) < 2)
        fail_msg("%s:%d: %s: \"%s\" is in nearly every sentence", file, line, call, part);
    if (status == expected && strstr(text, "4000000000") == NULL && strstr(text, part) != NULL)
        return;
    print_error("%s returned %d (expected %d) with \"%s\" (expected to contain \"%s\")\n", call,
                (int)status, (int)expected, text, part);
    _fail(file, line);
}

const char *quoted(const char *text)
{
    static char room[128];
    snprintf(room, sizeof room, "\"%s\"", text);
    return room;
}

void support_assert_near(double value, double expected, double tolerance, const char *what,
                         const char *file, int line)
{
    if (fabs(value - expected) <= tolerance)
        return;
    print_error("%s = %.17g, expected %.17g +- %g\n", what, value, expected, tolerance);
    _fail(file, line);
}

cn_status support_routed_scenario(const cn_topology *topology, const char *routing,
                                  cn_scenario **scenario)
{
    cn_status status = cn_scenario_new(topology, "separate-buffers", scenario);
    if (status == CN_OK)
        status = cn_scenario_set_routing_name(*scenario, routing);
    if (status == CN_OK)
        status = cn_scenario_set(*scenario, CN_PARAM_SLOTTED, 0);
    return status;
}

cn_scenario *cube_scenario(const char *system, uint32_t n, double load)
{
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(n, &topology));
    assert_ok(cn_scenario_new(topology, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    cn_topology_free(&topology);
    return scenario;
}

double value_of(const cn_result *result, cn_metric metric)
{
    double value;
    assert_ok(cn_result_value(result, metric, &value));
    return value;
}

double half_width_of(const cn_result *result, cn_metric metric)
{
    double half_width;
    assert_ok(cn_result_half_width(result, metric, &half_width));
    return half_width;
}

void assert_same_result(const cn_result *a, const cn_result *b)
{
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        cn_metric metric = (cn_metric)m;
        assert_int_equal(cn_result_has(a, metric), cn_result_has(b, metric));
        if (!cn_result_has(a, metric))
            continue;
        double x[2] = {value_of(a, metric), half_width_of(a, metric)};
        double y[2] = {value_of(b, metric), half_width_of(b, metric)};
        assert_memory_equal(x, y, sizeof x);
    }
    assert_string_equal(cn_result_system(a), cn_result_system(b));
    assert_string_equal(cn_result_model(a), cn_result_model(b));
    assert_int_equal(cn_result_seed(a), cn_result_seed(b));
    assert_int_equal(cn_result_is_saturated(a), cn_result_is_saturated(b));
    assert_int_equal(cn_result_is_settled(a), cn_result_is_settled(b));
}

static atomic_uint_fast64_t allocations;
static atomic_uint_fast64_t blocks;
static uint64_t failing_allocation;

static void *allocate(void *user, size_t size)
{
    (void)user;
    if (atomic_fetch_add(&allocations, 1) + 1 == failing_allocation)
        return NULL;
    atomic_fetch_add(&blocks, 1);
    return malloc(size);
}

static void release(void *user, void *memory)
{
    (void)user;
    atomic_fetch_sub(&blocks, 1);
    free(memory);
}

void support_install_allocator(uint64_t failing)
{
    blocks = 0;
    support_fail_allocation(failing);
    assert_ok(cn_set_allocator(allocate, release, NULL));
}

void support_fail_allocation(uint64_t failing)
{
    allocations = 0;
    failing_allocation = failing;
}

void support_remove_allocator(void)
{
    assert_ok(cn_set_allocator(NULL, NULL, NULL));
}

uint64_t support_allocations(void)
{
    return allocations;
}

uint64_t support_blocks(void)
{
    return blocks;
}

void support_fail_every_allocation(cn_status (*work)(void *context), void *context)
{
    cn_status status = CN_ERR_MEMORY;
    for (uint64_t k = 1; status == CN_ERR_MEMORY; k++) {
        support_forget_error();
        support_install_allocator(k);
        status = work(context);
        if (status == CN_ERR_MEMORY && strstr(cn_last_error(), "out of memory") == NULL)
            fail_msg("allocation %llu failed, but the sentence is \"%s\"", (unsigned long long)k,
                     cn_last_error());
        assert_int_equal(support_blocks(), 0);
        if (status == CN_OK)
            assert_true(support_allocations() < k);
        support_remove_allocator();
    }
    assert_ok(status);
}

cn_topology *support_as_edges(const cn_topology *topology)
{
    uint64_t nodes = cn_topology_node_count(topology), links, far;
    assert_ok(cn_topology_link_count(topology, &links));
    uint64_t *edges = malloc(2 * links * sizeof *edges);
    assert_non_null(edges);
    size_t count = 0;
    for (uint64_t v = 0; v < nodes; v++)
        for (uint32_t port = 0; cn_topology_neighbor(topology, v, port, &far) == CN_OK; port++)
            if (v < far) {
                edges[2 * count] = v;
                edges[2 * count++ + 1] = far;
            }
    assert_int_equal(count, links);
    cn_topology *made;
    assert_ok(cn_topology_from_edges(nodes, edges, count, NULL, &made));
    free(edges);
    return made;
}

double support_saturation(const cn_traffic *traffic, const cn_routing *routing)
{
    double greatest = 0.0;
    size_t count = 0;
    assert_int_equal(cn_traffic_loads(traffic, routing, NULL, NULL, 0, &count), CN_ERR_CAPACITY);
    double *loads = malloc(count * sizeof *loads);
    assert_non_null(loads);
    assert_ok(cn_traffic_loads(traffic, routing, NULL, loads, count, NULL));
    for (size_t i = 0; i < count; i++)
        greatest = loads[i] > greatest ? loads[i] : greatest;
    free(loads);
    return 1.0 / greatest;
}

#include "routing/damage.h"

#include "routing/hierarchy/hierarchy.h"

#include <string.h>

/* An allocator that gives so many more blocks, then every third request gets none. */
static uint64_t blocks, requests, plenty;

static void *allocate(void *user, size_t size)
{
    (void)user;
    requests++;
    if (requests > plenty && requests % 3 == 0)
        return NULL;
    blocks++;
    return malloc(size);
}

static void release(void *user, void *memory)
{
    (void)user;
    blocks--;
    free(memory);
}

static cn_status change(cn_faults *faults, cn_hierarchy *h, uint32_t n, uint64_t *random)
{
    uint64_t node = damage_random(random) % (UINT64_C(1) << n);
    uint32_t port = (uint32_t)(damage_random(random) % n);
    int fails = damage_random(random) % 5 < 2;
    cn_status status;
    if (damage_random(random) % 2 == 0) {
        status = cn_hierarchy_update(h, fails ? CN_CHANGE_FAIL_LINK : CN_CHANGE_REPAIR_LINK, node,
                                     port, NULL);
        if (status == CN_OK)
            assert_ok(fails ? cn_faults_add_link(faults, node, port)
                            : cn_faults_remove_link(faults, node, port));
    } else {
        status = cn_hierarchy_update(h, fails ? CN_CHANGE_FAIL_NODE : CN_CHANGE_REPAIR_NODE, node,
                                     port, NULL);
        if (status == CN_OK)
            assert_ok(fails ? cn_faults_add_node(faults, node)
                            : cn_faults_remove_node(faults, node));
    }
    return status;
}

static int is_in(uint64_t value, uint64_t any, uint64_t node)
{
    return ((node ^ value) & ~any) == 0;
}

/* Clusters part the working nodes, are convex, and no two halves could be one. */
static void check_clusters(const cn_faults *faults, const cn_hierarchy *h, uint32_t n)
{
    uint64_t nodes = UINT64_C(1) << n, counted = 0;
    for (uint32_t c = 0; c < cn_hierarchy_cluster_count(h); c++) {
        uint64_t value, any, survivors;
        unsigned char alive[DAMAGE_MOST_NODES];
        assert_ok(cn_hierarchy_cluster(h, c, &value, &any, &survivors));
        for (uint64_t v = 0; v < nodes; v++) {
            uint32_t of;
            alive[v] = is_in(value, any, v) && !cn_faults_has_node(faults, v);
            assert_ok(cn_hierarchy_cluster_of(h, v, &of));
            assert_int_equal(of == c, alive[v]);
            survivors -= alive[v];
            counted += alive[v];
        }
        assert_int_equal(survivors, 0);
        assert_true(damage_is_convex(faults, alive, n));
    }
    assert_int_equal(counted, nodes - cn_faults_node_count(faults));
}

/* Clusters and columns are those of a new hierarchy. */
static void check_anew(const cn_faults *faults, const cn_hierarchy *h)
{
    cn_hierarchy *anew;
    assert_ok(cn_hierarchy_new(faults, NULL, &anew));
    assert_int_equal(anew->cluster_count, h->cluster_count);
    assert_memory_equal(anew->cluster_of, h->cluster_of,
                        faults->topology->nodes * sizeof h->cluster_of[0]);
    cn_hierarchy_free(&anew);
}

/* Every column is what a search finds. */
static void check_columns(const cn_hierarchy *h)
{
    static uint16_t hops[DAMAGE_MOST_NODES];
    static uint32_t queue[DAMAGE_MOST_NODES];
    for (uint32_t c = 0; c < h->cluster_count; c++) {
        size_t reached;
        assert_ok(cni_search_cluster(h, c, hops, queue, &reached));
        assert_memory_equal(hops, h->clusters[c].hops, h->faults->topology->nodes * sizeof hops[0]);
    }
}

static void check_bad_links(const cn_faults *faults, const cn_hierarchy *h, uint32_t n)
{
    for (uint64_t v = 0; v < UINT64_C(1) << n; v++) {
        uint64_t status, expected = 0;
        assert_ok(cn_hierarchy_neighbor_status(h, v, &status));
        for (uint32_t i = 0; i < n; i++)
            if (!cn_faults_has_link(faults, v, i) &&
                !cn_faults_has_node(faults, v ^ (UINT64_C(1) << i)))
                expected |= UINT64_C(1) << i;
        assert_true(status == expected);
    }
}

static void a_thousand_steps(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++)
        for (int tables = 0; tables < 2; tables++) {
            cn_topology *cube;
            cn_faults *faults;
            cn_hierarchy *h;
            uint64_t random = n;
            damage_open(n, &cube, &faults);
            assert_ok(cn_hierarchy_new(faults, NULL, &h));
            if (tables)
                assert_ok(cn_hierarchy_make_tables(h, NULL));
            for (int step = 0; step < 1000; step++) {
                assert_ok(change(faults, h, n, &random));
                if (n < 7 || step % 20 == 0) {
                    check_clusters(faults, h, n);
                    check_bad_links(faults, h, n);
                    check_anew(faults, h);
                }
                if (tables)
                    check_columns(h);
            }
            cn_hierarchy_free(&h);
            cn_faults_free(&faults);
            cn_topology_free(&cube);
        }
}

/* A repair can break a convex cluster: the one that comes back is cut off inside of it. */
static void a_repair_can_break_a_cluster(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
    damage_open(3, &cube, &faults);
    damage_set_nodes(faults, 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4);
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    assert_int_equal(cn_hierarchy_cluster_count(h), 1); /* 3 5 6 7 */
    assert_ok(cn_hierarchy_update(h, CN_CHANGE_REPAIR_NODE, 0, 0, NULL));
    assert_int_equal(cn_hierarchy_cluster_count(h), 3); /* 0, 6, 3 5 7: cut at 0, then at 1 */
    assert_ok(cn_hierarchy_update(h, CN_CHANGE_FAIL_NODE, 0, 0, NULL));
    assert_int_equal(cn_hierarchy_cluster_count(h), 1);
    cn_hierarchy_free(&h);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* A step that gets no memory changes nothing; the next one finds all in order. */
static void a_failed_step_changes_nothing(void **state)
{
    (void)state;
    enum { N = 6 };
    uint64_t random = 11, failures = 0;
    for (int run = 0; run < 60; run++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_hierarchy *h;
        plenty = UINT64_MAX;
        assert_ok(cn_set_allocator(allocate, release, NULL));
        damage_open(N, &cube, &faults);
        assert_ok(cn_faults_add_link(faults, 0, 0));
        assert_ok(cn_faults_add_random_nodes(faults, 12, (uint64_t)run));
        assert_ok(cn_hierarchy_new(faults, NULL, &h));
        assert_ok(cn_hierarchy_make_tables(h, NULL));
        plenty = requests + (uint64_t)run % 3;
        for (int step = 0; step < 30; step++) {
            cn_status status = change(faults, h, N, &random);
            assert_true(status == CN_OK || status == CN_ERR_MEMORY);
            failures += status == CN_ERR_MEMORY;
            check_clusters(faults, h, N);
            check_bad_links(faults, h, N);
            check_columns(h);
        }
        cn_hierarchy_free(&h);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
        assert_int_equal(blocks, 0);
        assert_ok(cn_set_allocator(NULL, NULL, NULL));
    }
    assert_true(failures > 50);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
    damage_open(3, &cube, &faults);
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    assert_fails(cn_hierarchy_update(h, CN_CHANGE_FAIL_NODE, 8, 0, NULL), CN_ERR_ARGUMENT,
                 "node = 8");
    assert_fails(cn_hierarchy_update(h, CN_CHANGE_REPAIR_NODE, 8, 0, NULL), CN_ERR_ARGUMENT,
                 "node = 8");
    assert_fails(cn_hierarchy_update(h, CN_CHANGE_FAIL_LINK, 0, 3, NULL), CN_ERR_ARGUMENT,
                 "port = 3");
    assert_fails(cn_hierarchy_update(NULL, CN_CHANGE_REPAIR_LINK, 0, 3, NULL), CN_ERR_ARGUMENT,
                 "hierarchy");
    assert_fails(cn_hierarchy_update(h, (cn_change)4, 0, 0, NULL), CN_ERR_ARGUMENT, "change = 4");
    cn_hierarchy_free(&h);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_steps),
        cmocka_unit_test(a_repair_can_break_a_cluster),
        cmocka_unit_test(a_failed_step_changes_nothing),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Many threads ask one routing at once and get what one thread gets. */
#include "support/support.h"

#include <string.h>

#include "base/team.h"

enum { WORKERS = 4, PORTS = 6, NODES = 30, MOST = 64 };

typedef struct answers {
    uint64_t hops, longest, ports, nodes[MOST];
    size_t count;
    double mean, greatest, load, loads[NODES * PORTS];
    int is_minimal;
    cn_verdict verdict;
    cn_status status; /* the first that is not CN_OK */
} answers;

typedef struct asking {
    const cn_routing *r;
    answers of[WORKERS];
} asking;

static void keep(answers *a, cn_status status)
{
    if (a->status == CN_OK)
        a->status = status;
}

static void ask(void *work, uint32_t worker)
{
    asking *all = work;
    answers *a = &all->of[worker];
    cn_deadlock *check = NULL;
    uint32_t least = 0;
    memset(a, 0, sizeof *a);
    keep(a, cn_routing_least_virtual_channels(all->r, &least));
    keep(a, cn_routing_deadlock_check(all->r, least, NULL, &check));
    keep(a, cn_deadlock_verdict(check, &a->verdict));
    cn_deadlock_free(&check);
    keep(a, cn_routing_channels(all->r, 1, 20, &a->ports));
    keep(a, cn_routing_path(all->r, 1, 20, 5, a->nodes, MOST, &a->count));
    keep(a, cn_routing_distance(all->r, 1, 20, NULL, &a->hops));
    keep(a, cn_routing_stretch(all->r, NULL, &a->mean, &a->greatest));
    keep(a, cn_routing_longest_walk(all->r, NULL, &a->longest));
    keep(a, cn_routing_is_minimal(all->r, NULL, &a->is_minimal));
    keep(a, cn_routing_loads(all->r, NULL, NULL, NULL, a->loads, NODES * PORTS, NULL));
    keep(a, cn_routing_saturation_load(all->r, NULL, NULL, NULL, &a->load));
}

static void all_get_the_same_answers(void **state)
{
    (void)state;
    static const char *const names[] = {"minimal", "dimension-order",  "duato",
                                        "up-down", "up-down-adaptive", "valiant"};
    static const uint64_t radices[] = {5, 2, 3};
    static asking all;
    static answers alone;
    cn_topology *mesh;
    cni_team *team;
    assert_ok(cn_topology_mesh(radices, 3, &mesh));
    assert_ok(cni_team_open(WORKERS, &team));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cn_routing *r;
        assert_ok(cn_routing_new(mesh, names[i], NULL, NULL, &r));
        all.r = r;
        memset(all.of, 0, sizeof all.of);
        cni_team_run(team, ask, &all);
        uint32_t workers = cni_team_workers(team);
        answers *first = &all.of[0];
        memcpy(&alone, first, sizeof alone);
        ask(&all, 0);
        assert_int_equal(first->status, CN_OK);
        assert_memory_equal(first, &alone, sizeof alone);
        for (uint32_t w = 1; w < workers; w++)
            assert_memory_equal(&all.of[w], &alone, sizeof alone);
        cn_routing_free(&r);
    }
    cni_team_close(&team);
    cn_topology_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_get_the_same_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

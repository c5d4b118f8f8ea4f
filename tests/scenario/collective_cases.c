#include "collective_cases.h"

cn_topology *case_topology(int kind, const uint64_t radices[], uint32_t n)
{
    cn_topology *topology = NULL;
    if (kind == CASE_TORUS)
        assert_ok(cn_topology_torus(radices, n, &topology));
    else if (kind == CASE_ONE_WAY)
        assert_ok(cn_topology_kary_ncube(radices[0], n, 0, &topology));
    else if (kind == CASE_GENERALIZED)
        assert_ok(cn_topology_generalized_hypercube_mixed(radices, n, &topology));
    else if (kind == CASE_MESH)
        assert_ok(cn_topology_mesh(radices, n, &topology));
    else
        assert_ok(cn_topology_complete(radices[0], &topology));
    return topology;
}

static int equal_radices(const network_case *c)
{
    for (uint32_t i = 1; i < c->n; i++)
        if (c->radix[i] != c->radix[0])
            return 0;
    return 1;
}

static void visit_kinds(network_case *c, void (*visit)(const network_case *network))
{
    for (c->kind = 0; c->kind < CASE_KINDS; c->kind++) {
        if ((c->kind == CASE_ONE_WAY && !equal_radices(c)) ||
            (c->kind == CASE_COMPLETE && c->n > 1))
            continue;
        c->topology = case_topology(c->kind, c->radix, c->n);
        visit(c);
        cn_topology_free(&c->topology);
    }
}

static void visit_orders(const network_case *rising, void (*visit)(const network_case *network))
{
    network_case falling = *rising, same = *rising;
    for (uint32_t i = 0; i < rising->n; i++)
        falling.radix[i] = rising->radix[rising->n - 1 - i];
    visit_kinds(&same, visit);
    if (!equal_radices(rising))
        visit_kinds(&falling, visit);
}

static void extend(network_case c, uint64_t least, uint64_t most,
                   void (*visit)(const network_case *network))
{
    if (c.n > 0 && c.nodes >= least)
        visit_orders(&c, visit);
    for (uint64_t k = c.n == 0 ? 2 : c.radix[c.n - 1]; c.nodes * k <= most; k++) {
        network_case longer = c;
        longer.radix[longer.n++] = k;
        longer.nodes *= k;
        extend(longer, least, most, visit);
    }
}

void each_case(uint64_t least, uint64_t most, void (*visit)(const network_case *network))
{
    extend((network_case){.nodes = 1}, least, most, visit);
}

int case_has(const network_case *c, cn_algorithm algorithm)
{
    int cube = case_is_cube(c), two = is_power_of_two(c->nodes);
    if (algorithm == CN_ALGORITHM_RINGS)
        return c->kind == CASE_TORUS || c->kind == CASE_ONE_WAY || cube;
    if (algorithm == CN_ALGORITHM_SWING)
        return (c->kind == CASE_TORUS && two) || cube;
    if (algorithm == CN_ALGORITHM_RECURSIVE || algorithm == CN_ALGORITHM_BINE)
        return two;
    if (algorithm == CN_ALGORITHM_DIMENSIONS)
        return c->kind == CASE_GENERALIZED || c->kind == CASE_COMPLETE || cube;
    if (algorithm == CN_ALGORITHM_INTERLEAVED)
        return (c->kind == CASE_GENERALIZED && equal_radices(c)) || cube;
    return 1;
}

uint64_t case_parts(const network_case *c, cn_algorithm algorithm)
{
    if (algorithm == CN_ALGORITHM_RINGS || algorithm == CN_ALGORITHM_SWING)
        return c->n * (c->kind == CASE_TORUS && !case_is_cube(c) ? 2 : 1);
    return algorithm == CN_ALGORITHM_DIMENSIONS ? c->n : 1;
}

/*
 * Faults and repairs in a small network, in random order, also with arguments out of range and
 * without memory: a degraded subnet is bit for bit the one made anew, a convex one stays convex,
 * the tables of a hierarchy hold the shortest ways, and a call that fails changes nothing.
 */
#include "input.h"

#include "cubenet/experimental/damage.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 64, MOST_CHANGES = 20 };

/* The network, its faults, and what is kept up to date with them; NULL where the network does not
 * allow it. */
typedef struct damage {
    cn_topology *topology;
    cn_faults *faults;
    cn_subnet *degraded, *degraded_anew;
    cn_subnet *convex, *convex_anew;
    cn_hierarchy *hierarchy;
} damage;

static void check_same_subnets(const damage *d, const cn_subnet *a, const cn_subnet *b)
{
    CHECK(cn_subnet_survivor_count(a) == cn_subnet_survivor_count(b));
    CHECK(cn_subnet_disabled_count(a) == cn_subnet_disabled_count(b));
    for (uint64_t v = 0; v < cn_topology_node_count(d->topology); v++) {
        cn_node_state state, expected;
        uint64_t status, good;
        CHECK(cn_subnet_node_state(a, v, &state) == CN_OK);
        CHECK(cn_subnet_node_state(b, v, &expected) == CN_OK && state == expected);
        CHECK((state == CN_NODE_FAULTY) == cn_faults_has_node(d->faults, v));
        CHECK(cn_subnet_neighbor_status(a, v, &status) == CN_OK);
        CHECK(cn_subnet_neighbor_status(b, v, &good) == CN_OK && status == good);
    }
}

/* Hops from every working node to the nearest one of a cluster, by brute force. */
static void hops_to(const damage *d, uint32_t cluster, uint64_t hops[])
{
    uint64_t nodes = cn_topology_node_count(d->topology);
    for (uint64_t v = 0; v < nodes; v++) {
        uint32_t own;
        CHECK(cn_hierarchy_cluster_of(d->hierarchy, v, &own) == CN_OK);
        CHECK((own == CN_NO_CLUSTER) == cn_faults_has_node(d->faults, v));
        hops[v] = own == cluster ? 0 : CN_UNREACHABLE;
    }
    int changed = 1;
    for (uint64_t h = 0; changed; h++) {
        changed = 0;
        for (uint64_t v = 0; v < nodes; v++)
            for (uint32_t p = 0; hops[v] == h && p < cn_topology_max_degree(d->topology); p++) {
                uint64_t w = v ^ UINT64_C(1) << p;
                if (cn_faults_has_node(d->faults, w) || cn_faults_has_link(d->faults, v, p) ||
                    hops[w] != CN_UNREACHABLE)
                    continue;
                hops[w] = h + 1;
                changed = 1;
            }
    }
}

static void check_tables(const damage *d)
{
    uint64_t values[MOST_NODES], anys[MOST_NODES], channels[MOST_NODES], hops[MOST_NODES];
    uint32_t clusters = cn_hierarchy_cluster_count(d->hierarchy);
    uint64_t working = 0;
    CHECK(clusters <= MOST_NODES);
    for (uint32_t c = 0; c < clusters; c++) {
        uint64_t expected[MOST_NODES], value, any, survivors;
        CHECK(cn_hierarchy_cluster(d->hierarchy, c, &value, &any, &survivors) == CN_OK);
        working += survivors;
        hops_to(d, c, expected);
        for (uint64_t v = 0; v < cn_topology_node_count(d->topology); v++) {
            uint64_t status, best = 0;
            if (cn_faults_has_node(d->faults, v))
                continue;
            CHECK(cn_hierarchy_table(d->hierarchy, v, values, anys, channels, hops, MOST_NODES,
                                     NULL) == CN_OK);
            CHECK(values[c] == value && anys[c] == any && hops[c] == expected[v]);
            CHECK(cn_hierarchy_neighbor_status(d->hierarchy, v, &status) == CN_OK);
            for (uint32_t p = 0; p < cn_topology_max_degree(d->topology); p++)
                if (status >> p & 1 && expected[v] != CN_UNREACHABLE &&
                    expected[v ^ UINT64_C(1) << p] + 1 == expected[v])
                    best |= UINT64_C(1) << p;
            CHECK(channels[c] == best);
        }
    }
    CHECK(working + cn_faults_node_count(d->faults) == cn_topology_node_count(d->topology));
}

static void check_all(const damage *d)
{
    int convex;
    if (d->degraded != NULL) {
        CHECK(CALL(cn_subnet_rebuild(d->degraded_anew, d->faults, NULL)) == CN_OK);
        check_same_subnets(d, d->degraded, d->degraded_anew);
    }
    if (d->convex != NULL) {
        CHECK(CALL(cn_subnet_is_convex(d->convex, &convex)) == CN_OK && convex);
        CHECK(CALL(cn_subnet_rebuild(d->convex_anew, d->faults, NULL)) == CN_OK);
        CHECK(CALL(cn_subnet_is_convex(d->convex_anew, &convex)) == CN_OK && convex);
        check_same_subnets(d, d->convex, d->convex_anew);
    }
    if (d->hierarchy != NULL)
        check_tables(d);
}

/* ---- changes ---- */

typedef struct change {
    cn_change what;
    uint64_t node;
    uint32_t port;
} change;

static cn_status change_faults(cn_faults *faults, const change *c)
{
    switch (c->what) {
    case CN_CHANGE_FAIL_NODE:
        return CALL(cn_faults_add_node(faults, c->node));
    case CN_CHANGE_REPAIR_NODE:
        return CALL(cn_faults_remove_node(faults, c->node));
    case CN_CHANGE_FAIL_LINK:
        return CALL(cn_faults_add_link(faults, c->node, c->port));
    case CN_CHANGE_REPAIR_LINK:
    default:
        return CALL(cn_faults_remove_link(faults, c->node, c->port));
    }
}

static cn_status change_subnet(cn_subnet *subnet, const change *c)
{
    return CALL(cn_subnet_update(subnet, c->what, c->node, c->port, NULL));
}

static cn_status change_hierarchy(cn_hierarchy *hierarchy, const change *c)
{
    return CALL(cn_hierarchy_update(hierarchy, c->what, c->node, c->port, NULL));
}

/* Each first with a block refused somewhere: the call has then to fail for want of memory, and
 * change nothing, or to do without. */
static void change_all(damage *d, const change *c, uint64_t blocks)
{
    cn_status status;
    cn_subnet *subnets[] = {d->degraded, d->convex};
    for (size_t i = 0; i < 2; i++) {
        if (subnets[i] == NULL)
            continue;
        cn_subnet *before = NULL;
        CHECK(MAKES(cn_subnet_copy(subnets[i], &before), before));
        memory_fails_after(blocks);
        status = change_subnet(subnets[i], c);
        if (memory_recovers() && status == CN_ERR_MEMORY) {
            check_same_subnets(d, subnets[i], before);
            status = change_subnet(subnets[i], c);
        }
        cn_subnet_free(&before);
        CHECK(status == CN_OK || status == CN_ERR_ARGUMENT || status == CN_ERR_UNSUPPORTED);
    }
    if (d->hierarchy != NULL) {
        memory_fails_after(blocks);
        status = change_hierarchy(d->hierarchy, c);
        if (memory_recovers() && status == CN_ERR_MEMORY) {
            check_tables(d);
            status = change_hierarchy(d->hierarchy, c);
        }
        CHECK(status == CN_OK || status == CN_ERR_ARGUMENT || status == CN_ERR_UNSUPPORTED);
    }
    memory_fails_after(blocks);
    status = change_faults(d->faults, c);
    if (memory_recovers() && status == CN_ERR_MEMORY)
        change_faults(d->faults, c);
}

static void change_one(damage *d, input *in)
{
    uint8_t how = input_byte(in);
    uint64_t nodes = cn_topology_node_count(d->topology);
    uint32_t ports = cn_topology_max_degree(d->topology);
    change c = {.what = (cn_change)(how % 4)};
    c.node = input_below(in, nodes + 1);
    if (c.node == nodes)
        c.node = input_hostile(in);
    c.port = (uint32_t)input_below(in, ports + 1);
    change_all(d, &c, how >> 3);
    check_all(d);
}

/* ---- faults at random, after which all is built anew ---- */

static void add_at_random(cn_faults *faults, input *in)
{
    uint64_t count = input_below(in, 12), seed = input_byte(in),
             before = cn_faults_node_count(faults);
    uint64_t any = input_hostile(in), other = input_hostile(in), centers = input_below(in, 13);
    double probability = input_real(in);
    cn_status status;
    switch (input_byte(in) % 8) {
    case 0:
        status = CALL(cn_faults_add_random_nodes(faults, count, seed));
        CHECK(status != CN_OK || cn_faults_node_count(faults) == before + count);
        break;
    case 1:
        CALL(cn_faults_add_failing_nodes(faults, probability, seed));
        break;
    case 2:
        CALL(cn_faults_add_random_links(faults, count, seed));
        break;
    case 3:
        CALL(cn_faults_add_failing_links(faults, probability, seed));
        break;
    case 4:
        CALL(cn_faults_add_subcube(faults, any, other));
        break;
    case 5:
        CALL(cn_faults_add_around(faults, any, (uint32_t)other));
        break;
    case 6:
        CALL(cn_faults_add_random_clusters(faults, any, (uint32_t)count, seed));
        break;
    default:
        status = CALL(cn_faults_add_grown_clusters(faults, count, centers, seed));
        CHECK(status != CN_OK || cn_faults_node_count(faults) == before + count);
        break;
    }
}

static void rebuild(damage *d)
{
    if (d->degraded != NULL)
        CHECK(CALL(cn_subnet_rebuild(d->degraded, d->faults, NULL)) == CN_OK);
    if (d->convex != NULL)
        CHECK(CALL(cn_subnet_rebuild(d->convex, d->faults, NULL)) == CN_OK);
    if (d->hierarchy != NULL) {
        cn_hierarchy_free(&d->hierarchy);
        CHECK(MAKES(cn_hierarchy_new(d->faults, NULL, &d->hierarchy), d->hierarchy));
        CHECK(CALL(cn_hierarchy_make_tables(d->hierarchy, NULL)) == CN_OK);
    }
    check_all(d);
}

/* ---- what is said of the damaged network ---- */

static void check_distances(const damage *d)
{
    uint64_t pairs, reachable, far, counts[2 * MOST_NODES], sum = 0, blocked, straight = 0;
    uint64_t working = cn_topology_node_count(d->topology) - cn_faults_node_count(d->faults);
    size_t count = 0;
    double mean;
    CHECK(CALL(cn_faults_mean_distance(d->faults, NULL, &mean, &pairs)) == CN_OK);
    CHECK(CALL(cn_faults_reachable_pairs(d->faults, NULL, &reachable)) == CN_OK &&
          pairs == reachable);
    CHECK(CALL(cn_faults_stretch_counts(d->faults, NULL, counts, 2 * MOST_NODES, &count, &far)) ==
          CN_OK);
    for (size_t x = 0; x < count; x++)
        sum += counts[x];
    CHECK(sum == pairs && pairs + far == (working == 0 ? 0 : working * (working - 1)));
    uint64_t shortest = count > 0 ? counts[0] : 0;
    if (CALL(cn_faults_monotone_counts(d->faults, NULL, counts, 2 * MOST_NODES, &count,
                                       &blocked)) != CN_OK)
        return;
    for (size_t x = 0; x < count; x++)
        straight += counts[x];
    CHECK(straight + blocked == pairs + far && (count > 0 ? counts[0] : 0) == shortest);
}

static void check_text(const damage *d)
{
    size_t length = 0;
    CHECK(CALL(cn_faults_json(d->faults, NULL, 0, &length)) == CN_ERR_CAPACITY);
    char *text = malloc(length + 1);
    CHECK(text != NULL && CALL(cn_faults_json(d->faults, text, length + 1, NULL)) == CN_OK);
    cn_faults *same = NULL;
    CHECK(MAKES(cn_faults_from_json(text, NULL, &same), same));
    CHECK(cn_faults_node_count(same) == cn_faults_node_count(d->faults));
    CHECK(cn_faults_link_count(same) == cn_faults_link_count(d->faults));
    cn_faults_free(&same);
    free(text);
}

static cn_status next_hops(const cn_topology *topology, const cn_subnet *subnet, uint64_t node,
                           uint64_t destination)
{
    uint64_t header, valid = 0, good, channels;
    CHECK(cn_topology_header(topology, node, destination, &header) == CN_OK);
    CHECK(cn_route_valid(topology, header, &valid) == CN_OK);
    CHECK(cn_subnet_neighbor_status(subnet, node, &good) == CN_OK);
    return cn_route_optimal_path(valid, good, &channels);
}

static void check_minimal(const damage *d)
{
    cn_subnet *minimal = NULL;
    if (!MAKES(cn_subnet_minimal(d->faults, NULL, &minimal), minimal))
        return;
    uint64_t nodes = cn_topology_node_count(d->topology), survivors[MOST_NODES];
    size_t count = 0;
    CHECK(CALL(cn_subnet_survivors(minimal, survivors, MOST_NODES, &count)) == CN_OK);
    CHECK(count <= nodes);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            CHECK(next_hops(d->topology, minimal, survivors[i], survivors[j]) ==
                  (i == j ? CN_DONE : CN_OK));
    cn_subnet_free(&minimal);
}

static void check_mean_hops(const damage *d, input *in)
{
    double mean;
    uint64_t pairs, reachable;
    if (d->hierarchy == NULL)
        return;
    cn_status status = CALL(
        cn_hierarchy_mean_hops(d->hierarchy, (cn_tie_rule)input_below(in, 4), NULL, &mean, &pairs));
    CHECK(CALL(cn_faults_reachable_pairs(d->faults, NULL, &reachable)) == CN_OK);
    CHECK(status != CN_OK || pairs == reachable);
}

/* ---- the whole ---- */

static void open_damage(damage *d, input *in)
{
    uint32_t k = (uint32_t)input_below(in, 5);
    cn_link_rule rule = (cn_link_rule)input_below(in, 3);
    if (!MAKES(cn_faults_new(d->topology, &d->faults), d->faults))
        return;
    if (MAKES(cn_subnet_degraded(d->faults, k, rule, NULL, &d->degraded), d->degraded))
        CHECK(MAKES(cn_subnet_copy(d->degraded, &d->degraded_anew), d->degraded_anew));
    if (MAKES(cn_subnet_convex(d->faults, NULL, &d->convex), d->convex))
        CHECK(MAKES(cn_subnet_copy(d->convex, &d->convex_anew), d->convex_anew));
    if (MAKES(cn_hierarchy_new(d->faults, NULL, &d->hierarchy), d->hierarchy))
        CHECK(CALL(cn_hierarchy_make_tables(d->hierarchy, NULL)) == CN_OK);
}

static void close_damage(damage *d)
{
    cn_subnet_free(&d->degraded);
    cn_subnet_free(&d->degraded_anew);
    cn_subnet_free(&d->convex);
    cn_subnet_free(&d->convex_anew);
    cn_hierarchy_free(&d->hierarchy);
    cn_faults_free(&d->faults);
    cn_topology_free(&d->topology);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    damage d = {0};
    memory_begins();
    d.topology = network_small(&in, MOST_NODES);
    if (d.topology != NULL) {
        open_damage(&d, &in);
        for (int i = 0; d.faults != NULL && i < MOST_CHANGES && in.left > 0; i++)
            if (input_byte(&in) % 16 == 0) {
                add_at_random(d.faults, &in);
                rebuild(&d);
            } else {
                change_one(&d, &in);
            }
        if (d.faults != NULL) {
            check_distances(&d);
            check_text(&d);
            check_minimal(&d);
            check_mean_hops(&d, &in);
        }
    }
    close_damage(&d);
    memory_ends();
    return 0;
}

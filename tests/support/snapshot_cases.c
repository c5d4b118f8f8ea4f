#include "snapshot_cases.h"

#include <string.h>

#include <cubenet/experimental/workload.h>

typedef enum network {
    CUBE,
    KARY,
    ONE_WAY,
    TORUS,
    MESH,
    GENERALIZED,
    PSNN,
    DE_BRUIJN,
    EDGES
} network;
typedef enum traffic {
    PLAIN,
    TORNADO,
    ON_OFF,
    POISSON,
    BERNOULLI,
    HOTSPOT,
    TRACE,
    WORKLOAD
} traffic;
typedef enum damage { WHOLE, NODES, LINKS, SUBNET } damage;

enum { MORE = 6, TRACED = 200, WAITING = 120 };

typedef struct snapshot_case {
    const char *name, *system;
    network network;
    uint32_t size;
    double load; /* below 0: not set */
    traffic traffic;
    damage damage;
    const char *routing; /* NULL: the default; "own": a caller's rule */
    struct {
        cn_param param;
        double value;
    } more[MORE];
} snapshot_case;

#define STATISTICS             \
    {                          \
        CN_PARAM_STATISTICS, 1 \
    }
#define CONTINUOUS          \
    {                       \
        CN_PARAM_SLOTTED, 0 \
    }
#define WARMUP(cycles)                 \
    {                                  \
        CN_PARAM_WARMUP_CYCLES, cycles \
    }
#define VIRTUAL(channels)                   \
    {                                       \
        CN_PARAM_VIRTUAL_CHANNELS, channels \
    }
#define PLACES(messages)                   \
    {                                      \
        CN_PARAM_MESSAGE_BUFFERS, messages \
    }
#define PAPER                              \
    {                                      \
        CN_PARAM_MACHINE, CN_MACHINE_PAPER \
    }
#define CHANNELS                              \
    {                                         \
        CN_PARAM_MACHINE, CN_MACHINE_CHANNELS \
    }
#define LIST(...)   \
    {               \
        __VA_ARGS__ \
    }

static const snapshot_case cases[] = {
    {"deflection", "deflection", CUBE, 5, 0.8, PLAIN, WHOLE, NULL, LIST(STATISTICS)},
    {"deflection-threads", "deflection", CUBE, 10, 0.5, PLAIN, WHOLE, NULL,
     LIST(STATISTICS, WARMUP(60))},
    {"deflection-rings", "deflection", KARY, 4, 0.4, TORNADO, WHOLE, NULL, LIST(WARMUP(40))},
    {"deflection-one-way", "deflection", ONE_WAY, 3, 0.2, ON_OFF, WHOLE, NULL, LIST(STATISTICS)},
    {"deflection-routed", "deflection", TORUS, 4, 0.3, POISSON, NODES, NULL, LIST(STATISTICS)},
    {"deflection-lowest", "deflection", CUBE, 5, 0.9, PLAIN, WHOLE, NULL,
     LIST({CN_PARAM_SELECTION, CN_SELECTION_LOWEST}, STATISTICS)},
    {"deflection-least-loaded", "deflection", KARY, 5, 0.5, ON_OFF, WHOLE, NULL,
     LIST({CN_PARAM_SELECTION, CN_SELECTION_LEAST_LOADED})},
    {"deflection-trace", "deflection", CUBE, 4, -1, TRACE, WHOLE, NULL, LIST(WARMUP(0))},
    {"deflection-minimal", "deflection", GENERALIZED, 3, 0.3, PLAIN, WHOLE, "minimal",
     LIST(WARMUP(0))},
    {"separate", "separate-buffers", CUBE, 5, 1.0, PLAIN, WHOLE, NULL, LIST(STATISTICS)},
    {"separate-threads", "separate-buffers", CUBE, 10, 0.7, PLAIN, WHOLE, NULL, LIST(WARMUP(50))},
    {"separate-least-loaded", "separate-buffers", CUBE, 9, 0.7, PLAIN, WHOLE, NULL,
     LIST({CN_PARAM_SELECTION, CN_SELECTION_LEAST_LOADED}, STATISTICS)},
    {"separate-rings", "separate-buffers", KARY, 5, 0.5, BERNOULLI, WHOLE, NULL, LIST(STATISTICS)},
    {"separate-routed", "separate-buffers", EDGES, 24, 0.1, PLAIN, WHOLE, "minimal",
     LIST(STATISTICS)},
    {"separate-classed", "separate-buffers", DE_BRUIJN, 5, 0.1, HOTSPOT, WHOLE, "up-down",
     LIST(STATISTICS)},
    {"separate-valiant", "separate-buffers", CUBE, 4, 0.3, PLAIN, WHOLE, "valiant",
     LIST(WARMUP(10))},
    {"separate-damaged", "separate-buffers", CUBE, 5, 0.3, ON_OFF, NODES, "minimal",
     LIST(STATISTICS)},
    {"separate-subnet", "separate-buffers", CUBE, 4, 0.3, PLAIN, SUBNET, "optimal-path",
     LIST(WARMUP(0))},
    {"separate-two-level", "separate-buffers", CUBE, 4, 0.2, PLAIN, NODES, "two-level",
     LIST(WARMUP(0))},
    {"separate-trace", "separate-buffers", CUBE, 4, -1, TRACE, WHOLE, NULL, LIST(STATISTICS)},
    {"separate-own", "separate-buffers", CUBE, 3, 0.3, PLAIN, WHOLE, "own", LIST(WARMUP(0))},
    {"shared", "shared-buffer", CUBE, 5, 0.9, PLAIN, WHOLE, NULL, LIST(STATISTICS)},
    {"shared-threads", "shared-buffer", CUBE, 9, 0.6, ON_OFF, WHOLE, NULL, LIST(WARMUP(70))},
    {"shared-classed", "shared-buffer", MESH, 5, 0.2, PLAIN, WHOLE, "up-down-adaptive",
     LIST(STATISTICS)},
    {"continuous", "separate-buffers", CUBE, 5, 0.8, PLAIN, WHOLE, NULL,
     LIST(CONTINUOUS, STATISTICS)},
    {"continuous-large", "separate-buffers", CUBE, 11, 0.4, PLAIN, WHOLE, NULL,
     LIST(CONTINUOUS, WARMUP(20))},
    {"continuous-rings", "separate-buffers", KARY, 4, 0.3, TORNADO, WHOLE, NULL, LIST(CONTINUOUS)},
    {"continuous-idle", "separate-buffers", EDGES, 12, 0.0, PLAIN, WHOLE, "minimal",
     LIST(CONTINUOUS, STATISTICS)},
    {"continuous-classed", "separate-buffers", EDGES, 20, 0.05, PLAIN, LINKS, "up-down",
     LIST(CONTINUOUS)},
    {"wormhole", "wormhole", CUBE, 5, 0.02, PLAIN, WHOLE, NULL, LIST(VIRTUAL(2), STATISTICS)},
    {"wormhole-crowded", "wormhole", CUBE, 6, 0.06, PLAIN, WHOLE, NULL,
     LIST(VIRTUAL(3), WARMUP(100))},
    {"wormhole-rings", "wormhole", KARY, 5, 0.02, TORNADO, WHOLE, "dimension-order",
     LIST(VIRTUAL(4), {CN_PARAM_FLIT_BUFFERS, 3}, {CN_PARAM_MESSAGE_FLITS, 9})},
    {"wormhole-long", "wormhole", TORUS, 9, 0.003, ON_OFF, NODES, NULL,
     LIST(VIRTUAL(2), STATISTICS)},
    {"wormhole-ring", "wormhole", ONE_WAY, 1, 0.0005, PLAIN, WHOLE, "up-down", LIST(VIRTUAL(1))},
    {"wormhole-edges", "wormhole", EDGES, 70, 0.002, PLAIN, WHOLE, "up-down", LIST(VIRTUAL(2))},
    {"wormhole-valiant", "wormhole", TORUS, 4, 0.01, PLAIN, WHOLE, "valiant", LIST(VIRTUAL(4))},
    {"wormhole-own", "wormhole", CUBE, 3, 0.03, PLAIN, WHOLE, "own", LIST(VIRTUAL(1))},
    {"wormhole-one-port", "wormhole", MESH, 4, 0.01, BERNOULLI, WHOLE, "negative-first",
     LIST(VIRTUAL(1), {CN_PARAM_ONE_PORT, 1})},
    {"wormhole-servers", "wormhole", CUBE, 4, 0.08, HOTSPOT, WHOLE, NULL,
     LIST(VIRTUAL(2), {CN_PARAM_INJECTION_SERVERS, 3}, {CN_PARAM_FLIT_BUFFERS, 1})},
    {"wormhole-trace", "wormhole", CUBE, 4, -1, TRACE, WHOLE, NULL, LIST(VIRTUAL(2), STATISTICS)},
    {"wormhole-broadcasts", "wormhole", CUBE, 4, 0.004, PLAIN, WHOLE, NULL,
     LIST(VIRTUAL(2), {CN_PARAM_BROADCAST_FRACTION, 0.2}, STATISTICS)},
    {"wormhole-round-robin", "wormhole", CUBE, 4, 0.004, PLAIN, WHOLE, NULL,
     LIST(VIRTUAL(2), {CN_PARAM_BROADCAST_FRACTION, 0.4},
          {CN_PARAM_BROADCAST_BASE, CN_BASE_ROUND_ROBIN})},
    {"wormhole-damaged-broadcasts", "wormhole", TORUS, 4, 0.004, POISSON, NODES, NULL,
     LIST(VIRTUAL(3), {CN_PARAM_BROADCAST_FRACTION, 0.2}, {CN_PARAM_STARTUP_LATENCY, 7})},
    {"wormhole-deadlock", "wormhole", ONE_WAY, 2, 0.1, PLAIN, WHOLE, "dimension-order",
     LIST(VIRTUAL(1), {CN_PARAM_UNSAFE, 1}, WARMUP(0))},
    {"collective", "collective", CUBE, 5, -1, PLAIN, WHOLE, NULL,
     LIST(PAPER, {CN_PARAM_OPERATIONS, 40}, {CN_PARAM_START_CYCLES, 60}, STATISTICS)},
    {"collective-broadcasts", "collective", GENERALIZED, 3, -1, PLAIN, WHOLE, NULL,
     LIST(PAPER, {CN_PARAM_DESTINATIONS, 0}, {CN_PARAM_OPERATIONS, 30},
          {CN_PARAM_TREE, CN_TREE_TURNED}, {CN_PARAM_START_CYCLES, 20})},
    {"collective-channels", "collective", CUBE, 4, -1, PLAIN, WHOLE, NULL,
     LIST(CHANNELS, {CN_PARAM_OPERATIONS, 60}, {CN_PARAM_TRANSIT_BUFFERS, 12},
          {CN_PARAM_BUFFER_CLASSES, 1}, {CN_PARAM_CLUBBING, 1}, STATISTICS)},
    {"collective-split", "collective", CUBE, 4, -1, PLAIN, WHOLE, NULL,
     LIST(CHANNELS, {CN_PARAM_OPERATIONS, 50}, {CN_PARAM_TREE, CN_TREE_SPLIT},
          {CN_PARAM_CLUBBING, 1}, {CN_PARAM_DESTINATIONS, 0}, {CN_PARAM_ONE_PORT, 1})},
    {"collective-pieces", "collective", CUBE, 4, -1, PLAIN, WHOLE, NULL,
     LIST(CHANNELS, {CN_PARAM_OPERATIONS, 50}, {CN_PARAM_TREE, CN_TREE_SPLIT},
          {CN_PARAM_CLUBBING, 0}, {CN_PARAM_DESTINATIONS, 5}, STATISTICS)},
    {"collective-detours", "collective", GENERALIZED, 3, -1, PLAIN, WHOLE, NULL,
     LIST(CHANNELS, {CN_PARAM_OPERATIONS, 60}, {CN_PARAM_DETOURS, 1}, {CN_PARAM_BUFFER_CLASSES, 1},
          {CN_PARAM_TRANSIT_BUFFERS, 20}, {CN_PARAM_DESTINATIONS, 7})},
    {"collective-paper-detours", "collective", GENERALIZED, 3, -1, PLAIN, WHOLE, NULL,
     LIST(PAPER, {CN_PARAM_OPERATIONS, 60}, {CN_PARAM_DETOURS, 1}, {CN_PARAM_DESTINATIONS, 7},
          {CN_PARAM_CLUBBING, 0})},
    {"collective-spread", "collective", CUBE, 4, -1, PLAIN, WHOLE, NULL,
     LIST(CHANNELS, {CN_PARAM_OPERATIONS, 40}, {CN_PARAM_TREE, CN_TREE_LEAST_USED},
          {CN_PARAM_CLUBBING, 0}, {CN_PARAM_DESTINATIONS, 6}, {CN_PARAM_BUFFER_CLASSES, 1})},
    {"collective-searched", "collective", EDGES, 20, -1, PLAIN, WHOLE, NULL,
     LIST(CHANNELS, {CN_PARAM_OPERATIONS, 40}, {CN_PARAM_TREE, CN_TREE_BREADTH_FIRST},
          {CN_PARAM_CLUBBING, 0}, {CN_PARAM_DESTINATIONS, 5}, {CN_PARAM_DETOURS, 1})},
    {"collective-searched-clubbed", "collective", EDGES, 20, -1, PLAIN, WHOLE, NULL,
     LIST(CHANNELS, {CN_PARAM_OPERATIONS, 40}, {CN_PARAM_TREE, CN_TREE_BREADTH_FIRST},
          {CN_PARAM_CLUBBING, 1}, {CN_PARAM_DESTINATIONS, 5}, STATISTICS)},
    {"collective-searched-spread", "collective", EDGES, 20, -1, PLAIN, WHOLE, NULL,
     LIST(CHANNELS, {CN_PARAM_OPERATIONS, 40}, {CN_PARAM_TREE, CN_TREE_LEAST_USED},
          {CN_PARAM_CLUBBING, 0}, {CN_PARAM_DESTINATIONS, 5}, {CN_PARAM_DETOURS, 1})},
    {"cut-through", "cut-through", CUBE, 5, 0.02, PLAIN, WHOLE, NULL, LIST(VIRTUAL(2), STATISTICS)},
    {"cut-through-crowded", "cut-through", CUBE, 6, 0.08, PLAIN, WHOLE, NULL,
     LIST(VIRTUAL(2), PLACES(1), WARMUP(100))},
    {"cut-through-rings", "cut-through", KARY, 5, 0.05, TORNADO, WHOLE, "dimension-order",
     LIST(VIRTUAL(4), PLACES(2), {CN_PARAM_MESSAGE_FLITS, 9})},
    {"cut-through-least-loaded", "cut-through", TORUS, 7, 0.04, ON_OFF, NODES, NULL,
     LIST(VIRTUAL(3), PLACES(2), {CN_PARAM_SELECTION, CN_SELECTION_LEAST_LOADED}, STATISTICS)},
    {"cut-through-unlimited", "cut-through", CUBE, 4, 0.15, PLAIN, WHOLE, NULL,
     LIST(VIRTUAL(2), PLACES(0), {CN_PARAM_SELECTION, CN_SELECTION_LOWEST}, WARMUP(0))},
    {"cut-through-edges", "cut-through", EDGES, 40, 0.01, PLAIN, WHOLE, "up-down-adaptive",
     LIST(VIRTUAL(2), PLACES(1))},
    {"cut-through-valiant", "cut-through", TORUS, 4, 0.03, PLAIN, WHOLE, "valiant",
     LIST(VIRTUAL(4), PLACES(2), STATISTICS)},
    {"cut-through-own", "cut-through", CUBE, 3, 0.08, PLAIN, WHOLE, "own",
     LIST(VIRTUAL(1), PLACES(1))},
    {"cut-through-words", "cut-through", CUBE, 4, 0.3, POISSON, WHOLE, NULL,
     LIST(VIRTUAL(33), PLACES(1), {CN_PARAM_MESSAGE_FLITS, 3})},
    {"cut-through-one-port", "cut-through", MESH, 4, 0.05, BERNOULLI, WHOLE, "negative-first",
     LIST(VIRTUAL(1), PLACES(1), {CN_PARAM_ONE_PORT, 1}, {CN_PARAM_MESSAGE_FLITS, 1})},
    {"cut-through-servers", "cut-through", CUBE, 4, 0.1, HOTSPOT, LINKS, "up-down",
     LIST(VIRTUAL(2), PLACES(2), {CN_PARAM_INJECTION_SERVERS, 3})},
    {"cut-through-trace", "cut-through", CUBE, 4, -1, TRACE, WHOLE, NULL,
     LIST(VIRTUAL(2), STATISTICS)},
    {"cut-through-broadcasts", "cut-through", CUBE, 4, 0.01, PLAIN, WHOLE, NULL,
     LIST(VIRTUAL(2), PLACES(2), {CN_PARAM_BROADCAST_FRACTION, 0.2}, STATISTICS)},
    {"cut-through-damaged-broadcasts", "cut-through", TORUS, 4, 0.01, POISSON, NODES, NULL,
     LIST(VIRTUAL(3), PLACES(1), {CN_PARAM_BROADCAST_FRACTION, 0.2},
          {CN_PARAM_STARTUP_LATENCY, 7})},
    {"cut-through-deadlock", "cut-through", ONE_WAY, 2, 0.3, PLAIN, WHOLE, "dimension-order",
     LIST(VIRTUAL(1), PLACES(2), {CN_PARAM_UNSAFE, 1}, WARMUP(0))},
    {"cut-through-deflection", "cut-through-deflection", CUBE, 5, 0.15, PLAIN, WHOLE, NULL,
     LIST({CN_PARAM_MESSAGE_FLITS, 7}, {CN_PARAM_BUFFERS, 4}, STATISTICS)},
    {"cut-through-deflection-threads", "cut-through-deflection", CUBE, 10, 0.05, PLAIN, WHOLE, NULL,
     LIST(WARMUP(60))},
    {"cut-through-deflection-one-way", "cut-through-deflection", ONE_WAY, 3, 0.3, ON_OFF, WHOLE,
     NULL, LIST({CN_PARAM_MESSAGE_FLITS, 1}, {CN_PARAM_BUFFERS, 2}, STATISTICS)},
    {"cut-through-deflection-trace", "cut-through-deflection", KARY, 4, -1, TRACE, WHOLE, NULL,
     LIST({CN_PARAM_MESSAGE_FLITS, 12}, WARMUP(0))},
    {"collective-concentration", "collective", CUBE, 4, -1, PLAIN, WHOLE, NULL,
     LIST({CN_PARAM_OPERATIONS, 60}, {CN_PARAM_TREE, CN_TREE_BREADTH_FIRST},
          {CN_PARAM_DESTINATIONS, 7}, {CN_PARAM_OPERATION_KIND, CN_OPERATIONS_CONCENTRATION})},
    {"collective-combining", "collective", EDGES, 20, -1, PLAIN, WHOLE, NULL,
     LIST({CN_PARAM_OPERATIONS, 60}, {CN_PARAM_TREE, CN_TREE_BREADTH_FIRST},
          {CN_PARAM_BUFFER_CLASSES, 1}, {CN_PARAM_TRANSIT_BUFFERS, 12},
          {CN_PARAM_OPERATION_KIND, CN_OPERATIONS_COMBINING})},
    {"separate-workload", "separate-buffers", CUBE, 4, 0.2, WORKLOAD, WHOLE, NULL,
     LIST(STATISTICS, WARMUP(9))},
    {"continuous-workload", "separate-buffers", EDGES, 20, -1, WORKLOAD, WHOLE, "minimal",
     LIST(CONTINUOUS)},
    {"deflection-workload", "deflection", KARY, 4, -1, WORKLOAD, WHOLE, NULL,
     LIST({CN_PARAM_BUFFERS, 4})},
    {"cut-through-deflection-workload", "cut-through-deflection", CUBE, 4, 0.05, WORKLOAD, WHOLE,
     NULL, LIST({CN_PARAM_MESSAGE_FLITS, 3}, WARMUP(30))},
    {"wormhole-workload", "wormhole", TORUS, 4, -1, WORKLOAD, WHOLE, NULL,
     LIST({CN_PARAM_MESSAGE_FLITS, 9})},
    {"cut-through-workload", "cut-through", CUBE, 4, 0.01, WORKLOAD, WHOLE, NULL,
     LIST(VIRTUAL(2), WARMUP(20), STATISTICS)},
};

size_t snapshot_cases(void)
{
    return sizeof cases / sizeof cases[0];
}

const char *snapshot_case_name(size_t index)
{
    return cases[index].name;
}

/* The systems of the wormhole kernel. */
static int has_flits(size_t index)
{
    return strcmp(cases[index].system, "wormhole") == 0 ||
           strcmp(cases[index].system, "cut-through") == 0;
}

int snapshot_case_is_canonical(size_t index)
{
    return strstr(cases[index].name, "broadcasts") == NULL || !has_flits(index);
}

/* ---- networks ---- */

static cn_status make_edges(uint64_t nodes, cn_topology **t)
{
    uint64_t edges[4 * 128];
    size_t count = 0;
    for (uint64_t v = 1; v < nodes; v++) {
        edges[2 * count] = v;
        edges[2 * count++ + 1] = (v - 1) / 2;
    }
    for (uint64_t v = 4; v + 3 < nodes; v += 3) {
        edges[2 * count] = v;
        edges[2 * count++ + 1] = v + 3;
    }
    cn_status status = cn_topology_from_edges(nodes, edges, count, NULL, t);
    return status;
}

static cn_status make_network(const snapshot_case *c, cn_topology **t)
{
    const uint64_t two[] = {c->size, c->size + 1}, square[] = {c->size, c->size};
    switch (c->network) {
    case CUBE:
        return cn_topology_hypercube(c->size, t);
    case KARY:
        return cn_topology_kary_ncube(c->size, 2, 1, t);
    case ONE_WAY:
        return c->size == 1 ? cn_topology_ring(70, 1, t) : cn_topology_kary_ncube(4, c->size, 0, t);
    case TORUS:
        return cn_topology_torus(two, 2, t);
    case MESH:
        return cn_topology_mesh(square, 2, t);
    case GENERALIZED:
        return cn_topology_generalized_hypercube(4, c->size - 1, t);
    case PSNN:
        return cn_topology_psnn(c->size, t);
    case DE_BRUIJN:
        return cn_topology_de_bruijn(c->size, t);
    case EDGES:
    default:
        return make_edges(c->size, t);
    }
}

/* ---- what is attached ---- */

static cn_status make_trace(const cn_topology *t, cn_traffic **made)
{
    uint64_t cycles[TRACED], sources[TRACED], destinations[TRACED];
    uint64_t nodes = cn_topology_node_count(t);
    for (uint64_t i = 0; i < TRACED; i++) {
        cycles[i] = i / 9 * 5 + (i >= 100 ? 90 : 0);
        sources[i] = i * 7 % nodes;
        destinations[i] = (sources[i] + 1 + i * 5 % (nodes - 1)) % nodes;
    }
    return cn_traffic_trace(t, cycles, sources, destinations, NULL, TRACED, made);
}

static cn_status make_traffic(const cn_topology *t, traffic kind, cn_traffic **made)
{
    cn_status status;
    if (kind == TRACE)
        return make_trace(t, made);
    if (kind == HOTSPOT)
        return cn_traffic_hotspot(t, 1, 0.2, made);
    status = cn_traffic_new(t, kind == TORNADO ? CN_PATTERN_TORNADO : CN_PATTERN_UNIFORM, made);
    if (status == CN_OK && kind == ON_OFF)
        status = cn_traffic_set_on_off(*made, 9.0, 4.0);
    if (status == CN_OK && kind == POISSON)
        status = cn_traffic_set_source(*made, CN_SOURCE_POISSON);
    if (status == CN_OK && kind == BERNOULLI)
        status = cn_traffic_set_source(*made, CN_SOURCE_BERNOULLI);
    return status;
}

/* Each node sends in turn: after what came to it before, after its own last message, or at once;
 * some compute alone. */
static cn_status set_workload(cn_scenario *s, const cn_topology *t)
{
    cn_workload *made = NULL;
    uint64_t nodes = cn_topology_node_count(t), came[256] = {0}, sent[256] = {0};
    cn_status status = cn_workload_new(t, &made);
    for (uint64_t i = 0; i < WAITING && status == CN_OK; i++) {
        uint64_t source = i * 5 % nodes, to = i % 11 == 0 ? source : (source + 1 + i % 3) % nodes;
        uint64_t after = came[source] - 1, after_sent = sent[source] - 1;
        status = cn_workload_add(made, source, to, 0, i % 4 == 0 ? i % 7 : 0, &after,
                                 came[source] > 0 && i % 3 > 0, &after_sent,
                                 sent[source] > 0 && i % 2 > 0, NULL);
        came[to] = sent[source] = i + 1;
    }
    if (status == CN_OK)
        status = cn_scenario_set_workload(s, made);
    cn_workload_free(&made);
    return status;
}

static cn_status set_traffic(cn_scenario *s, const cn_topology *t, traffic kind)
{
    cn_traffic *made = NULL;
    if (kind == PLAIN)
        return CN_OK;
    if (kind == WORKLOAD)
        return set_workload(s, t);
    cn_status status = make_traffic(t, kind, &made);
    if (status == CN_OK)
        status = cn_scenario_set_traffic(s, made);
    cn_traffic_free(&made);
    return status;
}

static cn_status set_damage(cn_scenario *s, const cn_topology *t, damage kind)
{
    cn_faults *faults = NULL;
    cn_subnet *subnet = NULL;
    uint64_t nodes = cn_topology_node_count(t);
    if (kind == WHOLE)
        return CN_OK;
    cn_status status = cn_faults_new(t, &faults);
    if (status == CN_OK)
        status = kind == LINKS ? cn_faults_add_link(faults, 0, 1)
                               : cn_faults_add_node(faults, nodes / 2 + 1);
    if (status == CN_OK && kind == SUBNET)
        status = cn_subnet_convex(faults, NULL, &subnet);
    if (status == CN_OK)
        status =
            kind == SUBNET ? cn_scenario_set_subnet(s, subnet) : cn_scenario_set_faults(s, faults);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    return status;
}

/* Dimension order of a cube, as a caller's own rule. */
static cn_status lowest_bit(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                            uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    uint64_t header = node ^ destination;
    uint32_t p = 0;
    (void)user, (void)previous, (void)port, (void)virtual_channel;
    while ((header >> p & 1) == 0)
        p++;
    channels[p] = 1;
    return CN_OK;
}

static cn_status set_routing(cn_scenario *s, const cn_topology *t, const char *name)
{
    cn_routing *own = NULL;
    if (name == NULL || strcmp(name, "own") != 0)
        return name == NULL ? CN_OK : cn_scenario_set_routing_name(s, name);
    cn_status status = cn_routing_own(t, 1, lowest_bit, NULL, NULL, NULL, &own);
    if (status == CN_OK)
        status = cn_scenario_set_routing(s, own);
    cn_routing_free(&own);
    return status;
}

/* ---- all ---- */

static cn_status fill(const snapshot_case *c, const cn_topology *t, double threads, cn_scenario *s)
{
    cn_status status = set_damage(s, t, c->damage);
    if (status == CN_OK)
        status = set_traffic(s, t, c->traffic);
    if (status == CN_OK)
        status = set_routing(s, t, c->routing);
    if (status == CN_OK && c->load >= 0.0)
        status = cn_scenario_set(s, CN_PARAM_LOAD, c->load);
    if (status == CN_OK && cn_scenario_takes(s, CN_PARAM_THREADS))
        status = cn_scenario_set(s, CN_PARAM_THREADS, threads);
    if (status == CN_OK && strcmp(c->system, "deflection") == 0)
        status = cn_scenario_set(s, CN_PARAM_BUFFERS, 14);
    for (int i = 0; i < MORE && status == CN_OK && c->more[i].param != 0; i++)
        status = cn_scenario_set(s, c->more[i].param, c->more[i].value);
    return status;
}

cn_scenario *snapshot_case_scenario(size_t index, double threads)
{
    const snapshot_case *c = &cases[index];
    cn_topology *t = NULL;
    cn_scenario *s = NULL;
    cn_status status = make_network(c, &t);
    if (status == CN_OK)
        status = cn_scenario_new(t, c->system, &s);
    if (status == CN_OK)
        status = fill(c, t, threads, s);
    if (status != CN_OK)
        cn_scenario_free(&s);
    cn_topology_free(&t);
    return s;
}

uint64_t snapshot_case_nodes(size_t index)
{
    cn_topology *t = NULL;
    cn_status status = make_network(&cases[index], &t);
    uint64_t nodes = status == CN_OK ? cn_topology_node_count(t) : 0;
    cn_topology_free(&t);
    return nodes;
}

cn_status snapshot_case_inject(cn_sim *sim, size_t index, uint64_t nodes, uint64_t word)
{
    int takes_flits = has_flits(index);
    cn_status status = CN_OK;
    if (word % 4 != 0 || cases[index].traffic == WORKLOAD)
        return CN_OK;
    for (uint64_t i = 0; i <= word / 4 % 3 && status >= CN_OK; i++) {
        uint64_t source = (word / 16 + i) % nodes;
        uint64_t destination = (source + 1 + (word / 64 + i) % (nodes - 1)) % nodes;
        if (takes_flits && word / 8 % 8 == 1)
            status = cn_sim_inject_broadcast(sim, source, CN_BASE_OF_SCENARIO, word + i);
        else
            status =
                cn_sim_inject(sim, source, destination, takes_flits ? 1 + word % 30 : 0, word + i);
        if (status == CN_ERR_DISCONNECTED)
            status = CN_REFUSED; /* one of the two is faulty */
    }
    return status < CN_OK ? status : CN_OK;
}

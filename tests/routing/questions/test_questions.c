/* Lengths of walks, paths and loads, held against slow sums over all that a message may do, which
 * ask only for the next channels. */
#include "routing/damage.h"
#include "routing/networks.h"

#include <math.h>
#include <string.h>

enum { NODES = 64, PORTS = 16, CHANNELS = 4, PLACES = NODES * PORTS * CHANNELS, KINDS = 8 };

static const char *const kinds[KINDS] = {"minimal", "preferred",       "dimension-order",
                                         "duato",   "negative-first",  "up-down",
                                         "valiant", "up-down-adaptive"};

/* A network with a routing; a place is a virtual channel of a port of a node, or PLACES + node for
 * a message at its source. */
typedef struct subject {
    const cn_topology *t;
    const cn_faults *faults;
    const cn_routing *r;
    uint32_t least, nodes, served;
    int is_adaptive, has_legs;
    uint64_t destination;
    uint64_t heads[NODES * PORTS];
    int shortest[PLACES + NODES], longest[PLACES + NODES]; /* -1: not known */
} subject;

static subject s;

static int serves(uint64_t node)
{
    return s.faults == NULL || !cn_faults_has_node(s.faults, node);
}

static void take(const cn_topology *t, const cn_faults *faults, const cn_routing *r)
{
    memset(&s, 0, sizeof s);
    s.t = t;
    s.faults = faults;
    s.r = r;
    s.nodes = (uint32_t)cn_topology_node_count(t);
    s.is_adaptive = strcmp(cn_routing_name(r), "up-down-adaptive") == 0;
    s.has_legs = strcmp(cn_routing_name(r), "valiant") == 0;
    assert_ok(cn_routing_least_virtual_channels(r, &s.least));
    assert_true(s.nodes <= NODES && s.least <= CHANNELS && cn_topology_max_degree(t) <= PORTS);
    for (uint32_t v = 0; v < s.nodes; v++) {
        uint64_t neighbors[PORTS];
        size_t degree;
        s.served += (uint32_t)serves(v);
        assert_ok(cn_topology_neighbors(t, v, neighbors, PORTS, &degree));
        for (size_t p = 0; p < degree; p++)
            s.heads[v * PORTS + p] = neighbors[p];
    }
}

static uint64_t node_at(uint32_t place)
{
    return place >= PLACES ? place - PLACES : s.heads[place / CHANNELS];
}

/* What is allowed at a place on the way to a node; the degree. */
static size_t allowed(uint32_t place, uint64_t destination, uint64_t sets[PORTS])
{
    size_t degree;
    uint64_t node = node_at(place);
    memset(sets, 0, PORTS * sizeof *sets);
    if (place >= PLACES)
        assert_ok(cn_routing_virtual_channels(s.r, s.least, node, destination, 0, CN_NO_PORT, 0,
                                              sets, PORTS, &degree));
    else
        assert_ok(cn_routing_virtual_channels(s.r, s.least, node, destination,
                                              place / CHANNELS / PORTS, place / CHANNELS % PORTS,
                                              place % CHANNELS, sets, PORTS, &degree));
    return degree;
}

/* ---- lengths of one leg's walks ---- */

static void find_lengths(uint32_t place)
{
    uint64_t sets[PORTS], node = node_at(place);
    if (s.shortest[place] >= 0)
        return;
    s.shortest[place] = s.longest[place] = 0;
    if (node == s.destination)
        return;
    size_t degree = allowed(place, s.destination, sets);
    int least = 1 << 30, most = 0;
    for (size_t p = 0; p < degree; p++)
        for (uint32_t v = 0; v < s.least; v++)
            if ((sets[p] >> v & 1) != 0) {
                uint32_t next = ((uint32_t)node * PORTS + (uint32_t)p) * CHANNELS + v;
                find_lengths(next);
                least = s.shortest[next] < least ? s.shortest[next] : least;
                most = s.longest[next] > most ? s.longest[next] : most;
            }
    s.shortest[place] = least + 1;
    s.longest[place] = most + 1;
}

static void check_lengths(void)
{
    static int shortest[NODES][NODES], longest[NODES][NODES];
    uint32_t hops[NODES];
    int most = 0, is_minimal = 1, answer;
    double sum = 0.0, greatest = 1.0, mean_given, greatest_given;
    uint64_t given;
    for (uint32_t d = 0; d < s.nodes; d++) {
        s.destination = d;
        memset(s.shortest, -1, sizeof s.shortest);
        for (uint32_t v = 0; v < s.nodes; v++) {
            if (!serves(v) || !serves(d))
                continue;
            find_lengths(PLACES + v);
            shortest[v][d] = s.shortest[PLACES + v];
            longest[v][d] = s.longest[PLACES + v];
        }
    }
    for (uint32_t d = 0; d < s.nodes; d++) {
        network_hops(s.t, s.faults, d, hops);
        for (uint32_t v = 0; v < s.nodes; v++) {
            if (!serves(v) || !serves(d) || v == d)
                continue;
            int least = shortest[v][d], longer = longest[v][d];
            for (uint32_t w = 0; s.has_legs && w < s.nodes; w++)
                if (serves(w)) {
                    int a = shortest[v][w] + shortest[w][d], b = longest[v][w] + longest[w][d];
                    least = a < least ? a : least;
                    longer = b > longer ? b : longer;
                }
            double ratio = (double)least / hops[v];
            sum += ratio;
            greatest = ratio > greatest ? ratio : greatest;
            most = longer > most ? longer : most;
            is_minimal &= longer == (int)hops[v];
            if (s.nodes <= 16 || (v * 7 + d) % 29 == 0) {
                assert_ok(cn_routing_distance(s.r, v, d, NULL, &given));
                assert_int_equal(given, least);
            }
        }
    }
    assert_ok(cn_routing_longest_walk(s.r, NULL, &given));
    assert_int_equal(given, most);
    assert_ok(cn_routing_is_minimal(s.r, NULL, &answer));
    assert_int_equal(answer, is_minimal);
    assert_ok(cn_routing_stretch(s.r, NULL, &mean_given, &greatest_given));
    assert_near(mean_given, sum / s.served / (s.served - 1.0), 1e-12);
    assert_near(greatest_given, greatest, 0);
}

/* ---- loads ---- */

/* Where a stored message may go: the ports, and the virtual channel as of which it comes. */
static uint32_t stored_at(uint32_t place, uint64_t destination, uint32_t next[PORTS])
{
    uint64_t sets[PORTS], node = node_at(place);
    uint32_t count = 0;
    size_t degree = allowed(place, destination, sets);
    for (uint32_t p = 0; p < degree; p++) {
        uint32_t v = s.is_adaptive ? 1 : 0;
        while (v < s.least && (sets[p] >> v & 1) == 0)
            v++;
        if (v < s.least)
            next[count++] = ((uint32_t)node * PORTS + p) * CHANNELS + v;
    }
    return count;
}

static double odd_rate(uint64_t source, uint64_t destination)
{
    uint64_t state = source * 1000 + destination, word = damage_random(&state);
    return word % 3 == 0 ? 0.0 : (double)(word % 1000) / 1000;
}

static cn_status give_odd_rate(void *user, uint64_t source, uint64_t destination, double *rate)
{
    assert_true(source != destination && serves(source) && serves(destination));
    assert_true(*rate == 0.0);
    *rate = odd_rate(source, destination);
    ++*(uint64_t *)user;
    return CN_OK;
}

/* What goes to each node in a leg, hop by hop, until all has come. */
static void spread(double rates[NODES][NODES], double loads[NODES * PORTS])
{
    static double here[PLACES + NODES], there[PLACES + NODES];
    for (uint32_t d = 0; d < s.nodes; d++) {
        int left = 1;
        memset(here, 0, sizeof here);
        for (uint32_t v = 0; v < s.nodes; v++)
            here[PLACES + v] = v == d ? 0.0 : rates[v][d];
        while (left) {
            left = 0;
            memset(there, 0, sizeof there);
            for (uint32_t place = 0; place < PLACES + NODES; place++) {
                uint32_t next[PORTS];
                if (here[place] == 0.0 || node_at(place) == d)
                    continue;
                uint32_t count = stored_at(place, d, next);
                for (uint32_t i = 0; i < count; i++) {
                    loads[next[i] / CHANNELS] += here[place] / count;
                    there[next[i]] += here[place] / count;
                }
                left = 1;
            }
            memcpy(here, there, sizeof here);
        }
    }
}

static void check_loads(int is_odd)
{
    static double rates[NODES][NODES], legs[NODES][NODES], wanted[NODES * PORTS];
    static double given[NODES * PORTS];
    double busiest = 0.0, load;
    uint64_t asked = 0;
    size_t count;
    memset(legs, 0, sizeof legs);
    memset(wanted, 0, sizeof wanted);
    for (uint32_t v = 0; v < s.nodes; v++)
        for (uint32_t d = 0; d < s.nodes; d++) {
            int is_pair = v != d && serves(v) && serves(d);
            rates[v][d] = !is_pair ? 0.0 : is_odd ? odd_rate(v, d) : 1.0 / (s.served - 1);
            for (uint32_t w = 0; s.has_legs && w < s.nodes; w++)
                if (serves(w)) {
                    legs[v][w] += rates[v][d] / s.served;
                    legs[w][d] += rates[v][d] / s.served;
                }
        }
    spread(s.has_legs ? legs : rates, wanted);
    cn_rate_fn rate = is_odd ? give_odd_rate : NULL;
    assert_ok(cn_routing_loads(s.r, rate, &asked, NULL, given, NODES * PORTS, &count));
    uint32_t ports = cn_topology_max_degree(s.t);
    assert_int_equal(count, s.nodes * ports);
    assert_int_equal(asked, is_odd ? s.served * (s.served - 1) : 0);
    for (uint32_t c = 0; c < count; c++) {
        assert_near(given[c], wanted[c / ports * PORTS + c % ports], 1e-11);
        busiest = given[c] > busiest ? given[c] : busiest;
    }
    assert_ok(cn_routing_saturation_load(s.r, rate, &asked, NULL, &load));
    assert_near(load, 1 / busiest, 0);
}

/* ---- paths ---- */

static int is_allowed_path(uint32_t place, const uint64_t nodes[], size_t count)
{
    uint32_t next[PORTS];
    if (count == 1)
        return 1;
    uint32_t many = stored_at(place, nodes[count - 1], next);
    for (uint32_t i = 0; i < many; i++)
        if (node_at(next[i]) == nodes[1])
            return is_allowed_path(next[i], nodes + 1, count - 1);
    return 0;
}

static void check_paths(void)
{
    for (uint32_t v = 0; v < s.nodes; v += 3)
        for (uint32_t d = 0; d < s.nodes; d++) {
            uint64_t nodes[3 * NODES], again[3 * NODES], seed = v * NODES + d;
            size_t count, same;
            if (!serves(v) || !serves(d))
                continue;
            assert_ok(cn_routing_path(s.r, v, d, seed, nodes, 3 * NODES, &count));
            assert_ok(cn_routing_path(s.r, v, d, seed, again, 3 * NODES, &same));
            assert_int_equal(count, same);
            assert_memory_equal(nodes, again, count * sizeof *nodes);
            assert_int_equal(nodes[0], v);
            assert_int_equal(nodes[count - 1], d);
            int is_good = 0; /* with two legs some node ends the first one */
            if (v == d)
                assert_int_equal(count, 1);
            for (size_t i = 0; s.has_legs && i < count; i++)
                is_good |= is_allowed_path(PLACES + v, nodes, i + 1) &&
                           is_allowed_path(PLACES + (uint32_t)nodes[i], nodes + i, count - i);
            assert_true(is_good || is_allowed_path(PLACES + v, nodes, count));
        }
}

static void check(const cn_topology *t, const cn_faults *faults, const char *name)
{
    cn_routing *r;
    cn_status status = cn_routing_new(t, name, faults, NULL, &r);
    if (status != CN_OK) {
        assert_true(status == CN_ERR_UNSUPPORTED || status == CN_ERR_DISCONNECTED);
        return;
    }
    take(t, faults, r);
    check_lengths();
    check_loads(0);
    check_loads(1);
    check_paths();
    cn_routing_free(&r);
}

static void all_families_agree_with_sums_over_all_walks(void **state)
{
    (void)state;
    cn_topology *t;
    for (unsigned i = 0; (t = network_of_family(i)) != NULL; i++) {
        for (int k = 0; k < KINDS; k++)
            check(t, NULL, kinds[k]);
        cn_topology_free(&t);
    }
}

static void damaged_networks_agree(void **state)
{
    (void)state;
    cn_topology *t;
    for (unsigned i = 0; (t = network_of_family(i)) != NULL; i++) {
        cn_faults *faults;
        assert_ok(cn_faults_new(t, &faults));
        assert_ok(cn_faults_add_node(faults, cn_topology_node_count(t) - 1));
        for (int k = 0; k < KINDS; k++)
            check(t, faults, kinds[k]);
        assert_ok(cn_faults_add_random_nodes(faults, 2, i));
        for (int k = 0; k < KINDS; k++)
            check(t, faults, kinds[k]);
        cn_faults_free(&faults);
        cn_topology_free(&t);
    }
}

static void random_graphs_agree(void **state)
{
    (void)state;
    static const char *const anywhere[] = {"minimal", "up-down", "up-down-adaptive", "valiant"};
    uint64_t seed = 7;
    for (int graph = 0; graph < 200; graph++) {
        cn_topology *t = network_random(14, 9, &seed);
        for (int k = 0; k < 4; k++)
            check(t, NULL, anywhere[k]);
        cn_topology_free(&t);
    }
}

/* ---- own rules ---- */

/* Round a two-way ring of 8 the longer way, if virtual channel 1 is taken first; on 0 the
 * shorter. */
static cn_status round_the_ring(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                                uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *t = user;
    uint32_t up, down;
    (void)previous;
    assert_ok(cn_topology_port_to(t, node, (node + 1) % 8, &up));
    assert_ok(cn_topology_port_to(t, node, (node + 7) % 8, &down));
    uint32_t shorter = (destination + 8 - node) % 8 <= 4 ? up : down;
    if (port == CN_NO_PORT) {
        channels[shorter] = 1;
        channels[shorter == up ? down : up] = 2;
    } else { /* on as it came */
        channels[(previous + 1) % 8 == node ? up : down] = virtual_channel == 0 ? 1 : 2;
    }
    return CN_OK;
}

static void an_own_rule_with_detours_agrees(void **state)
{
    (void)state;
    cn_topology *ring;
    cn_routing *r;
    int is_minimal;
    assert_ok(cn_topology_ring(8, 1, &ring));
    assert_ok(cn_routing_own(ring, 2, round_the_ring, NULL, ring, NULL, &r));
    take(ring, NULL, r);
    check_lengths();
    check_loads(0);
    check_loads(1);
    check_paths();
    uint64_t hops;
    assert_ok(cn_routing_longest_walk(r, NULL, &hops));
    assert_int_equal(hops, 7);
    assert_ok(cn_routing_is_minimal(r, NULL, &is_minimal));
    assert_int_equal(is_minimal, 0);
    cn_routing_free(&r);
    cn_topology_free(&ring);
}

/* ---- known values ---- */

static void known_values(void **state)
{
    (void)state;
    cn_topology *cube, *torus;
    cn_routing *r;
    double load, mean, greatest;
    uint64_t hops;
    assert_ok(cn_topology_hypercube(8, &cube));
    assert_ok(cn_topology_kary_ncube(8, 2, 0, &torus));
    assert_ok(cn_routing_new(cube, "minimal", NULL, NULL, &r));
    assert_ok(cn_routing_saturation_load(r, NULL, NULL, NULL, &load));
    assert_near(load, 2.0 - ldexp(1, -7), 1e-12); /* n over the mean distance */
    cn_routing_free(&r);
    assert_ok(cn_routing_new(cube, "valiant", NULL, NULL, &r));
    assert_ok(cn_routing_saturation_load(r, NULL, NULL, NULL, &load));
    assert_near(load, 1.0, 1e-12); /* two legs to any node at all: 2 n / 2 hops over n channels */
    assert_ok(cn_routing_longest_walk(r, NULL, &hops));
    assert_int_equal(hops, 15);
    assert_ok(cn_routing_stretch(r, NULL, &mean, &greatest));
    assert_near(mean, 1.0, 0);
    assert_near(greatest, 1.0, 0);
    cn_routing_free(&r);
    assert_ok(cn_routing_new(torus, "dimension-order", NULL, NULL, &r));
    assert_ok(cn_routing_longest_walk(r, NULL, &hops));
    assert_int_equal(hops, 14);
    cn_routing_free(&r);
    cn_topology_free(&cube);
    cn_topology_free(&torus);
}

/* ---- refusals ---- */

static cn_status bad_rate(void *user, uint64_t source, uint64_t destination, double *rate)
{
    int kind = *(int *)user;
    if (source == 3 && destination == 5 && kind != 5)
        *rate = kind == 0 ? -1.0 : kind == 1 ? HUGE_VAL : NAN;
    return source != 3 ? CN_OK : kind == 3 ? CN_ERR_NOT_FOUND : kind == 5 ? CN_DONE : CN_OK;
}

static void what_cannot_be_answered_is_refused(void **state)
{
    (void)state;
    cn_topology *cube, *large;
    cn_faults *faults;
    cn_routing *r, *big;
    double load = 7.0, loads[24];
    uint64_t nodes[4], hops = 7;
    size_t count;
    int answer = 7, kind = 0;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_topology_hypercube(15, &large));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_node(faults, 6));
    assert_ok(cn_routing_new(cube, "minimal", faults, NULL, &r));
    assert_ok(cn_routing_new(large, "minimal", NULL, NULL, &big));
    assert_fails(cn_routing_path(r, 6, 0, 1, nodes, 4, NULL), CN_ERR_ARGUMENT, "source = 6");
    assert_fails(cn_routing_path(r, 0, 8, 1, nodes, 4, NULL), CN_ERR_ARGUMENT, "destination = 8");
    assert_fails(cn_routing_path(r, 0, 7, 1, nodes, 3, &count), CN_ERR_CAPACITY, "has 4 nodes");
    assert_int_equal(count, 4);
    assert_fails(cn_routing_distance(r, 0, 6, NULL, &hops), CN_ERR_ARGUMENT, "destination = 6");
    assert_fails(cn_routing_loads(r, NULL, NULL, NULL, loads, 23, &count), CN_ERR_CAPACITY,
                 "3 ports");
    assert_int_equal(count, 24);
    for (; kind < 3; kind++)
        assert_fails(cn_routing_loads(r, bad_rate, &kind, NULL, loads, 24, NULL), CN_ERR_ARGUMENT,
                     "from node 3 to node 5, but it must be 0 or more and finite");
    assert_fails(cn_routing_loads(r, bad_rate, &kind, NULL, loads, 24, NULL), CN_ERR_NOT_FOUND,
                 "cn_routing_loads: rate returned -5 from node 3 to node 0");
    assert_fails(cn_routing_saturation_load(r, bad_rate, &kind, NULL, &load), CN_ERR_NOT_FOUND,
                 "cn_routing_saturation_load: rate returned -5 from node 3 to node 0");
    kind = 5;
    assert_fails(cn_routing_loads(r, bad_rate, &kind, NULL, loads, 24, NULL), CN_ERR_ARGUMENT,
                 "cn_routing_loads: rate returned 1 from node 3 to node 0");
    kind = 4;
    assert_fails(cn_routing_saturation_load(r, bad_rate, &kind, NULL, &load), CN_ERR_ARGUMENT,
                 "finite");
    assert_fails(cn_routing_stretch(big, NULL, NULL, NULL), CN_ERR_UNSUPPORTED, "at most 16384");
    assert_fails(cn_routing_longest_walk(big, NULL, &hops), CN_ERR_UNSUPPORTED, "32768 nodes");
    assert_fails(cn_routing_is_minimal(big, NULL, &answer), CN_ERR_UNSUPPORTED, "32768 nodes");
    assert_fails(cn_routing_saturation_load(big, NULL, NULL, NULL, &load), CN_ERR_UNSUPPORTED,
                 "32768");
    assert_ok(cn_routing_path(big, 0, 32767, 1, NULL, 0, &count) == CN_ERR_CAPACITY ? CN_OK
                                                                                    : CN_ERR_STATE);
    assert_int_equal(count, 16);
    assert_true(load == 7.0 && hops == 7 && answer == 7);
    cn_routing_free(&r);
    cn_routing_free(&big);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    cn_topology_free(&large);
}

/* The same from each node to each. */
static cn_status same_rate(void *user, uint64_t source, uint64_t destination, double *rate)
{
    (void)source;
    (void)destination;
    *rate = *(double *)user;
    return CN_OK;
}

static void loads_beyond_all_doubles_are_refused(void **state)
{
    (void)state;
    static const char *const some[] = {"minimal", "valiant"};
    cn_topology *cube;
    cn_routing *r;
    double loads[24], load = 7.0, huge = 1e308, tiny = 0x1p-1074, large = 1e306, small = 1e-300;
    loads[0] = 7.0;
    assert_ok(cn_topology_hypercube(3, &cube));
    for (int i = 0; i < 2; i++) {
        assert_ok(cn_routing_new(cube, some[i], NULL, NULL, &r));
        assert_fails(cn_routing_loads(r, same_rate, &huge, NULL, loads, 24, NULL), CN_ERR_OVERFLOW,
                     "the load of port 0 of node 0 is greater than any double");
        assert_fails(cn_routing_saturation_load(r, same_rate, &huge, NULL, &load), CN_ERR_OVERFLOW,
                     "cn_routing_saturation_load: rate gives so much");
        assert_true(loads[0] == 7.0 && load == 7.0);
        assert_ok(cn_routing_saturation_load(r, same_rate, &large, NULL, &load));
        assert_true(load > 0.0);
        assert_ok(cn_routing_saturation_load(r, same_rate, &small, NULL, &load));
        assert_true(load < HUGE_VAL);
        load = 7.0;
        cn_routing_free(&r);
    }
    assert_ok(cn_routing_new(cube, "minimal", NULL, NULL, &r));
    assert_fails(cn_routing_saturation_load(r, same_rate, &tiny, NULL, &load), CN_ERR_OVERFLOW,
                 "so little that the load at which it is full");
    assert_true(load == 7.0);
    cn_routing_free(&r);
    cn_topology_free(&cube);
}

/* A rate function that cancels the call that asks it. */
typedef struct impatient {
    cn_control *control;
    uint64_t asked;
} impatient;

static cn_status cancel_and_count(void *user, uint64_t source, uint64_t destination, double *rate)
{
    impatient *i = user;
    (void)source;
    (void)destination;
    *rate = 1.0;
    i->asked++;
    return cn_control_cancel(i->control);
}

static void loads_are_cancelled_while_rates_are_asked_for(void **state)
{
    (void)state;
    enum { LOG2_NODES = 11 };
    static const char *const some[] = {"minimal", "valiant"};
    const uint64_t pairs = UINT64_C(1) << 2 * LOG2_NODES;
    cn_topology *cube;
    cn_routing *r;
    double load = 7.0;
    assert_ok(cn_topology_hypercube(LOG2_NODES, &cube));
    for (int i = 0; i < 2; i++) {
        impatient user = {NULL, 0};
        assert_ok(cn_control_new(&user.control));
        assert_ok(cn_routing_new(cube, some[i], NULL, NULL, &r));
        assert_fails(cn_routing_saturation_load(r, cancel_and_count, &user, user.control, &load),
                     CN_ERR_CANCELLED, "cancelled by cn_control_cancel()");
        assert_true(load == 7.0);
        assert_true(user.asked < pairs / 4);
        cn_routing_free(&r);
        cn_control_free(&user.control);
    }
    cn_topology_free(&cube);
}

/* One node alone: nothing is sent, and nothing is far. */
static void a_single_survivor_has_no_walks(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_routing *r;
    double mean, greatest, loads[8], load;
    uint64_t hops;
    int is_minimal;
    assert_ok(cn_topology_hypercube(2, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    for (uint64_t v = 1; v < 4; v++)
        assert_ok(cn_faults_add_node(faults, v));
    static const char *const some[] = {"minimal", "valiant"};
    for (int i = 0; i < 2; i++) {
        assert_ok(cn_routing_new(cube, some[i], faults, NULL, &r));
        assert_ok(cn_routing_stretch(r, NULL, &mean, &greatest));
        assert_true(mean == 1.0 && greatest == 1.0);
        assert_ok(cn_routing_longest_walk(r, NULL, &hops));
        assert_int_equal(hops, 0);
        assert_ok(cn_routing_is_minimal(r, NULL, &is_minimal));
        assert_int_equal(is_minimal, 1);
        assert_ok(cn_routing_loads(r, NULL, NULL, NULL, loads, 8, NULL));
        assert_fails(cn_routing_saturation_load(r, NULL, NULL, NULL, &load), CN_ERR_ARGUMENT,
                     "no channel carries any messages");
        cn_routing_free(&r);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_families_agree_with_sums_over_all_walks),
        cmocka_unit_test(damaged_networks_agree),
        cmocka_unit_test(random_graphs_agree),
        cmocka_unit_test(an_own_rule_with_detours_agrees),
        cmocka_unit_test(known_values),
        cmocka_unit_test(what_cannot_be_answered_is_refused),
        cmocka_unit_test(loads_beyond_all_doubles_are_refused),
        cmocka_unit_test(loads_are_cancelled_while_rates_are_asked_for),
        cmocka_unit_test(a_single_survivor_has_no_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The flow to each destination follows the states of its walks in order. A model of queues also
 * needs the new messages of each channel, and the flow from each channel into each next one.
 *
 * A routing with two legs (valiant) takes each of its m middle nodes with probability 1/m. Let node
 * s send out(s) messages in all, node t get in(t) in all, and rate(s, t) go from s to t. Then
 * (out(s) + in(t)) / m messages make a leg from s to t: out(s) / m make their first leg, in(t) / m
 * their second. Of all these (out(s) + rate(s, t)) / m are new at s, and (in(t) + rate(s, t)) / m
 * have t as destination. The others begin another leg at t. Its first channel is taken as
 * independent of the channel before. These numbers hold where every host is a middle node; leg_of()
 * has all cases.
 */
#include "queueing/store_forward/channel_flows.h"

#include <math.h>

#include "routing/questions/walks.h"
#include "scenario/traffic/routing_loads.h"
#include "scenario/traffic/traffic.h"

/* The messages in a state or at a step. `ending` counts the messages of `all` whose destination is
 * the target of the leg. */
typedef struct stream {
    double all, ending;
} stream;

typedef struct spreading {
    const char *function;
    cni_budget *budget;
    const cn_routing *routing;
    cni_channel_flows *flows;
    const cn_traffic *traffic;
    int is_uniform;
    cni_rates rates; /* else */
    int legs;
    cni_walks graph;
    cni_inlets inlets; /* the channels into each node, without faults */
    uint32_t *hops;    /* 2 N + 1 elements: distances to the target, then a queue */
    stream *at;        /* by state: messages on the way to the present target */
    double *new;       /* by node: messages that begin there */
    double *out, *in;  /* by node: messages that it sends, and messages that it gets */
    double *leaving;   /* by channel: messages that end the first of two legs at its head */
    double *starting;  /* by channel: messages that begin their second leg with it */
    uint32_t *sources;
    void *block; /* holds the arrays */
} spreading;

/* ---- traffic ---- */

/* Finds the messages from one node to another at load 1. */
static cn_status rate_of(spreading *s, uint32_t source, uint32_t destination, double *rate)
{
    *rate = 0.0;
    if (!cni_routing_is_host(s->routing, source) || !cni_routing_is_host(s->routing, destination))
        return CN_OK;
    if (!s->is_uniform)
        return cni_give_rate(&s->rates, source, destination, rate);
    *rate = 1.0 / (s->flows->hosts - 1.0);
    return CN_OK;
}

/* Adds the traffic of each node to one destination, and its distances. */
static cn_status add_rates(spreading *s, uint32_t destination)
{
    const cni_walks *g = &s->graph;
    cni_search_hops(&s->inlets, destination, s->hops, s->hops + g->nodes);
    for (size_t i = 0; i < g->end_count; i++) {
        uint32_t source = g->ends[i];
        double rate;
        if (source == destination)
            continue;
        CNI_TRY(rate_of(s, source, destination, &rate));
        s->out[source] += rate;
        s->in[destination] += rate;
        s->flows->rate += rate;
        if (rate > 0.0)
            s->flows->travel += rate * s->hops[source];
    }
    return CN_OK;
}

/* Fails unless each sending node finds all its destinations. Uniform traffic is exactly one
 * message a node. */
static cn_status check_rates(const spreading *s)
{
    const cni_walks *g = &s->graph;
    if (s->is_uniform)
        s->flows->rate = s->flows->hosts;
    for (size_t i = 0; !s->is_uniform && i < g->end_count; i++) {
        uint32_t source = g->ends[i];
        /* the rates of a node add to 1 except for rounding */
        if (cni_traffic_sends(s->traffic, source) && s->out[source] < 1.0 - 1e-9)
            return cni_fail(CN_ERR_DISCONNECTED,
                            "%s: the traffic sends messages from node %lu to nodes that take no "
                            "part; only uniform traffic is spread over those that do",
                            s->function, (unsigned long)source);
    }
    return CN_OK;
}

/* ---- flows of the channels ---- */

/* Finds the messages of one leg from a node to a target, and the number of new messages in it. */
static cn_status leg_of(spreading *s, uint32_t source, uint32_t target, stream *leg, double *new)
{
    double rate, middles = (double)s->routing->middles;
    double out = cni_routing_is_middle(s->routing, target) ? s->out[source] : 0.0;
    double in = cni_routing_is_middle(s->routing, source) ? s->in[target] : 0.0;
    CNI_TRY(rate_of(s, source, target, &rate));
    *leg = (stream){rate, rate};
    *new = rate;
    if (s->legs == 1)
        return CN_OK;
    double direct = s->routing->topology->hosts_forward ? rate : 0.0;
    *leg = (stream){(out + in) / middles, (in + direct) / middles};
    *new = (out + direct) / middles;
    return CN_OK;
}

/* Lets the messages at the nodes begin. They begin in class 0, and the states of class 0 are the
 * nodes. */
static void begin_legs(spreading *s)
{
    const cni_walks *g = &s->graph;
    for (size_t i = 0; i < g->end_count; i++) {
        uint32_t node = g->ends[i], count = s->at[node].all > 0.0 ? g->count[node] : 0;
        const cni_step *step = g->steps + g->first[node];
        for (uint32_t k = 0; k < count; k++) {
            s->flows->fresh[step[k].channel] += s->new[node] / count;
            s->starting[step[k].channel] += (s->at[node].all - s->new[node]) / count;
            if (s->flows->spare != NULL)
                s->flows->spare[step[k].channel] += s->new[node] / count *(1.0 - 1.0 / count);
        }
        s->new[node] = 0.0;
    }
}

/* Adds the flow over one of `count` steps to the turns into the next steps. */
static void add_turn(const spreading *s, const cni_step *step, uint32_t count, double share)
{
    const cni_walks *g = &s->graph;
    const cni_step *on = g->steps + g->first[step->state];
    size_t ports = s->flows->ports, first = step->channel * ports;
    uint32_t ways = g->count[step->state];
    s->flows->ways[first + count - 1] += share;
    for (uint32_t j = 0; j < ways; j++)
        s->flows->turns[first + on[j].channel % ports] += share / ways;
}

/* Sends all messages on to the target, state by state. */
static void send_flow_on(spreading *s)
{
    const cni_walks *g = &s->graph;
    double *flow = s->flows->flow;
    for (size_t i = 0; i < g->ordered; i++) {
        uint32_t state = g->order[i], count = g->count[state];
        const cni_step *step = g->steps + g->first[state];
        stream share = {s->at[state].all / count, s->at[state].ending / count};
        for (uint32_t k = 0; k < count; k++) {
            uint32_t next = step[k].state;
            flow[step[k].channel] += share.all;
            if (s->flows->turns != NULL)
                add_turn(s, &step[k], count, share.all);
            s->at[next].all += share.all;
            s->at[next].ending += share.ending;
            if (g->count[next] == 0)
                s->leaving[step[k].channel] += share.all - share.ending;
        }
    }
}

static cn_status spread_to(spreading *s, uint32_t target)
{
    cni_walks *g = &s->graph;
    size_t count = 0;
    for (size_t i = 0; i < g->end_count; i++) {
        uint32_t source = g->ends[i];
        if (source == target)
            continue;
        CNI_TRY(leg_of(s, source, target, &s->at[source], &s->new[source]));
        s->sources[count] = source;
        count += s->at[source].all > 0.0;
    }
    CNI_TRY(cni_walks_to(g, target, s->sources, count));
    CNI_TRY(cni_walks_check(s->function, g, target));
    begin_legs(s);
    send_flow_on(s);
    for (size_t i = 0; i < g->ordered; i++)
        s->at[g->order[i]] = (stream){0};
    return CN_OK;
}

/* Adds the turns from the ends of first legs into second legs. */
static void add_turns_between_legs(spreading *s)
{
    const cni_walks *g = &s->graph;
    const cni_channel_flows *f = s->flows;
    double *all = s->new; /* all 0 by now; by node: messages that begin their second leg there */
    if (f->turns == NULL)
        return;
    for (size_t c = 0; c < f->places; c++)
        all[c / f->ports] += s->starting[c];
    for (size_t c = 0; c < f->places; c++) {
        size_t head = g->heads[c] % g->nodes; /* the node of the state, without its class */
        for (size_t p = 0; s->leaving[c] > 0.0 && p < f->ports; p++)
            f->turns[c * f->ports + p] +=
                s->leaving[c] * s->starting[head * f->ports + p] / all[head];
    }
}

/* ---- all destinations ---- */

/* Counts the working channels between nodes that take part. A topology with more than 64 ports
 * has no faulty links. */
static void count_channels(const spreading *s)
{
    const cn_routing *r = s->routing;
    for (uint64_t v = 0; v < r->topology->nodes; v++) {
        if (!cni_routing_serves(r, v))
            continue;
        uint64_t faulty = r->faults == NULL ? 0 : cni_faulty_links(r->faults, v);
        for (uint32_t p = 0; p < cni_degree(r->topology, v); p++)
            s->flows->channels += cni_routing_serves(r, cni_neighbor(r->topology, v, p)) &&
                                  (faulty >> (p & 63) & 1) == 0;
    }
}

static cn_status make_flows(const spreading *s, int turns)
{
    cni_channel_flows *f = s->flows;
    f->hosts = (double)s->routing->hosts;
    f->ports = f->topology->max_degree;
    f->places = s->graph.nodes * f->ports;
    const cni_array arrays[] = {CNI_ARRAY(f->flow, f->places), CNI_ARRAY(f->fresh, f->places),
                                CNI_ARRAY_IF(turns, f->turns, f->places * f->ports),
                                CNI_ARRAY_IF(turns, f->ways, f->places * f->ports),
                                CNI_ARRAY_IF(turns, f->spare, f->places)};
    return cni_allocate_arrays(&f->block, arrays);
}

static cn_status check_scenario(const spreading *s)
{
    const cn_topology *t = s->routing->topology;
    if (s->routing->hosts < 2)
        return cni_fail(CN_ERR_DISCONNECTED,
                        "%s: survivors = %llu on %s, but messages need at least 2", s->function,
                        (unsigned long long)s->routing->hosts, t->name);
    if (cni_traffic_is_trace(s->traffic))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: a trace has no steady state, so there is no model of it", s->function);
    if (t->nodes > CNI_WALKS_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but the model covers networks of at most %llu",
                        s->function, t->name, (unsigned long long)t->nodes,
                        (unsigned long long)CNI_WALKS_NODES);
    return CN_OK;
}

static cn_status open_spreading(spreading *s, int turns)
{
    CNI_TRY(check_scenario(s));
    CNI_TRY(cni_walks_open(s->function, s->routing, CNI_WALKS_OF_STORED, NULL, &s->graph));
    size_t nodes = s->graph.nodes;
    CNI_TRY(make_flows(s, turns));
    const cni_array arrays[] = {
        CNI_ARRAY(s->hops, 2 * nodes + 1),
        CNI_ARRAY(s->at, s->graph.states),
        CNI_ARRAY(s->new, nodes),
        CNI_ARRAY(s->out, nodes),
        CNI_ARRAY(s->in, nodes),
        CNI_ARRAY(s->sources, nodes),
        CNI_ARRAY(s->leaving, s->flows->places),
        CNI_ARRAY(s->starting, s->flows->places),
    };
    CNI_TRY(cni_allocate_arrays(&s->block, arrays));
    count_channels(s);
    return cni_inlets_open(&s->inlets, s->routing->topology, NULL, NULL);
}

/* Makes shares of the ways, and sums the flows. */
static void add_up_flows(cni_channel_flows *f)
{
    for (size_t c = 0; c < f->places; c++) {
        f->sum += f->flow[c];
        f->greatest = fmax(f->greatest, f->flow[c]);
        for (size_t k = 0; f->ways != NULL && f->flow[c] > 0.0 && k < f->ports; k++)
            f->ways[c * f->ports + k] /= f->flow[c];
    }
}

static cn_status spread_flows(spreading *s)
{
    const cni_walks *g = &s->graph;
    uint64_t work = cni_search_work(s->routing->topology);
    for (size_t i = 0; i < g->end_count; i++) {
        CNI_TRY(add_rates(s, g->ends[i]));
        CNI_TRY(cni_budget_go_on(s->budget, g->end_count));
    }
    CNI_TRY(check_rates(s));
    for (size_t i = 0; i < g->end_count; i++) {
        CNI_TRY(spread_to(s, g->ends[i]));
        CNI_TRY(cni_budget_go_on(s->budget, 8 * work));
    }
    add_turns_between_legs(s);
    add_up_flows(s->flows);
    return CN_OK;
}

/* Uniform traffic goes to all nodes that take part, and needs no rates. */
static cn_status spread_traffic(spreading *s)
{
    s->is_uniform = s->traffic == NULL || s->traffic->pattern == CN_PATTERN_UNIFORM;
    cn_status status =
        s->is_uniform ? CN_OK
                      : cni_rates_open(s->function, s->traffic, s->routing, s->budget, &s->rates);
    if (status == CN_OK)
        status = spread_flows(s);
    cni_rates_close(&s->rates);
    return status;
}

cn_status cni_channel_flows_open(const char *function, const cn_scenario *scenario, int turns,
                                 cni_channel_flows *flows)
{
    cn_routing *routing = NULL;
    spreading s = {.function = function,
                   .budget = scenario->budget,
                   .flows = flows,
                   .traffic = cni_traffic_of(scenario)};
    *flows = (cni_channel_flows){.topology = scenario->topology};
    CNI_TRY(cni_scenario_open_routing(function, scenario, &routing));
    s.routing = routing;
    s.legs = (int)routing->kind->legs;
    cn_status status = open_spreading(&s, turns);
    if (status == CN_OK)
        status = spread_traffic(&s);
    cni_walks_close(&s.graph);
    cni_inlets_close(&s.inlets);
    cni_release(s.block);
    cn_routing_free(&routing);
    return status;
}

void cni_channel_flows_close(cni_channel_flows *flows)
{
    cni_release(flows->block);
    *flows = (cni_channel_flows){0};
}

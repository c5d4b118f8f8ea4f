/* The flows that the random rules induce in a damaged hypercube, destination by destination. */
#include "routing/tables/routes.h"

#include "base/error.h"
#include "base/memory.h"
#include "routing/hierarchy/hierarchy.h"

/* Above this many survivors times channels only a bound of the load limit is worked out. */
#define MOST_WORK (UINT64_C(1) << 28)

typedef struct spreading {
    const cni_routes *routes;
    uint32_t *headers; /* all of them, those with the most ones first */
    double *at;        /* by node: what it sends on to the destination at hand */
    double *flow;
    /* of the cluster of the destination, for the two-level rule */
    uint16_t *hops;
    uint32_t *order; /* nodes outside, nearest first */
    size_t reached;
} spreading;

static void order_headers(uint32_t headers[], uint32_t dimensions)
{
    uint32_t next = 0;
    for (uint32_t ones = dimensions + 1; ones-- > 0;)
        for (uint32_t h = 0; h >> dimensions == 0; h++)
            if (cni_popcount(h) == ones)
                headers[next++] = h;
}

/* A node sends what it has in equal parts over the channels that the rule allows. */
static void send_on(spreading *s, uint32_t row, uint32_t node, uint32_t destination)
{
    uint32_t allowed = cni_routes_allowed(s->routes, row, node, destination);
    double share = s->at[node] / cni_popcount(allowed);
    for (; allowed != 0; allowed &= allowed - 1) {
        uint32_t port = cni_lowest_bit(allowed);
        s->flow[(size_t)port * s->routes->nodes + node] += share;
        s->at[node ^ UINT32_C(1) << port] += share;
    }
}

/* Outside the destination's cluster the hops to it fall, then inside the Hamming distance does. */
static void spread_to(spreading *s, uint32_t destination)
{
    const cni_routes *routes = s->routes;
    uint32_t row = routes->row_of[destination];
    double rate = 1.0 / (routes->survivors - 1.0);
    for (uint32_t i = 0; i < routes->survivors; i++)
        s->at[routes->survivor[i]] = rate;
    for (size_t i = s->reached; i-- > 0 && s->hops[s->order[i]] > 0;)
        send_on(s, row, s->order[i], destination);
    for (uint32_t i = 0; i + 1 < routes->nodes; i++) {
        uint32_t node = s->headers[i] ^ destination;
        if (routes->row_of[node] == row)
            send_on(s, row, node, destination);
    }
}

static cn_status spread_to_all(spreading *s)
{
    const cni_routes *routes = s->routes;
    if (routes->hierarchy == NULL) {
        for (uint32_t i = 0; i < routes->survivors; i++)
            spread_to(s, routes->survivor[i]);
        return CN_OK;
    }
    for (uint32_t row = 0; row < routes->hierarchy->cluster_count; row++) {
        CNI_TRY(cni_search_cluster(routes->hierarchy, row, s->hops, s->order, &s->reached));
        for (uint32_t i = 0; i < routes->survivors; i++)
            if (routes->row_of[routes->survivor[i]] == row)
                spread_to(s, routes->survivor[i]);
    }
    return CN_OK;
}

cn_status cni_routes_flows(const cni_routes *routes, double flow[])
{
    spreading s = {.routes = routes, .flow = flow};
    cn_status status = CN_ERR_MEMORY;
    s.headers = cni_allocate(routes->nodes, sizeof *s.headers);
    s.at = cni_allocate(routes->nodes, sizeof *s.at);
    s.hops = cni_allocate(routes->nodes, sizeof *s.hops);
    s.order = cni_allocate(routes->nodes, sizeof *s.order);
    if (s.headers != NULL && s.at != NULL && s.hops != NULL && s.order != NULL) {
        for (size_t c = 0; c < (size_t)routes->dimensions * routes->nodes; c++)
            flow[c] = 0.0;
        order_headers(s.headers, routes->dimensions);
        status = spread_to_all(&s);
    }
    cni_release(s.headers);
    cni_release(s.at);
    cni_release(s.hops);
    cni_release(s.order);
    return status;
}

cn_status cni_routes_load_limit(const cni_routes *routes, double *limit)
{
    size_t places = (size_t)routes->dimensions * routes->nodes;
    *limit = (double)routes->channels / (routes->survivors * cni_routes_mean_distance(routes));
    if (routes->survivors * routes->channels > MOST_WORK)
        return CN_OK;
    double *flow = cni_allocate(places, sizeof *flow), greatest = 0.0;
    cn_status status = flow == NULL ? CN_ERR_MEMORY : cni_routes_flows(routes, flow);
    if (status == CN_OK) {
        for (size_t c = 0; c < places; c++)
            greatest = flow[c] > greatest ? flow[c] : greatest;
        *limit = 1.0 / greatest;
    }
    cni_release(flow);
    return status;
}

#include "scenario/traffic/random_paths.h"

#include "base/error.h"
#include "routing/decisions/channels.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

typedef struct paths {
    const cn_topology *topology;
    uint32_t ports;
    uint32_t *order;                   /* headers but 0, the farthest first */
    uint64_t *hops, *preferred, *size; /* by header; size: by distance */
    double *flow;                      /* by header: on its way to the present destination */
    double *load;                      /* by node and port */
    void *block;
} paths;

static cn_status open_paths(const cn_topology *topology, paths *p)
{
    size_t nodes = cni_size(topology->nodes);
    *p = (paths){.topology = topology, .ports = topology->max_degree};
    const cni_array arrays[] = {
        CNI_ARRAY(p->order, nodes),     CNI_ARRAY(p->hops, nodes),
        CNI_ARRAY(p->preferred, nodes), CNI_ARRAY(p->size, (uint64_t)nodes + 1),
        CNI_ARRAY(p->flow, nodes),      CNI_ARRAY(p->load, (uint64_t)nodes * p->ports),
    };
    return cni_allocate_arrays(&p->block, arrays);
}

/* Counting sort by distance. */
static void sort_headers(paths *p)
{
    uint64_t nodes = p->topology->nodes;
    for (uint64_t h = 0; h < nodes; h++) {
        p->topology->ops->distance(p->topology, h, 0, &p->hops[h]); /* a closed form: cannot fail */
        p->preferred[h] = cni_preferred_channels(p->topology, h);
        p->size[nodes - p->hops[h]]++;
    }
    for (uint64_t d = 1; d <= nodes; d++)
        p->size[d] += p->size[d - 1];
    for (uint64_t h = 1; h < nodes; h++)
        p->order[p->size[nodes - p->hops[h] - 1]++] = (uint32_t)h;
}

/* Sends all that goes to one node on its way. */
static void add_flow(paths *p, const cn_traffic *traffic, uint64_t destination)
{
    for (uint64_t i = 0; i + 1 < p->topology->nodes; i++) {
        uint64_t h = p->order[i], node = cni_translate(p->topology, destination, h);
        double flow = p->flow[h];
        p->flow[h] = 0.0;
        if (cni_traffic_sends(traffic, node))
            flow += cni_traffic_share(traffic, node, destination, p->hops[h]);
        if (flow == 0.0)
            continue;
        double part = flow / cni_popcount(p->preferred[h]);
        for (uint32_t port = 0; port < p->ports; port++)
            if (p->preferred[h] >> port & 1) {
                p->load[node * p->ports + port] += part;
                p->flow[cni_move_header(p->topology, h, port)] += part;
            }
    }
    p->flow[0] = 0.0;
}

cn_status cni_random_paths_busiest(const cn_traffic *traffic, double *busiest)
{
    const cn_topology *topology = traffic->topology;
    paths p;
    CNI_TRY(open_paths(topology, &p));
    sort_headers(&p);
    for (uint64_t d = 0; d < topology->nodes; d++)
        add_flow(&p, traffic, d);
    *busiest = 0.0;
    for (uint64_t c = 0; c < topology->nodes * p.ports; c++)
        *busiest = p.load[c] > *busiest ? p.load[c] : *busiest;
    cni_release(p.block);
    return CN_OK;
}

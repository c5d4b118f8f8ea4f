/* Facts about a traffic that need no run: probabilities, distances, loads. */
#include "scenario/traffic/traffic_measure.h"

#include <math.h>

#include "base/error.h"
#include "scenario/traffic/pattern.h"
#include "topology/topology.h"

uint64_t cni_senders_of(const cn_traffic *traffic)
{
    uint64_t found = 0;
    for (uint64_t s = 0; s < traffic->topology->hosts; s++)
        found += (uint64_t)traffic->rule->sends(traffic, s);
    return found;
}

/* Nodes of larger networks are not asked one by one. */
static cn_status check_nodes(const char *function, const cn_topology *topology)
{
    if (topology->hosts <= CNI_TRAFFIC_TABLE_NODES)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: %s has %llu nodes, but for this pattern it is computed for at most %llu",
                    function, topology->name, (unsigned long long)topology->hosts,
                    (unsigned long long)CNI_TRAFFIC_TABLE_NODES);
}

cn_status cn_traffic_senders(const cn_traffic *traffic, uint64_t *senders)
{
    CNI_REQUIRE_BOTH(traffic, senders);
    if (traffic->rule->senders != NULL)
        return traffic->rule->senders(traffic, senders);
    if (traffic->rule->sends == cni_everybody_sends) {
        *senders = traffic->topology->hosts;
        return CN_OK;
    }
    CNI_TRY(check_nodes(__func__, traffic->topology));
    *senders = cni_senders_of(traffic);
    return CN_OK;
}

cn_status cn_traffic_probability(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                                 double *probability)
{
    CNI_REQUIRE_BOTH(traffic, probability);
    const cn_topology *topology = traffic->topology;
    uint64_t distance = 0;
    CNI_TRY(cni_check_node(__func__, "source", topology, source));
    CNI_TRY(cni_check_node(__func__, "destination", topology, destination));
    if (traffic->rule->by_distance)
        CNI_TRY(topology->ops->distance(topology, source, destination, &distance));
    if (source == destination || !cni_traffic_sends(traffic, source))
        *probability = 0.0;
    else
        *probability = cni_traffic_share(traffic, source, destination, distance);
    return CN_OK;
}

/* ---- distances from one source after another ---- */

static cn_status open_search(cni_distances *from)
{
    from->source = from->topology->nodes;
    CNI_TRY(cni_graph_open(from->topology, from->budget, &from->graph));
    cn_status status = cni_search_open(&from->graph, &from->search);
    from->is_open = status == CN_OK;
    if (status != CN_OK)
        cni_graph_close(&from->graph);
    return status;
}

void cni_close_distances(cni_distances *from)
{
    if (!from->is_open)
        return;
    cni_search_close(&from->search);
    cni_graph_close(&from->graph);
}

cn_status cni_find_distance(cni_distances *from, uint64_t source, uint64_t destination,
                            uint64_t *hops)
{
    *hops = CN_UNREACHABLE;
    if (from->topology->ops->distance == cni_search_distance) {
        if (!from->is_open)
            CNI_TRY(open_search(from));
        if (source != from->source)
            cni_search_within(&from->graph, (uint32_t)source, from->budget, &from->search);
        from->source = source;
        if (from->search.hops[destination] != CNI_FAR)
            *hops = from->search.hops[destination];
    } else {
        CNI_TRY(from->topology->ops->distance(from->topology, source, destination, hops));
    }
    return cni_budget_go_on(from->budget, 4);
}

cn_status cni_add_distance(cni_distances *from, uint64_t source, uint64_t destination,
                           double weight, double *sum)
{
    uint64_t hops;
    source = cni_host_at(from->topology, source);
    destination = cni_host_at(from->topology, destination);
    CNI_TRY(cni_find_distance(from, source, destination, &hops));
    if (hops == CN_UNREACHABLE)
        return cni_fail(CN_ERR_DISCONNECTED, "traffic: node %llu of %s cannot reach node %llu",
                        (unsigned long long)source, from->topology->name,
                        (unsigned long long)destination);
    *sum += weight * (double)hops;
    return CN_OK;
}

/* Adds the distances to the destinations of each node. */
static cn_status add_each(const cn_traffic *traffic, cni_distances *from, double *sum,
                          double *count)
{
    const cni_pattern_row *rule = traffic->rule;
    uint64_t hosts = traffic->topology->hosts;
    CNI_TRY(check_nodes("cn_traffic_mean_distance", traffic->topology));
    for (uint64_t s = 0; s < hosts; s++) {
        if (!rule->sends(traffic, s))
            continue;
        for (uint64_t d = rule->next_destination(traffic, s, 0); d < hosts;
             d = rule->next_destination(traffic, s, d + 1))
            CNI_TRY(cni_add_distance(from, s, d, rule->share(traffic, s, d, 0), sum));
        *count += 1.0;
    }
    return CN_OK;
}

cn_status cni_traffic_mean_distance_within(const cn_traffic *traffic, cni_budget *budget,
                                           double *mean)
{
    cni_distances from = {.topology = traffic->topology, .budget = budget};
    double sum = 0.0, count = 0.0;
    cn_status status = traffic->rule->next_destination != NULL
                           ? add_each(traffic, &from, &sum, &count)
                           : traffic->rule->add_distances(traffic, &from, &sum, &count);
    cni_close_distances(&from);
    CNI_TRY(status);
    if (count == 0.0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_traffic_mean_distance: no node sends, so there is no mean");
    *mean = sum / count;
    return CN_OK;
}

cn_status cni_traffic_busiest(const cn_traffic *traffic, double *busiest)
{
    const cni_pattern_row *rule = traffic->rule;
    uint64_t hosts = traffic->topology->hosts;
    *busiest = rule->busiest == NULL ? 1.0 : rule->busiest(traffic);
    if (rule->next_destination == NULL || rule->busiest != NULL)
        return CN_OK;
    double *received = cni_allocate(hosts, sizeof *received);
    CNI_TRY_MEMORY(received);
    for (uint64_t s = 0; s < hosts; s++)
        for (uint64_t d = rule->next_destination(traffic, s, 0); d < hosts;
             d = rule->next_destination(traffic, s, d + 1))
            if (d != s)
                *busiest = fmax(*busiest, received[d] += rule->share(traffic, s, d, 0));
    cni_release(received);
    return CN_OK;
}

cn_status cn_traffic_mean_distance(const cn_traffic *traffic, const cn_control *control,
                                   double *mean)
{
    CNI_REQUIRE_BOTH(traffic, mean);
    CNI_BUDGET(budget, control, 0);
    return cni_traffic_mean_distance_within(traffic, &budget, mean);
}

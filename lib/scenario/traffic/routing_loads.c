/* The channel loads of a traffic under a routing. */
#include "scenario/traffic/routing_loads.h"

#include "base/error.h"
#include "base/sort.h"
#include "routing/questions/loads.h"
#include "routing/rules/routing.h"
#include "scenario/traffic/traffic.h"

static int by_destination(const void *a, const void *b)
{
    const cni_pair_flow *x = a, *y = b;
    int destinations = cni_by_number(&x->destination, &y->destination);
    return destinations != 0 ? destinations : cni_by_number(&x->source, &y->source);
}

cn_status cni_pair_flows_sort(cni_pair_flows *flows, cni_budget *budget)
{
    return cni_sort(flows->list, flows->count, sizeof *flows->list, by_destination, budget);
}

uint64_t cni_pair_flows_take(cni_pair_flows *flows, uint64_t source, uint64_t destination)
{
    const cni_pair_flow asked = {destination, source, 0};
    uint64_t amount = 0;
    for (; flows->next < flows->count; flows->next++) {
        int order = by_destination(&flows->list[flows->next], &asked);
        if (order > 0)
            break;
        amount += order == 0 ? flows->list[flows->next].amount : 0;
    }
    return amount;
}

/* With two-way links the distance is the same in both directions, so one search from a destination
 * serves all its sources. */
static cn_status find_distance(cni_rates *r, uint64_t source, uint64_t destination,
                               uint64_t *distance)
{
    return r->traffic->topology->bidirectional
               ? cni_find_distance(&r->distances, destination, source, distance)
               : cni_find_distance(&r->distances, source, destination, distance);
}

cn_status cni_give_rate(void *rates, uint64_t source, uint64_t destination, double *rate)
{
    cni_rates *r = rates;
    uint64_t distance = 0;
    if (r->trace.list != NULL) {
        *rate = (double)cni_pair_flows_take(&r->trace, source, destination) * r->each;
        return CN_OK;
    }
    if (!cni_traffic_sends(r->traffic, source))
        return CN_OK;
    if (r->traffic->rule->by_distance)
        CNI_TRY(find_distance(r, source, destination, &distance));
    *rate = cni_traffic_share(r->traffic, source, destination, distance);
    return CN_OK;
}

static cn_status open_trace(cni_budget *budget, cni_rates *r)
{
    const cni_traffic_table *table = r->traffic->table;
    size_t count = r->trace.count = table->trace_count;
    r->trace.list = cni_allocate(count + 1, sizeof *r->trace.list);
    CNI_TRY_MEMORY(r->trace.list);
    for (size_t i = 0; i < count; i++)
        r->trace.list[i] = (cni_pair_flow){table->trace[i].destination, table->trace[i].source, 1};
    CNI_TRY(cni_pair_flows_sort(&r->trace, budget));
    if (count > 0)
        r->each = 1.0 / ((double)table->trace[count - 1].cycle + 1.0);
    return CN_OK;
}

cn_status cni_rates_open(const char *function, const cn_traffic *traffic, const cn_routing *routing,
                         cni_budget *budget, cni_rates *r)
{
    const cn_topology *t = traffic->topology;
    *r = (cni_rates){.traffic = traffic, .distances = {.topology = t, .budget = budget}};
    if (!cn_topology_equal(t, routing->topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: traffic is that of %s, but routing is on %s",
                        function, t->name, routing->topology->name);
    return cni_traffic_is_trace(traffic) ? open_trace(budget, r) : CN_OK;
}

void cni_rates_close(cni_rates *r)
{
    cni_release(r->trace.list);
    cni_close_distances(&r->distances);
}

cn_status cni_traffic_give_loads(const cn_traffic *traffic, const cn_routing *routing,
                                 cni_budget *budget, double loads[], size_t capacity, size_t *count)
{
    cni_rates r;
    cn_status status = cni_rates_open(budget->function, traffic, routing, budget, &r);
    if (status == CN_OK)
        status = cni_routing_give_loads(budget, routing, cni_give_rate, &r, loads, capacity, count);
    cni_rates_close(&r);
    return status;
}

cn_status cn_traffic_loads(const cn_traffic *traffic, const cn_routing *routing,
                           const cn_control *control, double loads[], size_t capacity,
                           size_t *count)
{
    CNI_REQUIRE_BOTH(traffic, routing);
    CNI_REQUIRE_ARRAY(loads, capacity);
    CNI_BUDGET(budget, control, 0);
    return cni_traffic_give_loads(traffic, routing, &budget, loads, capacity, count);
}

#include "scenario/traffic/capacity.h"

#include <math.h>

#include "topology/topology.h"

double cni_capacity(const cn_topology *topology)
{
    if (cni_is_hypercube(topology))
        return 2.0 - ldexp(1.0, 1 - (int)topology->dimensions); /* exact up to n = 53 */
    double distance = 1.0;
    topology->ops->mean_distance(topology, &distance); /* a closed form: cannot fail */
    return topology->max_degree / distance;
}

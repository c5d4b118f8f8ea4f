/*
 * Store and forward in continuous time: Poisson arrivals and exponential transmission times, drawn
 * anew at each hop (Kleinrock's independence assumption, Horng 1992, 5.2). A message picks its next
 * channel at random among the channels that its routing allows, without a look at the queues. So
 * the channels are a network of M/M/1 queues in the sense of Jackson (1957), with a class of
 * messages for each destination and class of the routing (Baskett et al. 1975). Its stationary
 * distribution is a product. With f the flow of a channel, (S10) of
 * docs/theory/store-and-forward.md
 *
 *     T = (1 / total) sum over the directed channels of f / (1 - f)
 *
 * is exact on every network, with every traffic and every fault. In an undamaged n-cube all f are
 * load d / n, so T = d / (1 - load d / n).
 */
#include "queueing/store_forward/unlimited_model.h"

/* At load 0 the delay is its limit, the mean number of hops. */
double cni_jackson_delay(const cni_channel_flows *flows, double load, double delays[])
{
    double sum = 0.0;
    for (size_t c = 0; c < flows->places; c++) {
        double idle = 1.0 - load * flows->flow[c];
        sum += flows->flow[c] / idle;
        if (delays != NULL)
            delays[c] = 1.0 / idle;
    }
    return sum / flows->rate;
}

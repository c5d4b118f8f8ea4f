/* Store and forward in continuous time: a Jackson network. */
#ifndef CNI_QUEUEING_STORE_FORWARD_JACKSON_H
#define CNI_QUEUEING_STORE_FORWARD_JACKSON_H

#include "queueing/store_forward/channel_flows.h"

/* The exact mean delay at a load at which no channel is full, and into delays (may be NULL) that of each
 * channel. */
double cni_jackson_delay(const cni_channel_flows *flows, double load, double delays[]);

#endif

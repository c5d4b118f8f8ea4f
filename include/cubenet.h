/**
 * @file cubenet.h
 * Everything that cubenet offers, module by module. Each header below can also be included alone.
 * Names, numbers and meaning of what is declared here stay for a major version, but for the headers
 * of cubenet/experimental.
 *
 * @since 0.1
 */
#ifndef CUBENET_H
#define CUBENET_H

/* base */
#include "cubenet/base.h"
#include "cubenet/control.h"

/* topology: what a network is and what it is worth */
#include "cubenet/address.h"
#include "cubenet/interchange.h"
#include "cubenet/measure.h"
#include "cubenet/necklace.h"
#include "cubenet/topology.h"
#include "cubenet/tree.h"

/* routing: what a node decides, also when the network is damaged */
#include "cubenet/deadlock.h"
#include "cubenet/decision.h"
#include "cubenet/fault.h"
#include "cubenet/hierarchy.h"
#include "cubenet/routing.h"
#include "cubenet/subnet.h"

/* scenario: one experiment and its result */
#include "cubenet/choice.h"
#include "cubenet/collective.h"
#include "cubenet/enum.h"
#include "cubenet/metric.h"
#include "cubenet/parameter.h"
#include "cubenet/result.h"
#include "cubenet/scenario.h"
#include "cubenet/statistics.h"
#include "cubenet/system.h"
#include "cubenet/traffic.h"

/* queueing: analytic models */
#include "cubenet/queueing.h"

/* simulation: a simulation driven step by step */
#include "cubenet/simulation.h"

/*
 * What any version may change or remove: for programs that define CN_EXPERIMENTAL before they
 * include this header, or include the headers themselves.
 */
#ifdef CN_EXPERIMENTAL

/* topology: what only some networks have, and hosts */
#include "cubenet/experimental/chord.h"
#include "cubenet/experimental/hosts.h"
#include "cubenet/experimental/multicast.h"

/* routing: clusters of faults, more kinds of subnets, monotone paths */
#include "cubenet/experimental/damage.h"

/* scenario: what models compute on the way, results of many processes, and messages that wait for
 * messages */
#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/shard.h"
#include "cubenet/experimental/workload.h"
#include "cubenet/experimental/collectives.h"

/* queueing: networks of one size */
#include "cubenet/experimental/shape.h"

/* simulation: one network over many processes */
#include "cubenet/experimental/part.h"

/* study: experiments over many scenarios */
#include "cubenet/experimental/study.h"

#endif

#endif

/**
 * @file cubenet.h
 * The whole library, module by module. Each header below can also be included alone. Names, numbers
 * and meanings of the declarations stay the same during a major version, except in the headers of
 * cubenet/experimental.
 *
 * @since 1.0
 */
#ifndef CUBENET_H
#define CUBENET_H

/* base */
#include "cubenet/base.h"
#include "cubenet/control.h"

/* topology: networks as graphs, and their measures */
#include "cubenet/address.h"
#include "cubenet/interchange.h"
#include "cubenet/measure.h"
#include "cubenet/necklace.h"
#include "cubenet/topology.h"
#include "cubenet/tree.h"

/* routing: the channels that messages may take, in undamaged and damaged networks */
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
 * Experimental headers: any version may change or remove their declarations. A program that wants
 * them defines CN_EXPERIMENTAL before it includes this header, or includes the headers themselves.
 */
#ifdef CN_EXPERIMENTAL

/* topology: chords of chordal rings, hosts and routers, multicast on balanced trees */
#include "cubenet/experimental/chord.h"
#include "cubenet/experimental/hosts.h"
#include "cubenet/experimental/multicast.h"

/* routing: clusters of faults, more subnets, monotone paths */
#include "cubenet/experimental/damage.h"

/* scenario: intermediate results of models, shards of results, and workloads */
#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/shard.h"
#include "cubenet/experimental/workload.h"
#include "cubenet/experimental/collectives.h"

/* queueing: networks of equal size and different shape */
#include "cubenet/experimental/shape.h"

/* simulation: one network divided over many processes */
#include "cubenet/experimental/part.h"

/* study: experiments over many scenarios */
#include "cubenet/experimental/study.h"

#endif

#endif

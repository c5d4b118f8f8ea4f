/**
 * @file cubenet.h
 * Everything that cubenet offers, module by module. Each header below can also be included alone.
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
#include "cubenet/part.h"
#include "cubenet/simulation.h"

/* study: experiments over many scenarios */
#include "cubenet/study.h"

#endif

/**
 * @file cubenet.h
 * Everything that cubenet offers. Each header below can also be included alone.
 */
#ifndef CUBENET_H
#define CUBENET_H

#include "cubenet/base.h"
#include "cubenet/collective.h"
#include "cubenet/deadlock.h"
#include "cubenet/fault.h"
#include "cubenet/hierarchy.h"
#include "cubenet/interchange.h"
#include "cubenet/measure.h"
#include "cubenet/necklace.h"
#include "cubenet/queueing.h"
#include "cubenet/routing.h"
#include "cubenet/scenario.h"
#include "cubenet/simulation.h"
#include "cubenet/study.h"
#include "cubenet/subnet.h"
#include "cubenet/topology.h"
#include "cubenet/traffic.h"
#include "cubenet/tree.h"
#include "cubenet/wormhole.h"

#endif

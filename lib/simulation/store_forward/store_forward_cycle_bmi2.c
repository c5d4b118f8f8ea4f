/* The slotted cycle for x86-64 processors with POPCNT and PDEP. */
#include "simulation/store_forward/store_forward.h"

#if CNI_BMI2
#include <immintrin.h>

#include "base/error.h"
#include "base/inline.h"
#include "routing/decisions/channels.h"

#define COUNT(word) ((uint32_t)__builtin_popcountll(word))
#define SELECT(word, rank) ((uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (rank), (word))))
#define TARGET __attribute__((target("bmi,bmi2,popcnt")))
#define LOCAL(part) cni_store_bmi2_##part
#include "simulation/store_forward/store_forward_node.inc.h"

#include "simulation/store_forward/store_forward_cycle.inc.h"

#define VISIT LOCAL(visit_each)
#define WALKS cni_store_walks_bmi2
#include "simulation/store_forward/store_forward_pass.inc.h"
#endif

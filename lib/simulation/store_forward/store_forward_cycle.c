/* The slotted cycle for any processor. */
#include "base/error.h"
#include "base/inline.h"
#include "routing/decisions/channels.h"
#include "simulation/store_forward/store_forward.h"

#define COUNT(word) cni_popcount(word)
#define SELECT(word, rank) cni_select_bit(word, rank)
#define TARGET
#define LOCAL(part) cni_store_any_##part
#include "simulation/store_forward/store_forward_node.inc.h"

#include "simulation/store_forward/store_forward_cycle.inc.h"

#define VISIT LOCAL(visit_each)
#define WALKS cni_store_walks_any
#include "simulation/store_forward/store_forward_pass.inc.h"

int cni_store_fits_lanes(const cni_store *k)
{
    int is_whole = k->part.parts < 2, notes_hops = k->shape.hop == 0 && k->form == CNI_STORE_ROUTED;
    if (is_whole && (k->head.mailbox.waiting > 0 || k->head.mailbox.reports_trace))
        return 0;
    return (is_whole || !notes_hops) && (k->form != CNI_STORE_RINGS || k->by_header != NULL) &&
           (k->form != CNI_STORE_ROUTED || k->allowed != NULL);
}

cni_store_walk_fn cni_store_choose_walk(const cni_store *k)
{
    int counts = k->counts.words > 0;
#if CNI_AVX512
    if (cni_store_fits_lanes(k) && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vpopcntdq"))
        return cni_store_walks_avx512[cni_store_form_of(k)][k->separate][counts];
#endif
#if CNI_BMI2
    if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt"))
        return cni_store_walks_bmi2[cni_store_form_of(k)][k->separate][counts];
#endif
    return cni_store_walks_any[cni_store_form_of(k)][k->separate][counts];
}

cn_status cni_store_join(cni_store *k, uint64_t node, const cni_message *message, uint64_t word)
{
    return cni_store_any_join(k, &k->shape, cni_store_worker_of(k, node), node, message, word,
                              cni_store_form_of(k), k->separate);
}

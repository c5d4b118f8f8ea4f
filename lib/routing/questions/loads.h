/* Expected channel loads, in the name of the public function that was called. */
#ifndef CNI_ROUTING_QUESTIONS_LOADS_H
#define CNI_ROUTING_QUESTIONS_LOADS_H

#include "cubenet/routing.h"

#include "base/budget.h"

/* As cn_routing_loads() and cn_routing_saturation_load(). Rates are asked for destination by
 * destination and, for each, source by source, in ascending order. */
cn_status cni_routing_give_loads(cni_budget *budget, const cn_routing *routing, cn_rate_fn rate,
                                 void *user, double loads[], size_t capacity, size_t *count);
cn_status cni_routing_give_saturation(cni_budget *budget, const cn_routing *routing,
                                      cn_rate_fn rate, void *user, double *load);

#endif

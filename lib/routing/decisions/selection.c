/* The names of the selection functions. */
#include "routing/decisions/selection.h"

static const cni_named selections[] = {
    [CN_SELECTION_RANDOM] = {"random", "any of them, with equal probability"},
    [CN_SELECTION_LOWEST] = {"lowest", "the one of the lowest port"},
    [CN_SELECTION_LEAST_LOADED] = {"least-loaded", "the one for which the fewest messages wait"},
};
const cni_names cni_selections = CNI_NAMES("selection", selections, 0);

/*
 * The cycle in all its forms and the table of them, included once per kind of processor with what
 * deflection_cycle.inc.h wants (but FORM and RUN), and
 *
 *     VARIANT  the word by which the names of these functions differ from all others
 *     RUNS     the name of the table
 */

#define VARIANT_RUN(form, variant) VARIANT_JOINED(form, variant)
#define VARIANT_JOINED(form, variant) run_##form##_##variant

#define FORM CNI_FORM_BOOLEAN
#define RUN VARIANT_RUN(boolean, VARIANT)
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

#define FORM CNI_FORM_KARY
#define RUN VARIANT_RUN(kary, VARIANT)
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

#define FORM CNI_FORM_ROUTED
#define RUN VARIANT_RUN(routed, VARIANT)
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

const cni_deflection_run_fn RUNS[CNI_FORMS] = {
    [CNI_FORM_BOOLEAN] = VARIANT_RUN(boolean, VARIANT),
    [CNI_FORM_KARY] = VARIANT_RUN(kary, VARIANT),
    [CNI_FORM_ROUTED] = VARIANT_RUN(routed, VARIANT),
};

#undef VARIANT_RUN
#undef VARIANT_JOINED

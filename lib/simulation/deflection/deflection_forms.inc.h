/*
 * The cycle in all its forms and the table of them, included once per kind of processor with what
 * deflection_cycle.inc.h wants (but FORM and PASS), and
 *
 *     VARIANT  the word by which the names of these functions differ from all others
 *     PASSES     the name of the table
 */

#define VARIANT_PASS(form, variant) VARIANT_JOINED(form, variant)
#define VARIANT_JOINED(form, variant) pass_##form##_##variant

#define FORM CNI_FORM_BOOLEAN
#define PASS VARIANT_PASS(boolean, VARIANT)
#include "simulation/deflection/deflection_cycle.inc.h"
#undef PASS
#undef FORM

#define FORM CNI_FORM_KARY
#define PASS VARIANT_PASS(kary, VARIANT)
#include "simulation/deflection/deflection_cycle.inc.h"
#undef PASS
#undef FORM

#define FORM CNI_FORM_ROUTED
#define PASS VARIANT_PASS(routed, VARIANT)
#include "simulation/deflection/deflection_cycle.inc.h"
#undef PASS
#undef FORM

const cni_deflection_pass_fn PASSES[CNI_FORMS] = {
    [CNI_FORM_BOOLEAN] = VARIANT_PASS(boolean, VARIANT),
    [CNI_FORM_KARY] = VARIANT_PASS(kary, VARIANT),
    [CNI_FORM_ROUTED] = VARIANT_PASS(routed, VARIANT),
};

#undef VARIANT_PASS
#undef VARIANT_JOINED

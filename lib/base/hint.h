/* What a name that nothing has was probably meant to be. */
#ifndef CNI_BASE_HINT_H
#define CNI_BASE_HINT_H

#include "base/names.h"

/* Words of the field and of other programs. They are compared without case and separators, and
 * count only where there is such a name of ours: "load" is a parameter, "offered_load" a metric.
 * The last row has NULL. */
typedef struct cni_translation {
    const char *theirs, *ours;
} cni_translation;
extern const cni_translation cni_translations[];

/* The end of the sentence: `; did you mean "load"?`, otherwise all names, "" when they are too
 * many. The name meant is one that differs in case and separators, one that others use for the same
 * thing, or one with most of the same letters. */
enum { CNI_HINT_CAPACITY = CNI_LIST_CAPACITY + 16 };
const char *cni_hint(const cni_names *names, const char *name, char text[CNI_HINT_CAPACITY]);

#endif

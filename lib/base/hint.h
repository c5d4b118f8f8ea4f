/* The known name that a caller probably meant by an unknown name. */
#ifndef CNI_BASE_HINT_H
#define CNI_BASE_HINT_H

#include "base/names.h"

/* Words of the field and of other programs for names of this library. Comparison ignores case
 * and separators. A word counts only where the table in question has the name: "load" is a
 * parameter, "offered_load" a metric. The last row has NULL. */
typedef struct cni_translation {
    const char *theirs, *ours;
} cni_translation;
extern const cni_translation cni_translations[];

/* The end of an error text: `; did you mean "load"?`, otherwise all names, or "" when the names
 * are too many. The proposed name differs in case and separators alone, is the translation of
 * another word for the same thing, or shares most letters with the unknown name. */
enum { CNI_HINT_CAPACITY = CNI_LIST_CAPACITY + 16 };
const char *cni_hint(const cni_names *names, const char *name, char text[CNI_HINT_CAPACITY]);

#endif

/* The known name that a caller probably meant by an unknown name. */
#ifndef CNI_BASE_HINT_H
#define CNI_BASE_HINT_H

#include "base/names.h"

/* Words of the literature and of other programs, and the names of this library for the same things.
 * Comparison ignores case and separators. A row counts only for a table of names that has `ours`:
 * "load" is a parameter, "offered_load" a metric. The last row has NULL. */
typedef struct cni_translation {
    const char *theirs, *ours;
} cni_translation;
extern const cni_translation cni_translations[];

/* Writes the end of an error text into `text` and returns it: `; did you mean "load"?`, or the
 * function that offers the thing; otherwise all names, or "" when the names are too many. The
 * proposed name differs from the unknown name in case and separators alone, is its translation, or
 * shares most letters with it. */
enum { CNI_HINT_CAPACITY = CNI_LIST_CAPACITY + 16 };
const char *cni_hint(const cni_names *names, const char *name, char text[CNI_HINT_CAPACITY]);

#endif

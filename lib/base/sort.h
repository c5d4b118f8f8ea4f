/* Sorting in place: qsort() of a C library may allocate, past the allocator of the caller. */
#ifndef CNI_BASE_SORT_H
#define CNI_BASE_SORT_H

#include "base/budget.h"

/* Below 0, 0 or above 0, as for qsort(). */
typedef int (*cni_compare_fn)(const void *a, const void *b);

/* No element has more bytes. */
enum { CNI_SORT_BYTES = 128 };

/*
 * Sorts ascending, in O(count log count) for every order. Elements that compare as equal come in
 * any order, the same one each time.
 *
 * CN_ERR_CANCELLED, with a sentence, when the budget was stopped: the elements are then all there,
 * in no order. With NULL for a budget it always ends with CN_OK.
 */
cn_status cni_sort(void *array, size_t count, size_t size, cni_compare_fn compare,
                   cni_budget *budget);

#endif

/* Sorting in place: qsort() of a C library may allocate memory without the allocator of the
 * caller. */
#ifndef CNI_BASE_SORT_H
#define CNI_BASE_SORT_H

#include "base/budget.h"

/* Below 0, 0 or above 0, as for qsort(). */
typedef int (*cni_compare_fn)(const void *a, const void *b);

/* For elements that begin with a uint64_t. */
int cni_by_number(const void *a, const void *b);

/* The largest element. */
enum { CNI_SORT_BYTES = 128 };

/*
 * Sorts ascending, in O(count log count) for every order. Equal elements come in any order, the
 * same order each time. CN_ERR_CANCELLED, with a sentence, when the budget was stopped: then the
 * array has all its elements, in no order. With a NULL budget the sort always returns CN_OK.
 */
cn_status cni_sort(void *array, size_t count, size_t size, cni_compare_fn compare,
                   cni_budget *budget);

/* The same for a search, which keeps its bounds: 0, without a sentence, when the budget was
 * stopped. */
int cni_sort_within(void *array, size_t count, size_t size, cni_compare_fn compare,
                    cni_budget *budget);

#endif

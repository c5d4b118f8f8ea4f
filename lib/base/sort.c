/*
 * Introspective sort (Musser 1997): quicksort; heap sort where the pivots were bad too often; insertion for short
 * pieces.
 */
#include "base/sort.h"

#include <string.h>

enum {
    SHORT = 12,     /* pieces that insertion sorts */
    UNITS = 8,      /* of work for a comparison and the move that follows */
    COMPARES = 1024 /* between two looks at the budget */
};

typedef struct cni_sorter {
    unsigned char *array;
    size_t size;
    cni_compare_fn compare;
    cni_budget *budget;
    uint32_t compares;
    int stopped;
} cni_sorter;

static unsigned char *element(const cni_sorter *s, size_t i)
{
    return s->array + i * s->size;
}

static void swap_elements(const cni_sorter *s, size_t i, size_t j)
{
    unsigned char one[CNI_SORT_BYTES];
    memcpy(one, element(s, i), s->size);
    memcpy(element(s, i), element(s, j), s->size);
    memcpy(element(s, j), one, s->size);
}

/* 0 once the sort was stopped, so that no scan goes on. */
static int is_below(cni_sorter *s, const void *a, const void *b)
{
    if (++s->compares == COMPARES) {
        s->compares = 0;
        s->stopped = !cni_budget_work(s->budget, COMPARES * UNITS);
    }
    return !s->stopped && s->compare(a, b) < 0;
}

static void insert_each(cni_sorter *s, size_t first, size_t end)
{
    unsigned char one[CNI_SORT_BYTES];
    size_t size = s->size;
    for (size_t i = first + 1; i < end; i++) {
        unsigned char *from = element(s, i), *to = from;
        for (size_t left = i - first; left > 0 && is_below(s, from, to - size); left--)
            to -= size;
        if (to == from)
            continue;
        memcpy(one, from, size);
        memmove(to + size, to, (size_t)(from - to));
        memcpy(to, one, size);
    }
}

/* Element i of the heap of `count` elements from `first` on goes down to where no child is above it. */
static void sift_element(cni_sorter *s, size_t first, size_t i, size_t count)
{
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count &&
            is_below(s, element(s, first + child), element(s, first + child + 1)))
            child++;
        if (!is_below(s, element(s, first + i), element(s, first + child)))
            return;
        swap_elements(s, first + i, first + child);
        i = child;
    }
}

static void sort_by_heap(cni_sorter *s, size_t first, size_t end)
{
    size_t count = end - first;
    for (size_t i = count / 2; i-- > 0 && !s->stopped;)
        sift_element(s, first, i, count);
    while (--count > 0 && !s->stopped) {
        swap_elements(s, first, first + count);
        sift_element(s, first, 0, count);
    }
}

static size_t median_of(cni_sorter *s, size_t i, size_t j, size_t k)
{
    int up = is_below(s, element(s, i), element(s, j));
    if (is_below(s, element(s, j), element(s, k)) == up)
        return j;
    return is_below(s, element(s, i), element(s, k)) == up ? k : i;
}

/* Divides a piece that is not short in two parts, of which no element of the first is above one of the second, and
 * gives where the second begins: behind the first element and not behind the last (Hoare). The pivot is none of the
 * ends, where elements were put that are not in an order that there was before. */
static size_t divide(cni_sorter *s, size_t first, size_t end)
{
    unsigned char pivot[CNI_SORT_BYTES];
    size_t i = first, j = end - 1, quarter = (end - first) / 4;
    memcpy(pivot, element(s, median_of(s, first + quarter, first + 2 * quarter, end - quarter)),
           s->size);
    for (;; i++, j--) {
        while (is_below(s, element(s, i), pivot))
            i++;
        while (is_below(s, pivot, element(s, j)))
            j--;
        if (i >= j || s->stopped)
            return j + 1;
        swap_elements(s, i, j);
    }
}

/* The longer part is gone on with, so that calls are no deeper than the logarithm. */
static void sort_piece(cni_sorter *s, size_t first, size_t end, uint32_t pivots)
{
    while (end - first > SHORT && !s->stopped) {
        if (pivots-- == 0) {
            sort_by_heap(s, first, end);
            return;
        }
        size_t middle = divide(s, first, end);
        if (s->stopped)
            return;
        if (middle - first < end - middle) {
            sort_piece(s, first, middle, pivots);
            first = middle;
        } else {
            sort_piece(s, middle, end, pivots);
            end = middle;
        }
    }
    insert_each(s, first, end);
}

static int is_in_order(cni_sorter *s, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (is_below(s, element(s, i), element(s, i - 1)) || s->stopped)
            return 0;
    return 1;
}

cn_status cni_sort(void *array, size_t count, size_t size, cni_compare_fn compare,
                   cni_budget *budget)
{
    cni_sorter s = {.array = array, .size = size, .compare = compare, .budget = budget};
    uint32_t pivots = 0;
    for (size_t rest = count; rest > 1; rest /= 2)
        pivots += 2;
    if (count <= SHORT || !is_in_order(&s, count))
        sort_piece(&s, 0, count, pivots);
    return s.stopped ? cni_budget_fail(budget) : CN_OK;
}

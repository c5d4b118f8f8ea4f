/* Heap sort (Williams 1964), with insertion for short arrays; an array in order needs no work. */
#include "base/sort.h"

#include <string.h>

enum {
    SHORT = 12,     /* the longest array that insertion sorts */
    UNITS = 8,      /* of work, for a comparison and the move after it */
    COMPARES = 1024 /* comparisons between two looks at the budget */
};

typedef struct cni_sorter {
    unsigned char *array;
    size_t size;
    cni_compare_fn compare;
    cni_budget *budget;
    uint32_t compares;
    int stopped;
} cni_sorter;

int cni_by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

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

/* 0 once the sort was stopped, so that every scan ends. */
static int is_below(cni_sorter *s, const void *a, const void *b)
{
    if (++s->compares == COMPARES) {
        s->compares = 0;
        s->stopped = !cni_budget_work(s->budget, COMPARES * UNITS);
    }
    return !s->stopped && s->compare(a, b) < 0;
}

static void insert_each(cni_sorter *s, size_t count)
{
    unsigned char one[CNI_SORT_BYTES];
    size_t size = s->size;
    for (size_t i = 1; i < count; i++) {
        unsigned char *from = element(s, i), *to = from;
        for (size_t left = i; left > 0 && is_below(s, from, to - size); left--)
            to -= size;
        if (to == from)
            continue;
        memcpy(one, from, size);
        memmove(to + size, to, (size_t)(from - to));
        memcpy(to, one, size);
    }
}

/* Element i of the heap of `count` elements moves down until no child is above it. */
static void sift_element(cni_sorter *s, size_t i, size_t count)
{
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && is_below(s, element(s, child), element(s, child + 1)))
            child++;
        if (!is_below(s, element(s, i), element(s, child)))
            return;
        swap_elements(s, i, child);
        i = child;
    }
}

static void sort_by_heap(cni_sorter *s, size_t count)
{
    for (size_t i = count / 2; i-- > 0 && !s->stopped;)
        sift_element(s, i, count);
    while (--count > 0 && !s->stopped) {
        swap_elements(s, 0, count);
        sift_element(s, 0, count);
    }
}

static int is_in_order(cni_sorter *s, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (is_below(s, element(s, i), element(s, i - 1)) || s->stopped)
            return 0;
    return 1;
}

int cni_sort_within(void *array, size_t count, size_t size, cni_compare_fn compare,
                    cni_budget *budget)
{
    cni_sorter s = {.array = array, .size = size, .compare = compare, .budget = budget};
    if (count <= SHORT)
        insert_each(&s, count);
    else if (!is_in_order(&s, count))
        sort_by_heap(&s, count);
    return !s.stopped;
}

cn_status cni_sort(void *array, size_t count, size_t size, cni_compare_fn compare,
                   cni_budget *budget)
{
    return cni_sort_within(array, count, size, compare, budget) ? CN_OK : cni_budget_fail(budget);
}

/* All memory of the library, through the allocator of cn_set_allocator(). */
#ifndef CNI_BASE_MEMORY_H
#define CNI_BASE_MEMORY_H

#include "cubenet/base.h"

#ifdef __STDC_NO_ATOMICS__
#error "cubenet needs <stdatomic.h>: gcc 4.9, clang 3.6, Visual C 17.5 or later"
#endif
#include <stdatomic.h>

/* A zeroed block for count elements of size bytes; NULL, with the error text set, when there is
 * no memory or the product overflows. A count or size of 0 gives a block all the same. The
 * function checks that counts of 64 bits fit the size_t of the machine, so callers pass counts
 * as they are; sums and products are formed in 64 bits. The error text names the calling
 * function. */
#define cni_allocate(count, size) cni_allocate_for(__func__, count, size)
void *cni_allocate_for(const char *function, uint64_t count, size_t size);

/* Leaves the calling function, which returns cn_status, with CN_ERR_MEMORY when an allocation
 * gave NULL; the allocation has set the error text. */
#define CNI_TRY_MEMORY(block)     \
    do {                          \
        if ((block) == NULL)      \
            return CN_ERR_MEMORY; \
    } while (0)

/* A count as a size_t for the caller; SIZE_MAX, for which no array has room, where the count
 * does not fit. */
static inline size_t cni_size(uint64_t count)
{
    return count < SIZE_MAX ? (size_t)count : SIZE_MAX;
}

/* Releases a block of cni_allocate(); accepts NULL. */
void cni_release(void *memory);

/* Doubles *capacity (from at least 16) until the array has room for the needed elements, and
 * moves the elements. `array` is the address of a pointer of any type. After a failure, which
 * sets the error text, both are unchanged. */
#define cni_grow(array, capacity, needed, size) \
    cni_grow_for(__func__, array, capacity, needed, size)
cn_status cni_grow_for(const char *function, void *array, size_t *capacity, uint64_t needed,
                       size_t size);

/* Arrays with the same lifetime lie in one block. A row for each array has the address of a pointer
 * of any type, and the number and the size of the elements. */
typedef struct cni_array {
    void *pointer;
    uint64_t count;
    size_t size;
} cni_array;

#define CNI_ARRAY(pointer, count)              \
    {                                          \
        &(pointer), (count), sizeof *(pointer) \
    }

/* An array under a condition; otherwise its pointer stays as it is. */
#define CNI_ARRAY_IF(condition, pointer, count)                     \
    {                                                               \
        (condition) ? &(pointer) : NULL, (count), sizeof *(pointer) \
    }

/* Makes the block, zeroed, and sets the pointers; the caller releases only the block. After
 * CN_ERR_MEMORY the block is NULL, and the pointers stay as they are. */
#define cni_allocate_arrays(block, arrays) \
    cni_allocate_arrays_for(__func__, block, arrays, sizeof(arrays) / sizeof *(arrays))
cn_status cni_allocate_arrays_for(const char *function, void **block, const cni_array arrays[],
                                  size_t count);

/* Number of blocks that are allocated now. */
size_t cni_live_blocks(void);

/* How many handles and objects share an object. */
typedef atomic_uint_fast32_t cni_references;

static inline void cni_retain(cni_references *references)
{
    atomic_fetch_add_explicit(references, 1, memory_order_relaxed);
}

/* 1 when that was the last reference, and the caller must destroy the object. */
static inline int cni_drop(cni_references *references)
{
    return atomic_fetch_sub_explicit(references, 1, memory_order_acq_rel) == 1;
}

#endif

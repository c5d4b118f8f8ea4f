/* All memory of the library: allocation with a check of overflow, growth of arrays, large pages. */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Under the address sanitizer: the bytes of a block that belong to no array. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define CNI_GUARD(from, size) ASAN_POISON_MEMORY_REGION(from, size)
#else
#define CNI_GUARD(from, size) ((void)(from), (void)(size))
#endif

enum { LINE = 64 };

static cn_allocate_fn hook_allocate; /* NULL: malloc and free */
static cn_release_fn hook_release;
static void *hook_user;
static atomic_size_t live_blocks;

cn_status cn_set_allocator(cn_allocate_fn allocate, cn_release_fn release, void *user)
{
    if ((allocate == NULL) != (release == NULL))
        return cni_fail(
            CN_ERR_ARGUMENT,
            "cn_set_allocator: allocate and release must both be given or both be NULL");
    size_t blocks = cni_live_blocks();
    if (blocks > 0)
        return cni_fail(CN_ERR_STATE,
                        "cn_set_allocator: %zu blocks of the present allocator are still in use",
                        blocks);
    hook_allocate = allocate;
    hook_release = release;
    hook_user = user;
    return CN_OK;
}

size_t cni_live_blocks(void)
{
    return atomic_load(&live_blocks);
}

/* Asks the system for large pages: without large pages the processor waits for addresses where
 * code reads a large block in no order. The answer does not matter. */
static void want_large_pages(void *memory, size_t size)
{
#if defined(MADV_HUGEPAGE)
    const size_t page = (size_t)1 << 21;
    if (size < 2 * page)
        return;
    size_t before = (0 - (size_t)(uintptr_t)memory) % page;
    (void)madvise((char *)memory + before, (size - before) / page * page, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}

void *cni_allocate_for(const char *function, uint64_t count, size_t size)
{
    if (count == 0 || size == 0)
        count = size = 1;
    void *memory = NULL;
    if (count <= PTRDIFF_MAX / size) {
        if (hook_allocate == NULL) {
            memory =
                calloc((size_t)count, size); /* leaves the zeroing of large blocks to the system */
            if (memory != NULL)
                want_large_pages(memory, (size_t)count * size);
        } else {
            memory = hook_allocate(hook_user, (size_t)count * size);
            if (memory != NULL)
                memset(memory, 0, (size_t)count * size);
        }
    }
    if (memory == NULL) {
        cni_fail(CN_ERR_MEMORY, "%s: out of memory for %llu elements of %zu bytes", function,
                 (unsigned long long)count, size);
        return NULL;
    }
    atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return memory;
}

/* Arrays begin at lines of the cache, so that every type is aligned. No block is above
 * PTRDIFF_MAX. */
static uint64_t room_of(const cni_array *array)
{
    if (array->pointer == NULL)
        return 0;
    if (array->count > (PTRDIFF_MAX - 2 * LINE) / array->size)
        return (uint64_t)PTRDIFF_MAX + 1;
    return (array->count * array->size + 2 * LINE - 1) / LINE * LINE;
}

/* The pointers are written byte by byte: C does not allow to write a void * where a T * lies. */
cn_status cni_allocate_arrays_for(const char *function, void **block, const cni_array arrays[],
                                  size_t count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count && total <= PTRDIFF_MAX; i++)
        total += room_of(&arrays[i]);
    char *place = cni_allocate_for(function, total, 1);
    *block = place;
    CNI_TRY_MEMORY(place);
    for (size_t i = 0; i < count; i++) {
        uint64_t used = arrays[i].count * arrays[i].size, room = room_of(&arrays[i]);
        if (room == 0)
            continue;
        memcpy(arrays[i].pointer, &place, sizeof place);
        if (hook_release == NULL)
            CNI_GUARD(place + used, room - used);
        place += room;
    }
    return CN_OK;
}

void cni_release(void *memory)
{
    if (memory == NULL)
        return;
    if (hook_release == NULL)
        free(memory);
    else
        hook_release(hook_user, memory);
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
}

/* The pointer is copied byte by byte: C does not allow to access a void * where a T * lies. */
cn_status cni_grow_for(const char *function, void *array, size_t *capacity, uint64_t needed,
                       size_t size)
{
    if (needed <= *capacity)
        return CN_OK;
    size_t room = *capacity < 16 ? 16 : *capacity;
    while (room < needed && room <= SIZE_MAX / 2)
        room *= 2;
    void *old, *moved = cni_allocate_for(function, room < needed ? UINT64_MAX : room, size);
    CNI_TRY_MEMORY(moved);
    memcpy(&old, array, sizeof old);
    if (old != NULL)
        memcpy(moved, old, *capacity * size);
    cni_release(old);
    memcpy(array, &moved, sizeof moved);
    *capacity = room;
    return CN_OK;
}

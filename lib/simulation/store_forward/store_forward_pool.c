/* Memory for the queues of stored messages: blocks of one array, which grows at its end. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "simulation/store_forward/store_forward.h"

static uint64_t *block_at(const cni_pool *pool, uint32_t block)
{
    return pool->words + (size_t)block * pool->width;
}

/* Adds this many places at the end of the array. */
static cn_status add_places(cni_pool *pool, uint64_t places)
{
    if (places > UINT32_MAX - pool->used)
        return cni_fail(CN_ERR_MEMORY, "out of memory: the queues have more than 2^32 places");
    CNI_TRY(cni_grow(&pool->words, &pool->capacity, (pool->used + places) * pool->width,
                     sizeof *pool->words));
    pool->used += places;
    return CN_OK;
}

cn_status cni_pool_open(cni_pool *pool, uint64_t queues, uint32_t home_size, uint32_t width)
{
    *pool = (cni_pool){.width = width, .home_size = home_size};
    return add_places(pool, (queues + 1) << home_size);
}

static void release_block(cni_pool *pool, uint32_t block, uint32_t size)
{
    if (size == pool->home_size)
        return;
    *block_at(pool, block) = pool->free[size];
    pool->free[size] = block;
}

/* Takes a block of this size, which is larger than a home. A block begins at a multiple of its
 * size, so a gap may remain before it; the gap is released as smaller blocks. */
static cn_status take_block(cni_pool *pool, uint32_t size, uint32_t *block)
{
    uint64_t places = UINT64_C(1) << size, gap = pool->used,
             end = (gap + places - 1) & ~(places - 1);
    *block = pool->free[size];
    if (*block != 0) {
        pool->free[size] = (uint32_t)*block_at(pool, *block);
        return CN_OK;
    }
    CNI_TRY(add_places(pool, end + places - gap));
    for (uint32_t i = pool->home_size; gap < end; i++) {
        if ((gap >> i & 1) == 0)
            continue;
        release_block(pool, (uint32_t)gap, i);
        gap += UINT64_C(1) << i;
    }
    *block = (uint32_t)end;
    return CN_OK;
}

cn_status cni_pool_grow(cni_pool *pool, cni_queue *queue)
{
    uint32_t size = cni_queue_size(queue), length = cni_queue_length(queue), block;
    if (size == CNI_QUEUE_LARGEST)
        return cni_fail(CN_ERR_MEMORY, "out of memory: a queue has more than 2^%d places",
                        CNI_QUEUE_LARGEST);
    CNI_TRY(take_block(pool, size + 1, &block));
    uint32_t mask = cni_queue_mask(queue), head = queue->tail & mask, old = queue->tail - head;
    size_t width = pool->width, first = length - head;
    uint64_t *to = block_at(pool, block), *at = block_at(pool, old);
    memcpy(to, at + head * width, first * width * sizeof *to);
    memcpy(to + first * width, at, head * width * sizeof *to);
    release_block(pool, old, size);
    *queue = cni_queue_packed(block, size + 1, length);
    return CN_OK;
}

void cni_pool_go_home(cni_pool *pool, cni_queue *queue, uint32_t home)
{
    release_block(pool, queue->tail & ~cni_queue_mask(queue), cni_queue_size(queue));
    *queue = cni_queue_at_home(pool, home);
}

/* Room for the queues of stored messages: blocks of one array that grows at its end. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "simulation/store_forward/store_forward.h"

/* Doublings of a home. */
static uint32_t size_of(const cni_pool *pool, uint32_t mask)
{
    uint32_t size = 0;
    while (pool->home_mask < mask >> size)
        size++;
    return size;
}

static uint64_t *block_at(const cni_pool *pool, uint32_t block)
{
    return pool->words + (size_t)block * pool->width;
}

/* A new block at the end. */
static cn_status make_block(cni_pool *pool, uint64_t places, uint32_t *block)
{
    if (places > UINT32_MAX - pool->used)
        return cni_fail(CN_ERR_MEMORY, "out of memory: the queues have more than 2^32 places");
    CNI_TRY(cni_grow(&pool->words, &pool->capacity, (pool->used + places) * pool->width,
                     sizeof *pool->words));
    *block = (uint32_t)pool->used;
    pool->used += places;
    return CN_OK;
}

cn_status cni_pool_open(cni_pool *pool, uint64_t queues, uint32_t home, uint32_t width)
{
    *pool = (cni_pool){.width = width, .home_mask = home - 1};
    uint32_t first;
    return make_block(pool, (queues + 1) * home, &first);
}

static void release_block(cni_pool *pool, const cni_queue *queue)
{
    uint32_t size = size_of(pool, queue->mask);
    if (size == 0)
        return; /* a home */
    *block_at(pool, queue->block) = pool->free[size];
    pool->free[size] = queue->block;
}

cn_status cni_pool_grow(cni_pool *pool, cni_queue *queue)
{
    uint32_t size = size_of(pool, queue->mask) + 1;
    cni_queue grown = {.length = queue->length, .mask = 2 * queue->mask + 1};
    if (queue->length <= queue->mask)
        return CN_OK;
    grown.block = pool->free[size];
    if (grown.block == 0)
        CNI_TRY(make_block(pool, (uint64_t)grown.mask + 1, &grown.block));
    else
        pool->free[size] = (uint32_t)*block_at(pool, grown.block);
    size_t width = pool->width, first = queue->mask + 1 - queue->head;
    uint64_t *to = block_at(pool, grown.block), *at = block_at(pool, queue->block);
    memcpy(to, at + queue->head * width, first * width * sizeof *to);
    memcpy(to + first * width, at, queue->head * width * sizeof *to);
    release_block(pool, queue);
    *queue = grown;
    return CN_OK;
}

void cni_pool_go_home(cni_pool *pool, cni_queue *queue, uint32_t home)
{
    release_block(pool, queue);
    *queue = cni_queue_at_home(pool, home);
}

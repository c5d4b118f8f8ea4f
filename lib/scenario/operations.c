/* Lists of collective operations. */
#include "scenario/operations.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "topology/topology.h"

cn_status cn_operations_new(const cn_topology *topology, cn_operations **operations)
{
    CNI_REQUIRE_OUT(operations);
    CNI_REQUIRE(topology);
    cn_operations *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->topology = cni_topology_retain(topology);
    *operations = made;
    return CN_OK;
}

static cn_status make_room(cn_operations *operations, size_t rows, size_t destinations)
{
    CNI_TRY(cni_grow((void **)&operations->row, &operations->rows_room, operations->rows + rows,
                     sizeof *operations->row));
    return cni_grow((void **)&operations->destination, &operations->destinations_room,
                    operations->destinations + destinations, sizeof *operations->destination);
}

/* ---- trees ---- */

/* The number of trees with smaller roots. */
static size_t place_of(const cn_operations *operations, uint64_t root)
{
    size_t least = 0, end = operations->trees;
    while (least < end) {
        size_t middle = least + (end - least) / 2;
        if (operations->tree[middle]->root < root)
            least = middle + 1;
        else
            end = middle;
    }
    return least;
}

const cn_tree *cni_operations_tree(const cn_operations *operations, uint64_t source)
{
    size_t place = place_of(operations, source);
    int found = place < operations->trees && operations->tree[place]->root == source;
    return found ? operations->tree[place] : NULL;
}

static cn_status set_tree(cn_operations *operations, const cn_tree *tree)
{
    cn_tree *copy = NULL;
    CNI_TRY(cni_tree_copy(tree, &copy));
    size_t place = place_of(operations, tree->root);
    if (cni_operations_tree(operations, tree->root) != NULL) {
        cn_tree_free(&operations->tree[place]);
        operations->tree[place] = copy;
        return CN_OK;
    }
    cn_status status = cni_grow((void **)&operations->tree, &operations->trees_room,
                                operations->trees + 1, sizeof(cn_tree *));
    if (status != CN_OK) {
        cn_tree_free(&copy);
        return status;
    }
    memmove(operations->tree + place + 1, operations->tree + place,
            (operations->trees - place) * sizeof(cn_tree *));
    operations->tree[place] = copy;
    operations->trees++;
    return CN_OK;
}

cn_status cn_operations_set_tree(cn_operations *operations, const cn_tree *tree)
{
    CNI_REQUIRE_BOTH(operations, tree);
    if (!cn_topology_equal(tree->topology, operations->topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: tree is one of %s, but the operations are on %s",
                        __func__, tree->topology->name, operations->topology->name);
    return set_tree(operations, tree);
}

/* ---- copying ---- */

cn_status cn_operations_copy(const cn_operations *operations, cn_operations **copy)
{
    CNI_REQUIRE_OUT(copy);
    CNI_REQUIRE(operations);
    cn_operations *made = NULL;
    CNI_TRY(cn_operations_new(operations->topology, &made));
    cn_status status = make_room(made, operations->rows, operations->destinations);
    for (size_t i = 0; i < operations->trees && status == CN_OK; i++)
        status = set_tree(made, operations->tree[i]);
    if (status != CN_OK) {
        cn_operations_free(&made);
        return status;
    }
    made->rows = operations->rows;
    made->destinations = operations->destinations;
    if (made->rows > 0)
        memcpy(made->row, operations->row, made->rows * sizeof *made->row);
    if (made->destinations > 0)
        memcpy(made->destination, operations->destination,
               made->destinations * sizeof *made->destination);
    *copy = made;
    return CN_OK;
}

void cn_operations_free(cn_operations **operations)
{
    if (operations == NULL || !CNI_IS_VALID(*operations))
        return;
    cni_topology_release((*operations)->topology);
    for (size_t i = 0; i < (*operations)->trees; i++)
        cn_tree_free(&(*operations)->tree[i]);
    cni_release((*operations)->tree);
    cni_release((*operations)->row);
    cni_release((*operations)->destination);
    cni_object_release(*operations);
    *operations = NULL;
}

/* ---- adding ---- */

static cn_status check_new(const char *function, const cn_operations *operations, uint64_t source,
                           uint64_t start)
{
    CNI_TRY(cni_check_node(function, "source", operations->topology, source));
    CNI_TRY(cni_check_range(function, "start", start, 0, CN_LATEST_START));
    if (operations->rows >= UINT32_MAX - 1)
        return cni_fail(CN_ERR_OVERFLOW, "%s: a list holds at most %llu operations", function,
                        (unsigned long long)(UINT32_MAX - 1));
    return CN_OK;
}

/* Checks that each destination appears once. */
static cn_status check_distinct(const uint64_t destinations[], size_t count)
{
    uint64_t *sorted = cni_allocate(count, sizeof *sorted);
    size_t i = 1;
    CNI_TRY_MEMORY(sorted);
    memcpy(sorted, destinations, count * sizeof *sorted);
    cni_sort(sorted, count, sizeof *sorted, cni_by_number, NULL);
    while (i < count && sorted[i] != sorted[i - 1])
        i++;
    uint64_t node = sorted[i - 1];
    cni_release(sorted);
    if (i == count)
        return CN_OK;
    for (i = count - 1; destinations[i] != node;)
        i--;
    return cni_fail(
        CN_ERR_ARGUMENT,
        "cn_operations_add: destinations[%zu] = %llu appears twice, but the destinations must be "
        "distinct",
        i, (unsigned long long)node);
}

/* Checks that every destination is a node, is not the source, and comes once. */
static cn_status check_destinations(const cn_operations *operations, uint64_t source,
                                    const uint64_t destinations[], size_t count)
{
    static const char function[] = "cn_operations_add";
    for (size_t i = 0; i < count; i++) {
        CNI_TRY(cni_check_node(function, "a destination", operations->topology, destinations[i]));
        if (destinations[i] == source)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: destinations[%zu] = %llu is the source, but it must be "
                            "another node",
                            function, i, (unsigned long long)source);
    }
    return check_distinct(destinations, count);
}

/* Appends an operation; a broadcast where `destinations` is NULL. */
static cn_status append(const char *function, cn_operations *operations, uint64_t source,
                        const uint64_t destinations[], size_t count, uint64_t start)
{
    CNI_TRY(check_new(function, operations, source, start));
    if (destinations != NULL) {
        CNI_TRY(cni_check_range(function, "count", count, 1, operations->topology->nodes - 1));
        CNI_TRY(check_destinations(operations, source, destinations, count));
    }
    CNI_TRY(make_room(operations, 1, count));
    if (destinations != NULL)
        memcpy(operations->destination + operations->destinations, destinations,
               count * sizeof *destinations);
    operations->row[operations->rows++] = (cni_listed_operation){
        .source = source, .start = start, .first = operations->destinations, .count = count};
    operations->destinations += count;
    return CN_OK;
}

cn_status cn_operations_add(cn_operations *operations, uint64_t source,
                            const uint64_t destinations[], size_t count, uint64_t start)
{
    CNI_REQUIRE_BOTH(operations, destinations);
    return append(__func__, operations, source, destinations, count, start);
}

cn_status cn_operations_add_broadcast(cn_operations *operations, uint64_t source, uint64_t start)
{
    CNI_REQUIRE(operations);
    if (operations->topology->nodes < 2)
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s has no other node", __func__,
                        operations->topology->name);
    return append(__func__, operations, source, NULL, 0, start);
}

/* ---- reading ---- */

CNI_GETTER(size_t, cn_operations_count, operations, operations->rows, 0);

cn_status cn_operations_get(const cn_operations *operations, size_t index, uint64_t destinations[],
                            size_t capacity, size_t *count, uint64_t *source, uint64_t *start)
{
    CNI_REQUIRE(operations);
    CNI_REQUIRE_ARRAY(destinations, capacity);
    if (index >= operations->rows)
        return cni_fail(CN_ERR_ARGUMENT, "%s: index = %zu, but the list has %zu operations",
                        __func__, index, operations->rows);
    const cni_listed_operation *row = &operations->row[index];
    CNI_REQUIRE_FIT(row->count, capacity, count, "the operation has %zu destinations", row->count);
    if (row->count > 0)
        memcpy(destinations, operations->destination + row->first,
               row->count * sizeof *destinations);
    CNI_GIVE(source, row->source);
    CNI_GIVE(start, row->start);
    return CN_OK;
}

/* Next hops and clubbing of multicasts along balanced spanning trees (Ziavras & Krishnamurthy 1999,
 * 5.2). */
#include "cubenet/experimental/multicast.h"

#include "base/error.h"
#include "topology/addresses/necklace.h"

/* The next hop from current to another node, the destination: sets the first digit that differs,
 * from the index of the displacement cyclically to the right. */
static uint64_t next_hop(const cn_topology *cube, uint64_t source, uint64_t current,
                         uint64_t destination)
{
    uint32_t n = cube->dimensions;
    cni_word word = cni_word_of(cube, cni_header(cube, destination, source));
    uint32_t index = (uint32_t)(cni_word_orbit(&word).displacement % n);
    /* the rule compares translated digits, which differ exactly when the digits do */
    for (uint32_t right = 0;; right++) {
        uint32_t dimension = n - 1 - (index + right) % n;
        uint64_t from = cni_digit(cube, current, dimension);
        uint64_t to = cni_digit(cube, destination, dimension);
        if (from != to)
            return current + (to - from) * cube->stride[dimension]; /* modulo 2^64 */
    }
}

cn_status cn_route_multicast_next_hop(const cn_topology *topology, uint64_t source,
                                      uint64_t current, uint64_t destination, uint64_t *next)
{
    CNI_REQUIRE_BOTH(topology, next);
    CNI_TRY(cni_check_symmetric(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "source", topology, source));
    CNI_TRY(cni_check_node(__func__, "current", topology, current));
    CNI_TRY(cni_check_node(__func__, "destination", topology, destination));
    if (current == destination)
        return CN_DONE;
    *next = next_hop(topology, source, current, destination);
    return CN_OK;
}

static cn_status check_groups(const cn_topology *topology, uint64_t source, uint64_t current,
                              const uint64_t destinations[], size_t count, size_t capacity,
                              size_t *groups)
{
    CNI_TRY(cni_check_symmetric("cn_route_multicast_groups", topology));
    CNI_TRY(cni_check_node("cn_route_multicast_groups", "source", topology, source));
    CNI_TRY(cni_check_node("cn_route_multicast_groups", "current", topology, current));
    for (size_t m = 0; m < count; m++)
        CNI_TRY(cni_check_node("cn_route_multicast_groups", "a destination", topology,
                               destinations[m]));
    size_t needed = count < topology->max_degree ? count : topology->max_degree;
    if (capacity >= needed)
        return CN_OK;
    *groups = needed;
    return cni_fail(
        CN_ERR_CAPACITY,
        "cn_route_multicast_groups: capacity = %zu, but %zu destinations in %s need %zu", capacity,
        count, topology->name, needed);
}

cn_status cn_route_multicast_groups(const cn_topology *topology, uint64_t source, uint64_t current,
                                    const uint64_t destinations[], size_t count,
                                    uint32_t group_of[], uint64_t children[], uint64_t sizes[],
                                    size_t capacity, size_t *groups)
{
    CNI_REQUIRE_BOTH(topology, groups);
    CNI_REQUIRE_ARRAY(destinations, count);
    CNI_REQUIRE_ARRAY(children, capacity);
    CNI_TRY(check_groups(topology, source, current, destinations, count, capacity, groups));
    uint32_t found = 0;
    for (size_t m = 0; m < count; m++) {
        uint32_t group = CN_NO_GROUP;
        if (destinations[m] != current) {
            uint64_t child = next_hop(topology, source, current, destinations[m]);
            for (group = 0; group < found && children[group] != child;)
                group++;
            if (group == found) {
                children[found++] = child;
                if (sizes != NULL)
                    sizes[group] = 0;
            }
            if (sizes != NULL)
                sizes[group]++;
        }
        if (group_of != NULL)
            group_of[m] = group;
    }
    *groups = found;
    return CN_OK;
}

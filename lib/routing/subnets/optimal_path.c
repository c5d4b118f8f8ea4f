/* The optimal-path rule (Horng 1992, figure 5.4). */
#include "cubenet/subnet.h"

#include "base/error.h"

cn_status cn_route_optimal_path(uint64_t header, uint64_t neighbor_status, uint64_t *channels)
{
    CNI_REQUIRE(channels);
    if (header == 0)
        return CN_DONE;
    uint64_t allowed = header & neighbor_status;
    if (allowed == 0)
        return cni_fail(
            CN_ERR_DISCONNECTED,
            "%s: header = %#llx, neighbor_status = %#llx, but they need a bit in common", __func__,
            (unsigned long long)header, (unsigned long long)neighbor_status);
    *channels = allowed;
    return CN_OK;
}

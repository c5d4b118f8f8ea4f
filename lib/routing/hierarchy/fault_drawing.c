/* Pictures of damaged networks: the looks of their nodes and links. */
#include "routing/hierarchy/hierarchy.h"
#include "routing/subnets/subnet.h"

#include <string.h>

#include "base/error.h"
#include "topology/interchange/picture.h"

/* The objects to draw; subnet, hierarchy or both are NULL. */
typedef struct drawing {
    const cn_faults *faults;
    const cn_subnet *subnet;
    const cn_hierarchy *hierarchy;
} drawing;

/* Looks of nodes and links: places in an array of looks. */
enum {
    FAULTY_NODE = CNI_PLAIN + 1,
    DISABLED_NODE,
    FAULTY_LINK,
    DEAD_LINK,
    LINK_BETWEEN_CLUSTERS,
    FIRST_CLUSTER,
    LOOKS = CNI_MOST_LOOKS,
    COLOURS = LOOKS - FIRST_CLUSTER
};

/* Light colours that a reader with any colour vision can tell apart. */
static const cni_look common_looks[LOOKS] = {
    [FAULTY_NODE] = {.fill = "black", .label = "white", .meaning = "faulty node"},
    [DISABLED_NODE] = {.fill = "#BBBBBB", .dashed = 1, .meaning = "disabled node"},
    [FAULTY_LINK] = {.line = "#D50000", .dashed = 1, .meaning = "faulty link"},
    [DEAD_LINK] = {.line = "#BBBBBB", .meaning = "link of such a node"},
    [LINK_BETWEEN_CLUSTERS] = {.line = "#0072B2", .meaning = "link between clusters"},
    [FIRST_CLUSTER] = {.fill = "#CFE8F7"},
    {.fill = "#F9DDB5"},
    {.fill = "#CDEBDD"},
    {.fill = "#F3D3E4"},
    {.fill = "#FBF3B9"},
    {.fill = "#DAD5F2"},
    {.fill = "#E5E5E5"},
    {.fill = "#F6CBBB"},
    {.fill = "#D9E7B4"},
    {.fill = "#E2D3C2"},
};

static int is_disabled(const drawing *d, uint64_t node)
{
    return d->subnet != NULL && !cni_survives(d->subnet, node) && !cni_node_faulty(d->faults, node);
}

static unsigned look_of(const void *user, uint64_t node)
{
    const drawing *d = user;
    if (cni_node_faulty(d->faults, node))
        return FAULTY_NODE;
    if (is_disabled(d, node))
        return DISABLED_NODE;
    return d->hierarchy == NULL ? CNI_PLAIN
                                : FIRST_CLUSTER + d->hierarchy->cluster_of[node] % COLOURS;
}

static int is_dead(const drawing *d, uint64_t node)
{
    return cni_node_faulty(d->faults, node) || is_disabled(d, node);
}

static unsigned look_of_port(const void *user, uint64_t node, uint32_t port)
{
    const drawing *d = user;
    uint64_t far = cni_neighbor(d->faults->topology, node, port);
    const uint32_t *cluster = d->hierarchy == NULL ? NULL : d->hierarchy->cluster_of;
    if ((cni_faulty_links(d->faults, node) >> (port & 63) & 1) != 0)
        return FAULTY_LINK;
    if (is_dead(d, node) || is_dead(d, far))
        return DEAD_LINK;
    return cluster != NULL && cluster[node] != cluster[far] ? LINK_BETWEEN_CLUSTERS : CNI_PLAIN;
}

/* Writes the clusters of each colour into its line of the key, as far as there is room. */
static cn_status name_clusters(const cn_hierarchy *h, cni_look looks[])
{
    char address[CNI_MEANING];
    for (uint32_t c = 0; c < h->cluster_count; c++) {
        cni_subcube cube = h->clusters[c].subcube;
        char *meaning = looks[FIRST_CLUSTER + c % COLOURS].meaning;
        cni_text text = {.text = meaning, .capacity = CNI_MEANING - 5, .length = strlen(meaning)};
        CNI_TRY(cn_subcube_text(h->faults->topology->dimensions, cube.value, cube.any, address,
                                sizeof address, NULL));
        cni_text_put(&text, "%s%s", text.length > 0 ? ", " : "cluster ", address);
        if (text.length >= text.capacity && strstr(meaning, "...") == NULL)
            memcpy(meaning + strlen(meaning), " ...", 4); /* into the zeros behind the capacity */
    }
    return CN_OK;
}

static cn_status draw(const drawing *d, cn_format format, cni_budget *budget, char text[],
                      size_t capacity, size_t *length)
{
    cni_look looks[LOOKS];
    memcpy(looks, common_looks, sizeof looks);
    if (d->hierarchy != NULL)
        CNI_TRY(name_clusters(d->hierarchy, looks));
    const cni_picture picture = {.topology = d->faults->topology,
                                 .looks = looks,
                                 .node_look = look_of,
                                 .link_look = look_of_port,
                                 .user = d};
    return cni_picture_draw(&picture, format, budget, text, capacity, length);
}

cn_status cn_faults_draw(const cn_faults *faults, cn_format format, const cn_control *control,
                         char text[], size_t capacity, size_t *length)
{
    CNI_REQUIRE(faults);
    CNI_BUDGET(budget, control, 0);
    const drawing d = {.faults = faults};
    return draw(&d, format, &budget, text, capacity, length);
}

cn_status cn_subnet_draw(const cn_subnet *subnet, cn_format format, const cn_control *control,
                         char text[], size_t capacity, size_t *length)
{
    CNI_REQUIRE(subnet);
    CNI_BUDGET(budget, control, 0);
    const drawing d = {.faults = subnet->faults, .subnet = subnet};
    return draw(&d, format, &budget, text, capacity, length);
}

cn_status cn_hierarchy_draw(const cn_hierarchy *hierarchy, cn_format format,
                            const cn_control *control, char text[], size_t capacity, size_t *length)
{
    CNI_REQUIRE(hierarchy);
    CNI_BUDGET(budget, control, 0);
    const drawing d = {.faults = hierarchy->faults, .hierarchy = hierarchy};
    return draw(&d, format, &budget, text, capacity, length);
}

/* Faults and repairs while a hierarchy is in use (Horng 1992, 6.1.3): it is made anew, and keeps what it was until that
 * has succeeded. */
#include "routing/hierarchy/hierarchy.h"

#include "base/error.h"

static cn_status make_anew(const cn_hierarchy *old, cni_change change, cni_budget *budget,
                           cn_hierarchy **hierarchy)
{
    cn_faults *faults;
    CNI_TRY(cn_faults_copy(old->faults, &faults));
    cn_status status = cni_faults_change(faults, change);
    if (status == CN_OK)
        status = cni_hierarchy_new_within(faults, budget, hierarchy);
    cn_faults_free(&faults);
    CNI_TRY(status);
    if (old->has_tables)
        status = cni_hierarchy_make_tables_within(*hierarchy, budget);
    if (status != CN_OK)
        cn_hierarchy_free(hierarchy);
    return status;
}

static cn_status update(const char *function, cn_hierarchy *h, cni_change change,
                        const cn_control *control)
{
    cni_budget budget;
    cn_hierarchy *made;
    int is_new;
    CNI_TRY(cni_change_begin(function, h->faults, change, control, &budget, &is_new));
    if (!is_new)
        return CN_OK;
    CNI_TRY(make_anew(h, change, &budget, &made));
    cn_hierarchy old = *h;
    *h = *made;
    *made = old;
    cn_hierarchy_free(&made);
    return CN_OK;
}

cn_status cn_hierarchy_fail_node(cn_hierarchy *hierarchy, uint64_t node, const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    return update(__func__, hierarchy, CNI_NODE_CHANGE(node, 1), control);
}

cn_status cn_hierarchy_repair_node(cn_hierarchy *hierarchy, uint64_t node,
                                   const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    return update(__func__, hierarchy, CNI_NODE_CHANGE(node, 0), control);
}

cn_status cn_hierarchy_fail_link(cn_hierarchy *hierarchy, uint64_t node, uint32_t port,
                                 const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    return update(__func__, hierarchy, CNI_LINK_CHANGE(node, port, 1), control);
}

cn_status cn_hierarchy_repair_link(cn_hierarchy *hierarchy, uint64_t node, uint32_t port,
                                   const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    return update(__func__, hierarchy, CNI_LINK_CHANGE(node, port, 0), control);
}

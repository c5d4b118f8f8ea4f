/* Faults and repairs of a hierarchy in use (Horng 1992, 6.1.3): a new hierarchy is made, and takes
 * the place of the old one only when it is complete. */
#include "routing/hierarchy/hierarchy.h"

#include "base/error.h"

static cn_status make_anew(const cn_hierarchy *old, cni_change_at change, cni_budget *budget,
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

cn_status cn_hierarchy_update(cn_hierarchy *hierarchy, cn_change change, uint64_t node,
                              uint32_t port, const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    cni_change_at step = {change, node, port};
    cni_budget budget;
    cn_hierarchy *made;
    int is_new;
    CNI_TRY(cni_change_begin(__func__, hierarchy->faults, step, control, &budget, &is_new));
    if (!is_new)
        return CN_OK;
    CNI_TRY(make_anew(hierarchy, step, &budget, &made));
    cn_hierarchy old = *hierarchy;
    *hierarchy = *made;
    *made = old;
    cn_hierarchy_free(&made);
    return CN_OK;
}

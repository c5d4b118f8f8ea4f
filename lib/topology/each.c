/* The loop of all calls that ask one question about each node, or pair of nodes, of an array. */
#include "topology/each.h"

#include <stdio.h>

#include "base/error.h"

static int is_taken(const cni_each *e, uint64_t node)
{
    return node < e->topology->nodes && (e->takes == NULL || e->takes(e->object, node));
}

/* The sentence for a bad element. */
static cn_status refuse(const cni_each *e, int array, size_t index, uint64_t node)
{
    char argument[64];
    snprintf(argument, sizeof argument, "%s[%zu]", e->name[array], index);
    CNI_TRY(cni_check_node(e->function, argument, e->topology, node));
    return e->refuse(e->function, argument, e->object, node);
}

cn_status cni_answer_each(const cni_each *e, size_t count, const cn_control *control,
                          uint64_t answers[])
{
    const uint64_t *const array[3] = {e->nodes, e->others, answers};
    cni_budget budget;
    for (int i = 0; i < 3; i++)
        if (count > 0 && e->name[i] != NULL && array[i] == NULL)
            return cni_fail_invalid(e->function, e->name[i], NULL, CNI_NO_OBJECT);
    CNI_TRY(cni_budget_begin(&budget, e->function, control, count));
    for (size_t i = 0; i < count; i++) {
        uint64_t node = e->nodes[i], other = e->others != NULL ? e->others[i] : node;
        budget.done = i;
        if (!cni_budget_pass(&budget, i, e->units))
            return cni_budget_fail(&budget);
        if (!is_taken(e, node))
            return refuse(e, 0, i, node);
        if (!is_taken(e, other))
            return refuse(e, 1, i, other);
        e->answer(e->object, node, other, answers + i * e->width);
    }
    return CN_OK;
}

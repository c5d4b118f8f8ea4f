/* Reported arrivals of a slotted kernel, merged from its threads in the order of cycle and node. */
#include "simulation/kernel/landings.h"

#include "base/memory.h"

cn_status cni_landings_make_room(cni_landings *landings, size_t needed)
{
    return cni_grow(&landings->list, &landings->room, needed, sizeof *landings->list);
}

void cni_landings_add(cni_landings *landings, const cni_landing *landing)
{
    cni_landing *list = landings->list;
    if (landings->count == landings->room)
        return;
    size_t at = landings->count++;
    for (; at > 0 && list[at - 1].cycle == landing->cycle && list[at - 1].node > landing->node;
         at--)
        list[at] = list[at - 1];
    list[at] = *landing;
}

const cni_landing *cni_landings_next(const cni_landings *const of[], uint32_t threads,
                                     size_t next[])
{
    const cni_landing *first = NULL;
    uint32_t from = 0;
    for (uint32_t i = 0; i < threads; i++) {
        if (next[i] == of[i]->count) /* a thread without arrivals may have no list */
            continue;
        const cni_landing *own = &of[i]->list[next[i]];
        if (first == NULL || own->cycle < first->cycle) {
            first = own;
            from = i;
        }
    }
    if (first != NULL)
        next[from] += 1;
    return first;
}

/*
 * The pass over the nodes, included once per variant with VISIT(k, shape, worker, moment, node,
 * form, separate, counts), which does what happens at CNI_STORE_LANES nodes, and PASSES, the name of the table of what is made.
 */

TARGET CNI_INLINE void LOCAL(pass)(const cni_store *k, cni_store_worker *w, uint64_t cycle, int in,
                                   int out, uint32_t stage, cni_store_form form, int separate,
                                   int counts)
{
    const cni_store_shape s = k->shape;
    const cni_store_moment now = {
        .cycle = cycle,
        .seed = cni_random_derive(k->seed, cycle),
        .in = in == CNI_NO_BANK ? NULL : k->channel[in],
        .out = out == CNI_NO_BANK ? NULL : k->channel[out],
        .admits = in != CNI_NO_BANK ? k->slotted.traffic != NULL || k->load > 0.0
                                    : k->slotted.trace != NULL && cycle == 0,
    };
    for (uint64_t node = w->first_node, end; node < w->end_node; node = end) {
        end = cni_part_stretch(&k->part, stage, &node, w->end_node);
        if (k->slotted.trace != NULL)
            cni_store_find_listed(k, w, node, cycle);
        for (; node < end; node += CNI_STORE_LANES) {
            cn_status status = VISIT(k, &s, w, &now, node, form, separate, counts);
            if (CNI_RARELY(status != CN_OK)) {
                cni_store_fail(w, status, cycle);
                return;
            }
            if (w->arrivals >= CNI_STORE_ARRIVALS)
                cni_store_count_arrivals(k, w, cycle, cycle);
        }
    }
    cni_store_count_arrivals(k, w, cycle, cycle);
    cni_store_add_distances(k, w);
    if (now.out == NULL || stage + 1 < k->part.stages)
        return;
    if (counts && ++w->unsettled == UINT8_MAX)
        cni_store_settle(k, w);
    /* of all workers, and parts, together: what is in the network */
    w->counters[CNI_COUNT_WAITING] +=
        w->counters[CNI_COUNT_ACCEPTED] - w->counters[CNI_COUNT_DELIVERED];
}

#define STORE_PASS(name, form, separate, counts)                                                 \
    TARGET static void LOCAL(name)(const cni_store *k, cni_store_worker *worker, uint64_t cycle, \
                                   int in, int out, uint32_t stage)                              \
    {                                                                                            \
        LOCAL(pass)(k, worker, cycle, in, out, stage, form, separate, counts);                   \
    }

#define STORE_PASSES(name, form)                      \
    STORE_PASS(name##_shared, form, 0, 0)             \
    STORE_PASS(name##_shared_with_counts, form, 0, 1) \
    STORE_PASS(name##_separate, form, 1, 0)           \
    STORE_PASS(name##_separate_with_counts, form, 1, 1)

STORE_PASSES(cube, CNI_STORE_CUBE)
STORE_PASSES(rings, CNI_STORE_RINGS)
STORE_PASSES(routed, CNI_STORE_ROUTED)
STORE_PASSES(classed, CNI_STORE_CLASSED)
STORE_PASSES(wide_cube, CNI_STORE_CUBE + CNI_STORE_WIDE)
STORE_PASSES(wide_rings, CNI_STORE_RINGS + CNI_STORE_WIDE)
STORE_PASSES(wide_routed, CNI_STORE_ROUTED + CNI_STORE_WIDE)
STORE_PASSES(wide_classed, CNI_STORE_CLASSED + CNI_STORE_WIDE)

#define STORE_ROW(name)                                                \
    {                                                                  \
        {LOCAL(name##_shared), LOCAL(name##_shared_with_counts)},      \
        {                                                              \
            LOCAL(name##_separate), LOCAL(name##_separate_with_counts) \
        }                                                              \
    }

cni_store_passes PASSES = {
    [CNI_STORE_CUBE] = STORE_ROW(cube),
    [CNI_STORE_RINGS] = STORE_ROW(rings),
    [CNI_STORE_ROUTED] = STORE_ROW(routed),
    [CNI_STORE_CLASSED] = STORE_ROW(classed),
    [CNI_STORE_CUBE + CNI_STORE_WIDE] = STORE_ROW(wide_cube),
    [CNI_STORE_RINGS + CNI_STORE_WIDE] = STORE_ROW(wide_rings),
    [CNI_STORE_ROUTED + CNI_STORE_WIDE] = STORE_ROW(wide_routed),
    [CNI_STORE_CLASSED + CNI_STORE_WIDE] = STORE_ROW(wide_classed),
};
#undef STORE_PASS
#undef STORE_PASSES
#undef STORE_ROW

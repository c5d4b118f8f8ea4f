/*
 * The walk over nodes in a row, included once per variant with VISIT(k, shape, worker, moment, node, form, separate,
 * counts), which does what happens at CNI_STORE_LANES nodes, and WALKS, the name of the table of what is made.
 */

TARGET CNI_INLINE cn_status LOCAL(walk)(const cni_store *k, cni_store_worker *w,
                                        const cni_store_moment now, uint64_t node, uint64_t end,
                                        cni_store_form form, int separate, int counts)
{
    const cni_store_shape s = k->shape;
    for (; node < end; node += CNI_STORE_LANES) {
        cn_status status = VISIT(k, &s, w, &now, node, form, separate, counts);
        if (CNI_RARELY(status != CN_OK))
            return status;
        if (w->arrivals >= CNI_STORE_ARRIVALS)
            cni_store_count_arrivals(k, w, now.cycle, now.cycle);
    }
    return CN_OK;
}

/* A copy for nodes that receive and send, which is nearly always so. */
#define STORE_WALK(name, form, separate, counts)                                                  \
    TARGET static cn_status LOCAL(name)(const cni_store *k, cni_store_worker *w,                  \
                                        const cni_store_moment *now, uint64_t node, uint64_t end) \
    {                                                                                             \
        if (now->in != NULL && now->out != NULL)                                                  \
            return LOCAL(walk)(k, w, *now, node, end, form, separate, counts);                    \
        return LOCAL(walk)(k, w, *now, node, end, form, separate, counts);                        \
    }

#define STORE_WALKS(name, form)                       \
    STORE_WALK(name##_shared, form, 0, 0)             \
    STORE_WALK(name##_shared_with_counts, form, 0, 1) \
    STORE_WALK(name##_separate, form, 1, 0)           \
    STORE_WALK(name##_separate_with_counts, form, 1, 1)

STORE_WALKS(cube, CNI_STORE_CUBE)
STORE_WALKS(rings, CNI_STORE_RINGS)
STORE_WALKS(routed, CNI_STORE_ROUTED)
STORE_WALKS(classed, CNI_STORE_CLASSED)
STORE_WALKS(wide_cube, CNI_STORE_CUBE + CNI_STORE_WIDE)
STORE_WALKS(wide_rings, CNI_STORE_RINGS + CNI_STORE_WIDE)
STORE_WALKS(wide_routed, CNI_STORE_ROUTED + CNI_STORE_WIDE)
STORE_WALKS(wide_classed, CNI_STORE_CLASSED + CNI_STORE_WIDE)

#define STORE_ROW(name)                                                \
    {                                                                  \
        {LOCAL(name##_shared), LOCAL(name##_shared_with_counts)},      \
        {                                                              \
            LOCAL(name##_separate), LOCAL(name##_separate_with_counts) \
        }                                                              \
    }

cni_store_walks WALKS = {
    [CNI_STORE_CUBE] = STORE_ROW(cube),
    [CNI_STORE_RINGS] = STORE_ROW(rings),
    [CNI_STORE_ROUTED] = STORE_ROW(routed),
    [CNI_STORE_CLASSED] = STORE_ROW(classed),
    [CNI_STORE_CUBE + CNI_STORE_WIDE] = STORE_ROW(wide_cube),
    [CNI_STORE_RINGS + CNI_STORE_WIDE] = STORE_ROW(wide_rings),
    [CNI_STORE_ROUTED + CNI_STORE_WIDE] = STORE_ROW(wide_routed),
    [CNI_STORE_CLASSED + CNI_STORE_WIDE] = STORE_ROW(wide_classed),
};
#undef STORE_WALK
#undef STORE_WALKS
#undef STORE_ROW

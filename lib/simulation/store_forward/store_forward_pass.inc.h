/*
 * The passes over the nodes, included once per variant with VISIT(k, shape, worker, moment, node,
 * form, separate, counts), which does what happens at CNI_STORE_LANES nodes, and RUNS, the name of the table of what is made.
 */

/* One pass over the worker's nodes: receive for the cycle that ends (when `in` is given), then send
 * for the next (when `out` is). `cycle` is the number of cycles that are over in between. */
TARGET CNI_INLINE void LOCAL(pass)(const cni_store *k, cni_store_worker *w, uint64_t cycle,
                                   const uint64_t *restrict in, uint64_t *restrict out,
                                   cni_store_form form, int separate, int counts)
{
    const cni_store_shape s = k->shape;
    const cni_store_moment now = {
        .cycle = cycle,
        .seed = cni_random_derive(k->seed, cycle),
        .in = in,
        .out = out,
        .admits = in != NULL ? k->slotted.traffic != NULL || k->load > 0.0
                             : k->slotted.trace != NULL && cycle == 0,
    };
    if (k->slotted.trace != NULL)
        cni_store_find_listed(k, w, cycle);
    for (uint64_t node = w->first_node; node < w->end_node; node += CNI_STORE_LANES) {
        cn_status status = VISIT(k, &s, w, &now, node, form, separate, counts);
        if (CNI_RARELY(status != CN_OK)) {
            cni_store_fail(w, status, cycle);
            return;
        }
        if (w->arrivals >= CNI_STORE_ARRIVALS)
            cni_store_count_arrivals(k, w, cycle, cycle);
    }
    cni_store_count_arrivals(k, w, cycle, cycle);
    cni_store_add_distances(k, w);
    if (counts && out != NULL && ++w->unsettled == UINT8_MAX)
        cni_store_settle(k, w);
    if (out != NULL) /* of all workers together: what is in the network */
        w->counters[CNI_COUNT_WAITING] +=
            w->counters[CNI_COUNT_ACCEPTED] - w->counters[CNI_COUNT_DELIVERED];
}

/* Whether some worker has failed up to this cycle: all leave together. */
TARGET CNI_INLINE int LOCAL(has_failed)(const cni_store *k, uint64_t cycle)
{
    int failed = 0;
    for (uint32_t i = 0; i < cni_team_workers(k->team); i++)
        failed |= atomic_load_explicit(&k->workers[i]->failed, memory_order_relaxed) <= cycle;
    return failed;
}

TARGET CNI_INLINE void LOCAL(run)(cni_store *k, uint32_t worker, uint64_t cycles,
                                  cni_store_form form, int separate, int counts)
{
    cni_store_worker *w = k->workers[worker];
    LOCAL(pass)(k, w, k->cycle, NULL, k->channel[0], form, separate, counts);
    for (uint64_t c = 1; c <= cycles; c++) {
        cni_team_meet(k->team);
        if (LOCAL(has_failed)(k, k->cycle + c - 1))
            return;
        LOCAL(pass)
        (k, w, k->cycle + c, k->channel[(c - 1) % 2], c < cycles ? k->channel[c % 2] : NULL, form,
         separate, counts);
    }
}

#define STORE_RUN(name, form, separate, counts)                                     \
    TARGET static void LOCAL(name)(cni_store * k, uint32_t worker, uint64_t cycles) \
    {                                                                               \
        LOCAL(run)(k, worker, cycles, form, separate, counts);                      \
    }

#define STORE_RUNS(name, form)                       \
    STORE_RUN(name##_shared, form, 0, 0)             \
    STORE_RUN(name##_shared_with_counts, form, 0, 1) \
    STORE_RUN(name##_separate, form, 1, 0)           \
    STORE_RUN(name##_separate_with_counts, form, 1, 1)

STORE_RUNS(cube, CNI_STORE_CUBE)
STORE_RUNS(rings, CNI_STORE_RINGS)
STORE_RUNS(routed, CNI_STORE_ROUTED)
STORE_RUNS(classed, CNI_STORE_CLASSED)
STORE_RUNS(wide_cube, CNI_STORE_CUBE + CNI_STORE_WIDE)
STORE_RUNS(wide_rings, CNI_STORE_RINGS + CNI_STORE_WIDE)
STORE_RUNS(wide_routed, CNI_STORE_ROUTED + CNI_STORE_WIDE)
STORE_RUNS(wide_classed, CNI_STORE_CLASSED + CNI_STORE_WIDE)

#define STORE_ROW(name)                                                \
    {                                                                  \
        {LOCAL(name##_shared), LOCAL(name##_shared_with_counts)},      \
        {                                                              \
            LOCAL(name##_separate), LOCAL(name##_separate_with_counts) \
        }                                                              \
    }

cni_store_runs RUNS = {
    [CNI_STORE_CUBE] = STORE_ROW(cube),
    [CNI_STORE_RINGS] = STORE_ROW(rings),
    [CNI_STORE_ROUTED] = STORE_ROW(routed),
    [CNI_STORE_CLASSED] = STORE_ROW(classed),
    [CNI_STORE_CUBE + CNI_STORE_WIDE] = STORE_ROW(wide_cube),
    [CNI_STORE_RINGS + CNI_STORE_WIDE] = STORE_ROW(wide_rings),
    [CNI_STORE_ROUTED + CNI_STORE_WIDE] = STORE_ROW(wide_routed),
    [CNI_STORE_CLASSED + CNI_STORE_WIDE] = STORE_ROW(wide_classed),
};
#undef STORE_RUN
#undef STORE_RUNS
#undef STORE_ROW

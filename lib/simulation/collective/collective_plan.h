/*
 * The tree of one clubbed operation, seen from its source: the union of the paths to its
 * destinations. Where two paths lead to a node over different channels, which happens in turned
 * trees, the plan takes the first path. Place 0 is the source. Places are numbered level by level,
 * so the children of a place are neighbours: first[p] .. first[p + 1] - 1. The children of a place
 * are in the order of the first destination behind each. A destination of several pieces has a leaf
 * for each piece.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_PLAN_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_PLAN_H

#include "simulation/collective/collective_trees.h"

typedef struct cni_place {
    /* its first child; its last child comes before the first child of the next place */
    uint32_t first;
    uint16_t port;     /* of the channel from its parent */
    uint16_t delivers; /* 1: a destination */
} cni_place;

typedef struct cni_plan {
    uint32_t places; /* and one more row, which ends the children of the last place */
    uint32_t height;
    cni_place place[];
} cni_plan;

/* The paths for a plan: along a stored tree, or by digits, where nodes are relative to the
 * source. */
typedef struct cni_paths {
    const uint32_t *inlet; /* NULL: by digits */
    uint32_t source;       /* of the stored tree */
    uint32_t turn;         /* of the tree by digits */
} cni_paths;

/* Room for making plans, shared by all operations of a run. Start from {0}. */
typedef struct cni_planner {
    void *block;     /* of the arrays */
    uint32_t *found; /* [node]: number of its place + 1; 0 between two plans */
    struct cni_path_step *step;
    struct cni_draft *draft;
    uint32_t drafts;
    uint32_t *order; /* numbers level by level */
} cni_planner;

cn_status cni_planner_open(const cni_tree_routes *routes, cni_planner *planner);
void cni_planner_close(cni_planner *planner);

/* Makes the plan for these destinations, which the paths reach; release it with cni_release(). */
cn_status cni_plan_make(const cni_tree_routes *routes, cni_planner *planner, const cni_paths *paths,
                        const uint32_t destination[], size_t count, cni_plan **plan);

#endif

/* One question about each of many nodes, or pairs of them: the loop that all array calls share. */
#ifndef CNI_TOPOLOGY_EACH_H
#define CNI_TOPOLOGY_EACH_H

#include "topology/topology.h"

typedef struct cni_each {
    const char *function; /* which was called, for sentences */
    const cn_topology *topology;
    const void *object; /* that is asked */
    /* Of valid nodes, to `width` numbers; other is node where there is one array. */
    void (*answer)(const void *object, uint64_t node, uint64_t other, uint64_t out[]);
    const char *name[3]; /* of the arrays: nodes, others, answers */
    const uint64_t *nodes, *others;
    uint64_t units; /* of work that an answer takes, see budget.h */
    size_t width;
    /* Of an object that does not take all nodes: whether it takes one, and the sentence if not.
     * Else NULL. */
    int (*takes)(const void *object, uint64_t node);
    cn_status (*refuse)(const char *function, const char *argument, const void *object,
                        uint64_t node);
} cni_each;

/* Answers one after the other, so that answers may be the array of the nodes. CN_ERR_ARGUMENT names
 * the index; what comes before it is answered. */
cn_status cni_answer_each(const cni_each *each, size_t count, const cn_control *control,
                          uint64_t answers[]);

#endif

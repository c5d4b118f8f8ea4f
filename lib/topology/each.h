/* One question about each node, or pair of nodes, of an array: the loop that all array calls
 * share. */
#ifndef CNI_TOPOLOGY_EACH_H
#define CNI_TOPOLOGY_EACH_H

#include "topology/topology.h"

typedef struct cni_each {
    const char *function; /* which was called, for sentences */
    const cn_topology *topology;
    const void *object; /* which gives the answers: the topology, or a tree in it */
    /* Answers for valid nodes with `width` numbers; `other` is `node` where there is one array. */
    void (*answer)(const void *object, uint64_t node, uint64_t other, uint64_t out[]);
    const char *name[3]; /* of the arrays: nodes, others, answers */
    const uint64_t *nodes, *others;
    uint64_t units; /* of work that an answer takes, see budget.h */
    size_t width;   /* numbers in an answer */
    /* For an object that does not take all nodes: whether it takes this node, and the sentence
     * if not. Else NULL. */
    int (*takes)(const void *object, uint64_t node);
    cn_status (*refuse)(const char *function, const char *argument, const void *object,
                        uint64_t node);
} cni_each;

/* Answers one node after the other, so that the array of answers may be the array of nodes.
 * CN_ERR_ARGUMENT names the index; the elements before it are answered. */
cn_status cni_answer_each(const cni_each *each, size_t count, const cn_control *control,
                          uint64_t answers[]);

#endif

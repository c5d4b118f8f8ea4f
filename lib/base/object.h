/* The head of every object with a handle: a word that tells the type of the object. */
#ifndef CNI_BASE_OBJECT_H
#define CNI_BASE_OBJECT_H

#include "cubenet/base.h"

/* The types of handles: cn_topology and so on. */
#define CNI_OBJECTS(X) \
    X(topology)        \
    X(tree)            \
    X(faults)          \
    X(subnet)          \
    X(hierarchy)       \
    X(deadlock)        \
    X(traffic)         \
    X(operations)      \
    X(scenario)        \
    X(result)          \
    X(sim)             \
    X(study)           \
    X(routing)         \
    X(control)         \
    X(workload)

#define CNI_DECLARE(name) struct cn_##name;
#define CNI_NUMBER(name) CNI_OBJECT_##name,
#define CNI_TYPE_CASE(name) \
    struct cn_##name * : CNI_OBJECT_##name, const struct cn_##name * : CNI_OBJECT_##name,

CNI_OBJECTS(CNI_DECLARE)

typedef enum cni_type { CNI_NO_OBJECT, CNI_OBJECTS(CNI_NUMBER) CNI_TYPES } cni_type;

/* The first member of the struct. Its word is the word of the type from creation to destruction,
 * and 0 afterwards. */
typedef struct cni_object {
    uint64_t word;
} cni_object;

/* The word of a type: neither text nor an address nor a small number. */
#define CNI_TYPE_WORD(type) (UINT64_C(0xd9f3a5c18be60400) + (uint64_t)(type))

/* The type of a handle by its declaration; CNI_NO_OBJECT for any other pointer. */
#define CNI_TYPE_OF(handle) _Generic((handle), CNI_OBJECTS(CNI_TYPE_CASE) default : CNI_NO_OBJECT)

static inline int cni_is_valid(const void *pointer, cni_type type)
{
    return pointer != NULL &&
           (type == CNI_NO_OBJECT || ((const cni_object *)pointer)->word == CNI_TYPE_WORD(type));
}

/* A pointer for writing to an object that a function got for reading. Three uses need it: reference
 * counts; facts that are found once and kept; functions that read or write, in a call that only
 * reads. */
static inline void *cni_mutable(const void *object)
{
    union {
        const void *read;
        void *written;
    } same = {object};
    return same.written;
}

/* 1 when the handle is not NULL and points to a living object of its type. */
#define CNI_IS_VALID(handle) cni_is_valid(handle, CNI_TYPE_OF(handle))

/* A public function that returns one fact of an object, and `otherwise` for a handle without an
 * object. */
#define CNI_GETTER(type, function, object, fact, otherwise) \
    type function(const cn_##object *object)                \
    {                                                       \
        return CNI_IS_VALID(object) ? (fact) : (otherwise); \
    }                                                       \
    enum { function##_is_there } /* takes the semicolon */

/* CN_ERR_ARGUMENT with the sentence for an invalid pointer. */
cn_status cni_fail_invalid(const char *function, const char *argument, const void *pointer,
                           cni_type type);

/* The same for element `at` of an array. */
cn_status cni_fail_invalid_at(const char *function, const char *array, size_t at,
                              const void *pointer, cni_type type);

/* A new object for this handle, zero but for its head; NULL without memory. */
#define CNI_NEW(handle) cni_object_new(sizeof *(handle), CNI_TYPE_OF(handle))
void *cni_object_new(size_t size, cni_type type);

/* Clears the head and gives the memory back. */
void cni_object_release(void *object);

#endif

/* The head of every handle: the word that tells the type of an object and whether the object is
 * alive. */
#include "base/object.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"

#define NAME(name) [CNI_OBJECT_##name] = #name,

static const char *const names[CNI_TYPES] = {CNI_OBJECTS(NAME)};

cn_status cni_fail_invalid(const char *function, const char *argument, const void *pointer,
                           cni_type type)
{
    if (pointer == NULL)
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s is NULL", function, argument);
    for (cni_type other = CNI_NO_OBJECT + 1; other < CNI_TYPES; other++)
        if (cni_is_valid(pointer, other))
            return cni_fail(CN_ERR_ARGUMENT, "%s: %s is not a cn_%s but a cn_%s", function,
                            argument, names[type], names[other]);
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: %s is not a cn_%s: it is a freed object or not an object of the library",
                    function, argument, names[type]);
}

cn_status cni_fail_invalid_at(const char *function, const char *array, size_t at,
                              const void *pointer, cni_type type)
{
    char element[64];
    snprintf(element, sizeof element, "%s[%zu]", array, at);
    return cni_fail_invalid(function, element, pointer, type);
}

void *cni_object_new(size_t size, cni_type type)
{
    cni_object *object = cni_allocate(1, size);
    if (object != NULL)
        object->word = CNI_TYPE_WORD(type);
    return object;
}

/* Volatile, because a compiler may leave out a write to memory that is freed next. */
void cni_object_release(void *object)
{
    *(volatile uint64_t *)&((cni_object *)object)->word = 0;
    cni_release(object);
}

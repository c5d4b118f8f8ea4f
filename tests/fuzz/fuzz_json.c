/*
 * Objects read from JSON: a text is refused with a sentence, or what it gives is written, read
 * again, and written as the same text.
 */
#include "input.h"

#include "cubenet/experimental/study.h"
#include "cubenet/experimental/workload.h"

#include <stdlib.h>
#include <string.h>

/* One function for each kind, on void pointers. */
#define KIND(name)                                                                                 \
    static cn_status read_##name(const char *text, void **object)                                  \
    {                                                                                              \
        cn_##name *made = (cn_##name *)(void *)text; /* is set whatever happens */                 \
        cn_status status = CALL(cn_##name##_from_json(text, NULL, &made));                         \
        CHECK((status == CN_OK) == (made != NULL));                                                \
        *object = made;                                                                            \
        return status;                                                                             \
    }                                                                                              \
    static cn_status write_##name(const void *object, char text[], size_t capacity, size_t *count) \
    {                                                                                              \
        return CALL(cn_##name##_json(object, text, capacity, count));                              \
    }                                                                                              \
    static void free_##name(void *object)                                                          \
    {                                                                                              \
        cn_##name *made = object;                                                                  \
        cn_##name##_free(&made);                                                                   \
    }

KIND(topology)
KIND(faults)
KIND(traffic)
KIND(routing)
KIND(scenario)
KIND(result)
KIND(study)
KIND(workload)

static const struct kind {
    const char *name;
    cn_status (*read)(const char *text, void **object);
    cn_status (*write)(const void *object, char text[], size_t capacity, size_t *count);
    void (*release)(void *object);
} kinds[] = {
#define LISTED(name)                                  \
    {                                                 \
#name, read_##name, write_##name, free_##name \
    }
    LISTED(topology), LISTED(faults), LISTED(traffic), LISTED(routing),
    LISTED(scenario), LISTED(result), LISTED(study),   LISTED(workload),
};

static char *written(const struct kind *kind, const void *object)
{
    size_t needed = 0, again = 0;
    cn_status status = kind->write(object, NULL, 0, &needed);
    CHECK(status == CN_ERR_CAPACITY || status == CN_ERR_MEMORY);
    char *text = malloc(needed + 1);
    CHECK(text != NULL);
    text[0] = '\0';
    if (status == CN_ERR_CAPACITY && kind->write(object, text, needed + 1, &again) == CN_OK)
        CHECK(needed == again && strlen(text) == needed);
    return text;
}

static void read_as(const struct kind *kind, const char *text)
{
    void *object, *copy;
    if (kind->read(text, &object) != CN_OK)
        return;
    char *first = written(kind, object);
    if (first[0] != '\0' && kind->read(first, &copy) == CN_OK) {
        char *second = written(kind, copy);
        CHECK(strcmp(first, second) == 0);
        free(second);
        kind->release(copy);
    } else {
        CHECK(strstr(cn_last_error(), "memory") != NULL);
    }
    free(first);
    kind->release(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory_begins();
    char *text = malloc(size + 1);
    CHECK(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        read_as(&kinds[i], text);
    free(text);
    memory_ends();
    return 0;
}

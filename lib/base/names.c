/* Names of the values of an enum: from number to name, from name to number, and lists for error
 * texts. */
#include "base/names.h"

#include <stdio.h>
#include <string.h>

#include "base/hint.h"
#include "base/text.h"

const void *cni_row_of(const cni_names *names, int number)
{
    if (number < names->first || number > names->last)
        return NULL;
    size_t at = (size_t)(number - names->first);
    const void *row =
        (const char *)names->rows + at * (names->size == 0 ? sizeof row : names->size);
    if (names->size == 0)
        memcpy(&row, row, sizeof row);
    return *(const char *const *)row == NULL ? NULL : row;
}

const char *cni_name_of(const cni_names *names, int number)
{
    const char *const *row = cni_row_of(names, number);
    return row == NULL ? NULL : *row;
}

const char *cni_text_of(const cni_names *names, int number, const char *otherwise)
{
    const cni_named *row = cni_row_of(names, number);
    return row == NULL ? otherwise : row->text;
}

cn_status cni_from_name(const char *function, const cni_names *names, const char *name, int *number)
{
    for (int i = names->first; i <= names->last; i++) {
        const char *candidate = cni_name_of(names, i);
        if (candidate != NULL && strcmp(candidate, name) == 0) {
            *number = i;
            return CN_OK;
        }
    }
    char hint[CNI_HINT_CAPACITY];
    const char *suffix = strstr(function, "_from_name");
    cni_hint(names, name, hint);
    if (hint[0] == '\0' && suffix != NULL)
        return cni_fail(CN_ERR_NOT_FOUND, "%s: there is no %s \"%.80s\"; %.*s_name() lists them",
                        function, names->what, name, (int)(suffix - function), function);
    return cni_fail(CN_ERR_NOT_FOUND, "%s: there is no %s \"%.80s\"%s", function, names->what, name,
                    hint);
}

const char *cni_list_names(const cni_names *names, uint64_t allowed, char text[CNI_LIST_CAPACITY])
{
    cni_text list = {.text = text, .capacity = CNI_LIST_CAPACITY};
    for (int i = names->first; i <= names->last; i++) {
        const char *name = cni_name_of(names, i);
        if (name == NULL || (allowed != CNI_ALL_OF_THEM && (allowed >> i & 1) == 0))
            continue;
        cni_text_put(&list, "%s%s", list.length > 0 ? ", " : "", name);
    }
    text[list.length < CNI_LIST_CAPACITY ? list.length : 0] = '\0';
    return text;
}

cn_status cni_check_named(const char *function, const cni_names *names, const char *argument,
                          int number)
{
    if (cni_name_of(names, number) != NULL)
        return CN_OK;
    char list[CNI_LIST_CAPACITY];
    int least = names->first;
    while (cni_name_of(names, least) == NULL)
        least++;
    if (cni_list_names(names, CNI_ALL_OF_THEM, list)[0] == '\0')
        snprintf(list, sizeof list, "numbers from %d to %d", least, names->last);
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: %s = %d, but there is no %s of this number; there are: %s", function,
                    argument, number, names->what, list);
}

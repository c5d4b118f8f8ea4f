/*
 * A network by its name, which is the call that makes the network: "torus([4,6])",
 * "kary_ncube(k=3,n=2,bidirectional=True)". One row for each constructor. The names of arguments
 * are skipped, because the name of the new network must equal the given name.
 */
#include "topology/topology.h"

#include <stdio.h>
#include <string.h>

#include "base/hint.h"
#include "base/text.h"

typedef struct arguments {
    uint64_t value[3]; /* numbers, True (1), False (0); `last` of the row where none is given */
    uint64_t list[CNI_MAX_DIMENSIONS];
    uint32_t count; /* of the list */
} arguments;

/* The argument lists of constructors. */
typedef enum call_form { U32, U64, U64_U32, U64_INT, U64_U64_INT, U64_U32_INT, LIST } call_form;

typedef struct family_row {
    const char *name;
    call_form form;
    uint64_t last; /* the value of a last argument that a call may leave out */
    union {
        cn_status (*u32)(uint32_t, cn_topology **);
        cn_status (*u64)(uint64_t, cn_topology **);
        cn_status (*u64_u32)(uint64_t, uint32_t, cn_topology **);
        cn_status (*u64_int)(uint64_t, int, cn_topology **);
        cn_status (*u64_u64_int)(uint64_t, uint64_t, int, cn_topology **);
        cn_status (*u64_u32_int)(uint64_t, uint32_t, int, cn_topology **);
        cn_status (*list)(const uint64_t[], uint32_t, cn_topology **);
    } make;
} family_row;

static const family_row rows[] = {
    {"hypercube", U32, 0, {.u32 = cn_topology_hypercube}},
    {"kary_ncube", U64_U32_INT, 0, {.u64_u32_int = cn_topology_kary_ncube}},
    {"ring", U64_INT, 1, {.u64_int = cn_topology_ring}},
    {"torus", LIST, 0, {.list = cn_topology_torus}},
    {"mesh", LIST, 0, {.list = cn_topology_mesh}},
    {"generalized_hypercube", U64_U32, 0, {.u64_u32 = cn_topology_generalized_hypercube}},
    {"complete", U64, 0, {.u64 = cn_topology_complete}},
    {"star", U64, 0, {.u64 = cn_topology_star}},
    {"tree", U64_U32, 0, {.u64_u32 = cn_topology_tree}},
    {"chordal_ring", U64_U64_INT, 0, {.u64_u64_int = cn_topology_chordal_ring}},
    {"psnn", U32, 0, {.u32 = cn_topology_psnn}},
    {"shuffle_exchange", U32, 0, {.u32 = cn_topology_shuffle_exchange}},
    {"de_bruijn", U32, 0, {.u32 = cn_topology_de_bruijn}},
    {"generalized_hypercube", LIST, 0, {.list = cn_topology_generalized_hypercube_mixed}},
};
/* Without the last row, which is a second constructor of another row's name. */
static const cni_names families = {"topology", rows, sizeof rows[0], 0,
                                   (int)(sizeof rows / sizeof rows[0]) - 2};

/* ---- the arguments ---- */

static int read_flag(const char **at, uint64_t *value)
{
    *value = strncmp(*at, "True", 4) == 0;
    if (!*value && strncmp(*at, "False", 5) != 0)
        return 0;
    *at += *value ? 4 : 5;
    return 1;
}

static int read_list(const char **at, arguments *a)
{
    do {
        ++*at;
        if (a->count == CNI_MAX_DIMENSIONS || !cni_read_whole(at, NULL, &a->list[a->count++]))
            return 0;
    } while (**at == ',');
    return *(*at)++ == ']';
}

/* The values between the brackets of a call; their number, -1 for a malformed call. */
static int read_arguments(const char *at, arguments *a)
{
    int values = 0;
    do {
        at++;
        size_t name = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        at += at[name] == '=' ? name + 1 : 0;
        if (*at == '[' ? !read_list(&at, a)
                       : values == 3 || (!cni_read_whole(&at, NULL, &a->value[values]) &&
                                         !read_flag(&at, &a->value[values])))
            return -1;
        values += a->count == 0;
    } while (*at == ',');
    return strcmp(at, ")") == 0 ? values : -1;
}

/* ---- the call ---- */

static cn_status call(const family_row *row, const arguments *a, cn_topology **made)
{
    const uint64_t *v = a->value;
    uint32_t first = v[0] > UINT32_MAX ? UINT32_MAX : (uint32_t)v[0];
    uint32_t second = v[1] > UINT32_MAX ? UINT32_MAX : (uint32_t)v[1];
    switch (row->form) {
    case U32:
        return row->make.u32(first, made);
    case U64:
        return row->make.u64(v[0], made);
    case U64_U32:
        return row->make.u64_u32(v[0], second, made);
    case U64_INT:
        return row->make.u64_int(v[0], v[1] != 0, made);
    case U64_U64_INT:
        return row->make.u64_u64_int(v[0], v[1], v[2] != 0, made);
    case U64_U32_INT:
        return row->make.u64_u32_int(v[0], second, v[2] != 0, made);
    case LIST:
        break;
    }
    return row->make.list(a->list, a->count, made);
}

/* How many values a form takes; a list is no value. */
static int values_of(call_form form)
{
    static const int values[] = {
        [U32] = 1, [U64] = 1, [U64_U32] = 2, [U64_INT] = 2, [U64_U64_INT] = 3, [U64_U32_INT] = 3};
    return form == LIST ? 0 : values[form];
}

/* NULL where no family has this name and these arguments. */
static const family_row *find(const char *name, arguments *a)
{
    size_t length = strcspn(name, "(");
    int values = name[length] == '(' ? read_arguments(name + length, a) : -1;
    for (size_t i = 0; values >= 0 && i < sizeof rows / sizeof rows[0]; i++) {
        const family_row *row = &rows[i];
        int takes = values_of(row->form),
            has_flag = row->form == U64_INT || row->form == U64_U64_INT;
        if (strncmp(row->name, name, length) != 0 || row->name[length] != '\0' ||
            (row->form == LIST) != (a->count > 0) || values > takes || values < takes - has_flag)
            continue;
        if (values < takes)
            a->value[takes - 1] = row->last;
        return row;
    }
    return NULL;
}

/* The text after the sentence: for a known family the form of a name, otherwise the likely
 * family. */
static const char *hint_of(const char *name, char hint[CNI_HINT_CAPACITY])
{
    char family[CNI_HINT_CAPACITY];
    snprintf(family, sizeof family, "%.*s", (int)strcspn(name, "("), name);
    for (int i = families.first; i <= families.last; i++)
        if (strcmp(cni_name_of(&families, i), family) == 0)
            return "; a name is a call like torus([4,6]) or kary_ncube(k=3,n=2,bidirectional=True)";
    return cni_hint(&families, family, hint);
}

cn_status cni_topology_by_name(const char *name, cn_topology **topology)
{
    arguments a = {0};
    char hint[CNI_HINT_CAPACITY];
    const family_row *row = find(name, &a);
    *topology = NULL;
    if (row == NULL)
        return cni_fail(CN_ERR_NOT_FOUND, "no topology has the name \"%.80s\"%s", name,
                        hint_of(name, hint));
    CNI_TRY(call(row, &a, topology));
    if (strcmp((*topology)->name, name) == 0)
        return CN_OK;
    cni_fail(CN_ERR_NOT_FOUND, "no topology has the name \"%.80s\"; this one is called \"%.80s\"",
             name, (*topology)->name);
    cn_topology_free(topology);
    return CN_ERR_NOT_FOUND;
}

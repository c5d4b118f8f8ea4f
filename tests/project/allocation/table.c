#include "table.h"

#include <stdio.h>
#include <string.h>

#include "digest.h"

handles given, made;
outputs out;

/* Handles of `made` point here before a call. */
static int untouched;
enum { HANDLES = sizeof(handles) / sizeof(void *), PATTERN = 0xA5, MOST_NAMES = 2000 };

/* What a call came to. */
typedef struct answer {
    cn_status status;
    uint64_t objects, written;
} answer;

typedef enum table_step { STEP_FIRST, STEP_FAILING, STEP_AGAIN } table_step;

static struct {
    const char *function, *file;
    int line;
    void (*make)(void);
    table_kind kind;
    table_step step;
    uint64_t failing; /* the number of the allocation that fails now */
    uint64_t before;  /* digest of what was given */
    answer first;
    unsigned char sets[sizeof(handles)]; /* of the bytes of `made`, which the call sets */
    int over, broken;
    uint64_t allocations; /* of the call that was made */
    char error[400];      /* what it left */
} row;

/* The functions that have rows, and whether one of these says that it allocates. */
static const char *names[MOST_NAMES];
static int allocates[MOST_NAMES];
static size_t name_count;
static uint64_t injected, broken_rows;

#define expect(condition, what) table_expect((condition), (what), #condition)

/* A row that is not as it should be is told of once, and given up; the others go on. */
static void table_expect(int condition, const char *what, const char *text)
{
    if (condition || row.broken)
        return;
    print_error(
        "%s:%d: %s, allocation %llu of %llu fails (0: none): %s (%s); its sentence is \"%s\"\n",
        row.file, row.line, row.function, (unsigned long long)row.failing,
        (unsigned long long)row.allocations, what, text, row.error);
    row.broken = row.over = 1;
    broken_rows++;
}

int table_finish(void **state)
{
    (void)state;
    int broken = broken_rows > 0;
    broken_rows = 0;
    return broken;
}

static void give_back(handles *objects)
{
    cn_result_free(&objects->result);
    cn_study_free(&objects->study);
    cn_control_free(&objects->control);
    cn_sim_close(&objects->sim);
    cn_scenario_free(&objects->scenario);
    cn_operations_free(&objects->operations);
    cn_workload_free(&objects->workload);
    cn_traffic_free(&objects->traffic);
    cn_deadlock_free(&objects->deadlock);
    cn_routing_free(&objects->routing);
    cn_hierarchy_free(&objects->hierarchy);
    cn_subnet_free(&objects->subnet);
    cn_faults_free(&objects->faults);
    cn_tree_free(&objects->tree);
    cn_topology_free(&objects->topology);
}

/* The handle number i of `made`. */
static void *made_handle(size_t i)
{
    void *handle;
    memcpy(&handle, (const char *)&made + i * sizeof handle, sizeof handle);
    return handle;
}

static void set_made_handle(size_t i, void *handle)
{
    memcpy((char *)&made + i * sizeof handle, &handle, sizeof handle);
}

/* Before a call: nothing is made, and what is written shows. */
static void clear_outputs(void)
{
    memset(&out, PATTERN, sizeof out);
    for (size_t i = 0; i < HANDLES; i++)
        set_made_handle(i, &untouched);
    support_forget_error();
}

/* Handles that were not made become NULL, as those are which the call says are none. */
static void forget_untouched(void)
{
    for (size_t i = 0; i < HANDLES; i++)
        if (made_handle(i) == &untouched)
            set_made_handle(i, NULL);
}

/* Where a function stands among those that have rows; name_count when it has none. */
static size_t place_of(const char *function)
{
    size_t place = 0;
    while (place < name_count && strcmp(names[place], function) != 0)
        place++;
    return place;
}

void table_begin(const char *function, void (*make)(void), table_kind kind, const char *file,
                 int line)
{
    size_t place = place_of(function);
    if (place == name_count) {
        assert_true(name_count < MOST_NAMES);
        names[name_count++] = function;
    }
    allocates[place] = allocates[place] || kind != TABLE_NEVER;
    if (row.function != NULL && !row.over) { /* the making of something has failed */
        forget_untouched();
        give_back(&made);
        give_back(&given);
        support_remove_allocator();
    }
    memset(&row, 0, sizeof row);
    row.function = function;
    row.make = make;
    row.kind = kind;
    row.file = file;
    row.line = line;
    memset(&given, 0, sizeof given);
    support_install_allocator(0);
}

int table_next(void)
{
    if (row.over) {
        support_remove_allocator();
        return 0;
    }
    if (row.step != STEP_AGAIN) {
        row.make();
        row.before = digest_handles(&given);
    }
    clear_outputs();
    support_fail_allocation(row.step == STEP_FAILING ? row.failing : 0);
    return 1;
}

/* The handles that the first call sets are the ones that a failing call must set to NULL. */
static void remember_sets(void)
{
    for (size_t i = 0; i < HANDLES; i++)
        row.sets[i] = made_handle(i) != &untouched;
}

static void check_failure(cn_status status)
{
    expect(status == CN_ERR_MEMORY, "the call does not return CN_ERR_MEMORY");
    expect(row.error[0] != '\0' && strstr(row.error, "4000000000") == NULL,
           "the call leaves no sentence");
    for (size_t i = 0; i < HANDLES; i++)
        expect(made_handle(i) == (row.sets[i] ? NULL : (void *)&untouched),
               "a handle is not NULL, or was touched");
    const unsigned char *bytes = (const unsigned char *)&out;
    size_t written = 0;
    for (size_t i = 0; i < sizeof out; i++)
        written += bytes[i] != PATTERN;
    expect(written == 0, "an output was touched");
    uint64_t after = digest_handles(&given); /* what ended can still be asked */
    expect(row.kind == TABLE_ENDS || after == row.before, "what was given has changed");
}

static answer answer_of(cn_status status)
{
    forget_untouched();
    answer a = {.status = status, .objects = digest_handles(&given)};
    a.objects = a.objects * 31 + digest_handles(&made);
    a.written = digest_bytes(0, &out, sizeof out);
    return a;
}

static void check_same(const answer *a)
{
    expect(a->status == row.first.status, "the status is not that of the first call");
    expect(a->written == row.first.written, "the outputs are not those of the first call");
    expect(a->objects == row.first.objects, "the objects are not those of the first call");
}

void table_end(cn_status status)
{
    row.allocations = support_allocations();
    snprintf(row.error, sizeof row.error, "%s", cn_last_error());
    support_fail_allocation(0);
    if (row.step == STEP_FAILING && row.allocations >= row.failing) {
        injected++;
        check_failure(status);
        if (row.kind != TABLE_ENDS && !row.broken) {
            row.step = STEP_AGAIN;
            return;
        }
        forget_untouched();
    } else {
        if (row.step == STEP_FIRST)
            remember_sets();
        answer a = answer_of(status);
        if (row.step == STEP_FIRST) {
            row.first = a;
            expect(status >= 0 || status == CN_ERR_DEADLOCK || row.kind == TABLE_NEVER,
                   "the call fails with all its memory");
            expect((row.allocations > 0) == (row.kind != TABLE_NEVER),
                   "FAILS is for a call that allocates, NEVER and the like for one that does not");
            row.over = row.over || row.kind == TABLE_NEVER;
        } else {
            check_same(&a);
            row.over = row.over || row.step == STEP_FAILING;
        }
    }
    give_back(&made);
    give_back(&given);
    expect(support_blocks() == 0, "memory is not given back");
    row.failing++;
    row.step = STEP_FAILING;
}

void table_end_number(uint64_t number)
{
    out.words[0][0] = number;
    table_end(CN_OK);
}

void table_end_text(const char *text)
{
    if (text != NULL)
        strncpy(out.text, text, sizeof out.text - 1);
    table_end(CN_OK);
}

/* How many names of the list have a row; the others are told. */
static size_t check_list(const char *list_of_symbols, size_t *missing)
{
    FILE *list = fopen(list_of_symbols, "r");
    char symbol[128];
    size_t symbols = 0, listed = 0;
    assert_non_null(list);
    for (; fscanf(list, "%127s", symbol) == 1; symbols++) {
        if (place_of(symbol) < name_count) {
            listed++;
            continue;
        }
        print_error(
            "%s has no row. Add one to the file of its header in tests/project/allocation/:\n"
            "    FAILS(%s, what makes the objects that it is given, arguments);\n"
            "or with NEVER, NUMBER, TEXT or FREES if it never allocates\n",
            symbol, symbol);
    }
    fclose(list);
    assert_true(symbols > 0);
    *missing += symbols - listed;
    return listed;
}

void table_check_complete(const char *core, const char *experimental)
{
    size_t missing = 0;
    size_t listed = check_list(core, &missing) + check_list(experimental, &missing);
    assert_int_equal(missing, 0);
    if (listed != name_count)
        print_error("%zu rows are of functions that are not in the lists of exported symbols\n",
                    name_count - listed);
    assert_int_equal(listed, name_count);
    size_t failing = 0;
    for (size_t i = 0; i < name_count; i++)
        failing += (size_t)allocates[i];
    print_message("%llu injected failures in %zu functions; %zu functions never allocate\n",
                  (unsigned long long)injected, failing, name_count - failing);
}

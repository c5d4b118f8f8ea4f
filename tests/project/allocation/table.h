/* The table of allocation failures: rows, each of which calls one public function.
 *
 * A row names the function, a function of given.h that makes what the call is given, and the
 * arguments. A call reads `given` and puts what it gives into `out`. It is made once with all the
 * memory that it wants, and then, always on fresh objects, with its 1st, 2nd, ... allocation
 * failing until it gets through. Whenever one fails, the call must
 *
 * - return CN_ERR_MEMORY and leave a sentence,
 * - set to NULL the handles that it makes, and touch no other output,
 * - leave the objects that it was given as they were,
 * - and, made again, give the answer of the first time.
 *
 * In the end all memory is back. A function may have several rows. */
#ifndef CUBENET_TESTS_ALLOCATION_TABLE_H
#define CUBENET_TESTS_ALLOCATION_TABLE_H

#include "support/support.h"

#include "cubenet/experimental/collectives.h"
#include "cubenet/experimental/study.h"
#include "cubenet/experimental/workload.h"

/* One handle of each type. */
typedef struct handles {
    cn_topology *topology;
    cn_tree *tree;
    cn_faults *faults;
    cn_subnet *subnet;
    cn_hierarchy *hierarchy;
    cn_routing *routing;
    cn_deadlock *deadlock;
    cn_traffic *traffic;
    cn_operations *operations;
    cn_workload *workload;
    cn_scenario *scenario;
    cn_sim *sim;
    cn_study *study;
    cn_control *control;
    cn_result *result;
} handles;

/* What a call may write to. */
typedef struct outputs {
    uint64_t words[4][256];
    uint32_t shorts[2][256];
    double reals[4][256];
    uint8_t bytes[256];
    int numbers[4];
    size_t sizes[2];
    char text[8192];
    cn_delivery delivery;
} outputs;

extern handles given, made;
extern outputs out;

/* A function that allocates, and returns a cn_status. */
#define FAILS(function, make, ...) \
    TABLE_ROW(function, make, TABLE_FAILS, table_end(function(__VA_ARGS__)))

/* The same where the header says that a failure may be the end of the object: it can only be
 * freed. */
#define ENDS(function, make, ...) \
    TABLE_ROW(function, make, TABLE_ENDS, table_end(function(__VA_ARGS__)))

/* Functions that never allocate: they return a cn_status, a number, a text, or nothing. */
#define NEVER(function, make, ...) \
    TABLE_ROW(function, make, TABLE_NEVER, table_end(function(__VA_ARGS__)))
#define NUMBER(function, make, ...) \
    TABLE_ROW(function, make, TABLE_NEVER, table_end_number((uint64_t)function(__VA_ARGS__)))
#define TEXT(function, make, ...) \
    TABLE_ROW(function, make, TABLE_NEVER, table_end_text(function(__VA_ARGS__)))
#define FREES(function, make, ...) \
    TABLE_ROW(function, make, TABLE_NEVER, (function(__VA_ARGS__), table_end(CN_OK)))

typedef enum table_kind { TABLE_FAILS, TABLE_ENDS, TABLE_NEVER } table_kind;

#define TABLE_ROW(function, make, kind, call)                                       \
    for (table_begin(#function, (make), (kind), __FILE__, __LINE__); table_next();) \
    (call)

void table_begin(const char *function, void (*make)(void), table_kind kind, const char *file,
                 int line);
int table_next(void);
void table_end(cn_status status);
void table_end_number(uint64_t number);
void table_end_text(const char *text);

/* After the rows of a room: nonzero when one of them was broken. */
int table_finish(void **state);

/* Every function of the list has a row, and every row is of a function of the list. Prints the
 * figures. */
void table_check_complete(const char *core, const char *experimental);

/* The rows, by room. */
void base_rows(void **state);
void topology_rows(void **state);
void measure_rows(void **state);
void tree_rows(void **state);
void routing_rows(void **state);
void decision_rows(void **state);
void fault_rows(void **state);
void subnet_rows(void **state);
void traffic_rows(void **state);
void scenario_rows(void **state);
void queueing_rows(void **state);
void simulation_rows(void **state);
void study_rows(void **state);

#endif

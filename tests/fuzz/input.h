/* What the fuzz targets share: bytes read as arguments, calls that are held to the contract of
 * base.h, and an allocator that refuses large blocks, fails when told to, and counts what is not
 * given back. */
#ifndef CUBENET_FUZZ_INPUT_H
#define CUBENET_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <cubenet.h>

/* Each target defines it; libFuzzer and replay.c call it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- bytes as arguments; 0 when they are used up ---- */

typedef struct input {
    const uint8_t *data;
    size_t left;
} input;

uint8_t input_byte(input *in);
uint64_t input_word(input *in);
uint64_t input_below(input *in, uint64_t bound);

/* A number of any size, most of them small or close to a power of two. */
uint64_t input_hostile(input *in);

/* A real number: everyday ones, and NaN, infinities, negative, tiny and huge ones. */
double input_real(input *in);

/* ---- what must hold ---- */

/* Ends the program with the place and the text when `holds` is 0. */
void check_that(int holds, const char *text, const char *file, int line);
#define CHECK(condition) check_that(!!(condition), #condition, __FILE__, __LINE__)

/* A call: a status that exists, no failed check inside the library, and after a failure a sentence
 * of its own. Gives the status back. */
void call_begins(void);
cn_status call_ended(cn_status status, const char *text, const char *file, int line);
#define CALL(expression) (call_begins(), call_ended((expression), #expression, __FILE__, __LINE__))

/* A call that makes the object `handle`, which is NULL after a failure and not after a success.
 * Gives 1 when the object is there. */
#define MAKES(expression, handle) \
    (CALL(expression) == CN_OK ? (CHECK((handle) != NULL), 1) : (CHECK((handle) == NULL), 0))

/* ---- memory ---- */

/* A target begins and ends with these; at the end nothing may be left. */
void memory_begins(void);
void memory_ends(void);

/* While 1, blocks that are given back are kept until memory_ends(), so that a handle of a freed
 * object leads to memory that can be read. */
void memory_keeps(int keeps);

/* The block after the next `blocks` is refused, and only that one. */
void memory_fails_after(uint64_t blocks);
/* No more; gives 1 when a block was refused. */
int memory_recovers(void);

/* ---- networks ---- */

/* One of all families, of `most` nodes at most; NULL when the bytes ask for none that exists. */
cn_topology *network_small(input *in, uint64_t most);

/* One of all families with arguments of any size. `searched` gets 1 when distances in it take a
 * search. */
cn_topology *network_any(input *in, int *searched);

#endif

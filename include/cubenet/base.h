/**
 * @file base.h
 * Status codes, error sentences, version and memory allocation. Every other header includes this
 * one.
 *
 * Conventions of the whole library:
 *
 * - A function that can fail returns a cn_status and stores its results through its last arguments.
 *   After a failure the handle of a new object is NULL and every other output is unchanged. There
 *   are four exceptions. CN_ERR_CAPACITY comes with a count. A cancelled call stores the results
 *   found so far (control.h) and leaves arrays and texts partly filled. A function that answers a
 *   question for each element of an array (cn_topology_headers(), cn_topology_digits_of() and
 *   others) stores the answers before the first wrong element. cn_route_two_phase_check() stores
 *   the number of the wrongly placed message. The comment of a function that changes an object says
 *   in which state a failed call leaves the object.
 * - Each kind of object has its own free function, which takes the address of the handle and sets
 *   the handle to NULL. The function does nothing for a handle that is NULL. An object keeps alive
 *   the objects on which it depends, so handles may be freed in any order.
 * - The library detects a handle of another type, or of a freed object, by a mark at the head of
 *   the object. Such a handle gives CN_ERR_ARGUMENT with an error sentence, as NULL does. A
 *   function without a status returns the same value as for NULL, and a free function does nothing.
 *   Detection may fail when the handle does not point to 8 readable, aligned bytes, or when the
 *   memory of the freed object is in use again, above all by an object of the same type. A topology
 *   that other objects keep alive can still be read through a freed handle; freeing that handle
 *   again does nothing.
 * - A function whose name ends in _new, _copy or _open makes an object and stores its handle
 *   through the last argument. Where there are several ways to make an object, the name of each
 *   constructor says what it makes, without _new: cn_topology_hypercube(), cn_tree_balanced(),
 *   cn_subnet_convex(). A check or a run whose outcome is an object has the name of the action:
 *   cn_deadlock_check(), cn_predict(). An object with many options starts with defaults, which
 *   setters change: cn_control, cn_scenario, cn_study.
 * - A function has at most seven arguments, a cn_control not counted. Exceptions: functions that
 *   return several columns of one table; functions that return several bounds with what proves
 *   them; the decision of one node, which takes the whole state of the node; functions that add one
 *   row with all that it refers to.
 * - Arrays belong to the caller. An output array comes with its capacity in elements. The function
 *   also returns the count of elements (the length of a text); the pointer to the count may be
 *   NULL. Where a function fills several arrays, the capacity holds for each array. When the
 *   capacity is too small, the function returns CN_ERR_CAPACITY, leaves the arrays unchanged and
 *   sets the count to the number of elements needed; NULL with capacity 0 asks for this number
 *   alone. NULL with any other capacity gives CN_ERR_ARGUMENT. An output array without a count is
 *   optional: NULL with capacity 0 leaves it out. The comment says how many elements such an array
 *   has. An input array comes with the count of its elements. A wrong count gives CN_ERR_ARGUMENT;
 *   NULL is accepted with count 0. CN_ERR_CAPACITY concerns outputs only. The pointer to a single
 *   output value may be NULL only where its comment says so.
 * - Text is NUL-terminated. The capacity of a text includes the NUL, the returned length does not.
 * - Every function with a status may return CN_ERR_ARGUMENT: for NULL, for an invalid handle and
 *   for a number out of range, even where its comment does not say so. A function that makes an
 *   object, or whose comment states a memory requirement, may return CN_ERR_MEMORY. The comment of
 *   the function, the heading above it or the comment of its file names all other errors.
 * - A function that may take long has an argument for a cn_control (control.h), which may be NULL.
 *   Such a function may return CN_ERR_CANCELLED, even where its comment does not say so.
 * - A function whose comment and heading state no cost takes O(1) steps, O(n) steps where it reads
 *   the n digits of an address, O(degree) steps where it reads the ports of a node, and one step
 *   for each element of an array that it reads or fills. In costs N is the number of nodes. A cost
 *   is time unless the comment says memory.
 * - `@since` names the version in which the header or the function first appeared. A function
 *   without `@since` appeared with its header.
 * - Many threads may read an object at once while no thread changes it. A cn_sim (simulation.h)
 *   belongs to one thread at a time.
 * - The library needs IEEE 754 arithmetic: doubles of 53 binary digits, every operation rounded to
 *   a double (FLT_EVAL_METHOD 0, or 1, which extends floats only), and a * b + c not contracted
 *   into one operation. meson.build sets the flags for this: -ffp-contract=off, and on 32-bit x86
 *   -msse2 -mfpmath=sse. With other arithmetic, or with -ffast-math, the library does not compile.
 *
 * @since 1.0
 */
#ifndef CUBENET_BASE_H
#define CUBENET_BASE_H

#include <stddef.h>
#include <stdint.h>

/**
 * Marks a function that the library exports. On Windows the library itself is compiled with
 * CN_BUILD defined. A program that links the DLL may define CN_DLL, which saves one jump per call.
 * A program that links the static library defines neither.
 */
#if defined(_WIN32) && defined(CN_BUILD)
#define CN_API __declspec(dllexport)
#elif defined(_WIN32) && defined(CN_DLL)
#define CN_API __declspec(dllimport)
#elif defined(_WIN32)
#define CN_API
#elif defined(__GNUC__)
#define CN_API __attribute__((visibility("default")))
#else
#define CN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of these headers. cn_version() returns the version of the library in use. */
#define CN_VERSION_MAJOR 1
#define CN_VERSION_MINOR 0 /**< the second number of the version */
#define CN_VERSION_PATCH 0 /**< the third number of the version */

/**
 * The outcome of a call. Zero is success, a negative number is an error, and a positive number is a
 * regular outcome other than success. The numbers never change; new ones may be added.
 */
typedef enum cn_status {
    CN_OK = 0,
    CN_DONE = 1,    /**< nothing is left to return or to do */
    CN_REFUSED = 2, /**< the network did not admit the message: the buffers of the node are full */
    CN_ERR_ARGUMENT = -1, /**< an argument is NULL, out of range, NaN or malformed */
    CN_ERR_MEMORY = -2,   /**< the allocator returned no memory */
    /** the arguments are valid, but the library does not support this combination */
    CN_ERR_UNSUPPORTED = -3,
    CN_ERR_UNSTABLE = -4,    /**< no steady state: the load exceeds what the network can carry */
    CN_ERR_NOT_FOUND = -5,   /**< no item has this name, or the result does not hold this metric */
    CN_ERR_OVERFLOW = -6,    /**< the result does not fit its type */
    CN_ERR_CAPACITY = -7,    /**< the caller's array is too small for the output */
    CN_ERR_STATE = -8,       /**< the call is not allowed in the present state of the object */
    CN_ERR_CONVERGENCE = -9, /**< an iteration did not reach its tolerance */
    CN_ERR_DEADLOCK = -10,   /**< some simulated messages can never move again */
    CN_ERR_THREAD = -11,     /**< the operating system could not start a thread */
    CN_ERR_DISCONNECTED = -12, /**< some node cannot reach some other node */
    /**
     * the caller cancelled the call, or the call reached its time limit without a result
     * (control.h)
     */
    CN_ERR_CANCELLED = -13,
    /** the exchange of messages with another part failed (experimental/part.h) */
    CN_ERR_EXCHANGE = -14,
    CN_ERR_INTERNAL = -99 /**< a check inside the library failed: a bug in cubenet */
} cn_status;

/**
 * Returns a fixed sentence that explains @p status. Never NULL, even for a number that is no
 * status.
 */
CN_API const char *cn_status_text(cn_status status);

/**
 * Returns the error sentence of the most recent call that failed on the calling thread. The
 * sentence names the argument, its value and the allowed values. A call that succeeds does not
 * change the sentence, so read it only after a failure. The sentence is empty before the first
 * failure and never NULL. The text stays valid until the next failure on the same thread.
 */
CN_API const char *cn_last_error(void);

/** Returns the version of the library in use as one number: 10000 major + 100 minor + patch. */
CN_API uint32_t cn_version(void);

/** Returns the version of the library in use as text, as in "1.2.3". */
CN_API const char *cn_version_text(void);

/**
 * Allocates @p size bytes (never 0), aligned for any type; returns NULL when there is no memory.
 * The library calls this function on every thread that calls cubenet and on the threads that
 * cubenet starts.
 */
typedef void *(*cn_allocate_fn)(void *user, size_t size);

/** Frees @p memory, which the cn_allocate_fn returned and which is never NULL. */
typedef void (*cn_release_fn)(void *user, void *memory);

/**
 * Makes the library allocate and free all memory through @p allocate and @p release. The library
 * passes @p user to every call of the two functions. NULL for both restores malloc and free. No
 * other thread may be inside the library during the call. With malloc the library asks the system
 * for large pages for its large blocks (madvise() of Linux); @p allocate may do the same, which
 * makes large simulations faster.
 *
 * @return CN_ERR_ARGUMENT when only one of the two is NULL; CN_ERR_STATE while any object of the
 *         library exists.
 */
CN_API cn_status cn_set_allocator(cn_allocate_fn allocate, cn_release_fn release, void *user);

#ifdef __cplusplus
}
#endif

#endif

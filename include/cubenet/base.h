/**
 * @file base.h
 * Status codes, error text, version and memory: what every other header builds on.
 *
 * Conventions of the whole library:
 *
 * - A function that can fail returns a cn_status and puts what it makes into its last arguments.
 *   When it fails, an object that it should have made is NULL and every other output is untouched,
 *   but for the count that goes with CN_ERR_CAPACITY.
 * - An object is destroyed by its own free function, which takes the address of the handle, sets
 *   it to NULL and accepts a handle that is NULL already. Objects keep what they depend on alive,
 *   so the order in which handles are freed does not matter.
 * - A handle of another type, or of an object that was freed, gives CN_ERR_ARGUMENT with a
 *   sentence, as NULL does; a function without a status answers as for NULL, and a free function
 *   does nothing. A word at the head of the object tells. So it cannot be promised when the handle
 *   leads to no 8 aligned bytes that can be read, or when the memory of a freed object is in use
 *   again, for an object of the same type above all. A topology that other objects keep alive can
 *   still be read through a handle that was freed; to free that handle again does nothing.
 * - An object is made by a function that ends in _new, _copy or _open and puts it into its last
 *   argument.
 *   Where there are several ways to make an object, each is named after what it makes, without
 *   _new: cn_topology_hypercube(), cn_tree_balanced(), cn_subnet_convex(); so is a check or a run
 *   that gives its outcome as an object: cn_deadlock_check(), cn_predict(). What has many options
 *   is made plain and then set, one option a call: cn_control, cn_scenario, cn_study. A function
 *   with more than seven arguments gives several columns of one table, or several bounds with what proves
 *   them, or is the decision of one node, which takes all that the node knows.
 * - Arrays belong to the caller.
 *   An array that a function fills comes with its capacity in elements, and a count (the length of
 *   a text) is given back, which may be NULL. Where several arrays are filled, the capacity holds
 *   for each. When the capacity is too small, the function returns CN_ERR_CAPACITY, writes nothing
 *   into the arrays and gives the count of elements that it needs; NULL with capacity 0 asks just
 *   that. NULL with any other capacity is CN_ERR_ARGUMENT. An array without a count beside it is
 *   one that may be left out: NULL with capacity 0 does that, and its comment says how many
 *   elements it has.
 *   An array that a function reads comes with the count of its elements. A count that does not fit
 *   is CN_ERR_ARGUMENT, and NULL goes with count 0. CN_ERR_CAPACITY is about outputs only.
 *   An output that is a single value may be NULL only where its comment says so.
 * - Text is NUL-terminated. Its capacity counts the NUL, the length that is given back does not.
 * - Every function with a status may return CN_ERR_ARGUMENT, for NULL, for a handle that is none
 *   and for a number that is out of its range, also where its comment does not repeat it;
 *   functions that make objects or say what memory they need may return CN_ERR_MEMORY. All other
 *   errors are named by the function, by the heading above it or by the comment of its file.
 *   A function whose comment and heading name no cost takes O(1), or O(n) where it looks at the n digits of
 *   an address, O(degree) where it looks at the ports of a node, and a step for each element of an array that
 *   it reads or fills. In costs N is the number of nodes; time is meant unless memory is named.
 * - `@since` names the version in which a header, or a function that came later, appeared.
 * - A handle may be read by many threads at once while no thread changes it. The cn_sim of
 *   simulation.h belongs to one thread at a time.
 * - The library's arithmetic is IEEE 754's: doubles of 53 binary digits, every operation rounded to one
 *   (FLT_EVAL_METHOD 0, or 1, which adds digits to floats only), a * b + c not contracted into one
 *   operation. meson.build sets the flags for that, -ffp-contract=off and on 32-bit x86 -msse2
 *   -mfpmath=sse; where arithmetic is another, or with -ffast-math, the library does not compile.
 *
 * @since 0.1
 */
#ifndef CUBENET_BASE_H
#define CUBENET_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CN_API __attribute__((visibility("default")))
#else
#define CN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of these headers. cn_version() is that of the library in use. */
#define CN_VERSION_MAJOR 0
#define CN_VERSION_MINOR 1
#define CN_VERSION_PATCH 0

/**
 * What a call came to. Zero is success, a negative number is an error, and a positive one is a
 * regular outcome that is not what was asked for. The numbers never change; new ones are added.
 */
typedef enum cn_status {
    CN_OK = 0,
    CN_DONE = 1,          /**< there is nothing (more) to give */
    CN_REFUSED = 2,       /**< the network did not take the message: the node's buffers are full */
    CN_ERR_ARGUMENT = -1, /**< an argument is NULL, out of range, not a number or malformed */
    CN_ERR_MEMORY = -2,   /**< the allocator gave no memory */
    CN_ERR_UNSUPPORTED = -3,   /**< valid arguments, but this combination does not exist */
    CN_ERR_UNSTABLE = -4,      /**< no steady state: the load is above what the network carries */
    CN_ERR_NOT_FOUND = -5,     /**< nothing has this name, or the result lacks this metric */
    CN_ERR_OVERFLOW = -6,      /**< the answer does not fit its type */
    CN_ERR_CAPACITY = -7,      /**< the caller's array is too small for what is put into it */
    CN_ERR_STATE = -8,         /**< the call is not allowed now */
    CN_ERR_CONVERGENCE = -9,   /**< an iteration did not reach its tolerance */
    CN_ERR_DEADLOCK = -10,     /**< the simulated network stands still for ever */
    CN_ERR_THREAD = -11,       /**< the system gave no thread */
    CN_ERR_DISCONNECTED = -12, /**< some node cannot reach some other */
    CN_ERR_INTERNAL = -99      /**< a check inside the library failed: a bug in cubenet */
} cn_status;

/** Canonical name: that of the constant without its prefix, like "not-found"; NULL for a number that is no status. */
CN_API const char *cn_status_name(cn_status status);

/** The status with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_status_from_name(const char *name, cn_status *status);

/** A fixed sentence for @p status, also for a number that is none of cn_status. Never NULL. */
CN_API const char *cn_status_text(cn_status status);

/**
 * What went wrong in the most recent call that failed on the calling thread: one sentence that
 * names the argument, its value and what is allowed. Calls that succeed leave it as it is, so read
 * it only after a failure. Empty before the first failure; never NULL. The text stays valid until
 * the next failure on the same thread.
 */
CN_API const char *cn_last_error(void);

/** The version of the library in use as one number: 10000 major + 100 minor + patch. */
CN_API uint32_t cn_version(void);

/** The version of the library in use, like "1.2.3". */
CN_API const char *cn_version_text(void);

/**
 * Gives @p size bytes (never 0), aligned for any type, or NULL. Called from any thread that calls
 * cubenet, and from threads that cubenet starts.
 */
typedef void *(*cn_allocate_fn)(void *user, size_t size);

/** Takes back what the cn_allocate_fn gave. @p memory is never NULL. */
typedef void (*cn_release_fn)(void *user, void *memory);

/**
 * Sends all memory of the library through @p allocate and @p release, which get @p user with every
 * call; both NULL restores malloc and free.
 *
 * @return CN_ERR_ARGUMENT when only one of the two is NULL; CN_ERR_STATE while any object of the
 *         library is alive. Not to be called while another thread is inside the library.
 */
CN_API cn_status cn_set_allocator(cn_allocate_fn allocate, cn_release_fn release, void *user);

#ifdef __cplusplus
}
#endif

#endif

/* Inlining, and variants of functions for some processors. */
#ifndef CNI_BASE_INLINE_H
#define CNI_BASE_INLINE_H

/* Whether the simulators have a variant for processors with the instructions PDEP and POPCNT. The
 * library chooses the variant when the program runs; all variants give the same bits. */
#ifndef CNI_BMI2
#if defined(__GNUC__) && defined(__x86_64__)
#define CNI_BMI2 1
#else
#define CNI_BMI2 0
#endif
#endif

/* Whether there is a variant for AVX-512, too; older compilers lack some of its instructions. */
#if CNI_BMI2 && (defined(__clang__) ? __clang_major__ >= 7 : __GNUC__ >= 8)
#define CNI_AVX512 1
#else
#define CNI_AVX512 0
#endif

/* A function that is inlined into every caller, so that a constant argument makes a specialised
 * copy. With CNI_ONE_COPY the compiler decides, and most copies become one. Counts of covered
 * branches need that, since most branches of a copy cannot be taken; sanitizers and short builds
 * want it, since copies take long to compile. CNI_ONE_COPY keeps the variants for processors, which
 * CNI_BMI2=0 leaves out. */
#if defined(__GNUC__) && !defined(CNI_ONE_COPY)
#define CNI_INLINE static inline __attribute__((always_inline))
#else
#define CNI_INLINE static inline
#endif

/* A function that is never inlined; a condition that is expected to be false; a request to load an
 * address into the cache. */
#if defined(__GNUC__)
#define CNI_APART static __attribute__((noinline))
#define CNI_RARELY(condition) __builtin_expect(!!(condition), 0)
#define CNI_PREFETCH(address) __builtin_prefetch(address)
#else
#define CNI_APART static
#define CNI_RARELY(condition) (condition)
#define CNI_PREFETCH(address) ((void)(address))
#endif

#endif

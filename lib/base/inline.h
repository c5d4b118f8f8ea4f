/* Inlining, and variants of functions for some processors. */
#ifndef CNI_BASE_INLINE_H
#define CNI_BASE_INLINE_H

/* Whether the library has variants of its cycles for processors with PDEP and POPCNT, chosen
 * when the program runs; all variants give the same bits. */
#ifndef CNI_BMI2
#if defined(__GNUC__) && defined(__x86_64__)
#define CNI_BMI2 1
#else
#define CNI_BMI2 0
#endif
#endif

/* The same for AVX-512; older compilers do not know all instructions that the library uses. */
#if CNI_BMI2 && (defined(__clang__) ? __clang_major__ >= 7 : __GNUC__ >= 8)
#define CNI_AVX512 1
#else
#define CNI_AVX512 0
#endif

/* Inlined everywhere, so that a constant argument makes a specialised copy. With CNI_ONE_COPY
 * the compiler decides, and most copies become one: for counts of covered branches, since most
 * branches of a copy cannot be taken; for sanitizers and short builds, since copies take long to
 * compile. The variants for processors stay; CNI_BMI2=0 leaves them out. */
#if defined(__GNUC__) && !defined(CNI_ONE_COPY)
#define CNI_INLINE static inline __attribute__((always_inline))
#else
#define CNI_INLINE static inline
#endif

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

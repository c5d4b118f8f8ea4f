/*
 * The demands on arithmetic that make numbers the same on every machine: doubles of IEEE 754, and
 * every operation rounded to a double. error.h includes this file, so a compiler that does not meet
 * the demands stops.
 */
#ifndef CNI_BASE_ARITHMETIC_H
#define CNI_BASE_ARITHMETIC_H

#include <float.h>

#if FLT_RADIX != 2 || DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "cubenet needs a double of IEEE 754: 53 digits, exponents up to 1023"
#endif

/* Method 1, which s390x has, computes floats with the digits of a double, and doubles as they are.
 * The code in lib/ that computes in float is safe: it stores every sum of two floats in a float at
 * once, which rounds the sum to the same number. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error \
    "cubenet needs doubles without extra digits (FLT_EVAL_METHOD 0 or 1): on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#ifdef __FAST_MATH__
#error "cubenet needs arithmetic by the rules: compile without -ffast-math and -Ofast"
#endif

/* A compiler must round a * b + c twice and not fuse the two operations. gcc does not know the
 * pragma; it rounds twice in a mode of ISO C or with -ffp-contract=off, which meson.build sets. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#endif

/*
 * The demands on arithmetic that make numbers the same on every machine: IEEE 754 doubles, every
 * operation rounded to one. error.h includes this file, so a compiler without them stops.
 */
#ifndef CNI_BASE_ARITHMETIC_H
#define CNI_BASE_ARITHMETIC_H

#include <float.h>

#if FLT_RADIX != 2 || DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "cubenet needs a double of IEEE 754: 53 digits, exponents up to 1023"
#endif

/* 1, of s390x, adds digits to floats only, not to doubles. The code in lib/ that computes in
 * float is safe: every sum of two floats goes into a float at once, which rounds it to the same
 * number. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error \
    "cubenet needs doubles without extra digits (FLT_EVAL_METHOD 0 or 1): on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#ifdef __FAST_MATH__
#error "cubenet needs arithmetic by the rules: compile without -ffast-math and -Ofast"
#endif

/* a * b + c is rounded twice. gcc does not know the pragma; gcc rounds twice in a mode of ISO C
 * or with -ffp-contract=off, which meson.build sets. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#endif

/* Limits of a search, as in LIMITS(.steps = 1000), without an object to be freed. */
#ifndef CUBENET_TESTS_LIMITS_H
#define CUBENET_TESTS_LIMITS_H

#include "base/control.h"

#define LIMITS(...) (&(const cn_control){.head = {CNI_TYPE_WORD(CNI_OBJECT_control)}, __VA_ARGS__})

#endif

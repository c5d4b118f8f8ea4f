/* Objects told apart by what can be asked of them. */
#ifndef CUBENET_TESTS_ALLOCATION_DIGEST_H
#define CUBENET_TESTS_ALLOCATION_DIGEST_H

#include "table.h"

/* A number made of all that the objects say; NULL handles are left out. */
uint64_t digest_handles(const handles *objects);

uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t count);

#endif

/*
 * Archives of numbers of fixed widths, little endian, for snapshots. One function visits all parts
 * of a state; the archive that the function gets decides whether the visit measures the length,
 * writes or reads.
 *
 * Reading trusts nothing: CNI_ALLOW() checks every number that becomes an index, a count or a time.
 */
#ifndef CNI_BASE_ARCHIVE_H
#define CNI_BASE_ARCHIVE_H

#include "base/error.h"
#include "base/histogram.h"

/* Start from {.to, .room} to write, {.from, .room} to read, {0} to measure. A writer only counts
 * numbers beyond the room; a reader reads 0 past the end of the bytes. */
typedef struct cni_archive {
    unsigned char *to;
    const unsigned char *from;
    uint64_t room; /* bytes */
    uint64_t at;   /* bytes so far, with those past the room */
} cni_archive;

void cni_archive_u8s(cni_archive *archive, uint8_t numbers[], uint64_t count);
void cni_archive_u16s(cni_archive *archive, uint16_t numbers[], uint64_t count);
void cni_archive_u32s(cni_archive *archive, uint32_t numbers[], uint64_t count);
void cni_archive_u64s(cni_archive *archive, uint64_t numbers[], uint64_t count);
void cni_archive_double(cni_archive *archive, double *number); /* the bits of IEEE 754 */

static inline int cni_archive_reads(const cni_archive *archive)
{
    return archive->from != NULL;
}

/* Sums of several arrays of equal length; reading puts all into the first array. */
void cni_archive_sums(cni_archive *archive, uint64_t *const parts[], size_t count, size_t length);

/* A number of 64 or 32 bits that counts things of at least so many bytes each. Reading refuses a
 * count for which the rest of the bytes is too short. */
cn_status cni_archive_count(cni_archive *archive, uint64_t *count, uint64_t bytes);
cn_status cni_archive_length(cni_archive *archive, uint32_t *length, uint64_t bytes);

/* The sum of several histograms; reading puts all into the first histogram. */
cn_status cni_archive_histogram(cni_archive *archive, cni_histogram *const parts[], size_t count);

/* CN_ERR_ARGUMENT with a sentence; `what` is the part that is damaged. */
cn_status cni_fail_damaged(const char *what);

/* Leaves the calling function, which returns cn_status, when the condition fails for numbers
 * that were read. For numbers to write the condition holds. */
#define CNI_ALLOW(condition, what)         \
    do {                                   \
        if (!(condition))                  \
            return cni_fail_damaged(what); \
    } while (0)

/* A hash of a sequence of bytes. */
uint64_t cni_hash_bytes(const unsigned char bytes[], uint64_t count);

#endif

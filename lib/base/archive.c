/* Archives: the same functions measure, write and read the numbers of a snapshot. */
#include "base/archive.h"

#include <string.h>

#include "base/random.h"

static uint64_t get_number(const unsigned char bytes[], uint32_t width)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < width; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static void put_number(unsigned char bytes[], uint64_t number, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
}

/* Whether the bytes that begin at *at are there to read or to write. */
static int take_bytes(cni_archive *archive, uint64_t bytes, uint64_t *at)
{
    *at = archive->at;
    archive->at = bytes <= UINT64_MAX - *at ? *at + bytes : UINT64_MAX;
    return archive->at <= archive->room;
}

#define NUMBERS(type, name)                                                              \
    void cni_archive_##name(cni_archive *archive, type numbers[], uint64_t count)        \
    {                                                                                    \
        const uint32_t width = sizeof(type);                                             \
        uint64_t at;                                                                     \
        int fits = take_bytes(archive, count * width, &at);                              \
        for (uint64_t i = 0; archive->from != NULL && i < count; i++, at += width)       \
            numbers[i] = fits ? (type)get_number(archive->from + at, width) : 0;         \
        for (uint64_t i = 0; archive->to != NULL && fits && i < count; i++, at += width) \
            put_number(archive->to + at, numbers[i], width);                             \
    }

NUMBERS(uint8_t, u8s)
NUMBERS(uint16_t, u16s)
NUMBERS(uint32_t, u32s)
NUMBERS(uint64_t, u64s)

void cni_archive_double(cni_archive *archive, double *number)
{
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    cni_archive_u64s(archive, &bits, 1);
    if (cni_archive_reads(archive)) /* else others may read it at the same time */
        memcpy(number, &bits, sizeof bits);
}

void cni_archive_sums(cni_archive *archive, uint64_t *const parts[], size_t count, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        uint64_t sum = 0;
        for (size_t p = 0; p < count; p++)
            sum += parts[p][i];
        cni_archive_u64s(archive, &sum, 1);
        if (cni_archive_reads(archive))
            parts[0][i] = sum;
    }
}

/* Whether so many bytes can follow; writing always has room. */
static int holds(const cni_archive *archive, uint64_t bytes)
{
    uint64_t left = archive->at < archive->room ? archive->room - archive->at : 0;
    return !cni_archive_reads(archive) || bytes <= left;
}

cn_status cni_fail_damaged(const char *what)
{
    return cni_fail(CN_ERR_ARGUMENT, "the bytes of data are damaged: %s", what);
}

cn_status cni_archive_count(cni_archive *archive, uint64_t *count, uint64_t bytes)
{
    cni_archive_u64s(archive, count, 1);
    CNI_ALLOW(*count <= UINT64_MAX / bytes && holds(archive, *count * bytes), "it ends too soon");
    return CN_OK;
}

cn_status cni_archive_length(cni_archive *archive, uint32_t *length, uint64_t bytes)
{
    cni_archive_u32s(archive, length, 1);
    CNI_ALLOW(holds(archive, *length * bytes), "it ends too soon");
    return CN_OK;
}

/* ---- histograms: the bins that are not empty, by rising number ---- */

typedef struct bin {
    uint32_t number;
    uint64_t count;
} bin;

static uint64_t count_of(cni_histogram *const parts[], size_t count, uint32_t number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += parts[i]->bin[number];
    return sum;
}

static void visit_bin(cni_archive *archive, bin *next)
{
    cni_archive_u32s(archive, &next->number, 1);
    cni_archive_u64s(archive, &next->count, 1);
}

static cn_status read_bins(cni_archive *archive, uint64_t bins, cni_histogram *histogram)
{
    uint64_t sum = 0;
    bin next = {0, 0};
    for (uint64_t i = 0; i < bins; i++) {
        uint32_t before = next.number;
        visit_bin(archive, &next);
        CNI_ALLOW(next.number < CNI_HISTOGRAM_BINS && (i == 0 || next.number > before) &&
                      next.count > 0 && next.count <= UINT64_MAX / 4 - sum,
                  "a histogram");
        histogram->bin[next.number] = next.count;
        sum += next.count;
    }
    /* a histogram that is not settled yet has the total 0 */
    CNI_ALLOW(histogram->total == sum || histogram->total == 0, "the total of a histogram");
    return CN_OK;
}

cn_status cni_archive_histogram(cni_archive *archive, cni_histogram *const parts[], size_t count)
{
    cni_histogram *first = parts[0];
    uint64_t bins = 0, total = 0, greatest = 0;
    for (size_t i = 0; i < count; i++) {
        total += parts[i]->total;
        greatest = parts[i]->greatest > greatest ? parts[i]->greatest : greatest;
    }
    for (uint32_t i = 0; !cni_archive_reads(archive) && i < CNI_HISTOGRAM_BINS; i++)
        bins += count_of(parts, count, i) != 0;
    cni_archive_u64s(archive, &total, 1);
    cni_archive_u64s(archive, &greatest, 1);
    CNI_TRY(cni_archive_count(archive, &bins, 12));
    if (cni_archive_reads(archive)) {
        first->total = total;
        first->greatest = greatest;
        return read_bins(archive, bins, first);
    }
    for (uint32_t i = 0; bins > 0 && i < CNI_HISTOGRAM_BINS; i++) {
        bin next = {i, count_of(parts, count, i)};
        if (next.count > 0)
            visit_bin(archive, &next);
    }
    return CN_OK;
}

/* ---- hashes ---- */

uint64_t cni_hash_bytes(const unsigned char bytes[], uint64_t count)
{
    uint64_t hash = count;
    for (uint64_t at = 0; at < count; at += 8)
        hash = cni_random_derive(
            hash, get_number(bytes + at, count - at < 8 ? (uint32_t)(count - at) : 8));
    return hash;
}

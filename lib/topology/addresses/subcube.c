/* Subcubes of the Boolean n-cube, addresses over {0, 1, X} (Horng 1992, 1.2.1). */
#include "cubenet/address.h"

#include "base/text.h"
#include "topology/topology.h"

cn_status cn_subcube_parse(const char *text, uint32_t *n, uint64_t *value, uint64_t *any)
{
    CNI_REQUIRE_BOTH(text, n);
    CNI_REQUIRE_BOTH(value, any);
    uint64_t ones = 0, wild = 0;
    uint32_t length = 0;
    for (; text[length] != '\0'; length++) {
        if (length == CNI_MAX_DIMENSIONS)
            return cni_fail(CN_ERR_ARGUMENT, "%s: text = \"%.80s\" has more than %d symbols",
                            __func__, text, CNI_MAX_DIMENSIONS);
        char symbol = text[length];
        if (symbol != '0' && symbol != '1' && symbol != 'X' && symbol != 'x')
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: text = \"%.80s\", but the symbols must be 0, 1 or X", __func__,
                            text);
        ones = 2 * ones + (symbol == '1');
        wild = 2 * wild + (symbol == 'X' || symbol == 'x');
    }
    if (length == 0)
        return cni_fail(CN_ERR_ARGUMENT, "%s: text is empty, but 1 to %d symbols are needed",
                        __func__, CNI_MAX_DIMENSIONS);
    *n = length;
    *value = ones;
    *any = wild;
    return CN_OK;
}

cn_status cni_check_subcube(const char *function, uint32_t n, uint64_t value, uint64_t any)
{
    if (((value | any) >> n) == 0 && (value & any) == 0)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: value = %#llx, any = %#llx, but no bit may be in both, or above bit %lu",
                    function, (unsigned long long)value, (unsigned long long)any,
                    (unsigned long)(n - 1));
}

cn_status cn_subcube_text(uint32_t n, uint64_t value, uint64_t any, char text[], size_t capacity,
                          size_t *length)
{
    CNI_REQUIRE_ARRAY(text, capacity);
    CNI_TRY(cni_check_range(__func__, "n", n, 1, CNI_MAX_DIMENSIONS));
    CNI_TRY(cni_check_subcube(__func__, n, value, any));
    CNI_TRY(cni_text_fits(__func__, "address", n, capacity, length));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bit = n - 1 - i;
        text[i] = (any >> bit) & 1 ? 'X' : (value >> bit) & 1 ? '1' : '0';
    }
    text[n] = '\0';
    return CN_OK;
}

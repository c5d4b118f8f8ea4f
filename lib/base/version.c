/* The version of the library. */
#include "cubenet/base.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

uint32_t cn_version(void)
{
    return 10000 * CN_VERSION_MAJOR + 100 * CN_VERSION_MINOR + CN_VERSION_PATCH;
}

const char *cn_version_text(void)
{
    return TEXT(CN_VERSION_MAJOR) "." TEXT(CN_VERSION_MINOR) "." TEXT(CN_VERSION_PATCH);
}

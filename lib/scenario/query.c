/* What a program may ask before it runs anything. */
#include "cubenet/scenario.h"

#include <string.h>

#include "base/error.h"
#include "scenario/scenario.h"
#include "scenario/system.h"
#include "topology/topology.h"

/* ---- attachments ---- */

#define BIT(attachment) (1U << ((unsigned)(attachment)-1))

_Static_assert(CNI_WITH_FAULTS == BIT(CN_ATTACHMENT_FAULTS) &&
                   CNI_WITH_SUBNET == BIT(CN_ATTACHMENT_SUBNET) &&
                   CNI_WITH_TRAFFIC == BIT(CN_ATTACHMENT_TRAFFIC) &&
                   CNI_WITH_OPERATIONS == BIT(CN_ATTACHMENT_OPERATIONS),
               "an attachment is the place of its bit");

static const char *const attachments[] = {"faults", "subnet", "traffic", "operations"};

size_t cn_attachment_count(void)
{
    return sizeof attachments / sizeof attachments[0];
}

const char *cn_attachment_name(cn_attachment attachment)
{
    size_t place = (size_t)attachment - 1;
    return place < cn_attachment_count() ? attachments[place] : NULL;
}

cn_status cn_attachment_from_name(const char *name, cn_attachment *attachment)
{
    CNI_REQUIRE(name);
    CNI_REQUIRE(attachment);
    for (size_t i = 0; i < cn_attachment_count(); i++)
        if (strcmp(name, attachments[i]) == 0) {
            *attachment = (cn_attachment)(i + 1);
            return CN_OK;
        }
    return cni_fail(CN_ERR_NOT_FOUND, "%s: there is no attachment \"%.80s\"", __func__, name);
}

int cni_system_takes_attachment(const cni_system *system, cn_attachment attachment)
{
    return cn_attachment_name(attachment) != NULL && (system->with & BIT(attachment)) != 0;
}

int cn_scenario_takes_attachment(const cn_scenario *scenario, cn_attachment attachment)
{
    return CNI_IS_VALID(scenario) && cni_system_takes_attachment(scenario->system, attachment);
}

/* ---- models and simulators ---- */

static cn_status has_none(const char *function, const cni_system *system, const char *what)
{
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no %s", function, system->name,
                    what);
}

cn_status cni_check_model(const char *function, const cni_system *system,
                          const cn_topology *topology)
{
    if (system->predict == NULL)
        return has_none(function, system, "model");
    if (system->model_of_hypercubes && topology != NULL && !cni_is_hypercube(topology))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the model of %s covers Boolean n-cubes, not %s",
                        function, system->name, topology->name);
    return CN_OK;
}

cn_status cni_check_simulator(const char *function, const cni_system *system)
{
    return system->simulate != NULL ? CN_OK : has_none(function, system, "simulator");
}

/* ---- ranges ---- */

cn_status cn_scenario_range(const cn_scenario *scenario, cn_param param, double *least,
                            double *greatest, double *default_value)
{
    CNI_REQUIRE(scenario);
    CNI_TRY(cni_param_check_id(__func__, param));
    CNI_TRY(cni_scenario_check_takes(__func__, scenario, param));
    double low, high;
    CNI_TRY(cn_param_range(param, &low, &high, NULL, NULL));
    if (scenario->system->narrow != NULL)
        scenario->system->narrow(scenario, param, &low, &high);
    if (least != NULL)
        *least = low;
    if (greatest != NULL)
        *greatest = high;
    if (default_value != NULL) {
        cn_scenario fresh = *scenario;
        cni_scenario_set_defaults(&fresh);
        *default_value = fresh.value[param];
    }
    return CN_OK;
}

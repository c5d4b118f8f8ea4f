/* Results, to JSON and from JSON. */
#include "scenario/result_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scenario/parameter.h"
#include "scenario/result_messages.h"
#include "scenario/system.h"

typedef struct estimate {
    cn_result *result;
    size_t metric;
} estimate;

static void visit_estimate(cni_io *io, void *of)
{
    const estimate *e = of;
    double *value = &e->result->value[e->metric], *half = &e->result->half_width[e->metric];
    cni_io_real(io, "value", value);
    cni_io_real(io, "half_width", half);
    cni_io_whole(io, "samples", &e->result->samples[e->metric], UINT64_MAX);
    if (!cni_io_reads(io))
        return;
    if (!isfinite(*value))
        cni_io_fail(io, "value", "a value that a result holds is finite");
    else if (!(*half >= 0.0))
        cni_io_fail(io, "half_width", "a half-width is at least 0, or \"Infinity\"");
    e->result->has[e->metric] = 1;
}

static void visit_estimates(cni_io *io, void *of)
{
    cn_result *result = of;
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        estimate e = {result, m};
        if (CNI_IO_HAS(io, cn_metric_name((cn_metric)m), result->has[m]))
            cni_io_object(io, cn_metric_name((cn_metric)m), visit_estimate, &e);
    }
}

static void visit_library(cni_io *io, cn_result *result)
{
    char name[CNI_JSON_NAME];
    cni_io_name(io, "library", result->library, name);
    if (!cni_io_reads(io))
        return;
    if (strlen(name) >= sizeof result->library || strspn(name, "0123456789.") < strlen(name))
        cni_io_fail(io, "library", "\"%.40s\" is no version of cubenet, like \"%s\"", name,
                    cn_version_text());
    else
        memcpy(result->library, name, strlen(name) + 1);
}

/* Checks the system. A result without a scenario is that of a study, and has the system
 * "study". */
static void check_system(cni_io *io, const char *name, cn_result *result)
{
    result->system =
        result->scenario == NULL ? cni_study_system : cn_scenario_system(result->scenario);
    if (strcmp(name, result->system) != 0)
        cni_io_fail(io, "system", "\"%.40s\" stands here, but it must be \"%s\", %s", name,
                    result->system,
                    result->scenario == NULL ? "since there is no scenario" : "as in the scenario");
}

/* Whether a name is SYSTEM/FORM/REVISION. A revision is a whole number of at least 1, without
 * leading 0. */
static int is_model(const char *system, const char *name)
{
    char form[CNI_JSON_NAME];
    uint64_t revision;
    for (int v = 0; v < CNI_MODEL_VARIANTS && strlen(name) < CNI_MODEL_NAME; v++) {
        int length =
            snprintf(form, sizeof form, "%s/%s/", system, cni_name_of(&cni_model_variants, v));
        const char *at = name + length;
        if (strncmp(name, form, (size_t)length) == 0)
            return *at != '0' && cni_read_whole(&at, NULL, &revision) && *at == '\0';
    }
    return 0;
}

/* Checks the model of a prediction. This library need not have its revision. */
static void check_model(cni_io *io, const char *name, cn_result *result)
{
    if (name[0] == '\0')
        return;
    if (result->scenario == NULL || !is_model(result->system, name))
        cni_io_fail(io, "model", "\"%.60s\" is no model of %s, like \"deflection/own/2\"", name,
                    result->system);
    else
        memcpy(result->model, name, strlen(name) + 1);
}

static void visit(cni_io *io, void *of)
{
    cn_result **made = of, none = {.seed = 0};
    char system[CNI_JSON_NAME], model[CNI_JSON_NAME] = "";
    if (cni_io_reads(io))
        *made = cni_result_new(NULL);
    if (cni_io_reads(io) && *made == NULL)
        io->status = CN_ERR_MEMORY;
    cn_result *result = *made == NULL ? &none : *made; /* listing keys, or without memory */
    int settled = !result->unsettled, stop = (int)result->stop;
    visit_library(io, result);
    cni_io_name(io, "system", result->system, system);
    if (CNI_IO_HAS(io, "model", result->model[0] != '\0'))
        cni_io_name(io, "model", result->model, model);
    cni_io_whole(io, "seed", &result->seed, UINT64_MAX);
    cni_io_choice(io, "stop", &cni_stops, &stop);
    cni_io_flag(io, "saturated", &result->saturated);
    cni_io_flag(io, "settled", &settled);
    cni_io_object(io, "estimates", visit_estimates, result);
    if (CNI_IO_HAS(io, "scenario", result->scenario != NULL))
        cni_io_object(io, "scenario", cni_scenario_visit, &result->scenario);
    if (cni_io_reads(io)) {
        result->stop = (cn_stop)stop;
        result->unsettled = !settled;
        check_system(io, system, result);
        check_model(io, model, result);
    }
    if (CNI_IO_HAS(io, "statistics", result->statistics != NULL))
        cni_io_statistics(io, result);
    if (CNI_IO_HAS(io, "messages", result->messages.messages > 0))
        cni_io_object(io, "messages", cni_message_times_visit, result);
    if (CNI_IO_HAS(io, "shard", result->shard != NULL))
        cni_io_object(io, "shard", cni_shard_visit, result);
    if (io->status != CN_OK)
        cn_result_free(made);
}

CNI_JSON_TEXTS(result, visit);

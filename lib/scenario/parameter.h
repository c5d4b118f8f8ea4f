/* The row of one parameter, of a scenario or of a study. */
#ifndef CNI_SCENARIO_PARAMETER_H
#define CNI_SCENARIO_PARAMETER_H

#include "base/names.h"

typedef struct cni_param_row {
    const char *name;
    const char *unit;
    double least, greatest, default_value;
    int whole;
    /* names of the values from the least value on; NULL: no value has a name */
    const cni_names *choices;
    const char *meaning;
} cni_param_row;

/* The members `whole` and `choices` of a row whose values have no names. */
#define CNI_PARAM_WHOLE 1, NULL
#define CNI_PARAM_REAL 0, NULL

/* A row of a choice. Its limits come from the table of its values. */
#define CNI_PARAM_CHOICE(name, meaning, choices) CNI_PARAM_CHOICE_FROM(0, name, meaning, choices)
#define CNI_PARAM_CHOICE_FROM(default_value, name, meaning, choices) \
    {                                                                \
        name, "1", 0, 0, default_value, 1, choices, meaning          \
    }

extern const cni_names cni_model_variants, cni_state_spaces;

/* The facts of a row; outputs may be NULL. */
void cni_param_row_range(const cni_param_row *row, double *least, double *greatest,
                         double *default_value, int *whole);

/* CN_ERR_ARGUMENT, with a sentence, unless the row allows the value. */
cn_status cni_param_row_check(const char *function, const cni_param_row *row, double value);

#endif

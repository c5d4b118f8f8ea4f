/* Wrong names: which one was meant, or which ones there are. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "base/hint.h"

enum { PARAMETER, METRIC, SYSTEM, ROUTING, PATTERN, MEASURE, TOPOLOGY, KEY, FINDERS };

static cn_status find(int finder, const char *name)
{
    char text[512];
    int number;
    size_t index;
    cn_param param;
    cn_metric metric;
    cn_topology *topology;
    cn_routing *routing;
    cn_scenario *scenario;
    cn_status status = CN_OK;
    switch (finder) {
    case PARAMETER:
        return cn_param_from_name(name, &param);
    case METRIC:
        return cn_metric_from_name(name, &metric);
    case SYSTEM:
        return cn_system_from_name(name, &index);
    case PATTERN:
        return cn_enum_from_name(CN_ENUM_PATTERN, name, &number);
    case MEASURE:
        return cn_enum_from_name(CN_ENUM_MEASURE, name, &number);
    case ROUTING:
        assert_ok(cn_topology_hypercube(2, &topology));
        status = cn_routing_new(topology, name, NULL, NULL, &routing);
        cn_topology_free(&topology);
        return status;
    case TOPOLOGY:
        snprintf(text, sizeof text, "{\"cubenet\":\"topology\",\"format\":1,\"topology\":\"%s\"}",
                 name);
        return cn_topology_from_json(text, NULL, &topology);
    default:
        snprintf(text, sizeof text,
                 "{\"cubenet\":\"scenario\",\"format\":1,\"topology\":\"hypercube(3)\",\"system\":"
                 "\"wormhole\",\"parameters\":{\"%s\":1}}",
                 name);
        status = cn_scenario_from_json(text, NULL, &scenario);
        assert_true(status == CN_ERR_ARGUMENT);
        return CN_ERR_NOT_FOUND;
    }
}

static const struct {
    int finder;
    const char *name, *sentence;
} cases[] = {
    /* words of the field */
    {METRIC, "latency", "there is no metric \"latency\"; did you mean \"mean_delay\"?"},
    {METRIC, "load", "did you mean \"offered_load\"?"},
    {METRIC, "injection_rate", "did you mean \"offered_load\"?"},
    {PARAMETER, "injection_rate",
     "there is no parameter \"injection_rate\"; did you mean \"load\"? It counts messages, not "
     "flits"},
    {PARAMETER, "random_seed", "; cn_scenario_set_seed() sets the seed"},
    {PARAMETER, "num_vcs", "did you mean \"virtual_channels\"?"},
    {PARAMETER, "vc_buf_size", "did you mean \"flit_buffers\"?"},
    {KEY, "num_vcs", "there is no key \"num_vcs\" here; did you mean \"virtual_channels\"?"},
    {ROUTING, "dor", "there is no routing \"dor\"; did you mean \"dimension-order\"?"},
    {ROUTING, "xy", "did you mean \"dimension-order\"?"},
    {ROUTING, "adaptive", "did you mean \"duato\"?"},
    {SYSTEM, "vct", "there is no system \"vct\"; did you mean \"cut-through\"?"},
    {PATTERN, "bitcomp", "did you mean \"bit-complement\"?"},
    {TOPOLOGY, "grid([4,4])", "no topology has the name \"grid([4,4])\"; did you mean \"mesh\"?"},
    /* what is no name, but can be had */
    {PARAMETER, "seed", "there is no parameter \"seed\"; cn_scenario_set_seed() sets the seed"},
    {METRIC, "saturated", "; cn_result_is_saturated() says whether the network is saturated"},
    /* case and separators */
    {SYSTEM, "Separate_Buffers", "did you mean \"separate-buffers\"?"},
    {METRIC, "mean-delay", "did you mean \"mean_delay\"?"},
    {ROUTING, "up*/down*", "did you mean \"up-down\"?"},
    {ROUTING, "dimension order", "did you mean \"dimension-order\"?"},
    /* letters */
    {PARAMETER, "laod", "did you mean \"load\"?"},
    {PARAMETER, "lod", "did you mean \"load\"?"},
    {KEY, "lode", "did you mean \"load\"?"},
    {SYSTEM, "deflektion", "did you mean \"deflection\"?"},
    {MEASURE, "diamter", "did you mean \"diameter\"?"},
    {TOPOLOGY, "hyperkube(3)", "did you mean \"hypercube\"?"},
    /* neither, nor a name that happens to share some letters: which ones there are */
    {PARAMETER, "grid", "there is no parameter \"grid\"; cn_param_name() lists them"},
    {PARAMETER, "saturated", "; cn_param_name() lists them"},
    {PARAMETER, "time", "; cn_param_name() lists them"},
    {PARAMETER, "speedup", "; cn_param_name() lists them"},
    {TOPOLOGY, "fat_tree", "; there are: hypercube, "},
    {METRIC, "grid", "; cn_metric_name() lists them"},
    {METRIC, "", "there is no metric \"\"; cn_metric_name() lists them"},
    {ROUTING, "grid",
     "; there are: minimal, preferred, dimension-order, duato, up-down, "
     "up-down-adaptive, negative-first, valiant, optimal-path, two-level, tree, own"},
    {SYSTEM, "grid", "; there are: separate-buffers, shared-buffer, "},
    {SYSTEM, "grid", ", cut-through, cut-through-deflection"},
    {MEASURE, "grid", "there is no measure \"grid\"; cn_enum_name() lists them"},
    {TOPOLOGY, "butterfly",
     "; there are: hypercube, kary_ncube, ring, torus, mesh, "
     "generalized_hypercube, complete, "},
    {TOPOLOGY, "mesh(4,4)", "; a name is a call like torus([4,6]) or "},
};

static void wrong_names_are_answered(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_fails(find(cases[i].finder, cases[i].name), CN_ERR_NOT_FOUND, cases[i].sentence);
}

/* Each word of the field leads to a name of one of the kinds, and is no name of that kind
 * itself. */
static void every_word_leads_somewhere(void **state)
{
    (void)state;
    for (const cni_translation *word = cni_translations; word->theirs != NULL; word++) {
        char meant[80];
        int found = 0;
        snprintf(meant, sizeof meant, "; did you mean \"%s\"?", word->ours);
        for (int finder = 0; finder < KEY; finder++)
            found += find(finder, word->theirs) == CN_ERR_NOT_FOUND &&
                     strstr(cn_last_error(), meant) != NULL;
        if (found == 0)
            fail_msg("%s does not lead to %s", word->theirs, word->ours);
    }
}

/* However long it is. */
static void names_that_are_long(void **state)
{
    (void)state;
    char name[200];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (int finder = 0; finder < FINDERS; finder++)
        assert_fails(find(finder, name), CN_ERR_NOT_FOUND, "dddddddd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_names_are_answered),
        cmocka_unit_test(every_word_leads_somewhere),
        cmocka_unit_test(names_that_are_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

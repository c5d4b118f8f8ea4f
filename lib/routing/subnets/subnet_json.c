#include "routing/subnets/subnet_json.h"

#include "routing/faults/fault_json.h"

void cni_subnet_put(cni_json_writer *w, const cn_subnet *subnet)
{
    cni_json_open(w, "subnet", '{');
    cni_faults_put(w, subnet->faults);
    cni_json_open(w, "disabled", '[');
    for (uint64_t v = 0; v < subnet->faults->topology->nodes; v++)
        if (!cni_survives(subnet, v) && !cni_node_faulty(subnet->faults, v))
            cni_json_put_whole(w, NULL, v);
    cni_json_close(w, ']');
    cni_json_close(w, '}');
}

cn_status cni_subnet_of_disabled(const cni_json *json, cni_json_value disabled,
                                 const cn_faults *faults, cn_subnet **subnet)
{
    uint64_t *nodes;
    size_t count;
    cn_status status =
        cni_json_all_wholes(json, disabled, faults->topology->nodes - 1, &nodes, &count);
    if (status == CN_OK)
        status = cni_json_blame(json, disabled, cn_subnet_chosen(faults, nodes, count, subnet));
    cni_release(nodes);
    return status;
}

cn_status cni_subnet_of_json(const cni_json *json, cni_json_value value,
                             const cn_topology *topology, cn_subnet **subnet)
{
    static const char *const keys[] = {"faults", "disabled"};
    cni_json_value is[2];
    cn_faults *faults;
    CNI_TRY(cni_json_members(json, value, keys, 2, 2, is));
    CNI_TRY(cni_faults_of_json(json, is[0], topology, &faults));
    cn_status status = cni_subnet_of_disabled(json, is[1], faults, subnet);
    cn_faults_free(&faults);
    return status;
}

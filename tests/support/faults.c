#include "support/faults.h"

#include <stdio.h>
#include <string.h>

static cn_status add_line(cn_faults *faults, const cn_topology *topology, const char *line)
{
    char a[64], b[64];
    uint64_t node, far;
    uint32_t port;
    int words = sscanf(line, "link %63s %63s", a, b);
    if (words < 1)
        words = sscanf(line, "node %63s", a);
    cn_status status = words < 1 ? CN_ERR_ARGUMENT : cn_topology_parse_address(topology, a, &node);
    if (status != CN_OK || words == 1)
        return status != CN_OK ? status : cn_faults_add_node(faults, node);
    status = cn_topology_parse_address(topology, b, &far);
    if (status == CN_OK)
        status = cn_topology_port_to(topology, node, far, &port);
    return status != CN_OK ? status : cn_faults_add_link(faults, node, port);
}

cn_status support_faults(const cn_topology *topology, const char *text, cn_faults **faults)
{
    cn_status status = cn_faults_new(topology, faults);
    for (const char *line = text; status == CN_OK && *line != '\0';) {
        status = add_line(*faults, topology, line);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (status != CN_OK)
        cn_faults_free(faults);
    return status;
}

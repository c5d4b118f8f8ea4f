/* Faults written down in a test: "node 0010" and "link 0000 0001", a line each, with the addresses
 * of the topology. */
#ifndef CUBENET_TESTS_SUPPORT_FAULTS_H
#define CUBENET_TESTS_SUPPORT_FAULTS_H

#include "cubenet.h"

cn_status support_faults(const cn_topology *topology, const char *text, cn_faults **faults);

#endif

/* Small networks of every family, in several sizes, for tests over all pairs of them. */
#ifndef CUBENET_TESTS_NETWORKS_H
#define CUBENET_TESTS_NETWORKS_H

#include "support/support.h"

/* Networks 0 .. network_count() - 1. */
size_t network_count(void);
cn_topology *make_network(size_t index);

/* Two of them are the same network, made in two ways perhaps, when these are equal. */
size_t network_class(size_t index);

#endif

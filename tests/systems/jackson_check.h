/* The systems that are Jackson networks: the simulation held against the model. */
#ifndef CUBENET_TESTS_SYSTEMS_JACKSON_CHECK_H
#define CUBENET_TESTS_SYSTEMS_JACKSON_CHECK_H

#include "support/support.h"

/* The simulation holds the exact delay of the model within its 95 % half-width, but for the one in
 * twenty that may miss it by up to six tenths; and it is not below `least`, the best of all
 * routings. */
void check_against_model(cn_scenario *scenario, double least);

/* Four in five of the checks so far, or more, were within the half-width. */
void check_that_most_were_within(void);

#endif

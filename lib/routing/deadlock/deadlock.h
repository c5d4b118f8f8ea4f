/* Making a verdict from what messages may ask for. */
#ifndef CNI_ROUTING_DEADLOCK_DEADLOCK_H
#define CNI_ROUTING_DEADLOCK_DEADLOCK_H

#include "cubenet/deadlock.h"

#include "routing/deadlock/dependency.h"

/* The first ten members of d are set; it is closed afterwards. */
cn_status cni_deadlock_make(cni_dependencies *d, cn_deadlock **check);

/* The first channels of the dependency cycle as ": channels 0->1, 1->3, ..."; room for six takes 400 characters. */
void cni_deadlock_show(const cn_deadlock *check, const cn_topology *topology, char text[],
                       size_t size);

/* Another holder of the check; give it up with cn_deadlock_free(). */
cn_deadlock *cni_deadlock_retain(cn_deadlock *check);

#endif

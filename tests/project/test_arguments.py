"""No public function has more than seven arguments, a cn_control aside, but those for which base.h gives a
reason."""

import re

import tree

MOST = 7
REASONS = {
    "several columns of one table": "cn_hierarchy_table",
    "several bounds with what proves them": "cn_topology_broadcast_schedule cn_flow_deviation",
    "the decision of one node": "cn_routing_virtual_channels cn_route_multicast_groups"
                                " cn_route_two_level cn_route_two_phase",
    "one row with all that it refers to": "cn_workload_add",
}
DECLARED = re.compile(r"^CN_API\s[^;(]*?\b(cn_\w+)\s*\(([^;]*)\);", re.MULTILINE)


def problems():
    convention = re.sub(r"\s*\n \*\s*", " ", (tree.PUBLIC / "base.h").read_text())
    for reason in REASONS:
        if reason not in convention:
            yield f"base.h does not say: {reason}"
    allowed = " ".join(REASONS.values()).split()
    long = set()
    for header in tree.public_headers():
        for name, arguments in DECLARED.findall(tree.without_comments(header.read_text())):
            count = re.sub(r"\([^()]*\)", "", arguments).count(",") + 1 - ("cn_control *" in arguments)
            if count > MOST:
                long.add(name)
                if name not in allowed:
                    yield f"{tree.name(header)}: {name} has {count} arguments, more than {MOST}"
    for name in sorted(set(allowed) - long):
        yield f"{name} has no more than {MOST} arguments: take it out of the list of this test"


tree.finish(list(problems()))

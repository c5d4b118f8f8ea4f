"""The questions of the seven assignments: what is asked, and how the judge decides. An answer comes as plain numbers
and lists, whatever the language; it is compared here, by cubenet or by what a page of the course says."""

import functools
from typing import NamedTuple

from cubenet import (DisconnectedError, Faults, Routing, Scenario, StateError, Topology, assignment_both_phases,
                     assignment_phase_one, deflection_queue)

from .child import Wrong


def shown(found):
    """An answer as it is quoted: nobody reads a million numbers."""
    text = repr(found)
    return text if len(text) <= 300 else text[:300].rstrip() + " ..."


# ---- what a function returns ----

class Unfit(Exception):
    """(a value, what it should be)"""


def whole(found):
    if type(found) not in (int, bool):
        raise Unfit(found, "whole number")
    return int(found)


def number(found):
    if type(found) not in (int, float):
        raise Unfit(found, "number")
    return found


def optional(kind):
    return lambda found: None if found is None else kind(found)


def list_of(kind, length=None):
    def checked(found):
        if type(found) is not list or length not in (None, len(found)):
            raise Unfit(found, "list" if length is None else f"list of {length}")
        return [kind(element) for element in found]
    return checked


RETURNS = {
    "distance": whole, "rotate": whole, "generator": whole, "displacement": whole,
    "ecube": list_of(whole), "ecube_number": number, "random_minimal": list_of(whole),
    "waiting_circle": list_of(list_of(whole, 3)), "west_first": list_of(whole), "west_first_number": number,
    "mean_delay": number,
    "two_phase": list_of(optional(whole)),
    "phase_one": list_of(number), "both_phases": list_of(number), "stationary": list_of(number),
    "headers": list_of(list_of(number)), "model_error": number,
    "bad_links": list_of(whole), "is_safe": whole, "make_convex": list_of(whole),
    "replications": list_of(whole), "published_replica_rate": number, "replica_rate": number, "measured_ratio": number,
    "latency_errors": list_of(number, 2),
    "neighbors": list_of(whole), "diameter": whole, "paper_cost": number, "exact_cost": number,
    "crossing": list_of(optional(whole), 2),
}


class Answer:
    """The functions of an answer, each of which is called in its child."""

    def __init__(self, child):
        self.child = child

    def __getattr__(self, name):
        def call(*arguments):
            found = self.child.ask(name, list(arguments))
            try:
                return RETURNS[name](found)
            except Unfit as unfit:
                values = ", ".join(shown(next(iter(a.values())) if isinstance(a, dict) else a) for a in arguments)
                part, kind = unfit.args
                which = "which" if part is found else f"in which {shown(part)}"
                raise Wrong(f"{name}({values}): {shown(found)}, {which} is no {kind}") from None
        return call


def same(where, found, expected):
    if found != expected:
        raise Wrong(f"{where}: {shown(found)}, expected {expected!r}")


def near(where, found, expected, accuracy=1e-6):
    if not abs(found - expected) <= accuracy * max(1.0, abs(expected)):
        raise Wrong(f"{where}: {found:.6g}, expected {expected:.6g}")


def long_as(where, found, length):
    if len(found) != length:
        raise Wrong(f"{where}: {shown(found)}, expected a list of {length}")


def all_near(where, name, found, expected):
    long_as(where, found, len(expected))
    for i, right in enumerate(expected):
        near(f"{where}: {name.format(i)}", found[i], right)


# ---- 1: addresses and necklaces ----

def generalized(draw):
    for k, n in [(2, 4), (3, 3), (5, 2), (4, 4), draw.choice([(3, 4), (6, 3), (7, 2), (4, 3), (2, 7)])]:
        yield k, n, Topology.generalized_hypercube(k, n)


def each_node(name, expected):
    """Checks a function of k, n, node at every node."""
    def check(answer, draw):
        for k, n, net in generalized(draw):
            for v in range(net.node_count):
                same(f"{name} of node {v} ({net.address(v)}) in GH({n},{k})", getattr(answer, name)(k, n, v),
                     expected(net, v))
    return check


def check_distance(answer, draw):
    for k, n, net in generalized(draw):
        for a in range(net.node_count):
            for b in draw.sample(range(net.node_count), 10):
                same(f"distance of {net.address(a)} and {net.address(b)} in GH({n},{k})", answer.distance(k, n, a, b),
                     net.distance(a, b))


# ---- 2: rules of routing ----

CUBE, LOAD = 4, 0.02
DIRECTIONS = ["EAST", "WEST", "NORTH", "SOUTH"]


def pairs(nodes):
    return ((u, v) for u in range(nodes) for v in range(nodes) if u != v)


def ones(word):
    return [i for i in range(word.bit_length()) if word >> i & 1]


def bits(node):
    return f"{node:0{CUBE}b}"


def check_ecube(answer, draw):
    for u, v in pairs(2**CUBE):
        same(f"ecube from {bits(u)} to {bits(v)}", answer.ecube(u, v), ones(u ^ v)[:1])


def check_random_minimal(answer, draw):
    for u, v in pairs(2**CUBE):
        same(f"random_minimal from {bits(u)} to {bits(v)}", answer.random_minimal(u, v), ones(u ^ v))


def rises(name, text, number_of, nodes, ports_of, step):
    """The number of a channel is below those of the channels that a message may take next."""
    for u, v in pairs(nodes):
        for port in ports_of(u, v):
            far = step(u, port)
            for following in ports_of(far, v) if far != v else []:
                before, after = number_of(u, port), number_of(far, following)
                if not before < after:
                    raise Wrong(f"{name}: a message for {text(v)} goes from {text(u)} over {text(far)} to "
                                f"{text(step(far, following))}, but the numbers of the two channels are {before} "
                                f"and {after}")


def check_ecube_number(answer, draw):
    @functools.lru_cache(None)
    def number_of(u, port):
        return answer.ecube_number(CUBE, u, port)
    rises("ecube_number", bits, number_of, 2**CUBE, lambda u, v: ones(u ^ v)[:1], lambda u, port: u ^ 1 << port)


def check_circle(answer, draw):
    circle = answer.waiting_circle()
    if not circle:
        raise Wrong(f"waiting_circle: {shown(circle)}, expected a list of (node, port, destination)")
    held = set()
    for i, (node, port, destination) in enumerate(circle):
        next_node, next_port, _ = circle[(i + 1) % len(circle)]
        element = f"waiting_circle: element {i}"
        if not (0 <= node < 2**62 and 0 <= destination < 2**62):
            raise Wrong(f"{element}: {node} or {destination} is no node")
        if port not in ones(node ^ destination):
            raise Wrong(f"{element}: a message for {destination} does not take port {port} of node {node}: "
                        f"its ports are {ones(node ^ destination)}")
        far = node ^ 1 << port
        if next_node != far:
            raise Wrong(f"{element}: its message is in node {far} and cannot wait for a channel of node "
                        f"{next_node}")
        if next_port not in ones(far ^ destination):
            raise Wrong(f"{element}: in node {far} a message for {destination} does not wait for port "
                        f"{next_port}: its ports are {ones(far ^ destination)}")
        if (node, port) in held:
            raise Wrong(f"{element}: the channel of port {port} of node {node} is held twice")
        held.add((node, port))


class Mesh(NamedTuple):
    columns: int
    rows: int

    def spot(self, node):
        return f"({node % self.columns}, {node // self.columns})"

    def step(self, node, direction):
        return node + [1, -1, self.columns, -self.columns][direction]

    def west_first(self, node, destination):
        dx = destination % self.columns - node % self.columns
        dy = destination // self.columns - node // self.columns
        return [1] if dx < 0 else [0] * (dx > 0) + [2] * (dy > 0) + [3] * (dy < 0)


def meshes(draw):
    return [Mesh(5, 4), Mesh(3, draw.randrange(2, 7))]


def directions(ports):
    return " and ".join(DIRECTIONS[port] if 0 <= port < 4 else f"{port}, no direction" for port in ports) or "none"


def check_west_first(answer, draw):
    for mesh in meshes(draw):
        for u, v in pairs(mesh.columns * mesh.rows):
            found, expected = sorted(answer.west_first(mesh.columns, u, v)), mesh.west_first(u, v)
            if found != expected:
                raise Wrong(f"west_first from {mesh.spot(u)} to {mesh.spot(v)}: {directions(found[:9])}, expected "
                            f"{directions(expected)}")


def check_west_first_number(answer, draw):
    for mesh in meshes(draw):
        number_of = functools.lru_cache(None)(lambda u, way, mesh=mesh: answer.west_first_number(*mesh, u, way))
        rises("west_first_number", mesh.spot, number_of, mesh.columns * mesh.rows, mesh.west_first, mesh.step)


@functools.lru_cache(None)
def delay_in_order(order):
    """The mean delay of worms that correct the dimensions in this order."""
    cube = Topology.hypercube(CUBE)

    def rule(node, destination, came):
        return [(next(port for port in order if (node ^ destination) >> port & 1), 0)]
    ascending = list(order) == sorted(order)
    routing = "dimension-order" if ascending else Routing.own(cube, rule)
    return Scenario(cube, "wormhole", routing=routing, load=LOAD, seed=1, virtual_channels=1, message_flits=8,
                    measure_cycles=20000, relative_precision=0).simulate()["mean_delay"]


def check_mean_delay(answer, draw):
    for order in [(0, 1, 2, 3), (2, *draw.sample([0, 1, 3], 3))]:
        near(f"mean_delay at load {LOAD} of the rule that corrects the bits in the order {list(order)}",
             answer.mean_delay({"cube": CUBE}, {"order": list(order)}, LOAD), delay_in_order(order), 1e-9)


# ---- 3: the two-phase assignment ----

def nodes_with_messages(draw):
    """(network, M, headers, random words) of many nodes."""
    for trial in range(400):
        net = Topology.hypercube(4) if trial % 2 else Topology.kary_ncube(3, 3)
        degree = net.max_degree
        buffers = degree + draw.randrange(2 * degree + 1)
        count = draw.randrange(buffers + 1)
        headers = [1 + draw.randrange(3 if trial % 4 < 2 else net.node_count - 1) for _ in range(count)]
        yield net, buffers, headers, [draw.getrandbits(32) for _ in range(count + degree)]


def assigned(answer, net, buffers, headers, words):
    preferred = [net.preferred_channels(header) for header in headers]
    where = f"{net.max_degree} channels, M = {buffers}, preferred = {preferred}"
    ports = answer.two_phase(net.max_degree, buffers, [list(ports) for ports in preferred], list(words))
    long_as(where, ports, len(headers))
    for m, port in enumerate(ports):
        if port is not None and not 0 <= port < net.max_degree:
            raise Wrong(f"{where}: message {m} is given {port!r}, which is no channel and not None")
    return where, ports


def check_judged(phase_two):
    def check(answer, draw):
        for net, buffers, headers, words in nodes_with_messages(draw):
            if not phase_two:
                buffers += len(headers) + net.max_degree  # none must leave
            where, ports = assigned(answer, net, buffers, headers, words)
            try:
                net.check_two_phase(headers, buffers, ports)
            except StateError as error:
                raise Wrong(f"{where}: {error}") from None
    return check


def check_words(answer, draw):
    for net, buffers, headers, words in nodes_with_messages(draw):
        where, ports = assigned(answer, net, buffers, headers, words)
        expected = net.two_phase(headers, buffers, words)
        for m, (port, right) in enumerate(zip(ports, expected)):
            if port != right:
                raise Wrong(f"{where}: with random = {words} the channel of message {m} is {port}, "
                            f"expected {right}")


# ---- 4: the Markov chain ----

def chain_nodes(draw):
    """(n, M)"""
    n = draw.randrange(2, 7)
    return [(2, 2), (4, 4), (4, 6), (3, 9), (n, n + draw.randrange(7))]


def check_phase_one(answer, draw):
    for n, buffers in chain_nodes(draw):
        for i in range(buffers + 1):
            all_near(f"phase_one({n}, {i})", "j = {}", answer.phase_one(n, i), assignment_phase_one(n, i))


def check_both_phases(answer, draw):
    for n, buffers in chain_nodes(draw):
        for i in range(buffers + 1):
            all_near(f"both_phases({n}, {buffers}, {i})", "j = {}", answer.both_phases(n, buffers, i),
                     assignment_both_phases(n, buffers, i))


def check_stationary(answer, draw):
    drawn = round(draw.uniform(0.2, 3), 3), round(draw.uniform(0.1, 0.7), 3)
    for n, buffers in chain_nodes(draw):
        for load, transit in [(0.25, 0.1), (1, 0.4), (4, 0.7), drawn]:
            all_near(f"n = {n}, M = {buffers}, load {load}, P_t {transit}", "state {} of the chain",
                     answer.stationary(n, buffers, load, transit), deflection_queue(n, buffers, load, transit))


def check_headers(answer, draw):
    for n in (2, 4, 7):
        for q in (0, 0.1, 0.4, round(draw.random(), 3)):
            found, (_, expected) = answer.headers(n, q), Topology.hypercube(n).deflection_headers(q)
            long_as(f"headers({n}, {q})", found, n + 1)
            for i, row in enumerate(expected):
                all_near(f"headers({n}, {q}): row {i}", "column {}", found[i], row)


@functools.lru_cache(None)
def model_error(n, buffers, load):
    scenario = Scenario(Topology.hypercube(n), "deflection", load=load, buffers=buffers, seed=1,
                        measure_cycles=20000, relative_precision=0, model_variant="published")
    return (scenario.predict()["mean_delay"] / scenario.simulate()["mean_delay"] - 1) * 100


def check_model_error(answer, draw):
    for buffers, load in [(4, 1), (4, 3), (8, 3), (draw.randrange(5, 8), round(draw.uniform(0.5, 2.5), 3))]:
        near(f"model_error(4, {buffers}, {load})", answer.model_error(4, buffers, load), model_error(4, buffers, load))


# ---- 5: convex subnets ----

FIGURE = 4, [2, 3, 4, 7, 9]


def damaged_cubes(draw):
    """(n, faulty nodes): figure 5.1 first, then random ones."""
    yield FIGURE
    for trial in range(40):
        n = 3 + trial % 4
        yield n, sorted(draw.sample(range(2**n), 1 + draw.randrange(2**n // 3)))


def faults_of(n, nodes):
    faults = Faults(Topology.hypercube(n))
    for node in nodes:
        faults.add_node(node)
    return faults


def check_bad_links(answer, draw):
    for n, faulty in damaged_cubes(draw):
        status = faults_of(n, faulty).chosen_subnet([]).neighbor_status
        for node in set(range(2**n)).difference(faulty):
            same(f"{n}-cube, faults {faulty}: bad links of node {node}",
                 sorted(answer.bad_links(n, {"set": faulty}, node)), sorted(set(range(n)).difference(status(node))))


def check_is_safe(answer, draw):
    for n, faulty in damaged_cubes(draw):
        subnet = faults_of(n, faulty).chosen_subnet([])
        for node in subnet.survivors:
            same(f"{n}-cube, faults {faulty}: is_safe of node {node}", bool(answer.is_safe(n, {"set": faulty}, node)),
                 subnet.is_safe(node))


def made_convex(answer, n, faulty):
    where = f"{n}-cube, faults {faulty}"
    disabled = answer.make_convex(n, {"set": faulty})
    wrong = [node for node in disabled if node not in range(2**n) or node in faulty]
    if wrong:
        raise Wrong(f"{where}: {wrong[0]} cannot be disabled: it is faulty, or no node")
    disabled = sorted(set(disabled))
    return f"{where}, disabled {disabled}", faults_of(n, faulty).chosen_subnet(disabled)


def check_convex(answer, draw):
    for n, faulty in damaged_cubes(draw):
        where, subnet = made_convex(answer, n, faulty)
        for u in subnet.survivors:
            for v in subnet.survivors:
                try:
                    subnet.next_hops(u, v)
                except DisconnectedError:
                    raise Wrong(f"{where}: not convex: {u:0{n}b} and {v:0{n}b} survive, but all links that "
                                f"lead from {u:0{n}b} towards {v:0{n}b} are bad") from None


def check_survivors(answer, draw):
    for n, faulty in damaged_cubes(draw):
        where, subnet = made_convex(answer, n, faulty)
        if not subnet.is_convex():
            raise Wrong(f"{where}: not convex, so the number of survivors does not count")
        least = faults_of(n, faulty).degraded_subnet(1).survivor_count
        if subnet.survivor_count < least:
            raise Wrong(f"{where}: {subnet.survivor_count} nodes survive, but {least} of the 1-degraded subnet")


def check_figure(answer, draw):
    where, subnet = made_convex(answer, *FIGURE)
    if subnet.disabled != [6, 11]:
        raise Wrong(f"{where}: figure 5.1 needs two disabled nodes only, 0110 and 1011")


# ---- 6: the traffic of broadcasts ----

def check_replications(answer, draw):
    for n in (2, 4, 6, draw.choice([3, 5, 7])):
        parents = Topology.hypercube(n).binomial_tree(0).arrays().parents
        children = [parents.count(node) - (node == 0) for node in range(2**n)]
        found = answer.replications(n)
        long_as(f"replications({n})", found, n)
        for i in range(n):
            same(f"replications({n}): nodes that send {i} copies on", found[i], children[1:].count(i))


def rate(name, variant):
    def check(answer, draw):
        drawn = draw.randrange(3, 9), round(draw.uniform(0.01, 0.1), 3), 0.001
        for n, beta, load in [(4, 0.1, 0.001), (6, 0.01, 0.012), (8, 0.02, 0.001), drawn]:
            model = Scenario(Topology.hypercube(n), "wormhole", load=load, broadcast_fraction=beta,
                             virtual_channels=2, model_variant=variant).predict()
            found, expected = getattr(answer, name)(n, beta, load), model["channel_rate_replica"]
            near(f"{name}({n}, {beta}, {load}) / lambda_cb", found / (beta * load), expected / (beta * load))
    return check


def broadcasts(n, beta, load):
    return Scenario(Topology.hypercube(n), "wormhole", load=load, broadcast_fraction=beta, virtual_channels=2,
                    message_flits=32, seed=1, measure_cycles=100000, relative_precision=0)


@functools.lru_cache(None)
def measured_ratio(n, beta, load):
    result = broadcasts(n, beta, load).simulate()
    return result["channel_rate_replica"] / result["channel_rate_broadcast"]


def check_measured_ratio(answer, draw):
    for n, beta, load in [(5, 0.02, 0.008), (4, round(draw.uniform(0.02, 0.1), 3), 0.008)]:
        near(f"measured_ratio({n}, {beta}, {load})", answer.measured_ratio(n, beta, load),
             measured_ratio(n, beta, load))


@functools.lru_cache(None)
def latency_errors(n, beta, load):
    scenario = broadcasts(n, beta, load)
    simulated = scenario.simulate()["mean_delay_broadcast"]
    scenario.startup_latency, errors = 1, {}
    for variant in ("published", "corrected"):
        scenario.model_variant = variant
        errors[variant] = (scenario.predict()["mean_delay_broadcast"] / simulated - 1) * 100
    return errors


def check_latency_errors(answer, draw):
    for n, beta, load in [(6, 0.01, 0.004), (6, 0.01, 0.012), (4, 0.02, round(draw.uniform(0.002, 0.01), 4))]:
        found = answer.latency_errors(n, beta, load)
        for error, (variant, right) in zip(found, latency_errors(n, beta, load).items()):
            near(f"latency_errors({n}, {beta}, {load}): {variant}", error, right)


# ---- 7: the perfect shuffle ----

MEASURES = {"F": 1, "D": 0, "L": 0.5}
NETWORKS = {"psnn": Topology.psnn, "hypercube": Topology.hypercube}


def check_neighbors(answer, draw):
    for n in range(2, 8):
        net = Topology.psnn(n)
        for node in range(2**n):
            same(f"neighbors of {node} ({node:0{n}b}) in PSNN({n})", answer.neighbors(n, node),
                 sorted(net.neighbors(node)))


def check_diameter(answer, draw):
    for n in range(3, 8):
        same(f"diameter({n})", answer.diameter(n), Topology.psnn(n).diameter())


def check_paper_cost(answer, draw):
    formulas = {"hypercube": {"F": lambda n: n * n, "D": lambda n: 2 * n, "L": lambda n: n * n / 2 + n},
                "psnn": {"F": lambda n: 8 * n - 4, "D": lambda n: 2 * n, "L": lambda n: 5 * n - 2}}
    for network, costs in formulas.items():
        for measure, cost in costs.items():
            for n in range(3, 10):
                near(f"paper_cost({measure!r}, {network!r}, {n})", answer.paper_cost(measure, network, n), cost(n))


def check_exact_cost(answer, draw):
    for network, make in NETWORKS.items():
        for measure, alpha in MEASURES.items():
            for n in range(3, 6):
                near(f"exact_cost({measure!r}, {network!r}, {n})", answer.exact_cost(measure, network, n),
                     make(n).measure("cost_effectiveness", alpha=alpha).value)


def check_crossing(answer, draw):
    for measure, expected in {"F": (8, 6), "L": (8, 7), "D": (None, None)}.items():
        found = answer.crossing(measure)
        for what, have, right in zip(("by the paper", "exact"), found, expected):
            if have != right:
                raise Wrong(f"crossing({measure!r}), {what}: {have}, expected {right}")


# ---- the assignments ----

class Question(NamedTuple):
    name: str
    points: int
    check: object
    needs_cubenet: bool = False


class Assignment(NamedTuple):
    number: int
    name: str
    title: str
    questions: list
    also: tuple = ()  # answers that this one may use


ASSIGNMENTS = [
    Assignment(1, "necklaces", "Addresses and necklaces", [
        Question("distance", 2, check_distance), Question("rotate", 2, each_node("rotate", Topology.rotate)),
        Question("generator", 3, each_node("generator", Topology.generator)),
        Question("displacement", 3, each_node("displacement", Topology.displacement))]),
    Assignment(2, "routing", "Rules of routing", [
        Question("ecube", 1, check_ecube), Question("ecube_number", 1, check_ecube_number),
        Question("random_minimal", 1, check_random_minimal), Question("waiting_circle", 2, check_circle),
        Question("west_first", 2, check_west_first), Question("west_first_number", 2, check_west_first_number),
        Question("mean_delay", 1, check_mean_delay, True)]),
    Assignment(3, "two_phase", "The two-phase assignment", [
        Question("phase 1", 3, check_judged(False)), Question("phase 2", 4, check_judged(True)),
        Question("random words", 3, check_words)]),
    Assignment(4, "chain", "The Markov chain", [
        Question("phase_one", 1, check_phase_one), Question("both_phases", 2, check_both_phases),
        Question("stationary", 3, check_stationary), Question("headers", 2, check_headers),
        Question("model_error", 2, check_model_error, True)], ("two_phase",)),
    Assignment(5, "convex", "Convex subnets", [
        Question("bad_links", 1, check_bad_links), Question("is_safe", 3, check_is_safe),
        Question("make_convex: convex", 3, check_convex), Question("make_convex: survivors", 2, check_survivors),
        Question("make_convex: figure 5.1", 1, check_figure)]),
    Assignment(6, "broadcast", "The traffic of broadcasts", [
        Question("replications", 2, check_replications),
        Question("published_replica_rate", 2, rate("published_replica_rate", "published")),
        Question("replica_rate", 2, rate("replica_rate", "corrected")),
        Question("measured_ratio", 2, check_measured_ratio, True),
        Question("latency_errors", 2, check_latency_errors, True)]),
    Assignment(7, "shuffle", "The perfect shuffle", [
        Question("neighbors", 2, check_neighbors), Question("diameter", 2, check_diameter),
        Question("paper_cost", 2, check_paper_cost), Question("exact_cost", 2, check_exact_cost, True),
        Question("crossing", 2, check_crossing)]),
]

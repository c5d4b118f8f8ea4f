"""Grades the seven assignments in Python.

    python3 grade.py [FOLDER] [NUMBER...]    FOLDER: where the answers are, here by default; NUMBER: 1 .. 7

Prints the points of each question and, where an answer is wrong, the first place where it is. The exit status is 0
when all points are reached. Answers run in a process of their own: one that crashes, ends the program or is still
running after a time limit costs its own points only."""

import importlib
import json
import os
import queue
import random
import signal
import subprocess
import sys
import threading
import traceback
from pathlib import Path

from cubenet import (DisconnectedError, Faults, Routing, Scenario, StateError, Topology,
                     assignment_both_phases, assignment_phase_one, deflection_queue)



def seconds_of(text):
    """COURSE_SECONDS as a number."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if 0.0 < seconds <= 86400.0:
        return seconds
    sys.exit(f"COURSE_SECONDS = {text!r}, but it must be a number of seconds above 0 and at most 86400")


SECONDS = seconds_of(os.environ.get("COURSE_SECONDS", "20"))  # a question may take
MEMORY = 4 << 30  # bytes that it may use, where the system can limit that
ASSIGNMENTS = [("necklaces", "Addresses and necklaces"), ("routing", "Rules of routing"),
               ("two_phase", "The two-phase assignment"), ("chain", "The Markov chain"),
               ("convex", "Convex subnets"), ("broadcast", "The traffic of broadcasts"),
               ("shuffle", "The perfect shuffle")]


class Wrong(Exception):
    """An answer is wrong: where, what it is, what it must be."""


def shown(found):
    """An answer as it is quoted: nobody reads a million numbers."""
    text = repr(found)
    return text if len(text) <= 300 else text[:300].rstrip() + " ..."


def same(where, found, expected):
    if type(found) is not type(expected) and not (isinstance(found, int) and isinstance(expected, int)):
        raise Wrong(f"{where}: {shown(found)}, which is no {type(expected).__name__}; expected {expected!r}")
    if found != expected:
        raise Wrong(f"{where}: {shown(found)}, expected {expected!r}")


def near(where, found, expected, accuracy=1e-6):
    try:
        difference = abs(found - expected)
    except TypeError:
        raise Wrong(f"{where}: {shown(found)}, which is no number; expected {expected:.6g}") from None
    if not difference <= accuracy * max(1.0, abs(expected)):
        raise Wrong(f"{where}: {found:.6g}, expected {expected:.6g}")


def long_as(where, found, length):
    if not isinstance(found, (list, tuple)) or len(found) != length:
        raise Wrong(f"{where}: {shown(found)}, expected a list of {length}")


def all_near(where, name, found, expected):
    long_as(where, found, len(expected))
    for i, number in enumerate(expected):
        near(f"{where}: {name.format(i)}", found[i], number)


# ---- 1: addresses and necklaces ----

GENERALIZED = [(2, 4), (3, 3), (5, 2), (4, 4)]


def each_node(name, expected):
    """Checks a function of k, n, node at every node."""
    def check(answer):
        for k, n in GENERALIZED:
            net = Topology.generalized_hypercube(k, n)
            for v in range(net.node_count):
                same(f"{name} of node {v} ({net.address(v)}) in GH({n},{k})",
                     getattr(answer, name)(k, n, v), expected(net, v))
    return check


def check_distance(answer):
    for k, n in GENERALIZED:
        net = Topology.generalized_hypercube(k, n)
        for a in range(net.node_count):
            for b in range(0, net.node_count, 3):
                same(f"distance of {net.address(a)} and {net.address(b)} in GH({n},{k})",
                     answer.distance(k, n, a, b), net.distance(a, b))


# ---- 2: rules of routing ----

CUBE, COLUMNS, ROWS, LOAD = 4, 5, 4, 0.02
DIRECTIONS = ["EAST", "WEST", "NORTH", "SOUTH"]


def pairs(nodes):
    return ((u, v) for u in range(nodes) for v in range(nodes) if u != v)


def ones(word):
    return [i for i in range(word.bit_length()) if word >> i & 1]


def bits(node):
    return f"{node:0{CUBE}b}"


def spot(node):
    return f"({node % COLUMNS}, {node // COLUMNS})"


def step(node, direction):
    return node + [1, -1, COLUMNS, -COLUMNS][direction]


def west_first(node, destination):
    dx, dy = destination % COLUMNS - node % COLUMNS, destination // COLUMNS - node // COLUMNS
    return [1] if dx < 0 else [0] * (dx > 0) + [2] * (dy > 0) + [3] * (dy < 0)


def directions(ports):
    return " and ".join(DIRECTIONS[port] for port in ports) or "none"


def check_ecube(answer):
    for u, v in pairs(2**CUBE):
        same(f"ecube from {bits(u)} to {bits(v)}", answer.ecube(u, v), ones(u ^ v)[:1])


def check_random_minimal(answer):
    for u, v in pairs(2**CUBE):
        same(f"random_minimal from {bits(u)} to {bits(v)}", answer.random_minimal(u, v), ones(u ^ v))


def rises(name, text, number, u, port, far, v, ports_of, step_of):
    """The number of a channel is below those of the channels that a message for v may take next."""
    for following in ports_of(far, v) if far != v else []:
        before, after = number(u, port), number(far, following)
        if not before < after:
            raise Wrong(f"{name}: a message for {text(v)} goes from {text(u)} over {text(far)} to "
                        f"{text(step_of(far, following))}, but the numbers of the two channels are "
                        f"{before} and {after}")


def check_ecube_number(answer):
    def ports_of(u, v):
        return ones(u ^ v)[:1]

    def step_of(u, port):
        return u ^ 1 << port
    for u, v in pairs(2**CUBE):
        for port in ports_of(u, v):
            rises("ecube_number", bits, lambda u, port: answer.ecube_number(CUBE, u, port), u, port,
                  step_of(u, port), v, ports_of, step_of)


def check_circle(answer):
    circle = answer.waiting_circle()
    if not isinstance(circle, (list, tuple)) or not circle:
        raise Wrong(f"waiting_circle: {shown(circle)}, expected a list of (node, port, destination)")
    held = set()
    for i, (node, port, destination) in enumerate(circle):
        next_node, next_port, _ = circle[(i + 1) % len(circle)]
        far, element = node ^ 1 << port, f"waiting_circle: element {i}"
        if port not in ones(node ^ destination):
            raise Wrong(f"{element}: a message for {destination} does not take port {port} of node {node}: "
                        f"its ports are {ones(node ^ destination)}")
        if next_node != far:
            raise Wrong(f"{element}: its message is in node {far} and cannot wait for a channel of node "
                        f"{next_node}")
        if next_port not in ones(far ^ destination):
            raise Wrong(f"{element}: in node {far} a message for {destination} does not wait for port "
                        f"{next_port}: its ports are {ones(far ^ destination)}")
        if (node, port) in held:
            raise Wrong(f"{element}: the channel of port {port} of node {node} is held twice")
        held.add((node, port))


def check_west_first(answer):
    for u, v in pairs(COLUMNS * ROWS):
        found = answer.west_first(COLUMNS, u, v)
        expected = west_first(u, v)
        if sorted(found) != expected:
            raise Wrong(f"west_first from {spot(u)} to {spot(v)}: {directions(sorted(found))}, expected "
                        f"{directions(expected)}")
    check_free(answer)


def check_free(answer):
    """The student's own rule, in the library: it is proved free of deadlock there, too."""
    mesh = Topology.mesh([COLUMNS, ROWS])

    def rule(node, destination, came):
        return [(mesh.port_to(node, step(node, way)), 0)
                for way in answer.west_first(COLUMNS, node, destination)]
    found = Routing.own(mesh, rule).deadlock_check()
    if not found.free:
        raise Wrong(f"west_first: {found.text}")


def check_west_first_number(answer):
    for u, v in pairs(COLUMNS * ROWS):
        for way in west_first(u, v):
            rises("west_first_number", spot,
                  lambda u, way: answer.west_first_number(COLUMNS, ROWS, u, way),
                  u, way, step(u, way), v, west_first, step)


def check_mean_delay(answer):
    cube = Topology.hypercube(CUBE)

    def rule(node, destination, came):
        return [(ones(node ^ destination)[0], 0)]
    expected = Scenario(cube, "wormhole", routing="dimension-order", load=LOAD, seed=1, virtual_channels=1,
                        message_flits=8, measure_cycles=20000, relative_precision=0).simulate()
    near(f"mean_delay of e-cube at load {LOAD}", answer.mean_delay(cube, rule, LOAD),
         expected["mean_delay"], 1e-9)


# ---- 3: the two-phase assignment ----

def nodes_with_messages():
    """(network, M, headers, random words) of many nodes, always the same ones."""
    draw = random.Random(1992)
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
        if port is not None and not (isinstance(port, int) and port >= 0):
            raise Wrong(f"{where}: message {m} is given {port!r}, which is no channel and not None")
    return where, ports


def check_judged(phase_two):
    def check(answer):
        for net, buffers, headers, words in nodes_with_messages():
            if not phase_two:
                buffers += len(headers) + net.max_degree  # none must leave
            where, ports = assigned(answer, net, buffers, headers, words)
            try:
                net.check_two_phase(headers, buffers, ports)
            except StateError as error:
                raise Wrong(f"{where}: {error}") from None
    return check


def check_words(answer):
    for net, buffers, headers, words in nodes_with_messages():
        where, ports = assigned(answer, net, buffers, headers, words)
        expected = net.two_phase(headers, buffers, words)
        for m, (port, right) in enumerate(zip(ports, expected)):
            if port != right:
                raise Wrong(f"{where}: with random = {words} the channel of message {m} is {port}, "
                            f"expected {right}")


# ---- 4: the Markov chain ----

NODES = [(2, 2), (4, 4), (4, 6), (3, 9)]


def check_phase_one(answer):
    for n, buffers in NODES:
        for i in range(buffers + 1):
            all_near(f"phase_one({n}, {i})", "j = {}", answer.phase_one(n, i), assignment_phase_one(n, i))


def check_both_phases(answer):
    for n, buffers in NODES:
        for i in range(buffers + 1):
            all_near(f"both_phases({n}, {buffers}, {i})", "j = {}", answer.both_phases(n, buffers, i),
                     assignment_both_phases(n, buffers, i))


def check_stationary(answer):
    for n, buffers in NODES:
        for load, transit in [(0.25, 0.1), (1, 0.4), (4, 0.7)]:
            all_near(f"n = {n}, M = {buffers}, load {load}, P_t {transit}",
                     "state {} of the chain", answer.stationary(n, buffers, load, transit),
                     deflection_queue(n, buffers, load, transit))


def check_headers(answer):
    for n in (2, 4, 7):
        for q in (0, 0.1, 0.4):
            found, (_, expected) = answer.headers(n, q), Topology.hypercube(n).deflection_headers(q)
            long_as(f"headers({n}, {q})", found, n + 1)
            for i, row in enumerate(expected):
                all_near(f"headers({n}, {q}): row {i}", "column {}", found[i], row)


def check_model_error(answer):
    for buffers, load in [(4, 1), (4, 3), (8, 3)]:
        scenario = Scenario(Topology.hypercube(4), "deflection", load=load, buffers=buffers, seed=1,
                            measure_cycles=20000, relative_precision=0, model_variant="published")
        expected = (scenario.predict()["mean_delay"] / scenario.simulate()["mean_delay"] - 1) * 100
        near(f"model_error(4, {buffers}, {load})", answer.model_error(4, buffers, load), expected)


# ---- 5: convex subnets ----

def damaged_cubes():
    """(n, faulty nodes): figure 5.1 first, then random ones."""
    yield 4, [2, 3, 4, 7, 9]
    draw = random.Random(54)
    for trial in range(40):
        n = 3 + trial % 4
        yield n, sorted(draw.sample(range(2**n), 1 + draw.randrange(2**n // 3)))


def faults_of(n, nodes):
    faults = Faults(Topology.hypercube(n))
    for node in nodes:
        faults.add_node(node)
    return faults


def check_bad_links(answer):
    for n, faulty in damaged_cubes():
        status = faults_of(n, faulty).chosen_subnet([]).neighbor_status
        for node in set(range(2**n)).difference(faulty):
            same(f"{n}-cube, faults {faulty}: bad links of node {node}",
                 set(answer.bad_links(n, set(faulty), node)), set(range(n)).difference(status(node)))


def check_is_safe(answer):
    for n, faulty in damaged_cubes():
        subnet = faults_of(n, faulty).chosen_subnet([])
        for node in subnet.survivors:
            same(f"{n}-cube, faults {faulty}: is_safe of node {node}",
                 bool(answer.is_safe(n, set(faulty), node)), subnet.is_safe(node))


def made_convex(answer, n, faulty):
    where = f"{n}-cube, faults {faulty}"
    disabled = answer.make_convex(n, set(faulty))
    wrong = [node for node in disabled if node not in range(2**n) or node in faulty]
    if wrong:
        raise Wrong(f"{where}: {wrong[0]} cannot be disabled: it is faulty, or no node")
    return f"{where}, disabled {sorted(disabled)}", faults_of(n, faulty).chosen_subnet(sorted(disabled))


def check_convex(answer):
    for n, faulty in damaged_cubes():
        where, subnet = made_convex(answer, n, faulty)
        for u in subnet.survivors:
            for v in subnet.survivors:
                try:
                    subnet.next_hops(u, v)
                except DisconnectedError:
                    raise Wrong(f"{where}: not convex: {u:0{n}b} and {v:0{n}b} survive, but all links that "
                                f"lead from {u:0{n}b} towards {v:0{n}b} are bad") from None


def check_survivors(answer):
    for n, faulty in damaged_cubes():
        where, subnet = made_convex(answer, n, faulty)
        least = faults_of(n, faulty).degraded_subnet(1).survivor_count
        if subnet.survivor_count < least:
            raise Wrong(f"{where}: {subnet.survivor_count} nodes survive, but {least} of the 1-degraded subnet")


def check_figure(answer):
    where, subnet = made_convex(answer, *next(damaged_cubes()))
    if subnet.disabled != [6, 11]:
        raise Wrong(f"{where}: figure 5.1 needs two disabled nodes only, 0110 and 1011")


# ---- 6: the traffic of broadcasts ----

def check_replications(answer):
    for n in (2, 4, 6):
        parents = Topology.hypercube(n).binomial_tree(0).arrays().parents
        children = [parents.count(node) - (node == 0) for node in range(2**n)]
        expected = [children[1:].count(i) for i in range(n)]
        found = answer.replications(n)
        long_as(f"replications({n})", found, n)
        for i in range(n):
            same(f"replications({n}): nodes that send {i} copies on", found[i], expected[i])


def rate(name, variant):
    def check(answer):
        for n, beta, load in [(4, 0.1, 0.001), (6, 0.01, 0.012), (8, 0.02, 0.001)]:
            model = Scenario(Topology.hypercube(n), "wormhole", load=load, broadcast_fraction=beta,
                             virtual_channels=2, model_variant=variant).predict()
            found, expected = getattr(answer, name)(n, beta, load), model["channel_rate_replica"]
            near(f"{name}({n}, {beta}, {load}) / lambda_cb", found / (beta * load), expected / (beta * load))
    return check


def broadcasts(n, beta, load):
    return Scenario(Topology.hypercube(n), "wormhole", load=load, broadcast_fraction=beta,
                    virtual_channels=2, message_flits=32, seed=1, measure_cycles=100000,
                    relative_precision=0)


def check_measured_ratio(answer):
    result = broadcasts(5, 0.02, 0.008).simulate()
    near("measured_ratio(5, 0.02, 0.008)", answer.measured_ratio(5, 0.02, 0.008),
         result["channel_rate_replica"] / result["channel_rate_broadcast"])


def check_latency_errors(answer):
    for load in (0.004, 0.012):
        scenario = broadcasts(6, 0.01, load)
        simulated = scenario.simulate()["mean_delay_broadcast"]
        found = answer.latency_errors(6, 0.01, load)
        long_as(f"latency_errors(6, 0.01, {load})", found, 2)
        scenario.startup_latency = 1
        for i, variant in enumerate(("published", "corrected")):
            scenario.model_variant = variant
            near(f"latency_errors(6, 0.01, {load}): {variant}", found[i],
                 (scenario.predict()["mean_delay_broadcast"] / simulated - 1) * 100)


# ---- 7: the perfect shuffle ----

MEASURES = {"F": 1, "D": 0, "L": 0.5}
NETWORKS = {"psnn": Topology.psnn, "hypercube": Topology.hypercube}


def check_neighbors(answer):
    for n in range(2, 8):
        net = Topology.psnn(n)
        for node in range(2**n):
            same(f"neighbors of {node} ({node:0{n}b}) in PSNN({n})", list(answer.neighbors(n, node)),
                 sorted(net.neighbors(node)))


def check_diameter(answer):
    for n in range(3, 8):
        same(f"diameter({n})", answer.diameter(n), Topology.psnn(n).diameter())


def check_paper_cost(answer):
    formulas = {"hypercube": {"F": lambda n: n * n, "D": lambda n: 2 * n, "L": lambda n: n * n / 2 + n},
                "psnn": {"F": lambda n: 8 * n - 4, "D": lambda n: 2 * n, "L": lambda n: 5 * n - 2}}
    for network, costs in formulas.items():
        for measure, cost in costs.items():
            for n in range(3, 10):
                near(f"paper_cost({measure!r}, {network!r}, {n})", answer.paper_cost(measure, network, n), cost(n))


def check_exact_cost(answer):
    for network, make in NETWORKS.items():
        for measure, alpha in MEASURES.items():
            for n in range(3, 6):
                near(f"exact_cost({measure!r}, {network!r}, {n})", answer.exact_cost(measure, network, n),
                     make(n).measure("cost_effectiveness", alpha=alpha).value)


def check_crossing(answer):
    for measure, expected in {"F": (8, 6), "L": (8, 7), "D": (None, None)}.items():
        found = answer.crossing(measure)
        long_as(f"crossing({measure!r})", found, 2)
        for what, have, right in zip(("by the paper", "exact"), found, expected):
            if have != right:
                raise Wrong(f"crossing({measure!r}), {what}: {have}, expected {right}")


# question, points, check
QUESTIONS = [
    [("distance", 2, check_distance), ("rotate", 2, each_node("rotate", Topology.rotate)),
     ("generator", 3, each_node("generator", Topology.generator)),
     ("displacement", 3, each_node("displacement", Topology.displacement))],
    [("ecube", 1, check_ecube), ("ecube_number", 1, check_ecube_number),
     ("random_minimal", 1, check_random_minimal), ("waiting_circle", 2, check_circle),
     ("west_first", 2, check_west_first), ("west_first_number", 2, check_west_first_number),
     ("mean_delay", 1, check_mean_delay)],
    [("phase 1", 3, check_judged(False)), ("phase 2", 4, check_judged(True)),
     ("random words", 3, check_words)],
    [("phase_one", 1, check_phase_one), ("both_phases", 2, check_both_phases),
     ("stationary", 3, check_stationary), ("headers", 2, check_headers),
     ("model_error", 2, check_model_error)],
    [("bad_links", 1, check_bad_links), ("is_safe", 3, check_is_safe),
     ("make_convex: convex", 3, check_convex), ("make_convex: survivors", 2, check_survivors),
     ("make_convex: figure 5.1", 1, check_figure)],
    [("replications", 2, check_replications), ("published_replica_rate", 2, rate("published_replica_rate",
                                                                                "published")),
     ("replica_rate", 2, rate("replica_rate", "corrected")), ("measured_ratio", 2, check_measured_ratio),
     ("latency_errors", 2, check_latency_errors)],
    [("neighbors", 2, check_neighbors), ("diameter", 2, check_diameter), ("paper_cost", 2, check_paper_cost),
     ("exact_cost", 2, check_exact_cost), ("crossing", 2, check_crossing)],
]


# ---- the process that runs the answers ----

def verdict_of(check, answer):
    """None when the answer is right, else a sentence."""
    try:
        check(answer)
    except Wrong as wrong:
        return str(wrong)
    except NotImplementedError:
        return "not written yet"
    except MemoryError:
        return "it takes more memory than it may"
    except Exception as error:  # of the answer: anything may be wrong with it
        place = next((f" ({Path(frame.filename).name}, line {frame.lineno})"
                      for frame in reversed(traceback.extract_tb(error.__traceback__))
                      if frame.filename != __file__ and "cubenet" not in Path(frame.filename).parts), "")
        return f"{type(error).__name__}: {error}{place}"
    return None


def run_answers(folder, number, first):
    """Tells the grader on the standard output, a line each, which question begins and what came of it."""
    report = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what an answer prints goes elsewhere
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.RLIM_INFINITY))
    except (ImportError, OSError, ValueError):
        pass
    sys.path.insert(0, folder)
    print(json.dumps(["begin"]), file=report)
    answer, failed = None, None

    def load(_):
        nonlocal answer
        answer = importlib.import_module(ASSIGNMENTS[number - 1][0])
    failed = verdict_of(load, None)
    for question in range(first, len(QUESTIONS[number - 1])):
        print(json.dumps(["begin"]), file=report)
        found = failed or verdict_of(QUESTIONS[number - 1][question][2], answer)
        print(json.dumps(["verdict", found]), file=report)


# ---- the grader ----

def ended(process):
    """What became of a process that said nothing more."""
    status = process.wait()
    if status < 0:
        return f"the program crashed (signal {-status})"
    return f"the program ended itself with exit status {status}"


def end(process):
    """With all that it has started."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.kill()
    process.wait()


def follow(folder, number, first):
    """Runs the answers from a question on; the verdicts until the end, a crash or the time limit."""
    process = subprocess.Popen([sys.executable, __file__, "--run", folder, str(number), str(first)],
                               stdout=subprocess.PIPE, text=True, start_new_session=True)
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    verdicts, count, begun = [], len(QUESTIONS[number - 1]) - first, 0
    while len(verdicts) < count:
        try:
            line = lines.get(timeout=SECONDS)
        except queue.Empty:
            verdicts.append(f"still running after {SECONDS:g} seconds: an endless loop?")
            break
        if line is None:
            verdicts.append(ended(process))
            break
        message = json.loads(line)
        begun += message[0] == "begin"
        if message[0] == "verdict":
            verdicts.append(message[1])
    if begun < 2:  # nothing can be asked of a file that cannot be loaded
        verdicts *= count
    end(process)
    reader.join()
    process.stdout.close()
    return verdicts


def grade(folder, number):
    """Prints an assignment; the points reached."""
    questions, verdicts = QUESTIONS[number - 1], []
    while len(verdicts) < len(questions):
        verdicts += follow(folder, number, len(verdicts))
    reached = sum(points for (_, points, _), verdict in zip(questions, verdicts) if verdict is None)
    total = sum(points for _, points, _ in questions)
    print(f"{number}. {ASSIGNMENTS[number - 1][1]}: {reached} of {total}")
    for (name, points, _), verdict in zip(questions, verdicts):
        print(f"   {name:24} {points if verdict is None else 0} of {points}" +
              ("" if verdict is None else f"   {verdict}"))
    return reached, total


def main(arguments):
    if arguments[:1] == ["--run"]:
        return run_answers(arguments[1], int(arguments[2]), int(arguments[3]))
    numbers = [int(argument) for argument in arguments if argument.isdigit()]
    folders = [argument for argument in arguments if not argument.isdigit()] or [str(Path(__file__).parent)]
    known = range(1, len(ASSIGNMENTS) + 1)
    if len(folders) > 1 or not Path(folders[0]).is_dir() or not set(numbers) <= set(known):
        print(__doc__)
        return 2
    results = [grade(folders[0], number) for number in numbers or known]
    reached, total = (sum(column) for column in zip(*results))
    print(f"{reached} of {total} points")
    return 0 if reached == total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

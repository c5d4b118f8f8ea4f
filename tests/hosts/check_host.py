"""A host of docs/examples/hosts/ does what it must: what it prints obeys the laws of its network, and a second
program, here, that drives the same network from Python comes to the same messages at the same times.

    check_host.py HOST PROGRAM    no PROGRAM: it could not be built here

The second program needs the library, which CUBENET_LIBRARY names; under a sanitizer there is none for Python, and
the laws alone are checked."""

import os
import subprocess
import sys
import tempfile
from collections import deque

HAS_LIBRARY = "CUBENET_LIBRARY" in os.environ
if HAS_LIBRARY:
    import cubenet

MISSING = {"systemc_network": "SystemC (libsystemc-dev)", "ns3_fabric": "ns-3 (libns3-dev)",
           "simgrid_platform": "SimGrid (libsimgrid-dev)", "simple_network": "C++ compiler for this build",
           "cpp": "C++ compiler for this build"}
SKIPPED = 77


def mesh_distance(a, b):
    return abs(a % 4 - b % 4) + abs(a // 4 - b // 4)


def torus_distance(a, b):
    return sum(min((x - y) % 4, (y - x) % 4) for x, y in ((a % 4, b % 4), (a // 4, b // 4)))


def rows_of(printed, word):
    """The numbers of the lines that begin with this word."""
    return [[float(part) if "." in part else int(part) for part in line.split()[1:]]
            for line in printed.splitlines() if line.split()[:1] == [word]]


def total_of(printed):
    """The numbers of the last line."""
    return [int(part) for part in printed.splitlines()[-1].split() if part.isdigit()]


def mismatch(what, found, expected):
    if found != expected:
        first = next((pair for pair in zip(found, expected) if pair[0] != pair[1]),
                     (len(found), len(expected)))
        yield f"{what}: {first[0]}, but must be {first[1]}"


# ---- a plain C host ----

CORES, READS = 12, 40


def partition_of(core, number):
    return CORES + (5 * core + 3 * number) % 4


def host_cycles(network_cycles):
    """The fewest cycles of the host that hold so many of the network, of which there are two in three."""
    return 3 * (network_cycles - 1) // 2 + 1


def check_gpu_interconnect(printed):
    reads = rows_of(printed, "read")
    wanted = [[core, partition_of(core, i)] for core in range(CORES) for i in range(READS)]
    yield from mismatch("reads", sorted(read[:2] for read in reads), sorted(wanted))
    slack = []
    for core, partition, pushed, popped in reads:
        hops = mesh_distance(core, partition)
        slack.append(popped - pushed - host_cycles(1 + hops) - 20 - host_cycles(5 + hops))
    if not 0 == min(slack) < max(slack):
        yield f"reads take {min(slack)} to {max(slack)} cycles longer than without waiting"
    cycles, network_cycles, flit_hops = total_of(printed)
    yield from mismatch("network cycles", [network_cycles], [cycles * 2 // 3])
    yield from mismatch("flit hops", [flit_hops],
                        [sum(6 * mesh_distance(*pair) for pair in wanted)])
    if HAS_LIBRARY:
        yield from mismatch("reads in their order", reads, gpu_in_python())


def gpu_in_python():
    scenario = cubenet.Scenario(cubenet.Topology.mesh([4, 4]), "wormhole", routing="dimension-order",
                                virtual_channels=2, warmup_cycles=0)
    ask, answer = scenario.open(), scenario.open()
    flits = {ask: 1, answer: 5}
    ejected = {net: [deque() for _ in range(16)] for net in flits}
    memory = [deque() for _ in range(16)]
    packets, sent, answered, reads = [], [0] * CORES, [0] * CORES, []

    def push(net, source, destination, packet):
        if net.queued(source) < 3:
            return net.inject(source, destination, packet, flits[net])

    now = 0
    while len(reads) < CORES * READS:
        for node in range(16):
            if node < CORES:
                if ejected[answer][node]:
                    _, partition, begun = packets[ejected[answer][node].popleft()]
                    answered[node] += 1
                    reads.append([node, partition, begun, now])
                if sent[node] < READS and sent[node] - answered[node] < 4:
                    partition = partition_of(node, sent[node])
                    if push(ask, node, partition, len(packets)):
                        packets.append((node, partition, now))
                        sent[node] += 1
            else:
                if ejected[ask][node]:
                    memory[node].append((now + 20, ejected[ask][node].popleft()))
                if memory[node] and memory[node][0][0] <= now:
                    packet = memory[node][0][1]
                    if push(answer, node, packets[packet][0], packet):
                        memory[node].popleft()
        if now % 3:
            for net in flits:
                net.step()
                for arrived in net.deliveries():
                    ejected[net][arrived.destination].append(arrived.tag)
        now += 1
    return reads


# ---- SystemC ----

PACKETS = 60


def destination_of(node, number):
    return (node + 1 + (7 * number + node) % 15) % 16


def check_systemc_network(printed):
    packets = rows_of(printed, "packet")
    wanted = [[v, destination_of(v, i), i] for v in range(16) for i in range(PACKETS)]
    yield from mismatch("packets", sorted(packet[:3] for packet in packets), sorted(wanted))
    last = {}
    for source, destination, number, admitted, arrived, read in packets:
        if arrived - admitted < (source ^ destination).bit_count():
            yield f"packet {number} of {source} is faster than its hops"
        # read as soon as it is there and the consumer has read the one before
        expected = max(arrived, last.get(destination, -2) + 2)
        if read != expected:
            yield f"packet {number} of {source} is read in cycle {read}, not {expected}"
        last[destination] = read
    if HAS_LIBRARY:
        yield from mismatch("cycles", sorted(packet[:5] for packet in packets),
                            sorted(systemc_in_python()))


def systemc_in_python():
    network = cubenet.Scenario(cubenet.Topology.hypercube(4), "deflection", buffers=5).open()
    sent, packets = [0] * 16, []
    while len(packets) < 16 * PACKETS:
        for v in range(16):
            if sent[v] < PACKETS and network.can_accept(v):
                network.inject(v, destination_of(v, sent[v]), sent[v])
                sent[v] += 1
        network.step()
        packets += [[d.source, d.destination, d.tag, d.injected, d.delivered]
                    for d in network.deliveries()]
    if network.cycle < 5 + sum(sent) // 64:
        raise AssertionError("the network was never full, so its back-pressure was not tried")
    return packets


# ---- ns-3 ----

def check_ns3_fabric(printed):
    messages = rows_of(printed, "message")
    cycles, events = total_of(printed)
    yield from mismatch("events", [events < cycles // 100], [True])
    expected, arrivals = [], {}
    for source, destination, flits, sent, arrived in messages:
        arrivals[source, destination, sent] = flits, arrived
        if arrived - sent < flits + torus_distance(source, destination):
            yield f"the message of {source} in cycle {sent} is faster than its flits and hops"
    for client in range(0, 16, 2):
        now = 200 # 1 us
        for i in range(10):
            server, flits = 1 + 2 * ((client // 2 + 3 * i) % 8), 2 + i % 3
            got, arrived = arrivals.get((client, server, now), (None, now))
            back, answered = arrivals.get((server, client, arrived), (None, now))
            yield from mismatch(f"request {i} of {client} and its answer", [got, back],
                                [flits, 12 * flits])
            expected += [(now, client, server, flits), (arrived, server, client, 12 * flits)]
            now = answered + 10000 + 1400 * (client % 4)
    yield from mismatch("messages", sorted((sent, source, destination, flits) for
                                           source, destination, flits, sent, _ in messages),
                        sorted(expected))
    if HAS_LIBRARY:
        yield from mismatch("arrivals", sorted(messages), sorted(ns3_as_trace(messages)))


def ns3_as_trace(messages):
    """The same messages as a trace, which the network offers itself."""
    torus = cubenet.Topology.torus([4, 4])
    order = sorted(messages, key=lambda message: message[3])
    trace = cubenet.Traffic.trace(torus, [(sent, source, destination, flits) for
                                          source, destination, flits, sent, _ in order])
    network = cubenet.Scenario(torus, "wormhole", routing="dimension-order", traffic=trace).open()
    network.report_trace()
    network.step(order[-1][3] + 1000)
    return [[d.source, d.destination, d.flits, d.injected, d.delivered] for d in network.deliveries()]


# ---- SimGrid ----

def path(source, destination):
    """Dimension 0, the last digit of a node, first."""
    nodes = [source]
    for unit in 1, 4:
        while nodes[-1] // unit % 4 != destination // unit % 4:
            up = nodes[-1] // unit % 4 < destination // unit % 4
            nodes.append(nodes[-1] + (unit if up else -unit))
    return list(zip(nodes, nodes[1:]))


def check_simgrid_platform(printed):
    pairs = [(a, b) for a in range(16) for b in range(16) if a != b]
    load = {}
    for pair in pairs:
        for channel in path(*pair):
            load[channel] = load.get(channel, 0) + 0.5 / 15
    # M/M/1 with a mean service of one cycle
    wanted = {pair: sum(1 / (1 - load[channel]) for channel in path(*pair)) for pair in pairs}
    times = {(a, b): time for a, b, time in rows_of(printed, "message")}
    yield from mismatch("pairs", sorted(times), pairs)
    for pair in pairs:
        if abs(times.get(pair, 0) - wanted[pair]) > 1e-5:
            yield f"a message of {pair} takes {times.get(pair)}, not {wanted[pair]}"
    (model,), = rows_of(printed, "model")
    mean = sum(times.values()) / len(pairs)
    if abs(mean - model) > 1e-6:
        yield f"the mean of SimGrid's times is {mean}, but the model says {model}"
    if HAS_LIBRARY:
        simulated = cubenet.Scenario(cubenet.Topology.mesh([4, 4]), "separate-buffers", load=0.5,
                                     slotted=False, routing="dimension-order",
                                     measure_cycles=40000).simulate()
        wrong = abs(simulated["mean_delay"] - mean) / simulated.half_width("mean_delay")
        if wrong > 2 or simulated.half_width("mean_delay") > 0.02 * mean:
            yield f"the simulation is {wrong} half-widths away"


# ---- SST's pattern ----

def bits_of(turn):
    return 64 + 256 * min(turn, 16 - turn)


def check_simple_network(printed):
    blocks = rows_of(printed, "block")
    wanted = [[v, (v + turn) % 16, bits_of(turn)] for v in range(16) for turn in range(1, 16)]
    yield from mismatch("blocks", sorted(block[:3] for block in blocks), sorted(wanted))
    for source, destination, bits, sent, received in blocks:
        if received - sent < bits // 64 + torus_distance(source, destination):
            yield f"the block of {source} for {destination} is faster than its flits and hops"
    count, cycles, flit_hops = total_of(printed)
    yield from mismatch("total", [count, cycles], [240, blocks[-1][4]])
    yield from mismatch("flit hops", [flit_hops],
                        [sum(bits // 64 * torus_distance(a, b) for a, b, bits in wanted)])
    if cycles < sum(bits_of(turn) // 64 for turn in range(1, 16)):
        yield f"a node has sent all its flits in {cycles} cycles"
    if HAS_LIBRARY:
        yield from mismatch("blocks in their order", blocks, simple_in_python())


def simple_in_python():
    network = cubenet.Scenario(cubenet.Topology.torus([4, 4]), "wormhole", one_port=True,
                               warmup_cycles=0).open()
    entering, turn, blocks, sent = [deque() for _ in range(16)], [1] * 16, [], {}

    def send_more(v):
        while turn[v] < 16 and sum(entering[v]) + bits_of(turn[v]) <= 4096:
            network.inject(v, (v + turn[v]) % 16, len(sent), bits_of(turn[v]) // 64)
            sent[len(sent)] = bits_of(turn[v]), network.cycle
            entering[v].append(bits_of(turn[v]))
            turn[v] += 1

    for v in range(16):
        send_more(v)
    while network.next_event is not None:
        network.step()
        arrived = [[] for _ in range(16)]
        for d in network.deliveries():
            arrived[d.destination].append([d.source, d.destination, *sent[d.tag], network.cycle])
        for v in range(16):
            left = network.queued(v)
            while len(entering[v]) > left:
                entering[v].popleft()
            send_more(v)
            blocks += arrived[v]
    return blocks


# ---- a C host that is ended and goes on ----

TIME_IS_OVER = 75


def block_target(node, number):
    return (node + 1 + (5 * number + 3 * node) % 63) % 64


def run_in_parts(program, cycles):
    """What it prints at its end when it is ended after so many cycles each time, and how often it was."""
    with tempfile.TemporaryDirectory() as folder:
        for times in range(100):
            done = subprocess.run([program, os.path.join(folder, "state"), str(cycles)],
                                  stdout=subprocess.PIPE, text=True)
            if done.returncode != TIME_IS_OVER:
                done.check_returncode()
                return done.stdout, times
    raise RuntimeError("it never comes to its end")


def check_checkpoint(program):
    printed, times = run_in_parts(program, 10**9)
    yield from mismatch("ends of the whole run", [times], [0])
    for cycles, least in ((170, 3), (333, 1)):
        again, times = run_in_parts(program, cycles)
        yield from mismatch(f"parts of {cycles} cycles", again.splitlines(), printed.splitlines())
        if times < least:
            yield f"parts of {cycles} cycles: ended {times} times, but must be at least {least}"
    blocks = rows_of(printed, "block")
    yield from mismatch("blocks", [block[:2] for block in blocks],
                        [[v, i] for v in range(64) for i in range(20)])
    hops = sum(min((x - y) % 8, (y - x) % 8) for v, i, _ in blocks
               for x, y in ((v % 8, block_target(v, i) % 8), (v // 8, block_target(v, i) // 8)))
    yield from mismatch("flit hops", total_of(printed)[1:], [12 * hops])
    if HAS_LIBRARY:
        yield from mismatch("blocks in Python", [arrived for _, _, arrived in blocks],
                            checkpoint_in_python())


def checkpoint_in_python():
    network = cubenet.Scenario(cubenet.Topology.torus([8, 8]), "wormhole", warmup_cycles=0).open()
    sent, arrived = [0] * 64, {}

    def send_next(v):
        network.inject(v, block_target(v, sent[v]), 20 * v + sent[v], 12)
        sent[v] += 1

    for v in range(64):
        send_next(v)
    while len(arrived) < 64 * 20:
        network.step()
        for d in network.deliveries():
            arrived[d.tag] = d.delivered
            if sent[d.source] < 20:
                send_next(d.source)
    return [arrived[tag] for tag in sorted(arrived)]


def check_cpp(printed):
    return []  # it ends with a failure itself


def main(host, program=None):
    if program is None:
        print(f"skipped: there is no {MISSING[host]} here")
        sys.exit(SKIPPED)
    check = globals()["check_" + host]
    if host == "checkpoint":  # it is run several times
        problems = list(check(program))
    else:
        problems = list(check(subprocess.run([program], stdout=subprocess.PIPE, check=True,
                                             text=True).stdout))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main(*sys.argv[1:])

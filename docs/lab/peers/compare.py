"""cubenet's half of the comparison with BookSim2 (docs/lab/peers.md): the recorded rows of rows.csv, made again.

    compare.py          simulates every row, and prints the tables of the page; less than two minutes on one core
    compare.py write    puts them into the page, with the speed of this machine
    compare.py check    simulates some of the rows, and says where the page has other numbers (speed is left out)

A row of rows.csv is one run of BookSim2 with the configuration beside it. The same network gets one host a router, so
that a message enters and leaves over a channel of one flit a cycle, as it does there.
"""

import csv
import itertools
import pathlib
import re
import sys
import time

from cubenet import Routing, Scenario, Topology, Traffic

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "peers.md"
CYCLES = 50000
# family: the cycles that a router of BookSim2 takes, by the delays of its configuration
ROUTER_CYCLES = {"cube6-minadapt-p8-spec": 3}
PATTERNS = {"bitrev": "bit-reverse", "transpose": "transpose", "uniform": "uniform"}
# what check simulates: quick rows of every kind
QUICK = [("stock", "mesh88-dor-p8", "0.20"), ("stock", "torus444-dor-p4", "0.05"), ("stock", "mesh88-dor-transpose-p1", "0.16"),
         ("mended", "mesh88-minadapt-transpose-p8", "0.15"), ("stock", "cube6-minadapt-p8-spec", "0.10")]
QUICK_LIMIT = "mesh88-dor-transpose-p1"
MARKS = "<!-- compare.py: {} -->\n", "<!-- end of the table -->\n"


def configuration(family):
    """The names and values of a configuration of BookSim2."""
    text = re.sub(r"//.*", "", (HERE / family).read_text())
    return dict(re.findall(r"(\w+)\s*=\s*([\w.]+)\s*;", text))


def base_of(given):
    k, n = int(given["k"]), int(given["n"])
    if given["topology"] == "torus":
        return Topology.torus([k] * n)
    return Topology.hypercube(n) if k == 2 else Topology.mesh([k] * n)


def min_adapt(base, channels, is_mended):
    """The rule of BookSim2: virtual channel 0 is that of dimension order; the others lead closer in the lowest dimension
    that differs (stock: its set keeps one candidate of a priority) or in any (mended). A message on channel 0 stays there."""

    neighbors = [base.neighbors(node) for node in range(base.node_count)]
    distance = base.distances()

    def rule(node, destination, came):
        closer = [port for port, neighbor in enumerate(neighbors[node])
                  if distance[neighbor, destination] < distance[node, destination]]
        lowest = min(closer, key=lambda port: abs(neighbors[node][port] - node))
        escape = [(lowest, 0)]
        if came is not None and came[2] == 0:
            return escape
        return escape + [(port, v) for port in (closer if is_mended else [lowest]) for v in range(1, channels)]

    return rule


def routing_of(network, base, given, variant):
    if given["routing_function"] != "min_adapt":
        return "dimension-order"
    channels = int(given["num_vcs"])
    escape = {0} if variant == "mended" else None
    return Routing.own(network, min_adapt(base, channels, variant == "mended"), escape=escape, virtual_channels=channels)


def scenario_of(family, variant):
    given = configuration(family)
    base = base_of(given)
    network = base.with_hosts(1)
    pattern = PATTERNS[given["traffic"]]
    traffic = None if pattern == "uniform" else Traffic(network, pattern)
    return Scenario(network, "wormhole", routing=routing_of(network, base, given, variant), traffic=traffic,
                    virtual_channels=int(given["num_vcs"]), flit_buffers=int(given["vc_buf_size"]),
                    message_flits=int(given["packet_size"]), measure_cycles=CYCLES, relative_precision=0)


class Row:
    """One run of BookSim2, and the same of cubenet. Messages of a node to itself, which cubenet does not send, are taken
    out of the numbers of BookSim2: they are a share of all, and alone in their router."""

    def __init__(self, theirs):
        self.theirs = theirs
        self.family, self.variant, self.load = theirs["family"], theirs["variant"], float(theirs["load"])
        given = configuration(self.family)
        self.flits, self.nodes = int(given["packet_size"]), int(given["k"]) ** int(given["n"])
        self.to_itself = 1 / self.nodes if given["traffic"] == "uniform" else self.nodes ** -0.5
        self.result = self.limits = None
        self.is_stable = int(theirs["cycles"]) > 0 and float(theirs["packet_latency"]) < 500

    @property
    def of_load(self):
        """Our load, in messages of a node that sends to others, over theirs."""
        return (1 - self.to_itself if self.to_itself == 1 / self.nodes else 1) / self.flits

    def run(self, scenario):
        scenario.load = self.load * self.of_load
        begin = time.process_time()
        self.result = scenario.simulate()
        self.seconds = time.process_time() - begin

    @property
    def has_delay(self):
        return self.result is not None and "mean_delay" in self.result

    @property
    def converted(self):
        """The delay of BookSim2 less what its routers take beyond one cycle each."""
        cycles = ROUTER_CYCLES.get(self.family, 5)
        alone = cycles + self.flits + 1
        without = lambda mean, of_itself: (mean - self.to_itself * of_itself) / (1 - self.to_itself)
        return (without(float(self.theirs["packet_latency"]), alone)
                - (cycles - 1) * without(float(self.theirs["hops"]), 1))

    @property
    def accepted(self):
        """Flits a node and cycle that are delivered to other nodes: theirs, ours."""
        return (float(self.theirs["accepted_flits"]) - self.to_itself * self.load,
                self.result["throughput"] * self.flits)

    @property
    def speed(self):
        """Messages a second of processor time: theirs, ours."""
        cycles = int(self.theirs["cycles"])
        of_them = float(self.theirs["accepted_packets"]) * self.nodes * cycles / float(self.theirs["user_s"])
        return of_them, self.result["messages_delivered"] / self.seconds

    @property
    def name(self):
        return f"`{self.family}`, {self.variant}" if "minadapt" in self.family else f"`{self.family}`"


def delays(rows):
    yield "| configuration | load | BookSim2 | converted | cubenet | difference |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        if row.is_stable and row.has_delay:
            ours = row.result["mean_delay"]
            yield (f"| {row.name} | {row.load:g} | {float(row.theirs['packet_latency']):.1f} | {row.converted:.2f} | {ours:.2f} "
                   f"| {100 * (ours / row.converted - 1):+.0f} % |")


def crowded(rows):
    yield "| configuration | load | BookSim2: accepted | state | cubenet: accepted | state |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        if row.result is not None and not (row.is_stable and row.has_delay):
            theirs, ours = row.accepted
            state = "steady" if row.has_delay else row.result.stop
            yield (f"| {row.name} | {row.load:g} | {theirs:.3f} | {'steady' if row.is_stable else 'grows'} | {ours:.3f} "
                   f"| {state} |")


def verdicts(_):
    yield "| rule | 8x8 mesh, 8 virtual channels | 6-cube, 4 virtual channels |"
    yield "|---|---|---|"
    for variant in ("stock", "mended"):
        said = []
        for family in ("mesh88-minadapt-transpose-p8", "cube6-minadapt-p8-transpose"):
            given = configuration(family)
            base = base_of(given)
            said.append(routing_of(base, base, given, variant).deadlock_check(int(given["num_vcs"])).verdict)
        yield f"| {variant} | {' | '.join(said)} |"


def saturation(rows):
    yield "| configuration | BookSim2: steady at | grows at | cubenet: steady at | not at |"
    yield "|---|---|---|---|---|"
    for of, found in itertools.groupby(rows, key=lambda row: (row.family, row.variant)):
        found = list(found)
        limits = next((row.limits for row in found if row.limits), None)
        if limits is None:
            continue
        steady = max((row.load for row in found if row.is_stable), default=None)
        grows = min((row.load for row in found if not row.is_stable), default=None)
        yield (f"| {found[0].name} | {steady:g} | {'not recorded' if grows is None else f'{grows:g}'} "
               f"| {limits[0]:.3f} | {limits[1]:.3f} |")


def grouped(number):
    return f"{number:,.0f}".replace(",", " ")


def speeds(rows):
    yield "| configuration | load | BookSim2, messages a second | cubenet | ratio |"
    yield "|---|---|---|---|---|"
    for row in rows:
        if row.is_stable and row.variant == "stock" and row.has_delay:
            theirs, ours = row.speed
            yield f"| {row.name} | {row.load:g} | {grouped(theirs)} | {grouped(ours)} | {ours / theirs:.0f} |"


TABLES = {"delays": delays, "saturation": saturation, "crowded": crowded, "verdicts": verdicts, "speeds": speeds}


def measured(is_quick):
    """All rows; of a quick run some without a result."""
    scenarios, limits, rows = {}, {}, []
    with open(HERE / "rows.csv", newline="") as file:
        for theirs in csv.DictReader(file):
            row = Row(theirs)
            rows.append(row)
            of = (row.variant, row.family)
            if is_quick and (*of, theirs["load"]) not in QUICK:
                continue
            if of not in scenarios:
                scenarios[of] = scenario_of(row.family, row.variant)
                if not is_quick or row.family == QUICK_LIMIT:
                    limits[of] = [bound / row.of_load for bound in scenarios[of].saturation_load(
                        simulated=True, accuracy=0.03)]
            row.limits = limits.get(of)
            row.run(scenarios[of])
    return rows


def place(name, page):
    begin, end = MARKS[0].format(name), MARKS[1]
    start = page.index(begin) + len(begin)
    return start, page.index(end, start)


def main(what="print"):
    rows = measured(what == "check")
    page, problems = PAGE.read_text(), []
    for name, make in TABLES.items():
        made = "".join(line + "\n" for line in make(rows))
        if what == "print":
            print(made)
            continue
        start, end = place(name, page)
        if what == "write":
            page = page[:start] + made + page[end:]
        elif name != "speeds":
            problems += [f"the page does not have: {line}" for line in made.splitlines() if line not in page[start:end].splitlines()]
    if what == "write":
        PAGE.write_text(page)
    run = [row for row in rows if row.result is not None]
    print("\n".join(problems) or f"{len(run)} rows, {sum(row.seconds for row in run):.0f} seconds of simulation")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Destinations and times of messages."""

from ._control import _Control
from ._errors import ArgumentError
from ._function import _c, _declare
from ._handle import _OnTopology
from ._json import _Json
from ._values import _fields, _number, _packed, _reals

_declare("""
    size   cn_pattern_count()
    status cn_source_from_name(text name, out int source)
    text   cn_source_name(int source)
    text   cn_pattern_name(int pattern)
    status cn_pattern_from_name(text name, out int pattern)
    status cn_traffic_new(topology topology, int pattern, out traffic traffic)
    status cn_traffic_new_hotspot(topology topology, u64 node, f64 share, out traffic traffic)
    status cn_traffic_new_permutation(topology topology, u64 seed, out traffic traffic)
    status cn_traffic_new_locality(topology topology, f64[] weights, size count,
                                   out traffic traffic)
    status cn_traffic_new_geometric_locality(topology topology, f64 ratio, out traffic traffic)
    status cn_traffic_new_destinations(topology topology, u64[] destinations, size count,
                                       out traffic traffic)
    status cn_traffic_new_matrix(topology topology, f64[] weights, size count,
                                 out traffic traffic)
    status cn_traffic_new_trace(topology topology, u64[] cycles, u64[] sources,
                                u64[] destinations, u64[] flits, size count, out traffic traffic)
    void   cn_traffic_free(ref traffic)
    status cn_traffic_json(traffic traffic, char[] text, size capacity, out size length)
    status cn_traffic_from_json(text text, control control, out traffic traffic)
    status cn_traffic_set_source(traffic traffic, int source)
    status cn_traffic_set_on_off(traffic traffic, f64 mean_on, f64 mean_off)
    int    cn_traffic_pattern(traffic traffic)
    int    cn_traffic_source(traffic traffic)
    u64    cn_traffic_trace_length(traffic traffic)
    status cn_traffic_senders(traffic traffic, out u64 senders)
    status cn_traffic_probability(traffic traffic, u64 source, u64 destination,
                                  out f64 probability)
    status cn_traffic_mean_distance(traffic traffic, control control, out f64 mean)
    status cn_traffic_ecube_loads(traffic traffic, control control, f64[] loads, size capacity,
        out size count)
    status cn_traffic_routing_loads(traffic traffic, routing routing, control control, f64[] loads,
                                    size capacity, out size count)
    status cn_traffic_routing_saturation_load(traffic traffic, routing routing, control control,
                                              out f64 load)
""")


def traffic_patterns():
    """The names of all patterns of a Traffic, as a list."""
    return [_c.cn_pattern_name(number) for number in range(_c.cn_pattern_count())]


class Traffic(_Json, _OnTopology):
    """Destinations and times of messages: uniform, one of the fixed patterns ("bit-complement",
    "bit-reverse", "transpose", "shuffle", "tornado", "neighbor"), or the traffic that a class
    method makes.

    source is "geometric", "bernoulli" or "poisson"; None stands for the source of the system.
    on_off = (mean_on, mean_off) sets a source that switches on and off, with periods of these mean
    lengths in cycles."""

    _kind = "traffic"
    _end = _c.cn_traffic_free

    def __init__(self, topology, pattern="uniform", *, source=None, on_off=None):
        self._hold(_c.cn_traffic_new(topology, _c.cn_pattern_from_name(pattern)))
        self._topology = topology
        self._begin(source, on_off)

    def _begin(self, source, on_off):
        if on_off is not None:
            if source is not None:
                raise ArgumentError(f"source = {source!r}, but on_off is a source of its own")
            mean_on, mean_off = _fields("on_off", on_off, "mean_on", "mean_off")
            _c.cn_traffic_set_on_off(self, mean_on, mean_off)
        elif source is not None:
            _c.cn_traffic_set_source(self, _number("source", _c.cn_source_from_name, source))
        self._on_off = on_off
        return self

    def _remember(self, data):
        super()._remember(data)
        self._on_off = (data["mean_on"], data["mean_off"]) if "mean_on" in data else None

    @classmethod
    def hotspot(cls, topology, node, share, *, source=None, on_off=None):
        """Sends a share of all messages to one node, and the rest uniformly."""
        return cls._of(topology, _c.cn_traffic_new_hotspot(topology, node, share))._begin(
            source, on_off)

    @classmethod
    def permutation(cls, topology, seed, *, source=None, on_off=None):
        """A random permutation: one destination per node. A node that it maps to itself sends
        nothing."""
        return cls._of(topology, _c.cn_traffic_new_permutation(topology, seed))._begin(
            source, on_off)

    @classmethod
    def locality(cls, topology, weights, *, source=None, on_off=None):
        """Destinations by distance: weights[d-1] is proportional to the probability of distance d.
        A single number is the ratio of each weight to the one before."""
        if isinstance(weights, (int, float)):
            made = _c.cn_traffic_new_geometric_locality(topology, weights)
        else:
            packed = _reals("weights", weights)
            made = _c.cn_traffic_new_locality(topology, packed, len(packed))
        return cls._of(topology, made)._begin(source, on_off)

    @classmethod
    def destinations(cls, topology, destinations, *, source=None, on_off=None):
        """Node s sends to destinations[s], or nothing when destinations[s] is s."""
        packed = _packed("u64", "destinations", destinations)
        made = _c.cn_traffic_new_destinations(topology, packed, len(packed))
        return cls._of(topology, made)._begin(source, on_off)

    @classmethod
    def matrix(cls, topology, rows, *, source=None, on_off=None):
        """Node s sends to node d with a probability proportional to rows[s][d]; a node whose row is
        all zeros sends nothing."""
        nodes, numbers = topology.node_count, []
        for s, row in enumerate(rows):
            row = list(row)
            if len(row) != nodes:
                raise ArgumentError(f"rows[{s}] has {len(row)} numbers, but there are {nodes} nodes")
            numbers += row
        packed = _reals("rows", numbers)
        made = _c.cn_traffic_new_matrix(topology, packed, len(packed))
        return cls._of(topology, made)._begin(source, on_off)

    @classmethod
    def trace(cls, topology, messages):
        """A list of messages in place of random traffic: (cycle, source, destination) or (cycle,
        source, destination, flits), in ascending order of cycles."""
        columns = [[], [], [], []]
        lengths = set()
        for i, message in enumerate(messages):
            message = tuple(message)
            lengths.add(len(message))
            if len(message) not in (3, 4) or len(lengths) > 1:
                raise ArgumentError(f"messages[{i}] has {len(message)} numbers, but all must have 3 "
                                    "or all 4")
            for column, number in zip(columns, message):
                column.append(number)
        count, names = len(columns[0]), ("cycles", "sources", "destinations", "flits")
        packed = [_packed("u64", name, column) for name, column in zip(names, columns)]
        if lengths != {4}:
            packed[3] = None
        return cls._of(topology, _c.cn_traffic_new_trace(topology, *packed, count))._begin(
            None, None)

    @property
    def pattern(self):
        """The name of the pattern."""
        return _c.cn_pattern_name(_c.cn_traffic_pattern(self))

    @property
    def source(self):
        """"geometric", "bernoulli", "poisson" or "on-off"; None for the source of the system."""
        number = _c.cn_traffic_source(self)
        return _c.cn_source_name(number) if number else None

    @property
    def on_off(self):
        """The mean lengths of the periods of an on/off source; None for any other source."""
        return self._on_off

    @property
    def senders(self):
        """The number of nodes that send messages."""
        return _c.cn_traffic_senders(self)

    @property
    def mean_distance(self):
        """The mean distance over all messages."""
        return _c.cn_traffic_mean_distance(self)

    def probability(self, source, destination):
        """The probability that a message of source goes to destination."""
        return _c.cn_traffic_probability(self, source, destination)

    def ecube_loads(self, seconds=None, progress=None):
        """The mean number of messages per cycle over each channel of a hypercube, as
        [node][dimension], when every sending node offers one message per cycle and all messages
        take the e-cube path."""
        loads = _c.cn_traffic_ecube_loads.fill(self, control=_Control(0, seconds, progress))
        n = self._topology.dimensions
        return [loads[at:at + n] for at in range(0, len(loads), n)]

    def __len__(self):
        """The number of messages of a trace."""
        return _c.cn_traffic_trace_length(self)

    def __bool__(self):
        return True

    def __repr__(self):
        return f"<Traffic {self.pattern} on {self._topology.name}>"

"""Topologies from edges, functions and texts, and as text."""
# mypy: no-warn-return-any

from __future__ import annotations

import os
import re
from typing import Any, Callable, Iterable, TYPE_CHECKING

from ._arrays import _elements, _packed, _table
from ._control import _Control
from ._enum import _value_of
from ._errors import ArgumentError
from ._function import _c, _declare
from ._hints import Progress, Seconds, Whole, Wholes
from ._hosts import _Hosts
from ._library import _NEIGHBOR
from ._named import _labelled
from ._values import _NO_NODE, _array, _bytes, _fields, _whole

if TYPE_CHECKING:
    from typing_extensions import Self

_declare("""
    status cn_topology_from_edges(u64 node_count, u64[] edges, size edge_count, control control,
        out topology topology)
    status cn_topology_from_function(u64 node_count, u32 max_degree, neighbor_fn neighbor,
        void user, control control, out topology topology)
    status cn_topology_write(topology topology, int format, control control, char[] text,
        size capacity, out size length)
    status cn_topology_read(int format, text text, size length, u64 node_limit, control control,
        out topology topology)
    status cn_topology_layout(topology topology, f64[] x, f64[] y, size capacity, out size count)
""")


def _networkx(function: str) -> Any:
    try:
        import networkx  # type: ignore  # it may have hints or not
    except ImportError:
        raise ImportError(f"Topology.{function}() needs the package networkx, which is not "
                          "installed") from None
    return networkx


def _check_edges(graph: Any, weight: str | None) -> None:
    """Refuses what the links of a network cannot be, by the names of the nodes."""
    for a, b, value in graph.edges(data=weight or "", default=1):
        if a == b:
            raise ArgumentError(f"edge ({a!r}, {b!r}) joins a node with itself, but a link joins two different nodes")
        if graph.is_multigraph() and graph.number_of_edges(a, b) > 1:
            raise ArgumentError(
                f"{graph.number_of_edges(a, b)} parallel edges join {a!r} and {b!r}, but two nodes share at most one "
                "link, since a hop is named by its nodes; networkx.Graph(graph) has one edge for all of them")
        if weight is not None and value != 1:
            raise ArgumentError(
                f"edge ({a!r}, {b!r}) has {weight} = {value!r}, but all links of a network are alike; "
                "weight=None leaves it out")


class _Interchange(_Hosts):
    """Topologies from edges, functions and texts, and as text."""

    @classmethod
    def from_edges(cls, node_count: Whole, edges: Iterable[tuple[Whole, Whole]],
                   seconds: Seconds = None, progress: Progress = None, hosts: Wholes | None = None) -> Self:
        """Any undirected graph, from pairs of nodes. hosts: the nodes that send and receive, if these are not all
        (experimental).

        >>> Topology.from_edges(3, [(0, 1), (1, 2)], hosts=[0, 2]).hosts
        [0, 2]
        >>> Topology.from_edges(3, [(0, 1), (1, 2)]).neighbors(1)
        [0, 2]
        """
        packed = _table("u64", edges, 2)
        if packed is None:
            ends: list[Any] = []
            for i, edge in enumerate(_elements("edges", edges)):
                ends += _fields(f"edges[{i}]", edge, "node", "node")
            packed = _packed("u64", "edges", ends, 2)
        return cls._own(_c.cn_topology_from_edges(node_count, packed, len(packed) // 2,
                                                  control=_Control(0, seconds, progress)))._chosen(hosts)

    @classmethod
    def from_function(cls, nodes: Whole, max_degree: Whole,
                      neighbor: Callable[[int, int], Whole | None] | int, seconds: Seconds = None,
                      progress: Progress = None, hosts: Wholes | None = None) -> Self:
        """Any network, unidirectional or bidirectional: neighbor(node, port) returns the node to
        which a port 0 .. max_degree-1 leads, or None where the node has no such port. It is
        called twice for each port, and not after the network has been made. hosts: the nodes that send and
        receive, if these are not all (experimental).

        neighbor may also be a C function of type cn_neighbor_fn, as a ctypes function or an
        address.

        >>> Topology.from_function(5, 1, lambda node, port: (node + 1) % 5).is_bidirectional
        False
        """
        callbacks = _Control(0, seconds, progress)
        with callbacks as limits:
            def make(neighbor: Any) -> Any:
                def ask(node: int, port: int, answer: Any) -> int:
                    given = neighbor(node, port)
                    answer[0] = _NO_NODE if given is None else _whole("u64", "neighbor", given)
                    return 0
                return ask
            function = callbacks._given(_NEIGHBOR, "neighbor", neighbor, make)
            try:
                made = cls._own(_c.cn_topology_from_function(_whole("u64", "nodes", nodes), max_degree, function, None,
                                                             control=limits))
            except ArgumentError as error:
                error.args = (re.sub(r"^node_count\b", "nodes", str(error)),)
                raise
        return made._chosen(hosts)

    @classmethod
    def from_edge_list(cls, text: str, node_limit: Whole = 0, seconds: Seconds = None,
                       progress: Progress = None) -> Self:
        """Reads a line "u v" for each link; # and % begin comments.

        The text may have at most node_limit nodes. 0 stands for the greater of 2^20 and 16 per byte
        of text.

        >>> Topology.from_edge_list("0 1\\n1 2\\n").node_count
        3
        """
        return cls._read("edges", text, node_limit, seconds, progress)

    @classmethod
    def from_metis(cls, text: str, node_limit: Whole = 0, seconds: Seconds = None,
                   progress: Progress = None) -> Self:
        """Reads a METIS .graph file; node_limit is as in from_edge_list()."""
        return cls._read("metis", text, node_limit, seconds, progress)

    @classmethod
    def _read(cls, form: str, text: str, node_limit: Whole, seconds: Seconds,
              progress: Progress) -> Self:
        if isinstance(text, os.PathLike):
            raise TypeError(f"text must be a str, not {type(text).__name__}; its read_text() gives the text of a file")
        length = len(_bytes("text", text))
        number = _value_of("format", form)
        try:
            return cls._own(_c.cn_topology_read(number, text, length, node_limit,
                                                control=_Control(0, seconds, progress)))
        except ArgumentError as error:
            if len(text) < 256 and re.match(r"(?![#%]).*[A-Za-z].*\Z", text):
                error.args = (f"{error}; if {text!r} is the name of a file, open({text!r}).read() gives its text",)
            raise

    @classmethod
    def from_networkx(cls, graph: Any, weight: str | None = "weight") -> Self:
        """A Graph or DiGraph of networkx. Node v is the v-th node of list(graph), whose names are kept as
        node_names; the ports are in the order of graph.edges. A DiGraph in which every channel has an
        opposite channel gives a bidirectional network.

        All links of a network are alike: edges of which the attribute `weight` is not 1 are refused,
        unless weight is None, and so are parallel edges."""
        networkx = _networkx("from_networkx")
        if not isinstance(graph, networkx.Graph):  # all four classes are
            raise TypeError(f"graph must be a networkx Graph, not {type(graph).__name__}")
        numbers = {node: number for number, node in enumerate(graph)}
        _check_edges(graph, weight)
        made = cls._of_graph(graph, numbers)
        made._names = list(numbers)
        return made

    @classmethod
    def _of_graph(cls, graph: Any, numbers: dict[Any, int]) -> Self:
        if not graph.is_directed():
            return cls.from_edges(len(numbers), ((numbers[a], numbers[b]) for a, b, *_ in graph.edges))
        rows: list[list[int]] = [[] for _ in numbers]
        for a, b, *_ in graph.edges:
            rows[numbers[a]].append(numbers[b])
        return cls.from_function(
            len(rows), max([1, *map(len, rows)]),
            lambda node, port: rows[node][port] if port < len(rows[node]) else None)

    def to_networkx(self) -> Any:
        """A Graph of networkx, or a DiGraph for a unidirectional network. Its nodes are 0, 1, ..., or
        node_names, in this order; the successors of a node of a DiGraph are in the order of its ports."""
        networkx = _networkx("to_networkx")
        graph = networkx.Graph() if self.is_bidirectional else networkx.DiGraph()
        graph.graph["name"] = self.name
        names = range(self.node_count) if self._names is None else self._names
        graph.add_nodes_from(names)
        for node, name in enumerate(names):
            graph.add_edges_from((name, names[other]) for other in self.neighbors(node))
        return graph

    def _text(self, form: str) -> str:
        return _labelled(_c.cn_topology_write.fill(self, _value_of("format", form)).decode(), form, self)

    def to_edge_list(self) -> str:
        """A line "u v" for each link, in the format that networkx and igraph read.

        >>> print(Topology.star(3).to_edge_list(), end="")
        # nodes 3
        0 1
        0 2
        """
        return self._text("edges")

    def to_metis(self) -> str:
        """The text of a METIS .graph file."""
        return self._text("metis")

    def to_dot(self) -> str:
        """The network in the DOT language of Graphviz; up to 256 nodes have the places of layout()."""
        return self._text("dot")

    def to_svg(self) -> str:
        """A drawing of a network of at most 1024 nodes as SVG: the nodes have the places of
        layout()."""
        return self._text("svg")

    def layout(self) -> list[tuple[float, float]]:
        """The places (x, y) of the nodes in a drawing, of at most 1024 nodes: cubes as nested
        squares, tori and meshes as grids, rings and shuffle networks as circles, trees as trees,
        others by their distances. As pos of networkx: topology.by_node(topology.layout())."""
        count = min(self.node_count, 1024)  # above it the call says what is wrong
        x, y = (_array("f64", count, "layout()") for _ in range(2))
        _c.cn_topology_layout(self, x, y, max(self.node_count, count))
        return list(zip(x, y))

    def _repr_svg_(self) -> str | None:  # asked by notebooks, which show the text where there is no picture
        return self.to_svg() if self.node_count <= 256 else None

    def to_graphml(self) -> str:
        """The network in GraphML."""
        return self._text("graphml")

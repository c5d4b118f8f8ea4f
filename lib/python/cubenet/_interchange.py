"""Topologies from and for other programs."""

from ._control import _Control
from ._function import _c, _declare
from ._values import _bytes

_declare("""
    status cn_format_from_name(text name, out int format)
    status cn_topology_write_text(topology topology, int format, control control, char[] text,
        size capacity, out size length)
    status cn_topology_read(int format, text text, size length, u64 node_limit, control control,
        out topology topology)
""")


def _networkx(function):
    try:
        import networkx
    except ImportError:
        raise ImportError(f"Topology.{function}() needs the package networkx, which is not "
                          "installed") from None
    return networkx


class _Interchange:
    """Of a Topology."""

    @classmethod
    def from_edge_list(cls, text, node_limit=0, seconds=None, progress=None):
        """Reads a line "u v" for each link; # and % begin comments.

        The text may have at most node_limit nodes. 0 stands for the greater of 2^20 and 16 per byte
        of text."""
        return cls._read("edges", text, node_limit, seconds, progress)

    @classmethod
    def from_metis(cls, text, node_limit=0, seconds=None, progress=None):
        """Reads a METIS .graph file; node_limit is as in from_edge_list()."""
        return cls._read("metis", text, node_limit, seconds, progress)

    @classmethod
    def _read(cls, form, text, node_limit, seconds, progress):
        length = len(_bytes("text", text))
        form = _c.cn_format_from_name(form)
        return cls._own(_c.cn_topology_read(form, text, length, node_limit,
                                            control=_Control(0, seconds, progress)))

    @classmethod
    def from_networkx(cls, graph):
        """A Graph or DiGraph of networkx. Node v is the v-th node of list(graph); the ports are in
        the order of graph.edges. A DiGraph in which every channel has an opposite channel gives
        a bidirectional network."""
        networkx = _networkx("from_networkx")
        if not isinstance(graph, networkx.Graph):  # all four classes are
            raise TypeError(f"graph must be a networkx Graph, not {type(graph).__name__}")
        numbers = {node: number for number, node in enumerate(graph)}
        if not graph.is_directed():
            return cls.from_edges(len(numbers), ((numbers[a], numbers[b]) for a, b, *_ in graph.edges))
        rows = [[] for _ in numbers]
        for a, b, *_ in graph.edges:
            rows[numbers[a]].append(numbers[b])
        return cls.from_function(
            len(rows), max([1, *map(len, rows)]),
            lambda node, port: rows[node][port] if port < len(rows[node]) else None)

    def to_networkx(self):
        """A Graph of networkx, or a DiGraph for a unidirectional network. Its nodes are 0, 1, ...
        in this order; the successors of a node of a DiGraph are in the order of its ports."""
        networkx = _networkx("to_networkx")
        graph = networkx.Graph() if self.is_bidirectional else networkx.DiGraph()
        graph.graph["name"] = self.name
        graph.add_nodes_from(range(self.node_count))
        for node in range(self.node_count):
            graph.add_edges_from((node, other) for other in self.neighbors(node))
        return graph

    def _text(self, form):
        return _c.cn_topology_write_text.fill(self, _c.cn_format_from_name(form)).decode()

    def to_edge_list(self):
        """A line "u v" for each link, in the format that networkx and igraph read."""
        return self._text("edges")

    def to_metis(self):
        """The text of a METIS .graph file."""
        return self._text("metis")

    def to_dot(self):
        """The network in the DOT language of Graphviz."""
        return self._text("dot")

    def to_graphml(self):
        """The network in GraphML."""
        return self._text("graphml")

"""Networks."""

import collections.abc

from ._control import _SHORT, _Control
from ._decision import _Decisions
from ._function import _c, _declare
from ._handle import _ANY, _Object
from ._interchange import _Interchange
from ._json import _Json
from ._library import _NEIGHBOR
from ._measure import _Measures
from ._necklace import _Necklaces
from ._queueing import _Models
from ._tree import _Trees
from ._values import _NO_NODE, _NO_PORT, _UNREACHABLE, _array, _fields, _packed, _whole

_declare("""
    status cn_topology_hypercube(u32 n, out topology topology)
    status cn_topology_kary_ncube(u64 k, u32 n, int bidirectional, out topology topology)
    status cn_topology_generalized_hypercube(u64 k, u32 n, out topology topology)
    status cn_topology_generalized_hypercube_mixed(u64[] radices, u32 n, out topology topology)
    status cn_topology_ring(u64 nodes, int bidirectional, out topology topology)
    status cn_topology_torus(u64[] radices, u32 n, out topology topology)
    status cn_topology_mesh(u64[] radices, u32 n, out topology topology)
    status cn_topology_complete(u64 nodes, out topology topology)
    status cn_topology_star(u64 nodes, out topology topology)
    status cn_topology_tree(u64 branching, u32 levels, out topology topology)
    status cn_topology_chordal_ring(u64 nodes, u64 chord, int dual, out topology topology)
    status cn_topology_psnn(u32 n, out topology topology)
    status cn_topology_shuffle_exchange(u32 n, out topology topology)
    status cn_topology_de_bruijn(u32 n, out topology topology)
    status cn_topology_from_edges(u64 node_count, u64[] edges, size edge_count, control control,
        out topology topology)
    status cn_topology_from_function(u64 node_count, u32 max_degree, neighbor_fn neighbor,
        void user, control control, out topology topology)
    void   cn_topology_free(ref topology)
    status cn_topology_json(topology topology, char[] text, size capacity, out size length)
    status cn_topology_from_json(text text, control control, out topology topology)
    int    cn_topology_equal(topology a, topology b)
    text   cn_topology_name(topology topology)
    u64    cn_topology_node_count(topology topology)
    u32    cn_topology_max_degree(topology topology)
    int    cn_topology_is_bidirectional(topology topology)
    status cn_topology_link_count(topology topology, out u64 links)
    status cn_topology_degree(topology topology, u64 node, out u32 degree)
    status cn_topology_neighbor(topology topology, u64 node, u32 port, out u64 neighbor)
    status cn_topology_neighbors(topology topology, u64 node, u64[] neighbors, size capacity,
                                 out size count)
    status cn_topology_back_port(topology topology, u64 node, u32 port, out u32 back_port)
    status cn_topology_port_to(topology topology, u64 node, u64 neighbor, out u32 port)
    status cn_topology_distance(topology topology, u64 source, u64 destination, control control,
        out u64 distance)
    u32    cn_topology_dimensions(topology topology)
    status cn_topology_radix(topology topology, u32 dimension, out u64 radix)
    status cn_topology_digits(topology topology, u64 node, u64[] digits, size capacity,
                              out size count)
    status cn_topology_node_at(topology topology, u64[] digits, size count, out u64 node)
    status cn_topology_address_text(topology topology, u64 node, char[] text, size capacity,
                                    out size length)
    status cn_topology_parse_address(topology topology, text text, out u64 node)
    status cn_topology_header(topology topology, u64 node, u64 destination, out u64 header)
    status cn_topology_translate(topology topology, u64 node, u64 by, out u64 translated)
""")


def _radices(family, radices, k, n, *more):
    """The radices and their number, from a list or from k and n. Two plain numbers are refused:
    torus(8, 8) could mean either form."""
    if isinstance(radices, collections.abc.Iterable) and not more and k is None and n is None:
        packed = _packed("u64", "radices", radices)
        return packed, len(packed)
    if radices is None and not more and k is not None and n is not None:
        # the library refuses more than 62, and fewer than one, before it reads them
        equal = [_whole("u64", "k", k)] * min(_whole("u32", "n", n), 62)
        return _packed("u64", "radices", equal), n
    raise TypeError(f"{family} takes the radices of all dimensions as a list, as in {family}([8, 8]), "
                    f"or one radix k and the number n of dimensions by name, {family}(k=8, n=2)")


class Topology(_Measures, _Necklaces, _Trees, _Decisions, _Models, _Interchange, _Json, _Object):
    """An immutable network. The nodes are 0 .. node_count-1, the ports of a node 0 .. degree-1.

    Two topologies are equal when they are the same network node by node and port by port because
    they were made in the same way: by the same family and sizes or, for a stored graph, with the
    same neighbours at the same ports."""

    _kind = "topology"

    _end = _c.cn_topology_free

    @classmethod
    def hypercube(cls, n):
        """The Boolean n-cube; port i flips bit i."""
        return cls._own(_c.cn_topology_hypercube(n))

    @classmethod
    def kary_ncube(cls, k, n, bidirectional=False):
        """A ring of k nodes in each of n dimensions, unidirectional unless bidirectional is true.
        torus(k=8, n=2) is bidirectional."""
        return cls._own(_c.cn_topology_kary_ncube(k, n, bool(bidirectional)))

    @classmethod
    def generalized_hypercube(cls, k, n=None):
        """The generalized hypercube with n digits of radix k, or with one digit for each radix in a
        list, dimension 0 first. Neighbours differ in exactly one digit."""
        if n is None:
            return cls._own(_c.cn_topology_generalized_hypercube_mixed(
                *_radices("generalized_hypercube", k, None, None)))
        return cls._own(_c.cn_topology_generalized_hypercube(k, n))

    generalized_hypercube_mixed = generalized_hypercube  # its name for a list, before it took both

    @classmethod
    def ring(cls, nodes, bidirectional=True):
        """The ring; port 0 leads one down, port 1 one up."""
        return cls._own(_c.cn_topology_ring(nodes, bool(bidirectional)))

    @classmethod
    def torus(cls, radices=None, *more, k=None, n=None):
        """A bidirectional ring for each radix in a list, dimension 0 first; or, with the keywords k
        and n, a ring of k nodes in each of n dimensions."""
        return cls._own(_c.cn_topology_torus(*_radices("torus", radices, k, n, *more)))

    @classmethod
    def mesh(cls, radices=None, *more, k=None, n=None):
        """A line for each radix in a list, dimension 0 first; or, with the keywords k and n, a line
        of k nodes in each of n dimensions."""
        return cls._own(_c.cn_topology_mesh(*_radices("mesh", radices, k, n, *more)))

    torus_mixed, mesh_mixed = torus, mesh  # their names for a list, before they took both

    @classmethod
    def complete(cls, nodes):
        """The completely connected network."""
        return cls._own(_c.cn_topology_complete(nodes))

    @classmethod
    def star(cls, nodes):
        """Node 0 is joined to all other nodes; nodes is the number of all nodes, node 0
        included."""
        return cls._own(_c.cn_topology_star(nodes))

    @classmethod
    def tree(cls, branching, levels):
        """The balanced tree as a network: node 0 is the root, and levels is the number of levels
        below it."""
        return cls._own(_c.cn_topology_tree(branching, levels))

    @classmethod
    def chordal_ring(cls, nodes, chord=None, dual=False):
        """A ring with one chord of this length at every node, or with two if dual is true. The
        default length is about sqrt(nodes), as in the paper, and requires nodes to be a square."""
        return cls._own(_c.cn_topology_chordal_ring(nodes, 0 if chord is None else chord,
                                                    bool(dual)))

    @classmethod
    def psnn(cls, n):
        """Perfect shuffle with nearest neighbours, 2^n nodes."""
        return cls._own(_c.cn_topology_psnn(n))

    @classmethod
    def shuffle_exchange(cls, n):
        """Perfect shuffle exchange, 2^n nodes."""
        return cls._own(_c.cn_topology_shuffle_exchange(n))

    @classmethod
    def de_bruijn(cls, n):
        """The binary de Bruijn network, 2^n nodes, links in both directions."""
        return cls._own(_c.cn_topology_de_bruijn(n))

    @classmethod
    def from_edges(cls, node_count, edges, seconds=None, progress=None):
        """Any undirected graph, from pairs of nodes."""
        ends = []
        for i, edge in enumerate(edges):
            ends += _fields(f"edges[{i}]", edge, "node", "node")
        packed = _packed("u64", "edges", ends, 2)
        return cls._own(_c.cn_topology_from_edges(node_count, packed, len(ends) // 2,
                                                  control=_Control(0, seconds, progress)))

    @classmethod
    def from_function(cls, nodes, max_degree, neighbor, seconds=None, progress=None):
        """Any network, unidirectional or bidirectional: neighbor(node, port) returns the node to
        which a port 0 .. max_degree-1 leads, or None where the node has no such port. It is
        called twice for each port, and not after the network has been made.

        neighbor may also be a C function of type cn_neighbor_fn, as a ctypes function or an
        address."""
        callbacks = _Control(0, seconds, progress)
        with callbacks as limits:
            def make(neighbor):
                def ask(node, port, answer):
                    given = neighbor(node, port)
                    answer[0] = _NO_NODE if given is None else _whole("u64", "neighbor", given)
                    return 0
                return ask
            function = callbacks._given(_NEIGHBOR, "neighbor", neighbor, make)
            return cls._own(_c.cn_topology_from_function(nodes, max_degree, function, None,
                                                         control=limits))

    @property
    def name(self):
        """The family with its parameters, as in "hypercube(6)" or "torus([8,8])". With "Topology."
        in front it is the expression that makes the same network. The name of an edge list, as
        in "edges(9,12)", is no such expression."""
        return _c.cn_topology_name(self)

    @property
    def node_count(self):
        return _c.cn_topology_node_count(self)

    @property
    def max_degree(self):
        """The greatest number of ports of a node."""
        return _c.cn_topology_max_degree(self)

    @property
    def is_bidirectional(self):
        """Whether every link carries messages in both directions."""
        return bool(_c.cn_topology_is_bidirectional(self))

    @property
    def link_count(self):
        """The number of pairs of neighbours, or of channels in a unidirectional network."""
        return _c.cn_topology_link_count(self)

    def degree(self, node):
        """The number of ports of a node."""
        return _c.cn_topology_degree(self, node)

    def neighbor(self, node, port):
        return _c.cn_topology_neighbor(self, node, port)

    def neighbors(self, node):
        """All neighbours of a node, in the order of its ports."""
        return _c.cn_topology_neighbors.fill(self, node)

    def back_port(self, node, port):
        """The port of the neighbour that leads back to node; None when no port does."""
        back = _c.cn_topology_back_port(self, node, port)
        return None if back == _NO_PORT else back

    def port_to(self, node, neighbor):
        """The port of node that leads to neighbor; None when no port does."""
        port = _c.cn_topology_port_to(self, node, neighbor)
        return None if port == _NO_PORT else port

    def distance(self, source, destination, seconds=None, progress=None):
        """The number of hops of a shortest path; None when there is no path."""
        short = seconds is None and not progress and self.node_count <= _SHORT
        hops = _c.cn_topology_distance(
            self, source, destination,
            control=_ANY if short else _Control(0, seconds, progress))
        return None if hops == _UNREACHABLE else hops

    @property
    def dimensions(self):
        """Number of dimensions; 0 for a network without them."""
        return _c.cn_topology_dimensions(self)

    def radix(self, dimension):
        """Number of positions in a dimension."""
        return _c.cn_topology_radix(self, dimension)

    def digits(self, node):
        """The digits of a node, least significant (dimension 0) first."""
        digits = _array("u64", self.dimensions, "digits()")
        _c.cn_topology_digits(self, node, digits, len(digits))
        return list(digits)

    def node(self, digits):
        """The node with these digits."""
        packed = _packed("u64", "digits", digits)
        return _c.cn_topology_node_at(self, packed, len(packed))

    def address(self, node):
        """The address of a node as text, most significant digit first."""
        return _c.cn_topology_address_text.fill(self, node).decode()

    def parse_address(self, text):
        """The node with this address."""
        return _c.cn_topology_parse_address(self, text)

    def header(self, node, destination):
        """The header of a message at node: the remaining path to its destination, numbered like a
        node; 0 on arrival."""
        return _c.cn_topology_header(self, node, destination)

    def translate(self, node, by):
        """The node whose digits are the sums of the digits of two nodes; header() reverses it."""
        return _c.cn_topology_translate(self, node, by)

    def __repr__(self):
        return f"<Topology {self.name}>"

    def __eq__(self, other):
        if not isinstance(other, Topology):
            return NotImplemented
        return bool(_c.cn_topology_equal(self, other))

    def _remember(self, data):
        pass

    def __hash__(self):
        return hash((self.node_count, self.max_degree, self.dimensions))

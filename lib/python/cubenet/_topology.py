"""Families of networks."""

from __future__ import annotations

import collections.abc
import json
import re
from typing import Any, TYPE_CHECKING

from ._arrays import _packed
from ._bulk import _NodeArrays
from ._decision import _Decisions
from ._errors import Error
from ._function import _c, _declare
from ._handle import _ANY
from ._hints import Whole, Wholes
from ._interchange import _Interchange
from ._measure import _Measures
from ._necklace import _Necklaces
from ._queueing import _Models
from ._tree import _Trees
from ._values import _whole
from ._words import _did_you_mean

if TYPE_CHECKING:
    from typing_extensions import Self

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
    void   cn_topology_free(ref topology)
    status cn_topology_json(topology topology, char[] text, size capacity, out size length)
    status cn_topology_from_json(text text, control control, out topology topology)
""")


def _radices(family: str, radices: Any, k: Whole | None, n: Whole | None,
             *more: Whole) -> tuple[Any, Any]:
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


def _family_meant(name: str) -> str:
    """What the library says of the name of a topology: others may call a family so."""
    try:
        _c.cn_topology_from_json(json.dumps({"cubenet": "topology", "format": 1, "topology": name}), control=_ANY)
    except Error as error:
        return "".join(re.findall("; did you mean .*", str(error)))
    return ""


class _Families(type):
    if not TYPE_CHECKING:
        def __getattr__(cls, name: str) -> Any:
            known = [known for known in dir(cls) if not known.startswith("_")]
            raise AttributeError(f'{cls.__name__} has no "{name}"'
                                 f"{_family_meant(name) or _did_you_mean(name, known)}")


class Topology(_Measures, _NodeArrays, _Necklaces, _Trees, _Decisions, _Models, _Interchange,
               metaclass=_Families):
    """An immutable network. The nodes are 0 .. node_count-1, the ports of a node 0 .. degree-1.

    Two topologies are equal when they are the same network node by node and port by port because
    they were made in the same way: by the same family and sizes or, for a stored graph, with the
    same neighbours at the same ports.

    >>> cube = Topology.hypercube(6)
    >>> cube
    <Topology hypercube(6)>
    >>> (cube.node_count, cube.link_count, cube.diameter())
    (64, 192, 6)
    >>> cube.neighbors(0)
    [1, 2, 4, 8, 16, 32]
    >>> cube == Topology.generalized_hypercube(2, 6)
    True
    """

    _kind = "topology"
    _givers = "functions such as Topology.hypercube(6) and Topology.torus([8, 8])"
    _end = _c.cn_topology_free

    @classmethod
    def hypercube(cls, n: Whole) -> Self:
        """The Boolean n-cube; port i flips bit i.

        >>> Topology.hypercube(3).neighbors(5)
        [4, 7, 1]
        """
        return cls._own(_c.cn_topology_hypercube(n))

    @classmethod
    def kary_ncube(cls, k: Whole, n: Whole, bidirectional: bool = False) -> Self:
        """A ring of k nodes in each of n dimensions, unidirectional unless bidirectional is true.
        torus(k=8, n=2) is bidirectional.

        >>> Topology.kary_ncube(4, 2).neighbors(0)
        [3, 12]
        """
        return cls._own(_c.cn_topology_kary_ncube(k, n, bool(bidirectional)))

    @classmethod
    def generalized_hypercube(cls, k: Whole | Wholes, n: Whole | None = None) -> Self:
        """The generalized hypercube with n digits of radix k, or with one digit for each radix in a
        list, dimension 0 first. Neighbours differ in exactly one digit.

        >>> Topology.generalized_hypercube([2, 3]).node_count
        6
        """
        if n is None:
            return cls._own(_c.cn_topology_generalized_hypercube_mixed(
                *_radices("generalized_hypercube", k, None, None)))
        return cls._own(_c.cn_topology_generalized_hypercube(k, n))

    @classmethod
    def ring(cls, nodes: Whole, bidirectional: bool = True) -> Self:
        """The ring; port 0 leads one down, port 1 one up.

        >>> Topology.ring(5).neighbors(0)
        [4, 1]
        """
        return cls._own(_c.cn_topology_ring(nodes, bool(bidirectional)))

    @classmethod
    def torus(cls, radices: Wholes | None = None, *more: Whole, k: Whole | None = None,
              n: Whole | None = None) -> Self:
        """A bidirectional ring for each radix in a list, dimension 0 first; or, with the keywords k
        and n, a ring of k nodes in each of n dimensions.

        >>> Topology.torus([4, 3]) == Topology.torus(k=4, n=2)
        False
        >>> Topology.torus([4, 3]).digits(7)
        [3, 1]
        """
        return cls._own(_c.cn_topology_torus(*_radices("torus", radices, k, n, *more)))

    @classmethod
    def mesh(cls, radices: Wholes | None = None, *more: Whole, k: Whole | None = None,
             n: Whole | None = None) -> Self:
        """A line for each radix in a list, dimension 0 first; or, with the keywords k and n, a line
        of k nodes in each of n dimensions.

        >>> Topology.mesh([3, 3]).degree(0)
        2
        """
        return cls._own(_c.cn_topology_mesh(*_radices("mesh", radices, k, n, *more)))

    @classmethod
    def complete(cls, nodes: Whole) -> Self:
        """The completely connected network.

        >>> Topology.complete(5).link_count
        10
        """
        return cls._own(_c.cn_topology_complete(nodes))

    @classmethod
    def star(cls, nodes: Whole) -> Self:
        """Node 0 is joined to all other nodes; nodes is the number of all nodes, node 0
        included.

        >>> Topology.star(5).neighbors(0)
        [1, 2, 3, 4]
        """
        return cls._own(_c.cn_topology_star(nodes))

    @classmethod
    def tree(cls, branching: Whole, levels: Whole) -> Self:
        """The balanced tree as a network: node 0 is the root, and levels is the number of levels
        below it.

        >>> Topology.tree(2, 3).node_count
        15
        """
        return cls._own(_c.cn_topology_tree(branching, levels))

    @classmethod
    def chordal_ring(cls, nodes: Whole, chord: Whole | None = None, dual: bool = False) -> Self:
        """A ring with one chord of this length at every node, or with two if dual is true. The
        default length is about sqrt(nodes), as in the paper, and requires nodes to be a square.

        >>> Topology.chordal_ring(16).name
        'chordal_ring(16,5)'
        """
        return cls._own(_c.cn_topology_chordal_ring(nodes, 0 if chord is None else chord,
                                                    bool(dual)))

    @classmethod
    def psnn(cls, n: Whole) -> Self:
        """Perfect shuffle with nearest neighbours, 2^n nodes.

        >>> Topology.psnn(4).diameter()
        4
        """
        return cls._own(_c.cn_topology_psnn(n))

    @classmethod
    def shuffle_exchange(cls, n: Whole) -> Self:
        """Perfect shuffle exchange, 2^n nodes.

        >>> Topology.shuffle_exchange(4).diameter()
        7
        """
        return cls._own(_c.cn_topology_shuffle_exchange(n))

    @classmethod
    def de_bruijn(cls, n: Whole) -> Self:
        """The binary de Bruijn network, 2^n nodes, links in both directions.

        >>> Topology.de_bruijn(4).max_degree
        4
        """
        return cls._own(_c.cn_topology_de_bruijn(n))

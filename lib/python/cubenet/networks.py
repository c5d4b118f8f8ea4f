"""Networks of routers and hosts as data: each function makes the graph that a paper describes.

    import cubenet

    network = cubenet.networks.slim_fly(5)
    cubenet.Scenario(network, "separate-buffers", routing="minimal", load=0.3).simulate()

The routers have the numbers 0 .. N-1, and the hosts follow them, those of router 0 first. hosts is the number of hosts
at each router; with hosts=0 the network is that of the routers, and each of them sends and receives. fat_tree() alone
has routers without hosts. Any version may change what is here.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Iterator

from ._errors import ArgumentError
from ._hints import Whole, Wholes
from ._topology import Topology
from ._values import _whole

__all__ = ["hyperx", "fat_tree", "dragonfly", "slim_fly", "polar_fly", "random_regular", "twisted_torus",
           "cube_connected_cycles", "mesh_of_trees"]

_PRIMES = [q for q in range(2, 100) if all(q % d for d in range(2, q))]


def _at_least(least: int, **given: Whole) -> list[int]:
    """The arguments as whole numbers, none of which is below the least."""
    values = []
    for name, value in given.items():
        values.append(_whole("u64", name, value))
        if values[-1] < least:
            raise ArgumentError(f"{name} = {value}, but it must be at least {least}")
    return values


def _prime(q: Whole, least: int) -> int:
    q, allowed = _whole("u64", "q", q), [p for p in _PRIMES if p >= least]
    if q not in allowed:
        raise ArgumentError(f"q = {q}, but it must be one of the primes {', '.join(map(str, allowed))}")
    return q


def _hosted(routers: Topology, hosts: Whole) -> Topology:
    """The network with this number of hosts at each router."""
    count, = _at_least(0, hosts=hosts)
    return routers.with_hosts(count) if count > 0 else routers


def hyperx(shape: Wholes, hosts: Whole) -> Topology:
    """The HyperX of these radices: a generalized hypercube of routers, each with hosts (Ahn, Binkert, Davis, McLaren and
    Schreiber, "HyperX: topology, routing, and packaging of efficient large-scale networks", SC 2009). Its diameter
    between routers is the number of radices.

    >>> networks.hyperx([4, 4], hosts=4).node_count
    80
    """
    return _hosted(Topology.generalized_hypercube(shape), hosts)


def fat_tree(k: Whole) -> Topology:
    """The fat tree of switches with k ports in three levels: k pods of k/2 edge and k/2 aggregation switches, (k/2)^2
    core switches and k^3/4 hosts (Al-Fares, Loukissas and Vahdat, "A scalable, commodity data center network
    architecture", SIGCOMM 2008). k is even. The switches come first: those of the edge, of the aggregation, of the core.

    >>> networks.fat_tree(4).node_count
    36
    """
    k, = _at_least(2, k=k)
    if k % 2:
        raise ArgumentError(f"k = {k}, but a switch has as many ports up as down, so k must be even")
    half, pods = k // 2, k * k // 2  # switches of the edge, and as many of the aggregation
    core, hosts = 2 * pods, 2 * pods + half * half
    edges = [(pod * half + e, pods + pod * half + a) for pod, e, a in product(range(k), range(half), range(half))]
    edges += [(pods + pod * half + a, core + a * half + c)
              for pod, a, c in product(range(k), range(half), range(half))]
    edges += [(e, hosts + e * half + h) for e, h in product(range(pods), range(half))]
    nodes = hosts + pods * half
    return Topology.from_edges(nodes, edges, hosts=range(hosts, nodes))


def dragonfly(p: Whole, a: Whole, h: Whole, global_length: Whole = 1) -> Topology:
    """The Dragonfly with p hosts, a - 1 local and h global links at each router: a h + 1 groups of a routers, which are
    all joined with each other, as each two groups are by one link (Kim, Dally, Scott and Abts, "Technology-driven,
    highly-scalable dragonfly topology", ISCA 2008). A message takes global_length cycles over a global link. The l-th
    global link of a group leads to the group l + 1 further on; the paper leaves that open. Balanced is a = 2p = 2h.

    >>> networks.dragonfly(2, 4, 2).node_count
    108
    """
    size, h, length = _at_least(1, a=a, h=h, global_length=global_length)
    groups = size * h + 1
    edges = [(g * size + i, g * size + j) for g in range(groups) for i in range(size) for j in range(i)]
    for g, link in product(range(groups), range(size * h)):
        to, back = (g + link + 1) % groups, size * h - 1 - link
        if g < to:
            edges.append((g * size + link // h, to * size + back // h))
    routers = Topology.from_edges(groups * size, edges)
    if length > 1:
        routers = routers.with_lengths(lambda u, v: length if u // size != v // size else 1)
    return _hosted(routers, p)


def slim_fly(q: Whole, hosts: Whole | None = None) -> Topology:
    """The Slim Fly of a prime q: 2 q^2 routers of degree (3q - d) / 2, where q = 4w + d and d = 1 or -1, with diameter 2
    (Besta and Hoefler, "Slim Fly: a cost effective low-diameter network topology", SC 2014; the graphs of McKay, Miller
    and Siran). The default of hosts is half of the degree, rounded up: the balance of the paper.

    >>> networks.slim_fly(5, hosts=0).diameter()
    2
    """
    q = _prime(q, 3)
    root = next(r for r in range(2, q) if len({pow(r, e, q) for e in range(q - 1)}) == q - 1) if q > 3 else 2
    power = [pow(root, e, q) for e in range(q - 1)]
    even, odd = set(power[0::2]), set(power[1::2])
    if q % 4 == 3:  # the differences come in pairs v, -v
        w = (q + 1) // 4
        even = {power[e] for e in [*range(0, 2 * w - 1, 2), *range(2 * w - 1, 4 * w - 2, 2)]}
        odd = {power[e % (q - 1)] for e in [*range(1, 2 * w, 2), *range(2 * w, 4 * w - 1, 2)]}
    edges = [(half * q * q + x * q + y, half * q * q + x * q + z) for half, x, y, z in
             product(range(2), range(q), range(q), range(q)) if y < z and (z - y) % q in (odd if half else even)]
    edges += [(x * q + (m * x + c) % q, q * q + m * q + c) for x, m, c in product(range(q), range(q), range(q))]
    routers = Topology.from_edges(2 * q * q, edges)
    return _hosted(routers, (routers.max_degree + 1) // 2 if hosts is None else hosts)


def polar_fly(q: Whole, hosts: Whole | None = None) -> Topology:
    """The PolarFly of a prime q: q^2 + q + 1 routers, the points of the projective plane over q elements, joined where
    their vectors are orthogonal, of degree q + 1 (q at the q + 1 points that are orthogonal to themselves), with diameter 2
    (Lakhotia, Besta, Monroe, Isham, Iff, Hoefler and Petrini, "PolarFly: a cost-effective and flexible low-diameter
    topology", SC 2022; the graphs of Erdos and Renyi). The default of hosts is half of the degree, rounded up.

    >>> networks.polar_fly(7, hosts=0).node_count
    57
    """
    q = _prime(q, 2)
    points = [(1, y, z) for y in range(q) for z in range(q)] + [(0, 1, z) for z in range(q)] + [(0, 0, 1)]
    edges = [(i, j) for j, v in enumerate(points) for i, u in enumerate(points[:j])
             if sum(a * b for a, b in zip(u, v)) % q == 0]
    return _hosted(Topology.from_edges(len(points), edges), (q + 2) // 2 if hosts is None else hosts)


def _words(seed: int) -> Iterator[int]:
    """The numbers of SplitMix64, the same on every machine."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) % 2**64
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
        yield word ^ word >> 31


def random_regular(n: Whole, d: Whole, seed: Whole = 1, hosts: Whole = 0) -> Topology:
    """A random network of n routers of degree d, as of Jellyfish (Singla, Hong, Popa and Godfrey, "Jellyfish: networking
    data centers randomly", NSDI 2012): links between random free ports of two routers that are not joined yet, and begun
    anew where none is left that may be made (Steger and Wormald, "Generating random regular graphs quickly", 1999).
    n d is even and d below n. The same seed gives the same network everywhere; it may fall apart where d is below 3.

    >>> networks.random_regular(20, 3, seed=1).link_count
    30
    """
    n, d = _at_least(1, n=n, d=d)
    if n * d % 2 or d >= n:
        raise ArgumentError(f"n = {n} and d = {d}, but n d must be even and d below n")
    words = _words(_whole("u64", "seed", seed))
    links: set[tuple[int, int]] = set()
    free: list[int] = []
    while len(links) < n * d // 2:
        if not any(u != v and (u, v) not in links for u in set(free) for v in set(free) if u < v):
            links, free = set(), [v for v in range(n) for _ in range(d)]
        i, j = next(words) % len(free), next(words) % len(free)
        u, v = sorted((free[i], free[j]))
        if u != v and (u, v) not in links:
            links.add((u, v))
            for at in sorted((i, j), reverse=True):
                free[at] = free[-1]
                free.pop()
    return _hosted(Topology.from_edges(n, sorted(links)), hosts)


def twisted_torus(shape: Wholes, twist: Whole, hosts: Whole = 0) -> Topology:
    """The torus of these radices where the links that close the rings of all dimensions but the last end `twist` nodes
    further on in the last dimension (Camara, Moreto, Vallejo, Beivide, Miguel-Alonso, Martinez and Navaridas, "Twisted
    torus topologies for enhanced interconnection networks", IEEE TPDS 21, 2010). In that paper the last radix is twice the
    others, and the twist is its half: then all links are alike.

    >>> networks.twisted_torus([4, 8], 4).diameter(), Topology.torus([4, 8]).diameter()
    (4, 6)
    """
    radices = _at_least(3, **{f"shape[{i}]": radix for i, radix in enumerate(shape)})
    if not radices:
        raise ArgumentError("shape is empty, but it must have at least one radix")
    twist, last = _whole("u64", "twist", twist), radices[-1]
    if twist >= last:
        raise ArgumentError(f"twist = {twist}, but it must be below the last radix, {last}")
    step = [prod(radices[:i]) for i in range(len(radices))]
    edges = []
    for digits in product(*map(range, radices)):
        node = sum(x * s for x, s in zip(digits, step))
        for i, radix in enumerate(radices):
            to = list(digits)
            to[i] = (digits[i] + 1) % radix
            if to[i] == 0 and i + 1 < len(radices):
                to[-1] = (digits[-1] + twist) % last
            edges.append((node, sum(x * s for x, s in zip(to, step))))
    return _hosted(Topology.from_edges(prod(radices), edges), hosts)


def cube_connected_cycles(n: Whole, hosts: Whole = 0) -> Topology:
    """The cube-connected cycles: a ring of n nodes for each node of the Boolean n-cube, of which the i-th has the link of
    dimension i (Preparata and Vuillemin, "The cube-connected cycles: a versatile network for parallel computation", CACM
    24, 1981). Node x n + i stands at place i of the ring of x. n is 3 or more; the diameter is 2n + floor(n/2) - 2 from
    n = 4 on, and 6 for n = 3.

    >>> networks.cube_connected_cycles(4).diameter()
    8
    """
    n, = _at_least(3, n=n)
    edges = [(x * n + i, x * n + (i + 1) % n) for x in range(2**n) for i in range(n)]
    edges += [(x * n + i, (x ^ 1 << i) * n + i) for x in range(2**n) for i in range(n) if not x >> i & 1]
    return _hosted(Topology.from_edges(n * 2**n, edges), hosts)


def mesh_of_trees(levels: Whole) -> Topology:
    """The mesh of trees: k x k hosts, k = 2^levels, where each row and each column of hosts are the leaves of a binary tree
    of their own (Leighton, "Complexity issues in VLSI", MIT Press 1983). 3 k^2 - 2k nodes; the diameter between hosts is
    4 levels. The inner nodes of the trees come first, those of the rows before those of the columns.

    >>> networks.mesh_of_trees(2).node_count
    40
    """
    levels, = _at_least(1, levels=levels)
    k = 2**levels
    first = 2 * k * (k - 1)  # the first host
    edges = []
    for line, tree in product(range(2), range(k)):
        root = (line * k + tree) * (k - 1) - 1  # the inner node i of a tree is 1 .. k-1, the leaves are k .. 2k-1
        for child in range(2, 2 * k):
            leaf = (tree * k + child - k) if line == 0 else ((child - k) * k + tree)
            edges.append((root + child // 2, root + child if child < k else first + leaf))
    return Topology.from_edges(first + k * k, edges, hosts=range(first, first + k * k))

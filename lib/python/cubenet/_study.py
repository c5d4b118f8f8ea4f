"""Experiments on many random patterns of faults."""

from __future__ import annotations

import collections.abc
from typing import Any, TYPE_CHECKING

from ._control import _Control
from ._enum import _chosen
from ._fault import Faults
from ._function import _c, _declare
from ._handle import _OnTopology
from ._hints import Progress, Real, Seconds, Whole
from ._json import _Json
from ._result import Result
from ._values import _fields, _number, _real, _whole

if TYPE_CHECKING:
    from ._scenario import Scenario
    from ._topology import Topology

_declare("""
    status cn_study_new(topology topology, out study study)
    void   cn_study_free(ref study)
    status cn_study_set_faults(study study, faults faults)
    status cn_study_param_from_name(text name, out int param)
    status cn_keep_from_name(text name, out int keep)
    status cn_study_set(study study, int param, f64 value)
    status cn_study_pattern(study study, u64 index, out faults faults)
    status cn_study_set_scenario(study study, scenario scenario, int simulate)
    status cn_study_set_seed(study study, u64 seed)
    status cn_study_run_shard(study study, u64 shard, u64 shards, control control,
                              out result result)
    status cn_study_run(study study, control control, out result result)
    status cn_study_json(study study, char[] text, size capacity, out size length)
    status cn_study_from_json(text text, control control, out study study)
""")


def _pair(name: str, value: Any, *shape: str) -> tuple[Any, ...]:
    if not isinstance(value, collections.abc.Iterable):
        raise TypeError(f"{name} must be ({', '.join(shape)}), not {type(value).__name__}")
    return _fields(name, value, *shape)


class Study(_Json, _OnTopology):
    """The effect of random faults on a network. run() draws patterns of faults, builds the subnet
    of each pattern, and returns the means over the patterns with 95 % half-widths, as a Result.
    Experimental.

    The faults of a pattern are added in this order: the Faults that all patterns share;
    clusters=(nodes, centers): this many nodes, in clusters that grow around this many random
    centers; nodes and links: these numbers, chosen at random; bombs=(count, radius): all nodes
    within radius hops of count random nodes; finally each remaining node or link with its failure
    probability.

    keep selects the survivors: "working": all working nodes; "degraded": the k-degraded subnet;
    "convex"; "minimal"; "clusters": all working nodes, in a two-level hierarchy. paths=False skips
    the measurement of distances, which takes most of the time. With a scenario, its model is solved
    or its simulation is run on each pattern.

    >>> study = Study(Topology.hypercube(4), nodes=2, keep="convex", patterns=10)
    >>> study.run()["survivors_of_working"] > 0.5
    True
    """

    _kind = "study"
    _end = _c.cn_study_free

    def __init__(self, topology: Topology, *, faults: Faults | None = None,
                 clusters: tuple[Whole, Whole] = (0, 0), nodes: Whole = 0, links: Whole = 0,
                 bombs: tuple[Whole, Whole] = (0, 0), node_probability: Real = 0,
                 link_probability: Real = 0, keep: str = "working", k: Whole = 1,
                 link_rule: str = "disables_end", tie_rule: str = "header", paths: bool = True,
                 scenario: Scenario | None = None, simulate: bool = False, patterns: Whole = 100,
                 seed: Whole = 1, threads: Whole = 1) -> None:
        self._hold(_c.cn_study_new(topology))
        self._topology = topology
        _c.cn_study_set_faults(self, faults)
        grown_nodes, grown_centers = _pair("clusters", clusters, "nodes", "centers")
        centers, radius = _pair("bombs", bombs, "centers", "radius")
        for name, argument, number in (
                ("grown_nodes", "clusters", grown_nodes), ("grown_centers", "clusters", grown_centers),
                ("random_nodes", "nodes", nodes), ("random_links", "links", links),
                ("bombs", "bombs", centers), ("bomb_radius", "bombs", radius), ("k", "k", k),
                ("patterns", "patterns", patterns), ("threads", "threads", threads)):
            self._set(name, _whole("u64", argument, number))
        self._set("node_probability", _real("node_probability", node_probability))
        self._set("link_probability", _real("link_probability", link_probability))
        self._set("link_rule", _chosen("link_rule", link_rule))
        self._set("tie_rule", _chosen("tie_rule", tie_rule))
        self._set("keep", _number("keep", _c.cn_keep_from_name, keep))
        self._set("paths", bool(paths))
        if scenario is not None:
            _c.cn_study_set_scenario(self, scenario, bool(simulate))
        _c.cn_study_set_seed(self, seed)

    def _set(self, name: str, value: Real) -> None:
        _c.cn_study_set(self, _c.cn_study_param_from_name(name), value)

    def pattern(self, index: Whole) -> Faults:
        """The Faults of pattern 0, 1, ..., as used by run()."""
        return Faults._of(self._topology, _c.cn_study_pattern(self, index))

    def run(self, seconds: Seconds = None, progress: Progress = None, *,
            shard: tuple[Whole, Whole] = (0, 1)) -> Result:
        """The Result: means over the patterns. seconds, progress and shard are as in
        Scenario.simulate(); progress() is told the patterns."""
        control = _Control(0, seconds, progress)
        s, shards = _fields("shard", shard, "s", "of")
        if (s, shards) == (0, 1):
            return Result._own(_c.cn_study_run(self, control=control))
        return Result._own(_c.cn_study_run_shard(self, s, shards, control=control))

    def __repr__(self) -> str:
        return f"<Study of {self._topology.name}>"

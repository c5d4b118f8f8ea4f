"""Names of nodes, as a graph of networkx has them."""
# mypy: no-warn-return-any

from __future__ import annotations

import json
import re
from html import escape
from typing import Any, Sequence

from ._errors import ArgumentError
from ._network import _Network

_LONGEST, _WIDEST = 8, 440  # letters of a name in a box of a drawing, tenths of a pixel of the box


class _Named(_Network):
    """Of a Topology: nodes by their names."""

    _names: list[Any] | None = None

    @property
    def node_names(self) -> list[Any] | None:
        """The names of the nodes in the graph of networkx that the network is from; None for any other
        network. Drawings, to_graphml() and to_networkx() have them; pickles of what was made on the
        network have only the numbers."""
        return None if self._names is None else list(self._names)

    def by_node(self, values: Sequence[Any]) -> dict[Any, Any]:
        """One value for each node as a dict, by the names of the nodes or, where they have none, by their
        numbers.

        >>> Topology.ring(4).by_node([0, 0, 0, 7])
        {0: 0, 1: 0, 2: 0, 3: 7}
        """
        if len(values) != self.node_count:
            raise ArgumentError(f"values has {len(values)} elements, but {self.name} has {self.node_count} nodes")
        return dict(zip(range(self.node_count) if self._names is None else self._names, values))

    def __reduce__(self) -> tuple[Any, ...]:
        made = super().__reduce__()
        return made if self._names is None else (*made, {"_names": self._names})


def _in_box(box: Any, name: str) -> str:
    """A node of an SVG with its name: in a wider box and smaller letters, or as a tip."""
    x, width = int(box["x"]), int(box["width"])
    if len(name) > _LONGEST:
        return f"<g>{box[0]}<title>{escape(name)}</title></g>"
    wanted = max(width, min(_WIDEST, 75 * len(name) + 100))
    size = min(120, int((wanted - 60) / (0.625 * max(len(name), 1))))
    return (f'<rect x="{x - (wanted - width) // 2}"{box["y"]} width="{wanted}"{box["look"]}/>'
            f'<text{box["text"]} font-size="{size}">{escape(name)}</text>')


def _labelled(text: str, form: str, topology: Any) -> str:
    """What the library wrote, with the names of the nodes in place of their numbers."""
    if topology._names is None or form not in ("dot", "svg", "graphml"):
        return text
    names = [str(name) for name in topology._names]
    each = iter(names)
    if form == "dot":
        return re.sub(r'(?m)^(  (\d+) \[label=)"\d+"',
                      lambda row: row[1] + json.dumps(names[int(row[2])], ensure_ascii=False), text)
    if form == "graphml":
        return re.sub(r'(<data key="address">)\d+', lambda row: row[1] + escape(next(each)), text)
    head, nodes, rest = text.partition('<g class="nodes"')
    return head + nodes + re.sub(
        r'<rect x="(?P<x>\d+)"(?P<y> y="\d+") width="(?P<width>\d+)"(?P<look>[^>]*)/>'
        r'<text(?P<text>[^>]*)>[^<]*</text>', lambda box: _in_box(box, next(each)), rest, len(names))

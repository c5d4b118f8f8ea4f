"""What has a drawing."""
# mypy: no-warn-return-any

from __future__ import annotations

from ._enum import _value_of
from ._function import _c
from ._handle import _OnTopology
from ._named import _labelled


class _Drawn(_OnTopology):
    """An object that is drawn in its network, in looks of its own that a key explains."""

    def _drawing(self, form: str) -> str:
        draw = getattr(_c, f"cn_{self._kind}_draw")
        return _labelled(draw.fill(self, _value_of("format", form)).decode(), form, self._topology)

    def dot(self) -> str:
        """A drawing of it in its network, in the DOT language of graphviz.

        >>> print(Tree.breadth_first(Topology.ring(3)).dot().splitlines()[-3])
          1 -- 2 [color="#CCCCCC", style=dashed];
        """
        return self._drawing("dot")

    def svg(self) -> str:
        """The same drawing as SVG, of at most 1024 nodes.

        >>> "edge of the tree" in Topology.hypercube(3).binomial_tree().svg()
        True
        """
        return self._drawing("svg")

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.topology.node_count <= 256 else None

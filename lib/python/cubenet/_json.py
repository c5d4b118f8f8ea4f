"""Objects that are text as well."""
# mypy: no-warn-return-any

from __future__ import annotations

import json
from typing import Any, TYPE_CHECKING

from ._control import _Control
from ._function import _c
from ._handle import _Object
from ._hints import Progress, Seconds

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._topology import Topology


class _Json(_Object):
    """An object that is text as well: pickled as that, and equal to one whose members are the same."""

    _topology: Topology

    @classmethod
    def from_json(cls, text: str, seconds: Seconds = None, progress: Progress = None) -> Self:
        """The object that to_json() wrote."""
        read = getattr(_c, f"cn_{cls._kind}_from_json")
        made = cls._own(read(text, control=_Control(0, seconds, progress)))
        made._remember(json.loads(text))
        return made

    def to_json(self) -> str:
        """The object as JSON (docs/reference/formats.md); the same object always gives the same text."""
        return getattr(_c, f"cn_{self._kind}_json").fill(self).decode()

    @classmethod
    def _member(cls, whole: Any, data: Any) -> Any:
        """An object from what stands for it in another one, on the same topology; None for None."""
        if data is None:
            return None
        head = {"cubenet": cls._kind, "format": whole["format"], "topology": whole["topology"]}
        return cls.from_json(json.dumps({**head, **data}))

    def _remember(self, data: Any) -> None:
        """Sets what Python knows of an object beside its handle."""
        self._topology = _Object._of_kind["topology"]._member(data, {})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)

    def __eq__(self, other: Any) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self is other or (self._topology == other._topology
                                 and self._members() == other._members())

    def __hash__(self) -> int:  # the topology of an object never changes
        return hash((type(self), self._topology))

    def _members(self) -> Any:
        members = json.loads(self.to_json())
        del members["topology"]  # equal ones may have several names
        return members

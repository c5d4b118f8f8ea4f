"""Objects that are text as well."""

import json

from ._control import _Control
from ._function import _c
from ._handle import _Object


class _Json:
    """An object that is text as well: pickled as that, and equal to one whose members are the same."""

    @classmethod
    def from_json(cls, text, seconds=None, progress=None):
        """The object that to_json() wrote."""
        read = getattr(_c, f"cn_{cls._kind}_from_json")
        made = cls._own(read(text, control=_Control(0, seconds, progress)))
        made._remember(json.loads(text))
        return made

    def to_json(self):
        """The object as JSON (docs/text.md); the same object always gives the same text."""
        return getattr(_c, f"cn_{self._kind}_json").fill(self).decode()

    @classmethod
    def _member(cls, whole, data):
        """An object from what stands for it in another one, on the same topology; None for None."""
        if data is None:
            return None
        head = {"cubenet": cls._kind, "format": whole["format"], "topology": whole["topology"]}
        return cls.from_json(json.dumps({**head, **data}))

    def _remember(self, data):
        """Sets what Python knows of an object beside its handle."""
        self._topology = _Object._of_kind["topology"]._member(data, {})

    def __reduce__(self):
        return type(self).from_json, (self.to_json(),)

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self is other or (self.topology == other.topology
                                 and self._members() == other._members())

    def __hash__(self):  # the topology of an object never changes
        return hash((type(self), self.topology))

    def _members(self):
        members = json.loads(self.to_json())
        del members["topology"]  # equal ones may have several names
        return members

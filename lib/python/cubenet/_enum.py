"""Names of the values of enums."""

from __future__ import annotations

from typing import Any

from ._function import _c, _declare
from ._values import _number

_declare("""
    text   cn_enum_name(int which, int value)
    status cn_enum_from_name(int which, text name, out int value)
    status cn_enum_range(int which, out int least, out int greatest)
""")

_ENUMS = {name: number for number, name in enumerate(
    ("status", "format", "measure", "known", "node_state", "link_rule", "tie_rule", "verdict",
     "pattern", "source", "stop", "node_count", "distribution", "attachment"), 1)}


def _name_of(enum: str, value: int) -> Any:
    """The canonical name of a value, or None."""
    return _c.cn_enum_name(_ENUMS[enum], value)


def _value_of(enum: str, name: Any) -> Any:
    """The value that has this canonical name."""
    return _c.cn_enum_from_name(_ENUMS[enum], name)


def _chosen(argument: str, name: Any) -> Any:
    """The value of an argument that is called as its enum is: by name, or the number itself."""
    return _number(argument, lambda text: _value_of(argument, text), name)


def _values(enum: int) -> list[int]:
    least, greatest = _c.cn_enum_range(enum)
    return [value for value in range(least, greatest + 1) if _c.cn_enum_name(enum, value)]


def _names(enum: str) -> list[str]:
    """All names of an enum, in the order of their values."""
    return [_name_of(enum, value) for value in _values(_ENUMS[enum])]

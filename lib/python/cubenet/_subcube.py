"""Subcubes of a Boolean cube."""
# mypy: no-warn-return-any

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._errors import ArgumentError
from ._function import _c, _declare
from ._hints import Whole
from ._values import _whole

if TYPE_CHECKING:
    from typing_extensions import Self

_declare("""
    status cn_subcube_parse(text text, out u32 n, out u64 value, out u64 any)
    status cn_subcube_text(u32 n, u64 value, u64 any, char[] text, size capacity, out size length)
""")


@dataclass(frozen=True)
class Subcube:
    """A subcube of the n-cube: the nodes that agree with value wherever any has a 0 bit.

    >>> square = Subcube.parse("1XX")
    >>> (5 in square, square.distance(Subcube.parse("0X1")))
    (True, 1)
    """

    n: int
    value: int
    any: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads an address over 0, 1 and X, most significant symbol first."""
        return cls(*_c.cn_subcube_parse(text))

    @property
    def text(self) -> str:
        """The address over 0, 1 and X."""
        return _c.cn_subcube_text.fill(self.n, self.value, self.any).decode()

    def __str__(self) -> str:
        return self.text

    def contains(self, node: Whole) -> bool:
        """Whether a node is in the subcube; also `node in subcube`."""
        return (_whole("u64", "node", node) ^ self.value) & ~self.any == 0

    __contains__ = contains

    def distance(self, other: Subcube) -> int:
        """Dimensions in which one has 0 and the other 1."""
        if not isinstance(other, Subcube):
            raise TypeError(f"other must be a Subcube, not {type(other).__name__}")
        if self.n != other.n:
            raise ArgumentError(f"subcubes of a {self.n}-cube and of a {other.n}-cube "
                                "have no distance")
        return bin((self.value ^ other.value) & ~(self.any | other.any)).count("1")

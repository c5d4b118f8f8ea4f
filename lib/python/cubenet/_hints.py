"""Types in the hints of what users call."""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, SupportsFloat, Tuple, Union

if sys.version_info >= (3, 8):
    from typing import SupportsIndex as Whole  # int, and whole numbers of numpy
else:
    Whole = int

Buffer = Any  # bytes, array, memoryview, ndarray
Real = SupportsFloat
Wholes = Iterable[Whole]
Reals = Iterable[Real]
Seconds = Optional[float]
Progress = Union[Callable[[int, int, float, float], object], bool, None]
Came = Tuple[int, int, int]  # node, port, virtual channel
VcRule = Callable[[int, int, Optional[Came]], Iterable[Tuple[Whole, Whole]]]
Escape = Union[VcRule, Wholes, int, None]  # int: the address of a function of C
Exchange = Callable[[int, Dict[int, bytes]], Mapping[int, Buffer]]
Rate = Callable[[int, int], Real]

__all__ = ["Buffer", "Came", "Escape", "Exchange", "Progress", "Rate", "Real", "Reals", "Seconds", "VcRule",
           "Whole", "Wholes"]

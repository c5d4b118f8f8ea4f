"""A metric over a parameter, drawn from the rows of sweeps."""

from __future__ import annotations

import collections.abc
import html
import math
from typing import Any, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple

from ._errors import ArgumentError
from ._function import _c
from ._system import metrics, parameters

_COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444", "#882255", "#999933"]
_SHAPES = ["M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "M-3.5,-3.5h7v7h-7z", "M0,-4.5L4.2,3.2H-4.2z",
           "M0,-4.8L4.8,0L0,4.8L-4.8,0z", "M0,4.5L4.2,-3.2H-4.2z"]
_LEFT, _TOP, _WIDE, _HIGH = 88, 58, 560, 380  # of the area between the axes
_ROOM = 1.25  # a model may be drawn so much higher than what was simulated


class Plot(str):
    """A drawing, as the text of an SVG file: write_text(plot) makes the file, and a notebook shows it."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<Plot: {len(self)} characters of SVG>"


class _Point(NamedTuple):
    x: float
    y: float
    half_width: float
    saturated: bool


class _Curve(NamedTuple):
    label: str
    model: List[_Point]
    simulated: List[_Point]


def _text(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _number(value: Any) -> Optional[float]:
    is_one = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if is_one else None


def _varied(rows: List[Mapping[str, Any]]) -> List[str]:
    """The columns of a sweep that come before its outcome, as far as they vary."""
    names = dict.fromkeys(name for row in rows for name in list(row)[:list(row).index("error")])
    return [name for name in names if len({_text(row.get(name)) for row in rows}) > 1]


def _along(rows: List[Mapping[str, Any]]) -> str:
    """The load where it varies, otherwise the first keyword that varies and is a number."""
    numbers = [name for name in _varied(rows) if all(_number(row.get(name)) is not None for row in rows)]
    return "load" if "load" in numbers or not numbers else numbers[0]


def _curves(rows: List[Mapping[str, Any]], x: str, y: str) -> List[_Curve]:
    """One for each value of what else varies. Over a metric, a curve runs along the load."""
    varied = _varied(rows)
    along = x if x in varied else _along(rows)
    others = [name for name in varied if name != along]
    curves: dict[str, _Curve] = {}
    for row in sorted(rows, key=lambda row: _number(row.get(along)) or 0.0):
        at, value = _number(row.get(x)), _number(row.get(y))
        if at is None or value is None or row["error"]:
            continue
        label = ", ".join(_text(row.get(name)) if name in ("topology", "system") else f"{name} = {_text(row.get(name))}"
                          for name in others)
        curve = curves.setdefault(label, _Curve(label, [], []))
        half_width = _number(row.get(f"{y}_half_width"))
        points = curve.model if row["model"] else curve.simulated
        points.append(_Point(at, value, math.nan if half_width is None else half_width, bool(row["saturated"])))
    return list(curves.values())


def _nothing(rows: List[Mapping[str, Any]], x: str, y: str) -> ArgumentError:
    """Why there is no point."""
    text = f"x = {x!r} and y = {y!r}, but none of the {len(rows)} rows has a number in both"
    errors = [row["error"] for row in rows if row["error"]]
    saturated = sum(bool(row.get("saturated")) for row in rows)
    if rows and len(errors) == len(rows):
        text += f"; the first error: {errors[0]}"
    elif rows and not any(x in row for row in rows):
        text += f"; a sweep has a column {x!r} where {x} is a list, be it of one value"
    elif saturated:
        text += f"; {saturated} of them are saturated"
    return ArgumentError(text)


def _ticks(least: float, greatest: float) -> List[float]:
    """Round numbers from at most least to at least greatest, about six of them."""
    rough = (greatest - least) / 6
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough * 0.999)
    return [step * i for i in range(math.floor(least / step + 1e-9), math.ceil(greatest / step - 1e-9) + 1)]


class _Axis:
    """Its ticks, and where a value is, from 0 to 1."""

    def __init__(self, values: List[float]) -> None:
        least, greatest = min(values), max(values)
        if least > 0 and least < 0.6 * greatest or least == greatest == 0:
            least = 0.0
        if least == greatest:
            least, greatest = least - abs(least) / 10, greatest + (abs(greatest) / 10 or 1.0)
        self.ticks = _ticks(least, greatest)
        self._first, self._last = self.ticks[0], self.ticks[-1]

    def at(self, value: float) -> float:
        return (value - self._first) / (self._last - self._first)


def _heights(curves: List[_Curve]) -> List[float]:
    """What the axis has to hold: what is simulated; of bands and models what is not much higher, nor below 0
    where nothing else is."""
    simulated = [point for curve in curves for point in curve.simulated]
    heights = [point.y for point in simulated]
    limit = _ROOM * max(heights) if heights else math.inf
    floor = 0.0 if heights and min(heights) >= 0 else -math.inf
    bands = [max(floor, min(point.y + sign * point.half_width, limit))
             for point in simulated if not math.isnan(point.half_width) for sign in (-1, 1)]
    return heights + bands + [point.y for curve in curves for point in curve.model if point.y <= limit]


def _title_of(name: str) -> str:
    units = {one.name: one.unit for table in (parameters(), metrics()) for one in table}  # type: ignore[attr-defined]
    unit = units.get(name, "1")
    return name.replace("_", " ") + ("" if unit == "1" else f" ({unit})")


def _write(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{more}>{html.escape(text)}</text>'


class _Frame:
    """The axes with their ticks, and the places of points."""

    def __init__(self, curves: List[_Curve]) -> None:
        self.x = _Axis([point.x for curve in curves for point in (*curve.model, *curve.simulated)])
        self.y = _Axis(_heights(curves))

    def place(self, x: float, y: float) -> str:
        """In the area between the axes. What is far outside is cut off."""
        return f"{_WIDE * self.x.at(x):.1f},{_HIGH * (1 - max(-1.0, min(self.y.at(y), 2.0))):.1f}"

    def lines(self, x_title: str, y_title: str) -> Iterator[str]:
        bottom, right = _TOP + _HIGH, _LEFT + _WIDE
        for tick in self.x.ticks:
            at = _LEFT + _WIDE * self.x.at(tick)
            yield f'<path d="M{at:.1f},{_TOP}V{bottom}" class="grid"/><path d="M{at:.1f},{bottom}v5" class="axis"/>'
            yield _write(round(at, 1), bottom + 21, f"{tick:.6g}", ' text-anchor="middle"')
        for tick in self.y.ticks:
            at = bottom - _HIGH * self.y.at(tick)
            yield f'<path d="M{_LEFT},{at:.1f}H{right}" class="grid"/><path d="M{_LEFT},{at:.1f}h-5" class="axis"/>'
            yield _write(_LEFT - 10, round(at + 4.5, 1), f"{tick:.6g}", ' text-anchor="end"')
        yield f'<path d="M{_LEFT},{_TOP}V{bottom}H{right}" class="axis"/>'
        yield _write(_LEFT + _WIDE / 2, bottom + 48, x_title, ' text-anchor="middle"')
        middle = _TOP + _HIGH / 2
        yield _write(18, middle, y_title, f' text-anchor="middle" transform="rotate(-90 18 {middle:g})"')


def _runs(points: List[_Point]) -> Iterator[List[_Point]]:
    """Neighbouring points that have half-widths: a band has holes where one has none."""
    run: List[_Point] = []
    for point in [*points, _Point(0, 0, math.nan, False)]:
        if not math.isnan(point.half_width):
            run.append(point)
        elif run:
            yield run
            run = []


def _marker(place: str, color: str, shape: str, hollow: bool) -> str:
    return (f'<path transform="translate({place})" d="{shape}" fill="{"white" if hollow else color}" '
            f'stroke="{color if hollow else "white"}" stroke-width="{1.5 if hollow else 0.8}"/>')


def _drawn(curve: _Curve, frame: _Frame, color: str, shape: str) -> Iterator[str]:
    for run in _runs(curve.simulated):
        upper = [frame.place(point.x, point.y + point.half_width) for point in run]
        lower = [frame.place(point.x, point.y - point.half_width) for point in run]
        yield f'<path d="M{"L".join(upper + lower[::-1])}z" fill="{color}" fill-opacity="0.22"/>'
        bars = "".join(f"M{above}L{below}" for above, below in zip(upper, lower))
        yield f'<path d="{bars}" stroke="{color}" stroke-width="1.6"/>'
    line = curve.model or curve.simulated
    if len(line) > 1:
        places = "L".join(frame.place(point.x, point.y) for point in line)
        width = "2" if curve.model else '1" stroke-dasharray="2,3'
        yield f'<path d="M{places}" fill="none" stroke="{color}" stroke-width="{width}" stroke-linejoin="round"/>'
    for point in curve.simulated:
        yield _marker(frame.place(point.x, point.y), color, shape, point.saturated)
    if len(curve.model) == 1:
        place = frame.place(curve.model[0].x, curve.model[0].y)
        yield f'<path transform="translate({place})" d="M-7,0h14" stroke="{color}" stroke-width="2"/>'


def _looks() -> Iterator[Tuple[str, str]]:
    """The colours and shapes of curves, of which no two are alike for a while."""
    for i in range(1 << 30):
        yield _COLORS[i % len(_COLORS)], _SHAPES[i % len(_SHAPES)]


def _key(curves: List[_Curve]) -> List[Tuple[str, str]]:
    """(sample, text) of each line of the key."""
    rows: List[Tuple[str, str]] = []
    if len(curves) > 1:
        for curve, (color, shape) in zip(curves, _looks()):
            line = f'<path d="M0,0h28" stroke="{color}" stroke-width="2"/>' if curve.model else ""
            rows.append((line + (_marker("14,0", color, shape, False) if curve.simulated else ""), curve.label))
        rows.append(("", ""))
    color, shape = ("#666666", _SHAPES[0]) if len(curves) > 1 else (_COLORS[0], _SHAPES[0])
    if any(curve.model for curve in curves):
        rows.append((f'<path d="M0,0h28" stroke="{color}" stroke-width="2"/>', "model"))
    points = [point for curve in curves for point in curve.simulated]
    if points:
        rows.append((f'<path d="M0,-5h28v10h-28z" fill="{color}" fill-opacity="0.22"/>'
                     + _marker("14,0", color, shape, False), "simulation, 95 %"))
    if any(point.saturated for point in points):
        rows.append((_marker("14,0", color, shape, True), "saturated"))
    return rows


_STYLE = ('<style>text{font:14px Helvetica,Arial,sans-serif;fill:#222222}.axis{stroke:#444444;fill:none}'
          '.grid{stroke:#dddddd;stroke-width:0.7}</style>')


def plot(rows: Iterable[Mapping[str, Any]], x: str | None = None, y: str = "mean_delay") -> Plot:
    """A drawing of a metric over a parameter, from the rows of one or more sweeps: simulations as points
    with bands of their 95 % half-widths, models as lines, and a curve for each value of what else
    varies. x is a keyword, or another metric such as "throughput"; None: the load where it varies, otherwise
    the first keyword that varies and is a number.

    >>> import cubenet
    >>> cube, choices = cubenet.Topology.hypercube(4), {"load": [0.5, 1, 1.5], "buffers": [6, 12]}
    >>> rows = (cubenet.sweep(cube, "deflection", simulate=False, **choices)
    ...         + cubenet.sweep(cube, "deflection", measure_cycles=500, **choices))
    >>> drawing = cubenet.plot(rows)
    >>> drawing[:4], "buffers = 12" in drawing, "simulation, 95 %" in drawing
    ('<svg', True, True)
    """
    _c.cn_metric_from_name(y)
    held = list(rows)
    for row in held:
        if not isinstance(row, collections.abc.Mapping) or "error" not in row:
            raise TypeError("rows must be rows of sweep()")
    if x is None:
        x = _along(held)
    curves = _curves(held, x, y)
    if not curves:
        raise _nothing(held, x, y)
    frame = _Frame(curves)
    one = {name: {_text(row.get(name)) for row in held} for name in ("system", "topology")}
    title = " on ".join(next(iter(values)) for values in one.values() if len(values) == 1)
    key = _key(curves)
    right = _LEFT + _WIDE + 24
    wide = right + 56 + max(7.2 * len(text) for _, text in key)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {_TOP + _HIGH + 66}" '
             f'width="{wide:.0f}" height="{_TOP + _HIGH + 66}">', _STYLE,
             '<rect width="100%" height="100%" fill="white"/>',
             _write(_LEFT, 32, title, ' style="font-size:17px"'),
             *frame.lines(_title_of(x), _title_of(y)),
             f'<svg x="{_LEFT}" y="{_TOP - 6}" width="{_WIDE + 6}" height="{_HIGH + 6}" '
             f'viewBox="0 -6 {_WIDE + 6} {_HIGH + 6}">']
    for curve, (color, shape) in zip(curves, _looks()):
        parts += _drawn(curve, frame, color, shape)
    parts.append("</svg>")
    for row_of_key, (sample, text) in enumerate(key):
        at = _TOP + 10 + 22 * row_of_key
        parts += [f'<g transform="translate({right},{at})">{sample}</g>', _write(right + 38, at + 4.5, text)]
    return Plot("\n".join([*parts, "</svg>"]) + "\n")

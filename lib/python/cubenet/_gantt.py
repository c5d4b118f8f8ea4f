"""The messages of a run of a workload, drawn by node and time."""

from __future__ import annotations

import html
from typing import Dict, Iterator, List, NamedTuple, Sequence

from ._errors import ArgumentError
from ._plot import _COLORS, Plot

_MOST_NODES, _MOST_MESSAGES = 512, 20000  # of a drawing
_LEFT, _TOP, _WIDE, _LANE, _GAP = 70, 64, 820, 9, 4
_KINDS = ["computing", "waiting at the source", "in the network"]
_LOOKS = dict(zip(_KINDS, [_COLORS[2], _COLORS[4], _COLORS[5]]))
_CRITICAL = _COLORS[1]


class _Bar(NamedTuple):
    number: int
    node: int
    begin: int  # of the computing
    ready: int
    injected: int
    delivered: int


def _lanes(bars: Sequence[_Bar]) -> List[int]:
    """The lane of each bar in the row of its node: the first one that is free when the bar begins."""
    free: Dict[int, List[int]] = {}
    lanes = [0] * len(bars)
    for at in sorted(range(len(bars)), key=lambda i: (bars[i].begin, i)):
        ends = free.setdefault(bars[at].node, [])
        lane = next((i for i, end in enumerate(ends) if end <= bars[at].begin), len(ends))
        ends[lane:lane + 1] = [max(bars[at].delivered, bars[at].begin + 1)]
        lanes[at] = lane
    return lanes


def _pieces(bar: _Bar, y: float, scale: float, start: int) -> Iterator[str]:
    ends = [bar.begin, bar.ready, bar.injected, bar.delivered]
    for kind, begin, end in zip(_KINDS, ends, ends[1:]):
        if end > begin:
            yield (f'<rect x="{_LEFT + (begin - start) * scale:.2f}" y="{y:g}" width="{(end - begin) * scale:.2f}" '
                   f'height="{_LANE - 2}" fill="{_LOOKS[kind]}"/>')


def _key() -> Iterator[str]:
    at = float(_LEFT)
    for kind, color in [*_LOOKS.items(), ("critical path", _CRITICAL)]:
        yield f'<rect x="{at:g}" y="38" width="14" height="8" fill="{color}"/><text x="{at + 19:g}" y="46">{kind}</text>'
        at += 40 + 6.4 * len(kind)


def _gantt(title: str, bars: Sequence[_Bar], path: Sequence[int], start: int, end: int) -> Plot:
    """A row a node, in it a bar for each message that the node sends; the critical path from bar to bar."""
    nodes = sorted({bar.node for bar in bars})
    if len(nodes) > _MOST_NODES or len(bars) > _MOST_MESSAGES:
        raise ArgumentError(f"there are {len(bars)} messages of {len(nodes)} nodes, but a drawing has at most "
                            f"{_MOST_MESSAGES} messages of {_MOST_NODES} nodes")
    lanes, scale = _lanes(bars), _WIDE / max(end - start, 1)
    tall = {node: 1 for node in nodes}
    for bar, lane in zip(bars, lanes):
        tall[bar.node] = max(tall[bar.node], lane + 1)
    top, y = {}, float(_TOP)
    for node in nodes:
        top[node] = y
        y += tall[node] * _LANE + _GAP
    place = {bar.number: (bar, top[bar.node] + lane * _LANE) for bar, lane in zip(bars, lanes)}
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDE + 30} {y + 40:g}" '
             f'width="{_LEFT + _WIDE + 30}" height="{y + 40:g}" font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{_LEFT}" y="24" font-size="15">{html.escape(title)}</text>', *_key()]
    for node in nodes:
        parts.append(f'<text x="{_LEFT - 8}" y="{top[node] + _LANE}" text-anchor="end">{node}</text>')
    for bar, at in place.values():
        tip = (f"message {bar.number}: ready {bar.ready}, injected {bar.injected}, delivered {bar.delivered}")
        parts.append(f"<g><title>{tip}</title>{''.join(_pieces(bar, at, scale, start))}</g>")
    steps = [(bar, at) for bar, at in (place[number] for number in path)]
    line = "".join(f"{'L' if i else 'M'}{_LEFT + (bar.begin - start) * scale:.2f},{at + _LANE / 2 - 1:g}"
                   f"H{_LEFT + (until - start) * scale:.2f}"
                   for i, ((bar, at), until) in enumerate(zip(steps, [*(bar.begin for bar, _ in steps[1:]), end])))
    if line:
        parts.append(f'<path d="{line}" class="critical" fill="none" stroke="{_CRITICAL}" stroke-width="2"/>')
    parts.append(f'<text x="{_LEFT}" y="{y + 22:g}">cycle {start}</text><text x="{_LEFT + _WIDE}" y="{y + 22:g}" '
                 f'text-anchor="end">cycle {end}</text>')
    return Plot("\n".join([*parts, "</svg>"]) + "\n")

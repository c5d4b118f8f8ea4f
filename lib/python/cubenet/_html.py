"""Tables for notebooks."""

from __future__ import annotations

import html
from typing import Iterable


def _table_of(title: str, rows: Iterable[Iterable[object]]) -> str:
    """A table in HTML: each row is a name and what belongs to it."""
    cells = ("".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><caption>{html.escape(title)}</caption><tbody>{body}</tbody></table>"

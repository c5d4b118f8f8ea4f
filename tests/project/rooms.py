"""The rooms of the library and what they include, read from the tree; and their picture.

    python3 tests/project/rooms.py        prints the picture as DOT
    python3 tests/project/rooms.py write  writes docs/rooms.dot, and docs/rooms.svg where there is dot
"""

import re
import shutil
import subprocess
import sys

import tree

# Lowest first. A file includes from its own room and from the rows above it; rooms of one row do
# not know each other.
ROWS = [["base"], ["topology"], ["routing"], ["scenario"], ["queueing", "simulation"], ["systems"],
        ["study"]]
ROW = {room: row for row, rooms in enumerate(ROWS) for room in rooms}
INCLUDE = re.compile(r"^\s*#\s*include\s*(\S+)", re.MULTILINE)
DOT = tree.ROOT / "docs" / "rooms.dot"
SVG = tree.ROOT / "docs" / "rooms.svg"


def includes(path):
    return INCLUDE.findall(tree.without_comments(path.read_text()))


def public_rooms():
    """The room of each public header, by its path below cubenet/: cubenet.h lists them in groups, each under its room's name."""
    rooms, room = {}, None
    for line in (tree.ROOT / "include" / "cubenet.h").read_text().splitlines():
        heading = re.fullmatch(r"/\* (\w+)\b.*", line)
        if heading:
            room = heading.group(1)
        header = re.fullmatch(r'#include "cubenet/([\w/]+\.h)"', line)
        if header:
            rooms[header.group(1)] = room
    return rooms


def folder(path):
    """("topology", "families") of lib/topology/families/ring.c; the second is "" in the room itself."""
    parts = path.relative_to(tree.ROOT / "lib").parts
    return (parts[0], parts[1] if len(parts) == 3 else "")


def arrows():
    """Which folder includes a header of which other one: pairs, and the files that do it."""
    found = {}
    for path in tree.files("lib"):
        for include in includes(path):
            target = tree.ROOT / "lib" / include.strip('"')
            if include.startswith('"') and target.is_file() and folder(target) != folder(path):
                found.setdefault((folder(path), folder(target)), []).append(tree.name(path))
    return found


def room_arrows():
    """Which room includes from which, without those that follow from the others."""
    direct = {(source[0], target[0]) for source, target in arrows() if source[0] != target[0]}

    def reach(room, goal):
        return any(low == goal or reach(low, goal) for high, low in direct if high == room)

    return sorted((high, low) for high, low in direct
                  if not any(h == high and l != low and reach(l, low) for h, l in direct))


def dot():
    """Rooms and their folders: thin arrows within a room, thick ones from room to room."""
    folders = sorted({folder(path) for path in tree.files("lib")})
    lines = ["// Made by: python3 tests/project/rooms.py write",
             "digraph rooms {", "  rankdir=TB; compound=true; nodesep=0.15; ranksep=0.3;",
             '  graph [fontname="sans-serif"];',
             '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif"];']
    within = [pair for pair in sorted(arrows()) if pair[0][0] == pair[1][0]]
    for room in ROW:
        lines += [f"  subgraph cluster_{room} {{",
                  f'    label="{room}"; labeljust=l; style="rounded,filled"; fillcolor="#e6eef6";']
        for name in (name for room_of, name in folders if room_of == room):
            lines.append(f'    "{room}/{name}" [label="{name or "."}"];')
        lines += [f'    "{"/".join(source)}" -> "{"/".join(target)}";'
                  for source, target in within if source[0] == room]
        lines.append("  }")
    for high, low in room_arrows():
        tail = next(f for f in folders if f[0] == high and f not in [source for source, _ in within])
        head = next(f for f in folders if f[0] == low and f not in [target for _, target in within])
        lines.append(f'  "{"/".join(tail)}" -> "{"/".join(head)}" '
                     f"[ltail=cluster_{high}, lhead=cluster_{low}, penwidth=3];")
    return "\n".join(lines + ["}", ""])


def write():
    DOT.write_text(dot())
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg", "-o", SVG, DOT], check=True)


if __name__ == "__main__":
    write() if sys.argv[1:] == ["write"] else print(dot(), end="")

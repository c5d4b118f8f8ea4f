"""The rooms of the library depend on each other in one direction only, as read from #include, and so do
the folders of a room; the picture of it in docs/ is the tree's."""

import re

import rooms
import tree

PUBLIC_ROOM = rooms.public_rooms()


def room_of(path):
    if path.is_relative_to(tree.PUBLIC):
        return PUBLIC_ROOM.get(path.relative_to(tree.PUBLIC).as_posix())
    return rooms.folder(path)[0]


def may_know(room, other):
    return room == other or rooms.ROW[other] < rooms.ROW[room]


def check_file(path):
    room = room_of(path)
    if room not in rooms.ROW:
        yield "is in no room"
        return
    for include in rooms.includes(path):
        if include.startswith("<"):
            if "cubenet" in include:
                yield f"includes {include}: our own headers go in quotes"
            continue
        name = include.strip('"')
        if path.is_relative_to(tree.PUBLIC):
            target = (path.parent / name).resolve()
        else:
            target = tree.ROOT / ("include" if name.startswith("cubenet/") else "lib") / name
        if not target.is_file():
            yield f"includes {include}, which is no path from lib/ or include/"
        elif path.parent == tree.PUBLIC and target.parent == tree.EXPERIMENTAL:
            yield f"includes {include}: what stays must not know what may change"
        elif not may_know(room, room_of(target)):
            yield f"includes {include}: {room} must not know {room_of(target)}"


def check_circles():
    """The folders of a room form no cycle."""
    pairs = {(source, target) for source, target in rooms.arrows() if source[0] == target[0]}
    left = {folder for pair in pairs for folder in pair}
    while left:
        free = {folder for folder in left
                if not any(source == folder and target in left for source, target in pairs)}
        if not free:
            yield f"folders that include each other in a cycle: {sorted('/'.join(f) for f in left)}"
            return
        left -= free


def check_families():
    """Outside topology nobody asks of which family a network is, but for the property that it needs."""
    header = (tree.ROOT / "lib" / "topology" / "topology.h").read_text()
    values = re.search(r"typedef enum cni_family \{(.*?)\} cni_family;", header, re.S).group(1)
    names = re.findall(r"\bCNI_[A-Z_]+", re.sub(r"/\*.*?\*/", "", values, flags=re.S))
    asked = re.compile(r"(?:->|\.)family\b|\b(?:" + "|".join(["cni_family", *names]) + r")\b")
    for path in tree.files("lib"):
        if rooms.folder(path)[0] == "topology":
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if asked.search(line):
                yield (f"{tree.name(path)}:{number} asks for the family of a network; "
                       "lib/topology/topology.h has its properties")


def check_umbrella():
    path = tree.ROOT / "include" / "cubenet.h"
    core, experimental = path.read_text().split("#ifdef CN_EXPERIMENTAL\n")
    for text, folder in (core, tree.PUBLIC), (experimental, tree.EXPERIMENTAL):
        wanted = sorted(f'"{header.relative_to(path.parent).as_posix()}"' for header in folder.glob("*.h"))
        if sorted(rooms.INCLUDE.findall(tree.without_comments(text))) != wanted:
            where = "behind" if text == experimental else "before"
            yield f"{tree.name(path)} must include, {where} CN_EXPERIMENTAL, exactly {', '.join(wanted)}"


def check_picture():
    advice = "run python3 tests/project/rooms.py write"
    if not rooms.DOT.is_file() or rooms.DOT.read_text() != rooms.dot():
        yield f"{tree.name(rooms.DOT)} is not the tree's: {advice}"
    drawn = set(re.findall(r"<title>(.*?)</title>", rooms.SVG.read_text()))
    quoted = {arrow.replace('"', "").replace(" ", "").replace("->", "&#45;&gt;")
              for arrow in re.findall(r'"[^"]*" -> "[^"]*"', rooms.dot())}
    if not quoted <= drawn:
        yield f"{tree.name(rooms.SVG)} lacks {sorted(quoted - drawn)}: {advice}"


problems = [f"{tree.name(path)} {problem}"
            for path in [*tree.files("lib"), *tree.public_headers()[1:]]
            for problem in check_file(path)]
tree.finish(problems + [*check_circles(), *check_families(), *check_umbrella(), *check_picture()])

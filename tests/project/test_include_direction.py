"""The rooms of the library depend on each other in one direction only, as read from #include."""

import re

import tree

# What a file of each room may include: its own room and those named here.
BELOW = {
    "base": [],
    "topology": ["base"],
    "routing": ["base", "topology"],
    "scenario": ["base", "topology", "routing"],
    "queueing": ["base", "topology", "routing", "scenario"],
    "simulation": ["base", "topology", "routing", "scenario"],
    "systems": ["base", "topology", "routing", "scenario", "queueing", "simulation"],
}
# A public header belongs to the room of its name, but for these.
ROOM_OF_HEADER = {"collective": "scenario", "deadlock": "routing", "fault": "routing",
                  "hierarchy": "routing", "subnet": "routing",
                  "interchange": "topology", "measure": "topology", "necklace": "topology",
                  "study": "systems", "traffic": "scenario", "tree": "topology",
                  "wormhole": "routing"}
INCLUDE = re.compile(r"^\s*#\s*include\s*(\S+)", re.MULTILINE)


def header_room(name):
    stem = name.split(".")[0]
    return ROOM_OF_HEADER.get(stem, stem)


def includes(path):
    return INCLUDE.findall(tree.without_comments(path.read_text()))


def check_library_file(path):
    room = path.relative_to(tree.ROOT / "lib").parts[0]
    for include in includes(path):
        if include.startswith("<"):
            if "cubenet" in include:
                yield f"includes {include}: our own headers go in quotes"
            continue
        target = include.strip('"')
        parts = target.split("/")
        if len(parts) != 2:
            yield f"includes {include}, not \"room/file.h\" or \"cubenet/room.h\""
            continue
        public = parts[0] == "cubenet"
        wanted = header_room(parts[1]) if public else parts[0]
        if not (tree.ROOT / ("include" if public else "lib") / target).is_file():
            yield f"includes {include}, which does not exist"
        elif wanted != room and wanted not in BELOW[room]:
            yield f"includes {include}: {room} must not know {wanted}"


def check_public_header(path):
    room = header_room(path.name)
    for include in includes(path):
        if include.startswith("<"):
            if "cubenet" in include:
                yield f"includes {include}: our own headers go in quotes"
            continue
        wanted = header_room(include.strip('"'))
        if wanted != room and wanted not in BELOW[room]:
            yield f"includes {include}: {room} must not know {wanted}"


def check_umbrella(path):
    wanted = sorted(f'"cubenet/{header.name}"' for header in tree.PUBLIC.glob("*.h"))
    if sorted(includes(path)) != wanted:
        yield f"must include exactly {', '.join(wanted)}"


problems = []


def check(path, found):
    problems.extend(f"{tree.name(path)} {problem}" for problem in found)


for path in tree.files("lib"):
    room = path.relative_to(tree.ROOT / "lib").parts[0]
    if room in BELOW:
        check(path, check_library_file(path))
    else:
        problems.append(f"{tree.name(path)} is in no room")
for path in sorted(tree.PUBLIC.glob("*.h")):
    if header_room(path.name) in BELOW:
        check(path, check_public_header(path))
    else:
        problems.append(f"{tree.name(path)} belongs to no room")
check(tree.ROOT / "include" / "cubenet.h", check_umbrella(tree.ROOT / "include" / "cubenet.h"))
tree.finish(problems)

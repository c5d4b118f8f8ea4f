"""No internal name of lib/ stands for two things: each cni_ or CNI_ name is defined in one file, and none
is a public name with another prefix."""

import re

import tree

NAME = r"(?:cni|CNI)_\w+"
DEFINED = {
    "a macro": rf"^[ \t]*#[ \t]*define[ \t]+({NAME})",
    "a type": rf"^(?:\}}|typedef\b[^;{{}}]*?)[ \t*]*\b({NAME})(?:\[[^\]]*\])?;",
    "a type of function": rf"\btypedef\b[^;{{}}]*?\(\s*\*\s*({NAME})\s*\)",
    "a tag": rf"\b(?:struct|union|enum)\s+({NAME})\s*\{{",
    "a function": rf"^[A-Za-z][^;{{}}=#]*?\b({NAME})\([^;{{}}]*\)\s*\{{",
    "an object": rf"^(?!extern|typedef|return)[A-Za-z][^;{{}}=#()]*?\b({NAME})(?:\[[^\]]*\])*\s*=",
}
ENUM = re.compile(r"\benum\b\s*\w*\s*\{([^}]*)\}")


def definitions(text):
    """(name, what) of all that a text defines; what is under #if and #else counts once."""
    text = tree.without_comments(text)
    for what, pattern in DEFINED.items():
        for name in set(re.findall(pattern, text, re.MULTILINE)):
            yield name, what
    for body in ENUM.findall(text):
        for item in body.split(","):
            for name in re.findall(rf"^\s*({NAME})\b(?!\s*\()", item):
                yield name, "an enumerator"


where = {}
for path in tree.files("lib"):
    for name, what in definitions(path.read_text()):
        where.setdefault(name, set()).add((tree.name(path), what))

problems = []
if len(where) < 500:
    problems.append(f"only {len(where)} names were found in lib/")
for name, places in sorted(where.items()):
    kinds = {what for _, what in places}
    if "a macro" in kinds:  # an attribute stands before a function like its name
        places = {(file, what) for file, what in places if what != "a function"}
        kinds.discard("a function")
    # typedef struct cni_x cni_x is one thing, also when the struct is in another file
    if len(places) > len(kinds) or len(kinds) > 1 and kinds != {"a tag", "a type"}:
        problems.append(f"{name} is " + " and ".join(f"{what} in {file}" for file, what in sorted(places)))

public = set(re.findall(r"\b(?:cn|CN)_\w+", " ".join(
    tree.without_comments(path.read_text()) for path in tree.public_headers())))
problems += [f"{name} is the public {name[:2] + name[3:]} with another prefix"
             for name in sorted(where) if name[:2] + name[3:] in public]
tree.finish(problems)

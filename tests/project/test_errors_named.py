"""The comment of a public function names every status that the function can return, and what it costs.

What a function can return is read from its body and from the functions that it calls in the same file; a status that
comes from elsewhere is not seen. Where it is named: in the function's own comment, in the headings
above it, in the comment of the file, or in the comment of a function to which one of these refers ("as
cn_faults_dot()", "what cn_predict() returns"). CN_ERR_ARGUMENT and, of a function that makes an object,
CN_ERR_MEMORY need no word: base.h says so for all.

A cost is asked of what needs memory but makes no object: that is more than a look."""

import re

import tree

DECLARED = re.compile(r"^CN_API\s+(cn_status\s)?[^;(]*?\b(cn_\w+)\s*\(([^;]*)\);", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
REFERENCE = re.compile(r"\b(?:[Aa]s(?:\s(?:for|of|by))?|[Ww]hat|one|and|[Cc]ost of)\s(cn_\w+)\(\)")
STATUS = re.compile(r"(?<![=!]= )(?<!case )\b(CN_(?:ERR_\w+|DONE|REFUSED))\b")
FUNCTION = re.compile(r"^(?![#/}]|typedef\b)[\w \*\n]*?\b(\w+)\((?:[^;{}()]|\([^()]*\))*\)\n\{\n(.*?)^\}",
                      re.MULTILINE | re.DOTALL)
COST = re.compile(r"\bO\(|[Cc]ost|[Ll]imits of (?:a|the) search|predictions")
EVERYWHERE = {"CN_ERR_ARGUMENT", "CN_ERR_INTERNAL"}  # base.h

# Seen in the body, but never returned.
INSIDE_ONLY = {
    "cn_hierarchy_mean_hops": {"CN_ERR_OVERFLOW"},  # tables are made by another function of the file
    "cn_hierarchy_next_hops": {"CN_ERR_OVERFLOW", "CN_ERR_MEMORY"},
    "cn_hierarchy_table": {"CN_ERR_OVERFLOW", "CN_ERR_MEMORY"},
    "cn_subnet_copy": {"CN_ERR_UNSUPPORTED"},  # what is copied was supported
    "cn_faults_copy": {"CN_ERR_UNSUPPORTED"},
    "cn_faults_remove_link": {"CN_ERR_UNSUPPORTED"},
    "cn_topology_measure": {"CN_DONE"},  # a search's word for having reached its limit
    "cn_topology_bisection": {"CN_DONE"},
    "cn_topology_broadcast_schedule": {"CN_DONE"},
    "cn_sim_deadlock": {"CN_ERR_DEADLOCK"},
    "cn_sim_result": {"CN_ERR_DEADLOCK"},
}


class Function:
    def __init__(self, found, before):
        comments = list(COMMENT.finditer(before))
        own = comments[-1] if comments and not before[comments[-1].end():].strip() else None
        headings = []
        for comment in reversed(comments):
            if comment.group().startswith("/**"):
                continue
            headings.append(comment.group())
            if comment.group().startswith("/* ----"):
                break
        self.own = flat(own.group()) if own else ""
        self.words = " ".join([self.own, flat(comments[0].group())] + [flat(text) for text in headings])
        self.has_status = found.group(1) is not None
        self.makes_object = re.search(r"\bcn_\w+ \*\*\w+$|\bcn_\w+ \*\*subnet,", found.group(3)) is not None


def flat(comment):
    return re.sub(r"\s*\n\s*\*?\s*", " ", comment)


def public_functions():
    functions = {}
    for header in tree.public_headers():
        text = header.read_text()
        for found in DECLARED.finditer(text):
            functions[found.group(2)] = Function(found, text[:found.start()])
    return functions


def bodies():
    """Of every function that has external linkage or not, by file: {file: {name: body}}."""
    return {path: dict(FUNCTION.findall(tree.without_comments(path.read_text())))
            for path in tree.files("lib", suffixes=(".c",))}


def returned(name, file, seen):
    """The statuses in the body of a function and of what it calls in the same file."""
    if name in seen or name not in file:
        return set()
    seen.add(name)
    statuses = set(STATUS.findall(file[name]))
    for called in set(re.findall(r"\b([a-z]\w+)\b", file[name])):
        statuses |= returned(called, file, seen)
    return statuses


def named(name, functions, seen):
    if name in seen or name not in functions:
        return ""
    seen.add(name)
    words = functions[name].words
    return " ".join([words] + [named(other, functions, seen) for other in REFERENCE.findall(words)])


def problems():
    functions = public_functions()
    checked = 0
    for path, file in bodies().items():
        for name in file.keys() & functions.keys():
            function = functions[name]
            if not function.has_status:
                continue
            checked += 1
            words = named(name, functions, set())
            silent = EVERYWHERE | INSIDE_ONLY.get(name, set())
            if function.makes_object:
                silent = silent | {"CN_ERR_MEMORY"}
            for status in sorted(returned(name, file, set()) - silent):
                if not re.search(rf"\b{status}\b", words):
                    yield f"{name} can return {status} ({tree.name(path)}), which its comment does not name"
            if "CN_ERR_MEMORY" in words and not function.makes_object and not COST.search(words):
                yield f"{name} names no cost"
    if checked < 200:
        yield f"only {checked} functions were found"
    for name in INSIDE_ONLY.keys() - functions.keys():
        yield f"{name} is no function: take it out of the list of this test"


tree.finish(list(problems()))

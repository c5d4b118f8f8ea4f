"""The comment of a public function names every status that the function can return, and what it costs.

What a function can return is read from its body and from those of all functions and macros that it calls by name; what comes
through a pointer to a function is not seen. Where it is named: in the function's own comment, in the headings
above it, in the comment of the file, or in the comment of a function to which one of these refers ("as
cn_faults_draw()", "what cn_predict() returns"). CN_ERR_ARGUMENT, CN_ERR_CANCELLED and, of a function that makes an object,
CN_ERR_MEMORY need no word: base.h says so for all.

A cost is asked of what needs memory but makes no object: that is more than a look."""

import re

import tree

DECLARED = re.compile(r"^CN_API\s+(cn_status\s)?[^;(]*?\b(cn_\w+)\s*\(([^;]*)\);", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
REFERENCE = re.compile(r"\b(?:[Aa]s(?:\s(?:for|of|by))?|[Ww]hat|and|[Cc]ost of)\s(cn_\w+)\(\)(?! uses| would)")
STATUS = re.compile(r"(?<![=!]= )(?<!case )\b(CN_(?:ERR_\w+|DONE|REFUSED))\b")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
FUNCTION = re.compile(r"^(?![#/}]|typedef\b)[\w \*\n]*?\b(\w+)\((?:[^;{}()]|\([^()]*\))*\)\n\{\n(.*?)^\}",
                      re.MULTILINE | re.DOTALL)
MACRO = re.compile(r"^#define (CNI_\w+)\([^()]*\)((?:.*\\\n)*.*)", re.MULTILINE)
MADE = re.compile(r"^(CNI_\w+)\([^()]*?\b(cn_\w+)[^()]*\);", re.MULTILINE)  # a function by a macro
COST = re.compile(r"\bO\(|[Cc]ost|[Ll]imits of (?:a|the) search|predictions")
EVERYWHERE = {"CN_ERR_ARGUMENT", "CN_ERR_CANCELLED", "CN_ERR_INTERNAL"}  # base.h

# Seen, but never returned: (reason, status, functions).
INSIDE_ONLY = [
    ("the object that is given could not have been made else", "CN_ERR_UNSUPPORTED",
     "cn_faults_copy cn_subnet_copy cn_faults_stretch_counts cn_hierarchy_update"),
    ("the study refused it when it was set", "CN_ERR_UNSUPPORTED", "cn_study_pattern"),
    ("every model has the metrics that are asked for", "CN_ERR_NOT_FOUND",
     "cn_predict_shape"),
    ("a search's word for a limit that is reached: it gives the bounds found by then", "CN_DONE",
     "cn_topology_measure cn_topology_bisection cn_topology_broadcast_schedule"),
    ("a search's word for a limit that is reached: it becomes CN_ERR_CANCELLED", "CN_DONE",
     "cn_topology_diameter cn_topology_mean_distance cn_topology_distance cn_topology_distances"
     " cn_topology_distance_counts cn_tree_from_parents cn_tree_breadth_first cn_chordal_ring_best_chord"
     " cn_faults_mean_distance cn_traffic_mean_distance"),
    ("a search's word for a limit, and there is none", "CN_DONE",
     "cn_traffic_locality cn_traffic_geometric_locality cn_topology_layout cn_topology_write"
     " cn_tree_draw cn_faults_draw cn_subnet_draw cn_hierarchy_draw"
     " cn_simulate cn_simulate_shard cn_simulated_saturation_load cn_sim_result cn_result_merge"),
    ("of a deadlock that ended a simulation it is only remembered", "CN_ERR_DEADLOCK",
     "cn_sim_restore cn_sim_copy"),
    ("the name was checked when it was set", "CN_ERR_NOT_FOUND",
     "cn_simulate cn_simulate_shard cn_simulated_saturation_load"),
    ("the simulation inside has not ended, and has measured something", "CN_ERR_STATE",
     "cn_simulate cn_simulate_shard cn_simulated_saturation_load"),
    ("the parents were checked before", "CN_ERR_DISCONNECTED", "cn_tree_from_parents"),
    ("the mean is that of the pairs that are joined", "CN_ERR_DISCONNECTED", "cn_faults_mean_distance"),
]


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


class Library:
    """The bodies of all functions, those with internal linkage by their file, and of the macros of all headers."""

    def __init__(self):
        self.files = {}
        for path in tree.files("lib", suffixes=(".c",)):
            text = STRING.sub('""', tree.without_comments(path.read_text()))
            self.files[path] = dict(FUNCTION.findall(text))
            self.files[path].update((name, f"{macro}(") for macro, name in MADE.findall(text))
        for path in tree.files("lib", suffixes=(".h",)):
            self.files[path] = dict(MACRO.findall(tree.without_comments(path.read_text())))
        self.home = {name: path for path, file in self.files.items() for name in file
                     if name.startswith(("cn", "CNI_"))}

    def returned(self, name, path, seen):
        """The statuses in the body of a function and in what it calls."""
        if name not in self.files[path]:
            path = self.home.get(name)
        if path is None or (name, path) in seen:
            return set()
        seen.add((name, path))
        body = self.files[path][name]
        statuses = set(STATUS.findall(body))
        for called in set(re.findall(r"\b([a-z]\w+|CNI_\w+)\(", body)):
            statuses |= self.returned(called, path, seen)
        return statuses


def named(name, functions, seen):
    if name in seen or name not in functions:
        return ""
    seen.add(name)
    words = functions[name].words
    return " ".join([words] + [named(other, functions, seen) for other in REFERENCE.findall(words)])


def problems():
    functions, library = public_functions(), Library()
    inside = {(name, status) for _, status, names in INSIDE_ONLY for name in names.split()}
    checked = 0
    for name, function in functions.items():
        if name.endswith("_from_name") and "CN_ERR_NOT_FOUND" not in function.own:
            yield f"{name} does not name CN_ERR_NOT_FOUND"  # most bodies come from one macro
        if not function.has_status or name not in library.home:
            continue
        checked += 1
        words = named(name, functions, set())
        found = library.returned(name, library.home[name], set())
        for status in sorted(found - EVERYWHERE):
            by_default = status == "CN_ERR_MEMORY" and function.makes_object
            if re.search(rf"\b{status}\b", words) or by_default:
                continue
            if (name, status) in inside:
                inside.remove((name, status))
            else:
                yield f"{name} can return {status}, which its comment does not name"
        if "CN_ERR_CAPACITY" in function.own and "CN_ERR_CAPACITY" not in found:
            yield f"{name} never returns CN_ERR_CAPACITY, which its comment names"
        if "CN_ERR_MEMORY" in words and not function.makes_object and not COST.search(words):
            yield f"{name} names no cost"
    if checked < 200:
        yield f"only {checked} functions were found"
    for name, status in sorted(inside):
        yield f"{name} and {status}: take it out of the list of this test"


tree.finish(list(problems()))

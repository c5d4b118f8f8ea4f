"""What is experimental says so: the comment at the top of each header of include/cubenet/experimental, and the docstring of
each class or public function of the Python package that calls such a function."""

import ast
import re

import tree

SENTENCE = "Experimental: any version may change or remove what this header declares."
NAMES = set(tree.exported("experimental"))


def calls(node):
    """The experimental functions that are named below a node as attributes of _c."""
    return {part.attr for part in ast.walk(node)
            if isinstance(part, ast.Attribute) and part.attr in NAMES
            and isinstance(part.value, ast.Name) and part.value.id == "_c"}


def says_so(node):
    return re.search(r"\bexperimental\b", ast.get_docstring(node) or "", re.IGNORECASE) is not None


def unmarked(path, nodes, owner=""):
    for node in nodes:
        if isinstance(node, ast.ClassDef) and not says_so(node):
            yield from unmarked(path, node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and calls(node) and not says_so(node):
            yield (f"{tree.name(path)}:{node.lineno}: {owner}{node.name} calls {', '.join(sorted(calls(node)))}, but its "
                   "docstring does not say that it is experimental")


problems = [f"{tree.name(header)} does not say: {SENTENCE}" for header in tree.experimental_headers()
            if SENTENCE not in re.sub(r"\s*\n \* ?", " ", header.read_text())]
sources = list(tree.files("lib/python/cubenet", suffixes=(".py",)))
used = set()
for source in sources:
    module = ast.parse(source.read_text())
    used |= calls(module)
    problems += unmarked(source, module.body)
if len(used) < 20:
    problems.append(f"only {len(used)} experimental functions are called from Python")
tree.finish(problems)

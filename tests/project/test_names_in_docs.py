"""What README and docs/ name is there: identifiers of C, files and folders, attributes in Python.

Words in capitals (NAME, KIND) stand for any, and so do a star and dots at the end of a name.

- cn_*, CN_*: code of include/ or lib/; cni_*, CNI_*: the same. Comments do not count. The changelog may name what is
  gone, in an entry that says so.
- Files: the end of the path of a file of the tree, or what a build file or a script of the tree writes. Data in a command may be
  the reader's, and what a C program includes somebody else's.
- A word in code quotes in the page on the source (architecture.md): code of the tree.
- `Class.name`, `variable.name`, `cubenet.name`: an attribute in the Python package. With brackets it is called; without brackets
  it is a property where a variable stands before it.
"""

import ast
import fnmatch
import re

import tree

PAGES = [*sorted(tree.ROOT.glob("*.md")), *tree.files("docs", suffixes=(".md",))]
FOLDERS = ("lib", "include", "tests", "bench", "docs", "pkgconfig", ".ci")
CODE = r"c|h|hpp|cpp|py|sh|md"
DATA = r"svg|dot|txt|json|csv|pc|whl|html|build|typed|sbatch"
PLACEHOLDER = re.compile(r"(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])")
IDENTIFIER = re.compile(r"(?<![\w/-])(cn|cni|CN|CNI)_(\w+)(\*|\.\.\.)?")
FOLDER = re.compile(r"`((?:lib|include|tests|bench|docs|pkgconfig)/[\w./*+-]*)`")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
FILE = re.compile(rf"(?<![\w./*:@{{}}$-])(/?(?:[\w.*-]+/)*[\w*][\w.*-]*\.(?:{CODE}|{DATA}))(?![\w/({{}}])")
ATTRIBUTE = re.compile(r"`([A-Za-z]\w*)\.(\w+)(\(?)[^`]*`")
WORD = re.compile(r"`([A-Za-z_]\w*)(?:\(\))?`")
ON_THE_SOURCE = ("architecture.md",)
OF_THE_PAST = re.compile(r"\b(?:replaces?|new name|renamed|removed|gone|no longer)\b")


class Names:
    """Of one kind; a pattern stands for at least one of them."""

    def __init__(self, names):
        self.exact = set(names)

    def have(self, pattern):
        return pattern in self.exact or "*" in pattern and bool(fnmatch.filter(self.exact, pattern))


def identifiers():
    return Names(word for path in tree.files("include", "lib", suffixes=(".c", ".h", ".hpp"))
                 for word in re.findall(r"\w+", tree.without_comments(path.read_text())))


def words_of_code():
    return {word for path in tree.files(*FOLDERS, suffixes=(".c", ".h", ".hpp", ".py", ".build", ".in"))
            for word in re.findall(r"\w+", path.read_text() if path.suffix in (".py", ".build", ".in")
                                   else tree.without_comments(path.read_text()))}


def ends_of_paths():
    """base.h, base/base.h, lib/base/base.h, ...; and the names of what is made, in any folder."""
    ends = set()
    for folder in (*FOLDERS, ""):
        for path in (tree.ROOT / folder).glob("**/*" if folder else "*"):
            parts = tree.name(path).split("/")
            ends.update("/".join(parts[i:]) for i in range(len(parts)))
    return Names(ends)


def made():
    """What build files and scripts write: @0@ and {version} stand for any."""
    literal = re.compile(rf"[\"']([\w@{{}}.-]+\.(?:{CODE}|{DATA}))[\"']")
    scripts = [*tree.ROOT.glob("*.build"), *tree.files("lib", "docs", "pkgconfig", suffixes=(".build", ".py"))]
    return [re.sub(r"@\w+@|\{\w+\}", "*", name) for path in scripts for name in literal.findall(path.read_text())]


def python_names():
    """{class: (what is called, what is not)} of the package, with what classes inherit; "cubenet" is the module."""
    classes, bases = {"cubenet": (set(), set())}, {}
    for path in tree.files("lib/python/cubenet", suffixes=(".py",)):
        if not path.name.startswith("_"):
            classes["cubenet"][1].add(path.stem)
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                classes["cubenet"][0].add(node.name)
            if not isinstance(node, ast.ClassDef):
                continue
            classes["cubenet"][0].add(node.name)
            called, read = classes.setdefault(node.name, (set(), set()))
            bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
            for part in ast.walk(node):
                if isinstance(part, ast.FunctionDef):
                    words = " ".join(map(ast.dump, part.decorator_list))
                    (read if "property" in words else called).add(part.name)
                elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    read.add(part.target.id)
                elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                    read.add(part.attr)
    for name in classes:
        waiting = list(bases.get(name, ()))
        while waiting:
            base = waiting.pop()
            waiting += bases.get(base, ())
            for mine, inherited in zip(classes[name], classes.get(base, ((), ()))):
                mine.update(inherited)
    return classes


def no_identifier(page, text):
    for found in IDENTIFIER.finditer(text):
        prefix, rest, more = found.groups()
        pattern = prefix + "_" + (rest if prefix.isupper() else PLACEHOLDER.sub("*", rest)) + ("*" if more else "")
        if prefix.isupper() and rest.endswith("_"):
            pattern = pattern.rstrip("*") + "*"
        if identifiers_there.have(pattern):
            continue
        entry = text[text.rfind("\n- ", 0, found.start()) + 1:].split("\n- ")[0]
        if page.name != "changelog.md" or not OF_THE_PAST.search(entry):
            yield found


def no_word(page, text):
    if page.name in ON_THE_SOURCE:
        yield from (found for found in WORD.finditer(text)
                    if found[1] not in words_there and not re.match("cni?_", found[1]))  # those are asked for above


def no_file(page, text):
    for base, pattern in ((tree.ROOT, FOLDER), (page.parent, LINK)):
        for found in pattern.finditer(text):
            path = PLACEHOLDER.sub("*", found[1]).rstrip("/")
            if not (any(base.glob(path)) if "*" in path else (base / path).exists()):
                yield found
    for found in FILE.finditer(text):
        before, after = text[:found.start()], text[found.end():]
        is_whole = before.endswith("`") and after.startswith("`")
        is_of_others = re.search(r"#include <$", before) and not found[1].startswith("cubenet")
        is_data = re.search(rf"\.(?:{DATA})$", found[1])
        if re.search(r"\w+://\S*$", before) or is_of_others or is_data and not is_whole and "/" not in found[1]:
            continue
        path = PLACEHOLDER.sub("*", found[1])
        end = path.split("/")[-1]
        if not files_there.have(re.sub(r"^(?:\.\./)+", "", path)) and not any(fnmatch.fnmatch(end, name) for name in files_made):
            yield found


def no_attribute(_, text):
    for found in ATTRIBUTE.finditer(text):
        owner, name, bracket = found.groups()
        is_of_others = name[0].isupper() and owner != "cubenet"  # a class of another module
        if re.fullmatch(rf"{CODE}|{DATA}", name) or owner.startswith("cn_") or is_of_others:
            continue
        is_ours = owner[0].isupper() and not owner.isupper() or owner == "cubenet"
        called, read = zip(*(python.get(one, ((), ())) for one in ([owner] if is_ours else python)))
        may_be = called if bracket else (*called, *read) if is_ours else read
        if not any(name in names for names in may_be):
            yield found


identifiers_there, words_there, files_there = identifiers(), words_of_code(), ends_of_paths()
files_made, python = made(), python_names()
problems, seen = [], 0
for page in PAGES:
    content = page.read_text()
    seen += sum(1 for pattern in (IDENTIFIER, FILE, ATTRIBUTE) for _ in pattern.finditer(content))
    for check in (no_identifier, no_word, no_file, no_attribute):
        for missing in check(page, content):
            line = content.count("\n", 0, missing.start()) + 1
            problems.append(f"{tree.name(page)}:{line}: there is no {missing[0].strip('`')}")
if seen < 1000:
    problems.append(f"only {seen} names were found in the documentation")
tree.finish(problems)

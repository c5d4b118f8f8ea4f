"""The pages of the manual keep to their form: no more words than their limit, lines of at most 110 columns (but for tables and what
is printed), at first the question that the page answers, and soon an example.

A page that is new gets a row in LIMITS.
"""

import re

import tree

WIDEST, ALL_WORDS, EXAMPLE_BEFORE = 110, 45000, 45
# words of each page; a reference has no example at its beginning
LIMITS = {"start": 1400, "concepts": 1400, "topologies": 2400, "trees": 1700, "routing": 2600, "faults": 2600,
          "traffic": 1300, "hosts": 1850, "embedding": 1600, "python": 1900, "models": 2700,
          "simulation": 5600, "collective": 4400, "scale": 1850}
REFERENCES = {"reference/terms": 1150, "reference/formats": 1550, "reference/routings": 1700}
# only the lines of these are asked
OTHERS = tuple(f"{folder}/{path.stem}" for folder in ("lab", "theory")
               for path in sorted((tree.ROOT / "docs" / folder).glob("*.md")))
EXAMPLE = re.compile(r"^(```(python|c)$|    >>> |    sh )", re.MULTILINE)


def page(name):
    return (tree.ROOT / "docs" / f"{name}.md").read_text()


def prose(text):
    """(number, line) outside of blocks of code and tables."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if not fenced and not line.startswith(("|", "    ", "```")):
            yield number, line


def check_form(name, limit):
    text = page(name)
    words = len(text.split())
    if words > limit:
        yield f"docs/{name}.md has {words} words; {limit} at most"
    if "?" not in text.split("\n\n")[1]:
        yield f"docs/{name}.md does not begin with the question that it answers"
    beginning = "\n".join(text.splitlines()[:EXAMPLE_BEFORE])
    if name in LIMITS and not EXAMPLE.search(beginning):
        yield f"docs/{name}.md has no example in its first {EXAMPLE_BEFORE} lines"


def check_lines(name, text):
    for number, line in prose(text):
        if len(line) > WIDEST:
            yield f"{name}:{number}: {len(line)} columns; {WIDEST} at most"


GUIDES = 14

limits = {**LIMITS, **REFERENCES}
problems = [problem for name, limit in limits.items() for problem in check_form(name, limit)]
for name in (*limits, *OTHERS):
    problems += check_lines(f"docs/{name}.md", page(name))
problems += check_lines("README.md", (tree.ROOT / "README.md").read_text())
project = {"architecture", "changelog", "errata", "machines", "papers", "quality", "stability"}
guides = {path.stem for path in (tree.ROOT / "docs").glob("*.md")} - project
if guides != set(LIMITS) or len(guides) > GUIDES:
    problems.append(f"the guides are {sorted(guides)}; those with limits are {sorted(LIMITS)}, {GUIDES} at most")
if sum(len(page(name).split()) for name in limits) > ALL_WORDS:
    problems.append(f"the manual has more than {ALL_WORDS} words")
tree.finish(problems)

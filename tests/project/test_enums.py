"""Every enumerator of the public headers has a number written in its enum, and a row with that number in
test_pinned_numbers.c; every row is that of an enumerator."""

import re

import tree

PINNED = tree.ROOT / "tests" / "project" / "test_pinned_numbers.c"
ENUM = re.compile(r"\benum\b\s*(\w*)\s*\{(.*?)\}", re.DOTALL)
ENUMERATOR = re.compile(r"(\w+)\s*=\s*(-?\d+)")
ROW = re.compile(r"\{(CN_\w+), (-?\d+),")


def enumerators():
    """Place, enumerator, number; the number is None where the header writes none."""
    for header in tree.public_headers():
        for name, body in ENUM.findall(tree.without_comments(header.read_text())):
            for text in filter(None, map(str.strip, body.split(","))):
                found = ENUMERATOR.fullmatch(text)
                yield (f"{tree.name(header)}: {name or 'an enum without a name'}",
                       *(found.groups() if found else (text, None)))


problems = []
rows = dict(ROW.findall(tree.without_comments(PINNED.read_text())))
declared = {}
for place, enumerator, number in enumerators():
    declared[enumerator] = number
    if number is None:
        problems.append(f"{place}: {enumerator} has no number of its own: write {enumerator} = NUMBER")
    elif enumerator not in rows:
        problems.append(f"{place}: add the row {{{enumerator}, {number}, \"its name\"}}, (NULL where the enum "
                        f"has no names) to its table in {tree.name(PINNED)}")
    elif rows[enumerator] != number:
        problems.append(f"{place}: {enumerator} = {number}, but it was {rows[enumerator]}, and numbers never "
                        "change")
problems += [f"{tree.name(PINNED)}: {enumerator} is in no enum of a public header"
             for enumerator in rows if enumerator not in declared]
if not declared:
    problems.append("no enum was found in the public headers")
tree.finish(problems)

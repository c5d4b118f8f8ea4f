"""Claims of accuracy in the pages: what they are, where they stand, and by what they are held.

As a program: every claim against reproduced.csv, and nothing that sounds like a claim is left out.

The claims of a page are in pages/PAGE.txt: blocks with an empty line between them, # begins a comment. A block is a piece of
the page, with {} for each number that is compared, and indented lines. Spaces of the piece match line breaks of the page. The
indented lines are either

    one line a number: the lines of `reproduce --csv` that it is the greatest of (names as for a shell, {a,b} allowed; the
    last part left out where it is worst_relative_difference; "least" before them for the least one), or "rows of ID: EXPRESSION",
    Python over the rows r of rows/ID.csv, or

    one line "proved by FILE: TEXT": a test holds the claim, and TEXT is the place in it, where the tolerance stands, or

    one line "quoted from ...": a paper says so, and the page judges it.

What reads like a claim of accuracy ("within 3 %", "5 % too low", "off by at most 8 %") must be part of a block.

Numbers of unit 1 are in per cent in the page, others as they are. A number agrees when what is printed, rounded to the digits
of the page, is the number; with {<} it is a bound: what is printed is at most the number, and more than half of it.
"""

import csv
import fnmatch
import pathlib
import re
import sys
import types
import typing

from tables import check_tables, rows_of

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGES = HERE / "pages"
FULL = HERE / "reproduced.csv"  # what full runs printed
NUMBER = r"[-+]?\d+(?:\.\d+)?"
NUMBERS = rf"{NUMBER}(?:(?:,|\s+and|\s+to|\s+or)?\s+{NUMBER})*\s+%"
SOUNDS_LIKE_A_CLAIM = re.compile(
    rf"(?:within|off\s+by|differs?\s+by|(?:und|ov)er(?:estimates?|rates?)\s+\w+\s+by)\s+"
    rf"(?:(?:about|at\s+most|up\s+to)\s+)*{NUMBERS}"
    rf"|{NUMBERS}\s+(?:\w+\s+)?(?:off|low|high|too\s+\w+)\b"
    rf"|\b(?:errors?|rms|root\s+mean\s+square)\b[^.|]{{0,40}}?{NUMBERS}")
# It waits for a full run of ziavras99-agreement.
NOT_YET = ["README.md"]


class Claim(typing.NamedTuple):
    page: str
    text: str
    held_by: list  # of lines

    @property
    def proof(self):
        """(file, text) of the test that holds it; None where reproduce does."""
        found = re.fullmatch(r"proved by (\S+): (.+)", self.held_by[0])
        return found and found.groups()

    @property
    def is_quoted(self):
        return self.held_by[0].startswith("quoted from ")

    @property
    def bounds(self):
        return [slot == "{<}" for slot in re.findall(r"\{<?\}", self.text)]

    def find(self, content):
        """All places in the page."""
        pattern = re.sub(r"\\\{<?\\\}", lambda _: f"({NUMBER})", re.escape(self.text))
        return list(re.finditer(re.sub(r"(\\ )+", lambda _: r"\\s+(?:[*#] )?", pattern).replace(r"\\s", r"\s"), content))


def read_claims(page):
    path = PAGES / (page + ".txt")
    if not path.exists():
        return
    for block in re.split(r"\n\s*\n", path.read_text()):
        lines = [line for line in block.splitlines() if line.strip() and not line.startswith("#")]
        text = " ".join(line.strip() for line in lines if not line.startswith(" "))
        held_by = [line.strip() for line in lines if line.startswith(" ")]
        if text or held_by:
            yield Claim(page, text, held_by)


def all_claims():
    for path in sorted(PAGES.rglob("*.txt")):
        yield from read_claims(str(path.relative_to(PAGES))[:-len(".txt")])


def expanded(pattern):
    """With the alternatives of {a,b}."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    return [one for part in found[1].split(",")
            for one in expanded(pattern[:found.start()] + part + pattern[found.end():])]


def matching(lines, pattern):
    """The lines (value, unit) that the pattern names, whole or without worst_relative_difference."""
    for one in expanded(pattern):
        names = [one + "/worst_relative_difference", *[one] * ("*" not in one.split("/")[-1])]
        yield from (line for name, line in lines.items() if any(fnmatch.fnmatchcase(name, n) for n in names))


def value_of(lines, held_by):
    """The number for the page; None where no line matches."""
    if found := re.fullmatch(r"rows of (\S+): (.+)", held_by):
        rows = [types.SimpleNamespace(**row) for row in rows_of(found[1])]
        return eval(found[2], {"rows": rows})  # of a file of ours
    words = held_by.split()
    choose = min if words[0] == "least" else max
    values = [value * (100 if unit == "1" else 1)
              for pattern in words[words[0] == "least":] for value, unit in matching(lines, pattern)]
    return choose(values, default=None)


def rounded(value, number):
    """With as many digits as the number has, and a sign where it has one; nothing is +0, not -0."""
    sign, digits = "+" if number[0] in "+-" else "", len(number.partition(".")[2])
    return f"{round(value, digits) + 0.0:{sign}.{digits}f}"


def agrees(value, number, is_bound):
    if is_bound:
        return 0.5 * float(number) < value <= float(number)
    return rounded(value, number) == number


def summary(text):
    """{name: (value, unit)} of what --csv prints, as text."""
    return {row[0]: tuple(row[1:]) for row in csv.reader(text.splitlines()) if len(row) == 3}


def lines_of(text):
    return {name: (float(value), unit) for name, (value, unit) in summary(text).items()}


def check_proof(claim):
    path, text = claim.proof
    if not (ROOT / path).exists() or text not in (ROOT / path).read_text():
        yield f"{claim.page}: {claim.text!r} is proved by {text!r} of {path}, which is not there"


def check_numbers(claim, found, lines):
    if len(found.groups()) != len(claim.held_by):
        yield f"{claim.page}: {claim.text!r} has {len(found.groups())} numbers and {len(claim.held_by)} lines"
        return
    for number, is_bound, held_by in zip(found.groups(), claim.bounds, claim.held_by):
        value = value_of(lines, held_by)
        if value is None:
            yield f"no line of reproduced.csv is {held_by!r}"
        elif not agrees(value, number, is_bound):
            yield f"{claim.page}: {number} in {found.group()!r}, but reproduce prints {value:.4g} ({held_by})"


def check_claims(lines):
    for claim in all_claims():
        found = claim.find((ROOT / claim.page).read_text())
        if len(found) != 1 or not claim.held_by:
            yield f"{claim.page} has {claim.text!r} {len(found)} times, held by {claim.held_by}"
        elif claim.proof:
            yield from check_proof(claim)
        elif not claim.is_quoted:
            yield from check_numbers(claim, found[0], lines)


def write_claims(lines):
    """Puts the numbers that reproduce prints into the pages. Bounds are left as they are."""
    for claim in all_claims():
        content = (ROOT / claim.page).read_text()
        found = claim.find(content)
        if len(found) != 1 or claim.proof or claim.is_quoted or len(found[0].groups()) != len(claim.held_by):
            continue
        for i in reversed(range(len(claim.held_by))):
            value, number = value_of(lines, claim.held_by[i]), found[0].group(i + 1)
            if value is not None and not claim.bounds[i]:
                content = content[:found[0].start(i + 1)] + rounded(value, number) + content[found[0].end(i + 1):]
        (ROOT / claim.page).write_text(content)


def pages():
    for folder, pattern in (("", "README.md"), ("docs", "**/*.md"), ("include", "**/*.h"), ("lib/python", "**/*.py")):
        yield from (str(path.relative_to(ROOT)) for path in sorted((ROOT / folder).glob(pattern)))


def unmarked():
    """What sounds like a claim and is part of none."""
    for page in pages():
        content = (ROOT / page).read_text()
        marked = [found.span() for claim in read_claims(page) for found in claim.find(content)]
        for found in SOUNDS_LIKE_A_CLAIM.finditer(content):
            if page not in NOT_YET and not any(a < found.end() and found.start() < b for a, b in marked):
                line = content.count("\n", 0, found.start()) + 1
                yield f"{page}:{line}: {' '.join(found[0].split())!r} is in no file of {PAGES.relative_to(ROOT)}"


if __name__ == "__main__":
    problems = [*check_claims(lines_of(FULL.read_text())), *check_tables(), *unmarked()]
    print("\n".join(problems) or f"{len([*all_claims()])} claims")
    sys.exit(1 if problems else 0)

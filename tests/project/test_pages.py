"""The manual as a whole: at most fourteen guides; at most 45 000 words of guides and references, and of prose on all pages; short
lines; both programs of README on its first screen; links that lead to a page and to a heading. test_manual.py looks at single
pages."""

import re
import unicodedata

import tree

DOCS = tree.ROOT / "docs"
# Pages at the top of docs/ that are no guides.
OF_THE_PROJECT = {"papers", "errata", "architecture", "quality", "stability", "machines", "changelog"}
MOST_GUIDES, MOST_WORDS, WIDEST, FIRST_SCREEN = 14, 45000, 110, 25
# The words of these do not count.
NOT_COUNTED = ("papers.md", "errata.md", "course/")


def pages():
    yield tree.ROOT / "README.md"
    yield from sorted(DOCS.rglob("*.md"))


def prose(text):
    """(number, line) outside of code; a table is a line for each row."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"(`{3,}|:{3,})", line)
        if mark and mark[1][0] == "`":
            fence = None if fence else mark[1]
        elif not fence and not line.startswith("    "):
            yield number, line


def anchors(text):
    """The names of the headings of a page, as they are in its addresses."""
    found = {}
    for _, line in prose(text):
        heading = re.match(r"#+ (.*)", line)
        if heading:
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", lambda link: link[1] or "", heading[1]).lower()
            name = "".join(sign for sign in plain if sign in " -_" or unicodedata.category(sign)[0] in "LNM").replace(" ", "-")
            found[name] = found.get(name, -1) + 1
            if found[name]:
                found[f"{name}-{found[name]}"] = 0
    return set(found)


def check_links(page, text):
    for number, line in prose(text):
        for target in re.findall(r"\]\(((?:[^()\s]|\([^()\s]*\))+)\)", re.sub(r"`[^`]*`", "", line)):
            path, _, anchor = target.partition("#")
            if re.match(r"\w+:", target):
                continue
            to = (page.parent / path).resolve() if path else page
            if not to.exists():
                yield f"{tree.name(page)}:{number}: {target} leads nowhere"
            elif anchor and to.suffix == ".md" and anchor not in anchors(to.read_text()):
                yield f"{tree.name(page)}:{number}: {target} names no heading"


def check_lines(page, text):
    for number, line in prose(text):
        if len(line) > WIDEST and not line.startswith("|") and re.search(r"\s", line.strip()[:WIDEST]):
            yield f"{tree.name(page)}:{number}: {len(line)} columns; {WIDEST} at most"


def check_readme():
    """Both programs are whole on the first screen: lines of text, without empty ones, pictures and fences."""
    text = (tree.ROOT / "README.md").read_text()
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("```", "!["))]
    for language in "python", "c":
        code = re.search(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        wanted = [line for line in code[1].splitlines() if line.strip()] if code else ["no code"]
        begins = [i for i in range(FIRST_SCREEN) if lines[i:i + len(wanted)] == wanted]
        if not begins or begins[0] + len(wanted) > FIRST_SCREEN:
            yield f"README.md has no whole example in {language} in its first {FIRST_SCREEN} lines"


def name_of(page):
    return page.relative_to(DOCS).as_posix() if DOCS in page.parents else page.name


def check_words(texts):
    guides = [page.stem for page in DOCS.glob("*.md") if page.stem not in OF_THE_PROJECT]
    if len(guides) > MOST_GUIDES:
        yield f"{len(guides)} guides; {MOST_GUIDES} at most: {', '.join(sorted(guides))}"
    words = sum(len(text.split()) for page, text in texts.items() if page.parent == DOCS / "reference" or page.stem in guides)
    of_prose = sum(len(line.split()) for page, text in texts.items() if not name_of(page).startswith(NOT_COUNTED)
                   for _, line in prose(text) if not line.startswith("|"))
    print(f"{len(guides)} guides, {words} words of guides and references, {of_prose} words of prose on all pages")
    for count, what in ((words, "words of guides and references"), (of_prose, "words of prose")):
        if count > MOST_WORDS:
            yield f"{count} {what}; {MOST_WORDS} at most"


texts = {page: page.read_text() for page in pages()}
problems = [*check_readme(), *check_words(texts)]
for page, text in texts.items():
    problems += check_links(page, text)
    problems += check_lines(page, text)
tree.finish(problems)

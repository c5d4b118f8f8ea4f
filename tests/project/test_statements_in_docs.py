"""Numbers and lists of the pages that age are those of the tree."""

import re

import tree

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
           "thirteen", "fourteen", "fifteen", "sixteen"]


def text(path):
    return (tree.ROOT / path).read_text()


def fuzz_targets():
    """The table of quality.md: every target, with the number of its random inputs."""
    described = dict(re.findall(r"^\| `fuzz_(\w+)` \| (\d+) \|", text("docs/quality.md"), re.MULTILINE))
    built = dict(re.findall(r"^  '(\w+)': '(\d+)',$", text("tests/fuzz/meson.build"), re.MULTILINE))
    there = {path.stem[len("fuzz_"):] for path in (tree.ROOT / "tests/fuzz").glob("fuzz_*.c")}
    if there != set(built):
        yield f"tests/fuzz/meson.build runs {sorted(built)}, but there are {sorted(there)}"
    if described != built:
        yield f"docs/quality.md has the fuzz targets {described}, but tests/fuzz/meson.build runs {built}"


def options_of_the_test_command():
    page, command = text("docs/quality.md"), text("tests/run.sh")
    for option in sorted(set(re.findall(r"`(--\w+)`", page))):
        if option not in command:
            yield f"docs/quality.md names {option}, which tests/run.sh does not have"


def public_structs():
    """architecture.md names the structs that are no opaque handles."""
    found = {name for header in tree.public_headers()
             for name in re.findall(r"^(?:typedef )?struct (cn_\w+)\s*\{", tree.without_comments(header.read_text()), re.MULTILINE)}
    page = text("docs/architecture.md")
    paragraph = page[page.index("**A delivery is filled by size.**"):].split("\n\n")[0]
    named = {name for name in re.findall(r"`(cn_\w+)`", paragraph)}
    if not found or found != named:
        yield f"docs/architecture.md has the public structs {sorted(named)}, but include/ has {sorted(found)}"


def kinds_of_routing():
    kinds = re.search(r"\bkinds\[\] = \{(.*?)\};", text("lib/routing/rules/routing.c"), re.DOTALL)
    number = NUMBERS[len(re.findall(r"&cni_\w+", kinds[1]))]
    if f"{number} kinds of routing" not in text("README.md"):
        yield f"README.md does not say that there are {number} kinds of routing"


tree.finish([*fuzz_targets(), *options_of_the_test_command(), *public_structs(), *kinds_of_routing()])

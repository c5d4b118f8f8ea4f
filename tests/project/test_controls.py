"""Every public function that takes a cn_control has a row in the table of long calls, which are cancelled at their
callbacks, by a flag and by the clock; and the row calls it with the control that it is given."""

import re

import tree

DECLARED = re.compile(r"^CN_API\s[^;(]*?\b(cn_\w+)\s*\(([^;]*)\);", re.MULTILINE)
ROW = re.compile(r'\{"(cn_\w+)[^"]*", (\w+)\}')


def takers():
    for header in tree.public_headers():
        for name, arguments in DECLARED.findall(tree.without_comments(header.read_text())):
            if "const cn_control *" in arguments:
                yield name


def bodies(text):
    """Of each static function of the file, its text."""
    return dict(re.findall(r"^static [^\n;]*?\b(\w+)\([^;{]*\)\n\{\n(.*?)^\}\n", text, re.MULTILINE | re.DOTALL))


def calls_with_control(function, body, all_bodies):
    """Directly, or by a helper of the table that hands the control on."""
    if re.search(rf"\b{function}\([^;]*\bcontrol\b", body):
        return True
    return any(name != function and calls_with_control(function, all_bodies[name], {})
               for name in set(re.findall(r"\b(\w+)\([^;]*\bcontrol\b", body)) & set(all_bodies))


def problems():
    rows = {}
    for table in sorted((tree.ROOT / "tests" / "simulation").glob("long_*calls.c")):
        text = table.read_text()
        found = bodies(text)
        for function, caller in ROW.findall(text):
            rows.setdefault(function, []).append((caller, found))
    names = list(takers())
    if not names:
        yield "no header declares a function with a control"
    for name in names:
        if name not in rows:
            yield f"{name} takes a cn_control, but tests/simulation/long_*calls.c has no row for it"
    for name in rows:
        if name not in names:
            yield f"{name} has a row, but takes no cn_control"
        for caller, found in rows[name]:
            if caller not in found or not calls_with_control(name, found[caller], found):
                yield f"the row of {name} does not call it with its control"


tree.finish(list(problems()))

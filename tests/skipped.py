"""What the tests did not try on this machine, and whether a list allows that; and what failed.

    skipped.py BUILD LOG            prints "BUILD/TEST: REASON" for all that was skipped in meson's testlog.json
    skipped.py --failed BUILD LOG   prints "BUILD/TEST: RESULT after N s" for all that failed
    skipped.py --not-in LIST        prints the lines of standard input that LIST does not name

A script of tests/ says "skipped: REASON" when it ends without having tried anything, and when it has tried all but
something. Tests of unittest and of cmocka that skip themselves are found, too. LIST has one such line a line, in which
* stands for anything; # begins a comment."""

import fnmatch
import json
import re
import sys

FORMS = (re.compile(r"skipped: (.+)"),               # tests/project/tree.py and others
         re.compile(r".* \.\.\. skipped (['\"])(.+)\1"),  # unittest with verbosity=2
         re.compile(r"\[  SKIPPED \] (\w+)"))        # cmocka, while it runs


def reasons(said):
    """The reasons in what a test printed, each once. cmocka's own line counts where nothing else tells the reason."""
    found = {form: [match.groups()[-1].rstrip(". ") for match in map(form.fullmatch, said.splitlines()) if match]
             for form in FORMS}
    told = found[FORMS[0]] + found[FORMS[1]]
    return list(dict.fromkeys(told or found[FORMS[2]]))


def skips(build, log):
    for line in log:
        test = json.loads(line)
        said = "\n".join(test.get(stream) or "" for stream in ("stdout", "stderr"))
        found = reasons(said) or ["it does not say why"] * (test["result"] == "SKIP")
        for reason in found:
            yield f"{build}/{test['name'].split(' / ')[-1]}: {reason}"


def failures(build, log):
    for line in log:
        test = json.loads(line)
        if test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL"):
            yield f"{build}/{test['name'].split(' / ')[-1]}: {test['result']} after {test['duration']:.0f} s"


def not_in(patterns, lines):
    allowed = [pattern.strip() for pattern in patterns if pattern.strip() and not pattern.startswith("#")]
    return [line for line in lines if not any(fnmatch.fnmatchcase(line, pattern) for pattern in allowed)]


def main(first, *more):
    with open(more[-1], encoding="utf-8") as file:
        if first == "--not-in":
            found = not_in(file, sys.stdin.read().splitlines())
        elif first == "--failed":
            found = failures(more[0], file)
        else:
            found = skips(first, file)
        for line in found:
            print(line)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Every public function is declared once in a public header, with a comment of its own directly before it;
the comment at the top of every public header says since which version it is there;
doxygen, where it is installed, finds nothing wrong in the comments.

Not every @param is asked for: a parameter whose name says it all needs no line. One that is named must exist
and be named once, every name that a comment refers to must be there, every macro and type has a comment.

Argument: a folder for what doxygen needs."""

import pathlib
import re
import shutil
import subprocess
import sys

import tree

DECLARED = re.compile(r"^CN_API\b[^;(]*?\b(\w+)\s*\(", re.MULTILINE)
COMMENT_OF_FILE = re.compile(r"/\*\*\n \* @file .*?\*/", re.DOTALL)
SINCE = re.compile(r"^ \* @since \d+\.\d+$", re.MULTILINE)
COMMENT_BEFORE = re.compile(r"(/\*\*(?:(?!\*/).)*\*/)\n\Z", re.DOTALL)
SETTINGS = """
QUIET = YES
RECURSIVE = YES
FILE_PATTERNS = *.h *.hpp
OPTIMIZE_OUTPUT_FOR_C = YES
JAVADOC_AUTOBRIEF = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
WARNINGS = YES
WARN_IF_UNDOCUMENTED = YES
WARN_IF_DOC_ERROR = YES
WARN_IF_INCOMPLETE_DOC = NO
WARN_NO_PARAMDOC = NO
PREDEFINED = CN_EXPERIMENTAL
"""


def check_declarations():
    places = {}
    for header in tree.public_headers():
        text = header.read_text()
        comment = COMMENT_OF_FILE.match(text)
        if comment is None or not SINCE.search(comment.group()):
            yield f"{tree.name(header)}: no comment at the top with @file and @since"
        for found in DECLARED.finditer(text):
            place = f"{tree.name(header)}:{text.count(chr(10), 0, found.start()) + 1}"
            places.setdefault(found.group(1), []).append(place)
            comment = COMMENT_BEFORE.search(text[:found.start()])
            if comment is None or not re.search(r"\w", comment.group(1)):
                yield f"{place}: no comment /** ... */ directly before {found.group(1)}"
    for symbol in tree.exported("core") + tree.exported("experimental"):
        if len(places.get(symbol, [])) != 1:
            where = ", ".join(places.get(symbol, [])) or "nowhere"
            yield f"{symbol} is to be declared once in include/, but is declared {where}"


def check_comments(folder):
    program = shutil.which("doxygen")
    # the option came with version 1.9.3
    if program is None or "WARN_IF_INCOMPLETE_DOC" not in tree.run(program, "-g", "-"):
        tree.leave_out("the comments are not checked, for there is no doxygen of version 1.9.3 or later here")
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Doxyfile").write_text(f'INPUT = "{tree.ROOT / "include"}"\n'
                                     f'OUTPUT_DIRECTORY = "{folder}"\n{SETTINGS}')
    done = subprocess.run([program, "Doxyfile"], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0 or done.stderr:
        # doxygen repeats itself
        yield from dict.fromkeys(done.stderr.splitlines() or [f"doxygen ended with {done.returncode}"])


problems = list(check_declarations())
problems += check_comments(pathlib.Path(sys.argv[1]))
tree.finish(problems)

"""Makes one C file and one header of the whole library.

    python3 lib/amalgamate.py OUT

OUT is the folder of cubenet.c and cubenet.h. The sources are those of lib/meson.build, in the order in which they
are put together there. Every header is put in where it is included first, a *.inc.h wherever it is included. What a
source defines for itself (static names, struct tags, types, enumerators) gets the source's name
before its own, ROOM_FILE__NAME; its macros are undefined at its end."""

import os
import pathlib
import re
import sys

LIB = pathlib.Path(__file__).resolve().parent
ROOT = LIB.parent
INCLUDE_LINE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">].*\n', re.MULTILINE)
# a comment, a string or character, a preprocessor's number, a name, white space, anything else
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\.?\d(?:[eEpP][+-]|[\w.])*'
                   r'|[A-Za-z_]\w*|\s+|->|.', re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
LAST_NAME = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")  # of a declarator
CODE = """\
/*
 * cubenet VERSION: the whole library in one file, made from its sources. cubenet.h is the reference.
 *
 * Compile it as C11, in a mode of ISO C, and link the math library and threads:
 *
 *     cc -std=c11 -O2 -ffp-contract=off -c cubenet.c
 *     cc -o program program.c cubenet.o -lm -pthread
 *
 * -DCNI_THREADS=0 builds without threads: every simulation then runs on the calling thread, with the
 * same numbers. Without it there are threads where there is <pthread.h>.
 *
LICENSE
 */
#ifndef CNI_THREADS
#if defined(__has_include)
#if __has_include(<pthread.h>)
#define CNI_THREADS 1
#else
#define CNI_THREADS 0
#endif
#elif defined(__unix__) || defined(__APPLE__)
#define CNI_THREADS 1
#else
#define CNI_THREADS 0
#endif
#endif

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* clock_gettime, sched_yield, threads */
#endif
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* madvise */
#endif

#ifndef CN_EXPERIMENTAL
#define CN_EXPERIMENTAL
#endif
#include "cubenet.h"
"""
HEADER = """\
/*
 * cubenet VERSION: all its public headers in one file. What any version may change is there for programs that define
 * CN_EXPERIMENTAL before they include it.
 *
LICENSE
 */
"""


def plain(text):
    """The text without comments, strings and preprocessor lines, with as many characters."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    text = "".join(re.sub(r"[^\n]", " ", token) if token[:2] in ("/*", "//") or token[0] in "\"'"
                   else token for token in TOKEN.findall(text))
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", blank, text, flags=re.MULTILINE)


def outer(text):
    """The plain text with blanks in place of all that is in braces; the outer braces stay."""
    kept, depth = [], 0
    for character in plain(text):
        depth -= character == "}"
        kept.append(character if depth == 0 or character == "\n" else " ")
        depth += character == "{"
    return "".join(kept)


def local_names(text):
    """(ordinary names, tags) that a source defines for itself: all but names with cn_ or cni_."""
    names, tags = set(), set()
    code, top = plain(text), outer(text)
    top = re.sub(r"\b(struct|union|enum)(\s+\w+)?\s*\{\s*\}", r" \1 type ", top)
    for statement in re.split(r"[;{}]", top):
        words = statement.split("=")[0].rstrip()
        if re.match(r"\s*typedef\b", words):
            function = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", words)
            names.add((function or LAST_NAME.search(words)).group(1))
        elif re.search(r"\b(?:static|CNI_INLINE)\b", words):
            words = re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", words, flags=re.DOTALL)
            for declarator in [words.split("(")[0]] if "(" in words else words.split(","):
                names.add(LAST_NAME.search(declarator).group(1))
    for body in re.findall(r"\benum\b\s*\w*\s*\{([^}]*)\}", code):
        for item in body.split(","):
            names.update(re.findall(r"^\s*(\w+)", item))
    tags.update(re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", code))
    return ({name for name in names if not name.lower().startswith(("cn_", "cni_"))},
            {tag for tag in tags if not tag.lower().startswith(("cn_", "cni_"))})


class Renamer:
    """Puts a prefix before the names of one source, but not before members or parameters of that name."""

    def __init__(self, text, prefix):
        self.prefix = prefix
        self.names, self.tags = local_names(text)
        self.tokens = TOKEN.findall(text)

    def solid(self, at, step):
        """The next token, in steps of 1 or -1, that is neither white space nor a comment."""
        at += step
        while 0 <= at < len(self.tokens):
            token = self.tokens[at]
            if not token.isspace() and token[:2] not in ("/*", "//"):
                return token
            at += step
        return ""

    def is_member(self, at, braces):
        """Whether a name in the body of a struct is a declarator there."""
        if not braces or braces[-1] != "struct":
            return False
        after, before = self.solid(at, 1), self.solid(at, -1)
        return after in (";", ",", "[", ":") and (NAME.fullmatch(before) or before in ("*", ",")) or \
            after == ")" and before == "*"

    def parameters(self, at):
        """The names of the parameters of a function whose body opens here."""
        depth, found, last = 0, set(), ""
        while at > 0:
            at -= 1
            token = self.tokens[at]
            depth += (token == ")") - (token == "(")
            if NAME.fullmatch(token) and depth > 0 and self.solid(at, 1) in (",", ")", "[") and \
                    (NAME.fullmatch(self.solid(at, -1)) or self.solid(at, -1) == "*"):
                found.add(token)
            if token == "(" and depth == 0 or token in ";{}" and depth == 0:
                break
        return found

    def start_of_parameters(self):
        """By the place of the opening parenthesis of each function: the place where its body opens."""
        stack, opened, depth = [], {}, 0
        closed = None
        for at, token in enumerate(self.tokens):
            if token == "(":
                stack.append(at)
            elif token == ")" and stack:
                closed = stack.pop()
            elif token == "{":
                if depth == 0 and self.solid(at, -1) == ")" and closed is not None:
                    opened[closed] = at
                depth += 1
            elif token == "}":
                depth -= 1
        return opened

    def text(self):
        """The source with the prefix; the parameters of a function shadow names up to its end."""
        functions, braces, shadowed, result = self.start_of_parameters(), [], set(), []
        for at, token in enumerate(self.tokens):
            if at in functions:
                shadowed = self.parameters(functions[at])
            if token == "{":
                before = "".join(self.tokens[max(0, at - 8):at])
                is_struct = re.search(r"\b(?:struct|union)\s*\w*\s*$", before)
                braces.append("struct" if is_struct else "other")
            elif token == "}" and braces:
                braces.pop()
                if not braces:
                    shadowed = set()
            before = self.solid(at, -1) if token in self.names or token in self.tags else ""
            if before in ("struct", "union", "enum"):
                rename = token in self.tags
            else:
                rename = token in self.names and token not in shadowed and \
                    before not in (".", "->") and not self.is_member(at, braces)
            result.append(f"{self.prefix}__{token}" if rename else token)
        return "".join(result)


class Amalgamation:
    """Puts sources together, with each internal header once."""

    def __init__(self):
        self.seen = set()

    def headers(self, text):
        """The text with the headers that were not there yet in place of the lines that include them. Public headers
        are in cubenet.h."""
        def insert(match):
            kind, name = match.groups()
            if kind == "<":
                return match.group()
            if name.startswith("cubenet/"):
                return ""
            if not name.endswith(".inc.h"):
                if name in self.seen:
                    return ""
                self.seen.add(name)
            return self.headers((LIB / name).read_text())
        return INCLUDE_LINE.sub(insert, text)

    def source(self, path):
        """One source, with its macros undefined at its end. The headers that were not there yet stand before it, so
        that no name in them gets the prefix."""
        prefix = "_".join(path.relative_to(LIB).with_suffix("").parts)
        text = path.read_text()
        templates = "".join((LIB / name).read_text() for _, name in INCLUDE_LINE.findall(text)
                            if name.endswith(".inc.h"))
        macros = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z]\w*)", text + templates, re.MULTILINE))
        headers = [name for _, name in INCLUDE_LINE.findall(text)
                   if not name.endswith(".inc.h") and (LIB / name).is_file()]
        ahead = "".join(self.headers(f'#include "{name}"\n') for name in headers)
        text = Renamer(self.headers(text), prefix).text()
        undefined = "".join(f"#undef {macro}\n" for macro in sorted(macros))
        return f"\n/* ---- {path.relative_to(LIB).as_posix()} ---- */\n\n{ahead}{text}{undefined}"


def public_header(folder):
    """cubenet.h and what it includes, each once."""
    seen = set()

    def inside(path):
        def insert(match):
            kind, name = match.groups()
            if kind == "<":
                return match.group()
            target = (path.parent / name).resolve()
            if target in seen:
                return ""
            seen.add(target)
            return inside(target)
        return INCLUDE_LINE.sub(insert, path.read_text())
    return inside((folder / "cubenet.h").resolve())


def project(pattern, file):
    """The group of a pattern in a file of Meson."""
    return re.search(pattern, file.read_text(), re.MULTILINE | re.DOTALL).group(1)


def main(out):
    version = project(r"^ *version: '([^']+)'", ROOT / "meson.build")
    sources = re.findall(r"'([^']+\.c)'", project(r"^sources = files\((.*?)^\)", LIB / "meson.build"))
    lines = (ROOT / "LICENSE").read_text().rstrip().split("\n")
    license_text = "\n".join(f" * {line}".rstrip() for line in lines)

    def head(text):
        return text.replace("VERSION", version).replace("LICENSE", license_text)

    whole = Amalgamation()
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cubenet.h").write_text(head(HEADER) + public_header(ROOT / "include"))
    (folder / "cubenet.c").write_text(head(CODE) + "".join(whole.source(LIB / source) for source in sources))


if "MESON_DIST_ROOT" in os.environ:  # for the archive of a release
    sys.argv[1:] = [pathlib.Path(os.environ["MESON_DIST_ROOT"]) / "amalgamation"]
elif len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit("usage: python3 lib/amalgamate.py OUT")
main(sys.argv[1])

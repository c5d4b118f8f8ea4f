"""What the shared object exports and imports.

    test_symbols.py [--update] libcubenet.so

The exported names are those of exported_symbols.txt (--update writes it) and those that the public
headers declare CN_API. The library never prints, ends the program, changes its global state, or calls what
allocates past its allocator."""

import re
import sys

import tree

LIST = tree.ROOT / "tests" / "project" / "exported_symbols.txt"
DECLARED = re.compile(r"\bCN_API\b[^;(]*?\b(\w+)\s*\(")
FORBIDDEN = set("""
    printf fprintf vprintf vfprintf dprintf puts fputs putchar fputc putc fwrite perror
    stdout stderr stdin fopen
    exit _exit _Exit quick_exit abort atexit raise kill
    rand srand rand_r random srandom drand48 srand48
    signal sigaction setlocale uselocale getenv setenv putenv system
    qsort qsort_r
""".split())


def symbols(library, *options):
    output = tree.run(tree.tool("nm"), "-D", "-P", *options, library)
    return {line.split()[0].split("@")[0] for line in output.splitlines()}


def plain(symbol):
    """printf for __printf_chk, the checked form that -D_FORTIFY_SOURCE calls."""
    return re.sub(r"^__(\w+)_chk$", r"\1", symbol)


def declared():
    text = "".join(path.read_text() for path in tree.public_headers())
    return set(DECLARED.findall(tree.without_comments(text).replace("#define CN_API", "")))


def differences(have, what, want, of_what):
    for symbol in sorted(have - want):
        yield f"{symbol} is {what} but not {of_what}"
    for symbol in sorted(want - have):
        yield f"{symbol} is {of_what} but not {what}"


arguments = sys.argv[1:]
library = arguments[-1]
exported = symbols(library, "--defined-only")
if "--update" in arguments:
    LIST.write_text("".join(f"{symbol}\n" for symbol in sorted(exported)))

lines = LIST.read_text().split()
problems = []
if lines != sorted(set(lines)):
    problems.append(f"{tree.name(LIST)} is not sorted, or names a symbol twice")
problems += [f"{symbol} is exported but does not start with cn_"
             for symbol in sorted(exported) if not symbol.startswith("cn_")]
problems += differences(exported, "exported", set(lines), f"in {tree.name(LIST)}")
problems += differences(exported, "exported", declared(), "declared CN_API in a public header")
problems += [f"the library imports {symbol}"
             for symbol in sorted(symbols(library, "--undefined-only"))
             if plain(symbol) in FORBIDDEN]
tree.finish(problems)

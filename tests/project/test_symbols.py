"""What the shared object exports and imports.

    test_symbols.py [--update] libcubenet.so true|false

The names of lib/symbols/core.txt are those that the headers of include/cubenet declare CN_API, those of
lib/symbols/experimental.txt the same of include/cubenet/experimental; --update writes both lists. The library exports
these and no others, each with the version of its list where the linker knows versions (true). It never prints, ends the
program, changes its global state, or calls what allocates past its allocator."""

import re
import sys

import tree

VERSIONS = {"core": "CUBENET_1", "experimental": "CUBENET_EXPERIMENTAL"}
HEADERS = {"core": tree.core_headers, "experimental": tree.experimental_headers}
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
    """{name: version}"""
    output = tree.run(tree.tool("nm"), "-D", "-P", *options, library)
    names = (line.split()[0].partition("@") for line in output.splitlines())
    return {name: version.lstrip("@") for name, _, version in names if name not in VERSIONS.values()}


def plain(symbol):
    """printf for __printf_chk, the checked form that -D_FORTIFY_SOURCE calls."""
    return re.sub(r"^__(\w+)_chk$", r"\1", symbol)


def declared(headers):
    text = "".join(path.read_text() for path in headers)
    return set(DECLARED.findall(tree.without_comments(text).replace("#define CN_API", "")))


def differences(have, what, want, of_what):
    for symbol in sorted(have - want):
        yield f"{symbol} is {what} but not {of_what}"
    for symbol in sorted(want - have):
        yield f"{symbol} is {of_what} but not {what}"


def check_list(tier, exported, has_versions):
    lines, name = tree.exported(tier), f"lib/symbols/{tier}.txt"
    if lines != sorted(set(lines)):
        yield f"{name} is not sorted, or names a symbol twice"
    yield from differences(set(lines), f"in {name}", declared(HEADERS[tier]()), "declared CN_API in a header of that")
    for symbol in set(lines) & set(exported) if has_versions else []:
        if exported[symbol] != VERSIONS[tier]:
            yield f"{symbol} has the version {exported[symbol]}, not {VERSIONS[tier]}"


arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
library, has_versions = arguments[0], arguments[1] == "true"
if "--update" in sys.argv:
    for tier, headers in HEADERS.items():
        path = tree.ROOT / "lib" / "symbols" / f"{tier}.txt"
        path.write_text("".join(f"{symbol}\n" for symbol in sorted(declared(headers()))))

exported = symbols(library, "--defined-only")
problems = [f"{symbol} is exported but does not start with cn_"
            for symbol in sorted(exported) if not symbol.startswith("cn_")]
for tier in VERSIONS:
    problems += check_list(tier, exported, has_versions)
problems += differences(set(exported), "exported", {name for tier in VERSIONS for name in tree.exported(tier)},
                        "in a list of lib/symbols")
problems += [f"the library imports {symbol}"
             for symbol in sorted(symbols(library, "--undefined-only"))
             if plain(symbol) in FORBIDDEN]
tree.finish(problems)

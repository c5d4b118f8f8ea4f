"""Makes cubenet in the browser: OUT/index.html and OUT/play.js.

    build.py OUT [--library FILE] [--modules FOLDER]

The script holds the WebAssembly module, gzipped, as base64, and the source of its worker; so the
page works from the disk. Signatures and numbers of enumerators come from the headers, cases of
drills from the grader of the course, which asks the shared library FILE; without FILE there are no
drills. FOLDER keeps the compiled library between builds."""

import argparse
import base64
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORKER = ["library.js", "questions.js", "experiments.js", "drill-answers.js", "worker.js"]
PAGE = ["client.js", "state.js", "drawing.js", "network.js", "traffic.js", "chart.js", "code.js", "drills.js", "page.js"]
COMPILE = ["-std=c11", "-O2", "-ffp-contract=off", "-DCNI_THREADS=0"]
LINK = ["--no-entry", "-O2", "-sALLOW_MEMORY_GROWTH=1", "-sWASM_BIGINT=1", "-sMAXIMUM_MEMORY=2GB"]
MOST_BYTES = 1_200_000  # of both files
DRILLS = 12  # cases of each kind


# ---- what the headers declare ----

def kind(argument):
    """How the worker passes an argument: s a text, p an address, d a double, l 64 bits, i 32 bits."""
    if re.fullmatch(r"const char \*\w+", argument):
        return "s"
    if "*" in argument or "[" in argument:
        return "p"
    return "d" if argument.startswith("double") else "l" if argument.startswith("uint64_t") else "i"


def signatures(header):
    """By the name of a function: its result, its arguments, and the kind of object that it makes."""
    plain = re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)
    results = {"void": "v", "double": "d", "uint64_t": "l", "const char *": "s", "cn_status": "t"}
    found = {}
    for result, name, arguments in re.findall(r"\bCN_API\s+([\w\s]*?[\s*]*)\b(cn_\w+)\(([^;]*)\);", plain):
        arguments = [" ".join(a.split()) for a in arguments.split(",")]
        arguments = [] if arguments == ["void"] else arguments
        made = re.fullmatch(r"cn_(\w+) \*\*\w+", arguments[-1]) if arguments else None
        found[name] = [results.get(" ".join(result.split()), "i"), "".join(map(kind, arguments)),
                       made.group(1) if made else ""]
    return found


def constants(header):
    """The values of enumerators and of macros that are numbers."""
    found = {}
    for name, number in re.findall(r"^\s*(?:#define\s+)?(CN_[A-Z]\w*)\s*=?\s+\(?(-?\w+(?:\(-?\w+\))?)\)?\s*,?",
                                   re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL), re.MULTILINE):
        number = re.sub(r"UINT64_C\((\w+)\)", r"\1", number)
        number = {"UINT64_MAX": str(2**64 - 1), "UINT32_MAX": str(2**32 - 1)}.get(number, number)
        if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", number):
            found[name] = int(number, 0)
    return found


# ---- the parts of the script ----

def source(names):
    return "\n".join((HERE / name).read_text() for name in names)


def worker_source(header, text):
    """The worker with the signatures and constants that it uses."""
    used = {name: signature for name, signature in signatures(header).items() if name in functions_of(text)}
    values = constants(header)
    lines = []
    for name in sorted(set(re.findall(r"\bCN_[A-Z]\w*", text))):
        number = values[name]
        lines.append(f"const {name} = {number}{'n' if number >= 2**53 else ''};")
    return "\n".join(['"use strict";', f"const SIGNATURES = {json.dumps(used, separators=(',', ':'))};", *lines, text])


def functions_of(text):
    """The functions of the library that the worker names."""
    return set(re.findall(r"\bcn_\w+", text))


def module(header_folder, names, folder):
    """The bytes of the module that exports these functions; the library is compiled once."""
    emcc = shutil.which("emcc") or sys.exit("emcc is missing; on Debian: apt-get install emscripten nodejs")
    library = header_folder / "cubenet.c"
    mark = hashlib.sha256(library.read_bytes() + (header_folder / "cubenet.h").read_bytes() +
                          " ".join(COMPILE).encode()).hexdigest()[:16]
    compiled = folder / f"cubenet-{mark}.o"
    if not compiled.exists():
        for old in folder.glob("cubenet-*.o"):
            old.unlink()
        unfinished = compiled.with_suffix(".unfinished.o")
        subprocess.run([emcc, *COMPILE, "-c", library, "-o", unfinished], check=True)
        unfinished.rename(compiled)
    listed = folder / "exported.json"
    listed.write_text(json.dumps([f"_{name}" for name in sorted(names)] + ["_malloc", "_free"]))
    made = folder / "play.wasm"
    subprocess.run([emcc, compiled, "-o", made, f"-sEXPORTED_FUNCTIONS=@{listed}", *LINK], check=True)
    return made.read_bytes()


# ---- drills ----

def drills(library):
    """Cases as the grader draws them for its default seed."""
    if library is None:
        return {}
    os.environ["CUBENET_LIBRARY"] = str(library)
    sys.path[:0] = [str(ROOT / "lib" / "python"), str(ROOT / "docs" / "course")]
    from grader import questions
    draw = random.Random("1992 drills")
    networks = [(net.name, net.node_count) for _, _, net in questions.generalized(draw)]
    cube = 2**questions.CUBE
    nodes = list(questions.nodes_with_messages(draw))
    return {
        "necklaces": [{"net": name, "node": draw.randrange(1, count)}
                      for name, count in (draw.choice(networks) for _ in range(DRILLS))],
        "routing": [dict(zip(("net", "node", "destination"), (f"hypercube({questions.CUBE})", *draw.sample(range(cube), 2))))
                    for _ in range(DRILLS)],
        "two_phase": [{"net": net.name, "buffers": buffers, "headers": headers, "channels": net.max_degree}
                      for net, buffers, headers, _ in nodes if 2 <= len(headers) <= 6][:DRILLS],
        "chain": [{"channels": n, "buffers": buffers, "messages": draw.randrange(1, buffers + 1)}
                  for _ in range(4) for n, buffers in questions.chain_nodes(draw)][:DRILLS],
        "convex": [{"net": f"hypercube({n})", "broken": faulty}
                   for n, faulty in questions.damaged_cubes(draw) if n <= 5 and len(faulty) > 1][:DRILLS],
        "broadcast": [{"n": n} for n in (2, 4, 6, 3, 5, 7)],
        "shuffle": [{"n": n, "node": draw.randrange(2**n)} for n in (3, 4, 5, 6, 7, 3, 4, 5, 6, 7)],
    }


# ---- the two files ----

def build(out, library, modules):
    modules.mkdir(parents=True, exist_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, ROOT / "lib" / "amalgamate.py", modules], check=True)
    header = (modules / "cubenet.h").read_text()
    text = source(WORKER)
    kinds = set(re.findall(r'"cn_(\w+?)_', text)) - {"sim"}
    declared = signatures(header)
    frees = {f"cn_{kind}_free" for kind in kinds} & set(declared)
    names = functions_of(text) & set(declared) | frees | {"cn_sim_close"}
    worker = worker_source(header, text.replace("const SIGNATURES", "") + "\n// " + " ".join(sorted(frees)) + "\n")
    packed = base64.b64encode(gzip.compress(module(modules, names, modules), 9, mtime=0)).decode()
    page = source(PAGE)
    script = "\n".join([
        "// cubenet in the browser: made by docs/play/build.py. The library is MIT licensed; its sources have the text.",
        "(() => {", '"use strict";', f'const MODULE = "{packed}";', f"const WORKER = {json.dumps(worker)};",
        f"const DRILLS = {json.dumps(drills(library))};", page, "})();", ""])
    html = (HERE / "index.html").read_text().replace("/* play.css */", (HERE / "play.css").read_text())
    (out / "play.js").write_text(script)
    (out / "index.html").write_text(html)
    size = sum((out / name).stat().st_size for name in ("play.js", "index.html"))
    print(f"{out}: {size} bytes, {len(packed)} of them the module")
    if size > MOST_BYTES:
        sys.exit(f"that is more than {MOST_BYTES}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--modules", type=pathlib.Path)
    options = parser.parse_args()
    build(options.out, options.library and options.library.resolve(), options.modules or options.out / "module")


if __name__ == "__main__":
    main()

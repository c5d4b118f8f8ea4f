"""What README and docs/ say of accuracy is what `reproduce` prints.

usage: claims.py PROGRAM           every number of the claims below against reproduced.csv, which holds what a full run
                                   printed; and the exhibits that take no time anew
       claims.py PROGRAM update ID...   runs exhibits in full (minutes each) and puts their lines into reproduced.csv
       claims.py PROGRAM write     puts the numbers of reproduced.csv into the pages
       claims.py PROGRAM all       runs every exhibit of reproduced.csv in full and compares

A claim is a piece of a page with {} for each number, and for each number the lines of `reproduce --csv` that it is the
greatest of (names as for a shell, the last part left out where it is worst_relative_difference). Numbers agree when those
printed by the program, rounded to the digits of the page, are those of the page.
"""

import csv
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
KEPT = HERE / "reproduced.csv"
# no simulation, or none that takes time
AT_ONCE = ["horng92-fig-2.7", "horng92-fig-3.5", "horng92-table-4.1", "horng92-table-5.1", "ziavras99-table-1",
           "ziavras99-table-2"]
REPRODUCE = "docs/reproduce.md"


def sizes(exhibit, metric, *buffers):
    return " ".join(f"{exhibit}/buffers={m}/{metric}" for m in buffers)


CLAIMS = [
    (REPRODUCE, "net progress over λ, M = 10 | {} %, {} %, {} % |",
     ["horng92-fig-3.6/*/channel_utilization", "horng92-fig-3.6/*/forwarding_probability",
      "horng92-fig-3.6/*/net_progress"]),
    (REPRODUCE, "`horng91-fig-7` | acceptance over λ | {} % (M = 6) | {} % |",
     ["horng92-fig-3.7/*", sizes("horng92-fig-3.7", "*", 12, 20)]),
    (REPRODUCE, "`horng91-fig-9` | throughput over λ | {} % (M = 6) | {} % |",
     ["horng92-fig-3.8/*", sizes("horng92-fig-3.8", "*", 12, 20)]),
    (REPRODUCE, "delay over throughput, λ to 100 | throughput {} %, delay {} % (M = 6) | {} %, {} % |",
     ["horng92-fig-3.9/*/throughput", "horng92-fig-3.9/*/mean_delay",
      sizes("horng92-fig-3.9", "throughput", 12, 20), sizes("horng92-fig-3.9", "mean_delay", 12, 20)]),
    (REPRODUCE, "| power over λ | {} % (M = 6) | {} % |",
     ["horng92-fig-3.10/*", sizes("horng92-fig-3.10", "*", 12, 20)]),
    (REPRODUCE, "power with acceptance over λ | {} % (M = 6) | {} % |",
     ["horng91-fig-10/*", sizes("horng91-fig-10", "*", 12, 20)]),
    (REPRODUCE, "delay over M | {} % (M = 7", ["horng91-fig-8/*"]),
    (REPRODUCE, "power with acceptance over M | {} % (M = 7", ["horng91-fig-11/*"]),
    (REPRODUCE, "power with acceptance per buffer, over M | {} % (M = 7", ["horng91-fig-12/*"]),
    (REPRODUCE, "both on the 10-cube | separate {} %, shared {} %",
     ["horng92-fig-2.6/separate*", "horng92-fig-2.6/shared*"]),
    (REPRODUCE, "throughput {} %, {} %, {} % (k = 8, 4, 2), delay {} %, {} %, {} % | {} %, {} %, {} %; delay {} %, "
     "{} %, {} % |",
     [f"horng92-fig-4.*/{cube}/normalized_{metric}_{model}" for model in ("model", "model_own")
      for metric in ("throughput", "mean_delay") for cube in ("8-ary_2-cube", "4-ary_3-cube", "2-ary_6-cube")]),
    (REPRODUCE, "delay over λ, `separate-buffers`, 6-cube | {} % (λ = 1.8)", ["horng92-fig-2.2/*"]),
    (REPRODUCE, "| n = 6: {} %, n = 8: {} %, n = 10: {} % (λ = 1.8 each) |",
     [f"horng92-fig-2.5/n={n}/*" for n in (6, 8, 10)]),
    (REPRODUCE, "8-ary 2-cube, M = 2, 4, 6, 8 | {} %, {} %, {} %, {} % | {} %, {} %, {} %, {} % |",
     [f"horng92-fig-4.4/M={m}/throughput_{model}" for model in ("model", "model_own") for m in (2, 4, 6, 8)]),
    (REPRODUCE, "λ to 50; the delays | {} %, {} %, {} %, {} % | {} %, {} %, {} %, {} % |",
     [f"horng92-fig-4.5/M={m}/mean_delay_{model}" for model in ("model", "model_own") for m in (2, 4, 6, 8)]),
]


def rows_of(text):
    """{name: (value, unit)} of a summary."""
    return {row[0]: tuple(row[1:]) for row in csv.reader(text.splitlines()) if len(row) == 3}


def lines_of(text):
    return {name: float(value) for name, (value, _) in rows_of(text).items()}


def printed(program, ids):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *ids, "--csv", "--threads", str(os.cpu_count() or 1), "--out", folder],
                              capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def exhibit_of(line):
    return line.split("/")[0]


def greatest(lines, patterns):
    """Of the lines that match; None where nothing does."""
    values = [value for name, value in lines.items() for pattern in patterns.split()
              if fnmatch.fnmatchcase(name, pattern if pattern.endswith("difference")
                                     else pattern + "/worst_relative_difference")]
    return max(values, default=None)


def rounded(value, number):
    """The value in per cent with as many digits as the number has."""
    return f"{100 * value:.{len(number.partition('.')[2])}f}"


def check_claims(lines, write):
    for page, text, patterns in CLAIMS:
        content = (ROOT / page).read_text()
        found = list(re.finditer(re.escape(text).replace(r"\{\}", r"(\d+(?:\.\d+)?)"), content))
        if len(found) != 1:
            yield f"{page} has {text!r} {len(found)} times"
            continue
        values = [greatest(lines, pattern) for pattern in patterns]
        if None in values:
            yield f"no line of reproduced.csv is {patterns[values.index(None)]!r}"
            continue
        numbers = found[0].groups()
        right = [rounded(value, number) for value, number in zip(values, numbers)]
        if write:
            (ROOT / page).write_text(content.replace(found[0].group(), text.format(*right)))
        elif right != list(numbers):
            yield f"{page}: {found[0].group()!r}, but reproduce prints {', '.join(right)}"


def compare(kept, new, ids):
    """What was printed when the lines were kept is printed again. Other processors and mathematics libraries differ in the last
    digits."""
    for name in sorted(kept.keys() | new.keys()):
        if exhibit_of(name) in ids and not (
                name in kept and name in new and
                abs(kept[name] - new[name]) <= max(1e-9, 0.005 * abs(kept[name]))):
            yield f"{name}: {new.get(name)}, but reproduced.csv has {kept.get(name)}"


def main(program, what="quick", *ids):
    if what == "update":
        rows = {name: row for name, row in rows_of(KEPT.read_text()).items() if exhibit_of(name) not in ids}
        rows.update(rows_of(printed(program, ids)))
        KEPT.write_text("".join(f"{name},{value},{unit}\n" for name, (value, unit) in sorted(rows.items())))
    else:
        kept = lines_of(KEPT.read_text())
        ids = AT_ONCE if what != "all" else sorted(set(map(exhibit_of, kept)))
        problems = [*check_claims(kept, what == "write"), *compare(kept, lines_of(printed(program, ids)), ids)]
        print("\n".join(problems) or f"{len(CLAIMS)} claims, {len(kept)} lines")
        sys.exit(1 if problems else 0)


main(*sys.argv[1:])

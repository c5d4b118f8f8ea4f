"""What the pages say of accuracy is what `reproduce` prints.

usage: claims.py PROGRAM           every claim of pages/ and every table against reproduced.csv and rows/, which hold what full runs made; and quick.csv,
                                   which holds what the same exhibits print with --quick, against what they print now: where
                                   a model or a simulation has changed, the full runs are to be made again
       claims.py PROGRAM update ID...   runs exhibits in full (minutes each) and with --quick, and keeps what they make
       claims.py PROGRAM write     puts the numbers and tables into the pages
       claims.py PROGRAM all       runs every exhibit of reproduced.csv in full and compares
"""

import os
import subprocess
import sys
import tempfile

from pages import FULL, HERE, all_claims, check_claims, lines_of, summary, write_claims
from tables import ROWS, TABLES, check_tables, keep_rows

QUICK = HERE / "quick.csv"


def printed(program, ids, folder, *options):
    done = subprocess.run([program, *ids, "--csv", "--threads", str(os.cpu_count() or 1), "--out", folder, *options],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def exhibit_of(line):
    return line.split("/")[0]


def compare(kept, new, path):
    """What was printed when the lines were kept is printed again. Other processors and mathematics libraries differ in the last
    digits."""
    for name in sorted(kept.keys() | new.keys()):
        old, now = kept.get(name, (None,))[0], new.get(name, (None,))[0]
        if old is None or now is None or abs(old - now) > max(1e-9, 0.005 * abs(old)):
            yield f"{name}: {now}, but {path.name} has {old}; claims.py PROGRAM update {exhibit_of(name)}"


def update(program, ids, folder):
    for path, options in ((QUICK, ["--quick"]), (FULL, [])):
        made = summary(printed(program, ids, folder, *options))  # first: it takes minutes, and others may update meanwhile
        rows = {name: row for name, row in summary(path.read_text()).items() if exhibit_of(name) not in ids}
        rows.update(made)
        path.write_text("".join(f"{name},{value},{unit}\n" for name, (value, unit) in sorted(rows.items())))
    for exhibit in set(ids) & (TABLES.keys() | {path.stem for path in ROWS.glob("*.csv")}):
        keep_rows(f"{folder}/{exhibit}.csv", exhibit)


def main(folder, program, what="check", *ids):
    if what == "update":
        update(program, ids, folder)
        return
    kept, quick = lines_of(FULL.read_text()), lines_of(QUICK.read_text())
    if what == "write":
        write_claims(kept)
        list(check_tables(write=True))
    ids = sorted({*map(exhibit_of, [*kept, *quick])})
    problems = [*check_claims(kept), *check_tables()]
    if what == "check":
        problems += compare(quick, lines_of(printed(program, ids, folder, "--quick")), QUICK)
    elif what == "all":
        problems += compare(kept, lines_of(printed(program, ids, folder)), FULL)
    print("\n".join(problems) or f"{len([*all_claims()])} claims, {len(kept)} lines of {len(ids)} exhibits")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        main(made, *sys.argv[1:])

"""A part of a page that `reproduce` writes: compared with the page, or put into it."""

import csv
import subprocess
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def rows_of(program, exhibit):
    """What `reproduce EXHIBIT` writes, a dictionary a row."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, exhibit, "--out", folder], check=True, stdout=subprocess.DEVNULL)
        with open(Path(folder) / f"{exhibit}.csv", newline="") as file:
            return list(csv.DictReader(file))


def sentence(row):
    """Why it is refused, without the name of the function, and with N for that of the network."""
    text = row["refusal"].split(": ", 1)[-1]
    return text.split(" with these faults: ")[-1].replace(row["network"], "N")


def bring(exhibit, page, made, arguments):
    """Writes the part with arguments ("write",), else says how it differs. The exit status."""
    begin, end = f"<!-- tables: reproduce {exhibit} -->\n", "<!-- end of the tables -->\n"
    path = DOCS / page
    before, rest = path.read_text().split(begin)
    shown, after = rest.split(end)
    if arguments == ("write",):
        path.write_text(before + begin + made + end + after)
        return 0
    for line in sorted(set(made.splitlines()) ^ set(shown.splitlines())):
        print(f"{'not on the page' if line in made else 'only on the page'}: {line}")
    print("the page shows what is" if shown == made else f"{page} has other tables")
    return int(shown != made)

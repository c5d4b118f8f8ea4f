"""The tables of docs/routing.md are what `reproduce routing-table` writes.

    routing_table.py PROGRAM        compares them
    routing_table.py PROGRAM write  writes them into the page
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "routing.md"
BEGIN, END = "<!-- tables: reproduce routing-table -->\n", "<!-- end of the tables -->\n"


def rows_of(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "routing-table", "--out", folder], check=True,
                       stdout=subprocess.DEVNULL)
        with open(Path(folder) / "routing-table.csv", newline="") as file:
            return list(csv.DictReader(file))


def sentence(row):
    """Why it is refused, without the name of the function, and with N for that of the network."""
    text = row["refusal"].split(": ", 1)[1]
    return text.split(" with these faults: ")[-1].replace(row["network"], "N")


def cell(row):
    if row is None:
        return "-"
    if row["refusal"]:
        return sentence(row)
    return (f"{row['virtual_channels']}, {row['verdict']}, {row['longest_walk']}, "
            f"{float(row['saturation_load']):.4g}")


def tables(rows):
    """The two tables: who serves what, and who refuses what."""
    pairs, refused = {}, []
    for row in rows:
        pairs.setdefault((row["routing"], row["network"]), {})[row["damaged"]] = row
    lines = ["| routing | network | whole | node N/2 faulty |", "|---|---|---|---|"]
    for (routing, network), both in pairs.items():
        if both["0"]["refusal"]:
            assert sentence(both["0"]) == sentence(both.get("1", both["0"])), both
            if (routing, sentence(both["0"])) not in refused:
                refused.append((routing, sentence(both["0"])))
        else:
            lines.append(f"| `{routing}` | {network} | {cell(both['0'])} | {cell(both.get('1'))} |")
    lines += ["", "All other pairs are refused, whole and damaged, with this error text (N is the network):", "",
              "| routing | sentence |", "|---|---|"]
    lines += [f"| `{routing}` | {text} |" for routing, text in refused]
    return "\n".join(lines) + "\n"


def main(program, *arguments):
    made = tables(rows_of(program))
    before, rest = PAGE.read_text().split(BEGIN)
    shown, after = rest.split(END)
    if arguments == ("write",):
        PAGE.write_text(before + BEGIN + made + END + after)
        return 0
    for line in sorted(set(made.splitlines()) ^ set(shown.splitlines())):
        print(f"{'not on the page' if line in made else 'only on the page'}: {line}")
    print("the page shows what is" if shown == made else f"{PAGE.name} has other tables")
    return shown != made


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

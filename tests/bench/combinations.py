"""The tables of docs/combinations.md are what `reproduce combinations` writes.

    combinations.py PROGRAM        compares them
    combinations.py PROGRAM write  writes them into the page
"""

import sys

from generated_page import bring, rows_of, sentence

MARKS = {("1", "1"): "both", ("1", "0"): "whole", ("0", "1"): "damaged", ("0", "0"): "-"}


def matrix(rows):
    """Who runs on what: a line for each network, a column for each routing."""
    runs = {(row["network"], row["routing"], row["damaged"]): row["runs"] for row in rows}
    networks = list(dict.fromkeys(row["network"] for row in rows))
    routings = list(dict.fromkeys(row["routing"] for row in rows))
    lines = ["| network | " + " | ".join(routings) + " |", "|---" * (len(routings) + 1) + "|"]
    for network in networks:
        cells = [MARKS[runs[network, routing, "0"], runs[network, routing, "1"]]
                 for routing in routings]
        lines.append(f"| {network} | " + " | ".join(cells) + " |")
    return lines


def refusals(rows):
    """Each sentence once for a routing."""
    texts = dict.fromkeys((row["routing"], sentence(row)) for row in rows if row["runs"] == "0")
    if not texts:
        return []
    return ["", "| routing | refuses with the sentence (N: the network) |", "|---|---|",
            *(f"| {routing} | {text} |" for routing, text in texts)]


def tables(rows):
    lines = []
    for system in dict.fromkeys(row["system"] for row in rows):
        of_system = [row for row in rows if row["system"] == system]
        lines += [f"## `{system}`", "", *matrix(of_system), *refusals(of_system), ""]
    return "\n".join(lines)


def main(program, *arguments):
    rows = rows_of(program, "combinations")
    for row in rows:
        assert row["runs"] == "1" or row["refusal"], row
    return bring("combinations", "combinations.md", tables(rows), arguments)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""What goes with what: system, network, routing and damage, as `reproduce combinations` finds out.

    combinations.py PROGRAM            compares it with combinations.txt, a letter for each combination
    combinations.py PROGRAM write      writes combinations.txt
    combinations.py PROGRAM page FILE  writes the tables of the manual, with the sentences of all refusals
"""

import sys
from pathlib import Path

from generated_page import rows_of, sentence

KEPT = Path(__file__).with_name("combinations.txt")
MARKS = {("1", "1"): "both", ("1", "0"): "whole", ("0", "1"): "damaged", ("0", "0"): "-"}
ABOUT = """\
Each combination was simulated for a short time. `both` means that it runs on the whole network and on the damaged one,
whose node in the middle is faulty; `whole` and `damaged` that it runs only so; `-` that a sentence refuses it, which
stands below the table. `default` is the routing that a system takes by itself. The routing `own` is a function that gives
the lowest port that comes closer, in virtual channel 0.

"""


def matrices(rows):
    """{system: {network: {routing: mark}}}"""
    runs = {(row["system"], row["network"], row["routing"], row["damaged"]): row["runs"] for row in rows}
    made = {}
    for system, network, routing, _ in runs:
        made.setdefault(system, {}).setdefault(network, {})[routing] = MARKS[
            runs[system, network, routing, "0"], runs[system, network, routing, "1"]]
    return made


def letters(rows):
    """A line for each network: its name, and the first letter of each mark."""
    for system, networks in matrices(rows).items():
        yield f"{system}: {' '.join(next(iter(networks.values())))}"
        yield from (f"  {network} {''.join(mark[0] for mark in marks.values())}" for network, marks in networks.items())


def refusals(rows):
    """Each sentence once for a routing."""
    return dict.fromkeys((row["routing"], sentence(row)) for row in rows if row["runs"] == "0")


def page(rows):
    yield ABOUT
    for system, networks in matrices(rows).items():
        routings = next(iter(networks.values()))
        yield f"### `{system}`\n\n| network | {' | '.join(routings)} |\n{'|---' * (len(routings) + 1)}|\n"
        yield from (f"| {network} | {' | '.join(marks.values())} |\n" for network, marks in networks.items())
        if texts := refusals(row for row in rows if row["system"] == system):
            yield "\n| routing | refuses with the sentence (N: the network) |\n|---|---|\n"
            yield from (f"| {routing} | {text} |\n" for routing, text in texts)
        yield "\n"


def main(program, what="compare", file=None):
    rows = rows_of(program, "combinations")
    for row in rows:
        assert (row["runs"] == "1") == (row["refusal"] == ""), row
        assert row["runs"] == "1" or len(sentence(row).split()) > 3, row
    made = "".join(line + "\n" for line in letters(rows))
    if what == "page":
        Path(file).write_text("".join(page(rows)))
    elif what == "write":
        KEPT.write_text(made)
    elif made != KEPT.read_text():
        for line in sorted(set(made.splitlines()) ^ set(KEPT.read_text().splitlines())):
            print(f"{'now' if line in made else 'kept'}: {line}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

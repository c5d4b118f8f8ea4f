"""The tables of docs/reference/routings.md are what `reproduce routing-table` writes.

    routing_table.py PROGRAM        compares them
    routing_table.py PROGRAM write  writes them into the page
"""

import sys

from generated_page import bring, rows_of, sentence


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
              "| routing | error text |", "|---|---|"]
    lines += [f"| `{routing}` | {text} |" for routing, text in refused]
    return "\n".join(lines) + "\n"


def main(program, *arguments):
    made = tables(rows_of(program, "routing-table"))
    return bring("routing-table", "reference/routings.md", made, arguments)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Tables of pages that are made from the rows of exhibits in rows/, those of full runs: between <!-- tables: reproduce ID --> and
<!-- end of the tables -->."""

import csv
import itertools
import pathlib
import re
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ROWS = HERE / "rows"


def keep_rows(written, exhibit):
    """Of a file that a full run has written; not those that only draw a line."""
    with open(written, newline="") as file:
        header, *rows = csv.reader(file)
    simulated = [i for i, name in enumerate(header) if name.endswith("_simulation")]
    with open(ROWS / f"{exhibit}.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(row for row in rows if not simulated or any(row[i] for i in simulated))


def rows_of(exhibit):
    with open(ROWS / f"{exhibit}.csv", newline="") as file:
        return [{name: number(field) for name, field in row.items()} for row in csv.DictReader(file)]


def number(field):
    try:
        return float(field)
    except ValueError:
        return field


def table(header, rows):
    return "".join(f"| {' | '.join(row)} |\n" for row in ([header, ["---"] * len(header), *rows])).replace(" --- ", "---")


def short(value, digits=0):
    """Without a sign where it is nothing, and without ends of zeros."""
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        return "0"
    return f"{float(text):g}" if digits > 1 else text


def network(row):
    worms = {0.0: ", unicasts", 0.1: ", a tenth broadcasts"}[row["broadcast_fraction"]]
    return f"{row['system']}, {row['dimensions']:g}-cube{worms if row['system'] == 'wormhole' else ''}"


def coverage(rows):
    lengths = sorted({row["measure_cycles"] for row in rows})
    made = []
    for (name, load), cells in itertools.groupby(rows, lambda row: (network(row), row["load_percent"])):
        made.append([name, f"{load:g}", *(", ".join((short(c["coverage_percent"]), short(c["infinite_percent"]),
                                                     f"{c['width']:.1f}", short(c["bias"], 1))) for c in cells)])
    return table(["network", "load, %", *(f"{n:,.0f} cycles".replace(",", " " if n >= 10000 else "") for n in lengths)],
                 made)


def verdicts(rows):
    return table(["network", "load, % of saturation", "saturated", "not settled", "settled"],
                 [[network(row), f"{row['load_percent']:g}",
                   *(short(row[f"{verdict}_percent"], 2) for verdict in ("saturated", "unsettled", "settled"))]
                  for row in rows])


def errors_of_deflection(rows):
    loads = [0.5, 1, 1.5, 2, 3, 4]
    made = []
    for buffers, name in itertools.product((6, 8, 10, 12, 20), ("throughput", "delay")):
        metric = {"throughput": "throughput", "delay": "mean_delay"}[name]
        of = {row["load"]: 100 * (row[f"{metric}_model"] / row[f"{metric}_simulation"] - 1)
              for row in rows if row["buffers"] == buffers}
        made.append([f"{buffers}: {name}", *(f"{of[load]:.1f}".replace("-0.0", "0.0") for load in loads)])
    return table(["M", "load 0.5", *(f"{load:.1f}" for load in loads[1:])], made)


def error_cells(rows, name, bound):
    if not rows:
        return ["-", "-", "-"]
    errors = [row[name] for row in rows]
    rms = (sum(e * e for e in errors) / len(errors)) ** 0.5
    return [f"{rms:.1f}", f"{max(errors, key=abs):+.1f}", f"{sum(abs(e) > bound for e in errors)} of {len(rows)}"]


def errors_of_deflection_at_random(rows):
    made = []
    by_class = lambda row: (row["kind"], row["buffers_a_channel"], row["capacity"])
    for of_class, points in itertools.groupby(sorted(rows, key=by_class), by_class):
        points = list(points)
        made.append([of_class[0], of_class[1].removeprefix("buffers="), of_class[2],
                     *error_cells(points, "own_delay_percent", 2), *error_cells(points, "own_throughput_percent", 2)])
    return table(["network", "M/n", "load", "delay: rms", "worst", "above 2 %", "throughput: rms", "worst", "above 2 %"],
                 made)


def errors_of_cut_through_deflection(rows):
    kinds = {"Boolean 4-, 6- and 8-cube": lambda row: row["radix"] == 2,
             "4-, 8- and 16-ary 2-cube": lambda row: row["radix"] > 2 and row["dimensions"] == 2,
             "4-ary 3-cube, 3-ary 4-cube": lambda row: row["radix"] > 2 and row["dimensions"] > 2}
    made = []
    for (kind, is_of), m in itertools.product(kinds.items(), (1, 2, 3, 4)):
        on_two_rings = m == 1 and "2-cube" in kind  # where the model covers 3 buffers and more
        of = [row for row in rows if is_of(row) and row["buffers"] == (3 if on_two_rings else m * row["dimensions"])]
        made.append([kind, "3" if on_two_rings else f"{m}n".replace("1n", "n"), *error_cells(of, "own_delay_percent", 3),
                     *error_cells(of, "own_throughput_percent", 3)])
    return table(["", "M", "delay: rms", "worst", "above 3 %", "throughput: rms", "worst", "above 3 %"], made)


def errors_between(errors, simulated):
    """The least and the greatest error; where some points were saturated, how many were not; none outside of a model's region."""
    if all(error == "" for error in errors) and any(delay != "" for delay in simulated):
        return "-"
    known = [error for error in errors if error != ""]
    count = f"({len(known)} of {len(errors)})" if len(known) < len(errors) else ""
    bounds = dict.fromkeys(f"{round(error, 1) + 0.0:+.1f}" for error in (min(known), max(known))) if known else {}
    return " ".join(filter(None, (" to ".join(bounds), count)))


def errors_of_cut_through(rows):
    bands = ((0.1, 0.4), (0.4, 0.7), (0.7, 0.9))
    made = []
    for routing, buffers in itertools.product(dict.fromkeys(row["routing"] for row in rows), (1, 2, 4, 0)):
        of = [row for row in rows if row["routing"] == routing and row["message_buffers"] == buffers]
        made.append([f"`{routing}`", f"{buffers or 'unlimited'}",
                     *(errors_between(*zip(*((row[f"{model}_percent"], row["mean_delay"])
                                             for row in of if low <= row["share_of_limit"] < high)))
                       for model in ("own", "published") for low, high in bands)])
    of_bands = [f"{100 * low:.0f} to {100 * high:.0f} %" for low, high in bands]
    return table(["routing", "`message_buffers`", *(f"{model}, {band}" for model in ("own", "published") for band in of_bands)],
                 made)


def errors_of_worms(rows):
    kinds = {"Boolean n-cube, V = 2 and 3": lambda row: row["radix"] == 2 and row["virtual_channels"] <= 3,
             "Boolean n-cube, V = 4 to 8": lambda row: row["radix"] == 2 and row["virtual_channels"] > 3,
             "torus 8 x 8": lambda row: row["radix"] == 8 and row["dimensions"] == 2,
             "torus 16 x 16": lambda row: row["radix"] == 16,
             "torus 8 x 8 x 8": lambda row: row["radix"] == 8 and row["dimensions"] == 3}
    loads = {"to 60 %": lambda row: row["share_of_saturation"] <= 0.6, "above": lambda row: row["share_of_saturation"] > 0.6}
    made = []
    for (kind, is_of), (load, is_at) in itertools.product(kinds.items(), loads.items()):
        if of := [row for row in rows if is_of(row) and is_at(row)]:
            made.append([kind, load])
            for error in ("unicast_percent", "broadcast_percent"):
                made[-1] += error_cells([row for row in of if row[error] != ""], error, 5)
    return table(["network", "load", "unicasts: rms", "worst", "above 5 %", "broadcasts: rms", "worst", "above 5 %"], made)


def between(lower, upper):
    return f"{lower:.3g}" if lower == upper else f"{lower:.3g}..{upper:.3g}"


def of_flits(row):
    flits = 16 if row["system"] == "wormhole" else 1
    return (f"{flits * row['throughput']:.3g} ± {flits * row['throughput_half_width']:.1g}",
            f"{flits * row['throughput_a_link']:.3g}")


def networks_compared(of_deflection):
    """The static columns, and what each system carried at most without saturation; with the rows of the sibling exhibits."""
    size = 64 if of_deflection[0]["nodes"] < 512 else 1024
    systems = [of_deflection, *(rows_of(f"networks-compared-{size}-{system}") for system in ("stored", "wormhole"))]
    made = []
    for static in rows_of("networks-compared"):
        of_network = [[row for row in rows if row["network"] == static["network"] and row["saturated"] == 0] for rows in systems]
        if not of_network[0]:
            continue
        most = [max(rows, key=lambda row: row["throughput"]) for rows in of_network]
        made.append([static["name"], short(static["links"]), f"{static['mean_distance']:.2f}",
                     "..".join(dict.fromkeys(short(static[f"bisection_{end}"]) for end in ("lower", "upper"))),
                     between(static["cost_effectiveness_lower"], static["cost_effectiveness_upper"]),
                     f"{static['saturation_minimal']:.3g}",
                     *itertools.chain.from_iterable(map(of_flits, most))])
    return table(["network", "links", "mean distance", "bisection width", "LC", "limit",
                  *itertools.chain.from_iterable((name, "per link") for name in ("deflection", "stored", "worms"))], made)


SIZES = [16, 64, 256, 1024, 4096, 16384]


def allreduces(rows):
    """A line an algorithm: its steps, the flits over its busiest channel, cycles with worms, and with cut-through at last."""
    made = []
    for name, found in itertools.groupby(rows, lambda row: row["network"]):
        of_network = list(found)
        for algorithm, cells in itertools.groupby(of_network, lambda row: row["algorithm"]):
            by_size = {row["flits"]: row for row in cells}
            last = by_size[SIZES[-1]]
            made.append([name, f"`{algorithm}`", short(last["steps"]), short(last["busiest_flits"]),
                         *(short(by_size[size]["wormhole_cycles"]) for size in SIZES), short(last["cut_through_cycles"])])
        bounds = {row["flits"]: row["bound"] for row in of_network}
        made.append([name, "bound", "", short(bounds[SIZES[-1]]), *(short(bounds[size]) for size in SIZES), short(bounds[SIZES[-1]])])
    return table(["network", "algorithm", "steps", "busiest channel, M = 16384", *(f"M = {size}" for size in SIZES),
                  "cut-through, M = 16384"], made)


def crossings(rows):
    """A line a torus and algorithm: from which vectors on it is faster, and cycles for the longest; worms, then cut-through."""
    made = []
    for (torus, algorithm), cells in itertools.groupby(rows, lambda row: (row["torus"], row["algorithm"])):
        made.append([torus, f"`{algorithm}`", *itertools.chain.from_iterable(
            (short(row["faster_than_swing_from"]) if row["faster_than_swing_from"] != "" else "never",
             short(row["cycles_16384"]), short(row["swing_cycles_16384"]))
            for row in sorted(cells, key=lambda row: row["system"], reverse=True))])
    return table(["torus", "algorithm", *itertools.chain.from_iterable(
        (f"{system}: faster from M =", "cycles, M = 16384", "`swing`") for system in ("wormhole", "cut-through"))], made)


# exhibit: where its table stands, and how it is made
TABLES = {
    "cut-through-deflection-model": ("docs/lab/accuracy.md", errors_of_cut_through_deflection),
    "cut-through-model": ("docs/lab/accuracy.md", errors_of_cut_through),
    "collectives-allreduce": ("docs/lab/collective-tables.md", allreduces),
    "collectives-crossing": ("docs/lab/collective-tables.md", crossings),
    "coverage": ("docs/lab/confidence.md", coverage),
    "verdicts": ("docs/lab/confidence.md", verdicts),
    "deflection-model": ("docs/lab/accuracy.md", errors_of_deflection_at_random),
    "horng92-fig-3.9": ("docs/errata.md", errors_of_deflection),
    "networks-compared-1024-deflection": ("docs/topologies.md", networks_compared),
    "networks-compared-64-deflection": ("docs/topologies.md", networks_compared),
    "wormhole-model": ("docs/lab/accuracy.md", errors_of_worms),
}


def check_tables(write=False):
    """How the tables differ from the rows; with write they are put into the pages."""
    for exhibit, (page, make) in TABLES.items():
        content = (ROOT / page).read_text()
        found = re.search(rf"^( *)<!-- tables: reproduce {re.escape(exhibit)} -->\n(.*?)^ *<!-- end of the tables -->$",
                          content, re.MULTILINE | re.DOTALL)
        if not found:
            yield f"{page} has no place for the table of {exhibit}"
            continue
        made = textwrap.indent(make(rows_of(exhibit)), found[1])
        if write:
            (ROOT / page).write_text(content[:found.start(2)] + made + content[found.end(2):])
            continue
        for line in sorted(set(made.splitlines()) ^ set(found[2].splitlines())):
            yield f"{page}: {'not there' if line in made else 'not so'}: {line}"

"""The tables of pages that come from the library: `<!-- table: NAME -->` in a page stands for the table."""

import json
import re
import subprocess
import sys

# Run by a Python that has the package.
ASK = """
import cubenet, json
print(json.dumps({
    "parameters": [parameter._asdict() for parameter in cubenet.parameters()],
    "metrics": [metric._asdict() for metric in cubenet.metrics()],
    "systems": [system._asdict() for system in cubenet.systems()],
    "routings": [routing._asdict() for routing in cubenet.routings()]}))
"""
MARK = re.compile(r"^<!-- table: (\w+) -->$", re.MULTILINE)
made = {}


def number(value):
    """As one writes it: 1000, 1e15, 0.005."""
    short = f"{value:.0e}" if not 1e-3 <= abs(value) < 1e7 else f"{value:.15g}"
    return "0" if value == 0 else re.sub(r"e\+?(-?)0*", r"e\1", short if float(short) == value else f"{value:.15g}")


def cell(text):
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


def table(head, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]) + "\n"


def values_of(parameter):
    """The values that a parameter takes, and its default."""
    choices, least = parameter["choices"], parameter["least"]
    if least == 0 and choices and len(choices) == parameter["greatest"] + 1:
        return "<br>".join(f"`{name}`: {cell(text)}" for name, text in choices.items()), \
            f"`{list(choices)[int(parameter['default'])]}`"
    unit = "" if parameter["unit"] == "1" else f" {parameter['unit']}"
    span = f"{number(least + len(choices))} to {number(parameter['greatest'])}{unit}"
    names = "".join(f"<br>`{name}`: {cell(text)}" for name, text in choices.items())
    at = int(parameter["default"] - least) if parameter["default"] < least + len(choices) else None
    default = number(parameter["default"]) if at is None else f"`{list(choices)[at]}`"
    return ("whole, " if parameter["whole"] else "") + span + names, default


def of_parameters(asked):
    rows = []
    for parameter in asked["parameters"]:
        takers = [system["name"] for system in asked["systems"] if parameter["name"] in system["parameters"]]
        values, default = values_of(parameter)
        rows.append([f"`{parameter['name']}`", f"{cell(parameter['meaning'])}<br>{values}", default,
                     "all" if len(takers) == len(asked["systems"]) else ", ".join(takers)])
    return table(["parameter", "meaning and values", "default", "systems"], rows)


def of_metrics(asked):
    return table(["metric", "unit", "meaning", "source"],
                 [[f"`{metric['name']}`", metric["unit"], cell(metric["meaning"]), cell(metric["source"])]
                  for metric in asked["metrics"]])


def of_systems(asked):
    return table(["system", "what it is", "attachments"],
                 [[f"`{system['name']}`", cell(system["summary"]), ", ".join(system["attachments"])]
                  for system in asked["systems"]])


def of_routings(asked):
    return table(["routing", "what it offers"],
                 [[f"`{routing['name']}`", cell(routing["summary"])] for routing in asked["routings"]])


def of_combinations(file):
    """A table of networks and routings for each system, and the sentences of the refusals."""
    if file is None:
        return "This site was built without the program `reproduce` (option `-Dbench=true`), which makes the tables.\n"
    return re.sub("^###", "##", file.read_text(encoding="utf-8"), flags=re.MULTILINE)


def make(python, environment, combinations):
    asked = subprocess.run([python, "-c", ASK], env=environment, stdout=subprocess.PIPE, text=True)
    if asked.returncode != 0:
        sys.exit("The tables of parameters cannot be made, for the package does not load.")
    answers = json.loads(asked.stdout)
    made.update(parameters=of_parameters(answers), metrics=of_metrics(answers), systems=of_systems(answers),
                routings=of_routings(answers), combinations=of_combinations(combinations))


def filled(text):
    """A page with its tables."""
    def put(found):
        if found[1] not in made:
            sys.exit(f"There is no table {found[1]}; there are {', '.join(made)}.")
        return made[found[1]]
    return MARK.sub(put, text)

"""The comments of parameter.h, metric.h and study.h and the types of Python say what the tables of the library say.

    test_reference.py [--update] libcubenet.so

--update writes them anew."""

import ctypes
import json
import re
import sys
import textwrap

import tree

PARAMETERS = tree.PUBLIC / "parameter.h"
METRICS = tree.PUBLIC / "metric.h"
STUDIES = tree.EXPERIMENTAL / "study.h"
TYPES = tree.ROOT / "lib" / "python" / "cubenet" / "_parameters.py"
CUBES = 5, 6, 7  # dimensions of the cubes on which the defaults of the systems are looked at
WIDTH = 93


def load(path):
    library = ctypes.CDLL(path)
    for name in ("cn_param_name", "cn_param_unit", "cn_param_meaning", "cn_metric_name",
                 "cn_metric_unit", "cn_metric_meaning", "cn_metric_source", "cn_study_param_name",
                 "cn_study_param_unit", "cn_study_param_meaning"):
        getattr(library, name).restype = ctypes.c_char_p
        getattr(library, name).argtypes = [ctypes.c_int]
    for name in "cn_param_choice_name", "cn_param_choice_meaning":
        getattr(library, name).restype = ctypes.c_char_p
        getattr(library, name).argtypes = [ctypes.c_int, ctypes.c_size_t]
    library.cn_param_choice_count.restype = ctypes.c_size_t
    library.cn_system_name.restype = ctypes.c_char_p
    library.cn_system_name.argtypes = [ctypes.c_size_t]
    library.cn_system_takes.argtypes = [ctypes.c_size_t, ctypes.c_int]
    library.cn_system_count.restype = ctypes.c_size_t
    return library


def must(status):
    if status != 0:
        sys.exit(f"a call failed with status {status}")


def number(value):
    """As one writes it: 1000, 1e15, 0.005."""
    short = f"{value:.0e}" if not 1e-3 <= abs(value) < 1e7 else f"{value:.15g}"
    if float(short) != value:
        short = f"{value:.15g}"
    return "0" if value == 0 else re.sub(r"e\+?(-?)0*", r"e\1", short)


def unit(text):
    return "" if text == "1" else f" {text}"


class Tables:
    def __init__(self, library):
        self.library = library
        self.systems = [library.cn_system_name(i).decode()
                        for i in range(library.cn_system_count())]
        self.scenarios = [self.on_cube(n) for n in CUBES]

    def on_cube(self, dimensions):
        """A scenario of every system."""
        cube = ctypes.c_void_p()
        must(self.library.cn_topology_hypercube(dimensions, ctypes.byref(cube)))
        made = [ctypes.c_void_p() for _ in self.systems]
        for name, scenario in zip(self.systems, made):
            must(self.library.cn_scenario_new(cube, name.encode(), ctypes.byref(scenario)))
        return made

    def text(self, function, *row):
        return getattr(self.library, function)(*row).decode()

    def default_of(self, row, least, index):
        """Of a system: a value, or a multiple of the degree."""
        values = []
        for scenarios in self.scenarios:
            value = ctypes.c_double()
            must(self.library.cn_scenario_get(scenarios[index], row, ctypes.byref(value)))
            values.append(value.value)
        if len(set(values)) == 1:
            return self.value(row, least, values[0])
        multiples = {value / n for value, n in zip(values, CUBES)}
        if len(multiples) > 1:
            sys.exit(f"parameter {row}: its default is no multiple of the degree")
        return f"{number(multiples.pop())} times the greatest degree"

    def defaults(self, row, least, default, takers):
        """That of the row, and those of the systems that begin with another value."""
        usual = self.value(row, least, default)
        own = {}
        for index in takers:
            value = self.default_of(row, least, index)
            if value != usual:
                own.setdefault(value, []).append(self.systems[index])
        return usual + "".join(f"; {', '.join(systems)}: {value}" for value, systems in own.items())

    def param(self, row):
        least, greatest, default = (ctypes.c_double() for _ in range(3))
        whole = ctypes.c_int()
        must(self.library.cn_param_range(row, *map(ctypes.byref, (least, greatest, default, whole))))
        takers = [i for i in range(len(self.systems)) if self.library.cn_system_takes(i, row)]
        names = ("all systems" if len(takers) == len(self.systems) else
                 ", ".join(self.systems[i] for i in takers) or "no system")
        choices = self.library.cn_param_choice_count(row)
        is_choice = least.value == 0 and choices == greatest.value + 1
        values = "; ".join(f'{self.value(row, 0, i)}: {self.text("cn_param_choice_meaning", row, i)}'
                           for i in range(choices)) if is_choice else (
            f'{"Whole, " if whole.value else ""}{self.span(row, least.value, greatest.value)}')
        return [f'"{self.text("cn_param_name", row)}": {self.text("cn_param_meaning", row)}.',
                f"{values}.",
                f"Default {self.defaults(row, least.value, default.value, takers)}. Taken by {names}."]

    def study_param(self, row):
        least, greatest, default = (ctypes.c_double() for _ in range(3))
        whole = ctypes.c_int()
        must(self.library.cn_study_param_range(row, *map(ctypes.byref, (least, greatest, default, whole))))
        of = unit(self.text("cn_study_param_unit", row))
        return [f'"{self.text("cn_study_param_name", row)}": {self.text("cn_study_param_meaning", row)}.',
                f'{"Whole, " if whole.value else ""}{number(least.value)} to {number(greatest.value)}{of}; '
                f'default {number(default.value)}.']

    def value(self, row, least, value):
        """A number; where it has a name, that name."""
        if value - least < self.library.cn_param_choice_count(row):
            return '"' + self.text("cn_param_choice_name", row, int(value - least)) + '"'
        return number(value)

    def span(self, row, least, greatest):
        of = unit(self.text("cn_param_unit", row))
        names = self.library.cn_param_choice_count(row) if least < 0 else 0
        return (f"{number(least + names)} to {number(greatest)}{of}"
                + "".join(f", or {self.value(row, least, least + i)}" for i in range(names)))

    def metric(self, row):
        source = self.text("cn_metric_source", row)
        of = self.text("cn_metric_unit", row)
        return [f'"{self.text("cn_metric_name", row)}"{"" if of == "1" else f", in {of}"}: '
                f'{self.text("cn_metric_meaning", row)}.', *([f"Source: {source}."] if source else [])]


def comment(paragraphs):
    lines = [line for paragraph in paragraphs
             for line in textwrap.wrap(paragraph, WIDTH, break_long_words=False,
                                       break_on_hyphens=False)]
    if len(lines) == 1 and len(lines[0]) <= WIDTH - 7:
        return [f"    /** {lines[0]} */"]
    return ["    /**", *(f"     * {line}" for line in lines), "     */"]


def rewritten(text, enum, prefix, paragraphs):
    """The header with the comments of one enum made from the table."""
    match = re.search(rf"(typedef enum {enum} {{\n)(.*?)(}} {enum};)", text, re.DOTALL)
    rows = re.findall(rf"\b({prefix}\w+) = (\d+)", tree.without_comments(match[2]))
    body = []
    for place, (constant, value) in enumerate(rows):
        body += comment(paragraphs(int(value)))
        body.append(f"    {constant} = {value}{',' if place < len(rows) - 1 else ''}")
    return text[:match.start(2)] + "\n".join(body) + "\n" + text[match.end(2):]


# ---- Python ----

MODULE = '''"""The parameters as keywords and attributes of a Scenario.

Written by tests/project/test_reference.py --update."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Literal
    from ._collective import Operations
    from ._fault import Faults
    from ._hints import Real, Whole
    from ._routing import Routing
    from ._subnet import Subnet
    from ._topology import Topology
    from ._traffic import Traffic
    from ._workload import Workload


class _Parameters:
    """Parameters by system; parameters() has what they mean:

{systems}
    """

{attributes}

    def __init__(self, topology: Topology, system: str, *, seed: Whole = 1,
                 routing: Routing | str | None = None, faults: Faults | None = None,
                 subnet: Subnet | None = None, traffic: Traffic | str | None = None,
                 operations: Operations | Whole | None = None, workload: Workload | None = None,
{keywords}) -> None: ...
'''


def python_types(tables, row):
    """Of an attribute and of a keyword."""
    least, greatest = ctypes.c_double(), ctypes.c_double()
    whole, count = ctypes.c_int(), tables.library.cn_param_choice_count(row)
    must(tables.library.cn_param_range(row, *map(ctypes.byref, (least, greatest)), None, ctypes.byref(whole)))
    names = [tables.text("cn_param_choice_name", row, i) for i in range(count)]
    if names == ["no", "yes"]:
        return "bool", "bool"
    chosen = [f"Literal[{', '.join(map(json.dumps, names))}]"] if names else []
    if least.value == 0 and count == greatest.value + 1:
        return chosen[0], chosen[0]
    return (" | ".join([one, *chosen]) for one in (("int", "Whole") if whole.value else ("float", "Real")))


def python_module(tables):
    rows = [row for row in range(1, tables.library.cn_param_count() + 1) if tables.library.cn_param_name(row)]
    attributes, keywords, systems = [], [], []
    for row in rows:
        name = tables.text("cn_param_name", row)
        if name == "operations":  # a property of the class, which takes a list of them, too
            continue
        attribute, keyword = python_types(tables, row)
        meaning = tables.text("cn_param_meaning", row)
        attributes += textwrap.wrap(f"{name}: {attribute}", 112, break_long_words=False, initial_indent=4 * " ",
                                    subsequent_indent=8 * " ")
        attributes += textwrap.wrap(f'"""{meaning[0].upper()}{meaning[1:]}."""', 116, initial_indent=4 * " ",
                                    subsequent_indent=4 * " ", break_on_hyphens=False)
        keywords.append(f"{name}: {keyword} = ...")
    for index, system in enumerate(tables.systems):
        taken = [tables.text("cn_param_name", row) for row in rows if tables.library.cn_system_takes(index, row)]
        systems += textwrap.wrap(f"{system}: {', '.join(taken)}", 108, initial_indent=4 * " ",
                                 subsequent_indent=8 * " ", break_on_hyphens=False)
    return MODULE.format(systems="\n".join(systems), attributes="\n".join(attributes), keywords=",\n".join(
        17 * " " + keyword for keyword in keywords))


# ---- all of them ----

arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
tables = Tables(load(arguments[0]))
problems = []
if "--update" in sys.argv:
    TYPES.write_text(python_module(tables))
elif TYPES.read_text() != python_module(tables):
    problems.append(f"{tree.name(TYPES)}: differs from the table; test_reference.py --update writes it")
for header, enum, prefix, paragraphs in [(PARAMETERS, "cn_param", "CN_PARAM_", tables.param),
                                         (METRICS, "cn_metric", "CN_METRIC_", tables.metric),
                                         (STUDIES, "cn_study_param", "CN_STUDY_", tables.study_param)]:
    before = header.read_text()
    after = rewritten(before, enum, prefix, paragraphs)
    if "--update" in sys.argv:
        header.write_text(after)
        continue
    have, want = before.split("\n"), after.split("\n")
    problems += [f"{header.name}: the tables say: {line.strip()}" for line in want if line not in have]
    problems += [f"{header.name}: the tables do not say: {line.strip()}" for line in have
                 if line not in want]
    if before != after:
        problems.append(f"{header.name}: the comments differ from the tables; "
                        "test_reference.py --update writes them")
tree.finish(problems)

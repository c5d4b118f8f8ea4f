"""The comments of parameter.h, metric.h and study.h say what the tables of the library say.

    test_reference.py [--update] libcubenet.so

--update writes them anew."""

import ctypes
import re
import sys
import textwrap

import tree

PARAMETERS = tree.PUBLIC / "parameter.h"
METRICS = tree.PUBLIC / "metric.h"
STUDIES = tree.EXPERIMENTAL / "study.h"
CUBES = 5, 6, 7  # dimensions of the cubes on which the defaults of the systems are looked at
WIDTH = 94  # of the text of a comment


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


arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
tables = Tables(load(arguments[0]))
problems = []
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

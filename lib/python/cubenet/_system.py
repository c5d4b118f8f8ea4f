"""The tables: systems, parameters, metrics."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Any, NamedTuple, TYPE_CHECKING

from ._enum import _names, _value_of
from ._errors import NotFoundError, UnsupportedError
from ._function import _c, _declare
from ._handle import _ANY
from ._values import _number
from ._words import _with_names

if TYPE_CHECKING:
    from ._topology import Topology

_declare("""
    text   cn_version_text()
    size   cn_system_count()
    text   cn_system_name(size index)
    text   cn_system_summary(size index)
    status cn_system_from_name(text name, out size index)
    status cn_system_check_model(size index, topology topology)
    status cn_system_check_simulator(size index, topology topology)
    int    cn_system_takes_attachment(size index, int attachment)
    int    cn_system_takes(size index, int param)
    size   cn_param_count()
    text   cn_param_name(int param)
    text   cn_param_unit(int param)
    text   cn_param_meaning(int param)
    status cn_param_range(int param, out f64 least, out f64 greatest, out f64 default_value,
                          out int whole)
    status cn_param_from_name(text name, out int param)
    size   cn_param_choice_count(int param)
    text   cn_param_choice_name(int param, size value)
    text   cn_param_choice_meaning(int param, size value)
    status cn_param_choice_from_name(int param, text name, out f64 value)
    size   cn_metric_count()
    text   cn_metric_name(int metric)
    text   cn_metric_unit(int metric)
    text   cn_metric_meaning(int metric)
    text   cn_metric_source(int metric)
    status cn_metric_from_name(text name, out int metric)
""")


class System(NamedTuple):
    """A kind of node and switching. parameters and attachments are the names of those that it
    takes."""

    name: str
    summary: str
    parameters: list[str]
    attachments: list[str]

    def has_model(self, topology: Topology | None = None) -> bool:
        """Whether the system has a model of this topology; None: of any topology.

        >>> [system.name for system in systems() if not system.has_model()]
        ['collective']
        """
        return self._has(_c.cn_system_check_model, topology)

    def has_simulator(self, topology: Topology | None = None) -> bool:
        """Whether the system has a simulator of this topology; None: of any topology."""
        return self._has(_c.cn_system_check_simulator, topology)

    def _has(self, check: Any, topology: Topology | None) -> bool:
        try:
            check(_c.cn_system_from_name(self.name), _ANY if topology is None else topology)
        except UnsupportedError:
            return False
        return True

    def __repr__(self) -> str:
        return f"<System {self.name}>"

    def __str__(self) -> str:
        return f"{self.name}: {self.summary}\ntakes {', '.join([*self.parameters, *self.attachments])}"


class Parameter(NamedTuple):
    """One row of the table of parameters. For a parameter that selects one of several alternatives,
    choices maps the name of each value that has one to its meaning; for most numbers it is empty."""

    name: str
    unit: str
    least: float
    greatest: float
    default: float
    whole: bool
    meaning: str
    choices: dict[str, str]


class Metric(NamedTuple):
    """One row of the table of metrics; source is the paper and equation that define it."""

    name: str
    unit: str
    meaning: str
    source: str


def systems() -> list[System]:
    """All systems, as a list of System.

    >>> systems()[:3]
    [<System separate-buffers>, <System shared-buffer>, <System optimistic-bound>]
    >>> print(systems()[2])
    optimistic-bound: lower bound: every node sends as many messages as it has channels, all closer
    takes load, traffic
    """
    parameters = range(1, _c.cn_param_count() + 1)
    attachments = [(_value_of("attachment", name), name) for name in _names("attachment")]
    return [System(_c.cn_system_name(i), _c.cn_system_summary(i),
                   [_c.cn_param_name(p) for p in parameters if _c.cn_system_takes(i, p)],
                   [name for number, name in attachments
                    if _c.cn_system_takes_attachment(i, number)])
            for i in range(_c.cn_system_count())]


def _parameter(number: int) -> Parameter:
    least, greatest, default, whole = _c.cn_param_range(number)
    return Parameter(_c.cn_param_name(number), _c.cn_param_unit(number), least, greatest, default,
                     bool(whole), _c.cn_param_meaning(number),
                     {_c.cn_param_choice_name(number, value): _c.cn_param_choice_meaning(number, value)
                      for value in range(_c.cn_param_choice_count(number))})


def _choice(number: int, value: Any) -> Any:
    """The number of a parameter's value that is given by its name."""
    name = _c.cn_param_name(number)
    if not _c.cn_param_choice_count(number):
        raise TypeError(f"{name} must be a number, not str")
    return _number(name, lambda text: _c.cn_param_choice_from_name(number, text), value)


def _parameter_choice(name: str, value: Any) -> Any:
    """The value of an argument that is called as a parameter is: by name, or the number itself."""
    return int(_choice(_c.cn_param_from_name(name), value)) if isinstance(value, str) else value


def parameters() -> list[Parameter]:
    """All parameters, as a list of Parameter.

    >>> parameters()[0].name
    'load'
    """
    return [_parameter(number) for number in range(1, _c.cn_param_count() + 1) if _c.cn_param_name(number)]


def _metric(number: int) -> Metric:
    return Metric(_c.cn_metric_name(number), _c.cn_metric_unit(number),
                  _c.cn_metric_meaning(number), _c.cn_metric_source(number))


def metrics() -> list[Metric]:
    """All metrics, as a list of Metric.

    >>> metrics()[0].name
    'mean_delay'
    """
    return [_metric(number) for number in range(1, _c.cn_metric_count() + 1)]


def version() -> str:
    """The version of the loaded library, as in "1.2.3".

    >>> version().count(".")
    2
    """
    return _c.cn_version_text()


_ATTACHED = ["routing", "faults", "subnet", "traffic", "operations", "workload"]  # to a Scenario, by keywords


def _check_keyword(name: str) -> None:
    """Refuses what no Scenario takes."""
    names = ["seed", *_ATTACHED, *(parameter.name for parameter in parameters())]
    if name not in names:
        try:
            _c.cn_param_from_name(name)
        except NotFoundError as error:
            raise _with_names(error, name, "there are", names)

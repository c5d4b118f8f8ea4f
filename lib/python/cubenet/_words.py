"""What the library says, in the words of Python."""

from __future__ import annotations

import re
from typing import Callable, Iterable

_CALLS = {  # where a function of C is something else in Python
    "cn_system_name": "systems()", "cn_traffic_set_on_off": "on_off", "cn_predict": "predict()",
    "cn_simulate": "simulate()", "cn_result_merge": "merge()", "cn_result_merge_parts": "merge_parts()",
    "cn_sim_restore": "Scenario.restore()", "cn_sim_restore_part": "Scenario.restore_part()",
    "cn_sim_save_counts": "Part.save_counts()",
}
_CLASSES = {"topology": "Topology", "routing": "Routing", "traffic": "Traffic",
            "faults": "Faults", "scenario": "Scenario", "tree": "Tree",
            "sim": "Simulation"}
_KNOWN: dict[str, Callable[..., Iterable[str]]] = {}  # names, by the function that looks them up


def _call(found: re.Match[str]) -> str:
    if found[1] in _CALLS:
        return _CALLS[found[1]]
    for prefix, name in _CLASSES.items():
        if found[1].startswith(f"cn_{prefix}_"):
            return f"{name}.{found[1][len(prefix) + 4:]}()"
    return found[0]


def _in_python(text: str) -> str:
    """The sentence without the function of C that says it, and with the names of Python."""
    return re.sub(r"(cn_\w+)\(\)", _call, re.sub(r"\bcn_\w+: ", "", text))


def _did_you_mean(given: str, known: Iterable[str]) -> str:
    """The end of a sentence on a name that nothing has."""
    import difflib  # takes longer than the rest of the package
    plain = {name.lower().replace("_", "-"): name for name in known}
    close = difflib.get_close_matches(given.lower().replace("_", "-"), plain, 1)
    return f"; did you mean {plain[close[0]]!r}?" if close else ""

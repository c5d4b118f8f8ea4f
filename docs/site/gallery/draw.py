"""Draws the figures of the gallery again, in full precision: draw.py REPRODUCE [NAME...], some quarter of an hour for all.

CUBENET_LIBRARY and PYTHONPATH name the library and the package, for the figure that the package draws.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXHIBITS = ["horng92-fig-3.9", "horng92-fig-4.8", "networks-compared-64-wormhole", "hosts-hyperx", "hosts-faults",
            "collectives-allreduce", "ziavras99-fig-2", "horng92-fig-5.12", "horng92-fig-5.9", "ginosar89-fig-9"]


def small(svg):
    """Without comments, empty lines and indentation."""
    svg = re.sub(r"<!--.*?-->|<(title|desc)>[^<]*</\1>", "", svg, flags=re.DOTALL)
    return re.sub(r"\s*\n\s*", "\n", svg)


def allreduce_by_time():
    import cubenet

    cube = cubenet.Topology.hypercube(3)
    workload = cubenet.Workload.allreduce(cube, "recursive", 64)
    return str(cubenet.Scenario(cube, "wormhole", workload=workload, virtual_channels=2).simulate().gantt())


def main(program, *names):
    for name in names or [*EXHIBITS, "allreduce-by-time"]:
        if name == "allreduce-by-time":
            svg = allreduce_by_time()
        else:
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([program, name, "--out", folder], check=True, stdout=subprocess.DEVNULL)
                svg = pathlib.Path(folder, f"{name}.svg").read_text(encoding="utf-8")
        (HERE / f"{name}.svg").write_text(small(svg), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

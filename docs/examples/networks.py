"""Draws some networks side by side: python3 networks.py >networks.svg"""

import re
import sys

from cubenet import Faults, Topology


def together(pictures, columns):
    """One SVG of several, in rows of so many columns."""
    parts, x, y, width, height = [], 0, 0, 0, 0
    for number, picture in enumerate(pictures):
        if number % columns == 0:
            x, y = 0, height
        wide, high = map(int, re.search(r'width="(\d+)" height="(\d+)"', picture).groups())
        parts.append(picture.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1))
        x, width, height = x + wide, max(width, x + wide), max(height, y + high)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}">\n<rect width="100%" height="100%" fill="white"/>\n{"".join(parts)}</svg>\n')


cube = Topology.hypercube(4)
faults = Faults(cube)
for node in 2, 3, 9:
    faults.add_node(node)
sys.stdout.write(together([Topology.hypercube(3).to_svg(), Topology.torus([4, 4]).to_svg(),
                           Topology.psnn(4).to_svg(), faults.convex_subnet().svg(),
                           Topology.tree(2, 3).to_svg()], columns=3))

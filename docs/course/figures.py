"""Draws the figures of the course as SVG.

    python3 figures.py            writes figures/*.svg
    python3 figures.py --check    says which of them would change
"""

import sys
from math import cos, pi, sin
from pathlib import Path

from cubenet import Faults, Scenario, Topology

FOLDER = Path(__file__).resolve().parent / "figures"
INK, SOFT, PAPER = "#222222", "#8a8a8a", "#ffffff"
BLUE, ORANGE, GREEN, RED = "#2166ac", "#e08214", "#1b7837", "#b2182b"


class Drawing:
    """An SVG with a title above it."""

    def __init__(self, width, height, title):
        self.size, self.parts = (width, height), []
        self.text(width / 2, 24, title, size=16, weight="bold")

    def add(self, tag, content=None, **attributes):
        shown = "".join(f' {name.replace("_", "-")}="{number(value)}"' for name, value in attributes.items())
        self.parts.append(f"<{tag}{shown}/>" if content is None else f"<{tag}{shown}>{content}</{tag}>")

    def text(self, x, y, content, size=13, fill=INK, anchor="middle", weight="normal"):
        safe = str(content).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        self.add("text", safe, x=x, y=y, font_size=size, fill=fill, text_anchor=anchor, font_weight=weight)

    def line(self, x1, y1, x2, y2, stroke=INK, width=1.5, arrow=False, dash="none"):
        if arrow:  # the head is drawn, so that any program shows it
            length = ((x2 - x1)**2 + (y2 - y1)**2)**0.5
            ux, uy = (x2 - x1) / length, (y2 - y1) / length
            points = [(x2, y2), (x2 - 9 * ux - 4 * uy, y2 - 9 * uy + 4 * ux),
                      (x2 - 9 * ux + 4 * uy, y2 - 9 * uy - 4 * ux)]
            self.add("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), fill=stroke)
            x2, y2 = x2 - 7 * ux, y2 - 7 * uy
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width, stroke_dasharray=dash)

    def circle(self, x, y, r, fill=PAPER, stroke=INK):
        self.add("circle", cx=x, cy=y, r=r, fill=fill, stroke=stroke, stroke_width=1.5)

    def box(self, x, y, width, height, fill=PAPER, stroke=INK):
        self.add("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=stroke, stroke_width=1.5)

    def node(self, x, y, label, r=19, fill=PAPER, stroke=INK, ink=INK):
        self.circle(x, y, r, fill, stroke)
        self.text(x, y + 4.5, label, fill=ink)

    def svg(self):
        width, height = self.size
        inside = "\n".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                f'height="{height}" font-family="Helvetica, Arial, sans-serif">\n'
                f'<rect width="{width}" height="{height}" fill="{PAPER}"/>\n{inside}\n</svg>\n')


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value


def between(drawing, a, b, r, **options):
    """A line between two circles of radius r, from rim to rim."""
    (x1, y1), (x2, y2) = a, b
    length = ((x2 - x1)**2 + (y2 - y1)**2)**0.5
    dx, dy = (x2 - x1) / length * r, (y2 - y1) / length * r
    drawing.line(x1 + dx, y1 + dy, x2 - dx, y2 - dy, **options)


# ---- plots ----

class Plot:
    """Axes with ticks; x and y are (least, greatest, ticks)."""

    def __init__(self, drawing, box, x, y, labels):
        self.drawing, self.box, self.x, self.y = drawing, box, x, y
        left, top, right, bottom = box
        for tick in x[2]:
            drawing.line(self.at(tick, y[0])[0], bottom, self.at(tick, y[0])[0], bottom + 5)
            drawing.text(self.at(tick, y[0])[0], bottom + 20, f"{tick:g}")
        for tick in y[2]:
            level = self.at(x[0], tick)[1]
            drawing.line(left, level, right, level, stroke="#dddddd", width=1)
            drawing.text(left - 8, level + 4.5, f"{tick:g}", anchor="end")
        drawing.line(left, bottom, right, bottom)
        drawing.line(left, top, left, bottom)
        drawing.text((left + right) / 2, bottom + 42, labels[0])
        drawing.text(left - 40, top - 14, labels[1], anchor="start")

    def at(self, x, y):
        left, top, right, bottom = self.box
        return (left + (x - self.x[0]) / (self.x[1] - self.x[0]) * (right - left),
                bottom - (y - self.y[0]) / (self.y[1] - self.y[0]) * (bottom - top))

    def curve(self, points, color, label, dash="none", marks=True):
        places = [self.at(x, y) for x, y in points]
        self.drawing.add("polyline", points=" ".join(f"{number(x)},{number(y)}" for x, y in places),
                         fill="none", stroke=color, stroke_width=2, stroke_dasharray=dash)
        for x, y in places if marks else []:
            self.drawing.circle(x, y, 3, fill=color, stroke=color)
        x, y = places[-1]
        self.drawing.text(x + 8, y + 4.5, label, fill=color, anchor="start")


# ---- the figures ----

def necklaces():
    net = Topology.generalized_hypercube(3, 2)
    drawing = Drawing(800, 250, "The necklaces of GH(2,3); arrows are rotations")
    left, seen = 70, set()
    for v in sorted(range(net.node_count), key=lambda v: (net.distance(0, v), -v)):
        if v in seen:
            continue
        nodes = [net.generator(v)]
        while (following := net.rotate(nodes[-1])) != nodes[0]:
            nodes.append(following)
        seen.update(nodes)
        radius = 60 if len(nodes) > 2 else 32 if len(nodes) == 2 else 0
        middle, r = left + radius, 19
        places = [(middle + radius * cos(2 * pi * i / len(nodes) - pi / 2),
                   135 + radius * sin(2 * pi * i / len(nodes) - pi / 2)) for i in range(len(nodes))]
        for i, node in enumerate(nodes):
            if len(nodes) > 1:
                between(drawing, places[i], places[(i + 1) % len(nodes)], r, arrow=True, stroke=SOFT)
            drawing.node(*places[i], net.address(node), fill=BLUE if i == 0 else PAPER, ink=PAPER if i == 0 else INK)
            drawing.text(places[i][0] + 24, places[i][1] - 12, net.displacement(node), fill=ORANGE, anchor="start")
        left += 2 * radius + 110
    drawing.node(605, 105, "", r=9, fill=BLUE)
    drawing.text(625, 110, "the generator", anchor="start")
    drawing.text(605, 140, "2", fill=ORANGE)
    drawing.text(625, 140, "displacement: rotations", anchor="start")
    drawing.text(625, 157, "to the generator", anchor="start")
    return drawing


def routing():
    drawing = Drawing(700, 300, "A circle of messages that wait, and the turns that west-first forbids")
    corners = [(80, 210), (200, 210), (200, 90), (80, 90)]  # 00 01 11 10
    for i, (corner, label) in enumerate(zip(corners, ("00", "01", "11", "10"))):
        between(drawing, corner, corners[(i + 1) % 4], 19, arrow=True, stroke=RED, width=2.5)
        drawing.node(*corner, label)
    for x, y, label in [(140, 232, "for 11"), (238, 154, "for 10"), (140, 78, "for 00"), (42, 154, "for 01")]:
        drawing.text(x, y, label, fill=RED)
    drawing.text(140, 270, "each message waits for the next")
    squares = [(330, [((0, 1), (1, 1)), ((1, 1), (1, 0)), ((1, 0), (0, 0)), ((0, 0), (0, 1))], (1, 2)),
               (520, [((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 0))], (1, 2))]
    for left, sides, forbidden in squares:
        def place(point):
            return left + 110 * point[0], 95 + 110 * point[1]
        for i, (a, b) in enumerate(sides):
            (x1, y1), (x2, y2) = place(a), place(b)
            dx, dy = (x2 - x1) / 110 * 12, (y2 - y1) / 110 * 12
            west = x2 < x1
            drawing.line(x1 + dx, y1 + dy, x2 - dx, y2 - dy, arrow=True, width=2.5,
                         stroke=BLUE if west else INK)
        for i, (a, b) in enumerate(sides):
            x, y = place(b)
            following = sides[(i + 1) % 4]
            if following[1][0] < following[0][0]:  # a turn into west
                drawing.line(x - 9, y - 9, x + 9, y + 9, stroke=RED, width=3)
                drawing.line(x - 9, y + 9, x + 9, y - 9, stroke=RED, width=3)
            else:
                drawing.circle(x, y, 5, fill=GREEN, stroke=GREEN)
    drawing.text(385, 240, "turns to the left")
    drawing.text(575, 240, "turns to the right")
    drawing.text(480, 270, "cross: forbidden, a turn to the west (blue); dot: allowed")
    return drawing


def two_phase():
    net = Topology.hypercube(3)
    headers, words, buffers = [1, 3, 1, 1, 3], [0, 1 << 31, 0, 0, 0, 0, 0, 0], 5
    ports = net.two_phase(headers, buffers, words)
    winners = net.two_phase(headers, 2 * buffers, words)  # with so many buffers phase 2 has nothing to do
    drawing = Drawing(700, 330, "One node of the 3-cube with M = 5: five messages, three channels")
    for m, port in enumerate(ports):
        y = 80 + 44 * m
        drawing.box(120, y - 16, 90, 32, fill="#eef3fa")
        drawing.text(165, y + 5, f"{headers[m]:03b}")
        drawing.text(105, y + 5, f"message {m}", anchor="end")
        if port is None:
            drawing.text(225, y + 5, "stays", anchor="start", fill=SOFT)
        else:
            drawing.line(210, y, 470, 100 + 80 * port, width=2.5, arrow=True,
                         stroke=RED if winners[m] is None else GREEN)
    for port in range(3):
        drawing.box(472, 84 + 80 * port, 110, 32)
        drawing.text(527, 105 + 80 * port, f"channel {port}")
    drawing.text(120, 55, "oldest first", anchor="start", fill=SOFT)
    drawing.text(350, 312, "green: won in phase 1; red: the youngest of three losers, forced out in phase 2: M - n = 2 may stay")
    return drawing


def chain():
    drawing = Drawing(700, 380, "Error of the published model's delay on the 6-cube")
    plot = Plot(drawing, (80, 80, 560, 310), (0, 4, [0, 1, 2, 3, 4]), (-2, 10, [-2, 0, 2, 4, 6, 8, 10]),
                ("load, new messages per node and cycle", "model / simulation - 1, in percent"))
    for buffers, color in [(6, RED), (8, ORANGE), (12, BLUE)]:
        points = []
        for load in (0.25, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4):
            scenario = Scenario(Topology.hypercube(6), "deflection", load=load, buffers=buffers, seed=1,
                                measure_cycles=20000, relative_precision=0, model_variant="published")
            error = scenario.predict()["mean_delay"] / scenario.simulate()["mean_delay"] - 1
            points.append((load, 100 * error))
        plot.curve(points, color, f"M = {buffers}" + " = n" * (buffers == 6) + " = 2n" * (buffers == 12))
    return drawing


def convex():
    cube = Topology.hypercube(4)
    faults = Faults(cube)
    for node in (2, 3, 4, 7, 9):
        faults.add_node(node)
    subnet = faults.convex_subnet()
    drawing = Drawing(700, 430, "Figure 5.1: five faulty nodes, and the two that are disabled")

    def place(v):  # bits 0 and 1 inside a square, bits 2 and 3 among the four squares
        return (90 + 130 * (v & 1) + 250 * (v >> 2 & 1) + 26 * (v >> 1 & 1),
                330 - 90 * (v >> 1 & 1) - 150 * (v >> 3 & 1) + 20 * (v & 1))
    for v in range(16):
        for port in range(4):
            far = v ^ 1 << port
            if v < far:
                good = subnet.state(v) == subnet.state(far) == "surviving"
                drawing.line(*place(v), *place(far), stroke=INK if good else "#dddddd", width=2 if good else 1)
    colors = {"surviving": (PAPER, INK), "faulty": (RED, PAPER), "disabled": (ORANGE, PAPER)}
    for v in range(16):
        fill, ink = colors[subnet.state(v)]
        drawing.node(*place(v), f"{v:04b}", r=20, fill=fill, ink=ink)
    for i, (state, label) in enumerate([("surviving", "survives"), ("faulty", "faulty"), ("disabled", "disabled")]):
        drawing.circle(600, 120 + 30 * i, 9, fill=colors[state][0])
        drawing.text(620, 125 + 30 * i, label, anchor="start")
    return drawing


def broadcast():
    tree = Topology.hypercube(4).binomial_tree(0)
    drawing = Drawing(760, 380, "A broadcast in the 4-cube: how many copies each node sends on")

    def draw(node, left, right, depth):
        x, y = (left + right) / 2, 80 + 62 * depth
        children = tree.children(node)
        sizes = [tree.subtree_size(child) for child in children]
        start = left
        for child, size in sorted(zip(children, sizes), key=lambda pair: -pair[1]):
            leaves = (right - left) * weight(child) / sum(weight(other) for other in children)
            there = draw(child, start, start + leaves, depth + 1)
            between(drawing, (x, y), there, 17, stroke=BLUE if node == 0 else INK)
            start += leaves
        drawing.node(x, y, len(children), r=17, fill=BLUE if node == 0 else PAPER, ink=PAPER if node == 0 else INK)
        drawing.text(x - 20, y + 4, f"{node:04b}", size=11, fill=SOFT, anchor="end")
        return x, y

    def weight(node):  # leaves below
        return sum(map(weight, tree.children(node))) or 1
    draw(0, 10, 740, 0)
    drawing.text(380, 365, "4 copies come from the source (blue): lambda_cb; the other 11 are replicas: "
                 "lambda_cr = 11/4 lambda_cb")
    return drawing


def shuffle():
    drawing = Drawing(700, 380, "The cost LC of PSNN by the paper and exactly, beside the hypercube")
    plot = Plot(drawing, (70, 80, 520, 310), (3, 9, [3, 4, 5, 6, 7, 8, 9]), (0, 50, [0, 10, 20, 30, 40, 50]),
                ("n; networks of 2^n nodes", "LC, lower is better"))
    known = {3: (4, 4, 12), 4: (5, 6, 27), 5: (7, 8, 60), 6: (8, 14, 123), 7: (10, 24, 252),
             8: (12, 40, 507)}  # F, e, links; with n = 9 F is known as 13 or 14
    plot.curve([(n, n * (n + 2) / 2) for n in range(3, 10)], INK, "hypercube")
    plot.curve([(n, 5 * n - 2) for n in range(3, 10)], ORANGE, "PSNN, paper", dash="6 4")
    plot.curve([(n, (fanout + 2**n / cut) / 2 * 2 * links / 2**n) for n, (fanout, cut, links) in known.items()],
               BLUE, "PSNN, exact")
    return drawing


FIGURES = [necklaces, routing, two_phase, chain, convex, broadcast, shuffle]


def main():
    changed = []
    for i, figure in enumerate(FIGURES, 1):
        path, made = FOLDER / f"{i}-{figure.__name__.replace('_', '-')}.svg", figure().svg()
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != made:
                changed.append(path.name)
        else:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(made)
    if changed:
        sys.exit(f"not as figures.py draws them: {', '.join(changed)}")


if __name__ == "__main__":
    main()

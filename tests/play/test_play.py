"""Tests cubenet in the browser, in a headless Chromium.

    test_play.py LIBRARY COMPILER... -- MODULES [PICTURES]

The page is built, opened from the disk without a network, and used. Its numbers are compared with
those of LIBRARY, and so are those of the programs that it shows, of which that in C is compiled by
COMPILER. MODULES keeps the compiled module between runs. Screenshots are left in PICTURES."""

import os
import pathlib
import re
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "project"), str(ROOT / "lib" / "python")]
import browser as driven  # noqa: E402
import tree  # noqa: E402

MOST_BYTES = 1_200_000
CLOSE = 1e-12  # half-widths and models use the math library, whose last bits may differ
WIDTHS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
SEEN = {  # what screenshots show
    "network": "net=torus([5,5])&view=bisection",
    "damage": "net=hypercube(4)&tab=damage&broken=2,3,4,7,9&keep=convex",
    "traffic": "net=hypercube(4)&tab=traffic&system=deflection&load=1&buffers=8",
    "code": "net=torus([5,5])&tab=code&system=wormhole&load=0.01",
    "course": "tab=course&drill=convex.0",
}
VIEWS = ["distances", "necklaces", "tree", "bisection", "plain"]
# address and the same experiment, written here
EXPERIMENTS = [
    ("net=hypercube(4)&system=deflection&load=1&buffers=8&measure_cycles=20000&seed=7",
     lambda c: c.Scenario(c.Topology.hypercube(4), "deflection", load=1, buffers=8, measure_cycles=20000, seed=7)),
    ("net=torus([5,5])&system=wormhole&routing=duato&pattern=tornado&load=0.01&message_flits=8&measure_cycles=20000",
     lambda c: c.Scenario(c.Topology.torus([5, 5]), "wormhole", routing="duato", traffic="tornado", load=0.01,
                          message_flits=8, measure_cycles=20000)),
    ("net=hypercube(4)&broken=3&cut=0-8&system=separate-buffers&load=0.5&slotted=no&measure_cycles=20000",
     lambda c: c.Scenario(c.Topology.hypercube(4), "separate-buffers", faults=damaged(c), load=0.5, slotted=False,
                          measure_cycles=20000)),
    ("edges=0+1%0A1+2%0A2+3%0A3+0%0A0+2&system=cut-through&load=0.02&unsafe=no&measure_cycles=20000",
     lambda c: c.Scenario(c.Topology.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]), "cut-through", load=0.02,
                          unsafe=False, measure_cycles=20000)),
]
problems = []


def damaged(cubenet):
    faults = cubenet.Faults(cubenet.Topology.hypercube(4))
    faults.add_node(3)
    faults.add_link(0, 3)
    return faults


def expect(holds, sentence):
    if not holds:
        problems.append(sentence)


def opened(page, address, where):
    page.open(f"{where.as_uri()}#{address}" if address else where.as_uri())
    page.wait("return document.body.dataset.ready && document.querySelector('#panel').children.length")


# ---- numbers ----

def cells(page, which):
    """{metric: (value, half-width)} of a column of the table."""
    rows = page.run("return [...document.querySelectorAll(`td[data-of=${arguments[0]}]`)].map("
                    "(cell) => [cell.dataset.metric, cell.dataset.value, cell.dataset.half])", which)
    return {name: (float(value.replace("Infinity", "inf")), half) for name, value, half in rows if value != "undefined"}


def close(found, right):
    return found == right or abs(found - right) <= CLOSE * abs(right)


def same_numbers(address, what, found, right, exact):
    expect(set(found) == set(right), f"{address}: {what} has {sorted(set(found) ^ set(right))} too much or too little")
    for name in set(found) & set(right):
        expect(found[name] == right[name] if exact else close(found[name], right[name]),
               f"{address}: {what}: {name} is {found[name]!r}, but natively {right[name]!r}")


def shown_numbers(text):
    """What a program printed: {"model": {metric: value}, "simulation": ...}."""
    found, title = {}, None
    for line in text.splitlines():
        if line.startswith("# "):
            title = line[2:].split(":")[0]
            found[title] = {}
        else:
            name, value = line.split()
            found[title][name] = float(value)
    return found


def programs(page, library, compiler, folder):
    """What the programs of the page print."""
    environment = tree.environment(PYTHONPATH=ROOT / "lib" / "python", CUBENET_LIBRARY=library)
    folder = pathlib.Path(folder)
    (folder / "experiment.py").write_text(page.text("#program"))
    yield "Python", shown_numbers(tree.run(sys.executable, folder / "experiment.py", env=environment))
    page.choose("#language", "C")
    page.wait("return document.querySelector('#program').textContent.includes('#include')")
    (folder / "experiment.c").write_text(page.text("#program"))
    tree.run(*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", folder / "experiment.c", library,
             f"-Wl,-rpath,{os.path.dirname(library)}", "-o", folder / "experiment")
    yield "C", shown_numbers(tree.run(folder / "experiment"))
    page.choose("#language", "Python")


def check_numbers(page, where, library, compiler):
    import cubenet
    for address, make in EXPERIMENTS:
        opened(page, f"{address}&tab=traffic", where)
        page.wait("return document.querySelector('#measure')")
        page.click("#measure")
        page.wait("return document.querySelector('td[data-of=simulation]')")
        scenario = make(cubenet)
        found, native = cells(page, "simulation"), scenario.simulate()
        expect(len(native) > 10, f"{address}: {len(native)} metrics only")
        same_numbers(address, "the simulation", {name: value for name, (value, _) in found.items()},
                     dict(native.items()), True)
        for name, (_, half) in found.items():
            if half not in ("undefined", "Infinity", "NaN"):
                expect(close(float(half), native.half_width(name)), f"{address}: half-width of {name}: {half}")
        try:
            model = dict(scenario.predict().items())
        except cubenet.Error:
            model = {}
        same_numbers(address, "the model", {name: value for name, (value, _) in cells(page, "model").items()}, model, False)
        page.click("#tab-code")
        page.wait("return document.querySelector('#program')")
        with tempfile.TemporaryDirectory() as folder:
            for language, printed in programs(page, library, compiler, folder):
                same_numbers(address, f"the program in {language}", printed["simulation"], dict(native.items()), True)


def check_steps(page, where):
    """A run step by step has the numbers of the library after as many cycles."""
    import cubenet
    opened(page, "net=hypercube(4)&tab=traffic&system=deflection&load=1&buffers=8&warmup_cycles=0", where)
    page.wait("return document.querySelector('#step')")
    for cycle in range(1, 31):
        page.click("#step")
        page.wait("return document.querySelector('#notice').textContent.startsWith(`Cycle ${arguments[0]}:`)", cycle)
    scenario = cubenet.Scenario(cubenet.Topology.hypercube(4), "deflection", load=1, buffers=8, warmup_cycles=0)
    with scenario.open() as simulation:
        simulation.step(30)
        right, waiting = simulation.result(), simulation.in_flight
    same_numbers("30 steps", "the run", {name: value for name, (value, _) in cells(page, "run").items()}, dict(right.items()),
                 True)
    expect(f" {waiting} messages" in page.text("#notice"), f"{page.text('#notice')}, but natively {waiting} messages")


# ---- use ----

def check_damage(page, where):
    """A link breaks by a click, and by the keys; distances go round it."""
    opened(page, "net=hypercube(3)&tab=damage", where)
    page.click_at(*page.run("const line = document.querySelector('.touch'), at = line.getPointAtLength(line.getTotalLength() / 2);"
                            "const box = line.ownerSVGElement.getBoundingClientRect(); return [box.x + at.x, box.y + at.y]"))
    page.wait("return location.hash.includes('cut=0-1') && document.querySelector('#drawing .link.cut')")
    page.click("#tab-network")
    far = page.wait("const e = document.querySelector('[data-node=\"1\"]');"
                    "return e && /hops/.test(e.ariaLabel) && e.ariaLabel")
    expect("3 hops" in far, f"node 1 behind the broken link: {far}")
    page.click("#tab-damage")
    page.wait("return document.querySelector('#break-node')")
    page.run("document.querySelector('[data-node=\"0\"]').focus()")
    page.press("ArrowRight", "Enter")
    broken = page.wait("return (/broken=(\\d+)/.exec(location.hash) || [])[1]")
    expect(page.run("return document.activeElement.dataset.node") == broken, "the focus leaves the node that was broken")
    page.click("#mend")
    page.wait("return !document.querySelector('#drawing .link.cut') && !/broken|cut/.test(location.hash)")


def check_sharing(page, where):
    """An address gives back what was seen, in a new page and in one that is open."""
    opened(page, "", where)
    page.choose("#family", "Torus")
    page.wait("return document.querySelectorAll('#drawing .node').length === 25")
    page.choose("#view", "bisection")
    page.wait("return document.querySelectorAll('#drawing .link.across').length === 12")
    page.click("#tab-traffic")
    page.wait("return document.querySelector('#system')")
    page.choose("#system", "wormhole")
    page.wait("return document.querySelector('#p-message_flits-number')")
    page.choose("#p-message_flits-number", "5")
    shared = page.wait("return location.hash.includes('message_flits=5') && location.hash")
    look = "return [...document.querySelectorAll('#panel select, #panel input:not([type=range])')].map((e) => `${e.id}=${e.value}`).join()"
    page.wait("return document.querySelector('#p-message_flits').ariaValueText === '5'")  # the panel was made anew
    before = page.run(look)
    opened(page, shared[1:], where)
    page.wait("return document.querySelector('#p-message_flits-number')")
    expect(page.run(look) == before, f"{shared} shows {page.run(look)}, but was {before}")
    page.run("location.hash = 'net=psnn(4)&view=tree&tree=breadth-first'")
    page.wait("return document.querySelectorAll('#drawing .link.tree').length === 15")


def check_refusals(page, where):
    """What is impossible is said by the library."""
    import cubenet
    opened(page, "net=mesh([1,2])", where)
    try:
        cubenet.Topology.mesh([1, 2])
    except cubenet.Error as error:
        said = page.wait("return document.querySelector('#notice.refused')?.textContent")
        expect(said == str(error), f"{said!r}, but natively {error}")
    opened(page, "net=hypercube(3)&tab=traffic&system=deflection&pattern=transpose&load=-1&buffers=2", where)
    page.wait("return document.querySelector('#panel .refused')")
    said = page.run("return [...document.querySelectorAll('#panel .refused')].map((e) => e.textContent)")
    for part in ("transpose", "load = -1, but it must be 0 to 1000000"):
        expect(any(part in sentence for sentence in said), f"nothing is said of {part!r}: {said}")
    opened(page, "net=hypercube(3)&tab=traffic&system=deflection&buffers=2&load=1", where)
    page.wait("return document.querySelector('#measure')")
    page.click("#measure")
    said = page.wait("return document.querySelector('#results .refused')?.textContent")
    expect("buffers" in said, f"too few buffers: {said}")


def check_foreign_address(page, where):
    """A program is shown only of what the library knows, whoever wrote the address."""
    for part in ("load=1,os.system('id')", "load=1&system=x%22,os.abort()", "net=ring(4);abort()", "load=1&foo=2", "routing=%22"):
        opened(page, f"tab=code&system=deflection&{part}", where)
        said = page.text("#panel .refused")
        expect("cannot be shown" in said and not page.text("#program"), f"{part}: {said}: {page.text('#program')}")


def check_lock(page, where):
    """A cyclic routing lights its cycle; it is watched until it locks."""
    opened(page, "net=hypercube(4)&tab=traffic&system=wormhole&routing=minimal&load=0.08&virtual_channels=1"
                 "&message_flits=16&unsafe=yes&speed=10", where)
    page.wait("return document.querySelectorAll('#drawing .cycle').length >= 4")
    expect("cyclic" in page.text("#deadlock"), f"the verdict: {page.text('#deadlock')}")
    page.click("#run")
    page.wait("return /wait for each other for ever|can never move again/.test(document.querySelector('#notice').textContent)")
    expect(page.run("return document.querySelectorAll('#drawing .cycle').length") >= 4, "the deadlock has no cycle in the drawing")
    page.run("document.querySelector('#run').textContent === 'Pause' && document.querySelector('#run').click()")


def check_curve(page, where):
    """Points of the curve are results of the library."""
    import cubenet
    opened(page, "net=hypercube(3)&tab=traffic&system=deflection&load=1&buffers=6&measure_cycles=2000", where)
    page.wait("return document.querySelector('#curve')")
    page.click("#curve")
    page.wait("return document.querySelectorAll('.chart .point').length === 12 && "
              "document.querySelector('#curve').textContent === 'Draw the curve'")
    titles = page.run("return [...document.querySelectorAll('.chart .point title')].map((e) => e.textContent)")
    load, delay = re.match(r"load ([\d.e-]+): ([\d.e-]+)", titles[5]).groups()
    right = cubenet.Scenario(cubenet.Topology.hypercube(3), "deflection", load=float(load), buffers=6,
                             measure_cycles=2000).simulate()["mean_delay"]
    expect(f"{right:.6g}" == delay, f"at load {load} the curve has {delay}, but natively {right}")
    expect(page.run("return document.querySelectorAll('.chart .bar').length") > 0, "no point has a bar")


def check_families(page, where):
    """Every family in every view: a drawing, or a sentence."""
    opened(page, "", where)
    labels = page.run("return [...document.querySelectorAll('#family option')].map((e) => e.value)")
    expect(len(labels) > 10, f"families: {labels}")
    for label in labels:
        page.choose("#family", label)
        page.wait("return document.querySelector('#family').value === arguments[0]", label)
        for view in VIEWS:
            page.choose("#view", view)
            page.wait("return document.querySelector('#view').value === arguments[0] && (arguments[0] === 'plain' || "
                      "document.querySelector('#notice').textContent || document.querySelector('#view-facts').textContent)",
                      view)
            said = page.text("#notice")
            expect(not re.search(r"undefined|NaN|Error", said + page.text("#panel")), f"{label}, {view}: {said}")


# ---- course ----

def check_course(page, where):
    """Links of the assignments, and drills that tell right from wrong."""
    opened(page, "tab=course", where)
    of_page = page.run("return [...document.querySelectorAll('.course a')].map((e) => e.getAttribute('href'))")
    assignments = sorted((ROOT / "docs" / "course").glob("[1-7]-*.md"))
    for assignment, link in zip(assignments, of_page):
        linked = re.findall(r"\.\./play/index\.html(#[^\s]*[^\s).,])\)", assignment.read_text())
        expect(link in linked, f"{assignment.name} links to {linked}, and the page has {link}")
        for address in linked:
            opened(page, address[1:], where)
            expect(not page.run("return document.querySelector('#notice.refused')"), f"{address}: {page.text('#notice')}")
    expect(len(of_page) == len(assignments), f"the page links to {len(of_page)} assignments")
    opened(page, "tab=course&drill=convex.0", where)
    page.wait("return document.querySelector('#check')")
    page.click('[data-node="6"]')
    page.click("#check")
    said = page.wait("return document.querySelector('#verdict').textContent")
    expect("not convex" in said, f"one node disabled: {said}")
    page.click('[data-node="11"]')
    page.click("#check")
    page.wait("return document.querySelector('#verdict').textContent.startsWith('Right. 9 nodes survive')")
    for kind, wrong in [("necklaces", ["-1", "-1"]), ("routing", ["9", "9"]), ("two_phase", ["9"]), ("chain", ["7"]),
                        ("broadcast", ["9"]), ("shuffle", ["9", "9"])]:
        opened(page, f"tab=course&drill={kind}.0", where)
        page.wait("return document.querySelector('#check')")
        for i, answer in enumerate(wrong):
            page.choose(f"#answer-{i}", answer)
        page.click("#check")
        said = page.wait("return document.querySelector('#verdict').textContent")
        expect(said.startswith("Not right: "), f"drill {kind}, a wrong answer: {said}")
    check_right_drill(page, where)


def check_right_drill(page, where):
    """What is right for the library natively, is right in the page."""
    import cubenet
    opened(page, "tab=course&drill=shuffle.0", where)
    page.wait("return document.querySelector('#check')")
    node, size = map(int, re.search(r"node (\d+) .* with (\d+) nodes", page.text("#drill")).groups())
    network = cubenet.Topology.psnn(size.bit_length() - 1)
    page.choose("#answer-0", ", ".join(map(str, sorted(network.neighbors(node)))))
    page.choose("#answer-1", str(network.diameter()))
    page.click("#check")
    said = page.wait("return document.querySelector('#verdict').textContent")
    expect(said == "Right.", f"drill shuffle, the right answer: {said}")


# ---- looks ----

def check_looks(page, where, pictures):
    """Screenshots in both schemes, on a screen and a phone; nothing is wider than these."""
    papers = {}
    for width, scheme in WIDTHS:
        page.look(width, prefers_color_scheme=scheme)
        for name, address in SEEN.items():
            opened(page, address, where)
            page.wait("return document.querySelector('#drawing .node')")
            if name == "traffic":
                page.wait("return document.querySelector('#measure')")
                page.click("#measure")
                page.wait("return document.querySelector('td[data-of=simulation]')")
                page.click("#step")
                page.wait("return document.querySelector('td[data-of=run]') || "
                          "document.querySelector('#notice').textContent.startsWith('Cycle')")
            wide = page.run("return document.documentElement.scrollWidth")
            expect(wide <= width, f"{name} is {wide} pixels wide on {width}")
            page.picture(pictures / f"{name}-{width}-{scheme}.png")
            expect((pictures / f"{name}-{width}-{scheme}.png").stat().st_size > 10000, f"{name}: an empty picture")
        papers[scheme] = page.run("return getComputedStyle(document.body).backgroundColor")
    expect(papers["light"] != papers["dark"], f"both schemes have the paper {papers['light']}")
    page.look(1280, prefers_color_scheme="light", prefers_reduced_motion="reduce")
    opened(page, "net=hypercube(4)&tab=traffic&system=wormhole&routing=minimal&load=0.03&virtual_channels=1&unsafe=yes", where)
    page.wait("return document.querySelector('#drawing .cycle')")
    expect(page.run("return getComputedStyle(document.querySelector('#drawing .cycle')).animationName") == "none",
           "the cycle moves although the reader wants no motion")
    names = page.run("return [...document.querySelectorAll('button, select, input, textarea')].filter((e) => !e.textContent.trim()"
                     " && !e.ariaLabel && !(e.labels && e.labels.length)).map((e) => e.outerHTML)")
    expect(names == [], f"controls without words: {names}")
    page.look(1280, prefers_color_scheme="light")


def main(library, *more):
    compiler, rest = more[:more.index("--")], [pathlib.Path(part) for part in more[more.index("--") + 1:]]
    if driven.missing():
        tree.skip(driven.missing())
    if not shutil.which("emcc"):
        tree.skip("there is no emcc here")
    library = os.path.abspath(library)
    os.environ["CUBENET_LIBRARY"] = library
    with tempfile.TemporaryDirectory() as folder, driven.browser() as page:
        out = pathlib.Path(folder).resolve()
        print(tree.run(sys.executable, ROOT / "docs" / "play" / "build.py", out, "--library", library, "--modules", rest[0]))
        expect(sorted(path.name for path in out.iterdir()) == ["index.html", "play.js"], f"{list(out.iterdir())}")
        size = sum(path.stat().st_size for path in out.iterdir())
        expect(size < MOST_BYTES, f"the page has {size} bytes")
        pictures = rest[1] if len(rest) > 1 else out
        pictures.mkdir(parents=True, exist_ok=True)
        page.look(1280, prefers_color_scheme="light")
        where = out / "index.html"
        check_numbers(page, where, library, compiler)
        for check in (check_steps, check_damage, check_sharing, check_refusals, check_foreign_address, check_lock, check_curve,
                      check_families, check_course):
            try:
                check(page, where)
            except RuntimeError as error:
                problems.append(f"{check.__name__}: {error}")
        check_looks(page, where, pictures)
        loaded = page.run("return performance.getEntriesByType('resource').map((e) => e.name)")
        expect(all(name.startswith(("file:", "blob:")) for name in loaded), f"the page loads {loaded}")
        problems.extend(f"the console says: {said}" for said in page.complaints())
    tree.finish(problems)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The site of the documentation: Sphinx makes it without a warning, every page is there and in the navigation, no link or
image leads nowhere or to the network, every public symbol is in the references and in the search, and in a headless browser
nothing is wider than its page.

usage: test_site.py SHARED_LIBRARY [COMBINATIONS]

Without the packages of Sphinx the site must say what is missing; then the rest is skipped. So is what needs a
browser where there is no chromium.
"""

import functools
import html.parser
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import zlib

import tree

MAKE = tree.ROOT / "docs" / "site" / "make.py"
FIGURES = 12
MATHJAX = "_static/mathjax"
# Measures each page in a frame of each width and sends what does not fit.
HARNESS = """<!DOCTYPE html><body><iframe id="f" style="border:0;height:900px"></iframe><script>
const frame = document.getElementById("f"), found = [];
async function look(page, width) {
  frame.style.width = width + "px";
  await new Promise(done => { frame.onload = done; frame.src = page; });
  const inside = frame.contentDocument, view = frame.contentWindow, root = inside.documentElement;
  await new Promise(done => setTimeout(done, 0));
  if (root.scrollWidth > width)
    found.push(`${page}: ${root.scrollWidth} wide on a screen of ${width}`);
  const text = inside.querySelector("article");
  if (text && width < 500 && text.getBoundingClientRect().top > 120)
    found.push(`${page}: the text begins at ${text.getBoundingClientRect().top} on a phone`);
  for (const image of inside.images) {
    image.loading = "eager";
    if (!image.complete) await new Promise(done => { image.onload = image.onerror = done; });
    if (image.naturalWidth === 0) found.push(`${page}: ${image.src} does not show`);
  }
  if (page !== "index.html" || width < 1000) return;
  const colour = () => view.getComputedStyle(inside.body).backgroundColor;
  inside.body.dataset.theme = "light";
  const light = colour();
  inside.body.dataset.theme = "dark";
  if (light !== "rgb(255, 255, 255)" || colour() === light)
    found.push(`${page}: light is ${light}, dark ${colour()}`);
  if (view.getComputedStyle(inside.body).margin !== "0px")
    found.push(`${page}: a style sheet of the theme is missing`);
}
async function set(page) {
  await new Promise(done => { frame.onload = done; frame.src = page; });
  for (let i = 0; i < 200; ++i) {
    if (frame.contentDocument.querySelector(".MathJax_SVG svg")) return;
    await new Promise(done => setTimeout(done, 100));
  }
  found.push(`${page}: equations are not set`);
}
async function seek(word, name) {
  await new Promise(done => { frame.onload = done; frame.src = "search.html?q=" + word; });
  for (let i = 0; i < 200; ++i) {
    if ([...frame.contentDocument.querySelectorAll("#search-results a")].some(a => a.textContent.includes(name)))
      return;
    await new Promise(done => setTimeout(done, 100));
  }
  found.push(`the search for ${word} does not find ${name}`);
}
(async () => {
  for (const [page, widths] of PAGES) for (const width of widths) await look(page, width);
  await set(FORMULAS);
  await seek("cn_predict", "cn_predict");
  await seek("predict", "Scenario.predict");
  await fetch("/found", {method: "POST", body: JSON.stringify(found)});
})();
</script>"""


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.loaded, self.names = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}
        for key in ("href", "src"):
            if given.get(key):
                self.targets.append(given[key])
                if tag in ("script", "link", "img"):
                    self.loaded.append(given[key])


def check_links(pages, site):
    for path, page in sorted(pages.items()):
        for target in page.loaded:
            if re.match(r"(\w+:)?//", target):
                yield f"{path.relative_to(site)}: {target} comes from the network"
        for target in page.targets:
            address = urllib.parse.urlsplit(target)
            if address.scheme or address.netloc:
                continue
            to = path if not address.path else (path.parent / urllib.parse.unquote(address.path)).resolve()
            place = f"{path.relative_to(site)}: {target}"
            if not to.exists():
                yield f"{place} leads nowhere"
            elif (address.fragment and to in pages and to.parent.name != "play"  # which reads what stands behind the mark
                  and urllib.parse.unquote(address.fragment) not in pages[to].names):
                yield f"{place} names a place that is not there"


def inventory(site):
    """{kind of object: names} of what the references describe."""
    described = {}
    for line in zlib.decompress((site / "objects.inv").read_bytes().split(b"\n", 4)[4]).decode().splitlines():
        name, kind = re.match(r"(.+?) (\S+:\S+) ", line).groups()
        described.setdefault(kind, set()).add(name)
    return described


def check_contents(site, library, has_tables):
    docs = tree.ROOT / "docs"
    pages = {path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md")
             if docs / "site" not in path.parents}
    there = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    start = (site / "index.html").read_text(encoding="utf-8")
    yield from (f"there is no page {name}" for name in sorted(pages | {"index", "gallery"} - there) if name not in there)
    yield from (f"{name} is not in the navigation" for name in sorted(pages) if f'href="{name}.html"' not in start)
    if '<span class="caption-text">More</span>' in start:
        yield "docs/site/make.py names no group for some pages"
    described = inventory(site)
    functions = described.get("c:function", set())
    yield from (f"{name} is not in the C reference" for name in tree.exported("core") + tree.exported("experimental")
                if name not in functions)
    public = tree.run(sys.executable, "-c", "import cubenet; print(*cubenet.__all__)",
                      env=tree.environment(CUBENET_LIBRARY=library, PYTHONPATH=tree.ROOT / "lib" / "python"))
    names = {name for kind, names in described.items() if kind.startswith("py:") for name in names}
    yield from (f"cubenet.{name} is not in the Python reference" for name in public.split()
                if f"cubenet.{name}" not in names and name != "networks")
    for header in tree.public_headers():
        tier = "experimental" if header in tree.experimental_headers() else "stable"
        if header.name != "cubenet.h" and f'class="tier {tier} docutils' not in (site / "c" / f"{header.stem}.html").read_text():
            yield f"{header.name} is not marked as {tier}"
    if (site / "python" / "topology.html").read_text().count('class="tier experimental docutils') < 5:
        yield "the Python reference does not mark what is experimental"
    if 'href="play/index.html"' not in (site / "play.html").read_text(encoding="utf-8"):
        yield "no page leads to what runs in the browser"
    if (site / "gallery.html").read_text(encoding="utf-8").count("<figure") != FIGURES:
        yield f"the gallery has not {FIGURES} figures"
    for page, cell in (("parameters", "relative_precision"), *([("combinations", "de_bruijn")] if has_tables else [])):
        if cell not in (site / "reference" / f"{page}.html").read_text(encoding="utf-8"):
            yield f"reference/{page}.html has no table"


def check_gallery(library):
    """The figure of the gallery that takes no time is what the package draws; test_blocks.py knows the exhibits of the others."""
    gallery = tree.ROOT / "docs" / "site" / "gallery"
    drawn = tree.run(sys.executable, "-c", "import draw; print(draw.small(draw.allreduce_by_time()), end='')", cwd=gallery,
                     env=tree.environment(CUBENET_LIBRARY=library, PYTHONPATH=tree.ROOT / "lib" / "python",
                                          PYTHONDONTWRITEBYTECODE="1"))
    if drawn != (gallery / "allreduce-by-time.svg").read_text(encoding="utf-8"):
        yield "docs/site/gallery/allreduce-by-time.svg is not what draw.py draws"


def formulas(site):
    """A page with formulas."""
    return next(path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))
                if 'class="math' in path.read_text(encoding="utf-8"))


def check_in_browser(site, browser):
    answer, done = [], threading.Event()
    own = [[path.relative_to(site).as_posix(), [1280, 390]] for path in sorted(site.rglob("*.html"))
           if not path.match("*/c/*") and not path.match("*/python/*") and MATHJAX not in path.as_posix()]
    headers = [[path.relative_to(site).as_posix(), [1280]] for path in sorted(site.rglob("*.html")) if path.match("*/c/*")
               or path.match("*/python/*")]
    (site / "harness.htm").write_text(HARNESS.replace("PAGES", json.dumps(own + headers)).replace(
        "FORMULAS", json.dumps(formulas(site))))

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_POST(self):
            answer.extend(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()
            done.set()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site)) as server, \
            tempfile.TemporaryDirectory() as home:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        child = subprocess.Popen(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000",
             f"--user-data-dir={home}", f"http://127.0.0.1:{server.server_address[1]}/harness.htm"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": home})
        if not done.wait(300):
            answer.append("the browser gives no answer")
        child.terminate()
        child.wait()
        server.shutdown()
    return answer


def main(library, combinations=None):
    library = os.path.abspath(library)
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder, "site").resolve()
        play = pathlib.Path(folder, "play")  # in place of what takes a compiler for WebAssembly
        play.mkdir()
        (play / "index.html").write_text("<!DOCTYPE html><title>play</title>")
        command = [sys.executable, MAKE, site, "--library", library, "--strict", "--play", play,
                   *(["--combinations", combinations] if combinations else [])]
        done = tree.run_for_status(*command, env=tree.environment(PATH=folder))
        if done.returncode == 0 or not re.fullmatch(r"[^\n]*: sudo apt-get install [^\n]*\bdoxygen\b[^\n]*\n", done.stderr):
            tree.finish([f"without doxygen the site says: {done.stderr}"])
        done = tree.run_for_status(*command)
        if "apt-get install" in done.stderr:
            tree.skip(done.stderr.strip())
        if done.returncode != 0:
            tree.finish([done.stdout + done.stderr])
        print(done.stdout)
        pages = {path: Page(path.read_text(encoding="utf-8", errors="replace")) for path in site.rglob("*.html")}
        problems = [*check_links(pages, site), *check_contents(site, library, combinations is not None),
                    *check_gallery(library)]
        browser = shutil.which("chromium") or shutil.which("chromium-browser")
        if browser:
            problems += check_in_browser(site, browser)
        else:
            tree.leave_out("no page is looked at, for there is no chromium here")
        tree.finish(problems)


if __name__ == "__main__":
    main(*sys.argv[1:])

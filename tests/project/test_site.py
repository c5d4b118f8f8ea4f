"""The site of the documentation: every page is there, no link or image leads nowhere, every public symbol is in the
references and in the search, and in a headless browser nothing is wider than its page.

usage: test_site.py SHARED_LIBRARY [REPRODUCE]

Without pandoc or doxygen the site must say what is missing; then the rest is skipped. So is what needs a
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

import tree

BUILD = tree.ROOT / "docs" / "site" / "build.py"
FIGURES = ["horng92-fig-2.7", "horng92-fig-5.12"]  # the quickest plot and the quickest graph
# Measures each page in a frame of each width and sends what does not fit.
HARNESS = """<!DOCTYPE html><body><iframe id="f" style="border:0;height:900px"></iframe><script>
const frame = document.getElementById("f"), found = [];
async function look(page, width) {
  frame.style.width = width + "px";
  await new Promise(done => { frame.onload = done; frame.src = page; });
  const inside = frame.contentDocument, root = inside.documentElement;
  await new Promise(done => setTimeout(done, 0));
  if (root.scrollWidth > width)
    found.push(`${page}: ${root.scrollWidth} wide on a screen of ${width}`);
  for (const box of inside.querySelectorAll(".table"))
    if (width > 1000 && box.scrollWidth > box.clientWidth + 1)
      found.push(`${page}: a table of ${box.scrollWidth} in ${box.clientWidth}: ` +
                 box.textContent.trim().slice(0, 40));
  for (const image of inside.images) {
    image.loading = "eager";
    if (!image.complete) await new Promise(done => { image.onload = image.onerror = done; });
    if (image.naturalWidth === 0) found.push(`${page}: ${image.src} does not show`);
  }
  if (page === "index.html" && width > 1000) {
    const box = inside.getElementById("search");
    box.value = "predict";
    box.dispatchEvent(new Event("input"));
    const hits = [...inside.querySelectorAll("#found a")].map(a => a.textContent);
    if (!hits.includes("cn_predict") || !hits.some(hit => hit.includes("Scenario.predict")))
      found.push(`the search for predict finds ${hits}`);
  }
  if (inside.querySelector("math") && getComputedStyle(inside.querySelector("math")).display === "none")
    found.push(`${page}: equations do not show`);
}
(async () => {
  for (const [page, widths] of PAGES) for (const width of widths) await look(page, width);
  await fetch("/found", {method: "POST", body: JSON.stringify(found)});
})();
</script>"""


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}
        for key in ("href", "src"):
            if given.get(key) and tag != "iframe":
                self.targets.append(given[key])


def check_links(site):
    pages = {path: Page(path.read_text(encoding="utf-8", errors="replace"))
             for path in site.rglob("*.html")}
    for path, page in sorted(pages.items()):
        for target in page.targets:
            address = urllib.parse.urlsplit(target)
            if address.scheme or address.netloc or target.startswith("javascript"):
                continue
            to = path if not address.path else (path.parent / urllib.parse.unquote(address.path)).resolve()
            place = f"{path.relative_to(site)}: {target}"
            if not to.exists():
                yield f"{place} leads nowhere"
            elif address.fragment and to in pages and not path.match("*/c/*") and \
                    urllib.parse.unquote(address.fragment) not in pages[to].names:
                yield f"{place} names a place that is not there"


def check_contents(site, library):
    pages = {"-".join(part for part in path.relative_to(tree.ROOT / "docs").with_suffix("").parts if part != "README")
             for path in (tree.ROOT / "docs").rglob("*.md")} | {"index", "figures"}
    there = {path.stem for path in site.glob("*.html")}
    yield from (f"there is no page {name}" for name in sorted(pages - there))
    index = json.loads((site / "search-index.js").read_text()[len("const searchIndex = "):-2])
    names = {row[0] for row in index}
    symbols = tree.exported("core") + tree.exported("experimental")
    yield from (f"{name} is not in the C reference" for name in symbols if name not in names)
    for name, _, place, _ in index:
        if not (site / place.partition("#")[0]).exists():
            yield f"the search has {name} at {place}, which is not there"
    if shutil.which("sphinx-build") or shutil.which("pdoc"):
        public = tree.run(sys.executable, "-c", "import cubenet; print(*cubenet.__all__)",
                          env=tree.environment(CUBENET_LIBRARY=library,
                                               PYTHONPATH=tree.ROOT / "lib" / "python"))
        yield from (f"cubenet.{name} is not in the Python reference" for name in public.split()
                    if f"cubenet.{name}" not in names)
    for page in sorted(path.stem for path in (tree.ROOT / "docs" / "theory").glob("*.md")):
        if "<math" not in (site / f"theory-{page}.html").read_text():
            yield f"{page}.html has no equation"
    # what pandoc cannot read stays as it was written
    for path in site.glob("*.html"):
        if re.search(r"\$\$|\\frac|class=\"math", re.sub(r"<annotation.*?</annotation>", "", path.read_text())):
            yield f"{path.name}: an equation is not rendered"


def check_in_browser(site, browser):
    answer, done = [], threading.Event()
    own = [[path.name, [1300, 400]] for path in sorted(site.glob("*.html"))]
    headers = [[f"c/{path.name}", [1300]] for path in sorted((site / "c").glob("*_8h.html"))]
    python = [["python/index.html", [1300]]] if (site / "python" / "index.html").exists() else []
    (site / "harness.htm").write_text(HARNESS.replace("PAGES", json.dumps(own + headers + python)))

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
        if not done.wait(180):
            answer.append("the browser gives no answer")
        child.terminate()
        child.wait()
        server.shutdown()
    return answer


def main(library, reproduce=None):
    library = os.path.abspath(library)
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder, "site").resolve()
        figures = ["--reproduce", reproduce, "--figures", *FIGURES] if reproduce else []
        command = [sys.executable, BUILD, site, "--library", library, *figures]
        missing = [name for name in ("pandoc", "doxygen") if shutil.which(name) is None]
        if missing:
            done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
            if done.returncode == 0 or f"apt-get install {' '.join(missing)}" not in done.stderr:
                tree.finish([f"without {missing} the site says: {done.stderr}"])
            tree.skip(f"there is no {' and no '.join(missing)} here")
        print(tree.run(*command))
        problems = [*check_links(site), *check_contents(site, library)]
        browser = shutil.which("chromium") or shutil.which("chromium-browser")
        if browser:
            problems += check_in_browser(site, browser)
        else:
            tree.leave_out("no page is looked at, for there is no chromium here")
        tree.finish(problems)


if __name__ == "__main__":
    main(*sys.argv[1:])

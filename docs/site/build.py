"""Makes the site of the documentation: the Markdown pages, the reference of the C headers by doxygen, that of the
Python package by sphinx or pdoc, the figures of `reproduce`, and one search over all of it.

usage: build.py FOLDER --library SHARED_LIBRARY [--reproduce PROGRAM] [--figures ID...]

It needs pandoc and doxygen; what else is missing is left out, and the pages say so. It opens without a
server: FOLDER/index.html.
"""

import argparse
import concurrent.futures
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REFERENCES = [("c", "C reference"), ("python", "Python reference"), ("figures", "Figures")]

DOXYGEN = """
PROJECT_NAME = cubenet
PROJECT_BRIEF = "the C reference"
INPUT = "{root}/include"
STRIP_FROM_PATH = "{root}/include"
FILE_PATTERNS = *.h *.hpp
RECURSIVE = YES
PREDEFINED = CN_EXPERIMENTAL
OPTIMIZE_OUTPUT_FOR_C = YES
JAVADOC_AUTOBRIEF = YES
GENERATE_LATEX = NO
OUTPUT_DIRECTORY = "{folder}"
HTML_OUTPUT = c
HTML_EXTRA_STYLESHEET = "{here}/doxygen.css"
HTML_TIMESTAMP = NO
HAVE_DOT = NO
SEARCHENGINE = YES
GENERATE_TAGFILE = "{folder}/c.tags"
QUIET = YES
WARNINGS = NO
"""

SPHINX = """
project = "cubenet"
extensions = ["sphinx.ext.autodoc"]
autodoc_member_order = "bysource"
autodoc_default_options = {{"members": True, "undoc-members": True, "imported-members": True}}
html_theme = "basic"
html_static_path = ["{here}"]
html_css_files = ["style.css", "sphinx.css"]
html_sidebars = {{"**": ["localtoc.html", "searchbox.html"]}}
html_copy_source = False


def code(app, what, name, obj, options, lines):
    # indented blocks of a comment are code
    for i in range(len(lines) - 1, 0, -1):
        if lines[i].startswith("    ") and not lines[i - 1].strip():
            lines[i:i] = ["::", ""]


def setup(app):
    app.connect("autodoc-process-docstring", code)
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav>
<a class="home" href="index.html">cubenet</a>
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
<ul id="found"></ul>
<ul id="pages">
{links}
</ul>
</nav>
<main>
{body}
</main>
<script src="search-index.js"></script>
<script src="search.js"></script>
</body>
</html>
"""


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, stdin=options.pop("stdin", subprocess.DEVNULL),
                          text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


# ---- the pages ----

def page_of(source):
    """docs/course/README.md is the page course, docs/course/4-chain.md course-4-chain."""
    if source == ROOT / "README.md":
        return "index"
    parts = source.relative_to(ROOT / "docs").with_suffix("").parts
    return "-".join(part for part in parts if part != "README")


def sources():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def retarget(source, body, folder, figures):
    """The text of a page with the addresses of the site in place of those of the tree."""
    def address(found):
        attribute, target = found.groups()
        path, _, anchor = target.partition("#")
        if re.match(r"\w+:", target) or not path:
            return found.group()
        file = (source.parent / path).resolve()
        if file.is_dir():
            file = file / "README.md"
        name = page_of(file) + ".html" if file.suffix == ".md" else "-".join(file.relative_to(ROOT).parts)
        if file.suffix != ".md":
            shutil.copy(file, folder / name)
        return f'{attribute}="{name}{"#" + anchor if anchor else ""}"'

    def figure(found):
        name = found.group(1)
        return f'<a href="figures.html#{name}">{found.group()}</a>' if name in figures else found.group()

    def table(found):
        look = "table wide" if found.group().count("<th") > 6 else "table"
        return f'<div class="{look}">{found.group()}</div>'

    body = re.sub(r'\b(href|src)="([^"]*)"', address, body)
    body = re.sub(r"<code>([\w.-]+)</code>(?!</a>)", figure, body)
    return re.sub(r"<table.*?</table>", table, body, flags=re.DOTALL)


def title_of(text, otherwise):
    found = re.search(r"<h1[^>]*>(.*?)</h1>", text, re.DOTALL)
    return re.sub(r"<[^>]*>", "", found.group(1)).strip() if found else otherwise


def convert(source):
    return run("pandoc", "--from=gfm+tex_math_dollars", "--to=html5", "--mathml", "--no-highlight",
               "--wrap=none", source)


def write_page(folder, name, body, titles):
    links = "\n".join(f'<li><a href="{page}.html"{" class=here" if page == name else ""}>'
                      f"{title}</a></li>" for page, title in titles)
    (folder / f"{name}.html").write_text(PAGE.format(
        title=dict(titles).get(name, name), links=links, body=body), encoding="utf-8")


# ---- the references ----

def make_c_reference(folder):
    settings = folder / "Doxyfile"
    settings.write_text(DOXYGEN.format(root=ROOT, folder=folder, here=HERE))
    run("doxygen", settings)
    settings.unlink()
    for path in (folder / "c").glob("*.html"):
        path.write_text(path.read_text().replace(
            '<div id="projectname">cubenet', '<div id="projectname"><a href="../index.html">cubenet</a>'))
    tags = folder / "c.tags"
    for member in xml.etree.ElementTree.parse(tags).iter("member"):
        if member.findtext("name", "").startswith(("cn_", "CN_")):
            yield (member.findtext("name"), "C " + member.get("kind"),
                   f"c/{member.findtext('anchorfile')}#{member.findtext('anchor')}")
    tags.unlink()


def make_python_reference(folder, library):
    """Yields its names; (None, what is missing, None) where nothing can make it."""
    environment = {**os.environ, "CUBENET_LIBRARY": str(library.resolve()), "PYTHONDONTWRITEBYTECODE": "1",
                   "PYTHONPATH": str(ROOT / "lib" / "python")}
    (folder / "python").mkdir()
    if shutil.which("sphinx-build"):
        source = folder / "python-source"
        source.mkdir()
        (source / "conf.py").write_text(SPHINX.format(here=HERE))
        (source / "index.rst").write_text("The Python package\n==================\n\n"
                                          "`Start of the site <../index.html>`_\n\n"
                                          ".. automodule:: cubenet\n\n"
                                          "Networks as data\n----------------\n\n"
                                          ".. automodule:: cubenet.networks\n")
        run("sphinx-build", "-q", "-b", "html", "-d", folder / "doctrees", source,
            folder / "python", env=environment)
        shutil.rmtree(source)
        shutil.rmtree(folder / "doctrees")
        inventory = (folder / "python" / "objects.inv").read_bytes().split(b"\n", 4)[4]
        for line in zlib.decompress(inventory).decode().splitlines():
            name, kind, _, place, _ = line.split(None, 4)
            if kind.startswith("py:") and name != "cubenet":
                yield (name, "Python " + kind[3:], "python/" + place.replace("$", name))
    elif shutil.which("pdoc"):
        run("pdoc", "-o", folder / "python", "cubenet", env=environment)
        text = (folder / "python" / "cubenet.html").read_text()
        for name in re.findall(r'<section id="([\w.]+)"', text):
            yield f"cubenet.{name}", "Python", f"python/cubenet.html#{name}"
    else:
        yield None, "The Python reference needs sphinx (Debian: python3-sphinx) or pdoc.", None


# ---- the figures ----

def make_figures(folder, program, ids):
    """Gives {id: (title, paper)} of what was drawn."""
    if program is None:
        return {}
    run(program, *(ids or ["all"]), "--quick", "--threads", os.cpu_count() or 1, "--out",
        folder / "figures")
    listed = {}
    for line in run(program, "list").splitlines():
        name, title, paper = (re.split(r"\s{2,}", line.strip(), 2) + ["", ""])[:3]
        listed[name] = (title, paper)
    return {path.stem: listed.get(path.stem, (path.stem, ""))
            for path in sorted((folder / "figures").glob("*.svg"))}


def figures_body(figures):
    parts = ["<h1>Figures</h1>\n<p>All by <code>reproduce --quick</code>: few points and wide intervals. "
             'What they show, and what comes out, is in <a href="reproduce.html">Reproducing the '
             "papers</a>.</p>"]
    if not figures:
        parts.append("<p>Nothing was drawn here: figures need the program <code>reproduce</code> (option "
                     "<code>-Dbench=true</code>) with gnuplot and graphviz.</p>")
    for name, (title, paper) in figures.items():
        parts.append(f'<figure id="{name}"><img src="figures/{name}.svg" alt="{html.escape(title)}" '
                     f'loading="lazy"><figcaption><code>{name}</code> {html.escape(title)} '
                     f"{html.escape(paper)}</figcaption></figure>")
    return "\n".join(parts)


# ---- the search ----

def sections(page, title, body):
    """(title, where, address, text) of each heading."""
    parts = re.split(r'<h[1-4][^>]*? id="([^"]*)"[^>]*>(.*?)</h[1-4]>', body, flags=re.DOTALL)
    for anchor, heading, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        plain = [html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", part))).strip()
                 for part in (heading, text)]
        yield plain[0], title, f"{page}.html#{anchor}", plain[1].lower()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--reproduce")
    parser.add_argument("--figures", nargs="*")
    given = parser.parse_args()
    missing = [program for program in ("pandoc", "doxygen") if shutil.which(program) is None]
    if missing:
        sys.exit(f"The site needs {' and '.join(missing)}. On Debian or Ubuntu: "
                 f"sudo apt-get install {' '.join(missing)}")
    folder = given.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        bodies = pool.map(convert, sources())
        figures = pool.submit(make_figures, folder, given.reproduce, given.figures)
        c_names = list(make_c_reference(folder))
        python_names = list(make_python_reference(folder, given.library))
        figures = figures.result()
        bodies = {page_of(source): retarget(source, body, folder, figures)
                  for source, body in zip(sources(), bodies)}
    if python_names[0][0] is None:
        message = python_names.pop()[1]
        print(message)
        (folder / "python" / "index.html").write_text(f"<!DOCTYPE html><title>Python</title><p>{message}")
    for name in "style.css", "search.js":
        shutil.copy(HERE / name, folder)
    bodies["figures"] = figures_body(figures)
    titles = [(name, title_of(body, name)) for name, body in bodies.items() if name != "index"]
    python_index = "python/index" if (folder / "python" / "index.html").exists() else "python/cubenet"
    titles = [("index", "Start"), ("c/files", "C reference"), (python_index, "Python reference"),
              *sorted(titles, key=lambda row: (row[0] != "figures", row[1].lower()))]
    index = [(name, kind, place, "") for name, kind, place in [*c_names, *python_names]]
    for name, body in bodies.items():
        write_page(folder, name, body, titles)
        index += sections(name, dict(titles)[name], body)
    (folder / "search-index.js").write_text(f"const searchIndex = {json.dumps(index)};\n")
    print(f"{len(bodies)} pages, {len(c_names)} names of C, {len(python_names)} of Python, "
          f"{len(figures)} figures: {folder / 'index.html'}")


if __name__ == "__main__":
    main()

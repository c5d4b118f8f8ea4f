"""Makes the site of the documentation with Sphinx: the pages of docs/, the reference of the C headers by Doxygen and
Breathe, and that of the Python package by autodoc. The site needs no server and no network: FOLDER/index.html.

usage: make.py FOLDER --library SHARED_LIBRARY [--combinations FILE] [--play FOLDER] [--strict]

Sphinx reads the folder FOLDER-source, into which this program puts the pages and what it makes.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import c_reference
import python_reference
import tables

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs"
MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
# What pages with formulas load; SVG needs no fonts.
MATHJAX_PARTS = ["MathJax.js", "config/TeX-AMS_SVG-full.js", "jax/element", "jax/input/TeX", "jax/output/SVG/autoload",
                 "jax/output/SVG/config.js", "jax/output/SVG/jax.js", "jax/output/SVG/fonts/TeX", "extensions"]
# The modules and programs that make the site, with the Debian packages that have them.
MODULES = {"sphinx": "python3-sphinx", "myst_parser": "python3-myst-parser", "breathe": "python3-breathe",
           "furo": "furo", "sphinx_copybutton": "python3-sphinx-copybutton"}
# The navigation. A page that is not named here comes last.
GROUPS = {
    "Start": ["start", "concepts", "gallery", "play"],
    "Guides": ["topologies", "trees", "routing", "faults", "traffic", "hosts", "scale", "embedding", "python"],
    "Systems": ["simulation", "collective"],
    "Models": ["models", "theory/*"],
    "Course": ["course/README", "course/*"],
    "Reference": ["reference/*", "c/index", "python/index"],
    "Project": ["papers", "errata", "lab/*", "architecture", "quality", "stability", "machines", "changelog"],
}
# A link to what runs in the browser, with the state that it opens; the page is no source of Sphinx.
PLAY = re.compile(r"\[([^\]]*)\]\(((?:\.\./)*play/index\.html(?:[^()\s]|\([^()\s]*\))*)\)")
KINDS = {".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".sh": "sh", ".sbatch": "sh"}


def missing_for(python):
    """The Debian names of what a Python interpreter lacks to make the site."""
    asked = f"import importlib.util as u; print(*(m for m in {list(MODULES)} if u.find_spec(m) is None))"
    answer = subprocess.run([python, "-c", asked], stdout=subprocess.PIPE, text=True)
    names = [MODULES[module] for module in (answer.stdout.split() if answer.returncode == 0 else MODULES)]
    return names + [name for name, there in (("doxygen", shutil.which("doxygen")), ("libjs-mathjax", MATHJAX.exists()))
                    if not there]


def python_of_sphinx():
    """The interpreter that has Sphinx; where none has all, the site says in one sentence what is missing."""
    pythons = [sys.executable, *filter(os.path.exists, ["/usr/bin/python3"])]
    missing = [missing_for(python) for python in pythons]
    for python, names in zip(pythons, missing):
        if not names:
            return python
    sys.exit("The site needs what is not here; on Debian or Ubuntu: sudo apt-get install "
             + " ".join(min(missing, key=len)))


# ---- the pages ----

def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def parts_of_readme():
    """What the start of the site has from README: its first paragraph, and its first code in each language with the output."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    parts = {"words": readme.split("\n\n")[1]}
    for language in "python", "c":
        found = re.search(rf"^```{language}\n.*?^```$(\n\n(?:    [^\n]*\n)+)?", readme, re.MULTILINE | re.DOTALL)
        parts[language] = found[0]
    return parts


def name_of(file):
    """The path of a file of the tree on the site: pages of docs/site/ and docs/ are at the top."""
    base = next(folder for folder in (HERE, DOCS, ROOT) if folder in file.parents)
    return file.relative_to(base).as_posix()


class Pages:
    """The pages in the folder that Sphinx reads, with addresses of the site in place of those of the tree."""

    def __init__(self, stage, play):
        self.stage = stage
        self.has_play = play is not None
        self.shown = set()  # the source files that pages point to

    def show(self, file):
        """A page with the text of a source file; its name on the site."""
        name = name_of(file) + ".md"
        if file not in self.shown:
            self.shown.add(file)
            write(self.stage / name, f"---\norphan: true\n---\n# {file.name}\n\n`{file.relative_to(ROOT)}`\n\n"
                  f"``````{KINDS[file.suffix]}\n{file.read_text(encoding='utf-8')}``````\n")
        return name

    def place(self, file):
        """What shows a file of the tree on the site."""
        if file.is_dir():
            file = file / "README.md"
        if file == ROOT / "README.md":
            return "index.md"
        if ROOT / "include" / "cubenet" in file.parents:
            return f"c/{file.stem}.rst"
        if file.suffix in KINDS:
            return self.show(file)
        name = name_of(file)
        if file.suffix != ".md":
            copy = self.stage / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        return name

    def address(self, page, target):
        """Where a link of a page leads on the site."""
        path, mark, anchor = target.partition("#")
        file = (page.parent / path).resolve()
        if re.match(r"\w+:", target) or not path or not file.exists():
            return target
        place = self.place(file)
        here = pathlib.PurePath(name_of(page)).parent
        return os.path.relpath(place, here) + (mark + anchor if place != "index.md" else "")

    def add(self, page):
        """Brings a page of the tree into the site."""
        text = tables.filled(page.read_text(encoding="utf-8"))
        text = re.sub(r"^<!-- readme: (\w+) -->$", lambda found: parts_of_readme()[found[1]], text, flags=re.MULTILINE)
        # code keeps what looks like a link
        parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.MULTILINE | re.DOTALL)
        for i, part in enumerate(parts):
            pattern = r"(\]\()((?:[^()\s]|\([^()\s]*\))+)" if i % 2 == 0 else r"^(```\{figure\} )(\S+)"
            part = re.sub(PLAY, r'<a href="\2">\1</a>' if self.has_play else r"\1", part)
            part = re.sub(r"\[[\w/.-]+\.md\]\(", "[](", part)  # the title of the page instead of its name
            parts[i] = re.sub(pattern, lambda found: found[1] + self.address(page, found[2]), part)
        write(self.stage / name_of(page), "".join(parts))


def contents(stage):
    """The tables of contents of the groups. Patterns are for the pages that no other line of GROUPS names."""
    there = [path.relative_to(stage).with_suffix("").as_posix() for path in sorted(stage.rglob("*"))
             if path.suffix in (".md", ".rst") and "orphan: true" not in path.read_text(encoding="utf-8")[:20]]
    there = [name for name in there if name != "index" and not re.match("c/(?!index)|python/(?!index)", name)]
    named = [name for names in GROUPS.values() for name in names]
    groups = {}
    for group, names in GROUPS.items():
        groups[group] = []
        for name in names:
            fitting = [page for page in there if pathlib.PurePath(page).match(name) and "/" in name or page == name]
            groups[group] += [page for page in fitting if page == name or page not in named]
    placed = [page for pages in groups.values() for page in pages]
    groups["More"] = [page for page in there if page not in placed]
    return "\n".join(f"```{{toctree}}\n:hidden:\n:caption: {group}\n\n" + "\n".join(dict.fromkeys(pages)) + "\n```\n"
                     for group, pages in groups.items() if pages)


def stage_pages(stage, play):
    pages = Pages(stage, play)
    for page in sorted(DOCS.rglob("*.md")):
        if page != HERE / "play.md" or play:
            pages.add(page)
    # pictures of raw HTML
    for image in DOCS.rglob("*.svg"):
        pages.place(image)


def stage_static(stage):
    shutil.copytree(HERE / "static", stage / "_static")
    for part in MATHJAX_PARTS:
        copy = stage / "_static" / "mathjax" / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (MATHJAX / part).is_dir() else shutil.copy)(MATHJAX / part, copy)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--combinations", type=pathlib.Path)
    parser.add_argument("--play", type=pathlib.Path)
    parser.add_argument("--strict", action="store_true", help="a warning of Sphinx is an error")
    given = parser.parse_args()
    python = python_of_sphinx()
    folder = given.folder.resolve()
    stage = folder.with_name(folder.name + "-source")
    for old in folder, stage:
        shutil.rmtree(old, ignore_errors=True)
    play = given.play if given.play and given.play.exists() else None
    environment = {**os.environ, "CUBENET_LIBRARY": str(given.library.resolve()), "PYTHONDONTWRITEBYTECODE": "1",
                   "PYTHONPATH": str(ROOT / "lib" / "python")}
    tables.make(python, environment, given.combinations)
    stage_pages(stage, play)
    stage_static(stage)
    c_reference.make(stage)
    python_reference.make(stage)
    index = stage / "index.md"
    index.write_text(index.read_text(encoding="utf-8") + "\n" + contents(stage), encoding="utf-8")
    strict = ["-W", "--keep-going"] if given.strict else []
    done = subprocess.run([python, "-m", "sphinx", "-q", "-n", "-j", "auto", *strict, "-c", HERE, "-d",
                           stage / "_doctrees", stage, folder], env=environment, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit("Sphinx has errors or warnings.")
    if play:
        shutil.copytree(play, folder / "play")
    print(f"The site: {folder / 'index.html'}")


if __name__ == "__main__":
    main()

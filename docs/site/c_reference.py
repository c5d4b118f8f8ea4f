"""The pages of the C reference: one for each public header, which Breathe fills from what Doxygen reads."""

import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
DOXYGEN = """
PROJECT_NAME = cubenet
INPUT = "{headers}"
STRIP_FROM_PATH = "{headers}"
FILE_PATTERNS = *.h *.hpp
RECURSIVE = YES
PREDEFINED = CN_EXPERIMENTAL CN_API=
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
OPTIMIZE_OUTPUT_FOR_C = YES
JAVADOC_AUTOBRIEF = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
OUTPUT_DIRECTORY = "{folder}"
QUIET = YES
WARNINGS = NO
"""
TITLES = {"define": "Macros", "enum": "Enums", "typedef": "Types", "func": "Functions", "var": "Variables"}
PAGE = """.. _{label}:

{title}
{line}

.. container:: tier {tier}

   {tier}

.. container:: include

   ``#include <{path}>``

.. container:: {tier}

   .. doxygenfile:: {name}
      :project: cubenet
"""
INDEX = """.. _cubenet_8h:

C reference
===========

What the headers declare. Names, numbers and meaning of the stable headers stay for a major version; any version may
change the experimental ones, which a program sees when it defines ``CN_EXPERIMENTAL`` before it includes ``cubenet.h``.
:doc:`base` has the conventions of the whole library.

{parts}

C++
---

.. toctree::
   :maxdepth: 1

   cubenet.hpp
"""


def with_sections(text):
    """A header whose headings between functions, "/* ---- walks ---- */", are groups of Doxygen."""
    parts = re.split(r"^/\* ---- (.*?) ---- \*/$", text, flags=re.MULTILINE | re.DOTALL)
    closing = "\n#ifdef __cplusplus\n}"
    for i in range(1, len(parts), 2):
        heading = re.sub(r"\s*\n \* ", " ", parts[i])
        parts[i] = f"/** @name {heading[0].upper()}{heading[1:]} */\n/**@{{*/"
        body, end, after = parts[i + 1].partition(closing)
        parts[i + 1] = f"{body}\n/**@}}*/\n{end}{after}"
    return "".join(parts)


def with_links(text):
    """Pages that comments name are links. Arguments are code, without the colon that follows."""
    text = re.sub(r"@p (\w+)", r"`\1`", text)
    return re.sub(r"\bdocs/([\w/-]+)\.md\b", r"[\1](../\1.html)", text)


def without_doubles(folder):
    """`typedef enum cn_status {...} cn_status` is one thing: its enum."""
    files = [path for path in folder.glob("*.xml") if path.name != "index.xml"]
    names = {}
    trees = {path: xml.etree.ElementTree.parse(path) for path in files}
    for tree in trees.values():
        for member in tree.iter("memberdef"):
            if member.get("kind") == "enum":
                names[f"enum {member.findtext('name')}"] = member.get("id")
        for compound in tree.iter("compounddef"):
            if compound.get("kind") == "struct":
                names[f"struct {compound.findtext('compoundname')}"] = compound.get("id")
    ids = {}
    for tree in trees.values():
        for section in tree.iter("sectiondef"):
            for member in section.findall("memberdef[@kind='typedef']"):
                kind = "".join(member.find("type").itertext())
                if kind in names and kind.split()[-1] == member.findtext("name"):
                    ids[member.get("id")] = names[kind]
                    section.remove(member)
    for path, tree in trees.items():
        for compound in tree.iter("compounddef"):
            if compound.get("kind") == "file":
                order_sections(compound)
        for reference in tree.iter("ref"):
            if reference.get("refid") in ids:
                reference.set("refid", ids[reference.get("refid")])
        tree.write(path, encoding="utf-8", xml_declaration=True)


def order_sections(compound):
    """The sections of a header in the order of the header; Doxygen and Breathe have orders of their own."""
    sections = [section for section in compound.findall("sectiondef") if section.find("memberdef") is not None]
    at = len(compound)
    for section in compound.findall("sectiondef"):
        at = min(at, list(compound).index(section))
        compound.remove(section)
    for section in sections:
        if section.find("header") is None:
            header = xml.etree.ElementTree.Element("header")
            header.text = TITLES[section.get("kind")]
            section.insert(0, header)
            section.set("kind", "user-defined")
    lines = {id(section): min(int(place.get("line")) for place in section.iter("location")) for section in sections}
    for section in sorted(sections, key=lambda section: -lines[id(section)]):
        compound.insert(at, section)


def rooms():
    """[(room, [header])] as cubenet.h lists the headers."""
    listed, found = [], re.split(r"^#ifdef CN_EXPERIMENTAL$", (INCLUDE / "cubenet.h").read_text(), flags=re.MULTILINE)
    for text in found:
        for comment, lines in re.findall(r"^/\* (.*?) \*/\n((?:#include [^\n]*\n)+)", text, re.MULTILINE | re.DOTALL):
            heading = re.sub(r"\s*\n \* ", " ", comment)
            listed.append((heading, re.findall(r'"(.*?)"', lines)))
    return listed


def purpose(header):
    """The first sentence of a header's comment."""
    comment = re.search(r"@file \S+\n \* (.*?)\n \*(?:\n|/)", (INCLUDE / header).read_text(), re.DOTALL)[1]
    return re.split(r"(?<=[a-z)])[.:;] ", re.sub(r"\s*\n \* ", " ", comment) + " ")[0].rstrip(" .")


def make(stage):
    headers, folder = stage / "_headers", stage / "_doxygen"
    for header in [*INCLUDE.rglob("*.h"), *INCLUDE.rglob("*.hpp")]:
        copy = headers / header.relative_to(INCLUDE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(with_links(with_sections(header.read_text())))
    folder.mkdir()
    settings = folder / "Doxyfile"
    settings.write_text(DOXYGEN.format(headers=headers, folder=folder))
    done = subprocess.run(["doxygen", settings], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"doxygen failed:\n{done.stderr}")
    without_doubles(folder / "xml")
    parts = []
    (stage / "c").mkdir()
    for heading, names in [*rooms(), (None, ["cubenet.hpp"])]:
        rows = []
        for name in names:
            path = pathlib.PurePath(name)
            page = path.name if path.suffix == ".hpp" else path.stem
            tier = "experimental" if "experimental" in path.parts else "stable"
            (stage / "c" / f"{page}.rst").write_text(PAGE.format(
                label=path.name.replace("_", "__").replace(".", "_8"), title=path.name, line="=" * len(path.name), tier=tier,
                path=name, name=path.name))
            rows.append((page, path.name, purpose(name), tier))
        if heading is not None:
            parts.append(table_of(heading, rows))
    (stage / "c" / "index.rst").write_text(INDEX.format(parts="\n".join(parts)))


def table_of(heading, rows):
    title = heading[0].upper() + heading[1:]
    marked = title + (" (experimental)" if rows[0][3] == "experimental" else "")
    lines = [marked, "-" * len(marked), "", ".. toctree::", "   :hidden:", "", *(f"   {row[0]}" for row in rows), "",
             ".. list-table::", "   :widths: 25 75", ""]
    for page, name, text, _ in rows:
        lines += [f"   * - :doc:`{name} <{page}>`", f"     - {text}"]
    return "\n".join(lines) + "\n"

"""The pages of the Python reference: one for each module of the package, with the names that the package gives from it."""

import ast
import pathlib
import re

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "lib" / "python" / "cubenet"
INDEX = """Python reference
================

.. currentmodule:: cubenet

{about}

.. toctree::
   :hidden:

{pages}

.. list-table::
   :widths: 40 60

{rows}
"""


def modules():
    """[(file name, [names])] in the order of the package."""
    for node in ast.parse((PACKAGE / "__init__.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, [name.name for name in node.names]


def directive(module, name):
    for node in ast.parse((PACKAGE / f"{module}.py").read_text()).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return f".. autoclass:: cubenet.{name}\n   :members:\n"
    return f".. autofunction:: cubenet.{name}\n"


def about_package():
    text = ast.get_docstring(ast.parse((PACKAGE / "__init__.py").read_text())).partition("\n\n")[2]
    return re.sub(r"(?:^    .*\n|^\n)+", lambda code: f"\n.. code-block:: python\n\n{code[0]}\n" if code[0].strip()
                  else code[0], text, flags=re.MULTILINE)


def make(stage):
    folder = stage / "python"
    folder.mkdir()
    rows, pages = [], []
    for module, names in [*modules(), ("networks", None)]:
        about = ast.get_docstring(ast.parse((PACKAGE / f"{module}.py").read_text())).split("\n\n")[0]
        title = " ".join(about.split()).split(". ")[0].split(": ")[0].rstrip(".")
        page = module.lstrip("_")
        lines = [title, "=" * len(title), "", ".. container:: tier stable", "",
                 "   stable, but for what is marked", "", ".. currentmodule:: cubenet", ""]
        if names is None:
            lines += [".. automodule:: cubenet.networks", "   :members:", ""]
        else:
            lines += [directive(module, name) for name in names]
        (folder / f"{page}.rst").write_text("\n".join(lines))
        pages.append(f"   {page}")
        shown = ", ".join(f":py:obj:`~cubenet.{name}`" for name in names or ["networks"])
        rows += [f"   * - :doc:`{title} <{page}>`", f"     - {shown}"]
    (folder / "index.rst").write_text(INDEX.format(about=about_package(), pages="\n".join(pages), rows="\n".join(rows)))

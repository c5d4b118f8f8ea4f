"""docs/tutorial.ipynb: its cells run in this order, and give what stands below them. No Jupyter is needed.

    test_tutorial.py [--update]     writes the outputs of today into the notebook"""

import ast
import contextlib
import io
import json
import sys
import unittest
import xml.etree.ElementTree
from pathlib import Path

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "tutorial.ipynb"
FORMS = (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_"))


def lines(text):
    return text.splitlines(keepends=True)


def shown(value):
    """What a notebook shows of the value of a cell."""
    data = {form: lines(getattr(value, method)()) for form, method in FORMS
            if getattr(value, method, None) and getattr(value, method)()}
    return {**data, "text/plain": lines(repr(value))}


def run(cell, count, names):
    """The outputs of a cell, as a notebook stores them."""
    *statements, last = ast.parse("".join(cell["source"])).body
    outputs, printed = [], io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), f"cell {count}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
        else:
            value = exec(compile(ast.Module([last], []), f"cell {count}", "exec"), names)
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        outputs.append({"data": shown(value), "execution_count": count, "metadata": {},
                        "output_type": "execute_result"})
    return outputs


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.notebook = json.loads(NOTEBOOK.read_text())
        self.cells = [cell for cell in self.notebook["cells"] if cell["cell_type"] == "code"]

    def test_cells(self):
        names = {}
        for count, cell in enumerate(self.cells, 1):
            with self.subTest(cell=count):
                self.assertEqual(cell["execution_count"], count)
                self.assertEqual(cell["outputs"], run(cell, count, names))
        self.assertEqual(len(self.cells), 10)

    def test_figure(self):
        """The last cell draws the points, the bands and the models."""
        drawing = "".join(self.cells[-1]["outputs"][0]["data"]["image/svg+xml"])
        paths = list(xml.etree.ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}path"))
        self.assertGreater(sum(path.get("fill-opacity") is not None for path in paths), 2)
        self.assertGreater(sum("translate" in path.get("transform", "") for path in paths), 20)

    def test_form(self):
        """As the format 4.4 of notebooks has it, and as this program writes it."""
        self.assertEqual((self.notebook["nbformat"], self.notebook["nbformat_minor"]), (4, 4))
        self.assertEqual(NOTEBOOK.read_text(), written(self.notebook))
        for cell in self.notebook["cells"]:
            more = {"execution_count", "outputs"} if cell in self.cells else set()
            self.assertEqual(set(cell), {"cell_type", "metadata", "source"} | more)


def written(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def update():
    notebook, names = json.loads(NOTEBOOK.read_text()), {}
    for count, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), 1):
        cell["execution_count"], cell["outputs"] = count, run(cell, count, names)
    NOTEBOOK.write_text(written(notebook))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    else:
        unittest.main(verbosity=2)

"""The pins of models hold for one revision: other numbers are refused, and so is replacing them under the same name. The
rows in lib/systems/, the table in docs/quality.md and the pins name the same models.

    test_pins.py test_numbers numbers.txt
"""

import pathlib
import re
import sys
import tempfile

import tree

VARIANTS = {"PUBLISHED": "published", "CORRECTED": "corrected", "OWN": "own"}


def models_of_the_rows():
    for path in tree.files("lib/systems", suffixes=(".c",)):
        text = path.read_text()
        row = re.search(r"\.model =\s*\{(.*?)\}", text, re.DOTALL)
        if row is not None:
            name = re.search(r'\.name = "(.*?)"', text)[1]
            for variant, model in re.findall(r'\[CN_MODEL_(\w+)\] = "(.*?)"', row[1]):
                if not re.fullmatch(rf"{name}/{VARIANTS[variant]}/\d+", model):
                    raise SystemExit(f"{path}: {model} is not {name}/{VARIANTS[variant]}/ and a number")
                yield model


def lists_of_models(pins):
    rows = set(models_of_the_rows())
    page = set(re.findall(r"^\| `([a-z-]+/[a-z]+/\d+)` \|", (tree.ROOT / "docs/quality.md").read_text(), re.MULTILINE))
    pinned = {line.split()[3] for line in pins.splitlines() if len(line.split()) == 4}
    for name, found in (("docs/quality.md", page), ("numbers.txt", pinned)):
        if not rows or found != rows:
            yield f"either {name} or lib/systems/ lacks {sorted(found ^ rows)}"


def changed_pins(program, pins, path):
    """What is said of a number that differs, by its revision, and what is written in its place."""
    line = re.search(r"^(\S+ mean_delay )\S+ (deflection/own/)(\d+)$", pins, re.MULTILINE)
    model = line[2] + line[3]
    other = pins.replace(line[0], f"{line[1]}17.5 {model}")
    older = re.sub(rf" {model}$", f" {line[2]}999", other, flags=re.MULTILINE)
    advice = f"{model}: this revision of the model has other numbers. If the model was changed, raise its revision"
    cases = [("as they are", pins, [], 0, [" 0 wrong"], pins),
             ("another number", other, [], 1, ["but should be 17.5", advice], other),
             ("another number is not written", other, ["--write"], 1, [advice], other),
             ("another revision", older, [], 1, [f"pinned for the model {line[2]}999",
                                                 f"{model}: new pins are needed for this revision"], older),
             ("another revision is written", older, ["--write"], 0, [], pins)]
    for what, text, options, status, parts, left in cases:
        path.write_text(text)
        done = tree.run_for_status(program, *options, path)
        said = done.stdout + done.stderr
        if done.returncode != status or any(part not in said for part in parts):
            yield f"{what}: status {done.returncode}, and test_numbers says {said}"
        if path.read_text() != left:
            yield f"{what}: the file that is left is another one"


def main(program, numbers):
    pins = pathlib.Path(numbers).read_text()
    with tempfile.TemporaryDirectory() as folder:
        tree.finish([*lists_of_models(pins), *changed_pins(program, pins, pathlib.Path(folder) / "numbers.txt")])


main(*sys.argv[1:])

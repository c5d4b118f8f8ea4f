"""make_archive.py CUBENET_C LIBRARY VERSION MAKE_WHEEL FOLDER: makes cubenet-course.tar.gz in FOLDER, the course for
students who cannot install anything: pages, starter code, grader, the library as one C file, and the wheel, which
MAKE_WHEEL makes of LIBRARY. Prints its path. The same files give the same bytes."""

import gzip
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
source, library, version, make_wheel, folder = sys.argv[1:]


def page(text):
    """The other pages of cubenet are not in the archive."""
    return re.sub(r"\[([^]]*)\]\(\.\./[^)]*\)", r"\1", text)


inside = {name: (HERE / name).read_bytes() for name in ("Makefile", "grade.py")}
inside["LICENSE"] = (HERE.parents[1] / "LICENSE").read_bytes()
for pattern in ("python/*.py", "c/*.[ch]", "grader/*.py", "grader/*.c", "figures/*.svg"):
    inside.update((str(path.relative_to(HERE)), path.read_bytes()) for path in HERE.glob(pattern))
inside.update((path.name, page(path.read_text()).encode()) for path in HERE.glob("*.md"))
inside.update((file.name, file.read_bytes()) for file in (Path(source), Path(source).with_suffix(".h")))
with tempfile.TemporaryDirectory() as made:
    subprocess.run([sys.executable, make_wheel, library, version, made], check=True, stdout=subprocess.DEVNULL)
    inside.update((wheel.name, wheel.read_bytes()) for wheel in Path(made).glob("*.whl"))

archive = Path(folder) / "cubenet-course.tar.gz"
with open(archive, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as files:
        for name in sorted(inside):
            entry = tarfile.TarInfo(f"cubenet-course/{name}")  # of 1970, of nobody
            entry.size, entry.mode = len(inside[name]), 0o644
            files.addfile(entry, io.BytesIO(inside[name]))
print(archive)

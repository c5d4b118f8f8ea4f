"""The wheel of the package: what is in it, and that it works where there is nothing else.

    test_wheel.py MAKE_WHEEL LIBRARY VERSION"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

TRY = """
import pathlib, sys
import cubenet
inside = pathlib.Path(cubenet.__file__).parent
assert pathlib.Path(cubenet._library._library._name).parent == inside, cubenet._library._library
assert (inside / "py.typed").exists()
cube = cubenet.Topology.hypercube(4)
result = cubenet.Scenario(cube, "deflection", load=1, buffers=8, measure_cycles=200).simulate()
print(inside, cubenet.version(), result["messages_delivered"] > 0)
"""


def run(*command, **options):
    clean = {name: value for name, value in os.environ.items()
             if name not in ("PYTHONPATH", "CUBENET_LIBRARY", "LD_LIBRARY_PATH")}
    done = subprocess.run([str(part) for part in command], env=clean, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}")
    return done.stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name).resolve()
        cls.wheel = Path(run(sys.executable, *ARGUMENTS, cls.root).strip())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_record(self):
        """Names, sizes and hashes of all files; the tag in the name and inside."""
        with zipfile.ZipFile(self.wheel) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        about = next(name for name in files if name.endswith("/RECORD"))
        rows = [line.split(",") for line in files[about].decode().splitlines()]
        self.assertEqual({row[0] for row in rows}, set(files))
        for name, digest, size in rows:
            if name != about:
                wanted = hashlib.sha256(files[name]).digest()
                self.assertEqual(digest, "sha256="
                                 + base64.urlsafe_b64encode(wanted).decode().rstrip("="))
                self.assertEqual(int(size), len(files[name]))
        tag = self.wheel.stem.split("-", 2)[2]
        self.assertIn(f"Tag: {tag}\n", files[about.replace("RECORD", "WHEEL")].decode())
        self.assertTrue(tag.startswith("py3-none-"))

    def test_tag_is_that_of_the_oldest_c_library(self):
        """By another reader of the library; and auditwheel, where there is one, finds no older tag and nothing amiss."""
        if shutil.which("objdump") is None:
            self.skipTest("no objdump here")
        symbols = run("objdump", "-T", ARGUMENTS[1])
        minors = [int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", symbols)]
        tag = self.wheel.stem.split("-")[-1]
        if not minors:
            self.assertNotIn("manylinux", tag)
            return
        self.assertEqual(tag, f"manylinux_2_{max(minors)}_{os.uname().machine}")
        needed = re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", ARGUMENTS[1]))
        self.assertLessEqual({name for name in needed if not name.startswith("ld-linux")},
                             {"libc.so.6", "libm.so.6", "libpthread.so.0"})
        if shutil.which("auditwheel") is not None:
            self.assertIn(tag, run("auditwheel", "show", self.wheel))

    def test_the_same_bytes_again(self):
        again = self.root / "again"
        again.mkdir()
        other = Path(run(sys.executable, *ARGUMENTS, again).strip())
        self.assertEqual(other.read_bytes(), self.wheel.read_bytes())

    def test_unpacked(self):
        """Without pip: a folder on the path is enough."""
        folder = self.root / "unpacked"
        with zipfile.ZipFile(self.wheel) as archive:
            archive.extractall(folder)
        script = f"import sys; sys.path.insert(0, {str(folder)!r})\n{TRY}"
        printed = run(sys.executable, "-c", script, cwd=self.root)
        self.assertEqual(printed, f"{folder / 'cubenet'} {ARGUMENTS[2]} True\n")
        name, _, call = next(folder.glob("*.dist-info/entry_points.txt")).read_text().splitlines()[1].partition(" = ")
        self.assertEqual(name, "cubenet")
        module, _, function = call.partition(":")
        printed = run(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r}); from {module} import "
                      f"{function}; sys.exit({function}(['measure', 'torus([8,8])', 'diameter']))", cwd=self.root)
        self.assertEqual(printed.splitlines()[-1].split(), ["diameter", "8", "closed-form"])

    def test_in_a_fresh_environment(self):
        try:
            import ensurepip  # noqa: F401  # Debian has it in the package python3-venv
            import venv
        except ImportError as error:
            self.skipTest(f"no virtual environments here: {error}")
        place = self.root / "environment"
        venv.create(place, with_pip=True, symlinks=True)
        python = place / "bin" / "python"
        run(python, "-m", "pip", "install", "--no-index", "--no-input",
            "--disable-pip-version-check", self.wheel, cwd=self.root)
        printed = run(python, "-c", TRY, cwd=self.root)
        self.assertTrue(printed.startswith(str(place)), printed)
        self.assertTrue(printed.endswith(" True\n"), printed)
        self.assertEqual(run(place / "bin" / "cubenet", "--version", cwd=self.root), f"cubenet {ARGUMENTS[2]}\n")
        run(python, "-m", "pip", "uninstall", "-y", "cubenet", cwd=self.root)
        self.assertEqual(list(place.rglob("cubenet*")), [])


if __name__ == "__main__":
    ARGUMENTS = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1], verbosity=2)

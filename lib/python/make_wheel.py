"""make_wheel.py LIBRARY VERSION FOLDER: makes a wheel of the package with the shared library and the
command cubenet inside, in FOLDER, and prints its path. The tag is that of this machine (linux_x86_64), since the library needs
the C library that it was built with. The same files give the same bytes."""

import base64
import hashlib
import pathlib
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
library, version, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
about = f"cubenet-{version}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: cubenet
Version: {version}
Summary: Direct interconnection networks: topologies, routing, models and simulations
License: MIT
Requires-Python: >=3.7
"""
WHEEL = f"""Wheel-Version: 1.0
Generator: cubenet
Root-Is-Purelib: false
Tag: {tag}
"""

ENTRY_POINTS = """[console_scripts]
cubenet = cubenet._command:main
"""

inside = {f"cubenet/{path.name}": path.read_bytes()
          for path in sorted((HERE / "cubenet").iterdir()) if path.suffix in (".py", ".typed")}
loaded = "libcubenet.0.dylib" if library.suffix == ".dylib" else "libcubenet.so.0"
inside[f"cubenet/{loaded}"] = library.read_bytes()
inside[f"{about}/LICENSE"] = (HERE.parents[1] / "LICENSE").read_bytes()
inside[f"{about}/METADATA"] = METADATA.encode()
inside[f"{about}/WHEEL"] = WHEEL.encode()
inside[f"{about}/entry_points.txt"] = ENTRY_POINTS.encode()

record = []
for name, data in inside.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    record.append(f"{name},sha256={digest},{len(data)}\n")
record.append(f"{about}/RECORD,,\n")
inside[f"{about}/RECORD"] = "".join(record).encode()

wheel = folder / f"cubenet-{version}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for name, data in inside.items():
        entry = zipfile.ZipInfo(name)  # of 1980
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, data)
print(wheel)

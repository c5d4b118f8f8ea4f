"""make_wheel.py LIBRARY VERSION FOLDER: makes a wheel of the package with the shared library and the
command cubenet inside, in FOLDER, and prints its path. The tag names what the library needs: the oldest glibc that has
all its functions (manylinux_2_17_x86_64), or Windows on a kind of processor, or else this machine. The same files give the
same bytes."""

import base64
import hashlib
import pathlib
import re
import struct
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
library, version, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])


def platform(data):
    """The tag of the machines on which a shared library runs (PEP 425, PEP 600)."""
    here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if data[:2] == b"MZ":
        header, = struct.unpack_from("<I", data, 0x3C)
        machine, = struct.unpack_from("<H", data, header + 4)
        return {0x014C: "win32", 0x8664: "win_amd64", 0xAA64: "win_arm64"}[machine]
    needed = [int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)", data)]
    return f"manylinux_2_{max(needed)}_{here[len('linux_'):]}" if needed and here.startswith("linux_") else here


tag = "py3-none-" + platform(library.read_bytes())
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
loaded = {".dylib": "libcubenet.1.dylib", ".dll": "libcubenet-1.dll"}.get(library.suffix, "libcubenet.so.1")
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

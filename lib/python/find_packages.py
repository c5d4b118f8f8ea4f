"""find_packages.py PREFIX: prints the folder PREFIX/lib/... in which this interpreter looks for
modules, or nothing. On Debian that is not where sysconfig would put them."""

import os
import site
import sys

begin = os.path.join(sys.argv[1], "lib", "")
for path in [*sys.path, site.getusersitepackages()]:
    if path.startswith(begin) and path.endswith("-packages"):
        print(path)
        break

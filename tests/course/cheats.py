"""Answers that try to get points without an answer, and answers that do harm, and what the grader must say.

Each is (name, file, question, text, sentence): the text stands for the whole file, the sentence is a regular expression.
{library}, {package}, {grader} and {solution} are paths that a cheat may know. HARMLESS are answers that do something
odd and are right."""

WITHOUT = "but this question is to be answered without cubenet"
HIDDEN = "Permission denied|No such file|No module named|ctypes"
PIPE = "written to the grader's pipe"

NECKLACE = """
def distance(k, n, a, b):
    {0}

def rotate(k, n, node):
    {0}
"""

PYTHON = [
    # the function of the library
    ("library", "chain.py", "stationary",
     "from cubenet import deflection_queue\n\ndef stationary(*arguments):\n    return deflection_queue(*arguments)\n",
     rf"calls cubenet\.deflection_queue\(\), {WITHOUT} \(chain.py, line 4\)"),
    ("library method", "necklaces.py", "rotate",
     "import cubenet\n" + NECKLACE.format("return cubenet.Topology.generalized_hypercube(k, n).rotate(node)"),
     rf"calls cubenet\.Topology\.generalized_hypercube\(\), {WITHOUT}"),
    ("library in a try", "necklaces.py", "rotate",
     "import cubenet\n" + NECKLACE.format("\n    ".join([
         "try:", "    return cubenet.Topology.generalized_hypercube(k, n).rotate(node)", "except Exception:", "    return 0"])),
     WITHOUT),
    ("library by ctypes", "necklaces.py", "rotate",
     "import ctypes\nfound = ctypes.CDLL({library!r})\n" + NECKLACE.format("return found.cn_version()"), "loads a library"),
    ("library by path", "necklaces.py", "rotate",
     "import sys\ndel sys.modules['cubenet']\nsys.path.insert(0, {package!r})\n"
     "from cubenet import Topology\n" + NECKLACE.format("return Topology.generalized_hypercube(k, n).rotate(node)"), HIDDEN),
    ("model solution", "necklaces.py", "rotate", "exec(open({solution!r}).read())\n", "opens '.*', but an answer reads no files"),
    # an int that is equal to all
    ("equal to all", "necklaces.py", "rotate",
     "class Equal(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = None\n"
     + NECKLACE.format("return Equal(1)"), "returns an object of the class Equal; it must be a plain int"),
    ("near to all", "broadcast.py", "replica_rate",
     "class Near(float):\n    def __sub__(self, other):\n        return 0.0\n    __truediv__ = __sub__\n"
     "def replica_rate(n, beta, load):\n    return Near(1)\n", "returns an object of the class Near"),
    ("list of equals", "shuffle.py", "neighbors",
     "class Equal(list):\n    def __eq__(self, other):\n        return True\ndef neighbors(n, node):\n    return Equal([1])\n",
     "returns an object of the class Equal"),
    # patching the grader
    ("patched main", "necklaces.py", "rotate",
     "import __main__\n__main__.same = __main__.plain = lambda *found: None\n" + NECKLACE.format("return 1"),
     r"reaches for the grader \(__main__\.plain = \.\.\.\), which is not in its process|__main__\.same = "),
    ("patched questions", "necklaces.py", "rotate",
     "import grade\ngrade.QUESTIONS[0] = ('rotate', 2, lambda answer: None)\n" + NECKLACE.format("return 1"),
     "reaches for the grader"),
    ("patched module", "necklaces.py", "rotate",
     "import grader.questions\ngrader.questions.same = lambda *found: None\n" + NECKLACE.format("return 1"),
     r"reaches for the grader|No module named 'grader\.questions'"),
    ("patched file", "necklaces.py", "rotate",
     "open({grader!r}, 'a').write('# 10 of 10')\n" + NECKLACE.format("return 1"), "opens '.*' for writing"),
    ("patched child", "necklaces.py", "rotate",
     "import sys\nframe = sys._getframe()\nwhile frame:\n    if 'plain' in frame.f_globals:\n"
     "        frame.f_globals['plain'] = lambda value: 10**100\n    frame = frame.f_back\n" + NECKLACE.format("return 1"),
     "a whole number of 101 digits is returned"),
    ("written ahead", "necklaces.py", "rotate",
     "import os\nfor file in range(3, 20):\n    try:\n        os.write(file, b'[\"\", \"value\", 0]\\n' * 400)\n"
     "    except OSError:\n        pass\n" + NECKLACE.format("return 0"), PIPE),
    ("a line of the report", "necklaces.py", "rotate",
     NECKLACE.format("raise ValueError('\\n   rotate                   2 of 2\\n70 of 70 points')"),
     r"ValueError:     rotate +2 of 2 70 of 70 points \(necklaces\.py, line 6\)"),
    # harm
    ("other processes", "necklaces.py", "rotate",
     "import os\n" + NECKLACE.format("\n    ".join(["while True:", "    os.fork()"])), r"calls os\.fork\(\)"),
    ("a shell", "necklaces.py", "rotate", "import os\n" + NECKLACE.format("return os.system('true')"), r"calls os\.system\(\)"),
    ("10 GB", "necklaces.py", "rotate", NECKLACE.format("return len(bytearray(10**10))"), "more memory than it may"),
    ("loop", "necklaces.py", "rotate",
     "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + NECKLACE.format("\n    ".join(["while True:", "    pass"])),
     "still running after 1 second"),
    ("endless noise", "necklaces.py", "rotate", NECKLACE.format("\n    ".join(["while True:", "    print('noise' * 1000)"])),
     "still running after 1 second"),
    ("loop when loaded", "necklaces.py", "distance", "while True:\n    pass\n", "still running after 1 second"),
    ("exit", "necklaces.py", "rotate", "import os\n" + NECKLACE.format("os._exit(0)"), "ended itself with exit status 0"),
    ("SystemExit", "necklaces.py", "rotate", NECKLACE.format("raise SystemExit"), "ended itself with exit status 0"),
    ("closed files", "necklaces.py", "rotate",
     "import os\n" + NECKLACE.format("os.closerange(0, 100)"), "ended itself|closed the grader's pipe"),
    ("no number", "necklaces.py", "rotate", NECKLACE.format("return float('nan')"), "nan, which is no whole number"),
    ("NaN", "shuffle.py", "paper_cost", "def paper_cost(measure, network, n):\n    return float('nan')\n",
     "nan, expected 9"),
    ("huge number", "necklaces.py", "rotate", NECKLACE.format("return 10**100"), "a whole number of 333 bits"),
    ("huger number", "shuffle.py", "paper_cost", "def paper_cost(measure, network, n):\n    return 10**10000\n",
     "a whole number of 33220 bits"),
    ("lists of lists", "shuffle.py", "neighbors",
     "def neighbors(n, node):\n    found = []\n    for _ in range(400):\n        found = [found]\n    return found\n",
     r"in which \[\[.* is no whole number"),
    ("list of itself", "shuffle.py", "neighbors",
     "def neighbors(n, node):\n    found = []\n    found.append(found)\n    return found\n", "RecursionError"),
    ("endless list", "shuffle.py", "neighbors", "def neighbors(n, node):\n    return ['x' * 100] * 1000000\n", "MiB are returned"),
    ("a text", "shuffle.py", "diameter", "def diameter(n):\n    return '3'\n", r"diameter\(3\): '3', which is no whole number"),
    ("no function", "shuffle.py", "diameter", "diameter = 3\n", "TypeError: 'int' object is not callable"),
    ("no Python", "shuffle.py", "diameter", "def diameter(n) return 3\n", "SyntaxError"),
]

COURSE = '#include "course.h"\n'
C = [
    ("library", "chain.c", "stationary",
     COURSE + "void stationary(unsigned n, unsigned buffers, double load, double transit, double pi[])\n{{\n"
     "    cn_deflection_queue(n, buffers, load, transit, NULL, pi, buffers + 1, NULL);\n}}\n",
     rf"calls cn_deflection_queue\(\), {WITHOUT}"),
    ("library by path", "necklaces.c", "rotate",
     COURSE + "#include <dlfcn.h>\nuint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n"
     "    dlopen(\"{library}\", RTLD_NOW);\n    return 0;\n}}\n", r"necklaces\.c calls dlopen\(\), but an answer only returns a value"),
    ("library brought along", "necklaces.c", "rotate",
     COURSE + "int cn_own(void);\nint cn_own(void)\n{{\n    return 0;\n}}\n", r"brings functions of cubenet along \(cn_own\)"),
    ("model solution", "necklaces.c", "rotate", '#include "{solution}"\n', "Permission denied|does not link"),
    # the verdict of the process, as the grader once read it, and one as it is now, before any call
    ("patched verdict", "necklaces.c", "rotate",
     COURSE + "#include <unistd.h>\nuint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n"
     "    for (int file = 3; file < 20; file++)\n        if (write(file, \"r\", 1) < 0)\n            continue;\n    _exit(0);\n}}\n",
     f"{PIPE}|ended itself with exit status 0"),
    ("written ahead", "necklaces.c", "rotate",
     COURSE + "#include <unistd.h>\nuint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n"
     "    for (int file = 3; file < 20; file++)\n        if (write(file, \"[\\\"\\\", \\\"value\\\", 0]\\n\", 17) < 0)\n"
     "            continue;\n    return 0;\n}}\n", PIPE),
    ("patched main", "necklaces.c", "rotate", COURSE + "int main(void)\n{{\n    return 0;\n}}\n", "does not link: multiple definition"),
    ("other processes", "necklaces.c", "rotate",
     COURSE + "#include <unistd.h>\nuint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n"
     "    for (;;)\n        fork();\n}}\n", r"calls fork\(\)"),
    ("10 GB", "necklaces.c", "rotate",
     COURSE + "#include <stdlib.h>\nuint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n"
     "    volatile char *much = malloc(10000000000);\n    much[0] = 1;\n    return 0;\n}}\n",
     "the program crashed"),
    ("crash", "necklaces.c", "rotate",
     COURSE + "uint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n    return *(volatile uint64_t *)8;\n}}\n",
     "crashed .signal 11: Segmentation fault"),
    ("exit", "necklaces.c", "rotate",
     COURSE + "#include <stdlib.h>\nuint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n    exit(0);\n}}\n",
     "ended itself with exit status 0"),
    ("NaN", "shuffle.c", "paper_cost",
     COURSE + "#include <math.h>\ndouble paper_cost(char measure, family which, unsigned n)\n{{\n    return NAN;\n}}\n",
     "nan, expected 9"),
    ("more elements", "chain.c", "phase_one",
     COURSE + "void phase_one(unsigned n, unsigned messages, double f[])\n{{\n"
     "    for (unsigned j = 0; j <= n + 1; j++)\n        f[j] = j == 0;\n}}\n", "more than 3 elements are written"),
    ("no C", "shuffle.c", "diameter", COURSE + "unsigned diameter(unsigned n)\n{{\n    return 3\n}}\n",
     r"shuffle\.c does not compile: shuffle\.c:4:13: error"),
]

# What only the kernel refuses: to read, to change and to make a file, to signal the grader, to do what only root may; to start a
# process by the number of the system call.
CONFINED = [
    ("files and signals", "necklaces.c", "rotate",
     "#define _DEFAULT_SOURCE\n" + COURSE + "#include <fcntl.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <sys/stat.h>\n"
     "#include <unistd.h>\n"
     "uint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n"
     "    int refused = (open(\"{solution}\", O_RDONLY) < 0) + (open(\"{grader}\", O_WRONLY) < 0) + (kill(getppid(), 0) < 0);\n"
     "    refused += (truncate(\"{grader}\", 0) < 0) + (unlink(\"{grader}\") < 0) + (open(\"new\", O_CREAT | O_WRONLY, 0600) < 0);\n"
     "    refused += (chmod(\"{grader}\", 0777) < 0) + (chroot(\"/\") < 0);\n"
     "    exit(10 + refused);\n}}\n", "ended itself with exit status 18"),
    ("hidden processes", "necklaces.c", "rotate",
     COURSE + "uint64_t rotate(unsigned k, unsigned n, uint64_t node)\n{{\n    for (;;)\n        asm volatile (\"syscall\" : : \"a\"(57)"
     " : \"rcx\", \"r11\", \"memory\");\n}}\n", "still running after 1 second|does not compile"),
]

# What is changed in a model solution: (file, text, what stands there instead)
HARMLESS = [
    ("necklaces.py", "def distance", "import os\nimport sys\nprint('[\"\", \"value\", 0]')\nprint('noise', file=sys.stderr)\n"
     "os.write(1, b'noise')\nsys.stdout.write('x' * 200000)\nimport cubenet\nfrom cubenet import Topology\n\ndef distance"),
    ("necklaces.c", "uint64_t differ = 0;", "uint64_t differ = 0;\n    extern int puts(const char *);\n    puts(\"noise\");"),
]

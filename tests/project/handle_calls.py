"""Writes handle_calls.inc.h: of every public function and each of its arguments that is a handle, a call
with that handle to choose, and for all other arguments what lets the call come to look at it.

Usage: handle_calls.py OUTPUT HEADER..."""
import re
import sys


def prototypes(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    found = re.findall(r"CN_API\s+([^;{]*?)(\w+)\(([^;]*)\);", text)
    if len(found) != len(re.findall(r"\bCN_API\b", text)):
        sys.exit("handle_calls.py: a declaration with CN_API is none that can be read")
    return [(result.strip(), name, " ".join(arguments.split()).split(", "))
            for result, name, arguments in found]


def types(text):
    """The opaque ones: a typedef without a body."""
    return re.findall(r"typedef struct cn_(\w+) cn_\1;", text)


def handle(argument):
    """(type, stars, name) of an argument that is a handle, the address of one or an array of them."""
    match = re.match(r"(?:const )?cn_(\w+) (\*const |\*+)(\w+)(\[\])?$", argument)
    if match is None:
        return None
    stars = match[2].count("*") + (match[4] is not None)
    return match[1], stars, match[3]


def plain(argument, known):
    """What is given for an argument that is not looked at."""
    found = handle(argument)
    if found is not None and found[0] in known and found[1] == 1:
        return f"good[TYPE_{found[0]}]"
    if "*" in argument or "[" in argument:
        return "scratch"
    return "NULL" if re.search(r"cn_(vc_rule|\w+_fn) ", argument) else "1"


def call(name, arguments, place, value, known):
    given = [plain(argument, known) for argument in arguments]
    given[place] = value
    return f"{name}({', '.join(given)})"


def row(result, name, arguments, place, known):
    found = handle(arguments[place])
    if found is None or found[0] not in known:
        return None
    kind, stars, argument = found
    if stars == 2 and result == "void":
        return "END", kind, argument, f"{name}(&it), it == bad"
    if stars == 2 and "[]" in arguments[place]:
        array = f"(const cn_{kind} *const[]){{bad}}"
        return "STATUS", kind, argument + "[0]", call(name, arguments, place, array, known)
    if stars == 2:
        return None  # where a new object goes
    wrong, null = (call(name, arguments, place, value, known) for value in ("bad", "NULL"))
    if result == "cn_status":
        return "STATUS", kind, argument, wrong
    if "char" in result:
        return "ANSWER", kind, argument, f"strcmp({wrong}, {null}) == 0"
    return "ANSWER", kind, argument, f"{wrong} == {null}"


def main(output, headers):
    texts = [open(header, encoding="utf-8").read() for header in headers]
    known = [name for text in texts for name in types(text)]
    functions, rows = [], []
    for result, name, arguments in (p for text in texts for p in prototypes(text)):
        for place in range(len(arguments)):
            made = row(result, name, arguments, place, known)
            if made is None:
                continue
            how, kind, argument, expression = made
            number = len(rows)
            it = f"    cn_{kind} *it = bad;\n" if how == "END" else ""
            functions.append(f"static int call_{number}(void *bad)\n{{\n{it}"
                             f"    return (int)({expression});\n}}\n")
            rows.append(f'    {{"{name}", "{argument}", TYPE_{kind}, {how}, call_{number}}},')
    with open(output, "w", encoding="utf-8") as file:
        file.write("enum { " + ", ".join(f"TYPE_{name}" for name in known) + ", TYPES };\n\n")
        file.write("static const char *const type_names[] = {"
                   + ", ".join(f'"cn_{name}"' for name in known) + "};\n\n")
        file.write("static void *good[TYPES];\nstatic uint64_t scratch_words[1024];\n"
                   "static void *const scratch = scratch_words;\n\n")
        file.write("\n".join(functions))
        file.write("\nenum kind { STATUS, ANSWER, END };\n\nstatic const struct call {\n"
                   "    const char *function, *argument;\n    int type;\n    enum kind kind;\n"
                   "    int (*call)(void *bad);\n} calls[] = {\n" + "\n".join(rows) + "\n};\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

"""Every file and folder of the tree that a page of the documentation names is there."""

import re

import tree

# a path in code quotes; words in capitals (NAME) stand for any, a star for any end
QUOTED = re.compile(r"`((?:lib|include|tests|bench|docs)/[\w./*+-]*)`")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
PLACEHOLDER = re.compile(r"(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])")


def exists(folder, path):
    path = PLACEHOLDER.sub("*", path).rstrip("/")
    return any(True for _ in folder.glob(path)) if "*" in path else (folder / path).exists()


problems, seen = [], 0
for page in [*tree.files("docs", suffixes=(".md",)), *tree.ROOT.glob("*.md")]:
    text = page.read_text()
    for folder, found in [*((tree.ROOT, found) for found in QUOTED.finditer(text)),
                          *((page.parent, found) for found in LINK.finditer(text))]:
        seen += 1
        if not exists(folder, found.group(1)):
            line = text.count("\n", 0, found.start()) + 1
            problems.append(f"{tree.name(page)}:{line}: there is no {found.group(1)}")
if seen < 50:
    problems.append(f"only {seen} paths were found in the documentation")
tree.finish(problems)

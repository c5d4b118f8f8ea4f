"""The settings of Sphinx; make.py calls it."""

import html
import os
import pathlib
import re
import shutil

import furo
from docutils import nodes
from sphinx import addnodes
from sphinx.util.nodes import make_refnode

ROOT = pathlib.Path(__file__).resolve().parents[2]

project = "cubenet"
author = "The cubenet authors"
release = version = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text())[1]
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx_copybutton"]
exclude_patterns = ["_*"]
suppress_warnings = ["myst.header"]  # a page may begin below its second level
highlight_language = "none"

# Pages
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 4
myst_update_mathjax = False
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG-full"
mathjax2_config = {
    "tex2jax": {"ignoreClass": ".*", "processClass": "math"},
    "SVG": {"font": "TeX", "linebreaks": {"automatic": False}},
    "TeX": {"extensions": ["AMSmath.js", "AMSsymbols.js", "noErrors.js", "noUndefined.js"]},
    "showMathMenu": False, "messageStyle": "none",
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# C
breathe_default_project = "cubenet"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_show_include = False

# Python
autodoc_member_order = "bysource"
autodoc_default_options = {"undoc-members": True, "inherited-members": "tuple, Exception, dict, list"}
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("Whole", "Real", "Seconds", "Progress", "Buffer", "Exchange")}
add_module_names = False
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True

# What the references name and do not describe: types of C and of Python, and hints that the package keeps to itself.
nitpick_ignore_regex = [
    ("c:identifier", r"u?int\d+_t|size_t|FILE"),
    ("cpp:identifier", r"u?int\d+_t|size_t|std|cn_\w+|T|F|.*"),
    ("py:.*", r"(?!cubenet\.[A-Z]).*"),
]

html_theme = "furo"
html_title = "cubenet"
html_css_files = ["style.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "native"
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#0b5394", "color-brand-content": "#0b5394"},
    "dark_css_variables": {"color-brand-primary": "#7ab8ff", "color-brand-content": "#7ab8ff"},
}


def mend_theme(static):
    """Furo as Debian has it is not bundled: one script is a module, which no browser loads from a file; a style sheet comes
    from the root of a server; and the colours for readers whose system is dark are missing."""
    theme = pathlib.Path(furo.__file__).parent / "theme" / "furo" / "static"
    script = (theme / "scripts" / "furo.js").read_text()
    style = (theme / "styles" / "furo.css").read_text()
    for folder in "scripts", "styles":
        (static / folder).mkdir(parents=True, exist_ok=True)
    if script.startswith("import Gumshoe"):
        spy = (theme / "scripts" / "gumshoe-patched.js").read_text()
        (static / "scripts" / "furo.js").write_text(spy + script.partition("\n")[2])
    if "url(/javascript/normalize.css" in style:
        shutil.copy("/usr/share/javascript/normalize.css/normalize.css", static)
        style = re.sub(r"url\(/javascript/normalize\.css/", "url(../", style)
    if "prefers-color-scheme" not in style:
        dark = re.search(r"body\[data-theme=\"dark\"\] (\{[^}]*\})", style)[1]
        style += f'@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark} }}\n'
    # the contents of a page beside its text also on a screen of 1280
    (static / "styles" / "furo.css").write_text(style.replace("(max-width: 82em)", "(max-width: 79em)"))


def with_stage(app, config):
    """What make.py has put beside the pages."""
    mend_theme(pathlib.Path(app.srcdir, "_static"))
    config.html_static_path = [os.path.join(app.srcdir, "_static")]
    config.breathe_projects = {"cubenet": os.path.join(app.srcdir, "_doxygen", "xml")}


def blocks_of(text):
    """Docstrings are plain text: an indented paragraph is code, and one with indented lines is a list."""
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        lines = paragraph.split("\n")
        indented = [line.startswith("    ") for line in lines]
        if all(indented):
            language = "pycon" if ">>>" in lines[0] else "python" if "(" in paragraph else "none"
            yield f".. code-block:: {language}\n\n{paragraph}"
        elif any(indented) and ">>>" not in paragraph:
            yield "\n".join(("  " if deep else "- ") + line.strip() for line, deep in zip(lines, indented))
        else:
            yield paragraph


def mark_docstring(app, what, name, thing, options, lines):
    """The word "Experimental." of a docstring becomes a mark; Python's own words for a field of a tuple say nothing."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()
    text = "\n\n".join(blocks_of("\n".join(lines))) + "\n"
    short = re.sub(r"\s*\bExperimental\.(?=\s|$)", "", text)
    lines[:] = ([".. container:: tier experimental", "", "   experimental", ""] if short != text else []) + short.split("\n")


def no_signature(app, what, name, thing, options, signature, result):
    """Classes whose objects other calls make have none."""
    return ("", None) if signature == "(*arguments: object, **keywords: object)" else None


# ---- blocks of pages without a language ----

def language_of(code):
    if code.startswith(">>>"):
        return "pycon"
    if re.search(r"\bcn_\w+\(.*\);|^#include|^static ", code, re.MULTILINE):
        return "c"
    if re.match(r"(import|from) \w|def \w|\w+ = cubenet\.", code):
        return "python"
    if re.match(r"(sudo |sh |cc |\. /|meson |ninja |cmake |pip |python3? |cubenet |build/|[A-Z_]+=\S+ )", code):
        return "sh"
    return "none"


def name_languages(app, tree):
    for block in tree.findall(nodes.literal_block):
        if block.get("language") in (None, "none", "default"):
            block["language"] = language_of(block.astext())


# ---- the navigation ----

def entries(app, docname, names, seen=()):
    """The list of pages and, below each of them, of its own."""
    env, items = app.env, []
    for page in names:
        below = [one for one in env.toctree_includes.get(page, []) if one not in seen]
        inner, here = entries(app, docname, below, (*seen, page)) if below else ("", False)
        here |= page == docname
        state = (" current" if here else "") + (" current-page" if page == docname else "")
        href = "#" if page == docname else app.builder.get_relative_uri(docname, page)
        title = html.escape(env.titles[page].astext(), quote=False)
        items.append((f'<li class="toctree-l{len(seen) + 1}{state}"><a class="reference internal{" current" * here}" '
                      f'href="{href}">{title}</a>{inner}</li>', here))
    current = any(here for _, here in items)
    return f'<ul{" class=current" * current}>{"".join(text for text, _ in items)}</ul>', current


def contents_of(doctree):
    """The list of what a page of the C reference describes, which Sphinx does not make."""
    signs = [sign for sign in doctree.findall(addnodes.desc_signature)
             if sign["ids"] and sign.parent["objtype"] not in ("enumerator", "member", "var")]
    names = [next(sign.findall(addnodes.desc_name)).astext() for sign in signs]
    items = [f'<li><a class="reference internal" href="#{sign["ids"][0]}">{html.escape(name)}</a></li>'
             for sign, name in zip(signs, names)]
    return f'<ul><li><a class="reference internal" href="#">Contents</a><ul>{"".join(items)}</ul></li></ul>' if items else ""


def navigate(app, pagename, templatename, context, doctree):
    """The same as Sphinx makes, which takes a second a page for it: Sphinx copies the contents of all pages for each page."""
    if not hasattr(app, "groups"):
        index = app.env.get_doctree(app.config.root_doc)
        app.groups = [(tree["caption"], tree["includefiles"]) for tree in index.findall(addnodes.toctree)]
    parts = [f'<p class="caption" role="heading"><span class="caption-text">{caption}</span></p>'
             f"{entries(app, pagename, names)[0]}" for caption, names in app.groups]
    context["toctree"] = lambda **kwargs: "".join(parts)


# ---- names in code quotes lead to the references ----

def place_of(env, text):
    """(domain, object name) of what a word in code quotes names, if a reference describes it."""
    found = re.fullmatch(r"(cn_\w+|CN_\w+)(?:\(\))?", text)
    if found:
        return "c", found[1]
    found = re.fullmatch(r"(?:cubenet\.)?([A-Z]\w+(?:\.\w+)?|[a-z]\w+)(?:\(\))?", text)
    if found and (found[0].startswith("cubenet.") or found[1][0].isupper()):
        return "py", "cubenet." + found[1]
    return None, None


def link_names(app, tree, docname):
    builder, env = app.builder, app.env
    if not hasattr(app, "c_names"):
        app.c_names = {entry[0]: entry for entry in env.get_domain("c").get_objects()}
    symbols = app.c_names
    objects = env.get_domain("py").objects
    for literal in list(tree.findall(nodes.literal)):
        if isinstance(literal.parent, nodes.reference) or not literal.parent:
            continue
        domain, name = place_of(env, literal.astext())
        if domain == "c" and name in symbols:
            to, anchor = symbols[name][3:5]
        elif domain == "py" and name in objects:
            to, anchor = objects[name].docname, objects[name].node_id
        else:
            continue
        link = make_refnode(builder, docname, to, anchor, literal.deepcopy(), name)
        literal.parent.replace(literal, link)


def show_contents(app, pagename, templatename, context, doctree):
    items = contents_of(doctree) if doctree and pagename.startswith("c/") else ""
    if items:
        context.update(toc=items, furo_hide_toc=False)


def setup(app):
    app.connect("config-inited", with_stage)
    app.connect("autodoc-process-docstring", mark_docstring)
    app.connect("autodoc-process-signature", no_signature)
    app.connect("doctree-read", name_languages)
    app.connect("doctree-resolved", link_names)
    app.connect("html-page-context", navigate, priority=400)  # before the theme reads it
    app.connect("html-page-context", show_contents, priority=600)  # after the theme has looked for contents

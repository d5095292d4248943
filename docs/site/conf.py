"""Sphinx settings of scripts/docs. The sources are the Markdown files of the repository; README.md has the navigation."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = re.findall(r"^#define FV_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "include/faceverify/core.h").read_text(), re.M)

project = "faceverify"
version = release = ".".join(NUMBERS)
html_title = f"faceverify {release}"
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "docs/tutorials/*.md", "models/*.md", "bindings/*/README.md", "examples/*/README.md",
                    "benchmarks/README.md", "Tests/*/README.md", "training/*/README.md"]
exclude_patterns = [".*", "build"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # excerpts of programs, and diagrams
templates_path = ["."]

html_theme = "furo"
html_use_index = html_show_sphinx = html_show_copyright = html_show_sourcelink = html_copy_source = False
html_sidebars = {"**": ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/navigation.html",
                        "reference.html", "sidebar/scroll-end.html"]}


def navigation(app, name, source):
    """Appends the table of contents: a section for each row of README's table, then the pages that it does not list."""
    if name != root_doc:
        return
    listed, sections = set(), []
    for caption, links in re.findall(r"^\| ([a-z ]+) \| (\[.*) \|$", source[0].partition("## Documentation")[2], re.M):
        pages = re.findall(r"\]\(([^)]+)\.md\)", links)
        listed.update(pages)
        sections.append((caption.capitalize(), pages))
    sections.append(("More", sorted(app.env.found_docs - listed - {root_doc})))
    for caption, pages in sections:
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"


def setup(app):
    app.connect("source-read", navigation)

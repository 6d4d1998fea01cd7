"""The documentation site: Sphinx reads docs/, and scripts/docs writes it to build/docs/html."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = Path(__file__).parent
sys.path.append(str(DOCS))

from generated import filled_in  # noqa: E402

project = "corewise"
author = "the corewise authors"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
]

# Pages. With an anchor for each heading, a link to a missing heading is a warning, and scripts/docs fails.
myst_enable_extensions = ["colon_fence", "deflist", "substitution"]
myst_heading_anchors = 4
# Figures that stand on several pages: {{ name }}.
myst_substitutions = {
    name: figure["text"] for name, figure in tomllib.loads((DOCS / "data.toml").read_text()).items()
}

# Docstrings mark code with single backquotes, and indent tables of options below a colon.
default_role = "code"
smartquotes = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
_BEFORE_INDENTED = re.compile(r":(?=\n\n {4})")


def _keep_indented_blocks(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """An indented block of a docstring stays as written."""
    lines[:] = _BEFORE_INDENTED.sub("::", "\n".join(lines)).split("\n")


def _fill_in(app: Any, name: str, source: list[str]) -> None:
    """A mark in a page becomes what the program prints."""
    source[0] = filled_in(source[0])


# Appearance. Nothing is loaded from another host.
html_theme = "furo"
html_title = "corewise"
html_static_path = ["_static"]
html_css_files = ["corewise.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"


def setup(app: Any) -> None:
    """Sphinx calls this once."""
    app.connect("source-read", _fill_in)
    app.connect("autodoc-process-docstring", _keep_indented_blocks)

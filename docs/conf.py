"""How Sphinx builds these pages; docs/_ext/ writes those that the program or a notebook makes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from camicia import __version__

project = "Camicia"
author = "The Camicia developers"
copyright = author
release = version = __version__

extensions = ["notebooks", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "made"]
exclude_patterns = ["_build", "_ext", "_static"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "Camicia"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
# Deals contain hyphens side by side, which must not become dashes.
smartquotes = False

# Headings may be linked to as GitHub does it.
myst_heading_anchors = 3

# Docstrings are numpydoc; the fields of named tuples are told once, in the class's own docstring.
napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_inherit_docstrings = False

"""Pages made from the notebooks in `examples/`, which are run when the documentation is built.

The notebooks are kept without outputs. A code cell that draws has the text for those who do not see its
picture in its metadata, as `alt`.
"""

from __future__ import annotations

import base64
import re
import tempfile
from pathlib import Path

import nbformat
import zmq
from nbclient import NotebookClient
from traitlets.config import Config

EXAMPLES = Path(__file__).parents[2] / "examples"

#: Each notebook, with values for its first cell: a build of the documentation must not take minutes.
NOTEBOOKS = {"lengths": {}, "ancestors": {}, "hunting": {"seconds": 10}}

#: A cell takes some seconds; on a busy machine, many times as long.
MOST_SECONDS = 600


def setup(app):
    """Make the pages before the sources are read."""
    app.connect("builder-inited", make_all)
    return {"parallel_read_safe": True}


def make_all(app):
    """Run the notebooks, and write each as text to be included, with its pictures and the notebook itself."""
    folder = Path(app.srcdir) / "generated"
    extra = folder / "extra"
    extra.mkdir(parents=True, exist_ok=True)
    for name, values in NOTEBOOKS.items():
        with tempfile.TemporaryDirectory() as scratch:
            notebook = executed(read(name, **values), scratch)
        pictures = {}
        text = as_markdown(notebook, name, pictures)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        for file, content in pictures.items():
            (folder / file).write_bytes(content)
        (extra / f"{name}.ipynb").write_bytes((EXAMPLES / f"{name}.ipynb").read_bytes())


def read(name, **values):
    """Read a notebook, with other values for the variables that its first code cell sets."""
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    for variable, value in values.items():
        first.source, found = re.subn(rf"(?m)^{variable} = \S+", f"{variable} = {value!r}", first.source)
        if found != 1:
            raise ValueError(
                f"{name}.ipynb: its first code cell sets {variable} {found} times, expected once"
            )
    return notebook


def executed(notebook, folder):
    """Run a notebook in a folder, where the files that it writes are left; an exception in it is raised."""
    client = NotebookClient(
        notebook,
        timeout=MOST_SECONDS,
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        # Otherwise each kernel warns that others on this machine could listen.
        config=Config(
            {"KernelManager": {"transport_encryption": "auto" if zmq.has("curve") else "disabled"}}
        ),
    )
    return client.execute()


def as_markdown(notebook, name, pictures):
    """A notebook and its outputs as Markdown, without its title; its pictures are added to `pictures`."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = re.sub(r"\A# .*\n*", "", cell.source)
            # Another notebook is another page.
            parts.append(re.sub(r"\]\((\w+)\.ipynb\)", r"](\1.md)", text))
        else:
            parts.append(f"```python\n{cell.source}\n```")
            parts += [shown(output, cell, name, pictures) for output in cell.outputs]
    return "\n\n".join(part for part in parts if part) + "\n"


def shown(output, cell, name, pictures):
    """An output as Markdown: the richest of its forms that a page can show."""
    if output.output_type == "stream":
        return fenced(output.text)
    data = output.data
    if "image/png" in data:
        file = f"{name}-{len(pictures) + 1}.png"
        pictures[file] = base64.b64decode(data["image/png"])
        return f"![{cell.metadata['alt']}](generated/{file})"
    # A blank line would end a block of HTML.
    return re.sub(r"\n\s*\n", "\n", data["text/html"]) if "text/html" in data else fenced(data["text/plain"])


def fenced(text):
    """Printed text as a block."""
    return f"```text\n{text.rstrip()}\n```"

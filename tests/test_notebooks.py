"""The notebooks in `examples/` run from top to bottom, are kept without outputs, and become pages."""

import json
import re
import sys

import pytest
from places import ROOT

pytest.importorskip("ipykernel", reason="the extra test is not installed")
pytest.importorskip("nbclient", reason="the extra test is not installed")
pytest.importorskip("matplotlib", reason="the extra report is not installed")

EXAMPLES, DOCS = ROOT / "examples", ROOT / "docs"
PATHS = sorted(EXAMPLES.glob("*.ipynb"))

#: What the first cells are given here, so that they take a second or two.
QUICK = {"lengths": {"deals": 200_000}, "ancestors": {"deck": "10:2:2:2:0"}, "hunting": {"seconds": 1}}


@pytest.fixture(scope="module")
def notebooks():
    sys.path.insert(0, str(DOCS / "_ext"))
    try:
        import notebooks
    finally:
        sys.path.pop(0)
    return notebooks


def test_every_notebook_is_shown_and_tried(notebooks):
    names = {path.stem for path in PATHS}
    assert names == set(notebooks.NOTEBOOKS) == set(QUICK)
    listed = (DOCS / "index.md").read_text(encoding="utf-8")
    for name in names:
        page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        assert f"```{{include}} generated/{name}.txt\n" in page and f'href="{name}.ipynb"' in page
        assert re.search(rf"^{name}$", listed, re.MULTILINE)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert cells and all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    # Whoever saves it with their own Python leaves that alone too.
    assert set(notebook["metadata"]["language_info"]) == {"name"}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_titles_and_links_are_those_of_the_pages(path):
    text = path.read_text(encoding="utf-8")
    assert all((EXAMPLES / link).exists() for link in re.findall(r"\]\((\w+\.ipynb)\)", text))
    title = "".join(json.loads(text)["cells"][0]["source"]).splitlines()[0]
    page = (DOCS / path.with_suffix(".md").name).read_text(encoding="utf-8")
    assert title.startswith("# ") and page.startswith(f"{title}\n")


def test_values_that_a_notebook_does_not_set_are_refused(notebooks):
    with pytest.raises(ValueError, match=r"hunting\.ipynb: .* sets hours 0 times, expected once"):
        notebooks.read("hunting", hours=1)


def test_the_notebook_about_lengths(notebooks, tmp_path):
    page, pictures = shown(notebooks, "lengths", tmp_path)
    halving, error = map(float, re.search(r"halve every ([\d.]+) ± ([\d.]+) tricks", page).groups())
    assert abs(halving - 20) < 5 * error < 2
    # The gains are in the order J, Q, K, A, and a jack is worth most.
    gains = [float(gain) for gain in re.findall(r"in hand: \+([\d.]+) percentage points", page)]
    assert len(gains) == 4 and gains == sorted(gains, reverse=True)
    assert len(pictures) == 3 and 'aria-label="deal ' in page and "[ancestors](ancestors.md)" in page


def test_the_notebook_about_ancestors(notebooks, tmp_path):
    page, pictures = shown(notebooks, "ancestors", tmp_path)
    assert "the longest has 8,344 cards and 1,164 tricks" in page
    assert "complete: 720,720 deals, 13 of them never end" in page
    assert "--J----J/-Q---KQK   302 cards, 52 tricks" in page and "  -J---Q-QJ-/-KK---   13" in page
    assert len(pictures) == 3


def test_the_notebook_about_hunting(notebooks, tmp_path):
    page, pictures = shown(notebooks, "hunting", tmp_path)
    assert re.search(r"^[\d,]+ deals in \d+ s: ", page, re.MULTILINE)
    assert re.search(r"^strategy     climb$", page, re.MULTILINE) and len(pictures) == 2
    assert "<!doctype html>" in (tmp_path / "report.html").read_text(encoding="utf-8").lower()
    assert (tmp_path / "hunt.db").exists()


def shown(notebooks, name, folder):
    """Run a notebook, as quickly as can be; return the page made of it, and the pictures by file."""
    pictures = {}
    page = notebooks.as_markdown(
        notebooks.executed(notebooks.read(name, **QUICK[name]), folder), name, pictures
    )
    assert all(f"](generated/{file})" in page for file in pictures)
    return page, pictures

"""Self-contained web pages: templates filled with escaped text, and nothing fetched from elsewhere."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

_PLACE = re.compile(r"\{\{(\w+)\}\}")


class Markup(str):
    """Text that is already markup, and goes into a page as it is."""

    __slots__ = ()


def escaped(value: object) -> Markup:
    """Convert anything to markup; text is escaped so that it is shown literally.

    Examples
    --------
    >>> escaped("<b>"), escaped(Markup("<b>"))
    ('&lt;b&gt;', '<b>')
    """
    return value if isinstance(value, Markup) else Markup(html.escape(str(value)))


def script_data(document: Any) -> Markup:
    """Write JSON that is safe inside a script element, whatever text it contains.

    Examples
    --------
    >>> script_data("</script>")
    '"\\\\u003c/script>"'
    """
    text = json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")
    return Markup(text)


def asset(name: str) -> Markup:
    """Read a file that ships beside this module."""
    return Markup(files(__name__).joinpath(name).read_text(encoding="utf-8"))


def filled(template: str, values: Mapping[str, object]) -> Markup:
    """Fill the placeholders of a template, each ``{{name}}``.

    Parameters
    ----------
    template : str
        Markup with placeholders.
    values : mapping of str to object
        The values: `Markup` is inserted as it is, anything else as text.

    Raises
    ------
    KeyError
        If a placeholder has no value.

    Examples
    --------
    >>> filled("<p>{{name}}</p>", {"name": "{{name}} & <i>"})
    '<p>{{name}} &amp; &lt;i&gt;</p>'
    """
    return Markup(_PLACE.sub(lambda match: escaped(values[match[1]]), template))


def page(name: str, values: Mapping[str, object]) -> Markup:
    """Fill one of the templates, adding the style that all pages share."""
    return filled(asset(name), {"style": asset("style.css"), **values})


def scripts(*names: str) -> Markup:
    """Read scripts that ship beside this module, joined into one for a page."""
    return Markup("\n".join(map(asset, names)))


def joined(parts: Iterable[Markup]) -> Markup:
    """Join parts, one below the other."""
    return Markup("\n".join(parts))


def paragraph(text: str) -> Markup:
    """Return a paragraph of text."""
    return filled("<p>{{text}}</p>", {"text": text})


def folded(summary: str, parts: Iterable[Markup], shown: bool = False) -> Markup:
    """Return parts that are hidden until the reader opens them."""
    return filled(
        "<details{{open}}><summary>{{summary}}</summary>{{parts}}</details>",
        {"open": Markup(" open" if shown else ""), "summary": summary, "parts": joined(parts)},
    )


def table(kind: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """Return a table of a class; each cell carries its column's name, which a style may show beside it."""

    def cells(tag: str, texts: Sequence[str]) -> Markup:
        inner = "".join(
            filled(
                '<{{tag}} data-name="{{name}}">{{text}}</{{tag}}>', {"tag": tag, "name": name, "text": text}
            )
            for name, text in zip(names, texts, strict=True)
        )
        return Markup(f"<tr>{inner}</tr>")

    body = joined(cells("td", row) for row in rows)
    return filled(
        '<table class="{{kind}}"><thead>{{head}}</thead><tbody>{{body}}</tbody></table>',
        {"kind": kind, "head": cells("th", names), "body": body},
    )

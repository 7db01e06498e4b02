"""Self-contained web pages: templates filled with text that stays text, and nothing fetched from anywhere."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

_PLACE = re.compile(r"\{\{(\w+)\}\}")


class Markup(str):
    """Text that is markup already, and is put into a page as it is."""

    __slots__ = ()


def escaped(value: object) -> Markup:
    """Make markup of anything; of text, such as shows that very text.

    Examples
    --------
    >>> escaped("<b>"), escaped(Markup("<b>"))
    ('&lt;b&gt;', '<b>')
    """
    return value if isinstance(value, Markup) else Markup(html.escape(str(value)))


def script_data(document: Any) -> Markup:
    """Write JSON that may stand inside a script element, whatever text is in it.

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
    """Put values into the places of a template, each ``{{name}}``.

    Parameters
    ----------
    template : str
        Markup with places.
    values : mapping of str to object
        What is put there: `Markup` as it is, all else as text.

    Raises
    ------
    KeyError
        If a place has no value.

    Examples
    --------
    >>> filled("<p>{{name}}</p>", {"name": "{{name}} & <i>"})
    '<p>{{name}} &amp; &lt;i&gt;</p>'
    """
    return Markup(_PLACE.sub(lambda match: escaped(values[match[1]]), template))


def page(name: str, values: Mapping[str, object]) -> Markup:
    """Fill one of the templates, with the style that all pages share."""
    return filled(asset(name), {"style": asset("style.css"), **values})


def scripts(*names: str) -> Markup:
    """Read scripts that ship beside this module, to be one in a page."""
    return Markup("\n".join(map(asset, names)))


def joined(parts: Iterable[Markup]) -> Markup:
    """Put parts one below the other."""
    return Markup("\n".join(parts))


def paragraph(text: str) -> Markup:
    """A paragraph of text."""
    return filled("<p>{{text}}</p>", {"text": text})


def folded(summary: str, parts: Iterable[Markup], shown: bool = False) -> Markup:
    """Parts that are shown when one asks for them."""
    return filled(
        "<details{{open}}><summary>{{summary}}</summary>{{parts}}</details>",
        {"open": Markup(" open" if shown else ""), "summary": summary, "parts": joined(parts)},
    )


def table(kind: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """A table of a class, whose cells know the name of their column, for styles that show it beside them."""

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

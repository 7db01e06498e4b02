"""What a person does with the player, for tests in a browser."""

from search.report.player import longest_record

RECORD = str(longest_record().deal)

#: Cards, tricks and deal that are shown.
SHOWN = "[byId('cards').textContent, byId('tricks').textContent, replay.deal]"


def shown(page):
    cards, tricks, deal = page.value(SHOWN)
    return int(cards.replace(",", "")), int(tricks.replace(",", "")), deal


def click(page, id_):
    """Click where the middle of an element is seen."""
    x, y = page.value(
        f"(() => {{ const e = byId({id_!r}); e.scrollIntoView({{block: 'center'}});"
        "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
    )
    page.click(x, y)


def enter(page, id_, text):
    """Paste a text into a field in place of what is there."""
    click(page, id_)
    page.value(f"byId({id_!r}).select()")
    page.paste(text)


def choose(page, id_, value):
    page.value(
        f"(() => {{ const e = byId({id_!r}); e.value = {value!r};e.dispatchEvent(new Event('change')); }})()"
    )

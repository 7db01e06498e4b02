"""The account of a unit's games in plain Python, to compare with."""

from collections import Counter

from search.finds import Find, best, smallest

WORD = 1 << 64


def mixed(number, status, cards, tricks):
    """The hash of one game, by the letter of docs/checksum.md."""
    word = (
        number * 0x9E3779B97F4A7C15
        + cards * 0xBB67AE8584CAA73B
        + tricks * 0x3C6EF372FE94F82B
        + status * 0xA54FF53A5F1D36F1
    ) % WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


def plainly(deals, results, first_number, finds_kept, loops_kept):
    """All that an account counts, in plain Python."""
    finds = [
        (int(row["status"]), Find(deal.tobytes(), int(row["cards"]), int(row["tricks"])))
        for deal, row in zip(deals, results, strict=True)
    ]
    finished = [find for status, find in finds if not status]
    most_cards = max((find.cards for find in finished), default=0)
    return {
        "games": len(finds),
        "loops": sum(status for status, _ in finds),
        "cards": sum(find.cards for find in finished),
        "tricks": sum(find.tricks for find in finished),
        "most_cards": most_cards,
        "most_cards_games": sum(find.cards == most_cards for find in finished),
        "checksum": sum(
            mixed(number, status, find.cards, find.tricks)
            for number, (status, find) in enumerate(finds, first_number)
        )
        % WORD,
        "histogram": dict(Counter(find.tricks for find in finished)),
        "finds": set(best(finished, "cards", finds_kept)) | set(best(finished, "tricks", finds_kept)),
        "loop_finds": smallest([find for status, find in finds if status], loops_kept),
    }


def counted(account):
    """All that an account has counted, under the same names."""
    names = ("games", "loops", "cards", "tricks", "checksum", "most_cards", "most_cards_games")
    return {name: getattr(account, name) for name in names} | {
        "histogram": account.histogram(),
        "finds": set(account.finds()),
        "loop_finds": list(account.loop_finds()),
    }

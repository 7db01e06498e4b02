"""Ledgers as a hostile volunteer might send them: changed in any way, all checksums right."""

import json
import sqlite3
from concurrent.futures import Executor, Future
from contextlib import suppress

from hunting import small_campaign

from search.errors import WorkerLost
from search.ledger import Ledger, Run, import_deals
from search.ledger.schema import COLUMNS, row_checksum
from search.workers import run_unit

#: Campaigns of every strategy whose units take a few milliseconds.
CAMPAIGNS = {
    "sample": small_campaign(),
    "climb": small_campaign(
        strategy="climb", settings={"least_tricks": 30, "from_end": 25, "max_states": 2000}
    ),
    "enumerate": small_campaign(
        strategy="enumerate", seed=0, unit_size=400, settings={"from": "0", "to": "1000"}
    ),
    "loops": small_campaign(
        strategy="loops",
        unit_size=2000,
        settings={
            "starts": "------J-/-Q-J--Q- --J-/J-",
            "start": "small",
            "surplus": 2,
            "longest_cycle": 300,
        },
    ),
}

NUMBERS = (-(1 << 63), -(1 << 31), -1, 0, 1, 2, 7, 1 << 31, 1 << 53, (1 << 62) + 1, (1 << 63) - 1)
TEXTS = (
    *("", "0", "-1", "7", " 7", "007", "1e9", "1_000", "nan", "9" * 30, "9" * 5000, "x" * 100_000),
    *("\u0661\u0662", "\x00", "\x1b[2J", "a\nb", "\u202e", "\xe9", "__class__", "__dict__", "units", "add"),
    *("counters", "counter.", "counter.__class__", "counter.cycle ", "counter.cycle 1 --J-/J-"),
    *("counter.cycle x y", "counter.shuffles", "counter.games of cards -1", "finished", "loop", "A", "B"),
    *("null", "[]", "{}", "[" * 100_000, "12:2:2:0:0", "99999:0:0:0:0", "J--/-J-", "/", "J" * 16),
    *("climb", "quantum"),
)
OTHERS = (None, 0.5, 1e300, b"", b"\xff\xfe", b"7")
#: What may stand in JSON and nowhere else.
JSON_VALUES = (*NUMBERS, *TEXTS[:20], None, True, 1.5, [], {}, [[]], {"a": 1}, 10**30, float("inf"))

STATEMENTS = (
    "CREATE TRIGGER grow AFTER INSERT ON blocks BEGIN DELETE FROM totals; END",
    "CREATE INDEX more ON blocks (games)",
    "ALTER TABLE blocks RENAME TO others; CREATE VIEW blocks AS WITH RECURSIVE n(x) AS"
    " (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS campaign, x AS unit FROM n",
    "ALTER TABLE runs RENAME COLUMN workers TO hands",
    "ALTER TABLE totals ADD COLUMN note TEXT",
    "DROP TABLE imported",
    "DROP TABLE finds",
    "PRAGMA user_version = 1",
    "CREATE VIEW mine AS SELECT 1",
)


def make_ledgers(folder):
    """A ledger of each strategy in a folder."""
    from camicia import Deal
    from camicia.rules import play

    for name, campaign in CAMPAIGNS.items():
        with Ledger(folder / f"{name}.db", "create") as ledger:
            entry = ledger.enter(campaign)
            run = ledger.begin_run(entry, 2, "here")
            ledger.commit(entry, [run_unit(campaign, unit) for unit in (0, 1)], run=Run(run, 5.0))
            ledger.set_aside(entry, 2, "worker 5 was killed")
            deals = [Deal.parse(text) for text in ("J--/-J-", "J--/-JA")]
            import_deals(ledger, [(deal, play(deal)) for deal in deals], "deals.txt")
    return {name: folder / f"{name}.db" for name in CAMPAIGNS}


def tamper(path, generator):
    """Change a ledger in one to three ways; returns what was done."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA foreign_keys = OFF")
    tables = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
    # Tables that take any type, for as long as they are changed.
    _define(
        connection,
        [
            (name, sql.replace("STRICT, ", "").replace(" STRICT", "").replace("NOT NULL", ""))
            for name, sql in tables
        ],
    )
    connection.close()
    connection = sqlite3.connect(path)
    done = []
    try:
        for _ in range(generator.choice((1, 1, 1, 2, 3))):
            # What even a table of any types refuses stays as it is.
            with suppress(sqlite3.Error):
                done.append(generator.choice(_WAYS)(connection, generator))
        if generator.random() < 0.7:
            _add_up(connection)
        connection.commit()
    finally:
        connection.close()
    connection = sqlite3.connect(path)
    _define(connection, tables)
    if generator.random() < 0.04:
        statement = generator.choice(STATEMENTS)
        with suppress(sqlite3.Error):
            connection.executescript(statement)
            done.append(statement)
    connection.close()
    return done


def forge(path, table, where, **changes):
    """Change columns of the rows of a table, with right checksums; returns whether there are such rows.

    A change may be a function of the old value.
    """
    connection = sqlite3.connect(path)
    columns = COLUMNS[table]
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE {where}").fetchall()
    for row in rows:
        connection.execute(
            f"DELETE FROM {table} WHERE {columns[0]} IS ? AND {columns[1]} IS ?", (row[0], row[1])
        )
        values = dict(zip(columns, row, strict=True))
        for name, change in changes.items():
            values[name] = change(values[name]) if callable(change) else change
        put(connection, table, list(values.values()))
    connection.commit()
    connection.close()
    return bool(rows)


def put(connection, table, values):
    """Write a row with its checksum."""
    marks = ", ".join("?" * (len(values) + 1))
    columns = ", ".join((*COLUMNS[table], "check_sum"))
    connection.execute(f"REPLACE INTO {table} ({columns}) VALUES ({marks})", (*values, _checksum(values)))


def _checksum(values):
    # As an opening ledger reads bytes and what is no text.
    return row_checksum(
        [value.decode(errors="backslashreplace") if isinstance(value, bytes) else value for value in values]
    )


def _define(connection, tables):
    connection.execute("PRAGMA writable_schema = ON")
    for name, sql in tables:
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", (sql, name))
    connection.commit()
    connection.execute("PRAGMA writable_schema = RESET")
    connection.commit()


def _row(connection, generator, tables=tuple(COLUMNS)):
    for table in generator.sample(tables, len(tables)):
        rows = connection.execute(f"SELECT {', '.join(COLUMNS[table])} FROM {table}").fetchall()
        if rows:
            return table, list(generator.choice(rows))
    raise AssertionError("no row is left")


def _remove(connection, table, row):
    first, second = COLUMNS[table][:2]
    connection.execute(f"DELETE FROM {table} WHERE {first} IS ? AND {second} IS ?", row[:2])


def _change_value(connection, generator):
    table, row = _row(connection, generator)
    place = generator.randrange(len(row))
    old = row[place]
    kinds = [NUMBERS, TEXTS, OTHERS]
    weights = [6, 1, 1] if isinstance(old, int) else [1, 6, 1]
    (values,) = generator.choices(kinds, weights)
    new = generator.choice(values)
    if isinstance(old, int) and generator.random() < 0.5:
        new = max(-(1 << 63), min((1 << 63) - 1, old + generator.choice((-1, 1, 1000, -old))))
    _remove(connection, table, row)
    row[place] = new
    put(connection, table, row)
    return f"{table}.{COLUMNS[table][place]}: {str(old)[:40]!r} -> {str(new)[:40]!r}"


def _change_identity(connection, generator):
    (row,) = connection.execute(
        f"SELECT {', '.join(COLUMNS['campaigns'])} FROM campaigns LIMIT 1"
    ).fetchall() or [None]
    if row is None:
        return "no campaign"
    row = list(row)
    try:
        values = json.loads(row[1])
        target = generator.choice([values, values, values["settings"], values["settings"] or values])
        name = generator.choice([*target.keys(), "more"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return "no identity"
    way = generator.randrange(4)
    if way == 0:
        target.pop(name, None)
    elif way == 1 and isinstance(target.get(name), str) and target[name].isdecimal():
        target[name] = str(generator.choice(NUMBERS))
    elif way == 2 and type(target.get(name)) is int:
        target[name] += generator.choice((-1, 1, 1000))
    else:
        target[name] = generator.choice(JSON_VALUES)
    _remove(connection, "campaigns", row)
    row[1] = json.dumps(values, sort_keys=True, separators=(",", ":"))
    put(connection, "campaigns", row)
    return f"identity: {name} (way {way}): {row[1][:200]}"


def _remove_row(connection, generator):
    table, row = _row(connection, generator)
    _remove(connection, table, row)
    return f"{table}: without {str(row)[:60]}"


def _add_row(connection, generator):
    table, row = _row(connection, generator)
    place = generator.randrange(2)
    row[place] = generator.choice(NUMBERS if isinstance(row[place], int) else TEXTS)
    put(connection, table, row)
    return f"{table}: one more row, {COLUMNS[table][place]} {str(row[place])[:40]!r}"


def _shift_bins(connection, generator):
    bins = connection.execute(
        "SELECT campaign, tricks, games FROM histogram ORDER BY tricks LIMIT 3"
    ).fetchall()
    if len(bins) < 3 or not all(type(item) is int for row in bins for item in row):
        return "no bins"
    for (campaign, tricks, games), more in zip(bins, (1, -2, 1), strict=True):
        put(connection, "histogram", [campaign, tricks, games + more])
    return "bins shifted"


#: Ways to change a ledger, the most fruitful more than once.
_WAYS = (_change_value,) * 6 + (_change_identity,) * 3 + (_remove_row, _add_row, _shift_bins)


def _add_up(connection):
    """Make the totals the sums of the units, so that what is wrong is not found by that alone."""
    names = COLUMNS["blocks"][3:9]
    for campaign, text in connection.execute("SELECT id, identity FROM campaigns").fetchall():
        del text
        rows = connection.execute(
            f"SELECT {', '.join(names)} FROM blocks WHERE campaign IS ?", (campaign,)
        ).fetchall()
        if not all(type(value) is int for row in rows for value in row):
            continue
        sums = {name: sum(row[place] for row in rows) for place, name in enumerate(names)}
        sums["checksum"] %= 1 << 64
        for name, value in sums.items():
            put(connection, "totals", [campaign, name, str(value)])


class Inline(Executor):
    """Does each call at once, here; refuses units that are too large for a test, as a lost worker would."""

    def __init__(self, *_, **__):
        pass

    def submit(self, fn, campaign, *args, **kwargs):
        future = Future()
        try:
            if getattr(campaign, "unit_size", 0) > 100_000:
                raise WorkerLost("too large for a test", 3)
            future.set_result(fn(campaign, *args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def slots(self):
        return 1

    def kill(self):
        pass


__all__ = ["CAMPAIGNS", "Inline", "forge", "make_ledgers", "put", "tamper"]

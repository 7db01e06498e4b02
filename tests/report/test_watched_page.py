"""A page that is written again and again while a hunt is on, and the history that it draws."""

import re
import signal
import subprocess
import time

from hunting import camicia, command, environment, reports_of, small_campaign, write

from search.ledger import Ledger, Run, merge
from search.report import report_page
from search.report.charts import best_chart
from search.report.figures import figures
from search.report.history import runs


def grow(path, unit):
    with Ledger(path, "write") as ledger:
        (entry,) = ledger.campaigns()
        ledger.commit(entry, reports_of(entry.campaign, [unit]))


def test_a_watched_page_follows_the_hunt_until_ctrl_c(tmp_path):
    path = write(tmp_path / "hunt.db", small_campaign(), reports_of(small_campaign(), [0, 1]))
    page = tmp_path / "page.html"
    words = command("report", path, "--watch", "--every", "1s", "--out", page)
    process = subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdout.readline().decode().strip() == str(page)
        assert "6,400" in page.read_text() and '<body data-reload="1">' in page.read_text()
        grow(path, 2)
        end = time.monotonic() + 60
        while "9,600" not in page.read_text():
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.2)
    finally:
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")


def test_a_page_that_is_written_once_does_not_reload(tmp_path):
    path = write(tmp_path / "hunt.db", small_campaign(), reports_of(small_campaign(), [0]))
    with Ledger(path) as ledger:
        assert '<body data-reload="">' in report_page(ledger)


def test_a_merged_ledger_has_a_history_though_it_has_no_runs(tmp_path, monkeypatch):
    now = [1_700_000_000]
    monkeypatch.setattr("search.ledger.ledger.time.time", lambda: now[0])
    paths = []
    for seed in (7, 8):
        campaign = small_campaign(seed=seed)
        with Ledger(tmp_path / f"{seed}.db", "create") as ledger:
            entry = ledger.enter(campaign)
            run = ledger.begin_run(entry, 1, "here")
            for second, report in enumerate(reports_of(campaign, range(20))):
                now[0] += 3
                ledger.commit(entry, [report], run=Run(run, 3.0 * (second + 1), 1))
        paths.append(tmp_path / f"{seed}.db")
        now[0] += 5000
    merge(tmp_path / "all.db", paths)
    with Ledger(tmp_path / "all.db") as ledger:
        assert runs(ledger) == [(1_700_000_003, 1_700_000_061), (1_700_005_063, 1_700_005_121)]
        assert len(best_chart(ledger, figures(ledger, 5)).lines[0].points) > 1
    for path, length in zip(paths, (60, 60), strict=True):
        with Ledger(path) as ledger:
            ((start, end),) = runs(ledger)
            assert end - start == length


def test_what_makes_no_sense_together_is_refused(tmp_path):
    path = write(tmp_path / "hunt.db", small_campaign(), reports_of(small_campaign(), [0]))
    for words in (("--every", "5s"), ("--watch", "--out", "-"), ("--every", "0s", "--watch")):
        done = camicia("report", path, *words, cwd=tmp_path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and words[0] in done.stderr, done.stderr


def test_the_best_so_far_is_that_of_all_games_not_of_those_kept(tmp_path, monkeypatch):
    now = [1_700_000_000]
    monkeypatch.setattr("search.ledger.ledger.time.time", lambda: now[0])
    with Ledger(tmp_path / "hunt.db", "create") as ledger:
        entry = ledger.enter(small_campaign(finds_kept=1))
        run = ledger.begin_run(entry, 1, "here")
        best, reached = [], 0
        for second, report in enumerate(reports_of(entry.campaign, range(40))):
            now[0] += 1
            ledger.commit(entry, [report], run=Run(run, second + 1.0, 1))
            most = max((find.tricks for find in report.finds), default=0)
            if most > reached:
                best.append((second + 2, most))
                reached = most
        chart = best_chart(ledger, figures(ledger, 5))
    points = [(round(x), round(y)) for x, y in chart.lines[0].points]
    assert len(best) > 1 and [y for _, y in points[:-1]] == [y for _, y in best]
    assert all(abs(x - second) <= 1 for (x, _), (second, _) in zip(points, best, strict=False))
    assert re.fullmatch("(seconds|minutes) of hunting", chart.across)

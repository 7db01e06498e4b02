#!/usr/bin/env bash
# A long hunt: nights of searching in one ledger, with a page to look at in the morning.
#
#   examples/long_hunt.sh              hunt for eight hours in ./hunt, then write ./hunt/report.html
#   HOURS=1 examples/long_hunt.sh      for one hour
#   DECK=italian examples/long_hunt.sh /srv/hunt
#
# Run it again, by hand or from cron, and it goes on where it stopped: everything is in the ledger. Ctrl-C or a
# reboot loses some seconds of work.
set -euo pipefail

folder=${1:-hunt}
deck=${DECK:-standard}
time=${TIME:-${HOURS:-8}h}

mkdir -p "$folder"
cd "$folder"
ledger=climb-$deck.db

# One line for each find longer than any known; put a mail or a message to your phone here.
announce='echo "$(date -u +%FT%TZ) $CAMICIA_CARDS cards, $CAMICIA_TRICKS tricks: $CAMICIA_DEAL" >> records.txt'

# As polite as can be to whatever else the machine does. 130 is an end by Ctrl-C, after a clean commit.
code=0
nice -n 19 camicia search climb --deck "$deck" --ledger "$ledger" --for "$time" \
    --on-record "$announce" --quiet || code=$?
[ "$code" = 0 ] || [ "$code" = 130 ] || exit "$code"

# What it has come to: a page, the finds for a spreadsheet, and the best game to watch.
camicia report "$ledger" --out report.html
camicia best "$ledger" --top 100 --format csv > finds.csv
best=$(camicia best "$ledger" --top 1 --format csv | tail -n 1 | cut -d, -f2)
camicia view "$best" --out best.html
camicia play "$best"

# A copy that is one moment of the ledger, even if another hunt has begun to write it.
python3 - "$ledger" backup.db <<'PYTHON'
import sqlite3
import sys

with sqlite3.connect(sys.argv[1]) as source, sqlite3.connect(sys.argv[2]) as copy:
    source.backup(copy)
PYTHON

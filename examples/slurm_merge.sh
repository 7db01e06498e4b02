#!/usr/bin/env bash
# Merge the ledgers of an array of tasks (see slurm_array.sh) into $FOLDER/whole.db, and check it. Only ledgers that
# are new or have changed since the last merge are read.
#
#   sbatch --dependency="afterany:$array" examples/slurm_merge.sh
#
# Variables that may be set before sbatch:
#   FOLDER    as for the array
#   FRACTION  share of the units to play again (default: 0.001)
#
#SBATCH --job-name=camicia-merge
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
#SBATCH --open-mode=append
#SBATCH --output=camicia-merge.log
set -euo pipefail

folder=${FOLDER:-$SLURM_SUBMIT_DIR/hunt}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/camicia-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# Ledgers are read and written on a local disk. A ledger that has been merged is known by its place beside the whole,
# its size and its time.
mkdir "$scratch/ledgers"
cp -p "$folder"/ledgers/task-*.db "$scratch/ledgers"
[ ! -e "$folder/whole.db" ] || cp -p "$folder/whole.db" "$scratch"
camicia merge --update "$scratch/whole.db" "$scratch/ledgers"
camicia verify "$scratch/whole.db" --fraction "${FRACTION:-0.001}" --workers "${SLURM_CPUS_PER_TASK:-1}" --quiet
camicia report "$scratch/whole.db" --out "$folder/report.html"
camicia best "$scratch/whole.db" --top 100 --format csv > "$folder/finds.csv"

# The old file is replaced only by a complete one.
cp "$scratch/whole.db" "$folder/.whole"
mv "$folder/.whole" "$folder/whole.db"

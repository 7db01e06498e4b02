#!/usr/bin/env bash
# A hunt as an array of Slurm jobs. Every task keeps a ledger of its own, so no task waits for another.
#
#   array=$(sbatch --parsable --array=1-50 examples/slurm_array.sh)
#   sbatch --dependency="afterany:$array" examples/slurm_merge.sh
#
# Submit both again, as often as you like: task 7 always resumes the ledger of task 7. The new array starts once
# the previous one has ended (`singleton`), so no ledger is resumed twice at the same time.
#
# Variables that may be set before sbatch:
#   FOLDER    a folder that all nodes share (default: hunt, in the directory where sbatch is run)
#   CAMPAIGN  strategy and options of the campaign (default: climb). Each task chooses a random seed.
#   PARTS     divide one campaign into this many shards, and let task I do shard I. Complete searches need it;
#             others then also need --seed and --unit-size in CAMPAIGN, and climb --least-tricks, --from-end
#             and --max-states
#   TIME      how long a task hunts: less than --time, so that its last units can be finished (default: 3h50m)
#   EVERY     time between two copies to the shared folder: the most that is lost if a node fails (default: 10m)
#
#SBATCH --job-name=camicia
#SBATCH --dependency=singleton
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=camicia-%a.log
set -euo pipefail

task=$SLURM_ARRAY_TASK_ID
folder=${FOLDER:-$SLURM_SUBMIT_DIR/hunt}
every=${EVERY:-10m}
read -ra campaign <<< "${CAMPAIGN:-climb}"
[ -z "${PARTS:-}" ] || campaign+=(--shard "$task/$PARTS")

# A ledger must be on a local disk while it is written. The shared folder holds a copy.
kept=$folder/ledgers/task-$task.db
mkdir -p "$folder/ledgers"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/camicia-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
ledger=$scratch/hunt.db
[ ! -e "$kept" ] || cp "$kept" "$ledger"

# The old copy is replaced only by a complete one.
keep() {
    [ ! -e "$1" ] || { cp "$1" "$folder/ledgers/.task-$task" && mv "$folder/ledgers/.task-$task" "$kept"; }
}

# Slurm's SIGTERM comes before the time limit, and when the job is cancelled, preempted or requeued. The hunt then
# commits what is done and ends with exit code 130.
camicia search "${campaign[@]}" --ledger "$ledger" --for "${TIME:-3h50m}" \
    --workers "${SLURM_CPUS_PER_TASK:-1}" --backup-every "$every" --quiet &
hunt=$!
stopping=
trap 'stopping=yes; kill -TERM "$hunt" 2> /dev/null || true' TERM

# The backup is a complete ledger at any moment, which the ledger is not while it is written.
while sleep "$every" > /dev/null 2>&1; do keep "$ledger.backup" || true; done &
saver=$!

# A signal ends `wait`, but not the hunt.
code=0
wait "$hunt" || code=$?
while [ "$stopping" ]; do
    stopping= code=0
    wait "$hunt" || code=$?
done
kill "$saver" 2> /dev/null || true
wait "$saver" || true
keep "$ledger" || { trap - EXIT; echo "$(hostname): the ledger could not be copied from $ledger" >&2; exit 1; }
[ "$code" = 130 ] || exit "$code"

"""Start a Dask cluster over SSH or through Slurm, hunt on it, and end it together with the hunt.

    python examples/dask_cluster.py ssh --processes 16 node1 node2 -- climb --for 8h
    python examples/dask_cluster.py slurm --processes 16 --jobs 20 -- climb --for 7d

What follows `--` goes to `camicia search`. The ledger is written here, by that command alone; if this script
or its cluster is lost, the same command resumes the hunt. Every machine needs the same version of Camicia
under the same path, for example a virtual environment in a shared folder.

It needs `pip install 'camicia[cluster]'`, and `asyncssh` for SSH or `dask-jobqueue` for Slurm.
"""

import argparse
import logging
import signal
import subprocess
import sys

from distributed import Client, SSHCluster

#: A job's workers leave after this share of its time, before Slurm ends the job.
LIFETIME = 0.9

#: Seconds between two looks for jobs that have ended.
LOOK_SECONDS = 30


def over_ssh(arguments):
    """A cluster on machines that can be reached with SSH; the first of them also runs the scheduler."""
    return SSHCluster(
        [arguments.hosts[0], *arguments.hosts],
        worker_options={"nthreads": 1, "n_workers": arguments.processes},
        scheduler_options={"dashboard_address": ":0"},
        remote_python=sys.executable,
    )


def through_slurm(arguments):
    """A cluster whose workers are Slurm jobs; its scheduler runs in this process, which must stay alive."""
    from dask_jobqueue import SLURMCluster

    seconds = 60 * arguments.minutes
    cluster = SLURMCluster(
        cores=arguments.processes,
        processes=arguments.processes,
        memory=f"{arguments.processes * arguments.megabytes} MB",
        walltime=f"{seconds // 3600:02}:{seconds // 60 % 60:02}:00",
        queue=arguments.partition,
        interface=arguments.interface,
        job_name="camicia-workers",
        # They do not leave all at once.
        worker_extra_args=[
            *("--lifetime", f"{LIFETIME * seconds:.0f}s"),
            *("--lifetime-stagger", f"{(1 - LIFETIME) * seconds / 2:.0f}s"),
        ],
        scheduler_options={"dashboard_address": ":0"},
        python=sys.executable,
    )
    cluster.scale(jobs=arguments.jobs)
    return cluster


def replace_ended_jobs(cluster, arguments):
    """Submit a new job for each that has ended. (Dask's own `adapt` misses those of several processes.)"""
    jobs = {job.job_id: name for name, job in cluster.workers.items()}
    queue = subprocess.run(
        ["squeue", "--noheader", "--me", "--format=%A"], stdout=subprocess.PIPE, text=True, check=False
    )
    if queue.returncode == 0:
        cluster.sync(cluster.scale_down, [jobs[number] for number in jobs.keys() - queue.stdout.split()])
        cluster.scale(jobs=arguments.jobs)


def parsed(words):
    """The arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(required=True, metavar="ssh|slurm")
    ssh = kinds.add_parser("ssh", help="workers on machines that SSH can reach")
    ssh.add_argument("hosts", nargs="+", metavar="HOST", help="names, as `ssh` takes them")
    ssh.set_defaults(start=over_ssh, look_after=lambda cluster, arguments: None)
    slurm = kinds.add_parser("slurm", help="workers in Slurm jobs")
    slurm.add_argument("--jobs", type=int, default=1, help="jobs at a time (default: 1)")
    slurm.add_argument("--minutes", type=int, default=240, help="time limit of a job (default: 240)")
    slurm.add_argument("--megabytes", type=int, default=500, help="memory of a process (default: 500)")
    slurm.add_argument("--partition", help="partition to submit to")
    slurm.add_argument("--interface", help="network between this machine and the nodes, such as ib0")
    slurm.set_defaults(start=through_slurm, look_after=replace_ended_jobs)
    for kind in (ssh, slurm):
        kind.add_argument(
            "--processes", type=int, required=True, help="worker processes of a machine or job: its CPUs"
        )
    at = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:at])
    arguments.search = words[at + 1 :]
    return arguments


def main():
    """Start the cluster, hunt, and return the exit code of `camicia search`."""
    arguments = parsed(sys.argv[1:])
    # Every line that a worker writes over SSH would be shown.
    logging.getLogger("distributed").setLevel(logging.WARNING)
    with arguments.start(arguments) as cluster:
        with Client(cluster) as client:
            print(f"The scheduler is at {cluster.scheduler_address}; waiting for workers", file=sys.stderr)
            client.wait_for_workers(1)
        hunt = subprocess.Popen(
            [sys.executable, "-m", "search", "search", *arguments.search, "--dask", cluster.scheduler_address]
        )
        # Ctrl-C reaches the hunt by itself; the cluster must outlive it.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: hunt.terminate())
        while hunt.poll() is None:
            try:
                hunt.wait(LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                arguments.look_after(cluster, arguments)
        return hunt.returncode


if __name__ == "__main__":
    sys.exit(main())

"""Slurm on this machine alone: its daemons, started by hand in a temporary folder, and its commands."""

import getpass
import os
import re
import secrets
import shutil
import socket
import subprocess
import time

#: The programs that are needed, and where Debian keeps those that are not for everybody.
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
FOLDERS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])

#: Seconds to wait for a daemon or a job, on a machine that is busy.
PATIENCE = 120

#: Jobs are real, the node is not: it may have fewer processors than are said here.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MailProg=/bin/true
MpiDefault=none
ReturnToService=2
KillWait=10
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=2000
PartitionName=all Nodes=ALL Default=YES
"""


def program(name):
    """The path of a program, None if it is not here."""
    return shutil.which(name, path=FOLDERS)


def why_no_slurm():
    """Why Slurm cannot be started here, None if it can."""
    missing = [name for name in PROGRAMS if not program(name)]
    if missing:
        return f"Slurm is not installed: no {', '.join(missing)}"
    return None if os.geteuid() == 0 else "Slurm's daemons are started as root"


class Slurm:
    """A cluster of one node.

    Parameters
    ----------
    folder : Path
        An empty folder; its name must be short, for it holds a socket.
    """

    def __init__(self, folder):
        self.folder = folder
        self._daemons = []
        key = folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o400)
        for name in ("state", "spool"):
            (folder / name).mkdir(mode=0o755)
        with socket.create_server(("", 0)) as one, socket.create_server(("", 0)) as other:
            ports = [server.getsockname()[1] for server in (one, other)]
        host = socket.gethostname().partition(".")[0]
        configuration = folder / "slurm.conf"
        configuration.write_text(
            CONFIGURATION.format(host=host, user=getpass.getuser(), ports=ports, folder=folder)
        )
        self.environment = {"SLURM_CONF": str(configuration)}
        munge = [f"--{name}={folder}/munge.{name.partition('-')[0]}" for name in ("key-file", "socket")]
        munge += [f"--{name}={folder}/munged.{name}" for name in ("pid-file", "log-file", "seed-file")]
        self._start("munged", "--foreground", "--force", *munge)
        self._start("slurmctld", "-D", "-c", "-f", configuration)
        self._start("slurmd", "-D", "-f", configuration)
        self.wait(lambda: self.ask("sinfo", "--noheader", "--format=%t", check=False).strip() == "idle")

    def _start(self, name, *words):
        with (self.folder / f"{name}.out").open("w") as file:
            self._daemons.append(
                subprocess.Popen([program(name), *map(str, words)], stdout=file, stderr=file)
            )

    def ask(self, name, *words, check=True, **options):
        """What one of Slurm's commands prints."""
        done = subprocess.run(
            [program(name), *map(str, words)],
            **{"env": os.environ | self.environment} | options,
            capture_output=True,
            text=True,
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def state(self, job):
        """The state of a job, such as COMPLETED."""
        return re.search(r"JobState=(\w+)", self.ask("scontrol", "show", "job", job))[1]

    def queue(self):
        """The jobs that have not ended, as `JOB STATE`; a task of an array is `JOB_TASK`."""
        return self.ask("squeue", "--noheader", "--array", "--format=%i %T").splitlines()

    def number(self, task):
        """The number of a task as a job, which some commands want."""
        tasks = self.ask("squeue", "--noheader", "--array", "--format=%i %A").splitlines()
        return dict(line.split() for line in tasks)[task]

    def wait(self, is_so):
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            logs = "\n".join(path.read_text() for path in self.folder.glob("*.out"))
            assert time.monotonic() < end and not any(each.poll() for each in self._daemons), logs
            time.sleep(0.2)

    def end(self):
        """Cancel what is running, and stop the daemons."""
        self.ask("scancel", "--user", getpass.getuser(), check=False)
        try:
            self.wait(lambda: not self.queue())
        finally:
            for daemon in reversed(self._daemons):
                daemon.terminate()
                daemon.wait(PATIENCE)

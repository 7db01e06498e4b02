"""Which kernel runs: what the machine can do, what was asked for, and no silent fallback."""

import os
import subprocess
import sys

import pytest

from camicia import KernelError, simulate, simulate_many
from camicia.kernels import dispatch

CODE = "import camicia; print(camicia.simulate_many(['J--/-J-']).tolist())"


def test_kernels_are_named_from_plain_to_fast():
    names = dispatch.available_kernels()
    assert names[:3] == ("reference", "ring", "baseline")
    assert names == tuple(name for name in dispatch.KERNELS if name in names)
    assert dispatch.default_kernel() == os.environ.get("CAMICIA_KERNEL", names[-1])


def test_the_environment_chooses(monkeypatch):
    monkeypatch.setenv("CAMICIA_KERNEL", "baseline")
    assert dispatch.default_kernel() == "baseline"
    assert dispatch.default_kernel("ring") == "ring"
    assert simulate("-/-").kernel == "baseline"


@pytest.mark.parametrize("name", ["avx512", "avx2"])
def test_a_kernel_that_cannot_run_is_refused(name, monkeypatch):
    """On a processor without it: an error that names what can run, at every way in, and no fallback."""
    monkeypatch.delenv("CAMICIA_KERNEL", raising=False)
    monkeypatch.setattr(dispatch, "runs", lambda name: not name.startswith("avx"))
    said = f"kernel '{name}': this machine cannot run it, expected one of reference, ring, baseline$"
    with pytest.raises(KernelError, match=said):
        simulate("-/-", kernel=name)
    with pytest.raises(KernelError, match=said):
        simulate_many(["-/-"], kernel=name)
    monkeypatch.setenv("CAMICIA_KERNEL", name)
    with pytest.raises(KernelError, match=f"CAMICIA_KERNEL '{name}': this machine cannot run it"):
        simulate_many(["-/-"])
    assert f"camicia.kernels.lanes_{name}" not in dispatch.runnable_modules()


def test_builds_the_machine_lacks_are_not_imported():
    """Every module that is imported, and every module named runnable, is one that can run."""
    lacking = {f"camicia.kernels.lanes_{name}" for name in dispatch.KERNELS} - {
        f"camicia.kernels.lanes_{name}" for name in dispatch.available_kernels()
    }
    assert not lacking & dispatch.runnable_modules()
    code = "import sys, camicia; print([name for name in sys.modules if name.startswith('camicia.lanes_')])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]", "to import camicia imports no build of the lanes kernel"


@pytest.mark.parametrize("name", dispatch.available_kernels())
def test_any_kernel_by_the_environment(name):
    env = os.environ | {"CAMICIA_KERNEL": name}
    told = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=env)
    assert told.stdout.strip() == "[(1, 255, 8, 3)]"


def test_an_unknown_kernel_is_refused():
    with pytest.raises(KernelError, match="kernel 'abacus': unknown, expected one of reference, ring, b"):
        dispatch.chosen_kernel("abacus")

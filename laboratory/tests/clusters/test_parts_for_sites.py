"""Files for sites: the ReFrame check fails if a default binding is wrong, and the module file loads."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from clusters import COREWISE
from mpis import mpi_named
from sources import ROOT

REFRAME = ROOT / "build" / "reframe" / "bin" / "reframe"
SITE = ROOT / "examples" / "site"
MODULES = Path("/usr/share/modules/init/sh")  # Debian's environment-modules

SETTINGS = """
site_configuration = {
    "systems": [
        {
            "name": "lab",
            "hostnames": [".*"],
            "partitions": [
                {"name": "here", "scheduler": "local", "launcher": "mpirun", "environs": ["builtin"]}
            ],
        }
    ],
    "environments": [{"name": "builtin"}],
}
"""


@pytest.fixture
def reframe(tmp_path):
    """Runs the check with options and variables under Open MPI 4's mpirun; returns exit code and output."""
    if not REFRAME.exists():
        pytest.skip("ReFrame is not in build/reframe; scripts/setup --lab installs it")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "mpirun").symlink_to(shutil.which(mpi_named("openmpi4").mpirun))
    (programs / "corewise").symlink_to(COREWISE)
    (tmp_path / "settings.py").write_text(SETTINGS)

    def run(*words: str, **variables: str) -> tuple[int, str]:
        own = {"PATH": f"{programs}:{os.environ['PATH']}", "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
        own |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        check = ["-C", "settings.py", "-c", str(SITE / "corewise_binding.py"), "--prefix", "out", "-r"]
        done = subprocess.run(
            [REFRAME, *check, *words],
            cwd=tmp_path,
            env=os.environ | own | variables,
            capture_output=True,
            text=True,
            timeout=100,
        )
        return done.returncode, done.stdout

    return run


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_the_reframe_check_fails_where_the_default_binding_is_wrong(reframe):
    code, output = reframe()
    assert (code, "Ran 1/1 test case(s) from 1 check(s) (0 failure(s)" in output) == (0, True), output
    code, output = reframe(OMPI_MCA_hwloc_base_cpu_list="0")  # as in a site's own parameter file
    assert code == 1
    assert "ranks 0-1 are all on core 0 (logical)" in output
    code, output = reframe("-S", "DefaultBinding.num_threads=2", OMPI_MCA_hwloc_base_binding_policy="core")
    assert code == 1
    assert "2 ranks, each with 2 threads (OMP_NUM_THREADS)" in output


def test_the_reframe_check_says_why_there_is_no_answer(reframe, tmp_path):
    corewise = tmp_path / "bin" / "corewise"
    corewise.unlink()
    corewise.write_text("#!/bin/sh\necho corewise: no core >&2; exit 3\n")
    corewise.chmod(0o755)
    code, output = reframe()
    assert code == 1
    assert "corewise gave no answer: corewise: no core" in " ".join(output.split())


def test_the_module_file_puts_corewise_alone_on_the_path(tmp_path):
    if not MODULES.exists():
        pytest.skip("environment-modules is not installed; scripts/setup --lab installs it")
    root = tmp_path / "opt"
    (root / "bin").mkdir(parents=True)
    (root / "bin" / "corewise").symlink_to(COREWISE)
    text = (SITE / "corewise.modulefile").read_text()
    assert text.count("\nset root /opt/corewise\n") == 1
    (tmp_path / "modules" / "corewise").mkdir(parents=True)
    module = tmp_path / "modules" / "corewise" / "1.0"
    module.write_text(text.replace("\nset root /opt/corewise\n", f"\nset root {root}\n"))
    script = (
        f". {MODULES}; module load corewise && command -v corewise && corewise topo --list >/dev/null && "
    )
    done = subprocess.run(
        ["sh", "-c", script + "module unload corewise; command -v corewise"],
        env={"PATH": "/usr/bin:/bin", "MODULEPATH": str(tmp_path / "modules")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == (f"{root}/bin/corewise\n", "")
    assert done.returncode != 0  # corewise is gone again

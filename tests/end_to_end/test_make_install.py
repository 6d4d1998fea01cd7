"""`make install` as a distribution runs it: all files are below DESTDIR, and programs build with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.thorough, pytest.mark.timeout(600)]


def test_the_command_and_the_libraries_work_from_the_folder_of_a_package(tmp_path):
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    words = [
        f"DESTDIR={tmp_path}",
        "PREFIX=/usr",
        f"PYTHON={sys.executable}",
        "PIP_OPTIONS=--no-build-isolation",
        "LIBRARIES=affinity",
    ]
    made = subprocess.run(
        ["make", "install", *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["usr"]
    usr = tmp_path / "usr"

    (package,) = usr.glob("lib/python3*/*-packages/corewise")
    there = os.environ | {"PYTHONPATH": str(package.parent)}
    where = [sys.executable, "-c", "import corewise; print(corewise.__file__)"]
    assert subprocess.check_output(where, env=there, text=True) == f"{package / '__init__.py'}\n"
    assert subprocess.check_output([usr / "bin" / "corewise", "--version"], env=there).startswith(
        b"corewise, version "
    )
    for name in (
        "man/man1/corewise-tune.1",
        "man/man7/corewise-affinity.7",
        "bash-completion/completions/corewise",
        "zsh/vendor-completions/_corewise",
        "fish/vendor_completions.d/corewise.fish",
    ):
        assert (usr / "share" / name).stat().st_size > 0

    assert not (usr / "share" / "zsh" / "site-functions").exists()

    (file,) = usr.rglob("pkgconfig/corewise-affinity.pc")
    found = os.environ | {"PKG_CONFIG_PATH": str(file.parent)}
    words = ["pkg-config", "--cflags", "--libs", "corewise-affinity"]
    flags = subprocess.check_output(words, env=found, text=True).split()
    program = tmp_path / "planned"
    example = ROOT / "examples" / "affinity" / "pthread.c"
    subprocess.run(["cc", "-pthread", example, "-o", program, *flags], check=True)
    of_library = os.environ | {"LD_LIBRARY_PATH": str(file.parents[1])}
    assert "every thread is bound as planned" in subprocess.check_output([program], env=of_library, text=True)
    # No installed file may contain the name of the staging folder.
    texts = [path for end in ("*.pc", "*.cmake") for path in usr.rglob(end)]
    assert texts and not [path for path in texts if str(tmp_path) in path.read_text()]

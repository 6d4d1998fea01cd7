"""The compiler for wheels: options that zig doesn't get, and the flag that is set after linking."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from sources import ROOT

sys.path.append(str(ROOT / "packaging" / "wheel"))
import zig_compiler


@pytest.mark.parametrize(
    ("argument", "taken", "is_first"),
    [
        ("-O2", "-O2", False),
        ("-Wl,-z,separate-code", "", False),
        ("-Wl,-z,lazy,-z,norelro,-z,separate-code,-z,initfirst", "-Wl,-z,lazy,-z,norelro,-z,nodelete", True),
    ],
)
def test_words_that_zig_refuses_are_replaced(argument, taken, is_first):
    assert zig_compiler.without_refused(argument) == (taken, is_first)


def flags(library) -> str:
    shown = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
    return next((line for line in shown.splitlines() if "FLAGS_1" in line), "")


@pytest.mark.skipif(not shutil.which("readelf"), reason="readelf is not installed")
def test_a_library_is_initialised_first_after_its_flag_was_set(tmp_path):
    library = tmp_path / "lib.so"
    link = ["cc", "-shared", "-x", "c", "/dev/null", "-o", library]
    subprocess.run([*link, "-Wl,-z,nodelete"], check=True)
    assert flags(library).endswith("NODELETE")
    zig_compiler.set_initfirst(library)
    assert flags(library).split(":")[1].split() == ["NODELETE", "INITFIRST"]
    subprocess.run(link, check=True)
    with pytest.raises(SystemExit, match="found no DT_FLAGS_1 in its dynamic section"):
        zig_compiler.set_initfirst(library)

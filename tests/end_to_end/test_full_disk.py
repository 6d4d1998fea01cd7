"""Standard output that takes nothing: one sentence, no traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

COREWISE = str(Path(sys.executable).with_name("corewise"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", [["topo", "--json"], ["map", "--list"]])
def test_a_full_disk_is_one_sentence(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([COREWISE, *words], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "corewise: No space left on device; expected room and permission to write\n"

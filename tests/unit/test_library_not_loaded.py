"""A library that can't be loaded, for example because of a memory limit, gives an error of one line."""

from __future__ import annotations

import os
import subprocess
import sys


def test_a_library_that_cannot_be_loaded_is_named_in_one_line(tmp_path):
    (tmp_path / "numpy.py").write_text(
        "try:\n    raise ImportError('libx.so: failed to map segment')\n"
        "except ImportError as error:\n    raise ImportError('thirty\\nlines') from error\n"
    )
    argv = [sys.executable, "-m", "corewise", "topo"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    sentence = (
        "corewise: libx.so: failed to map segment; raise the limit on memory if there is one (ulimit -v)"
    )
    assert done.stderr == f"{sentence}, or install corewise again\n"

"""What the demo estimates for a cluster if none can be emulated: placement must matter there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORTHWHILE = 0.05  # a gain for which a change of the command line is worthwhile (core/src/advise/advise.cpp)


def test_the_demo_estimates_a_gain_for_a_cluster():
    script = (ROOT / "scripts" / "demo").read_text()
    words = shlex.split(re.search(r"^ *estimate=\((.*)\)$", script, re.MULTILINE)[1])
    command = [str(Path(sys.executable).with_name("corewise")), "advise", *words, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    advice = json.loads(done.stdout)
    assert advice["matters"] == "yes"
    assert advice["gain"]["low"] > WORTHWHILE
    assert advice["gain"]["expected"] > 2 * WORTHWHILE

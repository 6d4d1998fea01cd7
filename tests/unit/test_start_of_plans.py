"""Tests of start(): how the command of a plan is started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from corewise.nouns.launch_plan import LaunchPlan
from corewise.start.launching import printed_by

# A launcher that refuses dashes as Open MPI 5.0.7 does; it prints the rankfile, then its path.
LAUNCHER = """
import sys
path = sys.argv[-1].removeprefix("rankfile:file=").removesuffix(":oversubscribe")
assert "-" not in path, path
print(open(path).read(), path, sys.argv[-1].endswith(":oversubscribe"), sep="|")
"""


@pytest.mark.parametrize("shared", ["", ":oversubscribe"])
def test_a_rankfile_in_a_folder_with_a_dash_is_read_through_a_link(tmp_path, shared):
    rankfile = str(tmp_path / "best-1" / "rankfile")
    argv = [sys.executable, "-c", LAUNCHER, "--map-by", f"rankfile:file={rankfile}{shared}"]
    plan = LaunchPlan(list(argv), {}, {rankfile: "rank 0=a slot=0"}, [])
    printed = printed_by(plan, timeout_s=20)
    assert printed.exit_code == 0, printed.messages
    text, path, oversubscribes = printed.output.strip().split("|")
    assert (text, oversubscribes) == ("rank 0=a slot=0", str(bool(shared)))
    assert not Path(path).parent.exists()
    assert plan.argv == argv


def test_words_of_the_program_stay(tmp_path):
    word = "rankfile:file=/no/such-file"
    plan = LaunchPlan([sys.executable, "-c", "import sys; print(sys.argv[1])", word])
    assert printed_by(plan, timeout_s=20).output.strip() == word

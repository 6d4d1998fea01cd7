"""The journal of a sweep: a truncated one continues; another plan or a second writer is refused."""

import json
import os
import resource
import subprocess
import sys

import pytest
from corewise.errors import InputError
from corewise_laboratory.sweep.journal import FILE, RunRecord, open_journal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PLAN = {"name": "s", "runs": {"repeats": 2}}


def record(repeat: int) -> RunRecord:
    return RunRecord(0, repeat, False, 0.5, 0.6, 0, None, "2026-01-01T00:00:00.000+00:00", "here")


def write(folder, n: int) -> None:
    with open_journal(folder, PLAN) as journal:
        for _ in range(n):
            journal.append(record(len(journal.records)))


def repeats(folder) -> list[int]:
    with open_journal(folder, PLAN) as journal:
        return [entry.repeat for entry in journal.records]


def test_what_was_appended_is_there_next_time(tmp_path):
    write(tmp_path / "d", 2)
    write(tmp_path / "d", 1)
    assert repeats(tmp_path / "d") == [0, 1, 2]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_a_file_cut_off_at_any_byte_loses_one_run_at_most(data, tmp_path):
    path = tmp_path / FILE
    path.unlink(missing_ok=True)
    write(tmp_path, 3)
    content = path.read_bytes()
    end = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:end])
    kept = max(0, content[:end].count(b"\n") - 1)
    assert repeats(tmp_path) == list(range(kept))
    write(tmp_path, 3 - kept)
    assert path.read_bytes() == content


def test_another_plan_is_refused_with_what_differs(tmp_path):
    write(tmp_path, 1)
    before = (tmp_path / FILE).read_bytes()
    with (
        pytest.raises(InputError, match='its runs differ: {"repeats": 2} there, {"repeats": 3} here'),
        open_journal(tmp_path, PLAN | {"runs": {"repeats": 3}}),
    ):
        pass
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"[]\n", b"{}\n", b"no JSON\n", b"half a line", b'{"format": "corewise-sweep-runs"}\n']
)
def test_a_file_that_is_no_journal_is_refused_and_stays(content, tmp_path):
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(InputError, match="no journal|not JSON|no JSON object"):
        write(tmp_path, 1)
    assert (tmp_path / FILE).read_bytes() == content


@pytest.mark.parametrize("line", ["{}", "3", "null", '{"configuration": "x"}', "[" * 5000])
def test_a_wrong_line_is_named(line, tmp_path):
    write(tmp_path, 1)
    with open(tmp_path / FILE, "a") as file:
        file.write(f"{line}\n")
    with pytest.raises(InputError, match=f"{FILE} line 3: .*expected"):
        repeats(tmp_path)


def test_a_folder_of_other_things_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(InputError, match="holds no sweep"):
        write(tmp_path, 1)
    with pytest.raises(InputError, match="could not be made"):
        write(tmp_path / "thesis.tex", 1)


def test_a_second_sweep_in_the_same_folder_is_refused(tmp_path):
    with open_journal(tmp_path, PLAN), pytest.raises(InputError, match="in use by another sweep"):
        write(tmp_path, 1)


FULL = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_sweep_journal import record, write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
write(Path(sys.argv[1]), 1)
resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))
try:
    write(Path(sys.argv[1]), 3)
except Exception as error:
    print(error)
"""


def test_a_run_that_does_not_fit_on_the_disk_leaves_the_file_as_it_was(tmp_path):
    # 400 bytes have room for the plan and one run of about 190 bytes; the system writes a part of the second
    # run.
    assert resource.RLIMIT_FSIZE is not None
    here = os.path.dirname(__file__)
    done = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path, here], capture_output=True, text=True, check=True
    )
    assert "a run could not be written" in done.stdout and "make room" in done.stdout
    lines = (tmp_path / FILE).read_text().splitlines()
    assert [json.loads(line).get("repeat") for line in lines] == [None, 0]
    assert repeats(tmp_path) == [0]

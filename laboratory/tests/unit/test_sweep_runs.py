"""Runs of sweeps: order, failures, the journal that continues after any cut, and job arrays."""

import json
import os
from contextlib import suppress

import pytest
from corewise.cli.submit_options import SubmitTo
from corewise.errors import InputError, MissingError, RunError
from corewise_laboratory.sweep.journal import FILE, RunRecord, open_journal
from corewise_laboratory.sweep.running import run_sweep
from corewise_laboratory.sweep.spec import Measure, Protocol, SweepSpec, configurations, planned_runs
from corewise_laboratory.sweep.submitting import job_name, run_submitted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sweep_cases import SPEC, small, spec_of


def run(spec, folder, say=lambda _: None):
    return run_sweep(spec, configurations(spec), folder, say)


def test_every_run_happens_in_the_planned_order(tmp_path):
    log = tmp_path / "log"
    spec = small(f"echo $1 >>{log}", repeats=2, warmups=1, n=["a", "b", "c"])
    records = run(spec, tmp_path / "d")
    planned = [run.configuration for run in planned_runs(3, spec.protocol)]
    assert log.read_text().split() == ["abc"[index] for index in planned]
    assert [record.configuration for record in records] == planned
    assert all(record.value == record.wall_s > 0 for record in records)


def test_a_failure_a_silent_run_and_a_slow_one_are_recorded_and_the_rest_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("OURS", "5")
    script = (
        'case $1 in bad) echo "no luck" >&2; exit 7;; mute) ;; slow) sleep 30;; *) echo "t=$OURS$N";; esac'
    )
    spec = SweepSpec(
        name="s",
        command=["sh", "-c", script, "sh", "{n}"],
        axes={"n": {label: [label] for label in ("bad", "mute", "slow", "3")}},
        environment={"N": "{n}"},
        measure=Measure(regex="t=([0-9]+)"),
        protocol=Protocol(repeats=1, warmups=0, timeout_s=0.5),
    )
    records = {record.configuration: record for record in run(spec, tmp_path / "d")}
    assert records[0].problem == "exit code 7: no luck"
    assert records[1].problem.startswith("found 0 values of regex")
    assert records[2].problem.startswith("ended after its 0.5") and records[2].exit_code == 124
    assert (records[3].value, records[3].problem) == (53.0, None)


class Stop(Exception):
    """Stands for an interruption of a sweep between two runs."""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=8)
@given(stops=st.lists(st.integers(0, 5), max_size=3))
def test_interrupted_anywhere_it_goes_on_and_runs_everything_once(stops, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep")
    spec = small(f"echo $1 >>{folder}/log", repeats=3, n=["a", "b"])
    for stop in stops:

        def say(progress, stop=stop):
            if progress.startswith(f"{stop} of 6 runs; n="):
                raise Stop

        with suppress(Stop):
            run(spec, folder / "d", say)
    records = run(spec, folder / "d")
    assert sorted((record.configuration, record.repeat) for record in records) == [
        (index, repeat) for index in (0, 1) for repeat in (0, 1, 2)
    ]
    assert sorted((folder / "log").read_text().split()) == ["a"] * 3 + ["b"] * 3
    assert [record.configuration for record in records] == [
        run.configuration for run in planned_runs(2, spec.protocol)
    ]


def test_a_program_that_is_not_there_is_said_before_anything_runs(tmp_path):
    spec = SweepSpec("s", ["{program}"], {"program": {"sh": ["true"], "none": ["no-such-program"]}})
    with pytest.raises(MissingError, match=r"'no-such-program' was not found \(program=none\)"):
        run(spec, tmp_path / "d")
    assert not (tmp_path / "d").exists()


def test_no_run_takes_the_standard_input_away_from_another(tmp_path):
    ours, theirs = os.pipe()
    os.write(theirs, b"for the first\n")
    os.close(theirs)
    before = os.dup(0)
    os.dup2(ours, 0)
    try:
        records = run(small("echo t=$(wc -c)", repeats=2, n=["a"]), tmp_path / "d")
    finally:
        os.dup2(before, 0)
        os.close(before)
        assert os.read(ours, 100) == b"for the first\n"
        os.close(ours)
    assert [record.exit_code for record in records] == [0, 0]


PLAN = {"name": "s", "runs": {"repeats": 2}}


def record(repeat: int) -> RunRecord:
    return RunRecord(0, repeat, False, 0.5, 0.6, 0, None, "2026-01-01T00:00:00.000+00:00", "here")


def write(folder, n: int, plan=PLAN) -> None:
    with open_journal(folder, plan) as journal:
        for _ in range(n):
            journal.append(record(len(journal.records)))


def repeats(folder) -> list[int]:
    with open_journal(folder, PLAN) as journal:
        return [entry.repeat for entry in journal.records]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_a_file_cut_off_at_any_byte_loses_one_run_at_most(data, tmp_path):
    path = tmp_path / FILE
    path.unlink(missing_ok=True)
    write(tmp_path, 2)
    write(tmp_path, 1)
    content = path.read_bytes()
    end = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:end])
    kept = max(0, content[:end].count(b"\n") - 1)
    assert repeats(tmp_path) == list(range(kept))
    write(tmp_path, 3 - kept)
    assert path.read_bytes() == content


def test_another_plan_and_a_second_sweep_are_refused(tmp_path):
    write(tmp_path, 1)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(InputError, match=r"runs of another specification \(its runs differ\)"):
        write(tmp_path, 1, PLAN | {"runs": {"repeats": 3}})
    with open_journal(tmp_path, PLAN), pytest.raises(InputError, match="in use by another sweep"):
        write(tmp_path, 1)
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
    with pytest.raises(InputError, match=rf"{FILE} line 3: .*(expected|is missing)"):
        repeats(tmp_path)


@pytest.mark.parametrize("name", ["runs.jsonl", "thesis.tex"])
def test_a_folder_of_other_things_is_refused(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match="holds no sweep|is no regular file"):
        write(tmp_path, 1)
    with pytest.raises(InputError, match="could not be made"):
        write(tmp_path / name, 1)


def test_a_run_that_does_not_fit_on_the_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    write(tmp_path, 1)
    whole, before = os.write, (tmp_path / FILE).read_bytes()
    monkeypatch.setattr(os, "write", lambda descriptor, line: whole(descriptor, line[:50]))
    with pytest.raises(InputError, match="a run could not be written .*make room"):
        write(tmp_path, 1)
    assert (tmp_path / FILE).read_bytes() == before


# Substitutes for sbatch and squeue: each task runs at once.
SBATCH = r"""#!/bin/bash
printf '%s\n' "$@" >options; cat >script
[ -e refuse ] && { echo "sbatch: error: full" >&2; exit 1; }
for range in $(grep -oP '^--array=\K.*' options | tr , ' '); do
 for number in $(seq "${range%-*}" "${range#*-}"); do
  [ -e lose ] && [ "$number" = 3 ] || SLURM_ARRAY_TASK_ID=$number bash script
 done
done
echo 17
"""
MEASURE = '\n[measure]\nregex = "(?:default|pin) ([0-9])"\n[runs]\nrepeats = 2\nwarmups = 0\n'
N_RUNS = 12
EVIL = "a folder\n#SBATCH --wrap=$(touch evil) '%x"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the substitutes and their output."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"sbatch": SBATCH, "squeue": "#!/bin/sh\ncat queue 2>&1\n"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "queue").touch()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path


def submitted(folder, text=SPEC + MEASURE, name="d"):
    spec = spec_of(folder, text=text)
    submit_to = SubmitTo("slurm", ["--nodes=1"])
    return run_submitted(spec, folder / "spec.toml", configurations(spec), folder / name, submit_to)


@pytest.mark.parametrize("name", ["d", EVIL])
def test_every_run_is_a_task_and_the_next_call_collects_all(folder, name):
    assert submitted(folder, name=name).startswith(f"submitted {N_RUNS} runs as job 17;")
    options = (folder / "options").read_text()
    assert "--array=0-11\n" in options and "--time=11\n" in options and options.endswith("--nodes=1\n")
    records = submitted(folder, name=name)
    assert sorted((record.configuration, record.repeat) for record in records) == [
        (configuration, repeat) for configuration in range(6) for repeat in range(2)
    ]
    assert {(record.configuration, record.value) for record in records} == set(enumerate([1, 2, 4] * 2))
    assert submitted(folder, name=name) == records
    assert not (folder / "evil").exists()


def test_only_what_is_lacking_is_submitted_again(folder):
    (folder / "lose").touch()
    submitted(folder)
    (folder / "lose").unlink()
    assert submitted(folder).startswith("submitted 1 run as job 17;")
    assert "--array=3\n" in (folder / "options").read_text()
    records = submitted(folder)
    left = folder / "d" / "submitted" / "0.json"
    left.write_text(json.dumps(records[0].to_json()))  # of a call that was killed while it collected
    assert len(submitted(folder)) == N_RUNS and not left.exists()


def test_queued_and_held_runs_are_waited_for(folder):
    queue = "".join(f"17|{task}|{{}}|{job_name(folder / 'd')}\n" for task in (3, 4))
    (folder / "queue").write_text(queue.format("Priority", "None"))
    assert submitted(folder) == "2 runs of job 17 did not end yet; to cancel them: scancel 17"
    (folder / "queue").write_text(queue.format("Priority", "JobHeldUser"))
    assert submitted(folder).endswith("Slurm holds some (JobHeldUser), and scontrol release 17 starts them")
    assert not (folder / "options").exists()


def test_what_slurm_can_not_run_is_refused_before_anything_is_submitted(folder):
    (folder / "queue").unlink()
    with pytest.raises(RunError, match="Slurm's controller doesn't answer"):
        submitted(folder)
    (folder / "queue").touch()
    (folder / "refuse").touch()
    with pytest.raises(RunError, match="sbatch submitted no job: sbatch: error: full"):
        submitted(folder)
    with pytest.raises(InputError, match="runs of another specification"):
        submitted(folder, text=SPEC.replace("[1, 2, 4]", "[1]") + MEASURE)
    with pytest.raises(InputError, match="the sweep has 6006 runs; --submit takes at most 1000"):
        submitted(folder, text=SPEC + "[runs]\nrepeats = 1000\n")
